// test/http-edge-cases.test.ts: the headers of every response, and malformed requests that Node would otherwise answer itself.
import { assert, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Links, PublicUrl } from "#layers/Links.ts"
import { newCaller } from "./support/callers.ts"
import { unknownId } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"
import * as Wire from "./support/socket.ts"

const live = { excludeTestServices: true }

layer(Wire.layer, live)("every response", (it) => {
  it.effect("has headers against sniffing and caching", () =>
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

  it.effect("has the service's error format, also for malformed requests", () =>
    Effect.gen(function* () {
      const { exchange } = yield* Wire.Socket
      const acme = yield* newCaller()
      const sendHead = (head: string) => exchange([`${head}\r\nConnection: close\r\n\r\n`])
      const noHostAnswer = yield* sendHead(`GET /api/v1/credits HTTP/1.1\r\nX-API-Key: ${acme.key}`)
      assert.match(noHostAnswer, /^HTTP\/1\.1 400 /)
      assert.match(noHostAnswer, /"error":"BAD_REQUEST"/)
      const http10Answer = yield* sendHead(`GET /api/v1/credits HTTP/1.0\r\nX-API-Key: ${acme.key}`)
      assert.match(http10Answer, /^HTTP\/1\.1 200 /)
      const expectAnswer = yield* sendHead(
        `GET /api/v1/credits HTTP/1.1\r\nHost: a\r\nX-API-Key: ${acme.key}\r\nExpect: much`
      )
      assert.match(expectAnswer, /^HTTP\/1\.1 200 /)
      assert.match(yield* sendHead("GET / HTTP/9.9\r\nHost: a"), /X-Content-Type-Options: nosniff/)
    })
  )

  it.effect("with the API reference page has a policy that allows only this server", () =>
    Effect.gen(function* () {
      const { exchange } = yield* Wire.Socket
      const page = yield* exchange(["GET /docs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"])
      const policy = /content-security-policy: (.*)\r\n/i.exec(page)?.[1] ?? ""
      for (const rule of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        assert.include(policy, rule)
      }
      // The page must load nothing that the policy forbids.
      assert.notMatch(page, /<(?:script|link|img|iframe)[^>]+(?:src|href)="(?!data:)/)
    })
  )

  const sendRequest = Effect.fnUntraced(function* (line: string, ...headers: ReadonlyArray<string>) {
    const { exchange } = yield* Wire.Socket
    const answer = yield* exchange([[line, ...headers, "Connection: close", "", ""].join("\r\n")])
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? []
    return { answer, status: Number(status) }
  })

  const assertRefused = Effect.fnUntraced(function* (status: number, line: string, ...headers: ReadonlyArray<string>) {
    const response = yield* sendRequest(line, ...headers)
    assert.strictEqual(response.status, status, `${line} ${headers.join()}: ${response.answer.slice(0, 300)}`)
    assert.match(response.answer, /\r\nx-request-id: req_/i, line)
    assert.match(response.answer, /\{"error":"(?:NOT_FOUND|BAD_REQUEST)","message":"[^"]+","request_id":"req_/, line)
  })

  it.effect("is 404 for a path outside the contract", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const { id } = (yield* acme.post("/signatures", { signature_text: "Ann" })).body
      const key = `X-API-Key: ${acme.key}`
      yield* acme.get("/lists")
      for (const path of ["/api/v1/lists", "/api/v1/signatures?limit=1", "/docs", "/openapi.json", "/api/v1/health"]) {
        assert.strictEqual((yield* sendRequest(`GET ${path} HTTP/1.1`, "Host: a", key)).status, 200, path)
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
        yield* assertRefused(404, `GET ${path} HTTP/1.1`, "Host: a", key)
        // An Idempotency-Key takes a different path through the server.
        yield* assertRefused(404, `GET ${path} HTTP/1.1`, "Host: a", key, "Idempotency-Key: a")
      }
      yield* assertRefused(404, `DELETE /api/v1/signatures/${id}/ HTTP/1.1`, "Host: a", key)
      yield* assertRefused(404, `DELETE /api/v1/signatures//${id} HTTP/1.1`, "Host: a", key)
      assert.strictEqual((yield* acme.get("/signatures")).body.total, 1)
    })
  )

  it.effect("is 404 for CONNECT", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      yield* assertRefused(404, "CONNECT /api/v1/credits HTTP/1.1", "Host: a", `X-API-Key: ${acme.key}`)
      yield* assertRefused(404, "CONNECT mines.example:443 HTTP/1.1", "Host: mines.example:443")
    })
  )

  it.effect("is 400 without exactly one valid Host", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      yield* acme.get("/lists")
      const key = `X-API-Key: ${acme.key}`
      const get = "GET /api/v1/lists HTTP/1.1"
      for (const host of ["a", "A.example:80", "127.0.0.1:4100", "[::1]:4100", "a_b", "a:"]) {
        assert.strictEqual((yield* sendRequest(get, `Host: ${host}`, key)).status, 200, host)
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
        yield* assertRefused(400, get, ...hosts, key)
        yield* assertRefused(400, "GET /api/v1/health HTTP/1.1", ...hosts)
      }
      yield* assertRefused(400, "GET /api/v1/lists HTTP/1.0", "Host: a", "Host: b", key)
    })
  )

  it.effect("is 400 for an absolute URL that disagrees with Host", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller()
      const key = `X-API-Key: ${acme.key}`
      for (const [target, host] of [
        ["http://a.example/api/v1/lists", "a.example"],
        ["http://A.example:80/api/v1/lists?limit=1", "a.example"],
        ["HTTP://a.example:81/api/v1/lists", "a.example:81"]
      ] as const) {
        assert.strictEqual((yield* sendRequest(`GET ${target} HTTP/1.1`, `Host: ${host}`, key)).status, 200, target)
      }
      for (const [target, host] of [
        ["http://a.example/api/v1/lists", "b.example"],
        ["http://a.example:81/api/v1/lists", "a.example"],
        ["http:///api/v1/lists", "a.example"]
      ] as const) {
        yield* assertRefused(400, `GET ${target} HTTP/1.1`, `Host: ${host}`, key)
      }
      yield* assertRefused(404, "GET http://a.example//api/v1/lists HTTP/1.1", "Host: a.example", key)
      yield* assertRefused(404, "GET ftp://a.example/api/v1/lists HTTP/1.1", "Host: a.example", key)
    })
  )

  it.effect("of the API reference names this server, is compressed and supports ETag", () =>
    Effect.gen(function* () {
      const { origin } = yield* Wire.Socket
      yield* (yield* Links).setListeningUrl(origin)
      const icon = yield* Effect.promise(() => fetch(`${origin}/favicon.ico`))
      assert.deepStrictEqual([icon.status, icon.headers.get("content-type")], [200, "image/svg+xml"])
      assert.match(yield* Effect.promise(() => icon.text()), /^<svg /)
      for (const path of ["/openapi.json", "/docs", "/llms.txt"]) {
        const fetchWith = (headers: Record<string, string>) =>
          Effect.promise(() => fetch(`${origin}${path}`, { headers }))
        const gzipped = yield* fetchWith({ "accept-encoding": "gzip" })
        const uncompressed = yield* fetchWith({ "accept-encoding": "identity" })
        assert.deepStrictEqual(
          [gzipped.status, gzipped.headers.get("content-encoding"), uncompressed.headers.get("content-encoding")],
          [200, "gzip", null]
        )
        const text = yield* Effect.promise(() => uncompressed.text())
        assert.strictEqual(yield* Effect.promise(() => gzipped.text()), text)
        assert.include(text, path === "/llms.txt" ? `(${origin}/openapi.json)` : `"servers":[{"url":"${origin}"`)
        if (path === "/llms.txt") {
          for (const line of ["- `POST /api/v1/campaigns`: ", `(${origin}/mcp)`]) assert.include(text, line)
        }
        const etag = uncompressed.headers.get("etag") ?? ""
        assert.strictEqual((yield* fetchWith({ "accept-encoding": "identity", "if-none-match": etag })).status, 304)
        assert.strictEqual((yield* fetchWith({ "accept-encoding": "gzip", "if-none-match": etag })).status, 200)
        if (path === "/docs") {
          for (const part of [
            '"showDeveloperTools":"never"',
            '"hideClientButton":true',
            // The viewer's "Powered by Scalar".
            'a[href=\\"https://www.scalar.com\\"] { display: none }',
            '<a class="console-link" href="/">Back to the console</a>'
          ])
            assert.include(text, part)
        }
      }
    })
  )

  it.effect("of a rate-limited link gives the same delay in the message and in Retry-After", () =>
    Effect.gen(function* () {
      const { origin } = yield* Wire.Socket
      const path = `/files/${unknownId}`
      const signedUrl = new URL(yield* (yield* Links).sign(path, Duration.minutes(1)), origin)
      const openLink = Effect.promise(() => fetch(new URL(signedUrl.pathname + signedUrl.search, origin)))
      const answers = yield* Effect.replicateEffect(openLink, 61)
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

it.effect("the API reference names the configured public address", () =>
  Effect.gen(function* () {
    const links = yield* Links
    yield* links.setListeningUrl("http://127.0.0.1:4000")
    assert.strictEqual(yield* links.baseUrl, "https://overture.example")
  }).pipe(
    Effect.provide(
      Links.layer.pipe(
        Layer.provide([SecureRandom.layerWebCrypto, Layer.succeed(PublicUrl, "https://overture.example/")])
      )
    )
  )
)
