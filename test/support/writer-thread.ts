// test/support/writer-thread.ts: a worker thread in which the built-in writer writes everything for one profile.
import { Effect } from "effect"
import { parentPort, workerData } from "node:worker_threads"
import { type Campaign, Generator } from "#layers/Generator.ts"
import type { Details } from "#schema/Details.ts"

const writeEverything = (profile: Details) =>
  Effect.gen(function* () {
    const writer = yield* Generator
    const [audience] = yield* writer.segments(profile)
    if (audience === undefined) return 0
    const campaign: Campaign = {
      profile,
      audience,
      social_proof: { items: yield* writer.options(profile, "social_proof"), additional_details: null },
      lead_magnet: { items: yield* writer.options(profile, "lead_magnet"), additional_details: null },
      risk_reversal: { items: yield* writer.options(profile, "risk_reversal"), additional_details: null },
      value_proposition: null
    }
    yield* writer.valuePropositions(campaign)
    const texts = [
      yield* writer.companySummary(profile),
      yield* writer.marketResearch(profile),
      yield* writer.audienceResearch(profile, audience),
      yield* writer.emailInstructions(campaign),
      yield* writer.knowledgeBase(campaign)
    ]
    return texts.length
  }).pipe(Effect.provide(Generator.layerBuiltin))

parentPort?.postMessage(await Effect.runPromise(writeEverything(workerData)))
