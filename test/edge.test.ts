// test/edge.test.ts: the headers of every answer, and requests that Node would answer itself.
import { assert, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Links, PublicUrl } from "#layers/Links.ts"
import { newCaller } from "./support/callers.ts"
import { unknownId } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"
import * as Wire from "./support/socket.ts"

const live = { excludeTestServices: true }

layer(Wire.layer, live)("every answer", (it) => {
  it.effect("is neither sniffed nor cached", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const answers = [
        yield* acme.get("/workspace"),
        yield* acme.get("/lists"),
        yield* acme.get(`/lists/${unknownId}`),
        yield* acme.post("/signatures", "{"),
        yield* acme.post("/signatures", { signature_text: "Ann" }),
        yield* acme.get("/health"),
        yield* (yield* Server.Server).send("GET", "/credits"),
        yield* (yield* Server.Server).send("GET", "/nothing")
      ]
      for (const { headers, status } of answers) {
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff", String(status))
        assert.strictEqual(headers.get("cache-control"), "no-store", String(status))
        assert.strictEqual(headers.get("referrer-policy"), "no-referrer", String(status))
        assert.strictEqual(headers.get("www-authenticate"), status === 401 ? "Bearer" : null, String(status))
      }
    })
  )

  it.effect("has a body in the service's own form, whatever is asked for and by whom", () =>
    Effect.gen(function* () {
      const { exchange } = yield* Wire.Socket
      const acme = yield* newCaller()
      const said = (head: string) => exchange([`${head}\r\nConnection: close\r\n\r\n`])
      const hostless = yield* said(`GET /api/v1/credits HTTP/1.1\r\nX-API-Key: ${acme.key}`)
      assert.match(hostless, /^HTTP\/1\.1 400 /)
      assert.match(hostless, /"error":"BAD_REQUEST"/)
      const old = yield* said(`GET /api/v1/credits HTTP/1.0\r\nX-API-Key: ${acme.key}`)
      assert.match(old, /^HTTP\/1\.1 200 /)
      const hopeful = yield* said(`GET /api/v1/credits HTTP/1.1\r\nHost: a\r\nX-API-Key: ${acme.key}\r\nExpect: much`)
      assert.match(hopeful, /^HTTP\/1\.1 200 /)
      assert.match(yield* said("GET / HTTP/9.9\r\nHost: a"), /X-Content-Type-Options: nosniff/)
    })
  )

  it.effect("with the reader of the reference lets it speak to this server alone", () =>
    Effect.gen(function* () {
      const { exchange } = yield* Wire.Socket
      const page = yield* exchange(["GET /docs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"])
      const policy = /content-security-policy: (.*)\r\n/i.exec(page)?.[1] ?? ""
      for (const rule of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        assert.include(policy, rule)
      }
      // What the policy allows is all that the page is made of.
      assert.notMatch(page, /<(?:script|link|img|iframe)[^>]+(?:src|href)="(?!data:)/)
    })
  )

  const told = Effect.fnUntraced(function* (line: string, ...headers: ReadonlyArray<string>) {
    const { exchange } = yield* Wire.Socket
    const answer = yield* exchange([[line, ...headers, "Connection: close", "", ""].join("\r\n")])
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? []
    return { answer, status: Number(status) }
  })

  const refuses = Effect.fnUntraced(function* (status: number, line: string, ...headers: ReadonlyArray<string>) {
    const one = yield* told(line, ...headers)
    assert.strictEqual(one.status, status, `${line} ${headers.join()}: ${one.answer.slice(0, 300)}`)
    assert.match(one.answer, /\r\nx-request-id: req_/i, line)
    assert.match(one.answer, /\{"error":"(?:NOT_FOUND|BAD_REQUEST)","message":"[^"]+","request_id":"req_/, line)
  })

  it.effect("is 404 for an address that the contract does not name", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const { id } = (yield* acme.post("/signatures", { signature_text: "Ann" })).body
      const key = `X-API-Key: ${acme.key}`
      yield* acme.get("/lists")
      for (const path of ["/api/v1/lists", "/api/v1/signatures?limit=1", "/docs", "/openapi.json", "/api/v1/health"]) {
        assert.strictEqual((yield* told(`GET ${path} HTTP/1.1`, "Host: a", key)).status, 200, path)
      }
      for (const path of [
        "/api/v1/lists/",
        "/api/v1/lists//",
        "//api/v1/lists",
        "/api///v1//lists",
        "/api/v1/list%73",
        "/api/v1/lists/?limit=1",
        "/api/v1/lists;a=b",
        `/api/v1/lists//${id}`,
        "/docs/",
        "//docs",
        "/doc%73",
        "/openapi.json/",
        "//openapi.json",
        "/api/v1/health/",
        "//readyz",
        "*"
      ]) {
        yield* refuses(404, `GET ${path} HTTP/1.1`, "Host: a", key)
        // What does not end with its headers takes the library's way.
        yield* refuses(404, `GET ${path} HTTP/1.1`, "Host: a", key, "Idempotency-Key: a")
      }
      yield* refuses(404, `DELETE /api/v1/signatures/${id}/ HTTP/1.1`, "Host: a", key)
      yield* refuses(404, `DELETE /api/v1/signatures//${id} HTTP/1.1`, "Host: a", key)
      assert.strictEqual((yield* acme.get("/signatures")).body.total, 1)
    })
  )

  it.effect("is 404 for CONNECT, as for any method of no endpoint", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      yield* refuses(404, "CONNECT /api/v1/credits HTTP/1.1", "Host: a", `X-API-Key: ${acme.key}`)
      yield* refuses(404, "CONNECT mines.example:443 HTTP/1.1", "Host: mines.example:443")
    })
  )

  it.effect("is 400 without exactly one valid Host", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      yield* acme.get("/lists")
      const key = `X-API-Key: ${acme.key}`
      const get = "GET /api/v1/lists HTTP/1.1"
      for (const host of ["a", "A.example:80", "127.0.0.1:4100", "[::1]:4100", "a_b", "a:"]) {
        assert.strictEqual((yield* told(get, `Host: ${host}`, key)).status, 200, host)
      }
      for (const hosts of [
        [],
        ["Host: a", "Host: b"],
        ["Host: a", "HOST: a"],
        ["Host:"],
        ["Host: a b"],
        ["Host: a/b"],
        ["Host: a@b"],
        ["Host: a:b"],
        ["Host: a, b"],
        ["Host: [::1"]
      ]) {
        yield* refuses(400, get, ...hosts, key)
        yield* refuses(400, "GET /api/v1/health HTTP/1.1", ...hosts)
      }
      yield* refuses(400, "GET /api/v1/lists HTTP/1.0", "Host: a", "Host: b", key)
    })
  )

  it.effect("is 400 for a whole address that disagrees with Host", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const key = `X-API-Key: ${acme.key}`
      for (const [target, host] of [
        ["http://a.example/api/v1/lists", "a.example"],
        ["http://A.example:80/api/v1/lists?limit=1", "a.example"],
        ["HTTP://a.example:81/api/v1/lists", "a.example:81"]
      ] as const) {
        assert.strictEqual((yield* told(`GET ${target} HTTP/1.1`, `Host: ${host}`, key)).status, 200, target)
      }
      for (const [target, host] of [
        ["http://a.example/api/v1/lists", "b.example"],
        ["http://a.example:81/api/v1/lists", "a.example"],
        ["http:///api/v1/lists", "a.example"]
      ] as const) {
        yield* refuses(400, `GET ${target} HTTP/1.1`, `Host: ${host}`, key)
      }
      yield* refuses(404, "GET http://a.example//api/v1/lists HTTP/1.1", "Host: a.example", key)
      yield* refuses(404, "GET ftp://a.example/api/v1/lists HTTP/1.1", "Host: a.example", key)
    })
  )

  it.effect("of the reference names this server, is compressed, and is not sent twice", () =>
    Effect.gen(function* () {
      const { origin } = yield* Wire.Socket
      yield* (yield* Links).listening(origin)
      const icon = yield* Effect.promise(() => fetch(`${origin}/favicon.ico`))
      assert.deepStrictEqual([icon.status, icon.headers.get("content-type")], [200, "image/svg+xml"])
      assert.match(yield* Effect.promise(() => icon.text()), /^<svg /)
      for (const path of ["/openapi.json", "/docs", "/llms.txt"]) {
        const ask = (headers: Record<string, string>) => Effect.promise(() => fetch(`${origin}${path}`, { headers }))
        const zipped = yield* ask({ "accept-encoding": "gzip" })
        const plain = yield* ask({ "accept-encoding": "identity" })
        assert.deepStrictEqual(
          [zipped.status, zipped.headers.get("content-encoding"), plain.headers.get("content-encoding")],
          [200, "gzip", null]
        )
        const text = yield* Effect.promise(() => plain.text())
        assert.strictEqual(yield* Effect.promise(() => zipped.text()), text)
        assert.include(text, path === "/llms.txt" ? `(${origin}/openapi.json)` : `"servers":[{"url":"${origin}"`)
        if (path === "/llms.txt") {
          for (const line of ["- `POST /api/v1/campaigns`: ", `(${origin}/mcp)`]) assert.include(text, line)
        }
        const etag = plain.headers.get("etag") ?? ""
        assert.strictEqual((yield* ask({ "accept-encoding": "identity", "if-none-match": etag })).status, 304)
        assert.strictEqual((yield* ask({ "accept-encoding": "gzip", "if-none-match": etag })).status, 200)
        if (path === "/docs")
          assert.match(text, /"showDeveloperTools":"never"[^]*<a class|<a class[^]*"showDeveloperTools":"never"/)
      }
    })
  )

  it.effect("of a link that is opened too often says when to try again, in words and in Retry-After alike", () =>
    Effect.gen(function* () {
      const { origin } = yield* Wire.Socket
      const path = `/files/${unknownId}`
      const signed = new URL(yield* (yield* Links).sign(path, Duration.minutes(1)), origin)
      const open = Effect.promise(() => fetch(new URL(signed.pathname + signed.search, origin)))
      const answers = yield* Effect.replicateEffect(open, 61)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [...Array.from({ length: 60 }, () => 404), 429]
      )
      const last = answers[60]
      const wait = last?.headers.get("retry-after") ?? ""
      assert.match(wait, /^[1-9]\d?$/)
      const { message } = yield* Effect.promise(() => last?.json() ?? Promise.reject(new Error("No answer")))
      assert.include(message, `try again in ${wait} s`)
    })
  )
})

it.effect("of the reference names the public address where there is one, wherever the server listens", () =>
  Effect.gen(function* () {
    const links = yield* Links
    yield* links.listening("http://127.0.0.1:4000")
    assert.strictEqual(yield* links.address, "https://overture.example")
  }).pipe(
    Effect.provide(
      Links.layer.pipe(
        Layer.provide([SecureRandom.layerWebCrypto, Layer.succeed(PublicUrl, "https://overture.example/")])
      )
    )
  )
)
