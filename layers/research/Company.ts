// layers/research/Company.ts: which company this is, and what it says it does.
import type { Block, Said } from "#layers/research/Blocks.ts"
import { labelled, topicOf } from "#layers/research/Topics.ts"

const generic =
  /^(?:(?:company|corporate|product|services?|sales|our|the) )*(?:brochure|profile|company|overview|about(?: us)?|home(?:page)?|welcome|introduction|fact ?sheet|one[- ]pager|presentation|contact|pricing|prices|products|services|solutions|customers|blog|news|start|index|readme|notes?|summary|faq|info|information|draft|version [\d.]+|\d{4}|price list|catalogue|catalog|capabilities|capability statement|media kit|untitled|document\d*|online shop|official (?:site|website))$/i

const legal =
  /\b(?:GmbH(?: & Co\.? KG)?|Ltd\.?|Limited|Inc\.?|LLC|LLP|PLC|plc|Corp\.?|Co\.|B\.V\.|BV|N\.V\.|S\.A\.|SA|SAS|SARL|S\.r\.l\.|Srl|S\.p\.A\.|AG|AB|ApS|A\/S|AS|Oy|KG|OHG|Sp\. z o\.o\.|sp\. z o\. ?o\.|s\.r\.o\.|Kft\.?|Pty Ltd|SE|S\.L\.)(?![\p{L}])/u

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
  text.split(" ").length <= 7 &&
  !generic.test(text) &&
  topicOf(text) === undefined &&
  !/[@?]|https?:/.test(text) &&
  !/^(?:We|Our|The best|Your|You|How|What|When|Where|Get|Make|Stop|If|It|This|That|They|There|Every|All|In|At|On|For|From|With|Since|Typical|Clients?|Customers?|Products?|No|Free|I|A|An|And|But|So|Page)\b(?! \p{Lu})/u.test(
    text
  )

const slug = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "")

const does =
  /^((?:\p{Lu}|\d|[a-z]+[A-Z])[\p{L}\p{N}&'’.-]*(?:\s+(?:\p{Lu}|&|\d|of|and|de|van|von|z o\.o\.)[\p{L}\p{N}&'’.-]*){0,5})\s*(?:\([^)]{0,200}\),?\s*)?(?:,[^,]{2,60},\s*)?(?:is|are|was|builds?|makes?|helps?|provides?|offers?|designs?|develops?|sells?|runs?|delivers?|supplies|manufactures?|produces?|repairs?|cleans?|gives?|turns?|writes?|manages?|bakes?|trains?|installs?|creates?|services|audits?|keeps?|checks?|lets?|has been)\s/u

export const companyIn = (
  all: ReadonlyArray<Block>,
  sentences: ReadonlyArray<Said>,
  text: string,
  host: string | undefined
): string | undefined => {
  const scores = new Map<string, number>()
  const domain = slug(host?.split(".").slice(0, -1).at(-1) ?? "")
  const propose = (raw: string, weight: number) => {
    const name = bare(raw)
    if (!isName(name)) return
    scores.set(name, Math.max(scores.get(name) ?? 0, weight))
  }
  const firstHeading = all.find((block) => block.kind === "heading")
  for (const [at, block] of all.slice(0, 400).entries()) {
    if (block.kind !== "heading" && at > 2) continue
    if (block.kind !== "heading" && (block.text.length > 80 || /[.!?]$/.test(block.text))) continue
    const weight = block === firstHeading ? 6 : at <= 2 ? 5 : /^about\s/i.test(block.text) ? 5 : 0
    if (weight > 0) for (const part of block.text.split(/\s[–—|·:-]\s|\s*[|–—]\s*|:\s/u)) propose(part, weight)
  }
  for (const { block, text } of sentences.slice(0, 40)) {
    if (block.topic === "cases" || block.topic === "competitors") continue
    const name = does.exec(text)?.[1]
    if (name !== undefined) propose(name, 5)
    const ours =
      /\b(?:We are|We're|I am from|Here at|At|my company|our company,?) (\p{Lu}[\p{L}\p{N}&'’.-]*(?:\s+(?:\p{Lu}|&)[\p{L}\p{N}&'’.-]*){0,4})/u.exec(
        text
      )?.[1]
    if (ours !== undefined) propose(ours, 4)
  }
  for (const [, name = ""] of text.matchAll(
    /(?:©|\(c\)|Copyright)\s*(?:©\s*)?(?:\d{4}(?:\s?[-–]\s?\d{4})?)?\s*(?:by\s+)?([\p{Lu}\d][\p{L}\p{N}&'’. -]{1,50}?)(?=[.,|\n]|\s(?:All|–|—|-)|$)/gu
  ))
    propose(name, 5)
  const formal = new RegExp(`((?:[\\p{Lu}\\d][\\p{L}\\p{N}&'’.-]*\\s+){1,5})(?:${legal.source})`, "gu")
  for (const match of text.slice(0, 200_000).matchAll(formal)) propose(match[0], 4)

  let best: { readonly name: string; readonly score: number } | undefined
  for (const [name, weight] of [...scores].slice(0, 200)) {
    const key = slug(name.replace(legal, ""))
    const fits =
      domain.length > 2 && (key === domain || (key.length > 2 && (domain.includes(key) || key.includes(domain))))
    const said = Math.min(4, text.slice(0, 200_000).split(name).length - 1)
    const score = weight + (fits ? 6 + (key === domain ? 1 : 0) : 0) + said + (legal.test(name) ? 1 : 0)
    if (best === undefined || score > best.score) best = { name, score }
  }
  return best?.name
}

const kind =
  /\b(?:(?:is|are|as)\s+(?:an?|the)|is(?=\s(?:[\p{L}&-]+\s){1,3}software\b))\s+(?:(?:small|leading|independent|family[- ]\p{L}+|boutique|young|specialist|award-winning|full-service|\d+-(?:person|people|strong)|local|regional|modern|\p{Lu}[\p{L}]+-based)[, ]+)*((?:[\p{L}&-]+\s+){0,4}?(?:company|firm|studio|agency|manufacturer|maker|consultancy|practice|clinic|bakery|brewery|distributor|supplier|platform|software|provider|contractor|laboratory|lab|workshop|foundry|wholesaler|school|service|vendor|integrator|builder|broker))\b/iu

/** What trade it is in, where it says so outright. */
export const industryIn = (sentences: ReadonlyArray<Said>, company: string | undefined): string | undefined => {
  for (const { block, text } of sentences.slice(0, 60)) {
    if (block.topic === "cases" || block.topic === "competitors" || block.topic === "clients") continue
    if (!/^(?:We|I)\b/.test(text) && (company === undefined || !text.includes(company.replace(legal, "").trim())))
      continue
    const found = kind.exec(text)?.[1]?.trim()
    if (found === undefined || /^(?:company|firm|service|provider|platform|software|supplier|vendor)$/i.test(found))
      continue
    return found.slice(0, 1).toUpperCase() + found.slice(1)
  }
  return undefined
}

const acts =
  /^(?:We|Our (?:team|company|software|platform|product)|I)\s+(?!(?:sell to|serve|work (?:with|for)|guarantee|refund|are here|look forward|use cookies))[\p{L}']+/u

/** The first sentences in which the company says what it does. */
export const descriptionIn = (sentences: ReadonlyArray<Said>, company: string | undefined): string | undefined => {
  const own = sentences.filter(
    ({ block }) => block.kind === "paragraph" && (block.topic === undefined || block.topic === "about")
  )
  const speaks = ({ text }: Said) =>
    text.length > 25 &&
    text.length < 500 &&
    labelled(text) === undefined &&
    !/@|\bcookies?\b/i.test(text.replace(/\([^)]*\)/g, "")) &&
    ((company !== undefined && text.includes(company.replace(legal, "").trim()) && /\s[a-z]+s?\s/.test(text)) ||
      acts.test(text) ||
      does.test(text))
  const first = own.findIndex(speaks)
  if (first === -1) return undefined
  const start = own[first]
  const taken = own
    .slice(first, first + 3)
    .filter(
      (sentence, at) =>
        at === 0 ||
        (sentence.at === start?.at && labelled(sentence.text) === undefined && !/@|\+\d|https?:/.test(sentence.text))
    )
  return taken.map(({ text }) => text.replace(/\s*\((?:https?:\/\/|www\.)[^)]*\)/g, "").trim()).join(" ")
}
