// schema/Details.ts: what a business says of itself: the editable detail fields of a workspace.
import { Effect, Schema, SchemaGetter } from "effect"
import { text } from "#schema/Fields.ts"

export const textFields = [
  "company_name",
  "website_url",
  "city_region",
  "industry_vertical",
  "contact_name",
  "contact_title",
  "contact_phone",
  "contact_email",
  "business_address",
  "primary_goal",
  "target_job_titles",
  "ideal_client_urls",
  "competitors",
  "business_description",
  "problems_solved",
  "client_transformation",
  "ideal_client_description",
  "pain_points",
  "solution_triggers",
  "competitor_frustrations",
  "unique_differentiators",
  "objections_and_responses",
  "additional_info"
] as const

export const listFields = ["case_studies", "credibility_markers", "guarantee", "lead_magnets"] as const

const Text = text(20_000)
const atMost100 = Schema.isMaxLength(100)
const List = Schema.Array(Text).check(atMost100)

export const Product = Schema.Struct({ product: Text, pricing: Text })

/** As an owner sends it: the price may be left out, or null. */
const ProductPatch = Schema.Struct({
  product: Text,
  pricing: Schema.NullOr(Text).pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((price: string | null) => price ?? ""),
      encode: SchemaGetter.passthrough()
    }),
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  )
})

const record = <const K extends ReadonlyArray<string>, S extends Schema.Top>(keys: K, schema: S) =>
  // The record's keys are exactly `keys`; `fromEntries` cannot say so.
  Object.fromEntries(keys.map((key) => [key, schema])) as { readonly [P in K[number]]: S }

/** Every detail field; what is not known is null. */
export const Details = Schema.Struct({
  ...record(textFields, Schema.NullOr(Text)),
  core_products: Schema.NullOr(Schema.Array(Product).check(atMost100)),
  ...record(listFields, Schema.NullOr(List))
})
export type Details = typeof Details.Type

/** Any subset of the detail fields, as an owner sends them or a profile file holds them. */
export const DetailsPatch = Schema.Struct({
  ...record(textFields, Schema.optionalKey(Schema.NullOr(Text))),
  core_products: Schema.optionalKey(Schema.NullOr(Schema.Array(ProductPatch).check(atMost100))),
  ...record(listFields, Schema.optionalKey(Schema.NullOr(List)))
})
export type DetailsPatch = typeof DetailsPatch.Type

export const noDetails: Details = {
  ...(Object.fromEntries([...textFields, ...listFields].map((key) => [key, null])) as {
    readonly [P in (typeof textFields)[number] | (typeof listFields)[number]]: null
  }),
  core_products: null
}
