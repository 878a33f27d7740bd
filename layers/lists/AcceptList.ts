// layers/lists/AcceptList.ts: a new list as it is stored: its row, its leads, and the batches that wait for a worker.
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

/** Leads in parts, because there may be very many. Each part is at most as long as one statement allows. */
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
  /** Leads that are not written to: the reason by the place of each, from 0. */
  readonly skipReasons?: ReadonlyMap<number, string> | undefined
  /** The reserved slot in which the batch of a `single` list starts at once, and the key of its brief. */
  readonly begins?: { readonly place: SlotReservation; readonly brief: string } | undefined
}

export interface AcceptedList {
  readonly list_id: string
  readonly leads: ReadonlyArray<string>
  readonly jobs: ReadonlyArray<string>
  /** The handoff to the worker of a list that starts at once. */
  readonly handoff: InProcessHandoff.InProcessHandoff | undefined
}

/** Leads in one batch, the piece of work that a worker takes at once. */
export const batchSize = 25

/** Leads inserted in one statement: small enough to leave other requests their turn. */
const insertSize = 200

/** The leads in parts of at most so many. */
export function* inPartsOf({ parts }: LeadSource, size: number) {
  for (const part of parts) yield* Arr.chunksOf(part, size)
}

const copyFields = (fields: Lead["custom_fields"]): CustomFields | null =>
  fields !== undefined && fields !== null && Object.keys(fields).length > 0 ? fields : null

const storedFields = ({ custom_fields }: Lead) => {
  const fields = copyFields(custom_fields)
  return fields === null ? null : JSON.stringify(fields)
}

/** The columns of a lead that is to be written to, or of one that is left out for a reason. */
const initialLeadStatus = (reason: string | undefined) =>
  reason === undefined
    ? { status: "pending", skipped: null, error: null }
    : { status: "skipped", skipped: reason, error: `Left out: ${reason}` }

/** Keys that a list remembers, for the columns of its CSV. Further ones are in its JSON only. */
const maxCustomKeys = 200

/** In order of first appearance. */
const collectKeys = (keys: Set<string>, leads: ReadonlyArray<Lead>) => {
  for (const { custom_fields } of leads) {
    for (const key of Object.keys(custom_fields ?? {})) if (keys.size < maxCustomKeys) keys.add(key)
  }
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const queue = yield* Queue

  /** Recipient of the notification: the address named in the request, else the workspace's owner. */
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
    // What was ready when the leads were accepted is what they are written from, whatever is changed meanwhile.
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
        // Its credits are held in the same transaction.
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
