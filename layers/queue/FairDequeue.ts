// layers/queue/FairDequeue.ts: claims the next job. Workspaces take turns, however many jobs one of them has queued.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Claim } from "#layers/Queue.ts"

const DequeueRequest = Schema.Struct({ types: Schema.Array(Schema.String), at: Schema.Int, latest: Schema.Int })
const DequeuedJob = Schema.Struct({
  ...DequeueRequest.fields,
  lease: Schema.String,
  lease_until: Schema.Int,
  updated_at: Schema.String
})

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // On PostgreSQL, skip a row that another process is claiming.
  const skipLocked = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE SKIP LOCKED`, orElse: () => sql`` })
  const beginReadCommitted = sql.onDialectOrElse({
    pg: () => "BEGIN ISOLATION LEVEL READ COMMITTED",
    orElse: () => undefined
  })

  /**
   * Orders by the number of running jobs of the workspace, then by age. Reads only the first job of each workspace and
   * type, because thousands may be queued behind it. Ignores a `run_at` beyond `latest`, the longest backoff: it was
   * written before the clock was set back.
   */
  const nextJob = ({ at, latest, types }: typeof DequeueRequest.Type, lock = sql``) => {
    const heads = types.map(
      (type) => sql`
        SELECT t.workspace_id, (
          SELECT j.id FROM jobs j
          WHERE j.workspace_id = t.workspace_id AND j.type = ${type} AND j.status = 'pending'
            AND (j.run_at <= ${at} OR j.run_at > ${latest})
          ORDER BY j.run_at, j.id LIMIT 1 ${lock}) AS id
        FROM turns t`
    )
    return sql`
      WITH RECURSIVE turns (workspace_id) AS (
        SELECT min(workspace_id) FROM jobs WHERE status = 'pending'
        UNION ALL
        SELECT (SELECT min(j.workspace_id) FROM jobs j WHERE j.status = 'pending' AND j.workspace_id > turns.workspace_id)
        FROM turns WHERE turns.workspace_id IS NOT NULL
      )
      SELECT h.id FROM (${heads.reduce((all, head) => sql`${all} UNION ALL ${head}`)}) h WHERE h.id IS NOT NULL
      ORDER BY
        (SELECT count(*) FROM jobs r WHERE r.status = 'processing' AND r.workspace_id = h.workspace_id),
        (SELECT j.run_at FROM jobs j WHERE j.id = h.id), h.id
      LIMIT 1`
  }

  const findWaiting = SqlSchema.findOneOption({
    Request: DequeueRequest,
    Result: Schema.Struct({ id: Schema.String }),
    execute: (asked) => sql`SELECT id FROM (${nextJob(asked)}) AS first`
  })
  const claimJob = SqlSchema.findOneOption({
    Request: DequeuedJob,
    Result: Claim,
    execute: ({ lease, lease_until, updated_at, ...asked }) => sql`
      UPDATE jobs SET status = 'processing', lease = ${lease}, lease_until = ${lease_until}, attempts = attempts + 1,
        updated_at = ${updated_at}
      WHERE id = (${nextJob(asked, skipLocked)}) AND status = 'pending'
      RETURNING id, workspace_id, type, subject, payload, attempts, crashes, lease`
  })

  const claimInTransaction = (asked: typeof DequeuedJob.Type) =>
    beginReadCommitted === undefined
      ? claimJob(asked)
      : Effect.provideService(sql.withTransaction(claimJob(asked)), SqlClient.BeginTransaction, beginReadCommitted)

  /** Claims the next job of these types; undefined if there is none. */
  return Effect.fnUntraced(function* (asked: typeof DequeuedJob.Type) {
    if (Option.isNone(yield* findWaiting(asked))) return undefined
    return Option.getOrUndefined(yield* claimInTransaction(asked))
  })
})
