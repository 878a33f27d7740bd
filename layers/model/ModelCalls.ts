// layers/model/ModelCalls.ts: records each model call with its prompt's name, its subject and its tokens.
import { Cause, Context, Effect, Exit, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"
import { joinTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** The subject of the current work: a lead, a campaign or a workspace. Set where the work starts. */
export interface ModelCallSubject {
  readonly workspace: WorkspaceId
  readonly kind: string
  readonly subject: string
  /** The list whose usage includes the calls. */
  readonly list?: string | undefined
}
export const ModelCallSubject = Context.Reference<ModelCallSubject | undefined>("overture/layers/ModelCallSubject", {
  defaultValue: () => undefined
})

/** A call that was answered and is not recorded yet. */
interface HeldCall {
  readonly write: Effect.Effect<void>
  wasAttempted: boolean
}
type HeldCalls = Set<HeldCall>
const HeldCalls = Context.Reference<HeldCalls | undefined>("overture/layers/ModelCalls/HeldCalls", {
  defaultValue: () => undefined
})

/**
 * Runs `work` with an effect that records its model calls. `work` runs that effect in the transaction that stores its
 * result; calls that remain are recorded at the end.
 */
export const withHeldModelCalls = <A, E, R>(work: (recordModelCalls: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const heldCalls: HeldCalls = new Set()
    const recordModelCalls = Effect.suspend(() =>
      Effect.forEach(
        heldCalls,
        (call) => {
          call.wasAttempted = true
          return call.write
        },
        { discard: true }
      )
    )
    return work(recordModelCalls).pipe(
      Effect.provideService(HeldCalls, heldCalls),
      Effect.onExit((exit) => {
        // After an interruption it is unknown whether the transaction was committed.
        const isCommitUnknown = Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)
        const remainingCalls = [...heldCalls].filter(({ wasAttempted }) => !(isCommitUnknown && wasAttempted))
        return Effect.forEach(remainingCalls, ({ write }) => write, { discard: true })
      })
    )
  })

/** The most tokens that a call counts for, in each direction. Migration 0044 has the same number. */
export const maxTokens = 1_000_000_000

export interface ModelCall {
  readonly prompt: string
  readonly version: string
  readonly model: string
  readonly input_tokens: number
  /** Input tokens from the provider's cache. */
  readonly cached_tokens: number
  readonly output_tokens: number
}

export class ModelCalls extends Context.Service<
  ModelCalls,
  {
    /** Records the call for the current subject, even if its answer is not used, because it was paid for. */
    readonly record: (call: ModelCall) => Effect.Effect<void>
    /** Records the held calls. Run it before the next call, which takes long. */
    readonly recordHeld: Effect.Effect<void>
  }
>()("overture/layers/ModelCalls") {
  static readonly layer = Layer.effect(
    ModelCalls,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const insert = ({ kind, subject, workspace }: ModelCallSubject, call: ModelCall, timestamp: string) =>
        // Inserts nothing if the workspace was deleted meanwhile.
        sql`
          INSERT INTO model_calls (workspace_id, kind, subject, prompt, version, model, input_tokens, cached_tokens,
            output_tokens, at)
          SELECT id, ${kind}, ${subject}, ${call.prompt}, ${call.version}, ${call.model}, ${call.input_tokens},
            ${call.cached_tokens}, ${call.output_tokens}, ${timestamp}
          FROM workspaces WHERE id = ${workspace}`
      /** Adds the call to the usage of its list, unless the list was deleted meanwhile. */
      const addToUsage = (list: string, { workspace }: ModelCallSubject, call: ModelCall) => sql`
        INSERT INTO list_usage (list_id, workspace_id, calls, input_tokens, cached_tokens, output_tokens)
        SELECT id, workspace_id, 1, ${call.input_tokens}, ${call.cached_tokens}, ${call.output_tokens}
        FROM lists WHERE id = ${list} AND workspace_id = ${workspace}
        ON CONFLICT (list_id) DO UPDATE SET calls = list_usage.calls + 1,
          input_tokens = list_usage.input_tokens + excluded.input_tokens,
          cached_tokens = list_usage.cached_tokens + excluded.cached_tokens,
          output_tokens = list_usage.output_tokens + excluded.output_tokens`
      const store = (callSubject: ModelCallSubject, call: ModelCall, timestamp: string) => {
        const { list } = callSubject
        const insertion = insert(callSubject, call, timestamp)
        const recording =
          list === undefined
            ? insertion
            : joinTransaction(sql)(Effect.andThen(insertion, addToUsage(list, callSubject, call)))
        return recording.pipe(
          Effect.asVoid,
          Effect.catchCause((cause) =>
            Effect.flatMap(Effect.serviceOption(sql.transactionService), (openTransaction) =>
              // On PostgreSQL, an error makes the transaction unusable: it is retried or fails as a whole.
              Option.isSome(openTransaction) && isPostgres(sql)
                ? Effect.die(Cause.squash(cause))
                : // A failed record does not discard an answer that was paid for.
                  Effect.logWarning(
                    "A model call could not be recorded: its tokens are missing from the store",
                    call,
                    cause
                  )
            )
          )
        )
      }

      return ModelCalls.of({
        record: Effect.fnUntraced(function* (call) {
          const callSubject = yield* ModelCallSubject
          if (callSubject === undefined) return
          const write = store(callSubject, call, yield* now)
          const heldCalls = yield* HeldCalls
          if (heldCalls === undefined) return yield* write
          const heldCall: HeldCall = {
            write: Effect.andThen(write, sql.afterCommit(Effect.sync(() => heldCalls.delete(heldCall)))),
            wasAttempted: false
          }
          heldCalls.add(heldCall)
        }),

        recordHeld: Effect.flatMap(HeldCalls, (held) =>
          Effect.forEach(held ?? [], ({ write }) => write, { discard: true })
        )
      })
    })
  )
}
