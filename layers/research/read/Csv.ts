// layers/research/read/Csv.ts: a CSV as rows that read like those of any other text.

const delimiters = [",", ";", "\t", "|"] as const

/** The delimiter that most of the first lines have. */
const detectDelimiter = (text: string) => {
  const lines = text.split(/\r?\n/, 20).filter((line) => line.trim() !== "")
  const score = (delimiter: string) => lines.filter((line) => line.includes(delimiter)).length
  return delimiters.reduce((best, each) => (score(each) > score(best) ? each : best))
}

const maxRows = 5000

/** As far as it goes, whatever its quotes: `Csv` of effect refuses a file whose quotes are out of place. */
const parseCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const delimiter = detectDelimiter(text)
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  let cell = ""
  let quoted = false
  for (let index = 0; index < text.length && rows.length < maxRows; index++) {
    const char = text.charAt(index)
    if (quoted) {
      if (char !== '"') cell += char
      else if (text.charAt(index + 1) === '"') {
        cell += char
        index++
      } else quoted = false
    } else if (char === '"' && cell === "") quoted = true
    else if (char === delimiter || char === "\n") {
      row.push(cell)
      cell = ""
      if (char === "\n") {
        rows.push(row)
        row = []
      }
    } else cell += char
  }
  rows.push([...row, cell])
  return rows.map((cells) =>
    cells.map((each) =>
      each
        .replace(/\s*\n\s*/g, " · ")
        .replace(/\s+/g, " ")
        .replaceAll("|", "/")
        .trim()
    )
  )
}

/** A CSV as a table in Markdown: the first row that is as full as the others names its columns, lines above it are text. */
export const fromCsv = (text: string): string => {
  const filled = (cells: ReadonlyArray<string>) => cells.filter((cell) => cell !== "")
  const rows = parseCsv(text.replace(/^\ufeff/, "")).filter((cells) => filled(cells).length > 0)
  const width = Math.max(0, ...rows.map((cells) => filled(cells).length))
  // No column is called by a mailbox, a site or a number.
  const isHead = (cells: ReadonlyArray<string>) => !cells.some((cell) => /@|^www\.|\d{3}[ .-]\d{3}/.test(cell))
  const full = rows.filter((cells) => filled(cells).length >= width - 1)
  const index = rows.indexOf(full.find(isHead) ?? full[0] ?? [])
  const [names = [], ...rest] = rows.slice(index)
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  // A second table below the first begins with names of columns again.
  const isHeader = (cells: ReadonlyArray<string>) => filled(cells).filter((cell) => names.includes(cell)).length > 1
  const head = (cells: ReadonlyArray<string>) => [line(cells), line(cells.map(() => "---"))]
  // Above the table a pair of cells is a label and its value.
  const above = rows.slice(0, index).map((cells) => `${filled(cells).join(filled(cells).length === 2 ? ": " : ", ")}\n`)
  const below = rest.flatMap((cells) => (isHeader(cells) ? ["", ...head(cells)] : [line(cells)]))
  return [...above, ...head(names), ...below].join("\n")
}
