// layers/ModelCalls.ts: what models were asked for, with which prompt, for what, and what it took in tokens.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { now } from "#layers/Now.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** What the work at hand is for: a lead, a campaign, a workspace. Whoever begins a piece of work says so. */
export interface Occasion {
  readonly workspace: WorkspaceId
  readonly kind: string
  readonly subject: string
}
export const Occasion = Context.Reference<Occasion | undefined>("overture/layers/Occasion", {
  defaultValue: () => undefined
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
    /** Keeps the call under the present occasion, in a transaction of its own: it was paid for, whatever becomes of it. */
    readonly record: (call: ModelCall) => Effect.Effect<void>
  }
>()("overture/layers/ModelCalls") {
  static readonly layer = Layer.effect(
    ModelCalls,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return ModelCalls.of({
        record: Effect.fnUntraced(
          function* (call) {
            const occasion = yield* Occasion
            if (occasion === undefined) return
            const { kind, subject, workspace } = occasion
            // A workspace that was deleted meanwhile keeps no accounts.
            yield* sql`
              INSERT INTO model_calls (workspace_id, kind, subject, prompt, version, model, input_tokens, cached_tokens,
                output_tokens, at)
              SELECT id, ${kind}, ${subject}, ${call.prompt}, ${call.version}, ${call.model}, ${call.input_tokens},
                ${call.cached_tokens}, ${call.output_tokens}, ${yield* now}
              FROM workspaces WHERE id = ${workspace}`
          },
          // An answer that was paid for is not thrown away because nobody could write down its price.
          Effect.catchCause((cause) => Effect.logWarning("A model call could not be recorded", cause))
        )
      })
    })
  )
}
