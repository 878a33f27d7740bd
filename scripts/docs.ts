// scripts/docs.ts: the tables of docs/ that are made from the code: what can be set, and what an email is judged by.
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rules } from "#layers/generator/Rules.ts"
import { settings } from "#src/settings.ts"

/** Whose tables they are; a test gives a copy. */
const docs = process.argv[2] ?? join(import.meta.dirname, "../docs")

const tables = {
  "configuration.md": {
    mark: "settings",
    heads: ["Variable", "Default", ""],
    rows: settings.map(({ meaning, name, otherwise }) => [`\`${name}\``, otherwise, meaning])
  },
  "writing.md": {
    mark: "rules",
    heads: ["Rule", "", "In", ""],
    rows: rules.map(({ applies_to, id, instruction, severity }) => [id, `${severity}s`, applies_to, instruction])
  }
}

const line = (cells: ReadonlyArray<string>) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`

for (const [file, { heads, mark, rows }] of Object.entries(tables)) {
  const path = join(docs, file)
  const table = [heads, heads.map(() => "---"), ...rows].map(line).join("\n")
  const [before, rest] = readFileSync(path, "utf8").split(`<!-- ${mark} -->`)
  const after = rest?.split("<!-- end -->")[1]
  if (after === undefined) throw new Error(`docs/${file} does not say where its table of ${mark} stands`)
  writeFileSync(path, `${before}<!-- ${mark} -->\n\n${table}\n\n<!-- end -->${after}`)
}
execFileSync(
  "oxfmt",
  ["-c", join(import.meta.dirname, "../.oxfmtrc.json"), ...Object.keys(tables).map((file) => join(docs, file))],
  { stdio: "ignore" }
)
