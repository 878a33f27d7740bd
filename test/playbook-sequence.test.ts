// test/playbook-sequence.test.ts: which templates of the playbook a lead's sequence is filled in from, and the errors when that fails.
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import type {
  PlaybookSnapshot,
  PersonaSnapshot,
  TemplateSnapshot
} from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { routePersona as routeTitle } from "#layers/generator/routing/RoutePersona.ts"
import { type RouteTitle, writeFromPlaybook } from "#layers/generator/playbook/PlaybookSequence.ts"
import { rightPersonQuestion } from "#layers/generator/playbook/Frames.ts"
import type { Lead } from "#schema/Lead.ts"
import { noMessage } from "#schema/Playbook.ts"

const template = (persona: string, step: number, variant: number): TemplateSnapshot => ({
  id: `${persona}-${step}-${variant}`,
  step,
  variant,
  subject: `Step ${step}{% if company %} at {{ company }}{% endif %}`,
  body: `{% if first_name %}Hi {{ first_name }},{% else %}Hello,{% endif %}\n\n${persona} ${step} ${variant}`
})

const persona = (id: string, variants: Readonly<Record<number, number>>): PersonaSnapshot => ({
  id,
  name: `Persona ${id}`,
  kind: id === "everyone" ? "everyone_else" : "role",
  titles: [],
  message: noMessage,
  templates: Object.entries(variants).flatMap(([step, count]) =>
    Array.from({ length: count }, (_, index) => template(id, Number(step), index + 1))
  )
})

const playbookOf = (...personas: ReadonlyArray<PersonaSnapshot>): PlaybookSnapshot => ({
  version: 3,
  never_say: [],
  personalization: "template",
  personas
})

const route: RouteTitle = (title, personas) => ({
  persona_id: personas.find(({ id }) => id === title)?.id ?? personas.at(-1)?.id ?? "",
  department: null,
  seniority: null,
  reasons: []
})

const write = (
  playbook: PlaybookSnapshot,
  email_count: number,
  more: { readonly title?: string; readonly seed?: string } = {}
) =>
  writeFromPlaybook({
    playbook,
    lead: { email: "ida@north.example", name: "IDA MOREAU", company: "North Quarry Ltd", title: more.title ?? null },
    sender: { name: "Priya", title: "", company: null },
    email_count,
    seed: more.seed ?? "list 1 lead 1",
    route
  })

const idsOf = (playbook: PlaybookSnapshot, email_count: number, more = {}) =>
  Result.getOrThrow(write(playbook, email_count, more)).emails.map(({ step, template_id }) => [step, template_id])

const everyonePersona = persona("everyone", { 1: 1, 2: 1, 3: 1, 4: 1 })

describe("a sequence from the playbook", () => {
  it("has the first steps and the closing step, numbered from 1", () => {
    const playbook = playbookOf(everyonePersona)
    assert.deepStrictEqual(idsOf(playbook, 1), [[1, "everyone-1-1"]])
    assert.deepStrictEqual(idsOf(playbook, 2), [
      [1, "everyone-1-1"],
      [2, "everyone-4-1"]
    ])
    assert.deepStrictEqual(idsOf(playbook, 3), [
      [1, "everyone-1-1"],
      [2, "everyone-2-1"],
      [3, "everyone-4-1"]
    ])
    assert.deepStrictEqual(
      idsOf(playbook, 4).map(([, id]) => id),
      ["everyone-1-1", "everyone-2-1", "everyone-3-1", "everyone-4-1"]
    )
  })

  it("is filled in for the lead", () => {
    const result = write(playbookOf(everyonePersona), 1)
    assert.deepStrictEqual(
      result,
      Result.succeed({
        persona_id: "everyone",
        emails: [
          {
            step: 1,
            template_id: "everyone-1-1",
            variant: 1,
            subject: "Step 1 at North Quarry",
            body: "Hi Ida,\n\neveryone 1 1"
          }
        ]
      })
    )
  })

  it.each([
    [{ 2: 1, 3: 1 }, 3, [2, 3]],
    [{ 1: 1, 2: 1, 3: 1 }, 3, [1, 2, 3]],
    [{ 1: 1, 3: 1, 4: 1 }, 3, [1, 3, 4]],
    [{ 4: 1 }, 1, [4]],
    [{ 3: 1, 4: 1 }, 1, [3]],
    [{ 1: 1 }, 4, [1]]
  ] as const)("of a persona with the templates %j, for %i emails, has the steps %j", (variants, count, steps) => {
    assert.deepStrictEqual(
      idsOf(playbookOf(persona("everyone", variants)), count),
      steps.map((step, index) => [index + 1, `everyone-${step}-1`])
    )
  })

  it("uses the persona that the job title is routed to", () => {
    const playbook = playbookOf(persona("support", { 1: 1 }), everyonePersona)
    assert.strictEqual(Result.getOrThrow(write(playbook, 1, { title: "support" })).persona_id, "support")
    assert.deepStrictEqual(idsOf(playbook, 1, { title: "support" }), [[1, "support-1-1"]])
    assert.deepStrictEqual(idsOf(playbook, 1, { title: "other" }), [[1, "everyone-1-1"]])
  })

  it("routes job titles with the built-in rules", () => {
    const support = { ...persona("support", { 1: 1 }), titles: ["Head of Customer Service"] }
    const writeForTitle = (title: string) =>
      writeFromPlaybook({
        playbook: playbookOf(support, everyonePersona),
        lead: { email: "ida@north.example", title },
        sender: { name: "Priya", title: "", company: null },
        email_count: 1,
        seed: "list 1 lead 1",
        route: routeTitle
      })
    assert.strictEqual(Result.getOrThrow(writeForTitle("Customer Service Manager")).persona_id, "support")
    assert.strictEqual(Result.getOrThrow(writeForTitle("Welder")).persona_id, "everyone")
  })

  it("uses the variants of a step equally often, independently of other steps", () => {
    const playbook = playbookOf(persona("everyone", { 1: 2, 4: 2 }))
    const counts = new Map<string, number>()
    for (let lead = 0; lead < 3000; lead++) {
      const ids = idsOf(playbook, 2, { seed: `01a202ee ${lead}` }).map(([, id]) => id)
      const variants = ids.join(" ")
      counts.set(variants, (counts.get(variants) ?? 0) + 1)
    }
    assert.strictEqual(counts.size, 4)
    for (const count of counts.values()) assert.approximately(count, 750, 120)
  })

  it.prop(
    "has the same variants for the same seed, in any order of the templates",
    [Arbitrary.schema(Schema.String)],
    ([seed]) => {
      const forward = persona("everyone", { 1: 3, 2: 3, 4: 3 })
      const backward = { ...forward, templates: forward.templates.toReversed() }
      assert.deepStrictEqual(write(playbookOf(forward), 3, { seed }), write(playbookOf(backward), 3, { seed }))
    }
  )

  it("uses the variant that mentions the lead's industry, for any seed", () => {
    const [first, second] = [template("everyone", 1, 1), template("everyone", 1, 2)]
    const templates = [
      { ...first, body: "A lemon packer had fewer bruises." },
      { ...second, body: "A pepper packer needs 13 people less." }
    ]
    const playbook = playbookOf({ ...persona("everyone", {}), templates })
    const variantOf = (industry: string, seed: string) =>
      Result.getOrThrow(
        writeFromPlaybook({
          playbook,
          lead: { email: "ida@north.example", custom_fields: { industry, staff: 12 } },
          sender: { name: "Priya", title: "", company: null },
          email_count: 1,
          seed,
          route
        })
      ).emails[0]?.variant
    for (const seed of ["a", "b", "c", "d", "e"]) {
      assert.strictEqual(variantOf("Peppers and tomatoes", seed), 2)
      assert.strictEqual(variantOf("Lemons", seed), 1)
    }
    const otherVariants = new Set(["a", "b", "c", "d", "e", "f"].map((seed) => variantOf("Steel", seed)))
    assert.deepStrictEqual([...otherVariants].toSorted(), [1, 2])
  })

  it("uses the variant whose problem the lead's title or columns mention, else the one with the persona's problem", () => {
    const problem = "Lifts stop at night"
    const templates = [
      { ...template("everyone", 1, 1), body: `We repair lifts.\n\n${problem}.` },
      { ...template("everyone", 1, 2), body: "We repair lifts.\n\nInspectors close the kitchen." }
    ]
    const playbook = playbookOf({
      ...persona("role", {}),
      message: { ...noMessage, problem },
      templates
    })
    const variantOf = (lead: Partial<Lead>, seed: string) =>
      Result.getOrThrow(
        writeFromPlaybook({
          playbook,
          lead: { email: "ida@north.example", ...lead },
          sender: { name: "Priya", title: "", company: null },
          email_count: 1,
          seed,
          route
        })
      ).emails[0]?.variant
    for (const seed of ["a", "b", "c", "d"]) {
      assert.strictEqual(variantOf({}, seed), 1)
      assert.strictEqual(variantOf({ title: "Lift Manager" }, seed), 1)
      assert.strictEqual(variantOf({ custom_fields: { event: "Inspector came in May" } }, seed), 2)
      assert.strictEqual(variantOf({ title: "Kitchen Manager" }, seed), 2)
    }
  })

  it("asks for the right person only if the job title has nothing to do with the offer", () => {
    const templates = [
      { ...template("everyone", 1, 1), body: "We repair lifts in kitchens." },
      { ...template("everyone", 1, 2), body: `We repair lifts in kitchens.\n\n${rightPersonQuestion}` }
    ]
    const playbook = playbookOf({ ...persona("everyone", {}), templates })
    const writeForTitle = (title: string | null) =>
      Result.getOrThrow(
        writeFromPlaybook({
          playbook,
          lead: { email: "ida@north.example", title },
          sender: { name: "Priya", title: "", company: null },
          email_count: 1,
          seed: "a",
          route: routeTitle
        })
      )
    for (const title of ["Podcast Host", "Greenkeeper", null]) {
      assert.strictEqual(writeForTitle(title).emails[0]?.variant, 2, title ?? "no title")
      assert.isTrue(writeForTitle(title).asks_for_right_person)
    }
    for (const title of ["Lift Operator", "Head Chef", "CFO", "Buyer"]) {
      assert.strictEqual(writeForTitle(title).emails[0]?.variant, 1, title)
      assert.isUndefined(writeForTitle(title).asks_for_right_person)
    }
  })

  it("fails for a persona without templates, and for a playbook without personas", () => {
    assert.deepStrictEqual(
      write(playbookOf(persona("everyone", {})), 3),
      Result.fail({ message: 'The persona "Persona everyone" has no templates.' })
    )
    assert.deepStrictEqual(
      write(playbookOf(), 3),
      Result.fail({ message: "The playbook has no persona for this lead." })
    )
  })

  it("fails if a value is missing, with the variable and the step but no data of the lead", () => {
    const missingValue = { ...template("everyone", 4, 2), body: "a {{ custom.news }}" }
    assert.deepStrictEqual(
      write(playbookOf({ ...everyonePersona, templates: [template("everyone", 1, 1), missingValue] }), 2),
      Result.fail({
        message: 'Template step 4, variant 2, body: "custom.news" is missing and has no default (line 1, column 3).'
      })
    )
  })
})
