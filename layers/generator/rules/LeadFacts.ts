// layers/generator/rules/LeadFacts.ts: what a lead brings: its clean names, its role, and what of it may not be repeated.
import { type Role, roleOf } from "#layers/generator/Roles.ts"
import { companyName, firstName } from "#layers/text/Names.ts"
import { isPlain } from "#layers/text/Plain.ts"
import { ofSentence, type Sentence } from "#layers/text/Prose.ts"
import { numbersIn } from "#layers/text/Specifics.ts"
import { bare, words } from "#layers/text/Words.ts"
import type { Lead } from "#schema/Lead.ts"

export interface LeadFacts {
  readonly first: string | undefined
  readonly company: string | undefined
  readonly role: Role
  readonly email: string
  /** Lower-cased words a body may use because the lead has them. */
  readonly vocabulary: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly nameWords: ReadonlySet<string>
  readonly companyWords: ReadonlySet<string>
  readonly titleWords: ReadonlySet<string>
  /** A company as typed, where nobody would say it that way. */
  readonly rawCompany: string | undefined
  /** Runs of three words out of fields that are no names: instructions, markup, formulas. */
  readonly forbidden: ReadonlyArray<string>
}

const fieldWords = (field: string | null | undefined): ReadonlyArray<string> =>
  typeof field === "string" && field.length <= 300
    ? words(field.normalize("NFC").replace(/\u2019/g, "'")).map(bare)
    : []

const runs = (field: string): ReadonlyArray<string> => {
  const all = words(field.toLowerCase()).slice(0, 200)
  return all
    .slice(0, Math.max(1, all.length - 2))
    .flatMap((_, at) => (all.length < 3 ? [] : [all.slice(at, at + 3).join(" ")]))
}

export const leadFacts = (lead: Lead, also: ReadonlyArray<string> = []): LeadFacts => {
  const first = firstName(lead.name)
  const company = companyName(lead.company)
  const nameWords = new Set(fieldWords(lead.name))
  const companyWords = new Set([...fieldWords(lead.company), ...fieldWords(company)])
  const vocabulary = new Set([
    ...nameWords,
    ...companyWords,
    ...fieldWords(lead.title),
    ...fieldWords(lead.company_website)
  ])
  for (const text of also) for (const word of fieldWords(text)) vocabulary.add(word)
  for (const word of vocabulary) for (const piece of word.split(/[-&']/)) if (piece.length > 1) vocabulary.add(piece)
  const raw = lead.company?.replace(/\s+/g, " ").trim() ?? ""
  const typed =
    raw !== company &&
    raw.length > 3 &&
    (company === undefined || raw.length > company.length || raw === raw.toUpperCase()) &&
    raw.toLowerCase() !== raw
  const odd = [lead.name, lead.title, lead.company].flatMap((field) =>
    typeof field === "string" && !isPlain(field) ? [field] : []
  )
  return {
    first,
    company,
    role: roleOf(lead.title),
    email: lead.email.toLowerCase(),
    vocabulary,
    numbers: new Set(numbersIn([lead.company ?? "", lead.title ?? "", ...also].join(" "))),
    nameWords,
    companyWords,
    titleWords: new Set(fieldWords(lead.title)),
    rawCompany: typed ? raw : undefined,
    forbidden: odd.flatMap(runs)
  }
}

const lowerWords = ofSentence(({ lower }): ReadonlySet<string> => new Set(lower))

/** Whether a sentence has a word that the lead's company is called by. */
export const namesCompany = (sentence: Sentence, { companyWords }: LeadFacts): boolean =>
  !companyWords.isDisjointFrom(lowerWords(sentence))
