// test/fetch.test.ts: fetching web pages: refused addresses, limits, imports from a URL, and which links are followed.
import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createServer, type RequestListener } from "node:http"
import { gzipSync } from "node:zlib"
import { Web } from "#layers/Web.ts"
import { allowAllAddresses, isPublic, AddressPolicy } from "#layers/web/AddressPolicy.ts"
import { fromHtml } from "#layers/research/read/Html.ts"
import { selectLinks } from "#layers/research/FetchSite.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, type Caller, awaitJob } from "./support/callers.ts"
import { listen } from "./support/listening.ts"
import * as Server from "./support/server.ts"
import { startSite } from "./support/site.ts"

const live = { timeout: 40_000, excludeTestServices: true } as const
const importPath = "/workspace/imports/url"

const html = (text: string) =>
  ((_, response) => response.setHeader("content-type", "text/html").end(text)) as RequestListener

it.each([
  ["8.8.8.8", true],
  ["2606:4700::1111", true],
  ...[
    "127.0.0.1 127.255.255.254 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 198.18.0.1 192.0.2.1",
    "224.0.0.1 255.255.255.255 240.0.0.1 168.63.129.16 :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1",
    "::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 fe80::1 fc00::1 fd12::1 ff02::1 2001:db8::1",
    "2002:7f00:1:: 2001::1 fec0::1 100::1 not-an-address"
  ].flatMap((line) => line.split(" ").map((address) => [address, false] as const))
] as const)("isPublic(%s) is %s", (address, expected) => assert.strictEqual(isPublic(address), expected))

layer(Server.layer(), live)("a server that may fetch only the public web", (it) => {
  const privateUrls = (port: string) => [
    `http://127.0.0.1${port}/`,
    `http://127.1${port}/`,
    `http://2130706433${port}/`,
    `http://0x7f000001${port}/`,
    `http://0x7f.1${port}/`,
    `http://0177.0.0.1${port}/`,
    `http://017700000001${port}/`,
    `http://127.0.0.1.${port}/`,
    `http://127。0。0。1${port}/`,
    `http://①②⑦.0.0.1${port}/`,
    `http://0${port}/`,
    `http://0.0.0.0${port}/`,
    `http://[::1]${port}/`,
    `http://[::]${port}/`,
    `http://[::ffff:127.0.0.1]${port}/`,
    `http://[::ffff:7f00:1]${port}/`,
    `http://[::127.0.0.1]${port}/`,
    `http://[64:ff9b::127.0.0.1]${port}/`,
    `http://[0:0:0:0:0:0:0:1]${port}/`,
    `http://169.254.169.254${port}/latest`,
    `http://10.0.0.1${port}/`
  ]

  it.effect("refuses every form of private address, and other schemes, ports and users", () =>
    Effect.gen(function* () {
      const { hits, port } = yield* startSite(html("secret"))
      const web = yield* Web
      for (const url of [...privateUrls(""), ...privateUrls(`:${port}`)]) {
        assert.property(web.check(url), "refusal", url)
        yield* Effect.flip(web.fetchPage(url))
      }
      for (const url of [
        "file:///etc/passwd",
        "ftp://a.example",
        "gopher://a.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "//a.example",
        "a.example",
        "",
        "http://",
        "http://user@a.example",
        "http://user:pass@a.example/",
        "http://:pass@a.example/",
        "http://a.example:8080/",
        "https://a.example:22/"
      ]) {
        assert.property(web.check(url), "refusal", url)
      }
      const caller = yield* newCaller()
      for (const url of [
        privateUrls("")[3],
        "http://[::1]/",
        "ftp://a.example",
        "nothing",
        "",
        5,
        `https://a.example/${"x".repeat(2000)}`
      ]) {
        const { issues } = yield* expectError(400, "BAD_REQUEST", caller.post(importPath, { url }))
        assert.strictEqual(issues[0].path, "url")
      }
      assert.deepStrictEqual(hits, [])
    })
  )

  it.effect("accepts URLs of at most 2000 characters, not counting surrounding spaces", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const urlOfLength = (length: number) => "HTTPS://0.0.0.0.example/".padEnd(length, "x")
      const { type } = yield* expectBody(202, caller.post(importPath, { url: urlOfLength(2000) }))
      assert.strictEqual(type, "workspace.import.url")
      yield* expectBody(202, caller.post(importPath, { url: ` ${urlOfLength(1000)} ` }))
      for (const url of [urlOfLength(2001), null, undefined]) {
        const { issues } = yield* expectError(400, "BAD_REQUEST", caller.post(importPath, { url }))
        assert.strictEqual(issues[0].path, "url")
      }
    })
  )

  it.effect("fails the job if a name resolves to a private address", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { id } = yield* expectBody(202, caller.post(importPath, { url: "http://localhost/" }))
      const job = yield* awaitJob(caller, id)
      assert.deepStrictEqual([job.type, job.status, job.result], ["workspace.import.url", "failed", null])
      assert.match(job.error, /private/)
    })
  )
})

const permissiveServer = Server.layer().pipe(Layer.provide(Layer.succeed(AddressPolicy, allowAllAddresses)))

layer(permissiveServer, live)("a fetched site", (it) => {
  it.effect("has its connection closed although it asks to keep it open", () =>
    Effect.gen(function* () {
      // The site asks for ten minutes; a list of leads has thousands of sites.
      const closed = Promise.withResolvers<void>()
      const server = createServer({ keepAliveTimeout: 600_000 }, html("<p>Oak</p>"))
      server.on("connection", (socket) => socket.once("close", () => closed.resolve()))
      const { port } = yield* listen(server)
      yield* (yield* Web).fetchPage(`http://127.0.0.1:${port}`)
      yield* Effect.promise(() => closed.promise)
    })
  )

  const submit = Effect.fnUntraced(function* (caller: Caller, url: string) {
    const { id } = yield* expectBody(202, caller.post(importPath, { url }))
    return yield* awaitJob(caller, id)
  })

  it.effect("is read with its pages about the company, and fills empty profile fields", () =>
    Effect.gen(function* () {
      const pages: Record<string, string> = {
        "/": `<html><head><title>Oakline Floors | Home</title>
          <meta name="description" content="Oakline Floors lays oak floors for hotels and shops."><script>bad()</script></head><body><nav><a href="/about">About</a>
          <a href="/pricing#x">Prices</a><a href="https://other.example/about">Else</a><a href="/legal">Legal</a><a href="/">Home</a></nav>
          <h1>Oakline Floors</h1><p>Oakline Floors lays oak floors in Ghent, Belgium.</p>
          <a href="mailto:noor@oakline.example">Write</a></body></html>`,
        "/about": "<h1>About</h1><p>Founded in 1987. ISO 9001 certified.</p>",
        "/pricing":
          "<h2>Pricing</h2><table><tr><th>Product</th><th>Price</th></tr><tr><td>Plank</td><td>EUR 89</td></tr></table>"
      }
      const { hits, port } = yield* startSite((request, response) => {
        response.setHeader("content-type", "text/html; charset=utf-8")
        response.setHeader("set-cookie", "a=b")
        if (request.headers.cookie !== undefined) response.statusCode = 500
        response.setHeader("content-encoding", "gzip").end(gzipSync(pages[request.url ?? ""] ?? ""))
      })
      const caller = yield* newCaller()
      const answer = yield* caller.post(importPath, { url: `http://127.0.0.1:${port}` })
      assert.strictEqual(answer.status, 202)
      const { created_at, id, updated_at, ...job } = answer.body
      assert.deepStrictEqual(job, { type: "workspace.import.url", status: "pending", result: null, error: null })
      assert.strictEqual(created_at, updated_at)
      const finishedJob = yield* awaitJob(caller, id)
      assert.deepStrictEqual(
        [finishedJob.status, finishedJob.result.parsed, finishedJob.error],
        ["completed", true, null]
      )
      assert.deepInclude(finishedJob.result.sources, {
        field: "core_products",
        text: "Plank, EUR 89",
        heading: "Pricing"
      })
      assert.deepStrictEqual(hits.filter((hit) => hit !== "connection").toSorted(), ["/", "/about", "/pricing"])
      const { details } = yield* expectBody(200, caller.get("/workspace"))
      assert.strictEqual(details.company_name, "Acme")
      assert.strictEqual(details.website_url, `http://127.0.0.1:${port}`)
      assert.strictEqual(details.business_description, "Oakline Floors lays oak floors for hotels and shops.")
      assert.strictEqual(details.contact_email, "noor@oakline.example")
      assert.deepStrictEqual(details.core_products, [{ product: "Plank", pricing: "EUR 89" }])
      // Credibility markers without a matching heading are offered as candidates, not filled in.
      assert.isNull(details.credibility_markers)
      assert.deepStrictEqual(
        finishedJob.result.missing.find(({ field }: { readonly field: string }) => field === "credibility_markers")
          ?.candidates,
        ["ISO 9001 certified.", "Founded in 1987."]
      )
      assert.isFalse((yield* submit(caller, `http://127.0.0.1:${port}`)).result.parsed)
    })
  )

  it.effect("without company information completes with nothing parsed", () =>
    Effect.gen(function* () {
      const { port } = yield* startSite(html("<p>under construction</p>"))
      const job = yield* submit(yield* newCaller(), `http://127.0.0.1:${port}`)
      assert.deepStrictEqual([job.status, job.result.parsed, job.result.sources], ["completed", false, []])
    })
  )

  it.effect.each([
    ["answers 500", (_, response) => void response.writeHead(500).end(), /status 500/],
    [
      "has no page of text",
      (_, response) => void response.setHeader("content-type", "image/png").end("x"),
      /no page of text/
    ],
    ["names no type", (_, response) => void response.end("x"), /no page of text/],
    [
      "redirects for ever",
      (_, response) => void response.writeHead(302, { location: "/more" }).end(),
      /redirects more/
    ],
    [
      "redirects to another scheme",
      (_, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
      /http or https/
    ],
    ["is too large", html("x".repeat(2 * 1024 * 1024 + 1)), /2 MB/],
    [
      "inflates to too much",
      (_, response) =>
        void response
          .setHeader("content-type", "text/html")
          .setHeader("content-encoding", "gzip")
          .end(gzipSync("x".repeat(50_000_000))),
      /2 MB/
    ],
    [
      "packs it oddly",
      (_, response) =>
        void response.setHeader("content-type", "text/html").setHeader("content-encoding", "zstd, rot13").end("x"),
      /packed/
    ],
    [
      "lies of its packing",
      (_, response) =>
        void response.setHeader("content-type", "text/html").setHeader("content-encoding", "gzip").end("x"),
      /could not/
    ],
    ["hangs up", (request) => void request.socket.destroy(), /could not/]
  ] satisfies ReadonlyArray<readonly [string, RequestListener, RegExp]>)(
    "that %s fails the job",
    ([, handler, message]) =>
      Effect.gen(function* () {
        const { port } = yield* startSite(handler)
        const job = yield* submit(yield* newCaller(), `http://127.0.0.1:${port}`)
        assert.deepStrictEqual([job.status, job.result], ["failed", null])
        assert.match(job.error, message)
      })
  )

  it.effect("in undeclared windows-1252 is decoded", () =>
    Effect.gen(function* () {
      const { port } = yield* startSite(
        (_, response) =>
          void response
            .setHeader("content-type", "text/html")
            .end(Buffer.from("<p>Contact: J\u00fcrgen M\u00fcller, Owner</p>", "latin1"))
      )
      const { text } = yield* (yield* Web).fetchPage(`http://127.0.0.1:${port}/`)
      assert.include(text, "Jürgen Müller")
    })
  )

  it.effect("that is unreachable fails the job", () =>
    Effect.gen(function* () {
      const { close, port } = yield* startSite(html("x"))
      close()
      assert.strictEqual((yield* submit(yield* newCaller(), `http://127.0.0.1:${port}`)).status, "failed")
    })
  )
})

layer(
  Server.layer().pipe(
    // As in production, except that one loopback address counts as public.
    Layer.provide(
      Layer.succeed(AddressPolicy, { isAllowed: (address) => address === "127.0.0.1", allowsAnyPort: true })
    )
  ),
  live
)("a public site", (it) => {
  it.effect("never leads to a private address, by redirects or by links", () =>
    Effect.gen(function* () {
      const { hits, port: privatePort } = yield* startSite(html("secret"), "127.0.0.2")
      const web = yield* Web
      const targets = [
        `127.0.0.2:${privatePort}`,
        `127.2:${privatePort}`,
        `0x7f000002:${privatePort}`,
        `[::ffff:127.0.0.2]:${privatePort}`
      ]
      for (const target of targets) {
        const { port } = yield* startSite(
          (_, response) => void response.writeHead(302, { location: `http://${target}/` }).end()
        )
        const { message } = yield* Effect.flip(web.fetchPage(`http://127.0.0.1:${port}/`))
        assert.match(message, /private/)
      }
      const { port } = yield* startSite(html(`<p>Oak</p><a href="http://127.0.0.2:${privatePort}/about">About</a>`))
      const caller = yield* newCaller()
      const { id } = yield* expectBody(202, caller.post(importPath, { url: `http://127.0.0.1:${port}/` }))
      assert.strictEqual((yield* awaitJob(caller, id)).status, "completed")
      assert.deepStrictEqual(hits, [])
    })
  )
})

it("link selection takes one page of each kind first, uses the base URL, and skips files and articles", () => {
  const page = [
    "<base href='/en/'>",
    ...[
      "products/a",
      "products/b",
      "products/c",
      "products/d",
      "products/e",
      "about.pdf",
      "about",
      "prices",
      "clients"
    ].map((href) => `<a href="${href}">more</a>`),
    "<a href='/blog/1'>Why our customers never ask for the price of what we do</a>"
  ].join("")
  assert.deepStrictEqual(
    selectLinks(page, "https://x.example/", 5),
    ["products/a", "products/b", "about", "prices", "clients"].map((path) => `https://x.example/en/${path}`)
  )
})

it("parsing stops at extreme nesting", () => {
  const nested = (depth: number) => `${"<div>".repeat(depth)}<a href="/about">About Acme</a>`
  assert.deepStrictEqual(selectLinks(nested(400), "https://x.example/", 5), ["https://x.example/about"])
  assert.deepStrictEqual(selectLinks(nested(400_000), "https://x.example/", 5), [])
  assert.match(fromHtml(nested(400), 1000).text, /Acme/)
  assert.notMatch(fromHtml(nested(300_000), 1000).text, /Acme/)
})

it("link selection follows at most five links about the company on the same site", () => {
  const page = [
    "/about",
    "/about#team",
    "/imprint",
    "https://x.example/pricing",
    "http://evil.example/about",
    "javascript:about()",
    "/a/products",
    "/case-studies",
    "/customers",
    "/contact"
  ]
    .map((href) => `<a href="${href}">more</a>`)
    .join("")
  assert.deepStrictEqual(selectLinks(page, "https://www.x.example/", 5), [
    "https://www.x.example/about",
    "https://x.example/pricing",
    "https://www.x.example/a/products",
    "https://www.x.example/case-studies",
    "https://www.x.example/customers"
  ])
  const foreignPaths = ["/agb", "/leistungen", "/ueber-uns.html", "/tarifs", "/a-propos", "/preise", "/impressum"]
  assert.deepStrictEqual(
    selectLinks(foreignPaths.map((href) => `<a href="${href}">mehr</a>`).join(""), "https://x.example/", 9),
    foreignPaths.slice(1).map((path) => `https://x.example${path}`)
  )
})
