// src/workers/ListFiles.ts: writes the export files of a completed list.
import { Effect } from "effect"
import { Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Lists } from "#layers/Lists.ts"

export const listFiles: Effect.Effect<JobHandler, never, Queue | Lists> = Effect.gen(function* () {
  const queue = yield* Queue
  const lists = yield* Lists

  return {
    type: "list.file",
    run: Effect.fn("list.file")(function* (claim) {
      yield* lists.writeFiles(claim).pipe(
        // Until the files exist, exports are read from rows.
        Effect.catchTag("FilesUnavailable", ({ message }) => Effect.fail({ message, transient: true }))
      )
      yield* queue.complete(claim, Effect.void)
    }),
    failed: (claim, message) =>
      Effect.logWarning("The files of a list are given up; it is exported from its rows", {
        list: claim.subject,
        reason: message
      })
  } satisfies JobHandler
})
