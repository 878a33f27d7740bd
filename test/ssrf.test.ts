// test/ssrf.test.ts: no URL, from any source and in any spelling, makes the server connect to a private address.
import { assert, it, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Web } from "#layers/Web.ts"
import { isPublic, AddressPolicy } from "#layers/web/AddressPolicy.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, awaitJob, onboardedCaller } from "./support/callers.ts"
import { builtCampaign } from "./support/campaigns.ts"
import { fakeResolver } from "./support/resolver.ts"
import { forbiddenServer } from "./support/forbidden-server.ts"
import * as Server from "./support/server.ts"
import { startSite } from "./support/site.ts"
import { until } from "./support/until.ts"

const options = { timeout: 40_000, excludeTestServices: true } as const
const importPath = "/workspace/imports/url"

/** A loopback address that the tests treat as public. */
const publicAddress = "127.0.0.9"
/** The production policy, but with that address and with all ports, so that only the address can be the reason for a rejection. */
const addressPolicy = {
  isAllowed: (address: string) => address === publicAddress || isPublic(address),
  allowsAnyPort: true
}
const rate = { limit: 1000, window: Duration.minutes(1) }
const service = Server.layer({ rate }).pipe(Layer.provide(Layer.succeed(AddressPolicy, addressPolicy)))

/** Loopback URLs in the spellings that attacks use, with the port of the forbidden server. */
const loopbackUrls = (port: number) => [
  ...(
    "127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7F.0x0.0x0.0x1 0177.0.0.1 017700000001 0177.1 " +
    "0 0x0 00 0.0.0.0 0.0 127.0.0.1. 127.1. 127。0。0。1 127．0．0．1 １２７.0.0.1 ①②⑦.⓪.⓪.① %31%32%37.0.0.1 127%2e0%2e0%2e1 127.0.0.%31 " +
    "[::1] [::] [0:0:0:0:0:0:0:1] [0000::0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:0:127.0.0.1] [0:0:0:0:0:ffff:7f00:1] " +
    "[::127.0.0.1] [::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:7f00:1::1] " +
    "[2001:0:7f00:1::] [2001::80ff:fffe] public.example@127.0.0.1 public.example%40127.0.0.1@127.0.0.1 :@127.0.0.1 a:b@[::1]"
  )
    .split(" ")
    .map((host) => `http://${host}:${port}/`),
  `http:127.0.0.1:${port}`,
  `http:/127.0.0.1:${port}`,
  `http:\\\\127.0.0.1:${port}\\`,
  `http:////127.0.0.1:${port}/`,
  `HTTP://127.0.0.1:${port}`,
  `ht\ntp://127.0.0.1:${port}/`,
  `http://127.0.\t0.1:${port}/`,
  `  http://127.0.0.1:${port}/  `,
  `http://127.0.0.1:${port}\\@public.example/`,
  `http://127.0.0.1:${port}#@public.example/`,
  `http://\u00ad127.0.0.1:${port}/`,
  `http://127.0.\u200b0.1:${port}/`
]

/** Other addresses that are not public. Nothing of the test listens there. */
const privateHosts =
  "169.254.169.254 168.63.129.16 10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 192.0.0.1 192.0.0.192 192.0.2.1 198.18.0.1 " +
  "198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 192.88.99.1 [fe80::1] [fec0::1] [fc00::1] " +
  "[fd00:ec2::254] [ff02::1] [2001:db8::1] [100::1] [64:ff9b::a9fe:a9fe] [::ffff:169.254.169.254] [2002:a9fe:a9fe::] " +
  "[3fff::1] [5f00::1] [4000::1] [fe80::1%25lo] [::1%25lo] [::1%lo]"

layer(service, options)("a server that fetches only public addresses", (it) => {
  it.effect("rejects every spelling of a private address, and does not connect to it", () =>
    Effect.gen(function* () {
      const { countConnection, port } = yield* forbiddenServer
      const web = yield* Web
      const caller = yield* newCaller()
      const privateUrls = privateHosts.split(" ").map((host) => `http://${host}/`)
      for (const url of [...loopbackUrls(port), ...privateUrls]) {
        assert.property(web.check(url), "refusal", url)
        yield* Effect.flip(web.fetchPage(url))
        const { issues } = yield* expectError(400, "BAD_REQUEST", caller.post(importPath, { url }))
        assert.strictEqual(issues[0].path, "url", url)
      }
      assert.strictEqual(countConnection(), 0)
    })
  )

  it.effect("does not follow a redirect to a private address, whatever its status and form", () =>
    Effect.gen(function* () {
      const { countConnection, port } = yield* forbiddenServer
      const web = yield* Web
      const refusal = /private|http or https|user name|status 404|no site of that name/
      const targets = [
        ...loopbackUrls(port),
        `//127.0.0.1:${port}/`,
        `\\\\127.0.0.1:${port}/`,
        `/\\127.0.0.1:${port}/`,
        `http://localhost:${port}/`,
        `http://localhost.:${port}/`,
        `file:///etc/passwd`,
        `gopher://127.0.0.1:${port}/`,
        `data:text/html,secret`,
        `ftp://127.0.0.1:${port}/`
      ]
      let location = ""
      let status = 302
      const { port: sitePort } = yield* startSite((request, response) => {
        if (request.url === "/") response.writeHead(status, { location: Buffer.from(location).toString("latin1") })
        else response.writeHead(404)
        response.end()
      }, publicAddress)
      for (const [index, target] of targets.entries()) {
        location = target.replaceAll(/[\n\t]/g, "")
        status = [301, 302, 303, 307, 308, 300][index % 6] ?? 302
        const { message } = yield* Effect.flip(web.fetchPage(`http://${publicAddress}:${sitePort}/`))
        assert.match(message, refusal, target)
      }
      for (status of [301, 302, 303, 307, 308, 300]) {
        location = `http://127.0.0.1:${port}/`
        assert.match((yield* Effect.flip(web.fetchPage(`http://${publicAddress}:${sitePort}/`))).message, /private/)
      }
      assert.strictEqual(countConnection(), 0)
    })
  )

  it.effect("follows at most three redirects, and checks each", () =>
    Effect.gen(function* () {
      const { countConnection, port } = yield* forbiddenServer
      const web = yield* Web
      const { port: sitePort } = yield* startSite((request, response) => {
        const redirectsLeft = Number(request.url?.slice(1))
        response.setHeader("content-type", "text/html")
        if (redirectsLeft > 0) response.writeHead(302, { location: `${redirectsLeft - 1}` })
        else if (request.url === "/-1") response.writeHead(302, { location: `http://127.0.0.1:${port}/` })
        response.end("there")
      }, publicAddress)
      assert.strictEqual(
        (yield* web.fetchPage(`http://${publicAddress}:${sitePort}/3`)).url,
        `http://${publicAddress}:${sitePort}/0`
      )
      assert.match((yield* Effect.flip(web.fetchPage(`http://${publicAddress}:${sitePort}/4`))).message, /more than 3/)
      assert.match((yield* Effect.flip(web.fetchPage(`http://${publicAddress}:${sitePort}/-1`))).message, /private/)
      assert.strictEqual(countConnection(), 0)
    })
  )

  it.effect("follows no link of a page to a private address", () =>
    Effect.gen(function* () {
      const { countConnection, port } = yield* forbiddenServer
      const inner = `http://127.0.0.1:${port}`
      const { hits, port: sitePort } = yield* startSite(
        (_, response) =>
          void response.setHeader("content-type", "text/html").setHeader("refresh", `0; url=${inner}/`)
            .end(`<base href="${inner}/"><meta http-equiv="refresh" content="0; url=${inner}/about">
              <link rel="canonical" href="${inner}/"><link rel="sitemap" href="${inner}/sitemap.xml">
              <script src="${inner}/x.js"></script><img src="${inner}/x.png"><iframe src="${inner}/about"></iframe>
              <p>Oakline Floors lays oak floors in Ghent, Belgium. See ${inner}/contact.</p><a href="/about">About</a>
              <a href="${inner}/contact">Contact</a><a href="http://localhost:${port}/pricing">Prices</a>
              <a href="http://${publicAddress}@127.0.0.1:${port}/products">Products</a>
              <form action="${inner}/customers"><button>Customers</button></form>`),
        publicAddress
      )
      const caller = yield* newCaller()
      const { id } = yield* expectBody(202, caller.post(importPath, { url: `http://${publicAddress}:${sitePort}/` }))
      assert.strictEqual((yield* awaitJob(caller, id)).status, "completed")
      assert.deepStrictEqual(
        hits.filter((hit) => hit !== "connection"),
        ["/"]
      )
      assert.strictEqual(countConnection(), 0)
    })
  )

  it.effect("does not connect to private addresses of leads or of the workspace's profile", () =>
    Effect.gen(function* () {
      const { countConnection, port } = yield* forbiddenServer
      const { lookups } = yield* fakeResolver(() => ["127.0.0.1"])
      const caller = yield* onboardedCaller()
      const website_url = `http://127.0.0.1:${port}/`
      const ideal_client_urls = `${website_url}, http://localhost:${port}/`
      yield* expectBody(200, caller.put("/workspace/details", { website_url, ideal_client_urls }))
      const research = yield* expectBody(202, caller.post("/workspace/regenerate"))
      yield* awaitJob(caller, research.id)
      const campaign = yield* builtCampaign(caller)
      const leads = [
        ...loopbackUrls(port).map((company_website) => ({ company_website })),
        ...loopbackUrls(port).map((url) => ({ company_website: url.replace(/^\s*http:\/*/i, "").replace(/\/$/, "") })),
        { company_website: `rebound.example:${port}` },
        { company_website: `http://rebound.example:${port}/` },
        { company: "rebound.example" },
        { company: "Rebound" },
        { company: "Rebound", linkedin_url: `http://127.0.0.1:${port}/in/ann-lee` }
      ].map((lead, index) => ({ email: `ann${index}@rebound.example`, ...lead }))
      const { list_id } = yield* expectBody(
        202,
        caller.post(`/campaigns/${campaign}/generate-batch`, {
          leads,
          options: { email_count: 1, email_signature: "Bo", enrichment_enabled: true }
        })
      )
      const list = yield* until(expectBody(200, caller.get(`/lists/${list_id}`)), (list) => "completed_at" in list)
      assert.strictEqual(list.processing_status, "completed")
      assert.include(lookups, "rebound.example")
      assert.strictEqual(countConnection(), 0)
    })
  )

  it.effect.each([
    ["a private address", ["127.0.0.1"]],
    ["a private address after a public one", [publicAddress, "127.0.0.1"]],
    ["a private address before a public one", ["::1", publicAddress]],
    ["an IPv4-mapped address", ["::ffff:127.0.0.1"]],
    ["an IPv4-mapped address in hexadecimal", ["::ffff:7f00:1"]],
    ["a NAT64 address", ["64:ff9b::7f00:1"]],
    ["a 6to4 address", ["2002:7f00:1::"]],
    ["an IPv4-compatible address", ["::127.0.0.1"]],
    ["the unspecified IPv4 address", ["0.0.0.0"]],
    ["the unspecified IPv6 address", ["::"]],
    ["an address with a zone", ["fe80::1%lo"]],
    ["no address at all", []],
    ["a word instead of an address", ["localhost"]]
  ] as const)("does not connect when a name resolves to %s", ([, addresses]) =>
    Effect.gen(function* () {
      const { countConnection, port } = yield* forbiddenServer
      const { hits } = yield* startSite((_, response) => void response.end("x"), publicAddress)
      yield* fakeResolver(() => addresses)
      yield* Effect.flip((yield* Web).fetchPage(`http://two.example:${port}/`))
      assert.strictEqual(countConnection(), 0)
      assert.deepStrictEqual(hits, [])
    })
  )

  it.effect("connects to the address that it checked, even if the name changes its address", () =>
    Effect.gen(function* () {
      const { countConnection, port } = yield* forbiddenServer
      let keepsAlive = false
      const { hits, port: sitePort } = yield* startSite(
        (_, response) =>
          void response
            .setHeader("content-type", "text/html")
            .setHeader("connection", keepsAlive ? "keep-alive" : "close")
            .end("x"),
        publicAddress
      )
      assert.notStrictEqual(sitePort, port)
      let addresses = [publicAddress]
      const { lookups } = yield* fakeResolver(() => {
        const current = addresses
        addresses = ["127.0.0.1"]
        return current
      })
      const web = yield* Web
      const url = `http://rebound.example:${sitePort}/`
      yield* web.fetchPage(url)
      assert.deepStrictEqual(lookups, ["rebound.example"])
      assert.match((yield* Effect.flip(web.fetchPage(url))).message, /private/)
      assert.deepStrictEqual(hits, ["connection", "/"])
      // A reused connection keeps the address that was checked, and each new connection is checked again.
      addresses = [publicAddress]
      keepsAlive = true
      yield* web.fetchPage(url)
      yield* Effect.exit(web.fetchPage(url))
      assert.strictEqual(countConnection(), 0)
    })
  )
})

it.effect("sends no request if the socket is connected to an address that is not allowed", () => {
  const checked: Array<string> = []
  // Allows the address when the name is resolved, and rejects it when the socket is connected.
  const allowOnce = (candidate: string) => checked.push(candidate) === 1
  return Effect.gen(function* () {
    const { hits, port } = yield* startSite((_, response) => void response.end("x"))
    yield* fakeResolver(() => ["127.0.0.1"])
    const { message } = yield* Effect.flip((yield* Web).fetchPage(`http://changed.example:${port}/`))
    assert.match(message, /private/)
    assert.deepStrictEqual(checked, ["127.0.0.1", "127.0.0.1"])
    assert.deepStrictEqual(
      hits.filter((hit) => hit !== "connection"),
      []
    )
  }).pipe(
    Effect.provide(
      Web.layer.pipe(Layer.provide(Layer.succeed(AddressPolicy, { isAllowed: allowOnce, allowsAnyPort: true })))
    )
  )
})

it.effect("gives up on a slow name lookup after 20 seconds, and sends no request when the lookup completes", () =>
  Effect.gen(function* () {
    const { hits, port } = yield* startSite((_, response) => void response.end("x"))
    const { lookups, hold, release } = yield* fakeResolver(() => ["127.0.0.1"])
    hold()
    const web = yield* Web
    const page = yield* Effect.forkChild(Effect.flip(web.fetchPage(`http://slow.example:${port}/`)))
    yield* TestClock.withLive(
      until(
        Effect.sync(() => lookups.length),
        (count) => count === 1
      )
    )
    yield* TestClock.adjust("20 seconds")
    const { message } = yield* Fiber.join(page)
    assert.match(message, /in time/)
    release()
    yield* TestClock.withLive(Effect.sleep(50))
    assert.deepStrictEqual(
      hits.filter((hit) => hit !== "connection"),
      []
    )
  }).pipe(
    Effect.provide(
      Web.layer.pipe(Layer.provide(Layer.succeed(AddressPolicy, { isAllowed: () => true, allowsAnyPort: true })))
    )
  )
)
