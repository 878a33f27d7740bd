// scripts/bench/peer/Lists.ts: reads a single list.
import { isUuid, reader } from "./Database.ts"
import { app, notFound, objectSchema, stringSchema, stringOrNullSchema, integerSchema } from "./App.ts"

const selectList = reader.prepare("SELECT * FROM lists WHERE id = ? AND workspace_id = ?")

const List = objectSchema({
  id: stringSchema,
  campaign_id: stringOrNullSchema,
  custom_name: stringOrNullSchema,
  processing_status: stringSchema,
  created_at: stringSchema,
  updated_at: stringSchema,
  completed_at: stringSchema,
  leads_count: integerSchema,
  emails_created: integerSchema,
  processed_file_path: stringOrNullSchema,
  failed_at: stringSchema,
  progress: objectSchema({ leads_total: integerSchema, leads_done: integerSchema, leads_failed: integerSchema })
})

const statusFields = (row: Record<string, unknown>) => {
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
    const row = isUuid(params.id) ? selectList.get(params.id, caller.workspace) : undefined
    if (row === undefined) throw notFound("list")
    const { campaign_id, created_at, custom_name, id, processing_status, updated_at } = row
    reply.send({ id, campaign_id, custom_name, processing_status, created_at, updated_at, ...statusFields(row) })
  }
)
