// layers/auth/Sessions.ts: sessions, which replace the secret of a key, and the links that start them. The database has
// only hashes. A link is used by deleting its row, so of two concurrent requests only one succeeds.
import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import * as Secret from "#layers/auth/Secret.ts"
import { now } from "#layers/lib/Time.ts"
import { WorkspaceId } from "#schema/Auth.ts"

/** The maximum age of a session, and the maximum time between two of its requests. */
export const sessionLifetime = Duration.days(30)
const idleLimit = Duration.days(7)

/**
 * How long sign-in links are valid. First-run links last longer, because people may return to them after installation.
 */
const linkLifetime = Duration.minutes(15)
const firstRunLinkLifetime = Duration.hours(24)

export interface NewSession {
  readonly id: string
  readonly secret: Redacted.Redacted
  readonly workspace_id: WorkspaceId
  readonly key_id: string
  readonly expires_at: string
}

export interface NewLink {
  readonly token: Redacted.Redacted
  readonly expires_at: string
}

const subtractDuration = (timestamp: string, duration: Duration.Duration) =>
  new Date(Date.parse(timestamp) - Duration.toMillis(duration)).toISOString()

const timestampIn = (duration: Duration.Duration) =>
  Effect.map(DateTime.now, (time) => DateTime.formatIso(DateTime.addDuration(time, duration)))

const SessionKey = Schema.Struct({ id: Schema.String, workspace_id: WorkspaceId })
const LinkRow = Schema.Struct({ key_id: Schema.NullOr(Schema.String) })

export const make = Effect.fnUntraced(function* (hashOf: (secret: string) => Effect.Effect<string>) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const makeSecret = (kind: Secret.Kind) =>
    Effect.provideService(Secret.makeSecret(kind), SecureRandom.SecureRandom, random)

  const findUsableKey = SqlSchema.findOneOption({
    Request: Schema.Struct({ id: Schema.String, at: Schema.String }),
    Result: SessionKey,
    execute: ({ at, id }) => sql`
      SELECT id, workspace_id FROM api_keys
      WHERE id = ${id} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at})`
  })
  const consumeLink = SqlSchema.findOneOption({
    Request: Schema.Struct({ hash: Schema.String, at: Schema.String }),
    Result: LinkRow,
    execute: ({ at, hash }) => sql`
      DELETE FROM sign_in_links WHERE hash = ${hash} AND expires_at > ${at} AND key_id IS NOT NULL RETURNING key_id`
  })

  /** Creates a session of the key; none if the key is expired or revoked. Also deletes expired sessions. */
  const beginSession = Effect.fnUntraced(function* (key: string) {
    const timestamp = yield* now
    const row = yield* findUsableKey({ id: key, at: timestamp })
    if (Option.isNone(row)) return Option.none<NewSession>()
    const { id: key_id, workspace_id } = row.value
    const id = yield* random.uuidV7()
    const secret = yield* makeSecret("session")
    const expires_at = yield* timestampIn(sessionLifetime)
    yield* sql`DELETE FROM sessions WHERE expires_at <= ${timestamp} OR last_used_at <= ${subtractDuration(timestamp, idleLimit)}`
    const hash = yield* hashOf(Redacted.value(secret))
    yield* sql`
      INSERT INTO sessions (id, workspace_id, key_id, hash, created_at, last_used_at, expires_at)
      VALUES (${id}, ${workspace_id}, ${key_id}, ${hash}, ${timestamp}, ${timestamp}, ${expires_at})`
    return Option.some<NewSession>({ id, secret, workspace_id, key_id, expires_at })
  })

  const insertLink = Effect.fnUntraced(function* (
    key: { readonly id: string; readonly workspace_id: WorkspaceId } | undefined
  ) {
    const token = yield* makeSecret("link")
    const timestamp = yield* now
    const expires_at = yield* timestampIn(key === undefined ? firstRunLinkLifetime : linkLifetime)
    yield* sql`DELETE FROM sign_in_links WHERE expires_at <= ${timestamp}`
    yield* sql`
      INSERT INTO sign_in_links ${sql.insert({
        hash: yield* hashOf(Redacted.value(token)),
        workspace_id: key?.workspace_id ?? null,
        key_id: key?.id ?? null,
        created_at: timestamp,
        expires_at
      })}`
    return { token, expires_at } satisfies NewLink
  })

  /** The rows of a link that is neither used nor expired. A read, because anyone can ask, and writes wait for each other. */
  const findLink = Effect.fnUntraced(function* (token: string) {
    if (!Secret.isWellFormed(token, "link")) return []
    return yield* sql<typeof LinkRow.Type>`
      SELECT key_id FROM sign_in_links WHERE hash = ${yield* hashOf(token)} AND expires_at > ${yield* now}`
  })

  return {
    begin: beginSession,

    /** Whether the link can sign in to a workspace. Does not use it up. */
    isSignInLink: (token: string) =>
      Effect.map(findLink(token), (links) => links.some(({ key_id }) => key_id !== null)),

    /** Deletes the link and creates a session of its key; none if the link is unknown, used or expired. */
    beginByLink: Effect.fnUntraced(function* (token: string) {
      if (!Secret.isWellFormed(token, "link")) return Option.none<NewSession>()
      const link = yield* consumeLink({ hash: yield* hashOf(token), at: yield* now })
      const key = Option.getOrNull(link)?.key_id ?? null
      return key === null ? Option.none<NewSession>() : yield* beginSession(key)
    }),

    /** A link that starts a session of the key; none if the key is expired or revoked. */
    createLink: Effect.fnUntraced(function* (key: string) {
      const usableKey = yield* findUsableKey({ id: key, at: yield* now })
      return Option.isNone(usableKey) ? Option.none<NewLink>() : Option.some(yield* insertLink(usableKey.value))
    }),

    /** A link for the first run. Earlier ones stay valid until one is used. */
    createFirstRunLink: insertLink(undefined),

    /** Whether this is a first-run link that has not ended. Does not use it up. */
    isFirstRunLink: (token: string) =>
      Effect.map(findLink(token), (links) => links.some(({ key_id }) => key_id === null)),

    /** Deletes all first-run links if this is one of them; returns whether it is. */
    useFirstRunLink: Effect.fnUntraced(function* (token: string) {
      if (!Secret.isWellFormed(token, "link")) return false
      const usedLinks = yield* sql`
        DELETE FROM sign_in_links
        WHERE hash = ${yield* hashOf(token)} AND key_id IS NULL AND expires_at > ${yield* now} RETURNING hash`
      if (usedLinks.length === 0) return false
      yield* sql`DELETE FROM sign_in_links WHERE key_id IS NULL`
      return true
    }),

    /** Deletes the session with this secret, if any. */
    drop: Effect.fnUntraced(function* (secret: string) {
      if (!Secret.isWellFormed(secret, "session")) return
      yield* sql`DELETE FROM sessions WHERE hash = ${yield* hashOf(secret)}`
    }),

    end: Effect.fnUntraced(function* (workspace: WorkspaceId, session: string) {
      const endedSessions = yield* sql`
        DELETE FROM sessions WHERE id = ${session} AND workspace_id = ${workspace} RETURNING id`
      return endedSessions.length
    }),

    /** Deletes all sessions and unused links of a key; returns the number of sessions. */
    endAll: Effect.fnUntraced(function* (workspace: WorkspaceId, key: string) {
      yield* sql`DELETE FROM sign_in_links WHERE key_id = ${key} AND workspace_id = ${workspace}`
      const endedSessions = yield* sql`
        DELETE FROM sessions WHERE key_id = ${key} AND workspace_id = ${workspace} RETURNING id`
      return endedSessions.length
    })
  }
})

/** The ISO time after which a session must have been used to be valid at `timestamp`. */
export const oldestUse = (timestamp: string) => subtractDuration(timestamp, idleLimit)
