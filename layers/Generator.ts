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

/** What a person chose for one step: items with their edits, and remarks for the writer. */
export interface Choice {
  readonly items: ReadonlyArray<OptionDraft>
  readonly additional_details: string | null
}

/** Everything a campaign has decided, at the moment it is written from. */
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
  /** Markdown, as `emailInstructions` made it. */
  readonly instructions: string
  /** The campaign's playbook as it stood when the list was accepted. */
  readonly playbook: Book
  readonly lead: Lead
  /** 1 to 4. */
  readonly email_count: number
  readonly additional_details: string | null
  /** What research found about the lead's company, at most eight facts. */
  readonly facts: ReadonlyArray<Fact>
  /** CTA types, such as `Question CTA`. */
  readonly approved_ctas: ReadonlyArray<string>
  /** Derived from the campaign and the lead's position in its list: the same seed and brief give the same text. */
  readonly seed: string
}

/** A person who does not exist, at a company that does not: every address is under `.example`. */
export interface SyntheticLead {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly title: string
  readonly company: string
  readonly linkedin_url: string
  readonly company_website: string
  /** What research on the company would have found. */
  readonly industry: string
  readonly company_size: string
  readonly location: string
}

/** A written email, without the signature. */
export interface Draft {
  readonly subject: string
  readonly body: string
}

/** An email with what the checker reports about it. */
export interface Judged extends Draft {
  /** 0 to 100; null while no score ranks emails as readers do. */
  readonly score: number | null
  readonly findings: ReadonlyArray<Finding>
  /** Its factual sentences, each with its source. */
  readonly claims: ReadonlyArray<Claim>
  /** The template it was made from, and the persona whose emails these are. */
  readonly template_id: string | null
  readonly persona_id: string | null
}

type Written<A> = Effect.Effect<A, GenerationFailed>

export class Generator extends Context.Service<
  Generator,
  {
    /** Markdown: who the business is, what it sells, to whom, with what proof. */
    readonly companySummary: (profile: Details) => Written<string>
    /** Markdown: what follows from the profile about its market, and the questions that would change the emails. */
    readonly marketResearch: (profile: Details) => Written<string>
    /** At least one segment: those that the profile names, the likeliest first. */
    readonly segments: (profile: Details) => Written<ReadonlyArray<Segment>>
    /** The workspace's options of one type. Empty where the profile has nothing to offer. */
    readonly options: (profile: Details, type: WorkspaceAssetType) => Written<ReadonlyArray<OptionDraft>>
    /** Markdown: which problems, proofs and offers fit this segment, and what is not known about it. */
    readonly audienceResearch: (profile: Details, audience: Segment) => Written<string>
    /** At least one promise that this campaign can make. */
    readonly valuePropositions: (campaign: Campaign) => Written<ReadonlyArray<OptionDraft>>
    /** Markdown: how the emails of this campaign are to be written. */
    readonly emailInstructions: (campaign: Campaign) => Written<string>
    /** Markdown: how the choices of this campaign fit together, and the answers to objections. */
    readonly knowledgeBase: (campaign: Campaign) => Written<string>
    /** The personas that a campaign's emails are written for, each with its message and templates; the last is "Everyone else". */
    readonly playbook: (campaign: Campaign) => Written<ReadonlyArray<DraftedPersona>>
    /** One persona's templates, from a message that a person may have corrected. An instruction needs a model. */
    readonly templates: (
      campaign: Campaign,
      persona: PersonaOutline,
      instruction: string | null
    ) => Written<DraftedPersona>
    /** So many leads as the campaign's segment would bring, no two alike; the same seed brings the same. */
    readonly syntheticLeads: (campaign: Campaign, count: number, seed: string) => Written<ReadonlyArray<SyntheticLead>>
    /** `email_count` emails, each free of any failing finding. */
    readonly sequence: (brief: Brief) => Written<ReadonlyArray<Judged>>
  }
>()("overture/layers/Generator") {}
