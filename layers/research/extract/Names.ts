// layers/research/extract/Names.ts: names of companies and people, and postal addresses. Only a name that the company's own
// domain spells is sure; all others are offered to a person to pick from.
import * as Pattern from "effect/RegExp"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { topicOf } from "#layers/research/extract/Topics.ts"

const forms =
  "GmbH(?: & Co\\.? KG)?|UG|Ltd\\.?|Limited|Inc\\.?|LLC|LLP|PLC|plc|Corp\\.?|Co\\.|B\\.V\\.|BV|bv|vzw|N\\.V\\.|S\\.A\\.|SA|SAS|SARL|S\\.r\\.l\\.|Srl|S\\.p\\.A\\.|AG|AB|ApS|A/S|AS|Oy|KG|OHG|e\\.K\\.|[Ss]p\\. z o\\. ?o\\.(?: [Ss]p\\. ?k\\.)?|s\\.r\\.o\\.|Kft\\.?|\\(?(?:Pty|Pvt\\.?|Private)\\)? (?:Ltd\\.?|Limited)|Sdn\\.? Bhd\\.?|SE|S\\.L\\."
const form = new RegExp(`,? (?:${forms})$`, "u")

/** Whether a name ends in its legal form. */
export const hasLegalForm = (name: string): boolean => form.test(name)

const capital = "[\\p{Lu}\\d][\\p{L}\\p{N}\\p{M}.&'’-]*"
const formed = new RegExp(
  `(?<![\\p{L}\\p{N}@./'’-])${capital}(?: (?:&|and|und|et|of|de|${capital})){0,7},? (?:${forms})(?![\\p{L}\\p{N}])`,
  "gu"
)

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "")

/** How a domain may spell a name: with or without "and", with umlauts or their two letters. */
const spellings = (name: string): ReadonlyArray<string> => {
  const twoLetters = name.replaceAll(/[äöü]/gi, (letter) => `${letter.normalize("NFKD")[0]}e`)
  return [name, twoLetters, name.replaceAll("&", "and"), name.replaceAll(/ (?:and|und|et) /g, "")].map(slug)
}

/** The part of a domain that its owner chose: "acme-tools" of "shop.acme-tools.co.uk". */
const labelOf = (host: string): string => slug(host.split(".").at(/\.(?:co|com|org)\.\w\w$/.test(host) ? -3 : -2) ?? "")

/** Whether a domain is made of words of a name, in their order and with the first and the last: "acmelab.com" and "Acme Dental Lab". */
const isMadeOf = (name: string, label: string): boolean => {
  const words = name.split(/[ -]/).map(slug)
  const left = words.reduce(
    (rest, word) => (word !== "" && rest.startsWith(word) ? rest.slice(word.length) : rest),
    label
  )
  return words.length < 6 && left === "" && label.startsWith(words[0] ?? " ") && label.endsWith(words.at(-1) ?? " ")
}

/** Whether a domain spells a name, with or without its legal form: "acme-tools.com" and "Acme Tools Ltd". */
export const isSpelled = (name: string, host: string): boolean => {
  const label = labelOf(host)
  const readings = [name, name.replace(form, ""), name.replace(/^(?:The|Die|Der|Das|Les?|La) /, "")]
  return (
    label.length > 2 &&
    /^[\p{Lu}\d]|\p{Lu}/u.test(name) &&
    readings.some((each) => spellings(each).includes(label) || isMadeOf(each, label))
  )
}

/** Longer lines are prose. */
const mostLine = 120

/** The parts of a line between bars, dashes and marks of copyright: "© 2026 Acme Ltd. All rights reserved". */
const partsOf = (text: string): ReadonlyArray<string> =>
  text.length > mostLine
    ? []
    : text
        .replace(
          /©|\(c\)|\bcopyright\b|all rights reserved.*|alle rechte.*|tous droits.*|\b(?:19|20)\d\d(?:\s?[-–]\s?(?:19|20)\d\d)?\b/gi,
          " | "
        )
        .split(/\s+[–—|·•-]\s+|[:,|•·]\s+|(?<=\p{Ll}{2})\.\s+/u)
        .map((part) => part.trim())
        .filter((part) => part !== "")

/** More domains stand in a directory, and each costs a search of the text. */
export const mostHosts = 12

interface Found {
  readonly value: string
  readonly block: Block
}

/** The names that stand alone in a block and that a domain spells as a whole. */
const spelledIn = (block: Block, host: string): ReadonlyArray<Found> =>
  partsOf(block.text)
    .map((value) => ({ value: value.replace(/(?<=\p{Ll})\.$/u, ""), block }))
    // "A C M E" is set apart for its looks, and "Acme ToolsAcme Tools" is a logo beside its text.
    .filter(
      ({ value }) =>
        isSpelled(value, host) && !/(?:^| )\p{L} \p{L}(?: |$)/u.test(value) && !/^(.{3,})\1$/.test(slug(value))
    )

/** The name with its legal form, if the text has it with exactly one: "Acme Tools GmbH" in the imprint. */
const withForm = (found: Found, own: ReadonlyArray<Block>): Found => {
  if (hasLegalForm(found.value)) return found
  const pattern = new RegExp(`(?<![\\p{L}\\d])${Pattern.escape(found.value)},? (?:${forms})(?![\\p{L}\\d])`, "gu")
  const behind = own.flatMap((block) => [...block.text.matchAll(pattern)].map(([value]) => ({ value, block })))
  // "Acme" at acme.com may be "Acme Tools LLC" where that stands alone, as in a footer.
  const longer = new RegExp(`^${Pattern.escape(found.value)}(?: \\p{Lu}[\\p{L}&]+){1,2},? (?:${forms})$`, "u")
  const whole = own.flatMap((block) =>
    partsOf(block.text).flatMap((value) => (longer.test(value) ? [{ value, block }] : []))
  )
  const formed = behind.length > 0 ? behind : whole
  const [first] = formed
  return first !== undefined && formed.every(({ value }) => value === first.value) ? first : found
}

/** The company's name where it stands alone on a line and its domain spells the whole of it, with its legal form if it has one. */
export const nameSpelledBy = (host: string, all: ReadonlyArray<Block>): Found | undefined => {
  const own = all.filter((block) => !isOfOthers(block))
  const found = own.flatMap((block) => spelledIn(block, host)).toSorted((a, b) => b.value.length - a.value.length)
  const [first] = found
  if (first === undefined) return undefined
  const hasSmall = ({ value }: Found) => /\p{Ll}/u.test(value)
  const [written] = found.filter(hasSmall)
  if (written !== undefined) return withForm(written, own)
  // "ACME TOOLS" over a text is "Acme Tools" in its sentences.
  const pattern = new RegExp(`(?<![\\p{L}\\d@.-])${Pattern.escape(first.value)}(?![\\p{L}\\d@-]|\\.\\p{Ll})`, "giu")
  const inText = own.flatMap((block) => [...block.text.matchAll(pattern)].map(([value]) => ({ value, block })))
  const inSentence = inText.find(({ value }) => /^\p{Lu}.*\p{Ll}/u.test(value))
  // Capitals above more capitals may be the first line of a longer name.
  const next = own[own.indexOf(first.block) + 1]?.text ?? ""
  if (inSentence === undefined && next.length < 40 && /\p{Lu}{3}/u.test(next) && !/[\p{Ll}\d]/u.test(next))
    return undefined
  return withForm(inSentence ?? first, own)
}

/** How many blocks a text begins with: a title and what stands below it. */
const mostAtStart = 2

/** The company's name with its legal form in the title, where the domain spells the beginning of it: "Acme Tools Ltd" at "acme.com". */
const nameInTitle = (host: string, all: ReadonlyArray<Block>): Found | undefined =>
  all
    .slice(0, mostAtStart)
    .flatMap((block) => partsOf(block.text).map((value) => ({ value, block })))
    .find(
      ({ value }) =>
        labelOf(host).length > 4 &&
        hasLegalForm(value) &&
        /\p{Ll}/u.test(value) &&
        slug(value).startsWith(labelOf(host))
    )

/** The company's name as its domain spells it, on a line of its own or in the title of a text. */
export const nameAt = (host: string, all: ReadonlyArray<Block>): Found | undefined =>
  nameSpelledBy(host, all) ?? nameInTitle(host, all)
const signed = /©|\(c\)|\bcopyright\b/i

/** A title with a date names an event, and the company that it is held at. */
const dated = /\b\d{1,2}\.? ?(?:\p{L}{3,9}|\d{1,2}\.) ?(?:19|20)\d\d\b/u
/** As often as a footer at least. */
const leastRepeats = 2

/** The domain whose company a text begins or is signed with, where it is the only one of these and no footer names another. */
export const ownerAmong = (hosts: ReadonlyArray<string>, all: ReadonlyArray<Block>): string | undefined => {
  const signatures = all.filter(({ text }) => signed.test(text))
  const outer = [...all.slice(0, mostAtStart).filter(({ text }) => !dated.test(text)), ...signatures]
  const [owner, ...others] = hosts.filter((host) => outer.some((block) => spelledIn(block, host).length > 0))
  const isSigner = (host: string) =>
    signatures.filter(({ text }) => slug(text).includes(labelOf(host))).length >= leastRepeats
  return others.length > 0 || hosts.some((host) => host !== owner && isSigner(host)) ? undefined : owner
}

/** Whether a text has a domain's name from the beginning of a word on: the layout may have cut the beginning of an address. */
const isWrittenIn = (text: string, label: string): boolean =>
  [text, text.replaceAll("&", " and ")].some((spelling) => {
    const words = spelling.split(/[\s/-]+/).map(slug)
    return words.some((_, from) =>
      words
        .slice(from, from + label.length)
        .join("")
        .startsWith(label)
    )
  })

/** Whether lines name the company at a domain, in whichever of its words. */
export const namesCompany = (lines: ReadonlyArray<string>, host: string): boolean => {
  const label = labelOf(host)
  return (
    label.length > 3 &&
    lines.some(
      (line) =>
        isWrittenIn(line, label) ||
        [line.slice(0, mostLine), ...partsOf(line)].some((part) => isMadeOf(part.replace(form, ""), label))
    )
  )
}

/** Whether a sentence begins with the company's name as its domain spells it: "Acme Tools lends" at "acme.com". */
export const isAboutCompany = (sentence: string, host: string): boolean =>
  labelOf(host).length > 3 && /^\p{Lu}/u.test(sentence) && slug(sentence).startsWith(labelOf(host))

/** What may be the company's name: what a domain of the text spells, every name with a legal form, and the first line. */
export const companiesIn = (all: ReadonlyArray<Block>, hosts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([
    ...hosts.slice(0, mostHosts).flatMap((host) => nameSpelledBy(host, all)?.value ?? []),
    ...all.flatMap(({ text }) => [...text.slice(0, 500).matchAll(formed)].map(([name]) => name)),
    ...all
      .slice(0, 1)
      .flatMap(({ text }) => partsOf(text).slice(0, 1))
      .filter((part) => topicOf(part) === undefined && part.split(" ").length < 7)
  ])
]

const personName =
  "(?:(?:Dr|Prof)\\.?\\s+)?\\p{Lu}[\\p{L}\\p{M}’'-]+(?:\\s+(?:van|de|der|den|von|la|le|di|da|del|dos|bin|al))?(?:\\s+\\p{Lu}\\.)?\\s+\\p{Lu}[\\p{L}\\p{M}’'-]+(?:\\s+\\p{Lu}[\\p{L}\\p{M}’'-]+)?"
const wholePerson = new RegExp(`^${personName}$`, "u")
const notPerson =
  /(?<!\p{L})(?:StB(?:in)?|RAin|WPin?|Dipl|Street|Road|Avenue|Ltd|GmbH|Inc|LLC|Limited|Group|Solutions|Services?|Systems|Consulting|Studio|Agency|Team|Office|Park|House|Contact|Phone|Email|Address|Sales|Marketing|Management|Director|Manager|Head|Desk|Department|\p{L}*leitung|\p{L}*abteilung|Einkauf|Vertrieb|Verwaltung|Direction|Service|Achats|Accueil|Secrétariat|Reception|Support|Finance|Operations|Purchasing|Staff|People)(?!\p{L})/iu

/** Whether a text is a person's name and nothing else. */
export const isPerson = (text: string): boolean => wholePerson.test(text) && !notPerson.test(text)

const job =
  /(?<!\p{L})(?:director|manager|founder|co-founder|owner|ceo|cto|coo|cfo|cmo|head|vp|president|partner|officer|principal|consultant|advisor|engineer|executive|geschäftsführer(?:in)?|\p{L}*leiter(?:in)?|inhaber(?:in)?|gérante?|directeur|directrice|responsable|coordinator|architect|chief|producer)(?!\p{L})/iu
/** Whether a text names a job. */
export const isJob = (text: string): boolean => job.test(text)

const withJob = new RegExp(
  `(?<![\\p{L}\\p{N}])(${personName})(?:,\\s*|\\s\\(|\\s[–—|·-]\\s)((?:\\p{L}[\\p{L}/&'’-]*\\s?){1,6})`,
  "gu"
)
const asked = new RegExp(
  `\\b(?:[Cc]ontact|[Aa]sk for|[Tt]alk to|[Cc]all|[Ww]rite to|[Rr]ing|[Aa]nsprechpartner(?:in)?|[Ii]nterlocut(?:eur|rice))\\s*:?\\s+(${personName})`,
  "gu"
)

/** People who are named with a job title, or whom the text asks to talk to; the title may be empty. */
export const peopleIn = (text: string): ReadonlyArray<{ readonly name: string; readonly title: string }> => [
  ...[...text.matchAll(withJob)]
    .map(([, name = "", title = ""]) => ({ name, title: title.trim() }))
    .filter(({ name, title }) => isPerson(name) && job.test(title)),
  ...[...text.matchAll(asked)].map(([, name = ""]) => ({ name, title: "" })).filter(({ name }) => isPerson(name))
]

const town =
  "(?<town>(?!\\S+ (?:Street|St|Road|Rd|Lane|Avenue|Ave|Drive|Blvd|Boulevard|Way|Court|Highway|Parkway)\\b)\\p{Lu}[\\p{L}’'-]+(?: \\p{Lu}[\\p{L}’'-]+)?)"
/** A town with its postal code, in the order and forms of the countries that have one. */
const posts = [
  `${town},? (?:[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}|[A-Z]\\d[\\dW] [A-Z\\d]{4})(?![\\p{L}\\d])`,
  `${town},? (?:[A-Z]{2} (?:\\d{5}|[A-Z]\\d[A-Z] ?\\d[A-Z]\\d)|(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT) \\d{4})(?!\\d)`,
  `(?<![\\p{L}\\d])(?:[A-Z]{1,2}-)?(?:\\d{2}-\\d{3}|\\d{3} \\d{2}|\\d{4} ?[A-Z]{2}|\\d{4,5}) ${town}`
].map((pattern) => new RegExp(pattern, "u"))
const isPost = (text: string) => posts.some((post) => post.test(text))
const mostAddress = 140

/** The towns that stand beside a postal code. */
export const townsIn = (text: string): ReadonlyArray<string> =>
  posts.flatMap((post) => post.exec(text)?.groups?.["town"] ?? [])

/** What may be an address: a line with a postal code, and up to three short ones above it until one has a number. */
export const addressesIn = (all: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const lines = all.filter(({ kind }) => kind !== "heading").flatMap(({ text }) => text.split(/\s+[|]\s+/))
  return lines.flatMap((line, at) => {
    if (!isPost(line) || line.length > mostAddress) return []
    const isWhole = /\d/.test(posts.reduce((rest, post) => rest.replace(post, ""), line))
    const above = lines.slice(Math.max(0, at - 3), at)
    const from = above.findLastIndex((each) => each.length < 60 && /\d/.test(each))
    const text = isWhole || from === -1 ? line : [...above.slice(from), line].join(", ")
    const [part = ""] = text.split(/\s+[·•–—]\s+(?=\S+@|www\.|\+\d|0\d+[ (/-]\d|Tel|Fon|Phone)/)
    return /\d/.test(part) ? [part] : []
  })
}
