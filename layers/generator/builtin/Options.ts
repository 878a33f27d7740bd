// layers/generator/builtin/Options.ts: options and value propositions that are made of the user's own sentences.
import { type Campaign, type OptionDraft, unwrittenName } from "#layers/generator/Brief.ts"
import { capitalizeFirst, withoutFullStop } from "#layers/generator/playbook/Frames.ts"
import { historyStart, maxItems, splitDescription } from "#layers/generator/playbook/SellingPoints.ts"
import { meaningfulStems } from "#layers/generator/playbook/DepartmentVocabulary.ts"
import { runAtOnce, type Turns } from "#layers/lib/Turns.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import { splitItems, splitLabel, splitSentences, classifyShape, countWords } from "#layers/text/Sentences.ts"
import type { WorkspaceAssetType } from "#schema/Assets.ts"
import type { Details } from "#schema/Details.ts"

const maxCharacters = 2000
const maxNameLength = 60

/** Longer texts are shortened by whole sentences from their end. */
const trimToSentences = (text: string): string => {
  const trimmed = text.trim()
  if (trimmed.length <= maxCharacters) return trimmed
  let shortened = ""
  for (const sentence of splitSentences(trimmed)) {
    const extended = shortened === "" ? sentence : `${shortened} ${sentence}`
    if (extended.length > maxCharacters) break
    shortened = extended
  }
  return shortened
}

/** Labels that say what field a text belongs in, and nothing of the text: "Free: a sample", "Recent job: Hall & Co". */
const fieldLabelPattern =
  /^(?:(?:our|a|the|one|recent|client|customer|free|example|typical) )*(?:free|jobs?|work|projects?|case(?: stud(?:y|ies))?|results?|reference|example|guarantee|promise|warranty|trial|download|offer|proof|section|note|comment(?:aire|ar)?|kommentar|garantie|kostenlose?|gratuit)(?: \d+| \(|$)/iu

const fitsName = (name: string): boolean => name !== "" && name.length <= maxNameLength

/** The user's own label or a short first sentence; null if a name would have to be cut or says nothing. */
const optionName = (text: string): string | null => {
  const labelled = splitLabel(text)
  const hasOwnLabel = labelled !== null && !fieldLabelPattern.test(labelled.label)
  const content = labelled === null || hasOwnLabel ? text : labelled.rest
  const [firstSentence = ""] = splitSentences(content)
  const name = capitalizeFirst(withoutFullStop(hasOwnLabel ? labelled.label : firstSentence).replace(/\s+/g, " "))
  // "Not happy?" is half of a promise.
  if (/\?["”]?$/.test(name) && firstSentence !== content) return null
  return fitsName(name) && (labelled === null || hasOwnLabel || firstSentence === content) ? name : null
}

/** Whether an option is named after its field: "Case study 2". */
export const isFieldName = (name: string): boolean =>
  name === unwrittenName ||
  /^(?:Case study|Credibility marker|Lead magnet|Guarantee|What you sell|Differentiator|What changes|How it works|Promise)(?: \d+)?$/.test(
    name
  )

/** Texts that differ in capitals or the full stop alone are one option. */
const keyOf = (text: string) => withoutFullStop(text).toLowerCase()

/** Options from one field; those without a short beginning are numbered from 1. */
const draftOptions = (field: string, items: ReadonlyArray<string>): ReadonlyArray<OptionDraft> => {
  const descriptions = new Map<string, string>()
  for (const item of items) {
    const description = trimToSentences(item)
    if (/[\p{L}\p{N}]/u.test(description)) descriptions.set(keyOf(description), description)
  }
  const options = [...descriptions.values()].map((description) => ({ name: optionName(description), description }))
  const unnamedOptions = options.filter(({ name }) => name === null)
  return options.map((option) => ({
    name: option.name ?? (unnamedOptions.length === 1 ? field : `${field} ${unnamedOptions.indexOf(option) + 1}`),
    description: option.description
  }))
}

export const fieldOptionDrafts = (profile: Details, type: WorkspaceAssetType): ReadonlyArray<OptionDraft> => {
  switch (type) {
    case "social_proof":
      return [
        ...draftOptions("Case study", profile.case_studies ?? []),
        ...draftOptions("Credibility marker", profile.credibility_markers ?? [])
      ]
    case "lead_magnet":
      return draftOptions("Lead magnet", profile.lead_magnets ?? [])
    case "risk_reversal":
      return draftOptions("Guarantee", profile.guarantee ?? [])
  }
}

const maxPropositions = 8
/** Credibility markers and guarantees are used only until there are this many options. */
const minPropositions = 3

/** For a profile that promises nothing: a campaign needs one choice, and its text is the user's to write. */
const unwrittenPromise: OptionDraft = { name: unwrittenName, description: "" }

/** Sentences about what a business does not do are no promises. */
const refusalPattern = /^(?:we|it|they)\b.{0,20}\b(?:not|never)\b/i
const isNotPromise = (text: string): boolean => refusalPattern.test(text) || historyStart.test(text)

/** Sorts promises that share a topic with a selected proof first, so that each can stand beside its result. */
const sortByProof = (items: ReadonlyArray<string>, { social_proof }: Campaign): ReadonlyArray<string> => {
  const proofStems = (social_proof?.items ?? []).map(({ description }) => meaningfulStems(description))
  return items
    .map((item) => {
      const stems = meaningfulStems(item)
      return { item, overlap: Math.max(0, ...proofStems.map((proof) => stems.intersection(proof).size)) }
    })
    .toSorted((a, b) => b.overlap - a.overlap)
    .map(({ item }) => item)
}

/** Like `valuePropositions`, and pauses after each field, because a long profile takes long. */
export const valuePropositionsInTurns = function* (campaign: Campaign): Turns<ReadonlyArray<OptionDraft>> {
  const { profile } = campaign
  const drafts = new Map<string, OptionDraft>()
  const names = new Set<string>()
  const add = (field: string, items: ReadonlyArray<string>, limit = maxPropositions) => {
    const newItems = items.filter((item) => !drafts.has(keyOf(trimToSentences(item))))
    for (const draft of draftOptions(field, newItems)) {
      if (drafts.size >= limit) break
      const key = keyOf(draft.description)
      const name = names.has(draft.name.toLowerCase()) ? `${draft.name} ${drafts.size + 1}` : draft.name
      names.add(name.toLowerCase())
      if (!drafts.has(key)) drafts.set(key, { ...draft, name })
    }
  }
  const promises = (field: string | null) =>
    sortByProof(
      splitItems(field)
        .slice(0, maxItems)
        .filter((text) => !text.includes("?") || classifyShape(text) !== "question"),
      campaign
    )

  const description = splitDescription(profile.business_description, companyName(profile.company_name) ?? null)
  add("What you sell", description.slice(0, 1))
  yield
  add("Differentiator", promises(profile.unique_differentiators))
  yield
  add("What changes", promises(profile.client_transformation))
  yield
  // A heading, a word of a list or the history of a business is no promise.
  const workings = description.slice(1).filter((text) => countWords(text) > 3 && !isNotPromise(text))
  add("How it works", workings)
  if (drafts.size < minPropositions) {
    const markers: Array<string> = []
    for (const text of profile.credibility_markers ?? []) {
      yield
      // A certificate alone is no promise.
      if (classifyShape(text) === "sentence") markers.push(text)
    }
    add("Credibility marker", markers, minPropositions)
  }
  if (drafts.size < minPropositions) add("Guarantee", profile.guarantee ?? [], minPropositions)
  return drafts.size === 0 ? [unwrittenPromise] : [...drafts.values()]
}

/** Promises in sentences of the profile: what sets the business apart, what it does, what changes for clients. */
export const valuePropositions = (campaign: Campaign): ReadonlyArray<OptionDraft> =>
  runAtOnce(valuePropositionsInTurns(campaign))
