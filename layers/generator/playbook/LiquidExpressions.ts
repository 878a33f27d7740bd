// layers/generator/playbook/LiquidExpressions.ts: checks a Liquid expression, and finds the variables that it proves to
// have a value.
import { type FilteredValueToken, type Token, type Tokenizer, TypeGuards } from "liquidjs"

/** The variables that every template may use, besides `custom.<key>`. */
export const plainVariables = [
  "first_name",
  "last_name",
  "full_name",
  "title",
  "company",
  "competitor",
  "email",
  "sender_name",
  "sender_title",
  "sender_company"
] as const
export type PlainVariable = (typeof plainVariables)[number]

const knownVariables: ReadonlySet<string> = new Set(plainVariables)
const customKeyPattern = /^[a-z][a-z0-9_]{0,63}$/

/** The allowed filters, with their minimum and maximum number of arguments. */
export const filters = new Map<string, readonly [number, number]>([
  ["default", [1, 1]],
  ["capitalize", [0, 0]],
  ["downcase", [0, 0]],
  ["upcase", [0, 0]],
  ["strip", [0, 0]],
  ["truncatewords", [0, 2]]
])

/** Receives the errors that a check finds, and the variables that a template uses. */
export interface CheckReporter {
  readonly report: (message: string, offset: number) => void
  readonly uses: (variable: string) => void
}

export type VariableNames = ReadonlySet<string>

/** The variables that have a value if a condition holds, and if it does not. */
export interface ProvenVariables {
  readonly holds: VariableNames
  readonly fails: VariableNames
}

const noVariables: VariableNames = new Set()

/** One operand. */
interface Operand extends ProvenVariables {
  readonly variable?: string | undefined
  readonly literal?: "value" | "nil" | "empty" | undefined
}

const provesNothing: Operand = { holds: noVariables, fails: noVariables }

/** The name of a variable; undefined after reporting why a template may not use it. */
const readVariable = (token: Token, reporter: CheckReporter): string | undefined => {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) {
    reporter.report(`Use a variable, a text in quotes or a number instead of "${token.getText()}".`, token.begin)
    return undefined
  }
  const source = token.getText()
  const names = token.props.map((prop) => (TypeGuards.isWordToken(prop) ? prop.getText() : ""))
  const [root = "", key = ""] = names
  if (
    (names.length === 1 && knownVariables.has(root)) ||
    (names.length === 2 && root === "custom" && customKeyPattern.test(key) && source === `custom.${key}`)
  ) {
    reporter.uses(source)
    return source
  }
  reporter.report(
    root === "custom"
      ? `Unknown variable "${source}". Write custom.<key>, where the key is a-z, 0-9 and _ and starts with a letter.`
      : `Unknown variable "${source}". The variables are ${plainVariables.join(", ")} and custom.<key>.`,
    token.begin
  )
  return undefined
}

const readOperand = (token: Token, reporter: CheckReporter): Operand => {
  if (TypeGuards.isQuotedToken(token)) {
    const text = token.getText()
    if (text.length < 2 || !text.endsWith(text.charAt(0))) reporter.report("A quotation mark is missing.", token.begin)
    return { ...provesNothing, literal: "value" }
  }
  if (TypeGuards.isNumberToken(token)) return { ...provesNothing, literal: "value" }
  if (TypeGuards.isLiteralToken(token)) {
    const text = token.getText()
    return {
      ...provesNothing,
      literal: text === "true" || text === "false" ? "value" : text === "empty" ? "empty" : "nil"
    }
  }
  const variable = readVariable(token, reporter)
  return variable === undefined ? provesNothing : { holds: new Set([variable]), fails: noVariables, variable }
}

const checkComparison = (operator: string, left: Operand, right: Operand): ProvenVariables => {
  const [variableSide, otherSide] = left.variable === undefined ? [right, left] : [left, right]
  if (variableSide.variable === undefined || otherSide.literal === undefined || otherSide.literal === "empty")
    return provesNothing
  const presentVariables = new Set([variableSide.variable])
  if (operator === "!=")
    return otherSide.literal === "nil"
      ? { holds: presentVariables, fails: noVariables }
      : { holds: noVariables, fails: presentVariables }
  if (otherSide.literal === "nil")
    return operator === "==" ? { holds: noVariables, fails: presentVariables } : provesNothing
  return operator !== "contains" || variableSide === left
    ? { holds: presentVariables, fails: noVariables }
    : provesNothing
}

const checkLogical = (operator: string, left: Operand, right: Operand): ProvenVariables => {
  if (operator === "and") return { holds: left.holds.union(right.holds), fails: left.fails.intersection(right.fails) }
  if (operator === "or") return { holds: left.holds.intersection(right.holds), fails: left.fails.union(right.fails) }
  return checkComparison(operator, left, right)
}

/** Reads the expression of a tag or an output. Throws if text is left after it. */
const readExpression = (tokenizer: Tokenizer, end: number): FilteredValueToken => {
  const value = tokenizer.readFilteredValue()
  tokenizer.skipBlank()
  tokenizer.assert(tokenizer.p >= end, `unexpected ${tokenizer.snapshot()}`)
  return value
}

/** Checks the filters of a value; returns the variable that may still be missing after them. */
const checkFilters = (
  value: FilteredValueToken,
  isUnproven: (variable: string) => boolean,
  missingVariable: string | undefined,
  reporter: CheckReporter
): string | undefined => {
  for (const filter of value.filters) {
    const count = filters.get(filter.name)
    if (count === undefined) {
      reporter.report(
        `Unknown filter "${filter.name}". The filters are ${[...filters.keys()].join(", ")}.`,
        filter.begin
      )
      continue
    }
    const [minArguments, maxArguments] = count
    if (filter.args.length < minArguments || filter.args.length > maxArguments) {
      const expected =
        maxArguments === 0 ? "no argument" : minArguments === maxArguments ? "one argument" : "at most two arguments"
      reporter.report(`The filter "${filter.name}" takes ${expected}.`, filter.begin)
      continue
    }
    const operands = filter.args.map((arg) => {
      if (!Array.isArray(arg)) return arg === undefined ? provesNothing : readOperand(arg, reporter)
      reporter.report(`The filter "${filter.name}" takes no named argument.`, filter.begin)
      return provesNothing
    })
    const isDefault = filter.name === "default"
    const isUsable = (operand: Operand) => operand.literal === "value" || (isDefault && operand.variable !== undefined)
    if (!operands.every(isUsable)) {
      const expected = `${isDefault ? "variables, " : ""}numbers and text in quotes`
      reporter.report(`The filter "${filter.name}" takes only ${expected}.`, filter.begin)
    }
    const fallback = operands[0]?.variable
    if (isDefault) missingVariable = fallback !== undefined && isUnproven(fallback) ? fallback : undefined
  }
  return missingVariable
}

/** Checks what `{{ … }}` prints; returns the variable that may be missing there, if there is one. */
export const checkOutput = (
  tokenizer: Tokenizer,
  end: number,
  proven: VariableNames,
  reporter: CheckReporter
): { readonly variable?: string | undefined; readonly missing?: string | undefined } => {
  const value = readExpression(tokenizer, end)
  const [token, ...rest] = value.initial.postfix
  if (token === undefined || rest.length > 0) {
    reporter.report(`Print one variable at a time, such as {{ first_name }}.`, value.begin)
    return {}
  }
  if (TypeGuards.isLiteralToken(token)) reporter.report(`"${token.getText()}" cannot be printed.`, token.begin)
  const isUnproven = (variable: string) => variable !== "email" && !proven.has(variable)
  const { variable } = readOperand(token, reporter)
  const missingVariable = variable !== undefined && isUnproven(variable) ? variable : undefined
  return { variable, missing: checkFilters(value, isUnproven, missingVariable, reporter) }
}

/** Checks a condition. */
export const checkCondition = (tokenizer: Tokenizer, end: number, reporter: CheckReporter): Operand => {
  const value = readExpression(tokenizer, end)
  const stack: Array<Operand> = []
  for (const token of value.initial.postfix) {
    if (!TypeGuards.isOperatorToken(token)) {
      stack.push(readOperand(token, reporter))
      continue
    }
    const right = stack.pop()
    const left = token.operator === "not" ? right : stack.pop()
    if (right === undefined || left === undefined) {
      reporter.report(`Something is missing before or after "${token.operator}".`, token.begin)
      return provesNothing
    }
    stack.push(
      token.operator === "not" ? { holds: right.fails, fails: right.holds } : checkLogical(token.operator, left, right)
    )
  }
  const [result, ...rest] = stack
  if (result === undefined || rest.length > 0) {
    reporter.report("Join two conditions with and, or, or a comparison.", value.begin)
    return provesNothing
  }
  checkFilters(value, () => false, undefined, reporter)
  // A filter such as `default` gives a missing variable a value, so a filtered condition proves nothing.
  return value.filters.length === 0 ? result : provesNothing
}

/** Checks the values of `{% when … %}`, which are separated by commas or `or`. Returns whether each of them is a value. */
export const checkWhen = (tokenizer: Tokenizer, end: number, reporter: CheckReporter): boolean => {
  let areValues = true
  for (;;) {
    const token = tokenizer.readValueOrThrow()
    const { literal } = readOperand(token, reporter)
    if (literal === undefined) reporter.report("Compare with a text in quotes or a number.", token.begin)
    areValues &&= literal === "value"
    tokenizer.skipBlank()
    if (tokenizer.p >= end) return areValues
    const separator = tokenizer.peek() === "," ? "," : tokenizer.readIdentifier().getText()
    tokenizer.assert(separator === "," || separator === "or", `expected "," or "or"`)
    if (separator === ",") tokenizer.advance()
  }
}
