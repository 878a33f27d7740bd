// schema/OmittedRows.ts: the rows of a lead file that a list was made without, each with the reason.
import { Schema } from "effect"
import { nonEmptyText, optional, text } from "#schema/Fields.ts"
import { positionedPage } from "#schema/Page.ts"

/** Rows that one batch can name. */
export const maxOmittedRows = 10_000

export const maxOmittedReason = 500

export const maxOmittedName = 200

const OmittedRowInput = Schema.Struct({
  line: optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { message: "must be at least 1" }))).annotate({
    description: "The line or row of the file, from 1"
  }),
  email: optional(text(254)).annotate({ description: "The row's address, valid or not" }),
  name: optional(text(maxOmittedName)).annotate({ description: "The name of the person in the row" }),
  reason: nonEmptyText(maxOmittedReason, "The reason"),
  by_hand: optional(Schema.Boolean).annotate({
    description:
      "Whether a person decided it. `POST /lead-files` then says so of the same address in a later file, as the kind `decided`"
  })
}).annotate({ title: "OmittedRowInput", description: "A row of the file that is none of `leads`" })
export type OmittedRowInput = typeof OmittedRowInput.Type

export const OmittedRowInputs = Schema.Array(OmittedRowInput)
  .check(Schema.isMaxLength(maxOmittedRows, { message: `must hold at most ${maxOmittedRows} rows` }))
  .annotate({
    description: `Rows of the lead file that are none of \`leads\`, at most ${maxOmittedRows}, kept with the list: for people who look for them. They cost nothing and count nowhere`
  })

export const OmittedRow = Schema.Struct({
  line: Schema.NullOr(Schema.Int).annotate({ description: "The line or row of the file, from 1; null if unknown" }),
  email: Schema.NullOr(Schema.String).annotate({ description: "The row's address, valid or not; null if it has none" }),
  name: Schema.NullOr(Schema.String).annotate({ description: "The name of the person; null if none was sent" }),
  reason: Schema.String.annotate({ description: "Why the list was made without it" }),
  by_hand: Schema.Boolean.annotate({ description: "Whether a person decided it" })
}).annotate({
  title: "OmittedRow",
  description: "A row of the lead file that the list was made without",
  examples: [{ line: 14, email: null, name: "Kim Osei", reason: "no email address", by_hand: false }]
})
export type OmittedRow = typeof OmittedRow.Type

export const OmittedRowPage = positionedPage("OmittedRowPage", OmittedRow)

export const OmittedRowsCsv = Schema.String.annotate({
  description: "CSV with the columns line, email, name, reason and by_hand, which is true or false; UTF-8 with CRLF",
  examples: ["line,email,name,reason,by_hand\r\n14,,Kim Osei,no email address,false\r\n"]
})
