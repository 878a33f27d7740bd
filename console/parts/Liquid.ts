// console/parts/Liquid.ts: splits a Liquid template into text, variables and tags, with labels to display.

export interface Piece {
  readonly source: string
  /** What a chip shows in place of the source; absent for text. */
  readonly label?: string
  readonly kind?: "variable" | "tag" | "unknown"
}

export const variables = [
  ["first_name", "First name"],
  ["last_name", "Last name"],
  ["full_name", "Full name"],
  ["title", "Job title"],
  ["company", "Company"],
  ["competitor", "Competitor in use"],
  ["email", "Email address"],
  ["sender_name", "Sender’s name"],
  ["sender_title", "Sender’s job title"],
  ["sender_company", "Sender’s company"]
] as const

const variableLabels = new Map<string, string>(variables)
const spokenNames = (text: string) => text.replaceAll("_", " ")

export const isVariable = (name: string) => variableLabels.has(name) || /^custom\.[a-z][a-z0-9_]{0,63}$/.test(name)

export const variableLabel = (variable: string) =>
  variableLabels.get(variable) ??
  (isVariable(variable) ? `Column: ${spokenNames(variable.slice("custom.".length))}` : variable)

/** A variable with the fallback text for leads that do not have it. */
export interface Output {
  readonly variable: string
  readonly fallback: string
}

const output = /^\{\{-?\s*([\w.]+)\s*(?:\|\s*default:\s*(?:"([^"]*)"|'([^']*)')\s*)?-?\}\}$/

/** Parses a variable that the menu can edit; undefined if it has other filters. */
export const parseOutput = (source: string): Output | undefined => {
  const [, variable, double, single] = output.exec(source) ?? []
  return variable === undefined ? undefined : { variable, fallback: double ?? single ?? "" }
}

export const outputSource = ({ fallback, variable }: Output) => {
  if (fallback === "") return `{{ ${variable} }}`
  const quote = fallback.includes('"') && !fallback.includes("'") ? "'" : '"'
  const quoted = fallback.replaceAll(quote, quote === '"' ? "”" : "’")
  return `{{ ${variable} | default: ${quote}${quoted}${quote} }}`
}

const conditions: Readonly<Record<string, string>> = {
  if: "If",
  unless: "Unless",
  elsif: "Or if",
  else: "Otherwise",
  endif: "End",
  endunless: "End",
  case: "Depending on",
  when: "When",
  endcase: "End"
}

const parseTag = (source: string): Piece => {
  const [, tag = "", rest = ""] = /^\{%-?\s*(\w+)\s*(.*?)\s*-?%\}$/s.exec(source) ?? []
  const keyword = conditions[tag]
  if (keyword === undefined) return { source, label: source, kind: "unknown" }
  const about = isVariable(rest) ? `${variableLabel(rest).toLowerCase()} is known` : rest
  return { source, label: about === "" ? keyword : `${keyword} ${about}`, kind: "tag" }
}

const parseVariable = (source: string): Piece => {
  const inner = source.slice(2, -2).trim()
  const literal = /^(["'])(.*)\1$/s.exec(inner)?.[2]
  if (literal !== undefined) return { source, label: literal, kind: "variable" }
  const [variable = "", ...filters] = inner.split("|").map((part) => part.trim())
  if (!isVariable(variable)) return { source, label: inner, kind: "unknown" }
  const known = parseOutput(source)
  const label = variableLabel(variable)
  if (known !== undefined) {
    return { source, label: known.fallback === "" ? label : `${label} or “${known.fallback}”`, kind: "variable" }
  }
  return { source, label: [label, ...filters].join(" · "), kind: "variable" }
}

export const splitTemplate = (template: string): ReadonlyArray<Piece> =>
  template
    .split(/(\{\{.*?\}\}|\{%.*?%\})/s)
    .filter((source) => source !== "")
    .map((source) =>
      /^\{\{.*\}\}$/s.test(source) ? parseVariable(source) : /^\{%.*%\}$/s.test(source) ? parseTag(source) : { source }
    )

/** Widens a span so that it does not split a variable or tag. */
export const spanOfPieces = (template: string, start: number, end: number) => {
  let at = 0
  let [from, to] = [start, end]
  for (const { label, source } of splitTemplate(template)) {
    const next = at + source.length
    if (label !== undefined && start < next && end > at) [from, to] = [Math.min(from, at), Math.max(to, next)]
    at = next
  }
  return { start: from, end: to }
}

/** The columns that templates read, by key. */
export const customColumnsIn = (templates: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(
    templates.flatMap((template) =>
      [...template.matchAll(/\{[{%][^}%]*?[}%]\}/gs)].flatMap(([tag]) =>
        [...tag.matchAll(/\bcustom\.([a-z][a-z0-9_]*)/g)].map(([, key = ""]) => key)
      )
    )
  )
]
