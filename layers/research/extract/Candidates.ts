// layers/research/extract/Candidates.ts: sentences of a text that may answer what it does not say for sure, for a person to pick from.
import type { Said } from "#layers/research/extract/Said.ts"
import type { Topic } from "#layers/research/extract/Topics.ts"
import { isOfOthers } from "#layers/research/extract/Blocks.ts"
import { type Field, labelled } from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { isResult, namesClient } from "#layers/research/extract/Results.ts"
import type { MissingField } from "#schema/Imports.ts"

/** A field, the words of sentences that may answer it, and the headings under which they stand. */
type Cue = readonly [field: Field, words: RegExp, ...topics: ReadonlyArray<Topic>]

/** What emails are made of, the most important first. The cues order what is shown; they fill nothing. */
const cues: ReadonlyArray<Cue> = [
  ["company_name", /^(?:We are|We're|Welcome to|About) \p{Lu}|\b(?:founded|established) in\b/u],
  [
    "business_description",
    /\bwe (?:are|make|build|help|offer|provide|deliver|design|supply|rent|sell)\b|\bwir (?:sind|bauen|bieten)\b|\bnous (?:sommes|proposons)\b/i,
    "about"
  ],
  [
    "ideal_client_description",
    /\b(?:we (?:sell to|serve|work with|work for|help|supply|support)|(?:our )?(?:customers|clients) (?:are|is|=|include)|^customers\b|(?:typical|best|usual) (?:customer|client)|designed for|built for|made for|aimed at|ideal for|unsere kunden|nos clients|we do not (?:serve|take|work (?:for|with)))\b|\b(?:customers|clients|groups|companies|firms|teams|sites|makers|manufacturers)\b.*\b(?:with|between|from) \d/i,
    "clients",
    "ideal"
  ],
  [
    "target_job_titles",
    /\b(?:buyers?|decision[- ]makers|the (?:user|person who)|typical customer|who decides|we (?:usually |mostly )?(?:talk to|deal with)|managers|directors|heads of|owners)\b/i,
    "buyers"
  ],
  ["pain_points", /\b(?:struggle|too often|tired of|lose|waste|problem|trouble)\b/i, "pains", "problems"],
  ["problems_solved", /\b(?:the (?:problem|trouble)|solve|avoid|prevent|no more)\b/i, "problems", "pains"],
  [
    "unique_differentiators",
    /\b(?:unlike|the only|where (?:the |other )|instead of|no one else|nobody else|different|in-house)\b/i,
    "differentiators"
  ],
  [
    "case_studies",
    /\b(?:from|fell|rose|went) .*\d.* to \d|\d ?(?:%|per ?cent|percent) (?:fewer|less|more|lower)/i,
    "cases"
  ],
  [
    "credibility_markers",
    /\b(?:ISO|certified|accredited|since (?:19|20)\d\d|award|member of|founded in|years of experience|zertifiziert|certifié)|\b(?:approved|registered|insured|we employ)\b|\d[\d,.]* (?:employees|people|staff|customers|clients|sites|Mitarbeiter|salariés|Kunden)\b/i,
    "credibility"
  ],
  [
    "guarantee",
    /\b(?:guarantee|warranty|refund|money[- ]back|free if|no charge if|you pay nothing|(?:again|back) free|garantie|we (?:replace|correct|come back|repeat|redo)\b.*\b(?:free|no (?:extra )?c(?:harge|ost)|nothing)|ersetzen wir|kostenlos ersetzt|rembours\p{L}*)|^if we\b.*\b(?:free|refund|nothing|no charge|half|back)\b/iu,
    "guarantee"
  ],
  [
    "lead_magnets",
    /^(?!If\b).*\b(?:free|complimentary|no obligation|download|checklist|trial|kostenlose?|gratuit\w*|offerte?)\b(?! of\b)/i,
    "magnets"
  ],
  ["core_products", /\b(?:costs?|prices?|per (?:month|hour|unit))\b|[$€£] ?\d|\d ?(?:€|EUR|euros?)/i, "products"],
  [
    "competitors",
    /\b(?:[Uu]nlike|[Cc]ompetitors?|compete|competition|compared (?:with|to)|(?:than|against|instead of|dearer than|cheaper than|switched from) \p{Lu})/u,
    "competitors"
  ],
  [
    "objections_and_responses",
    /\b(?:too expensive|dearer|too dear|is (?:cheaper|dearer)|zu teuer|trop cher)\b/i,
    "objections"
  ],
  ["solution_triggers", /\b(?:when (?:you|a|your)|before you|after a|as soon as|time to)\b/i, "triggers"],
  ["client_transformation", /\bfrom \d.{3,80}\bto \d|\binstead of\b/i, "transformation"],
  [
    "industry_vertical",
    /\b(?:is|are) an? [\p{L} -]{3,60}(?:company|firm|agency|maker|manufacturer|laboratory|practice|studio|provider)\b/iu
  ],
  ["city_region", /\b(?:based|located|headquartered|offices? in|in \p{Lu}\p{L}+, \p{Lu})/u],
  ["contact_name", /\b(?:[Cc]ontact|[Cc]all|[Aa]sk for|[Tt]alk to|founder|owner|[Aa]nsprechpartner)\b.*\p{Lu}\p{Ll}/u]
]

const mostCandidates = 3
const longest = 400

/** A whole sentence, or a point or line of several words; a question, a remark in brackets and a quoted mail answer nothing. */
const isAnswer = ({ block, text }: Said) =>
  text.length <= longest &&
  block.topic !== "others" &&
  labelled(text) === undefined &&
  isComplete(text) &&
  !/[.!?]:/.test(text) &&
  /^["“„«]?[\p{L}\d]/u.test(text) &&
  !/\?["”]?$|^[^"“„«].*["“„«]|^contact us|\[\[/i.test(text) &&
  (/[.!]["”»)]?$/.test(text) || text.split(" ").length > (block.kind === "point" ? 3 : 4))

/** Fields that stayed empty, each with the sentences that may answer it. */
export const missingIn = (
  said: ReadonlyArray<Said>,
  isFound: (field: Field) => boolean
): ReadonlyArray<MissingField> => {
  const readable = said.filter(isAnswer)
  return cues.flatMap(([field, words, ...topics]) => {
    if (isFound(field)) return []
    const ofOwn = field !== "case_studies" && field !== "competitors" && field !== "client_transformation"
    const scored = readable.flatMap(({ block, text }) => {
      if (ofOwn && isOfOthers(block)) return []
      const points =
        (words.test(text) ? 2 : 0) +
        (block.topic !== undefined && topics.includes(block.topic) ? 2 : 0) +
        (field === "case_studies" && isResult(text) ? (namesClient(text) ? 3 : 1) : 0)
      return points === 0 ? [] : [{ text, points }]
    })
    const best = scored.toSorted((a, b) => b.points - a.points).map(({ text }) => text)
    return [{ field, candidates: [...new Set(best)].slice(0, mostCandidates) }]
  })
}
