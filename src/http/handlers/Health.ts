// src/http/handlers/Health.ts: whether the database answers.
import { Effect } from "effect"
import { handlersOf } from "#src/http/Handlers.ts"
import { SqlClient } from "effect/sql"
import { version } from "#schema/Version.ts"
import { setRouteLabel } from "#src/http/RequestContext.ts"

export const HealthHandlers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return handlersOf("health", {
    health: ({ endpoint }) =>
      setRouteLabel(endpoint.path).pipe(
        Effect.andThen(sql`SELECT 1`),
        Effect.timeout("2 seconds"),
        Effect.match({
          onSuccess: () => ({ status: "ok" as const, version }),
          onFailure: () => ({ status: "unavailable" as const, version })
        })
      )
  })
})
