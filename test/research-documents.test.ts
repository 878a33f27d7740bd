// test/research-documents.test.ts: the built-in writer's documents have no repetitions, and ask for what the profile does not say.
import { assert, describe, it } from "@effect/vitest"
import { emailInstructions, knowledgeBase } from "#layers/generator/builtin/CampaignDocuments.ts"
import { companySummary, companySummaryInTurns } from "#layers/generator/builtin/CompanySummary.ts"
import { fieldOptionDrafts, valuePropositions, valuePropositionsInTurns } from "#layers/generator/builtin/Options.ts"
import { audienceResearch, audienceResearchInTurns, marketResearch } from "#layers/generator/builtin/Research.ts"
import { draftSegments } from "#layers/generator/builtin/Segments.ts"
import { type Campaign, noChoices } from "#layers/Generator.ts"
import { sentenceKey } from "#layers/text/Markdown.ts"
import { splitSentences } from "#layers/text/Sentences.ts"
import { allTexts } from "#layers/model/SourceFacts.ts"
import { noSegment, type Segment } from "#schema/Audiences.ts"
import { type Details, noDetails } from "#schema/Details.ts"
import hollowell from "./fixtures/hollowell.json" with { type: "json" }
import invented from "./fixtures/profiles.json" with { type: "json" }

const profiles: ReadonlyArray<readonly [string, Details]> = Object.entries({ hollowell, ...invented }).map(
  ([name, fields]) => [name, { ...noDetails, ...fields }]
)
const fullProfile: Details = { ...noDetails, ...hollowell }

/** The campaign with the first option of each step. */
const campaignOf = (profile: Details, audience: Segment): Campaign => {
  const first = (type: "social_proof" | "lead_magnet" | "risk_reversal") => ({
    items: fieldOptionDrafts(profile, type).slice(0, 1),
    additional_details: null
  })
  const withSelections = {
    ...noChoices,
    profile,
    audience,
    social_proof: first("social_proof"),
    lead_magnet: first("lead_magnet"),
    risk_reversal: first("risk_reversal")
  }
  return {
    ...withSelections,
    value_proposition: { items: valuePropositions(withSelections).slice(0, 1), additional_details: null }
  }
}

const documentsOf = (profile: Details) =>
  draftSegments(profile).map((audience) => {
    const campaign = campaignOf(profile, audience)
    return {
      summary: companySummary(profile),
      market: marketResearch(profile),
      audience: audienceResearch(profile, audience),
      instructions: emailInstructions(campaign),
      knowledge: knowledgeBase(campaign),
      campaign
    }
  })

const sentenceKeys = (value: unknown): ReadonlyArray<string> =>
  allTexts(value)
    .flatMap((text) => text.split(";"))
    .flatMap(splitSentences)
    .map(sentenceKey)
    // Shorter ones are names and titles, which documents have to repeat.
    .filter((key) => key.split(" ").length >= 4)

const occurrences = (document: string, key: string) => ` ${sentenceKey(document)} `.split(` ${key} `).length - 1

describe("documents without a model", () => {
  it.each(profiles)(
    "of %s contain a sentence of the profile in at most two documents, and once in each",
    (_, profile) => {
      // Names, titles and addresses are not sentences.
      const sentenceFields = {
        ...profile,
        business_address: null,
        company_name: null,
        target_job_titles: null,
        website_url: null
      }
      const names = new Set(draftSegments(profile).map(({ segment_name }) => sentenceKey(segment_name)))
      for (const { campaign, ...documents } of documentsOf(profile)) {
        const choices = new Set(
          sentenceKeys([
            campaign.social_proof,
            campaign.lead_magnet,
            campaign.risk_reversal,
            campaign.value_proposition
          ])
        )
        for (const key of new Set(sentenceKeys(sentenceFields))) {
          const counts = Object.values(documents).map((document) => occurrences(document, key))
          // Skips a sentence that is a part of a longer one, whose occurrences count for both.
          const isPartOfLonger = sentenceKeys(sentenceFields).some(
            (otherKey) => otherKey !== key && ` ${otherKey} `.includes(` ${key} `)
          )
          if (isPartOfLonger || names.has(key)) continue
          assert.isAtMost(Math.max(...counts), 1, key)
          const { instructions, knowledge, ...others } = documents
          const limitedDocuments = choices.has(key) ? others : { ...others, instructions, knowledge }
          assert.isAtMost(
            Object.values(limitedDocuments).filter((document) => occurrences(document, key) > 0).length,
            2,
            key
          )
        }
      }
    }
  )

  it.each(profiles)("of %s have no empty section, placeholder or repeated line", (_, profile) => {
    for (const { campaign: _campaign, ...documents } of documentsOf(profile))
      for (const [name, document] of Object.entries(documents)) {
        assert.notMatch(document, /undefined|null|NaN|\[object|\*\*:?\*\*|: *\.|,\s*$/m, name)
        const blocks = document.split("\n\n")
        for (const [index, block] of blocks.entries())
          if (index > 0 && block.startsWith("#")) assert.notMatch(blocks[index + 1] ?? "#", /^#/, `${name}: ${block}`)
        const lines = document.split("\n").filter((line) => /^(?:- |\d+\. )/.test(line))
        assert.deepStrictEqual(lines, [...new Set(lines)], name)
      }
  })

  it("include the whole profile only in the company summary", () => {
    const summary = ` ${sentenceKey(companySummary(fullProfile))} `
    for (const key of sentenceKeys({ ...fullProfile, contact_title: null })) assert.include(summary, ` ${key} `)
  })

  it("name the competitors that a complaint is about", () => {
    const market = marketResearch({ ...noDetails, ...invented.size })
    assert.include(market, "- **TillMatch:** TillMatch reads the till but not the bank")
    assert.include(market, "- **Spreadsheets:** Spreadsheets break when a site is added")
    assert.include(market, "No complaint about the accountant's junior is known.")
  })
})

describe("documents of a thin profile", () => {
  const thinProfile: Details = {
    ...noDetails,
    company_name: "Vrane",
    business_description: "We rebuild mud pumps for quarries."
  }

  it("ask at most five questions, and have no empty section", () => {
    const lines = marketResearch(thinProfile)
      .split("\n")
      .filter((line) => line.startsWith("- **"))
    assert.strictEqual(lines.length, 5)
    const campaign = { ...noChoices, profile: thinProfile, audience: noSegment }
    const instructions = emailInstructions(campaign)
    assert.notInclude(instructions, "## Offer")
    assert.notInclude(instructions, "one proof")
    assert.include(instructions, "- No result or credential, offer or guarantee: the profile has none.")
    assert.notInclude(knowledgeBase(campaign), "Questions are answered from")
  })
})

describe("documents", () => {
  it("state a company size of the description only once", () => {
    const ideal_client_description = "Engineering firms with 80 to 1,000 employees in Kent."
    const profile = { ...noDetails, ideal_client_description }
    const [audience = noSegment] = draftSegments(profile)
    assert.strictEqual(audienceResearch(profile, audience).split("80 to 1,000").length, 2)
  })

  it("do not mistake an outcome for a client", () => {
    const research = marketResearch({
      ...noDetails,
      case_studies: ["Breakage fell from 2 % to 1 %.", "Weir Mills cut its stops from 9 to 4."]
    })
    assert.include(research, "**Clients named in your results:** Weir Mills")
    assert.notInclude(research, "Breakage")
  })

  it("keep an answer with its objection, and split objections at a slash", () => {
    const summary = companySummary({
      ...noDetails,
      objections_and_responses:
        "Too expensive - we don't charge for repetitions. / Our dealer does it for free - yes and who is liable? usually you."
    })
    assert.include(
      summary,
      "- Too expensive - we don't charge for repetitions\n- Our dealer does it for free - yes and who is liable? usually you"
    )
  })

  it("show with a problem the result that has most in common with it", () => {
    const research = audienceResearch(
      {
        ...noDetails,
        pain_points: "The machine stands at the customer because the manual is missing.",
        case_studies: ["Acme printed one manual.", "A machine builder's manual now ships with the machine."]
      },
      noSegment
    )
    assert.include(research, "Proof: A machine builder's manual now ships with the machine.")
  })
})

const question = "## Questions that would change the emails"
const questionsOf = (document: string) => document.split(question)[1] ?? ""

/** A question of the market research, a profile that makes it ask, and the field that answers it. */
const marketQuestions: ReadonlyArray<readonly [string, Partial<Details>, Partial<Details>]> = [
  [
    "Your profile does not say what you sell",
    { business_description: null },
    { business_description: "We mend pumps." }
  ],
  [
    "Your profile names no problem of your clients",
    { pain_points: null, problems_solved: null },
    { pain_points: "Pumps stop." }
  ],
  ["no result of a client", { case_studies: null }, { case_studies: ["Weir Mills saved 40 hours a month."] }],
  [
    "no number in what you say of Weir Mills",
    { case_studies: ["Weir Mills has fewer stops."] },
    { case_studies: ["Weir Mills has four stops a year instead of nine."] }
  ],
  [
    "Your profile does not say what sets you apart",
    { unique_differentiators: null },
    { unique_differentiators: "We answer at night." }
  ],
  [
    "Any competitor says “reliable” and “high quality” too",
    { unique_differentiators: "Reliable, high quality pumps" },
    { unique_differentiators: "Pumps that run 9,000 hours" }
  ],
  [
    "does not say who your clients are",
    { ideal_client_description: null, business_description: "We mend pumps." },
    { ideal_client_description: "Mines" }
  ],
  ["Your profile names no alternative", { competitors: null }, { competitors: "Pumpwell" }],
  [
    "No complaint about Pumpwell",
    { competitors: "Pumpwell", competitor_frustrations: null },
    { competitor_frustrations: "Pumpwell answers in three weeks." }
  ],
  ["does not say when clients buy", { solution_triggers: null }, { solution_triggers: "A flood" }],
  [
    "No objection is answered",
    { objections_and_responses: null },
    { objections_and_responses: "Too dear: you rent it." }
  ],
  ["Nothing is named to give before a meeting", { lead_magnets: null }, { lead_magnets: ["A pump check"] }],
  ["No guarantee is stated", { guarantee: [] }, { guarantee: ["Money back."] }]
]

const segment: Segment = {
  ...noSegment,
  segment_name: "UK factories",
  company_size: "50 to 300 people",
  geographic_location: "United Kingdom",
  decision_makers: ["Maintenance Manager"]
}
/** A question of the audience research, a profile and segment that make it ask, and a pair that answers it. */
const audienceQuestions: ReadonlyArray<readonly [string, Details, Segment, Details, Segment]> = [
  [
    "not known who decides",
    { ...fullProfile, target_job_titles: null },
    { ...segment, decision_makers: [] },
    { ...fullProfile, target_job_titles: null },
    segment
  ],
  ["size is not stated", fullProfile, { ...segment, company_size: "" }, fullProfile, segment],
  ["region is not stated", fullProfile, { ...segment, geographic_location: "" }, fullProfile, segment],
  [
    "No problem mentions the work of Finance Director",
    { ...fullProfile, pain_points: "Machines break down.", problems_solved: null },
    { ...segment, decision_makers: ["Maintenance Manager", "Finance Director"] },
    { ...fullProfile, pain_points: "Machines break down. Invoices and budgets are late.", problems_solved: null },
    { ...segment, decision_makers: ["Maintenance Manager", "Finance Director"] }
  ],
  [
    "Problem 1 has no result behind it",
    { ...fullProfile, pain_points: "Machines break down at night.", problems_solved: null },
    segment,
    {
      ...fullProfile,
      pain_points: "Machines break down at night.",
      problems_solved: null,
      case_studies: ["Weir Mills runs 40 machines without a stop."]
    },
    segment
  ],
  [
    "names 3 kinds of clients and says the same of all",
    { ...fullProfile, ideal_client_description: "- UK factories\n- Bakeries\n- Foundries" },
    segment,
    { ...fullProfile, ideal_client_description: "UK factories" },
    segment
  ]
]

describe("a question", () => {
  it.each(marketQuestions)(
    "of the market research, %s, is asked until the profile answers it",
    (text, missing, answer) => {
      assert.include(questionsOf(marketResearch({ ...fullProfile, ...missing })), text)
      assert.notInclude(questionsOf(marketResearch({ ...fullProfile, ...missing, ...answer })), text)
    }
  )

  it.each(audienceQuestions)(
    "of the audience research, %s, is asked until the profile or segment answers it",
    (text, profile, askedSegment, answeredProfile, answeredSegment) => {
      assert.include(questionsOf(audienceResearch(profile, askedSegment)), text)
      assert.notInclude(questionsOf(audienceResearch(answeredProfile, answeredSegment)), text)
    }
  )

  it("says what its answer would change, and is not asked if the profile answers it", () => {
    for (const [, profile] of profiles)
      for (const line of questionsOf(marketResearch(profile))
        .split("\n")
        .filter((line) => line.startsWith("- ")))
        assert.match(line, /^- \*\*[^*]+\.\*\* [^?]+\? \p{Lu}.+\.$/u)
    const kilnResearch = marketResearch({ ...noDetails, ...invented.kiln })
    assert.strictEqual(
      questionsOf(kilnResearch).trim(),
      "The profile answers all of the questions that this page asks."
    )
  })
})

describe("audience research", () => {
  it("shows with each problem the decision maker and the result that proves it, and omits unrelated problems", () => {
    const research = audienceResearch(fullProfile, {
      ...segment,
      decision_makers: ["Maintenance Manager", "Head of Energy"]
    })
    assert.match(
      research,
      /^\d\. \*\*Most plants lose a quarter [^*]+\.\*\* Concerns Maintenance Manager\. Proof: Millbrook Bakery /m
    )
    assert.match(
      research,
      /^\d\. \*\*Leak surveys end up as spreadsheets[^*]+\.\*\*.* No result of a client is about it\.$/m
    )
    const pain_points = "Leak surveys end up as spreadsheets nobody acts on. Visitors lose their badges."
    const unrelated = audienceResearch({ ...fullProfile, pain_points, problems_solved: null }, segment)
    assert.include(unrelated, "1. **Leak surveys end up")
    assert.notInclude(unrelated, "badges")
    // Names the offer that is about a problem, not the other one.
    assert.match(research, /A one-page table of what air leaks cost [^\n]*\(nearest to problem \d\)/)
    assert.notInclude(research, "A free half-hour look")
    assert.notInclude(research, "640 sites surveyed")
  })
})

it("documents and value propositions of a long profile are written in turns, between which requests are answered", () => {
  const [segment = noSegment] = draftSegments(fullProfile)
  assert.isAtLeast([...companySummaryInTurns(fullProfile)].length, 10)
  assert.isAtLeast([...audienceResearchInTurns(fullProfile, segment)].length, 3)
  assert.isAtLeast([...valuePropositionsInTurns(campaignOf(fullProfile, segment))].length, 3)
})

it("a market document of hundreds of complaints and competitors has the first 60 of each", () => {
  const names = Array.from({ length: 200 }, (_, i) => `Rivalco${i}x`)
  const market = marketResearch({
    ...noDetails,
    competitors: names.join("\n"),
    competitor_frustrations: names.map((name) => `${name} answers late and charges for each call.`).join("\n")
  })
  assert.include(market, "Rivalco59x")
  assert.notInclude(market, "Rivalco60x")
})
