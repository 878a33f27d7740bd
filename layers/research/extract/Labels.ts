// layers/research/extract/Labels.ts: labels in front of what they name, such as "Phone: ...", in English, German and French, and the fields they fill.
import { Struct } from "effect"
import { listFields, textFields } from "#schema/Details.ts"

/** By the detail field that what is named fills word for word. A label that may name a customer's facts is none of these. */
const labels = {
  company_name:
    /^(?:company|company name|business name|(?:full |registered )?legal name|registered (?:company )?name|trading name|name of (?:the )?company|firma|firmenname|unternehmen|société|entreprise|raison sociale|dénomination(?: sociale)?)$/,
  website_url: /^(?:web|website|web ?site|website url|site|site web|url|homepage|www|webseite|internet)$/,
  city_region:
    /^(?:city|region|city region|city and region|based in|hq|headquarters|standort|sitz|siège|head office location)$/,
  industry_vertical:
    /^(?:industry|industry vertical|line of business|sector|trade|branche|activité|secteur(?: d'activité)?)$/,
  contact_name:
    /^(?:contact name|contact person|your contact|who to ask for|(?:main|primary|key|sales) contact|point of contact|ansprechpartner(?:in)?|ansprechperson|interlocut(?:eur|rice))$/,
  contact_title: /^contact title$/,
  contact_phone:
    /^(?:contact phone|phone|phone number|telephone|tel|mobile|cell|call|call us|hotline|telefon|tél|téléphone|t|p)$/,
  contact_email: /^(?:contact email|e-?mail|email address|mail|write to|write to us|courriel|e)$/,
  business_address:
    /^(?:(?:(?:business|physical|company) )?address|registered (?:office|address)|(?:head |main )?office|headquarters address|visit us|workshop|showroom|street address|adresse|anschrift|siège social|firmensitz)$/,
  primary_goal: /^primary goal$/,
  target_job_titles:
    /^(?:target job titles?|target titles?|target roles?|(?:typical |our )+(?:buyers?|buyer titles?)|buyers|decision[ -]makers?|buyer personas?|who buys|(?:people )?we (?:usually |mostly |normally )?(?:talk|speak|sell) to|we (?:usually |mostly |normally )?deal with|(?:job )?titles(?: we (?:deal|work|speak) with)?)$/,
  ideal_client_urls: /^(?:ideal client urls?|example (?:clients?|customers?) (?:urls?|websites?))$/,
  competitors:
    /^(?:(?:main |our |key |the )*(?:competitors?|competition|alternatives?(?: to us)?|rivals)|wettbewerber|mitbewerber|concurrents)$/,
  business_description:
    /^(?:business description|company description|description(?: of business)?|in one sentence|about us|what we do|in short)$/,
  problems_solved: /^(?:problems? solved|problems? we solve)$/,
  client_transformation: /^(?:client transformation|before and after)$/,
  ideal_client_description:
    /^(?:ideal (?:clients?|customers?)(?: description| profile)?|icp|target (?:clients?|customers?|market|audience)|typical (?:clients?|customers?)|best fit|who we (?:work with|serve|help)|industries served|markets served|who it is for|zielgruppe)$/,
  pain_points: /^(?:(?:typical |common )*pain points?)$/,
  solution_triggers: /^(?:(?:solution |buying )triggers?|when (?:clients|customers) call us)$/,
  competitor_frustrations:
    /^(?:competitor frustrations?|what (?:others|competitors) get wrong|where (?:others|competitors) fail|problems? with (?:others|competitors|alternatives))$/,
  unique_differentiators:
    /^(?:unique differentiators?|differentiators?|usp|why us|what makes us different|what sets us apart|our difference|why (?:clients|customers|people|companies) (?:choose|pick|buy from|work with|stay with|come to) us)$/,
  objections_and_responses: /^(?:objections and responses|objections?)$/,
  additional_info: /^(?:additional info(?:rmation)?)$/,
  guarantee:
    /^(?:(?:our |the )*(?:guarantees?|promise|warranty|risk reversal)|garantie|unsere garantie|notre garantie)$/,
  case_studies: /^(?:case stud(?:y|ies)|(?:(?:a|our) )?(?:client|customer|success) stor(?:y|ies)|client result)$/,
  credibility_markers:
    /^(?:credibility(?: markers?)?|credentials|awards \/ certs|(?:why )?people trust us|certificat(?:es?|ions?)|accreditations?|awards?|memberships?|zertifikate|zertifizierungen)$/,
  lead_magnets:
    /^(?:lead magnets?|free (?:offer|resource|download|trial|guide|check|audit|consultation|assessment|sample|template|review|demo)s?)$/,
  core_products: /^(?:(?:core |our |main )*(?:products?|services?|products? and services?))$/,
  contact: /^(?:contacts?|kontakt|contact us|get in touch|talk to|ask for|reach us)$/
} as const

export type Label = keyof typeof labels

export type TextField = (typeof textFields)[number]
export type ListField = (typeof listFields)[number]
export type Field = TextField | ListField | "core_products"
export const isText = (label: Label): label is Label & TextField => textFields.some((field) => field === label)
export const isList = (label: Field | Label): label is ListField => listFields.some((field) => field === label)

/** Fields whose value is a list of names on one line. */
export const names: ReadonlySet<string> = new Set(["target_job_titles", "competitors", "ideal_client_urls"])

export const oneLine = (field: Field) =>
  field.startsWith("contact_") ||
  ["company_name", "website_url", "city_region", "business_address", "industry_vertical"].includes(field)

/** The label that a text is, alone as a heading or in front of what it names. */
export const knownLabel = (text: string): Label | undefined => {
  const bare = text
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/\s*\([^()]*\)$/, "")
    .replace(/[_\s]+/g, " ")
    .trim()
  return Struct.keys(labels).find((label) => labels[label].test(bare))
}

/** `Label: what it names`, where the label is one that is known. */
export const labelled = (text: string): { readonly label: Label; readonly value: string } | undefined => {
  const [, name, value] =
    /^\s*([\p{L}][\p{L}\p{N} _'’&/()-]{0,48}?)\.?(?:\s*[::]\s*(?!\/\/)|\s+-\s+|\s*\.{3,}\s*)(\S.*)$/su.exec(text) ?? []
  if (name === undefined || value === undefined) return undefined
  const label = knownLabel(name)
  return label === undefined ? undefined : { label, value: value.trim() }
}
