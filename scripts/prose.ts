// scripts/prose.ts: prints the comments and the sentences in strings of source files, for the word list of check.sh.
// usage: node scripts/prose.ts FILE ...
import { readFileSync } from "node:fs"
import { parseSync } from "rolldown/utils"

/** Files whose strings are material rather than messages: lead data, writing rules, prompts, frames and word lists. */
const material =
  /^(layers\/(answerer|generator|research\/extract|text)\/|src\/demo\/|scripts\/(bench\/Leads\.ts|eval\/)|test\/(fixtures|support)\/)/

/** The functions whose first argument is the title of a test or of a group of tests. */
const titledFunctions = new Set(["describe", "it", "layer", "test"])

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

/** The name that a chain of calls and properties starts with: `it` for `it.effect.each(cases)`. */
const rootOf = (node: unknown): unknown =>
  isNode(node) ? (node.type === "Identifier" ? node["name"] : rootOf(node["callee"] ?? node["object"])) : undefined

/** Whether a call is `it.each(cases)`, whose cases mix titles with data. */
const isEachCall = (callee: unknown) =>
  isNode(callee) && isNode(callee["property"]) && callee["property"]["name"] === "each"

/** A string or a template as text; the values in a template are left out. */
const textOf = (node: Node): string | undefined => {
  if (node.type === "Literal" || node.type === "JSXText") {
    return typeof node["value"] === "string" ? node["value"] : undefined
  }
  if (node.type !== "TemplateElement") return undefined
  const { value } = node
  return typeof value === "object" && value !== null && "raw" in value ? String(value.raw) : undefined
}

for (const file of process.argv.slice(2)) {
  const source = readFileSync(file, "utf8")
  const { comments, errors, program } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`Cannot parse ${file}: ${String(errors[0])}`)
  const found: Array<{ readonly start: number; readonly text: string }> = comments.map(({ start, value }) => ({
    start,
    text: value
  }))

  /** Collects the strings below a node. In tests only titles count, because their other strings are data. */
  const collect = (node: unknown, wanted: boolean): void => {
    if (Array.isArray(node)) return node.forEach((each) => collect(each, wanted))
    if (!isNode(node)) return
    const text = wanted ? textOf(node) : undefined
    if (text !== undefined && text.includes(" ")) found.push({ start: node.start, text })
    const isTitled =
      node.type === "CallExpression" &&
      titledFunctions.has(String(rootOf(node["callee"]))) &&
      !isEachCall(node["callee"])
    for (const [field, value] of Object.entries(node)) {
      if (field === "arguments" && isTitled && Array.isArray(value)) {
        value.forEach((each, index) => collect(each, wanted || index === 0))
      } else collect(value, wanted)
    }
  }
  collect(program, !material.test(file) && (!file.startsWith("test/") || file.startsWith("test/spec/")))

  for (const { start, text } of found) {
    const first = source.slice(0, start).split("\n").length
    text
      .split("\n")
      .forEach((line, index) => console.log(`${file}:${first + index}: ${line.replaceAll(/\p{Cc}/gu, " ").trim()}`))
  }
}
