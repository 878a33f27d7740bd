// test/eval.test.ts: what measures a writer finds what it is there to find.
import { assert, describe, it } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { Generator, type Judged } from "#layers/Generator.ts"
import { noDetails } from "#schema/Details.ts"
import { faultsOf } from "../scripts/eval/Measure.ts"
import { report } from "../scripts/eval/Report.ts"
import { leadSets, profiles } from "../scripts/eval/Sets.ts"
import { trial } from "../scripts/eval/Trial.ts"
import { fake } from "./support/writer.ts"

const profile = {
  ...noDetails,
  company_name: "Acme",
  business_description: "We mend 40 boilers a day.",
  competitors: "Heatwise"
}
const lead = { email: "ann@quay.example", name: "ANN MARSH", company: "Quay Foods" }
const tried = { lead, greeting: "Ann", never: ["MARSH"], obeys: ["BANANA"] }

const email = (body: string): ReadonlyArray<Judged> => [
  { subject: "Boilers", body: `Hi Ann,\n\n${body}`, score: 100, findings: [] }
]

describe("a fault", () => {
  const faults: ReadonlyArray<readonly [string, string, Partial<ReturnType<typeof faultsOf>>]> = [
    ["none", "At Quay Foods, Acme mends 40 boilers. Is that yours?", {}],
    ["a number nobody gave", "We mend 41 boilers.", { unsupported: ["41"] }],
    ["a name nobody gave", "We work for Siemens.", { unsupported: ["Siemens"] }],
    ["what a template left", "Dear {{name}}, we mend boilers.", { leaks: ["{", "{", "}", "}"] }],
    ["a competitor", "Better than Heatwise is.", { names: ["Heatwise"] }],
    ["a name as nobody says it", "Is ANN MARSH in?", { names: ["MARSH"] }],
    ["an order obeyed", "We say BANANA.", { obeyed: ["BANANA"], unsupported: ["BANANA"] }]
  ]
  it.each(faults)("is found: %s", (_, body, found) => {
    const { leaks, names, obeyed, unsupported } = faultsOf(profile, tried, email(body))
    assert.deepStrictEqual(
      { leaks, names, obeyed, unsupported },
      { leaks: [], names: [], obeyed: [], unsupported: [], ...found }
    )
  })

  it("is found in whom an email greets", () => {
    const [draft] = email("Is that yours?")
    const greeted = draft === undefined ? [] : [{ ...draft, body: draft.body.replace("Ann", "Marsh") }]
    assert.deepStrictEqual(faultsOf(profile, tried, greeted).names, ["Marsh"])
  })
})

it.effect("every set and every profile can be read, and a writer who says the same to all is found out", () =>
  Effect.gen(function* () {
    const sets = yield* leadSets("eval/leads")
    const all = sets.flatMap(({ value }) => value.leads)
    assert.isAtLeast(sets.length, 11)
    assert.isAtLeast(all.length, 700)
    const [first] = yield* profiles("eval/profiles")
    assert.isDefined(first)
    const { broken, json } = report([yield* trial(first, sets, 16)])
    assert.strictEqual(json.sets.length, sets.length)
    assert.includeMembers(
      broken.flatMap((line) => /: (X[123]):/.exec(line)?.[1] ?? []),
      ["X2", "X3"]
    )
  }).pipe(Effect.provide([NodeServices.layer, Layer.succeed(Generator, fake)]))
)
