// client/Export.ts: downloads the emails of a list as a file over HTTP.
import { Effect, FileSystem, Schema, Stream } from "effect"
import { HttpClientResponse } from "effect/http"
import type { Client } from "#client/Client.ts"
import type { ExportPreset } from "#schema/Lists.ts"

/** The server refused the export. The message is the server's. */
class Refused extends Schema.TaggedError<Refused>()("Refused", { message: Schema.String }) {}

const refusal = HttpClientResponse.schemaBodyJson(Schema.Struct({ message: Schema.String }))

/** Streams the export file of a list. */
export const exported = Effect.fn("exported")(function* (
  client: Client,
  list: string,
  format: "csv" | "json",
  shape: {
    readonly review?: "approved"
    readonly exported?: "new"
    readonly preset?: ExportPreset
    readonly columns?: "all"
  } = {}
) {
  const response = yield* client.lists.exportList({
    params: { id: list },
    query: { format, ...shape },
    responseMode: "response-only"
  })
  if (response.status === 200) return response.stream
  return yield* new Refused({ message: (yield* refusal(response)).message })
})

/** Saves a stream as a new file at `path`; deletes the file if the stream fails. */
export const saveAs = Effect.fn("saveAs")(function* <E>(content: Stream.Stream<Uint8Array, E>, path: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.open(path, { flag: "wx" })
  yield* content.pipe(
    Stream.runForEach((chunk) => file.writeAll(chunk)),
    Effect.onError(() => Effect.ignore(fs.remove(path)))
  )
}, Effect.scoped)

/** The first of `<base>.csv`, `<base>-2.csv` and so on that does not exist. */
export const free = Effect.fn("free")(function* (base: string) {
  const fs = yield* FileSystem.FileSystem
  for (let n = 1; ; n++) {
    const path = n === 1 ? `${base}.csv` : `${base}-${n}.csv`
    if (!(yield* fs.exists(path))) return path
  }
})
