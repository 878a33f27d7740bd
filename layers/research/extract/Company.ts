// layers/research/extract/Company.ts: whose text it is, and the sentence in which the company says what it does.
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { labelled } from "#layers/research/extract/Labels.ts"
import type { Said } from "#layers/research/extract/Said.ts"

interface Found {
  readonly value: string
  readonly block: Block
}

const legal =
  /(?:,? (?:GmbH(?: & Co\.? KG)?|Ltd\.?|Limited|Inc\.?|LLC|LLP|PLC|plc|Corp\.?|Co\.|B\.V\.|BV|N\.V\.|S\.A\.|SA|SAS|SARL|S\.r\.l\.|Srl|S\.p\.A\.|AG|AB|ApS|A\/S|AS|Oy|KG|OHG|e\.K\.|Sp\. z o\.o\.|sp\. z o\. ?o\.|s\.r\.o\.|Kft\.?|Pty Ltd|SE|S\.L\.))$/u

const slug = (text: string) =>
  text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[äöü]/g, (letter) => ({ ä: "ae", ö: "oe", ü: "ue" })[letter] ?? letter)
    .normalize("NFKD")
    .replaceAll("&", "and")
    .replace(/[^a-z0-9]/g, "")

/** Without umlauts spelled out, as other domains have it. */
const plainSlug = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll("&", "")
    .replace(/[^a-z0-9]/g, "")

const mostWords = 6
/** As far as a text is searched for its company. */
const mostBlocks = 400
const copyright =
  /(?:©|\(c\)|Copyright)\s*(?:©\s*)?(?:\d{4}(?:\s?[-–]\s?\d{4})?)?\s*(?:by\s+)?([\p{Lu}\d][\p{L}\p{N}&'’. -]{1,50}?)(?=[.,|\n·]|\s(?:All|–|—|-|·)|$)/u

const isName = (text: string) => /^\p{Lu}|^\d|^[a-z]+[A-Z]/u.test(text) && !/[,;:!?]\s/.test(text)
const isShouted = (name: string) => name.length > 4 && !/\p{Ll}/u.test(name)

/** Words that follow a name on a cover and are none of it. */
const cover =
  /^(?:Brochure|Company|Profile|Overview|Products?|Services|Price|Prices|Presentation|Catalogue|Catalog|Factsheet|About|Contact|Team|Support|Customers|Clients)$/i

/**
 * Names in a block that the domain spells: runs of words that are its label once blanks and hyphens are gone, with the
 * capitalised words that follow ("Veritas Water Testing" of veritaswater.example). A street is none.
 */
const ofDomain = (text: string, domain: ReadonlySet<string>): ReadonlyArray<string> => {
  const words = text.slice(0, 2000).split(/\s+/)
  const found: Array<string> = []
  const bared = (run: string) => run.replace(/^["“„(]+|(?:[’']s)?[.,;:!?)"”]*$/g, "")
  for (const [at] of words.entries())
    for (let count = 1; count <= mostWords; count++) {
      const run = bared(words.slice(at, at + count).join(" "))
      if (!isName(run) || /[@/]|\.\p{Ll}/u.test(run) || !(domain.has(slug(run)) || domain.has(plainSlug(run)))) continue
      if (/^\d+\p{L}?$/u.test(words[at - 1] ?? "")) continue
      let end = at + count
      const goesOn = () =>
        end - at < mostWords &&
        !/[.,;:!?)"”]$/.test(words[end - 1] ?? "") &&
        /^\p{Lu}[\p{L}-]*[.,;:!?)]?$/u.test(words[end] ?? "") &&
        !cover.test(bared(words[end] ?? ""))
      while (goesOn()) end++
      found.push(bared(words.slice(at, end).join(" ")))
    }
  return found
}

/** A name at the head of a text that the domain shortens: "Brightwater Dental Lab" of brightwaterlab.example. */
const shortened = (text: string, domain: ReadonlySet<string>): string | undefined => {
  const [name = ""] = text.split(/\s+[–—|·-]\s+|[:,]\s/)
  const words = name.replace(legal, "").split(/\s+/)
  const [first = ""] = words
  if (words.length < 2 || words.length > mostWords || !words.every((word) => /^[\p{Lu}&]|^(?:of|and|the)$/u.test(word)))
    return undefined
  const whole = plainSlug(name)
  const ends = words.slice(1).map((word) => plainSlug(first) + plainSlug(word))
  return [...domain].some(
    (label) => (label.length > plainSlug(first).length + 2 && whole.startsWith(label)) || ends.includes(label)
  )
    ? name
    : undefined
}

/** The form that stands there most often; the first of those that stand there as often. */
const commonest = (found: ReadonlyArray<Found>): Found | undefined => {
  const counts = Map.groupBy(found, ({ value }) => value)
  return [...counts.values()].toSorted((a, b) => b.length - a.length)[0]?.[0]
}

/** The title of a home page: "Home | Alder & Sons". */
const page = /^(?:Home|Homepage|Welcome|About(?: us)?|Start|Startseite|Accueil)\s*[|–—-]\s*([^|–—]+)$/u

/** As one says it. */
export const shortName = (company: string) => company.replace(legal, "").trim()

const verbs =
  "are (?:an? |the )|make|build|design|clean|install|repair|service|produce|provide|offer|supply|develop|manufacture|sell|run|audit|train|deliver|help|write|manage|bake|brew|grow|create|keep|check|test|plan|translate|print|process|recycle|rent|lease|source|ship|move|organi[sz]e|operate|advise|teach|roast|mill|forge|weld|paint|inspect|maintain|monitor|clear|collect|cater|cook|place|find|forward"
const first = new RegExp(`^(?:We|I) (?:(?:also|now|only) )?(?:${verbs})\\b`, "u")
/** Its state or its mood: not what it does. */
const noDeed =
  /^(?:is|are|was|has been) (?:proud|hiring|closed|certified|open|pleased|happy|excited|located|based|growing|committed|dedicated|here|now)\b/

/** "Kestrel Pumps builds ...": the company, then a verb. */
const does = (text: string, company: string): boolean => {
  const short = shortName(company)
  if (!text.startsWith(short)) return false
  const rest = text
    .slice(short.length)
    .replace(/^,? (?:GmbH|Ltd\.?|Limited|Inc\.?|LLC|AG|B\.V\.|AS|AB|SA|S\.A\.|SAS|SARL|Oy|KG)(?=\s)/u, "")
    .replace(/^\s*\([^)]{0,200}\),?/, "")
    .trim()
  return (
    /^(?:is|are|was|has|\p{Ll}+[^s\P{L}]s) \p{L}/u.test(rest) &&
    !noDeed.test(rest) &&
    !/^(?:customers|clients|users|products|buyers|owners|employees|teams|prices|reviews)\b|^\p{L}+s (?:are|is|have|were|can|will|love|say)\b/u.test(
      rest
    )
  )
}

/** A name that the company's own domain spells, that its copyright states, or that stands with its legal form in the imprint. */
export const companyIn = (all: ReadonlyArray<Block>, host: string | undefined): Found | undefined => {
  const own = all.slice(0, mostBlocks).filter((block) => !isOfOthers(block))
  const domain = new Set(
    (host ?? "")
      .split(".")
      .slice(0, -1)
      .map(plainSlug)
      .filter((label) => label.length > 2)
  )
  const spelled = own.flatMap((block) => ofDomain(block.text, domain).map((value) => ({ value, block })))
  const headed = own.slice(0, 3).flatMap((block) => {
    const value = shortened(block.text, domain)
    return value === undefined ? [] : [{ value, block }]
  })
  const calm = [...spelled, ...headed].filter(({ value }) => !isShouted(value))
  const best = commonest(calm) ?? commonest([...spelled, ...headed])
  if (best !== undefined) return best
  // The head of a text names the company where a sentence says what that name does.
  const subject = own.slice(0, 3).flatMap((block) => {
    const value = block.text.split(/\s+[–—|·-]\s+|:\s/)[0]?.trim() ?? ""
    const isShort = value.length <= 60 && isName(value) && value.split(" ").length <= mostWords
    return isShort && own.some(({ kind, text }) => kind === "paragraph" && does(text, value)) ? [{ value, block }] : []
  })
  if (subject[0] !== undefined) return subject[0]
  const titled = own.flatMap((block) => {
    const value = block.kind === "heading" ? page.exec(block.text)?.[1]?.trim() : undefined
    return value === undefined || !isName(value) || value.split(" ").length > mostWords ? [] : [{ value, block }]
  })
  if (titled[0] !== undefined) return titled[0]
  const stated = all.flatMap((block) => {
    const value = copyright.exec(block.text)?.[1]?.trim()
    return value === undefined || value.split(" ").length > mostWords ? [] : [{ value, block }]
  })
  if (new Set(stated.map(({ value }) => plainSlug(value))).size === 1) return stated[0]
  const imprint = own.filter(
    ({ kind, text, topic }) =>
      kind !== "heading" && topic === "contact" && text.length < 60 && legal.test(text) && isName(text)
  )
  const [first, ...others] = imprint
  return first === undefined || others.length > 0 ? undefined : { value: first.text, block: first }
}

/** How far into a text it introduces itself. */
const mostSentences = 40
const opening = 8

/** The sentence in which a company says what it does, with those that go on in the same paragraph. */
export const descriptionIn = (said: ReadonlyArray<Said>, company: string | undefined): Found | undefined => {
  const isOwn = ({ block, text }: Said) =>
    block.kind === "paragraph" &&
    (block.topic === undefined || block.topic === "about") &&
    text.length > 25 &&
    text.length < 400 &&
    /^[^"“„«]/.test(text) &&
    /[.!]$/.test(text) &&
    labelled(text) === undefined &&
    !/@|\+\d|\bcookies?\b/i.test(text.replace(/\([^)]{0,300}\)/g, ""))
  const start = said
    .slice(0, mostSentences)
    .find(
      (each) =>
        isOwn(each) &&
        ((company !== undefined && does(each.text, company)) ||
          (first.test(each.text) && (each.block.topic === "about" || each.at < opening)))
    )
  if (start === undefined) return undefined
  const from = said.indexOf(start)
  const more = said
    .slice(from + 1, from + 3)
    .filter((each) => each.at === start.at && isOwn(each) && /^(?:We|It|Our)\b/.test(each.text))
  const value = [start, ...more]
    .map(({ text }) => text.replace(/\s*\((?:https?:\/\/|www\.)[^)]*\)/g, "").trim())
    .join(" ")
  return { value, block: start.block }
}
