// schema/Campaigns.ts: campaigns: list, create, rename, branch and delete, and the selections of each.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Selection } from "#schema/Assets.ts"
import { isCustom, NamedAudience, TargetAudience } from "#schema/Audiences.ts"
import { RequiredScope } from "#schema/Auth.ts"
import { BuildStatus, Overall } from "#schema/BuildStatus.ts"
import { CampaignDocument } from "#schema/Documents.ts"
import { BadRequest, Conflict, Forbidden, NotReady, campaignErrors, Unprocessable } from "#schema/Errors.ts"
import { Deleted, Id, nonEmptyText, optional, idParams, Timestamp } from "#schema/Fields.ts"
import { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { PageQuery, pageFields } from "#schema/Page.ts"

const Name = Schema.String.annotate({ description: "What it is called", examples: ["Quarries, spring"] })
const idAndName = { id: Id, name: Name }

export const CampaignEntry = Schema.Struct({
  ...idAndName,
  created_at: Timestamp,
  overall: Overall,
  audience: Schema.optionalKey(Schema.String).annotate({
    description: "The name of its segment, once it has one",
    examples: ["Quarries in Poland"]
  }),
  lists_count: Schema.optionalKey(Schema.Int).annotate({
    description:
      "Lists that were written from it, if there are any; without those of one lead that generate made. Only for keys with `lists:read`",
    examples: [3]
  })
}).annotate({
  title: "CampaignEntry",
  description: "A campaign in a list"
})
export type CampaignEntry = typeof CampaignEntry.Type

export const ChosenAssets = Schema.Struct({
  campaign_id: Id,
  target_audience: Schema.NullOr(TargetAudience),
  selections: Schema.Struct({
    social_proof: Schema.NullOr(Selection),
    lead_magnet: Schema.NullOr(Selection),
    risk_reversal: Schema.NullOr(Selection),
    value_proposition: Schema.NullOr(Selection)
  })
}).annotate({ title: "ChosenAssets", description: "What it has chosen; null until it was submitted" })
export type ChosenAssets = typeof ChosenAssets.Type

export const BranchInput = Schema.Struct({
  name: nonEmptyText(200, "What the new campaign is called"),
  branch_from_step: Schema.Literals([
    "target-audience",
    "social-proof",
    "lead-magnets",
    "risk-reversal",
    "value-propositions"
  ]).annotate({ description: "The first step that is left open" }),
  target_audience: optional(NamedAudience).annotate({
    description: "The new campaign's segment; only, and always, when branching from target-audience"
  }),
  is_custom_target_audience: isCustom
})
  .annotate({
    title: "BranchInput",
    description: "What to branch, and from where",
    examples: [{ name: "Quarries, autumn", branch_from_step: "lead-magnets" }]
  })
  .check(
    Schema.makeFilter(({ branch_from_step, target_audience }) =>
      branch_from_step === "target-audience" && !target_audience
        ? { path: ["target_audience"], issue: "is required to branch from target-audience" }
        : undefined
    )
  )
export type BranchInput = typeof BranchInput.Type

const NameInput = Schema.Struct({ name: nonEmptyText(200, "What the campaign is called") }).annotate({
  title: "CampaignInput",
  description: "A campaign's name",
  examples: [{ name: "Quarries, spring" }]
})
export const CampaignPage = Schema.Struct({
  campaigns: Schema.Array(CampaignEntry),
  limit: Schema.Int.annotate({ description: "Rows a page, as they were counted", examples: [50] }),
  offset: Schema.Int.annotate({ description: "Rows passed over", examples: [0] }),
  ...pageFields
}).annotate({ title: "CampaignPage", description: "A page" })
const CampaignCreated = Schema.Struct({
  ...idAndName,
  status: Schema.tag("draft").annotate({ description: "Always draft; build-status has the progress" })
}).annotate({ title: "CampaignCreated", description: "The new campaign" })
const Campaign = Schema.Struct({ ...idAndName, created_at: Timestamp }).annotate({
  title: "Campaign",
  description: "The campaign"
})
const CampaignBranched = Schema.Struct({
  id: Id.annotate({ description: "The new campaign" }),
  source_campaign_id: Id.annotate({
    description: "The campaign it was branched from",
    examples: ["01980f3f-6a9d-7e41-b5c2-0d8e7f3a1b64"]
  })
}).annotate({ title: "CampaignBranched", description: "The new campaign" })
const CampaignDocuments = Schema.Struct({ documents: Schema.Array(CampaignDocument) }).annotate({
  title: "CampaignDocuments",
  description: "Its documents"
})

const params = idParams("campaign")

export class CampaignsApi extends HttpApiGroup.make("campaigns")
  .add(
    HttpApiEndpoint.get("listCampaigns", "/", {
      query: PageQuery,
      success: CampaignPage
    }).annotate(RequiredScope, "campaigns:read"),
    HttpApiEndpoint.post("createCampaign", "/", {
      headers: IdempotencyHeaders,
      payload: NameInput,
      success: CampaignCreated.pipe(HttpApiSchema.status("Created")),
      error: [NotReady, Conflict, Forbidden]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.patch("renameCampaign", "/:id", {
      params,
      payload: NameInput,
      success: Campaign,
      error: campaignErrors
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.delete("deleteCampaign", "/:id", {
      params,
      success: Deleted,
      error: [...campaignErrors, Conflict]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.post("branchCampaign", "/:id/branch", {
      params,
      headers: IdempotencyHeaders,
      payload: BranchInput,
      success: CampaignBranched.pipe(HttpApiSchema.status("Created")),
      error: [BadRequest, ...campaignErrors, Conflict, Unprocessable]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.get("listCampaignDocuments", "/:id/documents", {
      params,
      success: CampaignDocuments,
      error: campaignErrors
    }).annotate(RequiredScope, "campaigns:read"),
    HttpApiEndpoint.get("getSelections", "/:id/selections", {
      params,
      success: ChosenAssets,
      error: campaignErrors
    }).annotate(RequiredScope, "campaigns:read"),
    HttpApiEndpoint.get("getBuildStatus", "/:id/build-status", {
      params,
      success: BuildStatus,
      error: campaignErrors
    }).annotate(RequiredScope, "campaigns:read")
  )
  .prefix("/campaigns") {}
