// schema/Build.ts: the steps that build a campaign, each open to a person's review.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { AssetOption, AssetType } from "#schema/Assets.ts"
import { AudienceInput, TargetAudience } from "#schema/Audiences.ts"
import { RequiredScope } from "#schema/Auth.ts"
import { BadRequest, Conflict, Forbidden, NotFound, NotReady } from "#schema/Errors.ts"
import { Id, name, optional, text } from "#schema/Fields.ts"
import { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { PageQuery, paged } from "#schema/Page.ts"

const params = { id: Id }
const ofType = { id: Id, type: AssetType }
const onCampaign = [Forbidden, NotFound] as const

/** Ids chosen among the step's options, and a person's changes to what those say. */
export const SelectionInput = Schema.Struct({
  selected_ids: Schema.Array(Schema.String).check(Schema.isMaxLength(100)),
  edited_names: optional(Schema.Record(Schema.String, name(2000))),
  edited_descriptions: optional(Schema.Record(Schema.String, text(2000))),
  additional_details: optional(text(10_000))
})
export type SelectionInput = typeof SelectionInput.Type

/** A saved segment has an id, a custom one a name. */
const told = Schema.makeFilter(
  ({
    is_custom_target_audience,
    target_audience
  }: {
    readonly is_custom_target_audience?: boolean | null
    readonly target_audience: AudienceInput
  }) => {
    if (is_custom_target_audience === true) {
      return typeof target_audience.segment_name === "string"
        ? undefined
        : { path: ["target_audience", "segment_name"], issue: "is required of a custom segment" }
    }
    return typeof target_audience.id === "string"
      ? undefined
      : { path: ["target_audience", "id"], issue: "is required unless is_custom_target_audience is true" }
  }
)

const started = <const Type extends string>(type: Type) => ({
  id: Id,
  type: Schema.tag(type),
  status: Schema.tag("processing")
})

export class AudiencesApi extends HttpApiGroup.make("target_audiences").add(
  HttpApiEndpoint.get("listTargetAudiences", "/target-audiences", {
    query: { ...PageQuery, q: Schema.optionalKey(Schema.String) },
    success: paged(TargetAudience)
  }).annotate(RequiredScope, "campaigns:read")
) {}

export class BuildApi extends HttpApiGroup.make("build")
  .add(
    HttpApiEndpoint.post("setTargetAudience", "/target-audience", {
      params,
      headers: IdempotencyHeaders,
      payload: Schema.Struct({
        target_audience: AudienceInput,
        is_custom_target_audience: optional(Schema.Boolean)
      }).check(told),
      success: Schema.Struct({ ...started("campaign.target_audience"), target_audience_id: Schema.String }).pipe(
        HttpApiSchema.status("Accepted")
      ),
      error: [BadRequest, ...onCampaign, Conflict]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.get("listAssetOptions", "/assets/:type/options", {
      params: ofType,
      success: Schema.Struct({ asset_type: AssetType, ready: Schema.Boolean, options: Schema.Array(AssetOption) }),
      error: onCampaign
    }).annotate(RequiredScope, "campaigns:read"),
    HttpApiEndpoint.put("selectAssets", "/assets/:type/selection", {
      params: ofType,
      headers: IdempotencyHeaders,
      payload: SelectionInput,
      // The first that fits is written, so the one with more to say comes first.
      success: [
        Schema.Struct({
          asset_type: AssetType,
          items_stored: Schema.Int,
          job: Schema.Struct(started("campaign.build"))
        }).pipe(HttpApiSchema.status("Accepted")),
        Schema.Struct({ asset_type: AssetType, items_stored: Schema.Int })
      ],
      error: [BadRequest, ...onCampaign, Conflict, NotReady]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.post("generateValuePropositions", "/assets/value_proposition/generate", {
      params,
      headers: IdempotencyHeaders,
      success: Schema.Struct(started("campaign.value_propositions")).pipe(HttpApiSchema.status("Accepted")),
      error: [...onCampaign, Conflict, NotReady]
    }).annotate(RequiredScope, "campaigns:write")
  )
  .prefix("/campaigns/:id") {}
