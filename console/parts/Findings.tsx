// console/parts/Findings.tsx: lists of findings, texts with findings marked, and the worst finding of a lead.
import type { Finding } from "#schema/Findings.ts"
import { groupFindings } from "#console/FindingGroups.ts"
import type { WorstFindingCount } from "#console/LeadOrder.ts"
import { StateNotice } from "#console/parts/Notices.tsx"

export const severities: Readonly<Record<Finding["severity"], string>> = {
  fail: "Must change",
  warn: "Check",
  hint: "Optional"
}

interface Props {
  readonly findings: ReadonlyArray<Finding>
  /** Returns the text of a place, from which a finding is quoted. */
  readonly textOf: (place: Finding["place"]) => string
  /** Applies the suggestion; omitted if the text cannot be edited. */
  readonly onUse?: (finding: Finding) => void
}

export const FindingList = ({ findings, onUse, textOf }: Props) => (
  <ul>
    {groupFindings(findings, textOf).map(({ count, finding, quotes }, i) => {
      const { end, message, place, severity, start, suggestion } = finding
      return (
        <li key={i} class={severity}>
          <strong>{severities[severity]}</strong>
          {place === "subject" && count === 1 && " (subject)"}
          {count > 1 && ` (${count} places)`}
          {quotes.map((quote) => (
            <q key={quote} class={`about ${severity}`}>
              {quote}
            </q>
          ))}{" "}
          {message}
          {suggestion !== null && onUse === undefined && <> Suggestion: {suggestion}</>}
          {suggestion !== null && onUse !== undefined && start !== null && end !== null && (
            <>
              {" "}
              <button type="button" class="link" onClick={() => onUse(finding)}>
                Use “{suggestion}”
              </button>
            </>
          )}
        </li>
      )
    })}
  </ul>
)

/** The findings about a part of a text, with their places in that part. */
export const findingsWithin = (findings: ReadonlyArray<Finding>, from: number, to: number): ReadonlyArray<Finding> =>
  findings.flatMap((finding) => {
    const { end, start } = finding
    if (start === null || end === null || start >= to || end <= from) return []
    return [{ ...finding, start: Math.max(start, from) - from, end: Math.min(end, to) - from }]
  })

const severityWeight = { fail: 3, warn: 2, hint: 1 } as const

/** Text with the places of findings marked, the worst one where several overlap. */
export const MarkedText = ({
  findings,
  text
}: {
  readonly text: string
  readonly findings: ReadonlyArray<Finding>
}) => {
  const spans = findings.flatMap(({ end, severity, start }) =>
    start === null || end === null ? [] : [{ end, severity, start }]
  )
  const cuts = [...new Set([0, text.length, ...spans.flatMap(({ end, start }) => [start, end])])]
    .filter((cut) => cut >= 0 && cut <= text.length)
    .toSorted((a, b) => a - b)
  return (
    <>
      {cuts.slice(0, -1).map((from, i) => {
        const to = cuts[i + 1] ?? text.length
        const [worst] = spans
          .filter(({ end, start }) => start <= from && end >= to)
          .toSorted((a, b) => severityWeight[b.severity] - severityWeight[a.severity])
        const piece = text.slice(from, to)
        return worst === undefined ? (
          piece
        ) : (
          <mark key={from} class={worst.severity}>
            {piece}
          </mark>
        )
      })}
    </>
  )
}

const tones = { fail: "bad", warn: "busy", hint: "calm" } as const

/** The most serious kind of finding of a lead's emails, and how many there are of it. */
export const WorstFinding = ({
  none = "None",
  finding
}: {
  readonly finding: WorstFindingCount
  readonly none?: string
}) => (
  <StateNotice
    state={
      finding === null ? [none, "good"] : [`${severities[finding.severity]}: ${finding.count}`, tones[finding.severity]]
    }
  />
)
