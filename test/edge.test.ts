// test/edge.test.ts: what every answer says to whoever carries it, and requests that Node would answer by itself.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bare } from "./support/callers.ts"
import { nobody } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"
import * as Wire from "./support/socket.ts"

const live = { excludeTestServices: true }

layer(Wire.layer, live)("every answer", (it) => {
  it.effect("is taken for what it says, and kept by nobody on the way", () =>
    Effect.gen(function* () {
      const acme = yield* bare()
      const answers = [
        yield* acme.get("/workspace"),
        yield* acme.get("/lists"),
        yield* acme.get(`/lists/${nobody}`),
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
      }
    })
  )

  it.effect("has a body in the service's own form, whatever is asked for and by whom", () =>
    Effect.gen(function* () {
      const { exchange } = yield* Wire.Socket
      const acme = yield* bare()
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
})
