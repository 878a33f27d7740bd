// test/support/statements.ts: every SQL statement that runs, and which of them do not say whose rows they mean.
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { ofTheTest } from "./dump.ts"

const root = join(import.meta.dirname, "../..")

const oneLine = (sql: string) => sql.replace(/\s+/g, " ").trim()

/** The text of a template from its first character on, with a `?` for whatever is put into it. */
const template = (source: string, from: number) => {
  let text = ""
  for (let at = from, depth = 0; at < source.length; at++) {
    const letter = source[at]
    if (depth === 0 && letter === "`") return oneLine(text)
    if (depth === 0 && letter === "$" && source[at + 1] === "{") {
      text += "?"
      depth = 1
      at++
    } else if (depth > 0) depth += letter === "{" ? 1 : letter === "}" ? -1 : 0
    else text += letter
  }
  throw new Error("A template does not end")
}

/** Every statement that the sources hold; migrations speak of no rows. */
export const written: ReadonlySet<string> = new Set(
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

/** Whether a written statement is put together from parts that only running it shows. */
export const isOpen = (sql: string) => /\bWHERE \?|\bSELECT \? (WHERE|ORDER)|^INSERT INTO \S+ \?|\bAND \?/.test(sql)

/** Whether the one that ran is the one that is written. */
export const isOf = (ran: string, sql: string) =>
  new RegExp(
    `^${sql
      .split("?")
      .map((part) => part.replace(/[.*+^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "s"
  ).test(ran)

/** Remembers each statement from now on, in whatever database; one that is prepared again counts once. */
export const record = (): ReadonlySet<string> => {
  const seen = new Set<string>()
  const prepare = DatabaseSync.prototype.prepare
  DatabaseSync.prototype.prepare = function (sql) {
    if (!sql.includes(ofTheTest)) seen.add(oneLine(sql))
    return prepare.call(this, sql)
  }
  return seen
}

/** A statement and each query within it, without those within that; what a UNION joins stands alone too. */
export const parts = (sql: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let rest = sql
  for (;;) {
    // The innermost parentheses come first.
    const inner = /\(([^()]*)\)/.exec(rest)
    if (inner === null) break
    const [whole, text = ""] = inner
    const isQuery = /^\s*SELECT\b/i.test(text)
    if (isQuery) found.push(restored(text))
    rest = rest.replace(whole, () => (isQuery ? "‹query›" : `‹${text}›`))
  }
  return [...found, restored(rest)].flatMap((part) => part.split(/\bUNION(?: ALL)?\b/i)).map((part) => part.trim())
}

const restored = (text: string) => text.replaceAll("‹", "(").replaceAll("›", ")")

/** Tables of a workspace that a part reads or writes without saying of which workspace. */
export const unowned = (part: string, owned: ReadonlySet<string>): ReadonlyArray<string> => {
  const named = [...part.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+"?(\w+)"?/gi)].map(([, table = ""]) => table)
  const theirs = named.filter((table) => owned.has(table))
  const insert = /^INSERT INTO\s+\S+\s*\(([^)]*)\)/i.exec(part)
  const said = [
    ...part.matchAll(/\bworkspace_id"?\s*=\s*(?:\?|\w+\.(?:workspace_)?id)/gi),
    ...part.matchAll(/\bworkspaces\b.*\bid\s*=\s*\?/gi),
    ...(insert?.[1]?.includes("workspace_id") || /^INSERT INTO\s+"?workspaces\b/i.test(part) ? [insert] : [])
  ].length
  return theirs.length > said ? theirs : []
}
