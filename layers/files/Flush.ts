// layers/files/Flush.ts: syncs a file to disk, so that its content survives a power failure.
import { Effect, FileSystem } from "effect"

export const flush = (path: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* (yield* fs.open(path, { flag: "r+" })).sync
  }).pipe(Effect.scoped)
