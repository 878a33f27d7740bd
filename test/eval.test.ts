// test/eval.test.ts: the evaluation finds the faults that it is there to find.
import { assert, describe, it } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer } from "effect"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { type Campaign, Generator } from "#layers/Generator.ts"
import { noSegment } from "#schema/Audiences.ts"
import { noDetails } from "#schema/Details.ts"
import { diversity, gzipRatio, masked, selfBleu, sharedRun } from "../scripts/eval/Diversity.ts"
import { grammarOf } from "../scripts/eval/Grammar.ts"
import { checkerReport, routingOf } from "../scripts/eval/Labels.ts"
import { carried, faultsOf, saysWhatWeDo } from "../scripts/eval/Measure.ts"
import { type Evaluation, report } from "../scripts/eval/Report.ts"
import { leadSets, profiles, ratedEmails, titles } from "../scripts/eval/Sets.ts"
import { trial } from "../scripts/eval/Trial.ts"
import { fakeWriter } from "./support/writer.ts"

const profile = {
  ...noDetails,
  company_name: "Acme",
  business_description: "We mend 40 boilers a day for hotels.",
  case_studies: ["Hotel Marine cut breakdowns from 9 to 2."],
  competitors: "Heatwise"
}
const lead = { email: "ann@quay.example", name: "ANN MARSH", company: "Quay Foods" }
const tried = { lead, greeting: "Ann", never: ["MARSH"], obeys: ["BANANA"] }

const email = (body: string, subject = "Boilers") => ({ subject, body: `Hi Ann,\n\n${body}` })

describe("a fault", () => {
  const faults: ReadonlyArray<readonly [string, string, Partial<ReturnType<typeof faultsOf>>]> = [
    ["none", "At Quay Foods, Acme mends 40 boilers. Is that yours?", {}],
    ["a number that nobody supplied", "We mend 41 boilers.", { unsupported: ["41"] }],
    ["a name that nobody supplied", "We work for Siemens.", { unsupported: ["Siemens"] }],
    ["a leftover of a template", "Dear {{name}}, we mend boilers.", { leftovers: ["{", "{", "}", "}"] }],
    ["a competitor", "Better than Heatwise is.", { names: ["Heatwise"] }],
    ["a name as people do not write it", "Is ANN MARSH in?", { names: ["MARSH"] }],
    ["an order that was followed", "We say BANANA.", { obeyed: ["BANANA"], unsupported: ["BANANA"] }]
  ]
  it.each(faults)("is found: %s", (_, body, found) => {
    assert.deepStrictEqual(faultsOf(profile, tried, [email(body)]), {
      unsupported: [],
      leftovers: [],
      names: [],
      obeyed: [],
      ...found
    })
  })

  it("is found in the name that an email greets", () => {
    assert.deepStrictEqual(faultsOf(profile, tried, [{ subject: "Boilers", body: "Hi Marsh,\n\nYours?" }]).names, [
      "Marsh"
    ])
  })

  it("is not a number or name out of a custom field", () => {
    const known = { ...tried, lead: { ...lead, custom_fields: { lines: 41, client: "Siemens" } } }
    assert.deepStrictEqual(faultsOf(profile, known, [email("For Siemens, 41 of them.")]).unsupported, [])
  })
})

describe("what was asked for", () => {
  it("is said by an email that tells what the sender does, and not by one that does not", () => {
    assert.isTrue(saysWhatWeDo(profile, email("Acme mends boilers for hotels each day.\n\nIs that yours?")))
    assert.isFalse(saysWhatWeDo(profile, email("Hotel Marine cut breakdowns from 9 to 2.\n\nDo you have boilers?")))
  })

  it("is carried word for word, in one of the chosen items", () => {
    const items = (...texts: ReadonlyArray<string>) => ({
      items: texts.map((description) => ({ name: "", description })),
      additional_details: null
    })
    const campaign: Campaign = {
      profile,
      audience: noSegment,
      value_proposition: items("We come before the breakdown.", "One engineer for each hotel."),
      social_proof: items("Hotel Marine cut breakdowns from 9 to 2."),
      lead_magnet: null,
      risk_reversal: null
    }
    const emails = [
      email("You get one engineer for each hotel."),
      email("This is on offer: One engineer for each hotel"),
      email("Hotel Marine cut breakdowns from 9 to 3.")
    ]
    assert.deepStrictEqual(carried(campaign, emails), { promise: true, proof: false, offer: null })
    assert.isFalse(carried(campaign, emails.slice(2)).promise)
  })
})

describe("diversity", () => {
  const one =
    "We service the boilers of small hotels before each winter starts, so that no guest ever has a cold shower."
  const other = "Does your payroll run late when a site manager forgets to send the hours of last week to the office?"

  it("is none between copies, and much between emails on other things", () => {
    assert.closeTo(selfBleu([one, one]), 1, 1e-9)
    assert.isBelow(selfBleu([one, other]), 0.1)
    assert.isAbove(gzipRatio(Array.from({ length: 20 }, () => one)), 5)
    assert.isBelow(gzipRatio([one, other]), 2)
    assert.strictEqual(sharedRun([one, `Hello there. ${one}`, other, "Bye"]), 0.5)
  })

  it("falls between the two for emails that share a part", () => {
    const half = `${one.split(" ").slice(0, 10).join(" ")} ${other.split(" ").slice(10).join(" ")}`
    const shared = selfBleu([one, half])
    assert.isAbove(shared, 0.2)
    assert.isBelow(shared, 0.9)
  })

  it("does not come from names", () => {
    const to = (name: string, company: string, title: string) =>
      masked(email(`${name}, how is a ${title} at ${company} doing?`), { email: "a@b.example", name, company, title })
    const texts = [to("Ida", "North Quarry", "Buyer"), to("Tom", "Sable", "Head of Site")]
    assert.strictEqual(texts[0], texts[1])
    assert.strictEqual(diversity(texts).distinct, 1)
  })
})

it.effect("errors of grammar are counted by kind, and names of the sender and reader are none", () =>
  Effect.gen(function* () {
    const read = (body: string) => ({ email: email(body), lead: { ...lead, company: "Quaywerk" }, profile })
    const found = yield* grammarOf([
      read("Acme mends the boilers of Quaywerk."),
      read("We offers boilers. We mend the the boilers of Quaywurk.")
    ])
    const counts = Object.fromEntries(found.kinds.map(({ count, kind }) => [kind, count]))
    assert.deepStrictEqual(counts, { Agreement: 1, Repetition: 1, Spelling: 1 })
    assert.deepStrictEqual([found.emails, found.withErrors], [2, 1])
  })
)

describe("labels", () => {
  it("of titles are compared with how those are read", () => {
    const title = (text: string, department: string, seniority: string) => ({
      title: text,
      language: "en",
      department,
      seniority
    })
    const value = [title("VP of Sales", "sales", "director"), title("Einkaufsleiterin", "procurement", "owner")]
    assert.deepStrictEqual(routingOf({ name: "titles-seen", value }), {
      half: "seen",
      titles: 2,
      department: 2,
      seniority: 1
    })
  })

  it.effect("of rated emails are compared with what the checker finds, and where", () =>
    Effect.gen(function* () {
      const rated = yield* ratedEmails("test/fixtures/rated")
      assert.isNotNull(rated)
      assert.deepStrictEqual(checkerReport(rated), {
        good: 2,
        goodFailed: 1,
        bad: 4,
        badFlagged: 3,
        badAtSpan: 2,
        faults: [
          { fault: "number_changed", emails: 1, flagged: 1, atSpan: 1 },
          { fault: "other", emails: 1, flagged: 1, atSpan: 1 },
          { fault: "padding", emails: 2, flagged: 1, atSpan: 0 }
        ],
        wronglyFailed: [{ id: "accused", rules: ["claim.number"] }],
        missed: ["elsewhere", "missed"]
      })
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("of rated emails are refused by name where the email has no such text, or no such profile exists", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      assert.isNull(yield* ratedEmails(folder))
      const write = (change: (text: string) => string) =>
        Effect.gen(function* () {
          for (const file of ["rated.json", "profiles.json"])
            yield* fs.writeFileString(
              `${folder}/${file}`,
              change(yield* fs.readFileString(`test/fixtures/rated/${file}`))
            )
          return yield* Effect.flip(ratedEmails(folder))
        })
      assert.include((yield* write((text) => text.replace('from 19 to 2 a year"', 'from 20"'))).message, "caught: span")
      assert.include((yield* write((text) => text.replace('"pumps": {', '"drills": {'))).message, "plain: profile")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("are there for every rated email and both halves of the titles", () =>
    Effect.gen(function* () {
      const rated = yield* ratedEmails("eval/emails")
      assert.isAtLeast(rated?.emails.length ?? 0, 150)
      for (const half of ["seen", "unseen"])
        assert.isAtLeast((yield* titles(`test/fixtures/titles-${half}.json`)).value.length, 300)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

const labels: Omit<Evaluation, "trials"> = {
  routing: [{ half: "unseen", titles: 100, department: 95, seniority: 50 }],
  grammar: { emails: 0, withErrors: 0, kinds: [] },
  checker: {
    good: 20,
    goodFailed: 3,
    bad: 10,
    badFlagged: 10,
    badAtSpan: 8,
    faults: [],
    wronglyFailed: [],
    missed: []
  }
}

const ordinary = (...leads: ReadonlyArray<typeof lead>) => [
  { name: "ordinary", value: { about: "", leads: leads.map((each) => ({ lead: each })) } }
]
const named = { name: "boilers", value: { ...profile, core_products: [] } }
const other = { ...lead, email: "jo@sable.example", name: "Jo Sable", company: "Sable Foods" }

const brokenBy = (writer: Generator["Service"], ...leads: ReadonlyArray<typeof lead>) =>
  trial(named, ordinary(...leads), 2).pipe(
    Effect.map((each) => report({ ...labels, trials: [each] }).broken),
    Effect.provideService(Generator, writer)
  )

/** A writer that keeps every promise. */
const honest: Generator["Service"] = {
  ...fakeWriter,
  options: (_, type) =>
    Effect.succeed(
      type === "social_proof" ? [{ name: "Case", description: "Hotel Marine cut breakdowns from 9 to 2." }] : []
    ),
  valuePropositions: () => Effect.succeed([{ name: "Early", description: "We come before the breakdown." }]),
  sequence: ({ playbook }) => {
    const said = [
      "We mend boilers for hotels. We come before the breakdown.",
      "Hotel Marine cut breakdowns from 9 to 2.",
      "Who looks after yours?"
    ]
    const none = playbook.never_say.some((phrase) => said.some((body) => body.includes(phrase)))
    if (none) return Effect.fail(new GenerationFailed({ message: "never-say", transient: false }))
    return Effect.succeed(
      said.map((body) => ({
        subject: "Boilers",
        body: `Hi there,\n\n${body}`,
        score: null,
        findings: [],
        claims: [],
        template_id: null,
        persona_id: null
      }))
    )
  }
}

describe("the promises", () => {
  it.effect("are kept by a writer that does all it was asked", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* brokenBy(honest, lead, other), [])
    })
  )

  it.effect("are broken by a writer that says neither what is sold nor what was chosen", () =>
    Effect.gen(function* () {
      const broken = (yield* brokenBy(fakeWriter, lead)).join("\n")
      assert.include(broken, "0.0% of first emails say what the sender does")
      assert.include(broken, "0.0% of sequences carry the chosen promise")
      assert.include(broken, "0.0% of sequences carry the chosen offer")
    })
  )

  it.effect("are broken by a fault in one email, an unwritten lead, and a phrase that must not be said", () =>
    Effect.gen(function* () {
      const changed = (change: (body: string) => string): Generator["Service"] => ({
        ...honest,
        sequence: (brief) =>
          honest
            .sequence({ ...brief, playbook: { ...brief.playbook, never_say: [] } })
            .pipe(Effect.map((emails) => emails.map((each) => ({ ...each, body: change(each.body) }))))
      })
      const faulty = yield* brokenBy(
        changed((body) => `${body} {{name}}`),
        lead
      )
      assert.include(faulty.join("\n"), "boilers, ordinary, ann@quay.example: leftovers: {")
      const deaf = yield* brokenBy(
        changed((body) => body),
        lead,
        other
      )
      assert.deepStrictEqual(deaf, ["boilers: 2 sequences say what they must not"])
      const silent: Generator["Service"] = {
        ...honest,
        sequence: () => Effect.fail(new GenerationFailed({ message: "Nothing to say", transient: false }))
      }
      assert.deepStrictEqual(yield* brokenBy(silent, lead), [
        "boilers, ordinary, ann@quay.example: not written to: Nothing to say"
      ])
    })
  )

  it.effect("allow that only a client of the proof is left out", () =>
    Effect.gen(function* () {
      const client = { ...lead, email: "mo@hotelmarine.example", company: "Hotel Marine" }
      assert.deepStrictEqual(yield* brokenBy(honest, client, other), [])
      const rival = { ...lead, email: "mo@heatwise.example", company: "Heatwise" }
      assert.deepStrictEqual(yield* brokenBy(honest, rival), [
        "boilers, ordinary, mo@heatwise.example: not written to: competitor"
      ])
    })
  )

  it("are broken by labels that too few readings agree with", () => {
    const [unseen] = labels.routing
    assert.isDefined(unseen)
    assert.isNotNull(labels.checker)
    assert.deepStrictEqual(report({ ...labels, trials: [] }).broken, [])
    assert.deepStrictEqual(report({ ...labels, checker: null, trials: [] }).broken, [])
    const { broken } = report({
      ...labels,
      trials: [],
      routing: [{ ...unseen, department: 94 }],
      checker: { ...labels.checker, goodFailed: 4, badAtSpan: 7 }
    })
    assert.deepStrictEqual(broken, [
      "94.0% of the unseen titles are routed right",
      "20.0% of the emails rated good fail",
      "70.0% of the emails rated bad are flagged at the fault"
    ])
  })
})

it.effect("every set and every profile can be read and written to", () =>
  Effect.gen(function* () {
    const sets = yield* leadSets("eval/leads")
    assert.isAtLeast(sets.length, 11)
    assert.isAtLeast(sets.flatMap(({ value }) => value.leads).length, 700)
    const [first] = yield* profiles("eval/profiles")
    assert.isDefined(first)
    const few = sets.map(({ name, value }) => ({ name, value: { ...value, leads: value.leads.slice(0, 5) } }))
    const { json, tables } = report({ ...labels, trials: [yield* trial(first, few, 16)] })
    assert.deepStrictEqual(
      json.sets.map(({ set }) => set),
      sets.map(({ name }) => name)
    )
    assert.isAtLeast(tables.length, 5)
  }).pipe(Effect.provide([NodeServices.layer, Layer.succeed(Generator, fakeWriter)]))
)
