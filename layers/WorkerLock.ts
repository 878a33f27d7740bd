// layers/WorkerLock.ts: at most one process works on a SQLite store: the one that holds this lock.
import { Effect, Layer } from "effect"
import * as FileLock from "#layers/database/FileLock.ts"
import { StoreUnusable } from "#layers/database/Unusable.ts"

/** Where it lies in a data directory. */
export const file = "worker.lock"

/** Holds the lock for the life of the layer, or fails because another process does. */
export const layer = (filename: string): Layer.Layer<never, StoreUnusable> =>
  Layer.effectDiscard(
    Effect.mapError(
      FileLock.acquire(filename),
      () =>
        new StoreUnusable({
          message: "Another Overture server already works on this data directory; stop it, or choose another directory"
        })
    )
  )
