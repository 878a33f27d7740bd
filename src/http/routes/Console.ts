// src/http/routes/Console.ts: serves the console, a web page of this server, from memory.
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { NotFound } from "#schema/Errors.ts"
import { ConsoleFiles, type Encoding, Manifest, manifestName } from "#src/ConsoleFiles.ts"
import { defaultResponse, errorResponse, weightsOf } from "#src/http/Replies.ts"
import { setRouteLabel } from "#src/http/RequestContext.ts"

/** Allows scripts, styles, fonts and requests of this server only, because users enter their API key in the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ")

const consoleMissing = errorResponse(
  404,
  new NotFound({ message: "The console is not made yet; npm start or npm run console makes it" })
)

/** Compares the exact path, because the router also matches `*` and repeated slashes. */
const isExactPath = (path: string, url: string) => url === path || url.startsWith(`${path}?`)

/** The smallest encoding that the client accepts. `q=0` rejects an encoding, and `*` means all others. */
export const chooseEncoding = (
  accepted: string | undefined,
  isAvailable: (encoding: Encoding) => boolean
): Encoding => {
  const weights = weightsOf(accepted)
  const accepts = (encoding: Encoding) => (weights.get(encoding) ?? weights.get("*") ?? 0) > 0
  return (["br", "gzip"] as const).find((encoding) => isAvailable(encoding) && accepts(encoding)) ?? "identity"
}

const decode = Schema.decodeEffect(Schema.fromJsonString(Manifest))

export const Console = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const readFile = yield* ConsoleFiles
    const manifest = readFile(manifestName)
    if (manifest === undefined) {
      yield* router.add("GET", "/", consoleMissing)
      return
    }
    const { files } = yield* Effect.orDie(decode(new TextDecoder().decode(manifest)))
    for (const { digest, forms, path, type } of files) {
      const bodies = new Map<Encoding, Uint8Array>()
      for (const { encoding, name } of forms) {
        const bytes = readFile(name)
        if (bytes !== undefined) bodies.set(encoding, bytes)
      }
      const isPage = path === "/"
      const headers = {
        vary: "accept-encoding",
        // The names of other files change with their content.
        "cache-control": isPage ? "no-cache" : "public, max-age=31536000, immutable",
        ...(isPage ? { "content-security-policy": policy } : undefined)
      }
      const respond = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (!isExactPath(path, request.url)) return yield* defaultResponse(404)
        yield* setRouteLabel(isPage ? "/" : "/console/:file")
        const encoding = chooseEncoding(request.headers["accept-encoding"], (encoding) => bodies.has(encoding))
        const etag = `"${digest}-${encoding}"`
        const knownTags = request.headers["if-none-match"]
        if (knownTags?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)) {
          return HttpServerResponse.empty({ status: 304, headers: { ...headers, etag } })
        }
        return HttpServerResponse.uint8Array(bodies.get(encoding) ?? new Uint8Array(), {
          contentType: type,
          headers: {
            ...headers,
            etag,
            ...(encoding === "identity" ? undefined : { "content-encoding": encoding })
          }
        })
      })
      yield* router.add("GET", path as `/${string}`, respond)
    }
  })
)
