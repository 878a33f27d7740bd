// console/pages/Conversations.tsx: all conversations, newest first.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import { useRequest } from "#console/Requests.ts"
import { anyCampaign, askTitle, exampleQuestions } from "#console/pages/Conversation.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, EmptyNotice } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { formatMoment } from "#console/parts/Format.ts"
import { routeTo } from "#console/Route.ts"

const pageSize = 50

export const Conversations = () => {
  const [offset, setOffset] = useState(0)
  const request = useRequest(
    (api) =>
      Effect.all({
        conversations: api.agent.listConversations({ query: { limit: pageSize, offset } }),
        campaigns: api.campaigns.listCampaigns({ query: { limit: 100, offset: 0 } })
      }),
    [offset]
  )
  return (
    <Page
      title="Questions"
      lead="Search a campaign's documents, selections, playbook and lists, and your profile. Each answer cites its passage. If a model is set, it words the answer."
      actions={
        <RequireScope scope="agent:write">
          <a class="button primary" href={routeTo("conversations", "new")}>
            {askTitle}
          </a>
        </RequireScope>
      }
    >
      <WhenLoaded request={request} waiting="Loading conversations…">
        {({ campaigns: { campaigns }, conversations: { data, total } }) =>
          total === 0 ? (
            <EmptyNotice
              title="No questions yet"
              actions={exampleQuestions.map((example) => (
                <a key={example} class="button" href={routeTo("conversations", "new", anyCampaign, example)}>
                  {example}
                </a>
              ))}
            >
              Try one of these:
            </EmptyNotice>
          ) : (
            <>
              <ul class="rows">
                {data.map(({ campaign_id, id, last_message_at, title }) => (
                  <li key={id} class="row">
                    <a href={routeTo("conversations", id)}>{title}</a>
                    <span class="row-end">
                      <span class="quiet">{campaigns.find(({ id }) => id === campaign_id)?.name}</span>
                      <span class="quiet">{formatMoment(last_message_at)}</span>
                    </span>
                  </li>
                ))}
              </ul>
              <Pager label="conversations" offset={offset} limit={pageSize} total={total} onMove={setOffset} />
            </>
          )
        }
      </WhenLoaded>
    </Page>
  )
}
