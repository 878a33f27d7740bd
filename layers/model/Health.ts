// layers/model/Health.ts: whether the model answered the last call of any process, and when to probe it.
import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { elapsed, now } from "#layers/lib/Time.ts"

/** Pauses between probes, which double from the first to the longest. */
export const Backoff = Context.Reference("overture/layers/model/Backoff", {
  defaultValue: () => ({ firstMillis: 1000, longestMillis: Duration.toMillis("5 minutes") })
})

export const backoffDelay = (
  { firstMillis, longestMillis }: { readonly firstMillis: number; readonly longestMillis: number },
  failures: number
): number => Math.min(firstMillis * 2 ** Math.min(failures, 30), longestMillis)

/** A probe without a result counts as lost after this time; another process may then probe. */
const maxProbeMillis = Duration.toMillis("3 minutes")
/** An unchanged state is rewritten after this time, because another process may have written another one. */
const staleAfterMillis = Duration.toMillis("1 minute")

const KnownHealth = Schema.Struct({
  model: Schema.String,
  answered: Schema.BooleanFromBit,
  /** The problem for the operator; null while the model answers. */
  problem: Schema.NullOr(Schema.String),
  at: Schema.String
})
export type KnownHealth = typeof KnownHealth.Type

export class ModelHealth extends Context.Service<
  ModelHealth,
  {
    readonly findLast: Effect.Effect<Option.Option<KnownHealth>>
    /** Records the result of a call: null for success, else the problem. Never fails. */
    readonly record: (model: string, problem: string | null) => Effect.Effect<void>
    /** Whether this process may probe now. Other processes may not until `recordProbe`, or until its claim is too old. */
    readonly claimProbe: Effect.Effect<boolean>
    /** Records the result of a probe, which schedules the next one. */
    readonly recordProbe: (answered: boolean) => Effect.Effect<void>
    /** Makes the next probe due now, because the settings may have changed. */
    readonly makeProbeDue: Effect.Effect<void>
  }
>()("overture/layers/model/Health") {
  static readonly layer = Layer.effect(
    ModelHealth,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      let lastWritten:
        | { readonly problem: string | null; readonly model: string; readonly writtenAtMillis: number }
        | undefined

      const findHealth = SqlSchema.findOneOption({
        Request: Schema.Void,
        Result: KnownHealth,
        execute: () => sql`SELECT model, answered, problem, at FROM model_health WHERE id = 1 AND model <> ''`
      })
      const claimDueProbe = SqlSchema.findOneOption({
        Request: Schema.Struct({ at: Schema.Int, latest: Schema.Int, until: Schema.Int }),
        Result: Schema.Struct({ failures: Schema.Int }),
        // A time beyond the longest pause was written before the clock was set back.
        execute: ({ at, latest, until }) => sql`
          UPDATE model_health SET probe_at = ${until}
          WHERE id = 1 AND (probe_at <= ${at} OR probe_at > ${latest}) RETURNING failures`
      })
      const findFailures = SqlSchema.findOneOption({
        Request: Schema.Void,
        Result: Schema.Struct({ failures: Schema.Int }),
        execute: () => sql`SELECT failures FROM model_health WHERE id = 1`
      })

      return ModelHealth.of({
        findLast: Effect.orDie(findHealth(undefined)),

        record: Effect.fn("ModelHealth.record")(
          function* (model, problem) {
            const elapsedMillis = yield* elapsed
            const isKnown = lastWritten?.problem === problem && lastWritten.model === model
            if (isKnown && elapsedMillis - (lastWritten?.writtenAtMillis ?? 0) < staleAfterMillis) return
            const previousWrite = lastWritten
            lastWritten = { model, problem, writtenAtMillis: elapsedMillis }
            yield* sql`
              INSERT INTO model_health (id, model, answered, problem, at, failures, probe_at)
              VALUES (1, ${model}, ${problem === null ? 1 : 0}, ${problem}, ${yield* now}, 0, 0)
              ON CONFLICT (id) DO UPDATE SET model = excluded.model, answered = excluded.answered,
                problem = excluded.problem, at = excluded.at`
            if (isKnown) return
            if (problem !== null) yield* Effect.logWarning(problem, { model })
            else if (previousWrite !== undefined) yield* Effect.logInfo("The model answers again", { model })
          },
          Effect.catchCause((cause) => Effect.logWarning("Whether the model answers could not be recorded", cause))
        ),

        claimProbe: Effect.gen(function* () {
          const currentMillis = yield* Clock.currentTimeMillis
          const { longestMillis } = yield* Backoff
          yield* sql`
            INSERT INTO model_health (id, model, answered, problem, at, failures, probe_at)
            VALUES (1, '', 0, NULL, ${yield* now}, 0, 0) ON CONFLICT DO NOTHING`
          const claimedProbe = yield* claimDueProbe({
            at: currentMillis,
            latest: currentMillis + Math.max(longestMillis, maxProbeMillis),
            until: currentMillis + maxProbeMillis
          })
          return Option.isSome(claimedProbe)
        }).pipe(Effect.orDie),

        recordProbe: Effect.fn("ModelHealth.recordProbe")(function* (answered) {
          const row = yield* findFailures(undefined)
          const previousFailures = Option.isSome(row) ? row.value.failures : 0
          const pause = answered ? 0 : backoffDelay(yield* Backoff, previousFailures)
          yield* sql`
            UPDATE model_health
            SET failures = ${answered ? 0 : previousFailures + 1}, probe_at = ${(yield* Clock.currentTimeMillis) + pause}
            WHERE id = 1`
        }, Effect.orDie),

        makeProbeDue: sql`UPDATE model_health SET probe_at = 0, failures = 0 WHERE id = 1`.pipe(
          Effect.asVoid,
          Effect.orDie
        )
      })
    })
  )
}
