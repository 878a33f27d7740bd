// layers/generator/bymodel/SourceList.ts: the sentences that a model may use as sources, each with a short id to cite.
import { memoize } from "effect/Function"
import type { Fact } from "#layers/enrichment/Fact.ts"
import { type Campaign, type Choice, isUnwritten, type OptionDraft } from "#layers/generator/Brief.ts"
import { isFieldName } from "#layers/generator/builtin/Options.ts"
import { removeInvisible } from "#layers/model/Fence.ts"
import { hasContact } from "#layers/text/Contacts.ts"
import { splitParagraph } from "#layers/text/Words.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"
import type { ClaimSource } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"
import { type Message, messageParts } from "#schema/Playbook.ts"

export interface NumberedSource extends ClaimSource {
  readonly id: string
  /** The kind of text, as the model sees it. */
  readonly label: string
}

type UnnumberedSource = Omit<NumberedSource, "id">

/** Longest source, in characters: longer than any sentence that a person writes. */
const maxSourceLength = 1200
/** Longest source from a lead's columns, which are untrusted text. */
const maxColumnLength = 300

const toOneLine = (text: string, maxLength = maxSourceLength) =>
  removeInvisible(text, maxLength).replace(/\s+/g, " ").trim()

/** Fields of the profile that emails may use, in order of usefulness. */
const emailFields: { readonly [F in keyof Details]?: string } = {
  business_description: "what we do",
  problems_solved: "problems we solve",
  pain_points: "problems of our clients",
  solution_triggers: "when clients look for us",
  client_transformation: "what changes for a client",
  unique_differentiators: "what sets us apart",
  competitor_frustrations: "how others fall short",
  case_studies: "result of a client",
  credibility_markers: "credential",
  guarantee: "guarantee",
  lead_magnets: "what we give away",
  objections_and_responses: "objection and answer",
  additional_info: "more about us"
}

/** Fields that documents may use in addition: buyers and competitors. */
const marketFields: { readonly [F in keyof Details]?: string } = {
  industry_vertical: "our trade",
  city_region: "where we are",
  ideal_client_description: "who our clients are",
  target_job_titles: "job titles we write to",
  competitors: "what clients compare us with",
  primary_goal: "aim of the emails"
}

const stepLabels = {
  value_proposition: "chosen promise",
  social_proof: "chosen proof",
  lead_magnet: "chosen offer",
  risk_reversal: "chosen guarantee"
} as const

/** A list item stays whole because its sentences have one topic; other texts are cited by the sentence. */
const fieldTexts = (value: Details[keyof Details]): ReadonlyArray<string> => {
  if (typeof value === "string") return value.split("\n").flatMap((line) => splitParagraph(line))
  return (value ?? []).flatMap((item) => (typeof item === "string" ? [item] : []))
}

const normalizeForMatch = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Drops a name that only repeats the start of the description. */
const optionText = ({ description, name }: OptionDraft) => {
  if (isFieldName(name)) return description
  const descriptionWords = new Set(normalizeForMatch(description).split(" "))
  return normalizeForMatch(name)
    .split(" ")
    .every((word) => descriptionWords.has(word))
    ? description
    : `${name}: ${description}`
}

const chosenSources = (step: keyof typeof stepLabels, choice: Choice | null): ReadonlyArray<UnnumberedSource> =>
  (choice?.items ?? [])
    .filter((item) => !isUnwritten(item))
    .map((item) => ({
      from: "campaign",
      at: step,
      label: stepLabels[step],
      text: toOneLine(optionText(item))
    }))

/** Drops sentences that an earlier source contains. */
const dropContained = (
  sources: ReadonlyArray<UnnumberedSource>,
  earlierSources: ReadonlyArray<UnnumberedSource> = []
): ReadonlyArray<UnnumberedSource> => {
  const earlierTexts = earlierSources.map(({ text }) => normalizeForMatch(text))
  return sources.filter(({ text }) => {
    const words = normalizeForMatch(text)
    if (words === "" || earlierTexts.some((earlierText) => ` ${earlierText} `.includes(` ${words} `))) return false
    earlierTexts.push(words)
    return true
  })
}

const numberSources = (sources: ReadonlyArray<UnnumberedSource>, from: number): ReadonlyArray<NumberedSource> =>
  sources.map((source, index) => ({ ...source, id: `s${from + index}` }))

const profileSources = (
  profile: Details,
  labels: { readonly [F in keyof Details]?: string }
): ReadonlyArray<UnnumberedSource> =>
  Object.entries(labels).flatMap(([at, label]) =>
    Object.entries(profile).flatMap(([field, value]) =>
      field === at
        ? fieldTexts(value).map((text) => ({ from: "profile" as const, at, label, text: toOneLine(text) }))
        : []
    )
  )

const segmentSources = (audience: Segment): ReadonlyArray<UnnumberedSource> =>
  Object.entries(audience).flatMap(([at, value]) => {
    const texts = Array.isArray(value) ? [value.join(", ")] : fieldTexts(value)
    return texts.map((text) => ({
      from: "audience" as const,
      at,
      label: `segment, ${at.replaceAll("_", " ")}`,
      text: toOneLine(text)
    }))
  })

/** Sources for a document about the business, its market or a segment. */
export const documentSources = (
  profile: Details,
  audience: Segment | null,
  campaign: ReadonlyArray<NumberedSource> = []
): ReadonlyArray<NumberedSource> => {
  const segmentTexts = audience === null ? [] : segmentSources(audience)
  const newSources = dropContained(
    [
      ...segmentTexts,
      ...profileSources(profile, marketFields),
      ...profileSources(profile, emailFields),
      ...productSources(profile)
    ],
    campaign
  )
  return [...campaign, ...numberSources(newSources, campaign.length + 1)]
}

const productSources = (profile: Details): ReadonlyArray<UnnumberedSource> =>
  (profile.core_products ?? []).map(({ pricing, product }) => ({
    from: "profile",
    at: "core_products",
    label: "product",
    text: toOneLine(pricing === "" ? product : `${product}: ${pricing}`)
  }))

/** Sources of a campaign; the user's selections come first. */
export const promptSources = memoize((campaign: Campaign): ReadonlyArray<NumberedSource> => {
  const { profile } = campaign
  const choices = (["value_proposition", "social_proof", "lead_magnet", "risk_reversal"] as const).flatMap((step) =>
    chosenSources(step, campaign[step])
  )
  const remarks = (["value_proposition", "social_proof", "lead_magnet", "risk_reversal"] as const).flatMap((step) => {
    const text = toOneLine(campaign[step]?.additional_details ?? "")
    return text === "" ? [] : [{ from: "remark" as const, at: step, label: remarkLabel(step), text }]
  })
  return numberSources(
    dropContained([...choices, ...remarks, ...profileSources(profile, emailFields), ...productSources(profile)]),
    1
  )
})

const remarkLabel = (step: keyof typeof stepLabels) => `remark on the ${stepLabels[step]}`

/** Sentences of a persona's message that no earlier source contains. */
export const messageSources = (
  message: Message,
  earlierSources: ReadonlyArray<NumberedSource>
): ReadonlyArray<NumberedSource> =>
  numberSources(
    dropContained(
      messageParts.flatMap((part) => {
        const text = toOneLine(message[part] ?? "")
        // A question states no fact.
        return text === "" || part === "question"
          ? []
          : [{ from: "campaign" as const, at: `message.${part}`, label: `message, ${part.replaceAll("_", " ")}`, text }]
      }),
      earlierSources
    ),
    earlierSources.length + 1
  )

const contactColumn =
  /(?:^|_)(?:e?mail|phone|mobile|tel|fax|address|street|zip|postal|postcode|linkedin|url|website|id|ids|uuid|created|updated)(?:_|$)/
const looksLikeContact = (text: string) => /@|https?:|www\.|^\+?[\d\s().-]{7,}$/.test(text) || hasContact(text)

/** The path of a page on the company's site. The site itself is contact data, which prompts omit. */
const urlPath = (url: string): string => {
  const path = removeInvisible(URL.parse(url)?.pathname ?? "/", 100)
  return path === "/" || looksLikeContact(path) || /\s/.test(path) ? "home page" : `page ${path}`
}

/** Facts about the reader, from columns and research. A text with contact data is omitted. */
export const leadSources = (
  lead: Lead,
  facts: ReadonlyArray<Fact>,
  earlierSources: ReadonlyArray<NumberedSource>
): ReadonlyArray<NumberedSource> => {
  const columnSources = Object.entries(lead.custom_fields ?? {}).flatMap(([key, value]) => {
    const text = value === null ? "" : toOneLine(String(value), maxColumnLength)
    if (text === "" || contactColumn.test(key) || looksLikeContact(text)) return []
    const label = `column ${key.replaceAll("_", " ")}`
    return [{ from: "lead" as const, at: `custom_fields.${key}`, label, text }]
  })
  const researchSources = facts.flatMap(({ found_at, source_url, statement }) => {
    const text = toOneLine(statement, maxColumnLength)
    const label = ["their site", urlPath(source_url), found_at === "" ? "" : `read on ${found_at.slice(0, 10)}`]
      .filter((part) => part !== "")
      .join(", ")
    return looksLikeContact(text) ? [] : [{ from: "research" as const, at: source_url, label, text }]
  })
  return numberSources(dropContained([...columnSources, ...researchSources], earlierSources), earlierSources.length + 1)
}

/** A user's remark about these emails, which may state facts. */
export const remarkSource = (remark: string | null): ReadonlyArray<NumberedSource> => {
  const text = toOneLine(remark ?? "", 4000)
  return text === "" ? [] : [{ id: "r1", from: "remark", at: "additional_details", label: "remark", text }]
}

/** A source as a line of the prompt. */
export const sourceLine = ({ id, label, text }: NumberedSource) => `${id} [${label}] ${text}`
