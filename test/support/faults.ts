// test/support/faults.ts: wraps an operation of the writer so that it fails, waits or records its calls.
import { Deferred, Effect } from "effect"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"

export const outage = new GenerationFailed({ message: "The model provider is down", transient: true })
export const refusal = new GenerationFailed({ message: "The model refused", transient: false })

/** Fails `times` times, then runs the operation. `seen.calls` counts all calls. */
export const failing = <Args extends ReadonlyArray<unknown>, A>(
  error: GenerationFailed,
  times: number,
  operation: (...args: Args) => Effect.Effect<A, GenerationFailed>
) => {
  const seen = { calls: 0 }
  const run = (...args: Args) => Effect.suspend(() => (seen.calls++ < times ? Effect.fail(error) : operation(...args)))
  return Object.assign(run, { seen })
}

/** Waits until `open` runs, then runs the operation. `started` completes once a call waits. */
export const gated = <Args extends ReadonlyArray<unknown>, A>(
  operation: (...args: Args) => Effect.Effect<A, GenerationFailed>
) => {
  const gate = Deferred.makeUnsafe<void>()
  const started = Deferred.makeUnsafe<void>()
  const run = (...args: Args) =>
    Deferred.succeed(started, undefined).pipe(Effect.andThen(Deferred.await(gate)), Effect.andThen(operation(...args)))
  return Object.assign(run, { started: Deferred.await(started), open: Deferred.succeed(gate, undefined) })
}

/** Runs the operation and records its arguments. */
export const recording = <Args extends ReadonlyArray<unknown>, A>(
  operation: (...args: Args) => Effect.Effect<A, GenerationFailed>
) => {
  const calls: Array<Args> = []
  const run = (...args: Args) =>
    Effect.suspend(() => {
      calls.push(args)
      return operation(...args)
    })
  return Object.assign(run, { calls })
}
