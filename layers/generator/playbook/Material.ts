// layers/generator/playbook/Material.ts: what a campaign's emails can say: whole sentences and list items in the user's
// words.
import { franc } from "franc-min"
import type { Details } from "#schema/Details.ts"
import type { Campaign, Choice } from "#layers/generator/Brief.ts"
import { saysForbidden } from "#layers/generator/checker/Wording.ts"
import { companyName } from "#layers/text/Names.ts"
import { itemsOf, sentencesOf, words } from "#layers/text/Sentences.ts"
import { isStopWord, looksEnglish, words as lettersOf } from "#layers/text/Words.ts"

export interface Proof {
  readonly text: string
  readonly kind: "case" | "fact"
}

export interface Objection {
  readonly objection: string
  readonly answer: string
}

export interface Material {
  readonly sender: string | null
  /** The first one states what is sold. */
  readonly description: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
  /** The selections; the first of them must appear. */
  readonly promises: ReadonlyArray<string>
  readonly chosenProofs: ReadonlyArray<Proof>
  readonly proofs: ReadonlyArray<Proof>
  readonly offers: ReadonlyArray<string>
  readonly guarantees: ReadonlyArray<string>
  readonly facts: ReadonlyArray<string>
  readonly objections: ReadonlyArray<Objection>
  readonly moments: ReadonlyArray<string>
  readonly changes: ReadonlyArray<string>
  readonly products: ReadonlyArray<string>
  readonly industry: string | null
  /** Whether some of the user's text was left out because it is not English. */
  readonly foreign: boolean
}

/** Longer items are not used, because they do not fit an email and items are never cut. */
const mostWords = 45
const mostCharacters = 600

const usable = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(text) && text.length <= mostCharacters && words(text) <= mostWords

/** A text as one line: complete, or its first complete sentences if it is long. */
const wholeOf = (text: string): string => {
  let whole = ""
  for (const sentence of sentencesOf(text)) {
    const longer = whole === "" ? sentence : `${whole} ${sentence}`
    if (whole !== "" && !usable(longer)) break
    whole = longer
  }
  return whole
}

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  [
    ...new Map(texts.toReversed().map((text) => [text.toLowerCase().replace(/[\s.]+$/, ""), text])).values()
  ].toReversed()

const chosen = (choice: Choice | null): ReadonlyArray<string> =>
  distinct(
    (choice?.items ?? []).map(({ description, name }) => wholeOf(description.trim() === "" ? name : description))
  ).filter((text) => text !== "" && text.length <= 1500)

const lists = (...fields: ReadonlyArray<string | null>): ReadonlyArray<string> =>
  distinct(fields.flatMap((field) => itemsOf(field)).filter(usable))

const entries = (field: ReadonlyArray<string> | null): ReadonlyArray<string> =>
  distinct((field ?? []).map(wholeOf).filter(usable))

const noOffer =
  /^(?:founded|established|since|welcome|we (?:believe|were founded|started|began|love)|our (?:mission|vision|story|values))\b/i

/** "We do not sell kits": not a reason to buy. */
const notOffered =
  /^(?:we|it) (?:do|does)(?: not|n['’]t) (?:sell|do|work|serve|take|offer|make|supply|provide|install|carry|stock|cover)\b/i

/** The sentences of a description about the offer; the one that states what is sold is first. */
export const descriptionOf = (text: string | null): ReadonlyArray<string> => {
  const all = sentencesOf(text ?? "").filter((sentence) => sentence.length <= 1000 && !notOffered.test(sentence))
  const at = all.findIndex((sentence) => !noOffer.test(sentence) && words(sentence) >= 3)
  const what = all[at]
  return what === undefined ? all : [what, ...all.toSpliced(at, 1)]
}

/** "Objection: answer", split at the user's own first colon; sentences without one belong to the answer before. */
const objectionsOf = (text: string | null): ReadonlyArray<Objection> => {
  const found: Array<{ objection: string; answer: string }> = []
  for (const sentence of sentencesOf(text ?? "")) {
    const colon = sentence.search(/:\s/)
    const last = found.at(-1)
    if (colon > 0) found.push({ objection: sentence.slice(0, colon).trim(), answer: sentence.slice(colon + 1).trim() })
    else if (last !== undefined) last.answer = `${last.answer} ${sentence}`
  }
  return found
    .map(({ answer, objection }) => ({
      answer,
      objection: objection.replace(/^["'\u201c\u2018]|["'\u201d\u2019]$/g, "")
    }))
    .filter(({ answer, objection }) => usable(answer) && words(objection) <= 14 && words(objection) > 0)
}

/** The material without texts that may not be kept, selections included. */
const keeping = (material: Material, keep: (text: string) => boolean): Material => {
  const texts = (all: ReadonlyArray<string>) => all.filter(keep)
  const proofs = (all: ReadonlyArray<Proof>) => all.filter(({ text }) => keep(text))
  return {
    ...material,
    description: texts(material.description),
    problems: texts(material.problems),
    promises: texts(material.promises),
    chosenProofs: proofs(material.chosenProofs),
    proofs: proofs(material.proofs),
    offers: texts(material.offers),
    guarantees: texts(material.guarantees),
    facts: texts(material.facts),
    objections: material.objections.filter(({ answer, objection }) => keep(`${objection}\n${answer}`)),
    moments: texts(material.moments),
    changes: texts(material.changes),
    products: texts(material.products),
    industry: material.industry !== null && keep(material.industry) ? material.industry : null
  }
}

/** The material without texts that contain a forbidden phrase. */
export const withoutForbidden = (material: Material, phrases: ReadonlyArray<string>): Material =>
  phrases.length === 0 ? material : keeping(material, (text) => !saysForbidden(text, phrases))

/** "Column", "Label, apply only" and "Paket PARK" are rows of a price list, which mean nothing to a stranger. */
const saysProduct = (name: string) =>
  words(name) > 1 && !/[,;/]|\d/.test(name.replace(/\([^)]*\)/g, "")) && !/(?<!\p{L})\p{Lu}{4,}(?!\p{L})/u.test(name)

/** Undefined if most names mean nothing: a part of a price list would stand for the whole business. */
const productsOf = (profile: Details): ReadonlyArray<string> => {
  const all = distinct((profile.core_products ?? []).map(({ product }) => wholeOf(product)).filter(usable))
  const kept = all.filter(saysProduct)
  return 3 * kept.length < 2 * all.length ? [] : kept
}

const profileLanguages = ["eng", "deu", "fra", "spa", "ita", "nld", "pol", "por"]

const inEnglish = (material: Material): Material => {
  const { changes, chosenProofs, description, facts, offers, problems, products, proofs } = material
  const texts = [...description, ...problems, ...offers, ...facts, ...changes, ...products]
  const all = [...texts, ...[...chosenProofs, ...proofs].map(({ text }) => text)]
  const smallWords = (text: string) => lettersOf(text.toLowerCase()).filter((word) => isStopWord(word)).length
  // Names of products alone are too short to detect a language.
  const isEnglish =
    all.some((text) => looksEnglish(text) && smallWords(text) > 2) ||
    ["eng", "und"].includes(franc(all.join("\n"), { only: profileLanguages, minLength: 30 }))
  let foreign = false
  const kept = keeping(material, (text) => {
    // A name such as "Lohnbuchhaltung" has no function words, so it has the language of the text around it.
    const keep = looksEnglish(text) && (isEnglish || smallWords(text) > 0)
    foreign ||= !keep
    return keep
  })
  // Names of products are kept as the minimum that describes a business, unless they are clearly in another language.
  const isForeign = !isEnglish && /[^\p{ASCII}]/u.test(products.filter((text) => /\p{L}/u.test(text)).join(""))
  return { ...kept, products: isForeign ? [] : products.filter(looksEnglish), foreign: foreign || isForeign }
}

export const materialOf = (campaign: Campaign): Material => {
  const { profile } = campaign
  const unproven = campaign.social_proof?.items.length === 0
  const cases = entries(unproven ? null : profile.case_studies).map((text) => ({ text, kind: "case" as const }))
  const markers = entries(unproven ? null : profile.credibility_markers)
  const isFact = new Set(markers)
  // Selecting nothing is a choice too; only a step that was not answered keeps the whole profile.
  const either = (choice: Choice | null, field: ReadonlyArray<string> | null) =>
    choice === null ? entries(field) : chosen(choice)
  return inEnglish({
    sender: companyName(profile.company_name) ?? null,
    description: descriptionOf(profile.business_description),
    problems: lists(profile.pain_points, profile.problems_solved),
    promises: chosen(campaign.value_proposition),
    chosenProofs: chosen(campaign.social_proof).map((text) => ({ text, kind: isFact.has(text) ? "fact" : "case" })),
    proofs: [...cases, ...markers.map((text) => ({ text, kind: "fact" as const }))],
    offers: either(campaign.lead_magnet, profile.lead_magnets),
    guarantees: either(campaign.risk_reversal, profile.guarantee),
    facts: distinct([...lists(profile.unique_differentiators), ...markers, ...lists(profile.additional_info)]),
    objections: objectionsOf(profile.objections_and_responses),
    moments: lists(profile.solution_triggers),
    changes: lists(profile.client_transformation),
    products: productsOf(profile),
    industry: profile.industry_vertical?.trim() || null,
    foreign: false
  })
}
