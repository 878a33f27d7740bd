// layers/text/Names.ts: what a person and a company may be called in an email, out of what somebody typed.
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

const titles =
  /^(?:(?:mr|mrs|ms|mx|miss|dr|prof|professor|sir|dame|lord|lady|rev|ing|dipl|mag|herr|frau|hr|fr|dhr|mevr|mme|mlle|m|sr|sra|don|dña|ir|drs|eng|capt|col|maj)\.|(?:mr|mrs|ms|mx|miss|dr|prof|professor|sir|dame|rev|herr|frau|dhr|mevr|mme|mlle|sra|ir|drs)) +/i
const honours = /[ ,]+(?:jr|sr|ii|iii|iv|ph\.?d|mba|msc|ma|ba|bsc|md|cpa|esq|acca|cfa|pmp|llm|dds|rn|pe)\.?$/i

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

/** What to call a person in a greeting, or nothing where that would be a guess. */
export const firstName = (name: string | null | undefined): string | undefined => {
  if (typeof name !== "string" || name.length > 80) return undefined
  let rest = plain(name)
  if (code.test(rest) || orders.test(rest) || /[\d!?:]/.test(rest)) return undefined
  rest = rest
    .replace(/\([^)]{0,300}\)|"[^"]*"/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  const titled = titles.test(rest)
  while (titles.test(rest)) rest = rest.replace(titles, "")
  while (honours.test(rest)) rest = rest.replace(honours, "")
  const turned = /^([^, ]+), ?([^,]+)$/.exec(rest)
  if (turned !== null) rest = `${turned[2]} ${turned[1]}`
  rest = rest.split(",")[0]?.trim() ?? ""
  const parts = rest.split(" ").map((item) => item.replace(/\.$/, ""))
  if (parts.length > 5 || parts.some((item) => !part.test(item) || item.length > 30)) return undefined
  if (parts.some((item) => nobody.has(item.toLowerCase()))) return undefined
  // A title before a single name leaves a family name, which nobody is greeted by.
  if (titled && parts.length === 1) return undefined
  const first = parts[0] ?? ""
  if (familyFirst.has(first.toLowerCase()) && parts.length > 1) return cased(parts.at(-1) ?? "")
  if (
    first.length < 2 ||
    first.length > 20 ||
    !/[aeiouyáéíóúàèìòùäëïöüâêîôûæøåãõąęıışőűýěůơưăāēīōū]/i.test(first.normalize("NFD").replace(/\p{M}/gu, ""))
  )
    return undefined
  const two = `${first} ${parts[1] ?? ""}`
  if (parts.length > 2 && double.test(two)) return two.split(" ").map(cased).join(" ")
  return cased(first)
}

const legal = new RegExp(
  "[ ,]+(?:" +
    [
      "l\\.?l\\.?c\\.?",
      "l\\.?t\\.?d\\.?a?\\.?",
      "limited",
      "inc\\.?",
      "incorporated",
      "corp\\.?",
      "corporation",
      "p\\.?l\\.?c\\.?",
      "l\\.?l\\.?p\\.?",
      "l\\.?p\\.?",
      "gmbh(?: ?& ?co\\.? ?kg)?",
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
      "ooo"
    ].join("|") +
    ")$",
  "i"
)
const kabushiki = /^(?:株式会社|有限会社|合同会社)|(?:株式会社|有限会社|合同会社|有限公司|주식회사)$/g

const placeholder =
  /^(?:n\/?a|none|null|undefined|nan|unknown|test|company(?: ?name)?|your company|tbd|todo|self|self[- ]employed|freelance[r]?|unemployed|retired|student|private|independent|consultant|various|confidential|stealth(?: startup)?|-+|\.+|x+|asdf\w*)$/i

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
    .replace(/\s+/g, " ")
    .trim()
  rest = rest.replace(/\.(?:com|net|org|io|co|ai|eu|de|nl|fr|co\.uk|example)$/i, (tld, at: number) =>
    /^[\w-]+$/.test(rest.slice(0, at)) ? "" : tld
  )
  // A suffix alone names nobody.
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
  if (!/^[\p{L}\p{M}\p{N} &'.,+/-]+$/u.test(rest)) return undefined
  if (rest.length > 40 || rest.split(" ").length > 5 || [...rest].length < 2) return undefined
  if (/\b(?:www|http)\b|\.(?:com|net|org|io)\b/i.test(rest)) return undefined
  return companyCased(rest)
}
