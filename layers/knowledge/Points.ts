// layers/knowledge/Points.ts: lists of what there is to say, and nothing where there is none of it.
import { bullets } from "#layers/text/Markdown.ts"

export const list = (items: ReadonlyArray<string>) => (items.length === 0 ? undefined : bullets(items))

export const labelled = (rows: ReadonlyArray<readonly [string, string | null]>) =>
  list(rows.flatMap(([label, value]) => ((value ?? "").trim() === "" ? [] : [`**${label}:** ${value}`])))
