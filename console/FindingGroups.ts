// console/FindingGroups.ts: groups findings that report the same problem in several parts of an email.
import type { Finding } from "#schema/Findings.ts"

interface FindingGroup {
  /** The first finding of the group; a suggestion applies to its text only. */
  readonly finding: Finding
  /** The quoted texts, each once. */
  readonly quotes: ReadonlyArray<string>
  readonly count: number
}

/** Equal for findings that differ only in their position and in the example that their message quotes. */
const groupKey = ({ message, rule, severity, start, suggestion }: Finding) =>
  // Without a position, only the quotation in the message distinguishes two findings.
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

/** Number of finding groups of a severity. */
export const countSeverity = (findings: ReadonlyArray<Finding>, severity: Finding["severity"]) =>
  new Set(findings.filter((finding) => finding.severity === severity).map(groupKey)).size
