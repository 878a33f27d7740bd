// layers/Lists.ts: lists of leads, accepted, followed and exported by their owner.
import { Context, Effect, Layer, type Option, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import { type Claim, Queue, LeaseLost } from "#layers/Queue.ts"
import type { FilesUnavailable } from "#layers/Files.ts"
import type { Format, Shape } from "#layers/lists/ExportFormats.ts"
import * as Exports from "#layers/lists/Exports.ts"
import * as Accept from "#layers/lists/AcceptList.ts"
import { type LeadFilter, makeLeadQueries } from "#layers/lists/LeadQueries.ts"
import type { StoredReview } from "#layers/lists/LeadColumns.ts"
import * as ListStore from "#layers/lists/Store.ts"
import { makeUsage, type Prices } from "#layers/lists/Usage.ts"
import * as Pending from "#layers/lists/PendingLists.ts"
import { now } from "#layers/lib/Now.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Conflict, type Failure, NotFound, NotReady } from "#schema/Errors.ts"
import type { Sequence } from "#schema/Lead.ts"
import type { ListLead } from "#schema/ListLeads.ts"
import type { ExportCount, List, ListEntry, ListTotals, ProcessingStatus } from "#schema/Lists.ts"
import type { Page, Rows } from "#schema/Page.ts"

/** A list as a file. */
export interface Export extends Exports.Content {
  readonly name: string
}

export class Lists extends Context.Service<
  Lists,
  {
    /** Stores a list and queues its batches, which wait for `gate`; answers the ids of the list, its leads and its jobs. */
    readonly accept: (workspace: WorkspaceId, list: Accept.NewList) => Effect.Effect<Accept.AcceptedList>
    /** Lists being written; pending lists do not count. */
    readonly inWork: (workspace: WorkspaceId, kind: "single" | "batch") => Effect.Effect<number>
    /** The status of a list of this campaign that is in work, if there is one. */
    readonly inWorkFor: (workspace: WorkspaceId, campaign: string) => Effect.Effect<ProcessingStatus | undefined>
    readonly list: (workspace: WorkspaceId, page: Page, filter: ListStore.Filter) => Effect.Effect<Rows<ListEntry>>
    /** The counts of all lists that match, added up. */
    readonly totals: (workspace: WorkspaceId, filter: ListStore.Filter) => Effect.Effect<ListTotals>
    readonly find: (workspace: WorkspaceId, id: string) => Effect.Effect<List, NotFound>
    /** The list, with the model tokens that were used for it so far. */
    readonly findWithUsage: (
      workspace: WorkspaceId,
      id: string,
      prices: Prices | undefined
    ) => Effect.Effect<List, NotFound>
    readonly rename: (workspace: WorkspaceId, id: string, name: string) => Effect.Effect<ListEntry, NotFound>
    /** Deletes the list with its leads and batches; what they cost stays in the ledger. CONFLICT while it is in work. */
    readonly remove: (workspace: WorkspaceId, id: string) => Effect.Effect<void, NotFound | Conflict>
    /** Stores the brief in the campaign's lists that wait for its build; later changes of the campaign do not alter it. */
    readonly brief: (workspace: WorkspaceId, campaign: string, brief: string) => Effect.Effect<void>
    /** Makes the campaign's waiting lists pending and releases their credits: the campaign was changed before its build was done. */
    readonly makePending: (workspace: WorkspaceId, campaign: string) => Effect.Effect<void>
    /** What a list needs to be resumed. */
    readonly pendingState: (workspace: WorkspaceId, id: string) => Effect.Effect<Pending.PendingState, NotFound>
    /**
     * Makes the parked batches of a pending list run: once `gate` is released or, without a gate, now. A list without a brief
     * then takes its campaign's. Runs in the caller's transaction.
     */
    readonly resume: (workspace: WorkspaceId, id: string, gate: string | undefined) => Effect.Effect<void>
    /** The one lead of a `single` list, with what was written to it or why it failed. */
    readonly lead: (
      workspace: WorkspaceId,
      id: string
    ) => Effect.Effect<{
      readonly status: string
      readonly error: string | null
      readonly failure: Failure | null
      /** Why the lead was left out; null if it was not. */
      readonly skipped: string | null
      readonly sequence: Sequence | null
      /** What is stored about each email of the sequence. */
      readonly findings: ReadonlyArray<StoredReview> | null
    }>
    /** The outcome of a finished list, and the recipient of its notification. */
    readonly outcome: (workspace: WorkspaceId, id: string) => Effect.Effect<Option.Option<ListStore.Outcome>>
    /** A page of the leads with the result of each so far, in the order they were sent unless the filter has another. */
    readonly leads: (
      workspace: WorkspaceId,
      id: string,
      page: Page,
      filter: LeadFilter
    ) => Effect.Effect<Rows<ListLead>, NotFound>
    /** The leads that succeeded, in the order they were sent, with their emails. */
    readonly exported: (
      workspace: WorkspaceId,
      id: string,
      format: Format,
      shape?: Shape
    ) => Effect.Effect<Export, NotFound | NotReady>
    /** Counts the leads in an export of this shape, and those that it leaves out. */
    readonly countExported: (
      workspace: WorkspaceId,
      id: string,
      shape: Shape
    ) => Effect.Effect<ExportCount, NotFound | NotReady>
    /** The list as CSV for a signed link, which was checked before. NOT_FOUND unless the list is completed. */
    readonly exportByLink: (id: string) => Effect.Effect<Export, NotFound>
    /** Writes the export files of a completed list. `claim` is the claimed `list.file` job. */
    readonly writeFiles: (claim: Claim) => Effect.Effect<void, FilesUnavailable | LeaseLost>
  }
>()("overture/layers/Lists") {
  static readonly layer = Layer.effect(
    Lists,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* Queue
      const accept = yield* Accept.make
      const pendingLists = yield* Pending.makePendingLists
      const exports = yield* Exports.make
      const queryLeads = yield* makeLeadQueries
      const store = yield* ListStore.make
      const usageOf = yield* makeUsage
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

      const exported = traced("Lists.exported")(function* (
        workspace: WorkspaceId,
        id: string,
        format: Format,
        shape: Shape = {}
      ) {
        const { custom_keys, custom_name, edits, leads_done, options } = yield* requireCompleted(workspace, id)
        const columns = { steps: options.email_count, keys: custom_keys ?? [] }
        const list = { id, leads_done, edits, ...columns }
        const isShaped = Object.values(shape).some((value) => value !== undefined)
        const content = isShaped
          ? yield* exports.shaped(workspace, list, format, shape)
          : yield* exports.content(workspace, list, format)
        return { name: custom_name ?? id, ...content } satisfies Export
      })

      return Lists.of({
        ...Struct.pick(store, ["inWork", "inWorkFor", "lead", "list", "outcome", "totals"]),
        ...pendingLists,
        accept,

        find: traced("Lists.find")(function* (workspace, id) {
          return ListStore.toList(yield* find(workspace, id))
        }),

        findWithUsage: traced("Lists.findWithUsage")(function* (workspace, id, prices) {
          const list = ListStore.toList(yield* find(workspace, id))
          const usage = yield* usageOf(workspace, id, prices)
          return usage === undefined ? list : { ...list, usage }
        }),

        rename: traced("Lists.rename")(function* (workspace, id, name) {
          yield* sql`
            UPDATE lists SET custom_name = ${name}, updated_at = ${yield* now}
            WHERE id = ${id} AND workspace_id = ${workspace}`
          return ListStore.toListEntry(yield* find(workspace, id))
        }, inTransaction(sql)),

        remove: traced("Lists.remove")(function* (workspace, id) {
          const { processing_status } = yield* find(workspace, id)
          if (processing_status === "processing" || processing_status === "in_progress") {
            return yield* new Conflict({
              message: `A list in work cannot be deleted; this one is ${processing_status}`,
              detail: { processing_status }
            })
          }
          yield* sql`DELETE FROM jobs WHERE subject = ${id} AND workspace_id = ${workspace}`
          yield* exports.forget(workspace, id)
          yield* sql`DELETE FROM leads WHERE list_id = ${id} AND workspace_id = ${workspace}`
          yield* sql`DELETE FROM lists WHERE id = ${id} AND workspace_id = ${workspace}`
        }, inTransaction(sql)),

        leads: traced("Lists.leads")(function* (workspace, id, page, filter) {
          yield* find(workspace, id)
          return yield* queryLeads({ ...filter, workspace, list: id }, page)
        }),

        exported,

        countExported: traced("Lists.countExported")(function* (workspace, id, shape) {
          yield* requireCompleted(workspace, id)
          return yield* exports.counted(workspace, id, shape)
        }),

        writeFiles: traced("Lists.writeFiles")(function* (claim) {
          yield* queue.holding(claim)
          const gone = () => new LeaseLost({ id: claim.id })
          const { custom_keys, edits, id, leads_done, options } = yield* Effect.mapError(
            store.findStored(claim.workspace_id, claim.subject),
            gone
          )
          yield* exports.write(claim, { id, leads_done, edits, steps: options.email_count, keys: custom_keys ?? [] })
        }),

        exportByLink: traced("Lists.linked")(function* (id) {
          const none = () => new NotFound({ message: "What this link opened is no longer there" })
          const workspace = yield* Effect.flatMap(store.owner(id), (owner) => Effect.fromOption(owner, none))
          return yield* Effect.catchTag(exported(workspace, id, "csv"), "NOT_READY", none)
        })
      })
    })
  )
}
