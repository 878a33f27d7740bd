// test/support/statements.ts: records SQL statements, and finds those that are not restricted to one workspace.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { testMarker } from "./dump.ts"

const root = join(import.meta.dirname, "../..")

const oneLine = (sql: string) => sql.replace(/\s+/g, " ").trim()

/** The text of the template literal that starts at `from`, with `?` for each placeholder. */
const template = (source: string, from: number) => {
  let text = ""
  for (let index = from, depth = 0; index < source.length; index++) {
    const char = source[index]
    if (depth === 0 && char === "`") return oneLine(text)
    if (depth === 0 && char === "$" && source[index + 1] === "{") {
      text += "?"
      depth = 1
      index++
    } else if (depth > 0) depth += char === "{" ? 1 : char === "}" ? -1 : 0
    else text += char
  }
  throw new Error("A template does not end")
}

/** All statements in the sources, except migrations, which do not belong to a workspace. */
export const sourceStatements: ReadonlySet<string> = new Set(
  globSync(["layers/**/*.ts", "src/**/*.ts"], { cwd: root })
    .filter((file) => !file.includes("migrations"))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), "utf8")
      return [...source.matchAll(/\bsql(?:<[^`]*?>)?`/g)].map(({ 0: start, index }) =>
        template(source, index + start.length)
      )
    })
    .filter((sql) => /^(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(sql))
)

/** Whether a statement has placeholders for SQL, so that its text is only known when it runs. */
export const isComposed = (sql: string) => /\bWHERE \?|\bSELECT \? (WHERE|ORDER)|^INSERT INTO \S+ \?|\bAND \?/.test(sql)

/** Whether an executed statement comes from this statement in the sources. */
export const isStatement = (ran: string, sql: string) =>
  new RegExp(
    `^${sql
      .split("?")
      .map((part) => part.replace(/[.*+^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "s"
  ).test(ran)

/** Records every distinct statement that is prepared from now on, in any database. */
export const recordStatements = (): ReadonlySet<string> => {
  const seen = new Set<string>()
  const prepare = DatabaseSync.prototype.prepare
  DatabaseSync.prototype.prepare = function (sql) {
    if (!sql.includes(testMarker)) seen.add(oneLine(sql))
    return prepare.call(this, sql)
  }
  return seen
}

/** Splits a statement into its queries: each subquery and each part of a UNION on its own. */
export const queriesIn = (sql: string): ReadonlyArray<string> => {
  const queries: Array<string> = []
  let rest = sql
  for (;;) {
    // The innermost parentheses come first.
    const inner = /\(([^()]*)\)/.exec(rest)
    if (inner === null) break
    const [whole, text = ""] = inner
    const isQuery = /^\s*SELECT\b/i.test(text)
    if (isQuery) queries.push(restoreParentheses(text))
    rest = rest.replace(whole, () => (isQuery ? "‹query›" : `‹${text}›`))
  }
  return [...queries, restoreParentheses(rest)]
    .flatMap((part) => part.split(/\bUNION(?: ALL)?\b/i))
    .map((part) => part.trim())
}

const restoreParentheses = (text: string) => text.replaceAll("‹", "(").replaceAll("›", ")")

/** The tables with workspace data that a query accesses without a condition on the workspace. */
export const unscopedTables = (part: string, tablesWithOwner: ReadonlySet<string>): ReadonlyArray<string> => {
  const namedTables = [...part.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+"?(\w+)"?/gi)].map(([, table = ""]) => table)
  const workspaceTables = namedTables.filter((table) => tablesWithOwner.has(table))
  const insert = /^INSERT INTO\s+\S+\s*\(([^)]*)\)/i.exec(part)
  const scopeCount = [
    ...part.matchAll(/\bworkspace_id"?\s*=\s*(?:\?|\w+\.(?:workspace_)?id)/gi),
    ...part.matchAll(/\bworkspaces\b.*\bid\s*=\s*\?/gi),
    ...(insert?.[1]?.includes("workspace_id") || /^INSERT INTO\s+"?workspaces\b/i.test(part) ? [insert] : [])
  ].length
  return workspaceTables.length > scopeCount ? workspaceTables : []
}
