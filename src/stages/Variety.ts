// src/stages/Variety.ts: compares the first emails of a list once all are written, and writes to the worst offenders once more.
import { Array as Arr, Cause, Effect, Option, Result } from "effect"
import type { Enrichment } from "#layers/Enrichment.ts"
import { takenFor } from "#layers/generator/Taken.ts"
import { comparing } from "#layers/generator/rules/Across.ts"
import { type View, view } from "#layers/generator/rules/View.ts"
import type { Generator, Taken } from "#layers/Generator.ts"
import type { Claim } from "#layers/Jobs.ts"
import type { Stage } from "#layers/jobs/Stage.ts"
import type { Written, WrittenLead } from "#layers/lists/Lead.ts"
import { type Window, Windows } from "#layers/lists/Windows.ts"
import { accounted } from "#layers/ModelCalls.ts"
import { author } from "#src/stages/Author.ts"
import type { Desk } from "#src/stages/Desk.ts"

/**
 * Leads of one window written to at once: few, since none of them knows yet how the others will begin. Of many a quarter,
 * so that who waits for a model takes as long for a long list as for a short one.
 */
const atOnce = (leads: number) => Math.max(4, Math.ceil(leads / 4))

/** The first email of a written sequence that may take the place of another; none if a rule forbids it to leave. */
const usable = ({ judged, sequence }: Written, before: WrittenLead) =>
  sequence.length === before.sequence.length &&
  judged.every(({ findings }) => findings.every(({ severity }) => severity !== "fail"))
    ? sequence[0]
    : undefined

/** Emails that are looked at in one piece, for about a millisecond. */
const piece = 25

/** Compares the emails without keeping the process from everything else it does meanwhile. */
const comparedOf = Effect.fnUntraced(function* ({ leads, writing }: Window) {
  const views: Array<View> = []
  for (const some of Arr.chunksOf(leads, piece)) {
    for (const { sequence } of some) {
      const seen = view(sequence[0] ?? { subject: "", body: "" }, writing.signature)
      // Found when it is asked for first, and there all would be found at once.
      void seen.trigrams
      views.push(seen)
    }
    yield* Effect.yieldNow
  }
  const steps = comparing(views)
  while (true) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield* Effect.yieldNow
  }
})

export const variety = ({ share, writers }: Desk): Effect.Effect<Stage, never, Enrichment | Generator | Windows> =>
  Effect.gen(function* () {
    const windows = yield* Windows
    const write = yield* author

    /** The emails; or nothing, and whether to stop asking. The list is complete without: no failure here is its own. */
    const attempt = (claim: Claim, window: Window, lead: WrittenLead, taken: Taken) =>
      write(claim, window, lead, taken).pipe(
        Effect.mapError(({ transient }) => transient),
        Effect.catchCauseIf(
          (cause) => Cause.hasDies(cause) && !Cause.hasInterrupts(cause),
          (cause) =>
            Effect.andThen(Effect.logWarning("A lead could not be written to again", cause), Effect.fail(false))
        ),
        Effect.result
      )

    const rewrite = Effect.fnUntraced(function* (claim: Claim, window: Window) {
      const takenBy = takenFor(window.leads)
      let compared = yield* comparedOf(window)
      const { worst } = compared.found
      let down = false

      /** Whether these emails make the list a better one. */
      const isTaken = (at: number, lead: WrittenLead, written: Written) => {
        const first = usable(written, lead)
        if (first === undefined) return false
        const after = compared.with(at, view(first, window.writing.signature))
        if (after.found.breach >= compared.found.breach) return false
        compared = after
        return true
      }

      yield* Effect.forEach(
        worst,
        (at) =>
          accounted(
            Effect.fnUntraced(function* () {
              const lead = window.leads[at]
              if (lead === undefined) return
              const turn = Effect.suspend(() =>
                down || compared.found.breach === 0
                  ? Effect.undefined
                  : attempt(claim, window, lead, takenBy(at, compared.found))
              )
              // Whoever waits for the store keeps nobody else from writing.
              const result = yield* writers.withPermit(turn)
              if (result === undefined) return
              if (Result.isFailure(result)) down ||= result.failure
              else if (isTaken(at, lead, result.success)) yield* windows.replace(claim, lead, result.success)
            })
          ),
        { concurrency: atOnce(worst.length), discard: true }
      )
    })

    return {
      type: "list.variety",
      run: Effect.fn("list.variety")(function* (claim) {
        const window = yield* windows.open(claim)
        if (Option.isSome(window)) yield* share(false, rewrite(claim, window.value))
        yield* windows.finish(claim)
      }),
      failed: (claim) => windows.abandon(claim)
    }
  })
