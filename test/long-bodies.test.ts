// test/long-bodies.test.ts: parsing and validating a long body in pieces gives the same result as in one go.
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Option, Schema, SchemaIssue } from "effect"
import { BatchOfLeads, researchStub, GenerationApi } from "#schema/Generation.ts"
import { Lead } from "#schema/Lead.ts"
import { decodeLong, parse, pieceSize, makeBodyScanner } from "#src/http/Body.ts"
import { expectError } from "./support/answers.ts"
import { newCaller } from "./support/callers.ts"
import { lead, options, unknownId } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"

const limit = 32 * 1024 * 1024

/** Scans the text `step` characters at a time. */
const scan = (text: string, step = Infinity) => {
  const scanner = makeBodyScanner(text, limit)
  for (let position = step; ; position += step) {
    const refusal = scanner.scanTo(position)
    if (refusal !== undefined || scanner.isScanned()) return { refusal, longLists: scanner.longLists }
  }
}

const parseWhole = (text: string) => {
  try {
    return Option.some(JSON.parse(text))
  } catch {
    return Option.none()
  }
}

const parseInPieces = (text: string) => Effect.option(parse({ text, longLists: scan(text).longLists }))

const listJson = (count: number, entry = (i: number): unknown => ({ i, s: `a,]}"\\ ${i}` })) =>
  JSON.stringify(Array.from({ length: count }, (_, i) => entry(i)))

const longList = listJson(3 * pieceSize + 7)
/** The text at the first cut of the list. */
const firstCut = `,${JSON.stringify({ i: pieceSize, s: `a,]}"\\ ${pieceSize}` })}`

const texts: ReadonlyArray<string> = [
  ...[0, 1, pieceSize - 1, pieceSize, pieceSize + 1, 2 * pieceSize, 2 * pieceSize + 1].map(
    (count) => `{"leads":${listJson(count)},"x":1}`
  ),
  `{"x":{"leads":${longList}},"leads":[]}`,
  ` { "a" : ${longList.replaceAll("},", "}\n ,\t")} , "b" : ${listJson(500, (i) => i)} } `,
  `{"a":${longList},"a":"later"}`,
  `{"a":${longList},"a":${listJson(2 * pieceSize, (i) => i)}}`,
  `{"a":1,"a":${longList}}`,
  `{"__proto__":${longList},"constructor":${longList}}`,
  `{"":${listJson(700, (i) => [i, [[], {}], "\u2028😀\\ud83d\\ude00"])}}`,
  `{"a":{"b":1},"c":${longList}}`,
  `{"a":${listJson(700, () => null)}}`,
  longList,
  `[${longList}]`,
  `"${"x,".repeat(1000)}"`
]

const invalidTexts: ReadonlyArray<string> = [
  `{"a":${longList}`,
  `{"a":${longList}]`,
  `{"a":${longList}}}`,
  `{"a":${longList}},{"a":${longList}}`,
  `{"a":${longList.slice(0, -1)}}`,
  `{"a":${longList.slice(0, -1)}}]`,
  `{"a":${longList.slice(0, -1)},]}`,
  `{"a":${listJson(2 * pieceSize).slice(0, -1)},]}`,
  `{"a":${longList.replace(firstCut, `,${firstCut}`)}}`,
  `{"a":${longList.replace(firstCut, `, ${firstCut}`)}}`,
  `{"a":${longList.replace(firstCut, firstCut.slice(1))}}`,
  `{"a":${longList.replace(firstCut, "],[0")}}`,
  `{"a":${longList.replace(firstCut, ",]")}}`,
  `{"a":${longList.replace(firstCut, ",NaN")}}`,
  `{"a":${longList.replace('"i":5,', "i:5,")}}`,
  `{"a":[,${longList.slice(1)}}`,
  `{"a":{${longList.slice(1)}}`,
  `{"a":[${",".repeat(3 * pieceSize)}]}`,
  `{"a":[${" ,".repeat(pieceSize)}1]}`,
  `{"a":${longList},"a":${longList.replace(firstCut, `,${firstCut}`)}}`,
  `{"a":${longList.replace(firstCut, `,${firstCut}`)},"a":[]}`,
  `{"a" ${longList}}`,
  `{${longList}:1}`,
  `]{"a":${longList}}`
]

describe("a text", () => {
  it.effect.each(texts.map((text) => ({ text, title: text.slice(0, 40) })))(
    "is parsed in pieces as in one go: $title",
    ({ text }) =>
      Effect.gen(function* () {
        assert.isTrue(Option.isSome(parseWhole(text)))
        assert.deepStrictEqual(yield* parseInPieces(text), parseWhole(text))
      })
  )

  it.effect.each(invalidTexts.map((text, index) => ({ text, at: index })))(
    "that is invalid JSON is refused: $at",
    ({ text }) =>
      Effect.gen(function* () {
        assert.isTrue(Option.isNone(parseWhole(text)))
        assert.isTrue(Option.isNone(yield* parseInPieces(text)))
      })
  )

  it.effect("gives the same result with any character removed or doubled", () =>
    Effect.gen(function* () {
      const text = `{"a":${listJson(pieceSize + 2, (i) => (i % 9 === 0 ? [i] : i % 7 === 0 ? { a: i } : i))},"b":[1]}`
      for (let index = 0; index < text.length; index++) {
        for (const damaged of [
          text.slice(0, index) + text.slice(index + 1),
          text.slice(0, index) + text[index] + text.slice(index)
        ]) {
          assert.deepStrictEqual(
            yield* parseInPieces(damaged),
            parseWhole(damaged),
            damaged.slice(Math.max(0, index - 20), index + 20)
          )
        }
      }
    })
  )

  it("is cut at the same positions with any step size", () => {
    assert.isAbove(scan(`{"a":${longList}}`).longLists[0]?.splitPositions.length ?? 0, 2)
    for (const text of [...texts, ...invalidTexts]) {
      for (const step of [1, 2, 3, 11, 97]) assert.deepStrictEqual(scan(text, step), scan(text))
    }
  })

  it("is refused for the same reason with any step size", () => {
    for (const text of [
      `{"a":"${"\\ud800"}"}`,
      `{"a":"${"\\ud83d\\ude00".repeat(9)}\\u0000"}`,
      "[".repeat(65),
      `{"a":[${"1,".repeat(200_000)}1]}`
    ]) {
      const { refusal } = scan(text)
      assert.isString(refusal)
      for (const step of [1, 5, 7]) assert.strictEqual(scan(text, step).refusal, refusal)
    }
  })
})

const format = SchemaIssue.makeFormatterStandardSchemaV1()
const issuesJson = (error: Schema.SchemaError) => JSON.stringify(format(error.issue).issues)

const payload = GenerationApi.endpoints.generateBatch.payload.get("application/json")?.schemas[0]
const decodeAtOnce = (body: unknown) =>
  Schema.decodeUnknownEffect(payload as unknown as Schema.Codec<{ readonly leads: unknown }, unknown>)(body)
const decodeInPieces = decodeLong({ list: "leads", entry: Lead, digest: researchStub, wholeBody: BatchOfLeads })

const leads = (count: number, replacements: Readonly<Record<number, unknown>> = {}) =>
  Array.from({ length: count }, (_, i) =>
    i in replacements ? replacements[i] : { email: `lead${i}@north.example`, company: "North" }
  )
const enrichedOptions = { ...options, enrichment_enabled: true }

const bodies: ReadonlyArray<readonly [string, unknown]> = [
  ["nothing", undefined],
  ["null", null],
  ["a list", [lead]],
  ["a text", "leads"],
  ["no fields", {}],
  ["no leads", { options }],
  ["leads of null", { leads: null, options }],
  ["an empty list", { leads: [], options }],
  ["an empty list, no options", { leads: [] }],
  ["an object of leads", { leads: { 0: lead }, options }],
  ["no options", { leads: [lead] }],
  ["odd options", { leads: leads(300), options: [] }],
  ["no lead at all", { leads: leads(500, { 0: null }), options }],
  ["a list for a lead", { leads: leads(500, { 499: [] }), options }],
  ["a bad address, late", { leads: leads(1000, { 700: { email: "no" }, 900: 1 }), options }],
  ["a bad lead and bad options", { leads: leads(1000, { 700: { email: "no" } }), options: { email_count: 5 } }],
  ["bad options", { leads: leads(450), options: { ...options, email_count: 9, list_name: " " } }],
  ["two signatures", { leads: leads(450), options: { ...options, signature_id: "x" } }],
  ["a long field", { leads: leads(450, { 333: { email: "a@b.example", name: "x".repeat(2001) } }), options }],
  [
    "custom fields, one of them bad",
    {
      leads: leads(450, { 3: { ...lead, custom_fields: { n: 1 } }, 333: { ...lead, custom_fields: { No: 1 } } }),
      options
    }
  ],
  ["too many leads", { leads: leads(50_001), options }],
  ["too many leads, the last one bad", { leads: leads(50_001, { 50_000: {} }), options }],
  [
    "nothing to research",
    { leads: leads(1500, { 3: lead, 1400: { email: "a@b.example" } }), options: enrichedOptions }
  ],
  ["nothing to research, and a bad lead", { leads: leads(600, { 3: lead, 500: {} }), options: enrichedOptions }],
  ["unknown fields", { leads: leads(250, { 7: { ...lead, x: 1 } }), options: { ...options, y: 2 }, z: [] }],
  ["a name to trim", { leads: leads(250), options: { ...options, list_name: "  Spring " } }],
  ["many leads", { leads: leads(2001), options: enrichedOptions }]
]

describe("a batch that is decoded lead by lead", () => {
  const assertSameResult = Effect.fnUntraced(function* (text: string) {
    const { longLists } = scan(text)
    const expected = yield* Effect.result(
      Effect.mapError(decodeAtOnce(text === "" ? undefined : JSON.parse(text)), issuesJson)
    )
    const actual = yield* decodeInPieces({ text, longLists }).pipe(
      Effect.map(({ body, count, entries }) => {
        const leads = [...entries].flat()
        assert.strictEqual(count, leads.length)
        return { ...body, leads }
      }),
      Effect.mapError(issuesJson),
      Effect.result
    )
    assert.deepStrictEqual(actual, expected)
  })

  it.effect.each(bodies.map(([title, body]) => ({ title, text: JSON.stringify(body) ?? "" })))(
    "gives the same result as in one go: $title",
    ({ text }) => assertSameResult(text)
  )

  it.effect("gives the same result with another long list or duplicate names", () =>
    Effect.gen(function* () {
      const validLeads = JSON.stringify(leads(450))
      const invalidLeads = JSON.stringify(leads(450, { 300: {} }))
      const optionsJson = `"options":${JSON.stringify(options)}`
      yield* assertSameResult(`{"x":${invalidLeads},"leads":${validLeads},${optionsJson}}`)
      yield* assertSameResult(`{"leads":${validLeads},${optionsJson},"x":${invalidLeads}}`)
      yield* assertSameResult(`{"leads":${invalidLeads},${optionsJson},"leads":${validLeads}}`)
      yield* assertSameResult(`{"leads":${validLeads},${optionsJson},"leads":${invalidLeads}}`)
      yield* assertSameResult(`{"leads":${invalidLeads},${optionsJson},"leads":[{"email":"a@b.example"}]}`)
      yield* assertSameResult(`{"leads":${invalidLeads},${optionsJson},"leads":null}`)
      yield* assertSameResult(`{"x":${invalidLeads},${optionsJson},"x":1}`)
      yield* assertSameResult(`{"leads":{"x":${invalidLeads}},${optionsJson}}`)
    })
  )

  it.effect("reports invalid JSON before invalid fields", () =>
    Effect.gen(function* () {
      const text = `{"leads":${JSON.stringify(leads(450, { 0: {} })).slice(0, -1)},],"options":{}}`
      assert.include(
        issuesJson(yield* Effect.flip(decodeInPieces({ text, longLists: scan(text).longLists }))),
        "valid JSON"
      )
    })
  )

  it.effect("can be iterated several times", () =>
    Effect.gen(function* () {
      const text = JSON.stringify({ leads: leads(450), options })
      const { entries } = yield* decodeInPieces({ text, longLists: scan(text).longLists })
      assert.deepStrictEqual([...entries].flat(), leads(450))
      assert.deepStrictEqual([...entries].flat(), leads(450))
      assert.isAtMost(Math.max(...[...entries].map(({ length }) => length)), pieceSize)
    })
  )
})

const service = Server.layer({ runsWorkers: false, rate: { limit: 1_000_000, window: Duration.minutes(1) } })

layer(service, { excludeTestServices: true })("a long body", (it) => {
  const path = `/campaigns/${unknownId}/generate-batch`

  it.effect("is refused with all its issues and their paths", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const invalidLeads = {
        250: { email: "no" },
        251: { ...lead, name: "x".repeat(2001) },
        300: { ...lead, custom_fields: { ok: 1, Foo: "x" } },
        901: null
      }
      const { issues } = yield* expectError(
        400,
        "BAD_REQUEST",
        acme.post(path, { leads: leads(1000, invalidLeads), options: { email_signature: "Piotr", email_count: 0 } })
      )
      assert.deepStrictEqual(
        issues.map(({ path }: { readonly path: string }) => path),
        ["options.email_count", "leads.250.email", "leads.251.name", "leads.300.custom_fields.Foo", "leads.901"]
      )
    })
  )

  it.effect("must not have objects with very many fields in its leads", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const manyFields = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))
      const post = (custom_fields: object, extraMembers: object = {}) =>
        Effect.map(
          acme.post(path, { leads: [{ ...lead, custom_fields }], options, ...extraMembers }),
          ({ body, status }) => [status, body.detail?.issues?.[0]?.message ?? body.message] as const
        )
      assert.deepStrictEqual(yield* post(manyFields(51)), [400, "must hold at most 50 fields"])
      assert.deepStrictEqual(yield* post(manyFields(10_000)), [400, "must hold at most 50 fields"])
      assert.deepStrictEqual(yield* post(manyFields(10_001)), [
        400,
        "An object of the body has too many fields: at most 10000 are taken"
      ])
      // Unknown fields of the body itself are ignored.
      assert.strictEqual((yield* post(manyFields(1), manyFields(10_001)))[0], 404)
    })
  )

  it.effect.each(invalidTexts.map((text, index) => ({ text, at: index })))(
    "that is invalid JSON is refused as such: $at",
    ({ text }) =>
      Effect.gen(function* () {
        const acme = yield* newCaller()
        const answer = yield* acme.post(path, text.replaceAll('"a"', '"leads"'))
        assert.deepStrictEqual([answer.status, answer.body.message], [400, "The body is not valid JSON"])
      })
  )
})
