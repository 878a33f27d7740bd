// src/http/routes/Files.ts: serves documents and list exports by signed links, without a key.
import { Duration, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { documentPath, Documents } from "#layers/Documents.ts"
import { Links } from "#layers/Links.ts"
import { Lists } from "#layers/Lists.ts"
import { RateLimited } from "#schema/Errors.ts"
import { errorResponse } from "#src/http/Replies.ts"
import { downloadHeaders, csvResponse } from "#src/http/handlers/Lists.ts"
import { addResponseHeader, setRouteLabel } from "#src/http/RequestContext.ts"

/** Requests per minute for the file of one link. They have no key to count, and exports of long lists are expensive. */
const maxRequests = 60

const route = "/files/:id"

export const Files = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const documents = yield* Documents
    const limiter = yield* RateLimiter.RateLimiter
    const links = yield* Links
    const lists = yield* Lists

    const documentResponse = (id: string) =>
      Effect.map(documents.read(id), ({ content, type }) =>
        HttpServerResponse.text(content, {
          contentType: "text/markdown; charset=utf-8",
          headers: downloadHeaders(`${type.replaceAll("_", "-")}.md`)
        })
      )
    const countRequest = (id: string) =>
      limiter.consume({ key: `file:${id}`, limit: maxRequests, window: "1 minute" }).pipe(
        Effect.catchTag("RateLimiterError", ({ reason }) => {
          if (reason._tag === "RateLimitStoreError") {
            return Effect.logError("The rate limiter is unavailable", reason)
          }
          const wait = String(Math.max(1, Math.ceil(Duration.toSeconds(reason.retryAfter))))
          const message = `This link is opened too often; try again in ${wait} s`
          return Effect.andThen(addResponseHeader({ "retry-after": wait }), Effect.fail(new RateLimited({ message })))
        })
      )
    yield* router.add(
      "GET",
      route,
      Effect.gen(function* () {
        yield* setRouteLabel(route)
        const { id = "" } = yield* HttpRouter.params
        const { expires, signature } = yield* HttpServerRequest.ParsedSearchParams
        const single = (value: string | ReadonlyArray<string> | undefined) =>
          typeof value === "string" ? value : undefined
        yield* links.check(documentPath(id), { expires: single(expires), signature: single(signature) })
        yield* countRequest(id)
        return yield* Effect.catchTag(documentResponse(id), "NOT_FOUND", () =>
          Effect.flatMap(lists.exportByLink(id), csvResponse)
        )
      }).pipe(
        Effect.catchTags({
          FORBIDDEN: (error) => errorResponse(403, error),
          RATE_LIMITED: (error) => errorResponse(429, error),
          NOT_FOUND: (error) => errorResponse(404, error)
        })
      )
    )
  })
)
