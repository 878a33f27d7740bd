// console/pages/Conversations.tsx: every conversation, and the way to a new question.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import { useAsk } from "#console/Asking.ts"
import { Answered, Empty } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { moment } from "#console/parts/Words.ts"
import { to } from "#console/Route.ts"

const limit = 50

export const Conversations = () => {
  const [offset, setOffset] = useState(0)
  const asked = useAsk(
    (api) =>
      Effect.all({
        conversations: api.agent.listConversations({ query: { limit, offset } }),
        campaigns: api.campaigns.listCampaigns({ query: { limit: 100, offset: 0 } })
      }),
    [offset]
  )
  return (
    <Page
      title="Questions"
      lead="Ask what a campaign knows. Answers come from its documents, its choices and your profile, and name them."
      actions={
        <a class="button primary" href={to("conversations", "new")}>
          Ask a question
        </a>
      }
    >
      <Answered asked={asked} waiting="Looking for conversations…">
        {({ campaigns: { campaigns }, conversations: { data, total } }) =>
          total === 0 ? (
            <Empty title="Nothing was asked yet">
              Try “What do we promise?” or “What does it cost?”. Questions are free of credits.
            </Empty>
          ) : (
            <>
              <ul class="rows">
                {data.map(({ campaign_id, id, last_message_at, title }) => (
                  <li key={id}>
                    <a href={to("conversations", id)}>{title}</a>
                    <span class="row-end">
                      <span class="quiet">{campaigns.find(({ id }) => id === campaign_id)?.name}</span>
                      <span class="quiet">{moment(last_message_at)}</span>
                    </span>
                  </li>
                ))}
              </ul>
              <Pager of="conversations" offset={offset} limit={limit} total={total} onMove={setOffset} />
            </>
          )
        }
      </Answered>
    </Page>
  )
}
