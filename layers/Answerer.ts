// layers/Answerer.ts: whoever answers questions about a campaign. It reads no database, and keeps only what it has indexed.
import { Context, Effect, Layer } from "effect"
import { GenerationFailed } from "#layers/GenerationFailed.ts"
import { answer } from "#layers/answerer/Builtin.ts"
import { index, type Index } from "#layers/answerer/builtin/Index.ts"
import type { Answer, KnowledgeFile, Turn } from "#layers/answerer/Answer.ts"
import { Model } from "#layers/Model.ts"
import { answered } from "#layers/answerer/ByModel.ts"

/** What a campaign knows. `version` changes with any of its files; the files are read only when it did. */
export interface Source {
  readonly campaign: string
  readonly version: string
  readonly files: Effect.Effect<ReadonlyArray<KnowledgeFile>>
}

/** Somebody waits. */
const patience = "60 seconds"

/** Campaigns whose index is kept. */
const kept = 32

export class Answerer extends Context.Service<
  Answerer,
  {
    /** Out of the files alone. `history` holds the earlier turns, oldest first: a question may lean on them. */
    readonly answer: (question: string, history: ReadonlyArray<Turn>, source: Source) => Effect.Effect<Answer>
  }
>()("overture/layers/Answerer") {
  /** Answers in the words of the files where there is no model, or none that can be had. */
  static readonly layer = Layer.effect(
    Answerer,
    Effect.gen(function* () {
      const model = yield* Model
      // In the order they were last asked.
      const indexes = new Map<string, { readonly version: string; readonly index: Index }>()

      const indexOf = Effect.fnUntraced(function* ({ campaign, files, version }: Source) {
        const found = indexes.get(campaign)
        const current = found?.version === version ? found : { version, index: index(yield* files) }
        indexes.delete(campaign)
        indexes.set(campaign, current)
        const [oldest = campaign] = indexes.keys()
        if (indexes.size > kept) indexes.delete(oldest)
        return current.index
      })

      const plainly = (question: string, history: ReadonlyArray<Turn>, source: Source) =>
        Effect.map(indexOf(source), (index) => answer(index, question, history))

      return Answerer.of({
        answer: Effect.fn("Answerer.answer")(function* (question, history, source) {
          if (model === undefined) return yield* plainly(question, history, source)
          return yield* answered(model, question, history, yield* source.files).pipe(
            Effect.timeoutOrElse({
              duration: patience,
              orElse: () =>
                Effect.fail(new GenerationFailed({ message: `No answer within ${patience}`, transient: true }))
            }),
            Effect.catchTag("GenerationFailed", ({ message }) =>
              Effect.andThen(
                Effect.logWarning("A question was answered without the model", { reason: message }),
                plainly(question, history, source)
              )
            )
          )
        })
      })
    })
  )
}
