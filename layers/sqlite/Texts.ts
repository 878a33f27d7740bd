// layers/sqlite/Texts.ts: the texts of statements, each put together once: where a statement is met again, so is its text,
// which need not be read once more to find what was prepared for it.
import { Statement } from "effect/sql"

/** How a statement may go on from here. */
interface Beginning {
  readonly literals: Map<string, Beginning>
  parameter: Beginning | undefined
  /** The text of a statement that ends here. */
  text: string | undefined
}

const beginning = (): Beginning => ({ literals: new Map(), parameter: undefined, text: undefined })

/** Beginnings that are kept; a program has fewer, unless it makes its texts up. */
const most = 10_000

/** The same statements as `compiler` makes. */
export const remembering = (compiler: Statement.Compiler): Statement.Compiler => {
  let root = beginning()
  let size = 0

  const after = (at: Beginning, segment: Statement.Segment): Beginning | undefined => {
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
      // What has as many parameters as it is given is another text each time.
      if (next === undefined) return compiler.compile(statement, withoutTransform)
      if (segment._tag === "Parameter") values.push(segment.value)
      at = next
    }
    at.text ??= compiler.compile(statement, withoutTransform)[0]
    const { text } = at
    if (size > most) {
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
