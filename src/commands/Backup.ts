// src/commands/Backup.ts: the store as one file, and back.
import { Effect, Path } from "effect"
import { Argument, Command } from "effect/cli"
import * as Backups from "#layers/Backup.ts"
import { verifyStore } from "#layers/Verify.ts"
import { fail, told } from "#src/commands/Output.ts"
import { directory, print, withStore } from "#src/commands/Root.ts"
import { openDataDir } from "#src/DataDir.ts"

const file = Argument.String("file")

export const backup = Command.make("backup", { file }, ({ file }) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const bytes = yield* told(Backups.backup(yield* directory, path.resolve(file)))
    yield* print({ file, bytes }, [`Wrote ${file}, ${bytes} bytes. It holds the secret: keep it as safe as the store.`])
  })
).pipe(Command.withDescription("Write the whole store to one file, while a server runs or not"))

export const restore = Command.make("restore", { file }, ({ file }) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const at = yield* directory
    yield* told(openDataDir(at))
    yield* told(Backups.restore(path.resolve(file), at))
    yield* withStore(
      Effect.fnUntraced(function* (directory) {
        const broken = (yield* verifyStore(directory)).filter((check) => !check.ok)
        if (broken.length > 0) return yield* fail(`The restored store is broken: ${broken[0]?.name}`)
      })
    )
    yield* print({ file, restored: true }, [`Restored ${file} to ${at}; every check of the store is ok`])
  })
).pipe(Command.withDescription("Put a backup into an empty data directory, and check it"))
