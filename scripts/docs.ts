// scripts/docs.ts: writes the table of settings in docs/reference/configuration.md from the code.
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { settings } from "#src/settings.ts"

/** The folder to write to; a test passes a copy. */
const docs = process.argv[2] ?? join(import.meta.dirname, "../docs/reference")

const heads = ["Variable", "Default", ""]
const rows = settings.map(({ defaultText, description, name }) => [`\`${name}\``, defaultText, description])

const line = (cells: ReadonlyArray<string>) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`

const path = join(docs, "configuration.md")
const table = [heads, heads.map(() => "---"), ...rows].map(line).join("\n")
const [before, rest] = readFileSync(path, "utf8").split("<!-- settings -->")
const after = rest?.split("<!-- end -->")[1]
if (after === undefined)
  throw new Error("docs/reference/configuration.md has no <!-- settings --> followed by <!-- end -->")
writeFileSync(path, `${before}<!-- settings -->\n\n${table}\n\n<!-- end -->${after}`)
execFileSync("oxfmt", ["-c", join(import.meta.dirname, "../.oxfmtrc.json"), path], { stdio: "ignore" })
