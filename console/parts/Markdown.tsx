// console/parts/Markdown.tsx: renders the service's Markdown: headings, lists, tables, paragraphs and emphasis. It creates elements and never sets HTML, so a document cannot inject markup.
import { Fragment, type VNode } from "preact"

const inline = (text: string): ReadonlyArray<VNode | string> =>
  text
    .split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*\s][^*]*\*)/)
    .filter((part) => part !== "")
    .map((part, i) => {
      if (part.startsWith("**")) return <strong key={i}>{part.slice(2, -2)}</strong>
      if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>
      if (/^\*.+\*$/.test(part)) return <em key={i}>{part.slice(1, -1)}</em>
      // An escaped character is shown without its backslash.
      return part.replace(/\\([\\`*_{}[\]()#+\-.!|<>&])/g, "$1")
    })

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const bullet = /^\s*(?:[-*+]|\d+[.)])\s+/

const block = (text: string, key: number) => {
  const lines = text.split("\n")
  const [first = ""] = lines
  const heading = /^(#{1,6})\s+(.*)$/.exec(first)
  if (heading !== null) {
    const [, marks = "", title = ""] = heading
    const rest = lines.slice(1).join("\n").trim()
    const Heading = marks.length <= 1 ? "h3" : marks.length === 2 ? "h4" : "h5"
    return (
      <Fragment key={key}>
        <Heading>{inline(title)}</Heading>
        {rest !== "" && blocks(rest)}
      </Fragment>
    )
  }
  if (lines.length > 2 && lines.every((line) => line.trim().startsWith("|"))) {
    const [head = [], , ...rows] = lines.map(cellsOf)
    return (
      <div class="scroll" key={key} tabIndex={0} role="region" aria-label="Table">
        <table>
          <thead>
            <tr>
              {head.map((cell, i) => (
                <th key={i} scope="col">
                  {inline(cell)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>
                {row.map((cell, i) => (
                  <td key={i}>{inline(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )
  }
  if (bullet.test(first)) {
    const items: Array<string> = []
    for (const line of lines) {
      if (bullet.test(line)) items.push(line.replace(bullet, ""))
      else items.push(`${items.pop() ?? ""} ${line.trim()}`)
    }
    const Kind = /^\s*\d/.test(first) ? "ol" : "ul"
    return (
      <Kind key={key}>
        {items.map((item, i) => (
          <li key={i}>{inline(item)}</li>
        ))}
      </Kind>
    )
  }
  return <p key={key}>{inline(lines.map((line) => line.replace(/^>\s?/, "")).join(" "))}</p>
}

/** Starts a new block at a list or table that follows text without an empty line. */
const splitBlocks = (text: string) =>
  text.split("\n").reduce((all, line) => {
    const before = all.slice(all.lastIndexOf("\n") + 1)
    const begins =
      (bullet.test(line) && !/^\s/.test(line) && !bullet.test(before) && !/^\s/.test(before)) ||
      (line.trim().startsWith("|") && !before.trim().startsWith("|"))
    return `${all}${begins ? "\n\n" : "\n"}${line}`
  })

const blocks = (text: string) =>
  splitBlocks(text)
    .split(/\n\s*\n|\n(?=#)/)
    .filter((part) => part.trim() !== "")
    .map(block)

export const Markdown = ({ text }: { readonly text: string }) => (
  <div class="markdown">{blocks(text.replace(/\r\n?/g, "\n"))}</div>
)
