// layers/text/PersonNames.ts: cleans names and job titles of persons for use in an email.
import {
  notNamePattern,
  instructionPattern,
  normalizeTypedName,
  placeholderPattern,
  unusableKind
} from "#layers/text/NamePatterns.ts"
import { wordSet } from "#layers/text/Words.ts"

const roleNames = wordSet(
  "n/a na nan null none nil undefined unknown test tester tbd todo name lorem anonymous private first last firstname lastname " +
    "info sales team support office admin administrator contact hello hr accounts accounting marketing billing service services " +
    "manager director owner ceo cfo coo cto founder president head the customer client user company department dept reception " +
    "help desk purchasing logistics finance operations hi dear sir madam whom it may concern all staff general enquiries " +
    "enquiry mailbox postmaster webmaster noreply no-reply everyone somebody nobody is are was and or not for with from this that"
)

const honorificWords =
  "mr|mrs|ms|mx|miss|dr|prof|professor|sir|dame|rev|reverend|pastor|father|rabbi|imam|coach|chef|hon|sgt|lt|cpt|cmdr|" +
  "herr|frau|dhr|mevr|mme|mlle|sra|ir|drs"
const dottedHonorifics =
  "lord|lady|ing|prim|dkfm|univ|dipl|dipl-ing|mag|hr|fr|m|sr|don|dña|eng|capt|col|maj|gen|med|dent|vet|habil|rer\\.? ?nat"
const honorificPrefix = new RegExp(`^(?:(?:${honorificWords}|${dottedHonorifics})\\.|(?:${honorificWords})) +`, "i")
const honorificOnly = new RegExp(`^(?:(?:${honorificWords}|${dottedHonorifics})\\.|(?:${honorificWords}))$`, "i")
const degreesSuffix =
  /[ ,]+(?:jr|sr|ii|iii|iv|ph\.?d|mba|msc|ma|ba|bsc|md|cpa|esq|acca|cfa|pmp|llm|dds|dmd|do|od|dvm|dnp|np|rn|pe|pa-c|shrm-cp|phr)\.?$/i

const namePart = /^[\p{Script=Latin}][\p{Script=Latin}\p{M}]*(?:['-][\p{Script=Latin}][\p{Script=Latin}\p{M}]*)*$/u
const familyFirstNames = wordSet("nguyễn nguyen trần tran lê phạm pham hoàng huỳnh võ đặng bùi")
const doubleName =
  /^(?:mar[ií]a|jos[eé]|juan|ana|luis|miguel|carlos|rosa|luz|jean|anne|marie) (?:jos[eé]|jes[uú]s|carlos|luis|antonio|manuel|[aá]ngel|carmen|pilar|isabel|teresa|dolores|luisa|bel[eé]n|fernanda|elena|pablo|mar[ií]a|alberto|claude|paul|pierre|marc|marie|claire|laure)$/i

/** "O'NEILL" → "O'Neill", "jean-pierre" → "Jean-Pierre"; mixed case ("DeShawn", "MacLeod") is kept. */
const capitalizeName = (word: string): string =>
  word === word.toUpperCase() || word === word.toLowerCase()
    ? word
        .toLowerCase()
        .replace(/(^|['-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    : word

/** Family names that are rarely first names, for names of one word. */
const familyNames = wordSet(
  "smith johnson williams jones brown garcia miller davis anderson moore thompson white clark robinson hill green adams " +
    "baker hall campbell roberts phillips evans turner edwards collins stewart murphy cook rogers peterson reed bell wood " +
    "watson patel khan hughes price myers foster sanders powell butler barnes fisher henderson coleman simmons patterson " +
    "jenkins hendricks hendrix huang wang zhang chen liu wu zhou xu zhu singh sharma gupta reddy nguyen tran pham hoang " +
    "lopez perez gomez müller mueller schmidt schneider fischer weber meyer wagner becker schulz koch bauer richter klein " +
    "neumann schröder dubois durand lefebvre moreau rossi russo ferrari esposito bianchi romano colombo ricci silva santos " +
    "oliveira souza pereira costa ferreira nowak kowalski janssen jansen bakker visser smit hale kimball"
)
const familyNameEnding =
  /(?:ssons?|(?:[nlr]|nd|rs|ks)sen|rguez|ndez|nchez|[ií]nez|[eé]nez|[uú]ñez|rrez|quez|[sck]ki|[sc]ka|sky|wicz|vich|ovi[cćč]|enko|chuk|oglu|opoulos|akis|berg|strom|ström|quist|worth|icks|escu)$|^o'./i
const givenNameExceptions = wordSet("inez nikki vicki ricki micki rikki arsen takis sakis")

const foldAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[^a-zA-Z]/g, "")
    .toLowerCase()

/** Whether a single name is a family name, which a greeting cannot use. The email address may show this. */
const isFamilyName = (word: string, email: string | undefined): boolean => {
  const plainWord = foldAccents(word)
  const local = email?.split("@")[0]?.toLowerCase().replace(/\d+$/, "") ?? ""
  const parts = local.split(/[._-]/)
  if (plainWord.length > 2 && parts.length > 1) {
    if (parts[0] === plainWord) return false
    if (parts.at(-1) === plainWord) return true
  }
  if (plainWord.length > 3 && local.length === plainWord.length + 1 && local.endsWith(plainWord)) return true
  const lower = word.toLowerCase()
  return familyNames.has(lower) || (familyNameEnding.test(lower) && !givenNameExceptions.has(lower))
}

const nameParticles = wordSet("de van der den von del della di da dos la le du ten ter zu af av bin ibn")

const capitalizedFamilyName = (words: ReadonlyArray<string>): string | undefined => {
  const parts = words.filter((word) => word.length > 1)
  const isSingleCase = parts.every((word) => word === word.toUpperCase() || word === word.toLowerCase())
  const text = parts
    .map((word) =>
      nameParticles.has(isSingleCase ? word.toLowerCase() : word) ? word.toLowerCase() : capitalizeName(word)
    )
    .join(" ")
  return text === "" ? undefined : text
}

export interface PersonName {
  /** The first name for a greeting; undefined if uncertain. */
  readonly first: string | undefined
  readonly last: string | undefined
  readonly full: string | undefined
}

const noName: PersonName = { first: undefined, last: undefined, full: undefined }

/** The words of a name without titles, degrees and brackets; undefined if the text is not a name. */
const nameWords = (name: string): { readonly words: ReadonlyArray<string>; readonly hasTitle: boolean } | undefined => {
  if (name.length > 80 || unusableKind(name) !== undefined) return undefined
  let text = normalizeTypedName(name)
  if (notNamePattern.test(text) || instructionPattern.test(text) || /[\d!?:]/.test(text)) return undefined
  text = text
    .replace(/\([^)]{0,300}\)|"[^"]*"|(?<= )'[^']{1,30}'(?= )/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  const hasTitle = honorificPrefix.test(text)
  while (honorificPrefix.test(text)) text = text.replace(honorificPrefix, "")
  while (degreesSuffix.test(text)) text = text.replace(degreesSuffix, "")
  const [, family = "", given = ""] = /^((?:\p{L}+ ){0,3}[^, ]+), ?([^,]+)$/u.exec(text) ?? []
  const isFamilyFirst = family
    .split(" ")
    .slice(0, -1)
    .every((word) => nameParticles.has(word.toLowerCase()))
  if (given !== "" && isFamilyFirst) text = `${given} ${family}`
  text = text.split(",")[0]?.trim() ?? ""
  if (honorificOnly.test(text)) return undefined
  const words = text.split(" ").map((item) => item.replace(/\.$/, ""))
  if (words.length > 5 || words.some((item) => !namePart.test(item) || item.length > 30)) return undefined
  return words.some((item) => roleNames.has(item.toLowerCase())) ? undefined : { words, hasTitle }
}

const canGreet = (first: string): boolean =>
  first.length >= 2 &&
  first.length <= 20 &&
  /[aeiouyáéíóúàèìòùäëïöüâêîôûæøåãõąęıışőűýěůơưăāēīōū]/i.test(first.normalize("NFD").replace(/\p{M}/gu, ""))

/** The spellings of a word in an email address: "ö" as "o" and as "oe". */
const addressSpellings = (word: string): ReadonlyArray<string> => [
  foldAccents(word),
  foldAccents(word.replace(/[äöüÄÖÜ]/g, "$&e").replaceAll("ß", "ss"))
]

/** "Schöllhammer Bernd" at bernd.schoellhammer@: the name has the family name first. */
const isReversed = ([first = "", second = "", ...otherWords]: ReadonlyArray<string>, email = ""): boolean => {
  const [firstPart = "", secondPart = "", ...otherParts] = (email.split("@")[0] ?? "").toLowerCase().split(/[._-]/)
  return (
    otherWords.length + otherParts.length === 0 &&
    addressSpellings(first).includes(secondPart) &&
    addressSpellings(second).includes(firstPart)
  )
}

/** Parses a person's name. The email address decides whether a single word is a first or a family name. */
export const personName = (name: string | null | undefined, email?: string): PersonName => {
  const nameParts = typeof name === "string" ? nameWords(name) : undefined
  if (nameParts === undefined) return noName
  const { hasTitle } = nameParts
  const words = isReversed(nameParts.words, email) ? nameParts.words.toReversed() : nameParts.words
  const [first = "", second = ""] = words
  // A single name after a title is a family name, which a greeting cannot use.
  if (words.length === 1 && (hasTitle || isFamilyName(first, email)))
    return { ...noName, last: capitalizedFamilyName(words) }
  if (familyFirstNames.has(first.toLowerCase()) && words.length > 1) {
    const givenName = capitalizeName(words.at(-1) ?? "")
    const last = capitalizedFamilyName(words.slice(0, 1))
    return { first: givenName, last, full: `${givenName} ${last ?? ""}`.trim() }
  }
  const hasDoubleName = words.length > 2 && doubleName.test(`${first} ${second}`)
  const last = capitalizedFamilyName(words.slice(hasDoubleName ? 2 : 1))
  if (!canGreet(first) || nameParticles.has(first)) return { ...noName, last }
  const givenName = hasDoubleName ? `${capitalizeName(first)} ${capitalizeName(second)}` : capitalizeName(first)
  return { first: givenName, last, full: last === undefined ? givenName : `${givenName} ${last}` }
}

/** The first name for a greeting; undefined if uncertain. */
export const firstName = (name: string | null | undefined, email?: string): string | undefined =>
  personName(name, email).first

/** A job title for use in a sentence; undefined if the text is not a title. */
export const titleText = (title: string | null | undefined): string | undefined => {
  if (typeof title !== "string" || title.length > 200) return undefined
  const text = (normalizeTypedName(title).split(/ [|•·] /)[0] ?? "").trim()
  if (
    notNamePattern.test(text) ||
    instructionPattern.test(text) ||
    placeholderPattern.test(text) ||
    !/\p{L}/u.test(text)
  )
    return undefined
  return text
}
