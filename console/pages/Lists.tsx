// console/pages/Lists.tsx: all lists, newest first.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import type { ProcessingStatus } from "#schema/Lists.ts"
import { useRequest } from "#console/Requests.ts"
import { countLists, isActive } from "#console/ListProgress.ts"
import { SelectInput, Checkbox } from "#console/parts/Fields.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { WhenLoaded, EmptyNotice } from "#console/parts/Notices.tsx"
import { NewListButton } from "#console/parts/NewListButton.tsx"
import { Page } from "#console/parts/Page.tsx"
import { ListRows } from "#console/parts/LinkRows.tsx"
import { FindPerson } from "#console/pages/lists/FindPerson.tsx"
import { routeTo } from "#console/Route.ts"

const pageSize = 25
/** The part of the address that shows the lists with emails to review. */
export const toReviewRoute = "to-review"

type Shown = ProcessingStatus | "" | typeof toReviewRoute
const statusFilters: ReadonlyArray<readonly [Shown, string]> = [
  ["", "All lists"],
  [toReviewRoute, "With emails to review"],
  ["in_progress", "Writing"],
  ["processing", "Starting"],
  ["pending", "Paused"],
  ["completed", "Done"],
  ["failed", "Failed"]
]

const NoLists = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyNotice title="No list is like that">Choose “All lists” to see the others.</EmptyNotice>
  ) : (
    <EmptyNotice
      title="No list yet"
      actions={
        <RequireScope scope="campaigns:write">
          <a class="button primary" href={routeTo("campaigns")}>
            Choose a campaign to write from
          </a>
        </RequireScope>
      }
    >
      Choose a campaign that is ready, bring a file of leads, and the emails appear here to be read.
    </EmptyNotice>
  )

const queryOf = (shown: Shown) =>
  shown === "" ? {} : shown === toReviewRoute ? { review: "open" as const } : { status: shown }

export const Lists = ({ initiallyShown = "" }: { readonly initiallyShown?: Shown }) => {
  const [status, setStatus] = useState<Shown>(initiallyShown)
  const [includeSingleLeads, setIncludeSingleLeads] = useState(false)
  const [offset, setOffset] = useState(0)
  const lists = useRequest(
    Effect.fnUntraced(function* (api) {
      const only = { ...queryOf(status), ...(includeSingleLeads ? {} : { source: "batch" as const }) }
      const { lists, total } = yield* api.lists.listLists({ query: { limit: pageSize, offset, ...only } })
      return { lists, total, counts: yield* countLists(api, lists) }
    }),
    [status, includeSingleLeads, offset],
    { pollAfter: ({ lists }) => (lists.some(isActive) ? 5000 : undefined) }
  )
  return (
    <Page
      title="Lists"
      lead="Each list is one file of leads and the emails that were written to them."
      actions={<NewListButton />}
    >
      <FindPerson />
      <div class="filter">
        <SelectInput
          label="Show"
          value={status}
          options={statusFilters}
          onChange={(status) => {
            setOffset(0)
            setStatus(status)
          }}
        />
        <Checkbox
          label="Show single leads that were written over the API"
          checked={includeSingleLeads}
          onChange={(shown) => {
            setOffset(0)
            setIncludeSingleLeads(shown)
          }}
        />
      </div>
      <WhenLoaded request={lists} waiting="Looking for lists…">
        {({ counts, lists, total }) =>
          total === 0 ? (
            <NoLists isFiltered={status !== ""} />
          ) : (
            <>
              <ListRows lists={lists} counts={counts} />
              <Pager label="lists" offset={offset} limit={pageSize} total={total} onMove={setOffset} />
            </>
          )
        }
      </WhenLoaded>
    </Page>
  )
}
