// console/pages/Lists.tsx: every batch of leads, newest first.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import type { ProcessingStatus } from "#schema/Lists.ts"
import { useAsk } from "#console/Asking.ts"
import { countLists, isActive } from "#console/Following.ts"
import { Select, Tick } from "#console/parts/Fields.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { Answered, Empty } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { ListRows } from "#console/parts/Rows.tsx"
import { to } from "#console/Route.ts"

const limit = 25
const kinds: ReadonlyArray<readonly [ProcessingStatus | "", string]> = [
  ["", "All lists"],
  ["in_progress", "Writing"],
  ["processing", "Starting"],
  ["pending", "Paused"],
  ["completed", "Done"],
  ["failed", "Failed"]
]

export const Lists = () => {
  const [status, setStatus] = useState<ProcessingStatus | "">("")
  const [withSingle, setWithSingle] = useState(false)
  const [offset, setOffset] = useState(0)
  const lists = useAsk(
    Effect.fnUntraced(function* (api) {
      const only = { ...(status === "" ? {} : { status }), ...(withSingle ? {} : { source: "batch" as const }) }
      const { lists, total } = yield* api.lists.listLists({ query: { limit, offset, ...only } })
      return { lists, total, counts: yield* countLists(api, lists) }
    }),
    [status, withSingle, offset],
    { every: ({ lists }) => (lists.some(isActive) ? 5000 : undefined) }
  )
  return (
    <Page title="Lists" lead="Each list is one file of leads and the emails that were written to them.">
      <div class="filter">
        <Select
          label="Show"
          value={status}
          options={kinds}
          onChange={(status) => {
            setOffset(0)
            setStatus(status)
          }}
        />
        <Tick
          label="Show single leads that were written over the API"
          checked={withSingle}
          onChange={(shown) => {
            setOffset(0)
            setWithSingle(shown)
          }}
        />
      </div>
      <Answered asked={lists} waiting="Looking for lists…">
        {({ counts, lists, total }) =>
          total === 0 ? (
            <Empty
              title={status === "" ? "No list yet" : "No list is like that"}
              actions={
                status === "" && (
                  <a class="button primary" href={to("campaigns")}>
                    Choose a campaign to write from
                  </a>
                )
              }
            >
              {status === ""
                ? "Choose a campaign that is ready, bring a file of leads, and the emails appear here to be read."
                : "Choose “All lists” to see the others."}
            </Empty>
          ) : (
            <>
              <ListRows lists={lists} counts={counts} />
              <Pager of="lists" offset={offset} limit={limit} total={total} onMove={setOffset} />
            </>
          )
        }
      </Answered>
    </Page>
  )
}
