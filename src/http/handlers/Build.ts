// src/http/handlers/Build.ts: the steps that build a campaign.
import { Effect } from "effect"
import { Steps } from "#layers/campaigns/Steps.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { idempotent } from "#src/http/IdempotentHandler.ts"
import { handlersOf } from "#src/http/Handlers.ts"

export const BuildHandlers = Effect.gen(function* () {
  const steps = yield* Steps
  const runOnce = yield* idempotent

  return handlersOf("build", {
    setTargetAudience: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      const { target_audience } = request.payload
      const { job, target_audience_id } = yield* runOnce(
        request,
        steps.setAudience(workspace_id, request.params.id, target_audience)
      )
      return { id: job, type: "campaign.target_audience", status: "processing", target_audience_id }
    }),
    listAssetOptions: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return { asset_type: params.type, ...(yield* steps.listOptions(workspace_id, params.id, params.type)) }
    }),
    selectAssets: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      const { params, payload } = request
      const { items_stored, job } = yield* runOnce(request, steps.select(workspace_id, params.id, params.type, payload))
      const stored = { asset_type: params.type, items_stored }
      return job === undefined ? stored : { ...stored, job: { id: job, type: "campaign.build", status: "processing" } }
    }),
    generateValuePropositions: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      const id = yield* runOnce(request, steps.propose(workspace_id, request.params.id))
      return { id, type: "campaign.value_propositions", status: "processing" }
    })
  })
})
