// scripts/eval/Report.ts: trials as tables for a person and as JSON for a program, and which promises they break.
import { rules } from "#layers/generator/Rules.ts"
import type { Trial, TriedLead } from "./Trial.ts"

/** The set that stands for what most leads are like: how the writer scores and varies is promised of it. */
const ordinary = "ordinary"
const promised = { scored: 0.95, ship: 85, opening: 0.05, likeness: 0.35, subjects: 0.6 }

interface Table {
  readonly heads: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const percent = (part: number) => `${(100 * part).toFixed(1)}%`
const share = (some: number, all: number) => (all === 0 ? 1 : some / all)

const scores = ["under 70", "70-84", "85-89", "90-94", "95-100"]
const scoreOf = (score: number) => (score < 70 ? 0 : score < 85 ? 1 : score < 90 ? 2 : score < 95 ? 3 : 4)
const grades = ["under 3", "3-5", "5-7", "7-8", "8-10", "over 10"]
const gradeOf = (grade: number) => [3, 5, 7, 8, 10].filter((end) => grade >= end).length

const histogram = (names: ReadonlyArray<string>, places: ReadonlyArray<number>) =>
  names.map((_, place) => places.filter((each) => each === place).length)

const faultKinds = ["unsupported", "leaks", "names", "obeyed"] as const

const summaryOf = (leads: ReadonlyArray<TriedLead>) => {
  const written = leads.filter(({ emails }) => emails.length > 0)
  return {
    leads: leads.length,
    failed: leads.length - written.length,
    faults: Object.fromEntries(
      faultKinds.map((kind) => [kind, leads.filter(({ faults }) => faults[kind].length > 0).length])
    ),
    shippable: share(
      written.filter(({ emails }) => emails.every(({ score }) => score >= promised.ship)).length,
      written.length
    )
  }
}

const brokenBy = ({ leads, likeness, name }: Trial): ReadonlyArray<string> => {
  const about = ({ set, tried }: TriedLead) => `${name}, ${set}, ${tried.lead.email}`
  const single = leads.flatMap((lead) => [
    ...faultKinds.flatMap((kind) =>
      lead.faults[kind].length === 0 ? [] : [`${about(lead)}: ${kind}: ${lead.faults[kind].slice(0, 3).join(" | ")}`]
    ),
    ...lead.emails.flatMap(({ findings }, at) =>
      findings
        .filter(({ severity }) => severity === "fail")
        .map(({ message, rule }) => `${about(lead)}: email ${at + 1}: ${rule}: ${message}`)
    )
  ])
  const usual = leads.filter(({ set }) => set === ordinary)
  const { failed, shippable } = summaryOf(usual)
  const across = likeness.find((set) => set.name === ordinary)?.value
  return [
    ...single,
    ...(failed > 0 ? [`${name}: ${failed} ordinary leads were not written to`] : []),
    ...(shippable < promised.scored ? [`${name}: ${percent(shippable)} of ordinary leads score ${promised.ship}`] : []),
    ...(across?.findings ?? []).map(({ message, rule }) => `${name}: ${rule}: ${message}`)
  ]
}

export const report = (trials: ReadonlyArray<Trial>) => {
  const emails = trials.flatMap(({ leads }) => leads.flatMap((lead) => lead.emails))
  const findings = emails.flatMap((email) => email.findings)
  const sets = [...new Set(trials.flatMap(({ leads }) => leads.map(({ set }) => set)))].map((set) => ({
    set,
    ...summaryOf(trials.flatMap(({ leads }) => leads.filter((lead) => lead.set === set)))
  }))
  const ofRules = rules.map(({ id }) => ({
    rule: id,
    passed: share(emails.filter((email) => email.findings.every(({ rule }) => rule !== id)).length, emails.length),
    failed: findings.filter(({ rule, severity }) => rule === id && severity === "fail").length
  }))
  const ofProfiles = trials.map(({ leads, likeness, name }) => {
    const across = likeness.find((set) => set.name === ordinary)?.value
    return {
      profile: name,
      ...summaryOf(leads.filter(({ set }) => set === ordinary)),
      opening: across?.opening ?? 0,
      likeness: across?.likeness ?? 0,
      subjects: across?.subjects ?? 1
    }
  })
  const scored = histogram(
    scores,
    emails.map(({ score }) => scoreOf(score))
  )
  const graded = histogram(
    grades,
    emails.map(({ grade }) => gradeOf(grade))
  )
  const tables: ReadonlyArray<Table> = [
    {
      heads: ["Set", "leads", "not written", "unsupported", "leaks", "names", "obeyed", "all of 85 and more"],
      rows: sets.map(({ failed, faults, leads, set, shippable }) => [
        set,
        `${leads}`,
        `${failed}`,
        ...faultKinds.map((kind) => `${faults[kind]}`),
        percent(shippable)
      ])
    },
    {
      heads: [
        "Profile, ordinary leads",
        "all of 85 and more",
        "X1 same opening",
        "X2 likeness",
        "X3 distinct subjects"
      ],
      rows: ofProfiles.map(({ likeness, opening, profile, shippable, subjects }) => [
        profile,
        percent(shippable),
        percent(opening),
        likeness.toFixed(2),
        percent(subjects)
      ])
    },
    {
      heads: ["Rule", "emails that keep it", "fails"],
      rows: ofRules.map(({ failed, passed, rule }) => [rule, percent(passed), `${failed}`])
    },
    { heads: ["Score", "emails"], rows: scores.map((name, at) => [name, `${scored[at]}`]) },
    { heads: ["Grade", "emails"], rows: grades.map((name, at) => [name, `${graded[at]}`]) }
  ]
  const broken = trials.flatMap(brokenBy)
  return {
    tables,
    broken,
    json: { sets, profiles: ofProfiles, rules: ofRules, scores: scored, grades: graded, broken }
  }
}
