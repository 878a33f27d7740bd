// src/commands/Generate.ts: writes to the leads in a file and saves the emails. A rerun resumes the same list, so no
// lead is charged twice.
import { Console, Effect, Option, Path } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Email } from "#schema/Fields.ts"
import { isResearchable } from "#schema/Generation.ts"
import * as LeadFile from "#schema/lead-files/Parser.ts"
import type { List } from "#schema/Lists.ts"
import type { SuppressionEntry } from "#schema/Suppressions.ts"
import type { Client } from "#client/Client.ts"
import { accept, type Batch, find, finish } from "#client/Batch.ts"
import { exported, free, saveAs } from "#client/Export.ts"
import { addSuppressions, describeExportedList, optOutEntries } from "#client/Suppressions.ts"
import * as Progress from "#client/Progress.ts"
import { readLeads, refuseToOverwrite } from "#src/commands/Files.ts"
import { campaign, signatureOptions, toggle, writingFlags } from "#src/commands/Flags.ts"
import { checkLeads } from "#src/commands/LeadChecks.ts"
import { userError } from "#src/commands/Output.ts"
import { printNote, remoteEnvironment, withClient } from "#src/commands/Remote.ts"
import { print, wantsJson } from "#src/commands/Root.ts"
import { countOf, alignColumns } from "#src/commands/TerminalText.ts"

/** Reads the leads of a file, and prints how its columns are mapped. A column of the file leaves out none of `include`. */
const readLeadFile = Effect.fnUntraced(function* (
  path: string,
  sheet: string | undefined,
  include: ReadonlyArray<string>
) {
  const found = yield* readLeads(path, sheet)
  const addresses = new Set(include.map((address) => address.toLowerCase()))
  const isIncluded = ({ lead }: LeadFile.SkippedLine) => lead !== undefined && addresses.has(lead.email.toLowerCase())
  const file = {
    ...found,
    leads: [...found.leads, ...found.left_out.filter(isIncluded).flatMap(({ lead }) => lead ?? [])],
    left_out: found.left_out.filter((line) => !isIncluded(line))
  }
  yield* printNote(`${countOf(file.leads.length, "lead")} in ${path}`)
  for (const line of [...LeadFile.describeLeadFile(file), ...LeadFile.describeSkippedLines(file)])
    yield* printNote(`  ${line}`)
  return file.leads.length > 0 ? file : yield* userError(`${path} has no lead that can be written to`)
})

/** Totals of a list. Every lead that succeeded has all of its emails. */
const totalsOf = (list: List, emailCount: number, price: number) => {
  const leads = list.leads_count ?? 0
  const skipped = list.leads_skipped ?? 0
  const writtenCount = Math.round((list.emails_created ?? 0) / emailCount)
  return {
    list_id: list.id,
    leads,
    failed: leads - writtenCount - skipped,
    ...(skipped > 0 ? { skipped } : {}),
    credits: writtenCount * price
  }
}

/** Titles that a dry run looks up; limited because of the key's rate limit. */
const maxTitles = 50

/** The persona of each title, most frequent titles first. */
const routeTitles = Effect.fnUntraced(function* (client: Client, { campaign, leads }: Batch) {
  const titles = Map.groupBy(leads, ({ title }) => title?.trim() ?? "")
  const mostFrequent = [...titles].toSorted(([, a], [, b]) => b.length - a.length).slice(0, maxTitles)
  return yield* Effect.forEach(mostFrequent, ([title, { length }]) =>
    Effect.map(client.playbook.routeTitle({ params: { id: campaign }, query: { title } }), (route) => ({
      title,
      leads: length,
      persona: route.persona,
      department: route.department,
      seniority: route.seniority,
      reasons: route.reasons
    }))
  )
})

const dryRun = Effect.fnUntraced(function* (client: Client, batch: Batch, leftOutCount: number, price: number) {
  const [existing] = yield* find(client, batch)
  const leads = existing === undefined ? yield* checkLeads(client, batch) : batch.leads
  if (leads.length === 0) return yield* userError("Every lead would be left out, so the server would refuse the batch")
  const skippedCount = batch.leads.length - leads.length
  const credits = leads.length * price
  const routes = yield* routeTitles(client, { ...batch, leads })
  const { balance, is_unlimited } = yield* client.credits.getCredits()
  const { sufficient } = yield* client.credits.checkCredits({ query: { required: credits } })
  const lines = [
    `${countOf(leads.length, "lead")} would be written to, ${batch.options.email_count} emails each`,
    ...(skippedCount === 0 ? [] : [`${countOf(skippedCount, "lead")} would be left out`]),
    existing === undefined
      ? `It costs ${countOf(credits, "credit")} at most, one less for each that fails; ${is_unlimited ? "the plan has no limit" : `there are ${balance}`}`
      : `Nothing new is charged: this was begun before, as list ${existing.id} (${existing.processing_status})`,
    ...(existing === undefined && !sufficient ? ["That is not enough: no lead would be taken"] : []),
    "",
    ...alignColumns(
      ["Title", "leads", "persona", "why"],
      routes.map(({ leads, persona, reasons, title }) => [
        title === "" ? "(none)" : title,
        `${leads}`,
        persona,
        reasons.join(" ")
      ])
    )
  ]
  const cost = existing === undefined ? credits : 0
  yield* print(
    {
      dry_run: true,
      leads: leads.length,
      left_out: leftOutCount,
      ...(skippedCount === 0 ? {} : { skipped: skippedCount }),
      credits: cost,
      balance,
      sufficient: existing !== undefined || sufficient,
      list_id: existing?.id ?? null,
      routes
    },
    lines
  )
})

/** The list to follow: an unfinished one of the same batch, or a new one. */
const startOrResume = Effect.fnUntraced(function* (client: Client, batch: Batch, writesAgain: boolean) {
  const existingLists = yield* find(client, batch)
  const [existing] = existingLists
  if (existing === undefined || writesAgain) {
    yield* checkLeads(client, batch)
    const id = yield* accept(client, batch, existingLists)
    yield* printNote(`List ${id}; after Ctrl-C the server continues; rerun this command to follow it`)
    return id
  }
  yield* printNote(`This was begun before, as list ${existing.id}; nothing is sent or charged again (--again does)`)
  if (existing.processing_status === "pending") yield* client.lists.reprocessList({ params: { id: existing.id } })
  return existing.id
})

/** A warning before anything is charged, because only a model uses research. */
const noteUnusedResearch = Effect.fnUntraced(function* (client: Client) {
  const workspace = yield* Effect.option(client.workspace.getWorkspace())
  if (Option.isSome(workspace) && workspace.value.writer.kind === "builtin")
    yield* printNote(
      "The server writes without a model: research is listed with each lead, and the emails do not use it"
    )
})

/** Adds the people who opted out in the file to the suppression list, or says how to. */
const suppressOptOuts = Effect.fnUntraced(function* (
  client: Client,
  entries: ReadonlyArray<SuppressionEntry>,
  flags: { readonly suppressOptOuts: boolean; readonly dryRun: boolean }
) {
  if (entries.length === 0) return
  const people = entries.length === 1 ? "1 person" : `${entries.length} people`
  if (!flags.suppressOptOuts || flags.dryRun) {
    const how = flags.suppressOptOuts ? "would be added" : "--suppress-opt-outs adds them"
    return yield* printNote(
      `${people} of the file opted out: ${how} to the suppression list, which every later file obeys`
    )
  }
  const { added, already, exported_lists } = yield* addSuppressions(client, entries)
  yield* printNote(`${people} of the file opted out: ${added} added to the suppression list, ${already} on it already`)
  for (const list of exported_lists) yield* printNote(describeExportedList(list))
})

export const generate = Command.make(
  "generate",
  {
    leads: Argument.File("leads").pipe(
      Argument.withDescription(
        "A .csv, .tsv or .xlsx file of leads; its columns are recognised, and the others become custom fields"
      )
    ),
    sheet: Flag.String("sheet").pipe(
      Flag.withDescription("The sheet of an .xlsx file to read (the first)"),
      Flag.optional
    ),
    campaign,
    ...writingFlags,
    enrich: toggle(
      "enrich",
      "Read the site of each lead's company first; two credits a lead. Only a model uses the facts in the emails"
    ),
    out: Flag.File("out").pipe(Flag.withDescription("The file of emails to make (LEADS-emails.csv)"), Flag.optional),
    skipWritten: Flag.Literals("skip-written", ["campaign", "workspace"]).pipe(
      Flag.withDescription("Leave out addresses that another list of the campaign, or of the workspace, has"),
      Flag.optional
    ),
    skipClients: toggle(
      "skip-clients",
      "Leave out your own company, clients and competitors before anything is written"
    ),
    include: Flag.String("include").pipe(
      Flag.withSchema(Email),
      Flag.withDescription(
        "An address to write to although --skip-written, --skip-clients or a column of the file would leave it out; repeat it for several"
      ),
      Flag.atLeast(0)
    ),
    suppressOptOuts: toggle(
      "suppress-opt-outs",
      "Add the people whom a column of the file such as Unsubscribed leaves out to the suppression list"
    ),
    dryRun: toggle(
      "dry-run",
      "Show what would be sent, what to look at among the leads, who gets which emails and why, and the cost"
    ),
    again: toggle("again", "Write, and charge, also what was written before")
  },
  (flags) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const path = yield* Path.Path
        const signature = yield* signatureOptions(flags)
        const sheet = Option.getOrUndefined(flags.sheet)
        const file = yield* readLeadFile(flags.leads, sheet, flags.include)
        const { leads, left_out } = file
        // Checked here, because the server accepts or refuses a batch as a whole.
        const unresearchableCount = flags.enrich ? leads.filter((lead) => !isResearchable(lead)).length : 0
        if (unresearchableCount > 0) {
          return yield* userError(
            `--enrich needs a company, a site or a LinkedIn address of every lead; ${countOf(unresearchableCount, "lead")} of ${flags.leads} ${unresearchableCount === 1 ? "has" : "have"} none`
          )
        }
        // Checked before anything is charged.
        const out = Option.isSome(flags.out) ? flags.out.value : yield* free(`${path.parse(flags.leads).name}-emails`)
        if (!flags.dryRun) yield* refuseToOverwrite(out)
        const price = flags.enrich ? 2 : 1
        const batch: Batch = {
          campaign: flags.campaign,
          leads,
          name: path.parse(flags.leads).name,
          omittedRows: LeadFile.omittedRowsOf(file),
          options: {
            email_count: flags.emailCount,
            ...signature,
            ...(flags.enrich ? { enrichment_enabled: true } : {}),
            ...(flags.skipClients ? { skip_clients: true } : {}),
            ...(flags.include.length > 0 ? { include_addresses: flags.include } : {}),
            ...(Option.isSome(flags.skipWritten) ? { skip_written: flags.skipWritten.value } : {})
          }
        }
        if (flags.enrich) yield* noteUnusedResearch(client)
        yield* suppressOptOuts(client, optOutEntries(left_out, path.basename(flags.leads)), flags)
        if (flags.dryRun) return yield* dryRun(client, batch, left_out.length, price)

        const id = yield* startOrResume(client, batch, flags.again)
        const progress = yield* Progress.make(process.stderr)
        const list = yield* finish(client, id, progress.show).pipe(Effect.ensuring(progress.clear))
        if (list.processing_status === "failed") {
          return yield* userError(
            `No lead of list ${id} could be written to, and none was charged; the server's log says why`
          )
        }
        yield* saveAs(yield* exported(client, id, "csv"), out)
        const totals = totalsOf(list, flags.emailCount, price)
        yield* print(totals, [
          [
            `${countOf(totals.leads - totals.failed - (totals.skipped ?? 0), "lead")} written to`,
            `${totals.failed} failed`,
            ...(totals.skipped === undefined ? [] : [`${totals.skipped} left out`]),
            countOf(totals.credits, "credit")
          ].join(", "),
          out
        ])
        if (yield* wantsJson) yield* Console.error(out)
      })
    )
).pipe(remoteEnvironment)
