// schema/openapi/Shapes.ts: the JSON Schemas of the reference: tidied, given a name each, and shown by example.
import { Predicate, Record } from "effect"

/** Any JSON object, as Effect types the document it hands out. */
export type Json = Record<string, any>

/** Changes the schemas that a schema is made of. A property may be called as a keyword is, so keywords are recognised by their place. */
const within = (schema: Json, change: (part: Json) => Json): Json => ({
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

/** `string | null` says in one line what a union says in five. */
const withNull = ({ anyOf, ...rest }: Json): Json => {
  const [some, none, more] = anyOf ?? []
  const isPlain = none?.type === "null" && more === undefined && typeof some.type === "string"
  return isPlain && !some.title && !some.enum
    ? { ...some, ...rest, type: [some.type, "null"] }
    : { ...rest, ...(anyOf && { anyOf }) }
}

/** Written out whole, without what tells a reader nothing. `named` is what references lead to. */
export const tidy = (schema: Json, named: Json): Json => {
  const { $ref, allOf = [], ...rest } = within(schema, (part) => tidy(part, named))
  if ($ref !== undefined) return tidy(named[$ref.split("/").at(-1)], named)
  // How Effect writes what it learns twice of one schema: the later is the more special.
  const { additionalProperties, maximum, minimum, ...merged }: Json = Object.assign(rest, ...allOf)
  // `_tag` is never written.
  if (merged["properties"]?._tag) {
    const { _tag, ...properties } = merged["properties"]
    merged["properties"] = properties
    merged["examples"] = merged["examples"]?.map(({ _tag, ...example }: Json) => example)
  }
  return withNull({
    ...merged,
    ...(merged["description"]?.startsWith("Deprecated") && { deprecated: true }),
    // Unknown fields of a request are ignored, and an answer may get new ones.
    ...(additionalProperties && { additionalProperties }),
    ...(minimum !== undefined && !isUnbounded(minimum) && { minimum }),
    ...(maximum !== undefined && !isUnbounded(maximum) && { maximum })
  })
}

/** A schema's own example, or one put together from what it always holds. */
export const exampleOf = ({ anyOf, enum: values, examples, items, properties, required = [], type }: Json): unknown => {
  if (examples) return examples[0]
  if (values) return values[0]
  if (type?.includes("null")) return null
  if (properties) return Object.fromEntries(required.map((key: string) => [key, exampleOf(properties[key])]))
  if (items) return [exampleOf(items)]
  return anyOf && exampleOf(anyOf[0])
}

/** Puts the schemas that have a title among `components`, by that name, and leaves references to them. */
export const name = (schema: Json, components: Json): Json => {
  const { examples: _, title, ...shape } = within(schema, (part) => name(part, components))
  if (title === undefined) return shape
  const known = (components[title] ??= shape)
  // Fails the build instead of documenting the wrong schema.
  if (JSON.stringify(known) !== JSON.stringify(shape)) throw new Error(`Two schemas are called ${title}`)
  return { $ref: `#/components/schemas/${title}` }
}
