// layers/model/Reading.ts: what a model finds in a text of a business, as far as the text bears it out.
import { Effect } from "effect"
import type { Model } from "#layers/Model.ts"
import { known, strangers } from "#layers/model/Facts.ts"
import { extraction } from "#layers/model/prompts/Extraction.ts"
import type { Findings } from "#layers/research/Extract.ts"

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
