// layers/text/CompanyNames.ts: cleans names of companies for use in an email.
import {
  notNamePattern,
  instructionPattern,
  normalizeTypedName,
  placeholderPattern,
  unusableKind
} from "#layers/text/NamePatterns.ts"
import { linksAndAddressesIn } from "#layers/text/Contacts.ts"
import { wordSet } from "#layers/text/Words.ts"

/** A legal form at the end of a name, such as "Ltd" or "GmbH & Co. KG". */
const legalForm = new RegExp(
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
const asianLegalForm = /^(?:株式会社|有限会社|合同会社)|(?:株式会社|有限会社|合同会社|有限公司|주식회사)$/g

/** Matches words that the checker reports as template leftovers. */
const templateLeftover =
  /\b(?:lorem ipsum|as an ai|as a language model|here is (?:the|your|an?) (?:email|draft|sequence))\b/i

const smallWords = wordSet("and of the for de du des la le les et y e und der die das van den del della di da")

const capitalizeCompany = (name: string): string => {
  const isUpperCase = name === name.toUpperCase() && /\p{Lu}/u.test(name)
  const isLowerCase = name === name.toLowerCase() && /\p{Ll}/u.test(name)
  if (!isUpperCase && !isLowerCase) return name
  const words = name.split(" ")
  return words
    .map((word, index) => {
      const letters = word.replace(/[^\p{L}]/gu, "")
      // A word of at most three letters, or without vowels, is an abbreviation: "DHL", "KLM".
      if (isUpperCase && (letters.length <= 3 || !/[AEIOUY]/.test(letters)) && !smallWords.has(word.toLowerCase()))
        return word
      if (index > 0 && smallWords.has(word.toLowerCase())) return word.toLowerCase()
      return word
        .toLowerCase()
        .replace(/(^|[-.&(])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    })
    .join(" ")
}

/** A company's name as people say it; undefined if the text is too long or not a name. */
export const companyName = (company: string | null | undefined): string | undefined => {
  if (typeof company !== "string" || company.length > 200 || unusableKind(company) !== undefined) return undefined
  let name = normalizeTypedName(company).replace(/^@/, "")
  if (
    notNamePattern.test(name) ||
    (instructionPattern.test(name) && name.split(" ").length > 2) ||
    /[!?:*#]/.test(name)
  )
    return undefined
  name = name
    .replace(asianLegalForm, "")
    .replace(/\([^)]{0,300}\)|"/g, " ")
    // Keeps the trading name (t/a, dba) and drops the trust that the company acts for (ATF).
    .replace(/ (?:a\.?t\.?f\.?|as trustee for) .*$/i, "")
    .replace(/^.* (?:t\/a|d\/?b\/?a|trading as) (?=\S)/i, "")
    .replace(/\s+/g, " ")
    .trim()
  name = name.replace(/\.(?:com|net|org|io|co|ai|eu|de|nl|fr|co\.uk|example)$/i, (tld, offset: number) =>
    /^[\w-]+$/.test(name.slice(0, offset)) ? "" : tld
  )
  // A legal form alone is not a name.
  if (placeholderPattern.test(name) || (!name.includes(" ") && legalForm.test(` ${name}`))) return undefined
  // "Stahlwerk Nord AG, Hamburg": drops the place after the legal form.
  const registeredName = /^(.+ \S+), ?[\p{L} -]+$/u.exec(name)?.[1]
  if (registeredName !== undefined && legalForm.test(registeredName)) name = registeredName
  for (let stripped = name; ; name = stripped) {
    stripped = name
      .replace(legalForm, (found, offset: number) =>
        /(?:&|\band|\bet|\bund|\by)$/i.test(name.slice(0, offset)) ? found : ""
      )
      .replace(/[ ,.-]+$/, "")
    // "Co." after "&" belongs to the name, and a name cannot consist of its legal form only.
    if (stripped === name || stripped === "") break
  }
  name = name.replace(/(?<!& Co|Bros)[,.]+$/, "").trim()
  if (placeholderPattern.test(name) || !/\p{L}/u.test(name) || /^\d+$/.test(name)) return undefined
  // A leading comma or full stop looks like a missing value.
  if (!/^[\p{L}\p{M}\p{N} &'.,+/-]+$/u.test(name) || /^[&',.+/-]| [,.]/.test(name)) return undefined
  if (name.length > 40 || name.split(" ").length > 5 || [...name].length < 2) return undefined
  if (
    templateLeftover.test(name) ||
    linksAndAddressesIn(name).length > 0 ||
    /\b(?:www|http)\b|\.(?:com|net|org|io)\b|\w\.\w+\//i.test(name)
  )
    return undefined
  return capitalizeCompany(name)
}
