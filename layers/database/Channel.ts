// layers/database/Channel.ts: messages between the processes that share a database.
import { Context, type Effect, type Scope, type Stream } from "effect"
import type { SqlError } from "effect/sql"

export interface Channel {
  /** Notifies every listener, this process included, after the caller's transaction commits. */
  readonly notify: (message: string) => Effect.Effect<void, SqlError.SqlError>
  /** Messages from the moment this succeeds until the connection ends; earlier and later ones are lost. */
  readonly listen: Effect.Effect<Stream.Stream<string, SqlError.SqlError>, SqlError.SqlError, Scope.Scope>
}

/** The channel of the database; undefined if only one process uses the database. */
export const Channel = Context.Reference<Channel | undefined>("overture/layers/database/Channel", {
  defaultValue: () => undefined
})
