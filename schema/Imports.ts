// schema/Imports.ts: what an import says of its findings: where each was read, and what it did not find.
import { Schema } from "effect"

export const ImportSource = Schema.Struct({
  field: Schema.String.annotate({ description: "The detail field" }),
  text: Schema.String.annotate({ description: "The sentence, line or table row that it was read from" }),
  heading: Schema.NullOr(Schema.String).annotate({ description: "The heading above it; null where there is none" })
}).annotate({ title: "ImportSource", description: "Where a finding was read" })
export type ImportSource = typeof ImportSource.Type

export const MissingField = Schema.Struct({
  field: Schema.String.annotate({ description: "A detail field that is still empty" }),
  candidates: Schema.Array(Schema.String).annotate({
    description: "Up to three sentences of the text that may answer it, word for word; a person picks"
  })
}).annotate({ title: "MissingField", description: "What the text does not say for sure" })
export type MissingField = typeof MissingField.Type
