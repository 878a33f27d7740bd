// console/parts/Labels.ts: display names of API fields, and messages of the API rewritten with them.
import { type LabelledState, reviewState, withFinalPeriod } from "#console/parts/Format.ts"
import type { textFields, listFields } from "#schema/Details.ts"

export type ProfileField = (typeof textFields)[number] | (typeof listFields)[number] | "core_products"

export const profileLabels: Readonly<Record<ProfileField, string>> = {
  company_name: "Name of the company",
  website_url: "Website",
  city_region: "City and region",
  industry_vertical: "Industry",
  business_address: "Postal address",
  contact_name: "Name of the sender",
  contact_title: "Job title",
  contact_phone: "Telephone",
  contact_email: "Email address",
  business_description: "What the business does",
  core_products: "Products and services",
  problems_solved: "Problems you solve",
  client_transformation: "Before and after",
  unique_differentiators: "What sets you apart",
  case_studies: "Case studies",
  credibility_markers: "Credentials",
  guarantee: "Guarantees",
  lead_magnets: "Lead magnets",
  ideal_client_description: "Best clients",
  target_job_titles: "Job titles to reach",
  ideal_client_urls: "Sites of clients you want more of",
  pain_points: "Pain points",
  solution_triggers: "Buying triggers",
  competitors: "Competitors",
  competitor_frustrations: "Frustrations with competitors",
  objections_and_responses: "Objections and answers",
  primary_goal: "Goal of the emails",
  additional_info: "Anything else"
}

/** Marks a lead whose company may be a client, a competitor or one on the suppression list. */
export const companyCheckLabel = "Look at the company"

const otherLabels: Readonly<Record<string, string>> = {
  company_documents: "The documents of the workspace",
  target_audiences: "Segments",
  file: "Document",
  url: "Address of your site",
  custom_name: "Name of the list",
  list_name: "Name of the list",
  notification_email: "Mail when it is done",
  email_signature: "Signature",
  signature_id: "Signature",
  signature_text: "Signature",
  approved_ctas: "What an email may ask for",
  additional_details: "Anything else the writer should know",
  never_say: "Never say",
  linkedin_url: "LinkedIn profile",
  company_website: "Website",
  social_proof: "Social proof",
  lead_magnet: "Lead magnet",
  risk_reversal: "Risk reversal",
  value_proposition: "Value propositions"
}

const labels: Readonly<Record<string, string>> = { ...otherLabels, ...profileLabels }

/** The page's name for the API's suppression list. */
export const suppressionListLabel = "Do not contact"

/** The review of a lead. An approved lead that was suppressed since may be in a file that was exported before. */
export const leadReviewState = (status: keyof typeof reviewState, suppressed: string | null): LabelledState =>
  status === "approved" && suppressed !== null
    ? [suppressionListLabel, "bad", "Approved before. Exports from this page leave the lead out."]
    : reviewState[status]

const capitalizeFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The display name of a field. */
export const fieldLabel = (field: string) => labels[field] ?? capitalizeFirst(field.replaceAll("_", " "))

/** Replaces the API's terms in a message with the page's: field names, and "campaign" for "playbook". */
export const toPageWording = (notice: string) =>
  notice
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => (labels[name] === undefined ? name : `“${labels[name]}”`))
    .replaceAll("the playbook's templates", "the campaign's templates")
    .replaceAll("the playbook's", "the campaign's")
    .replaceAll("Edit the playbook instead", "Edit the templates instead")
    .replaceAll("on the suppression list", `on “${suppressionListLabel}”`)

/** Formats a field's message as a sentence. Most API messages begin with a verb and need the field as their subject. */
export const formatFieldMessage = (label: string, message: string) =>
  withFinalPeriod(`${/^\p{Ll}/u.test(message) ? `“${label}”` : `${label}:`} ${toPageWording(message)}`)

/** The path of an issue as the page says it: `leads.3.email` is "Lead 4, email". */
export const pathLabel = (path: string) => {
  const parts = path.split(".").filter((part) => !["options", "sample", "target_audience"].includes(part))
  const named = parts.flatMap((part, i) => {
    if (/^\d+$/.test(part)) return []
    const place = parts[i + 1]
    return place !== undefined && /^\d+$/.test(place)
      ? [`${fieldLabel(part).replace(/s$/, "")} ${Number(place) + 1}`]
      : [fieldLabel(part)]
  })
  return capitalizeFirst(named.map((name, i) => (i === 0 ? name : name.toLowerCase())).join(", "))
}
