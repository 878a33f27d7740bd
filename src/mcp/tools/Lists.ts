// src/mcp/tools/Lists.ts: MCP tools for lists of leads.
import { Effect, Schema, Struct } from "effect"
import { Tool, Toolkit } from "effect/ai"
import type { Client } from "#client/Client.ts"
import { BadRequest } from "#schema/Errors.ts"
import { Deleted } from "#schema/Fields.ts"
import { FindLeadsQuery, FoundLeadPage, ListLeadPage, ListLeadQuery } from "#schema/ListLeads.ts"
import { LeadFileRead } from "#schema/LeadFiles.ts"
import {
  Export,
  exportPresets,
  List,
  ListEntry,
  ListName,
  ListPage,
  ListSource,
  ProcessingStatus,
  Resumed
} from "#schema/Lists.ts"
import { OmittedRowPage } from "#schema/OmittedRows.ts"
import {
  writingTool,
  campaign_id,
  failure,
  list_id,
  pageParameters,
  readOnlyTool,
  destructiveTool,
  type CallApi,
  defaultPageSize
} from "#src/mcp/tools/Shared.ts"

/** An agent can read no thousands of problems, and a file may have one for each of its rows. */
const problemsPerKind = 100

export const tools = Toolkit.make(
  Tool.make("list_lists", {
    description: "Lists of leads that were written to or are being written to, newest first, with their ids.",
    parameters: Schema.Struct({
      campaign_id: Schema.optionalKey(campaign_id),
      status: Schema.optionalKey(ProcessingStatus),
      source: Schema.optionalKey(ListSource),
      review: Schema.optionalKey(Schema.Literal("open")).annotate({
        description: "Only lists with a written lead that is neither approved nor rejected"
      }),
      totals: Schema.optionalKey(Schema.Boolean).annotate({
        description: "Adds the counts of all lists that match: emails, leads that wait, leads to review"
      }),
      ...pageParameters
    }),
    success: ListPage,
    failure
  })
    .annotate(Tool.Title, "List the lists of leads")
    .annotateMerge(readOnlyTool),
  Tool.make("list_status", {
    description: "How far a batch of leads is, and what came of it. Exporting needs one that is completed.",
    parameters: Schema.Struct({ list_id }),
    success: List,
    failure
  })
    .annotate(Tool.Title, "Show the progress of a list")
    .annotateMerge(readOnlyTool),
  Tool.make("rename_list", {
    description: "Gives a list another name.",
    parameters: Schema.Struct({ list_id, ...ListName.fields }),
    success: ListEntry,
    failure
  })
    .annotate(Tool.Title, "Rename a list")
    .annotateMerge(writingTool),
  Tool.make("resume_list", {
    description: "Resumes a paused list, whose status is pending: its other leads are written and charged.",
    parameters: Schema.Struct({ list_id }),
    success: Resumed,
    failure
  })
    .annotate(Tool.Title, "Resume a list")
    .annotateMerge(writingTool),
  Tool.make("delete_list", {
    description: "Deletes a list with its leads and emails. What they cost stays charged.",
    parameters: Schema.Struct({ list_id }),
    success: Deleted,
    failure
  })
    .annotate(Tool.Title, "Delete a list")
    .annotateMerge(destructiveTool),
  Tool.make("export_emails", {
    description:
      "Emails of a completed list, some leads at a time. With review, only approved leads, without those suppressed since. With preset, a CSV for that sending tool.",
    parameters: Schema.Struct({
      list_id,
      review: Schema.optionalKey(Schema.Literal("approved")).annotate({ description: "Only leads that were approved" }),
      preset: Schema.optionalKey(Schema.Literals(exportPresets)).annotate({
        description: "Returns csv with the headers of this tool, without leads suppressed since, in place of leads"
      }),
      columns: Schema.optionalKey(Schema.Literal("all")).annotate({
        description:
          "Adds what wrote the emails to each lead; with preset, also the send days, counts of findings and the review"
      }),
      ...pageParameters
    }),
    success: Schema.Struct({
      ...Export.fields,
      csv: Schema.optionalKey(Schema.String).annotate({ description: "With preset: the headers and these leads" }),
      total: Schema.Int.annotate({ description: "Leads that could be exported so" })
    }),
    failure
  })
    .annotate(Tool.Title, "Export emails")
    .annotateMerge(readOnlyTool),
  Tool.make("read_lead_file", {
    description: `Reads a file of leads, whatever its columns are called: the leads that generate takes, and what to look at before, the first ${problemsPerKind} of each kind. Stores nothing.`,
    parameters: Schema.Struct({
      text: Schema.optionalKey(Schema.String).annotate({
        description: "The content of a .csv or .tsv file, with its headers"
      }),
      content_base64: Schema.optionalKey(Schema.Uint8ArrayFromBase64).annotate({
        description: "In place of text, the bytes of an .xlsx file in base64; a call has at most 1 MiB"
      }),
      format: Schema.optionalKey(Schema.Literals(["csv", "tsv", "xlsx"])).annotate({
        description: "Unless said, csv for text and xlsx for content_base64"
      }),
      sheet: Schema.optionalKey(Schema.String).annotate({
        description: "The sheet of an .xlsx file to read; the first unless said"
      }),
      mapping: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))).annotate({
        description:
          'The headers that hold a field, such as {"email": ["Work mail"]}; fields that it does not name are recognised. exclude has the columns that say whom to leave out'
      }),
      campaign_id: Schema.optionalKey(campaign_id).annotate({
        description: "The campaign that will write to the leads: problems names those that it leaves out, or may"
      })
    }),
    success: Schema.Struct({
      ...LeadFileRead.fields,
      problems: LeadFileRead.fields.problems.annotate({
        description: `Rows, columns and addresses to look at, at most ${problemsPerKind} of each kind`
      }),
      problem_counts: Schema.Record(Schema.String, Schema.Int).annotate({
        description: "How many problems of each kind the file has, also those that problems does not list"
      })
    }),
    failure
  })
    .annotate(Tool.Title, "Read a file of leads")
    .annotateMerge(readOnlyTool),
  Tool.make("list_leads", {
    description:
      "Leads of a list with their emails, findings and review. Filter by text, status, review or worst finding.",
    parameters: Schema.Struct({ list_id, ...Struct.omit(ListLeadQuery, ["limit", "offset"]), ...pageParameters }),
    success: ListLeadPage,
    failure
  })
    .annotate(Tool.Title, "List the leads of a list")
    .annotateMerge(readOnlyTool),
  Tool.make("find_leads", {
    description:
      "Every lead with an address, in all lists, with the list, the status and the review of each, whether it is suppressed or in an exported file; rows of lead files left out; and entries of the suppression list that suppress it.",
    parameters: Schema.Struct({ email: FindLeadsQuery.email, ...pageParameters }),
    success: FoundLeadPage,
    failure
  })
    .annotate(Tool.Title, "Find an address in all lists")
    .annotateMerge(readOnlyTool),
  Tool.make("list_omitted_rows", {
    description: "Rows of the lead file that a list was made without, each with the reason, if the batch named them.",
    parameters: Schema.Struct({ list_id, ...pageParameters }),
    success: OmittedRowPage,
    failure
  })
    .annotate(Tool.Title, "List the rows that were left out")
    .annotateMerge(readOnlyTool)
)

/** The records of an exported CSV with their line ends; a quoted cell may have lines. */
const csvRecords = (text: string) => text.match(/(?:"[^"]*"|[^"\r\n])+\r\n/g) ?? []

/** The API request of each tool. */
export const requests = (client: Client, callApi: CallApi) =>
  tools.toLayer({
    list_lists: ({ limit = defaultPageSize, offset = 0, totals = false, ...filter }) =>
      callApi(client.lists.listLists({ query: { limit, offset, ...filter, ...(totals && { totals: "true" }) } })),

    list_status: ({ list_id: id }) => callApi(client.lists.getList({ params: { id } })),

    rename_list: ({ list_id: id, ...payload }) => callApi(client.lists.renameList({ params: { id }, payload })),

    resume_list: ({ list_id: id }) => callApi(client.lists.reprocessList({ params: { id } })),

    delete_list: ({ list_id: id }) => callApi(client.lists.deleteList({ params: { id } })),

    export_emails: ({ limit = defaultPageSize, list_id: id, offset = 0, ...filter }) =>
      callApi(
        client.lists
          .exportList({
            params: { id },
            query: { format: filter.preset === undefined ? "json" : "csv", ...filter }
          })
          .pipe(
            Effect.map((exported) => {
              if (typeof exported !== "string")
                return { leads: exported.leads.slice(offset, offset + limit), total: exported.leads.length }
              const [header = "", ...rows] = csvRecords(exported)
              const csv = [header, ...rows.slice(offset, offset + limit)].join("")
              return { leads: [], csv, total: rows.length }
            })
          )
      ),

    read_lead_file: ({ campaign_id, content_base64, format, mapping, sheet, text }) => {
      if ((text === undefined) === (content_base64 === undefined)) {
        return callApi(Effect.fail(BadRequest.at("content_base64", "give either this or text, and not both")))
      }
      const payload = new FormData()
      const content = new Blob([text ?? new Uint8Array(content_base64 ?? [])])
      payload.append("file", content, `leads.${format ?? (text === undefined ? "xlsx" : "csv")}`)
      if (sheet !== undefined) payload.append("sheet", sheet)
      if (mapping !== undefined) payload.append("mapping", JSON.stringify(mapping))
      if (campaign_id !== undefined) payload.append("campaign_id", campaign_id)
      return callApi(
        Effect.map(client.lead_files.readLeadFile({ payload }), (read) => {
          const byKind = Map.groupBy(read.problems, ({ kind }) => kind)
          return {
            ...read,
            problems: [...byKind.values()].flatMap((problems) => problems.slice(0, problemsPerKind)),
            problem_counts: Object.fromEntries([...byKind].map(([kind, problems]) => [kind, problems.length]))
          }
        })
      )
    },

    list_leads: ({ limit = defaultPageSize, list_id: id, offset = 0, ...filter }) =>
      callApi(client.lists.listLeads({ params: { id }, query: { limit, offset, ...filter } })),

    find_leads: ({ email, limit = defaultPageSize, offset = 0 }) =>
      callApi(client.lists.findLeads({ query: { email, limit, offset } })),

    list_omitted_rows: ({ limit = defaultPageSize, list_id: id, offset = 0 }) =>
      callApi(client.lists.listOmittedRows({ params: { id }, query: { limit, offset } }))
  })
