// layers/files/StorageBackend.ts: the interface of a storage backend, which stores bytes by id and has no access
// checks.
import { Schema, type Effect, type Stream } from "effect"

/** The backend cannot be reached or written to; a retry may succeed. The message contains no secret. */
export class FilesUnavailable extends Schema.TaggedError<FilesUnavailable>()("FilesUnavailable", {
  message: Schema.String
}) {}

/** The file does not exist, or is incomplete. */
export class FileMissing extends Schema.TaggedError<FileMissing>()("FileMissing", { message: Schema.String }) {}

interface StoredFile {
  readonly id: string
  readonly bytes: number
}

export interface StorageBackend {
  /** Stores the whole file or nothing: no reader sees a partial file, not even after a crash. */
  readonly write: <E>(id: string, content: Stream.Stream<Uint8Array, E>) => Effect.Effect<void, E | FilesUnavailable>
  /** With `reusesBuffer`, a chunk's memory may be reused once the next chunk is requested; for callers that keep no chunk. */
  readonly read: (id: string, reusesBuffer?: boolean) => Stream.Stream<Uint8Array, FilesUnavailable | FileMissing>
  /** Removes the file and any partial write of it; succeeds if there is none. */
  readonly remove: (id: string) => Effect.Effect<void, FilesUnavailable>
  /** All files in this backend. */
  readonly all: Stream.Stream<StoredFile, FilesUnavailable>
}

export const fileMissing = (id: string) => new FileMissing({ message: `No file ${id}` })

/** Whether a name is a file's id; other files in the folder or bucket are ignored. */
export const isFileId = (name: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)
