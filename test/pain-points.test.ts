// test/pain-points.test.ts: drafts from typed pain points, and emails for leads outside the target audience.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { valuePropositions } from "#layers/generator/builtin/Options.ts"
import { draftPlaybook } from "#layers/generator/playbook/DraftPlaybook.ts"
import { type Brief, type Campaign, Generator, noChoices } from "#layers/Generator.ts"
import { noSegment } from "#schema/Audiences.ts"
import { type Details, noDetails } from "#schema/Details.ts"

const painPoints = "Unplanned stops; spare pumps cost as much as a car; manufacturers take three weeks for a rebuild."

const pumpCompany: Details = {
  ...noDetails,
  company_name: "Kestrel Pumps",
  target_job_titles: "Maintenance Manager, Plant Director",
  business_description: "We build and service industrial slurry pumps for mines and quarries.",
  pain_points: painPoints
}

const campaignOf = (profile: Details): Campaign => ({
  profile,
  audience: { ...noSegment, segment_name: "Mines in Poland", industry_vertical: "Mining" },
  ...noChoices
})

/** One campaign for each of its proposed value propositions. */
const campaigns = (profile: Details): ReadonlyArray<Campaign> =>
  valuePropositions(campaignOf(profile)).map((proposition) => ({
    ...campaignOf(profile),
    value_proposition: { items: [proposition], additional_details: null }
  }))

const profiles: Readonly<Record<string, Details>> = {
  "the pain points alone": pumpCompany,
  "a proof beside them": { ...pumpCompany, case_studies: ["Huta Wolbrom cut unplanned stops from 19 to 4 a year."] },
  "the last of them alone": { ...pumpCompany, pain_points: "Manufacturers take three weeks for a rebuild." },
  "the same as problems solved": { ...pumpCompany, pain_points: null, problems_solved: painPoints }
}

describe("the subject of a sentence in the pain points", () => {
  for (const [name, profile] of Object.entries(profiles)) {
    it(`is not used as its topic: ${name}`, () => {
      const proposedCampaigns = campaigns(profile)
      assert.isNotEmpty(proposedCampaigns)
      for (const campaign of proposedCampaigns) {
        const [promise] = campaign.value_proposition?.items ?? []
        assert.notMatch(promise?.name ?? "", /manufacturers under|under control/i)
        for (const { message, templates } of draftPlaybook(campaign)) {
          assert.notMatch(message.question ?? "", /manufacturer/i)
          for (const { body, subject } of templates) {
            assert.notMatch(subject, /manufacturer/i)
            assert.notMatch(body, /manufacturers under control|deals? with manufacturers|thought on manufacturers/i)
            // Manufacturers may be mentioned only in the profile's own sentence.
            const otherText = body.replace(/manufacturers take three weeks for a rebuild/gi, "")
            assert.notMatch(otherText, /manufacturer/i)
          }
        }
      }
    })
  }
})

describe("a lead outside of the audience", () => {
  const leads = [
    {
      email: "sanne@kleurhof.example",
      name: "Sanne de Vries",
      title: "Head of Logistics",
      company: "Kleurhof Tuinmeubelen B.V."
    },
    { email: "bo@freight.example", name: "Bo Lind", title: "Freight Manager", company: "Lind Cargo" },
    { email: "ida@north.example", name: "Ida Moor", title: "CFO", company: "North Retail" }
  ]

  it.effect("gets the emails for everyone else, without a score or a claim of fit", () =>
    Effect.gen(function* () {
      const writer = yield* Generator
      const [campaign = campaignOf(pumpCompany)] = campaigns(pumpCompany)
      const personas = draftPlaybook(campaign).map((persona, index) => ({
        ...persona,
        id: `p${index}`,
        templates: persona.templates.map((template, index) => ({ ...template, id: `t${index}` }))
      }))
      const everyoneElseId = personas.find(({ kind }) => kind === "everyone_else")?.id
      assert.isDefined(everyoneElseId)
      const brief: Omit<Brief, "lead"> = {
        campaign,
        instructions: "",
        playbook: { version: 1, never_say: [], personalization: "template", personas },
        email_count: 3,
        additional_details: null,
        facts: [],
        approved_ctas: ["Question CTA"],
        seed: "a"
      }
      for (const lead of leads) {
        for (const email of yield* writer.sequence({ ...brief, lead })) {
          assert.strictEqual(email.persona_id, everyoneElseId, lead.title)
          assert.isNull(email.score)
          assert.notMatch(
            email.body,
            /\b(?:perfect|ideal|great|good) (?:fit|match)|like yours|mines? like|in your mine/i
          )
          assert.notMatch(email.body, /\bas (?:an?|the) (?:head of logistics|freight manager|cfo)\b/i)
        }
      }
    }).pipe(Effect.provide(Generator.layerBuiltin))
  )
})
