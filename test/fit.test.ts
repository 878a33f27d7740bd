// test/fit.test.ts: what the built-in writer makes of a pain point that a person typed, and of a lead outside of the audience.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { valuePropositions } from "#layers/generator/builtin/Options.ts"
import { draftPlaybook } from "#layers/generator/playbook/DraftPlaybook.ts"
import { type Brief, type Campaign, Generator, noChoices } from "#layers/Generator.ts"
import { noSegment } from "#schema/Audiences.ts"
import { type Details, noDetails } from "#schema/Details.ts"

const pains = "Unplanned stops; spare pumps cost as much as a car; manufacturers take three weeks for a rebuild."

const kestrel: Details = {
  ...noDetails,
  company_name: "Kestrel Pumps",
  target_job_titles: "Maintenance Manager, Plant Director",
  business_description: "We build and service industrial slurry pumps for mines and quarries.",
  pain_points: pains
}

const campaignOf = (profile: Details): Campaign => ({
  profile,
  audience: { ...noSegment, segment_name: "Mines in Poland", industry_vertical: "Mining" },
  ...noChoices
})

/** The campaign with each of the promises that are proposed for it. */
const campaigns = (profile: Details): ReadonlyArray<Campaign> =>
  valuePropositions(campaignOf(profile)).map((one) => ({
    ...campaignOf(profile),
    value_proposition: { items: [one], additional_details: null }
  }))

const profiles: Readonly<Record<string, Details>> = {
  "the pain points alone": kestrel,
  "a proof beside them": { ...kestrel, case_studies: ["Huta Wolbrom cut unplanned stops from 19 to 4 a year."] },
  "the last of them alone": { ...kestrel, pain_points: "Manufacturers take three weeks for a rebuild." },
  "the same as problems solved": { ...kestrel, pain_points: null, problems_solved: pains }
}

describe("the subject of a sentence in the pain points", () => {
  for (const [name, profile] of Object.entries(profiles)) {
    it(`is not taken for its topic: ${name}`, () => {
      const drafted = campaigns(profile)
      assert.isNotEmpty(drafted)
      for (const campaign of drafted) {
        const [promise] = campaign.value_proposition?.items ?? []
        assert.notMatch(promise?.name ?? "", /manufacturers under|under control/i)
        for (const { message, templates } of draftPlaybook(campaign)) {
          assert.notMatch(message.question ?? "", /manufacturer/i)
          for (const { body, subject } of templates) {
            assert.notMatch(subject, /manufacturer/i)
            assert.notMatch(body, /manufacturers under control|deals? with manufacturers|thought on manufacturers/i)
            // Text about manufacturers may only be in the words of the profile.
            const rest = body.replace(/manufacturers take three weeks for a rebuild/gi, "")
            assert.notMatch(rest, /manufacturer/i)
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

  it.effect("gets the emails of everyone else, without a score or a word of how well it fits", () =>
    Effect.gen(function* () {
      const writer = yield* Generator
      const [campaign = campaignOf(kestrel)] = campaigns(kestrel)
      const personas = draftPlaybook(campaign).map((persona, at) => ({
        ...persona,
        id: `p${at}`,
        templates: persona.templates.map((template, at) => ({ ...template, id: `t${at}` }))
      }))
      const everyone = personas.find(({ kind }) => kind === "everyone_else")?.id
      assert.isDefined(everyone)
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
          assert.strictEqual(email.persona_id, everyone, lead.title)
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
