// src/http/routes/Readyz.ts: GET /readyz: whether a load balancer should send requests here. Needs no key.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Readiness } from "#layers/operations/Readiness.ts"
import { setRouteLabel } from "#src/http/RequestContext.ts"

export const readyzPath = "/readyz"

export const Readyz = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const readiness = yield* Readiness
    yield* router.add(
      "GET",
      readyzPath,
      Effect.gen(function* () {
        yield* setRouteLabel(readyzPath)
        const { checks, status } = yield* readiness.check
        return HttpServerResponse.jsonUnsafe(
          { status, checks },
          { status: status === "ready" ? 200 : 503, headers: { "cache-control": "no-store" } }
        )
      })
    )
  })
)
