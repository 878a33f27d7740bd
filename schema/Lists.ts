// schema/Lists.ts: lists of leads, their progress and their results.
import { Effect, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { NeedsLimiter, RequiredScope } from "#schema/Auth.ts"
import { BadRequest, Conflict, NotFound, NotReady, Unprocessable } from "#schema/Errors.ts"
import { Deleted, Id, nonEmptyText, idParams, Timestamp } from "#schema/Fields.ts"
import { CustomFields, Sequence } from "#schema/Lead.ts"
import { FindLeadsQuery, FoundLeadPage, ListLeadPage, ListLeadQuery, optionalMarks } from "#schema/ListLeads.ts"
import { OmittedRowPage, OmittedRowsCsv } from "#schema/OmittedRows.ts"
import { PageQuery, pageFields } from "#schema/Page.ts"

export const ProcessingStatus = Schema.Literals([
  "pending",
  "processing",
  "in_progress",
  "completed",
  "failed"
]).annotate({
  title: "ProcessingStatus",
  description:
    "`processing` from the start and `in_progress` from the first finished lead are both at work; `pending` rests until it " +
    "is reprocessed; `completed` when at least one lead succeeded; `failed` when none did"
})
export type ProcessingStatus = typeof ProcessingStatus.Type

export const ListSource = Schema.Literals(["batch", "api_single"]).annotate({
  title: "ListSource",
  description: "`api_single`: lists of one lead that generate made; `batch`: all others"
})
export type ListSource = typeof ListSource.Type

const example = {
  id: "01980f42-8f17-7b2c-9ad4-53e0c6d1f789",
  campaign_id: "01980f3f-6a9d-7e41-b5c2-0d8e7f3a1b64",
  custom_name: "Trade fair, hall 3",
  processing_status: "completed" as const,
  created_at: "2026-07-14T09:30:00.000Z",
  completed_at: "2026-07-14T09:34:12.000Z"
}

export const ListEntry = Schema.Struct({
  id: Id,
  campaign_id: Schema.NullOr(Id).annotate({ description: "Null once the campaign is deleted" }),
  custom_name: Schema.NullOr(Schema.String).annotate({ description: "The name of the list" }),
  processing_status: ProcessingStatus,
  source: Schema.optionalKey(Schema.Literal("api_single")).annotate({
    description: "Only of a list of one lead that generate made"
  }),
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp).annotate({ description: "Null until it is completed" })
}).annotate({ title: "ListEntry", description: "A list among others", examples: [example] })
export type ListEntry = typeof ListEntry.Type

const Progress = Schema.Struct({
  leads_total: Schema.Int.annotate({ description: "Leads in it" }),
  leads_done: Schema.Int.annotate({ description: "Leads whose emails are written" }),
  leads_failed: Schema.Int.annotate({ description: "Leads that failed" }),
  leads_skipped: Schema.optionalKey(Schema.Int).annotate({ description: "Leads that are left out, if any are" })
})

export const ListUsage = Schema.Struct({
  calls: Schema.Int.annotate({ description: "Requests to the model" }),
  input_tokens: Schema.Int.annotate({ description: "Input tokens" }),
  cached_tokens: Schema.Int.annotate({ description: "Input tokens from the cache" }),
  output_tokens: Schema.Int.annotate({ description: "Output tokens" }),
  cost: Schema.NullOr(Schema.Finite).annotate({
    description:
      "What they cost by `OVERTURE_PRICE_IN` and `OVERTURE_PRICE_OUT`, without a currency; null without prices"
  })
}).annotate({ title: "ListUsage", description: "Model usage of a list" })
export type ListUsage = typeof ListUsage.Type

const finished = {
  ...example,
  updated_at: "2026-07-14T09:34:12.000Z",
  leads_count: 60,
  emails_created: 120,
  processed_file_path: null
}

export const List = Schema.Struct({
  ...ListEntry.fields,
  completed_at: Schema.optionalKey(Timestamp).annotate({ description: "Once it is completed" }),
  updated_at: Timestamp,
  leads_count: Schema.optionalKey(Schema.Int).annotate({ description: "Leads in it, once it is completed" }),
  leads_skipped: Schema.optionalKey(Schema.Int).annotate({
    description: "Leads that were left out, once it is completed, if any were"
  }),
  emails_created: Schema.optionalKey(Schema.Int).annotate({ description: "Emails written, once it is completed" }),
  processed_file_path: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "Internal, once it is completed; download by the export"
  }),
  failed_at: Schema.optionalKey(Timestamp).annotate({ description: "Once it has failed" }),
  progress: Schema.optionalKey(Progress).annotate({ description: "While it is pending, processing or in_progress" }),
  usage: Schema.optionalKey(ListUsage).annotate({
    description: "If a model was asked for its leads, in the answer to GET /lists/:id"
  }),
  exported_at: Schema.optionalKey(Timestamp).annotate({
    description: "When it was last exported, if it was, in the answer to GET /lists/:id"
  }),
  changed_since_export: Schema.optionalKey(Schema.Int).annotate({
    description:
      "Emails that were changed after the last file that has them was exported, so that it has an earlier text"
  })
}).annotate({
  title: "List",
  description: "A list of leads and its results",
  examples: [finished]
})
export type List = typeof List.Type

const ListProgress = Schema.Struct({
  processing_status: ProcessingStatus,
  progress: Progress.annotate({ description: "The counts that the list itself shows" })
}).annotate({ title: "ListProgress", description: "The progress of a list" })

/** The schema of one server-sent event; its data is JSON. */
const event = <const Name extends string, Data extends Schema.Constraint>(
  name: Name,
  about: { readonly title: string; readonly description: string; readonly id: string; readonly data: Data },
  example: Data["Encoded"]
) =>
  Schema.Struct({
    id: Schema.String.annotate({
      description: "Id of the event. A client that reconnects gets the current state, whatever id it sends",
      examples: [about.id]
    }),
    event: Schema.Literal(name).annotate({ description: "The event" }),
    data: Schema.fromJsonString(about.data).pipe(
      Schema.annotateEncoded({ description: about.description, examples: [JSON.stringify(example)] })
    )
  }).annotate({ title: about.title, description: about.description })

export const ListEvent = Schema.Union([
  event(
    "progress",
    {
      title: "ListProgressEvent",
      description: "The progress of the list, immediately and on each change",
      id: "in_progress-12-0",
      data: ListProgress
    },
    { processing_status: "in_progress", progress: { leads_total: 60, leads_done: 12, leads_failed: 0 } }
  ),
  event(
    "end",
    {
      title: "ListEndEvent",
      description: "The list, completed or failed; nothing follows",
      id: "completed",
      data: List
    },
    finished
  )
])
export type ListEvent = typeof ListEvent.Type

const ExportCount = Schema.Struct({
  leads: Schema.Int.annotate({ description: "Leads in the file" }),
  suppressed: Schema.Int.annotate({
    description: "Leads that the file leaves out because they are on the suppression list"
  })
}).annotate({
  title: "ExportCount",
  description: "How many leads an export has",
  examples: [{ leads: 59, suppressed: 1 }]
})
export type ExportCount = typeof ExportCount.Type

const cell = Schema.NullOr(Schema.String)
const ExportedLead = Schema.Struct({
  email: Schema.String,
  name: cell,
  company: cell,
  title: cell,
  custom_fields: Schema.optionalKey(CustomFields).annotate({ description: "Left out for a lead that has none" }),
  sequence: Sequence,
  ...optionalMarks
}).annotate({ title: "ExportedLead", description: "A lead that succeeded, with its emails" })

export const Export = Schema.Struct({
  leads: Schema.Array(ExportedLead)
}).annotate({
  title: "ListExport",
  description: "The leads that succeeded, with their emails",
  examples: [
    {
      leads: [
        {
          email: "ida.moreau@northquarry.example",
          name: "Ida Moreau",
          company: "North Quarry",
          title: "Maintenance Manager",
          custom_fields: { crushing_lines: 3 },
          sequence: [{ step: 1, subject: "Unplanned stops at North Quarry", body: "Hi Ida,\n\nHow long does …" }]
        }
      ]
    }
  ]
})

/** For each number of emails, the day of each email, counted from the first. */
export const sendDays: ReadonlyArray<ReadonlyArray<number>> = [[], [0], [0, 3], [0, 3, 8], [0, 3, 7, 14]]

/** Sending tools that an export has a preset for. */
export const exportPresets = ["instantly", "smartlead", "lemlist", "mailshake", "hubspot"] as const
export type ExportPreset = (typeof exportPresets)[number]

const Csv = Schema.String.annotate({
  description:
    "The same as CSV, in the columns email, name, title, company, linkedin_url, company_website, then step_1_subject, step_1_body and so on, " +
    "then custom_<key> for each custom field, in the order in which the leads first have them (the first 200; JSON has all); " +
    "UTF-8 with CRLF. A cell that a spreadsheet would take for a formula has an apostrophe before it",
  examples: ["email,name,…,step_1_subject,step_1_body\r\nida.moreau@northquarry.example,Ida Moreau,…\r\n"]
})

export const ListName = Schema.Struct({ custom_name: nonEmptyText(200, "What the list is called") }).annotate({
  title: "ListInput",
  description: "A list's name",
  examples: [{ custom_name: "Trade fair, hall 3" }]
})

export const ListTotals = Schema.Struct({
  emails_created: Schema.Int.annotate({ description: "Emails written" }),
  leads_waiting: Schema.Int.annotate({ description: "Leads of lists in work or paused that are not written to yet" }),
  lists_pending: Schema.Int.annotate({ description: "Lists that are paused" }),
  leads_open: Schema.Int.annotate({
    description:
      "Written leads whose review is open, without those that are on the suppression list by now, unless `leads_suppressed` is absent"
  }),
  leads_suppressed: Schema.optionalKey(Schema.Int).annotate({
    description:
      "Written leads whose review is open and that are on the suppression list by now, so that there is nothing to review. Absent where open leads are in older lists than the newest 500, or the newest with 5,000 written leads: these are not looked through, and `leads_open` has such leads too"
  })
}).annotate({ title: "ListTotals", description: "What all lists that match add up to, on every page" })
export type ListTotals = typeof ListTotals.Type

export const ListPage = Schema.Struct({
  lists: Schema.Array(ListEntry),
  ...pageFields,
  totals: Schema.optionalKey(ListTotals)
}).annotate({
  title: "ListPage",
  description: "A page"
})

const params = idParams("list")

const exportedReview = Schema.optionalKey(Schema.Literal("approved")).annotate({
  description: "Only leads that were approved; all that succeeded when omitted"
})
const exportedPreset = Schema.optionalKey(Schema.Literals(exportPresets))
const exportedSuppressed = Schema.optionalKey(Schema.Literal("exclude")).annotate({
  description:
    "Leaves out leads that are on the suppression list by now; `review`, `exported` and `preset` always do. All that succeeded when omitted"
})

const exportedNew = Schema.optionalKey(Schema.Literal("new")).annotate({
  description:
    "`new`: only leads that no exported file of this list has, without those that are on the suppression list by now. Exports by versions that did not record the leads of a file are not known"
})

export const Resumed = Schema.Struct({
  list_id: Id,
  status: Schema.tag("processing"),
  pending_batches: Schema.Int.annotate({ description: "Batches that were pending and are resumed" }),
  batches_total: Schema.Int.annotate({ description: "Batches of the list" }),
  message: Schema.String.annotate({ description: "The same, for people" })
}).annotate({
  title: "Reprocessed",
  description: "The list is resumed",
  examples: [
    {
      list_id: example.id,
      status: "processing",
      pending_batches: 2,
      batches_total: 3,
      message: `2 of 3 batches are resumed; follow GET /api/v1/lists/${example.id}`
    }
  ]
})

export class ListsApi extends HttpApiGroup.make("lists")
  .add(
    HttpApiEndpoint.get("listLists", "/", {
      query: {
        ...PageQuery,
        campaign_id: Schema.optionalKey(Id).annotate({ description: "Only those of this campaign" }),
        status: Schema.optionalKey(ProcessingStatus),
        source: Schema.optionalKey(ListSource),
        review: Schema.optionalKey(Schema.Literal("open")).annotate({
          description: "`open`: only lists with a written lead whose review is open"
        }),
        totals: Schema.optionalKey(Schema.Literal("true")).annotate({
          description: "Adds `totals` to the answer: the counts of all lists that match"
        })
      },
      success: ListPage
    }).annotate(RequiredScope, "lists:read"),
    HttpApiEndpoint.get("getList", "/:id", { params, success: List, error: NotFound }).annotate(
      RequiredScope,
      "lists:read"
    ),
    HttpApiEndpoint.get("followList", "/:id/events", {
      params,
      success: HttpApiSchema.StreamSse({ events: ListEvent }),
      error: NotFound
    }).annotate(RequiredScope, "lists:read"),
    HttpApiEndpoint.patch("renameList", "/:id", {
      params,
      payload: ListName,
      success: ListEntry,
      error: NotFound
    }).annotate(RequiredScope, "lists:write"),
    HttpApiEndpoint.delete("deleteList", "/:id", {
      params,
      success: Deleted,
      error: [NotFound, Conflict]
    }).annotate(RequiredScope, "lists:write"),
    HttpApiEndpoint.post("reprocessList", "/:id", {
      params,
      success: Resumed.pipe(HttpApiSchema.status("Accepted")),
      error: [NotFound, Unprocessable]
    })
      .annotate(RequiredScope, "lists:write")
      .annotate(NeedsLimiter, true),
    HttpApiEndpoint.get("exportList", "/:id/export", {
      params,
      query: {
        format: Schema.Literals(["csv", "json"])
          .annotate({ description: "What the body is to be", default: "csv" })
          .pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed("csv" as const))),
        review: exportedReview,
        suppressed: exportedSuppressed,
        exported: exportedNew,
        preset: exportedPreset.annotate({
          description:
            "A CSV with the headers that this tool maps by itself; the name is split into first and last name"
        }),
        columns: Schema.optionalKey(Schema.Literal("all")).annotate({
          description:
            "More columns of a CSV, after the others: `send_day_n`, the day after the first email on which to send each; " +
            "`findings_fail`, `findings_warn` and `findings_hint`; `persona_id`, `edited`, `review` and `review_note`; " +
            "`ai_generated`, `model` and `prompt_version`. Of these JSON has the last three, in each lead"
        })
      },
      success: [Export, Csv.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))],
      error: [BadRequest, NotFound, NotReady]
    }).annotate(RequiredScope, "lists:read"),
    HttpApiEndpoint.get("countExport", "/:id/export/count", {
      params,
      query: {
        review: exportedReview,
        suppressed: exportedSuppressed,
        exported: exportedNew,
        preset: exportedPreset.annotate({ description: "As for the export: leaves suppressed leads out" })
      },
      success: ExportCount,
      error: [NotFound, NotReady]
    }).annotate(RequiredScope, "lists:read"),
    HttpApiEndpoint.get("listLeads", "/:id/leads", {
      params,
      query: ListLeadQuery,
      success: ListLeadPage,
      error: NotFound
    }).annotate(RequiredScope, "lists:read"),
    HttpApiEndpoint.get("listOmittedRows", "/:id/omitted-rows", {
      params,
      query: PageQuery,
      success: OmittedRowPage,
      error: NotFound
    }).annotate(RequiredScope, "lists:read"),
    HttpApiEndpoint.get("exportOmittedRows", "/:id/omitted-rows/export", {
      params,
      success: OmittedRowsCsv.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
      error: NotFound
    }).annotate(RequiredScope, "lists:read")
  )
  .prefix("/lists")
  .add(
    HttpApiEndpoint.get("findLeads", "/leads", {
      query: FindLeadsQuery,
      success: FoundLeadPage
    }).annotate(RequiredScope, "lists:read")
  ) {}
