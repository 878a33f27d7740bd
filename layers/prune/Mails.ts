// layers/prune/Mails.ts: mail that lies in the outbox, by the time that it was written.
import { Effect, FileSystem, Option, Path } from "effect"

/** The files of those from before the moment; none without one. */
export const mailsBefore = Effect.fnUntraced(function* (directory: string, moment: Option.Option<number>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const outbox = path.join(directory, "outbox")
  if (Option.isNone(moment) || !(yield* fs.exists(outbox))) return []
  const names = (yield* fs.readDirectory(outbox)).filter((name) => name.endsWith(".eml") && !name.startsWith("."))
  const files = names.map((name) => path.join(outbox, name))
  return yield* Effect.filter(files, (file) =>
    fs.stat(file).pipe(
      Effect.map(({ mtime }) => Option.exists(mtime, (written) => Number(written) < moment.value)),
      // Gone since.
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(false))
    )
  )
})
