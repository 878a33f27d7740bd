// src/http/Health.ts: whether the store answers.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { Api, version } from "#schema/Api.ts"

export const HealthHandlers = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const sql = yield* SqlClient.SqlClient

    return handlers.handle("health", () =>
      sql`SELECT 1`.pipe(
        Effect.timeout("2 seconds"),
        Effect.match({
          onSuccess: () => ({ status: "ok" as const, version }),
          onFailure: () => ({ status: "unavailable" as const, version })
        })
      )
    )
  })
)
