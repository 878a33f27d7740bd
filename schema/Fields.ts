// schema/Fields.ts: the small schemas that every resource is made of.
import { Schema, SchemaAST } from "effect"

/** An id. What is no UUID names nothing, so a path that holds it is NOT_FOUND. */
export const Id = Schema.String.check(Schema.isUUID(undefined, { toJsonSchema: () => ({ format: "uuid" }) })).annotate({
  examples: ["01980f3e-7c1a-7d52-9b7e-2f64c0a81d35"]
})

/** The parameters of a path that leads to one thing. */
export const pathTo = (what: string) => ({ id: Id.annotate({ description: `The ${what}` }) })

/** ISO 8601, UTC, as written by the server. */
export const Timestamp = Schema.String.annotate({ format: "date-time", examples: ["2026-07-14T09:30:00.000Z"] })

/** An optional field of a body. `null` counts as absent. */
export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** The library's check goes through the text; most are shorter than that in code units already, of which no text has fewer. */
const isMaxCodePoints = (max: number) => {
  const { annotations, run } = Schema.isMaxCodePoints(max)
  return new SchemaAST.Filter<string>(
    (text, ast, options) => (text.length <= max ? undefined : run(text, ast, options)),
    annotations
  )
}

/** Free text of at most `max` characters: code points, as JSON Schema counts them, so that an emoji is one. */
export const text = (max: number) => Schema.String.check(isMaxCodePoints(max))

/** As much of a text as such a field holds. */
export const cutTo = (text: string, max: number): string =>
  text.length <= max ? text : Array.from(text).slice(0, max).join("")

/** Trimmed text that says something, of at most `max` characters. The reference shows what is sent, before it is trimmed. */
export const name = (max: number, description: string) =>
  Schema.String.check(Schema.isMinLength(1, { toJsonSchema: () => ({ minLength: 1, maxLength: max }) }))
    .annotate({ description })
    .pipe(Schema.decodeTo(Schema.Trim.check(Schema.isMinLength(1), isMaxCodePoints(max))))

/** An http or https address of a site, whose scheme may be left out. */
export const isSite = (text: string): boolean => {
  if (/\s|@/.test(text)) return false
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:"
  return isWeb && (/[^.]\.[^.]/.test(url.hostname) || url.hostname === "localhost" || url.hostname.startsWith("["))
}

/** A telephone number as people write it, with an extension or without. */
export const isPhone = (text: string): boolean =>
  /^\+?[\d\s()./-]+(?:(?:,|;|\s)*(?:ext\.?|extension|x|#)\s*\d{1,8})?$/i.test(text) &&
  (text.match(/\d/g)?.length ?? 0) >= 3

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

/**
 * A plain dot-atom address at a domain. Narrower than RFC 5322 on purpose: quoted local parts, comments and
 * lists are where mail libraries disagree about who receives a message.
 */
export const Email = Schema.String.check(
  Schema.isMaxLength(254),
  Schema.isPattern(new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`), {
    message: "must be a valid email address",
    // The pattern would tell a reader less than its name.
    toJsonSchema: () => ({ format: "email" })
  })
)

const domain = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`)

/** A domain name as it stands in an address. */
export const isDomain = (text: string): boolean => text.length <= 253 && domain.test(text)

export const Deleted = Schema.Struct({
  id: Id.annotate({ description: "The id it had" }),
  deleted: Schema.tag(true)
}).annotate({ title: "Deleted", description: "It is gone" })
