// schema/Details.ts: the company profile: the editable detail fields of a workspace.
import { Effect, Schema, SchemaGetter } from "effect"
import { Email, isPhone, isWebUrl, optional, text } from "#schema/Fields.ts"

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

const productName = Text.annotate({ description: "Name of the product or service" })
const price = { description: "Price in your own words" }

const Product = Schema.Struct({ product: productName, pricing: Text.annotate(price) }).annotate({
  title: "Product",
  description: "Something the business sells"
})

/** The price may be omitted or null in a request. */
const ProductPatch = Schema.Struct({
  product: productName,
  pricing: Schema.NullOr(Text)
    .annotate(price)
    .pipe(
      Schema.decodeTo(Schema.String, {
        decode: SchemaGetter.transform((price: string | null) => price ?? ""),
        encode: SchemaGetter.passthrough()
      }),
      Schema.withDecodingDefaultKey(Effect.succeed(null))
    )
})

const descriptions = {
  company_name: "The company's name",
  website_url: "Its website",
  city_region: "Its city and region",
  industry_vertical: "Its industry",
  contact_name: "The contact person",
  contact_title: "The contact's job title",
  contact_phone: "The contact's phone number",
  contact_email: "The contact's email address",
  business_address: "Its postal address",
  primary_goal: "The goal of the emails",
  target_job_titles: "Job titles to write to",
  ideal_client_urls: "Websites of ideal clients",
  competitors: "Competitors",
  business_description: "What the company does",
  problems_solved: "Problems that it solves",
  client_transformation: "Clients before and after",
  ideal_client_description: "Its ideal clients",
  pain_points: "Their pain points",
  solution_triggers: "Events that make them look for a solution",
  competitor_frustrations: "Complaints about competitors",
  unique_differentiators: "What sets it apart",
  objections_and_responses: "Objections and responses",
  additional_info: "Additional information",
  core_products: "Products and services",
  case_studies: "Case studies",
  credibility_markers: "Certificates, awards and other credentials",
  guarantee: "Guarantees",
  lead_magnets: "Free offers"
}

const about = (key: keyof typeof descriptions) => ({ description: descriptions[key] })

const structFields = <const K extends string, S extends Schema.Top>(keys: ReadonlyArray<K>, schema: (key: K) => S) =>
  // `Object.fromEntries` loses the type of the keys, which are exactly `keys`.
  Object.fromEntries(keys.map((key) => [key, schema(key)])) as { readonly [P in K]: S }

/** Every detail field; null if it is empty. */
export const Details = Schema.Struct({
  ...structFields(textFields, (key) => Schema.NullOr(Text).annotate(about(key))),
  core_products: Schema.NullOr(Schema.Array(Product).check(atMost100)).annotate(about("core_products")),
  ...structFields(listFields, (key) => Schema.NullOr(List).annotate(about(key)))
}).annotate({ title: "WorkspaceDetails", description: "The company profile; null for empty fields" })
export type Details = typeof Details.Type

const isEmail = Schema.is(Email)

/** The fields whose format is checked. */
const formatChecks: Readonly<
  Partial<Record<(typeof textFields)[number], readonly [isValid: (text: string) => boolean, message: string]>>
> = {
  contact_email: [isEmail, "must be a valid email address"],
  contact_phone: [isPhone, "must be a valid phone number"],
  website_url: [isWebUrl, "must be a valid http or https URL"]
}

/** Whether the text is valid for this detail field. An empty text is, because it clears the field. */
export const isValidDetail = (field: string, text: string): boolean => {
  const [isValid] = Object.entries(formatChecks).find(([name]) => name === field)?.[1] ?? []
  return isValid === undefined || text === "" || isValid(text.trim())
}

const patchField = (key: (typeof textFields)[number]) => {
  const [isValid, message] = formatChecks[key] ?? []
  return isValid === undefined
    ? Text
    : Text.check(
        Schema.makeFilter((text: string) => (text === "" || isValid(text.trim()) ? undefined : message), {
          toJsonSchema: () => ({})
        })
      )
}

/** Any subset of the detail fields, as in a request or a profile file. */
export const DetailsPatch = Schema.Struct({
  ...structFields(textFields, (key) => optional(patchField(key)).annotate(about(key))),
  core_products: optional(Schema.Array(ProductPatch).check(atMost100)).annotate(about("core_products")),
  ...structFields(listFields, (key) => optional(List).annotate(about(key)))
})
export type DetailsPatch = typeof DetailsPatch.Type

export const noDetails: Details = {
  ...(Object.fromEntries([...textFields, ...listFields].map((key) => [key, null])) as {
    readonly [P in (typeof textFields)[number] | (typeof listFields)[number]]: null
  }),
  core_products: null
}
