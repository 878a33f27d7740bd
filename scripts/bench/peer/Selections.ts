// scripts/bench/peer/Selections.ts: stores a selection of a campaign, and reopens the steps that depend on it, in one
// transaction.
import { iso, isUuid, transaction, writer } from "./Database.ts"
import { app, badRequest, notFound, object, Refused, text, whole } from "./Shell.ts"

const types = ["social_proof", "lead_magnet", "risk_reversal"]

const one = writer.prepare("SELECT * FROM campaigns WHERE id = ? AND workspace_id = ?")
const elsewhere = writer.prepare("SELECT id FROM campaigns WHERE id = ?")

/** Runs in a transaction. */
export const campaignOf = (workspace: string, id: string) => {
  const found = isUuid(id) ? one.get(id, workspace) : undefined
  if (found !== undefined) return found
  if (elsewhere.get(id) === undefined) throw notFound("campaign")
  throw new Refused(403, "FORBIDDEN", "This campaign belongs to another workspace")
}

const options = writer.prepare(`
  SELECT id, name, description, type FROM asset_options
  WHERE workspace_id = ? AND type = ? AND campaign_id IS NULL ORDER BY position, id`)
const chosen = writer.prepare(`
  SELECT items, additional_details FROM selections WHERE campaign_id = ? AND workspace_id = ? AND type = ?`)
const store = writer.prepare(`
  INSERT INTO selections (campaign_id, workspace_id, type, items, additional_details, updated_at)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (campaign_id, type) DO UPDATE
  SET items = EXCLUDED.items, additional_details = EXCLUDED.additional_details, updated_at = EXCLUDED.updated_at`)
const reopen = writer.prepare(`
  UPDATE campaigns SET selected = 0, build = 'none', build_job = NULL, updated_at = ?
  WHERE id = ? AND workspace_id = ?`)
const restJobs = writer.prepare(`
  UPDATE jobs SET status = 'parked', gate = NULL, updated_at = ? WHERE gate = ? AND workspace_id = ?`)
const restLists = writer.prepare(`
  UPDATE lists SET processing_status = 'pending', updated_at = ?
  WHERE campaign_id = ? AND workspace_id = ? AND brief IS NULL AND processing_status = 'processing'`)

interface Input {
  readonly selected_ids: ReadonlyArray<string>
  readonly edited_names?: Readonly<Record<string, string>> | null
  readonly edited_descriptions?: Readonly<Record<string, string>> | null
  readonly additional_details?: string | null
}

const choose = (workspace: string, type: string, input: Input) => {
  const byId = new Map(options.all(workspace, type).map((option) => [option["id"], option]))
  const ids = [...new Set(input.selected_ids)]
  const unknown_ids = ids.filter((id) => !byId.has(id))
  if (unknown_ids.length > 0) {
    const message = `selected_ids: ${unknown_ids.length} of these are not among the options of ${type}`
    throw new Refused(400, "BAD_REQUEST", message, { unknown_ids })
  }
  return ids.map((id) => {
    const option = byId.get(id)
    return {
      ...option,
      name: input.edited_names?.[id] ?? option?.["name"],
      description: input.edited_descriptions?.[id] ?? option?.["description"]
    }
  })
}

const edits = { type: ["object", "null"], additionalProperties: { type: "string", maxLength: 2000 } }

app.put<{ readonly Params: { readonly id: string; readonly type: string }; readonly Body: Input }>(
  "/api/v1/campaigns/:id/assets/:type/selection",
  {
    config: { scope: "campaigns:write" },
    schema: {
      body: object(
        {
          selected_ids: { type: "array", maxItems: 100, items: text },
          edited_names: edits,
          edited_descriptions: edits,
          additional_details: { type: ["string", "null"], maxLength: 10_000 }
        },
        ["selected_ids"]
      ),
      response: { 200: object({ asset_type: text, items_stored: whole }) }
    }
  },
  async ({ body, caller: { workspace }, params: { id, type } }) => {
    if (!types.includes(type)) throw notFound("step")
    for (const [field, all] of Object.entries({
      edited_names: body.edited_names,
      edited_descriptions: body.edited_descriptions
    })) {
      const stray = Object.keys(all ?? {}).find((key) => !body.selected_ids.includes(key))
      if (stray !== undefined) throw badRequest(`${field}.${stray}: is not one of selected_ids`)
    }
    const items_stored = await transaction(() => {
      const campaign = campaignOf(workspace, id)
      const items = choose(workspace, type, body)
      const text = JSON.stringify(items)
      const details = body.additional_details ?? null
      const before = chosen.get(id, workspace, type)
      if (before?.["items"] === text && before["additional_details"] === details) return items.length
      const at = iso(Date.now())
      store.run(id, workspace, type, text, details, at)
      reopen.run(at, id, workspace)
      if (campaign["build"] === "processing") {
        restJobs.run(at, `build:${id}`, workspace)
        restLists.run(at, id, workspace)
      }
      return items.length
    })
    return { asset_type: type, items_stored }
  }
)
