// src/http/Health.ts: whether the store answers.
import { Effect } from "effect"
import { group } from "#src/http/Group.ts"
import { SqlClient } from "effect/sql"
import { Api, version } from "#schema/Api.ts"
import { setRouteLabel } from "#src/http/RequestContext.ts"

export const HealthHandlers = group(
  Api,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const sql = yield* SqlClient.SqlClient

    return handlers.handle("health", ({ endpoint }) =>
      setRouteLabel(endpoint.path).pipe(
        Effect.andThen(sql`SELECT 1`),
        Effect.timeout("2 seconds"),
        Effect.match({
          onSuccess: () => ({ status: "ok" as const, version }),
          onFailure: () => ({ status: "unavailable" as const, version })
        })
      )
    )
  })
)
