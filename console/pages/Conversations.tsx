// console/pages/Conversations.tsx: all conversations, newest first.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import { useAsk } from "#console/Asking.ts"
import { anyCampaign, examples, useWording } from "#console/pages/Conversation.tsx"
import { Answered, Empty } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { moment } from "#console/parts/Words.ts"
import { to } from "#console/Route.ts"

const limit = 50

export const Conversations = () => {
  const [offset, setOffset] = useState(0)
  const wording = useWording()
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
      lead="Search a campaign's documents, selections, playbook and lists, and your profile. Each answer cites its passage. If a model is set, it words the answer."
      actions={
        <a class="button primary" href={to("conversations", "new")}>
          {wording.title}
        </a>
      }
    >
      <Answered asked={asked} waiting="Loading conversations…">
        {({ campaigns: { campaigns }, conversations: { data, total } }) =>
          total === 0 ? (
            <Empty
              title="No questions yet"
              actions={examples.map((example) => (
                <a key={example} class="button" href={to("conversations", "new", anyCampaign, example)}>
                  {example}
                </a>
              ))}
            >
              Try one of these:
            </Empty>
          ) : (
            <>
              <ul class="rows">
                {data.map(({ campaign_id, id, last_message_at, title }) => (
                  <li key={id} class="row">
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
