// layers/lib/TrimContext.ts: removes services from the context of long-lived background work. Effect copies the whole
// context for each transaction, and such work has already obtained its services.
import { Context, Effect } from "effect"

/** Removes the services that are not needed. Set by the program; by default nothing is removed. */
export const TrimContext = Context.Reference<<R>(context: Context.Context<R>) => Context.Context<R>>(
  "overture/layers/TrimContext",
  {
    defaultValue: () => (context) => context
  }
)

/** Runs background work in the trimmed context. */
export const trimContext = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(TrimContext, (trim) => work.pipe(Effect.updateContext<R, R>(trim)))
