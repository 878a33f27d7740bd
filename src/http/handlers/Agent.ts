// src/http/handlers/Agent.ts: questions about a campaign, and their stored conversations.
import { Effect } from "effect"
import { handlersOf } from "#src/http/Handlers.ts"
import { Conversations } from "#layers/Conversations.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { pageFieldsOf } from "#schema/Page.ts"

export const AgentHandlers = Effect.gen(function* () {
  const conversations = yield* Conversations

  return handlersOf("agent", {
    chat: Effect.fnUntraced(function* ({ payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      const { content, ...answer } = yield* conversations.ask(workspace_id, payload)
      return { ...answer, message: { role: "assistant", content } }
    }),
    listConversations: Effect.fnUntraced(function* ({ query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* conversations.list(workspace_id, query, query.campaign_id)
      return { data: page.rows, ...pageFieldsOf(page, query) }
    }),
    listMessages: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* conversations.messages(workspace_id, params.id, query)
      return { data: page.rows, ...pageFieldsOf(page, query) }
    })
  })
})
