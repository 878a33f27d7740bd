// layers/generator/Builtin.ts: the writer that needs no model: the same input gives the same text, out of supplied facts only.
import { Effect, Layer, Semaphore } from "effect"
import {
  audienceResearch,
  companySummary,
  emailInstructions,
  knowledgeBase,
  marketResearch
} from "#layers/generator/builtin/Documents.ts"
import { options, valuePropositions } from "#layers/generator/builtin/Options.ts"
import { segments } from "#layers/generator/builtin/Segments.ts"
import { write } from "#layers/generator/builtin/Sequence.ts"
import { syntheticLeads } from "#layers/generator/builtin/Synthetic.ts"
import { GenerationFailed, Generator } from "#layers/Generator.ts"

/**
 * Writing is pure computing, so it takes turns with everything else that the process does: one lead, then whatever has
 * come in meanwhile.
 */
const turn = Effect.callback<void>((resume) => {
  const handle = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(handle))
})

const sequence: Generator["Service"]["sequence"] = (brief) =>
  Effect.suspend(() => {
    const written = write(brief)
    return "emails" in written
      ? Effect.succeed(written.emails)
      : Effect.fail(
          new GenerationFailed({ message: `No wording passes the rules (${written.failing})`, transient: false })
        )
  })

export const layer = Layer.effect(
  Generator,
  Effect.gen(function* () {
    const desk = yield* Semaphore.make(1)
    return Generator.of({
      companySummary: (profile) => Effect.sync(() => companySummary(profile)),
      marketResearch: (profile) => Effect.sync(() => marketResearch(profile)),
      segments: (profile) => Effect.sync(() => segments(profile)),
      options: (profile, type) => Effect.sync(() => options(profile, type)),
      audienceResearch: (profile, audience) => Effect.sync(() => audienceResearch(profile, audience)),
      valuePropositions: (campaign) => Effect.sync(() => valuePropositions(campaign)),
      emailInstructions: (campaign) => Effect.sync(() => emailInstructions(campaign)),
      knowledgeBase: (campaign) => Effect.sync(() => knowledgeBase(campaign)),
      syntheticLeads: (campaign, count, seed) => Effect.sync(() => syntheticLeads(campaign, count, seed)),
      sequence: (brief) => desk.withPermit(Effect.andThen(turn, sequence(brief)))
    })
  })
)
