// layers/generator/ByModel.ts: the writer that uses a model, and rejects claims without a source.
import { Effect } from "effect"
import type { Brief, Campaign, OptionDraft } from "#layers/generator/Brief.ts"
import { daysSection, knowledgeBase } from "#layers/generator/builtin/CampaignDocuments.ts"
import { audienceName, contactSection, titleOf } from "#layers/generator/builtin/Documents.ts"
import { options as supplied, valuePropositions } from "#layers/generator/builtin/Options.ts"
import { segments } from "#layers/generator/builtin/Segments.ts"
import { syntheticLeads } from "#layers/generator/builtin/Synthetic.ts"
import { sourceLines, wishes } from "#layers/generator/bymodel/Context.ts"
import { sequence } from "#layers/generator/bymodel/AdaptedEmails.ts"
import * as Documents from "#layers/generator/bymodel/Documents.ts"
import { judgeOptions, judgeSegments, judgeSyntheticLeads } from "#layers/generator/bymodel/Judges.ts"
import { draftedBy } from "#layers/generator/bymodel/PersonaEmails.ts"
import { documentPrompts } from "#layers/generator/bymodel/prompts/Documents.ts"
import { optionPrompts } from "#layers/generator/bymodel/prompts/Options.ts"
import { segments as segmentsPrompt } from "#layers/generator/bymodel/prompts/Segments.ts"
import { syntheticLeads as leadsPrompt } from "#layers/generator/bymodel/prompts/SyntheticLeads.ts"
import { campaignSources, documentSources } from "#layers/generator/bymodel/SourceList.ts"
import type { PersonaOutline } from "#layers/generator/playbook/Book.ts"
import { draftPersona, draftPlaybook } from "#layers/generator/playbook/Draft.ts"
import type { Material, Model } from "#layers/Model.ts"
import { known } from "#layers/model/SourceFacts.ts"
import type { AssetType, WorkspaceAssetType } from "#schema/Assets.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"

/** A campaign needs at least one segment and one promise. */
const least = 1

/** Puts the profile last, because a prompt that is too long is cut at its end. */
const decided = ({ profile, ...rest }: Campaign) => ({ ...rest, profile })

/** Names that any statement may contain. */
const namesOf = ({ company_name, target_job_titles }: Details, audience: Segment | null) => [
  company_name ?? "",
  target_job_titles ?? "",
  audience?.segment_name ?? "",
  ...[audience?.decision_makers ?? ""].flat()
]

/** The methods of `Generator` over a model. */
export const make = (model: Model) => {
  const written = (prompt: keyof typeof documentPrompts, basis: Documents.Basis) =>
    model.write(
      {
        prompt: documentPrompts[prompt],
        trusted: wishes([], basis.sources),
        shared: { sources: sourceLines(basis.sources) },
        own: {},
        request: "Write the document."
      },
      Documents.judge(basis)
    )

  const proposed = (type: AssetType, shared: Material, count: number, fallback: () => ReadonlyArray<OptionDraft>) =>
    model.write(
      { prompt: optionPrompts[type], shared, own: {}, request: "List the options." },
      judgeOptions(known(shared), count, fallback)
    )

  return {
    companySummary: (profile: Details) =>
      written("companySummary", {
        title: titleOf(profile),
        sources: documentSources(profile, null),
        names: namesOf(profile, null),
        // The model may not rewrite addresses, so they are copied.
        end: contactSection(profile)
      }),
    marketResearch: (profile: Details) =>
      written("marketResearch", {
        title: `The market of ${titleOf(profile)}`,
        sources: documentSources(profile, null),
        names: namesOf(profile, null)
      }),
    audienceResearch: (profile: Details, audience: Segment) =>
      written("audienceResearch", {
        title: audienceName(audience),
        sources: documentSources(profile, audience),
        names: namesOf(profile, audience)
      }),
    emailInstructions: (campaign: Campaign) =>
      written("emailInstructions", {
        title: `How ${titleOf(campaign.profile)} writes to ${audienceName(campaign.audience)}`,
        sources: documentSources(campaign.profile, campaign.audience, campaignSources(campaign)),
        names: namesOf(campaign.profile, campaign.audience),
        end: daysSection
      }),
    knowledgeBase: (campaign: Campaign) => Effect.sync(() => knowledgeBase(campaign)),

    segments: (profile: Details) => {
      const shared = { profile }
      return model.write(
        { prompt: segmentsPrompt, shared, own: {}, request: "Name the segments." },
        judgeSegments(known(shared), least, () => segments(profile))
      )
    },

    options: (profile: Details, type: WorkspaceAssetType) =>
      // Who has nothing to bring forward cannot be helped by another's words.
      Effect.suspend(() =>
        supplied(profile, type).length === 0
          ? Effect.succeed([])
          : proposed(type, { profile }, 1, () => supplied(profile, type))
      ),

    valuePropositions: (campaign: Campaign) =>
      // What is proposed must not rest on what was proposed before.
      proposed("value_proposition", { campaign: decided({ ...campaign, value_proposition: null }) }, least, () =>
        valuePropositions(campaign)
      ),

    syntheticLeads: (campaign: Campaign, count: number, seed: string) => {
      const { audience, profile } = campaign
      const shared = {
        audience,
        our_company: profile.company_name,
        not_to_be_named: [profile.competitors, profile.case_studies]
      }
      return model.write(
        { prompt: leadsPrompt, shared, own: {}, request: `Make up ${count} people.` },
        judgeSyntheticLeads(known({ profile }), count, () => syntheticLeads(campaign, count, seed))
      )
    },

    // The personas of a campaign share the longest part of their prompts, so that the first call fills the provider's cache.
    playbook: (campaign: Campaign) =>
      Effect.forEach(
        draftPlaybook(campaign),
        (base) => draftedBy(model, { campaign, base, instruction: null, keepsMessage: false }),
        { concurrency: 2 }
      ),
    templates: (campaign: Campaign, persona: PersonaOutline, instruction: string | null) =>
      Effect.suspend(() =>
        draftedBy(model, {
          campaign,
          base: draftPersona(campaign, persona),
          instruction,
          keepsMessage: true,
          forbidden: persona.never_say
        })
      ),

    sequence: (brief: Brief) => sequence(model, brief)
  }
}
