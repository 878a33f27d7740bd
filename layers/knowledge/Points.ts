// layers/knowledge/Points.ts: lists of what there is to say, and nothing where there is none of it.
import { renderBullets } from "#layers/text/Markdown.ts"

export const labelled = (rows: ReadonlyArray<readonly [string, string | null]>) =>
  renderBullets(rows.flatMap(([label, value]) => ((value ?? "").trim() === "" ? [] : [`**${label}:** ${value}`])))
