// layers/generator/Builtin.ts: the generator without a model: the same input gives the same text, from supplied facts only.
import { Effect, Layer } from "effect"
import { emailInstructions, knowledgeBase } from "#layers/generator/builtin/CampaignDocuments.ts"
import { companySummary } from "#layers/generator/builtin/Documents.ts"
import { options, valuePropositions } from "#layers/generator/builtin/Options.ts"
import { audienceResearch, marketResearch } from "#layers/generator/builtin/Research.ts"
import { segments } from "#layers/generator/builtin/Segments.ts"
import { syntheticLeads } from "#layers/generator/builtin/Synthetic.ts"
import { draftPersona, draftPlaybook } from "#layers/generator/playbook/Draft.ts"
import { fill } from "#layers/generator/playbook/Fill.ts"
import { Generator } from "#layers/Generator.ts"

export const layer = Layer.succeed(
  Generator,
  Generator.of({
    companySummary: (profile) => Effect.sync(() => companySummary(profile)),
    marketResearch: (profile) => Effect.sync(() => marketResearch(profile)),
    segments: (profile) => Effect.sync(() => segments(profile)),
    options: (profile, type) => Effect.sync(() => options(profile, type)),
    audienceResearch: (profile, audience) => Effect.sync(() => audienceResearch(profile, audience)),
    valuePropositions: (campaign) => Effect.sync(() => valuePropositions(campaign)),
    emailInstructions: (campaign) => Effect.sync(() => emailInstructions(campaign)),
    knowledgeBase: (campaign) => Effect.sync(() => knowledgeBase(campaign)),
    syntheticLeads: (campaign, count, seed) => Effect.sync(() => syntheticLeads(campaign, count, seed)),
    playbook: (campaign) => Effect.sync(() => draftPlaybook(campaign)),
    templates: (campaign, outline) => Effect.sync(() => draftPersona(campaign, outline)),
    sequence: fill
  })
)
