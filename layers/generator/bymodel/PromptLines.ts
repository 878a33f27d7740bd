// layers/generator/bymodel/PromptLines.ts: the lines of email prompts that describe the sender and the sender's wishes.
import type { Campaign } from "#layers/generator/Brief.ts"
import { sourceLine, type NumberedSource } from "#layers/generator/bymodel/SourceList.ts"
import { removeInvisible } from "#layers/model/Fence.ts"
import { ctaKind } from "#schema/Generation.ts"

const toOneLine = (text: string | null | undefined) =>
  removeInvisible(text ?? "", 300)
    .replace(/\s+/g, " ")
    .trim()

const joinTexts = (...texts: ReadonlyArray<string | null | undefined>) =>
  texts
    .map(toOneLine)
    .filter((text) => text !== "")
    .join(", ")

const labelledLine = (label: string, text: string) => (text === "" ? [] : [`${label}: ${text}`])

/** The sender and the kind of reader. */
export const senderLines = ({ audience, profile }: Campaign): ReadonlyArray<string> => [
  ...labelledLine("company", joinTexts(profile.company_name, profile.city_region, profile.industry_vertical)),
  ...labelledLine("emails are signed by", joinTexts(profile.contact_name, profile.contact_title)),
  ...labelledLine("aim of the emails", toOneLine(profile.primary_goal)),
  ...labelledLine(
    "readers",
    joinTexts(audience.segment_name, audience.industry_vertical, audience.company_size, audience.geographic_location)
  )
]

/** The sources as fenced data. The user's remarks are instructions and stay outside. */
export const sourceLines = (sources: ReadonlyArray<NumberedSource>): ReadonlyArray<string> =>
  sources.filter(({ from }) => from !== "remark").map(sourceLine)

const ctaKinds = {
  question: "a question that is easy to answer",
  "lead magnet": "an offer of something that the sender gives away",
  "direct meeting": "a short call or meeting"
} as const

/** Whether the sender has a lead magnet to offer. */
export const hasOffer = ({ lead_magnet, profile }: Campaign): boolean =>
  (lead_magnet?.items.length ?? 0) > 0 || (profile.lead_magnets?.length ?? 0) > 0

/** The allowed CTA types, and the user's own question if one was given. */
export const askLines = (approvedCtas: ReadonlyArray<string>, hasLeadMagnet: boolean): ReadonlyArray<string> => {
  const ownQuestions = approvedCtas.map(toOneLine).filter((text) => ctaKind(text) === "own question")
  const kinds = (["question", "lead magnet", "direct meeting"] as const).filter((ask) =>
    approvedCtas.some((text) => ctaKind(toOneLine(text)) === ask)
  )
  // Offering a lead magnet that the sender does not have would be an invention.
  const allowedKinds = kinds.filter((ask) => hasLeadMagnet || ask !== "lead magnet").map((ask) => ctaKinds[ask])
  return [
    ...(allowedKinds.length === 0 && ownQuestions.length > 0
      ? []
      : [`Asks that are allowed: ${(allowedKinds.length === 0 ? [ctaKinds.question] : allowedKinds).join("; ")}.`]),
    ...ownQuestions.map((text) => `Use this ask word for word in one email: ${text}`)
  ]
}

/** The user's wishes, outside the fenced data. */
export const remarksBlock = (lines: ReadonlyArray<string>, sources: ReadonlyArray<NumberedSource>): string => {
  const remarks = sources
    .filter(({ from }) => from === "remark")
    .map(({ id, label, text }) => `${label.replace(/^r/, "R")} (${id}, may be cited): ${text}`)
  if (lines.length + remarks.length === 0) return ""
  return ["What the sender wants. Follow it, as far as the rules on facts allow.", ...lines, ...remarks]
    .map((line, index) => (index === 0 ? line : `- ${line}`))
    .join("\n")
}

export const forbiddenLines = (phrases: ReadonlyArray<string>): ReadonlyArray<string> =>
  phrases.length === 0 ? [] : [`Never write: ${phrases.map((phrase) => JSON.stringify(toOneLine(phrase))).join(", ")}`]
