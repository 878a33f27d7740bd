// src/http/routes/Reference.ts: serves the contract at /openapi.json, its viewer at /docs, and a summary for language
// models at /llms.txt, all with this server's address.
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { Hex } from "effect/encoding"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Links } from "#layers/Links.ts"
import { Api } from "#schema/Api.ts"
import { chooseEncoding } from "#src/http/routes/Console.ts"
import { setRouteLabel } from "#src/http/RequestContext.ts"

/** Turns off the vendor's own tools. The library's types lack these options. */
const viewerOptions = {
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  customCss: `a[href="https://www.scalar.com"] { display: none }`
}

const linkToConsole = `<link rel="icon" href="data:," />
    <style>.console-link { display: block; padding: 8px 24px; font: 14px system-ui, sans-serif; color: inherit }</style>
  </head>
  <body>
    <a class="console-link" href="/">Back to the console</a>`

/** The viewer's page. The library can only add the page to a router, so it is taken from a router made for this. */
const pageOf = (api: typeof Api) =>
  Effect.gen(function* () {
    let page: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, never> | undefined
    const realRouter = yield* HttpRouter.make
    const router: HttpRouter.HttpRouter = {
      ...realRouter,
      add: (_method, _path, handler) =>
        Effect.sync(() => {
          if (Effect.isEffect(handler)) page = handler as typeof page
        })
    }
    yield* Effect.scoped(
      Layer.build(
        HttpApiScalar.layer(api, { scalar: viewerOptions }).pipe(
          Layer.provide(Layer.succeed(HttpRouter.HttpRouter, router))
        )
      )
    )
    if (page === undefined) return yield* Effect.die(new Error("The viewer has no page"))
    const { body } = yield* Effect.orDie(page)
    if (body._tag !== "Uint8Array") return yield* Effect.die(new Error("The viewer's page is not a text"))
    return new TextDecoder().decode(body.body).replace(/<\/head>\s*<body>/, () => linkToConsole)
  })

const methods = ["get", "post", "put", "patch", "delete"] as const

/** The contract in the format of https://llmstxt.org: description, usage, and the endpoints by group. */
const summaryOf = (api: typeof Api): string => {
  const { info, paths, servers = [], tags = [] } = OpenApi.fromApi(api)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ ...operation, path, method: method.toUpperCase() }]
    })
  )
  const groups = tags.map(({ description = "", name }) => {
    const lines = operations
      .filter((operation) => operation.tags.includes(name))
      .map(({ method, path, summary = "" }) => `- \`${method} ${path}\`: ${summary}`)
    return [`## ${name}`, "", description, "", ...lines].join("\n")
  })
  const [server] = servers
  return [
    `# ${info.title}`,
    `> ${info.summary ?? ""}`,
    info.description ?? "",
    "## Reference",
    `- [OpenAPI document](${server?.url.replace(/\/$/, "") ?? ""}/openapi.json): every field, error and example`,
    `- [Reference for people](${server?.url.replace(/\/$/, "") ?? ""}/docs)`,
    `- [Tools for agents](${server?.url.replace(/\/$/, "") ?? ""}/mcp): MCP over Streamable HTTP, with the same key`,
    ...groups
  ].join("\n\n")
}

/** A text that depends only on the server's address: compressed once, and revalidated by ETag. */
const cachedDocument = (type: string, make: (api: typeof Api) => Effect.Effect<string>) =>
  Effect.gen(function* () {
    const links = yield* Links
    const { digest } = yield* Digest.Digest
    const render = (url: string) =>
      Effect.gen(function* () {
        const servers = [{ url: url === "" ? "/" : url, description: "This server" }]
        const text = yield* make(Api.annotate(OpenApi.Servers, servers) as unknown as typeof Api)
        const bytes = new TextEncoder().encode(text)
        const compressed = yield* Effect.promise(() => promisify(gzip)(bytes))
        const tag = Hex.encode(yield* Effect.orDie(digest(Digest.sha256, bytes))).slice(0, 32)
        return { url, tag, bodies: { identity: bytes, gzip: new Uint8Array(compressed) } }
      })
    let cached: Effect.Success<ReturnType<typeof render>> | undefined
    return Effect.gen(function* () {
      const url = yield* links.baseUrl
      const { bodies, tag } = cached?.url === url ? cached : (cached = yield* render(url))
      const request = yield* HttpServerRequest.HttpServerRequest
      const encoding =
        chooseEncoding(request.headers["accept-encoding"], (encoding) => encoding === "gzip") === "gzip"
          ? "gzip"
          : "identity"
      const etag = `"${tag}-${encoding}"`
      const headers = { vary: "accept-encoding", "cache-control": "no-cache", etag }
      const tags = request.headers["if-none-match"]?.split(",") ?? []
      if (tags.some((candidate) => candidate.trim().replace(/^W\//, "") === etag)) {
        return HttpServerResponse.empty({ status: 304, headers })
      }
      return HttpServerResponse.uint8Array(bodies[encoding], {
        contentType: type,
        headers: { ...headers, ...(encoding === "gzip" && { "content-encoding": "gzip" }) }
      })
    })
  }).pipe(Effect.provide(Digest.layerWebCrypto))

/** For the pages that name no icon, such as /docs: browsers then ask for this one. */
const faviconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6b5e"/><circle cx="16" cy="16" r="7" fill="none" stroke="white" stroke-width="3"/></svg>'

export const Reference = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const contract = yield* cachedDocument("application/json", (api) =>
      Effect.sync(() => JSON.stringify(OpenApi.fromApi(api)))
    )
    const page = yield* cachedDocument("text/html; charset=utf-8", pageOf)
    yield* router.add("GET", "/openapi.json", Effect.andThen(setRouteLabel("/openapi.json"), contract))
    const llms = yield* cachedDocument("text/markdown; charset=utf-8", (api) => Effect.sync(() => summaryOf(api)))
    yield* router.add("GET", "/llms.txt", Effect.andThen(setRouteLabel("/llms.txt"), llms))
    const favicon = HttpServerResponse.text(faviconSvg, {
      contentType: "image/svg+xml",
      headers: { "cache-control": "public, max-age=86400" }
    })
    yield* router.add("GET", "/favicon.ico", Effect.as(setRouteLabel("/favicon.ico"), favicon))
    yield* router.add("GET", "/docs", Effect.andThen(setRouteLabel("/docs"), page))
  })
)
