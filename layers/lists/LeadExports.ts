// layers/lists/LeadExports.ts: which leads were in exported files, and when.
import { Array as Arr, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { LeadStatus } from "#schema/ListLeads.ts"

/** The times that decide when a lead was last in an exported file; null if there is none. */
export const ExportTimes = Schema.Struct({
  /** The last export that left out other leads and had this one. */
  marked_at: Schema.NullOr(Schema.String),
  /** The last export of all written leads of the list. */
  fully_exported_at: Schema.NullOr(Schema.String),
  /** The last export by an earlier version, which did not record its leads. */
  unmarked_export_at: Schema.NullOr(Schema.String)
})
type ExportTimes = typeof ExportTimes.Type

/** SQL for the columns of `ExportTimes` of each lead of this table or alias. */
export const exportTimesOf = (leads: string) => {
  const ofList = (column: string) =>
    `(SELECT ${column} FROM lists x WHERE x.id = ${leads}.list_id AND x.workspace_id = ${leads}.workspace_id) AS ${column}`
  return `
    (SELECT exported_at FROM lead_exports x WHERE x.lead_id = ${leads}.id AND x.workspace_id = ${leads}.workspace_id) AS marked_at,
    ${ofList("fully_exported_at")}, ${ofList("unmarked_export_at")}`
}

/** When a written lead was last in an exported file; `isCertain` is false if a file may have it. Undefined if none has. */
export const lastExportOf = ({ fully_exported_at, marked_at, unmarked_export_at }: ExportTimes) => {
  const certain = [marked_at, fully_exported_at]
    .filter((time) => time !== null)
    .toSorted()
    .at(-1)
  if (certain !== undefined) return { at: certain, isCertain: true }
  return unmarked_export_at === null ? undefined : { at: unmarked_export_at, isCertain: false }
}

/** When an exported file last had the lead, for the API. */
export const exportFields = (lead: ExportTimes & { readonly status: LeadStatus }) => {
  const lastExport = lead.status === "completed" ? lastExportOf(lead) : undefined
  if (lastExport === undefined) return {}
  return lastExport.isCertain ? { exported_at: lastExport.at } : { maybe_exported_at: lastExport.at }
}

/** The condition that no file is known to have a lead of `leads`. */
export const isNotExported = (sql: SqlClient.SqlClient, workspace: string, list: string) => sql`
  (SELECT fully_exported_at FROM lists WHERE id = ${list} AND workspace_id = ${workspace}) IS NULL
  AND NOT EXISTS (SELECT 1 FROM lead_exports e WHERE e.lead_id = leads.id AND e.workspace_id = leads.workspace_id)`

export const makeRecordLeadExports = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    /** Records that a file has these leads, a page of an export. A failure is logged and does not fail the export. */
    (workspace: WorkspaceId, list: string, leads: ReadonlyArray<{ readonly id: string }>, timestamp: string) =>
      Arr.isReadonlyArrayNonEmpty(leads)
        ? // Sorted, so that two exports at once lock rows in the same order. A lead that was deleted meanwhile has no row.
          sql`
            INSERT INTO lead_exports (lead_id, workspace_id, exported_at)
            SELECT id, workspace_id, ${timestamp} FROM leads
            WHERE ${sql.in(
              "id",
              leads.map(({ id }) => id)
            )} AND list_id = ${list} AND workspace_id = ${workspace} ORDER BY id
            ON CONFLICT (lead_id) DO UPDATE SET exported_at = excluded.exported_at
            WHERE lead_exports.exported_at < excluded.exported_at`.pipe(
            Effect.asVoid,
            Effect.catchCause((cause) => Effect.logWarning("Could not record which leads a file has", { list }, cause))
          )
        : Effect.void
)
