// layers/Generator.ts: writes documents, proposals and emails. It reads no database and keeps no state.
import { Context, type Effect } from "effect"
import type { Fact } from "#layers/enrichment/Fact.ts"
import type { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { Book, DraftedPersona, PersonaOutline } from "#layers/generator/playbook/Book.ts"
import type { AssetOption, WorkspaceAssetType } from "#schema/Assets.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Claim, Finding } from "#schema/Findings.ts"
import type { Details } from "#schema/Details.ts"
import type { Lead } from "#schema/Lead.ts"

export type OptionDraft = Pick<AssetOption, "name" | "description" | "sentence">

/** A person's choice for one step: items with their edits, and remarks for the writer. */
export interface Choice {
  readonly items: ReadonlyArray<OptionDraft>
  readonly additional_details: string | null
}

/** The state of a campaign when its emails are written. */
export interface Campaign {
  readonly profile: Details
  readonly audience: Segment
  readonly social_proof: Choice | null
  readonly lead_magnet: Choice | null
  readonly risk_reversal: Choice | null
  readonly value_proposition: Choice | null
}

/** The choices of a campaign before its first step. */
export const noChoices = {
  social_proof: null,
  lead_magnet: null,
  risk_reversal: null,
  value_proposition: null
} satisfies Partial<Campaign>

export interface Brief {
  readonly campaign: Campaign
  /** Markdown, from `emailInstructions`. */
  readonly instructions: string
  /** The campaign's playbook as it stood when the list was accepted. */
  readonly playbook: Book
  readonly lead: Lead
  /** Number of emails, 1 to 4. */
  readonly email_count: number
  readonly additional_details: string | null
  /** Facts that research found about the lead's company, at most eight. */
  readonly facts: ReadonlyArray<Fact>
  /** CTA types, such as `Question CTA`. */
  readonly approved_ctas: ReadonlyArray<string>
  /** Derived from the campaign and the lead's position in its list: the same seed and brief give the same text. */
  readonly seed: string
}

/** A synthetic person at a synthetic company: every address is under `.example`. */
export interface SyntheticLead {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly title: string
  readonly company: string
  readonly linkedin_url: string
  readonly company_website: string
  /** Facts as research on the company would find them. */
  readonly industry: string
  readonly company_size: string
  readonly location: string
}

/** A written email, without the signature. */
export interface Draft {
  readonly subject: string
  readonly body: string
}

/** An email with the checker's report. */
export interface Judged extends Draft {
  /** 0 to 100; null until a score ranks emails as readers do. */
  readonly score: number | null
  readonly findings: ReadonlyArray<Finding>
  /** Its factual sentences, each with its source. */
  readonly claims: ReadonlyArray<Claim>
  /** The template that the email was made from, and its persona. */
  readonly template_id: string | null
  readonly persona_id: string | null
}

type Written<A> = Effect.Effect<A, GenerationFailed>

export class Generator extends Context.Service<
  Generator,
  {
    /** Markdown: the business, what it sells, its clients and its proof. */
    readonly companySummary: (profile: Details) => Written<string>
    /** Markdown: what the profile implies about its market, and questions whose answers would improve the emails. */
    readonly marketResearch: (profile: Details) => Written<string>
    /** At least one segment; the likeliest of those that the profile names is first. */
    readonly segments: (profile: Details) => Written<ReadonlyArray<Segment>>
    /** The workspace's options of one type; empty if the profile offers none. */
    readonly options: (profile: Details, type: WorkspaceAssetType) => Written<ReadonlyArray<OptionDraft>>
    /** Markdown: problems, proofs and offers that fit this segment, and what is not known about it. */
    readonly audienceResearch: (profile: Details, audience: Segment) => Written<string>
    /** At least one value proposition for this campaign. */
    readonly valuePropositions: (campaign: Campaign) => Written<ReadonlyArray<OptionDraft>>
    /** Markdown: how to write the emails of this campaign. */
    readonly emailInstructions: (campaign: Campaign) => Written<string>
    /** Markdown: how the campaign's choices fit together, and answers to objections. */
    readonly knowledgeBase: (campaign: Campaign) => Written<string>
    /** The personas of a campaign, each with its message and templates; the last is "Everyone else". */
    readonly playbook: (campaign: Campaign) => Written<ReadonlyArray<DraftedPersona>>
    /** Templates of one persona, from a message that a person may have edited. An instruction needs a model. */
    readonly templates: (
      campaign: Campaign,
      persona: PersonaOutline,
      instruction: string | null
    ) => Written<DraftedPersona>
    /** `count` different synthetic leads of the campaign's segment; the same seed gives the same leads. */
    readonly syntheticLeads: (campaign: Campaign, count: number, seed: string) => Written<ReadonlyArray<SyntheticLead>>
    /** `email_count` emails without a failing finding. */
    readonly sequence: (brief: Brief) => Written<ReadonlyArray<Judged>>
  }
>()("overture/layers/Generator") {}
