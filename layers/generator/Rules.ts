// layers/generator/Rules.ts: the rule table. What a model is told and what its text is judged by are both made from it.
import { ask } from "#layers/generator/rules/Ask.ts"
import { compliance } from "#layers/generator/rules/Compliance.ts"
import { grounding } from "#layers/generator/rules/Grounding.ts"
import { length } from "#layers/generator/rules/Length.ts"
import { opener } from "#layers/generator/rules/Opener.ts"
import type { Rule } from "#layers/generator/rules/Rule.ts"
import { series } from "#layers/generator/rules/Series.ts"
import { subject } from "#layers/generator/rules/Subject.ts"
import { tells } from "#layers/generator/rules/Tells.ts"

export const rules: ReadonlyArray<Rule> = [
  ...subject,
  ...length,
  ...opener,
  ...ask,
  ...series,
  ...tells,
  ...grounding,
  ...compliance
]

/** What a writer can do something about: what weighs nothing is about the sender, and days are nobody's to write. */
export const writersRules = rules.filter(({ id, weight }) => weight.cost > 0 && id !== "Q1")

const line = (rule: Rule): string => `- ${rule.id}${rule.severity === "fail" ? " (must)" : ""}: ${rule.instruction}`

/** The rules as a writer is told them: Markdown, subject and body first, then what concerns the sequence. */
export const instructions = (table: ReadonlyArray<Rule> = rules): string =>
  [["## Subject", "subject"] as const, ["## Body", "body"] as const, ["## Sequence", "sequence"] as const]
    .flatMap(([title, place]) => {
      const lines = table.filter((rule) => rule.applies_to === place).map(line)
      return lines.length === 0 ? [] : [[title, "", ...lines].join("\n")]
    })
    .join("\n\n")
