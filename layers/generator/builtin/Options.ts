// layers/generator/builtin/Options.ts: options and value propositions that are made of the user's own sentences.
import type { Campaign, OptionDraft } from "#layers/generator/Brief.ts"
import { capitalized, unstopped } from "#layers/generator/playbook/Frames.ts"
import { descriptionOf } from "#layers/generator/playbook/Material.ts"
import { shared } from "#layers/generator/playbook/Vocabulary.ts"
import { itemsOf, labelOf, sentencesOf, shapeOf, words } from "#layers/text/Sentences.ts"
import type { WorkspaceAssetType } from "#schema/Assets.ts"
import type { Details } from "#schema/Details.ts"

const mostCharacters = 2000
const mostOfName = 60

/** Longer texts are shortened by whole sentences from their end. */
const whole = (text: string): string => {
  const trimmed = text.trim()
  if (trimmed.length <= mostCharacters) return trimmed
  let kept = ""
  for (const sentence of sentencesOf(trimmed)) {
    const longer = kept === "" ? sentence : `${kept} ${sentence}`
    if (longer.length > mostCharacters) break
    kept = longer
  }
  return kept
}

/** The user's own label or a short first sentence; null if a name would have to be cut. */
const nameOf = (text: string): string | null => {
  const label = labelOf(text)?.label
  const name = capitalized(unstopped(label ?? sentencesOf(text)[0] ?? "").replace(/\s+/g, " "))
  return name === "" || name.length > mostOfName ? null : name
}

/** Whether an option is named after its field: "Case study 2". */
export const isFieldName = (name: string): boolean =>
  /^(?:Case study|Credibility marker|Lead magnet|Guarantee|What you sell|Differentiator|What changes|How it works|Promise)(?: \d+)?$/.test(
    name
  )

/** Options from one field; those without a short beginning are numbered. */
const drafts = (field: string, items: ReadonlyArray<string>): ReadonlyArray<OptionDraft> => {
  const found = new Map<string, string>()
  for (const item of items) {
    const description = whole(item)
    if (/[\p{L}\p{N}]/u.test(description)) found.set(unstopped(description).toLowerCase(), description)
  }
  return [...found.values()].map((description, at, all) => ({
    name: nameOf(description) ?? (all.length === 1 ? field : `${field} ${at + 1}`),
    description
  }))
}

export const options = (profile: Details, type: WorkspaceAssetType): ReadonlyArray<OptionDraft> => {
  switch (type) {
    case "social_proof":
      return [
        ...drafts("Case study", profile.case_studies ?? []),
        ...drafts("Credibility marker", profile.credibility_markers ?? [])
      ]
    case "lead_magnet":
      return drafts("Lead magnet", profile.lead_magnets ?? [])
    case "risk_reversal":
      return drafts("Guarantee", profile.guarantee ?? [])
  }
}

const most = 8
/** Later fields are only used until there are this many options. */
const enough = 3

/** For an empty profile: true of every business that answers its mail, because a campaign needs one promise. */
const always: OptionDraft = { name: "Promise", description: "You can ask us anything before you decide." }

/** Sentences about what a business does not do are no promises. */
const refusal = /^(?:we|it|they)\b.{0,20}\b(?:not|never)\b/i

/** Sorts promises that share a topic with a selected proof first, so that each can stand beside its result. */
const provenFirst = (items: ReadonlyArray<string>, { social_proof }: Campaign): ReadonlyArray<string> => {
  const proofs = (social_proof?.items ?? []).map(({ description }) => description)
  const borneOut = (item: string) => Math.max(0, ...proofs.map((proof) => shared(item, proof)))
  return items.toSorted((a, b) => borneOut(b) - borneOut(a))
}

/** Promises in sentences of the profile: what sets the business apart, what it does, what changes for clients. */
export const valuePropositions = (campaign: Campaign): ReadonlyArray<OptionDraft> => {
  const { profile } = campaign
  const description = descriptionOf(profile.business_description)
  const sentences = (field: string | null) =>
    provenFirst(
      itemsOf(field).filter((text) => shapeOf(text) !== "question"),
      campaign
    )
  const sources: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["What you sell", description.slice(0, 1)],
    ["Differentiator", sentences(profile.unique_differentiators)],
    ["What changes", sentences(profile.client_transformation)],
    // A heading or a word of a list is no promise.
    ["How it works", description.slice(1).filter((text) => words(text) > 3 && !refusal.test(text))],
    // A certificate alone is no promise.
    ["Credibility marker", (profile.credibility_markers ?? []).filter((text) => shapeOf(text) === "sentence")],
    ["Guarantee", profile.guarantee ?? []]
  ]
  const found = new Map<string, OptionDraft>()
  const names = new Set<string>()
  for (const [at, [field, items]] of sources.entries())
    for (const draft of drafts(field, items)) {
      if (found.size >= most || (at > 3 && found.size >= enough)) break
      const key = unstopped(draft.description).toLowerCase()
      const name = names.has(draft.name.toLowerCase()) ? `${draft.name} ${found.size + 1}` : draft.name
      names.add(name.toLowerCase())
      if (!found.has(key)) found.set(key, { ...draft, name })
    }
  return found.size === 0 ? [always] : [...found.values()]
}
