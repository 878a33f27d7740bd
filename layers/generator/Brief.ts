// layers/generator/Brief.ts: the generator's input and output types.
import type { Fact } from "#layers/enrichment/Fact.ts"
import type { PlaybookSnapshot, TemplateSnapshot, TextOrigin } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import type { AssetOption } from "#schema/Assets.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Claim, Finding } from "#schema/Findings.ts"
import type { Details } from "#schema/Details.ts"
import type { Lead } from "#schema/Lead.ts"

export type OptionDraft = Pick<AssetOption, "name" | "description" | "sentence">

/** The name of an option whose text the user has yet to write. */
export const unwrittenName = "Write your own promise"
/** Whether an option says nothing yet. */
export const isUnwritten = ({ description, name }: OptionDraft): boolean =>
  name === unwrittenName && description.trim() === ""

/** What a person chose for one step: items with their edits, and remarks for the writer. */
export interface Choice {
  readonly items: ReadonlyArray<OptionDraft>
  readonly additional_details: string | null
}

/** A snapshot of a campaign's profile, audience and selections. */
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

/** Emails that are written again. */
export interface Rewrite {
  /** The one email to write; all of them if it is null. */
  readonly step: number | null
  /** The current emails, without the signature. */
  readonly current: ReadonlyArray<Draft & { readonly step: number; readonly edited: boolean }>
  /** What the user wants changed. */
  readonly instruction: string | null
}

/** Chooses the template of an email among the variants of its step. */
export type ChooseTemplate = (step: number, variants: ReadonlyArray<TemplateSnapshot>) => TemplateSnapshot | undefined

export interface Brief {
  /** Omitted when the lead is written to for the first time. */
  readonly rewrite?: Rewrite
  /** If omitted, the seed chooses the template. */
  readonly choose?: ChooseTemplate
  /**
   * The step of the only email to fill in; findings in other emails are ignored. If omitted, all emails are filled
   * in.
   */
  readonly only?: number | undefined
  readonly campaign: Campaign
  /** Markdown, as `emailInstructions` made it. */
  readonly instructions: string
  /** The campaign's playbook as it stood when the list was accepted. */
  readonly playbook: PlaybookSnapshot
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
export interface JudgedEmail extends Draft {
  /** 0 to 100; null while no score ranks emails as readers do. */
  readonly score: number | null
  readonly findings: ReadonlyArray<Finding>
  /** Its factual sentences, each with its source. */
  readonly claims: ReadonlyArray<Claim>
  /** The template it was made from, and the persona whose emails these are. */
  readonly template_id: string | null
  readonly persona_id: string | null
  /** The model that wrote it, or the template that it was filled in from. */
  readonly mark?: TextOrigin
}
