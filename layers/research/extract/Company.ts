// layers/research/extract/Company.ts: which company a text is about.
import type { Block } from "#layers/research/extract/Blocks.ts"
import { hasMoney } from "#layers/research/extract/Prices.ts"
import type { Said } from "#layers/research/extract/Said.ts"
import { topicOf } from "#layers/research/extract/Topics.ts"

const generic =
  /^(?:(?:company|corporate|product|services?|sales|our|the) )*(?:brochure|profile|company|overview|about(?: us)?|home(?:page)?|welcome|introduction|fact ?sheet|one[- ]pager|presentation|contact|pricing|prices|products|services|solutions|customers|blog|news|start|index|readme|notes?|summary|faq|info|information|draft|version [\d.]+|\d{4}|price list|catalogue|catalog|capabilities|capability statement|media kit|untitled|document\d*|online shop|official (?:site|website)|for immediate release|press release|(?:employee |staff )?handbook|(?:operations )?manual|terms(?: and conditions)?(?: of (?:sale|service|use|business))?|table of contents|confidential|slide \d+)$/i

const legal =
  /\b(?:GmbH(?: & Co\.? KG)?|Ltd\.?|Limited|Inc\.?|LLC|LLP|PLC|plc|Corp\.?|Co\.|B\.V\.|BV|N\.V\.|S\.A\.|SA|SAS|SARL|S\.r\.l\.|Srl|S\.p\.A\.|AG|AB|ApS|A\/S|AS|Oy|KG|OHG|Sp\. z o\.o\.|sp\. z o\. ?o\.|s\.r\.o\.|Kft\.?|Pty Ltd|SE|S\.L\.)(?![\p{L}])/u

/** Without its legal form: as one says it. */
export const shortName = (company: string) => company.replace(legal, "").replace(/[\s,]+$/, "")

const bare = (text: string) =>
  text
    .replace(/\((?:[^()]*)\)/g, " ")
    .replace(/^(?:welcome to|about|this is|meet|introducing|hello from|why)\s+/i, "")
    .replace(/[’']s (?:brochure|profile|company profile|services|products)$/i, "")
    .replace(/\s+(?:company )?(?:brochure|profile|company profile|overview|fact ?sheet)$/i, "")
    .replace(/[\s,:;.!–—-]+$/u, "")
    .replace(/\s+/g, " ")
    .trim()

const isName = (text: string) =>
  text.length >= 2 &&
  text.length <= 60 &&
  /^[\p{Lu}\d]|^[a-z]+[A-Z\d.]/u.test(text) &&
  /\p{L}/u.test(text) &&
  text.split(" ").length <= 7 &&
  !generic.test(text) &&
  topicOf(text) === undefined &&
  !/[@?]|https?:/.test(text) &&
  !/^(?:We|Our|The best|Your|You|How|What|When|Where|Get|Make|Stop|If|It|This|That|They|There|Every|All|In|At|On|For|From|With|Since|Typical|Clients?|Customers?|Products?|No|Free|I|A|An|And|But|So|Page|Unlike|Dear)\b(?! \p{Lu})/u.test(
    text
  )

const slug = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll("&", "and")
    .replace(/[^a-z0-9]/g, "")

/** "Acme builds": a name, and what a company does. */
export const does =
  /^((?:\p{Lu}|\d|[a-z]+[A-Z])[\p{L}\p{N}&'’.-]*(?:\s+(?:\p{Lu}|&|\d|of|and|de|van|von|z o\.o\.)[\p{L}\p{N}&'’.-]*){0,5})\s*(?:\([^)]{0,200}\),?\s*)?(?:,[^,]{2,60},\s*)?(?:is|are|was|builds?|makes?|helps?|provides?|offers?|designs?|develops?|sells?|runs?|delivers?|supplies|manufactures?|produces?|repairs?|cleans?|gives?|turns?|writes?|manages?|bakes?|trains?|installs?|creates?|services|audits?|keeps?|checks?|lets?|has been)\s/u

/** As far as a text is searched for what its company is called. */
const mostSearched = 200_000

const isShouted = (name: string) => name.length > 4 && !/\p{Ll}/u.test(name)

/** A headline is a sentence; a name has capitals, but for the small words between them. */
const isTitle = (text: string) =>
  text
    .split(" ")
    .every((word) => /^(?:[^\p{Ll}]|[a-z]+[A-Z\d.]|(?:of|and|de|des|du|la|le|van|von|der|the)$)/u.test(word))

/** What speaks for a company: the forms that its name stands in, and the kinds of evidence, which add up. */
interface Candidate {
  readonly names: Map<string, number>
  readonly evidence: Map<string, number>
}

/** What a text may call its company, and how much speaks for that. */
interface Proposal {
  readonly raw: string
  readonly evidence: "heading" | "title" | "does" | "letterhead" | "copyright" | "formal"
  readonly weight: number
}

const isHeadline = ({ kind, text }: Block) =>
  kind === "paragraph" && text.length <= 80 && !/[.!?]$|: /.test(text) && !hasMoney(text)

/** In the headings, and in what stands at the very top. */
const inHeadings = (all: ReadonlyArray<Block>): ReadonlyArray<Proposal> => {
  const first = all.find((block) => block.kind === "heading")
  return all.slice(0, 400).flatMap((block, at) => {
    if (block.kind !== "heading" && (at > 2 || !isHeadline(block))) return []
    const weight = block === first ? 6 : at <= 2 || /^about\s/i.test(block.text) ? 5 : 0
    if (weight === 0) return []
    const parts = block.text.split(/\s[·-]\s|\s*[|–—]\s*/u)
    return parts
      .flatMap((each) => each.split(/:\s/))
      .map((each) => each.replace(/,\s.*/, ""))
      .filter(isTitle)
      .map((raw) => ({ raw, evidence: parts.length === 1 ? "heading" : "title", weight }))
  })
}

const ours =
  /\b(?:We are|We're|I am from|Here at|At|I run|[Ww]e run|(?:founder|owner|CEO|director) of|my company|our company,?) (\p{Lu}[\p{L}\p{N}&'’.-]*(?:\s+(?:\p{Lu}|&)[\p{L}\p{N}&'’.-]*){0,4})/u

/** Where somebody says what a company does, or which is his. */
const inSentences = (sentences: ReadonlyArray<Said>): ReadonlyArray<Proposal> =>
  sentences.slice(0, 40).flatMap(({ block, text }) => {
    if (block.topic === "cases" || block.topic === "competitors") return []
    const theirs = does.exec(text)?.[1]
    const own = ours.exec(text)?.[1]
    return [
      ...(theirs === undefined ? [] : [{ raw: theirs, evidence: "does", weight: 5 } as const]),
      ...(own === undefined ? [] : [{ raw: own, evidence: "does", weight: 4 } as const])
    ]
  })

const copyright =
  /(?:©|\(c\)|Copyright)\s*(?:©\s*)?(?:\d{4}(?:\s?[-–]\s?\d{4})?)?\s*(?:by\s+)?([\p{Lu}\d][\p{L}\p{N}&'’. -]{1,50}?)(?=[.,|\n·]|\s(?:All|–|—|-|·)|$)/gu

const formal = new RegExp(`((?:[\\p{Lu}\\d][\\p{L}\\p{N}&'’.-]{0,60}\\s+){1,5})(?:${legal.source})`, "gu")

/** Behind a mark of copyright, and before a legal form. */
const inMarks = (text: string): ReadonlyArray<Proposal> => [
  ...[...text.matchAll(copyright)].map(([, raw = ""]) => ({ raw, evidence: "copyright", weight: 5 }) as const),
  ...[...text.slice(0, mostSearched).matchAll(formal)].map(
    ([whole]) =>
      ({
        raw: whole.replace(/^.*\b(?:Contact|Contractor|Seller|Company|We|At)\b\W*/, ""),
        evidence: "formal",
        weight: 5
      }) as const
  )
]

/** What is proposed, by what all forms of a name have in common. */
const candidates = (proposals: ReadonlyArray<Proposal>): ReadonlyMap<string, Candidate> => {
  const found = new Map<string, Candidate>()
  for (const { evidence, raw, weight } of proposals) {
    const name = bare(raw)
    if (!isName(name) || found.size >= 200) continue
    const key = slug(shortName(name))
    const known: Candidate = found.get(key) ?? { names: new Map(), evidence: new Map() }
    known.names.set(name, (known.names.get(name) ?? 0) + weight)
    known.evidence.set(evidence, Math.max(known.evidence.get(evidence) ?? 0, weight))
    found.set(key, known)
  }
  return found
}

/** As it stands in a sentence rather than in capitals, if it ever does. */
const calm = (name: string, text: string) => {
  if (!isShouted(name)) return name
  const spoken = [...text.matchAll(new RegExp(RegExp.escape(name), "giu"))].map(([each]) => each)
  return spoken.find((each) => !isShouted(each) && isTitle(each)) ?? name
}

/** The company that a text is about, by whatever speaks most for a name; its site's host, if known, is one of those. */
export const companyIn = (
  all: ReadonlyArray<Block>,
  sentences: ReadonlyArray<Said>,
  text: string,
  host: string | undefined,
  letterhead: string | undefined
): string | undefined => {
  const proposals = [
    ...inHeadings(all),
    ...inSentences(sentences),
    ...(letterhead === undefined ? [] : [{ raw: letterhead, evidence: "letterhead", weight: 5 } as const]),
    ...inMarks(text)
  ]
  const start = text.slice(0, mostSearched)
  const domain = slug(host?.split(".").slice(0, -1).at(-1) ?? "")
  let best: { readonly name: string; readonly score: number } | undefined
  for (const [key, { evidence, names }] of candidates(proposals)) {
    // As it stands in a sentence rather than in capitals.
    const [name = ""] = [...names].reduce((a, b) => (isShouted(a[0]) || (b[1] > a[1] && !isShouted(b[0])) ? b : a))
    const [first = ""] = name.split(" ").map(slug)
    const within = key.length > 2 && (domain.includes(key) || key.includes(domain))
    const fits = domain.length > 2 && (within || (first.length > 4 && domain.startsWith(first)))
    const told = Math.min(4, start.split(shortName(name)).length - 1)
    const score = [...evidence.values()].reduce((a, b) => a + b, 0) + (fits ? 6 + (key === domain ? 1 : 0) : 0) + told
    // A heading alone may be anything's.
    if (evidence.size === 1 && evidence.has("heading") && !fits && told < 2) continue
    if (best === undefined || score > best.score) best = { name, score }
  }
  return best === undefined ? undefined : calm(best.name, start)
}
