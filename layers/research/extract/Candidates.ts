// layers/research/extract/Candidates.ts: sentences of a text that may answer what it does not say for sure, for a person to pick from.
import type { Field } from "#layers/research/extract/Notes.ts"
import type { Said } from "#layers/research/extract/Said.ts"
import type { Topic } from "#layers/research/extract/Topics.ts"
import { labelled } from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { isResult } from "#layers/research/extract/Results.ts"
import type { MissingField } from "#schema/Imports.ts"

interface Cue {
  readonly field: Field
  readonly words: RegExp
  readonly topics?: ReadonlyArray<Topic>
}

/** What emails are made of, the most important first. The cues order what is shown; they fill nothing. */
const cues: ReadonlyArray<Cue> = [
  { field: "company_name", words: /^(?:We are|We're|Welcome to|About) \p{Lu}|\b(?:founded|established) in\b/u },
  {
    field: "business_description",
    words:
      /\bwe (?:are|make|build|help|offer|provide|deliver|design|supply)\b|\bwir (?:sind|bauen|bieten)\b|\bnous (?:sommes|proposons)\b/i,
    topics: ["about"]
  },
  {
    field: "ideal_client_description",
    words:
      /\b(?:we (?:sell to|serve|work with|work for|help|supply|support)|our (?:customers|clients)|designed for|built for|made for|aimed at|ideal for|unsere kunden|nos clients)\b/i,
    topics: ["clients", "ideal"]
  },
  {
    field: "target_job_titles",
    words:
      /\b(?:buyers|decision[- ]makers|we (?:usually |mostly )?(?:talk to|deal with)|managers|directors|heads of|owners)\b/i,
    topics: ["buyers"]
  },
  {
    field: "pain_points",
    words: /\b(?:struggle|too often|tired of|lose|waste|nobody|problem|trouble)\b/i,
    topics: ["pains", "problems"]
  },
  {
    field: "problems_solved",
    words: /\b(?:the (?:problem|trouble)|solve|avoid|prevent|no more|without)\b/i,
    topics: ["problems", "pains"]
  },
  {
    field: "unique_differentiators",
    words:
      /\b(?:unlike|the only|where (?:the |other )|instead of|no one else|nobody else|different|in-house|within \d)\b/i,
    topics: ["differentiators"]
  },
  { field: "case_studies", words: /(?!)/, topics: ["cases"] },
  {
    field: "credibility_markers",
    words:
      /\b(?:ISO|certified|accredited|since (?:19|20)\d\d|award|member of|founded in|years of experience|zertifiziert|certifié)/i,
    topics: ["credibility"]
  },
  {
    field: "guarantee",
    words: /\b(?:guarantee|warranty|refund|money[- ]back|free if|no charge if|you pay nothing|or we|garantie)/i,
    topics: ["guarantee"]
  },
  {
    field: "lead_magnets",
    words: /\b(?:free|complimentary|no obligation|download|kostenlos|gratuit)/i,
    topics: ["magnets"]
  },
  {
    field: "core_products",
    words: /\b(?:costs?|price|per (?:month|hour|unit)|from (?:EUR|\$|£|€))/i,
    topics: ["products"]
  },
  {
    field: "competitors",
    words: /\b(?:unlike|competitors?|compete|alternatives?|compared (?:with|to))\b/i,
    topics: ["competitors"]
  },
  { field: "objections_and_responses", words: /\?\s*\S/, topics: ["objections", "faq"] },
  {
    field: "solution_triggers",
    words: /\b(?:when (?:you|a|your)|before (?:you|the)|after a|as soon as|time to)\b/i,
    topics: ["triggers"]
  },
  { field: "client_transformation", words: /\bfrom\b.{3,80}\bto\b|\binstead of\b/i, topics: ["transformation"] },
  {
    field: "industry_vertical",
    words:
      /\b(?:is|are) an? [\p{L} -]{3,60}(?:company|firm|agency|maker|manufacturer|laboratory|practice|studio|provider)\b/iu
  },
  { field: "city_region", words: /\b(?:based|located|headquartered|offices? in|in \p{Lu}\p{L}+, \p{Lu})/u },
  { field: "contact_name", words: /\b(?:contact|call|ask for|talk to|founder|owner|ansprechpartner)\b/i }
]

const mostCandidates = 3
const longest = 500

/** Fields that stayed empty, each with the sentences that may answer it. */
export const missingIn = (
  said: ReadonlyArray<Said>,
  isFound: (field: Field) => boolean
): ReadonlyArray<MissingField> => {
  const readable = said.filter(({ text }) => text.length >= 12 && text.length <= longest && isComplete(text))
  return cues.flatMap(({ field, topics = [], words }) => {
    if (isFound(field)) return []
    const score = ({ block, text }: Said) =>
      (words.test(text) ? 2 : 0) +
      (block.topic !== undefined && topics.includes(block.topic) ? 2 : 0) +
      (field === "case_studies" && isResult(text) ? 3 : 0)
    const scored = readable.flatMap((each) => {
      const points = labelled(each.text) === undefined ? score(each) : 0
      return points === 0 ? [] : [{ text: each.text, points }]
    })
    const best = scored.toSorted((a, b) => b.points - a.points).map(({ text }) => text)
    return [{ field, candidates: [...new Set(best)].slice(0, mostCandidates) }]
  })
}
