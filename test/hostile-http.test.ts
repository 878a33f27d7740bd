// test/hostile-http.test.ts: malformed HTTP sent as raw bytes: wrong lengths, smuggled requests, duplicate headers, unknown
// methods and unusual paths. Each gets an error in the service's format, or the connection is closed.
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { createServer } from "node:http"
import { connect } from "node:net"
import { answerUnparsedRequests } from "#src/http/server/Listener.ts"
import { newCaller, type Caller, json } from "./support/callers.ts"
import { dump } from "./support/dump.ts"
import { layer as serving } from "./support/server.ts"
import * as Wire from "./support/socket.ts"

const live = { excludeTestServices: true }

const statusLine = /^HTTP\/1\.1 (\d{3}) /

/** Splits the received bytes into responses, one for each request that the server parsed. */
const answersOf = (text: string) => text.split(/(?=HTTP\/1\.1 \d{3} )/).filter((part) => part !== "")

layer(Wire.layer, live)("malformed HTTP on a socket", (it) => {
  /** Sends the bytes and asserts that each response is an error in the service's format and that the store is unchanged. */
  const assertRefused = Effect.fnUntraced(function* (name: string, chunks: ReadonlyArray<Wire.Chunk>) {
    const { exchange } = yield* Wire.Socket
    const before = yield* dump
    const answers = answersOf(yield* exchange(chunks))
    for (const answer of answers) {
      const status = Number(statusLine.exec(answer)?.[1])
      const description = `${name}: ${answer.slice(0, 600)}`
      assert.isTrue(status >= 400 && status < 500, description)
      assert.match(answer, /\r\nx-request-id: req_/i, description)
      assert.match(answer, /\r\ncontent-type: application\/json/i, description)
      assert.match(
        answer,
        /\r\n\r\n(?:[0-9a-f]+\r\n)?\{"error":"[A-Z_]+","message":"[^"]+","request_id":"req_/,
        description
      )
    }
    assert.isTrue((yield* dump) === before, `Something was changed by ${name}`)
    return answers.length
  })

  const text = `{"signature_text":"Ann"}`
  const requestHead = (caller: Caller, line: string, ...headers: ReadonlyArray<string>) =>
    [line, "Host: x", `X-API-Key: ${caller.key}`, ...headers, "", ""].join("\r\n")
  const jsonType = "Content-Type: application/json"
  const post = "POST /api/v1/signatures HTTP/1.1"

  it.effect("a body with conflicting or wrong lengths is refused", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const length = `Content-Length: ${text.length}`
      const chunk = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
      const connectionClose = "Connection: close"
      for (const [name, ...chunks] of [
        ["two lengths", requestHead(caller, post, jsonType, length, "Content-Length: 5", connectionClose), text],
        ["two lengths in one", requestHead(caller, post, jsonType, "Content-Length: 24, 24", connectionClose), text],
        [
          "a length and chunks",
          requestHead(caller, post, jsonType, length, "Transfer-Encoding: chunked", connectionClose),
          chunk
        ],
        [
          "chunks twice",
          requestHead(caller, post, jsonType, "Transfer-Encoding: chunked, chunked", connectionClose),
          chunk
        ],
        [
          "chunks that are not last",
          requestHead(caller, post, jsonType, "Transfer-Encoding: chunked, gzip", connectionClose),
          chunk
        ],
        ["another coding", requestHead(caller, post, jsonType, "Transfer-Encoding: gzip", connectionClose), text],
        [
          "space before the colon",
          requestHead(caller, post, jsonType, "Transfer-Encoding : chunked", connectionClose),
          chunk
        ],
        ["a negative length", requestHead(caller, post, jsonType, "Content-Length: -1", connectionClose), text],
        ["a signed length", requestHead(caller, post, jsonType, "Content-Length: +24", connectionClose), text],
        ["a hexadecimal length", requestHead(caller, post, jsonType, "Content-Length: 0x18", connectionClose), text],
        [
          "an endless length",
          requestHead(caller, post, jsonType, "Content-Length: 99999999999999999999", connectionClose),
          text
        ],
        [
          "a chunk that is no size",
          requestHead(caller, post, jsonType, "Transfer-Encoding: chunked", connectionClose),
          `zz\r\n${text}\r\n0\r\n\r\n`
        ],
        [
          "a chunk of an endless size",
          requestHead(caller, post, jsonType, "Transfer-Encoding: chunked", connectionClose),
          `ffffffffffffffffff\r\n`
        ],
        [
          "a chunk that is longer than it says",
          requestHead(caller, post, jsonType, "Transfer-Encoding: chunked", connectionClose),
          `5\r\n${text}\r\n0\r\n\r\n`
        ],
        [
          "a length one less",
          requestHead(caller, post, jsonType, `Content-Length: ${text.length - 1}`, connectionClose),
          text
        ],
        [
          "a compressed body",
          requestHead(caller, post, jsonType, "Content-Encoding: gzip", "Content-Length: 4", connectionClose),
          new Uint8Array([0x1f, 0x8b, 8, 0])
        ]
      ] as const) {
        assert.isAbove(yield* assertRefused(name, chunks), 0, name)
      }
    })
  )

  it.effect("invalid, excessive and duplicate headers are refused", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const otherCaller = yield* newCaller()
      const get = "GET /api/v1/signatures HTTP/1.1"
      const connectionClose = "Connection: close"
      for (const [name, ...chunks] of [
        ["no host", `GET /api/v1/nope HTTP/1.1\r\n${connectionClose}\r\n\r\n`],
        [
          "two bearers",
          `${get}\r\nHost: x\r\nAuthorization: Bearer ${otherCaller.key}\r\nAuthorization: Basic x\r\nX-API-Key: ${caller.key}\r\n${connectionClose}\r\n\r\n`
        ],
        [
          "two bearers without another key",
          `${get}\r\nHost: x\r\nAuthorization: Bearer ${caller.key}\r\nauthorization: Bearer ${otherCaller.key}\r\n${connectionClose}\r\n\r\n`
        ],
        ["two keys", requestHead(caller, get, `X-API-Key: ${otherCaller.key}`, connectionClose)],
        [
          "a key over two lines",
          `${get}\r\nHost: x\r\nX-API-Key: ${caller.key.slice(0, 9)}\r\n ${caller.key.slice(9)}\r\n${connectionClose}\r\n\r\n`
        ],
        ["a key with NUL", `${get}\r\nHost: x\r\nX-API-Key: ${caller.key}\u0000\r\n${connectionClose}\r\n\r\n`],
        [
          "a key of many letters",
          `${get}\r\nHost: x\r\nX-API-Key: ${"x".repeat(15_000)}\r\n${connectionClose}\r\n\r\n`
        ],
        ["headers too large", requestHead(caller, get, `X: ${"x".repeat(100_000)}`, connectionClose)],
        [
          "headers too many",
          requestHead(caller, get, ...Array.from({ length: 3000 }, (_, i) => `X-${i}: x`), connectionClose)
        ],
        ["a header without a colon", requestHead(caller, get, "nonsense", connectionClose)],
        ["a header with CR alone", requestHead(caller, get, "X: a\rY: b", connectionClose)],
        [
          "a key that is not ASCII",
          requestHead(
            caller,
            "POST /api/v1/campaigns HTTP/1.1",
            jsonType,
            "Idempotency-Key: é",
            "Content-Length: 12",
            connectionClose
          ),
          `{"name":"x"}`
        ],
        [
          "a key of 256",
          requestHead(
            caller,
            "POST /api/v1/campaigns HTTP/1.1",
            jsonType,
            `Idempotency-Key: ${"x".repeat(256)}`,
            "Content-Length: 12",
            connectionClose
          ),
          `{"name":"x"}`
        ],
        [
          "a key without letters",
          requestHead(
            caller,
            "POST /api/v1/campaigns HTTP/1.1",
            jsonType,
            "Idempotency-Key:",
            "Content-Length: 12",
            connectionClose
          ),
          `{"name":"x"}`
        ],
        [
          "two keys for once",
          requestHead(
            caller,
            "POST /api/v1/campaigns HTTP/1.1",
            jsonType,
            "Idempotency-Key: a",
            "Idempotency-Key: b",
            "Content-Length: 12",
            connectionClose
          ),
          `{"name":"x"}`
        ]
      ] as const) {
        assert.isAbove(yield* assertRefused(name, chunks), 0, name)
      }
    })
  )

  it.effect("unknown methods are refused, and override headers are ignored", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { id } = (yield* caller.send("POST", "/signatures", json(text))).body
      const connectionClose = "Connection: close"
      const methods = [
        "TRACE",
        "OPTIONS",
        "PROPFIND",
        "PURGE",
        "LINK",
        "SEARCH",
        "QUERY",
        "get",
        "G\u0000T",
        "NONSENSE"
      ]
      for (const method of methods) {
        yield* assertRefused(method, [requestHead(caller, `${method} /api/v1/signatures HTTP/1.1`, connectionClose)])
        yield* assertRefused(method, [
          requestHead(caller, `${method} /api/v1/signatures/${id} HTTP/1.1`, connectionClose)
        ])
      }
      for (const header of ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method"]) {
        const headers = { [header]: "DELETE" }
        assert.strictEqual((yield* caller.send("GET", `/signatures?_method=DELETE`, { headers })).status, 200)
        assert.strictEqual((yield* caller.send("POST", `/signatures/${id}`, { headers })).status, 404)
      }
      assert.strictEqual(
        yield* assertRefused("CONNECT", [requestHead(caller, "CONNECT x.example:443 HTTP/1.1", connectionClose)]),
        1
      )
      yield* assertRefused("an upgrade", [
        requestHead(
          caller,
          `DELETE /api/v1/nope HTTP/1.1`,
          "Connection: Upgrade",
          "Upgrade: websocket",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        )
      ])
      yield* assertRefused("HTTP/2", ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"])
      yield* assertRefused("HTTP/0.9", ["GET /api/v1/signatures\r\n\r\n"])
      yield* assertRefused("HTTP/9", [requestHead(caller, "GET /api/v1/signatures HTTP/9.9", connectionClose)])
      yield* assertRefused("TLS", [new Uint8Array([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])])
      assert.strictEqual((yield* caller.get("/signatures")).body.total, 1)
    })
  )

  it.effect("unusual and encoded paths are not normalized", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      for (const path of [
        "/api/v1/%2e%2e/v1/../secret",
        "/api/v1/..%2f..%2fetc%2fpasswd",
        "/api/v1/lists/..%5c..%5cx",
        "/..;/api/v1/lists",
        "/api/v1/lists/%00",
        "/api/v1/lists/%ff%fe",
        "/api/v1/lists/%zz",
        "/api/v1/lists/%",
        "/api/v1/lists/%u0041",
        "/api/v1/lists%2f",
        "/api/v1/lists/../../../x",
        "/api%2fv1%2flists",
        "/API/V1/lists",
        "/api/v1/lists;x=1",
        "/files/%2e%2e%2fsecret?expires=1&signature=x",
        "/files/..%2f..%2fsecret",
        "/files/%00",
        "/files/%zz?signature=%zz",
        "/files/x?expires=1&expires=2&signature=a&signature=b",
        "/files/x?signature=%ff",
        "/files/",
        "/files",
        "\\api\\v1\\lists",
        "*",
        "//",
        "//?",
        "/./",
        "//x.example/api/v1/nope",
        "http://x.example/api/v1/nope",
        "x.example:80",
        `/api/v1/lists/${"a".repeat(8_000)}`,
        `/api/v1/${"a/".repeat(4_000)}`,
        `/api/v1/lists/${"%41".repeat(4_000)}`,
        `/${"x".repeat(60_000)}`,
        "/api/v1/lists/é",
        "/api/v1/lists/\u0001",
        "/api/v1/lists /x"
      ]) {
        const answerCount = yield* assertRefused(path.slice(0, 80), [
          requestHead(caller, `GET ${path} HTTP/1.1`, "Connection: close")
        ])
        assert.isAbove(answerCount, 0, path.slice(0, 80))
      }
    })
  )
})

layer(serving({ rate: { limit: 1_000_000, window: Duration.minutes(1) } }), live)("unusual query strings", (it) => {
  it.effect("are accepted as written or refused", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const paths = ["/campaigns", "/lists", "/signatures", "/target-audiences", "/conversations", "/credits/check"]
      const queries = [
        ...["limit", "offset", "q", "status", "campaign_id", "required", "format"].flatMap((name) => [
          `${name}=1&${name}=2`,
          `${name}[]=1`,
          `${name}[a]=1`,
          `${name}=%`,
          `${name}=%zz`,
          `${name}=%ff`,
          `${name}=%ED%A0%80`,
          `${name}=%00`,
          `${name}=`,
          name,
          `${name}=%0d%0aX:y`,
          `${name}=${"9".repeat(5_000)}`,
          `${name}=1e400`,
          `${name}=-0`
        ]),
        "__proto__=1",
        "__proto__[admin]=1",
        "constructor[prototype][admin]=1",
        "toString=1",
        "&&&=&",
        "?",
        "#",
        "=",
        "%",
        Array.from({ length: 1_000 }, (_, i) => `a${i}=`).join("&")
      ]
      for (const path of paths) {
        for (const query of queries) {
          const { body, status, text } = yield* caller.get(`${path}?${query}`)
          assert.include([200, 400], status, `${path}?${query.slice(0, 80)}: ${text}`)
          if (status === 400 && body.detail === undefined) assert.match(query, /%00/)
        }
      }
    })
  )
})

describe("a connection that is too slow", () => {
  /** Writes `bytes` to a new connection and reads until the server closes it. */
  const readUntilClosed = (bytes: string) =>
    Effect.callback<string>((resume) => {
      const server = answerUnparsedRequests(createServer({ headersTimeout: 50, connectionsCheckingInterval: 20 }))
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" ? (address?.port ?? 0) : 0
        const socket = connect(port, "127.0.0.1", () => {
          if (bytes !== "") socket.write(bytes)
        })
        let text = ""
        socket.on("data", (data) => (text += data.toString()))
        socket.on("close", () => server.close(() => resume(Effect.succeed(text))))
      })
    })

  it.live("is closed silently if it sent nothing", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* readUntilClosed(""), "")
    })
  )

  it.live("gets an error if it began a request", () =>
    Effect.gen(function* () {
      const text = yield* readUntilClosed("GET / HTTP/1.1\r\nHost: x\r\n")
      assert.match(text, /^HTTP\/1\.1 400 [^]*"The request took too long to arrive"/)
    })
  )
})
