// schema/Lead.ts: leads, and the emails written to them.
import { Schema, Struct } from "effect"
import { truncateTo, Email, optional, text } from "#schema/Fields.ts"

const field = (description: string) => optional(text(2000)).annotate({ description })

/** The most custom fields a lead may have. */
export const maxCustomFields = 50

/** The most characters in the value of a custom field. */
export const maxCustomField = 2000

const customKey = /^[a-z][a-z0-9_]{0,63}$/

// The library silently drops keys that do not match a record's pattern; this check reports them.
const customKeys = Schema.makeFilter(
  (fields: object) => {
    const keys = Object.keys(fields)
    if (keys.length > maxCustomFields) return `must hold at most ${maxCustomFields} fields`
    return keys.flatMap((key) =>
      customKey.test(key)
        ? []
        : [
            {
              path: [truncateTo(key, 100)],
              issue: "must be named by 1 to 64 characters of a-z, 0-9 and _, starting with a letter"
            }
          ]
    )
  },
  { toJsonSchema: () => ({ maxProperties: maxCustomFields, propertyNames: { pattern: customKey.source } }) }
)

export const CustomFields = Schema.Record(
  Schema.String,
  Schema.Union([text(maxCustomField), Schema.Finite, Schema.Boolean, Schema.Null])
).check(customKeys)
export type CustomFields = typeof CustomFields.Type

const columns = {
  email: Email.annotate({ description: "Email address" }),
  name: field("First name, or first and last name"),
  title: field("Job title"),
  company: field("Name of the company"),
  linkedin_url: field("Address of the profile at LinkedIn"),
  company_website: field("Address of the company's site")
}

export const Lead = Schema.Struct({
  ...columns,
  custom_fields: optional(CustomFields).annotate({
    description: "Anything else you know about the lead, for templates (`custom.<key>`), the writer and exports"
  })
}).annotate({
  title: "Lead",
  description: "A person to write to",
  examples: [
    {
      email: "ida.moreau@northquarry.example",
      name: "Ida Moreau",
      title: "Maintenance Manager",
      company: "North Quarry",
      company_website: "https://northquarry.example",
      custom_fields: { crushing_lines: 3, last_meeting: "Trade fair in May" }
    }
  ]
})
export type Lead = typeof Lead.Type

/** In the order of the columns of an export. */
export const leadFields = Struct.keys(columns)
export type LeadField = keyof typeof columns

/** The maximum for a batch and for a lead file. */
export const maxLeads = 50_000

/** `body` is plain text with `\n` line ends, signature included. */
export const SequenceEmail = Schema.Struct({
  step: Schema.Int.annotate({ description: "Position in the sequence, from 1" }),
  subject: Schema.String.annotate({ description: "The subject line" }),
  body: Schema.String.annotate({ description: "Plain text, signature included" })
}).annotate({
  title: "SequenceEmail",
  description: "One email of a sequence",
  examples: [
    {
      step: 1,
      subject: "Unplanned stops at North Quarry",
      body: "Hi Ida,\n\nHow long does a worn pump stop your line?\n\nPiotr\nKestrel Pumps"
    }
  ]
})

export const Sequence = Schema.Array(SequenceEmail)
export type Sequence = typeof Sequence.Type
