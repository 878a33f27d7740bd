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

const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const propertyText = (node: unknown, key: string): string => {
  const value = Predicate.hasProperty(node, key) ? node[key] : undefined
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : ""
}

/** Types of schema.org that have a name and are no company. */
const nonCompanyTypes =
  /Person|Product|Event|Posting|Article|WebSite|WebPage|Breadcrumb|List|Offer|\bService\b|Review|FAQ/

const jsonLdNodes = (json: string): ReadonlyArray<unknown> =>
  [Option.getOrUndefined(parseJson(json))]
    .flat()
    .flatMap((node): ReadonlyArray<unknown> =>
      Predicate.hasProperty(node, "@graph") ? [node["@graph"]].flat() : [node]
    )

/** Every company of one JSON-LD script that has a name; none where the script is not valid JSON. */
export const parseOrganizations = (json: string): ReadonlyArray<Organization> =>
  jsonLdNodes(json).flatMap((node) => {
    const name = propertyText(node, "name")
    const type = Predicate.hasProperty(node, "@type") ? String(node["@type"]) : ""
    if (name === "" || type === "" || nonCompanyTypes.test(type)) return []
    const address = Predicate.hasProperty(node, "address") ? node.address : undefined
    return [
      {
        name,
        telephone: propertyText(node, "telephone"),
        email: propertyText(node, "email").replace(/^mailto:/i, ""),
        url: propertyText(node, "url"),
        description: propertyText(node, "description"),
        street: propertyText(address, "streetAddress"),
        city: propertyText(address, "addressLocality"),
        region: propertyText(address, "addressRegion"),
        code: propertyText(address, "postalCode")
      }
    ]
  })
