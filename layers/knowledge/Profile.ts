// layers/knowledge/Profile.ts: the company profile as a document for questions.
import { contactLine } from "#layers/generator/builtin/CompanySummary.ts"
import { renderDocument, renderBullets, splitObjections, splitPoints, renderSection } from "#layers/text/Markdown.ts"
import type { Details, listFields, textFields } from "#schema/Details.ts"

const headings: { readonly [F in (typeof textFields)[number] | (typeof listFields)[number]]: string } = {
  company_name: "Company name",
  website_url: "Website",
  city_region: "Based in",
  industry_vertical: "Industry",
  contact_name: "Contact",
  contact_title: "Contact title",
  contact_phone: "Contact phone",
  contact_email: "Contact email",
  business_address: "Address",
  primary_goal: "Goal",
  target_job_titles: "Job titles",
  ideal_client_urls: "Examples of good clients",
  competitors: "Competitors",
  business_description: "What it does",
  problems_solved: "Problems it solves",
  client_transformation: "What changes for clients",
  ideal_client_description: "Who it serves",
  pain_points: "What troubles them",
  solution_triggers: "What makes them look for help",
  competitor_frustrations: "Where others fall short",
  unique_differentiators: "What sets it apart",
  objections_and_responses: "What makes them hesitate",
  additional_info: "Also good to know",
  case_studies: "Proof: case studies",
  credibility_markers: "Proof: credentials",
  guarantee: "Guarantee",
  lead_magnets: "What it gives away"
}

const fields = Object.keys(headings) as ReadonlyArray<keyof typeof headings>

const productsHeading = "Products and services"

/** The profile field of a section. */
export const fieldForHeading = (heading: string): string | undefined =>
  heading === productsHeading ? "core_products" : fields.find((field) => headings[field] === heading)

/** Fields split into points like in the other documents, so that repeated facts are recognised. */
const pointFields: ReadonlyArray<keyof Details> = [
  "problems_solved",
  "pain_points",
  "competitor_frustrations",
  "unique_differentiators"
]

export const renderProfile = (details: Details): string => {
  const values = { ...details, contact_name: contactLine(details), contact_title: null }
  return renderDocument(
    "Business profile",
    ...fields.map((field) => {
      const value = values[field]
      if (typeof value !== "string") return renderSection(headings[field], renderBullets(value ?? []))
      if (field === "objections_and_responses")
        return renderSection(headings[field], renderBullets(splitObjections(value)))
      return renderSection(headings[field], pointFields.includes(field) ? renderBullets(splitPoints(value)) : value)
    }),
    renderSection(
      productsHeading,
      renderBullets(
        (details.core_products ?? []).map(({ pricing, product }) =>
          pricing.trim() === "" ? product : `${product}: ${pricing}`
        )
      )
    )
  )
}
