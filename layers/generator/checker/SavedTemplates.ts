// layers/generator/checker/SavedTemplates.ts: checks templates when they are saved, filled with example values.
import { type CheckedEmail, checkEmails, type CheckInput, type Evidence } from "#layers/generator/checker/Check.ts"
import { findingAt } from "#layers/generator/checker/EmailText.ts"
import { plainText, type TemplateProblem, templateProblems } from "#layers/generator/playbook/LiquidTemplate.ts"
import type { Claim, Finding } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"

/** The reader that `plainText` fills in. */
export const exampleReader: Lead = {
  email: "alex.morgan@northfield.example",
  name: "Alex Morgan",
  title: "Operations Manager",
  company: "Northfield"
}

const offsetOf = (source: string, { column, line }: TemplateProblem): number => {
  let from = 0
  for (const newline of source.matchAll(/\r\n|\r|\n/g)) {
    if (line <= 1) break
    from = newline.index + newline[0].length
    line--
  }
  return Math.min(source.length, from + column - 1)
}

/** Errors of its Liquid, as findings. */
const syntaxFindings = (template: Pick<CheckInput, "subject" | "body">): ReadonlyArray<Finding> =>
  templateProblems(template)
    // The checked text may have no subject.
    .filter(({ field }) => template[field].trim() !== "")
    .map((problem) => {
      const start = offsetOf(template[problem.field], problem)
      return findingAt(
        problem.field,
        "template.syntax",
        "fail",
        { start, end: Math.min(template[problem.field].length, start + 1) },
        problem.message
      )
    })

/** The position of rendered text in the template; null if it does not occur there exactly once. */
const spanInTemplate = (
  source: string,
  rendered: string,
  start: number,
  end: number
): { start: number; end: number } | null => {
  const piece = rendered.slice(start, end)
  const first = source.indexOf(piece)
  return piece === "" || first < 0 || source.indexOf(piece, first + 1) >= 0
    ? null
    : { start: first, end: first + piece.length }
}

/**
 * The findings and claims of a template, with offsets in the template itself where the rendered text occurs there
 * unchanged. The lead is an example.
 */
export const checkTemplateText = (template: CheckInput, evidence: Evidence): CheckedEmail => {
  const errors = syntaxFindings(template)
  const text = plainText(template)
  const [checked] = checkEmails([{ ...template, ...text }], { ...evidence, lead: exampleReader })
  if (checked === undefined || (errors.length > 0 && text.body === template.body))
    return { findings: errors, claims: [], score: null }
  const { claims, findings, score } = checked
  return {
    findings: [
      ...errors,
      ...findings.map((finding): Finding => {
        if (finding.place === "sequence" || finding.start === null || finding.end === null) return finding
        const span = spanInTemplate(template[finding.place], text[finding.place], finding.start, finding.end)
        return { ...finding, start: span?.start ?? null, end: span?.end ?? null }
      })
    ],
    claims: claims.map((claim): Claim => ({
      ...claim,
      ...(spanInTemplate(template.body, text.body, claim.start, claim.end) ?? { start: 0, end: 0 })
    })),
    score
  }
}
