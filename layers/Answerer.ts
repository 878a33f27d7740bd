// layers/Answerer.ts: answers questions about a campaign. It reads no database and caches only its search indexes.
import { Context, Effect, Layer } from "effect"
import type { Answer, KnowledgeFile, Named, Turn } from "#layers/answerer/Answer.ts"
import { answered } from "#layers/answerer/ByModel.ts"
import { index, type Index } from "#layers/answerer/Index.ts"
import { aboutLeads, noLead, wanted, withoutAddresses } from "#layers/answerer/Leads.ts"
import { answer, isKnown, passagesFor, summarising } from "#layers/answerer/Quote.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Model } from "#layers/Model.ts"

/** The texts of a campaign. `version` changes with any of them; they are read only when it did. */
export interface Source {
  readonly campaign: string
  readonly version: string
  readonly files: Effect.Effect<ReadonlyArray<KnowledgeFile>>
  /** The leads of the campaign's lists that are named, each with its emails. */
  readonly leads: (named: Named) => Effect.Effect<ReadonlyArray<KnowledgeFile>>
}

/** A person is waiting. */
const patience = "60 seconds"

/** Campaigns whose index is cached. */
const cached = 32

export class Answerer extends Context.Service<
  Answerer,
  {
    /** Answers from the texts alone. `history` holds the earlier messages, oldest first; a question may lean on them. */
    readonly answer: (question: string, history: ReadonlyArray<Turn>, source: Source) => Effect.Effect<Answer>
  }
>()("overture/layers/Answerer") {
  /** Quotes passages where no model is set, or the model fails: the answer then says so. */
  static readonly layer = Layer.effect(
    Answerer,
    Effect.gen(function* () {
      const model = yield* Model
      // Least recently asked first.
      const indexes = new Map<string, { readonly version: string; readonly index: Index }>()

      const indexOf = Effect.fnUntraced(function* ({ campaign, files, version }: Source) {
        const found = indexes.get(campaign)
        const current = found?.version === version ? found : { version, index: index(yield* files) }
        indexes.delete(campaign)
        indexes.set(campaign, current)
        const [oldest = campaign] = indexes.keys()
        if (indexes.size > cached) indexes.delete(oldest)
        return current.index
      })

      const leadsOf = Effect.fnUntraced(function* (question: string, history: ReadonlyArray<Turn>, source: Source) {
        const asked = summarising.test(question) ? undefined : wanted(question, history)
        if (asked === undefined) return { addressed: false, files: [] }
        const addressed = asked.named.addresses.length > 0
        for (const named of addressed ? [asked.named] : [asked.named, ...asked.before]) {
          const files = yield* source.leads(named)
          if (files.length > 0) return { addressed, files }
        }
        return { addressed, files: [] }
      })

      return Answerer.of({
        answer: Effect.fn("Answerer.answer")(function* (question, history, source) {
          const index = yield* indexOf(source)
          const { addressed, files } = yield* leadsOf(question, history, source)
          const quoted = (): Answer => {
            if (files.length > 0) return aboutLeads(question, files)
            const found = answer(index, question, history)
            return addressed ? { ...found, content: noLead, citations: [] } : found
          }
          // The emails of a lead are quoted: the lead's address is not sent to a model.
          if (model === undefined || addressed || files.length > 0) return quoted()
          const turns = history.map((turn) => ({ ...turn, content: withoutAddresses(turn.content) }))
          return yield* answered(model, question, turns, passagesFor(index, question, history)).pipe(
            Effect.timeoutOrElse({
              duration: patience,
              orElse: () =>
                Effect.fail(new GenerationFailed({ message: `No answer within ${patience}`, transient: true }))
            }),
            Effect.map((found) => (isKnown(found) ? found : { ...found, nearest: quoted().nearest })),
            Effect.catchTag("GenerationFailed", ({ message }) =>
              Effect.andThen(
                Effect.logWarning("A question was answered without the model", { reason: message }),
                Effect.sync((): Answer => ({ ...quoted(), answered_by: "search_fallback" }))
              )
            )
          )
        })
      })
    })
  )
}
