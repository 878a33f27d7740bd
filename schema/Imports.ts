// schema/Imports.ts: the results of imports, and the imported texts that answer questions.
import { Schema } from "effect"
import { Id, Timestamp } from "#schema/Fields.ts"

export const ImportSource = Schema.Struct({
  field: Schema.String.annotate({ description: "The detail field" }),
  text: Schema.String.annotate({ description: "The sentence, line or table row that it was read from" }),
  heading: Schema.NullOr(Schema.String).annotate({ description: "The heading above it; null where there is none" })
}).annotate({ title: "ImportSource", description: "Where a finding was read" })
export type ImportSource = typeof ImportSource.Type

export const MissingField = Schema.Struct({
  field: Schema.String.annotate({ description: "A detail field that is still empty" }),
  candidates: Schema.Array(Schema.String).annotate({
    description:
      "Up to three sentences, table rows, names or numbers of the text that may answer it, of products up to twelve; a person picks"
  }),
  foreign_candidates: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description:
      "Those of the candidates that are in another language, to be written in English, because the emails are; absent where there are none"
  })
}).annotate({ title: "MissingField", description: "What the text does not say for sure" })
export type MissingField = typeof MissingField.Type

export const FieldConflict = Schema.Struct({
  field: Schema.String.annotate({ description: "A detail field that has a value already" }),
  candidates: Schema.Array(Schema.String).annotate({
    description: "What the text states for it that the field does not say, up to twelve; a person picks"
  })
}).annotate({ title: "FieldConflict", description: "A field that an import left as it was, though the text says more" })
export type FieldConflict = typeof FieldConflict.Type

const imported = {
  id: Id,
  name: Schema.String.annotate({
    description: "The host of a site or the name of a file; of a file that was read before names were kept, its kind"
  }),
  created_at: Timestamp.annotate({ description: "When it was last read" })
}
const example = {
  id: "01980f3e-9b20-7d46-8c15-3e72a0f4d8b9",
  name: "kestrel-pumps.example",
  created_at: "2026-07-14T09:30:00.000Z"
}

export const Imported = Schema.Struct(imported).annotate({
  title: "Imported",
  description: "A document or site that was imported, and that questions are answered from",
  examples: [example]
})
export type Imported = typeof Imported.Type

export const ImportedText = Schema.Struct({
  ...imported,
  content: Schema.String.annotate({ description: "The text, in Markdown" })
}).annotate({
  title: "ImportedText",
  description: "The text of an import",
  examples: [{ ...example, content: "# Guarantee\n\nA rebuilt pump within 12 days." }]
})
export type ImportedText = typeof ImportedText.Type
