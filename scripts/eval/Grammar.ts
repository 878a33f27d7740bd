// scripts/eval/Grammar.ts: errors that the grammar checker Harper finds in a sample of emails.
import { Effect } from "effect"
import { Dialect, LocalLinter } from "harper.js"
import { binaryInlined } from "harper.js/binaryInlined"
import type { Draft } from "#layers/Generator.ts"
import type { Details } from "#schema/Details.ts"
import type { Lead } from "#schema/Lead.ts"
import { textsOf } from "./Measure.ts"

export interface Linted {
  readonly email: Draft
  readonly lead: Lead
  readonly profile: Details
}

export interface GrammarReport {
  readonly emails: number
  /** Emails with at least one error that is about neither spelling nor style. */
  readonly withErrors: number
  /** Errors by Harper's kind, the most frequent first. */
  readonly kinds: ReadonlyArray<{
    readonly kind: string
    readonly count: number
    /** The first few different ones. */
    readonly examples: ReadonlyArray<string>
  }>
}

const fewExamples = 3

/** Names that Harper does not know, and Oxford commas. */
const ignoredKinds = new Set(["Spelling", "Style"])

/** Names and terms of the sender and the reader are no spelling errors of the writer. */
const ownWords = (emails: ReadonlyArray<Linted>): ReadonlyArray<string> => [
  ...new Set(
    emails
      .flatMap(({ lead, profile }) => [...textsOf(profile), ...textsOf(lead)])
      .flatMap((text) =>
        [...text.matchAll(/([\p{L}\p{M}]+)(?:['\u2019]\p{L}+)?/gu)].flatMap(([whole, word]) => [whole, word ?? whole])
      )
  )
]

export const grammarOf = (emails: ReadonlyArray<Linted>): Effect.Effect<GrammarReport> =>
  Effect.promise(async () => {
    const linter = new LocalLinter({ binary: binaryInlined, dialect: Dialect.British })
    try {
      await linter.importWords([...ownWords(emails)])
      const reportsByKind = new Map<string, { count: number; examples: Set<string> }>()
      let withErrors = 0
      for (const { email } of emails) {
        let errors = 0
        // One after the other: a linter is one instance of WebAssembly.
        // oxlint-disable-next-line no-await-in-loop
        for (const lint of await linter.lint(`${email.subject}.\n\n${email.body}`, { language: "plaintext" })) {
          const kind = lint.lint_kind()
          const report = reportsByKind.get(kind) ?? { count: 0, examples: new Set() }
          reportsByKind.set(kind, report)
          report.count++
          if (!ignoredKinds.has(kind)) errors++
          if (report.examples.size < fewExamples) report.examples.add(`${lint.get_problem_text()}: ${lint.message()}`)
        }
        if (errors > 0) withErrors++
      }
      const kinds = [...reportsByKind].map(([kind, { count, examples }]) => ({ kind, count, examples: [...examples] }))
      return { emails: emails.length, withErrors, kinds: kinds.toSorted((a, b) => b.count - a.count) }
    } finally {
      await linter.dispose()
    }
  })
