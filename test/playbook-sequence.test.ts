// test/playbook-sequence.test.ts: which templates a lead's sequence is written from, and what is said when it cannot be.
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
    Array.from({ length: count }, (_, at) => template(id, Number(step), at + 1))
  )
})

const bookOf = (...personas: ReadonlyArray<PersonaSnapshot>): PlaybookSnapshot => ({
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

const whole = persona("everyone", { 1: 1, 2: 1, 3: 1, 4: 1 })

describe("a sequence from the playbook", () => {
  it("has the first steps and the closing one, numbered as they are sent", () => {
    const playbook = bookOf(whole)
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
    const written = write(bookOf(whole), 1)
    assert.deepStrictEqual(
      written,
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
  ] as const)("of a persona with the steps %j has %i emails at most: %j", (variants, count, steps) => {
    assert.deepStrictEqual(
      idsOf(bookOf(persona("everyone", variants)), count),
      steps.map((step, at) => [at + 1, `everyone-${step}-1`])
    )
  })

  it("comes from the persona that the title is routed to", () => {
    const playbook = bookOf(persona("support", { 1: 1 }), whole)
    assert.strictEqual(Result.getOrThrow(write(playbook, 1, { title: "support" })).persona_id, "support")
    assert.deepStrictEqual(idsOf(playbook, 1, { title: "support" }), [[1, "support-1-1"]])
    assert.deepStrictEqual(idsOf(playbook, 1, { title: "other" }), [[1, "everyone-1-1"]])
  })

  it("is routed by the title table of the product", () => {
    const support = { ...persona("support", { 1: 1 }), titles: ["Head of Customer Service"] }
    const written = (title: string) =>
      writeFromPlaybook({
        playbook: bookOf(support, whole),
        lead: { email: "ida@north.example", title },
        sender: { name: "Priya", title: "", company: null },
        email_count: 1,
        seed: "list 1 lead 1",
        route: routeTitle
      })
    assert.strictEqual(Result.getOrThrow(written("Customer Service Manager")).persona_id, "support")
    assert.strictEqual(Result.getOrThrow(written("Welder")).persona_id, "everyone")
  })

  it("uses the variants of a step equally often, each step on its own", () => {
    const playbook = bookOf(persona("everyone", { 1: 2, 4: 2 }))
    const counts = new Map<string, number>()
    for (let lead = 0; lead < 3000; lead++) {
      const ids = idsOf(playbook, 2, { seed: `01a202ee ${lead}` }).map(([, id]) => id)
      const both = ids.join(" ")
      counts.set(both, (counts.get(both) ?? 0) + 1)
    }
    assert.strictEqual(counts.size, 4)
    for (const count of counts.values()) assert.approximately(count, 750, 120)
  })

  it.prop(
    "gives a lead the same variants again, in whatever order the templates are",
    [Arbitrary.schema(Schema.String)],
    ([seed]) => {
      const forward = persona("everyone", { 1: 3, 2: 3, 4: 3 })
      const backward = { ...forward, templates: forward.templates.toReversed() }
      assert.deepStrictEqual(write(bookOf(forward), 3, { seed }), write(bookOf(backward), 3, { seed }))
    }
  )

  it("uses the variant that names what is known of the lead's company, whatever the seed", () => {
    const [first, second] = [template("everyone", 1, 1), template("everyone", 1, 2)]
    const templates = [
      { ...first, body: "A lemon packer had fewer bruises." },
      { ...second, body: "A pepper packer needs 13 people less." }
    ]
    const playbook = bookOf({ ...persona("everyone", {}), templates })
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
    const others = new Set(["a", "b", "c", "d", "e", "f"].map((seed) => variantOf("Steel", seed)))
    assert.deepStrictEqual([...others].toSorted(), [1, 2])
  })

  it("has the problem that a lead's title or columns name, and else the persona's own", () => {
    const problem = "Lifts stop at night"
    const templates = [
      { ...template("everyone", 1, 1), body: `We repair lifts.\n\n${problem}.` },
      { ...template("everyone", 1, 2), body: "We repair lifts.\n\nInspectors close the kitchen." }
    ]
    const playbook = bookOf({
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

  it("asks for the right person only where nothing ties the job to what is sold", () => {
    const templates = [
      { ...template("everyone", 1, 1), body: "We repair lifts in kitchens." },
      { ...template("everyone", 1, 2), body: `We repair lifts in kitchens.\n\n${rightPersonQuestion}` }
    ]
    const playbook = bookOf({ ...persona("everyone", {}), templates })
    const written = (title: string | null) =>
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
      assert.strictEqual(written(title).emails[0]?.variant, 2, title ?? "no title")
      assert.isTrue(written(title).asks_for_right_person)
    }
    for (const title of ["Lift Operator", "Head Chef", "CFO", "Buyer"]) {
      assert.strictEqual(written(title).emails[0]?.variant, 1, title)
      assert.isUndefined(written(title).asks_for_right_person)
    }
  })

  it("is refused for a persona without templates, or a playbook without personas", () => {
    assert.deepStrictEqual(
      write(bookOf(persona("everyone", {})), 3),
      Result.fail({ message: 'The persona "Persona everyone" has no templates.' })
    )
    assert.deepStrictEqual(write(bookOf(), 3), Result.fail({ message: "The playbook has no persona for this lead." }))
  })

  it("is refused by variable and step, without the lead's data, when a value is missing", () => {
    const broken = { ...template("everyone", 4, 2), body: "a {{ custom.news }}" }
    assert.deepStrictEqual(
      write(bookOf({ ...whole, templates: [template("everyone", 1, 1), broken] }), 2),
      Result.fail({
        message: 'Template step 4, variant 2, body: "custom.news" is missing and has no default (line 1, column 3).'
      })
    )
  })
})
