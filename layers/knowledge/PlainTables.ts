// layers/knowledge/PlainTables.ts: converts tables laid out with spaces or tabs to Markdown tables, so that each row keeps its columns.

/** Limits of a table: its cells, and characters of a cell, at most and on average. */
const minCells = 6
const maxCellLength = 60
const maxAverageLength = 24

/**
 * Offsets at which columns begin: after two or more spaces that all lines share. Lines are treated as padded with
 * spaces.
 */
const columnStarts = (lines: ReadonlyArray<string>): ReadonlyArray<number> => {
  const width = Math.max(...lines.map((line) => line.length))
  const isBlank = Array.from({ length: width }, (_, index) => lines.every((line) => (line[index] ?? " ") === " "))
  return isBlank.flatMap((blank, index) =>
    !blank && (index === 0 || (isBlank[index - 1] && isBlank[index - 2])) ? [index] : []
  )
}

const cellsByBlanks = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const starts = columnStarts(lines)
  return lines.map((line) =>
    starts.map((start, index) => line.slice(index === 0 ? 0 : start, starts[index + 1]).trim())
  )
}

const cellsByTabs = (lines: ReadonlyArray<string>) => lines.map((line) => line.split(/\t+/).map((cell) => cell.trim()))

/** Joins a row without a first cell to the one above, whose cells it continues. The header may have no first cell. */
const joinContinuedRows = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const joinedRows: Array<ReadonlyArray<string>> = []
  for (const [index, row] of rows.entries()) {
    const previousRow = joinedRows.at(-1)
    if (row[0] !== "" || index < 2 || previousRow === undefined) joinedRows.push(row)
    else joinedRows[joinedRows.length - 1] = previousRow.map((cell, column) => `${cell} ${row[column] ?? ""}`.trim())
  }
  return joinedRows
}

const hasValue = (cells: ReadonlyArray<string>) => cells.some((cell) => /[\d@]/.test(cell))

/** The first row names the columns if it has no name for the first, or no number or address while most rows below have one. */
const isHeader = ([first = [], ...rows]: ReadonlyArray<ReadonlyArray<string>>) =>
  first.slice(1).every((cell) => cell !== "") &&
  (first[0] === "" || (!hasValue(first) && rows.filter(hasValue).length * 2 > rows.length))

/** The rows of a table; undefined for lines that are no table, for example a list or two columns of prose. */
const parseTable = (lines: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> | undefined => {
  const rows = joinContinuedRows(lines.every((line) => line.includes("\t")) ? cellsByTabs(lines) : cellsByBlanks(lines))
  const columns = rows[0]?.length ?? 0
  const cells = rows.flat().filter((cell) => cell !== "")
  const average = cells.join("").length / cells.length
  const isTable =
    rows.length > 1 &&
    cells.length >= minCells &&
    columns > 1 &&
    rows.every((row) => row.length === columns && row.filter((cell) => cell !== "").length > 1) &&
    cells.every((cell) => cell.length <= maxCellLength) &&
    average <= maxAverageLength
  return isTable ? rows : undefined
}

const renderTable = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const [first = "", ...rest] = rows.map(
    ([name = "", ...cells]) => `| ${[name, ...cells.map((cell) => cell || "–")].join(" | ")} |`
  )
  return isHeader(rows) ? [first, `|${" --- |".repeat(rows[0]?.length ?? 0)}`, ...rest] : [first, ...rest]
}

/**
 * Whether a line may be a table row: it contains a wide gap or tab, and no mark of a list, heading or Markdown table.
 */
const isLaidOut = (line: string) => /\S(?: {2,}|\t)\S/.test(line) && !/^\s*(?:[-*+•#>]|\d{1,2}[.)] )|\|/.test(line)
/** A line that continues the cells of the one above. */
const continuesRow = (line: string) => /^(?: {4,}|\t)\S/.test(line) && !/[|]/.test(line)

/** A text with its tables in Markdown. All other lines stay as they are. */
export const withTables = (text: string): string => {
  const outputLines: Array<string> = []
  let tableLines: Array<string> = []
  const closeTable = () => {
    const rows = parseTable(tableLines)
    outputLines.push(...(rows === undefined ? tableLines : ["", ...renderTable(rows), ""]))
    tableLines = []
  }
  for (const line of text.split(/\r?\n/)) {
    if (isLaidOut(line) || (tableLines.length > 0 && continuesRow(line))) tableLines.push(line)
    else {
      closeTable()
      outputLines.push(line)
    }
  }
  closeTable()
  return outputLines.join("\n")
}
