// layers/research/read/Organization.ts: the company behind a page, from its data for machines in the words of schema.org.
import { Option, Predicate, Schema } from "effect"
import { shapeOf } from "#layers/text/Sentences.ts"
import { looksEnglish, sentences } from "#layers/text/Words.ts"

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

/** Of a company's name, and of one with a dash in it. */
const mostWords = { plain: 8, dashed: 5 }
const isTitle = (name: string) => name.split(" ").length > mostWords[/ [-–—|:] /.test(name) ? "dashed" : "plain"]

/** A sentence that asks, shouts, counts or wants to be called says nothing of what a company does. */
const advert =
  /[?!★☎|@#<€£$]|\d[\d ().-]{6,}\d|^(?:ask|book|call|compare|contact|discover|free|from|get|learn|let|request|schedule|send|tell|visit|welcome|your|our|two|three|four|five|\d+)\b|\b(?:call|case study|coming soon|excellence|passion|under construction|website)\b/iu

/** "Vantage Roofing installs flat roofs": a name may end in what looks like a verb, and these are verbs alone. */
const named =
  /^\p{Lu}[\p{L}'’-]*(?: (?:& )?\p{Lu}[\p{L}'’-]*)+ (?:arranges|brings|builds|creates|delivers|helps|installs|is|keeps|makes|manages|manufactures|offers|operates|produces|provides|sells|serves|speciali[sz]es|trains|treats) /u
/** Less is a slogan. */
const leastText = 36

/** The sentences of a page's description that say in English what its company does; none where the first does not. */
export const statementIn = (description: string): string => {
  const isStated = (sentence: string) =>
    /[^.…]\.$/.test(sentence) &&
    !advert.test(sentence) &&
    looksEnglish(sentence) &&
    (named.test(sentence) || shapeOf(sentence) === "sentence")
  const [first = "", ...more] = sentences(description.replace(/\s+/g, " ").trim())
  const text = [first, ...more.filter(isStated)].join(" ")
  return isStated(first) && text.length >= leastText ? text : ""
}

interface Company {
  /** Lines with labels: its name, how to reach it, where it is. */
  readonly lines: string
  readonly description: string
}

/** The first company in a page's data that can be reached. A person or a product has a name too. */
export const organizationIn = (json: string): Company | undefined => {
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
    const fields = [
      // "Acme - roofs, gutters and more in Leeds" is a title.
      ["Company", isTitle(name) ? "" : name],
      ["Phone", telephone],
      ["Email", email],
      [
        "Address",
        /^\d/.test(code) && region === "" ? `${street}, ${code} ${city}` : `${street}, ${city}, ${region} ${code}`
      ]
    ]
    const lines = fields.flatMap(([label, value = ""]) => (/\p{L}|\d/u.test(value) ? [`${label}: ${value}\n\n`] : []))
    return { lines: lines.join(""), description }
  }
  return undefined
}
