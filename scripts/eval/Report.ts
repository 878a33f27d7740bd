// scripts/eval/Report.ts: the evaluation as tables for a person and as JSON for a program, and which promises it breaks.
import { diversity, maskNames } from "./Diversity.ts"
import type { GrammarReport } from "./Grammar.ts"
import type { CheckerReport, Routing } from "./Labels.ts"
import { choiceKinds, faultKinds } from "./Measure.ts"
import { ordinary, type Trial, type TriedLead } from "./Trial.ts"

export interface Evaluation {
  readonly trials: ReadonlyArray<Trial>
  readonly routing: ReadonlyArray<Routing>
  readonly grammar: GrammarReport
  /** Null where there are no rated emails. */
  readonly checker: CheckerReport | null
}

export interface Table {
  readonly heads: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const promisedShares = { routing: 0.95, goodFailed: 0.15, badAtSpan: 0.8 }

/** From the literature, not measured here. */
const references: ReadonlyArray<readonly [string, string]> = [
  ["human mail", "2.5"],
  ["bulk spam", "3.8"]
]

const share = (count: number, total: number) => (total === 0 ? 1 : count / total)
const percent = (count: number, total: number) => (total === 0 ? "-" : `${(100 * share(count, total)).toFixed(1)}%`)

const countTexts = (texts: ReadonlyArray<string>): ReadonlyArray<readonly [string, number]> => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])
}

const setFigures = (set: string, leads: ReadonlyArray<TriedLead>) => ({
  set,
  leads: leads.length,
  leftOut: leads.filter(({ skipped }) => skipped !== null).length,
  notWritten: leads.filter(({ failure }) => failure !== null).length,
  faults: Object.fromEntries(
    faultKinds.map((kind) => [kind, leads.filter(({ faults }) => faults[kind].length > 0).length])
  )
})

const profileFigures = ({ leads, name, neverSay, personas }: Trial) => {
  const written = leads.filter(({ emails }) => emails.length > 0)
  const claims = written.flatMap((lead) => lead.claims)
  return {
    profile: name,
    personas: personas.map((persona) => persona.name),
    sequences: written.length,
    saysWhatWeDo: written.filter((lead) => lead.saysWhatWeDo === true).length,
    carried: Object.fromEntries(
      choiceKinds.map((kind) => {
        const chosen = written.filter(({ carried }) => (carried?.[kind] ?? null) !== null)
        return [kind, { sequences: chosen.length, carrying: chosen.filter(({ carried }) => carried?.[kind]).length }]
      })
    ),
    claims: claims.length,
    unsupportedClaims: claims.filter(({ supported }) => supported === false).length,
    neverSay
  }
}

const severities = ["fail", "warn", "hint"] as const

const findingCounts = (trials: ReadonlyArray<Trial>) => {
  const findings = trials.flatMap(({ leads }) => leads.flatMap((lead) => lead.findings))
  return countTexts(findings.map(({ rule }) => rule)).map(([rule]) => {
    const ofRule = findings.filter((finding) => finding.rule === rule)
    const [fail, warn, hint] = severities.map((each) => ofRule.filter(({ severity }) => severity === each).length)
    return { rule, fail: fail ?? 0, warn: warn ?? 0, hint: hint ?? 0 }
  })
}

const diversityByStep = (trials: ReadonlyArray<Trial>) =>
  trials.flatMap(({ leads, name }) => {
    const written = leads.filter(({ emails, set }) => set === ordinary && emails.length > 0)
    const steps = Math.max(0, ...written.map(({ emails }) => emails.length))
    return Array.from({ length: steps }, (_, index) => ({
      profile: name,
      step: index + 1,
      ...diversity(
        written.flatMap(({ emails, tried }) => {
          const email = emails[index]
          return email === undefined ? [] : [maskNames(email, tried.lead)]
        })
      )
    }))
  })

const promisesBrokenByTrial = (trial: Trial): ReadonlyArray<string> => {
  const { leads, name, neverSay } = trial
  const about = ({ set, tried }: TriedLead) => `${name}, ${set}, ${tried.lead.email}`
  const { carried, saysWhatWeDo, sequences } = profileFigures(trial)
  return [
    ...leads.flatMap((lead) =>
      faultKinds.flatMap((kind) =>
        lead.faults[kind].length === 0 ? [] : [`${about(lead)}: ${kind}: ${lead.faults[kind].slice(0, 3).join(" | ")}`]
      )
    ),
    ...(saysWhatWeDo < sequences
      ? [`${name}: ${percent(saysWhatWeDo, sequences)} of first emails say what the sender does`]
      : []),
    ...Object.entries(carried).flatMap(([kind, { carrying, sequences: chosen }]) =>
      carrying < chosen ? [`${name}: ${percent(carrying, chosen)} of sequences carry the chosen ${kind}`] : []
    ),
    ...(neverSay.said > 0 ? [`${name}: ${neverSay.said} sequences say what they must not`] : []),
    ...leads.flatMap((lead) =>
      lead.set === ordinary && (lead.failure !== null || (lead.skipped !== null && lead.skipped !== "client"))
        ? [`${about(lead)}: not written to: ${lead.failure ?? lead.skipped}`]
        : []
    )
  ]
}

const promisesBrokenByLabels = ({ checker, routing }: Evaluation): ReadonlyArray<string> => [
  ...routing.flatMap(({ department, half, titles }) =>
    half === "unseen" && share(department, titles) < promisedShares.routing
      ? [`${percent(department, titles)} of the unseen titles are routed right`]
      : []
  ),
  ...(checker !== null && checker.goodFailed > promisedShares.goodFailed * checker.good
    ? [`${percent(checker.goodFailed, checker.good)} of the emails rated good fail`]
    : []),
  ...(checker !== null && checker.badAtSpan < promisedShares.badAtSpan * checker.bad
    ? [`${percent(checker.badAtSpan, checker.bad)} of the emails rated bad are flagged at the fault`]
    : [])
]

const evaluationFigures = (evaluation: Evaluation) => {
  const { checker, grammar, routing, trials } = evaluation
  const all = trials.flatMap(({ leads }) => leads)
  return {
    sets: [...new Set(all.map(({ set }) => set))].map((set) =>
      setFigures(
        set,
        all.filter((lead) => lead.set === set)
      )
    ),
    notWritten: countTexts(all.flatMap(({ failure }) => (failure === null ? [] : [failure]))).map(
      ([reason, leads]) => ({
        reason,
        leads
      })
    ),
    profiles: trials.map(profileFigures),
    findings: findingCounts(trials),
    routing,
    grammar,
    diversity: diversityByStep(trials),
    checker,
    broken: [...trials.flatMap(promisesBrokenByTrial), ...promisesBrokenByLabels(evaluation)]
  }
}
type Figures = ReturnType<typeof evaluationFigures>

const writingTables = ({ findings, notWritten, profiles, sets }: Figures): ReadonlyArray<Table> => [
  {
    heads: ["Set", "leads", "left out", "not written", ...faultKinds],
    rows: sets.map(({ faults, leads, leftOut, notWritten: failed, set }) => [
      set,
      `${leads}`,
      `${leftOut}`,
      `${failed}`,
      ...faultKinds.map((kind) => `${faults[kind]}`)
    ])
  },
  { heads: ["Why not written", "leads"], rows: notWritten.map(({ leads, reason }) => [reason, `${leads}`]) },
  {
    heads: [
      "Profile",
      "sequences",
      "say what we do",
      ...choiceKinds,
      "claims",
      "unsupported",
      "never-say obeyed",
      "by writing nothing"
    ],
    rows: profiles.map(({ carried, claims, neverSay, profile, saysWhatWeDo, sequences, unsupportedClaims }) => [
      profile,
      `${sequences}`,
      percent(saysWhatWeDo, sequences),
      ...choiceKinds.map((kind) => percent(carried[kind]?.carrying ?? 0, carried[kind]?.sequences ?? 0)),
      `${claims}`,
      `${unsupportedClaims}`,
      `${neverSay.tried - neverSay.said} of ${neverSay.tried}`,
      `${neverSay.refused}`
    ])
  },
  {
    heads: ["Rule", ...severities],
    rows: findings.map((each) => [each.rule, ...severities.map((severity) => `${each[severity]}`)])
  }
]

const labelTables = ({ checker, routing }: Figures): ReadonlyArray<Table> => [
  {
    heads: ["Titles", "number", "department", "seniority"],
    rows: routing.map(({ department, half, seniority, titles }) => [
      half,
      `${titles}`,
      percent(department, titles),
      percent(seniority, titles)
    ])
  },
  ...(checker === null
    ? []
    : [
        {
          heads: ["Rated emails", "number", "fail", "flagged", "flagged at the fault"],
          rows: [
            ["good", `${checker.good}`, percent(checker.goodFailed, checker.good), "", ""],
            [
              "bad",
              `${checker.bad}`,
              "",
              percent(checker.badFlagged, checker.bad),
              percent(checker.badAtSpan, checker.bad)
            ],
            ...checker.faults.map(({ atSpan, emails, fault, flagged }) => [
              `  ${fault}`,
              `${emails}`,
              "",
              `${flagged}`,
              `${atSpan}`
            ])
          ]
        }
      ])
]

const textTables = ({ diversity: measured, grammar }: Figures): ReadonlyArray<Table> => [
  {
    heads: [`Harper, ${grammar.emails} emails`, "errors", "example"],
    rows: [
      ...grammar.kinds.map(({ count, examples, kind }) => [kind, `${count}`, (examples[0] ?? "").replace(/\s+/g, " ")]),
      ["emails with any but Spelling and Style", `${grammar.withErrors}`, ""]
    ]
  },
  {
    heads: ["Profile, step", "emails", "distinct", "gzip", "Self-BLEU", "ten words shared"],
    rows: [
      ...measured.map(({ distinct, emails, gzip, profile, selfBleu, sharedRun, step }) => [
        `${profile}, ${step}`,
        `${emails}`,
        `${distinct}`,
        gzip.toFixed(1),
        selfBleu.toFixed(2),
        `${(100 * sharedRun).toFixed(1)}%`
      ]),
      ...references.map(([name, gzip]) => [`${name} (reference)`, "", "", gzip, "", ""])
    ]
  }
]

export const report = (evaluation: Evaluation) => {
  const figures = evaluationFigures(evaluation)
  const tables = [...writingTables(figures), ...labelTables(figures), ...textTables(figures)]
  return { tables: tables.filter(({ rows }) => rows.length > 0), broken: figures.broken, json: figures }
}
