// layers/generator/rules/Rule.ts: one rule: what a writer is told, and what is checked, side by side.
import type { Ask } from "#layers/generator/Asks.ts"
import type { CampaignFacts } from "#layers/generator/rules/CampaignFacts.ts"
import type { LeadFacts } from "#layers/generator/rules/LeadFacts.ts"
import type { View } from "#layers/generator/rules/View.ts"

/** What a rule gets to see: an email, its place among the others, and all that it may speak of. */
export interface Case {
  readonly email: View
  readonly step: number
  readonly count: number
  readonly earlier: ReadonlyArray<View>
  readonly campaign: CampaignFacts
  readonly lead: LeadFacts
  readonly approved: ReadonlySet<Ask>
  readonly delays: ReadonlyArray<number> | undefined
  readonly optOut: boolean
}

type Severity = "fail" | "warn"

/** What a text did wrong and how to put it right. */
export interface Flaw {
  readonly message: string
  /** What it is about, as it stands in the email, where there is such a piece of text. */
  readonly text?: string
  /** Where it differs from the rule's own. */
  readonly severity?: Severity
  readonly place?: "subject" | "body"
}

/** The parts of the score, and what each is worth. */
export const parts = { situation: 25, value: 25, personal: 20, ask: 15, brevity: 10, subject: 5 } as const
type Part = keyof typeof parts

export interface Rule {
  readonly id: string
  /** What breaking it costs: `fail` keeps the email from leaving, `warn` lowers its score. A mild breach of a failing rule may only warn. */
  readonly severity: Severity
  readonly applies_to: "subject" | "body" | "sequence"
  /** One rule as a writer is told it. */
  readonly instruction: string
  /** The part of the score that it counts against, and how many points of it. */
  readonly weight: { readonly part: Part; readonly cost: number }
  readonly check: (subject: Case) => Flaw | undefined
}

export const warn = (message: string, text?: string): Flaw => ({
  message,
  severity: "warn",
  ...(text === undefined ? {} : { text })
})
