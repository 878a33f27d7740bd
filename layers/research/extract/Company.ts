// layers/research/extract/Company.ts: the company's name.
import { Array as Arr } from "effect"
import * as Pattern from "effect/RegExp"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { topicOf } from "#layers/research/extract/Topics.ts"

interface Found {
  readonly value: string
  readonly block: Block
}

const legal =
  /(?:,? (?:GmbH(?: & Co\.? KG)?|Ltd\.?|Limited|Inc\.?|LLC|LLP|PLC|plc|Corp\.?|Co\.|B\.V\.|BV|bv|vzw|N\.V\.|S\.A\.|SA|SAS|SARL|S\.r\.l\.|Srl|S\.p\.A\.|AG|AB|ApS|A\/S|AS|Oy|KG|OHG|e\.K\.|Sp\. z o\.o\.|sp\. z o\. ?o\.|s\.r\.o\.|Kft\.?|(?:Pty|Pvt\.?|Private) (?:Ltd\.?|Limited)|Sdn\.? Bhd\.?|SE|S\.L\.))$/u

/** The name without its legal form. */
export const shortName = (company: string) => company.replace(legal, "").trim()

const plainSlug = (text: string) =>
  text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "")

/** How a domain may spell a name: with or without "and", with umlauts or their two letters. */
const spellings = (name: string): ReadonlyArray<string> => {
  const twoLetters = (text: string) => text.replaceAll(/[äöü]/gi, (letter) => `${letter.normalize("NFKD")[0]}e`)
  return [name, twoLetters(name), name.replaceAll("&", "and")].map(plainSlug)
}

/** A line that says who made or hosts the site. */
export const ofMakers =
  /(?<!\p{L})(?:(?:website|site|theme|designed|developed|built|powered|made) by|site réalisé|création (?:de )?sites?|réalis(?:é|ation)|héberg\p{L}+|hosted|hosting|web ?design|umsetzung|realisierung)(?!\p{L})/iu

const mostWords = 8
/** How many blocks are searched for the company's name, and how much of each. */
const mostBlocks = 400
const mostSearched = 500
const word =
  "[\\p{Lu}\\d][\\p{L}\\p{N}\\p{M}'’-]*(?:(?<=\\b(?:Co|Inc|Ltd|Corp|Pvt|Pty|Sdn|Bhd))\\.|(?:\\.\\p{Lu})+\\.)?"
const name = `(?:${word}|[a-z]+\\p{Lu}\\p{L}*)(?: (?:(?:&|and|of|the|et|und|de|la|z) |[dl]['’]|&)?(?:${word}|bv|vzw|o\\.o\\.)){0,${mostWords - 1}}`
const names = new RegExp(`(?<![\\p{L}\\p{N}@./+'’-])${name}`, "gu")
const wholly = new RegExp(`^${name}$`, "u")
/** Words that stand before or after a name on a cover or in a sentence, and are none of it. */
const cover =
  /^(?:We['’]re|Die|Der|Das|About|ABOUT|Why|Warum|Über|Contact|Kontakt|Email|E-Mail|Phone|Telefon|Téléphone|Ask|Call|Dear|Welcome|The|At|We|Nous|Wir|It|This|Our|I|If|When|For|From|With|Since|Brochure|Company|Overview|Presentation|Profile|Catalogue|Catalog|Factsheet|Flyer|Prices|Profil|Copyright|Broschüre|Preisliste|Katalog|Plaquette)$/

/** As templates name a company. */
const sample = /\b(?:Muster(?:mann|frau|firma)|Max Muster|(?:Your|My) Company)\b/i

/** "© 2026 Acme" */
const isEdge = (word: string) => cover.test(word) || /^(?:©|(?:19|20)\d\d)$/.test(word)

const splitOf = ({ text }: Block): ReadonlyArray<string> =>
  text.length > 200 ? [] : text.split(/\s+[–—|·•-]\s+|[:,]\s+|(?<=\p{Ll}{2})\.\s+/u).map((part) => part.trim())

/** Parts of a line that may be a name by themselves. */
const partsOf = (block: Block): ReadonlyArray<string> =>
  splitOf(block).filter(
    (part) => wholly.test(part) && !cover.test(part) && !sample.test(part) && topicOf(part) === undefined
  )

/** A part of a line without the words of a cover around it: "Acme" of "© Copyright Acme 2026". */
const bareOf = (part: string): string =>
  Arr.reverse(Arr.dropWhile(Arr.reverse(Arr.dropWhile(part.split(" "), isEdge)), isEdge)).join(" ")

/** "Acme Ltd. Registered", "Acme S.L. CIF B-54": a legal form ends a name. */
export const afterForm = /(?<= (?:GmbH|UG|Ltd\.?|Limited|Inc\.?|LLC|S\.L\.|B\.V\.|e\.K\.)) (?!&|and |Co\b|KG\b|\().*$/u

/** A text names its company where it begins or where it is signed; further down a word alone may be what is sold. */
const mostAtStart = 4
const signed = /©|\(c\)|copyright|all rights reserved|alle rechte|tous droits/i

interface Spelled {
  readonly value: string
  /** The words alone that the domain spells. */
  readonly least: string
}

/** In a run of capitalised words, what the domain spells: the whole run, and from there to its end. */
const spelledIn = (text: string, labels: ReadonlyArray<string>): ReadonlyArray<Spelled> => {
  const parts = Arr.dropWhile(text.replace(afterForm, "").split(" "), isEdge)
  const run = parts.join(" ")
  const isSpelled = (words: ReadonlyArray<string>) =>
    // "Greenthumb Tool Hire" at greenthumbhire.example, but not two people whose last names are the company's.
    [words, words.length > 2 && !words.includes("and") ? [words[0], words.at(-1)] : words].some((some) =>
      spellings(shortName(some.join(" "))).some((each) => labels.includes(each))
    )
  for (const [from] of parts.entries())
    for (let end = from + 1; end <= parts.length; end++)
      if (isSpelled(parts.slice(from, end))) {
        // "3 Magpie Lane" is an address.
        const isAddress = /^\d/.test(run) && !labels.some((label) => /^\d/.test(label))
        const whole = isAddress || isEdge(parts.at(-1) ?? "") ? [] : [run]
        const rest = parts.slice(from, isEdge(parts.at(-1) ?? "") ? end : undefined).join(" ")
        const least = parts.slice(from, end).join(" ")
        return [...new Set([...whole, rest])].map((value) => ({ value, least }))
      }
  return []
}

const isShouted = (value: string) => value.length > 4 && !/\p{Ll}/u.test(value)

/** Whether a domain is that of a company of this name. */
export const isOfHost = (company: string, host: string): boolean =>
  spellings(shortName(company)).some((name) =>
    host
      .split(".")
      .some(
        (label) =>
          plainSlug(label).length > 2 && (name.startsWith(plainSlug(label)) || plainSlug(label).startsWith(name))
      )
  )

const labelsOf = (host: string | undefined): ReadonlyArray<string> =>
  (host ?? "")
    .split(".")
    .slice(0, -1)
    .map(plainSlug)
    .filter((label) => label.length > 2)

/** Whether a name can be that of the company at a domain, which often spells no more than a word of it. */
export const isKin = (company: string, host: string | undefined): boolean => {
  const labels = labelsOf(host)
  return (
    labels.length === 0 ||
    company
      .split(" ")
      .flatMap(spellings)
      .some((word) => word.length > 3 && labels.some((label) => label.includes(word)))
  )
}

/** "Liftek Spares" of "Liftek Spares (Midlands) Ltd" is a part of the name. */
const withBrackets = (own: ReadonlyArray<Block>, found: Found): Found => {
  const pattern = new RegExp(
    `(?<![\\p{L}\\d])${Pattern.escape(found.value)} \\(\\p{Lu}[\\p{L} ]{1,30}\\) [^\\s,;]+`,
    "u"
  )
  const whole = own.map((block) => ({ block, value: pattern.exec(block.text)?.[0] ?? "" }))
  return whole.find(({ value }) => legal.test(value)) ?? found
}

/**
 * The form that occurs most often, if it is whole: with its legal form, or alone in a part of a line where the text begins
 * or is signed. Any other words that stand side by side may be a part of a name, a product, or a person.
 */
const commonest = (
  found: ReadonlyArray<Found & Spelled>,
  all: ReadonlyArray<Found>,
  own: ReadonlyArray<Block>
): Found | undefined => {
  const counts = Map.groupBy(found, ({ value }) => value)
  const [[first] = []] = [...counts.values()].toSorted((a, b) => b.length - a.length)
  if (first === undefined) return undefined
  const { block, least, value } = first
  const isLike = (name: string) => (each: string) => each.toLowerCase() === name.toLowerCase()
  const times = (name: string) => all.map((each) => each.value).filter(isLike(name)).length
  const isAlone = (name: string) =>
    own.some((each, at) => (at < mostAtStart || signed.test(each.text)) && splitOf(each).map(bareOf).some(isLike(name)))
  if (legal.test(value)) return { block, value }
  // "Acme Roofing Leeds - Acme Roofing" is a title and the name.
  const isLonger = value.startsWith(least) && times(value) > times(least)
  if (isLonger && isAlone(value)) return { block, value }
  const whole = withBrackets(own, { block, value: least })
  return isAlone(least) || legal.test(whole.value) ? whole : undefined
}

/** Every run of capitalised words in which the domain spells a name. */
const spelledAmong = (own: ReadonlyArray<Block>, host: string | undefined): ReadonlyArray<Found & Spelled> => {
  const labels = labelsOf(host)
  return own.flatMap((block) =>
    [...block.text.slice(0, mostSearched).matchAll(names)]
      .flatMap(([run]) => (sample.test(run) ? [] : spelledIn(run, labels)))
      .map((each) => ({ ...each, block }))
  )
}

/** What may be the company's name: what its domain spells, what heads the text, then every name with a legal form. */
export const companiesIn = (all: ReadonlyArray<Block>, host: string | undefined): ReadonlyArray<string> => {
  const some = all.slice(0, mostBlocks)
  const formed = some.flatMap(({ text }) => [...text.slice(0, mostSearched).matchAll(names)].map(([run]) => run))
  const [spelled] = spelledAmong(some, host)
  return [
    ...(spelled === undefined ? [] : [spelled.value, spelled.least]),
    ...some.slice(0, 2).flatMap(partsOf),
    ...formed.filter((each) => legal.test(each))
  ]
}

/** A name that the company's own domain spells, or the only one with a legal form. */
export const companyIn = (all: ReadonlyArray<Block>, host: string | undefined, person?: string): Found | undefined => {
  const own = all.slice(0, mostBlocks).filter((block) => !isOfOthers(block) && block.columns.length === 0)
  const spelled = spelledAmong(own, host).filter(({ value }) => value !== person)
  const forms = spelled.filter(({ value }) => legal.test(value))
  // Of a parent and its subsidiaries the one that signs.
  const whole = forms.filter(({ value }) => !forms.some((other) => other.value.endsWith(` ${value}`)))
  const formed =
    new Set(whole.map(({ value }) => shortName(value).toLowerCase())).size === 1
      ? forms
      : forms.filter(({ block }) => signed.test(block.text))
  const best = [formed, spelled.filter(({ value }) => !isShouted(value)), spelled]
    .map((some) => commonest(some, spelled, own))
    .find((each) => each !== undefined)
  if (best !== undefined) return best
  const lines = own.flatMap((block) => partsOf(block).map((value) => ({ value, block })))
  // "Acme | Roofs in Leeds" above, and "© 2026 Acme" below.
  const signatures = new Set(own.filter(({ text }) => signed.test(text)).flatMap((block) => splitOf(block).map(bareOf)))
  const head = lines.find(({ block, value }) => block === own[0] && signatures.has(value))
  if (head !== undefined) return head
  // A letterhead or an imprint: the only line that ends in a legal form. "Superior Die, Tool & Machine Co." is longer.
  const imprint = lines.filter(
    ({ block, value }) => legal.test(value) && !block.text.includes(`, ${value}`) && isKin(value, host)
  )
  return new Set(imprint.map(({ value }) => value.toLowerCase())).size === 1 ? imprint[0] : undefined
}
