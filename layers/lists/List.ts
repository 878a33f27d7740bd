// layers/lists/List.ts: the row of a list, and what the API returns of it in each state.
import { Effect, Schema, Struct } from "effect"
import { Writing } from "#layers/generation/Writing.ts"
import { type List, ListEntry, type ProcessingStatus } from "#schema/Lists.ts"

/** How the emails of a list are to be written. */
export const ListWriting = Schema.Struct({
  ...Writing.fields,
  /** Whether each lead is researched on the web before it is written to; lists older than the research lack it. */
  enriched: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  /** Credits for each lead that succeeds. */
  cost: Schema.Int,
  notification_email: Schema.NullOr(Schema.String),
  /** Whether leads at clients, competitors and the sender's own company are written to; lists of earlier versions do. */
  include_clients: Schema.optionalKey(Schema.Boolean)
})
export type ListWriting = typeof ListWriting.Type

/** The fields that the API returns. */
export const Row = Schema.Struct({
  ...Struct.omit(ListEntry.fields, ["source"]),
  kind: Schema.Literals(["single", "batch"]),
  leads_count: Schema.Int,
  leads_done: Schema.Int,
  leads_failed: Schema.Int,
  emails_created: Schema.Int,
  updated_at: Schema.String,
  failed_at: Schema.NullOr(Schema.String)
})

export type Row = typeof Row.Type

const active: ReadonlyArray<ProcessingStatus> = ["pending", "processing", "in_progress"]

const sourceOf = ({ kind }: Pick<Row, "kind">) => (kind === "single" ? { source: "api_single" as const } : {})

/** The fields of a list in a page of lists. */
export const EntryRow = Schema.Struct(
  Struct.pick(Row.fields, [
    "id",
    "campaign_id",
    "custom_name",
    "processing_status",
    "kind",
    "created_at",
    "completed_at"
  ])
)

export const entryOf = (row: typeof EntryRow.Type): ListEntry => ({
  id: row.id,
  campaign_id: row.campaign_id,
  custom_name: row.custom_name,
  processing_status: row.processing_status,
  ...sourceOf(row),
  created_at: row.created_at,
  completed_at: row.completed_at
})

/**
 * Where the file of a completed list stands within the service: stable and unique, but no path on a disk. Only a long
 * list has a file, and where that lies is the business of whoever keeps files.
 */
const fileOf = (id: string) => `lists/${id}.csv`

export const listOf = (row: Row): List => {
  const { completed_at, emails_created, failed_at, leads_count, leads_done, leads_failed } = row
  return {
    id: row.id,
    campaign_id: row.campaign_id,
    custom_name: row.custom_name,
    processing_status: row.processing_status,
    ...sourceOf(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(row.processing_status === "completed" && completed_at !== null
      ? { completed_at, leads_count, emails_created, processed_file_path: fileOf(row.id) }
      : {}),
    ...(row.processing_status === "failed" && failed_at !== null ? { failed_at } : {}),
    ...(active.includes(row.processing_status)
      ? { progress: { leads_total: leads_count, leads_done, leads_failed } }
      : {})
  }
}
