// test/provenance.test.ts: what the sentences of an email stand on.
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Builtin from "#layers/generator/Builtin.ts"
import { provenance } from "#layers/generator/Provenance.ts"
import { type Brief, Generator } from "#layers/Generator.ts"
import { noDetails } from "#schema/Details.ts"
import { undescribed } from "./support/audiences.ts"

const brief: Brief = {
  campaign: {
    profile: {
      ...noDetails,
      company_name: "Tidewell",
      business_description: "We service and repair boilers for hotels.",
      pain_points: "Repair bills arrive months late",
      case_studies: ["Hotel Marine cut breakdowns from 9 to 2 a year.", "The Grand Pier cut breakdowns from 8 to 1."]
    },
    audience: undescribed,
    social_proof: {
      items: [{ name: "Marine", description: "Hotel Marine cut breakdowns from 9 to 2 a year." }],
      additional_details: null
    },
    lead_magnet: null,
    risk_reversal: null,
    value_proposition: null
  },
  instructions: "",
  lead: { email: "ann@quay.example", name: "Ann", title: "Operations Manager", company: "Quay Hotels" },
  facts: [
    { statement: "We run four hotels on the Welsh coast.", source_url: "https://quay.example/", found_at: "2026-01-02" }
  ],
  email_count: 3,
  additional_details: "We will be at the Hotel Fair in Leeds in March.",
  approved_ctas: ["Question CTA"],
  seed: "a:1"
}

it("names the field, the step, the remark or the page, and leaves out what only the wording says", () => {
  const body = [
    "Hi Ann,",
    "You're running four hotels on the Welsh coast. When repair bills arrive months late, you lose the day.",
    "We service and repair boilers for hotels. Hotel Marine cut breakdowns from 9 to 2 a year.",
    "We'll be at the Hotel Fair in Leeds. Is that something you see?"
  ].join("\n\n")
  assert.deepStrictEqual(provenance(brief)({ body }), [
    {
      sentence: "You're running four hotels on the Welsh coast.",
      sources: [{ from: "research", at: "https://quay.example/" }]
    },
    {
      sentence: "When repair bills arrive months late, you lose the day.",
      sources: [{ from: "profile", at: "pain_points" }]
    },
    {
      sentence: "We service and repair boilers for hotels.",
      sources: [{ from: "profile", at: "business_description" }]
    },
    {
      sentence: "Hotel Marine cut breakdowns from 9 to 2 a year.",
      sources: [
        { from: "campaign", at: "social_proof" },
        { from: "profile", at: "case_studies" }
      ]
    },
    { sentence: "We'll be at the Hotel Fair in Leeds.", sources: [{ from: "remark", at: "additional_details" }] }
  ])
})

it("rests no figure on a text that has another", () => {
  const body = "Hi Ann,\n\nHotel Marine cut breakdowns from 9 to 3 a year."
  assert.deepStrictEqual(provenance(brief)({ body }), [])
})

layer(Builtin.layer)("the built-in writer", (it) => {
  it.effect("says nothing with a figure that rests on nothing", () =>
    Effect.gen(function* () {
      const { sequence } = yield* Generator
      let figures = 0
      for (let seed = 0; seed < 50; seed++) {
        for (const { body } of yield* sequence({ ...brief, seed: `p:${seed}` })) {
          const grounded = new Set(provenance(brief)({ body }).map(({ sentence }) => sentence))
          for (const sentence of body.split(/(?<=[.?])\s+/)) {
            if (!/\d/.test(sentence)) continue
            figures++
            assert.isTrue(grounded.has(sentence), sentence)
          }
        }
      }
      assert.isAbove(figures, 0)
    })
  )
})
