// scripts/bench/peer/Selections.ts: stores a selection of a campaign, and reopens the steps that depend on it, in one
// transaction.
import { iso, isUuid, transaction, writer } from "./Database.ts"
import { app, badRequest, notFound, objectSchema, RequestError, stringSchema, integerSchema } from "./App.ts"

const types = ["social_proof", "lead_magnet", "risk_reversal"]

const selectCampaign = writer.prepare("SELECT * FROM campaigns WHERE id = ? AND workspace_id = ?")
const selectAnyCampaign = writer.prepare("SELECT id FROM campaigns WHERE id = ?")

/** Runs in a transaction. */
export const findCampaign = (workspace: string, id: string) => {
  const campaign = isUuid(id) ? selectCampaign.get(id, workspace) : undefined
  if (campaign !== undefined) return campaign
  if (selectAnyCampaign.get(id) === undefined) throw notFound("campaign")
  throw new RequestError(403, "FORBIDDEN", "This campaign belongs to another workspace")
}

const selectOptions = writer.prepare(`
  SELECT id, name, description, type FROM asset_options
  WHERE workspace_id = ? AND type = ? AND campaign_id IS NULL ORDER BY position, id`)
const selectSelection = writer.prepare(`
  SELECT items, additional_details FROM selections WHERE campaign_id = ? AND workspace_id = ? AND type = ?`)
const upsertSelection = writer.prepare(`
  INSERT INTO selections (campaign_id, workspace_id, type, items, additional_details, updated_at)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (campaign_id, type) DO UPDATE
  SET items = EXCLUDED.items, additional_details = EXCLUDED.additional_details, updated_at = EXCLUDED.updated_at`)
const resetCampaign = writer.prepare(`
  UPDATE campaigns SET selected = 0, build = 'none', build_job = NULL, updated_at = ?
  WHERE id = ? AND workspace_id = ?`)
const parkJobs = writer.prepare(`
  UPDATE jobs SET status = 'parked', gate = NULL, updated_at = ? WHERE gate = ? AND workspace_id = ?`)
const parkLists = writer.prepare(`
  UPDATE lists SET processing_status = 'pending', updated_at = ?
  WHERE campaign_id = ? AND workspace_id = ? AND brief IS NULL AND processing_status = 'processing'`)

interface Input {
  readonly selected_ids: ReadonlyArray<string>
  readonly edited_names?: Readonly<Record<string, string>> | null
  readonly edited_descriptions?: Readonly<Record<string, string>> | null
  readonly additional_details?: string | null
}

const selectedItems = (workspace: string, type: string, input: Input) => {
  const byId = new Map(selectOptions.all(workspace, type).map((option) => [option["id"], option]))
  const ids = [...new Set(input.selected_ids)]
  const unknown_ids = ids.filter((id) => !byId.has(id))
  if (unknown_ids.length > 0) {
    const message = `selected_ids: ${unknown_ids.length} of these are not among the options of ${type}`
    throw new RequestError(400, "BAD_REQUEST", message, { unknown_ids })
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

const editsSchema = { type: ["object", "null"], additionalProperties: { type: "string", maxLength: 2000 } }

app.put<{ readonly Params: { readonly id: string; readonly type: string }; readonly Body: Input }>(
  "/api/v1/campaigns/:id/assets/:type/selection",
  {
    config: { scope: "campaigns:write" },
    schema: {
      body: objectSchema(
        {
          selected_ids: { type: "array", maxItems: 100, items: stringSchema },
          edited_names: editsSchema,
          edited_descriptions: editsSchema,
          additional_details: { type: ["string", "null"], maxLength: 10_000 }
        },
        ["selected_ids"]
      ),
      response: { 200: objectSchema({ asset_type: stringSchema, items_stored: integerSchema }) }
    }
  },
  async ({ body, caller: { workspace }, params: { id, type } }) => {
    if (!types.includes(type)) throw notFound("step")
    for (const [field, edits] of Object.entries({
      edited_names: body.edited_names,
      edited_descriptions: body.edited_descriptions
    })) {
      const unknownId = Object.keys(edits ?? {}).find((key) => !body.selected_ids.includes(key))
      if (unknownId !== undefined) throw badRequest(`${field}.${unknownId}: is not one of selected_ids`)
    }
    const items_stored = await transaction(() => {
      const campaign = findCampaign(workspace, id)
      const items = selectedItems(workspace, type, body)
      const text = JSON.stringify(items)
      const details = body.additional_details ?? null
      const previous = selectSelection.get(id, workspace, type)
      if (previous?.["items"] === text && previous["additional_details"] === details) return items.length
      const timestamp = iso(Date.now())
      upsertSelection.run(id, workspace, type, text, details, timestamp)
      resetCampaign.run(timestamp, id, workspace)
      if (campaign["build"] === "processing") {
        parkJobs.run(timestamp, `build:${id}`, workspace)
        parkLists.run(timestamp, id, workspace)
      }
      return items.length
    })
    return { asset_type: type, items_stored }
  }
)
