// layers/knowledge/LabeledBullets.ts: renders lists of points; nothing if they are empty.
import { renderBullets } from "#layers/text/Markdown.ts"

export const renderLabeledBullets = (rows: ReadonlyArray<readonly [string, string | null]>) =>
  renderBullets(rows.flatMap(([label, value]) => ((value ?? "").trim() === "" ? [] : [`**${label}:** ${value}`])))
