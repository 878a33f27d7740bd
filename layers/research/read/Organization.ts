// layers/research/read/Organization.ts: the company behind a page, as it is told to machines in the words of schema.org.
import { Option, Predicate, Schema } from "effect"

const text = Schema.optionalKey(Schema.String)
const Organization = Schema.Struct({
  "@type": Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  name: Schema.String,
  telephone: text,
  email: text,
  description: text,
  address: Schema.optionalKey(
    Schema.Struct({ streetAddress: text, addressLocality: text, addressRegion: text, postalCode: text })
  )
})
const parsed = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const organization = Schema.decodeUnknownOption(Organization)

/** The first company that can be reached, in lines with labels. A person or a product has a name too. */
export const organizationIn = (json: string): string => {
  const nodes = [Option.getOrUndefined(parsed(json))]
    .flat()
    .flatMap((node) => (Predicate.hasProperty(node, "@graph") ? node["@graph"] : node))
  for (const node of nodes) {
    const found = Option.getOrUndefined(organization(node))
    if (found === undefined || /Person|Product|Event|Posting|Article/.test(String(found["@type"]))) continue
    const { address, description = "", email, name, telephone } = found
    if (address === undefined && email === undefined && telephone === undefined) continue
    const {
      addressLocality: city = "",
      addressRegion: region = "",
      postalCode: code = "",
      streetAddress: street = ""
    } = address ?? {}
    const lines = [
      ["Company", name],
      ["Phone", telephone],
      ["Email", email],
      ["Business description", /[.!]$/.test(description.trim()) ? description.replace(/\s+/g, " ").trim() : ""],
      [
        "Address",
        /^\d/.test(code) && region === "" ? `${street}, ${code} ${city}` : `${street}, ${city}, ${region} ${code}`
      ]
    ]
    return lines.flatMap(([label, value = ""]) => (/\p{L}|\d/u.test(value) ? [`${label}: ${value}\n\n`] : [])).join("")
  }
  return ""
}
