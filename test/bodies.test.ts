// test/bodies.test.ts: parsing and validation of request bodies, and how issues are reported.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { expectBody, expectError, secretAddress } from "./support/answers.ts"
import { newCaller, json } from "./support/callers.ts"
import { authenticatedEndpoints, lead, unknownId, options, sampleRequest, sampleBodies } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"
import { bytes } from "./support/socket.ts"

const live = { excludeTestServices: true }

/** A JSON document with this many nested levels. */
const nested = (levels: number) => `{"signature_text":"Ann","x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`

layer(Server.layer(), live)("a JSON body", (it) => {
  const post = (init: RequestInit) => Effect.flatMap(newCaller(), (acme) => acme.send("POST", "/signatures", init))

  it.effect.each([
    "{",
    "",
    " ",
    "nul",
    "undefined",
    `{"signature_text": "Ann",}`,
    `{'signature_text': 'Ann'}`,
    `{"signature_text": NaN}`,
    `{"signature_text": "Ann"} {}`,
    `{"signature_text": "a\u0001b" "c"}`,
    "null",
    "[]",
    `"Ann"`,
    "5",
    "true",
    `{"signature_text": null}`,
    `{"signature_text": 5}`,
    `{"signature_text": ["Ann"]}`,
    `{"signature_text": {"toString": "Ann"}}`,
    `{"signature_text": ""}`,
    `{"signature_text": " \\n\\t "}`,
    `{"SIGNATURE_TEXT": "Ann"}`,
    `{"__proto__": {"signature_text": "Ann"}}`
  ])("is refused: %s", (text) => expectError(400, "BAD_REQUEST", post(json(text))))

  const text = `{"signature_text":"Ann"}`
  it.effect.each([
    undefined,
    "",
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/octet-stream",
    "*/*",
    "application/json, text/plain"
  ])("is refused as %s", (type) =>
    expectError(
      400,
      "BAD_REQUEST",
      post({ body: bytes(text), headers: type === undefined ? {} : { "content-type": type } })
    )
  )

  it.effect.each(["application/json", "application/json; charset=utf-8", "Application/JSON", "application/json;"])(
    "is accepted as %s",
    (type) => expectBody(201, post({ body: text, headers: { "content-type": type } }))
  )

  it.effect("may be 64 levels deep and not 65", () =>
    Effect.gen(function* () {
      yield* expectBody(201, post(json(nested(64))))
      yield* expectError(400, "BAD_REQUEST", post(json(nested(65))))
      yield* expectError(400, "BAD_REQUEST", post(json(nested(200_000))))
      yield* expectError(400, "BAD_REQUEST", post(json("[".repeat(500_000))))
      // Brackets inside a string do not count as levels.
      yield* expectBody(201, post(json({ signature_text: '[{"'.repeat(100), x: "\\" })))
    })
  )

  it.effect("keeps every valid Unicode character", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      for (const text of [
        "Zoë Ö. 張",
        "😀 at the end 😀",
        "a\u2028b",
        "\\u0000 spelt out",
        "' OR 1=1; --",
        "__proto__"
      ]) {
        const { id } = yield* expectBody(201, acme.post("/signatures", { signature_text: text }))
        const { data } = yield* expectBody(200, acme.get("/signatures?limit=1"))
        assert.deepStrictEqual([data[0].id, data[0].signature_text], [id, text])
      }
      const escaped = yield* expectBody(
        201,
        acme.send("POST", "/signatures", json(`{"signature_text":"\\ud83d\\ude00"}`))
      )
      assert.strictEqual(escaped.signature_text, "😀")
    })
  )

  it.effect("has text lengths counted in characters, not in UTF-16 units", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      for (const letter of ["x", "張", "😀"]) {
        const { signature_text } = yield* expectBody(
          201,
          acme.post("/signatures", { signature_text: letter.repeat(5000) })
        )
        assert.strictEqual(signature_text, letter.repeat(5000))
        const { issues } = yield* expectError(
          400,
          "BAD_REQUEST",
          acme.post("/signatures", { signature_text: letter.repeat(5001) })
        )
        assert.deepStrictEqual(issues, [{ path: "signature_text", message: "must be at most 5000 characters long" }])
      }
    })
  )

  it.effect("may have unknown fields, including __proto__", () =>
    Effect.gen(function* () {
      const text = `{"signature_text":"Ann","id":"mine","created_by":"me","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}`
      const created = yield* expectBody(201, post(json(text)))
      assert.deepStrictEqual(Object.keys(created).toSorted(), [
        "created_at",
        "created_by",
        "id",
        "signature_name",
        "signature_text",
        "updated_at"
      ])
      assert.notStrictEqual(created.id, "mine")
      assert.notStrictEqual(created.created_by, "me")
      const emptyObject: { readonly admin?: boolean } = {}
      assert.isUndefined(emptyObject.admin)
    })
  )

  it.effect("may have the size limit of its endpoint and not a byte more", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const bodyOfSize = (body: object, size: number) => {
        const baseLength = JSON.stringify({ ...body, x: "" }).length
        return json({ ...body, x: "x".repeat(size - baseLength) })
      }
      const MiB = 1024 * 1024
      const largerLimits: { readonly [endpoint: string]: number } = {
        generateBatch: 32,
        addSuppressions: 4,
        reviewLeads: 4
      }
      for (const endpoint of authenticatedEndpoints.filter(({ takesBody, takesFile }) => takesBody && !takesFile)) {
        const sample = sampleBodies[endpoint.name]
        if (typeof sample !== "object" || sample === null) return assert.fail(endpoint.name)
        const [method, path] = sampleRequest(endpoint)
        const limit = (largerLimits[endpoint.name] ?? 1) * MiB
        assert.strictEqual(endpoint.bodyLimit, limit)
        yield* expectError(400, "BAD_REQUEST", acme.send(method, path, bodyOfSize(sample, limit + 1)))
        assert.notStrictEqual((yield* acme.send(method, path, bodyOfSize(sample, limit))).status, 400, path)
      }
    })
  )
})

layer(Server.layer(), live)("validation errors of a request", (it) => {
  const issuePaths = (request: unknown, path: string) =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const { body, status } = yield* acme.post(path, request)
      assert.deepStrictEqual([status, body.error], [400, "BAD_REQUEST"])
      const issues: ReadonlyArray<{ readonly path: string; readonly message: string }> = body.detail.issues
      for (const issue of issues) {
        assert.deepStrictEqual(Object.keys(issue), ["path", "message"])
        assert.isNotEmpty(issue.message)
        // Messages must not contain terms of the validation library.
        assert.notMatch(
          body.message + issue.message,
          /Expected|Schema|Error|_tag|\bundefined\b|Struct|filter|<|\bat \[/
        )
      }
      const [first] = issues
      assert.include(body.message, first?.path ?? "nothing")
      assert.include(body.message, first?.message ?? "nothing")
      return issues.map((issue) => issue.path).toSorted()
    })

  it.effect("report all issues at once, each with its path", () =>
    Effect.gen(function* () {
      const lead = { email: secretAddress + "@", name: 5, title: "x".repeat(2001) }
      const options = { email_count: 9, email_signature: "", approved_ctas: 7, enrichment_enabled: "yes" }
      assert.deepStrictEqual(yield* issuePaths({ lead, options }, `/campaigns/${unknownId}/generate`), [
        "lead.email",
        "lead.name",
        "lead.title",
        "options.approved_ctas",
        "options.email_count",
        "options.email_signature",
        "options.enrichment_enabled"
      ])
    })
  )

  it.effect.each([
    [{}, "generate", ["lead", "options"]],
    [{ lead }, "generate", ["options"]],
    [{ lead: {}, options }, "generate", ["lead.email"]],
    [{ lead: [lead], options }, "generate", ["lead"]],
    [{ lead, options: {} }, "generate", ["options.email_count", "options.email_signature"]],
    [{ lead, options: { email_count: 2 } }, "generate", ["options.email_signature"]],
    [{ lead, options: { ...options, signature_id: unknownId } }, "generate", ["options.signature_id"]],
    [{ leads: [], options }, "generate-batch", ["leads"]],
    [{ leads: lead, options }, "generate-batch", ["leads"]],
    [{ leads: [lead, { email: "x" }, lead, {}], options }, "generate-batch", ["leads.1.email", "leads.3.email"]],
    [
      { leads: [lead], options: { ...options, notification_email: "x" } },
      "generate-batch",
      ["options.notification_email"]
    ],
    [{}, "target-audience", ["target_audience"]],
    [
      { target_audience: { id: 5, segment_name: " " } },
      "target-audience",
      ["target_audience.id", "target_audience.segment_name"]
    ],
    [{ target_audience: { segment_name: "Mines" } }, "target-audience", ["target_audience.id"]],
    [
      { target_audience: { id: unknownId }, is_custom_target_audience: true },
      "target-audience",
      ["target_audience.segment_name"]
    ]
  ] as const)("%j at %s: %j", ([requestBody, path, expectedPaths]) =>
    Effect.map(issuePaths(requestBody, `/campaigns/${unknownId}/${path}`), (actual) =>
      assert.deepStrictEqual(actual, [...expectedPaths])
    )
  )

  it.effect("never contain the value that was sent", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const hidden = "hidden-value"
      const bodies = [
        { lead: { email: hidden, name: { hidden }, title: hidden.repeat(500) }, options: { email_count: hidden } },
        { lead: hidden, options: [hidden] },
        { lead, options: { ...options, signature_id: hidden, approved_ctas: { hidden } } }
      ]
      for (const requestBody of bodies) {
        const { status, text } = yield* acme.post(`/campaigns/${unknownId}/generate`, requestBody)
        assert.strictEqual(status, 400)
        assert.notInclude(text, hidden)
      }
      const { status, text } = yield* acme.get(`/lists?status=${hidden}&campaign_id=${hidden}&limit=${hidden}`)
      assert.strictEqual(status, 400)
      assert.notInclude(text, hidden)
    })
  )

  it.effect.each([
    "ann",
    "ann@",
    "@north.example",
    "ann@north",
    "ann@north..example",
    ".ann@north.example",
    "ann.@north.example",
    "a..nn@north.example",
    "ann@-north.example",
    "ann@north.example-",
    "ann @north.example",
    " ann@north.example",
    "ann@north.example\n",
    "ann@north.example\r\nBcc: bo@evil.example",
    "ann@north.example, bo@evil.example",
    "Ann <ann@north.example>",
    '"ann"@north.example',
    "ann(x)@north.example",
    "ann@[127.0.0.1]",
    "ann@north.example@evil.example",
    `${"a".repeat(65)}@north.example`,
    `ann@${"a".repeat(64)}.example`,
    `ann@${"abcdefg.".repeat(31)}example`
  ])("refuse an invalid email address: %j", (email) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* issuePaths({ lead: { email }, options }, `/campaigns/${unknownId}/generate`), [
        "lead.email"
      ])
    })
  )

  it.effect.each(["a@b.co", "ann.o'neil+x@mail.north-east.example", `a@${"b".repeat(63)}.example`, "1@2.example"])(
    "accept a valid email address: %s",
    (email) =>
      Effect.gen(function* () {
        const acme = yield* newCaller()
        yield* expectError(
          404,
          "NOT_FOUND",
          acme.post(`/campaigns/${unknownId}/generate`, { lead: { email }, options })
        )
      })
  )
})
