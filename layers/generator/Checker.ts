// layers/generator/Checker.ts: judges emails against the rules, whoever wrote them.
import type { Brief, Campaign, Draft, Judged } from "#layers/Generator.ts"
import { type Ask, approvedAsks } from "#layers/generator/Asks.ts"
import { rules } from "#layers/generator/Rules.ts"
import { campaignFacts, type CampaignFacts } from "#layers/generator/rules/CampaignFacts.ts"
import { leadFacts, type LeadFacts } from "#layers/generator/rules/LeadFacts.ts"
import { type Case, type Flaw, parts, type Rule } from "#layers/generator/rules/Rule.ts"
import { type View, view } from "#layers/generator/rules/View.ts"
import type { Lead } from "#schema/Lead.ts"

/** What emails are judged by: all that their writer was given. */
export interface Evidence {
  readonly campaign: Campaign
  readonly lead: Lead
  readonly approved_ctas: ReadonlyArray<string>
  /** Any other text that facts may come from: remarks of the user, facts found by research. */
  readonly also?: ReadonlyArray<string>
  /** Where the bodies end with it. */
  readonly signature?: string
  /** Days at which the emails are to go out, where they are known. */
  readonly delays?: ReadonlyArray<number>
  /** Whether the workspace asks for an opt-out sentence. */
  readonly opt_out?: boolean
}

/** What the emails of a brief are judged by. */
export const evidenceOf = ({ additional_details, approved_ctas, campaign, facts, lead }: Brief): Evidence => ({
  campaign,
  lead,
  approved_ctas,
  also: [...(additional_details === null ? [] : [additional_details]), ...facts.map(({ statement }) => statement)]
})

export interface Judge {
  readonly campaign: CampaignFacts
  readonly lead: LeadFacts
  readonly view: (draft: Draft) => View
  /** Stops early once the score can only be under `floor`; what it then says is not the whole of it. */
  readonly one: (
    email: View,
    step: number,
    count: number,
    earlier: ReadonlyArray<View>,
    floor?: number
  ) => Pick<Judged, "score" | "findings">
}

// What most often costs points, and is cheap to find, before what almost never does.
const early = ["L2", "L3", "O3", "P2", "P4", "L1", "R2", "P1"]
const quickestFirst = [...rules].sort((a, b) => Number(early.includes(b.id)) - Number(early.includes(a.id)))

/** The line that a flaw stands in, and where in it. */
const where = (rule: Rule, { place, text }: Flaw, { body, subject }: View) => {
  const at = (line: string) => (text === undefined ? -1 : line.toLowerCase().indexOf(text.toLowerCase()))
  // Some rules of the body look at the subject as well.
  const inSubject = place === undefined && rule.applies_to !== "subject" && at(body) < 0 && at(subject) >= 0
  const said = inSubject ? "subject" : (place ?? (rule.applies_to === "subject" ? "subject" : "body"))
  const offset = at(said === "subject" ? subject : body)
  return { place: said, offset: offset < 0 ? null : offset } as const
}

/** Judges the emails of one sequence one by one, so that a writer can try another wording of each. */
export const judge = (evidence: Evidence): Judge => {
  const campaign = campaignFacts(evidence.campaign)
  const lead = leadFacts(evidence.lead, evidence.also)
  const asked = approvedAsks(evidence.approved_ctas)
  // Who has nothing to give can only ask.
  const approved: ReadonlySet<Ask> =
    asked.has("lead magnet") && campaign.magnets.size === 0 ? new Set<Ask>([...asked, "question"]) : asked
  return {
    campaign,
    lead,
    view: (draft) => view(draft, evidence.signature),
    one: (email, step, count, earlier, floor = 0) => {
      const subject: Case = {
        email,
        step,
        count,
        earlier,
        campaign,
        lead,
        approved,
        delays: evidence.delays,
        optOut: evidence.opt_out === true
      }
      const findings: Array<Judged["findings"][number]> = []
      const left: Record<keyof typeof parts, number> = { ...parts }
      let failed = false
      let sum = 100
      for (const rule of floor > 0 ? quickestFirst : rules) {
        const flaw = rule.check(subject)
        if (flaw === undefined) continue
        const severity = flaw.severity ?? rule.severity
        failed ||= severity === "fail"
        const before = left[rule.weight.part]
        const after = Math.max(0, before - rule.weight.cost)
        left[rule.weight.part] = after
        sum -= before - after
        findings.push({ rule: rule.id, severity, ...where(rule, flaw, email), message: flaw.message })
        if (sum < floor) break
      }
      return { score: failed ? Math.min(69, sum) : sum, findings }
    }
  }
}

/** Judges a whole sequence. The findings of each email name its rule, place and the way out. */
export const check = (emails: ReadonlyArray<Draft>, evidence: Evidence) => checkBy(judge(evidence), emails)

/** As `check`, by a judge that is there already. */
export const checkBy = ({ one, view: look }: Judge, emails: ReadonlyArray<Draft>): ReadonlyArray<Judged> => {
  const views = emails.map(look)
  return emails.map(({ body, subject }, at) => {
    const email = views[at]
    return email === undefined
      ? { subject, body, score: 0, findings: [] }
      : { subject, body, ...one(email, at + 1, emails.length, views.slice(0, at)) }
  })
}
