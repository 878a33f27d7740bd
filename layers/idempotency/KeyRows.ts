// layers/idempotency/KeyRows.ts: the rows of Idempotency-Keys: the owner of each key, and its stored answer.
import { Duration, Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { createHash } from "node:crypto"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Conflict } from "#schema/Errors.ts"

export interface Attempt {
  readonly workspace: WorkspaceId
  /** Method and path: the same key on another endpoint is a different key. */
  readonly operation: string
  readonly key: string
  /** A hash of the body. */
  readonly fingerprint: string
}

const KeyId = Schema.Struct({ workspace: Schema.String, operation: Schema.String, key: Schema.String })

/** Replaces a key that contains an erased address. Repeated requests with the key still find its row. */
export const digestOfKey = ({ key, operation, workspace }: typeof KeyId.Type) =>
  `sha256:${createHash("sha256")
    .update(JSON.stringify([workspace, operation, key]))
    .digest("hex")}`

/** Another request with this key is in progress. */
export class InFlight extends Schema.TaggedError<InFlight>()("InFlight", {}) {}

/** How long a stored answer is replayed. */
const answerLifetime = Duration.toMillis("24 hours")

/**
 * Lease of a process on a key. A process that takes longer without renewal loses the key, and its work is rolled back.
 */
const leaseDuration = Duration.toMillis("30 seconds")

/**
 * A lease that ends this much later than a new one would was written before the clock was set back. Smaller differences
 * are tolerated, because the clock readings of transactions may be out of order. Together with the lease, a dead
 * process blocks its key for less than two minutes.
 */
const clockSetBack = Duration.toMillis("1 minute")

/** Operations on the rows. `now` is in milliseconds. */
export const make = Effect.fnUntraced(function* (now: Effect.Effect<number>) {
  const sql = yield* SqlClient.SqlClient

  const whereKey = (id: typeof KeyId.Type) =>
    sql`workspace_id = ${id.workspace} AND operation = ${id.operation} AND key IN (${id.key}, ${digestOfKey(id)})`

  const insertKey = SqlSchema.findOneOption({
    Request: Schema.Struct({
      ...KeyId.fields,
      fingerprint: Schema.String,
      expires_at: Schema.Int,
      owner: Schema.NullOr(Schema.String),
      owned_until: Schema.Int
    }),
    Result: Schema.Struct({ key: Schema.String }),
    execute: ({ expires_at, fingerprint, key, operation, owned_until, owner, workspace }) => sql`
      INSERT INTO idempotency_keys (workspace_id, operation, key, fingerprint, expires_at, owner, owned_until)
      VALUES (${workspace}, ${operation}, ${key}, ${fingerprint}, ${expires_at}, ${owner}, ${owned_until})
      ON CONFLICT DO NOTHING RETURNING key`
  })
  const findKey = SqlSchema.findOneOption({
    Request: KeyId,
    Result: Schema.Struct({
      fingerprint: Schema.String,
      answer: Schema.NullOr(Schema.String),
      expires_at: Schema.Int,
      owner: Schema.NullOr(Schema.String),
      owned_until: Schema.NullOr(Schema.Int)
    }),
    execute: (key) => sql`
      SELECT fingerprint, answer, expires_at, owner, owned_until FROM idempotency_keys WHERE ${whereKey(key)}`
  })

  return {
    /**
     * The stored answer; null while another request holds the key; undefined if the key can be claimed. Only reads,
     * because a write to a shared SQLite file would wait for the other processes.
     */
    find: Effect.fnUntraced(function* (attempt: Attempt) {
      const timestamp = yield* now
      const row = Option.getOrUndefined(yield* Effect.orDie(findKey(attempt)))
      if (row === undefined || row.expires_at <= timestamp) return undefined
      if (row.answer !== null && row.fingerprint === attempt.fingerprint) return row.answer
      const until = row.owner === null ? 0 : (row.owned_until ?? 0)
      return row.answer === null && until > timestamp && until <= timestamp + leaseDuration + clockSetBack
        ? null
        : undefined
    }),

    /**
     * Returns the stored answer, or undefined after claiming the key: for `owner` with a lease, or for a job if null.
     * CONFLICT if the key was used with another body.
     */
    claim: Effect.fnUntraced(function* (attempt: Attempt, owner: string | null) {
      const timestamp = yield* now
      yield* Effect.orDie(sql`DELETE FROM idempotency_keys WHERE expires_at <= ${timestamp}`)
      yield* Effect.orDie(sql`
        DELETE FROM idempotency_keys
        WHERE ${whereKey(attempt)} AND answer IS NULL
          AND NOT EXISTS (SELECT 1 FROM jobs j
            WHERE j.id = idempotency_keys.job AND j.workspace_id = idempotency_keys.workspace_id
            AND j.status IN ('waiting', 'pending', 'processing'))
          AND (owner IS NULL OR owned_until <= ${timestamp} OR owned_until > ${timestamp + leaseDuration + clockSetBack})`)
      // An erased key is stored as its digest, with which the new row would not conflict.
      if (Option.isNone(yield* Effect.orDie(findKey(attempt)))) {
        const row = {
          ...attempt,
          expires_at: timestamp + answerLifetime,
          owner,
          owned_until: timestamp + leaseDuration
        }
        if (Option.isSome(yield* Effect.orDie(insertKey(row)))) return undefined
      }
      const row = yield* Effect.orDie(Effect.flatMap(findKey(attempt), Effect.fromOption))
      if (row.fingerprint !== attempt.fingerprint) {
        return yield* new Conflict({ message: "This Idempotency-Key was sent with another body before" })
      }
      return row.answer ?? (yield* new InFlight())
    }),

    /** Stores the answer. Returns whether the owner still held the key. */
    answer: (attempt: Attempt, owner: string, answer: string) =>
      sql`
        UPDATE idempotency_keys SET answer = ${answer}, owner = NULL
        WHERE ${whereKey(attempt)} AND owner = ${owner} RETURNING key`.pipe(
        Effect.map((rows) => rows.length > 0),
        Effect.orDie
      ),

    /** Extends the owner's lease. */
    renew: Effect.fnUntraced(function* (attempt: Attempt, owner: string) {
      const until = (yield* now) + leaseDuration
      yield* Effect.orDie(sql`
        UPDATE idempotency_keys SET owned_until = ${until}
        WHERE workspace_id = ${attempt.workspace} AND ${whereKey(attempt)} AND owner = ${owner}`)
    }),

    /** Releases the owner's key. */
    release: (attempt: Attempt, owner: string) =>
      Effect.orDie(sql`DELETE FROM idempotency_keys WHERE ${whereKey(attempt)} AND owner = ${owner}`),

    /** Assigns a claimed key to a job. */
    assign: (attempt: Attempt, job: string) =>
      Effect.orDie(sql`UPDATE idempotency_keys SET job = ${job} WHERE ${whereKey(attempt)}`),

    /** Stores the answer of a job, or releases its key if there is none. */
    end: (workspace: WorkspaceId, job: string, answer: string | undefined) =>
      Effect.orDie(
        answer === undefined
          ? sql`DELETE FROM idempotency_keys WHERE job = ${job} AND workspace_id = ${workspace}`
          : sql`UPDATE idempotency_keys SET answer = ${answer} WHERE job = ${job} AND workspace_id = ${workspace}`
      )
  }
})

/** Deletes the stored answers of requests about a lead, or about all leads of a list: they have the leads' data. */
export const makeForgetLeadAnswers = Effect.map(
  SqlClient.SqlClient,
  (sql) => (workspace: WorkspaceId, list: string, lead?: string) => {
    const operation = `POST /api/v1/lists/${list}/leads/${lead === undefined ? "" : `${lead}/`}%`
    return Effect.orDie(sql`
      DELETE FROM idempotency_keys
      WHERE workspace_id = ${workspace} AND operation LIKE ${operation} AND answer IS NOT NULL`)
  }
)
