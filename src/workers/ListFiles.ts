// src/workers/ListFiles.ts: writes the emails of a list that is completed to the files they are exported from.
import { Effect } from "effect"
import { Jobs } from "#layers/Jobs.ts"
import type { JobHandler } from "#layers/jobs/JobHandler.ts"
import { Lists } from "#layers/Lists.ts"

export const listFiles: Effect.Effect<JobHandler, never, Jobs | Lists> = Effect.gen(function* () {
  const jobs = yield* Jobs
  const lists = yield* Lists

  return {
    type: "list.file",
    run: Effect.fn("list.file")(function* (claim) {
      yield* lists.writeFiles(claim).pipe(
        // Until then the list is exported from its rows.
        Effect.catchTag("FilesUnavailable", ({ message }) => Effect.fail({ message, transient: true }))
      )
      yield* jobs.complete(claim, Effect.void)
    }),
    failed: (claim, message) =>
      Effect.logWarning("The files of a list are given up; it is exported from its rows", {
        list: claim.subject,
        reason: message
      })
  } satisfies JobHandler
})
