// schema/Build.ts: the steps that build a campaign; each can be reviewed by a person.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { AssetOption, AssetType } from "#schema/Assets.ts"
import { AudienceInput, isCustom } from "#schema/Audiences.ts"
import { RequiredScope } from "#schema/Auth.ts"
import { BadRequest, Conflict, NotReady, campaignErrors } from "#schema/Errors.ts"
import { Id, nonEmptyText, optional, idParams, text } from "#schema/Fields.ts"
import { IdempotencyHeaders } from "#schema/Idempotency.ts"

const params = idParams("campaign")
const ofType = { ...params, type: AssetType }

export const SelectionInput = Schema.Struct({
  selected_ids: Schema.Array(Schema.String)
    .check(Schema.isMaxLength(100))
    .annotate({ description: "Ids of options; none is valid too, but for value propositions" }),
  edited_names: optional(Schema.Record(Schema.String, nonEmptyText(2000, "The new name"))).annotate({
    description: "From ids among `selected_ids` to what they are to be called"
  }),
  edited_descriptions: optional(Schema.Record(Schema.String, text(2000))).annotate({
    description: "From ids among `selected_ids` to what they are to say"
  }),
  additional_details: optional(text(10_000)).annotate({ description: "Anything else the writer should know" })
}).annotate({
  title: "SelectionInput",
  description: "What is chosen among the options",
  examples: [
    {
      selected_ids: ["01980f3f-02b6-7e10-a6d3-90c1b5f7e824"],
      edited_names: { "01980f3f-02b6-7e10-a6d3-90c1b5f7e824": "79% fewer unplanned stops" }
    }
  ]
})
export type SelectionInput = typeof SelectionInput.Type

/** Requires the id of a saved segment, or the name of a custom one. */
const hasIdOrName = Schema.makeFilter(
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

const AudienceChoice = Schema.Struct({ target_audience: AudienceInput, is_custom_target_audience: isCustom })
  .annotate({ title: "AudienceChoice", description: "The target audience of a campaign" })
  .check(hasIdOrName)

const startedJob = <const Type extends string>(type: Type) => ({
  id: Id.annotate({ description: "The job, for GET /jobs/:id" }),
  type: Schema.tag(type),
  status: Schema.tag("processing")
})

const AudienceStarted = Schema.Struct({
  ...startedJob("campaign.target_audience"),
  target_audience_id: Schema.String.annotate({
    description: "The segment",
    examples: ["01980f3e-91c4-7f0b-8a52-3d7e6b10f9c2"]
  })
}).annotate({ title: "AudienceStarted", description: "The segment is linked and its research has begun" })

const Options = Schema.Struct({
  asset_type: AssetType,
  ready: Schema.Boolean.annotate({ description: "False while they are still being made", examples: [true] }),
  options: Schema.Array(AssetOption)
}).annotate({ title: "AssetOptions", description: "What can be chosen" })

const SelectionStored = Schema.Struct({
  asset_type: AssetType,
  items_stored: Schema.Int.annotate({ description: "How many options are chosen now" }),
  job: Schema.optionalKey(Schema.Struct(startedJob("campaign.build"))).annotate({
    description: "The build; with status 202 and only then"
  })
}).annotate({
  title: "SelectionStored",
  description: "The selection is stored; with status 202 the build has begun",
  examples: [{ asset_type: "social_proof", items_stored: 1 }]
})
// One shape for both statuses, because most clients support only one; the presence of a job tells them apart.
const BuildStarted = SelectionStored.annotate({
  examples: [
    {
      asset_type: "value_proposition",
      items_stored: 1,
      job: { id: "01980f41-1b8d-7f63-a0c4-6e9d2f5a7b31", type: "campaign.build", status: "processing" }
    }
  ]
}).check(Schema.makeFilter(({ job }) => job !== undefined))
const ValuePropositionsStarted = Schema.Struct(startedJob("campaign.value_propositions")).annotate({
  title: "ValuePropositionsStarted",
  description: "The job that generates the value propositions"
})

export class BuildApi extends HttpApiGroup.make("build")
  .add(
    HttpApiEndpoint.post("setTargetAudience", "/target-audience", {
      params,
      headers: IdempotencyHeaders,
      payload: AudienceChoice,
      success: AudienceStarted.pipe(HttpApiSchema.status("Accepted")),
      error: [BadRequest, ...campaignErrors, Conflict]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.get("listAssetOptions", "/assets/:type/options", {
      params: ofType,
      success: Options,
      error: campaignErrors
    }).annotate(RequiredScope, "campaigns:read"),
    HttpApiEndpoint.put("selectAssets", "/assets/:type/selection", {
      params: ofType,
      headers: IdempotencyHeaders,
      payload: SelectionInput,
      // The first schema that matches is encoded, so the one with more fields comes first.
      success: [BuildStarted.pipe(HttpApiSchema.status("Accepted")), SelectionStored],
      error: [BadRequest, ...campaignErrors, Conflict, NotReady]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.post("generateValuePropositions", "/assets/value_proposition/generate", {
      params,
      headers: IdempotencyHeaders,
      success: ValuePropositionsStarted.pipe(HttpApiSchema.status("Accepted")),
      error: [...campaignErrors, Conflict, NotReady]
    }).annotate(RequiredScope, "campaigns:write")
  )
  .prefix("/campaigns/:id") {}
