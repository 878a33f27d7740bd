// schema/Campaigns.ts: campaigns and how far each has been built.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredScope } from "#schema/Auth.ts"
import { Conflict, Forbidden, NotFound, NotReady } from "#schema/Errors.ts"
import { Id, name, Timestamp } from "#schema/Fields.ts"
import { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { PageQuery, position } from "#schema/Page.ts"

export const Overall = Schema.Literals(["draft", "building", "ready", "failed"])
export type Overall = typeof Overall.Type

export const StageStatus = Schema.Literals(["pending", "processing", "ready", "failed"])
export type StageStatus = typeof StageStatus.Type

const done = Schema.Literals(["pending", "ready"])

export const Stages = Schema.Struct({
  target_audience: done,
  social_proof: done,
  lead_magnet: done,
  risk_reversal: done,
  value_proposition: StageStatus
})
export type Stages = typeof Stages.Type

export const BuildStatus = Schema.Struct({ campaign_id: Id, overall: Overall, stages: Stages })
export type BuildStatus = typeof BuildStatus.Type

export const CampaignEntry = Schema.Struct({ id: Id, name: Schema.String, created_at: Timestamp, overall: Overall })
export type CampaignEntry = typeof CampaignEntry.Type

const params = { id: Id }

export class CampaignsApi extends HttpApiGroup.make("campaigns")
  .add(
    HttpApiEndpoint.get("listCampaigns", "/", {
      query: PageQuery,
      success: Schema.Struct({
        campaigns: Schema.Array(CampaignEntry),
        limit: Schema.Int,
        offset: Schema.Int,
        ...position
      })
    }).annotate(RequiredScope, "campaigns:read"),
    HttpApiEndpoint.post("createCampaign", "/", {
      headers: IdempotencyHeaders,
      payload: Schema.Struct({ name: name(200) }),
      success: Schema.Struct({ id: Id, name: Schema.String, status: Schema.tag("draft") }).pipe(
        HttpApiSchema.status("Created")
      ),
      error: [NotReady, Conflict, Forbidden]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.get("getBuildStatus", "/:id/build-status", {
      params,
      success: BuildStatus,
      error: [Forbidden, NotFound]
    }).annotate(RequiredScope, "campaigns:read")
  )
  .prefix("/campaigns") {}
