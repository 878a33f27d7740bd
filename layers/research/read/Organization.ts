// layers/research/read/Organization.ts: the companies that a page's structured data (schema.org, JSON-LD) describes.
import { Option, Predicate, Schema } from "effect"

/** A company as structured data describes it; each text is trimmed, and empty where the data has none. */
export interface Organization {
  readonly name: string
  readonly telephone: string
  readonly email: string
  readonly url: string
  readonly description: string
  readonly street: string
  readonly city: string
  readonly region: string
  readonly code: string
}

const parsed = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const textOf = (node: unknown, key: string): string => {
  const value = Predicate.hasProperty(node, key) ? node[key] : undefined
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : ""
}

/** Types of schema.org that have a name and are no company. */
const otherTypes = /Person|Product|Event|Posting|Article|WebSite|WebPage|Breadcrumb|List|Offer|Service$|Review|FAQ/

const nodesOf = (json: string): ReadonlyArray<unknown> =>
  [Option.getOrUndefined(parsed(json))]
    .flat()
    .flatMap((node): ReadonlyArray<unknown> =>
      Predicate.hasProperty(node, "@graph") ? [node["@graph"]].flat() : [node]
    )

/** Every company of one JSON-LD script that has a name; none where the script is not valid JSON. */
export const organizationsIn = (json: string): ReadonlyArray<Organization> =>
  nodesOf(json).flatMap((node) => {
    const name = textOf(node, "name")
    const type = Predicate.hasProperty(node, "@type") ? String(node["@type"]) : ""
    if (name === "" || type === "" || otherTypes.test(type)) return []
    const address = Predicate.hasProperty(node, "address") ? node.address : undefined
    return [
      {
        name,
        telephone: textOf(node, "telephone"),
        email: textOf(node, "email").replace(/^mailto:/i, ""),
        url: textOf(node, "url"),
        description: textOf(node, "description"),
        street: textOf(address, "streetAddress"),
        city: textOf(address, "addressLocality"),
        region: textOf(address, "addressRegion"),
        code: textOf(address, "postalCode")
      }
    ]
  })
