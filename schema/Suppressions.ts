// schema/Suppressions.ts: addresses, domains and companies that must not be written to, and the endpoints that manage them.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { BodyLimit, RequiredScope } from "#schema/Auth.ts"
import { BadRequest, Conflict, NotFound } from "#schema/Errors.ts"
import { Deleted, Email, Id, isDomain, optional, idParams, text, Timestamp } from "#schema/Fields.ts"
import { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { PageQuery, positionedPage } from "#schema/Page.ts"

/** The most entries in one request. */
export const maxEntries = 10_000

/** The most characters of a reason. */
export const maxReason = 500

export const SuppressionKind = Schema.Literals(["address", "domain", "company"]).annotate({
  title: "SuppressionKind",
  description:
    "`address` is one mailbox, also behind a tag such as `ida+news@mill.example`; `domain` is every mailbox of a domain and its subdomains; `company` is every lead whose `company` is this name"
})
export type SuppressionKind = typeof SuppressionKind.Type

const isEmail = Schema.is(Email)

/**
 * The value as it is stored and compared: trimmed, in lower case, a domain without a leading `@` or `www.`, because
 * hardly any mailbox has a domain with `www.`.
 */
export const normalized = (value: string): string => {
  const plain = value.trim().toLowerCase().replace(/^@/, "")
  const domain = plain.replace(/^www\./, "")
  return isDomain(domain) ? domain : plain
}

/** The kind of a value without a kind of its own; undefined if it is neither an address nor a domain. */
export const kindOf = (value: string): SuppressionKind | undefined => {
  const plain = normalized(value)
  if (plain.includes("@")) return isEmail(plain) ? "address" : undefined
  return isDomain(plain) ? "domain" : undefined
}

export const Suppression = Schema.Struct({
  id: Id,
  kind: SuppressionKind,
  value: Schema.String.annotate({
    description:
      "The address or domain, in lower case; of a company its name as names are compared, such as `hollowell foods` for Hollowell Foods GmbH"
  }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "The reason that was sent with it" }),
  created_at: Timestamp
}).annotate({
  title: "Suppression",
  description: "An address, a domain or a company that must not be written to",
  examples: [
    {
      id: "01980f3e-6b2d-7c14-8a95-d0e3f7b1c246",
      kind: "address",
      value: "kim@osei.example",
      reason: "Unsubscribed on 14 July",
      created_at: "2026-07-14T09:30:00.000Z"
    }
  ]
})
export type Suppression = typeof Suppression.Type

/** Whether a text can be the name of a company. */
export const isCompanyName = (value: string): boolean => /[\p{L}\p{N}]/u.test(value)

const Entry = Schema.Struct({
  value: text(300).annotate({
    description:
      "A value with `@` is an address, any other a domain with its subdomains; `@osei.example` and `www.osei.example` are the domain osei.example. With `kind` `company`, the name of a company"
  }),
  kind: optional(Schema.Literal("company")).annotate({
    description:
      "Suppresses leads whose `company` is this name, whatever their address. Case, accents, punctuation, a leading “the” and the legal form do not count, nor does a country or region at the end of the lead's company, as in “Osei Foods Germany”; a company whose name only begins with it is written to, with a notice"
  }),
  reason: optional(text(maxReason)).annotate({ description: "Why, for your own records" })
})
  .check(
    Schema.makeFilter(({ kind, value }: { readonly kind?: "company" | null; readonly value: string }) =>
      kind === "company"
        ? isCompanyName(value) || { path: ["value"], issue: "must be the name of a company" }
        : kindOf(value) !== undefined || {
            path: ["value"],
            issue: "must be an email address, or a domain such as osei.example without https://"
          }
    )
  )
  .annotate({ title: "SuppressionEntry", description: "An address, a domain or a company to suppress" })
export type SuppressionEntry = typeof Entry.Type

export const Entries = Schema.Struct({
  entries: Schema.Array(Entry)
    .check(
      Schema.isMinLength(1, { message: "must hold at least one entry" }),
      Schema.isMaxLength(maxEntries, { message: `must hold at most ${maxEntries} entries` })
    )
    .annotate({ description: `At most ${maxEntries}` })
}).annotate({
  title: "SuppressionInput",
  description: "Addresses, domains and companies to suppress",
  examples: [
    {
      entries: [
        { value: "kim@osei.example", reason: "Unsubscribed on 14 July" },
        { value: "hollowell.example" },
        { value: "Hollowell Foods", kind: "company" }
      ]
    }
  ]
})

const ExportedList = Schema.Struct({
  id: Id,
  name: Schema.NullOr(Schema.String).annotate({ description: "The `custom_name` of the list" }),
  exported_at: Timestamp.annotate({ description: "When a file with one of the addresses was last exported" }),
  maybe: Schema.optionalKey(Schema.Literal(true)).annotate({
    description:
      "Only where no file is known to have one of the addresses, but an earlier version of the server, which did not record the leads of a file, exported one: it may have them"
  })
}).annotate({ title: "ExportedList", description: "A list of which an exported file has one of the addresses" })
export type ExportedList = typeof ExportedList.Type

export const Added = Schema.Struct({
  added: Schema.Int.annotate({ description: "Entries that are new" }),
  already: Schema.Int.annotate({
    description: "Entries that were on the list, or that this request repeats; they stay as they are"
  }),
  exported_lists: Schema.optionalKey(Schema.Array(ExportedList)).annotate({
    description:
      "The lists of which an exported file has one of these addresses, the last exported first. A download that broke off counts. Absent if there is none, or without the scope `lists:read`. Domains and companies are not looked up, and exports by versions before this field are not known"
  })
}).annotate({ title: "SuppressionsAdded", description: "How many are new", examples: [{ added: 3, already: 0 }] })
export type SuppressionsAdded = typeof Added.Type

export const filter = {
  q: Schema.optionalKey(text(300)).annotate({
    description: "Only entries whose value or reason contains this text, in any case"
  }),
  kind: Schema.optionalKey(SuppressionKind)
}

const Csv = Schema.String.annotate({
  description:
    "All entries, oldest first, in the columns value, kind, reason, created_at; UTF-8 with CRLF. A cell that a spreadsheet would take for a formula has an apostrophe before it",
  examples: ["value,kind,reason,created_at\r\nkim@osei.example,address,Unsubscribed,2026-07-14T09:30:00.000Z\r\n"]
})

const params = idParams("entry")

export class SuppressionsApi extends HttpApiGroup.make("suppressions")
  .add(
    HttpApiEndpoint.get("listSuppressions", "/", {
      query: { ...PageQuery, ...filter },
      success: positionedPage("SuppressionPage", Suppression)
    }).annotate(RequiredScope, "workspace:read"),
    HttpApiEndpoint.post("addSuppressions", "/", {
      headers: IdempotencyHeaders,
      payload: Entries,
      success: Added,
      error: [BadRequest, Conflict]
    })
      .annotate(RequiredScope, "workspace:write")
      .annotate(BodyLimit, 4 * 1024 * 1024),
    HttpApiEndpoint.get("exportSuppressions", "/export", {
      success: Csv.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))
    }).annotate(RequiredScope, "workspace:read"),
    HttpApiEndpoint.delete("deleteSuppression", "/:id", {
      params,
      success: Deleted,
      error: NotFound
    }).annotate(RequiredScope, "workspace:write")
  )
  .prefix("/suppressions") {}
