// test/hostile-bodies.test.ts: hostile bodies at every endpoint and in every field: each is refused with a clear error or
// stored as plain data, and a refused body changes nothing.
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

class TestWorkspace extends Context.Service<TestWorkspace, FullWorkspace>()("test/Own") {
  static readonly layer = Layer.effect(TestWorkspace, createFullWorkspace("kestrel"))
}

const service = TestWorkspace.layer.pipe(
  Layer.provideMerge(
    Server.layer({ writer: partlyFailingWriter, rate: { limit: 1_000_000, window: Duration.minutes(1) } })
  )
)
const live = { excludeTestServices: true }

/** Endpoints that set the campaign back to a draft run last. */
const runsLate = ({ name }: Endpoint) => Number(/^(set|select|branch)/.test(name))
const endpointsWithBody = endpoints
  .filter(({ takesBody, takesFile }) => takesBody && !takesFile)
  .toSorted((a, b) => runsLate(a) - runsLate(b))

/** A playbook may have only a few of these, so created ones are deleted again. */
const limitedEndpoints = ["createPersona", "createTemplate"]

/** Sends a body unchanged and asserts that the response is no server error, and that a refusal changes nothing. */
const sendBody = Effect.fnUntraced(function* (endpoint: Endpoint, init: RequestInit) {
  const workspace = yield* TestWorkspace
  const before = yield* dump
  const [method, path] = fullRequest(endpoint, workspace)
  const answer = yield* workspace.caller.send(method, path, init)
  const description = `${endpoint.name} ${String(init.body).slice(0, 200)}: ${answer.status} ${answer.text.slice(0, 500)}`
  assert.isBelow(answer.status, 500, description)
  if (answer.status < 300) yield* waitUntilIdle
  else assert.isTrue((yield* dump) === before, `Something was changed by ${description}`)
  if (answer.status === 201 && limitedEndpoints.includes(endpoint.name))
    yield* workspace.caller.delete(`${path}/${answer.body.id}`)
  return { ...answer, about: description }
})

const assertRefused = Effect.fnUntraced(function* (endpoint: Endpoint, body: BodyInit) {
  const answer = yield* sendBody(endpoint, { body, headers: { "content-type": "application/json" } })
  assert.deepStrictEqual([answer.status, answer.body.error], [400, "BAD_REQUEST"], answer.about)
  // The document must be refused before its URL is checked.
  assert.notInclude(pathsOf(answer), "url", answer.about)
  return answer
})

/** The document with an additional member in its outermost object. */
const withMember = (document: string, member: string) => `${document.slice(0, -1)},${member}}`

/** The document with bytes in an unknown member, so that only these bytes can be invalid. */
const withBytes = (document: string, ...values: ReadonlyArray<number>) =>
  bytes(`${document.slice(0, -1)},"x":"`, values, `"}`)

const asUtf16 = (document: string, end: "le" | "be", withBom: boolean) => {
  const units = Buffer.from((withBom ? "\uFEFF" : "") + document, "utf16le")
  return new Uint8Array(end === "le" ? units : units.swap16())
}

const nestedMember = (depth: number, open: string, close: string) => `"x":${open.repeat(depth)}1${close.repeat(depth)}`

const invalidDocuments = (document: string): ReadonlyArray<BodyInit> => [
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
  withMember(document, `x:1`),
  withMember(document, `"x":01`),
  withMember(document, `"x":.5`),
  withMember(document, `"x":NaN`),
  withMember(document, `"x":Infinity`),
  withMember(document, `"x":"\n"`),
  withMember(document, `"x":"\\x41"`),
  withMember(document, `"x":"\\u00g0"`),
  withMember(document, `"x":+1`),
  withMember(document, `"x":0x10`),
  // Nested too deeply, by one level and by very many.
  ...[64, 10_000, 100_000].flatMap((depth) => [
    withMember(document, nestedMember(depth, "[", "]")),
    withMember(document, nestedMember(depth, `{"x":`, "}"))
  ]),
  ...["[", `{"x":`, `[{"x":`].map((open) => open.repeat(100_000)),
  // Characters that must not be stored.
  ...[
    `"x":"\\u0000"`,
    `"\\u0000":1`,
    `"x":"\\ud800"`,
    `"x":["\\uDFFF"]`,
    `"\\ud83d":{}`,
    `"x":{"y":[{"\\ude00":1}]}`,
    `"x":"\\ude00\\ud83d"`,
    `"x":"\\ud83d\\ud83d\\ude00"`
  ].map((member) => withMember(document, member)),
  // Invalid UTF-8.
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
  ].map((values) => withBytes(document, ...values)),
  ...(["le", "be"] as const).flatMap((end) => [asUtf16(document, end, true), asUtf16(document, end, false)]),
  bytes([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0])
]

layer(service, live)("a body", (it) => {
  it.effect.each(endpointsWithBody)("that is invalid JSON or must not be stored is refused: $name", (endpoint) =>
    Effect.gen(function* () {
      const workspace = yield* TestWorkspace
      for (const body of invalidDocuments(JSON.stringify(fullBody(endpoint.name, workspace))))
        yield* assertRefused(endpoint, body)
    })
  )
})

/** The paths of the issues in an error response. */
const pathsOf = ({ body }: Answer): ReadonlyArray<string> =>
  (body?.detail?.issues ?? []).map(({ path }: { readonly path: string }) => path)

/** Asserts a refusal that names this field or one of its parents. */
const assertNamesField = (answer: Answer, description: string, fieldPath: ReadonlyArray<string>) => {
  assert.deepStrictEqual([answer.status, answer.body.error], [400, "BAD_REQUEST"], description)
  const path = fieldPath.join(".")
  const isNamed = pathsOf(answer).some((issuePath) => issuePath === path || path.startsWith(`${issuePath}.`))
  assert.isTrue(isNamed, `${path} is not named in ${description}`)
}

/** The path of a field in the fullest body, or its schema path if another field excludes it. */
const fieldPaths = (body: unknown, { path }: Field) => {
  const paths = matchingPaths(body, path)
  return paths.length > 0 || path.includes("*") ? paths.slice(0, 1) : [path.split(".")]
}

const fieldsOf = ({ name }: Endpoint) =>
  fields.filter(({ endpoint, path, location }) => endpoint === name && location === "body" && !path.includes("{key}"))

/** JSON as text, because values such as 1e400 would be lost when parsed. */
const valuesOfOtherTypes: ReadonlyArray<readonly [kind: Kind, text: string]> = [
  ["null", "null"],
  ["boolean", "true"],
  ["number", "0"],
  ["number", "1e400"],
  ["string", `"x"`],
  ["array", `[{"__proto__":[]}]`],
  ["object", `{"length":1,"0":"x","toString":"x","__proto__":{"length":1}}`]
]

/** Values of the right type that are unusual. */
const unusualValues: ReadonlyArray<readonly [kind: Kind, texts: ReadonlyArray<string>]> = [
  ["number", ["-0", "-1", "1.5", "1e308", "-1e400", "5e-324", "123456789012345678901234567890"]],
  ["string", [`""`, `" "`, `"NaN"`, `"null"`, `"[object Object]"`, `"[]"`, `"{"`, `"1e400"`, `"\\ud83d\\ude00"`]],
  ["array", ["[]", "[[]]", "[null]"]],
  ["object", ["{}", `{"$ne":null}`]]
]

/** The first entry of a list in the body, to fill the list with. */
const entryOf = (body: unknown, fieldPath: ReadonlyArray<string>) => {
  const list = valueAt(body, fieldPath)
  return Array.isArray(list) ? list[0] : "x"
}

/** A workspace whose ids do not matter. */
const emptyWorkspace = {
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

const placeholder = "the value goes here"

/** The body as text, with this text as the value of a field. */
const withText = (body: unknown, fieldPath: ReadonlyArray<string>, text: string) =>
  JSON.stringify(withValue(body, fieldPath, placeholder)).replace(JSON.stringify(placeholder), () => text)

layer(service, live)("a field", (it) => {
  it("is in the fullest body of its endpoint", () => {
    const allFields = endpointsWithBody.flatMap(fieldsOf)
    assert.isAbove(allFields.length, 100)
    const missingFields = allFields.filter(
      (field) => fieldPaths(fullBody(field.endpoint, emptyWorkspace), field).length === 0
    )
    assert.deepStrictEqual(missingFields, [])
  })

  it.effect.each(endpointsWithBody)("of the wrong type is refused with its path: $name", (endpoint) =>
    Effect.gen(function* () {
      const body = fullBody(endpoint.name, yield* TestWorkspace)
      for (const field of fieldsOf(endpoint)) {
        for (const fieldPath of fieldPaths(body, field)) {
          for (const [kind, text] of valuesOfOtherTypes) {
            if (field.kinds.has(kind) || field.kinds.has("any")) continue
            const answer = yield* sendBody(endpoint, json(withText(body, fieldPath, text)))
            assertNamesField(answer, answer.about, fieldPath)
          }
        }
      }
    })
  )

  it.effect.each(endpointsWithBody)("may have unusual values without a server error: $name", (endpoint) =>
    Effect.gen(function* () {
      const body = fullBody(endpoint.name, yield* TestWorkspace)
      for (const [kind, texts] of unusualValues) {
        const fieldsOfKind = fieldsOf(endpoint).filter(({ kinds }) => kinds.has(kind))
        for (const text of texts) {
          // Replaces all fields at once; a field inside a replaced one no longer exists.
          const paths = fieldsOfKind.flatMap((field) => fieldPaths(body, field))
          const bodyWithPlaceholders = paths.reduce(
            (result, fieldPath) => withValue(result, fieldPath, placeholder),
            body
          )
          yield* sendBody(
            endpoint,
            json(JSON.stringify(bodyWithPlaceholders).replaceAll(JSON.stringify(placeholder), () => text))
          )
        }
      }
    })
  )

  /** Texts and lists without a maximum length, and the reason. */
  const fieldsWithoutLimit: { readonly [path: string]: string } = {
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

  /** One entry more than the limit, for lists with a higher limit than the others. */
  const largerLists: { readonly [field: string]: number } = {
    leads: 50_001,
    entries: 10_001,
    lead_ids: 10_001,
    omitted_rows: 10_001
  }

  it.effect.each(endpointsWithBody)("that is too long is refused with its path: $name", (endpoint) =>
    Effect.gen(function* () {
      const body = fullBody(endpoint.name, yield* TestWorkspace)
      for (const field of fieldsOf(endpoint)) {
        for (const fieldPath of fieldPaths(body, field)) {
          const tooLong: ReadonlyArray<unknown> = [
            ...(field.kinds.has("string") ? ["x", "😀"].map((letter) => letter.repeat(100_000)) : []),
            ...(field.kinds.has("array")
              ? [Array.from({ length: largerLists[fieldPath.at(-1) ?? ""] ?? 1_001 }, () => entryOf(body, fieldPath))]
              : [])
          ]
          for (const value of tooLong) {
            const answer = yield* sendBody(endpoint, json(withValue(body, fieldPath, value)))
            if (fieldsWithoutLimit[field.path] === undefined) assertNamesField(answer, answer.about, fieldPath)
          }
        }
      }
    })
  )
})

/** Repeating an edit is a conflict, so this body is a conflict from the start. */
const withOldVersion = (name: string, body: unknown) =>
  name === "editEmail" ? withValue(body, ["version"], 1000) : body

layer(service, live)("a body", (it) => {
  /** Adds members at every level that could cause prototype pollution. */
  const withPoison = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(withPoison).join(",")}]`
    if (typeof value !== "object" || value === null) return JSON.stringify(value)
    const members = Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}:${withPoison(child)}`)
    const poison = `{"admin":true,"polluted":"yes","workspace_id":"x"}`
    return `{${[...members, `"__proto__":${poison}`, `"constructor":{"prototype":${poison}}`, `"prototype":${poison}`].join(",")}}`
  }

  it.effect.each(endpointsWithBody)("may have duplicate or unknown members: $name", (endpoint) =>
    Effect.gen(function* () {
      const body = withOldVersion(endpoint.name, fullBody(endpoint.name, yield* TestWorkspace))
      const document = JSON.stringify(body)
      const expectedStatus = (yield* sendBody(endpoint, json(document))).status
      const manyMembers = Array.from({ length: 20_000 }, (_, i) => `"k${i}":${i}`).join(",")
      const deepMember = nestedMember(63, "[", "]")
      for (const members of [
        document.slice(1, -1),
        manyMembers,
        deepMember,
        `"":1`,
        `"😀":{"\\n":[]}`,
        `"hasOwnProperty":1,"toJSON":2`
      ]) {
        const answer = yield* sendBody(endpoint, json(withMember(document, members)))
        assert.strictEqual(answer.status, expectedStatus, answer.about)
      }
    })
  )

  it.effect.each(endpointsWithBody)("does not pollute prototypes: $name", (endpoint) =>
    Effect.gen(function* () {
      const body = withOldVersion(endpoint.name, fullBody(endpoint.name, yield* TestWorkspace))
      const expectedStatus = (yield* sendBody(endpoint, json(body))).status
      const answer = yield* sendBody(endpoint, json(withPoison(body)))
      const emptyObject: { readonly admin?: unknown; readonly polluted?: unknown } = {}
      assert.deepStrictEqual([emptyObject.admin, emptyObject.polluted], [undefined, undefined])
      assert.notMatch(answer.text, /polluted/)
      // In fields that map names to texts, the added members are entries with invalid values.
      const hasMap = fieldsOf(endpoint).some(({ path }) => /edited_|field_mapping|custom_fields/.test(path))
      if (hasMap) {
        assert.strictEqual(answer.status, 400, answer.about)
        assert.isNotEmpty(
          pathsOf(answer).filter((path) => path.includes("__proto__")),
          answer.about
        )
      } else assert.strictEqual(answer.status, expectedStatus, answer.about)
    })
  )
})
