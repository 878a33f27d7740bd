// test/web.test.ts: what a site may answer, how slowly, how oddly and how much, and what becomes of it.
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
const live = { timeout: 30_000, excludeTestServices: true } as const

/** A site on loopback that answers each request with what is done to its socket; `open` counts its connections. */
const wire = Effect.fnUntraced(function* (answer: (socket: Socket, request: string) => void) {
  let open = 0
  const server = createServer((socket) => {
    open++
    let request = ""
    socket.on("close", () => open--)
    socket.on("error", () => undefined)
    socket.on("data", (data) => {
      request += data.toString("latin1")
      if (!request.endsWith("\r\n\r\n")) return
      answer(socket, request)
      request = ""
    })
  })
  const { port } = yield* listen(server)
  return { url: `http://127.0.0.1:${port}/`, open: () => open }
})

const head = (...lines: ReadonlyArray<string>) =>
  `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`
const html = "Content-Type: text/html"
const closing = "Connection: close"
const packed = (encoding: string, bytes: Buffer) => (socket: Socket) =>
  void socket.end(Buffer.concat([Buffer.from(head(html, closing, `Content-Encoding: ${encoding}`)), bytes]))
const text =
  (...lines: ReadonlyArray<string>) =>
  (socket: Socket) =>
    void socket.end(lines.join("").concat(head(html, closing)).concat("<p>Oak</p>"))
const most = 2 * 1024 * 1024

layer(service, live)("a page", (it) => {
  it.effect.each<readonly [string, (socket: Socket, request: string) => void, string | RegExp]>([
    ["packed as gzip", packed("gzip", gzipSync("<p>Oak</p>")), "<p>Oak</p>"],
    ["packed as x-gzip, shouted", packed(" X-GZIP ", gzipSync("<p>Oak</p>")), "<p>Oak</p>"],
    ["packed as deflate", packed("deflate", deflateSync("<p>Oak</p>")), "<p>Oak</p>"],
    ["packed as brotli", packed("br", brotliCompressSync("<p>Oak</p>")), "<p>Oak</p>"],
    ["not packed, which it says", packed("identity", Buffer.from("<p>Oak</p>")), "<p>Oak</p>"],
    ["announced by a hint", text("HTTP/1.1 103 Early Hints\r\nLink: </x.css>\r\n\r\n"), "<p>Oak</p>"],
    ["of exactly as much as is read", (socket) => void socket.end(head(html, closing) + "x".repeat(most)), /^x{1000}/],
    [
      "of letters that are none",
      (socket) =>
        void socket.end(Buffer.concat([Buffer.from(head(html, closing)), Buffer.from([0x4f, 0xff, 0, 0x4b])])),
      /O.*K/su
    ],
    [
      "of an unknown encoding",
      (socket) => void socket.end(head(`${html}; charset=klingon-8`, closing).concat("<p>Oak</p>")),
      "<p>Oak</p>"
    ]
  ])("%s is read", ([, answer, expected]) =>
    Effect.gen(function* () {
      const { url } = yield* wire(answer)
      const page = yield* (yield* Web).page(url)
      if (typeof expected === "string") assert.strictEqual(page.text, expected)
      else assert.match(page.text, expected)
    })
  )

  it.effect.each<readonly [string, (socket: Socket, request: string) => void, RegExp]>([
    ["a bomb of gzip", packed("gzip", gzipSync(Buffer.alloc(80_000_000))), /2 MB/],
    ["a bomb of brotli", packed("br", brotliCompressSync(Buffer.alloc(80_000_000))), /2 MB/],
    ["a bomb of deflate", packed("deflate", deflateSync(Buffer.alloc(80_000_000))), /2 MB/],
    ["packed twice", packed("gzip, gzip", gzipSync(gzipSync("<p>Oak</p>"))), /packed/],
    [
      "packed twice, in two lines",
      (socket) =>
        void socket.end(
          Buffer.concat([
            Buffer.from(head(html, closing, "Content-Encoding: gzip", "Content-Encoding: gzip")),
            gzipSync(gzipSync("<p>Oak</p>"))
          ])
        ),
      /packed/
    ],
    ["packed as nothing that packs", packed("constructor", Buffer.from("x")), /packed/],
    ["packed otherwise than it says", packed("br", gzipSync("<p>Oak</p>")), /could not/],
    ["packed without a head", packed("gzip", deflateRawSync("<p>Oak</p>")), /could not/],
    ["packed and broken off", packed("gzip", gzipSync("<p>Oak</p>".repeat(1000)).subarray(0, 40)), /could not/],
    ["a byte larger than is read", (socket) => void socket.end(head(html, closing) + "x".repeat(most + 1)), /2 MB/],
    ["of no type", (socket) => void socket.end(head(closing) + "x"), /no page of text/],
    ["of two types", (socket) => void socket.end(head("Content-Type: image/png", html, closing) + "x"), /no page/],
    ["shorter than it says", (socket) => void socket.end(head(html, "Content-Length: 100") + "x"), /could not/],
    [
      "of two lengths",
      (socket) => void socket.end(head(html, "Content-Length: 1", "Content-Length: 2") + "xx"),
      /could not/
    ],
    [
      "of a length and in chunks",
      (socket) => void socket.end(head(html, "Content-Length: 5", "Transfer-Encoding: chunked") + "0\r\n\r\n"),
      /could not/
    ],
    [
      "under five thousand headers",
      (socket) => void socket.end(head(...Array.from({ length: 5000 }, (_, at) => `X-${at}: ${at}`), html) + "x"),
      /could not/
    ],
    [
      "under one long header",
      (socket) => void socket.end(head(`X: ${"x".repeat(64 * 1024)}`, html) + "x"),
      /could not/
    ],
    ["that is another protocol", (socket) => void socket.end("220 smtp.example ESMTP\r\n"), /could not/],
    ["of no protocol", (socket) => void socket.end(Buffer.alloc(100, 0xff)), /could not/],
    [
      "that asks to switch protocols",
      (socket) => void socket.end("HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: tcp\r\n\r\nx"),
      /could not/
    ],
    [
      "that is empty",
      (socket) => void socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
      /status 204/
    ],
    ["that is a part", (socket) => void socket.end("HTTP/1.1 206 Partial\r\nConnection: close\r\n\r\nx"), /status 206/],
    [
      "that has not changed",
      (socket) => void socket.end("HTTP/1.1 304 Same\r\nConnection: close\r\n\r\n"),
      /status 304/
    ],
    [
      "that redirects to an invalid address",
      (socket) => void socket.end("HTTP/1.1 302 Found\r\nLocation: http://[::\r\nConnection: close\r\n\r\n"),
      /valid http/
    ]
  ])("%s is refused", ([, answer, reason]) =>
    Effect.gen(function* () {
      const { url } = yield* wire(answer)
      assert.match((yield* Effect.flip((yield* Web).page(url))).message, reason)
    })
  )

  // These servers keep the connection open and never end their answer.
  it.effect.each<readonly [string, ...ReadonlyArray<string>]>([
    ["packed unknown", html, "Content-Encoding: zstd"],
    ["no text", "Content-Type: video/mp4"],
    ["elsewhere", "Location: ftp://a.example/"],
    ["too large", html],
    ["too large when unpacked", html, "Content-Encoding: gzip"]
  ])("that is refused as %s leaves no connection behind", ([, ...lines]) =>
    Effect.gen(function* () {
      const status = lines.some((line) => line.startsWith("Location")) ? "302 Found" : "200 OK"
      const { open, url } = yield* wire((socket) => {
        socket.write(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n${lines.join("\r\n")}\r\n\r\n`)
        const body = gzipSync(Buffer.alloc(1024 * 1024))
        const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n")])
        const more = () => {
          if (!socket.destroyed && socket.write(chunk)) setImmediate(more)
        }
        socket.on("drain", more)
        more()
      })
      yield* Effect.flip((yield* Web).page(url))
      yield* until(Effect.sync(open), (count) => count === 0)
    })
  )

  it.effect("is asked for without what the one before had set", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const { url } = yield* wire((socket, request) => {
        requests.push(request)
        const to =
          requests.length === 1 ? "HTTP/1.1 302 Found\r\nLocation: /next\r\n" : `HTTP/1.1 200 OK\r\n${html}\r\n`
        socket.end(`${to}Set-Cookie: a=b; Path=/\r\nWWW-Authenticate: Basic\r\nConnection: close\r\n\r\nx`)
      })
      yield* (yield* Web).page(url)
      assert.strictEqual(requests.length, 2)
      for (const request of requests) assert.notMatch(request, /^(?:cookie|authorization|referer):/im)
    })
  )
})

/** How a site never comes to an end, a little at a time. */
const drips: ReadonlyArray<readonly [string, string, string]> = [
  ["its body", head(html, "Transfer-Encoding: chunked"), "1\r\nx\r\n"],
  ["its packed body", head(html, "Content-Encoding: gzip", "Transfer-Encoding: chunked"), ""],
  ["its headers", "HTTP/1.1 200 OK\r\n", "X: y\r\n"],
  ["nothing", "", ""]
]
it.effect.each(drips)("a site that keeps sending %s is abandoned after 20 seconds in total", ([, first, more]) =>
  Effect.gen(function* () {
    let asked = false
    const { open, url } = yield* wire((socket) => {
      asked = true
      socket.write(first)
      const timer = setInterval(() => socket.write(more), 20)
      socket.on("close", () => clearInterval(timer))
    })
    const page = yield* Effect.forkChild(Effect.flip((yield* Web).page(url)))
    yield* TestClock.withLive(
      until(
        Effect.sync(() => asked),
        (seen) => seen
      )
    )
    yield* TestClock.adjust("19 seconds")
    assert.strictEqual(open(), 1)
    yield* TestClock.adjust("1 second")
    assert.match((yield* Fiber.join(page)).message, /in time/)
    yield* TestClock.withLive(until(Effect.sync(open), (count) => count === 0))
  }).pipe(Effect.provide(service))
)

it.live("a machine's proxy is none of ours", () =>
  Effect.gen(function* () {
    let proxied = 0
    const proxy = yield* wire(() => void proxied++)
    const { url } = yield* wire(text())
    const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"]
    const before = names.map((name) => process.env[name])
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const [at, name] of names.entries())
          if (before[at] === undefined) delete process.env[name]
          else process.env[name] = before[at]
      })
    )
    for (const name of names) process.env[name] = proxy.url
    const page = yield* Effect.provide(
      Effect.flatMap(Web, (web) => web.page(url)),
      service
    )
    assert.strictEqual(page.text, "<p>Oak</p>")
    assert.strictEqual(proxied, 0)
  })
)
