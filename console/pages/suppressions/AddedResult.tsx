// console/pages/suppressions/AddedResult.tsx: what was added to "Do not contact", and which exported files have it.
import type { ExportedList, SuppressionsAdded } from "#schema/Suppressions.ts"
import { formatCount, formatMoment, formatNumber } from "#console/parts/Format.ts"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { routeTo } from "#console/Route.ts"

const maxListsShown = 20

const ExportedLists = ({ lists }: { readonly lists: ReadonlyArray<ExportedList> }) => (
  <>
    <p>Exported files of these lists have them. Remove them in your sending tool too:</p>
    <ul>
      {lists.slice(0, maxListsShown).map(({ exported_at, id, maybe, name }) => (
        <li key={id}>
          <a href={routeTo("lists", id)}>{name ?? "Without a name"}</a>, {maybe && "perhaps "}in the file of{" "}
          {formatMoment(exported_at)}
        </li>
      ))}
      {lists.some(({ maybe }) => maybe) && (
        <li class="quiet">Perhaps: an earlier version of Overture exported the file without recording whom it has.</li>
      )}
      {lists.length > maxListsShown && <li>and {formatNumber(lists.length - maxListsShown)} more</li>}
    </ul>
  </>
)

interface Props {
  readonly result: SuppressionsAdded
  /** Domains and companies are not looked up in exported lists. */
  readonly areAddresses: boolean
}

export const AddedResult = ({ areAddresses, result: { added, already, exported_lists } }: Props) => (
  <div class="note good">
    <p>
      <span class="strong">{added === 0 ? "Nothing new." : `${formatCount(added, "entry", "entries")} added.`}</span>
      {already > 0 && ` ${formatCount(already, "entry was", "entries were")} on the list already.`}
    </p>
    {exported_lists !== undefined && <ExportedLists lists={exported_lists} />}
    {exported_lists === undefined && areAddresses && (
      <p>
        No exported file is known to have them. Exports by earlier versions of Overture were not recorded: if you made
        some, remove them in your sending tool too.
      </p>
    )}
    {!areAddresses && (
      <p>
        Files that were exported before may still have leads of these domains or companies: remove them in your sending
        tool too.
      </p>
    )}
    <p>
      <a href={routeTo("lists")}>The lists</a> mark such leads with “{suppressionListLabel}”.
    </p>
  </div>
)
