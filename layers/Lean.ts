// layers/Lean.ts: what background work carries about with it. The library copies all that is in reach at each transaction
// and for whatever waits for a commit, and those who have their services by then need nothing of them in reach.
import { Context, Effect } from "effect"

/** Leaves behind what need not be carried about: nothing, unless whoever puts the program together says so. */
export const Lean = Context.Reference<<R>(context: Context.Context<R>) => Context.Context<R>>("overture/layers/Lean", {
  defaultValue: () => (context) => context
})

/** For what goes on as long as the process does. */
export const leanly = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Lean, (lean) => work.pipe(Effect.updateContext<R, R>(lean)))
