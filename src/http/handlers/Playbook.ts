// src/http/handlers/Playbook.ts: the playbook of a campaign.
import { Effect } from "effect"
import { Playbooks } from "#layers/Playbooks.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { handlersOf } from "#src/http/Handlers.ts"
import { idempotent } from "#src/http/IdempotentHandler.ts"

export const PlaybookHandlers = Effect.gen(function* () {
  const playbooks = yield* Playbooks
  const runOnce = yield* idempotent

  return handlersOf("playbook", {
    getPlaybook: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* playbooks.find(workspace_id, params.id)
    }),
    updatePlaybook: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* playbooks.update(workspace_id, params.id, payload)
    }),
    createPersona: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* runOnce(request, playbooks.createPersona(workspace_id, request.params.id, request.payload))
    }),
    updatePersona: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* playbooks.updatePersona(workspace_id, params.id, params.persona_id, payload)
    }),
    deletePersona: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      yield* playbooks.removePersona(workspace_id, params.id, params.persona_id)
      return { id: params.persona_id, deleted: true }
    }),
    createTemplate: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* runOnce(request, playbooks.createTemplate(workspace_id, request.params.id, request.payload))
    }),
    updateTemplate: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* playbooks.updateTemplate(workspace_id, params.id, params.template_id, payload)
    }),
    deleteTemplate: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      yield* playbooks.removeTemplate(workspace_id, params.id, params.template_id)
      return { id: params.template_id, deleted: true }
    }),
    resetTemplate: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      const { id, template_id } = request.params
      return yield* runOnce(request, playbooks.resetTemplate(workspace_id, id, template_id))
    }),
    redraftPlaybook: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      const id = yield* runOnce(request, playbooks.redraft(workspace_id, request.params.id, request.payload))
      return { id, type: "campaign.playbook", status: "processing" }
    }),
    tryPlaybook: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* playbooks.try(workspace_id, params.id, payload)
    }),
    routeTitle: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* playbooks.route(workspace_id, params.id, query.title)
    })
  })
})
