// layers/campaigns/Choose.ts: from what a caller submits for a step to what is stored of it.
import { Effect } from "effect"
import type { AssetOption, AssetType } from "#schema/Assets.ts"
import type { SelectionInput } from "#schema/Build.ts"
import { BadRequest } from "#schema/Errors.ts"

/** Refuses edits of what is not selected; the body alone shows them. */
export const checkEdits = ({ edited_descriptions, edited_names, selected_ids }: SelectionInput) => {
  for (const [field, edits] of Object.entries({ edited_names, edited_descriptions })) {
    const stray = Object.keys(edits ?? {}).find((id) => !selected_ids.includes(id))
    if (stray !== undefined) return Effect.fail(BadRequest.at(`${field}.${stray}`, "is not one of selected_ids"))
  }
  return Effect.void
}

/** The chosen options with the caller's edits applied, in the order chosen and each once. */
export const choose = (
  type: AssetType,
  options: ReadonlyArray<AssetOption>,
  input: SelectionInput
): Effect.Effect<ReadonlyArray<AssetOption>, BadRequest> => {
  const ids = [...new Set(input.selected_ids)]
  const byId = new Map(options.map((option) => [option.id, option]))
  const unknown_ids = ids.filter((id) => !byId.has(id))
  if (unknown_ids.length > 0) {
    const message = `selected_ids: ${unknown_ids.length} of these are not among the options of ${type}`
    return Effect.fail(new BadRequest({ message, detail: { unknown_ids } }))
  }
  const names = input.edited_names ?? {}
  const descriptions = input.edited_descriptions ?? {}
  const chosen = ids.flatMap((id) => {
    const option = byId.get(id)
    if (option === undefined) return []
    return [{ ...option, name: names[id] ?? option.name, description: descriptions[id] ?? option.description }]
  })
  return Effect.succeed(chosen)
}
