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

/** Longer texts lose whole sentences at their end, never a part of one. */
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

/** The user's own label or a first sentence that is short; null where a name would have to be cut. */
const nameOf = (text: string): string | null => {
  const label = labelOf(text)?.label
  const name = capitalized(unstopped(label ?? sentencesOf(text)[0] ?? "").replace(/\s+/g, " "))
  return name === "" || name.length > mostOfName ? null : name
}

/** Whether an option is called after the field that it is from: "Case study 2". */
export const isFieldName = (name: string): boolean =>
  /^(?:Case study|Credibility marker|Lead magnet|Guarantee|What you sell|Differentiator|What changes|How it works|Promise)(?: \d+)?$/.test(
    name
  )

/** Options out of one field; those that have no short beginning are numbered. */
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
/** Fields further down the list only fill up to these. */
const enough = 3

/** For a profile that says nothing: true of every business that answers its mail, since a campaign needs one promise. */
const always: OptionDraft = { name: "Promise", description: "You can ask us anything before you decide." }

/** What a business does not do is no promise to those for whom it does the rest. */
const refusal = /^(?:we|it|they)\b.{0,20}\b(?:not|never)\b/i

/** Promises that share a topic with a chosen proof come first, so that each stands beside its result. */
const provenFirst = (items: ReadonlyArray<string>, { social_proof }: Campaign): ReadonlyArray<string> => {
  const proofs = (social_proof?.items ?? []).map(({ description }) => description)
  const borneOut = (item: string) => Math.max(0, ...proofs.map((proof) => shared(item, proof)))
  return items.toSorted((a, b) => borneOut(b) - borneOut(a))
}

/** What the campaign can promise, in sentences of the profile: what sets it apart, what it does, what changes. */
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
    // A heading or a word of a list promises nothing.
    ["How it works", description.slice(1).filter((text) => words(text) > 3 && !refusal.test(text))],
    // A certificate alone promises nothing.
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
