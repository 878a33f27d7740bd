// scripts/bench/peer/Lists.ts: reads a single list.
import { isUuid, reader } from "./Database.ts"
import { app, notFound, object, text, textOrNull, whole } from "./Shell.ts"

const one = reader.prepare("SELECT * FROM lists WHERE id = ? AND workspace_id = ?")

const List = object({
  id: text,
  campaign_id: textOrNull,
  custom_name: textOrNull,
  processing_status: text,
  created_at: text,
  updated_at: text,
  completed_at: text,
  leads_count: whole,
  emails_created: whole,
  processed_file_path: textOrNull,
  failed_at: text,
  progress: object({ leads_total: whole, leads_done: whole, leads_failed: whole })
})

const stateOf = (row: Record<string, unknown>) => {
  const { completed_at, emails_created, failed_at, id, leads_count, leads_done, leads_failed, processing_status } = row
  if (processing_status === "completed") {
    return { completed_at, leads_count, emails_created, processed_file_path: `lists/${String(id)}.csv` }
  }
  if (processing_status === "failed") return { failed_at }
  return { progress: { leads_total: leads_count, leads_done, leads_failed } }
}

app.get<{ readonly Params: { readonly id: string } }>(
  "/api/v1/lists/:id",
  { config: { scope: "lists:read" }, schema: { response: { 200: List } } },
  ({ caller, params }, reply) => {
    const row = isUuid(params.id) ? one.get(params.id, caller.workspace) : undefined
    if (row === undefined) throw notFound("list")
    const { campaign_id, created_at, custom_name, id, processing_status, updated_at } = row
    reply.send({ id, campaign_id, custom_name, processing_status, created_at, updated_at, ...stateOf(row) })
  }
)
