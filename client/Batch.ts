// client/Batch.ts: sends a batch of leads over HTTP and follows its list until it ends.
import { Effect, Schedule, Schema } from "effect"
import { HttpClientError } from "effect/http"
import { createHash } from "node:crypto"
import { Conflict, InternalError } from "#schema/Errors.ts"
import type { BatchOptions } from "#schema/Generation.ts"
import type { Lead } from "#schema/Lead.ts"
import type { List, ListEntry } from "#schema/Lists.ts"
import type { Client } from "#client/Client.ts"
import { follow } from "#client/Follow.ts"

/** The list is pending: credits ran out or the model failed. */
class BatchParked extends Schema.TaggedError<BatchParked>()("BatchParked", { message: Schema.String }) {}

/** No answer arrived, so the leads may or may not have been accepted. */
class BatchUnclear extends Schema.TaggedError<BatchUnclear>()("BatchUnclear", { message: Schema.String }) {}

export type Counts = NonNullable<List["progress"]>

export interface Batch {
  readonly campaign: string
  readonly leads: ReadonlyArray<Lead>
  readonly options: Omit<BatchOptions, "list_name" | "omitted_rows">
  /** The name of the list. */
  readonly name: string
  /** Rows of the file that are none of `leads`. Not part of the mark, which batches of earlier versions have without them. */
  readonly omittedRows?: NonNullable<BatchOptions["omitted_rows"]>
}

/**
 * A mark in the list's name by which another run finds the batch. Equal leads, options and campaign give the same mark.
 */
const markOf = ({ campaign, leads, options }: Batch) =>
  `[${createHash("sha256")
    .update(JSON.stringify([campaign, leads, options]))
    .digest("hex")
    .slice(0, 16)}]`

/** The lists of this batch, newest first, except failed ones, which cost nothing. */
export const find = Effect.fn("find")(function* (client: Client, batch: Batch) {
  const mark = markOf(batch)
  const limit = 100
  const found: Array<ListEntry> = []
  for (let offset = 0; ; offset += limit) {
    const { has_more, lists } = yield* client.lists.listLists({ query: { campaign_id: batch.campaign, limit, offset } })
    found.push(
      ...lists.filter(
        ({ custom_name, processing_status }) => processing_status !== "failed" && custom_name?.endsWith(mark) === true
      )
    )
    if (!has_more) return found
  }
})

/** The list may exist all the same. CONFLICT means that an earlier attempt with this key is still running. */
const isUnclear = (error: unknown) =>
  error instanceof InternalError ||
  error instanceof Conflict ||
  (HttpClientError.isHttpClientError(error) && ["TransportError", "StatusCodeError"].includes(error.reason._tag))

/** Attempts after a lost answer. They last longer than the 30 seconds for which a crashed server holds the key. */
const attempts = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(40)])

/**
 * Sends the leads under an Idempotency-Key and returns their list. If no answer arrives, looks for a list that is not
 * in `known`, and otherwise sends the same request again: one key makes one list.
 */
export const accept = Effect.fn("accept")(function* (
  client: Client,
  batch: Batch,
  known: ReadonlyArray<ListEntry> = []
) {
  const list_name = `${batch.name.slice(0, 180)} ${markOf(batch)}`
  const { omittedRows = [] } = batch
  const lost = new BatchUnclear({
    message:
      "The server did not say whether it took the leads. Run the same command again: it looks for them before it sends any"
  })
  const request = {
    params: { id: batch.campaign },
    headers: { "idempotency-key": crypto.randomUUID() },
    payload: {
      leads: batch.leads,
      options: {
        ...batch.options,
        list_name,
        idempotent: true,
        ...(omittedRows.length === 0 ? {} : { omitted_rows: omittedRows })
      }
    }
  }
  const added = find(client, batch).pipe(
    Effect.map((found) => found.find(({ id }) => !known.some((list) => list.id === id))),
    Effect.mapError(() => lost)
  )
  return yield* client.generation.generateBatch(request).pipe(
    Effect.map(({ list_id }) => list_id),
    Effect.catchIf(isUnclear, () =>
      Effect.flatMap(added, (list) => (list === undefined ? Effect.fail(lost) : Effect.succeed(list.id)))
    ),
    Effect.retry({ schedule: attempts, while: (error) => error === lost })
  )
})

/** Follows a list. Returns it once it is `completed`, or `failed` because no lead succeeded; fails if it is pending. */
export const finish = Effect.fn("finish")(function* (
  client: Client,
  id: string,
  /** Called with each change of the counts. */
  onProgress: (counts: Counts) => Effect.Effect<void>
) {
  const list = yield* follow(client, id, ({ progress }) =>
    progress === undefined ? Effect.void : onProgress(progress)
  )
  if (list.processing_status === "pending") {
    return yield* new BatchParked({
      message: `Writing stopped because credits ran out or the writer is unavailable. Written emails are kept; resume with: overture lists resume ${id}`
    })
  }
  return list
})

/** Sends the leads and returns the finished list. */
export const write = Effect.fn("write")(function* (
  client: Client,
  batch: Batch & { readonly onProgress: (counts: Counts) => Effect.Effect<void> }
) {
  return yield* finish(client, yield* accept(client, batch), batch.onProgress)
})
