// layers/generator/builtin/CampaignDocuments.ts: the email instructions and the knowledge base of a campaign.
import type { Campaign, Choice, OptionDraft } from "#layers/generator/Brief.ts"
import { audienceName, segmentFacts, titleOf } from "#layers/generator/builtin/Documents.ts"
import { joined } from "#layers/generator/builtin/OpenQuestions.ts"
import { isFieldName } from "#layers/generator/builtin/Options.ts"
import { stopped } from "#layers/generator/playbook/Frames.ts"
import { sharedNouns } from "#layers/generator/playbook/Message.ts"
import { namedClients } from "#layers/generator/routing/KnownCompanies.ts"
import { document, list, objections, points, section } from "#layers/text/Markdown.ts"

const itemText = ({ description, name }: OptionDraft): string => {
  const said = description.trim()
  // A name that repeats the start of the description is omitted.
  if (said === "") return name
  return isFieldName(name) || said.toLowerCase().startsWith(name.toLowerCase()) ? said : `**${name}:** ${said}`
}

/** The selection of a step, or what the emails do without one. */
const chosen = (choice: Choice | null, otherwise: string): string | undefined => {
  const items = (choice?.items ?? []).map(itemText)
  const remark = choice?.additional_details?.trim() ?? ""
  return list([...(items.length === 0 ? [otherwise] : items), ...(remark === "" ? [] : [`Remark: ${remark}`])])
}

/** The day after the first email on which to send each email, by the number of emails. */
const suggestedDelays: ReadonlyArray<ReadonlyArray<number>> = [[], [0], [0, 3], [0, 3, 8], [0, 3, 7, 14]]

export const daysSection = section(
  "Days to send on",
  list(
    suggestedDelays.flatMap((delays, count) =>
      count === 0 ? [] : [`${count} ${count === 1 ? "email" : "emails"}: day ${delays.join(", ")}`]
    )
  )
)

const any = (things: string, has: boolean) =>
  has ? `None was chosen: the emails may use any of the profile's ${things}.` : `The profile has no ${things}.`

export const emailInstructions = (campaign: Campaign): string => {
  const { audience, profile, social_proof } = campaign
  const proofs = [...(profile.case_studies ?? []), ...(profile.credibility_markers ?? [])]
  return document(
    `How ${titleOf(profile)} writes to ${audience.segment_name.trim() || "this audience"}`,
    section("Aim", profile.primary_goal ?? "An answer: the reader says whether the matter concerns them."),
    section("Reader", segmentFacts(audience)),
    section("Promise", chosen(campaign.value_proposition, "None was chosen: the emails say what you sell.")),
    section("Proof, one in each email", chosen(social_proof, any("results and credentials", proofs.length > 0))),
    section("Offer", chosen(campaign.lead_magnet, any("offers", (profile.lead_magnets ?? []).length > 0))),
    section(
      "Risk taken off the reader",
      chosen(campaign.risk_reversal, any("guarantees", (profile.guarantee ?? []).length > 0))
    ),
    section(
      "What the emails may say",
      list([
        "Numbers, names and results exactly as the profile and the choices above state them.",
        ...((social_proof?.items ?? []).length > 0 ? ["No client whose result was not chosen."] : []),
        "No phrase of the playbook's never-say list."
      ])
    ),
    section(
      "Shape",
      "Each email: one problem, what changes, one proof, and one easy ask in the last sentence. The first asks a question, the next offers something, the last asks for a meeting and says goodbye."
    ),
    section("Tone", "Plain words and short sentences, as one person writes to another."),
    daysSection
  )
}

/** The number of results and offers of the profile that were not selected. */
const leftOut = ({ lead_magnet, profile, social_proof }: Campaign): ReadonlyArray<string> => {
  const count = (choice: Choice | null, of: ReadonlyArray<string> | null, one: string, more: string) => {
    const kept = new Set((choice?.items ?? []).map(({ description }) => description))
    const left = kept.size === 0 ? 0 : (of ?? []).filter((text) => !kept.has(text)).length
    return left === 0 ? [] : [`${left} ${left === 1 ? one : more}`]
  }
  return [
    ...count(social_proof, profile.case_studies, "result of a client", "results of clients"),
    ...count(lead_magnet, profile.lead_magnets, "offer", "offers")
  ]
}

/** The name of a proof in a sentence: its client, if it names one. */
const proofName = ({ description, name }: OptionDraft): string => {
  const [client] = namedClients([description])
  return client === undefined ? `“${name}”` : `the result of ${client}`
}

/** Each selected promise with the selected proofs about the same topic, by name. */
const pairs = ({ profile, social_proof, value_proposition }: Campaign): ReadonlyArray<string> =>
  (value_proposition?.items ?? []).map((promise) => {
    const near = (social_proof?.items ?? []).filter(
      ({ description }) => sharedNouns(description, promise.description, profile.industry_vertical) > 0
    )
    const said = isFieldName(promise.name) ? promise.description : promise.name
    return near.length === 0
      ? `**${stopped(said)}** No chosen proof is about it.`
      : `**${stopped(said)}** Proved by ${joined(near.map(proofName))}.`
  })

/** Only what is specific to this campaign; other documents have the rest. */
export const knowledgeBase = (campaign: Campaign): string => {
  const { audience, profile } = campaign
  const unpriced = (profile.core_products ?? []).flatMap(({ pricing, product }) =>
    pricing.trim() === "" && product.trim() !== "" ? [product.trim()] : []
  )
  const out = leftOut(campaign)
  return document(
    `What this campaign knows: ${audience.segment_name.trim() || titleOf(profile)}`,
    section(
      "What it is made of",
      `${titleOf(profile)} writes to “${audienceName(audience)}”. Questions are answered from the selections, the playbook, the lists, the business profile and the other documents. This document adds how they fit together.`
    ),
    section("Promises and their proof", list(pairs(campaign))),
    section(
      "Left out of this campaign",
      out.length === 0 ? undefined : `Not chosen, and so in no email: ${joined(out)}.`
    ),
    section("Answers to objections", list(objections(profile.objections_and_responses))),
    section(
      "What replies cannot say",
      list([
        ...(unpriced.length === 0 ? [] : [`The price of ${joined(unpriced, "or")}.`]),
        ...((profile.core_products ?? []).length === 0 ? ["Any price: the profile lists no products."] : []),
        ...(points(profile.objections_and_responses).length === 0
          ? ["An answer to an objection: the profile has none."]
          : [])
      ])
    )
  )
}
