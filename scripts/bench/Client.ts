// scripts/bench/Client.ts: a client for preparing data and for following batches.
import { Effect, Schedule, Schema } from "effect"
import { sendRequest } from "#test/support/api-client.ts"
import { batchOf } from "./Leads.ts"
import type { Server } from "./Servers.ts"

export const client =
  ({ url }: Server, key: string) =>
  <S extends Schema.ConstraintDecoder<unknown>>(answer: S, method: string, path: string, sent?: unknown) =>
    Effect.promise((signal) => sendRequest(url, key, { method, path, body: sent, signal })).pipe(
      Effect.filterOrElse(
        ({ status }) => status < 300,
        ({ body }) => Effect.die(new Error(`${method} ${path}: ${JSON.stringify(body)}`))
      ),
      Effect.flatMap(({ body }) => Schema.decodeUnknownEffect(answer)(body)),
      Effect.orDie
    )
export type Client = ReturnType<typeof client>

/** Longer than any batch that is not stuck. */
const patience = "30 minutes"

/** Polls until `done` is true of the answer. */
export const until = <A>(ask: Effect.Effect<A>, done: (answer: A) => boolean): Effect.Effect<A> =>
  Effect.repeat(ask, { until: done, schedule: Schedule.spaced("20 millis") }).pipe(
    Effect.timeout(patience),
    Effect.orDie
  )

export const Id = Schema.Struct({ id: Schema.String })
const Accepted = Schema.Struct({ list_id: Schema.String })
const List = Schema.Struct({ processing_status: Schema.String })

/** Sends a batch, waits until its list is completed, and returns the id of the list. */
export const written = Effect.fnUntraced(function* (call: Client, campaign: string, count: number) {
  const body = batchOf(count)
  const { list_id } = yield* call(Accepted, "POST", `/campaigns/${campaign}/generate-batch`, body)
  const { processing_status } = yield* until(call(List, "GET", `/lists/${list_id}`), (answer) =>
    ["completed", "failed", "pending"].includes(answer.processing_status)
  )
  if (processing_status !== "completed") return yield* Effect.die(new Error(`A batch is ${processing_status}`))
  return list_id
})
