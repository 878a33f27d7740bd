// console/parts/Pager.tsx: previous and next buttons for a paginated collection.
import { formatNumber } from "#console/parts/Format.ts"

interface Props {
  readonly label: string
  readonly offset: number
  readonly limit: number
  readonly total: number
  readonly onMove: (offset: number) => void
}

export const Pager = ({ limit, label, offset, onMove, total }: Props) =>
  total <= limit ? null : (
    <nav class="pages" aria-label={`Pages of ${label}`}>
      <button type="button" class="button" disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
        Previous
      </button>
      <span class="quiet">
        {formatNumber(offset + 1)} to {formatNumber(Math.min(total, offset + limit))} of {formatNumber(total)}
      </span>
      <button type="button" class="button" disabled={offset + limit >= total} onClick={() => onMove(offset + limit)}>
        Next
      </button>
    </nav>
  )
