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

/** Filters with the fewest and the most arguments. */
export const filters = new Map<string, readonly [number, number]>([
  ["default", [1, 1]],
  ["capitalize", [0, 0]],
  ["downcase", [0, 0]],
  ["upcase", [0, 0]],
  ["strip", [0, 0]],
  ["truncatewords", [0, 2]]
])

/** Findings of a check. */
export interface CheckFindings {
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
const readVariable = (token: Token, notes: CheckFindings): string | undefined => {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) {
    notes.report(`Use a variable, a text in quotes or a number instead of "${token.getText()}".`, token.begin)
    return undefined
  }
  const source = token.getText()
  const names = token.props.map((prop) => (TypeGuards.isWordToken(prop) ? prop.getText() : ""))
  const [root = "", key = ""] = names
  if (
    (names.length === 1 && knownVariables.has(root)) ||
    (names.length === 2 && root === "custom" && customKeyPattern.test(key) && source === `custom.${key}`)
  ) {
    notes.uses(source)
    return source
  }
  notes.report(
    root === "custom"
      ? `Unknown variable "${source}". Write custom.<key>, where the key is a-z, 0-9 and _ and starts with a letter.`
      : `Unknown variable "${source}". The variables are ${plainVariables.join(", ")} and custom.<key>.`,
    token.begin
  )
  return undefined
}

const readOperand = (token: Token, notes: CheckFindings): Operand => {
  if (TypeGuards.isQuotedToken(token)) {
    const text = token.getText()
    if (text.length < 2 || !text.endsWith(text.charAt(0))) notes.report("A quotation mark is missing.", token.begin)
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
  const variable = readVariable(token, notes)
  return variable === undefined ? provesNothing : { holds: new Set([variable]), fails: noVariables, variable }
}

const checkComparison = (operator: string, left: Operand, right: Operand): ProvenVariables => {
  const [side, other] = left.variable === undefined ? [right, left] : [left, right]
  if (side.variable === undefined || other.literal === undefined || other.literal === "empty") return provesNothing
  const present = new Set([side.variable])
  if (operator === "!=")
    return other.literal === "nil" ? { holds: present, fails: noVariables } : { holds: noVariables, fails: present }
  if (other.literal === "nil") return operator === "==" ? { holds: noVariables, fails: present } : provesNothing
  return operator !== "contains" || side === left ? { holds: present, fails: noVariables } : provesNothing
}

const checkLogical = (operator: string, left: Operand, right: Operand): ProvenVariables => {
  if (operator === "and") return { holds: left.holds.union(right.holds), fails: left.fails.intersection(right.fails) }
  if (operator === "or") return { holds: left.holds.intersection(right.holds), fails: left.fails.union(right.fails) }
  return checkComparison(operator, left, right)
}

/** Checks the complete expression of a tag or an output. */
const readWholeExpression = (tokenizer: Tokenizer, end: number): FilteredValueToken => {
  const value = tokenizer.readFilteredValue()
  tokenizer.skipBlank()
  tokenizer.assert(tokenizer.p >= end, `unexpected ${tokenizer.snapshot()}`)
  return value
}

/** Checks the filters of a value; returns the variable that may still be missing after them. */
const checkFilters = (
  value: FilteredValueToken,
  unproven: (variable: string) => boolean,
  missing: string | undefined,
  notes: CheckFindings
): string | undefined => {
  for (const filter of value.filters) {
    const count = filters.get(filter.name)
    if (count === undefined) {
      notes.report(`Unknown filter "${filter.name}". The filters are ${[...filters.keys()].join(", ")}.`, filter.begin)
      continue
    }
    const [fewest, most] = count
    if (filter.args.length < fewest || filter.args.length > most) {
      const wanted = most === 0 ? "no argument" : fewest === most ? "one argument" : "at most two arguments"
      notes.report(`The filter "${filter.name}" takes ${wanted}.`, filter.begin)
      continue
    }
    const operands = filter.args.map((arg) => {
      if (!Array.isArray(arg)) return arg === undefined ? provesNothing : readOperand(arg, notes)
      notes.report(`The filter "${filter.name}" takes no named argument.`, filter.begin)
      return provesNothing
    })
    const isDefault = filter.name === "default"
    const usable = (operand: Operand) => operand.literal === "value" || (isDefault && operand.variable !== undefined)
    if (!operands.every(usable)) {
      const wanted = `${isDefault ? "variables, " : ""}numbers and text in quotes`
      notes.report(`The filter "${filter.name}" takes only ${wanted}.`, filter.begin)
    }
    const fallback = operands[0]?.variable
    if (isDefault) missing = fallback !== undefined && unproven(fallback) ? fallback : undefined
  }
  return missing
}

/** Checks what `{{ … }}` prints; returns the variable that may be missing there, if there is one. */
export const checkOutput = (
  tokenizer: Tokenizer,
  end: number,
  proven: VariableNames,
  notes: CheckFindings
): { readonly variable?: string | undefined; readonly missing?: string | undefined } => {
  const value = readWholeExpression(tokenizer, end)
  const [token, ...rest] = value.initial.postfix
  if (token === undefined || rest.length > 0) {
    notes.report(`Print one variable at a time, such as {{ first_name }}.`, value.begin)
    return {}
  }
  if (TypeGuards.isLiteralToken(token)) notes.report(`"${token.getText()}" cannot be printed.`, token.begin)
  const unproven = (variable: string) => variable !== "email" && !proven.has(variable)
  const { variable } = readOperand(token, notes)
  const missing = variable !== undefined && unproven(variable) ? variable : undefined
  return { variable, missing: checkFilters(value, unproven, missing, notes) }
}

/** Checks a condition. */
export const checkCondition = (tokenizer: Tokenizer, end: number, notes: CheckFindings): Operand => {
  const value = readWholeExpression(tokenizer, end)
  const stack: Array<Operand> = []
  for (const token of value.initial.postfix) {
    if (!TypeGuards.isOperatorToken(token)) {
      stack.push(readOperand(token, notes))
      continue
    }
    const right = stack.pop()
    const left = token.operator === "not" ? right : stack.pop()
    if (right === undefined || left === undefined) {
      notes.report(`Something is missing before or after "${token.operator}".`, token.begin)
      return provesNothing
    }
    stack.push(
      token.operator === "not" ? { holds: right.fails, fails: right.holds } : checkLogical(token.operator, left, right)
    )
  }
  const [result, ...rest] = stack
  if (result === undefined || rest.length > 0) {
    notes.report("Join two conditions with and, or, or a comparison.", value.begin)
    return provesNothing
  }
  checkFilters(value, () => false, undefined, notes)
  // A filter such as `default` gives a missing variable a value, so a filtered condition proves nothing.
  return value.filters.length === 0 ? result : provesNothing
}

/** Checks the values of `{% when … %}`, which are separated by commas or `or`. Returns whether each of them is a value. */
export const checkWhen = (tokenizer: Tokenizer, end: number, notes: CheckFindings): boolean => {
  let values = true
  for (;;) {
    const token = tokenizer.readValueOrThrow()
    const { literal } = readOperand(token, notes)
    if (literal === undefined) notes.report("Compare with a text in quotes or a number.", token.begin)
    values &&= literal === "value"
    tokenizer.skipBlank()
    if (tokenizer.p >= end) return values
    const separator = tokenizer.peek() === "," ? "," : tokenizer.readIdentifier().getText()
    tokenizer.assert(separator === "," || separator === "or", `expected "," or "or"`)
    if (separator === ",") tokenizer.advance()
  }
}
