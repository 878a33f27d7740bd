// layers/Lists.ts: lists of leads, accepted, followed and exported by their owner.
import { Context, Effect, Layer, type Option, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import { type Claim, Queue, LeaseLost } from "#layers/Queue.ts"
import type { FilesUnavailable } from "#layers/Files.ts"
import * as Exports from "#layers/lists/Exports.ts"
import * as Accept from "#layers/lists/Accept.ts"
import * as ListStore from "#layers/lists/Store.ts"
import * as Pending from "#layers/lists/Pending.ts"
import { now } from "#layers/lib/Now.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Conflict, type Failure, NotFound, NotReady } from "#schema/Errors.ts"
import type { Sequence } from "#schema/Lead.ts"
import type { LeadStatus, ListLead } from "#schema/ListLeads.ts"
import type { List, ListEntry, ProcessingStatus } from "#schema/Lists.ts"
import type { Page, Rows } from "#schema/Page.ts"

/** A list as a file. */
export interface Export extends Exports.Content {
  readonly name: string
}

export class Lists extends Context.Service<
  Lists,
  {
    /** Stores a list and queues its batches, which wait for `gate`; answers the ids of the list, its leads and its jobs. */
    readonly accept: (workspace: WorkspaceId, list: Accept.NewList) => Effect.Effect<Accept.Accepted>
    /** Lists being written; pending lists do not count. */
    readonly inWork: (workspace: WorkspaceId, kind: "single" | "batch") => Effect.Effect<number>
    /** The status of a list of this campaign that is in work, if there is one. */
    readonly inWorkFor: (workspace: WorkspaceId, campaign: string) => Effect.Effect<ProcessingStatus | undefined>
    readonly list: (workspace: WorkspaceId, page: Page, filter: ListStore.Filter) => Effect.Effect<Rows<ListEntry>>
    readonly find: (workspace: WorkspaceId, id: string) => Effect.Effect<List, NotFound>
    readonly rename: (workspace: WorkspaceId, id: string, name: string) => Effect.Effect<ListEntry, NotFound>
    /** Deletes the list with its leads and batches; what they cost stays in the ledger. CONFLICT while it is in work. */
    readonly remove: (workspace: WorkspaceId, id: string) => Effect.Effect<void, NotFound | Conflict>
    /** Stores the brief in the campaign's lists that wait for its build; later changes of the campaign do not alter it. */
    readonly brief: (workspace: WorkspaceId, campaign: string, brief: string) => Effect.Effect<void>
    /** Makes these lists pending and releases their credits, because the campaign was changed before its build was done. */
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
      /** Why it was left out, where it was. */
      readonly skipped: string | null
      readonly sequence: Sequence | null
    }>
    /** The outcome of a finished list, and the recipient of its notification. */
    readonly outcome: (workspace: WorkspaceId, id: string) => Effect.Effect<Option.Option<ListStore.Outcome>>
    /** Its leads in the order they were sent, with what came of each so far. */
    readonly leads: (
      workspace: WorkspaceId,
      id: string,
      page: Page,
      filter: { readonly status?: LeadStatus | undefined }
    ) => Effect.Effect<Rows<ListLead>, NotFound>
    /** The leads that succeeded, in the order they were sent, with their emails. */
    readonly exported: (
      workspace: WorkspaceId,
      id: string,
      format: Exports.Format
    ) => Effect.Effect<Export, NotFound | NotReady>
    /** The same as CSV, for a request with a valid link to a completed list. */
    readonly linked: (id: string) => Effect.Effect<Export, NotFound>
    /** Writes what is exported of a completed list to files, for the job that is to. */
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
      const reading = yield* ListStore.makeLeads
      const store = yield* ListStore.make
      const { find } = store

      const exported = traced("Lists.exported")(function* (workspace: WorkspaceId, id: string, format: Exports.Format) {
        const { custom_keys, custom_name, leads_done, options, processing_status } = yield* store.asked(workspace, id)
        if (processing_status !== "completed") {
          return yield* new NotReady({
            message: `Only a completed list can be exported; this one is ${processing_status}`,
            detail: { processing_status }
          })
        }
        const columns = { steps: options.email_count, keys: custom_keys ?? [] }
        const content = yield* exports.content(workspace, { id, leads_done, ...columns }, format)
        return { name: custom_name ?? id, ...content } satisfies Export
      })

      return Lists.of({
        ...Struct.pick(store, ["inWork", "inWorkFor", "lead", "list", "outcome"]),
        ...pendingLists,
        accept,

        find: traced("Lists.find")(function* (workspace, id) {
          return ListStore.listOf(yield* find(workspace, id))
        }),

        rename: traced("Lists.rename")(function* (workspace, id, name) {
          yield* sql`
            UPDATE lists SET custom_name = ${name}, updated_at = ${yield* now}
            WHERE id = ${id} AND workspace_id = ${workspace}`
          return ListStore.entryOf(yield* find(workspace, id))
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

        leads: traced("Lists.leads")(function* (workspace, id, page, { status }) {
          yield* find(workspace, id)
          return yield* reading({ workspace, list: id, status }, page)
        }),

        exported,

        writeFiles: traced("Lists.writeFiles")(function* (claim) {
          yield* queue.holding(claim)
          const gone = () => new LeaseLost({ id: claim.id })
          const { custom_keys, id, leads_done, options } = yield* Effect.mapError(
            store.asked(claim.workspace_id, claim.subject),
            gone
          )
          yield* exports.write(claim, { id, leads_done, steps: options.email_count, keys: custom_keys ?? [] })
        }),

        linked: traced("Lists.linked")(function* (id) {
          const none = () => new NotFound({ message: "What this link opened is no longer there" })
          const workspace = yield* Effect.flatMap(store.owner(id), (owner) => Effect.fromOption(owner, none))
          return yield* Effect.catchTag(exported(workspace, id, "csv"), "NOT_READY", none)
        })
      })
    })
  )
}
