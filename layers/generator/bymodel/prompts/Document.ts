// layers/generator/bymodel/prompts/Document.ts: the form of every document that a model writes.
import { Schema } from "effect"

export const Document = Schema.Struct({
  sections: Schema.Array(
    Schema.Struct({ heading: Schema.String, text: Schema.String, points: Schema.Array(Schema.String) })
  )
})
export type Document = typeof Document.Type

export const form =
  "Each section has a short heading, a text of at most two paragraphs, and points where a list reads better. Leave text empty or points empty where the other says it all."
