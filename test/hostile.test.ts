// test/hostile.test.ts: hostile bodies, at every endpoint and in every field: each is refused in the service's own words or
// stored as plain data, and a refused one changes nothing.
import { assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Layer } from "effect"
import type { Answer } from "./support/answers.ts"
import { json } from "./support/callers.ts"
import { dump, waitUntilIdle } from "./support/dump.ts"
import { type Endpoint, endpoints } from "./support/endpoints.ts"
import { type Field, fields, type Kind, matchingPaths, valueAt, withValue } from "./support/fields.ts"
import {
  fullBody,
  type FullWorkspace,
  createFullWorkspace,
  fullRequest,
  partlyFailingWriter
} from "./support/full-workspace.ts"
import * as Server from "./support/server.ts"
import { bytes } from "./support/socket.ts"

class Own extends Context.Service<Own, FullWorkspace>()("test/Own") {
  static readonly layer = Layer.effect(Own, createFullWorkspace("kestrel"))
}

const service = Own.layer.pipe(
  Layer.provideMerge(
    Server.layer({ writer: partlyFailingWriter, rate: { limit: 1_000_000, window: Duration.minutes(1) } })
  )
)
const live = { excludeTestServices: true }

/** What takes a campaign back to its draft comes last. */
const late = ({ name }: Endpoint) => Number(/^(set|select|branch)/.test(name))
const taking = endpoints
  .filter(({ takesBody, takesFile }) => takesBody && !takesFile)
  .toSorted((a, b) => late(a) - late(b))

/** Sends a body as it is. A refusal is in the envelope (`Server` sees to that), no error of ours, and without effect. */
const capped = ["createPersona", "createTemplate"]

const sent = Effect.fnUntraced(function* (endpoint: Endpoint, init: RequestInit) {
  const own = yield* Own
  const before = yield* dump
  const [method, path] = fullRequest(endpoint, own)
  const answer = yield* own.caller.send(method, path, init)
  const about = `${endpoint.name} ${String(init.body).slice(0, 200)}: ${answer.status} ${answer.text.slice(0, 500)}`
  assert.isBelow(answer.status, 500, about)
  if (answer.status < 300) yield* waitUntilIdle
  else assert.isTrue((yield* dump) === before, `Something was changed by ${about}`)
  // A playbook has room for few of them.
  if (answer.status === 201 && capped.includes(endpoint.name)) yield* own.caller.delete(`${path}/${answer.body.id}`)
  return { ...answer, about }
})

const refused = Effect.fnUntraced(function* (endpoint: Endpoint, body: BodyInit) {
  const answer = yield* sent(endpoint, { body, headers: { "content-type": "application/json" } })
  assert.deepStrictEqual([answer.status, answer.body.error], [400, "BAD_REQUEST"], answer.about)
  // The one address that is sent here is refused too, but not before the document is.
  assert.notInclude(pathsOf(answer), "url", answer.about)
  return answer
})

/** The document with another member in its outermost object. */
const also = (document: string, member: string) => `${document.slice(0, -1)},${member}}`

/** Bytes in an unknown member, so that only the bytes themselves can be wrong. */
const amid = (document: string, ...odd: ReadonlyArray<number>) => bytes(`${document.slice(0, -1)},"x":"`, odd, `"}`)

const wide = (document: string, end: "le" | "be", mark: boolean) => {
  const units = Buffer.from((mark ? "\uFEFF" : "") + document, "utf16le")
  return new Uint8Array(end === "le" ? units : units.swap16())
}

const levels = (depth: number, open: string, close: string) => `"x":${open.repeat(depth)}1${close.repeat(depth)}`

const noDocuments = (document: string): ReadonlyArray<BodyInit> => [
  "",
  " \n\t",
  "null",
  "true",
  "5",
  `"${"x".repeat(100)}"`,
  "[]",
  "[{}]",
  "nul",
  "undefined",
  "NaN",
  "'x'",
  ...[1, 0.5, 0.9].map((part) => document.slice(0, Math.ceil(document.length * part) - 1)),
  `${document}}`,
  `${document},`,
  `${document}${document}`,
  `[${document}]`,
  `x=${document}`,
  `)]}',\n${document}`,
  `{${document.slice(1, -1)},}`,
  `/* ours */ ${document}`,
  also(document, `x:1`),
  also(document, `"x":01`),
  also(document, `"x":.5`),
  also(document, `"x":NaN`),
  also(document, `"x":Infinity`),
  also(document, `"x":"\n"`),
  also(document, `"x":"\\x41"`),
  also(document, `"x":"\\u00g0"`),
  also(document, `"x":+1`),
  also(document, `"x":0x10`),
  // Too deep, by one level and by very many.
  ...[64, 10_000, 100_000].flatMap((depth) => [
    also(document, levels(depth, "[", "]")),
    also(document, levels(depth, `{"x":`, "}"))
  ]),
  ...["[", `{"x":`, `[{"x":`].map((open) => open.repeat(100_000)),
  // What no store should hold.
  ...[
    `"x":"\\u0000"`,
    `"\\u0000":1`,
    `"x":"\\ud800"`,
    `"x":["\\uDFFF"]`,
    `"\\ud83d":{}`,
    `"x":{"y":[{"\\ude00":1}]}`,
    `"x":"\\ude00\\ud83d"`,
    `"x":"\\ud83d\\ud83d\\ude00"`
  ].map((member) => also(document, member)),
  // What is no UTF-8, or only nearly.
  ...[
    [0x00],
    [0xff],
    [0xc3],
    [0xc0, 0x80],
    [0xc0, 0xaf],
    [0xe0, 0x80, 0xaf],
    [0xf0, 0x80, 0x80, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xed, 0xb0, 0x80],
    [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0xfe],
    [0x80]
  ].map((odd) => amid(document, ...odd)),
  ...(["le", "be"] as const).flatMap((end) => [wide(document, end, true), wide(document, end, false)]),
  bytes([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0])
]

layer(service, live)("a body", (it) => {
  it.effect.each(taking)("that is no document, or none to be kept, is refused: $name", (endpoint) =>
    Effect.gen(function* () {
      const own = yield* Own
      for (const body of noDocuments(JSON.stringify(fullBody(endpoint.name, own)))) yield* refused(endpoint, body)
    })
  )
})

/** What an answer says is wrong. */
const pathsOf = ({ body }: Answer): ReadonlyArray<string> =>
  (body?.detail?.issues ?? []).map(({ path }: { readonly path: string }) => path)

/** Asserts a refusal that names this field, or what it is part of. */
const names = (answer: Answer, about: string, place: ReadonlyArray<string>) => {
  assert.deepStrictEqual([answer.status, answer.body.error], [400, "BAD_REQUEST"], about)
  const path = place.join(".")
  const isNamed = pathsOf(answer).some((one) => one === path || path.startsWith(`${one}.`))
  assert.isTrue(isNamed, `${path} is not named in ${about}`)
}

/** Where a field stands in the fullest body, or would stand if it excluded no other. */
const standing = (body: unknown, { path }: Field) => {
  const places = matchingPaths(body, path)
  return places.length > 0 || path.includes("*") ? places.slice(0, 1) : [path.split(".")]
}

const fieldsOf = ({ name }: Endpoint) =>
  fields.filter(({ endpoint, path, location }) => endpoint === name && location === "body" && !path.includes("{key}"))

/** JSON as text, because parts of it would be lost as a value. */
const strangers: ReadonlyArray<readonly [kind: Kind, text: string]> = [
  ["null", "null"],
  ["boolean", "true"],
  ["number", "0"],
  ["number", "1e400"],
  ["string", `"x"`],
  ["array", `[{"__proto__":[]}]`],
  ["object", `{"length":1,"0":"x","toString":"x","__proto__":{"length":1}}`]
]

/** Of the right type, and odd all the same. */
const odd: ReadonlyArray<readonly [kind: Kind, texts: ReadonlyArray<string>]> = [
  ["number", ["-0", "-1", "1.5", "1e308", "-1e400", "5e-324", "123456789012345678901234567890"]],
  ["string", [`""`, `" "`, `"NaN"`, `"null"`, `"[object Object]"`, `"[]"`, `"{"`, `"1e400"`, `"\\ud83d\\ude00"`]],
  ["array", ["[]", "[[]]", "[null]"]],
  ["object", ["{}", `{"$ne":null}`]]
]

/** An entry of a list in a body, to fill the list with. */
const entryOf = (body: unknown, place: ReadonlyArray<string>) => {
  const list = valueAt(body, place)
  return Array.isArray(list) ? list[0] : "x"
}

/** Whose ids do not matter. */
const nobodys = {
  ids: {
    campaign: "",
    list: "",
    pendingList: "",
    signature: "",
    segment: "",
    suppression: "",
    conversation: "",
    job: "",
    regeneration: "",
    document: "",
    imported: "",
    option: "",
    persona: "",
    template: "",
    preview: "",
    lead: "",
    webhook: "",
    delivery: "",
    key: ""
  },
  options: { social_proof: ["x"] }
}

const mark = "the value goes here"

/** The body as text, with this text in a place of it. */
const withText = (body: unknown, place: ReadonlyArray<string>, text: string) =>
  JSON.stringify(withValue(body, place, mark)).replace(JSON.stringify(mark), () => text)

layer(service, live)("a field", (it) => {
  it("is in the fullest body, wherever the contract has one", () => {
    const all = taking.flatMap(fieldsOf)
    assert.isAbove(all.length, 100)
    const unset = all.filter((field) => standing(fullBody(field.endpoint, nobodys), field).length === 0)
    assert.deepStrictEqual(unset, [])
  })

  it.effect.each(taking)("of another type is refused and named: $name", (endpoint) =>
    Effect.gen(function* () {
      const body = fullBody(endpoint.name, yield* Own)
      for (const field of fieldsOf(endpoint)) {
        for (const place of standing(body, field)) {
          for (const [kind, text] of strangers) {
            if (field.kinds.has(kind) || field.kinds.has("any")) continue
            const answer = yield* sent(endpoint, json(withText(body, place, text)))
            names(answer, answer.about, place)
          }
        }
      }
    })
  )

  it.effect.each(taking)("of its own type may be odd, and breaks nothing: $name", (endpoint) =>
    Effect.gen(function* () {
      const body = fullBody(endpoint.name, yield* Own)
      for (const [kind, texts] of odd) {
        const those = fieldsOf(endpoint).filter(({ kinds }) => kinds.has(kind))
        for (const text of texts) {
          // All of them at once, and what is left of those within others is as it was.
          const places = those.flatMap((field) => standing(body, field))
          const marked = places.reduce((whole, place) => withValue(whole, place, mark), body)
          yield* sent(endpoint, json(JSON.stringify(marked).replaceAll(JSON.stringify(mark), () => text)))
        }
      }
    })
  )

  /** Texts and lists without a bound of their own, and why they need none. */
  const unbounded: { readonly [path: string]: string } = {
    "target_audience.id": "names something or nothing",
    "selected_ids.*": "names something or nothing",
    "options.signature_id": "names something or nothing",
    "options.assistant_id": "names something or nothing",
    "options.vector_id": "names something or nothing",
    campaign_id: "names something or nothing",
    persona_id: "names something or nothing",
    "lead_ids.*": "names something or nothing",
    conversation_id: "names something or nothing",
    "sample.field_mapping": "is read and not kept",
    "sample.field_mapping.*": "is read and not kept",
    "sample.rows.*": "is read and not kept",
    "options.enrichment_mapping.*": "is neither read nor kept"
  }

  /** One more than the arrays take that take more than the others. */
  const larger: { readonly [field: string]: number } = {
    leads: 50_001,
    entries: 10_001,
    lead_ids: 10_001,
    omitted_rows: 10_001
  }

  it.effect.each(taking)("that is too long is refused and named: $name", (endpoint) =>
    Effect.gen(function* () {
      const body = fullBody(endpoint.name, yield* Own)
      for (const field of fieldsOf(endpoint)) {
        for (const place of standing(body, field)) {
          const longest: ReadonlyArray<unknown> = [
            ...(field.kinds.has("string") ? ["x", "😀"].map((letter) => letter.repeat(100_000)) : []),
            ...(field.kinds.has("array")
              ? [Array.from({ length: larger[place.at(-1) ?? ""] ?? 1_001 }, () => entryOf(body, place))]
              : [])
          ]
          for (const value of longest) {
            const answer = yield* sent(endpoint, json(withValue(body, place, value)))
            if (unbounded[field.path] === undefined) names(answer, answer.about, place)
          }
        }
      }
    })
  )
})

/** An edit that is made is a conflict when it is repeated, so that this one is a conflict from the start. */
const conflicting = (name: string, body: unknown) => (name === "editEmail" ? withValue(body, ["version"], 1000) : body)

layer(service, live)("a body", (it) => {
  /** Members at every level that would mean something to a careless program. */
  const poisoned = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(poisoned).join(",")}]`
    if (typeof value !== "object" || value === null) return JSON.stringify(value)
    const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${poisoned(one)}`)
    const poison = `{"admin":true,"polluted":"yes","workspace_id":"x"}`
    return `{${[...members, `"__proto__":${poison}`, `"constructor":{"prototype":${poison}}`, `"prototype":${poison}`].join(",")}}`
  }

  it.effect.each(taking)("may repeat members, or have many unknown ones: $name", (endpoint) =>
    Effect.gen(function* () {
      const body = conflicting(endpoint.name, fullBody(endpoint.name, yield* Own))
      const document = JSON.stringify(body)
      const plain = (yield* sent(endpoint, json(document))).status
      const many = Array.from({ length: 20_000 }, (_, i) => `"k${i}":${i}`).join(",")
      const deep = levels(63, "[", "]")
      for (const more of [
        document.slice(1, -1),
        many,
        deep,
        `"":1`,
        `"😀":{"\\n":[]}`,
        `"hasOwnProperty":1,"toJSON":2`
      ]) {
        const answer = yield* sent(endpoint, json(also(document, more)))
        assert.strictEqual(answer.status, plain, answer.about)
      }
    })
  )

  it.effect.each(taking)("is plain data, whatever its keys are called: $name", (endpoint) =>
    Effect.gen(function* () {
      const body = conflicting(endpoint.name, fullBody(endpoint.name, yield* Own))
      const plain = (yield* sent(endpoint, json(body))).status
      const answer = yield* sent(endpoint, json(poisoned(body)))
      const bare: { readonly admin?: unknown; readonly polluted?: unknown } = {}
      assert.deepStrictEqual([bare.admin, bare.polluted], [undefined, undefined])
      assert.notMatch(answer.text, /polluted/)
      // Where a body maps names to texts, those are names like any other, of what is no text.
      const maps = fieldsOf(endpoint).some(({ path }) => /edited_|field_mapping|custom_fields/.test(path))
      if (maps) {
        assert.strictEqual(answer.status, 400, answer.about)
        assert.isNotEmpty(
          pathsOf(answer).filter((path) => path.includes("__proto__")),
          answer.about
        )
      } else assert.strictEqual(answer.status, plain, answer.about)
    })
  )
})
