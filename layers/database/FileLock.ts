// layers/database/FileLock.ts: a lock between processes, on a file. The operating system releases it when the process
// ends, however it ends.
import { Effect, Schema } from "effect"
import { DatabaseSync } from "node:sqlite"

/** Another process has it. */
class LockHeld extends Schema.TaggedError<LockHeld>()("LockHeld", {}) {}

/** Holds the lock for as long as the scope lasts, or fails at once. */
export const acquire = (filename: string) =>
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
