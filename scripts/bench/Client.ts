// scripts/bench/Client.ts: the API as the bench prepares things with it; nothing of this is in what it measures.
import { Effect, Schedule, Schema } from "effect"
import { batchOf } from "./Leads.ts"
import type { Server } from "./Servers.ts"

export const client =
  (server: Server, key: string) =>
  <S extends Schema.ConstraintDecoder<unknown>>(answer: S, method: string, path: string, body?: unknown) =>
    Effect.promise(async (signal) => {
      const response = await fetch(`${server.url}/api/v1${path}`, {
        method,
        signal,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
      return text
    }).pipe(Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(answer))), Effect.orDie)
export type Client = ReturnType<typeof client>

/** Longer than anything takes that is not broken. */
const patience = "30 minutes"

/** Asks again until `done` holds of the answer. */
export const until = <A>(ask: Effect.Effect<A>, done: (answer: A) => boolean): Effect.Effect<A> =>
  Effect.repeat(ask, { until: done, schedule: Schedule.spaced("20 millis") }).pipe(
    Effect.timeout(patience),
    Effect.orDie
  )

export const Id = Schema.Struct({ id: Schema.String })
export const Options = Schema.Struct({ ready: Schema.Boolean, options: Schema.Array(Id) })
const Accepted = Schema.Struct({ list_id: Schema.String })
const List = Schema.Struct({ processing_status: Schema.String })

export const accept = (call: Client, campaign: string, body: string) =>
  Effect.map(call(Accepted, "POST", `/campaigns/${campaign}/generate-batch`, body), ({ list_id }) => list_id)

export const completed = Effect.fnUntraced(function* (call: Client, list: string) {
  const { processing_status } = yield* until(call(List, "GET", `/lists/${list}`), (answer) =>
    ["completed", "failed", "pending"].includes(answer.processing_status)
  )
  if (processing_status !== "completed") return yield* Effect.die(new Error(`A batch is ${processing_status}`))
})

/** Has a batch written to its end, and answers its list. */
export const written = Effect.fnUntraced(function* (call: Client, campaign: string, count: number) {
  const list = yield* accept(call, campaign, batchOf(count))
  yield* completed(call, list)
  return list
})
