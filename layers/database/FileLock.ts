// layers/database/FileLock.ts: a lock file between processes. The operating system releases the lock when the process
// ends, even after a crash.
import { Effect, Schema } from "effect"
import { DatabaseSync } from "node:sqlite"

/** Another process holds the lock. */
class LockHeld extends Schema.TaggedError<LockHeld>()("LockHeld", {}) {}

/** Holds the lock until the scope closes, or fails at once. */
export const acquireFileLock = (filename: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const lock = new DatabaseSync(filename)
        try {
          lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        } catch (thrown) {
          lock.close()
          throw thrown
        }
        return lock
      },
      catch: () => new LockHeld()
    }),
    (lock) => Effect.sync(() => lock.close())
  )
