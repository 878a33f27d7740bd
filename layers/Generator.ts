// layers/Generator.ts: writes documents, proposals and emails. It reads no database and keeps no state.
import { Context, Effect, Layer } from "effect"
import type { Brief, Campaign, JudgedEmail, OptionDraft, SyntheticLead } from "#layers/generator/Brief.ts"
import { emailInstructions, knowledgeBase } from "#layers/generator/builtin/CampaignDocuments.ts"
import { companySummaryInTurns } from "#layers/generator/builtin/CompanySummary.ts"
import { fieldOptionDrafts, valuePropositionsInTurns } from "#layers/generator/builtin/Options.ts"
import { audienceResearchInTurns, marketResearch } from "#layers/generator/builtin/Research.ts"
import { draftSegments } from "#layers/generator/builtin/Segments.ts"
import { syntheticLeads } from "#layers/generator/builtin/Synthetic.ts"
import * as ByModel from "#layers/generator/ByModel.ts"
import type { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { DraftedPersona, PersonaOutline } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPersona, draftPlaybookInTurns } from "#layers/generator/playbook/DraftPlaybook.ts"
import { fillSequence } from "#layers/generator/playbook/FillSequence.ts"
import { runInOneTurn, runInTurns, type Turns } from "#layers/lib/Turns.ts"
import { Model } from "#layers/Model.ts"
import { loadNlp } from "#layers/text/Nlp.ts"
import type { WorkspaceAssetType } from "#schema/Assets.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"

export {
  type Brief,
  type Campaign,
  type Choice,
  type Draft,
  type JudgedEmail,
  noChoices,
  type OptionDraft,
  type SyntheticLead
} from "#layers/generator/Brief.ts"

type GenerationEffect<A> = Effect.Effect<A, GenerationFailed>

/** Loads the language library, with which most texts are read, in a turn of its own. */
const loadLibrary = runInOneTurn(loadNlp)
const writeShort = <A>(write: () => A) => Effect.andThen(loadLibrary, runInOneTurn(write))
const writeLong = <A>(write: () => Turns<A>) =>
  Effect.andThen(
    loadLibrary,
    Effect.suspend(() => runInTurns(write()))
  )

/** Maximum duration of a turn, in milliseconds; the event loop answers requests between two turns. */
const maxTurnMillis = 1

/** Writes waiting leads in turns, between which requests are answered and finished leads are stored together. */
const writeInTurns = (write: (brief: Brief) => GenerationEffect<ReadonlyArray<JudgedEmail>>) => {
  const turnQueue: Array<() => void> = []
  let isTurnScheduled = false
  // One turn per pass of the event loop, because several turns in one pass would delay requests.
  const scheduleTurn = () => {
    if (isTurnScheduled) return
    isTurnScheduled = true
    setImmediate(takeTurn)
  }
  const takeTurn = () => {
    isTurnScheduled = false
    const deadline = performance.now() + maxTurnMillis
    while (performance.now() < deadline) {
      const resumeNext = turnQueue.shift()
      if (resumeNext === undefined) return
      resumeNext()
    }
    if (turnQueue.length > 0) scheduleTurn()
  }
  const awaitTurn = Effect.callback<void>((resume) => {
    turnQueue.push(() => resume(Effect.void))
    scheduleTurn()
  })
  return (brief: Brief) => Effect.andThen(awaitTurn, write(brief))
}

export class Generator extends Context.Service<
  Generator,
  {
    /** Markdown: the business, what it sells, its clients and its proof. */
    readonly companySummary: (profile: Details) => GenerationEffect<string>
    /** Markdown: conclusions about the market, and questions whose answers would improve the emails. */
    readonly marketResearch: (profile: Details) => GenerationEffect<string>
    /** At least one segment, likeliest first. */
    readonly segments: (profile: Details) => GenerationEffect<ReadonlyArray<Segment>>
    /** The workspace's options of one type; empty if the profile offers none. */
    readonly options: (profile: Details, type: WorkspaceAssetType) => GenerationEffect<ReadonlyArray<OptionDraft>>
    /** Markdown: problems, proof and offers that fit this segment, and missing information. */
    readonly audienceResearch: (profile: Details, audience: Segment) => GenerationEffect<string>
    /** At least one value proposition for this campaign. */
    readonly valuePropositions: (campaign: Campaign) => GenerationEffect<ReadonlyArray<OptionDraft>>
    /** Markdown: how to write the emails of this campaign. */
    readonly emailInstructions: (campaign: Campaign) => GenerationEffect<string>
    /** Markdown: how the campaign's choices fit together, and answers to objections. */
    readonly knowledgeBase: (campaign: Campaign) => GenerationEffect<string>
    /** The personas of a campaign, each with its message and templates; the last is "Everyone else". */
    readonly playbook: (campaign: Campaign) => GenerationEffect<ReadonlyArray<DraftedPersona>>
    /**
     * Drafts the templates of one persona from its outline, which a person may have edited. An instruction needs a
     * model.
     */
    readonly templates: (
      campaign: Campaign,
      persona: PersonaOutline,
      instruction: string | null
    ) => GenerationEffect<DraftedPersona>
    /** `count` different synthetic leads of the campaign's segment; the same seed gives the same leads. */
    readonly syntheticLeads: (
      campaign: Campaign,
      count: number,
      seed: string
    ) => GenerationEffect<ReadonlyArray<SyntheticLead>>
    /** `email_count` emails, none with a failing finding. */
    readonly sequence: (brief: Brief) => GenerationEffect<ReadonlyArray<JudgedEmail>>
  }
>()("overture/layers/Generator") {
  /** Writes without a model, from supplied facts only. Deterministic: the same input gives the same text. */
  static readonly layerBuiltin = Layer.sync(Generator, () =>
    Generator.of({
      companySummary: (profile) => writeLong(() => companySummaryInTurns(profile)),
      marketResearch: (profile) => writeShort(() => marketResearch(profile)),
      segments: (profile) => writeShort(() => draftSegments(profile)),
      options: (profile, type) => writeShort(() => fieldOptionDrafts(profile, type)),
      audienceResearch: (profile, audience) => writeLong(() => audienceResearchInTurns(profile, audience)),
      valuePropositions: (campaign) => writeLong(() => valuePropositionsInTurns(campaign)),
      emailInstructions: (campaign) => writeShort(() => emailInstructions(campaign)),
      knowledgeBase: (campaign) => writeShort(() => knowledgeBase(campaign)),
      syntheticLeads: (campaign, count, seed) => writeShort(() => syntheticLeads(campaign, count, seed)),
      playbook: (campaign) => writeLong(() => draftPlaybookInTurns(campaign)),
      templates: (campaign, outline) => writeShort(() => draftPersona(campaign, outline)),
      sequence: writeInTurns(fillSequence)
    })
  )

  /** Asks the model, and rejects claims without a source. */
  static readonly layerModel = (model: Model) =>
    Layer.succeed(Generator, Generator.of(ByModel.makeModelGenerator(model)))

  /** `layerModel` if a model is set, else `layerBuiltin`. */
  static readonly layer = Layer.unwrap(
    Effect.map(Model, (model) => (model === undefined ? Generator.layerBuiltin : Generator.layerModel(model)))
  )
}
