// console/pages/Suppressions.tsx: the suppression list, called "Do not contact" on the page: search, add, delete and export.
import { useState } from "preact/hooks"
import { type Suppression, type SuppressionKind } from "#schema/Suppressions.ts"
import { saveFile } from "#console/Download.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import { AddSuppressions } from "#console/pages/suppressions/AddSuppressions.tsx"
import { WorkspaceTabs } from "#console/pages/workspace/Tabs.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { ConfirmButton } from "#console/parts/ConfirmDialog.tsx"
import { SelectInput, TextInput } from "#console/parts/Fields.tsx"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, EmptyNotice, ProblemNotice } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { formatCount, formatDay } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

const pageSize = 50

const kindFilters: ReadonlyArray<readonly [SuppressionKind | "", string]> = [
  ["", "All"],
  ["address", "Addresses"],
  ["domain", "Domains"],
  ["company", "Companies"]
]

const SuppressionRow = ({
  reload,
  suppression
}: {
  readonly suppression: Suppression
  readonly reload: () => void
}) => {
  const { callApi } = useSession()
  const remove = useAction(async () => {
    await callApi((api) => api.suppressions.deleteSuppression({ params: { id: suppression.id } }))
    reload()
  })
  return (
    <li class="row">
      <span class="entry">
        <span class="strong">{suppression.value}</span>
        {suppression.kind === "domain" && <span class="quiet"> and its subdomains</span>}
        {suppression.kind === "company" && <span class="quiet">, a company</span>}
        {suppression.reason !== null && <span class="entry-reason">{suppression.reason}</span>}
      </span>
      <span class="row-end">
        <span class="quiet">{formatDay(suppression.created_at)}</span>
        <RequireScope scope="workspace:write">
          <ConfirmButton
            label="Delete"
            about={suppression.value}
            title="Delete the entry"
            confirmLabel="Delete"
            busyLabel="Deleting…"
            question={`Delete ${suppression.value} from “${suppressionListLabel}”? New lists can then write to this ${suppression.kind} again.`}
            action={remove}
          />
        </RequireScope>
      </span>
    </li>
  )
}

const NoEntries = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyNotice title="No entry matches">Change the search, or choose “All”.</EmptyNotice>
  ) : (
    <EmptyNotice title="No entries yet">
      Add people who have unsubscribed or asked not to be written to, and the domains of customers, partners and anyone
      else you must not contact. Paste them above, one a line.
    </EmptyNotice>
  )

interface Filter {
  readonly q: string
  readonly kind: SuppressionKind | ""
}

interface FilterProps {
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
}

const EntryFilter = ({ filter, onChange }: FilterProps) => (
  <div class="filter beside">
    <TextInput
      label="Search"
      type="search"
      placeholder="Address or reason"
      value={filter.q}
      maxLength={300}
      onInput={(q) => onChange({ ...filter, q })}
    />
    <SelectInput
      label="Show"
      value={filter.kind}
      options={kindFilters}
      onChange={(kind) => onChange({ ...filter, kind })}
    />
  </div>
)

const useEntries = ({ kind, q }: Filter, offset: number) => {
  const wanted = q.trim()
  const filterParams = { ...(wanted === "" ? {} : { q: wanted }), ...(kind === "" ? {} : { kind }) }
  return useRequest(
    (api) => api.suppressions.listSuppressions({ query: { limit: pageSize, offset, ...filterParams } }),
    [wanted, kind, offset]
  )
}

export const Suppressions = () => {
  const { callApi } = useSession()
  const [filter, setFilter] = useState<Filter>({ q: "", kind: "" })
  const [offset, setOffset] = useState(0)
  const request = useEntries(filter, offset)
  const download = useAction(async () =>
    saveFile("suppressions.csv", await callApi((api) => api.suppressions.exportSuppressions()))
  )
  const isFiltered = filter.q.trim() !== "" || filter.kind !== ""
  return (
    <Page
      title={suppressionListLabel}
      lead="Addresses, domains and companies that must not be written to. Their leads are left out of every list and cost nothing. The API calls this the suppression list."
      actions={
        <ActionButton action={download} busyLabel="Exporting…" onClick={download.start}>
          Export CSV
        </ActionButton>
      }
    >
      <WorkspaceTabs current="suppressions" />
      {download.problem && <ProblemNotice problem={download.problem} />}
      <RequireScope scope="workspace:write">
        <AddSuppressions
          onAdded={() => {
            setOffset(0)
            request.reload()
          }}
        />
      </RequireScope>
      <Section title="Entries">
        <EntryFilter
          filter={filter}
          onChange={(filter) => {
            setOffset(0)
            setFilter(filter)
          }}
        />
        <WhenLoaded request={request} waiting="Looking for entries…">
          {({ data, total }) =>
            total > 0 ? (
              <>
                <p class="quiet" role="status">
                  {formatCount(total, "entry", "entries")}
                </p>
                <ul class="rows" aria-label="Suppressed">
                  {data.map((entry) => (
                    <SuppressionRow key={entry.id} suppression={entry} reload={request.reload} />
                  ))}
                </ul>
                <Pager label="entries" offset={offset} limit={pageSize} total={total} onMove={setOffset} />
              </>
            ) : (
              <NoEntries isFiltered={isFiltered} />
            )
          }
        </WhenLoaded>
      </Section>
    </Page>
  )
}
