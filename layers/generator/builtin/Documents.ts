// layers/generator/builtin/Documents.ts: what is known of a business, its market and its campaigns, as documents to read.
import { String } from "effect"
import type { Campaign, Choice } from "#layers/Generator.ts"
import { document, list, names, points, section } from "#layers/text/Markdown.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details, textFields } from "#schema/Details.ts"

const facts = (rows: ReadonlyArray<readonly [string, string | null | undefined]>): string | undefined => {
  const known = rows.flatMap(([label, value]) =>
    value === null || value === undefined || value.trim() === "" ? [] : [`**${label}:** ${value.trim()}`]
  )
  return list(known)
}

const products = (profile: Details): string | undefined =>
  list(
    (profile.core_products ?? []).flatMap(({ pricing, product }) =>
      product.trim() === "" ? [] : [pricing.trim() === "" ? product : `${product}: ${pricing}`]
    )
  )

/** What a business is called, where it stands for itself. */
export const titleOf = ({ company_name }: Details): string => company_name?.trim() || "This business"

const wanted: ReadonlyArray<readonly [(typeof textFields)[number], string]> = [
  ["business_description", "what the business does"],
  ["ideal_client_description", "who the best clients are, and how large"],
  ["target_job_titles", "the job titles to write to"],
  ["pain_points", "what clients put up with before they buy"],
  ["solution_triggers", "what makes a client start to look"],
  ["competitors", "whom clients compare it with"],
  ["unique_differentiators", "what others cannot say"],
  ["objections_and_responses", "what makes clients hesitate, and the answer"]
]

/** What nobody has told yet and emails would gain from. */
const gaps = (profile: Details): ReadonlyArray<string> => [
  ...wanted.flatMap(([field, what]) => ((profile[field] ?? "").trim() === "" ? [String.capitalize(what)] : [])),
  ...((profile.case_studies ?? []).length + (profile.credibility_markers ?? []).length === 0
    ? ["A client's result, with a name or a number"]
    : []),
  ...((profile.lead_magnets ?? []).length === 0 ? ["Something useful to give away"] : [])
]

/** A person with what they are: a title alone is nobody. */
export const contact = ({ contact_name, contact_title }: Details): string =>
  [contact_name, contact_title].flatMap((each) => (each ?? "").trim() || []).join(", ")

export const companySummary = (profile: Details): string =>
  document(
    titleOf(profile),
    section(
      "At a glance",
      facts([
        ["Industry", profile.industry_vertical],
        ["Based in", profile.city_region],
        ["Website", profile.website_url],
        ["Goal", profile.primary_goal]
      ])
    ),
    section("What it does", profile.business_description),
    section("Products and services", products(profile)),
    section(
      "Who it serves",
      profile.ideal_client_description,
      facts([
        ["Job titles", profile.target_job_titles],
        ["Examples of good clients", profile.ideal_client_urls]
      ])
    ),
    section("Problems it solves", list(points(profile.problems_solved))),
    section("What changes for clients", profile.client_transformation),
    section("What sets it apart", list(points(profile.unique_differentiators))),
    section("Proof", list(profile.case_studies ?? []), list(profile.credibility_markers ?? [])),
    section("Guarantee", list(profile.guarantee ?? [])),
    section("What it gives away", list(profile.lead_magnets ?? [])),
    section("Also good to know", profile.additional_info),
    section(
      "Contact",
      facts([
        ["Name", contact(profile)],
        ["Email", profile.contact_email],
        ["Phone", profile.contact_phone],
        ["Address", profile.business_address]
      ])
    ),
    section("Still missing", list(gaps(profile)))
  )

export const marketResearch = (profile: Details): string =>
  document(
    `The market of ${titleOf(profile)}`,
    section(
      "The market",
      facts([
        ["Industry", profile.industry_vertical],
        ["Home region", profile.city_region],
        ["Sold here", (profile.core_products ?? []).map(({ product }) => product).join(", ")]
      ])
    ),
    section(
      "Who buys",
      profile.ideal_client_description,
      facts([
        ["Decision makers", profile.target_job_titles],
        ["Clients to find more of", profile.ideal_client_urls]
      ])
    ),
    section("What troubles them", list(points(profile.pain_points)), list(points(profile.problems_solved))),
    section("What makes them look for help", list(points(profile.solution_triggers))),
    section("Whom they compare", list(names(profile.competitors))),
    section("Where others fall short", list(points(profile.competitor_frustrations))),
    section("Why they would choose us", list(points(profile.unique_differentiators)), profile.client_transformation),
    section("What makes them hesitate", list(points(profile.objections_and_responses))),
    section("Not known yet", list(gaps(profile)))
  )

const people = ({ decision_makers }: Segment): ReadonlyArray<string> =>
  typeof decision_makers === "string" ? names(decision_makers) : decision_makers

const segmentFacts = (audience: Segment): string | undefined =>
  facts([
    ["Industry", audience.industry_vertical],
    ["Company size", audience.company_size],
    ["Annual revenue", audience.annual_revenue],
    ["Where", audience.geographic_location],
    ["Decision makers", people(audience).join(", ")]
  ])

export const audienceResearch = (profile: Details, audience: Segment): string =>
  document(
    audience.segment_name.trim() || "Audience",
    section("Who they are", segmentFacts(audience), list(points(audience.additional_details))),
    section("What they put up with", list([...points(profile.pain_points), ...points(profile.problems_solved)])),
    section("When to write", list(points(profile.solution_triggers))),
    section(
      `What ${titleOf(profile)} changes for them`,
      profile.client_transformation,
      list(points(profile.unique_differentiators))
    ),
    section("Proof for them", list([...(profile.case_studies ?? []), ...(profile.credibility_markers ?? [])])),
    section("What to offer first", list(profile.lead_magnets ?? [])),
    section("What they may object", list(points(profile.objections_and_responses)))
  )

const choice = (chosen: Choice | null): ReadonlyArray<string> =>
  chosen === null
    ? []
    : [
        ...chosen.items.map(({ description, name }) =>
          description.trim() === "" || description === name ? name : `**${name}:** ${description}`
        ),
        ...(chosen.additional_details === null || chosen.additional_details.trim() === ""
          ? []
          : [`Remark: ${chosen.additional_details}`])
      ]

/** Days after the first email on which each one is best sent, by the number of emails. */
const suggestedDelays: ReadonlyArray<ReadonlyArray<number>> = [[], [0], [0, 3], [0, 3, 8], [0, 3, 7, 14]]

const days = list(
  suggestedDelays.flatMap((delays, count) =>
    count === 0 ? [] : [`${count} ${count === 1 ? "email" : "emails"}: day ${delays.join(", ")}`]
  )
)

export const emailInstructions = (campaign: Campaign): string => {
  const { audience, profile } = campaign
  return document(
    `How ${titleOf(profile)} writes to ${audience.segment_name.trim() || "this audience"}`,
    section("Aim", profile.primary_goal ?? "An answer: the reader says whether the matter concerns them."),
    section("Reader", segmentFacts(audience), list(points(audience.additional_details))),
    section(
      "Open with one of their troubles",
      list([...points(profile.pain_points), ...points(profile.problems_solved)])
    ),
    section(
      "Promise",
      list(choice(campaign.value_proposition)),
      campaign.value_proposition === null ? list(points(profile.unique_differentiators)) : undefined
    ),
    section(
      "Proof, one in each email",
      list(choice(campaign.social_proof)),
      campaign.social_proof === null ? list(profile.case_studies ?? []) : undefined
    ),
    section(
      "Offer",
      list(choice(campaign.lead_magnet)),
      campaign.lead_magnet === null ? list(profile.lead_magnets ?? []) : undefined
    ),
    section(
      "Risk taken off the reader",
      list(choice(campaign.risk_reversal)),
      campaign.risk_reversal === null ? list(profile.guarantee ?? []) : undefined
    ),
    section(
      "Shape",
      "Each email: what the matter means for this reader, what changes, with one proof, and one easy ask in the last sentence. First a question, then something to give, a meeting last. Only the last of several says goodbye."
    ),
    section("Tone", "Plain words and short sentences, as one person writes to another."),
    section("Days to send on", days)
  )
}

export const knowledgeBase = (campaign: Campaign): string => {
  const { audience, profile } = campaign
  return [
    document(
      `What this campaign knows: ${audience.segment_name.trim() || titleOf(profile)}`,
      section("Audience", segmentFacts(audience), list(points(audience.additional_details))),
      section("Chosen promise", list(choice(campaign.value_proposition))),
      section("Chosen proof", list(choice(campaign.social_proof))),
      section("Chosen lead magnet", list(choice(campaign.lead_magnet))),
      section("Chosen risk reversal", list(choice(campaign.risk_reversal)))
    ),
    companySummary(profile),
    marketResearch(profile)
  ].join("\n\n")
}
