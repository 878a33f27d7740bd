// layers/lists/Intake.ts: a new list as it is stored: its row, its leads, and the batches that wait for a worker.
import { Array as Arr, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Jobs } from "#layers/Jobs.ts"
import type { Writing } from "#layers/lists/Writing.ts"
import { now } from "#layers/Now.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Lead } from "#schema/Lead.ts"

/** Leads that are stored some at a time, since there may be very many; the parts may be as long as one statement takes. */
export interface Leads {
  readonly count: number
  readonly parts: Iterable<ReadonlyArray<Lead>>
}

export interface NewList {
  readonly campaign: string
  readonly kind: "single" | "batch"
  readonly name: string
  readonly writing: Writing
  readonly leads: Leads
  readonly gate: string | undefined
}

export interface Accepted {
  readonly list_id: string
  readonly leads: ReadonlyArray<string>
  readonly jobs: ReadonlyArray<string>
}

/** Leads in one batch, the piece of work that a worker takes at once. */
export const batchSize = 25

/** Leads inserted in one statement: small enough to leave other requests their turn. */
const insertSize = 200

function* partsOf({ parts }: Leads) {
  for (const part of parts) yield* Arr.chunksOf(part, insertSize)
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const jobs = yield* Jobs

  /** Who is told when a batch is finished: whoever was named for it, or else the workspace's owner. */
  const recipientOf = Effect.fnUntraced(function* (workspace: WorkspaceId, { notification_email }: Writing) {
    if (notification_email !== null) return notification_email
    const [row] = yield* sql<{ readonly owner_email: string | null }>`
      SELECT owner_email FROM workspaces WHERE id = ${workspace}`
    return row?.owner_email ?? null
  })

  return Effect.fn("Lists.accept")(
    function* (workspace: WorkspaceId, { campaign, gate, kind, leads, name, writing }: NewList) {
      const list_id = yield* random.uuidV7()
      const at = yield* now
      const recipient = kind === "batch" ? yield* recipientOf(workspace, writing) : null
      yield* sql`
        INSERT INTO lists ${sql.insert({
          id: list_id,
          workspace_id: workspace,
          campaign_id: campaign,
          kind,
          custom_name: name,
          processing_status: "processing",
          options: JSON.stringify(writing),
          cost: writing.cost,
          recipient,
          leads_count: leads.count,
          leads_done: 0,
          leads_failed: 0,
          emails_created: 0,
          created_at: at,
          updated_at: at
        })}`
      // What was ready when the leads were accepted is what they are written from, whatever is changed meanwhile.
      if (gate === undefined) {
        yield* sql`
          UPDATE lists SET brief = (SELECT brief FROM campaigns WHERE id = ${campaign} AND workspace_id = ${workspace})
          WHERE id = ${list_id} AND workspace_id = ${workspace}`
      }
      const ids: Array<string> = []
      for (const part of partsOf(leads)) {
        const first = ids.length
        for (const _ of part) ids.push(yield* random.uuidV7())
        const rows = part.map((lead, i) => ({
          id: ids[first + i],
          list_id,
          workspace_id: workspace,
          position: first + i,
          status: "pending",
          suspect: 0,
          email: lead.email,
          name: lead.name ?? null,
          title: lead.title ?? null,
          company: lead.company ?? null,
          linkedin_url: lead.linkedin_url ?? null,
          company_website: lead.company_website ?? null
        }))
        if (!Arr.isArrayNonEmpty(rows)) continue
        yield* sql`INSERT INTO leads ${sql.insert(rows)}`
        yield* Effect.yieldNow
      }
      const batches = Array.from({ length: Math.ceil(leads.count / batchSize) }, (_, batch) => batch)
      const type = kind === "single" ? "list.single" : "list.batch"
      const queued = yield* jobs.enqueue(
        batches.map((batch) => ({ workspace, type, subject: list_id, payload: { batch }, gate }))
      )
      const accepted: Accepted = { list_id, leads: ids, jobs: queued }
      return accepted
    },
    sql.withTransaction,
    Effect.orDie
  )
})
