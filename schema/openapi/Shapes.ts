// schema/openapi/Shapes.ts: simplifies and names the JSON Schemas of the reference, and makes examples.
import { Predicate, Record } from "effect"

/** Any JSON object; Effect returns its document with this type. */
export type Json = Record<string, any>

/** Applies `change` to the direct subschemas, found by position because a property may be named like a keyword. */
const mapSubschemas = (schema: Json, change: (part: Json) => Json): Json => ({
  ...schema,
  ...(schema["properties"] && { properties: Record.map(schema["properties"], change) }),
  ...(schema["items"] && { items: change(schema["items"]) }),
  ...(schema["contentSchema"] && { contentSchema: change(schema["contentSchema"]) }),
  ...(schema["anyOf"] && { anyOf: schema["anyOf"].map(change) }),
  ...(Predicate.isObject(schema["additionalProperties"]) && {
    additionalProperties: change(schema["additionalProperties"])
  })
})

const isUnbounded = (bound: unknown) => typeof bound === "number" && Math.abs(bound) === Number.MAX_SAFE_INTEGER

/** Writes a union with null as `type: ["string", "null"]`, which is shorter. */
const withNull = ({ anyOf, ...rest }: Json): Json => {
  const [some, none, more] = anyOf ?? []
  const isPlain = none?.type === "null" && more === undefined && typeof some.type === "string"
  return isPlain && !some.title && !some.enum
    ? { ...some, ...rest, type: [some.type, "null"] }
    : { ...rest, ...(anyOf && { anyOf }) }
}

/** Inlines references and removes noise. `named` has the schemas that references point to. */
export const simplifySchema = (schema: Json, named: Json): Json => {
  const { $ref, allOf = [], ...rest } = mapSubschemas(schema, (part) => simplifySchema(part, named))
  if ($ref !== undefined) return simplifySchema(named[$ref.split("/").at(-1)], named)
  // Effect encodes refinements of a schema as `allOf`; later ones are more specific.
  const { additionalProperties, maximum, minimum, ...merged }: Json = Object.assign(rest, ...allOf)
  // `_tag` is never encoded.
  if (merged["properties"]?._tag) {
    const { _tag, ...properties } = merged["properties"]
    merged["properties"] = properties
    merged["examples"] = merged["examples"]?.map(({ _tag, ...example }: Json) => example)
  }
  return withNull({
    ...merged,
    ...(merged["description"]?.startsWith("Deprecated") && { deprecated: true }),
    // Omits `additionalProperties: false`: requests may have unknown fields, and answers may get new ones.
    ...(additionalProperties && { additionalProperties }),
    ...(minimum !== undefined && !isUnbounded(minimum) && { minimum }),
    ...(maximum !== undefined && !isUnbounded(maximum) && { maximum })
  })
}

/** The schema's own example, or one made of its required parts. */
export const exampleOf = ({ anyOf, enum: values, examples, items, properties, required = [], type }: Json): unknown => {
  if (examples) return examples[0]
  if (values) return values[0]
  if (type?.includes("null")) return null
  if (properties) return Object.fromEntries(required.map((key: string) => [key, exampleOf(properties[key])]))
  if (items) return [exampleOf(items)]
  return anyOf && exampleOf(anyOf[0])
}

/** Moves schemas with a title to `components` under that name, and replaces them by references. */
export const extractNamedSchemas = (schema: Json, components: Json): Json => {
  const { examples: _, title, ...shape } = mapSubschemas(schema, (part) => extractNamedSchemas(part, components))
  if (title === undefined) return shape
  const known = (components[title] ??= shape)
  // Fails the build instead of documenting the wrong schema.
  if (JSON.stringify(known) !== JSON.stringify(shape)) throw new Error(`Two schemas are called ${title}`)
  return { $ref: `#/components/schemas/${title}` }
}
