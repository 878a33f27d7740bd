// layers/generator/playbook/TemplateCheck.ts: finds the errors of a Liquid template before it is rendered.
import { type Tokenizer as LiquidTokenizer, Tokenizer, type TagToken, type TopLevelToken, TypeGuards } from "liquidjs"
import {
  checkCondition,
  checkOutput,
  checkWhen,
  type VariableNames,
  type CheckReporter,
  type ProvenVariables
} from "#layers/generator/playbook/LiquidExpressions.ts"

export interface TemplateFault {
  readonly message: string
  /** Offset in the template. */
  readonly offset: number
  /** Whether the template can still be rendered for a lead that has the value. */
  readonly onlyMissing: boolean
}

/** An `if`, `unless` or `case` that is not closed yet. */
interface Block {
  readonly name: "if" | "unless" | "case"
  readonly offset: number
  /** Variables proven at the start of the block, and after each of its conditions has failed. */
  provenOutside: VariableNames
  provenInside: VariableNames
  /** The value that a `case` compares. */
  variable: string | undefined
  branchCount: number
  hasElse: boolean
}

const noVariables: VariableNames = new Set()
const maxDepth = 8
const maxFaults = 20

const contentEnd = (token: TopLevelToken): number =>
  TypeGuards.isDelimitedToken(token) ? token.contentRange[1] : token.end

/** The library's messages end with their own position, and some with what was expected next. */
const describeError = (error: unknown): string => {
  const text = error instanceof Error ? error.message.replace(/, (?:file:[^\n]*, )?line:\d+, col:\d+$/, "") : ""
  if (/^output .* not closed$/s.test(text)) return '"{{" is not closed with "}}".'
  if (/^tag .* not closed$/s.test(text)) return '"{%" is not closed with "%}".'
  if (/^raw .* not closed$/s.test(text)) return unknownTagMessage("raw")
  return `Syntax error: ${text}.`
}

const unknownTagMessage = (name: string): string =>
  `Unknown tag "${name}". The tags are if, unless, elsif, else and case/when.`

const positionOf = (error: unknown, fallback: number): number => {
  const token = typeof error === "object" && error !== null && "token" in error ? error.token : undefined
  return typeof token === "object" && token !== null && "begin" in token && typeof token.begin === "number"
    ? token.begin
    : fallback
}

/** The result of checking a template. */
export interface CheckResult {
  readonly faults: ReadonlyArray<TemplateFault>
  /** The variables that the template reads. */
  readonly variables: VariableNames
}

class TemplateChecker {
  readonly faults: Array<TemplateFault> = []
  readonly variables = new Set<string>()
  readonly #blocks: Array<Block> = []

  readonly #reporter: CheckReporter = {
    report: (message, offset) => this.#report(message, offset),
    uses: (variable) => this.variables.add(variable)
  }

  #report(message: string, offset: number): void {
    if (this.faults.length < maxFaults) this.faults.push({ message, offset, onlyMissing: false })
  }

  get #proven(): VariableNames {
    return this.#blocks.at(-1)?.provenInside ?? noVariables
  }

  token(token: TopLevelToken): void {
    const block = this.#blocks.at(-1)
    const isUnreachable = block?.name === "case" && block.branchCount === 0
    try {
      if (TypeGuards.isTagToken(token)) this.#tag(token)
      else if (TypeGuards.isOutputToken(token)) this.#output(token)
      else {
        const stray = /[}%]\}/.exec(token.getText())
        if (stray !== null) {
          this.#report(`"${stray[0]}" has no opening "${stray[0] === "}}" ? "{{" : "{%"}".`, token.begin + stray.index)
        }
      }
      if (isUnreachable && !TypeGuards.isTagToken(token) && token.getText().trim() !== "") {
        this.#report(`Text between "case" and "when" is never used.`, token.begin)
      }
    } catch (error) {
      this.#report(describeError(error), positionOf(error, token.begin))
    }
  }

  reportUnclosed(): void {
    for (const { offset: at, name } of this.#blocks) this.#report(`"${name}" is not closed with "end${name}".`, at)
  }

  #output(token: TopLevelToken): void {
    const end = contentEnd(token)
    const begin = TypeGuards.isDelimitedToken(token) ? token.contentRange[0] : token.begin
    const tokenizer = new Tokenizer(token.input, undefined, undefined, [begin, end])
    const { missing } = checkOutput(tokenizer, end, this.#proven, this.#reporter)
    if (missing === undefined || this.faults.length >= maxFaults) return
    this.faults.push({
      message:
        `"${missing}" may be missing. Give it a default, as in {{ ${missing} | default: "…" }}, ` +
        `or put it inside {% if ${missing} %} … {% endif %}.`,
      offset: token.begin,
      onlyMissing: true
    })
  }

  #tag(token: TagToken): void {
    const { name, tokenizer } = token
    const end = contentEnd(token)
    if (name === "if" || name === "unless" || name === "case") return this.#open(name, token, tokenizer, end)
    if (name === "endif" || name === "endunless" || name === "endcase") return this.#close(name, token)
    if (name !== "elsif" && name !== "else" && name !== "when")
      return this.#report(unknownTagMessage(name), token.begin)
    const block = this.#blocks.at(-1)
    const isAllowed = block !== undefined && (name === "else" || (name === "when") === (block.name === "case"))
    if (!isAllowed) {
      return this.#report(`"${name}" is not inside "${name === "when" ? "case" : "if"}".`, token.begin)
    }
    if (block.hasElse) return this.#report(`"${name}" comes after "else".`, token.begin)
    this.#branch(block, name, token, tokenizer, end)
  }

  #open(name: Block["name"], token: TagToken, tokenizer: LiquidTokenizer, end: number): void {
    const provenOutside = this.#proven
    const block: Block = {
      name,
      offset: token.begin,
      provenOutside,
      provenInside: provenOutside,
      variable: undefined,
      branchCount: 0,
      hasElse: false
    }
    // The block is recorded even if its condition has an error, so that its end is not reported as another error.
    this.#blocks.push(block)
    const condition = checkCondition(tokenizer, end, this.#reporter)
    if (name === "case") block.variable = condition.variable
    else {
      const isUnless = name === "unless"
      block.provenOutside = provenOutside.union(isUnless ? condition.holds : condition.fails)
      block.provenInside = provenOutside.union(isUnless ? condition.fails : condition.holds)
    }
    if (this.#blocks.length > maxDepth) this.#report(`Tags are nested more than ${maxDepth} deep.`, token.begin)
  }

  #branch(
    block: Block,
    name: "elsif" | "else" | "when",
    token: TagToken,
    tokenizer: LiquidTokenizer,
    end: number
  ): void {
    block.branchCount++
    block.provenInside = block.provenOutside
    if (name === "else") {
      block.hasElse = true
      if (token.args.trim() !== "") this.#report('"else" takes no condition. Use "elsif" for one.', token.begin)
    } else if (name === "when") {
      const areValues = checkWhen(tokenizer, end, this.#reporter)
      if (areValues && block.variable !== undefined)
        block.provenInside = block.provenOutside.union(new Set([block.variable]))
    } else {
      const proof: ProvenVariables = checkCondition(tokenizer, end, this.#reporter)
      block.provenInside = block.provenOutside.union(proof.holds)
      block.provenOutside = block.provenOutside.union(proof.fails)
    }
  }

  #close(name: string, token: TagToken): void {
    const block = this.#blocks.pop()
    if (block === undefined) return this.#report(`"${name}" closes nothing.`, token.begin)
    if (`end${block.name}` !== name) {
      this.#report(`"${name}" stands where "end${block.name}" is expected.`, token.begin)
    }
    if (token.args.trim() !== "") this.#report(`"${name}" takes nothing after its name.`, token.begin)
    if (block.name === "case" && block.branchCount === 0) this.#report('"case" has no "when".', block.offset)
  }
}

/** Checks a template; the caller must have limited its size. */
export const checkTemplate = (source: string): CheckResult => {
  const checker = new TemplateChecker()
  try {
    for (const token of new Tokenizer(source).readTopLevelTokens()) checker.token(token)
    checker.reportUnclosed()
  } catch (error) {
    const raw = source.search(/\{%-?\s*raw\b/)
    // The library reports an open "raw" where its text starts.
    const offset = describeError(error) === unknownTagMessage("raw") ? raw : positionOf(error, 0)
    checker.faults.push({ message: describeError(error), offset, onlyMissing: false })
  }
  return { faults: checker.faults.toSorted((one, other) => one.offset - other.offset), variables: checker.variables }
}
