// layers/Lists.ts: accepts, lists and exports lists of leads.
import { Array as Arr, Context, Effect, Layer, Option, Stream, Struct } from "effect"
import { type ClaimedJob, LeaseLost, Queue, type SlotReservation } from "#layers/Queue.ts"
import { makeForgetLeadAnswers } from "#layers/idempotency/KeyRows.ts"
import type { CustomFields, Lead, Sequence } from "#schema/Lead.ts"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { inTransaction, joinTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { FilesUnavailable } from "#layers/Files.ts"
import type { Format, ExportOptions } from "#layers/lists/ExportFormats.ts"
import * as Exports from "#layers/lists/Exports.ts"
import { type LeadFilter, makeFindLeads, makeLeadQueries } from "#layers/lists/LeadQueries.ts"
import type { PendingLead, StoredCheck, WrittenEmails } from "#layers/lists/LeadColumns.ts"
import * as OmittedRows from "#layers/lists/OmittedRows.ts"
import { makeSharedBriefs } from "#layers/playbooks/CampaignBrief.ts"
import * as ListStore from "#layers/lists/Store.ts"
import { makeUsage, type Prices } from "#layers/lists/Usage.ts"
import * as PausedLists from "#layers/lists/PausedLists.ts"
import { Conflict, type Failure, NotFound, NotReady } from "#schema/Errors.ts"
import type { FoundLead, FoundRow, ListLead } from "#schema/ListLeads.ts"
import type { ExportCount, List, ListEntry, ListTotals, ProcessingStatus } from "#schema/Lists.ts"
import type { OmittedRow, OmittedRowInput } from "#schema/OmittedRows.ts"
import type { Page, Rows } from "#schema/Page.ts"

/**
 * Passes a single lead from the request that stored it to a worker of the same process, which then reads no rows. A
 * worker that claims the job from the store, for example after a crash, has no handoff and reads the rows.
 */
interface InProcessHandoff {
  readonly writing: ListStore.ListWriting
  readonly lead: PendingLead
  /** The key of the brief: the build and the version of the playbook. */
  readonly brief: string
  /** The emails, set after they are committed. */
  written?: WrittenEmails
}

const handoffs = new WeakMap<ClaimedJob, InProcessHandoff>()

export const handoffOf = (claim: ClaimedJob) => handoffs.get(claim)

/** Records the committed emails. */
export const handOverEmails = (claim: ClaimedJob, emails: WrittenEmails) => {
  const handoff = handoffs.get(claim)
  if (handoff !== undefined) handoff.written = emails
}

/** A slot reservation that passes this handoff to its job. */
const attachHandoff = (reservation: SlotReservation, handoff: InProcessHandoff): SlotReservation => ({
  ...reservation,
  begin: (claim) =>
    Effect.suspend(() => {
      handoffs.set(claim, handoff)
      return reservation.begin(claim)
    })
})

/** Leads in parts, because there may be very many. A part is no longer than one statement allows. */
export interface LeadSource {
  readonly count: number
  readonly parts: Iterable<ReadonlyArray<Lead>>
}

export interface NewList {
  readonly campaign: string
  readonly kind: "single" | "batch"
  readonly name: string
  readonly writing: ListStore.ListWriting
  readonly leads: LeadSource
  readonly gate: string | undefined
  /** The key of the campaign's brief; undefined while the list waits for a gate. */
  readonly brief?: string | undefined
  /** Skipped leads: the reason by the index of the lead, from 0. */
  readonly skipReasons?: ReadonlyMap<number, string> | undefined
  /** Rows of the lead file that are not among the leads. */
  readonly omittedRows?: ReadonlyArray<OmittedRowInput> | undefined
  /** The reserved slot in which the batch of a `single` list starts on commit. */
  readonly startsIn?: SlotReservation | undefined
}

interface AcceptedList {
  readonly list_id: string
  readonly leads: ReadonlyArray<string>
  readonly jobs: ReadonlyArray<string>
  /** The handoff to the worker, for a list that starts on commit. */
  readonly handoff: InProcessHandoff | undefined
}

/** Leads in one batch, which is the work of one job. */
export const batchSize = 25

/** Leads per INSERT; more would delay other requests. */
const insertSize = 200

/** Splits the leads into parts of at most `size`. */
export function* splitIntoParts({ parts }: LeadSource, size: number) {
  for (const part of parts) yield* Arr.chunksOf(part, size)
}

const copyFields = (fields: Lead["custom_fields"]): CustomFields | null =>
  fields !== undefined && fields !== null && Object.keys(fields).length > 0 ? fields : null

const encodeFields = ({ custom_fields }: Lead) => {
  const fields = copyFields(custom_fields)
  return fields === null ? null : JSON.stringify(fields)
}

/** The initial columns of a lead, pending or skipped. */
const initialLeadStatus = (reason: string | undefined) =>
  reason === undefined
    ? { status: "pending", skipped: null, error: null }
    : { status: "skipped", skipped: reason, error: `Left out: ${reason}` }

/** Custom field keys that get a column in the CSV; all others are only in the JSON. */
const maxCustomKeys = 200

/** Adds keys in the order in which they first appear. */
const collectKeys = (keys: Set<string>, leads: ReadonlyArray<Lead>) => {
  for (const { custom_fields } of leads) {
    for (const key of Object.keys(custom_fields ?? {})) if (keys.size < maxCustomKeys) keys.add(key)
  }
}

const makeAccept = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const queue = yield* Queue
  const omittedRowStore = yield* OmittedRows.make
  const counts = yield* ListStore.makeListCounts
  const briefs = yield* makeSharedBriefs

  /** The recipient of the notification: the requested address, else the workspace's owner. */
  const recipientOf = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    { notification_email }: ListStore.ListWriting
  ) {
    if (notification_email !== null) return notification_email
    const [row] = yield* sql<{ readonly owner_email: string | null }>`
      SELECT owner_email FROM workspaces WHERE id = ${workspace}`
    return row?.owner_email ?? null
  })

  return traced("Lists.accept")(function* (
    workspace: WorkspaceId,
    { brief, startsIn, campaign, gate, kind, leads, omittedRows = [], skipReasons, name, writing }: NewList
  ) {
    const list_id = yield* random.uuidV7()
    const timestamp = yield* now
    const recipient = kind === "batch" ? yield* recipientOf(workspace, writing) : null
    // The current brief, so that later changes of the campaign do not affect the list.
    if (brief !== undefined) yield* briefs.storeBrief(workspace, campaign, brief)
    yield* sql`
      INSERT INTO lists (id, workspace_id, campaign_id, kind, custom_name, processing_status, options, cost, recipient,
        brief_id, leads_count, leads_done, leads_failed, leads_skipped, emails_created, created_at, updated_at)
      VALUES (${list_id}, ${workspace}, ${campaign}, ${kind}, ${name}, 'processing', ${JSON.stringify(writing)},
        ${writing.cost}, ${recipient}, ${brief ?? null}, ${leads.count}, 0, 0, ${skipReasons?.size ?? 0}, 0, ${timestamp}, ${timestamp})`
    yield* counts.countCreated({ workspace_id: workspace, campaign_id: campaign, kind })
    const ids: Array<string> = []
    let handoff: InProcessHandoff | undefined
    const keys = new Set<string>()
    for (const part of splitIntoParts(leads, insertSize)) {
      collectKeys(keys, part)
      const firstPosition = ids.length
      for (const _ of part) ids.push(yield* random.uuidV7())
      const rows = part.map((lead, i) => ({
        id: ids[firstPosition + i] ?? "",
        list_id,
        workspace_id: workspace,
        position: firstPosition + i,
        ...initialLeadStatus(skipReasons?.get(firstPosition + i)),
        suspect: 0,
        email: lead.email,
        name: lead.name ?? null,
        title: lead.title ?? null,
        company: lead.company ?? null,
        linkedin_url: lead.linkedin_url ?? null,
        company_website: lead.company_website ?? null,
        custom_fields: encodeFields(lead)
      }))
      if (!Arr.isArrayNonEmpty(rows)) continue
      yield* sql`INSERT INTO leads ${sql.insert(rows)}`
      if (startsIn !== undefined && brief !== undefined) {
        const lead = Struct.omit(rows[0], ["list_id", "workspace_id", "status", "skipped", "error"])
        const custom_fields = copyFields(part[0]?.custom_fields)
        // The credits of the lead are held in the same transaction, so there is one hold.
        handoff = { brief, writing, lead: { ...lead, custom_fields, holds: 1 } }
      }
      yield* Effect.yieldNow
    }
    if (keys.size > 0) {
      yield* sql`
        UPDATE lists SET custom_keys = ${JSON.stringify([...keys])}
        WHERE id = ${list_id} AND workspace_id = ${workspace}`
    }
    if (omittedRows.length > 0) yield* omittedRowStore.insert({ workspace, list: list_id }, omittedRows)
    const batchIndexes = Array.from({ length: Math.ceil(leads.count / batchSize) }, (_, batch) => batch)
    const type = kind === "single" ? "list.single" : "list.batch"
    const reservation = startsIn && handoff && attachHandoff(startsIn, handoff)
    const jobIds = yield* queue.enqueue(
      batchIndexes.map((batch) => ({ workspace, type, subject: list_id, payload: { batch }, gate, reservation }))
    )
    const accepted: AcceptedList = { list_id, leads: ids, jobs: jobIds, handoff }
    return accepted
  }, joinTransaction(sql))
})

/** The content of a list as a downloadable file. */
export interface Export extends Exports.Content {
  readonly name: string
}

export class Lists extends Context.Service<
  Lists,
  {
    /**
     * Stores a list and queues its batches, which wait for `gate` if given. Returns the ids of the list, its leads and
     * its jobs.
     */
    readonly accept: (workspace: WorkspaceId, list: NewList) => Effect.Effect<AcceptedList>
    /** The number of lists being written; pending lists do not count. */
    readonly countInProgress: (workspace: WorkspaceId, kind: "single" | "batch") => Effect.Effect<number>
    /** The status of a list of this campaign that is in progress, if any. */
    readonly findStatusInProgress: (
      workspace: WorkspaceId,
      campaign: string
    ) => Effect.Effect<ProcessingStatus | undefined>
    readonly list: (workspace: WorkspaceId, page: Page, filter: ListStore.Filter) => Effect.Effect<Rows<ListEntry>>
    /** The summed counts of all lists that match. */
    readonly totals: (workspace: WorkspaceId, filter: ListStore.Filter) => Effect.Effect<ListTotals>
    readonly find: (workspace: WorkspaceId, id: string) => Effect.Effect<List, NotFound>
    /** The list with the model tokens used for it so far, and how many emails were changed since its last export. */
    readonly findWithUsage: (
      workspace: WorkspaceId,
      id: string,
      prices: Prices | undefined
    ) => Effect.Effect<List, NotFound>
    readonly rename: (workspace: WorkspaceId, id: string, name: string) => Effect.Effect<ListEntry, NotFound>
    /**
     * Deletes the list with its leads and batches; the ledger keeps their charges. CONFLICT while the list is in
     * progress.
     */
    readonly remove: (workspace: WorkspaceId, id: string) => Effect.Effect<void, NotFound | Conflict>
    /**
     * Stores the brief in the campaign's lists that wait for its build; later changes of the campaign do not affect it.
     */
    readonly brief: (workspace: WorkspaceId, campaign: string, brief: string) => Effect.Effect<void>
    /**
     * Makes the waiting lists of a campaign pending and releases their credits, because the campaign was changed before
     * its build finished.
     */
    readonly makePending: (workspace: WorkspaceId, campaign: string) => Effect.Effect<void>
    /** The state that decides whether and how a list can be resumed. */
    readonly pendingState: (workspace: WorkspaceId, id: string) => Effect.Effect<PausedLists.PendingState, NotFound>
    /**
     * Runs the parked batches of a pending list: after `gate` is released if given, else now. A list without a brief
     * takes its campaign's. Runs in the caller's transaction.
     */
    readonly resume: (workspace: WorkspaceId, id: string, gate: string | undefined) => Effect.Effect<void>
    /** The lead of a `single` list, with its emails or the reason why it failed. */
    readonly lead: (
      workspace: WorkspaceId,
      id: string
    ) => Effect.Effect<{
      readonly status: string
      readonly error: string | null
      readonly failure: Failure | null
      /** The reason why the lead was skipped; null if it was not. */
      readonly skipped: string | null
      readonly sequence: Sequence | null
      /** What is stored about each email of the sequence. */
      readonly findings: ReadonlyArray<StoredCheck> | null
    }>
    /** The outcome of a finished list, and the recipient of its notification. */
    readonly outcome: (workspace: WorkspaceId, id: string) => Effect.Effect<Option.Option<ListStore.Outcome>>
    /** A page of the leads with their results so far, in the order they were sent unless `filter` sets another. */
    readonly leads: (
      workspace: WorkspaceId,
      id: string,
      page: Page,
      filter: LeadFilter
    ) => Effect.Effect<Rows<ListLead>, NotFound>
    /** A page of the leads with an address, in all lists, those of the newest list first. */
    readonly findLeads: (workspace: WorkspaceId, email: string, page: Page) => Effect.Effect<Rows<FoundLead>>
    /** The rows with an address that lists were made without, those of the newest list first. */
    readonly findOmittedRows: (workspace: WorkspaceId, email: string) => Effect.Effect<ReadonlyArray<FoundRow>>
    /** The rows of the lead file that the list was made without, in their order. */
    readonly omittedRows: (workspace: WorkspaceId, id: string, page: Page) => Effect.Effect<Rows<OmittedRow>, NotFound>
    /** The rows that the list was made without, as CSV. */
    readonly exportOmittedRows: (workspace: WorkspaceId, id: string) => Effect.Effect<Export, NotFound>
    /** The completed leads with their emails, in the order they were sent. Reading the content records an export of the list. */
    readonly exportList: (
      workspace: WorkspaceId,
      id: string,
      format: Format,
      exportOptions?: ExportOptions
    ) => Effect.Effect<Export, NotFound | NotReady>
    /** Counts the leads that an export of this shape includes and excludes. */
    readonly countExport: (
      workspace: WorkspaceId,
      id: string,
      exportOptions: ExportOptions
    ) => Effect.Effect<ExportCount, NotFound | NotReady>
    /** The list as CSV. The caller has verified a signed link. NOT_FOUND unless the list is completed. */
    readonly exportByLink: (id: string) => Effect.Effect<Export, NotFound>
    /** Writes the export files of a completed list. `claim` is the claimed `list.file` job. */
    readonly writeFiles: (claim: ClaimedJob) => Effect.Effect<void, FilesUnavailable | LeaseLost>
  }
>()("overture/layers/Lists") {
  static readonly layer = Layer.effect(
    Lists,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* Queue
      const accept = yield* makeAccept
      const pendingLists = yield* PausedLists.makePendingLists
      const exports = yield* Exports.make
      const omittedRowStore = yield* OmittedRows.make
      const counts = yield* ListStore.makeListCounts
      const briefs = yield* makeSharedBriefs
      const forgetAnswers = yield* makeForgetLeadAnswers
      const queryLeads = yield* makeLeadQueries
      const findLeads = yield* makeFindLeads
      const store = yield* ListStore.make
      const usageOf = yield* makeUsage
      const scope = yield* Effect.scope
      const { find } = store

      const requireCompleted = Effect.fnUntraced(function* (workspace: WorkspaceId, id: string) {
        const list = yield* store.findStored(workspace, id)
        const { processing_status } = list
        if (processing_status === "completed") return list
        return yield* new NotReady({
          message: `Only a completed list can be exported; this one is ${processing_status}`,
          detail: { processing_status }
        })
      })

      /** Records an export by a key or a link. Runs in the background, so that it neither delays nor fails the export. */
      const recordExport = (workspace: WorkspaceId, id: string, timestamp: string, hasAllLeads: boolean) =>
        sql`
          UPDATE lists SET exported_at = ${timestamp}${hasAllLeads ? sql`, fully_exported_at = ${timestamp}` : sql``}
          WHERE id = ${id} AND workspace_id = ${workspace}`.pipe(
          Effect.catchCause((cause) => Effect.logWarning("Could not record an export of a list", { list: id }, cause)),
          Effect.forkIn(scope)
        )

      const exportList = traced("Lists.exportList")(function* (
        workspace: WorkspaceId,
        id: string,
        format: Format,
        exportOptions: ExportOptions = {}
      ) {
        const { custom_keys, custom_name, edits, leads_done, options } = yield* requireCompleted(workspace, id)
        const columns = { steps: options.email_count, keys: custom_keys ?? [] }
        const list = { id, leads_done, edits, ...columns }
        const hasOptions = Object.values(exportOptions).some((value) => value !== undefined)
        // Before the rows are read, so that a later edit has a later time.
        const timestamp = yield* now
        const content = hasOptions
          ? yield* exports.filtered(workspace, list, format, exportOptions, timestamp)
          : yield* exports.content(workspace, list, format)
        // Recorded when the content is read, which a HEAD request does not do.
        return {
          name: custom_name ?? id,
          bytes: content.bytes,
          content: Stream.onStart(
            content.content,
            recordExport(workspace, id, timestamp, !Exports.isSelection(exportOptions))
          )
        } satisfies Export
      })

      return Lists.of({
        ...Struct.pick(store, ["countInProgress", "findStatusInProgress", "lead", "list", "outcome", "totals"]),
        ...pendingLists,
        accept,

        find: traced("Lists.find")(function* (workspace, id) {
          return ListStore.toList(yield* find(workspace, id))
        }),

        findWithUsage: traced("Lists.findWithUsage")(function* (workspace, id, prices) {
          const list = ListStore.toList(yield* find(workspace, id))
          const usage = yield* usageOf(workspace, id, prices)
          const lastExport = Option.getOrUndefined(yield* store.lastExport(workspace, id))
          return { ...list, ...(usage === undefined ? {} : { usage }), ...lastExport }
        }),

        rename: traced("Lists.rename")(function* (workspace, id, name) {
          yield* sql`
            UPDATE lists SET custom_name = ${name}, updated_at = ${yield* now}
            WHERE id = ${id} AND workspace_id = ${workspace}`
          return ListStore.toListEntry(yield* find(workspace, id))
        }, inTransaction(sql)),

        remove: traced("Lists.remove")(function* (workspace, id) {
          const { campaign_id, kind, processing_status } = yield* find(workspace, id)
          if (processing_status === "processing" || processing_status === "in_progress") {
            return yield* new Conflict({
              message: `A list in work cannot be deleted; this one is ${processing_status}`,
              detail: { processing_status }
            })
          }
          yield* sql`DELETE FROM jobs WHERE subject = ${id} AND workspace_id = ${workspace}`
          yield* exports.deleteListFiles(workspace, id)
          yield* forgetAnswers(workspace, id)
          yield* sql`DELETE FROM leads WHERE list_id = ${id} AND workspace_id = ${workspace}`
          yield* sql`DELETE FROM omitted_rows WHERE list_id = ${id} AND workspace_id = ${workspace}`
          const deletedLists = yield* sql<{ readonly brief_id: string | null }>`
            DELETE FROM lists WHERE id = ${id} AND workspace_id = ${workspace} RETURNING brief_id`
          yield* briefs.deleteUnused(workspace, deletedLists)
          yield* counts.countDeleted({ workspace_id: workspace, campaign_id, kind })
        }, inTransaction(sql)),

        leads: traced("Lists.leads")(function* (workspace, id, page, filter) {
          yield* find(workspace, id)
          return yield* queryLeads({ ...filter, workspace, list: id }, page)
        }),

        findLeads: traced("Lists.findLeads")(function* (workspace, email, page) {
          return yield* findLeads(workspace, email, page)
        }),

        findOmittedRows: traced("Lists.findOmittedRows")(function* (workspace, email) {
          return yield* omittedRowStore.find(workspace, email)
        }),

        omittedRows: traced("Lists.omittedRows")(function* (workspace, id, page) {
          yield* find(workspace, id)
          return yield* omittedRowStore.page({ workspace, list: id }, page)
        }),

        exportOmittedRows: traced("Lists.exportOmittedRows")(function* (workspace, id) {
          const { custom_name } = yield* find(workspace, id)
          const content = omittedRowStore.csv({ workspace, list: id })
          return { name: `rows not in ${custom_name ?? id}`, content, bytes: undefined }
        }),

        exportList,

        countExport: traced("Lists.countExport")(function* (workspace, id, exportOptions) {
          yield* requireCompleted(workspace, id)
          return yield* exports.count(workspace, id, exportOptions)
        }),

        writeFiles: traced("Lists.writeFiles")(function* (claim) {
          yield* queue.requireLease(claim)
          const leaseLost = () => new LeaseLost({ id: claim.id })
          const { custom_keys, edits, id, leads_done, options } = yield* Effect.mapError(
            store.findStored(claim.workspace_id, claim.subject),
            leaseLost
          )
          yield* exports.write(claim, { id, leads_done, edits, steps: options.email_count, keys: custom_keys ?? [] })
        }),

        exportByLink: traced("Lists.exportByLink")(function* (id) {
          const linkNotFound = () => new NotFound({ message: "What this link opened is no longer there" })
          const workspace = yield* Effect.flatMap(store.owner(id), (owner) => Effect.fromOption(owner, linkNotFound))
          return yield* Effect.catchTag(exportList(workspace, id, "csv"), "NOT_READY", linkNotFound)
        })
      })
    })
  )
}
