// test/longbody.test.ts: a body that is read in pieces says what it would say in one.
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

/** Reads over the text by so many characters at a time. */
const looked = (text: string, step = Infinity) => {
  const shape = makeBodyScanner(text, limit)
  for (let until = step; ; until += step) {
    const refusal = shape.scanTo(until)
    if (refusal !== undefined || shape.isScanned()) return { refusal, longLists: shape.longLists }
  }
}

const whole = (text: string) => {
  try {
    return Option.some(JSON.parse(text))
  } catch {
    return Option.none()
  }
}

const inPieces = (text: string) => Effect.option(parse({ text, longLists: looked(text).longLists }))

const list = (count: number, entry = (i: number): unknown => ({ i, s: `a,]}"\\ ${i}` })) =>
  JSON.stringify(Array.from({ length: count }, (_, i) => entry(i)))

const long = list(3 * pieceSize + 7)
/** Where the list is first cut. */
const comma = `,${JSON.stringify({ i: pieceSize, s: `a,]}"\\ ${pieceSize}` })}`

const texts: ReadonlyArray<string> = [
  ...[0, 1, pieceSize - 1, pieceSize, pieceSize + 1, 2 * pieceSize, 2 * pieceSize + 1].map(
    (count) => `{"leads":${list(count)},"x":1}`
  ),
  `{"x":{"leads":${long}},"leads":[]}`,
  ` { "a" : ${long.replaceAll("},", "}\n ,\t")} , "b" : ${list(500, (i) => i)} } `,
  `{"a":${long},"a":"later"}`,
  `{"a":${long},"a":${list(2 * pieceSize, (i) => i)}}`,
  `{"a":1,"a":${long}}`,
  `{"__proto__":${long},"constructor":${long}}`,
  `{"":${list(700, (i) => [i, [[], {}], "\u2028😀\\ud83d\\ude00"])}}`,
  `{"a":{"b":1},"c":${long}}`,
  `{"a":${list(700, () => null)}}`,
  long,
  `[${long}]`,
  `"${"x,".repeat(1000)}"`
]

const broken: ReadonlyArray<string> = [
  `{"a":${long}`,
  `{"a":${long}]`,
  `{"a":${long}}}`,
  `{"a":${long}},{"a":${long}}`,
  `{"a":${long.slice(0, -1)}}`,
  `{"a":${long.slice(0, -1)}}]`,
  `{"a":${long.slice(0, -1)},]}`,
  `{"a":${list(2 * pieceSize).slice(0, -1)},]}`,
  `{"a":${long.replace(comma, `,${comma}`)}}`,
  `{"a":${long.replace(comma, `, ${comma}`)}}`,
  `{"a":${long.replace(comma, comma.slice(1))}}`,
  `{"a":${long.replace(comma, "],[0")}}`,
  `{"a":${long.replace(comma, ",]")}}`,
  `{"a":${long.replace(comma, ",NaN")}}`,
  `{"a":${long.replace('"i":5,', "i:5,")}}`,
  `{"a":[,${long.slice(1)}}`,
  `{"a":{${long.slice(1)}}`,
  `{"a":[${",".repeat(3 * pieceSize)}]}`,
  `{"a":[${" ,".repeat(pieceSize)}1]}`,
  `{"a":${long},"a":${long.replace(comma, `,${comma}`)}}`,
  `{"a":${long.replace(comma, `,${comma}`)},"a":[]}`,
  `{"a" ${long}}`,
  `{${long}:1}`,
  `]{"a":${long}}`
]

describe("a text", () => {
  it.effect.each(texts.map((text) => ({ text, title: text.slice(0, 40) })))(
    "is the document it is: $title",
    ({ text }) =>
      Effect.gen(function* () {
        assert.isTrue(Option.isSome(whole(text)))
        assert.deepStrictEqual(yield* inPieces(text), whole(text))
      })
  )

  it.effect.each(broken.map((text, at) => ({ text, at })))("that is no document is none: $at", ({ text }) =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone(whole(text)))
      assert.isTrue(Option.isNone(yield* inPieces(text)))
    })
  )

  it.effect("is the document it is, or none, with any character of it gone or doubled", () =>
    Effect.gen(function* () {
      const text = `{"a":${list(pieceSize + 2, (i) => (i % 9 === 0 ? [i] : i % 7 === 0 ? { a: i } : i))},"b":[1]}`
      for (let at = 0; at < text.length; at++) {
        for (const other of [text.slice(0, at) + text.slice(at + 1), text.slice(0, at) + text[at] + text.slice(at)]) {
          assert.deepStrictEqual(yield* inPieces(other), whole(other), other.slice(Math.max(0, at - 20), at + 20))
        }
      }
    })
  )

  it("is cut in the same places however much of it is read at a time", () => {
    assert.isAbove(looked(`{"a":${long}}`).longLists[0]?.splitPositions.length ?? 0, 2)
    for (const text of [...texts, ...broken]) {
      for (const step of [1, 2, 3, 11, 97]) assert.deepStrictEqual(looked(text, step), looked(text))
    }
  })

  it("is refused for the same however much of it is read at a time", () => {
    for (const text of [
      `{"a":"${"\\ud800"}"}`,
      `{"a":"${"\\ud83d\\ude00".repeat(9)}\\u0000"}`,
      "[".repeat(65),
      `{"a":[${"1,".repeat(200_000)}1]}`
    ]) {
      const { refusal } = looked(text)
      assert.isString(refusal)
      for (const step of [1, 5, 7]) assert.strictEqual(looked(text, step).refusal, refusal)
    }
  })
})

const format = SchemaIssue.makeFormatterStandardSchemaV1()
const described = (error: Schema.SchemaError) => JSON.stringify(format(error.issue).issues)

const payload = GenerationApi.endpoints.generateBatch.payload.get("application/json")?.schemas[0]
const atOnce = (body: unknown) =>
  Schema.decodeUnknownEffect(payload as unknown as Schema.Codec<{ readonly leads: unknown }, unknown>)(body)
const batch = decodeLong({ list: "leads", entry: Lead, digest: researchStub, wholeBody: BatchOfLeads })

const leads = (count: number, odd: Readonly<Record<number, unknown>> = {}) =>
  Array.from({ length: count }, (_, i) => (i in odd ? odd[i] : { email: `lead${i}@north.example`, company: "North" }))
const enriched = { ...options, enrichment_enabled: true }

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
  ["nothing to research", { leads: leads(1500, { 3: lead, 1400: { email: "a@b.example" } }), options: enriched }],
  ["nothing to research, and a bad lead", { leads: leads(600, { 3: lead, 500: {} }), options: enriched }],
  ["unknown fields", { leads: leads(250, { 7: { ...lead, x: 1 } }), options: { ...options, y: 2 }, z: [] }],
  ["a name to trim", { leads: leads(250), options: { ...options, list_name: "  Spring " } }],
  ["many leads", { leads: leads(2001), options: enriched }]
]

describe("a batch that is decoded lead by lead", () => {
  const same = Effect.fnUntraced(function* (text: string) {
    const { longLists } = looked(text)
    const one = yield* Effect.result(Effect.mapError(atOnce(text === "" ? undefined : JSON.parse(text)), described))
    const other = yield* batch({ text, longLists }).pipe(
      Effect.map(({ body, count, entries }) => {
        const leads = [...entries].flat()
        assert.strictEqual(count, leads.length)
        return { ...body, leads }
      }),
      Effect.mapError(described),
      Effect.result
    )
    assert.deepStrictEqual(other, one)
  })

  it.effect.each(bodies.map(([title, body]) => ({ title, text: JSON.stringify(body) ?? "" })))(
    "is what it is at once: $title",
    ({ text }) => same(text)
  )

  it.effect("is what it is at once where another list is long, or the name comes twice", () =>
    Effect.gen(function* () {
      const many = JSON.stringify(leads(450))
      const bad = JSON.stringify(leads(450, { 300: {} }))
      const rest = `"options":${JSON.stringify(options)}`
      yield* same(`{"x":${bad},"leads":${many},${rest}}`)
      yield* same(`{"leads":${many},${rest},"x":${bad}}`)
      yield* same(`{"leads":${bad},${rest},"leads":${many}}`)
      yield* same(`{"leads":${many},${rest},"leads":${bad}}`)
      yield* same(`{"leads":${bad},${rest},"leads":[{"email":"a@b.example"}]}`)
      yield* same(`{"leads":${bad},${rest},"leads":null}`)
      yield* same(`{"x":${bad},${rest},"x":1}`)
      yield* same(`{"leads":{"x":${bad}},${rest}}`)
    })
  )

  it.effect("is no document before it is a wrong one", () =>
    Effect.gen(function* () {
      const text = `{"leads":${JSON.stringify(leads(450, { 0: {} })).slice(0, -1)},],"options":{}}`
      assert.include(described(yield* Effect.flip(batch({ text, longLists: looked(text).longLists }))), "valid JSON")
    })
  )

  it.effect("hands out its leads as often as they are asked for", () =>
    Effect.gen(function* () {
      const text = JSON.stringify({ leads: leads(450), options })
      const { entries } = yield* batch({ text, longLists: looked(text).longLists })
      assert.deepStrictEqual([...entries].flat(), leads(450))
      assert.deepStrictEqual([...entries].flat(), leads(450))
      assert.isAtMost(Math.max(...[...entries].map(({ length }) => length)), pieceSize)
    })
  )
})

const service = Server.layer({ runsWorkers: false, rate: { limit: 1_000_000, window: Duration.minutes(1) } })

layer(service, { excludeTestServices: true })("a long body", (it) => {
  const path = `/campaigns/${unknownId}/generate-batch`

  it.effect("is refused with all that is wrong with it, where it is", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const odd = {
        250: { email: "no" },
        251: { ...lead, name: "x".repeat(2001) },
        300: { ...lead, custom_fields: { ok: 1, Foo: "x" } },
        901: null
      }
      const { issues } = yield* expectError(
        400,
        "BAD_REQUEST",
        acme.post(path, { leads: leads(1000, odd), options: { email_signature: "Piotr", email_count: 0 } })
      )
      assert.deepStrictEqual(
        issues.map(({ path }: { readonly path: string }) => path),
        ["options.email_count", "leads.250.email", "leads.251.name", "leads.300.custom_fields.Foo", "leads.901"]
      )
    })
  )

  it.effect("has no object of very many fields within its leads, which would be looked at in one go", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]))
      const message = (custom_fields: object, more: object = {}) =>
        Effect.map(
          acme.post(path, { leads: [{ ...lead, custom_fields }], options, ...more }),
          ({ body, status }) => [status, body.detail?.issues?.[0]?.message ?? body.message] as const
        )
      assert.deepStrictEqual(yield* message(many(51)), [400, "must hold at most 50 fields"])
      assert.deepStrictEqual(yield* message(many(10_000)), [400, "must hold at most 50 fields"])
      assert.deepStrictEqual(yield* message(many(10_001)), [
        400,
        "An object of the body has too many fields: at most 10000 are taken"
      ])
      // Unknown fields of the body itself are ignored.
      assert.strictEqual((yield* message(many(1), many(10_001)))[0], 404)
    })
  )

  it.effect.each(broken.map((text, at) => ({ text, at })))("that is no document is said to be none: $at", ({ text }) =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const answer = yield* acme.post(path, text.replaceAll('"a"', '"leads"'))
      assert.deepStrictEqual([answer.status, answer.body.message], [400, "The body is not valid JSON"])
    })
  )
})
