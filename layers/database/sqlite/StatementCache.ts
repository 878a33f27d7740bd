// layers/database/sqlite/StatementCache.ts: caches the compiled text of each statement, so that equal statements share
// a string and with it a prepared statement.
import { Statement } from "effect/sql"

/** A node of the trie: the segments of a statement so far. */
interface TransactionStart {
  readonly literals: Map<string, TransactionStart>
  parameter: TransactionStart | undefined
  /** The compiled text of the statement that ends here. */
  text: string | undefined
}

const beginning = (): TransactionStart => ({ literals: new Map(), parameter: undefined, text: undefined })

/** The trie is cleared at this size. Only generated statement texts reach it. */
const maxStatements = 10_000

/** A compiler that returns the same results as `compiler` and compiles each statement once. */
export const cacheStatements = (compiler: Statement.Compiler): Statement.Compiler => {
  let root = beginning()
  let size = 0

  const after = (at: TransactionStart, segment: Statement.Segment): TransactionStart | undefined => {
    if (segment._tag === "Parameter") return (at.parameter ??= (size++, beginning()))
    if (segment._tag !== "Literal" || segment.params !== undefined) return undefined
    const known = at.literals.get(segment.value)
    if (known !== undefined) return known
    const made = beginning()
    at.literals.set(segment.value, made)
    size++
    return made
  }

  const compile: Statement.Compiler["compile"] = (statement, withoutTransform) => {
    const values: Array<unknown> = []
    let at = root
    for (const segment of statement.segments) {
      const next = after(at, segment)
      // Not cached, because a parameter list makes a different text each time.
      if (next === undefined) return compiler.compile(statement, withoutTransform)
      if (segment._tag === "Parameter") values.push(segment.value)
      at = next
    }
    at.text ??= compiler.compile(statement, withoutTransform)[0]
    const { text } = at
    if (size > maxStatements) {
      root = beginning()
      size = 0
    }
    return [text, values]
  }
  const self: Statement.Compiler = {
    dialect: compiler.dialect,
    compile,
    get withoutTransform() {
      return self
    }
  }
  return self
}
