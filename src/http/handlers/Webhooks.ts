// src/http/handlers/Webhooks.ts: webhooks and the log of their deliveries.
import { Effect } from "effect"
import { Webhooks } from "#layers/Webhooks.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { positioned } from "#schema/Page.ts"
import { type EventType, eventTypes } from "#schema/Webhooks.ts"
import { handlersOf } from "#src/http/Handlers.ts"
import { idempotent } from "#src/http/IdempotentHandler.ts"

const describedEventTypes = Object.entries(eventTypes).map(([type, description]) => ({
  type: type as EventType,
  description
}))

export const WebhooksHandlers = Effect.gen(function* () {
  const webhooks = yield* Webhooks
  const runOnce = yield* idempotent

  return handlersOf("webhooks", {
    listWebhooks: Effect.fnUntraced(function* ({ query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* webhooks.list(workspace_id, query)
      return positioned(page, query)
    }),
    createWebhook: Effect.fnUntraced(function* (request) {
      return yield* runOnce(request, webhooks.create(yield* CurrentPrincipal, request.payload))
    }),
    listWebhookEventTypes: () => Effect.succeed({ data: describedEventTypes }),
    getWebhook: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* webhooks.find(workspace_id, params.id)
    }),
    updateWebhook: Effect.fnUntraced(function* ({ params, payload }) {
      return yield* webhooks.update(yield* CurrentPrincipal, params.id, payload)
    }),
    deleteWebhook: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      yield* webhooks.remove(workspace_id, params.id)
      return { id: params.id, deleted: true }
    }),
    rotateWebhookSecret: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* runOnce(request, webhooks.rotate(workspace_id, request.params.id))
    }),
    testWebhook: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* runOnce(request, webhooks.sendTest(workspace_id, request.params.id))
    }),
    listWebhookDeliveries: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* webhooks.listDeliveries(workspace_id, params.id, query, query)
      return positioned(page, query)
    }),
    resendWebhookDelivery: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* runOnce(request, webhooks.resend(workspace_id, request.params.id, request.params.delivery_id))
    })
  })
})
