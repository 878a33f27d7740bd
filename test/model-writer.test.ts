// test/model-writer.test.ts: documents, segments, options, synthetic leads, facts and chat answers that a model writes, and the checks on them.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Predicate } from "effect"
import { TestClock } from "effect/testing"
import { Answerer } from "#layers/Answerer.ts"
import { chat } from "#layers/answerer/ByModel.ts"
import { type Campaign, Generator, noChoices } from "#layers/Generator.ts"
import { adaptedEmails } from "#layers/generator/bymodel/prompts/AdaptedEmails.ts"
import { claimCheck } from "#layers/generator/bymodel/prompts/ClaimCheck.ts"
import { documentPrompts } from "#layers/generator/bymodel/prompts/Documents.ts"
import { optionPrompts } from "#layers/generator/bymodel/prompts/Options.ts"
import { personaEmails } from "#layers/generator/bymodel/prompts/PersonaEmails.ts"
import { segments } from "#layers/generator/bymodel/prompts/Segments.ts"
import { syntheticLeads } from "#layers/generator/bymodel/prompts/SyntheticLeads.ts"
import { Model } from "#layers/Model.ts"
import { extraction } from "#layers/research/ByModel.ts"
import { findFacts } from "#layers/research/ByModel.ts"
import type { Citation } from "#schema/Agent.ts"
import { noSegment } from "#schema/Audiences.ts"
import { noDetails } from "#schema/Details.ts"
import { modelAnswers, profile } from "./support/model-answers.ts"
import * as Support from "./support/model.ts"
import { calls, journal, Mock, jsonAnswer, modelReplies } from "./support/model.ts"
import * as Stores from "./support/store.ts"

const withMockModel = Effect.provide(
  Layer.mergeAll(Generator.layer, Answerer.layer).pipe(
    Layer.provide(Support.model()),
    Layer.provideMerge(Mock.layer),
    Layer.provide(Layer.fresh(Stores.store))
  )
)

const audience = {
  ...noSegment,
  segment_name: "Maintenance managers at UK factories",
  industry_vertical: "Factories",
  geographic_location: "United Kingdom",
  decision_makers: ["Maintenance Manager"]
}
const campaign: Campaign = {
  profile,
  audience,
  ...noChoices
}
describe("what a model writes about a business", () => {
  const withWriter = <A, E>(use: (writer: Generator["Service"]) => Effect.Effect<A, E>) =>
    Effect.flatMap(Generator, use)
  const documentAnswer = (
    ...statements: ReadonlyArray<{ text: string; kind: string; sources: ReadonlyArray<string> }>
  ) => jsonAnswer({ sections: [{ heading: "What it does", statements }] })
  /** The id of the first sentence of the business description among the sources of a company summary. */
  const leaksSource = "s7"

  it.live("becomes a document of statements with their sources", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const market = yield* withWriter(({ marketResearch }) => marketResearch(profile))
      assert.strictEqual(
        market,
        [
          "# The market of Hollowell Air",
          "## Who buys",
          "- Hollowell Air finds and fixes compressed air leaks in factories. *Source: what we do, “We find and fix compressed air leaks in factories.”*\n- A compressor that can rest at weekends is the result to name. *Inferred from: result of a client, “Carrick Castings switched off its second compressor at …”*",
          "## Questions that would change the emails",
          "- Which plant may you name next? Then each email can carry proof instead of a promise."
        ].join("\n\n")
      )
      const summary = yield* withWriter(({ companySummary }) => companySummary(profile))
      assert.match(summary, /^# Hollowell Air\n/)
      // The contact section is added by the code; the model does not get contact data.
      assert.match(summary, /## Contact\n\n- \*\*Name:\*\* Tom Hollowell, Managing Director\n/)
      assert.match(
        yield* withWriter(({ audienceResearch }) => audienceResearch(profile, audience)),
        /^# Maintenance managers/
      )
      const instructions = yield* withWriter(({ emailInstructions }) => emailInstructions(campaign))
      assert.match(instructions, /^# How Hollowell Air writes to Maintenance managers at UK factories\n/)
      assert.include(instructions, "4 emails: day 0, 3, 7, 14")
      assert.strictEqual(yield* calls, 4)
      for (const { messages } of yield* journal)
        assert.notMatch(messages.map(({ content }) => content).join("\n"), /tom@hollowell|496 0187|Kelham/)
    }).pipe(withMockModel)
  )

  it.live("is requested again if a statement is unsupported, and then loses the statement", () =>
    Effect.gen(function* () {
      const good = { text: "They mend leaks in factories.", kind: "stated", sources: [leaksSource] }
      const inferred = (text: string, ...sources: ReadonlyArray<string>) => ({ text, kind: "inferred", sources })
      yield* modelReplies(
        documentAnswer(
          good,
          good,
          inferred("They have 999 engineers.", leaksSource),
          inferred("Write to bo@evil.example or see evil.example.", leaksSource),
          inferred("They are trusted by Globex since 1987.", leaksSource),
          inferred("They save ninety percent.", leaksSource),
          // True, but of another source than the cited one.
          inferred("They surveyed 640 sites.", leaksSource),
          inferred("They work at night.", "s99"),
          inferred("They work at weekends."),
          { text: "May you name Globex?", kind: "question", sources: [] }
        )
      )
      const summary = yield* withWriter(({ companySummary }) => companySummary(profile))
      assert.strictEqual(
        summary.split("\n\n## Contact")[0],
        "# Hollowell Air\n\n## What it does\n\n- They mend leaks in factories. *Source: what we do, “We find and fix compressed air leaks in factories.”*"
      )
      assert.strictEqual(yield* calls, 3)
      const note = (yield* journal)[1]?.messages.at(-1)?.content ?? ""
      for (const unsupported of ["999", "evil.example", "bo@evil.example", "Globex", "1987", "ninety", "640"])
        assert.include(note, `"${unsupported}"`)
      assert.include(note, "s99, and no source has such an id")
      assert.include(note, "names no source")
      yield* modelReplies(documentAnswer(inferred("We have 999 engineers.", leaksSource)))
      assert.match(
        (yield* Effect.flip(withWriter(({ companySummary }) => companySummary(profile)))).message,
        /says nothing that the profile does/
      )
    }).pipe(withMockModel)
  )

  it.live("becomes segments without unsupported facts, each with a sentence of the profile", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const segments = yield* withWriter(({ segments }) => segments(profile))
      assert.deepStrictEqual(
        segments.map(({ segment_name }) => segment_name),
        ["Maintenance managers", "Plant managers", "Operations directors"]
      )
      const supported = {
        ...audience,
        segment_name: "Maintenance managers",
        company_size: "50-77 people",
        additional_details: "They run 12345 machines. They lose air.",
        sentence: profile.target_job_titles
      }
      const invented = { ...supported, segment_name: "Plant owners", sentence: "We also sell to plant owners." }
      yield* modelReplies(jsonAnswer({ segments: [supported, supported, invented] }))
      const [first, ...others] = yield* withWriter(({ segments }) => segments(profile))
      assert.strictEqual(first?.company_size, "")
      assert.strictEqual(first?.additional_details, "They lose air.")
      assert.deepStrictEqual(others, [])
      assert.strictEqual(yield* calls, 3)
      // No segment is supported, so the built-in segments are used.
      yield* modelReplies(jsonAnswer({ segments: [invented] }))
      const fallback = yield* withWriter(({ segments }) => segments(profile))
      assert.deepStrictEqual(
        fallback.map(({ segment_name }) => segment_name),
        ["UK factories"]
      )
    }).pipe(withMockModel)
  )

  it.live("becomes options that the profile supports, and none for an empty profile", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      for (const type of ["social_proof", "lead_magnet", "risk_reversal"] as const) {
        assert.lengthOf(yield* withWriter(({ options }) => options(profile, type)), 1, type)
        assert.deepStrictEqual(yield* withWriter(({ options }) => options(noDetails, type)), [])
      }
      assert.strictEqual(yield* calls, 3)
      yield* modelReplies(
        jsonAnswer({
          options: [
            { name: "Globex", description: "Globex saved 999 pounds.", sentence: profile.case_studies?.[0] },
            { name: "Fewer leaks", description: "Fewer leaks, sooner.", sentence: "We promise fewer leaks." }
          ]
        })
      )
      const supplied = yield* withWriter(({ options }) => options(profile, "social_proof"))
      assert.isNotEmpty(supplied)
      assert.notInclude(JSON.stringify(supplied), "Globex")
      assert.notInclude(JSON.stringify(supplied), "Fewer leaks")
      assert.strictEqual(yield* calls, 3)
    }).pipe(withMockModel)
  )

  it.live("becomes value propositions that each have a sentence of the profile", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      assert.lengthOf(yield* withWriter(({ valuePropositions }) => valuePropositions(campaign)), 3)
      const quiet = {
        name: "Quiet weekends",
        description: "Your compressors stop.",
        sentence: profile.client_transformation
      }
      const idle = { ...quiet, name: "Idle weekends", sentence: "Nobody works at weekends." }
      yield* modelReplies(jsonAnswer({ options: [quiet, idle] }))
      const propositions = yield* withWriter(({ valuePropositions }) => valuePropositions(campaign))
      assert.deepStrictEqual(
        propositions.map(({ name }) => name),
        ["Quiet weekends"]
      )
    }).pipe(withMockModel)
  )

  it.live("becomes synthetic leads with addresses of reserved domains, and no client of the profile", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const people = yield* withWriter(({ syntheticLeads }) => syntheticLeads(campaign, 5, "a"))
      assert.deepInclude(people[0], {
        email: "ada.moor@fenwickpackaging.example",
        company_website: "https://www.fenwickpackaging.example",
        title: "Maintenance Manager"
      })
      assert.lengthOf(new Set(people.map(({ email }) => email)), 5)
      const clientLead = {
        first_name: "Ann",
        last_name: "Lee",
        title: "Boss",
        company: "Millbrook Bakery",
        industry: "",
        company_size: "",
        location: ""
      }
      yield* modelReplies(
        jsonAnswer({
          leads: [clientLead, { ...clientLead, company: "\u5317" }, { ...clientLead, company: "North Works" }]
        })
      )
      const leads = yield* withWriter(({ syntheticLeads }) => syntheticLeads(campaign, 5, "a"))
      assert.lengthOf(leads, 5)
      assert.strictEqual(leads[0]?.company, "North Works")
      assert.lengthOf(new Set(leads.map(({ email }) => email)), 5)
      for (const { company, email } of leads) assert.match(`${company} ${email}`, /^(?!Millbrook).*\.example$/)
    }).pipe(withMockModel)
  )
})

describe("every prompt", () => {
  const prompts = [
    adaptedEmails,
    chat,
    claimCheck,
    ...Object.values(documentPrompts),
    extraction,
    ...Object.values(optionPrompts),
    personaEmails,
    segments,
    syntheticLeads
  ]

  it("has a unique name and a version", () => {
    assert.lengthOf(new Set(prompts.map(({ name }) => name)), prompts.length)
    for (const { name, version } of prompts) assert.match(version, /^\d+-[0-9a-f]+$/, name)
  })

  it("has a schema for strict servers: all fields are required, and no others are allowed", () => {
    const assertStrict = (schema: unknown): void => {
      if (!Predicate.isObject(schema)) return
      if ("properties" in schema && Predicate.isObject(schema.properties)) {
        assert.deepInclude(schema, { additionalProperties: false, required: Object.keys(schema.properties) })
      }
      Object.values(schema).forEach(assertStrict)
    }
    for (const { schema } of prompts) {
      assert.deepInclude(schema, { type: "object" })
      assertStrict(schema)
    }
  })
})

const fact = (field: string, value: string, sentence: string) => ({ field, value, price: "", sentence })

describe("facts that a model finds in a text", () => {
  it.live("are kept only if the text supports them", () =>
    Effect.gen(function* () {
      const model = yield* Model
      assert.isDefined(model)
      const text = "Northwind mends pumps since 1987. Clients: Barlow Mills. Call 0114 496 0187."
      yield* modelReplies(
        jsonAnswer({
          facts: [
            fact("company_name", "Northwind", "Northwind mends pumps since 1987."),
            fact("business_description", "Northwind mends pumps since 1987.", "Northwind mends\npumps since 1987."),
            fact("contact_phone", "0114 496 0188", "Call 0114 496 0187."),
            fact("website_url", "https://evil.example", "Call 0114 496 0187."),
            fact("case_studies", "Barlow Mills is a client.", "Clients: Barlow Mills."),
            fact("case_studies", "Globex saved a lot with Northwind.", "Globex saved a lot with Northwind."),
            // The number is in the text, but not in the cited sentence.
            fact("guarantee", "Guaranteed since 1987.", "Clients: Barlow Mills."),
            fact("core_products", "pumps", "Northwind mends pumps since 1987."),
            { ...fact("core_products", "mends", "Northwind mends pumps since 1987."), price: "GBP 999" }
          ]
        })
      )
      const result = yield* findFacts(model!, text)
      assert.deepStrictEqual(result.findings, {
        company_name: "Northwind",
        business_description: "Northwind mends pumps since 1987.",
        case_studies: ["Barlow Mills is a client."],
        core_products: [{ product: "pumps", pricing: "" }]
      })
      assert.deepStrictEqual(result.sources.at(-1), {
        field: "core_products",
        text: "Northwind mends pumps since 1987.",
        heading: null
      })
      assert.strictEqual(yield* calls, 1)
      // The end of a long text is sent too.
      yield* findFacts(model!, `${"It mends pumps. ".repeat(1000)} Barlow Mills`)
      assert.include((yield* journal).at(-1)?.user, "Barlow Mills")
    }).pipe(
      Effect.provide(Support.model().pipe(Layer.provideMerge(Mock.layer), Layer.provide(Layer.fresh(Stores.store))))
    )
  )
})

describe("a chat answer of a model", () => {
  const cited = { file_id: null, source: "document" as const, link: "/#/sources/a/b" }
  const source = {
    campaign: "c",
    version: "1",
    files: Effect.succeed([
      { ...cited, filename: "Prices", content: "# Prices\n\nThe Leak Survey costs GBP 1,450." },
      { ...cited, filename: "Team", content: "# Team\n\nThe survey is done by one of 9 engineers." }
    ]),
    leads: () => Effect.succeed([]),
    exclusions: Effect.succeed(new Map<string, string>()),
    reviews: Effect.die("not asked for"),
    suppressed: () => Effect.undefined
  }

  it.live.each([
    ["The Leak Survey costs GBP 1,450.", [1], "model"],
    ["The Leak Survey costs GBP 1,450.", [1, 2], "model"],
    ["The Leak Survey costs GBP 1,450, and 9 engineers do it.", [1], "search_fallback"],
    ["The Leak Survey costs GBP 1,450.", [2], "search_fallback"],
    ["The Leak Survey costs GBP 1,450.", [1, 3], "search_fallback"],
    ["The Leak Survey costs GBP 1,450.", [], "search_fallback"],
    ["The Leak Survey costs GBP 1,300.", [1], "search_fallback"]
  ] as const)("must cite passages that exist and contain its numbers: %s %j", ([answer, sources, answered_by]) =>
    Effect.gen(function* () {
      yield* modelReplies(jsonAnswer({ answer, sources, answered: true }))
      const answerer = yield* Answerer
      const answerResult = yield* answerer.answer("What does the Leak Survey cost?", [], source)
      assert.strictEqual(answerResult.answered_by, answered_by)
      assert.include(answerResult.content, "GBP 1,450")
      assert.isNotEmpty(answerResult.citations)
    }).pipe(withMockModel)
  )

  it.live("is given no earlier answer that quotes leads, its question, nor contact data of other messages", () =>
    Effect.gen(function* () {
      yield* modelReplies(jsonAnswer({ answer: "The Leak Survey costs GBP 1,450.", sources: [1], answered: true }))
      const answerer = yield* Answerer
      const row = "Zebediah Quux: Leakmaster; Secretcorp; Home: 12 Secret Lane; Mobile: +44 7700 900123"
      const lead = { ...cited, filename: "Spring", source: "lead" as const, link: "/#/lists/a/1", passage: row }
      const ask = (content: string) => ({ role: "user" as const, content })
      const reply = (
        content: string,
        citations: ReadonlyArray<Citation> = [],
        nearest: ReadonlyArray<Citation> = []
      ) => ({
        role: "assistant" as const,
        content,
        citations,
        nearest
      })
      const history = [
        ask("Which leads run vans like Quux?"),
        reply(row, [{ ...cited, filename: "Team" }, lead]),
        ask("Is Zebediah in Secret Lane?"),
        reply(row, [], [lead]),
        ask("Which leads of Spring failed, Quux too?"),
        reply(row, [{ ...cited, filename: "Spring", source: "lists", link: "/#/lists/a" }]),
        ask("Is Secretcorp on do not contact?"),
        reply("secretcorp is on “Do not contact”.", [
          { file_id: null, filename: "Do not contact", link: "/#/suppressions" }
        ]),
        ask("Do you know +44 7700 900123, https://linkedin.example/in/zquux or leaky@secretco.example?"),
        reply("Call +44 7700 900124 about the survey.", [{ ...cited, filename: "Team" }])
      ]
      const answerResult = yield* answerer.answer("What does the Leak Survey cost?", history, source)
      assert.strictEqual(answerResult.answered_by, "model")
      const request = JSON.stringify((yield* journal).at(-1))
      assert.include(request, "Do you know")
      assert.include(request, "about the survey.")
      for (const personal of ["Quux", "Zebediah", "Secret", "90012", "zquux", "secretco"])
        assert.notInclude(request, personal)
    }).pipe(withMockModel)
  )

  it.live("is based on all passages of a small campaign, and on the nearest ones of a large campaign", () =>
    Effect.gen(function* () {
      const answer = { answer: "The Leak Survey costs GBP 1,450.", sources: [1], answered: true }
      const answerer = yield* Answerer
      const topics = [
        "Rust",
        "Paint",
        "Noise",
        "Heat",
        "Dust",
        "Light",
        "Water",
        "Steam",
        "Gas",
        "Fire",
        "Wind",
        "Rain"
      ]
      const promptFor = Effect.fnUntraced(function* (campaign: string, filler: string) {
        yield* modelReplies(jsonAnswer(answer))
        const notes = topics.map((topic) => `## ${topic}\n\n${topic} is dealt with in hall ${topic.length}. ${filler}`)
        const files = Effect.map(source.files, (files) => [
          ...files,
          { ...cited, filename: "Notes", content: notes.join("\n\n") }
        ])
        yield* answerer.answer("What does the Leak Survey cost?", [], { ...source, campaign, files })
        return (yield* journal).at(-1)?.user ?? ""
      })
      const small = yield* promptFor("small", "")
      for (const topic of topics) assert.include(small, `${topic} is dealt with`)
      assert.include(small, "9 engineers")
      const large = yield* promptFor("large", "Nothing more is known of it. ".repeat(120))
      assert.include(large, "GBP 1,450")
      assert.isBelow(large.length, 30_000)
    }).pipe(withMockModel)
  )
})

describe("a question that exceeds the model's time limit", () => {
  it.effect("is answered with a passage of the files", () => {
    const { promise: modelIsAsked, resolve: setModelAsked } = Promise.withResolvers<void>()
    const slowModel = Layer.succeed(Model, {
      name: "slow",
      serverInfo: () => ({ api: undefined, host: "127.0.0.1", context: undefined, atOnce: undefined }),
      probe: () => Effect.succeed(null),
      verification: "off",
      write: () => Effect.andThen(Effect.sync(setModelAsked), Effect.never)
    })
    return Effect.gen(function* () {
      const answerer = yield* Answerer
      const cited = { file_id: null, filename: "Prices", source: "document" as const, link: "/#/sources/a/b" }
      const file = { ...cited, content: "# Prices\n\nThe Leak Survey costs GBP 1,450." }
      const leads = () => Effect.succeed([])
      const exclusions = Effect.succeed(new Map<string, string>())
      const stored = { leads, exclusions, reviews: Effect.die("not asked for"), suppressed: () => Effect.undefined }
      const source = { campaign: "c", version: "1", files: Effect.succeed([file]), ...stored }
      const answering = yield* Effect.forkChild(answerer.answer("What does the Leak Survey cost?", [], source))
      // The passages are searched in turns before the time limit begins.
      yield* Effect.promise(() => modelIsAsked)
      yield* TestClock.adjust("1 minute")
      assert.include((yield* Fiber.join(answering)).content, "1,450")
    }).pipe(Effect.provide(Answerer.layer.pipe(Layer.provide(slowModel))))
  })
})
