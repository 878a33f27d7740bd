// src/stages/Resume.ts: resumes the lists that the model's outage has paused, as soon as the model answers a probe.
import { Effect, Layer, Schedule } from "effect"
import { Timing } from "#layers/jobs/Worker.ts"
import { PausedLists } from "#layers/lists/Paused.ts"
import { Model } from "#layers/Model.ts"
import { ModelHealth } from "#layers/model/Health.ts"

export const resuming = Layer.effectDiscard(
  Effect.gen(function* () {
    const health = yield* ModelHealth
    const model = yield* Model
    const paused = yield* PausedLists
    const { pollMillis } = yield* Timing

    const round = Effect.gen(function* () {
      const due = yield* paused.due
      if (due.length === 0 || !(yield* health.claimProbe)) return
      // A model that lists itself and yet writes nothing is asked for a word before more is tried.
      const problem = model === undefined ? null : yield* model.probe({ asks: due.some(({ resumes }) => resumes > 0) })
      yield* health.probed(problem === null)
      if (problem !== null) return
      yield* Effect.forEach(due, paused.resume, { discard: true })
      yield* Effect.logInfo("Lists that waited for the model are resumed", { lists: due.length })
    })

    // What is set may be another server than the one that failed.
    yield* Effect.ignoreCause(health.expect)
    yield* round.pipe(
      Effect.catchCause((cause) => Effect.logWarning("Lists that wait for the model could not be resumed", cause)),
      Effect.repeat(Schedule.spaced(pollMillis)),
      Effect.forkScoped
    )
  })
)
