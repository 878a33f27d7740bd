// test/support/fields.ts: every field that the contract lets a caller fill, found by walking its schemas.
import { Predicate, SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Api } from "#schema/Api.ts"

/** What JSON has, and "any" where a schema takes all of it. */
export type Kind = "string" | "number" | "boolean" | "array" | "object" | "null" | "any"

export interface Field {
  readonly endpoint: string
  readonly place: "path" | "query" | "body"
  /** `*` stands for any entry of an array and any value of a record, `{key}` for the keys of a record. */
  readonly path: string
  readonly kinds: ReadonlySet<Kind>
  readonly isOptional: boolean
  /** The schema takes nothing but a UUID. */
  readonly isUuid: boolean
}

interface Found {
  readonly path: ReadonlyArray<string>
  readonly kinds: Set<Kind>
  readonly isOptional: boolean
  isUuid: boolean
}

const kindOfLiteral = (literal: unknown): Kind => {
  const kind = typeof literal
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : "any"
}

const saysUuid = ({ checks }: SchemaAST.AST) =>
  checks?.some(({ annotations }) => {
    const representation = annotations?.["representation"]
    return Predicate.hasProperty(representation, "id") && representation.id === "effect/schema/isUUID"
  }) === true

/** Walks the side of a schema that is on the wire. A tag this does not know is an error: better than a field missed. */
const walk = (ast: SchemaAST.AST, here: Found, found: Array<Found>): void => {
  const below = (name: string, type: SchemaAST.AST) => {
    const path = [...here.path, name]
    const known = found.find((one) => one.path.join(".") === path.join("."))
    const there = known ?? { path, kinds: new Set<Kind>(), isOptional: SchemaAST.isOptional(type), isUuid: false }
    if (known === undefined) found.push(there)
    walk(type, there, found)
  }
  if (saysUuid(ast)) here.isUuid = true
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return void here.kinds.add("string")
    case "Number":
      return void here.kinds.add("number")
    case "Boolean":
      return void here.kinds.add("boolean")
    case "Null":
      return void here.kinds.add("null")
    case "Unknown":
    case "Any":
    // Any JSON.
    case "Declaration":
      return void here.kinds.add("any")
    case "Literal":
      return void here.kinds.add(kindOfLiteral(ast.literal))
    case "Union":
      return ast.types.forEach((type) => walk(type, here, found))
    case "Arrays":
      here.kinds.add("array")
      return [...ast.elements, ...ast.rest].forEach((type) => below("*", type))
    case "Objects":
      here.kinds.add("object")
      for (const { name, type } of ast.propertySignatures) below(String(name), type)
      for (const { parameter, type } of ast.indexSignatures) {
        below("{key}", parameter)
        below("*", type)
      }
      return
    default:
      throw new Error(`Nobody told how to walk ${ast._tag} at ${here.path.join(".")}`)
  }
}

const fieldsOf = (endpoint: string, place: Field["place"], ast: SchemaAST.AST): ReadonlyArray<Field> => {
  const found: Array<Found> = []
  walk(SchemaAST.toEncoded(ast), { path: [], kinds: new Set(), isOptional: false, isUuid: false }, found)
  return found.map(({ path, ...field }) => ({ endpoint, place, path: path.join("."), ...field }))
}

const bodiesOf = (payload: HttpApiEndpoint.PayloadMap): ReadonlyArray<SchemaAST.AST> =>
  (payload.get("application/json")?.schemas ?? []).map((schema: { readonly ast: SchemaAST.AST }) => schema.ast)

/** Of every endpoint; a form's are not here, since it is no JSON. */
export const fields: ReadonlyArray<Field> = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).flatMap(({ identifier, params, payload, query }) => [
    ...(params === undefined ? [] : fieldsOf(identifier, "path", params.ast)),
    ...(query === undefined ? [] : fieldsOf(identifier, "query", query.ast)),
    ...bodiesOf(payload).flatMap((ast) => fieldsOf(identifier, "body", ast))
  ])
)

/** The places where these fields stand in a body: one path for each entry that is there. */
export const placesOf = (body: unknown, path: string): ReadonlyArray<ReadonlyArray<string>> =>
  path.split(".").reduce<ReadonlyArray<ReadonlyArray<string>>>(
    (places, step) =>
      places.flatMap((place) => {
        const at = valueAt(body, place)
        if (!Predicate.isObject(at) && !Array.isArray(at)) return []
        if (step === "*" || step === "{key}") return Object.keys(at).map((key) => [...place, key])
        return Object.hasOwn(at, step) ? [[...place, step]] : []
      }),
    [[]]
  )

export const valueAt = (body: unknown, place: ReadonlyArray<string>): unknown =>
  place.reduce<unknown>((at, step) => (Predicate.hasProperty(at, step) ? at[step] : undefined), body)

/** The body with another value at this place. */
export const withValue = (body: unknown, place: ReadonlyArray<string>, value: unknown): unknown => {
  const [step, ...rest] = place
  if (step === undefined) return value
  if (Array.isArray(body)) return body.map((entry, at) => (String(at) === step ? withValue(entry, rest, value) : entry))
  const record = Predicate.isObject(body) ? body : {}
  return { ...record, [step]: withValue(Predicate.hasProperty(body, step) ? body[step] : undefined, rest, value) }
}
