// test/support/faults.ts: writers that fail, wait, or remember what they were asked.
import { Deferred, Effect } from "effect"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"

export const outage = new GenerationFailed({ message: "The model provider is down", transient: true })
export const refusal = new GenerationFailed({ message: "The model refused", transient: false })

/** Fails `times` times, then does as `then` does; `calls` counts them all. */
export const failing = <Args extends ReadonlyArray<unknown>, A>(
  error: GenerationFailed,
  times: number,
  then: (...args: Args) => Effect.Effect<A, GenerationFailed>
) => {
  const seen = { calls: 0 }
  const run = (...args: Args) => Effect.suspend(() => (seen.calls++ < times ? Effect.fail(error) : then(...args)))
  return Object.assign(run, { seen })
}

/** Waits until it is opened, then does as `then` does; `began` is done once something waits. */
export const gated = <Args extends ReadonlyArray<unknown>, A>(
  then: (...args: Args) => Effect.Effect<A, GenerationFailed>
) => {
  const gate = Deferred.makeUnsafe<void>()
  const began = Deferred.makeUnsafe<void>()
  const run = (...args: Args) =>
    Deferred.succeed(began, undefined).pipe(Effect.andThen(Deferred.await(gate)), Effect.andThen(then(...args)))
  return Object.assign(run, { began: Deferred.await(began), open: Deferred.succeed(gate, undefined) })
}

/** Does as `then` does, and remembers what it was given. */
export const recording = <Args extends ReadonlyArray<unknown>, A>(
  then: (...args: Args) => Effect.Effect<A, GenerationFailed>
) => {
  const calls: Array<Args> = []
  const run = (...args: Args) =>
    Effect.suspend(() => {
      calls.push(args)
      return then(...args)
    })
  return Object.assign(run, { calls })
}
