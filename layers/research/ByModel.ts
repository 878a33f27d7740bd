// layers/research/ByModel.ts: extracts facts about a business from a text with a model, each with the sentence that states it.
import { Effect, Schema, Struct } from "effect"
import type { Model } from "#layers/Model.ts"
import { makeSourceFacts, occursIn, unsupportedClaims } from "#layers/model/SourceFacts.ts"
import { prompt } from "#layers/model/Prompt.ts"
import type { ExtractedProfile } from "#layers/research/ExtractProfile.ts"
import { nameListFields, isOneLine } from "#layers/research/extract/Labels.ts"
import { maxSizes } from "#layers/research/extract/Labelled.ts"
import { Details, listFields, textFields } from "#schema/Details.ts"

const ModelFacts = Schema.Struct({
  facts: Schema.Array(
    Schema.Struct({
      field: Schema.Literals(Struct.keys(Details.fields)),
      value: Schema.String,
      price: Schema.String,
      sentence: Schema.String
    })
  )
})

/** From a text of a business to the details that it states. */
export const extraction = prompt({
  name: "document_extraction",
  version: 2,
  task: `Take down what the text states of the business that it is about, one fact for each value. field: what it is. value: in the text's own words, as a whole sentence or a whole phrase that can stand alone. price: of a product, as the text states it, else an empty string. sentence: the sentence or line of the text that states the fact, word for word.

Leave out what the text does not state. Conclude nothing, join no two statements, and take nothing that is said of a client, a competitor or another company for the business itself.

Fields: company_name, website_url, city_region, industry_vertical, contact_… and business_address: who and where the business is. primary_goal: what it wants from writing to people. target_job_titles: whom it sells to, one title each. ideal_client_urls: sites of good clients. competitors: one name each. business_description: what it does. ideal_client_description: which companies it sells to. problems_solved, pain_points, solution_triggers (events that make a client look for help), client_transformation, competitor_frustrations, unique_differentiators, objections_and_responses, additional_info. core_products: products and services, one each. case_studies: results of clients with their figures, one each. credibility_markers, guarantee, lead_magnets (what it gives away): one each.`,
  answer: ModelFacts
})

/** Characters of a text that the model reads. Texts introduce the business at their start. */
const maxTextLength = 60_000

const fallbackNotice =
  "The model gave no answer, so only labels, price lists, contacts and structured data were read. Import it again when the model answers."

export type ModelFindings = Pick<ExtractedProfile, "findings" | "notice" | "sources">

type Fact = (typeof ModelFacts.Type)["facts"][number]

const withFullStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

const mergeFacts = (facts: ReadonlyArray<Fact>): ModelFindings => {
  const factsOf = (field: string) => facts.filter((fact) => fact.field === field)
  const values = (field: string) =>
    [...new Set(factsOf(field).map(({ value }) => value.trim()))].slice(0, maxSizes.list)
  const texts = textFields.flatMap((field): ReadonlyArray<readonly [string, string]> => {
    const [firstValue, ...otherValues] = values(field)
    if (firstValue === undefined) return []
    if (isOneLine(field) || otherValues.length === 0) return [[field, firstValue]]
    return [
      [
        field,
        nameListFields.has(field)
          ? [firstValue, ...otherValues].join(", ")
          : [firstValue, ...otherValues].map(withFullStop).join(" ")
      ]
    ]
  })
  const lists = listFields.flatMap((field): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
    const items = values(field)
    return items.length === 0 ? [] : [[field, items]]
  })
  const products = factsOf("core_products").map(({ price, value }) => ({
    product: value.trim(),
    pricing: price.trim()
  }))
  return {
    findings: {
      ...Object.fromEntries(texts),
      ...Object.fromEntries(lists),
      ...(products.length === 0 ? {} : { core_products: products.slice(0, maxSizes.list) })
    },
    sources: facts.map(({ field, sentence }) => ({ field, text: sentence.trim(), heading: null }))
  }
}

/** A fact counts only where its sentence stands in the text, and says every number, link, address and name of it. */
export const findFacts = (model: Model, fullText: string): Effect.Effect<ModelFindings> => {
  const text = fullText.slice(0, maxTextLength)
  const source = makeSourceFacts(text)
  const isSupported = ({ price, sentence, value }: Fact) =>
    value.trim() !== "" &&
    value.length <= maxSizes.entry &&
    sentence.length <= maxSizes.entry &&
    occursIn(sentence, source) &&
    unsupportedClaims(`${value}\n${price}`, makeSourceFacts(sentence)).length === 0
  const promptRequest = {
    prompt: extraction,
    sharedData: {},
    requestData: { text },
    maxTextLength,
    request: "Take down what the text states."
  }
  return model
    .write(promptRequest, ({ facts }) => {
      const supportedFacts = facts.filter(isSupported)
      return { value: mergeFacts(supportedFacts), worth: supportedFacts.length, passes: 0, faults: [], error: "" }
    })
    .pipe(
      // Rules have read the text already; a model only adds to that.
      Effect.catchTag("GenerationFailed", ({ message }) =>
        Effect.as(Effect.logWarning("A document was read without the model", { reason: message }), {
          findings: {},
          sources: [],
          notice: fallbackNotice
        })
      )
    )
}
