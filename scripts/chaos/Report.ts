// scripts/chaos/Report.ts: what was done and seen, in two columns.

export const table = (counts: ReadonlyMap<string, number>) => {
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, n]) => `${name.padEnd(width)}  ${n.toLocaleString("en").padStart(8)}`).join("\n")
}
