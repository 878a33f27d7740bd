// layers/files/Flush.ts: makes what was written to a file outlast a power cut.
import { Effect, FileSystem } from "effect"

export const flush = (path: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* (yield* fs.open(path, { flag: "r+" })).sync
  }).pipe(Effect.scoped)
