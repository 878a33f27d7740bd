// layers/research/ByModel.ts: what a model finds in a text of a business, as far as the text bears it out.
import { Effect } from "effect"
import type { Model } from "#layers/Model.ts"
import { known, strangers } from "#layers/model/Known.ts"
import { prompt } from "#layers/model/Prompt.ts"
import type { Findings } from "#layers/research/Extract.ts"
import { Details } from "#schema/Details.ts"

/** From a text of a business to the details that it tells. */
export const extraction = prompt({
  name: "document_extraction",
  version: 1,
  task: `Take down what the text tells of the business that it is about, field by field, in the text's own words so far as they fit. A field that the text does not speak of is null. Add nothing, conclude nothing. Fields: company_name, website_url, city_region, industry_vertical, contact_… and business_address: who and where the business is. primary_goal: what it wants from writing to people. target_job_titles: whom it sells to, by title. ideal_client_urls: sites of good clients. competitors: by name. business_description: what it does. problems_solved, pain_points, solution_triggers (events that make a client look for help), client_transformation, ideal_client_description, competitor_frustrations, unique_differentiators, objections_and_responses, additional_info. core_products: products and services with their price, or an empty price. case_studies: results of clients, one each. credibility_markers, guarantee, lead_magnets (what it gives away): one each.`,
  answer: Details
})

/** Who a business is stands at the start of what it says of itself. */
const mostText = 60_000

/** A detail that says a number, a link, an address or a name which is not in the text is left out. */
export const found = (model: Model, whole: string): Effect.Effect<Findings> => {
  const text = whole.slice(0, mostText)
  const source = known(text)
  const borne = (value: string) => value.trim() !== "" && strangers(value, source).length === 0
  const order = {
    prompt: extraction,
    shared: {},
    own: { text },
    longest: mostText,
    request: "Take down what the text tells."
  }
  return model
    .write(order, (details) => {
      const kept = Object.entries(details).flatMap(([field, value]): ReadonlyArray<readonly [string, unknown]> => {
        if (value === null) return []
        if (typeof value === "string") return borne(value) ? [[field, value]] : []
        const items = value.filter((item) =>
          typeof item === "string" ? borne(item) : borne(`${item.product}\n${item.pricing}`)
        )
        return items.length === 0 ? [] : [[field, items]]
      })
      return { value: Object.fromEntries(kept), worth: kept.length, passes: 0, faults: [], error: "" }
    })
    .pipe(
      // Rules have read the text already; a model only adds to that.
      Effect.catchTag("GenerationFailed", ({ message }) =>
        Effect.as(Effect.logWarning("A document was read without the model", { reason: message }), {})
      )
    )
}
