// scripts/bench/Loader.ts: the thread that sends requests, and what came of them.
import { Effect, Fiber } from "effect"
import { Worker } from "node:worker_threads"
import type { Order, Outcome, Reply } from "./load.ts"

export interface Load {
  readonly run: (order: Exclude<Order, { readonly kind: "stop" }>) => Effect.Effect<Outcome>
  readonly stop: Effect.Effect<void>
}

/** The thread, for as long as the scope lasts. One order at a time. */
export const make = Effect.gen(function* () {
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(new URL("load.ts", import.meta.url))),
    (worker) => Effect.promise(() => worker.terminate())
  )
  return {
    run: (order) =>
      Effect.callback((resume) => {
        worker.once("message", (reply: Reply) =>
          resume("error" in reply ? Effect.die(new Error(reply.error)) : Effect.succeed(reply.outcome))
        )
        worker.postMessage(order)
      }),
    stop: Effect.sync(() => worker.postMessage({ kind: "stop" }))
  } satisfies Load
})

/** One open load for as long as `during` takes. */
export const beside = <A, E, R>(
  load: Load,
  order: Omit<Extract<Order, { readonly kind: "open" }>, "kind">,
  during: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const running = yield* Effect.forkChild(load.run({ kind: "open", ...order }))
    const result = yield* Effect.ensuring(during, load.stop)
    return { result, outcome: yield* Fiber.join(running) }
  })
