// schema/Fields.ts: the small schemas that every resource is made of.
import { Schema } from "effect"

/** An id. What is no UUID names nothing, so a path that holds it is NOT_FOUND. */
export const Id = Schema.String.check(Schema.isUUID()).annotate({ description: "UUID" })

/** ISO 8601, UTC, as written by the server. */
export const Timestamp = Schema.String.annotate({ format: "date-time" })

/** An optional field of a body. `null` counts as absent. */
export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Free text of at most `max` characters, which are Unicode's and not the two units that some take in UTF-16. */
export const text = (max: number) => Schema.String.check(Schema.isMaxCodePoints(max))

/** Trimmed text that says something, of at most `max` characters. */
export const name = (max: number) => Schema.Trim.check(Schema.isMinCodePoints(1), Schema.isMaxCodePoints(max))

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

/**
 * A plain dot-atom address at a domain. Narrower than RFC 5322 on purpose: quoted local parts, comments and
 * lists are where mail libraries disagree about who receives a message.
 */
export const Email = Schema.String.check(
  Schema.isMaxLength(254),
  Schema.isPattern(new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`), {
    message: "must be a valid email address"
  })
).annotate({ format: "email" })
