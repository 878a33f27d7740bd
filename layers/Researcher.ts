// layers/Researcher.ts: extracts facts from a business's documents and site.
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
    /** Facts from another company's site about that company, quoted word for word. */
    readonly extractCompany: (question: CompanyQuestion) => Effect.Effect<CompanySite, DocumentUnreadable>
    /**
     * The profile fields found in a document, the source of each, and the missing fields. A model, if set, adds fields.
     */
    readonly extractProfile: (question: ReadRequest) => Effect.Effect<ExtractedProfile, DocumentUnreadable>
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
        extractCompany: Effect.fn("Researcher.company")(function* (question) {
          const reply = yield* threads.withPermit(runInThread<CompanyReply>(question))
          return "company" in reply ? reply.company : yield* unreadable(reply.unreadable)
        }),
        extractProfile: Effect.fn("Researcher.study")(function* (question) {
          const { text, ...reading } = yield* readInThread(question)
          if (model === undefined || text.trim() === "") return reading
          const { findings, missing, own: ownership, sources } = reading
          const modelFindings = yield* findFacts(model, text)
          // The origin that was read is the site, even if the text names other addresses.
          const site =
            question.kind === "pages" && Object.keys(modelFindings.findings).length > 0
              ? { website_url: question.site }
              : {}
          // Rules quote the text word for word, so their values take precedence over the model's.
          const allFindings = { ...modelFindings.findings, ...site, ...findings }
          return {
            own: ownership,
            findings: allFindings,
            sources: [...sources, ...modelFindings.sources.filter(({ field }) => !Object.hasOwn(findings, field))],
            missing: missing.filter(({ field }) => !Object.hasOwn(allFindings, field)),
            ...(modelFindings.notice === undefined ? {} : { notice: modelFindings.notice })
          }
        })
      })
    })
  )
}
