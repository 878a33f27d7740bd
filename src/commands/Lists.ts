// src/commands/Lists.ts: shows, resumes and exports lists on a server.
import { Effect, Option, Stdio, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Email, Id } from "#schema/Fields.ts"
import { exportPresets, type List, type ListEntry, ProcessingStatus } from "#schema/Lists.ts"
import type { Client } from "#client/Client.ts"
import { exported, saveAs } from "#client/Export.ts"
import { refuseToOverwrite } from "#src/commands/Files.ts"
import { toggle, wholeNumber } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { remoteEnvironment, withClient } from "#src/commands/Remote.ts"
import { print, wantsJson } from "#src/commands/Root.ts"
import { alignColumns } from "#src/commands/TerminalText.ts"

const id = Argument.String("list").pipe(Argument.withSchema(Id), Argument.withDescription("The list's id"))

const isActive = ({ processing_status }: ListEntry) => !["completed", "failed"].includes(processing_status)

/** `12 of 60, 1 failed`; empty for a completed list. */
const progressOf = ({ progress }: Pick<List, "progress">) =>
  progress === undefined
    ? ""
    : [
        `${progress.leads_done + progress.leads_failed + (progress.leads_skipped ?? 0)} of ${progress.leads_total}`,
        ...(progress.leads_failed > 0 ? [`${progress.leads_failed} failed`] : []),
        ...(progress.leads_skipped === undefined ? [] : [`${progress.leads_skipped} left out`])
      ].join(", ")

/** Reads each unfinished list again, because the list of lists has no progress. */
const withProgress = (client: Client, entry: ListEntry) =>
  isActive(entry)
    ? client.lists.getList({ params: { id: entry.id } }).pipe(
        Effect.map(({ processing_status, progress }) => ({
          ...entry,
          processing_status,
          ...(progress === undefined ? {} : { progress })
        })),
        Effect.catchTag("NOT_FOUND", () => Effect.succeed(entry))
      )
    : Effect.succeed(entry)

/** `21 requests to the model: 25,200 tokens read, 1,680 written, cost 0.012`. */
const usageOf = ({ usage }: Pick<List, "usage">) => {
  if (usage === undefined) return []
  const [calls, read, written] = [usage.calls, usage.input_tokens, usage.output_tokens].map((tokens) =>
    tokens.toLocaleString("en-US")
  )
  const cost = usage.cost === null ? "" : `, cost ${usage.cost}`
  return [
    `${calls} ${usage.calls === 1 ? "request" : "requests"} to the model: ${read} tokens read, ${written} written${cost}`
  ]
}

const show = Command.make("show", { id }, ({ id }) =>
  withClient(
    Effect.fnUntraced(function* (client) {
      const list = yield* client.lists.getList({ params: { id } })
      const { custom_name, emails_created, leads_count, processing_status } = list
      yield* print(list, [
        `${custom_name ?? id}: ${processing_status}${list.progress === undefined ? "" : `, ${progressOf(list)} leads`}`,
        ...(emails_created === undefined ? [] : [`${leads_count} leads, ${emails_created} emails`]),
        ...usageOf(list)
      ])
    })
  )
).pipe(Command.withDescription("Show the progress of a list"), remoteEnvironment)

const find = Command.make(
  "find",
  {
    address: Argument.String("address").pipe(
      Argument.withSchema(Email),
      Argument.withDescription("The address of the leads")
    ),
    limit: wholeNumber("limit", "How many, those of the newest list first, 1 to 100 (50)", 1, 100).pipe(
      Flag.withDefault(50)
    )
  },
  ({ address, limit }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const page = yield* client.lists.findLeads({ query: { email: address, limit, offset: 0 } })
        yield* print(
          {
            leads: page.data,
            has_more: page.has_more,
            total: page.total,
            omitted_rows: page.omitted_rows,
            ...(page.suppressions && { suppressions: page.suppressions })
          },
          [
            ...alignColumns(
              ["LIST", "LEAD", "STATUS", "REVIEW", "EXPORTED", "COMPANY", "NAME OF LIST"],
              page.data.map(
                ({ company, exported_at, lead_id, list_id, list_name, maybe_exported_at, review, status }) => [
                  list_id,
                  lead_id,
                  status,
                  review,
                  exported_at ?? (maybe_exported_at === undefined ? "" : "maybe"),
                  company ?? "",
                  list_name ?? ""
                ]
              )
            ),
            ...page.omitted_rows.map(
              ({ line, list_id, list_name, reason }) =>
                `Left out of ${list_name ?? list_id}${line === null ? "" : `, line ${line}`}: ${reason}`
            ),
            ...(page.suppressions ?? []).map(
              ({ created_at, reason, value }) =>
                `${value} is on the suppression list since ${created_at}${reason === null ? "" : `: ${reason}`}`
            )
          ]
        )
      })
    )
).pipe(Command.withDescription("Find the leads with an address in all lists"), remoteEnvironment)

const omittedRows = Command.make(
  "omitted-rows",
  {
    id,
    limit: wholeNumber("limit", "How many, 1 to 100 (50)", 1, 100).pipe(Flag.withDefault(50)),
    offset: wholeNumber("offset", "How many to pass over (0)", 0, 1_000_000).pipe(Flag.withDefault(0))
  },
  ({ id, limit, offset }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const page = yield* client.lists.listOmittedRows({ params: { id }, query: { limit, offset } })
        yield* print(
          { omitted_rows: page.data, has_more: page.has_more, total: page.total },
          alignColumns(
            ["LINE", "EMAIL", "NAME", "REASON"],
            page.data.map(({ email, line, name, reason }) => [String(line ?? ""), email ?? "", name ?? "", reason])
          )
        )
      })
    )
).pipe(
  Command.withDescription("Show the rows of the lead file that a list was made without, and why"),
  remoteEnvironment
)

const resume = Command.make("resume", { id }, ({ id }) =>
  withClient(
    Effect.fnUntraced(function* (client) {
      const resumed = yield* client.lists.reprocessList({ params: { id } })
      yield* print(resumed, [resumed.message])
    })
  )
).pipe(Command.withDescription("Resume a paused list"), remoteEnvironment)

const remove = Command.make(
  "delete",
  {
    id,
    yes: toggle("yes", "Delete without asking again")
  },
  ({ id, yes }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        if (!yes) return yield* userError("This deletes the list with its leads and emails for good; say --yes")
        yield* client.lists.deleteList({ params: { id } })
        yield* print({ id, deleted: true }, [`Deleted ${id}`])
      })
    )
).pipe(Command.withDescription("Delete a list with its leads and emails"), remoteEnvironment)

export const lists = Command.make(
  "lists",
  {
    campaign: Flag.String("campaign").pipe(
      Flag.withSchema(Id),
      Flag.withDescription("Only those of this campaign"),
      Flag.optional
    ),
    status: Flag.Literals("status", ProcessingStatus.literals).pipe(
      Flag.withDescription("Only those with this status"),
      Flag.optional
    ),
    limit: wholeNumber("limit", "How many, newest first, 1 to 100 (20)", 1, 100).pipe(Flag.withDefault(20))
  },
  ({ campaign, limit, status }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const page = yield* client.lists.listLists({
          query: {
            limit,
            offset: 0,
            ...(Option.isSome(campaign) ? { campaign_id: campaign.value } : {}),
            ...(Option.isSome(status) ? { status: status.value } : {})
          }
        })
        const lists: ReadonlyArray<ListEntry & Pick<List, "progress">> = yield* Effect.forEach(
          page.lists,
          (entry) => withProgress(client, entry),
          { concurrency: 4 }
        )
        yield* print(
          { lists, has_more: page.has_more, total: page.total },
          alignColumns(
            ["ID", "STATUS", "PROGRESS", "CREATED", "NAME"],
            lists.map((list) => [
              list.id,
              list.processing_status,
              progressOf(list),
              list.created_at,
              list.custom_name ?? ""
            ])
          )
        )
      })
    )
).pipe(remoteEnvironment, Command.withSubcommands([show, find, omittedRows, resume, remove]))

export const exportList = Command.make(
  "export",
  {
    id,
    format: Flag.Literals("format", ["csv", "json"]).pipe(
      Flag.withDescription("The format of the file (csv)"),
      Flag.withDefault("csv")
    ),
    preset: Flag.Literals("preset", exportPresets).pipe(
      Flag.withDescription("A CSV with the headers of this sending tool"),
      Flag.optional
    ),
    review: Flag.Literals("review", ["approved"]).pipe(
      Flag.withDescription("Only leads that were approved; all that were written to without it"),
      Flag.optional
    ),
    exported: Flag.Literals("exported", ["new"]).pipe(
      Flag.withDescription("Only leads that no exported file of the list has"),
      Flag.optional
    ),
    columns: Flag.Literals("columns", ["all"]).pipe(
      Flag.withDescription(
        "Also the days to send on, findings, reviews and what a model wrote; of JSON only what a model wrote"
      ),
      Flag.optional
    ),
    out: Flag.File("out").pipe(Flag.withDescription("The file to make; standard output without it"), Flag.optional)
  },
  ({ columns, exported: exportedFilter, format, id, out, preset, review }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        if (Option.isSome(preset) && format === "json")
          return yield* userError("--preset is for CSV, not for --format json")
        const json = yield* wantsJson
        if (json && Option.isNone(out)) return yield* userError("With --json, give --out FILE")
        if (Option.isSome(out)) yield* refuseToOverwrite(out.value)
        const content = yield* exported(client, id, format, {
          ...(Option.isSome(review) ? { review: review.value } : {}),
          ...(Option.isSome(exportedFilter) ? { exported: exportedFilter.value } : {}),
          ...(Option.isSome(preset) ? { preset: preset.value } : {}),
          ...(Option.isSome(columns) ? { columns: columns.value } : {})
        })
        if (Option.isSome(out)) {
          yield* saveAs(content, out.value)
          return yield* print({ list_id: id, file: out.value }, [out.value])
        }
        yield* Stream.run(content, (yield* Stdio.Stdio).stdout()).pipe(
          Effect.mapError((error) =>
            error._tag === "PlatformError" ? userError("What was to read this stopped before its end") : error
          )
        )
      })
    )
).pipe(remoteEnvironment)
