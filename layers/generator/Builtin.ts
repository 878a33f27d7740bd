// layers/generator/Builtin.ts: the writer that needs no model: the same input gives the same text, out of supplied facts only.
import { Effect, Layer } from "effect"
import {
  audienceResearch,
  companySummary,
  emailInstructions,
  knowledgeBase,
  marketResearch
} from "#layers/generator/builtin/Documents.ts"
import { options, valuePropositions } from "#layers/generator/builtin/Options.ts"
import { segments } from "#layers/generator/builtin/Segments.ts"
import * as Scribes from "#layers/generator/builtin/Scribes.ts"
import { syntheticLeads } from "#layers/generator/builtin/Synthetic.ts"
import { draftPersona, draftPlaybook } from "#layers/generator/playbook/Draft.ts"
import { Generator } from "#layers/Generator.ts"

export const layer = Layer.effect(
  Generator,
  Effect.gen(function* () {
    const sequence = yield* Scribes.make()
    return Generator.of({
      companySummary: (profile) => Effect.sync(() => companySummary(profile)),
      marketResearch: (profile) => Effect.sync(() => marketResearch(profile)),
      segments: (profile) => Effect.sync(() => segments(profile)),
      options: (profile, type) => Effect.sync(() => options(profile, type)),
      audienceResearch: (profile, audience) => Effect.sync(() => audienceResearch(profile, audience)),
      valuePropositions: (campaign) => Effect.sync(() => valuePropositions(campaign)),
      emailInstructions: (campaign) => Effect.sync(() => emailInstructions(campaign)),
      knowledgeBase: (campaign) => Effect.sync(() => knowledgeBase(campaign)),
      playbook: (campaign) => Effect.sync(() => draftPlaybook(campaign)),
      templates: (campaign, persona) => Effect.sync(() => draftPersona(campaign, persona)),
      syntheticLeads: (campaign, count, seed) => Effect.sync(() => syntheticLeads(campaign, count, seed)),
      sequence
    })
  })
)
