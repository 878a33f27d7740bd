// src/commands/TerminalText.ts: formats tables, lines and counts for a terminal.

/** Removes control characters, so that a name cannot control the terminal. */
export const escapeControl = (line: string) =>
  line.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "\uFFFD")

/** A table with headings; each column is as wide as its widest cell. */
export const alignColumns = (
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => {
  // A loop, because `Math.max(...lengths)` accepts about 125,000 arguments and a ledger can have more entries.
  const widths = headings.map((heading, i) =>
    rows.reduce((widest, row) => Math.max(widest, (row[i] ?? "").length), heading.length)
  )
  return [headings, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

/** `1 lead`, `2 leads`. */
export const countOf = (count: number, singular: string) => `${count} ${count === 1 ? singular : `${singular}s`}`
