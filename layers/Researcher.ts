// layers/Researcher.ts: reads the documents and site of a business, and returns the facts in them.
import { Context, Effect, Layer, Semaphore } from "effect"
import type { CompanyQuestion, CompanyReply, CompanySite } from "#layers/enrichment/SiteFacts.ts"
import { Model } from "#layers/Model.ts"
import { findFacts } from "#layers/research/ByModel.ts"
import type { ExtractedProfile } from "#layers/research/ExtractProfile.ts"
import type { ReadRequest, ReadReply } from "#layers/research/ReadSource.ts"
import { runInThread, type DocumentUnreadable, unreadable } from "#layers/threads/RunInThread.ts"

const maxThreads = 2

export class Researcher extends Context.Service<
  Researcher,
  {
    /** What another company's site says about that company, word for word. */
    readonly company: (question: CompanyQuestion) => Effect.Effect<CompanySite, DocumentUnreadable>
    /** What the document states with where each field was read and what is missing; a model, where there is one, adds to it. */
    readonly study: (question: ReadRequest) => Effect.Effect<ExtractedProfile, DocumentUnreadable>
  }
>()("overture/layers/Researcher") {
  static readonly layer = Layer.effect(
    Researcher,
    Effect.gen(function* () {
      const threads = yield* Semaphore.make(maxThreads)
      const model = yield* Model
      const readInThread = Effect.fnUntraced(function* (question: ReadRequest) {
        const reply = yield* threads.withPermit(runInThread<ReadReply>(question))
        return "findings" in reply ? reply : yield* unreadable(reply.unreadable)
      })
      return Researcher.of({
        company: Effect.fn("Researcher.company")(function* (question) {
          const reply = yield* threads.withPermit(runInThread<CompanyReply>(question))
          return "company" in reply ? reply.company : yield* unreadable(reply.unreadable)
        }),
        study: Effect.fn("Researcher.study")(function* (question) {
          const { findings, missing, own, sources, text } = yield* readInThread(question)
          if (model === undefined || text.trim() === "") return { findings, missing, own, sources }
          const more = yield* findFacts(model, text)
          // A site is where its facts are found, whichever other addresses it names.
          const site =
            question.kind === "pages" && Object.keys(more.findings).length > 0 ? { website_url: question.site } : {}
          // Rules quote the text word for word, so their values precede those of a model.
          const all = { ...more.findings, ...site, ...findings }
          return {
            own,
            findings: all,
            sources: [...sources, ...more.sources.filter(({ field }) => !Object.hasOwn(findings, field))],
            missing: missing.filter(({ field }) => !Object.hasOwn(all, field)),
            ...(more.notice === undefined ? {} : { notice: more.notice })
          }
        })
      })
    })
  )
}
