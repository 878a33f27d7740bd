// console/FindingGroups.ts: findings that say the same about several places of an email, as one.
import type { Finding } from "#schema/Findings.ts"

interface FindingGroup {
  /** The first of them; a suggestion is for its place. */
  readonly finding: Finding
  /** The places as they are in the text, each once. */
  readonly quotes: ReadonlyArray<string>
  readonly count: number
}

/** The same for findings that differ only in their place and in the example that their message quotes. */
const groupKey = ({ message, rule, severity, start, suggestion }: Finding) =>
  // Without a place, the quotation in the message is all that tells two findings apart.
  JSON.stringify([rule, severity, suggestion, start === null ? message : message.replace(/"[^"]*"/g, "")])

export const groupFindings = (
  findings: ReadonlyArray<Finding>,
  textOf: (place: Finding["place"]) => string
): ReadonlyArray<FindingGroup> => {
  const groups = new Map<string, FindingGroup>()
  for (const finding of findings) {
    const { end, place, start } = finding
    const quote = start === null || end === null ? "" : textOf(place).slice(start, end).trim()
    const { count, finding: first, quotes } = groups.get(groupKey(finding)) ?? { finding, quotes: [], count: 0 }
    const isNew = quote !== "" && quotes.every((other) => other.toLowerCase() !== quote.toLowerCase())
    groups.set(groupKey(finding), { finding: first, quotes: isNew ? [...quotes, quote] : quotes, count: count + 1 })
  }
  return [...groups.values()]
}

/** How many findings of a severity an email has, those that say the same counted once. */
export const countSeverity = (findings: ReadonlyArray<Finding>, severity: Finding["severity"]) =>
  new Set(findings.filter((finding) => finding.severity === severity).map(groupKey)).size
