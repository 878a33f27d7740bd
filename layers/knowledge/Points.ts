// layers/knowledge/Points.ts: lists of what there is to say, and nothing where there is none of it.
import { list } from "#layers/text/Markdown.ts"

export const labelled = (rows: ReadonlyArray<readonly [string, string | null]>) =>
  list(rows.flatMap(([label, value]) => ((value ?? "").trim() === "" ? [] : [`**${label}:** ${value}`])))
