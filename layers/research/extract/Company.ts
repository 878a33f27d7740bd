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

/** Whatever a text may call its company, by what all forms of a name have in common. */
const candidates = (
  all: ReadonlyArray<Block>,
  sentences: ReadonlyArray<Said>,
  text: string,
  letterhead: string | undefined
): ReadonlyMap<string, Candidate> => {
  const found = new Map<string, Candidate>()
  const propose = (raw: string, evidence: string, weight: number) => {
    const name = bare(raw)
    if (!isName(name) || found.size >= 200) return
    const key = slug(shortName(name))
    const known: Candidate = found.get(key) ?? { names: new Map(), evidence: new Map() }
    known.names.set(name, (known.names.get(name) ?? 0) + weight)
    known.evidence.set(evidence, Math.max(known.evidence.get(evidence) ?? 0, weight))
    found.set(key, known)
  }
  const firstHeading = all.find((block) => block.kind === "heading")
  for (const [at, block] of all.slice(0, 400).entries()) {
    const isHeading = block.kind === "heading"
    if (
      !isHeading &&
      (at > 2 ||
        block.kind !== "paragraph" ||
        block.text.length > 80 ||
        /[.!?]$|: /.test(block.text) ||
        hasMoney(block.text))
    )
      continue
    const weight = block === firstHeading ? 6 : at <= 2 || /^about\s/i.test(block.text) ? 5 : 0
    if (weight === 0) continue
    const parts = block.text.split(/\s[·-]\s|\s*[|–—]\s*/u)
    for (const part of parts.flatMap((each) => each.split(/:\s/)).map((each) => each.replace(/,\s.*/, "")))
      if (isTitle(part)) propose(part, parts.length === 1 ? "heading" : "title", weight)
  }
  for (const { block, text } of sentences.slice(0, 40)) {
    if (block.topic === "cases" || block.topic === "competitors") continue
    const name = does.exec(text)?.[1]
    if (name !== undefined) propose(name, "does", 5)
    const ours =
      /\b(?:We are|We're|I am from|Here at|At|I run|[Ww]e run|(?:founder|owner|CEO|director) of|my company|our company,?) (\p{Lu}[\p{L}\p{N}&'’.-]*(?:\s+(?:\p{Lu}|&)[\p{L}\p{N}&'’.-]*){0,4})/u.exec(
        text
      )?.[1]
    if (ours !== undefined) propose(ours, "does", 4)
  }
  if (letterhead !== undefined) propose(letterhead, "letterhead", 5)
  for (const [, name = ""] of text.matchAll(
    /(?:©|\(c\)|Copyright)\s*(?:©\s*)?(?:\d{4}(?:\s?[-–]\s?\d{4})?)?\s*(?:by\s+)?([\p{Lu}\d][\p{L}\p{N}&'’. -]{1,50}?)(?=[.,|\n·]|\s(?:All|–|—|-|·)|$)/gu
  ))
    propose(name, "copyright", 5)
  const formal = new RegExp(`((?:[\\p{Lu}\\d][\\p{L}\\p{N}&'’.-]{0,60}\\s+){1,5})(?:${legal.source})`, "gu")
  for (const [whole] of text.slice(0, mostSearched).matchAll(formal))
    propose(whole.replace(/^.*\b(?:Contact|Contractor|Seller|Company|We|At)\b\W*/, ""), "formal", 5)
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
  const start = text.slice(0, mostSearched)
  const domain = slug(host?.split(".").slice(0, -1).at(-1) ?? "")
  let best: { readonly name: string; readonly score: number } | undefined
  for (const [key, { evidence, names }] of candidates(all, sentences, text, letterhead)) {
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
