// layers/generator/builtin/Documents.ts: the company summary, and helpers that all documents share.
import { String } from "effect"
import { document, list, names, objections, points, section, unsaid } from "#layers/text/Markdown.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details, textFields } from "#schema/Details.ts"

export const facts = (rows: ReadonlyArray<readonly [string, string | null | undefined]>): string | undefined => {
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

/** The name of the business in a sentence. */
export const titleOf = ({ company_name }: Details): string => company_name?.trim() || "This business"

export const audienceName = ({ segment_name }: Segment): string => segment_name.trim() || "Audience"

export const decisionMakers = ({ decision_makers }: Segment): ReadonlyArray<string> =>
  typeof decision_makers === "string" ? names(decision_makers) : decision_makers

export const segmentFacts = (audience: Segment): string | undefined =>
  facts([
    ["Industry", audience.industry_vertical === audience.segment_name ? "" : audience.industry_vertical],
    ["Company size", audience.company_size],
    ["Annual revenue", audience.annual_revenue],
    ["Where", audience.geographic_location],
    ["Decision makers", decisionMakers(audience).join(", ")]
  ])

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

/** Fields that emails need most. */
const gaps = (profile: Details): ReadonlyArray<string> => [
  ...wanted.flatMap(([field, what]) => ((profile[field] ?? "").trim() === "" ? [String.capitalize(what)] : [])),
  ...((profile.case_studies ?? []).length + (profile.credibility_markers ?? []).length === 0
    ? ["A client's result, with a name or a number"]
    : []),
  ...((profile.lead_magnets ?? []).length === 0 ? ["Something useful to give away"] : [])
]

/** A person's name and title; undefined without a name. */
export const contact = ({ contact_name, contact_title }: Details): string =>
  [contact_name, contact_title].flatMap((each) => (each ?? "").trim() || []).join(", ")

export const contactSection = (profile: Details) =>
  section(
    "Contact",
    facts([
      ["Name", contact(profile)],
      ["Email", profile.contact_email],
      ["Phone", profile.contact_phone],
      ["Address", profile.business_address]
    ])
  )

/** The whole profile in the order of a reader's questions, each sentence once. */
export const companySummary = (profile: Details): string => {
  const fresh = unsaid()
  const pointed = (text: string | null) => list(fresh(points(text)))
  const listed = (items: ReadonlyArray<string> | null) => list(fresh(items ?? []))
  // The user wrote the lines as a list.
  const written = (text: string | null) => {
    const lines = (text ?? "").split(/\r?\n/).filter((line) => line.trim() !== "")
    return lines.length > 1 ? list(fresh(lines)) : fresh(lines)[0]
  }
  return document(
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
    section("What it does", written(profile.business_description)),
    section("Products and services", products(profile)),
    section(
      "Who it serves",
      written(profile.ideal_client_description),
      facts([
        ["Job titles", names(profile.target_job_titles).join(", ")],
        ["Examples of good clients", profile.ideal_client_urls]
      ])
    ),
    section("What troubles them", pointed(profile.pain_points)),
    section("Problems it solves", pointed(profile.problems_solved)),
    section("What makes them look for help", pointed(profile.solution_triggers)),
    section("What changes for clients", written(profile.client_transformation)),
    section("What sets it apart", pointed(profile.unique_differentiators)),
    section("Proof", listed(profile.case_studies), listed(profile.credibility_markers)),
    section("Guarantee", listed(profile.guarantee)),
    section("What it gives away", listed(profile.lead_magnets)),
    section("Competitors", list(fresh(names(profile.competitors)))),
    section("Where others fall short", pointed(profile.competitor_frustrations)),
    section("What makes them hesitate", list(fresh(objections(profile.objections_and_responses)))),
    section("Also good to know", written(profile.additional_info)),
    contactSection(profile),
    section("Still missing", list(gaps(profile)))
  )
}
