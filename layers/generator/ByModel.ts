// layers/generator/ByModel.ts: the writer that uses a model, and rejects claims without a source.
import { Effect } from "effect"
import type { Brief, Campaign, OptionDraft } from "#layers/generator/Brief.ts"
import { daysSection, knowledgeBase } from "#layers/generator/builtin/CampaignDocuments.ts"
import {
  audienceName,
  contactSection,
  instructionsTitle,
  marketTitle,
  summaryTitle
} from "#layers/generator/builtin/CompanySummary.ts"
import { fieldOptionDrafts, valuePropositions } from "#layers/generator/builtin/Options.ts"
import { draftSegments } from "#layers/generator/builtin/Segments.ts"
import { syntheticLeads } from "#layers/generator/builtin/Synthetic.ts"
import { sourceLines, remarksBlock } from "#layers/generator/bymodel/PromptLines.ts"
import { writeSequence } from "#layers/generator/bymodel/AdaptedEmails.ts"
import * as Documents from "#layers/generator/bymodel/JudgeDocuments.ts"
import { judgeOptions, judgeSegments, judgeSyntheticLeads } from "#layers/generator/bymodel/JudgeProposals.ts"
import { draftWithModel } from "#layers/generator/bymodel/PersonaEmails.ts"
import { documentPrompts } from "#layers/generator/bymodel/prompts/Documents.ts"
import { optionPrompts } from "#layers/generator/bymodel/prompts/Options.ts"
import { segments as segmentsPrompt } from "#layers/generator/bymodel/prompts/Segments.ts"
import { syntheticLeads as leadsPrompt } from "#layers/generator/bymodel/prompts/SyntheticLeads.ts"
import { promptSources, documentSources } from "#layers/generator/bymodel/SourceList.ts"
import type { PersonaOutline } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPersona, draftPlaybook } from "#layers/generator/playbook/DraftPlaybook.ts"
import type { PromptData, Model } from "#layers/Model.ts"
import { makeSourceFacts } from "#layers/model/SourceFacts.ts"
import type { AssetType, WorkspaceAssetType } from "#schema/Assets.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"

/** A campaign needs at least one segment and one promise. */
const minItems = 1

/** Puts the profile last, because a prompt that is too long is cut at its end. */
const moveProfileLast = ({ profile, ...rest }: Campaign) => ({ ...rest, profile })

/** Names that any statement may contain. */
const allowedNames = ({ company_name, target_job_titles }: Details, audience: Segment | null) => [
  company_name ?? "",
  target_job_titles ?? "",
  audience?.segment_name ?? "",
  ...[audience?.decision_makers ?? ""].flat()
]

/** The methods of `Generator` over a model. */
export const makeModelGenerator = (model: Model) => {
  const writeDocument = (prompt: keyof typeof documentPrompts, basis: Documents.DocumentBasis) =>
    model.write(
      {
        prompt: documentPrompts[prompt],
        trusted: remarksBlock([], basis.sources),
        sharedData: { sources: sourceLines(basis.sources) },
        requestData: {},
        request: "Write the document."
      },
      Documents.judgeDocument(basis)
    )

  const proposeOptions = (
    type: AssetType,
    shared: PromptData,
    count: number,
    fallback: () => ReadonlyArray<OptionDraft>
  ) =>
    model.write(
      { prompt: optionPrompts[type], sharedData: shared, requestData: {}, request: "List the options." },
      judgeOptions(makeSourceFacts(shared), count, fallback)
    )

  return {
    companySummary: (profile: Details) =>
      writeDocument("companySummary", {
        title: summaryTitle(profile),
        sources: documentSources(profile, null),
        names: allowedNames(profile, null),
        // The model may not rewrite addresses, so they are copied.
        end: contactSection(profile)
      }),
    marketResearch: (profile: Details) =>
      writeDocument("marketResearch", {
        title: marketTitle(profile),
        sources: documentSources(profile, null),
        names: allowedNames(profile, null)
      }),
    audienceResearch: (profile: Details, audience: Segment) =>
      writeDocument("audienceResearch", {
        title: audienceName(audience),
        sources: documentSources(profile, audience),
        names: allowedNames(profile, audience)
      }),
    emailInstructions: (campaign: Campaign) =>
      writeDocument("emailInstructions", {
        title: instructionsTitle(campaign.profile, campaign.audience),
        sources: documentSources(campaign.profile, campaign.audience, promptSources(campaign)),
        names: allowedNames(campaign.profile, campaign.audience),
        end: daysSection
      }),
    knowledgeBase: (campaign: Campaign) => Effect.sync(() => knowledgeBase(campaign)),

    segments: (profile: Details) => {
      const shared = { profile }
      return model.write(
        { prompt: segmentsPrompt, sharedData: shared, requestData: {}, request: "Name the segments." },
        judgeSegments(makeSourceFacts(shared), minItems, () => draftSegments(profile))
      )
    },

    options: (profile: Details, type: WorkspaceAssetType) =>
      // A profile without material for this step gets no proposals.
      Effect.suspend(() =>
        fieldOptionDrafts(profile, type).length === 0
          ? Effect.succeed([])
          : proposeOptions(type, { profile }, 1, () => fieldOptionDrafts(profile, type))
      ),

    valuePropositions: (campaign: Campaign) =>
      // New proposals must not use earlier proposals as sources.
      proposeOptions(
        "value_proposition",
        { campaign: moveProfileLast({ ...campaign, value_proposition: null }) },
        minItems,
        () => valuePropositions(campaign)
      ),

    syntheticLeads: (campaign: Campaign, count: number, seed: string) => {
      const { audience, profile } = campaign
      const shared = {
        audience,
        our_company: profile.company_name,
        not_to_be_named: [profile.competitors, profile.case_studies]
      }
      return model.write(
        { prompt: leadsPrompt, sharedData: shared, requestData: {}, request: `Make up ${count} people.` },
        judgeSyntheticLeads(makeSourceFacts({ profile }), count, () => syntheticLeads(campaign, count, seed))
      )
    },

    // The personas of a campaign share the longest part of their prompts, so that the first call fills the provider's cache.
    playbook: (campaign: Campaign) =>
      Effect.forEach(
        draftPlaybook(campaign),
        (base) => draftWithModel(model, { campaign, base, instruction: null, keepsMessage: false }),
        { concurrency: 2 }
      ),
    templates: (campaign: Campaign, persona: PersonaOutline, instruction: string | null) =>
      Effect.suspend(() =>
        draftWithModel(model, {
          campaign,
          base: draftPersona(campaign, persona),
          instruction,
          keepsMessage: true,
          forbidden: persona.never_say
        })
      ),

    sequence: (brief: Brief) => writeSequence(model, brief)
  }
}
