// src/http/Campaigns.ts: campaigns, and the steps that build them.
import { Effect } from "effect"
import { group } from "#src/http/Lean.ts"
import { Audiences } from "#layers/Audiences.ts"
import { Documents } from "#layers/Documents.ts"
import { Campaigns } from "#layers/Campaigns.ts"
import { Steps } from "#layers/campaigns/Steps.ts"
import { Api } from "#schema/Api.ts"
import { CurrentKey } from "#schema/Auth.ts"
import { idempotent } from "#src/http/Idempotent.ts"
import { positionOf } from "#schema/Page.ts"

export const CampaignsHandlers = group(
  Api,
  "campaigns",
  Effect.fnUntraced(function* (handlers) {
    const campaigns = yield* Campaigns
    const documents = yield* Documents
    const steps = yield* Steps
    const once = yield* idempotent

    return handlers.handleAll({
      listCampaigns: Effect.fnUntraced(function* ({ query }) {
        const { workspace_id } = yield* CurrentKey
        const page = yield* campaigns.list(workspace_id, query)
        return { campaigns: page.rows, limit: query.limit, offset: query.offset, ...positionOf(page, query) }
      }),
      createCampaign: Effect.fnUntraced(function* (request) {
        const { workspace_id } = yield* CurrentKey
        const created = yield* once(request, campaigns.create(workspace_id, request.payload.name))
        return { ...created, status: "draft" }
      }),
      renameCampaign: Effect.fnUntraced(function* ({ params, payload }) {
        const { workspace_id } = yield* CurrentKey
        return yield* campaigns.rename(workspace_id, params.id, payload.name)
      }),
      deleteCampaign: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentKey
        yield* campaigns.remove(workspace_id, params.id)
        return { id: params.id, deleted: true }
      }),
      branchCampaign: Effect.fnUntraced(function* (request) {
        const { workspace_id } = yield* CurrentKey
        const source_campaign_id = request.params.id
        const id = yield* once(request, campaigns.branch(workspace_id, source_campaign_id, request.payload))
        return { id, source_campaign_id }
      }),
      listCampaignDocuments: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentKey
        return { documents: yield* documents.ofCampaign(workspace_id, params.id) }
      }),
      getSelections: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentKey
        return yield* campaigns.chosen(workspace_id, params.id)
      }),
      getBuildStatus: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentKey
        return yield* steps.status(workspace_id, params.id)
      })
    })
  })
)

export const AudiencesHandlers = group(
  Api,
  "target_audiences",
  Effect.fnUntraced(function* (handlers) {
    const audiences = yield* Audiences

    return handlers.handle(
      "listTargetAudiences",
      Effect.fnUntraced(function* ({ query }) {
        const { workspace_id } = yield* CurrentKey
        const page = yield* audiences.list(workspace_id, query, query.q)
        return { data: page.rows, ...positionOf(page, query) }
      })
    )
  })
)

export const BuildHandlers = group(
  Api,
  "build",
  Effect.fnUntraced(function* (handlers) {
    const steps = yield* Steps
    const once = yield* idempotent

    return handlers.handleAll({
      setTargetAudience: Effect.fnUntraced(function* (request) {
        const { workspace_id } = yield* CurrentKey
        const { target_audience } = request.payload
        const { job, target_audience_id } = yield* once(
          request,
          steps.setAudience(workspace_id, request.params.id, target_audience)
        )
        return { id: job, type: "campaign.target_audience", status: "processing", target_audience_id }
      }),
      listAssetOptions: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentKey
        return { asset_type: params.type, ...(yield* steps.options(workspace_id, params.id, params.type)) }
      }),
      selectAssets: Effect.fnUntraced(function* (request) {
        const { workspace_id } = yield* CurrentKey
        const { params, payload } = request
        const { items_stored, job } = yield* once(request, steps.select(workspace_id, params.id, params.type, payload))
        const stored = { asset_type: params.type, items_stored }
        return job === undefined
          ? stored
          : { ...stored, job: { id: job, type: "campaign.build", status: "processing" } }
      }),
      generateValuePropositions: Effect.fnUntraced(function* (request) {
        const { workspace_id } = yield* CurrentKey
        const id = yield* once(request, steps.propose(workspace_id, request.params.id))
        return { id, type: "campaign.value_propositions", status: "processing" }
      })
    })
  })
)
