// src/http/handlers/Campaigns.ts: campaigns, and the status of their builds.
import { Effect, Struct } from "effect"
import { handlersOf } from "#src/http/Handlers.ts"
import { Documents } from "#layers/Documents.ts"
import { Campaigns } from "#layers/Campaigns.ts"
import { Steps } from "#layers/campaigns/Steps.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { idempotent } from "#src/http/IdempotentHandler.ts"
import { pageFieldsOf } from "#schema/Page.ts"

export const CampaignsHandlers = Effect.gen(function* () {
  const campaigns = yield* Campaigns
  const documents = yield* Documents
  const steps = yield* Steps
  const runOnce = yield* idempotent

  return handlersOf("campaigns", {
    listCampaigns: Effect.fnUntraced(function* ({ query }) {
      const { scopes, workspace_id } = yield* CurrentPrincipal
      const page = yield* campaigns.list(workspace_id, query)
      const entries = scopes.includes("lists:read")
        ? page.rows
        : page.rows.map((entry) => Struct.omit(entry, ["lists_count"]))
      return { campaigns: entries, limit: query.limit, offset: query.offset, ...pageFieldsOf(page, query) }
    }),
    createCampaign: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      const created = yield* runOnce(request, campaigns.create(workspace_id, request.payload.name))
      return { ...created, status: "draft" }
    }),
    renameCampaign: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* campaigns.rename(workspace_id, params.id, payload.name)
    }),
    deleteCampaign: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      yield* campaigns.remove(workspace_id, params.id)
      return { id: params.id, deleted: true }
    }),
    branchCampaign: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      const source_campaign_id = request.params.id
      const id = yield* runOnce(request, campaigns.branch(workspace_id, source_campaign_id, request.payload))
      return { id, source_campaign_id }
    }),
    listCampaignDocuments: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return { documents: yield* documents.listCampaignDocuments(workspace_id, params.id) }
    }),
    getSelections: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* campaigns.findSelections(workspace_id, params.id)
    }),
    getBuildStatus: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* steps.getStatus(workspace_id, params.id)
    })
  })
})
