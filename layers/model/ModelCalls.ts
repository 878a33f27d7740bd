// layers/model/ModelCalls.ts: what models were asked for, with which prompt, for what, and what it took in tokens.
import { Cause, Context, Effect, Exit, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { isPostgres } from "#layers/database/Dialect.ts"
import { now } from "#layers/lib/Now.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** The subject of the current work: a lead, a campaign, a workspace. Set where the work starts. */
export interface Occasion {
  readonly workspace: WorkspaceId
  readonly kind: string
  readonly subject: string
}
export const Occasion = Context.Reference<Occasion | undefined>("overture/layers/Occasion", {
  defaultValue: () => undefined
})

/** Calls that were answered and are not kept yet. */
interface Held {
  readonly write: Effect.Effect<void>
  tried: boolean
}
type HeldBack = Set<Held>
const HeldBack = Context.Reference<HeldBack | undefined>("overture/layers/ModelCalls/HeldBack", {
  defaultValue: () => undefined
})

/**
 * Does `work`, of which the last call is kept by the effect that it is given, in the transaction that keeps what came of
 * that call. What that transaction did not keep is kept at the end of the work.
 */
export const accounted = <A, E, R>(work: (account: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const held: HeldBack = new Set()
    const account = Effect.suspend(() =>
      Effect.forEach(
        held,
        (call) => {
          call.tried = true
          return call.write
        },
        { discard: true }
      )
    )
    return work(account).pipe(
      Effect.provideService(HeldBack, held),
      Effect.onExit((exit) => {
        // An interrupted caller does not know whether the transaction was committed.
        const isUnsure = Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause)
        const left = [...held].filter(({ tried }) => !(isUnsure && tried))
        return Effect.forEach(left, ({ write }) => write, { discard: true })
      })
    )
  })

export interface ModelCall {
  readonly prompt: string
  readonly version: string
  readonly model: string
  readonly input_tokens: number
  /** How many of those the provider had kept from an earlier call. */
  readonly cached_tokens: number
  readonly output_tokens: number
}

export class ModelCalls extends Context.Service<
  ModelCalls,
  {
    /** Keeps the call under the present occasion: it was paid for, whatever becomes of it. */
    readonly record: (call: ModelCall) => Effect.Effect<void>
    /** Keeps what was held back: for the moment before the next call, which takes long. */
    readonly settle: Effect.Effect<void>
  }
>()("overture/layers/ModelCalls") {
  static readonly layer = Layer.effect(
    ModelCalls,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const insert = ({ kind, subject, workspace }: Occasion, call: ModelCall, at: string) =>
        // A workspace that was deleted meanwhile keeps no accounts.
        sql`
          INSERT INTO model_calls (workspace_id, kind, subject, prompt, version, model, input_tokens, cached_tokens,
            output_tokens, at)
          SELECT id, ${kind}, ${subject}, ${call.prompt}, ${call.version}, ${call.model}, ${call.input_tokens},
            ${call.cached_tokens}, ${call.output_tokens}, ${at}
          FROM workspaces WHERE id = ${workspace}`.pipe(
          Effect.asVoid,
          Effect.catchCause((cause) =>
            Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
              // PostgreSQL keeps nothing of a transaction after this, which is run again or fails as a whole.
              Option.isSome(open) && isPostgres(sql)
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

      return ModelCalls.of({
        record: Effect.fnUntraced(function* (call) {
          const occasion = yield* Occasion
          if (occasion === undefined) return
          const write = insert(occasion, call, yield* now)
          const held = yield* HeldBack
          if (held === undefined) return yield* write
          const one: Held = {
            write: Effect.andThen(write, sql.afterCommit(Effect.sync(() => held.delete(one)))),
            tried: false
          }
          held.add(one)
        }),

        settle: Effect.flatMap(HeldBack, (held) => Effect.forEach(held ?? [], ({ write }) => write, { discard: true }))
      })
    })
  )
}
