// layers/generator/playbook/Expression.ts: checks a Liquid expression, and finds the variables that it proves to have a
// value.
import { type FilteredValueToken, type Token, type Tokenizer, TypeGuards } from "liquidjs"

/** The variables that every template may use, besides `custom.<key>`. */
export const plainVariables = [
  "first_name",
  "last_name",
  "full_name",
  "title",
  "company",
  "email",
  "sender_name",
  "sender_title",
  "sender_company"
] as const
export type PlainVariable = (typeof plainVariables)[number]

const known: ReadonlySet<string> = new Set(plainVariables)
const customKey = /^[a-z][a-z0-9_]{0,63}$/

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
export interface Notes {
  readonly report: (message: string, at: number) => void
  readonly uses: (variable: string) => void
}

export type Names = ReadonlySet<string>

/** The variables that have a value if a condition holds, and if it does not. */
export interface Proof {
  readonly holds: Names
  readonly fails: Names
}

const none: Names = new Set()

/** One operand. */
interface Operand extends Proof {
  readonly variable?: string | undefined
  readonly literal?: "value" | "nil" | "empty" | undefined
}

const nothing: Operand = { holds: none, fails: none }

/** The name of a variable; undefined after reporting why a template may not use it. */
const variableOf = (token: Token, notes: Notes): string | undefined => {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) {
    notes.report(`Use a variable, a text in quotes or a number instead of "${token.getText()}".`, token.begin)
    return undefined
  }
  const source = token.getText()
  const names = token.props.map((prop) => (TypeGuards.isWordToken(prop) ? prop.getText() : ""))
  const [root = "", key = ""] = names
  if (
    (names.length === 1 && known.has(root)) ||
    (names.length === 2 && root === "custom" && customKey.test(key) && source === `custom.${key}`)
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

const operandOf = (token: Token, notes: Notes): Operand => {
  if (TypeGuards.isQuotedToken(token)) {
    const text = token.getText()
    if (text.length < 2 || !text.endsWith(text.charAt(0))) notes.report("A quotation mark is missing.", token.begin)
    return { ...nothing, literal: "value" }
  }
  if (TypeGuards.isNumberToken(token)) return { ...nothing, literal: "value" }
  if (TypeGuards.isLiteralToken(token)) {
    const text = token.getText()
    return { ...nothing, literal: text === "true" || text === "false" ? "value" : text === "empty" ? "empty" : "nil" }
  }
  const variable = variableOf(token, notes)
  return variable === undefined ? nothing : { holds: new Set([variable]), fails: none, variable }
}

const compared = (operator: string, left: Operand, right: Operand): Proof => {
  const [side, other] = left.variable === undefined ? [right, left] : [left, right]
  if (side.variable === undefined || other.literal === undefined || other.literal === "empty") return nothing
  const present = new Set([side.variable])
  if (operator === "!=")
    return other.literal === "nil" ? { holds: present, fails: none } : { holds: none, fails: present }
  if (other.literal === "nil") return operator === "==" ? { holds: none, fails: present } : nothing
  return operator !== "contains" || side === left ? { holds: present, fails: none } : nothing
}

const combined = (operator: string, left: Operand, right: Operand): Proof => {
  if (operator === "and") return { holds: left.holds.union(right.holds), fails: left.fails.intersection(right.fails) }
  if (operator === "or") return { holds: left.holds.intersection(right.holds), fails: left.fails.union(right.fails) }
  return compared(operator, left, right)
}

/** Checks the complete expression of a tag or an output. */
const readAll = (tokenizer: Tokenizer, end: number): FilteredValueToken => {
  const value = tokenizer.readFilteredValue()
  tokenizer.skipBlank()
  tokenizer.assert(tokenizer.p >= end, `unexpected ${tokenizer.snapshot()}`)
  return value
}

/** Checks the filters of a value; returns the variable that may still be missing after them. */
const filtered = (
  value: FilteredValueToken,
  unproven: (variable: string) => boolean,
  missing: string | undefined,
  notes: Notes
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
      if (!Array.isArray(arg)) return arg === undefined ? nothing : operandOf(arg, notes)
      notes.report(`The filter "${filter.name}" takes no named argument.`, filter.begin)
      return nothing
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
  proven: Names,
  notes: Notes
): { readonly variable?: string | undefined; readonly missing?: string | undefined } => {
  const value = readAll(tokenizer, end)
  const [token, ...rest] = value.initial.postfix
  if (token === undefined || rest.length > 0) {
    notes.report(`Print one variable at a time, such as {{ first_name }}.`, value.begin)
    return {}
  }
  if (TypeGuards.isLiteralToken(token)) notes.report(`"${token.getText()}" cannot be printed.`, token.begin)
  const unproven = (variable: string) => variable !== "email" && !proven.has(variable)
  const { variable } = operandOf(token, notes)
  const missing = variable !== undefined && unproven(variable) ? variable : undefined
  return { variable, missing: filtered(value, unproven, missing, notes) }
}

/** Checks a condition. */
export const checkCondition = (tokenizer: Tokenizer, end: number, notes: Notes): Operand => {
  const value = readAll(tokenizer, end)
  const stack: Array<Operand> = []
  for (const token of value.initial.postfix) {
    if (!TypeGuards.isOperatorToken(token)) {
      stack.push(operandOf(token, notes))
      continue
    }
    const right = stack.pop()
    const left = token.operator === "not" ? right : stack.pop()
    if (right === undefined || left === undefined) {
      notes.report(`Something is missing before or after "${token.operator}".`, token.begin)
      return nothing
    }
    stack.push(
      token.operator === "not" ? { holds: right.fails, fails: right.holds } : combined(token.operator, left, right)
    )
  }
  const [result, ...rest] = stack
  if (result === undefined || rest.length > 0) {
    notes.report("Join two conditions with and, or, or a comparison.", value.begin)
    return nothing
  }
  filtered(value, () => false, undefined, notes)
  // A filter such as `default` gives a missing variable a value, so a filtered condition proves nothing.
  return value.filters.length === 0 ? result : nothing
}

/** Checks the values of `{% when … %}`, which are separated by commas or `or`. Returns whether each of them is a value. */
export const checkWhen = (tokenizer: Tokenizer, end: number, notes: Notes): boolean => {
  let values = true
  for (;;) {
    const token = tokenizer.readValueOrThrow()
    const { literal } = operandOf(token, notes)
    if (literal === undefined) notes.report("Compare with a text in quotes or a number.", token.begin)
    values &&= literal === "value"
    tokenizer.skipBlank()
    if (tokenizer.p >= end) return values
    const separator = tokenizer.peek() === "," ? "," : tokenizer.readIdentifier().getText()
    tokenizer.assert(separator === "," || separator === "or", `expected "," or "or"`)
    if (separator === ",") tokenizer.advance()
  }
}
