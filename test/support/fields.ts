// test/support/fields.ts: lists every input field of the contract by walking its schemas.
import { Predicate, SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Api } from "#schema/Api.ts"

/** The JSON types, and "any" for schemas that accept every type. */
export type Kind = "string" | "number" | "boolean" | "array" | "object" | "null" | "any"

export interface Field {
  readonly endpoint: string
  readonly location: "path" | "query" | "body"
  /** `*` stands for each entry of an array or value of a record, `{key}` for the keys of a record. */
  readonly path: string
  readonly kinds: ReadonlySet<Kind>
  readonly isOptional: boolean
  /** Whether the schema accepts only UUIDs. */
  readonly isUuid: boolean
}

interface FieldBuilder {
  readonly path: ReadonlyArray<string>
  readonly kinds: Set<Kind>
  readonly isOptional: boolean
  isUuid: boolean
}

const kindOfLiteral = (literal: unknown): Kind => {
  const kind = typeof literal
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : "any"
}

const isUuidSchema = ({ checks }: SchemaAST.AST) =>
  checks?.some(({ annotations }) => {
    const representation = annotations?.["representation"]
    return Predicate.hasProperty(representation, "id") && representation.id === "effect/schema/isUUID"
  }) === true

/** Walks the encoded side of a schema. Throws on an unknown tag, so that no field is missed. */
const walk = (ast: SchemaAST.AST, field: FieldBuilder, found: Array<FieldBuilder>): void => {
  const walkChild = (name: string, type: SchemaAST.AST) => {
    const path = [...field.path, name]
    const existing = found.find((one) => one.path.join(".") === path.join("."))
    const child = existing ?? { path, kinds: new Set<Kind>(), isOptional: SchemaAST.isOptional(type), isUuid: false }
    if (existing === undefined) found.push(child)
    walk(type, child, found)
  }
  if (isUuidSchema(ast)) field.isUuid = true
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return void field.kinds.add("string")
    case "Number":
      return void field.kinds.add("number")
    case "Boolean":
      return void field.kinds.add("boolean")
    case "Null":
      return void field.kinds.add("null")
    case "Unknown":
    case "Any":
    // Any JSON.
    case "Declaration":
      return void field.kinds.add("any")
    case "Literal":
      return void field.kinds.add(kindOfLiteral(ast.literal))
    case "Union":
      return ast.types.forEach((type) => walk(type, field, found))
    case "Arrays":
      field.kinds.add("array")
      return [...ast.elements, ...ast.rest].forEach((type) => walkChild("*", type))
    case "Objects":
      field.kinds.add("object")
      for (const { name, type } of ast.propertySignatures) walkChild(String(name), type)
      for (const { parameter, type } of ast.indexSignatures) {
        walkChild("{key}", parameter)
        walkChild("*", type)
      }
      return
    default:
      throw new Error(`Cannot walk ${ast._tag} at ${field.path.join(".")}`)
  }
}

const fieldsOf = (endpoint: string, location: Field["location"], ast: SchemaAST.AST): ReadonlyArray<Field> => {
  const found: Array<FieldBuilder> = []
  walk(SchemaAST.toEncoded(ast), { path: [], kinds: new Set(), isOptional: false, isUuid: false }, found)
  return found.map(({ path, ...field }) => ({ endpoint, location, path: path.join("."), ...field }))
}

const bodiesOf = (payload: HttpApiEndpoint.PayloadMap): ReadonlyArray<SchemaAST.AST> =>
  (payload.get("application/json")?.schemas ?? []).map((schema: { readonly ast: SchemaAST.AST }) => schema.ast)

/** The input fields of all endpoints, except those of multipart forms, which are not JSON. */
export const fields: ReadonlyArray<Field> = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).flatMap(({ identifier, params, payload, query }) => [
    ...(params === undefined ? [] : fieldsOf(identifier, "path", params.ast)),
    ...(query === undefined ? [] : fieldsOf(identifier, "query", query.ast)),
    ...bodiesOf(payload).flatMap((ast) => fieldsOf(identifier, "body", ast))
  ])
)

/** The concrete paths in a body that match a field's pattern: one for each entry. */
export const matchingPaths = (body: unknown, pattern: string): ReadonlyArray<ReadonlyArray<string>> =>
  pattern.split(".").reduce<ReadonlyArray<ReadonlyArray<string>>>(
    (paths, step) =>
      paths.flatMap((path) => {
        const value = valueAt(body, path)
        if (!Predicate.isObject(value) && !Array.isArray(value)) return []
        if (step === "*" || step === "{key}") return Object.keys(value).map((key) => [...path, key])
        return Object.hasOwn(value, step) ? [[...path, step]] : []
      }),
    [[]]
  )

export const valueAt = (body: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((parent, step) => (Predicate.hasProperty(parent, step) ? parent[step] : undefined), body)

/** A copy of the body with another value at this path. */
export const withValue = (body: unknown, path: ReadonlyArray<string>, value: unknown): unknown => {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(body))
    return body.map((entry, index) => (String(index) === step ? withValue(entry, rest, value) : entry))
  const record = Predicate.isObject(body) ? body : {}
  return { ...record, [step]: withValue(Predicate.hasProperty(body, step) ? body[step] : undefined, rest, value) }
}
