// scripts/eval/Trial.ts: one profile tried with every set of leads: a campaign, its playbook, and sequences from it.
import { Effect, Result } from "effect"
import { checkEmails, noEvidence } from "#layers/generator/checker/Check.ts"
import type { PlaybookSnapshot, PersonaSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { findKnownCompany } from "#layers/generator/companies/KnownCompanies.ts"
import { type Campaign, type Choice, Generator, type JudgedEmail } from "#layers/Generator.ts"
import { type Details, type DetailsPatch, noDetails } from "#schema/Details.ts"
import type { Claim, Finding } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"
import { type CarriedChoices, carriedChoices, type Faults, findFaults, saysWhatWeDo } from "./Measure.ts"
import type { LeadSet, Named, LabelledLead } from "./Sets.ts"

const approved_ctas = ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"]
const email_count = 3

/** The set that stands for what most leads are like. */
export const ordinary = "ordinary"

export interface TriedLead {
  readonly set: string
  readonly tried: LabelledLead
  /** Why a batch leaves the lead out, where it does. */
  readonly skipped: string | null
  /** Why nothing was written, where nothing was. */
  readonly failure: string | null
  readonly emails: ReadonlyArray<JudgedEmail>
  /** What the checker finds in the finished emails, with everything that it can compare them with. */
  readonly findings: ReadonlyArray<Finding>
  readonly claims: ReadonlyArray<Claim>
  readonly faults: Faults
  /** Null where nothing was written. */
  readonly saysWhatWeDo: boolean | null
  readonly carried: CarriedChoices | null
}

/** What became of sequences whose never-say list has words that the same lead's emails had before. */
export interface NeverSay {
  readonly tried: number
  readonly refused: number
  readonly said: number
}

export interface Trial {
  readonly name: string
  readonly profile: Details
  readonly personas: ReadonlyArray<PersonaSnapshot>
  readonly leads: ReadonlyArray<TriedLead>
  readonly neverSay: NeverSay
}

const chooseFirst = (items: Choice["items"]): Choice => ({ items: items.slice(0, 3), additional_details: null })

/** A campaign with the first segment and the first options that the writer itself proposes. */
const campaignOf = Effect.fnUntraced(function* (details: Details) {
  const writer = yield* Generator
  const [audience] = yield* writer.segments(details)
  if (audience === undefined) return yield* Effect.die(new Error("The writer proposes no segment"))
  const chosen: Campaign = {
    profile: details,
    audience,
    social_proof: chooseFirst(yield* writer.options(details, "social_proof")),
    lead_magnet: chooseFirst(yield* writer.options(details, "lead_magnet")),
    risk_reversal: chooseFirst(yield* writer.options(details, "risk_reversal")),
    value_proposition: null
  }
  const campaign = { ...chosen, value_proposition: chooseFirst(yield* writer.valuePropositions(chosen)) }
  return { campaign, instructions: yield* writer.emailInstructions(campaign) }
})

const draftPlaybook = Effect.fnUntraced(function* (campaign: Campaign) {
  const drafted = yield* (yield* Generator).playbook(campaign)
  const playbook: PlaybookSnapshot = {
    version: 1,
    never_say: [],
    personalization: "adapted",
    personas: drafted.map((persona, index) => ({
      ...persona,
      id: `persona-${index}`,
      templates: persona.templates.map((each) => ({ ...each, id: `template-${index}-${each.step}-${each.variant}` }))
    }))
  }
  return playbook
})

export interface WriterSetting {
  readonly name: string
  readonly campaign: Campaign
  readonly instructions: string
  readonly playbook: PlaybookSnapshot
}

/** What the writer itself makes of a profile, with nothing chosen or edited by a person. */
export const makeSetting = Effect.fnUntraced(function* ({ name, value }: Named<DetailsPatch>) {
  const { campaign, instructions } = yield* campaignOf({ ...noDetails, ...value })
  return { name, campaign, instructions, playbook: yield* draftPlaybook(campaign) } satisfies WriterSetting
})

/** Three emails to one lead, or why there are none. */
export const writeSequence = Effect.fnUntraced(function* (setting: WriterSetting, lead: Lead, seed: string) {
  const { campaign, instructions, playbook } = setting
  return yield* Effect.result(
    (yield* Generator).sequence({
      campaign,
      instructions,
      playbook,
      lead,
      facts: [],
      email_count,
      additional_details: null,
      approved_ctas,
      seed
    })
  )
})

const nothingWritten = { emails: [], findings: [], claims: [], saysWhatWeDo: null, carried: null }
const noFaults: Faults = { unsupported: [], leftovers: [], names: [], obeyed: [] }

const tryLead = Effect.fnUntraced(function* (setting: WriterSetting, set: string, tried: LabelledLead, at: number) {
  const { campaign, name, playbook } = setting
  const { profile } = campaign
  const { lead } = tried
  const proofs = (campaign.social_proof?.items ?? []).map(({ description }) => description)
  const known = findKnownCompany(lead, profile, proofs)
  if (known !== null)
    return { set, tried, skipped: known.kind, failure: null, faults: noFaults, ...nothingWritten } satisfies TriedLead
  const written = yield* writeSequence(setting, lead, `${name}:${set}:${at}`)
  if (Result.isFailure(written))
    return { set, tried, skipped: null, failure: written.failure.message, faults: noFaults, ...nothingWritten }
  const emails = written.success
  const message = playbook.personas.find(({ id }) => id === emails[0]?.persona_id)?.message ?? null
  const checked = checkEmails(
    emails.map(({ body, subject }, index) => ({ step: index + 1, subject, body })),
    { ...noEvidence, campaign, lead, message, email_count }
  )
  const [first] = emails
  return {
    set,
    tried,
    skipped: null,
    failure: null,
    emails,
    findings: checked.flatMap(({ findings }) => findings),
    claims: checked.flatMap(({ claims }) => claims),
    faults: findFaults(profile, tried, emails),
    saysWhatWeDo: first === undefined ? null : saysWhatWeDo(profile, first),
    carried: carriedChoices(campaign, emails)
  } satisfies TriedLead
})

/** Leads that are written to once more with a never-say list. */
const neverSayLeads = 25

/** The playbook after a person has added a phrase to the never-say list, with its templates redrafted. */
const redraftWithout = Effect.fnUntraced(function* ({ campaign, playbook }: WriterSetting, phrase: string) {
  const writer = yield* Generator
  const personas = yield* Effect.forEach(playbook.personas, (persona) =>
    Effect.map(
      writer.templates(campaign, { ...persona, never_say: [phrase] }, null),
      ({ templates }): PersonaSnapshot => ({
        ...persona,
        templates: templates.map((each) => ({ ...each, id: `${persona.id}-${each.step}-${each.variant}` }))
      })
    )
  )
  return { ...playbook, never_say: [phrase], personas } satisfies PlaybookSnapshot
})

/** Forbids a lead's writer four words in a row of what it wrote before. */
const neverSayOf = Effect.fnUntraced(function* (setting: WriterSetting, leads: ReadonlyArray<TriedLead>) {
  const written = leads.filter(({ emails, set }) => set === ordinary && emails.length > 0).slice(0, neverSayLeads)
  const results = yield* Effect.forEach(
    written,
    Effect.fnUntraced(function* ({ emails, tried }, at) {
      const body = emails[at % emails.length]?.body ?? ""
      const phrase = body.split("\n\n")[1]?.split(" ").slice(0, 4).join(" ") ?? body
      const playbook = yield* redraftWithout(setting, phrase)
      const rewritten = yield* writeSequence({ ...setting, playbook }, tried.lead, `${setting.name}:never:${at}`)
      if (Result.isFailure(rewritten)) return "refused"
      const isSaid = rewritten.success.some((email) => email.body.toLowerCase().includes(phrase.toLowerCase()))
      return isSaid ? "said" : "kept"
    }),
    { concurrency: 4 }
  )
  return {
    tried: results.length,
    refused: results.filter((result) => result === "refused").length,
    said: results.filter((result) => result === "said").length
  } satisfies NeverSay
})

export const runTrial = Effect.fnUntraced(function* (
  named: Named<DetailsPatch>,
  sets: ReadonlyArray<Named<LeadSet>>,
  concurrency: number
) {
  const setting = yield* makeSetting(named)
  const { campaign, name, playbook } = setting
  const leads = yield* Effect.forEach(
    sets.flatMap(({ name: set, value }) => value.leads.map((tried, index) => ({ set, tried, index }))),
    ({ index, set, tried }) => tryLead(setting, set, tried, index),
    { concurrency }
  )
  const neverSay = yield* neverSayOf(setting, leads)
  return { name, profile: campaign.profile, personas: playbook.personas, leads, neverSay } satisfies Trial
})
