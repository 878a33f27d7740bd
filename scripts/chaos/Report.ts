// scripts/chaos/Report.ts: what was done and seen, in two columns, and what broke.
import { Console, Effect } from "effect"
import type { Findings } from "./Findings.ts"

const table = (counts: ReadonlyMap<string, number>) => {
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, n]) => `${name.padEnd(width)}  ${n.toLocaleString("en").padStart(8)}`).join("\n")
}

/** Prints the findings below `head`, and returns the number of failures. */
export const printReport = Effect.fnUntraced(function* (findings: Findings, heading = "") {
  yield* Console.log(`\n${heading}${table(findings.counts())}`)
  for (const line of findings.all()) yield* Console.log(`BROKEN: ${line}`)
  return findings.all().length
})
