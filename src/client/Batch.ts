// src/client/Batch.ts: sends leads over HTTP, follows their list to its end, and takes the emails home as a file.
import { Effect, FileSystem, Schema, Stream } from "effect"
import { HttpClientResponse } from "effect/http"
import type { BatchOptions } from "#schema/Generation.ts"
import type { Lead } from "#schema/Lead.ts"
import type { List } from "#schema/Lists.ts"
import type { Client } from "#schema/Client.ts"
import { poll } from "#src/client/Poll.ts"

/** The list rests before it is done: the writer or the credits gave out. */
export class BatchParked extends Schema.TaggedError<BatchParked>()("BatchParked", { message: Schema.String }) {}

export type Counts = NonNullable<List["progress"]>

/** Writes to every lead; answers the list once it is `completed`, or `failed` because no lead succeeded. */
export const write = Effect.fn("write")(function* (
  client: Client,
  batch: {
    readonly campaign: string
    readonly leads: ReadonlyArray<Lead>
    readonly options: BatchOptions
    /** Told every time the server was asked, and of all being done. */
    readonly onProgress: (counts: Counts) => Effect.Effect<void>
  }
) {
  const { list_id } = yield* client.generation.generateBatch({
    params: { id: batch.campaign },
    payload: { leads: batch.leads, options: batch.options }
  })
  const ask = client.lists
    .getList({ params: { id: list_id } })
    .pipe(Effect.tap(({ progress }) => (progress === undefined ? Effect.void : batch.onProgress(progress))))
  const list = yield* poll(ask, ({ processing_status }) => ended.includes(processing_status))
  if (list.processing_status === "pending") {
    return yield* new BatchParked({
      message: `The writing cannot go on now. What is written is kept; resume it with POST /api/v1/lists/${list_id}`
    })
  }
  return list
})

/** A list is accepted as `processing`, so one that is `pending` has been laid aside. */
const ended: ReadonlyArray<List["processing_status"]> = ["completed", "failed", "pending"]

/** Saves a list's CSV as `<base>.csv`, or `<base>-2.csv` and so on where that exists already; answers the path. */
export const save = Effect.fn("save")(function* (client: Client, list: string, base: string) {
  const fs = yield* FileSystem.FileSystem
  const response = yield* client.lists
    .exportList({ params: { id: list }, query: { format: "csv" }, responseMode: "response-only" })
    .pipe(Effect.flatMap(HttpClientResponse.filterStatusOk))

  const create = (path: string) =>
    fs.open(path, { flag: "wx" }).pipe(
      Effect.map((file) => ({ file, path })),
      Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void)
    )
  for (let n = 1; ; n++) {
    const created = yield* create(n === 1 ? `${base}.csv` : `${base}-${n}.csv`)
    if (created === undefined) continue
    const { file, path } = created
    yield* response.stream.pipe(
      Stream.runForEach((chunk) => file.writeAll(chunk)),
      Effect.onError(() => Effect.ignore(fs.remove(path)))
    )
    return path
  }
}, Effect.scoped)
