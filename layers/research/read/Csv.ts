// layers/research/read/Csv.ts: converts a CSV file to a Markdown table.

const delimiters = [",", ";", "\t", "|"] as const

/** The delimiter that most of the first lines have. */
const detectDelimiter = (text: string) => {
  const lines = text.split(/\r?\n/, 20).filter((line) => line.trim() !== "")
  const score = (delimiter: string) => lines.filter((line) => line.includes(delimiter)).length
  return delimiters.reduce((best, each) => (score(each) > score(best) ? each : best))
}

const maxRows = 5000

/** Parses a CSV file and accepts misplaced quotes, for which the `Csv` module of effect rejects the file. */
const parseCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const delimiter = detectDelimiter(text)
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  let cell = ""
  let isQuoted = false
  for (let index = 0; index < text.length && rows.length < maxRows; index++) {
    const char = text.charAt(index)
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text.charAt(index + 1) === '"') {
        cell += char
        index++
      } else isQuoted = false
    } else if (char === '"' && cell === "") isQuoted = true
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
    cells.map((value) =>
      value
        .replace(/\s*\n\s*/g, " · ")
        .replace(/\s+/g, " ")
        .replaceAll("|", "/")
        .trim()
    )
  )
}

/** A CSV as a table in Markdown: the first row that is as full as the others names its columns, lines above it are text. */
export const fromCsv = (text: string): string => {
  const nonEmptyCells = (cells: ReadonlyArray<string>) => cells.filter((cell) => cell !== "")
  const rows = parseCsv(text.replace(/^\ufeff/, "")).filter((cells) => nonEmptyCells(cells).length > 0)
  const width = Math.max(0, ...rows.map((cells) => nonEmptyCells(cells).length))
  // No column is called by a mailbox, a site or a number.
  const canBeHeader = (cells: ReadonlyArray<string>) => !cells.some((cell) => /@|^www\.|\d{3}[ .-]\d{3}/.test(cell))
  const fullRows = rows.filter((cells) => nonEmptyCells(cells).length >= width - 1)
  const index = rows.indexOf(fullRows.find(canBeHeader) ?? fullRows[0] ?? [])
  const [columnNames = [], ...bodyRows] = rows.slice(index)
  const renderRow = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  // A second table below the first begins with names of columns again.
  const repeatsHeader = (cells: ReadonlyArray<string>) =>
    nonEmptyCells(cells).filter((cell) => columnNames.includes(cell)).length > 1
  const renderHeader = (cells: ReadonlyArray<string>) => [renderRow(cells), renderRow(cells.map(() => "---"))]
  // Above the table a pair of cells is a label and its value.
  const linesAbove = rows
    .slice(0, index)
    .map((cells) => `${nonEmptyCells(cells).join(nonEmptyCells(cells).length === 2 ? ": " : ", ")}\n`)
  const tableLines = bodyRows.flatMap((cells) =>
    repeatsHeader(cells) ? ["", ...renderHeader(cells)] : [renderRow(cells)]
  )
  return [...linesAbove, ...renderHeader(columnNames), ...tableLines].join("\n")
}
