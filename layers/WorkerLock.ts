// layers/WorkerLock.ts: at most one process works on a SQLite store: the one that holds this lock. The operating system
// lets go of it when the process ends, however it ends.
import { Effect, Layer } from "effect"
import { DatabaseSync } from "node:sqlite"
import { StoreUnusable } from "#layers/Database.ts"

/** Holds the lock for the life of the layer, or fails because another process does. */
export const layer = (filename: string): Layer.Layer<never, StoreUnusable> =>
  Layer.effectDiscard(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const lock = new DatabaseSync(filename)
          lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
          return lock
        },
        catch: () =>
          new StoreUnusable({
            message:
              "Another Overture server already works on this data directory; stop it, or choose another directory"
          })
      }),
      (lock) => Effect.sync(() => lock.close())
    )
  )
