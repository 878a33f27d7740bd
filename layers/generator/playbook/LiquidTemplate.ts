// layers/generator/playbook/LiquidTemplate.ts: checks and renders the Liquid templates of a playbook.
import { Result } from "effect"
import { Liquid, filters as liquidFilters, LiquidError } from "liquidjs"
import { filters, plainVariables } from "#layers/generator/playbook/LiquidExpressions.ts"
import { type CheckResult, checkTemplate } from "#layers/generator/playbook/TemplateCheck.ts"
import { cacheByText } from "#layers/lib/CacheByText.ts"
import type { Variables } from "#layers/generator/playbook/TemplateVariables.ts"

export interface EmailTemplate {
  readonly subject: string
  readonly body: string
}

export type EmailField = keyof EmailTemplate

export interface TemplateProblem {
  readonly field: EmailField
  readonly message: string
  /** Both count from 1. */
  readonly line: number
  readonly column: number
}

export interface RenderFailure {
  readonly field: EmailField
  /** Names variables, never their values. */
  readonly message: string
}

/** The most characters of a template, and of what it renders to. */
export const limits = { subject: { template: 300, text: 300 }, body: { template: 10_000, text: 20_000 } } as const

class MissingValue extends Error {}

/** The library's filter adds the ellipsis even to a text with exactly the allowed number of words. */
const truncateWords = (value: unknown, maxWords: unknown = 15, ellipsis: unknown = "..."): unknown => {
  if (value === undefined || value === null) return undefined
  const words = String(value).trim().split(/\s+/)
  const wordLimit = Math.max(1, Math.trunc(Number(maxWords)) || 1)
  return words.length > wordLimit ? words.slice(0, wordLimit).join(" ") + String(ellipsis) : value
}

const engine = (() => {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    // Without this, the library would look for partial templates in the working directory.
    templates: {},
    parseLimit: limits.body.template,
    renderLimit: 2000,
    memoryLimit: 1_000_000,
    outputEscape: (value: unknown) => {
      if (value === undefined || value === null) throw new MissingValue()
      return typeof value === "string" ? value : String(value)
    }
  })
  const tags = new Set(["if", "unless", "case"])
  for (const name of Object.keys(liquid.tags)) if (!tags.has(name)) delete liquid.tags[name]
  for (const name of Object.keys(liquid.filters)) if (!filters.has(name)) liquid.unregisterFilter(name)
  for (const name of filters.keys()) {
    const builtinFilter = Object.entries(liquidFilters).find(([filterName]) => filterName === name)?.[1]
    if (name === "default" || name === "truncatewords" || typeof builtinFilter !== "function") continue
    // A missing value stays missing, so that `{{ title | upcase }}` fails as `{{ title }}` does.
    liquid.registerFilter(name, function (value: unknown, ...args: Array<unknown>) {
      return value === undefined || value === null ? undefined : Reflect.apply(builtinFilter, this, [value, ...args])
    })
  }
  liquid.registerFilter("truncatewords", truncateWords)
  return liquid
})()

interface CompiledTemplate {
  readonly checked: CheckResult
  /** Absent when the template cannot be rendered. */
  readonly parsed: ReturnType<Liquid["parse"]> | undefined
}

/** A parsed template takes about twenty times the memory of its text. */
const compileTemplate = cacheByText((source): CompiledTemplate => {
  const checked = checkTemplate(source)
  return {
    checked,
    parsed: checked.faults.every((fault) => fault.onlyMissing) ? engine.parse(source) : undefined
  }
}, 1_000_000)

const fieldNames = { subject: "The subject", body: "The body" } as const

/** Problems of a field that show before its Liquid is parsed. */
const findTextProblem = (field: EmailField, source: string): { message: string; offset: number } | undefined => {
  const maxLength = limits[field].template
  if (source.length > maxLength)
    return { message: `${fieldNames[field]} is longer than ${maxLength} characters.`, offset: maxLength }
  if (source.trim() === "") return { message: `${fieldNames[field]} is empty.`, offset: 0 }
  const newline = field === "subject" ? source.search(/[\r\n\u2028\u2029]/) : -1
  return newline < 0 ? undefined : { message: "The subject must be one line.", offset: newline }
}

const locateProblem = (field: EmailField, source: string, message: string, offset: number): TemplateProblem => {
  const precedingLines = source.slice(0, offset).split(/\r\n|\r|\n/)
  return { field, message, line: precedingLines.length, column: (precedingLines.at(-1) ?? "").length + 1 }
}

const findProblems = (field: EmailField, source: string): ReadonlyArray<TemplateProblem> => {
  const earlyProblem = findTextProblem(field, source)
  if (earlyProblem !== undefined) return [locateProblem(field, source, earlyProblem.message, earlyProblem.offset)]
  return compileTemplate(source).checked.faults.map(({ offset: at, message }) =>
    locateProblem(field, source, message, at)
  )
}

/** All problems of a template; only a template without problems should be saved. */
export const templateProblems = (template: EmailTemplate): ReadonlyArray<TemplateProblem> => [
  ...findProblems("subject", template.subject),
  ...findProblems("body", template.body)
]

/** Control characters, and characters that reorder text on screen; a value must not add lines to an email. */
const controlCharacters = /[\p{Cc}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu

const toLiquidValue = (value: unknown): string | number | boolean | undefined => {
  if (typeof value === "number" || typeof value === "boolean") return value
  if (typeof value !== "string") return undefined
  const text = value.toWellFormed().replace(controlCharacters, " ").trim()
  return text === "" ? undefined : text
}

const renderScope = (names: CheckResult["variables"], variables: Variables): object => {
  // In Liquid `custom.size` is the number of keys unless the key exists, so every key that is read is defined.
  const custom: Record<string, unknown> = Object.create(null)
  const scope: Record<string, unknown> = Object.create(null)
  scope["custom"] = custom
  for (const name of plainVariables) if (names.has(name)) scope[name] = toLiquidValue(variables[name])
  for (const name of names) {
    if (!name.startsWith("custom.")) continue
    const key = name.slice("custom.".length)
    custom[key] = Object.hasOwn(variables.custom, key) ? toLiquidValue(variables.custom[key]) : undefined
  }
  return scope
}

/** Tags that print nothing leave blank lines; an email has one between paragraphs. */
const tidyWhitespace = (field: EmailField, text: string): string =>
  field === "subject"
    ? text.replace(/[\r\n\u2028\u2029]+/g, " ").trim()
    : text
        .replace(/\r\n?/g, "\n")
        .replace(/\n(?:[ \t]*\n){2,}/g, "\n\n")
        .trim()

const renderFailure = (field: EmailField, source: string, error: unknown): RenderFailure => {
  const isMissingValue = error instanceof LiquidError && error.originalError instanceof MissingValue
  if (!isMissingValue) return { field, message: `${fieldNames[field]} takes too long or too much memory to render.` }
  const { column, line } = locateProblem(field, source, "", error.token.begin)
  const name = /[a-z_][\w.]*/.exec(error.token.getText())?.[0] ?? "A variable"
  return { field, message: `"${name}" is missing and has no default (line ${line}, column ${column}).` }
}

const renderField = (field: EmailField, source: string, variables: Variables): Result.Result<string, RenderFailure> => {
  const earlyProblem = findTextProblem(field, source)
  if (earlyProblem !== undefined) return Result.fail({ field, message: earlyProblem.message })
  const { checked, parsed } = compileTemplate(source)
  if (parsed === undefined) {
    const fault = checked.faults.find(({ onlyMissing }) => !onlyMissing)
    const { column, line, message } = locateProblem(field, source, fault?.message ?? "", fault?.offset ?? 0)
    return Result.fail({ field, message: `${message} (line ${line}, column ${column})` })
  }
  return Result.try({
    try: (): string => String(engine.renderSync(parsed, renderScope(checked.variables, variables))),
    catch: (error) => renderFailure(field, source, error)
  }).pipe(
    Result.map((text) => tidyWhitespace(field, text)),
    Result.flatMap((text) => {
      const maxLength = limits[field].text
      if (text === "") return Result.fail({ field, message: `${fieldNames[field]} is empty for this lead.` })
      return text.length > maxLength
        ? Result.fail({ field, message: `${fieldNames[field]} is longer than ${maxLength} characters for this lead.` })
        : Result.succeed(text)
    })
  )
}

/** Fills a template. Line ends become "\n" and several blank lines become one; other text is unchanged. */
export const render = (template: EmailTemplate, variables: Variables): Result.Result<EmailTemplate, RenderFailure> =>
  Result.flatMap(renderField("subject", template.subject, variables), (subject) =>
    Result.map(renderField("body", template.body, variables), (body) => ({ subject, body }))
  )

/** Liquid source that renders to exactly this text. Single braces are escaped too: beside a tag they would read as one. */
export const escapeLiquid = (text: string): string => text.replace(/[{}]+/g, (braces) => `{{ "${braces}" }}`)

const exampleValues: Omit<Variables, "custom"> = {
  first_name: "Alex",
  last_name: "Morgan",
  full_name: "Alex Morgan",
  title: "Operations Manager",
  company: "Northfield",
  email: "alex.morgan@northfield.example",
  sender_name: "Sam Taylor",
  sender_title: "Account Manager",
  sender_company: "Taylor Supplies"
}

/**
 * The text of a template for the checker, with an example for each variable. Offsets refer to the returned text. A field
 * that cannot be rendered is returned unchanged.
 */
export const plainText = (template: EmailTemplate): EmailTemplate => {
  const renderExample = (field: EmailField): string => {
    const source = template[field]
    if (findTextProblem(field, source) !== undefined) return source
    const keys = [...compileTemplate(source).checked.variables].flatMap((name) => name.split("custom.").slice(1))
    const custom = Object.fromEntries(keys.map((key) => [key, key.replaceAll("_", " ")]))
    return Result.getOrElse(renderField(field, source, { ...exampleValues, custom }), () => source)
  }
  return { subject: renderExample("subject"), body: renderExample("body") }
}
