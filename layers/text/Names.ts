// layers/text/Names.ts: the name of a person or company as an email writes it, from typed text.
import { placesIn } from "#layers/text/Specifics.ts"
import { setOf } from "#layers/text/Words.ts"

const plain = (text: string): string =>
  text
    .replace(/[™®©]/g, "")
    // Full-width and ornamental letters become the plain ones that they stand for.
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/[\p{Cf}\p{Emoji_Presentation}\p{Extended_Pictographic}]/gu, (found) =>
      /^[\d#*]$/.test(found) ? found : ""
    )
    .replace(/\s+/g, " ")
    .trim()

// Markup, placeholders, formulas, links and addresses: whatever holds one of these is no name.
const code = /[{}<>[\]|\\^~$%=;_]|https?:|www\.|\/\/|\S@\S|^\s*[-+=]|\bjavascript\b/i

const orders =
  /\b(ignore|disregard|forget|reply|respond|system|prompt|instructions?|previous|assistant|output|password|click|please|send|delete|drop table|select|subscribe|write|tell|say|print|reveal|act as|you are|your)\b/i

const nobody = setOf(
  "n/a na nan null none nil undefined unknown test tester tbd todo name lorem anonymous private first last firstname lastname " +
    "info sales team support office admin administrator contact hello hr accounts accounting marketing billing service services " +
    "manager director owner ceo cfo coo cto founder president head the customer client user company department dept reception " +
    "help desk purchasing logistics finance operations hi dear sir madam whom it may concern all staff general enquiries " +
    "enquiry mailbox postmaster webmaster noreply no-reply everyone somebody nobody is are was and or not for with from this that"
)

const titleWord =
  "mr|mrs|ms|mx|miss|dr|prof|professor|sir|dame|rev|reverend|pastor|father|rabbi|imam|coach|chef|hon|sgt|lt|cpt|cmdr|" +
  "herr|frau|dhr|mevr|mme|mlle|sra|ir|drs"
const dottedTitle =
  "lord|lady|ing|prim|dkfm|univ|dipl|dipl-ing|mag|hr|fr|m|sr|don|dña|eng|capt|col|maj|gen|med|dent|vet|habil|rer\\.? ?nat"
const titles = new RegExp(`^(?:(?:${titleWord}|${dottedTitle})\\.|(?:${titleWord})) +`, "i")
const titleAlone = new RegExp(`^(?:(?:${titleWord}|${dottedTitle})\\.|(?:${titleWord}))$`, "i")
const honours =
  /[ ,]+(?:jr|sr|ii|iii|iv|ph\.?d|mba|msc|ma|ba|bsc|md|cpa|esq|acca|cfa|pmp|llm|dds|dmd|do|od|dvm|dnp|np|rn|pe|pa-c|shrm-cp|phr)\.?$/i

const part = /^[\p{Script=Latin}][\p{Script=Latin}\p{M}]*(?:['-][\p{Script=Latin}][\p{Script=Latin}\p{M}]*)*$/u
const familyFirst = setOf("nguyễn nguyen trần tran lê phạm pham hoàng huỳnh võ đặng bùi")
const double =
  /^(?:mar[ií]a|jos[eé]|juan|ana|luis|miguel|carlos|rosa|luz|jean|anne|marie) (?:jos[eé]|jes[uú]s|carlos|luis|antonio|manuel|[aá]ngel|carmen|pilar|isabel|teresa|dolores|luisa|bel[eé]n|fernanda|elena|pablo|mar[ií]a|alberto|claude|paul|pierre|marc|marie|claire|laure)$/i

/** "O'NEILL" → "O'Neill", "jean-pierre" → "Jean-Pierre"; a word written with care ("DeShawn", "MacLeod") stays. */
const cased = (word: string): string =>
  word === word.toUpperCase() || word === word.toLowerCase()
    ? word
        .toLowerCase()
        .replace(/(^|['-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    : word

/** Family names that are hardly ever first names, for a name of one word. */
const familyNames = setOf(
  "smith johnson williams jones brown garcia miller davis anderson moore thompson white clark robinson hill green adams " +
    "baker hall campbell roberts phillips evans turner edwards collins stewart murphy cook rogers peterson reed bell wood " +
    "watson patel khan hughes price myers foster sanders powell butler barnes fisher henderson coleman simmons patterson " +
    "jenkins hendricks hendrix huang wang zhang chen liu wu zhou xu zhu singh sharma gupta reddy nguyen tran pham hoang " +
    "lopez perez gomez müller mueller schmidt schneider fischer weber meyer wagner becker schulz koch bauer richter klein " +
    "neumann schröder dubois durand lefebvre moreau rossi russo ferrari esposito bianchi romano colombo ricci silva santos " +
    "oliveira souza pereira costa ferreira nowak kowalski janssen jansen bakker visser smit hale kimball"
)
const familyShape =
  /(?:ssons?|(?:[nlr]|nd|rs|ks)sen|rguez|ndez|nchez|[ií]nez|[eé]nez|[uú]ñez|rrez|quez|[sck]ki|[sc]ka|sky|wicz|vich|ovi[cćč]|enko|chuk|oglu|opoulos|akis|berg|strom|ström|quist|worth|icks|escu)$|^o'./i
const givenDespiteShape = setOf("inez nikki vicki ricki micki rikki arsen takis sakis")

const folded = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[^a-zA-Z]/g, "")
    .toLowerCase()

/** Whether a single name is a family name, which cannot be used in a greeting. The address often shows it. */
const isFamilyName = (word: string, email: string | undefined): boolean => {
  const plainWord = folded(word)
  const local = email?.split("@")[0]?.toLowerCase().replace(/\d+$/, "") ?? ""
  const pieces = local.split(/[._-]/)
  if (plainWord.length > 2 && pieces.length > 1) {
    if (pieces[0] === plainWord) return false
    if (pieces.at(-1) === plainWord) return true
  }
  if (plainWord.length > 3 && local.length === plainWord.length + 1 && local.endsWith(plainWord)) return true
  const lower = word.toLowerCase()
  return familyNames.has(lower) || (familyShape.test(lower) && !givenDespiteShape.has(lower))
}

const particles = setOf("de van der den von del della di da dos la le du ten ter zu af av bin ibn")

const familyCased = (words: ReadonlyArray<string>): string | undefined => {
  const kept = words.filter((word) => word.length > 1)
  const careless = kept.every((word) => word === word.toUpperCase() || word === word.toLowerCase())
  const text = kept
    .map((word) => (particles.has(careless ? word.toLowerCase() : word) ? word.toLowerCase() : cased(word)))
    .join(" ")
  return text === "" ? undefined : text
}

export interface PersonName {
  /** What to call the person in a greeting; undefined where that would be a guess. */
  readonly first: string | undefined
  readonly last: string | undefined
  readonly full: string | undefined
}

const noName: PersonName = { first: undefined, last: undefined, full: undefined }

/** The words of a name without titles, degrees and brackets, or undefined where the text is no name. */
const nameWords = (name: string): { readonly words: ReadonlyArray<string>; readonly titled: boolean } | undefined => {
  if (name.length > 80) return undefined
  let rest = plain(name)
  if (code.test(rest) || orders.test(rest) || /[\d!?:]/.test(rest)) return undefined
  rest = rest
    .replace(/\([^)]{0,300}\)|"[^"]*"|(?<= )'[^']{1,30}'(?= )/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  const titled = titles.test(rest)
  while (titles.test(rest)) rest = rest.replace(titles, "")
  while (honours.test(rest)) rest = rest.replace(honours, "")
  const [, family = "", given = ""] = /^((?:\p{L}+ ){0,3}[^, ]+), ?([^,]+)$/u.exec(rest) ?? []
  const isTurned = family
    .split(" ")
    .slice(0, -1)
    .every((word) => particles.has(word.toLowerCase()))
  if (given !== "" && isTurned) rest = `${given} ${family}`
  rest = rest.split(",")[0]?.trim() ?? ""
  if (titleAlone.test(rest)) return undefined
  const words = rest.split(" ").map((item) => item.replace(/\.$/, ""))
  if (words.length > 5 || words.some((item) => !part.test(item) || item.length > 30)) return undefined
  return words.some((item) => nobody.has(item.toLowerCase())) ? undefined : { words, titled }
}

const canGreet = (first: string): boolean =>
  first.length >= 2 &&
  first.length <= 20 &&
  /[aeiouyáéíóúàèìòùäëïöüâêîôûæøåãõąęıışőűýěůơưăāēīōū]/i.test(first.normalize("NFD").replace(/\p{M}/gu, ""))

/** Both spellings of a word in an address: "ö" as "o" and as "oe". */
const spelled = (word: string): ReadonlyArray<string> => [
  folded(word),
  folded(word.replace(/[äöüÄÖÜ]/g, "$&e").replaceAll("ß", "ss"))
]

/** "Schöllhammer Bernd" at bernd.schoellhammer@: the address has the words the other way round. */
const isReversed = ([first = "", second = "", ...more]: ReadonlyArray<string>, email = ""): boolean => {
  const [one = "", two = "", ...rest] = (email.split("@")[0] ?? "").toLowerCase().split(/[._-]/)
  return more.length + rest.length === 0 && spelled(first).includes(two) && spelled(second).includes(one)
}

/** A person's name as it is said. The email address tells a first name from a family name where there is only one. */
export const personName = (name: string | null | undefined, email?: string): PersonName => {
  const found = typeof name === "string" ? nameWords(name) : undefined
  if (found === undefined) return noName
  const { titled } = found
  const words = isReversed(found.words, email) ? found.words.toReversed() : found.words
  const [first = "", second = ""] = words
  // A title before a single name shows a family name, which cannot be used in a greeting.
  if (words.length === 1 && (titled || isFamilyName(first, email))) return { ...noName, last: familyCased(words) }
  if (familyFirst.has(first.toLowerCase()) && words.length > 1) {
    const given = cased(words.at(-1) ?? "")
    const last = familyCased(words.slice(0, 1))
    return { first: given, last, full: `${given} ${last ?? ""}`.trim() }
  }
  const two = words.length > 2 && double.test(`${first} ${second}`)
  const last = familyCased(words.slice(two ? 2 : 1))
  if (!canGreet(first) || particles.has(first)) return { ...noName, last }
  const called = two ? `${cased(first)} ${cased(second)}` : cased(first)
  return { first: called, last, full: last === undefined ? called : `${called} ${last}` }
}

/** What to call a person in a greeting, or nothing where that would be a guess. */
export const firstName = (name: string | null | undefined, email?: string): string | undefined =>
  personName(name, email).first

/** A job title that can stand in a sentence, or nothing where the text is no title. */
export const titleText = (title: string | null | undefined): string | undefined => {
  if (typeof title !== "string" || title.length > 200) return undefined
  const text = (plain(title).split(/ [|•·] /)[0] ?? "").trim()
  if (code.test(text) || orders.test(text) || placeholder.test(text) || !/\p{L}/u.test(text)) return undefined
  return text
}

const legal = new RegExp(
  "[ ,]+(?:" +
    [
      "l\\.?l\\.?c\\.?",
      "a[oö]r",
      "ggmbh",
      "p/l",
      "l\\.?t\\.?d\\.?a?\\.?",
      "limited",
      "inc\\.?",
      "incorporated",
      "corp\\.?",
      "corporation",
      "p\\.?l\\.?c\\.?",
      "p?l?l\\.?l\\.?p\\.?",
      "p\\.?l\\.?l\\.?c\\.?",
      "p\\.?c\\.?",
      "p\\.a\\.",
      "l\\.?p\\.?",
      "(?:gmbh|ag|se|ug)(?: ?& ?co\\.? ?kg(?:aa)?)?",
      "mbh",
      "a\\.?g\\.?",
      "k\\.?g\\.?",
      "o\\.?h\\.?g\\.?",
      "u\\.?g\\.?",
      "e\\.?k\\.?",
      "e\\.?v\\.?",
      "b\\.?v\\.?",
      "n\\.?v\\.?",
      "v\\.?o\\.?f\\.?",
      "s\\.?a\\.?",
      "s\\.?a\\.?s\\.?",
      "s\\.?a\\.?u\\.?",
      "s\\.?a\\.?r\\.?l\\.?",
      "e\\.?u\\.?r\\.?l\\.?",
      "s\\.?l\\.?",
      "s\\.?l\\.?u\\.?",
      "s\\.?c\\.?",
      "s\\.?p\\.?a\\.?",
      "s\\.?r\\.?l\\.?s?",
      "s\\.?n\\.?c\\.?",
      "sp\\.? ?z ?o\\.? ?o\\.?",
      "s\\.?r\\.?o\\.?",
      "a\\.?s\\.?",
      "a/s",
      "aps",
      "asa",
      "o\\.?y\\.?j?",
      "ab",
      "kft\\.?",
      "d\\.?o\\.?o\\.?",
      "pvt\\.?",
      "private",
      "pte\\.?",
      "pty\\.?",
      "k\\.?k\\.?",
      "co\\.?,? ltd\\.?",
      "holdings?",
      "ltda\\.?",
      "s\\. ?de ?r\\.?l\\.?(?: ?de ?c\\.?v\\.?)?",
      "s\\.?a\\.? ?(?:p\\.?i\\.? ?)?de ?c\\.?v\\.?",
      "c\\.?v\\.?",
      "tbk\\.?",
      "bhd",
      "sdn",
      "fzco?",
      "ooo",
      "kgaa",
      "s\\.?e\\.?",
      "ggmbh",
      "e\\.?u\\.?",
      "e\\.?g\\.?",
      "sasu",
      "s\\.?a\\.?b\\.?",
      "sp\\. ?[jk]\\.",
      "spol\\. s\\.? ?r\\.? ?o\\.?",
      "d\\.?d\\.?",
      "(?:z|ny)rt\\.?",
      "e?ood",
      "uab",
      "sia",
      "oü",
      "i/s",
      "k/s",
      "s/a",
      "lda\\.?",
      "eireli",
      "a\\.?ş\\.?",
      "ltd\\.? ?şti\\.?",
      "[poc]?jsc",
      "w\\.?l\\.?l\\.?",
      "fze",
      "proprietary limited",
      "cic",
      "ulc",
      "dac",
      "ges\\.? ?m\\.? ?b\\.? ?h\\.?"
    ].join("|") +
    ")$",
  "i"
)
const kabushiki = /^(?:株式会社|有限会社|合同会社)|(?:株式会社|有限会社|合同会社|有限公司|주식회사)$/g

const placeholder =
  /^(?:n\/?a|none|null|undefined|nan|unknown|test|company(?: ?name)?|your company|tbd|todo|self|self[- ]employed|freelance[r]?|unemployed|retired|student|private|independent|consultant|various|confidential|stealth(?: startup)?|-+|\.+|x+|asdf\w*)$/i

/** Words that the checker takes for a template's leftovers: an email with such a name would fail. */
const leftover = /\b(?:lorem ipsum|as an ai|as a language model|here is (?:the|your|an?) (?:email|draft|sequence))\b/i

const smallWords = setOf("and of the for de du des la le les et y e und der die das van den del della di da")

const companyCased = (name: string): string => {
  const shouted = name === name.toUpperCase() && /\p{Lu}/u.test(name)
  const whispered = name === name.toLowerCase() && /\p{Ll}/u.test(name)
  if (!shouted && !whispered) return name
  const all = name.split(" ")
  return all
    .map((word, at) => {
      const letters = word.replace(/[^\p{L}]/gu, "")
      // Three letters, or none that can be spoken together, are initials: "DHL", "KLM".
      if (shouted && (letters.length <= 3 || !/[AEIOUY]/.test(letters)) && !smallWords.has(word.toLowerCase()))
        return word
      if (at > 0 && smallWords.has(word.toLowerCase())) return word.toLowerCase()
      return word
        .toLowerCase()
        .replace(/(^|[-.&(])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    })
    .join(" ")
}

/** What people would call a company aloud, or nothing where the text is no name or too long to say. */
export const companyName = (company: string | null | undefined): string | undefined => {
  if (typeof company !== "string" || company.length > 200) return undefined
  let rest = plain(company).replace(/^@/, "")
  if (code.test(rest) || (orders.test(rest) && rest.split(" ").length > 2) || /[!?:*#]/.test(rest)) return undefined
  rest = rest
    .replace(kabushiki, "")
    .replace(/\([^)]{0,300}\)|"/g, " ")
    // A company is called by its trading name (t/a, dba), without the trust it acts for (ATF).
    .replace(/ (?:a\.?t\.?f\.?|as trustee for) .*$/i, "")
    .replace(/^.* (?:t\/a|d\/?b\/?a|trading as) (?=\S)/i, "")
    .replace(/\s+/g, " ")
    .trim()
  rest = rest.replace(/\.(?:com|net|org|io|co|ai|eu|de|nl|fr|co\.uk|example)$/i, (tld, at: number) =>
    /^[\w-]+$/.test(rest.slice(0, at)) ? "" : tld
  )
  // A legal form alone is no name.
  if (placeholder.test(rest) || (!rest.includes(" ") && legal.test(` ${rest}`))) return undefined
  // "Stahlwerk Nord AG, Hamburg": what follows the legal form is where the register has it.
  const registered = /^(.+ \S+), ?[\p{L} -]+$/u.exec(rest)?.[1]
  if (registered !== undefined && legal.test(registered)) rest = registered
  for (let bare = rest; ; rest = bare) {
    bare = rest
      .replace(legal, (found, at: number) => (/(?:&|\band|\bet|\bund|\by)$/i.test(rest.slice(0, at)) ? found : ""))
      .replace(/[ ,.-]+$/, "")
    // "Co." after "&" belongs to the name, and a name is more than its suffix.
    if (bare === rest || bare === "") break
  }
  rest = rest.replace(/(?<!& Co|Bros)[,.]+$/, "").trim()
  if (placeholder.test(rest) || !/\p{L}/u.test(rest) || /^\d+$/.test(rest)) return undefined
  // A stray comma or stop reads like a value that is missing before it.
  if (!/^[\p{L}\p{M}\p{N} &'.,+/-]+$/u.test(rest) || /^[&',.+/-]| [,.]/.test(rest)) return undefined
  if (rest.length > 40 || rest.split(" ").length > 5 || [...rest].length < 2) return undefined
  if (
    leftover.test(rest) ||
    placesIn(rest).length > 0 ||
    /\b(?:www|http)\b|\.(?:com|net|org|io)\b|\w\.\w+\//i.test(rest)
  )
    return undefined
  return companyCased(rest)
}
