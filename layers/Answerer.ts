// layers/Answerer.ts: answers questions about a campaign. It reads no database and caches only its search indexes.
import { Context, Effect, Layer } from "effect"
import type { Answer, KnowledgeFile, Turn } from "#layers/answerer/Answer.ts"
import { answerByModel } from "#layers/answerer/ByModel.ts"
import { answerAboutLeads, noLeadNotice, leadQuestionIn, maskAddresses } from "#layers/answerer/Leads.ts"
import { asksExclusions } from "#layers/answerer/LeadSets.ts"
import { buildIndex, type Index } from "#layers/answerer/Index.ts"
import { passagesFor } from "#layers/answerer/Search.ts"
import { answerBySearch, summaryQuestion } from "#layers/answerer/SearchAnswer.ts"
import { answerFromStore, type StoredFacts } from "#layers/answerer/StoredAnswers.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Model } from "#layers/Model.ts"

/** The texts of a campaign. `version` changes with any of them; `files` is read only when the version has changed. */
export interface Source extends StoredFacts {
  readonly campaign: string
  readonly version: string
  readonly files: Effect.Effect<ReadonlyArray<KnowledgeFile>>
}

/** Shorter than a background call of the model: a person waits for the answer. */
const answerTimeout = "60 seconds"

/** Campaigns whose search index is cached. */
const maxCachedIndexes = 32

export class Answerer extends Context.Service<
  Answerer,
  {
    /**
     * Answers from `source` alone. `history` holds the earlier messages, oldest first, which the question may refer to.
     */
    readonly answer: (question: string, history: ReadonlyArray<Turn>, source: Source) => Effect.Effect<Answer>
  }
>()("overture/layers/Answerer") {
  /** Answers by search if no model is set or the model fails; `answered_by` names the source of the answer. */
  static readonly layer = Layer.effect(
    Answerer,
    Effect.gen(function* () {
      const model = yield* Model
      // In order of use: the first entry is the least recently used one.
      const indexes = new Map<string, { readonly version: string; readonly index: Index }>()

      const indexOf = Effect.fnUntraced(function* ({ campaign, files, version }: Source) {
        const found = indexes.get(campaign)
        const current = found?.version === version ? found : { version, index: yield* buildIndex(yield* files) }
        indexes.delete(campaign)
        indexes.set(campaign, current)
        const [oldest = campaign] = indexes.keys()
        if (indexes.size > maxCachedIndexes) indexes.delete(oldest)
        return current.index
      })

      const leadsOf = Effect.fnUntraced(function* (question: string, history: ReadonlyArray<Turn>, source: Source) {
        const leadQuestion = summaryQuestion.test(question) ? undefined : leadQuestionIn(question, history)
        if (leadQuestion === undefined) return { addressed: false, files: [] }
        const addressed = leadQuestion.named.addresses.length > 0
        for (const named of addressed
          ? [leadQuestion.named]
          : [leadQuestion.named, ...leadQuestion.earlierReferences]) {
          const files = yield* source.leads(named)
          if (files.length > 0) return { addressed, files }
        }
        return { addressed, files: [] }
      })

      return Answerer.of({
        answer: Effect.fn("Answerer.answer")(function* (question, history, source) {
          const stored = yield* answerFromStore(question, source)
          if (stored !== undefined) return stored
          const index = yield* indexOf(source)
          const { addressed, files } = asksExclusions(question)
            ? { addressed: false, files: [] }
            : yield* leadsOf(question, history, source)
          const exclusions = asksExclusions(question) ? yield* source.exclusions : undefined
          const searchAnswer = (): Answer => {
            if (files.length > 0) return answerAboutLeads(question, files)
            const found = answerBySearch(index, question, history, exclusions)
            return addressed ? { ...found, content: noLeadNotice, citations: [], nearest: [] } : found
          }
          // Lead data is only quoted: neither the lead's address nor its row is sent to a model.
          const quotation = searchAnswer()
          const ofLead = quotation.citations[0]?.source === "lead"
          if (model === undefined || addressed || files.length > 0 || ofLead) return quotation
          const turns = history.map((turn) => ({ ...turn, content: maskAddresses(turn.content) }))
          return yield* answerByModel(model, question, turns, passagesFor(index, question, history)).pipe(
            Effect.timeoutOrElse({
              duration: answerTimeout,
              orElse: () =>
                Effect.fail(new GenerationFailed({ message: `No answer within ${answerTimeout}`, transient: true }))
            }),
            Effect.map((found) => {
              if (found.citations.length > 0) return found
              const { citations, nearest } = quotation
              return { ...found, nearest: [...citations, ...nearest] }
            }),
            Effect.catchTag("GenerationFailed", ({ message }) =>
              Effect.andThen(
                Effect.logWarning("A question was answered without the model", { reason: message }),
                Effect.succeed<Answer>({ ...quotation, answered_by: "search_fallback" })
              )
            )
          )
        })
      })
    })
  )
}
