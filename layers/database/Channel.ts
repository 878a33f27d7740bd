// layers/database/Channel.ts: what processes that share a store tell each other through it.
import { Context, type Effect, type Scope, type Stream } from "effect"
import type { SqlError } from "effect/sql"

export interface Channel {
  /** Tells everybody who listens, this process too: once the caller's transaction is committed, if there is one. */
  readonly tell: (message: string) => Effect.Effect<void, SqlError.SqlError>
  /** Notifications from the moment this succeeds until the connection ends; later ones are lost. */
  readonly listen: Effect.Effect<Stream.Stream<string, SqlError.SqlError>, SqlError.SqlError, Scope.Scope>
}

/** The store's channel; none where one process has the store to itself. */
export const Channel = Context.Reference<Channel | undefined>("overture/layers/database/Channel", {
  defaultValue: () => undefined
})
