// layers/generator/builtin/CompanySummary.ts: the company summary, and helpers that all documents share.
import { String } from "effect"
import { runAtOnce, type Turns } from "#layers/lib/Turns.ts"
import {
  renderDocument,
  renderBullets,
  splitNames,
  splitObjections,
  splitPoints,
  renderSection,
  skipRepeatedSentences
} from "#layers/text/Markdown.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details, textFields } from "#schema/Details.ts"

export const factRows = (rows: ReadonlyArray<readonly [string, string | null | undefined]>): string | undefined => {
  const lines = rows.flatMap(([label, value]) =>
    value === null || value === undefined || value.trim() === "" ? [] : [`**${label}:** ${value.trim()}`]
  )
  return renderBullets(lines)
}

const productLines = (profile: Details): string | undefined =>
  renderBullets(
    (profile.core_products ?? []).flatMap(({ pricing, product }) =>
      product.trim() === "" ? [] : [pricing.trim() === "" ? product : `${product}: ${pricing}`]
    )
  )

/** A title that names the business; `fallback` where the profile has no name. */
const titleWithName = ({ company_name }: Details, title: (name: string) => string, fallback: string): string => {
  const name = company_name?.trim() ?? ""
  return name === "" ? fallback : title(name)
}
export const summaryTitle = (profile: Details): string => titleWithName(profile, (name) => name, "Company summary")
export const marketTitle = (profile: Details): string =>
  titleWithName(profile, (name) => `The market of ${name}`, "Market research")

export const audienceName = ({ segment_name }: Segment): string => segment_name.trim() || "Audience"
export const instructionsTitle = (profile: Details, audience: Segment): string =>
  titleWithName(
    profile,
    (name) => `How ${name} writes to ${audienceName(audience)}`,
    `How to write to ${audienceName(audience)}`
  )
export const knowledgeTitle = (profile: Details, audience: Segment): string => {
  const title = (name: string) => `What this campaign knows: ${name}`
  const segment = audience.segment_name.trim()
  return segment === "" ? titleWithName(profile, title, "What this campaign knows") : title(segment)
}

export const decisionMakers = ({ decision_makers }: Segment): ReadonlyArray<string> =>
  typeof decision_makers === "string" ? splitNames(decision_makers) : decision_makers

export const segmentFacts = (audience: Segment): string | undefined =>
  factRows([
    ["Industry", audience.industry_vertical === audience.segment_name ? "" : audience.industry_vertical],
    ["Company size", audience.company_size],
    ["Annual revenue", audience.annual_revenue],
    ["Where", audience.geographic_location],
    ["Decision makers", decisionMakers(audience).join(", ")]
  ])

const recommendedFields: ReadonlyArray<readonly [(typeof textFields)[number], string]> = [
  ["business_description", "what the business does"],
  ["ideal_client_description", "who the best clients are, and how large"],
  ["target_job_titles", "the job titles to write to"],
  ["pain_points", "what clients put up with before they buy"],
  ["solution_triggers", "what makes a client start to look"],
  ["competitors", "whom clients compare it with"],
  ["unique_differentiators", "what others cannot say"],
  ["objections_and_responses", "what makes clients hesitate, and the answer"]
]

/** Fields that emails need most. */
const missingFields = (profile: Details): ReadonlyArray<string> => [
  ...recommendedFields.flatMap(([field, what]) =>
    (profile[field] ?? "").trim() === "" ? [String.capitalize(what)] : []
  ),
  ...((profile.case_studies ?? []).length + (profile.credibility_markers ?? []).length === 0
    ? ["A client's result, with a name or a number"]
    : []),
  ...((profile.lead_magnets ?? []).length === 0 ? ["Something useful to give away"] : [])
]

/** The contact's name and title, separated by a comma; empty if neither is known. */
export const contactLine = ({ contact_name, contact_title }: Details): string =>
  [contact_name, contact_title].flatMap((text) => (text ?? "").trim() || []).join(", ")

export const contactSection = (profile: Details) =>
  renderSection(
    "Contact",
    factRows([
      ["Name", contactLine(profile)],
      ["Email", profile.contact_email],
      ["Phone", profile.contact_phone],
      ["Address", profile.business_address]
    ])
  )

const summarySections = function* (profile: Details): Generator<ReadonlyArray<string>, undefined> {
  const skipRepeated = skipRepeatedSentences()
  const renderPoints = (text: string | null) => renderBullets(skipRepeated(splitPoints(text)))
  const renderList = (items: ReadonlyArray<string> | null) => renderBullets(skipRepeated(items ?? []))
  // The user wrote the lines as a list.
  const renderLines = (text: string | null) => {
    const lines = (text ?? "").split(/\r?\n/).filter((line) => line.trim() !== "")
    return lines.length > 1 ? renderBullets(skipRepeated(lines)) : skipRepeated(lines)[0]
  }
  yield renderSection(
    "At a glance",
    factRows([
      ["Industry", profile.industry_vertical],
      ["Based in", profile.city_region],
      ["Website", profile.website_url],
      ["Goal", profile.primary_goal]
    ])
  )
  yield renderSection("What it does", renderLines(profile.business_description))
  yield renderSection("Products and services", productLines(profile))
  yield renderSection(
    "Who it serves",
    renderLines(profile.ideal_client_description),
    factRows([
      ["Job titles", splitNames(profile.target_job_titles).join(", ")],
      ["Examples of good clients", profile.ideal_client_urls]
    ])
  )
  yield renderSection("What troubles them", renderPoints(profile.pain_points))
  yield renderSection("Problems it solves", renderPoints(profile.problems_solved))
  yield renderSection("What makes them look for help", renderPoints(profile.solution_triggers))
  yield renderSection("What changes for clients", renderLines(profile.client_transformation))
  yield renderSection("What sets it apart", renderPoints(profile.unique_differentiators))
  const results = renderList(profile.case_studies)
  yield []
  yield renderSection("Proof", results, renderList(profile.credibility_markers))
  yield renderSection("Guarantee", renderList(profile.guarantee))
  yield renderSection("What it gives away", renderList(profile.lead_magnets))
  yield renderSection("Competitors", renderBullets(skipRepeated(splitNames(profile.competitors))))
  yield renderSection("Where others fall short", renderPoints(profile.competitor_frustrations))
  yield renderSection(
    "What makes them hesitate",
    renderBullets(skipRepeated(splitObjections(profile.objections_and_responses)))
  )
  yield renderSection("Also good to know", renderLines(profile.additional_info))
  yield contactSection(profile)
  yield renderSection("Still missing", renderBullets(missingFields(profile)))
}

/** Like `companySummary`, and pauses after each section, because a long profile takes long. */
export const companySummaryInTurns = function* (profile: Details): Turns<string> {
  const sections: Array<ReadonlyArray<string>> = []
  for (const section of summarySections(profile)) {
    sections.push(section)
    yield
  }
  return renderDocument(summaryTitle(profile), ...sections)
}

/** The whole profile in the order of a reader's questions, each sentence once. */
export const companySummary = (profile: Details): string => runAtOnce(companySummaryInTurns(profile))
