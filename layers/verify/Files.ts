// layers/verify/Files.ts: files in a data directory that nobody will come back to.
import { Clock, Duration, Effect, FileSystem, Option, Path } from "effect"

/** What is being written, by whoever writes it: a mail, a backup, a restore. */
const unfinished = /^(?:outbox\/\..+\.part|(?:.+\/)?[^/]+\.(?:partial|backup\.database)|\.(?:restore|backup)-[^/]+)$/

/** Longer than anything takes that is still under way. */
const abandoned = Duration.toMillis("6 hours")

/** Names what was begun long ago and never finished. A file that is somebody else's is not ours to judge. */
export const leftover = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const at = yield* Clock.currentTimeMillis
  const names = (yield* fs.readDirectory(directory, { recursive: true })).filter((name) => unfinished.test(name))
  return yield* Effect.filter(names, (name) =>
    fs.stat(path.join(directory, name)).pipe(
      Effect.map(({ mtime }) => at - Option.match(mtime, { onNone: () => 0, onSome: Number }) > abandoned),
      // Finished since.
      Effect.catchTag("PlatformError", () => Effect.succeed(false))
    )
  )
}, Effect.orDie)
