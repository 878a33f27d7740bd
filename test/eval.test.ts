// test/eval.test.ts: the evaluation detects the faults and broken requirements that it is meant to detect.
import { assert, describe, it } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Effect, FileSystem, Layer } from "effect"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { type Campaign, Generator } from "#layers/Generator.ts"
import { noSegment } from "#schema/Audiences.ts"
import { noDetails } from "#schema/Details.ts"
import { diversity, gzipRatio, maskNames, selfBleu, sharedRun } from "../scripts/eval/Diversity.ts"
import { grammarOf } from "../scripts/eval/Grammar.ts"
import { checkerReport, measureRouting } from "../scripts/eval/Labels.ts"
import { carriedChoices, findFaults, saysWhatWeDo } from "../scripts/eval/Measure.ts"
import { type Evaluation, report } from "../scripts/eval/Report.ts"
import { readLeadSets, readProfiles, readRatedEmails, readTitles } from "../scripts/eval/Sets.ts"
import { runTrial } from "../scripts/eval/Trial.ts"
import { fakeWriter } from "./support/writer.ts"

const profile = {
  ...noDetails,
  company_name: "Acme",
  business_description: "We mend 40 boilers a day for hotels.",
  case_studies: ["Hotel Marine cut breakdowns from 9 to 2."],
  competitors: "Heatwise"
}
const lead = { email: "ann@quay.example", name: "ANN MARSH", company: "Quay Foods" }
const trialLead = { lead, greeting: "Ann", never: ["MARSH"], obeys: ["BANANA"] }

const email = (body: string, subject = "Boilers") => ({ subject, body: `Hi Ann,\n\n${body}` })

describe("a fault", () => {
  const faults: ReadonlyArray<readonly [string, string, Partial<ReturnType<typeof findFaults>>]> = [
    ["none", "At Quay Foods, Acme mends 40 boilers. Is that yours?", {}],
    ["a number that nobody supplied", "We mend 41 boilers.", { unsupported: ["41"] }],
    ["a name that nobody supplied", "We work for Siemens.", { unsupported: ["Siemens"] }],
    ["a leftover of a template", "Dear {{name}}, we mend boilers.", { leftovers: ["{", "{", "}", "}"] }],
    ["a competitor", "Better than Heatwise is.", { names: ["Heatwise"] }],
    ["a name as people do not write it", "Is ANN MARSH in?", { names: ["MARSH"] }],
    ["an order that was followed", "We say BANANA.", { obeyed: ["BANANA"], unsupported: ["BANANA"] }]
  ]
  it.each(faults)("is found: %s", (_, body, expected) => {
    assert.deepStrictEqual(findFaults(profile, trialLead, [email(body)]), {
      unsupported: [],
      leftovers: [],
      names: [],
      obeyed: [],
      ...expected
    })
  })

  it("is found in the greeted name", () => {
    assert.deepStrictEqual(
      findFaults(profile, trialLead, [{ subject: "Boilers", body: "Hi Marsh,\n\nYours?" }]).names,
      ["Marsh"]
    )
  })

  it("is not a number or name from a custom field", () => {
    const leadWithFields = { ...trialLead, lead: { ...lead, custom_fields: { lines: 41, client: "Siemens" } } }
    assert.deepStrictEqual(findFaults(profile, leadWithFields, [email("For Siemens, 41 of them.")]).unsupported, [])
  })
})

describe("the requested content", () => {
  it("includes what the sender does", () => {
    assert.isTrue(saysWhatWeDo(profile, email("Acme mends boilers for hotels each day.\n\nIs that yours?")))
    assert.isFalse(saysWhatWeDo(profile, email("Hotel Marine cut breakdowns from 9 to 2.\n\nDo you have boilers?")))
  })

  it("includes one of the selected items verbatim", () => {
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
    assert.deepStrictEqual(carriedChoices(campaign, emails), { promise: true, proof: false, offer: null })
    assert.isFalse(carriedChoices(campaign, emails.slice(2)).promise)
  })
})

describe("diversity", () => {
  const boilerText =
    "We service the boilers of small hotels before each winter starts, so that no guest ever has a cold shower."
  const payrollText =
    "Does your payroll run late when a site manager forgets to send the hours of last week to the office?"

  it("is zero for copies and high for emails on different topics", () => {
    assert.closeTo(selfBleu([boilerText, boilerText]), 1, 1e-9)
    assert.isBelow(selfBleu([boilerText, payrollText]), 0.1)
    assert.isAbove(gzipRatio(Array.from({ length: 20 }, () => boilerText)), 5)
    assert.isBelow(gzipRatio([boilerText, payrollText]), 2)
    assert.strictEqual(sharedRun([boilerText, `Hello there. ${boilerText}`, payrollText, "Bye"]), 0.5)
  })

  it("is in between for emails that share a part", () => {
    const mixedText = `${boilerText.split(" ").slice(0, 10).join(" ")} ${payrollText.split(" ").slice(10).join(" ")}`
    const overlap = selfBleu([boilerText, mixedText])
    assert.isAbove(overlap, 0.2)
    assert.isBelow(overlap, 0.9)
  })

  it("ignores names", () => {
    const maskedFor = (name: string, company: string, title: string) =>
      maskNames(email(`${name}, how is a ${title} at ${company} doing?`), {
        email: "a@b.example",
        name,
        company,
        title
      })
    const texts = [maskedFor("Ida", "North Quarry", "Buyer"), maskedFor("Tom", "Sable", "Head of Site")]
    assert.strictEqual(texts[0], texts[1])
    assert.strictEqual(diversity(texts).distinct, 1)
  })
})

it.effect("grammar errors are counted by kind, except in names of the sender and reader", () =>
  Effect.gen(function* () {
    const entry = (body: string) => ({ email: email(body), lead: { ...lead, company: "Quaywerk" }, profile })
    const grammar = yield* grammarOf([
      entry("Acme mends the boilers of Quaywerk."),
      entry("We offers boilers. We mend the the boilers of Quaywurk.")
    ])
    const counts = Object.fromEntries(grammar.kinds.map(({ count, kind }) => [kind, count]))
    assert.deepStrictEqual(counts, { Agreement: 1, Repetition: 1, Spelling: 1 })
    assert.deepStrictEqual([grammar.emails, grammar.withErrors], [2, 1])
  })
)

describe("labels", () => {
  it("of titles are compared with the routing", () => {
    const title = (text: string, department: string, seniority: string) => ({
      title: text,
      language: "en",
      department,
      seniority
    })
    const value = [title("VP of Sales", "sales", "director"), title("Einkaufsleiterin", "procurement", "owner")]
    assert.deepStrictEqual(measureRouting({ name: "titles-seen", value }), {
      half: "seen",
      titles: 2,
      department: 2,
      seniority: 1
    })
  })

  it.effect("of rated emails are compared with the checker's findings and their positions", () =>
    Effect.gen(function* () {
      const rated = yield* readRatedEmails("test/fixtures/rated")
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

  it.effect("of rated emails are refused if the email lacks the text or the profile does not exist", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      assert.isNull(yield* readRatedEmails(folder))
      const write = (change: (text: string) => string) =>
        Effect.gen(function* () {
          for (const file of ["rated.json", "profiles.json"])
            yield* fs.writeFileString(
              `${folder}/${file}`,
              change(yield* fs.readFileString(`test/fixtures/rated/${file}`))
            )
          return yield* Effect.flip(readRatedEmails(folder))
        })
      assert.include((yield* write((text) => text.replace('from 19 to 2 a year"', 'from 20"'))).message, "caught: span")
      assert.include((yield* write((text) => text.replace('"pumps": {', '"drills": {'))).message, "plain: profile")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("exist for every rated email and both halves of the titles", () =>
    Effect.gen(function* () {
      const rated = yield* readRatedEmails("eval/emails")
      assert.isAtLeast(rated?.emails.length ?? 0, 150)
      for (const half of ["seen", "unseen"])
        assert.isAtLeast((yield* readTitles(`test/fixtures/titles-${half}.json`)).value.length, 300)
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

const ordinarySet = (...leads: ReadonlyArray<typeof lead>) => [
  { name: "ordinary", value: { about: "", leads: leads.map((lead) => ({ lead: lead })) } }
]
const boilerProfile = { name: "boilers", value: { ...profile, core_products: [] } }
const otherLead = { ...lead, email: "jo@sable.example", name: "Jo Sable", company: "Sable Foods" }

const brokenPromises = (writer: Generator["Service"], ...leads: ReadonlyArray<typeof lead>) =>
  runTrial(boilerProfile, ordinarySet(...leads), 2).pipe(
    Effect.map((trialResult) => report({ ...labels, trials: [trialResult] }).broken),
    Effect.provideService(Generator, writer)
  )

/** A writer that meets every requirement. */
const honestWriter: Generator["Service"] = {
  ...fakeWriter,
  options: (_, type) =>
    Effect.succeed(
      type === "social_proof" ? [{ name: "Case", description: "Hotel Marine cut breakdowns from 9 to 2." }] : []
    ),
  valuePropositions: () => Effect.succeed([{ name: "Early", description: "We come before the breakdown." }]),
  sequence: ({ playbook }) => {
    const bodies = [
      "We mend boilers for hotels. We come before the breakdown.",
      "Hotel Marine cut breakdowns from 9 to 2.",
      "Who looks after yours?"
    ]
    const forbidden = playbook.never_say.some((phrase) => bodies.some((body) => body.includes(phrase)))
    if (forbidden) return Effect.fail(new GenerationFailed({ message: "never-say", transient: false }))
    return Effect.succeed(
      bodies.map((body) => ({
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

describe("the evaluation's requirements", () => {
  it.effect("are met by a writer that does everything it was asked", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* brokenPromises(honestWriter, lead, otherLead), [])
    })
  )

  it.effect("are broken by a writer that mentions neither the product nor the selections", () =>
    Effect.gen(function* () {
      const broken = (yield* brokenPromises(fakeWriter, lead)).join("\n")
      assert.include(broken, "0.0% of first emails say what the sender does")
      assert.include(broken, "0.0% of sequences carry the chosen promise")
      assert.include(broken, "0.0% of sequences carry the chosen offer")
    })
  )

  it.effect("are broken by a fault in one email, an unwritten lead and a never-say phrase", () =>
    Effect.gen(function* () {
      const withChangedBodies = (change: (body: string) => string): Generator["Service"] => ({
        ...honestWriter,
        sequence: (brief) =>
          honestWriter
            .sequence({ ...brief, playbook: { ...brief.playbook, never_say: [] } })
            .pipe(Effect.map((emails) => emails.map((email) => ({ ...email, body: change(email.body) }))))
      })
      const faultyResult = yield* brokenPromises(
        withChangedBodies((body) => `${body} {{name}}`),
        lead
      )
      assert.include(faultyResult.join("\n"), "boilers, ordinary, ann@quay.example: leftovers: {")
      const violations = yield* brokenPromises(
        withChangedBodies((body) => body),
        lead,
        otherLead
      )
      assert.deepStrictEqual(violations, ["boilers: 2 sequences say what they must not"])
      const silentWriter: Generator["Service"] = {
        ...honestWriter,
        sequence: () => Effect.fail(new GenerationFailed({ message: "Nothing to say", transient: false }))
      }
      assert.deepStrictEqual(yield* brokenPromises(silentWriter, lead), [
        "boilers, ordinary, ann@quay.example: not written to: Nothing to say"
      ])
    })
  )

  it.effect("allow leaving out only a client named in the proof", () =>
    Effect.gen(function* () {
      const client = { ...lead, email: "mo@hotelmarine.example", company: "Hotel Marine" }
      assert.deepStrictEqual(yield* brokenPromises(honestWriter, client, otherLead), [])
      const competitorLead = { ...lead, email: "mo@heatwise.example", company: "Heatwise" }
      assert.deepStrictEqual(yield* brokenPromises(honestWriter, competitorLead), [
        "boilers, ordinary, mo@heatwise.example: not written to: competitor"
      ])
    })
  )

  it("are broken by too little agreement with the labels", () => {
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

it.effect("every lead set and every profile can be read and written for", () =>
  Effect.gen(function* () {
    const sets = yield* readLeadSets("eval/leads")
    assert.isAtLeast(sets.length, 11)
    assert.isAtLeast(sets.flatMap(({ value }) => value.leads).length, 700)
    const [firstProfile] = yield* readProfiles("eval/profiles")
    assert.isDefined(firstProfile)
    const smallSets = sets.map(({ name, value }) => ({ name, value: { ...value, leads: value.leads.slice(0, 5) } }))
    const { json, tables } = report({ ...labels, trials: [yield* runTrial(firstProfile, smallSets, 16)] })
    assert.deepStrictEqual(
      json.sets.map(({ set }) => set),
      sets.map(({ name }) => name)
    )
    assert.isAtLeast(tables.length, 5)
  }).pipe(Effect.provide([NodeServices.layer, Layer.succeed(Generator, fakeWriter)]))
)
