// layers/generator/bymodel/Review.ts: what becomes of a model's emails once they are judged: they leave, are mended, or are written anew.
import { checkBy, type Judge } from "#layers/generator/Checker.ts"
import { rules, writersRules } from "#layers/generator/Rules.ts"
import type { Draft, Judged } from "#layers/Generator.ts"
import type { Judgement } from "#layers/Model.ts"

/** From here on an email leaves as it is; under the other, it is written anew. */
const good = 85
const fair = 70

const instructionOf = new Map(rules.map(({ id, instruction }) => [id, instruction]))
const ours = new Set(writersRules.map(({ id }) => id))

const counted = (count: number) => (count === 1 ? "1 email" : `${count} emails`)

const faultsOf = ({ findings, score }: Judged, at: number): ReadonlyArray<string> => {
  const broken = findings.filter(({ rule }) => ours.has(rule))
  if (score >= good || broken.length === 0) return []
  return [
    score < fair ? `Email ${at + 1}: write it anew.` : `Email ${at + 1}: mend it.`,
    ...broken.map(({ message, place, rule, severity }) => {
      const weight = severity === "fail" ? " (must)" : ""
      return `Email ${at + 1}, ${place}, rule ${rule}${weight}: ${message} The rule: ${instructionOf.get(rule)}`
    })
  ]
}

/** Judges a whole sequence of which `count` emails were asked. */
export const review = (drafts: ReadonlyArray<Draft>, count: number, judge: Judge): Judgement<ReadonlyArray<Judged>> => {
  if (drafts.length !== count) {
    const error = `The model wrote ${counted(drafts.length)} where ${count} were asked for`
    return { value: undefined, worth: 0, passes: 2, faults: [`Write ${counted(count)}, not ${drafts.length}.`], error }
  }
  const emails = checkBy(judge, drafts)
  const worst = Math.min(...emails.map(({ score }) => score))
  const failing = [
    ...new Set(
      emails.flatMap(({ findings }) => findings.flatMap(({ rule, severity }) => (severity === "fail" ? [rule] : [])))
    )
  ]
  return {
    value: failing.length === 0 ? emails : undefined,
    worth: worst,
    passes: worst >= good ? 0 : worst >= fair ? 1 : 2,
    faults: emails.flatMap(faultsOf),
    // In the rules' words: the findings quote the email.
    error: `The model's emails still break a rule (${failing.map((rule) => `${rule}: ${instructionOf.get(rule)}`).join(" ")})`
  }
}
