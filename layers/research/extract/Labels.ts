// layers/research/extract/Labels.ts: labels in front of what they name, such as "Phone: ...", in the words that companies use.
import { Struct } from "effect"

/** By the detail field that what is named fills word for word. */
const labels = {
  company_name: /^(?:company|company name|business name|legal name|firm|trading name|name of (?:the )?company)$/,
  website_url:
    /^(?:web|website|web ?site|website url|site|url|homepage|www|online|linkedin|instagram|facebook|twitter|youtube)$/,
  city_region: /^(?:city|region|location|city region|city and region|based in|hq|headquarters|head office location)$/,
  industry_vertical: /^(?:industry|industry vertical|vertical|sector|branch|line of business|trade)$/,
  contact_name: /^(?:contact name|contact person|name|your contact|account manager|owner name)$/,
  contact_title: /^(?:contact title|title|job title|position|role)$/,
  contact_phone: /^(?:contact phone|phone|phone number|telephone|tel|mobile|cell|call|call us|hotline|t|p|m)$/,
  contact_email: /^(?:contact email|e-?mail|email address|mail|write to|write to us|e)$/,
  business_address:
    /^(?:address|business address|postal address|registered (?:office|address)|(?:head |main )?office|headquarters address|visit us|workshop|showroom|street address)$/,
  primary_goal: /^(?:primary goal|goal|our goal|objective|aim)$/,
  target_job_titles:
    /^(?:target job titles?|target titles?|target roles?|(?:typical |our )*(?:buyers?|buyer titles?)|decision[ -]makers?|personas?|who buys|we talk to|talks? to)$/,
  ideal_client_urls: /^(?:ideal client urls?|example (?:clients?|customers?)(?: urls?| websites?)?)$/,
  competitors: /^(?:(?:main |our |key |the )*(?:competitors?|competition|alternatives?(?: to us)?|rivals))$/,
  business_description:
    /^(?:business description|description|about|about us|what we do|in short|summary|profile|tagline)$/,
  problems_solved: /^(?:problems? solved|problems? we solve|(?:the )?problems?|challenges?)$/,
  client_transformation: /^(?:client transformation|transformation|before and after|outcome|what changes)$/,
  ideal_client_description:
    /^(?:ideal (?:clients?|customers?)(?: description| profile)?|(?:our |target |typical )+(?:clients?|customers?|market|audience)|best fit|clients|customers|markets?|industries(?: served)?|who it is for|for)$/,
  pain_points: /^(?:(?:typical |common )*(?:pain points?|pains?|frustrations?))$/,
  solution_triggers: /^(?:(?:solution |buying )?triggers?|when they call|when (?:clients|customers) call us)$/,
  competitor_frustrations:
    /^(?:competitor frustrations?|what (?:others|competitors) get wrong|what (?:they|clients|customers) (?:hate|dislike) about (?:others|competitors|the others)|where (?:others|competitors) fail|problems? with (?:others|competitors|alternatives))$/,
  unique_differentiators:
    /^(?:unique differentiators?|differentiators?|usp|why us|what makes us different|our difference|why (?:clients|customers|people|companies) (?:choose|pick|buy from|work with|stay with) us|(?:our )?(?:advantages?|edge))$/,
  objections_and_responses: /^(?:objections and responses|objections?)$/,
  additional_info:
    /^(?:additional info(?:rmation)?|notes?|please note|good to know|also|languages?|opening hours|hours)$/,
  guarantee: /^(?:(?:our |the )*(?:guarantees?|warranty|promise|risk reversal))$/,
  case_studies:
    /^(?:case stud(?:y|ies)|results?|success stor(?:y|ies)|references?|example|proof|customer story|story|stories)$/,
  credibility_markers:
    /^(?:credibility(?: markers?)?|certificat(?:es?|ions?)|certified|accreditations?|awards?|memberships?|standards?)$/,
  lead_magnets:
    /^(?:lead magnets?|free (?:offer|resource|download|trial|guide|check|audit|consultation|assessment|sample|template|call|review|demo)s?|free)$/,
  core_products: /^(?:(?:core |our |main )*(?:products?|services?|products? and services?|offers?|offering))$/,
  contact: /^(?:contacts?|kontakt|contact us|get in touch|talk to|ask for|reach us|your contact)$/
} as const

export type Label = keyof typeof labels

const labelOf = (text: string): Label | undefined => {
  const bare = text
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[_\s]+/g, " ")
    .trim()
  return Struct.keys(labels).find((label) => labels[label].test(bare))
}

/** `Label: what it names`, where the label is one that is known. */
export const labelled = (text: string): { readonly label: Label; readonly value: string } | undefined => {
  const [, name, value] =
    /^\s*([\p{L}][\p{L}\p{N} _'’&/()-]{0,48}?)(?:\s*[::]\s*(?!\/\/)|\s+-\s+)(\S.*)$/su.exec(text) ?? []
  if (name === undefined || value === undefined) return undefined
  const label = labelOf(name)
  return label === undefined ? undefined : { label, value: value.trim() }
}
