// schema/Lists.ts: batches of leads, how far each is, and what came of it.
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { NeedsLimiter, RequiredScope } from "#schema/Auth.ts"
import { Conflict, NotFound, NotReady, Unprocessable } from "#schema/Errors.ts"
import { Id, name, Timestamp } from "#schema/Fields.ts"
import { Sequence } from "#schema/Lead.ts"
import { PageQuery, position } from "#schema/Page.ts"

export const ProcessingStatus = Schema.Literals(["pending", "processing", "in_progress", "completed", "failed"])
export type ProcessingStatus = typeof ProcessingStatus.Type

export const ListEntry = Schema.Struct({
  id: Id,
  campaign_id: Schema.NullOr(Id),
  custom_name: Schema.NullOr(Schema.String),
  processing_status: ProcessingStatus,
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp)
})
export type ListEntry = typeof ListEntry.Type

/** Fields beyond the entry's appear by state: counts and `completed_at` when completed, `failed_at` when failed. */
export const List = Schema.Struct({
  ...ListEntry.fields,
  completed_at: Schema.optionalKey(Timestamp),
  updated_at: Timestamp,
  leads_count: Schema.optionalKey(Schema.Int),
  emails_created: Schema.optionalKey(Schema.Int),
  processed_file_path: Schema.optionalKey(Schema.NullOr(Schema.String)),
  failed_at: Schema.optionalKey(Timestamp),
  /** While the list is pending, processing or in_progress. */
  progress: Schema.optionalKey(
    Schema.Struct({ leads_total: Schema.Int, leads_done: Schema.Int, leads_failed: Schema.Int })
  )
})
export type List = typeof List.Type

const cell = Schema.NullOr(Schema.String)
export const ExportedLead = Schema.Struct({
  email: Schema.String,
  name: cell,
  company: cell,
  title: cell,
  sequence: Sequence
})

const params = { id: Id }

export const Reprocessed = Schema.Struct({
  list_id: Id,
  status: Schema.tag("processing"),
  /** Batches that were laid aside and go on now. */
  pending_batches: Schema.Int,
  batches_total: Schema.Int,
  message: Schema.String
})

export class ListsApi extends HttpApiGroup.make("lists")
  .add(
    HttpApiEndpoint.get("listLists", "/", {
      query: {
        ...PageQuery,
        campaign_id: Schema.optionalKey(Id),
        status: Schema.optionalKey(ProcessingStatus)
      },
      success: Schema.Struct({ lists: Schema.Array(ListEntry), ...position })
    }).annotate(RequiredScope, "lists:read"),
    HttpApiEndpoint.get("getList", "/:id", { params, success: List, error: NotFound }).annotate(
      RequiredScope,
      "lists:read"
    ),
    HttpApiEndpoint.patch("renameList", "/:id", {
      params,
      payload: Schema.Struct({ custom_name: name(200) }),
      success: ListEntry,
      error: NotFound
    }).annotate(RequiredScope, "lists:write"),
    HttpApiEndpoint.delete("deleteList", "/:id", {
      params,
      success: Schema.Struct({ id: Id, deleted: Schema.tag(true) }),
      error: [NotFound, Conflict]
    }).annotate(RequiredScope, "lists:write"),
    HttpApiEndpoint.post("reprocessList", "/:id", {
      params,
      success: Reprocessed.pipe(HttpApiSchema.status("Accepted")),
      error: [NotFound, Unprocessable]
    })
      .annotate(RequiredScope, "lists:write")
      .annotate(NeedsLimiter, true),
    HttpApiEndpoint.get("exportList", "/:id/export", {
      params,
      query: {
        format: Schema.Literals(["csv", "json"]).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed("csv" as const)))
      },
      success: [
        Schema.Struct({ leads: Schema.Array(ExportedLead) }),
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))
      ],
      error: [NotFound, NotReady]
    }).annotate(RequiredScope, "lists:read")
  )
  .prefix("/lists") {}
