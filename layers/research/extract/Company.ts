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
  "[\\p{Lu}\\d][\\p{L}\\p{N}\\p{M}'’-]*(?:(?<=\\b(?:Co|Inc|Ltd|Corp|Pvt|Pty|Sdn|Bhd))\\.|(?:\\.\\p{Lu})+\\.?)?"
const name = `(?:${word}|[a-z]+\\p{Lu}\\p{L}*)(?: (?:(?:&|and|of|the|et|und|de|la|z) |[dl]['’]|&)?(?:${word}|bv|vzw|o\\.o\\.)){0,${mostWords - 1}}`
/** "Liftek Spares (Midlands) Ltd" is one name. */
const names = new RegExp(`(?<![\\p{L}\\p{N}@./+'’-])${name}(?: \\(\\p{Lu}[\\p{L} ]{1,30}\\) ${name})?`, "gu")
const wholly = new RegExp(`^${name}$`, "u")
/** Words that stand before or after a name on a cover or in a sentence, and are none of it. */
const cover =
  /^(?:I|It|It['’]s|We|We['’]re|The|This|Our|About|Why|At|By|For|From|If|In|Since|To|When|With|Die|Der|Das|Warum|Über|Kontakt|Email|E-Mail|Phone|Telefon|Téléphone|Ask|Call|Contact|Dear|Welcome|Nous|Wir|Brochure|Company|Overview|Presentation|Profile|Catalogue|Catalog|Factsheet|Flyer|Prices|Profil|Copyright|Broschüre|Preisliste|Katalog|Plaquette|©|(?:19|20)\d\d)$/i
const isEdge = (word: string) => cover.test(word)

/** As templates name a company. */
const sample = /\b(?:Muster(?:mann|frau|firma)|Max Muster|(?:Your|My) Company)\b/i

const splitOf = ({ text }: Block): ReadonlyArray<string> =>
  text.length > 200 ? [] : text.split(/\s+[–—|·•-]\s+|[:,]\s+|(?<=\p{Ll}{2})\.\s+/u).map((part) => part.trim())

/** "Acme" of "© Copyright Acme 2026". */
const bareOf = (part: string): string =>
  Arr.reverse(Arr.dropWhile(Arr.reverse(Arr.dropWhile(part.split(" "), isEdge)), isEdge)).join(" ")

/** "Acme Ltd. Registered", "Acme S.L. CIF B-54": a legal form ends a name. */
export const afterForm = /(?<= (?:GmbH|UG|Ltd\.?|Limited|Inc\.?|LLC|S\.L\.|B\.V\.|e\.K\.)) (?!&|and |Co\b|KG\b|\().*$/u

/** The parts of a line that are a name and nothing else. */
const standingIn = (block: Block): ReadonlyArray<Found> =>
  splitOf(block)
    .map(bareOf)
    .filter((part) => wholly.test(part) && !sample.test(part) && topicOf(part) === undefined)
    .map((value) => ({ value, block }))

/** The names with a legal form that a block holds, in a line of its own or in a sentence. */
const formedIn = (block: Block): ReadonlyArray<Found> =>
  [...block.text.slice(0, mostSearched).matchAll(names)]
    .map(([run]) => Arr.dropWhile(run.replace(afterForm, "").split(" "), isEdge).join(" "))
    .filter((value) => legal.test(value) && shortName(value) !== "" && !sample.test(value))
    .map((value) => ({ value, block }))

/** A text names its company where it begins or where it is signed; further down stand its suppliers and clients. */
const mostAtStart = 4
const signed = /©|\(c\)|copyright|all rights reserved|alle rechte|tous droits/i
/** "Prepared for: Ms Prendergast, Ballinroe House Hotel" names the reader. */
const addressed =
  /^(?:prepared for|proposal (?:for|to)|for|to|attn|attention|client|customer|an|für|kunde|angebot (?:für|an)|pour|à l['’]attention(?: de)?|destinataire)\s?:/iu
const isOuter = (block: Block, all: ReadonlyArray<Block>) =>
  (signed.test(block.text) || all.slice(0, mostAtStart).includes(block)) && !addressed.test(block.text)

/** Whether a text begins or is signed with this company's name and, as a letter to a client would, with no other company's. */
export const headsAlone = (company: string, all: ReadonlyArray<Block>): boolean => {
  const outer = all.filter((block) => isOuter(block, all))
  const name = shortName(company).toLowerCase()
  const others = outer.flatMap(formedIn).filter(({ value }) => shortName(value).toLowerCase() !== name)
  return others.length === 0 && outer.some(({ text }) => text.toLowerCase().includes(name))
}

/**
 * Whether the domain spells the words with which a name begins, or the first and the last: "Greenthumb Tool Hire". Before
 * them may stand others that are no part of the name, unless a legal form makes it whole: "Solutions Acme".
 */
const isSpelled = (name: string, labels: ReadonlyArray<string>): boolean => {
  const parts = shortName(name).split(" ")
  const starts = legal.test(name) ? [...parts.keys()] : [0]
  const fits = (some: ReadonlyArray<string>) => spellings(some.join(" ")).some((each) => labels.includes(each))
  return (
    starts.some((from) => parts.some((_, end) => end >= from && fits(parts.slice(from, end + 1)))) ||
    // ... but not two people whose last names are the company's.
    (parts.length > 2 && !parts.includes("and") && fits([parts[0] ?? "", parts.at(-1) ?? ""]))
  )
}

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

/** What may be the company's name: what its domain spells, what heads the text, then every name with a legal form. */
export const companiesIn = (all: ReadonlyArray<Block>, host: string | undefined): ReadonlyArray<string> => {
  const some = all.slice(0, mostBlocks)
  const labels = labelsOf(host)
  const standing = some.flatMap(standingIn)
  const spelled = standing.filter(({ value }) => isSpelled(value, labels))
  return [
    ...spelled,
    ...standing.filter(({ block }) => block === some[0] || block === some[1]),
    ...some.flatMap(formedIn)
  ].map(({ value }) => value)
}

const isShouted = (value: string) => value.length > 4 && !/\p{Ll}/u.test(value)

/** The only name, whichever of them have more words; the longest of them, and of two forms the one in small letters. */
const onlyOf = (found: ReadonlyArray<Found>): Found | undefined => {
  const [longest] = found.toSorted(
    (a, b) =>
      shortName(b.value).length - shortName(a.value).length || Number(isShouted(a.value)) - Number(isShouted(b.value))
  )
  const isPart = ({ value }: Found) => longest?.value.toLowerCase().includes(shortName(value).toLowerCase())
  return found.every(isPart) ? longest : undefined
}

/** A name in capitals as the text writes it elsewhere. */
const inSmallLetters = (found: Found, own: ReadonlyArray<Block>): Found => {
  if (!isShouted(found.value)) return found
  const pattern = new RegExp(`(?<![\\p{L}\\d])${Pattern.escape(found.value)}(?![\\p{L}\\d])`, "giu")
  const written = own.flatMap((block) => [...block.text.matchAll(pattern)].map(([value]) => ({ value, block })))
  return written.find(({ value }) => /^\p{Lu}.*\p{Ll}/u.test(value)) ?? found
}

/**
 * The company's name where it stands whole: with its legal form, or alone where the text begins or is signed. The site's
 * domain spells it, or that of a document's only mailboxes; without one it stands at both ends of the text.
 */
export const companyIn = (
  all: ReadonlyArray<Block>,
  home: string | undefined,
  host: string | undefined,
  people: ReadonlySet<string>
): Found | undefined => {
  const own = all.slice(0, mostBlocks).filter((block) => !isOfOthers(block) && block.columns.length === 0)
  const isSigned = ({ block }: Found) => signed.test(block.text)
  const labels = labelsOf(host)
  const isOurs = ({ value }: Found) => !people.has(value) && isSpelled(value, labels)
  const formed = own.flatMap(formedIn).filter(isOurs)
  const whole = onlyOf(formed) ?? onlyOf(formed.filter(isSigned))
  if (whole !== undefined) return inSmallLetters(whole, own)
  const everywhere = own.flatMap(standingIn)
  const standing = everywhere.filter(({ block }) => isOuter(block, own))
  const ends = standing.filter(isSigned)
  const agrees = ({ value }: Found) =>
    ends.length === 0 || ends.some((end) => onlyOf([end, { ...end, value }]) !== undefined)
  const counts = Map.groupBy(
    standing.filter((each) => isOurs(each) && agrees(each)),
    ({ value }) => value.toLowerCase()
  )
  // "Acme Roofing Leeds - Acme Roofing" is a title and the name.
  const [[alone] = []] = [...counts.values()].toSorted(
    (a, b) => b.length - a.length || (a[0]?.value.length ?? 0) - (b[0]?.value.length ?? 0)
  )
  // "Acme | Roofs in Leeds" above, and "© 2026 Acme" below.
  const atBothEnds = standing.find(
    ({ block, value }) =>
      block === own[0] && isKin(value, host) && ends.some((end) => end.value.toLowerCase() === value.toLowerCase())
  )
  const alike = everywhere.filter(
    (each) =>
      legal.test(each.value) &&
      isKin(each.value, host) &&
      // "Superior Die, Tool & Machine Co." is longer.
      !each.block.text.includes(`, ${each.value}`) &&
      (home !== undefined || isOuter(each.block, own))
  )
  const found = alone ?? atBothEnds ?? onlyOf(alike)
  return found === undefined ? undefined : inSmallLetters(found, own)
}
