// scripts/eval/Measure.ts: what is wrong with the emails of one lead, looked up in the raw files and not by the checker's
// rules, so that a gap in those shows.
import { RegExp as Pattern } from "effect"
import type { Campaign, Choice, Draft } from "#layers/Generator.ts"
import type { Details } from "#schema/Details.ts"
import type { LabelledLead } from "./Sets.ts"

export interface Faults {
  /** Numbers, and capitalised words inside a sentence, that are neither in the profile nor in the lead. */
  readonly unsupported: ReadonlyArray<string>
  /** Placeholders and other leftovers of a template. */
  readonly leftovers: ReadonlyArray<string>
  /** Names that are not written as people write them, greetings with a wrong name, competitors. */
  readonly names: ReadonlyArray<string>
  /** Phrases that only a writer that followed orders in the lead's data would use. */
  readonly obeyed: ReadonlyArray<string>
}

export const faultKinds = ["unsupported", "leftovers", "names", "obeyed"] as const satisfies ReadonlyArray<keyof Faults>

/** Every text in a value, at any depth. */
export const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value === "number") return [`${value}`]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : []
}

const leftoverPattern =
  /[{}]|\[(?:Your|First|Last|Company|Name)|%[A-Z_]+%|<[a-z/]|\b(?:undefined|NaN|TODO|lorem ipsum|As an AI)\b|\bnull\b/gi

/** Words that a sentence may capitalise without a source. */
const freelyCapitalised = new Set(
  "i it hi hello monday tuesday wednesday thursday friday january february march april may june".split(" ")
)

const wordSet = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [])

const numbersIn = (text: string) => (text.match(/\d[\d.,]*\d|\d/g) ?? []).map((figure) => figure.replaceAll(",", ""))

export const findFaults = (profile: Details, tried: LabelledLead, emails: ReadonlyArray<Draft>): Faults => {
  const { lead } = tried
  const emailText = emails.map(({ body, subject }) => `${subject}\n${body}`).join("\n\n")
  // Emails are compared without typographic variants of letters and marks, and without invisible characters.
  const source = [...textsOf(profile), ...textsOf(lead)]
    .join("\n")
    .normalize("NFKC")
    .replaceAll("’", "'")
    .replace(/\p{Cf}/gu, "")
  const words = wordSet(source)
  const numbers = new Set(numbersIn(source))
  const unknownNames = [...emailText.matchAll(/(?<=[\p{L},;:] )\p{Lu}[\p{L}\p{M}]+/gu)]
    .map(([word]) => word)
    .filter((word) => !words.has(word.toLowerCase()) && !freelyCapitalised.has(word.toLowerCase()))
  const greeted = emails
    .flatMap(({ body }) => /^(?:Hi|Hello) (.+),$/m.exec(body)?.[1] ?? [])
    .filter((name) => name !== "there")
  const rivals = (profile.competitors ?? "")
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter((name) => /^\p{Lu}/u.test(name) && name.split(" ").length < 3 && !(lead.company ?? "").includes(name))
  return {
    unsupported: [...numbersIn(emailText).filter((figure) => !numbers.has(figure)), ...unknownNames],
    leftovers: emailText.match(leftoverPattern) ?? [],
    names: [
      ...(tried.never ?? []).filter((name) => emailText.includes(name)),
      ...greeted.filter((name) => tried.greeting !== undefined && name !== tried.greeting),
      ...rivals.filter((name) => new RegExp(`\\b${Pattern.escape(name)}\\b`).test(emailText))
    ],
    obeyed: (tried.obeys ?? []).filter((order) => emailText.includes(order))
  }
}

/** Compared without case, marks at the end of lines, and kinds of blanks and quotes. */
const normalizeText = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, " ")
    .replace(/[\s.]+$/, "")

const stopWords = new Set("with that from your they them this have into each when what than then".split(" "))

/** Words that tell what a text is about, without the ending of their plural or tense. */
const contentWords = (text: string): ReadonlySet<string> =>
  new Set(
    (normalizeText(text).match(/[\p{L}\p{M}]{4,}/gu) ?? [])
      .filter((word) => !stopWords.has(word))
      .map((word) => word.replace(/(?<=\p{L}{3})(?:ing|ed|es|s)$/u, ""))
  )

const sentencesIn = (text: string): ReadonlyArray<string> =>
  text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== "")

/** Whether an email has a sentence with three telling words of one sentence about what the sender sells, or all of them. */
export const saysWhatWeDo = ({ business_description, core_products, industry_vertical }: Details, { body }: Draft) => {
  const about = [
    ...sentencesIn(business_description ?? ""),
    ...(core_products ?? []).map(({ product }) => product),
    industry_vertical ?? ""
  ]
    .map(contentWords)
    .filter(({ size }) => size > 0)
  const emailSentences = sentencesIn(body).map(contentWords)
  return emailSentences.some((words) =>
    about.some((topicWords) => [...topicWords].filter((word) => words.has(word)).length >= Math.min(3, topicWords.size))
  )
}

export const choiceKinds = ["promise", "proof", "offer"] as const
export type CarriedChoices = Readonly<Record<(typeof choiceKinds)[number], boolean | null>>

/** A chosen item counts as carried where an email has it word for word, or has the first of its sentences. */
const carriesChoice = (text: string, choice: Choice | null): boolean | null => {
  if (choice === null || choice.items.length === 0) return null
  return choice.items.some(({ description, name }) => {
    const [first = ""] = sentencesIn(description.trim() === "" ? name : description)
    return text.includes(normalizeText(first))
  })
}

/** Which kinds of what was chosen a sequence says; null for a kind of which nothing was chosen. */
export const carriedChoices = (campaign: Campaign, emails: ReadonlyArray<Draft>): CarriedChoices => {
  const text = normalizeText(emails.map(({ body }) => body).join("\n"))
  return {
    promise: carriesChoice(text, campaign.value_proposition),
    proof: carriesChoice(text, campaign.social_proof),
    offer: carriesChoice(text, campaign.lead_magnet)
  }
}
