// scripts/bench/Client.ts: a client for preparing data and for following batches.
import { Effect, Schedule, Schema } from "effect"
import { sendRequest } from "#test/support/api-client.ts"
import { batchBody } from "./Leads.ts"
import type { Server } from "./Servers.ts"

export const makeClient =
  ({ url }: Server, key: string) =>
  <S extends Schema.ConstraintDecoder<unknown>>(
    responseSchema: S,
    method: string,
    path: string,
    requestBody?: unknown
  ) =>
    Effect.promise((signal) => sendRequest(url, key, { method, path, body: requestBody, signal })).pipe(
      Effect.filterOrElse(
        ({ status }) => status < 300,
        ({ body }) => Effect.die(new Error(`${method} ${path}: ${JSON.stringify(body)}`))
      ),
      Effect.flatMap(({ body }) => Schema.decodeUnknownEffect(responseSchema)(body)),
      Effect.orDie
    )
export type Client = ReturnType<typeof makeClient>

/** Longer than any batch that is not stuck. */
const batchTimeout = "30 minutes"

/** Polls until `isDone` is true of the response. */
export const pollUntil = <A>(poll: Effect.Effect<A>, isDone: (response: A) => boolean): Effect.Effect<A> =>
  Effect.repeat(poll, { until: isDone, schedule: Schedule.spaced("20 millis") }).pipe(
    Effect.timeout(batchTimeout),
    Effect.orDie
  )

export const Id = Schema.Struct({ id: Schema.String })
const AcceptedBatch = Schema.Struct({ list_id: Schema.String })
const List = Schema.Struct({ processing_status: Schema.String })

/** Sends a batch, waits until its list is completed, and returns the id of the list. */
export const runBatch = Effect.fnUntraced(function* (call: Client, campaign: string, count: number) {
  const body = batchBody(count)
  const { list_id } = yield* call(AcceptedBatch, "POST", `/campaigns/${campaign}/generate-batch`, body)
  const { processing_status } = yield* pollUntil(call(List, "GET", `/lists/${list_id}`), (list) =>
    ["completed", "failed", "pending"].includes(list.processing_status)
  )
  if (processing_status !== "completed") return yield* Effect.die(new Error(`A batch is ${processing_status}`))
  return list_id
})
