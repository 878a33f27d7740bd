// src/mcp/tools/Lists.ts: MCP tools for lists of leads.
import { Effect, Schema, Struct } from "effect"
import { Tool, Toolkit } from "effect/ai"
import type { Client } from "#client/Client.ts"
import { Deleted } from "#schema/Fields.ts"
import { ListLeadPage, ListLeadQuery } from "#schema/ListLeads.ts"
import { Export, List, ListEntry, ListName, ListPage, ListSource, ProcessingStatus, Resumed } from "#schema/Lists.ts"
import {
  addingTool,
  campaign_id,
  failure,
  list_id,
  page,
  readingTool,
  removingTool,
  type CallApi,
  defaultPageSize
} from "#src/mcp/tools/Shared.ts"

export const tools = Toolkit.make(
  Tool.make("list_lists", {
    description: "Lists of leads that were written to or are being written to, newest first, with their ids.",
    parameters: Schema.Struct({
      campaign_id: Schema.optionalKey(campaign_id),
      status: Schema.optionalKey(ProcessingStatus),
      source: Schema.optionalKey(ListSource),
      totals: Schema.optionalKey(Schema.Boolean).annotate({
        description: "Adds the counts of all lists that match: emails, leads that wait, leads to review"
      }),
      ...page
    }),
    success: ListPage,
    failure
  })
    .annotate(Tool.Title, "List the lists of leads")
    .annotateMerge(readingTool),
  Tool.make("list_status", {
    description: "How far a batch of leads is, and what came of it. Exporting needs one that is completed.",
    parameters: Schema.Struct({ list_id }),
    success: List,
    failure
  })
    .annotate(Tool.Title, "Show the progress of a list")
    .annotateMerge(readingTool),
  Tool.make("rename_list", {
    description: "Gives a list another name.",
    parameters: Schema.Struct({ list_id, ...ListName.fields }),
    success: ListEntry,
    failure
  })
    .annotate(Tool.Title, "Rename a list")
    .annotateMerge(addingTool),
  Tool.make("resume_list", {
    description: "Resumes a paused list, whose status is pending: its other leads are written and charged.",
    parameters: Schema.Struct({ list_id }),
    success: Resumed,
    failure
  })
    .annotate(Tool.Title, "Resume a list")
    .annotateMerge(addingTool),
  Tool.make("delete_list", {
    description: "Deletes a list with its leads and emails. What they cost stays charged.",
    parameters: Schema.Struct({ list_id }),
    success: Deleted,
    failure
  })
    .annotate(Tool.Title, "Delete a list")
    .annotateMerge(removingTool),
  Tool.make("export_emails", {
    description:
      "Emails of a completed list, some leads at a time. With review, only approved leads, without those suppressed since.",
    parameters: Schema.Struct({
      list_id,
      review: Schema.optionalKey(Schema.Literal("approved")).annotate({ description: "Only leads that were approved" }),
      ...page
    }),
    success: Schema.Struct({
      ...Export.fields,
      total: Schema.Int.annotate({ description: "Leads that could be exported so" })
    }),
    failure
  })
    .annotate(Tool.Title, "Export emails")
    .annotateMerge(readingTool),
  Tool.make("list_leads", {
    description:
      "Leads of a list with their emails, findings and review. Filter by text, status, review or worst finding.",
    parameters: Schema.Struct({ list_id, ...Struct.omit(ListLeadQuery, ["limit", "offset"]), ...page }),
    success: ListLeadPage,
    failure
  })
    .annotate(Tool.Title, "List the leads of a list")
    .annotateMerge(readingTool)
)

/** The API request of each tool. */
export const requests = (client: Client, callApi: CallApi) =>
  tools.toLayer({
    list_lists: ({ limit = defaultPageSize, offset = 0, totals = false, ...only }) =>
      callApi(client.lists.listLists({ query: { limit, offset, ...only, ...(totals && { totals: "true" }) } })),

    list_status: ({ list_id: id }) => callApi(client.lists.getList({ params: { id } })),

    rename_list: ({ list_id: id, ...payload }) => callApi(client.lists.renameList({ params: { id }, payload })),

    resume_list: ({ list_id: id }) => callApi(client.lists.reprocessList({ params: { id } })),

    delete_list: ({ list_id: id }) => callApi(client.lists.deleteList({ params: { id } })),

    export_emails: ({ limit = defaultPageSize, list_id: id, offset = 0, ...only }) =>
      callApi(
        client.lists.exportList({ params: { id }, query: { format: "json", ...only } }).pipe(
          Effect.map((exported) => {
            const leads = typeof exported === "string" ? [] : exported.leads
            return { leads: leads.slice(offset, offset + limit), total: leads.length }
          })
        )
      ),

    list_leads: ({ limit = defaultPageSize, list_id: id, offset = 0, ...only }) =>
      callApi(client.lists.listLeads({ params: { id }, query: { limit, offset, ...only } }))
  })
