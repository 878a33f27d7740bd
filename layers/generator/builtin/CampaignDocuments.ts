// layers/generator/builtin/CampaignDocuments.ts: the email instructions and the knowledge base of a campaign.
import type { Details } from "#schema/Details.ts"
import { type Campaign, type Choice, isUnwritten, type OptionDraft } from "#layers/generator/Brief.ts"
import { instructionsTitle, knowledgeTitle, segmentFacts } from "#layers/generator/builtin/CompanySummary.ts"
import { clientNamesIn, joinWithAnd } from "#layers/generator/builtin/OpenQuestions.ts"
import { isFieldName } from "#layers/generator/builtin/Options.ts"
import { withFullStop } from "#layers/generator/playbook/Frames.ts"
import { sharedNounCount } from "#layers/generator/playbook/PersonaMessage.ts"
import { renderDocument, renderBullets, splitObjections, splitPoints, renderSection } from "#layers/text/Markdown.ts"
import { sendDays } from "#schema/Lists.ts"

const optionText = ({ description, name }: OptionDraft): string => {
  const trimmedDescription = description.trim()
  if (trimmedDescription === "") return name
  // A name that repeats the start of the description is omitted.
  return isFieldName(name) || trimmedDescription.toLowerCase().startsWith(name.toLowerCase())
    ? trimmedDescription
    : `**${name}:** ${trimmedDescription}`
}

/** The selection of a step, or what the emails do without one; undefined if there is nothing to say. */
const renderChoice = (choice: Choice | null, fallback: string | undefined): string | undefined => {
  const items = (choice?.items ?? []).filter((item) => !isUnwritten(item)).map(optionText)
  const remark = choice?.additional_details?.trim() ?? ""
  const lines = items.length === 0 && fallback !== undefined ? [fallback] : items
  return renderBullets([...lines, ...(remark === "" ? [] : [`Remark: ${remark}`])])
}

export const daysSection = renderSection(
  "Days to send on",
  renderBullets(
    sendDays.flatMap((delays, count) =>
      count === 0 ? [] : [`${count} ${count === 1 ? "email" : "emails"}: day ${delays.join(", ")}`]
    )
  )
)

const describeUnselected = (things: string, hasItems: boolean) =>
  hasItems ? `None was chosen: the emails may use any of the profile's ${things}.` : undefined

/** A line that names the kinds of material that the profile lacks; empty if it lacks none. */
const absentLines = ({
  case_studies,
  credibility_markers,
  guarantee,
  lead_magnets
}: Details): ReadonlyArray<string> => {
  const missingKinds = [
    ...((case_studies ?? []).length + (credibility_markers ?? []).length === 0 ? ["result or credential"] : []),
    ...((lead_magnets ?? []).length === 0 ? ["offer"] : []),
    ...((guarantee ?? []).length === 0 ? ["guarantee"] : [])
  ]
  return missingKinds.length === 0 ? [] : [`No ${joinWithAnd(missingKinds, "or")}: the profile has none.`]
}

export const emailInstructions = (campaign: Campaign): string => {
  const { audience, profile, social_proof } = campaign
  const proofs = [...(profile.case_studies ?? []), ...(profile.credibility_markers ?? [])]
  return renderDocument(
    instructionsTitle(profile, audience),
    renderSection("Aim", profile.primary_goal ?? "An answer: the reader says whether the matter concerns them."),
    renderSection("Reader", segmentFacts(audience)),
    renderSection(
      "Promise",
      renderChoice(campaign.value_proposition, "None was chosen: the emails say what you sell.")
    ),
    renderSection(
      "Proof, one in each email",
      renderChoice(social_proof, describeUnselected("results and credentials", proofs.length > 0))
    ),
    renderSection(
      "Offer",
      renderChoice(campaign.lead_magnet, describeUnselected("offers", (profile.lead_magnets ?? []).length > 0))
    ),
    renderSection(
      "Risk taken off the reader",
      renderChoice(campaign.risk_reversal, describeUnselected("guarantees", (profile.guarantee ?? []).length > 0))
    ),
    renderSection(
      "What the emails may say",
      renderBullets([
        "Numbers, names and results exactly as the profile and the choices above state them.",
        ...absentLines(profile),
        ...((social_proof?.items ?? []).length > 0 ? ["No client whose result was not chosen."] : []),
        "No phrase of the playbook's never-say list."
      ])
    ),
    renderSection(
      "Shape",
      proofs.length === 0
        ? "Each email: at most a few sentences, and one easy ask in the last. Without a proof, short is honest."
        : "Each email: one problem, what changes, one proof, and one easy ask in the last sentence. The first asks a question, the next offers something, the last asks for a meeting and says goodbye."
    ),
    renderSection("Tone", "Plain words and short sentences, as one person writes to another."),
    daysSection
  )
}

/** The numbers of results and offers of the profile that were not selected, as phrases: "2 offers". */
const unselectedPhrases = ({ lead_magnet, profile, social_proof }: Campaign): ReadonlyArray<string> => {
  const countUnselected = (
    choice: Choice | null,
    texts: ReadonlyArray<string> | null,
    singular: string,
    plural: string
  ) => {
    const selectedTexts = new Set((choice?.items ?? []).map(({ description }) => description))
    const count = selectedTexts.size === 0 ? 0 : (texts ?? []).filter((text) => !selectedTexts.has(text)).length
    return count === 0 ? [] : [`${count} ${count === 1 ? singular : plural}`]
  }
  return [
    ...countUnselected(social_proof, profile.case_studies, "result of a client", "results of clients"),
    ...countUnselected(lead_magnet, profile.lead_magnets, "offer", "offers")
  ]
}

/** The name of a proof in a sentence: its client, if it names one. */
const proofName = ({ description, name }: OptionDraft): string => {
  const [client] = clientNamesIn([description])
  return client === undefined ? `“${name}”` : `the result of ${client}`
}

/** Each selected promise with the selected proofs about the same topic, by name. */
const promiseProofPairs = ({ profile, social_proof, value_proposition }: Campaign): ReadonlyArray<string> =>
  (value_proposition?.items ?? []).flatMap((promise) => {
    if (isUnwritten(promise)) return []
    const relatedProofs = (social_proof?.items ?? []).filter(
      ({ description }) => sharedNounCount(description, promise.description, profile.industry_vertical) > 0
    )
    const promiseText = isFieldName(promise.name) ? promise.description : promise.name
    return [
      relatedProofs.length === 0
        ? `**${withFullStop(promiseText)}** No chosen proof is about it.`
        : `**${withFullStop(promiseText)}** Proved by ${joinWithAnd(relatedProofs.map(proofName))}.`
    ]
  })

/** Only what is specific to this campaign; other documents have the rest. */
export const knowledgeBase = (campaign: Campaign): string => {
  const { audience, profile } = campaign
  const unpriced = (profile.core_products ?? []).flatMap(({ pricing, product }) =>
    pricing.trim() === "" && product.trim() !== "" ? [product.trim()] : []
  )
  const unselected = unselectedPhrases(campaign)
  return renderDocument(
    knowledgeTitle(profile, audience),
    renderSection("Promises and their proof", renderBullets(promiseProofPairs(campaign))),
    renderSection(
      "Left out of this campaign",
      unselected.length === 0 ? undefined : `Not chosen, and so in no email: ${joinWithAnd(unselected)}.`
    ),
    renderSection("Answers to objections", renderBullets(splitObjections(profile.objections_and_responses))),
    renderSection(
      "What replies cannot say",
      renderBullets([
        ...(unpriced.length === 0 ? [] : [`The price of ${joinWithAnd(unpriced, "or")}.`]),
        ...((profile.core_products ?? []).length === 0 ? ["Any price: the profile lists no products."] : []),
        ...(splitPoints(profile.objections_and_responses).length === 0
          ? ["An answer to an objection: the profile has none."]
          : [])
      ])
    )
  )
}
