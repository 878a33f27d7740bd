// src/workers/Playbook.ts: redrafts the templates of a playbook on request.
import { Effect } from "effect"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Generator } from "#layers/Generator.ts"
import { Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Playbooks } from "#layers/Playbooks.ts"

export const redraftPlaybook: Effect.Effect<JobHandler, never, Generator | Queue | Playbooks> = Effect.gen(function* () {
  const generator = yield* Generator
  const queue = yield* Queue
  const playbooks = yield* Playbooks

  return {
    type: "campaign.playbook",
    run: Effect.fn("playbook.redraft")(function* (claim) {
      const { campaign, instruction, personas } = yield* Effect.mapError(
        playbooks.redrafting(claim),
        ({ message }) => new GenerationFailed({ message, transient: false })
      )
      const made = yield* Effect.forEach(personas, ({ id, outline }) =>
        Effect.map(generator.templates(campaign, outline, instruction), (draft) => ({ id, outline, draft }))
      )
      yield* queue.complete(claim, playbooks.keepRedrafts(claim, made))
    }),
    // The playbook is unchanged, and the job has the error.
    failed: () => Effect.void
  }
})
