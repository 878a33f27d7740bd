// layers/files/StorageBackend.ts: where the bytes of files lie. A place knows ids and bytes, and nothing of whose they are.
import { Schema, type Effect, type Stream } from "effect"

/** A place that cannot be reached or written now; it may be later. The message names no secret. */
export class FilesUnavailable extends Schema.TaggedError<FilesUnavailable>()("FilesUnavailable", {
  message: Schema.String
}) {}

/** Nothing of this id is there, or not all of it. */
export class FileMissing extends Schema.TaggedError<FileMissing>()("FileMissing", { message: Schema.String }) {}

interface StoredFile {
  readonly id: string
  readonly bytes: number
}

export interface StorageBackend {
  /** Keeps all of it under this id, or nothing: who reads meanwhile, or after a crash, finds no half of a file. */
  readonly write: <E>(id: string, content: Stream.Stream<Uint8Array, E>) => Effect.Effect<void, E | FilesUnavailable>
  /** With `passing`, a chunk's memory may be reused once the next chunk is requested; for callers that keep no chunk. */
  readonly read: (id: string, passing?: boolean) => Stream.Stream<Uint8Array, FilesUnavailable | FileMissing>
  /** Removes the file and any partial write of it; succeeds if there is none. */
  readonly remove: (id: string) => Effect.Effect<void, FilesUnavailable>
  /** All files in this backend. */
  readonly all: Stream.Stream<StoredFile, FilesUnavailable>
}

export const fileMissing = (id: string) => new FileMissing({ message: `No file ${id}` })

/** Files with other names in the same place are not ours. */
export const isFileId = (name: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)
