// schema/Campaigns.ts: campaigns and how far each has been built.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Selection } from "#schema/Assets.ts"
import { NamedAudience, TargetAudience } from "#schema/Audiences.ts"
import { RequiredScope } from "#schema/Auth.ts"
import { CampaignDocument } from "#schema/Documents.ts"
import { BadRequest, Conflict, Forbidden, NotFound, NotReady, Unprocessable } from "#schema/Errors.ts"
import { Id, name, optional, Timestamp } from "#schema/Fields.ts"
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

/** What a campaign has chosen; null until it was submitted. */
export const ChosenAssets = Schema.Struct({
  campaign_id: Id,
  target_audience: Schema.NullOr(TargetAudience),
  selections: Schema.Struct({
    social_proof: Schema.NullOr(Selection),
    lead_magnet: Schema.NullOr(Selection),
    risk_reversal: Schema.NullOr(Selection),
    value_proposition: Schema.NullOr(Selection)
  })
})
export type ChosenAssets = typeof ChosenAssets.Type

export const BranchInput = Schema.Struct({
  name: name(200),
  branch_from_step: Schema.Literals([
    "target-audience",
    "social-proof",
    "lead-magnets",
    "risk-reversal",
    "value-propositions"
  ]),
  /** The new campaign's segment; only, and always, when branching from target-audience. */
  target_audience: optional(NamedAudience),
  is_custom_target_audience: optional(Schema.Boolean)
}).check(
  Schema.makeFilter(({ branch_from_step, target_audience }) =>
    branch_from_step === "target-audience" && !target_audience
      ? { path: ["target_audience"], issue: "is required to branch from target-audience" }
      : undefined
  )
)
export type BranchInput = typeof BranchInput.Type

const params = { id: Id }
const onCampaign = [Forbidden, NotFound] as const

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
    HttpApiEndpoint.patch("renameCampaign", "/:id", {
      params,
      payload: Schema.Struct({ name: name(200) }),
      success: Schema.Struct({ id: Id, name: Schema.String, created_at: Timestamp }),
      error: onCampaign
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.delete("deleteCampaign", "/:id", {
      params,
      success: Schema.Struct({ id: Id, deleted: Schema.tag(true) }),
      error: [...onCampaign, Conflict]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.post("branchCampaign", "/:id/branch", {
      params,
      headers: IdempotencyHeaders,
      payload: BranchInput,
      success: Schema.Struct({ id: Id, source_campaign_id: Id }).pipe(HttpApiSchema.status("Created")),
      error: [BadRequest, ...onCampaign, Conflict, Unprocessable]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.get("listCampaignDocuments", "/:id/documents", {
      params,
      success: Schema.Struct({ documents: Schema.Array(CampaignDocument) }),
      error: onCampaign
    }).annotate(RequiredScope, "campaigns:read"),
    HttpApiEndpoint.get("getSelections", "/:id/selections", {
      params,
      success: ChosenAssets,
      error: onCampaign
    }).annotate(RequiredScope, "campaigns:read"),
    HttpApiEndpoint.get("getBuildStatus", "/:id/build-status", {
      params,
      success: BuildStatus,
      error: [Forbidden, NotFound]
    }).annotate(RequiredScope, "campaigns:read")
  )
  .prefix("/campaigns") {}
