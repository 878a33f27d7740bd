// console/pages/campaign/CampaignLists.tsx: the lists that were written from a campaign.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import { useRequest } from "#console/Requests.ts"
import { countLists, isActive } from "#console/ListProgress.ts"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { ListRows } from "#console/parts/LinkRows.tsx"

const limit = 5

export const CampaignLists = ({ campaign }: { readonly campaign: string }) => {
  const [offset, setOffset] = useState(0)
  const request = useRequest(
    Effect.fnUntraced(function* (api) {
      const query = { limit, offset, campaign_id: campaign, source: "batch" as const }
      const { lists, total } = yield* api.lists.listLists({ query })
      return { lists, total, counts: yield* countLists(api, lists) }
    }),
    [campaign, offset],
    { pollAfter: ({ lists }) => (lists.some(isActive) ? 5000 : undefined) }
  )
  return (
    <Section title="Lists">
      <WhenLoaded request={request} waiting="Looking for lists…">
        {({ counts, lists, total }) =>
          total === 0 ? (
            <p class="quiet">None yet. A list appears here once leads are written to.</p>
          ) : (
            <>
              <ListRows lists={lists} counts={counts} />
              <Pager label="lists" offset={offset} limit={limit} total={total} onMove={setOffset} />
            </>
          )
        }
      </WhenLoaded>
    </Section>
  )
}
