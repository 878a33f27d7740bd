// src/commands/Words.ts: lines as a terminal shows them.

/** A line as it is printed: what somebody called something must not steer the terminal. */
export const harmless = (line: string) => line.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "\uFFFD")

/** Rows under their headings, each column as wide as its widest cell. */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => {
  // Not Math.max(...lengths): a call takes about 125,000 arguments, and a ledger has more entries.
  const widths = heads.map((head, i) =>
    rows.reduce((widest, row) => Math.max(widest, (row[i] ?? "").length), head.length)
  )
  return [heads, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

/** `1 lead`, `2 leads`. */
export const count = (n: number, one: string) => `${n} ${n === 1 ? one : `${one}s`}`
