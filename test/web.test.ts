// test/web.test.ts: the Web service against sites that send compressed, malformed, oversized, slow or endless responses.
import { assert, it, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type Socket } from "node:net"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { Web } from "#layers/Web.ts"
import { allowAllAddresses, AddressPolicy } from "#layers/web/AddressPolicy.ts"
import { listen } from "./support/listening.ts"
import { until } from "./support/until.ts"

const service = Web.layer.pipe(Layer.provide(Layer.succeed(AddressPolicy, allowAllAddresses)))
const options = { timeout: 30_000, excludeTestServices: true } as const

/** A site on loopback. `respond` writes to the socket of each request; `open` returns the number of open connections. */
const startRawSite = Effect.fnUntraced(function* (respond: (socket: Socket, request: string) => void) {
  let open = 0
  const server = createServer((socket) => {
    open++
    let request = ""
    socket.on("close", () => open--)
    socket.on("error", () => undefined)
    socket.on("data", (data) => {
      request += data.toString("latin1")
      if (!request.endsWith("\r\n\r\n")) return
      respond(socket, request)
      request = ""
    })
  })
  const { port } = yield* listen(server)
  return { url: `http://127.0.0.1:${port}/`, open: () => open }
})

const responseHead = (...lines: ReadonlyArray<string>) =>
  `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`
const htmlHeader = "Content-Type: text/html"
const closeHeader = "Connection: close"
const compressed = (encoding: string, bytes: Buffer) => (socket: Socket) =>
  void socket.end(
    Buffer.concat([Buffer.from(responseHead(htmlHeader, closeHeader, `Content-Encoding: ${encoding}`)), bytes])
  )
const htmlAfter =
  (...lines: ReadonlyArray<string>) =>
  (socket: Socket) =>
    void socket.end(lines.join("").concat(responseHead(htmlHeader, closeHeader)).concat("<p>Oak</p>"))
const maxBytes = 2 * 1024 * 1024

layer(service, options)("a page", (it) => {
  it.effect.each<readonly [string, (socket: Socket, request: string) => void, string | RegExp]>([
    ["compressed with gzip", compressed("gzip", gzipSync("<p>Oak</p>")), "<p>Oak</p>"],
    ["compressed with x-gzip, in capitals", compressed(" X-GZIP ", gzipSync("<p>Oak</p>")), "<p>Oak</p>"],
    ["compressed with deflate", compressed("deflate", deflateSync("<p>Oak</p>")), "<p>Oak</p>"],
    ["compressed with brotli", compressed("br", brotliCompressSync("<p>Oak</p>")), "<p>Oak</p>"],
    ["with Content-Encoding: identity", compressed("identity", Buffer.from("<p>Oak</p>")), "<p>Oak</p>"],
    ["after an early hint", htmlAfter("HTTP/1.1 103 Early Hints\r\nLink: </x.css>\r\n\r\n"), "<p>Oak</p>"],
    [
      "of exactly the maximum size",
      (socket) => void socket.end(responseHead(htmlHeader, closeHeader) + "x".repeat(maxBytes)),
      /^x{1000}/
    ],
    [
      "with invalid UTF-8",
      (socket) =>
        void socket.end(
          Buffer.concat([Buffer.from(responseHead(htmlHeader, closeHeader)), Buffer.from([0x4f, 0xff, 0, 0x4b])])
        ),
      /O.*K/su
    ],
    [
      "with an unknown charset",
      (socket) => void socket.end(responseHead(`${htmlHeader}; charset=klingon-8`, closeHeader).concat("<p>Oak</p>")),
      "<p>Oak</p>"
    ]
  ])("%s is read", ([, respond, expected]) =>
    Effect.gen(function* () {
      const { url } = yield* startRawSite(respond)
      const page = yield* (yield* Web).fetchPage(url)
      if (typeof expected === "string") assert.strictEqual(page.text, expected)
      else assert.match(page.text, expected)
    })
  )

  it.effect.each<readonly [string, (socket: Socket, request: string) => void, RegExp]>([
    ["a gzip bomb", compressed("gzip", gzipSync(Buffer.alloc(80_000_000))), /2 MB/],
    ["a brotli bomb", compressed("br", brotliCompressSync(Buffer.alloc(80_000_000))), /2 MB/],
    ["a deflate bomb", compressed("deflate", deflateSync(Buffer.alloc(80_000_000))), /2 MB/],
    ["compressed twice", compressed("gzip, gzip", gzipSync(gzipSync("<p>Oak</p>"))), /packed/],
    [
      "compressed twice, with two headers",
      (socket) =>
        void socket.end(
          Buffer.concat([
            Buffer.from(responseHead(htmlHeader, closeHeader, "Content-Encoding: gzip", "Content-Encoding: gzip")),
            gzipSync(gzipSync("<p>Oak</p>"))
          ])
        ),
      /packed/
    ],
    ["with an unknown Content-Encoding", compressed("constructor", Buffer.from("x")), /packed/],
    ["compressed with another encoding than its header says", compressed("br", gzipSync("<p>Oak</p>")), /could not/],
    ["compressed with deflate but labelled gzip", compressed("gzip", deflateRawSync("<p>Oak</p>")), /could not/],
    ["compressed and truncated", compressed("gzip", gzipSync("<p>Oak</p>".repeat(1000)).subarray(0, 40)), /could not/],
    [
      "one byte larger than the maximum size",
      (socket) => void socket.end(responseHead(htmlHeader, closeHeader) + "x".repeat(maxBytes + 1)),
      /2 MB/
    ],
    ["without a Content-Type", (socket) => void socket.end(responseHead(closeHeader) + "x"), /no page of text/],
    [
      "with two Content-Types",
      (socket) => void socket.end(responseHead("Content-Type: image/png", htmlHeader, closeHeader) + "x"),
      /no page/
    ],
    [
      "shorter than its Content-Length",
      (socket) => void socket.end(responseHead(htmlHeader, "Content-Length: 100") + "x"),
      /could not/
    ],
    [
      "with two Content-Lengths",
      (socket) => void socket.end(responseHead(htmlHeader, "Content-Length: 1", "Content-Length: 2") + "xx"),
      /could not/
    ],
    [
      "with a Content-Length and chunks",
      (socket) =>
        void socket.end(responseHead(htmlHeader, "Content-Length: 5", "Transfer-Encoding: chunked") + "0\r\n\r\n"),
      /could not/
    ],
    [
      "with five thousand headers",
      (socket) =>
        void socket.end(responseHead(...Array.from({ length: 5000 }, (_, at) => `X-${at}: ${at}`), htmlHeader) + "x"),
      /could not/
    ],
    [
      "with a very long header",
      (socket) => void socket.end(responseHead(`X: ${"x".repeat(64 * 1024)}`, htmlHeader) + "x"),
      /could not/
    ],
    ["of another protocol", (socket) => void socket.end("220 smtp.example ESMTP\r\n"), /could not/],
    ["of random bytes", (socket) => void socket.end(Buffer.alloc(100, 0xff)), /could not/],
    [
      "that asks to switch protocols",
      (socket) => void socket.end("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: tcp\r\n\r\nx"),
      /could not/
    ],
    [
      "with status 204",
      (socket) => void socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
      /status 204/
    ],
    [
      "with status 206",
      (socket) => void socket.end("HTTP/1.1 206 Partial\r\nConnection: close\r\n\r\nx"),
      /status 206/
    ],
    ["with status 304", (socket) => void socket.end("HTTP/1.1 304 Same\r\nConnection: close\r\n\r\n"), /status 304/],
    [
      "that redirects to an invalid address",
      (socket) => void socket.end("HTTP/1.1 302 Found\r\nLocation: http://[::\r\nConnection: close\r\n\r\n"),
      /valid http/
    ]
  ])("%s is rejected", ([, respond, reason]) =>
    Effect.gen(function* () {
      const { url } = yield* startRawSite(respond)
      assert.match((yield* Effect.flip((yield* Web).fetchPage(url))).message, reason)
    })
  )

  // These servers keep the connection open and never end their response.
  it.effect.each<readonly [string, ...ReadonlyArray<string>]>([
    ["of an unknown encoding", htmlHeader, "Content-Encoding: zstd"],
    ["not text", "Content-Type: video/mp4"],
    ["a redirect to another scheme", "Location: ftp://a.example/"],
    ["too large", htmlHeader],
    ["too large when decompressed", htmlHeader, "Content-Encoding: gzip"]
  ])("that is rejected as %s leaves no connection open", ([, ...lines]) =>
    Effect.gen(function* () {
      const status = lines.some((line) => line.startsWith("Location")) ? "302 Found" : "200 OK"
      const { open, url } = yield* startRawSite((socket) => {
        socket.write(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n${lines.join("\r\n")}\r\n\r\n`)
        const body = gzipSync(Buffer.alloc(1024 * 1024))
        const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n")])
        const writeChunks = () => {
          if (!socket.destroyed && socket.write(chunk)) setImmediate(writeChunks)
        }
        socket.on("drain", writeChunks)
        writeChunks()
      })
      yield* Effect.flip((yield* Web).fetchPage(url))
      yield* until(Effect.sync(open), (count) => count === 0)
    })
  )

  it.effect("is requested after a redirect without cookies, authorization or referer", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const { url } = yield* startRawSite((socket, request) => {
        requests.push(request)
        const firstLines =
          requests.length === 1 ? "HTTP/1.1 302 Found\r\nLocation: /next\r\n" : `HTTP/1.1 200 OK\r\n${htmlHeader}\r\n`
        socket.end(`${firstLines}Set-Cookie: a=b; Path=/\r\nWWW-Authenticate: Basic\r\nConnection: close\r\n\r\nx`)
      })
      yield* (yield* Web).fetchPage(url)
      assert.strictEqual(requests.length, 2)
      for (const request of requests) assert.notMatch(request, /^(?:cookie|authorization|referer):/im)
    })
  )
})

/** What a site keeps sending, and the start and the repeated part of its response. */
const endlessResponses: ReadonlyArray<readonly [string, string, string]> = [
  ["its body", responseHead(htmlHeader, "Transfer-Encoding: chunked"), "1\r\nx\r\n"],
  ["its compressed body", responseHead(htmlHeader, "Content-Encoding: gzip", "Transfer-Encoding: chunked"), ""],
  ["its headers", "HTTP/1.1 200 OK\r\n", "X: y\r\n"],
  ["nothing", "", ""]
]
it.effect.each(endlessResponses)(
  "a site that keeps sending %s is abandoned after 20 seconds in total",
  ([, first, repeated]) =>
    Effect.gen(function* () {
      let isRequested = false
      const { open, url } = yield* startRawSite((socket) => {
        isRequested = true
        socket.write(first)
        const timer = setInterval(() => socket.write(repeated), 20)
        socket.on("close", () => clearInterval(timer))
      })
      const page = yield* Effect.forkChild(Effect.flip((yield* Web).fetchPage(url)))
      yield* TestClock.withLive(
        until(
          Effect.sync(() => isRequested),
          (requested) => requested
        )
      )
      yield* TestClock.adjust("19 seconds")
      assert.strictEqual(open(), 1)
      yield* TestClock.adjust("1 second")
      assert.match((yield* Fiber.join(page)).message, /in time/)
      yield* TestClock.withLive(until(Effect.sync(open), (count) => count === 0))
    }).pipe(Effect.provide(service))
)

it.live("proxy variables of the environment are ignored", () =>
  Effect.gen(function* () {
    let proxied = 0
    const proxy = yield* startRawSite(() => void proxied++)
    const { url } = yield* startRawSite(htmlAfter())
    const variables = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]
    const before = variables.map((name) => process.env[name])
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const [at, name] of variables.entries())
          if (before[at] === undefined) delete process.env[name]
          else process.env[name] = before[at]
      })
    )
    for (const name of variables) process.env[name] = proxy.url
    const page = yield* Effect.provide(
      Effect.flatMap(Web, (web) => web.fetchPage(url)),
      service
    )
    assert.strictEqual(page.text, "<p>Oak</p>")
    assert.strictEqual(proxied, 0)
  })
)
