// console/pages/list/OmittedRows.tsx: the rows of the lead file that the list was made without, each with the reason.
import type { OmittedRow } from "#schema/OmittedRows.ts"
import { saveResponse } from "#console/Download.ts"
import { useAction, useRequest } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { toPageWording } from "#console/parts/Labels.ts"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { formatCount, formatNumber } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

const shownAtOnce = 100

const rowName = ({ email, line, name }: OmittedRow) =>
  [line === null ? null : `Line ${formatNumber(line)}`, name, email].filter((part) => part !== null).join(", ")

export const OmittedRows = ({ list }: { readonly list: string }) => {
  const { callApi } = useSession()
  const params = { id: list }
  const request = useRequest(
    (api) => api.lists.listOmittedRows({ params, query: { limit: shownAtOnce, offset: 0 } }),
    [list]
  )
  const save = useAction(async () => {
    await callApi((api) =>
      saveResponse(api.lists.exportOmittedRows({ params, responseMode: "response-only" }), "rows-not-in-the-list.csv")
    )
  })
  if (request.state !== "loaded" || request.value.total === 0) return null
  const { data, total } = request.value
  return (
    <details class="more">
      <summary>{formatCount(total, "row of the file is", "rows of the file are")} not in this list</summary>
      <p class="quiet">They were left out before the list was made. They cost nothing.</p>
      <ul class="plain-list" aria-label="Rows that are not in this list">
        {data.map((row, index) => {
          const name = rowName(row)
          return (
            <li key={index}>
              {name !== "" && <span class="strong">{name}: </span>}
              {toPageWording(row.reason)}
            </li>
          )
        })}
        {total > data.length && <li>and {formatNumber(total - data.length)} more, all in the file</li>}
      </ul>
      <div class="actions">
        <ActionButton action={save} busyLabel="Fetching the file…" onClick={save.start}>
          Download these rows
        </ActionButton>
      </div>
      {save.problem && <ProblemNotice problem={save.problem} />}
    </details>
  )
}
