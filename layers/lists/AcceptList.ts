// layers/lists/AcceptList.ts: stores a new list: its row, its leads, and the jobs of its batches.
import { Array as Arr, Effect, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { joinTransaction } from "#layers/database/Transactions.ts"
import { Queue } from "#layers/Queue.ts"
import type { SlotReservation } from "#layers/queue/SlotReservation.ts"
import * as InProcessHandoff from "#layers/lists/InProcessHandoff.ts"
import type { ListWriting } from "#layers/lists/Store.ts"
import { now } from "#layers/lib/Now.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { CustomFields, Lead } from "#schema/Lead.ts"

/** Leads in parts, because there may be very many. A part is no longer than one statement allows. */
export interface LeadSource {
  readonly count: number
  readonly parts: Iterable<ReadonlyArray<Lead>>
}

export interface NewList {
  readonly campaign: string
  readonly kind: "single" | "batch"
  readonly name: string
  readonly writing: ListWriting
  readonly leads: LeadSource
  readonly gate: string | undefined
  /** Skipped leads: the reason by the index of the lead, from 0. */
  readonly skipReasons?: ReadonlyMap<number, string> | undefined
  /** The reserved slot in which the batch of a `single` list starts on commit, and the key of its brief. */
  readonly begins?: { readonly place: SlotReservation; readonly brief: string } | undefined
}

export interface AcceptedList {
  readonly list_id: string
  readonly leads: ReadonlyArray<string>
  readonly jobs: ReadonlyArray<string>
  /** The handoff to the worker, for a list that starts on commit. */
  readonly handoff: InProcessHandoff.InProcessHandoff | undefined
}

/** Leads in one batch, which is the work of one job. */
export const batchSize = 25

/** Leads per INSERT; more would delay other requests. */
const insertSize = 200

/** Splits the leads into parts of at most `size`. */
export function* inPartsOf({ parts }: LeadSource, size: number) {
  for (const part of parts) yield* Arr.chunksOf(part, size)
}

const copyFields = (fields: Lead["custom_fields"]): CustomFields | null =>
  fields !== undefined && fields !== null && Object.keys(fields).length > 0 ? fields : null

const storedFields = ({ custom_fields }: Lead) => {
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

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const queue = yield* Queue

  /** The recipient of the notification: the requested address, else the workspace's owner. */
  const recipientOf = Effect.fnUntraced(function* (workspace: WorkspaceId, { notification_email }: ListWriting) {
    if (notification_email !== null) return notification_email
    const [row] = yield* sql<{ readonly owner_email: string | null }>`
      SELECT owner_email FROM workspaces WHERE id = ${workspace}`
    return row?.owner_email ?? null
  })

  return traced("Lists.accept")(function* (
    workspace: WorkspaceId,
    { begins, campaign, gate, kind, leads, skipReasons, name, writing }: NewList
  ) {
    const list_id = yield* random.uuidV7()
    const at = yield* now
    const recipient = kind === "batch" ? yield* recipientOf(workspace, writing) : null
    // Copies the current brief, so that later changes of the campaign do not affect the list.
    const brief =
      gate === undefined
        ? sql`(SELECT brief FROM campaigns WHERE id = ${campaign} AND workspace_id = ${workspace})`
        : sql`NULL`
    yield* sql`
      INSERT INTO lists (id, workspace_id, campaign_id, kind, custom_name, processing_status, options, cost, recipient,
        brief, leads_count, leads_done, leads_failed, leads_skipped, emails_created, created_at, updated_at)
      VALUES (${list_id}, ${workspace}, ${campaign}, ${kind}, ${name}, 'processing', ${JSON.stringify(writing)},
        ${writing.cost}, ${recipient}, ${brief}, ${leads.count}, 0, 0, ${skipReasons?.size ?? 0}, 0, ${at}, ${at})`
    const ids: Array<string> = []
    let handoff: InProcessHandoff.InProcessHandoff | undefined
    const keys = new Set<string>()
    for (const part of inPartsOf(leads, insertSize)) {
      collectKeys(keys, part)
      const first = ids.length
      for (const _ of part) ids.push(yield* random.uuidV7())
      const rows = part.map((lead, i) => ({
        id: ids[first + i] ?? "",
        list_id,
        workspace_id: workspace,
        position: first + i,
        ...initialLeadStatus(skipReasons?.get(first + i)),
        suspect: 0,
        email: lead.email,
        name: lead.name ?? null,
        title: lead.title ?? null,
        company: lead.company ?? null,
        linkedin_url: lead.linkedin_url ?? null,
        company_website: lead.company_website ?? null,
        custom_fields: storedFields(lead)
      }))
      if (!Arr.isArrayNonEmpty(rows)) continue
      yield* sql`INSERT INTO leads ${sql.insert(rows)}`
      if (begins !== undefined) {
        const lead = Struct.omit(rows[0], ["list_id", "workspace_id", "status", "skipped", "error"])
        const custom_fields = copyFields(part[0]?.custom_fields)
        // One hold: its credits are held in this transaction.
        handoff = { brief: begins.brief, writing, lead: { ...lead, custom_fields, holds: 1 } }
      }
      yield* Effect.yieldNow
    }
    if (keys.size > 0) {
      yield* sql`
        UPDATE lists SET custom_keys = ${JSON.stringify([...keys])}
        WHERE id = ${list_id} AND workspace_id = ${workspace}`
    }
    const batches = Array.from({ length: Math.ceil(leads.count / batchSize) }, (_, batch) => batch)
    const type = kind === "single" ? "list.single" : "list.batch"
    const place = begins && handoff && InProcessHandoff.attachHandoff(begins.place, handoff)
    const queued = yield* queue.enqueue(
      batches.map((batch) => ({ workspace, type, subject: list_id, payload: { batch }, gate, place }))
    )
    const accepted: AcceptedList = { list_id, leads: ids, jobs: queued, handoff }
    return accepted
  }, joinTransaction(sql))
})
