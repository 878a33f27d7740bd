// layers/files/Place.ts: where the bytes of files lie. A place knows ids and bytes, and nothing of whose they are.
import { Schema, type Effect, type Stream } from "effect"

/** A place that cannot be reached or written now; it may be later. The message names no secret. */
export class FilesUnavailable extends Schema.TaggedError<FilesUnavailable>()("FilesUnavailable", {
  message: Schema.String
}) {}

/** Nothing of this id is there, or not all of it. */
export class FileMissing extends Schema.TaggedError<FileMissing>()("FileMissing", { message: Schema.String }) {}

interface Found {
  readonly id: string
  readonly bytes: number
}

export interface Place {
  /** Keeps all of it under this id, or nothing: who reads meanwhile, or after a crash, finds no half of a file. */
  readonly write: <E>(id: string, content: Stream.Stream<Uint8Array, E>) => Effect.Effect<void, E | FilesUnavailable>
  /** With `passing`, a chunk's memory may be reused once the next chunk is requested; for callers that keep no chunk. */
  readonly read: (id: string, passing?: boolean) => Stream.Stream<Uint8Array, FilesUnavailable | FileMissing>
  /** Also what was begun under this id and never finished. What is not there is removed already. */
  readonly remove: (id: string) => Effect.Effect<void, FilesUnavailable>
  /** All files in this backend. */
  readonly all: Stream.Stream<Found, FilesUnavailable>
}

export const missing = (id: string) => new FileMissing({ message: `No file ${id}` })

/** Ids alone are names in a place; other files there belong to others. */
export const isId = (name: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)
