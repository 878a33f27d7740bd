// schema/Fields.ts: the small schemas that the resources share.
import { Schema, SchemaAST } from "effect"

/** An id. A path with a malformed id is NOT_FOUND. */
export const Id = Schema.String.check(Schema.isUUID(undefined, { toJsonSchema: () => ({ format: "uuid" }) })).annotate({
  examples: ["01980f3e-7c1a-7d52-9b7e-2f64c0a81d35"]
})

/** The path parameters of one resource. */
export const idParams = (kind: string) => ({ id: Id.annotate({ description: `The ${kind}` }) })

/** ISO 8601, UTC, as written by the server. */
export const Timestamp = Schema.String.annotate({ format: "date-time", examples: ["2026-07-14T09:30:00.000Z"] })

/** An optional field of a body. `null` counts as absent. */
export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Counts code points only if the text has more than `max` code units: it never has more code points than code units. */
const isMaxCodePoints = (max: number) => {
  const { annotations, run } = Schema.isMaxCodePoints(max)
  return new SchemaAST.Filter<string>(
    (text, ast, options) => (text.length <= max ? undefined : run(text, ast, options)),
    annotations
  )
}

/** Text of at most `max` characters. Counted in code points like JSON Schema does, so an emoji is one character. */
export const text = (max: number) => Schema.String.check(isMaxCodePoints(max))

/** Truncates a text to `max` code points. */
export const truncateTo = (text: string, max: number): string =>
  text.length <= max ? text : Array.from(text).slice(0, max).join("")

/** Trimmed, non-empty text of at most `max` characters. OpenAPI shows the text before trimming. */
export const nonEmptyText = (max: number, description: string) =>
  Schema.String.check(Schema.isMinLength(1, { toJsonSchema: () => ({ minLength: 1, maxLength: max }) }))
    .annotate({ description })
    .pipe(Schema.decodeTo(Schema.Trim.check(Schema.isMinLength(1), isMaxCodePoints(max))))

/** Whether the text is an http or https URL; the scheme may be omitted. */
export const isWebUrl = (text: string): boolean => {
  if (/\s|@/.test(text)) return false
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:"
  return isWeb && (/[^.]\.[^.]/.test(url.hostname) || url.hostname === "localhost" || url.hostname.startsWith("["))
}

/** Whether the text is a phone number in any usual notation, with or without an extension. */
export const isPhone = (text: string): boolean =>
  /^\+?[\d\s()./-]+(?:(?:,|;|\s)*(?:ext\.?|extension|x|#)\s*\d{1,8})?$/i.test(text) &&
  (text.match(/\d/g)?.length ?? 0) >= 3

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

/**
 * A plain dot-atom address at a domain. Narrower than RFC 5322 on purpose: mail libraries disagree about the recipient
 * of quoted local parts, comments and lists.
 */
export const Email = Schema.String.check(
  Schema.isMaxLength(254),
  Schema.isPattern(new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`), {
    message: "must be a valid email address",
    // OpenAPI shows the format `email`, which is easier to read than the pattern.
    toJsonSchema: () => ({ format: "email" })
  })
)

const domain = new RegExp(`^(?:${label}\\.)+(?!\\d+$)${label}$`)

/** Whether the text is a domain name that an email address can have. */
export const isDomain = (text: string): boolean => text.length <= 253 && domain.test(text)

export const Deleted = Schema.Struct({
  id: Id.annotate({ description: "The id of the deleted resource" }),
  deleted: Schema.tag(true)
}).annotate({ title: "Deleted", description: "The resource is deleted" })
