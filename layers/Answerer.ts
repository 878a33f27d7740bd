// layers/Answerer.ts: answers questions about a campaign. It reads no database and caches only its search indexes.
import { Context, Deferred, Effect, Layer, Semaphore } from "effect"
import type { Answer, KnowledgeFile, Turn } from "#layers/answerer/Answer.ts"
import { answerByModel } from "#layers/answerer/ByModel.ts"
import { answerAboutLeads, noLeadNotice, leadQuestionIn } from "#layers/answerer/Leads.ts"
import { asksExclusions } from "#layers/answerer/LeadSets.ts"
import { buildIndex, type Index } from "#layers/answerer/Index.ts"
import { passagesFor } from "#layers/answerer/Search.ts"
import { answerBySearch, summaryQuestion } from "#layers/answerer/SearchAnswer.ts"
import { answerFromStore, type StoredFacts } from "#layers/answerer/StoredAnswers.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { runInTurns } from "#layers/lib/Turns.ts"
import { Model } from "#layers/Model.ts"

/** The texts that answer questions about a campaign. `version` changes with any of them; `files` is read again only then. */
export interface Source extends StoredFacts {
  readonly campaign: string
  readonly version: string
  readonly files: Effect.Effect<ReadonlyArray<KnowledgeFile>>
  /** Leads of the campaign whose columns are not in `files`. */
  readonly unsearchedLeads?: number
}

/** Shorter than a background call of the model: a person waits for the answer. */
const answerTimeout = "60 seconds"

/** Campaigns whose search index is cached. */
const maxCachedIndexes = 32

/** Characters of the texts in all cached indexes. */
const maxCachedSize = 12_000_000

/** Indexes built at the same time. */
const maxBuilds = 2

interface CachedIndex {
  readonly version: string
  readonly index: Deferred.Deferred<Index>
  /** 0 until the index is built. */
  size: number
}

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
      const scope = yield* Effect.scope
      const builds = yield* Semaphore.make(maxBuilds)
      // In order of use: the first entry is the least recently used one.
      const indexes = new Map<string, CachedIndex>()

      const dropOldIndexes = () => {
        let size = 0
        const newestFirst = [...indexes].toReversed()
        for (const [position, [campaign, entry]] of newestFirst.entries()) {
          size += entry.size
          if (position > 0 && (position >= maxCachedIndexes || size > maxCachedSize)) indexes.delete(campaign)
        }
      }

      /** Questions about one campaign share a build, which continues if its first question is cancelled. */
      const getIndex = ({ campaign, files, version }: Source) =>
        Effect.suspend(() => {
          const cached = indexes.get(campaign)
          const entry = cached?.version === version ? cached : { version, size: 0, index: Deferred.makeUnsafe<Index>() }
          indexes.delete(campaign)
          indexes.set(campaign, entry)
          dropOldIndexes()
          if (entry === cached) return Deferred.await(entry.index)
          return files.pipe(
            Effect.flatMap(buildIndex),
            builds.withPermit,
            Effect.tap(({ size }) =>
              Effect.sync(() => {
                entry.size = size
                dropOldIndexes()
              })
            ),
            Effect.onError(() =>
              Effect.sync(() => {
                if (indexes.get(campaign) === entry) indexes.delete(campaign)
              })
            ),
            Deferred.into(entry.index),
            Effect.forkIn(scope),
            Effect.andThen(Deferred.await(entry.index))
          )
        })

      const findLeadFiles = Effect.fnUntraced(function* (
        question: string,
        history: ReadonlyArray<Turn>,
        source: Source
      ) {
        const leadQuestion = summaryQuestion.test(question) ? undefined : leadQuestionIn(question, history)
        if (leadQuestion === undefined) return { namesAddress: false, files: [] }
        const namesAddress = leadQuestion.named.addresses.length > 0
        for (const mentions of namesAddress
          ? [leadQuestion.named]
          : [leadQuestion.named, ...leadQuestion.earlierReferences]) {
          const files = yield* source.leads(mentions)
          if (files.length > 0) return { namesAddress, files }
        }
        return { namesAddress, files: [] }
      })

      return Answerer.of({
        answer: Effect.fn("Answerer.answer")(function* (question, history, source) {
          const storedAnswer = yield* answerFromStore(question, source)
          if (storedAnswer !== undefined) return storedAnswer
          const index = yield* getIndex(source)
          const { namesAddress, files } = asksExclusions(question)
            ? { namesAddress: false, files: [] }
            : yield* findLeadFiles(question, history, source)
          const exclusions = asksExclusions(question) ? yield* source.exclusions : undefined
          const searchAnswer = Effect.gen(function* () {
            if (files.length > 0) return answerAboutLeads(question, files)
            const answer = yield* runInTurns(
              answerBySearch(index, question, history, exclusions, source.unsearchedLeads)
            )
            return namesAddress ? { ...answer, content: noLeadNotice, citations: [], nearest: [] } : answer
          })
          // Lead data is only quoted: neither the lead's address nor its row is sent to a model.
          const quotation: Answer = yield* searchAnswer
          const isLeadQuotation = quotation.citations[0]?.source === "lead"
          if (model === undefined || namesAddress || files.length > 0 || isLeadQuotation) return quotation
          const passages = yield* runInTurns(passagesFor(index, question, history))
          return yield* answerByModel(model, question, history, passages).pipe(
            Effect.timeoutOrElse({
              duration: answerTimeout,
              orElse: () =>
                Effect.fail(new GenerationFailed({ message: `No answer within ${answerTimeout}`, transient: true }))
            }),
            Effect.map((answer) => {
              if (answer.citations.length > 0) return answer
              const { citations, nearest } = quotation
              return { ...answer, nearest: [...citations, ...nearest] }
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
