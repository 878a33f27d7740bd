// layers/reviews/EmailVersions.ts: stores and lists the versions of an email.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { now } from "#layers/lib/Time.ts"
import { paging } from "#layers/lib/Paging.ts"
import { traced } from "#layers/lib/Traced.ts"
import { makeDeleteListFiles } from "#layers/lists/Exports.ts"
import { Author, StoredMark, type StoredReview } from "#layers/lists/LeadColumns.ts"
import type { LeadRow } from "#layers/lists/LeadQueries.ts"
import { emailAt, type EmailPath, LeadKey, type LeadPath, type LoadLead } from "#layers/reviews/LoadLead.ts"
import { applyEdit, currentVersion, type EmailEdit } from "#layers/reviews/ReviewEmails.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Page } from "#schema/Page.ts"
import type { EmailVersion } from "#schema/Review.ts"

const ofVersion = {
  version: Schema.Int,
  subject: Schema.String,
  body: Schema.String,
  author: Author,
  at: Schema.String
}

/** The mark as an object's field; no field if it is unknown. */
export const originOf = (mark: StoredReview["mark"]) => (mark === undefined ? {} : { mark })

const decodeMark = Schema.decodeUnknownSync(Schema.fromJsonString(StoredMark))

/** The mark of a version. Versions stored before marks existed have none. */
export const versionOrigin = (stored: string | null) => originOf(stored === null ? undefined : decodeMark(stored))

export const makeEmailVersions = Effect.fnUntraced(function* ({ leadAt, sourcesOf }: LoadLead) {
  const sql = yield* SqlClient.SqlClient
  const deleteListFiles = yield* makeDeleteListFiles

  const findWrittenAt = SqlSchema.findOneOption({
    Request: LeadKey,
    Result: Schema.Struct({ written_at: Schema.NullOr(Schema.String) }),
    execute: ({ lead, list, workspace }) => sql`
      SELECT written_at FROM leads WHERE id = ${lead} AND list_id = ${list} AND workspace_id = ${workspace}`
  })

  const writtenAt = Effect.fnUntraced(function* (workspace: WorkspaceId, at: LeadPath, otherwise: string) {
    const row = Option.getOrNull(yield* Effect.orDie(findWrittenAt({ workspace, ...at })))
    return row?.written_at ?? otherwise
  })

  const keepVersion = (
    workspace: WorkspaceId,
    { lead, step }: EmailPath,
    version: Omit<EmailVersion, "by">,
    origin: EmailEdit["origin"],
    rewrite: string | null = null
  ) =>
    sql`
      INSERT INTO email_versions ${sql.insert({
        lead_id: lead,
        workspace_id: workspace,
        step,
        version: version.version,
        subject: version.subject,
        body: version.body,
        author: origin.author,
        template_id: origin.template_id,
        playbook_version: origin.playbook_version,
        mark: origin.mark === undefined ? null : JSON.stringify(origin.mark),
        rewrite,
        at: version.at
      })}`.pipe(Effect.orDie)

  const markSeen = (workspace: WorkspaceId, lead: string) =>
    Effect.orDie(sql`
      INSERT INTO lead_reviews (lead_id, workspace_id, review, seen) VALUES (${lead}, ${workspace}, 'open', 1)
      ON CONFLICT (lead_id) DO UPDATE SET seen = 1`)

  /** Stores a changed email as a new version, in the caller's transaction. */
  const saveEdit = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    at: EmailPath,
    row: LeadRow,
    change: EmailEdit,
    rewrite: string | null = null
  ) {
    const { basis, written } = yield* sourcesOf(workspace, at.list)
    const { email, stored } = yield* emailAt(row, at.step)
    const instant = yield* now
    // At the first change, also stores the original as version 1.
    if (currentVersion(stored) === 1) {
      yield* keepVersion(
        workspace,
        at,
        { version: 1, subject: email.subject, body: email.body, at: yield* writtenAt(workspace, at, written) },
        {
          author: "writer",
          template_id: stored.template_id ?? null,
          playbook_version: stored.playbook_version ?? null,
          ...originOf(stored.mark)
        }
      )
    }
    const { columns, view } = applyEdit(row, basis, change)
    const { body, subject, version } = view
    yield* keepVersion(workspace, at, { version, subject, body, at: instant }, change.origin, rewrite)
    yield* Effect.orDie(sql`
      UPDATE leads SET ${sql.update(columns, [])}
      WHERE id = ${at.lead} AND list_id = ${at.list} AND workspace_id = ${workspace}`)
    yield* markSeen(workspace, at.lead)
    yield* Effect.orDie(sql`
      UPDATE lists SET edits = edits + 1, updated_at = ${instant} WHERE id = ${at.list} AND workspace_id = ${workspace}`)
    // Export files of the list have the old text.
    yield* Effect.orDie(deleteListFiles(workspace, at.list))
    return view
  })

  const versionPage = paging(sql, Schema.Struct(ofVersion), {
    table: "email_versions",
    matching: ({ lead, step, workspace }: EmailPath & { readonly workspace: WorkspaceId }) => [
      sql`lead_id = ${lead}`,
      sql`step = ${step}`,
      sql`workspace_id = ${workspace}`
    ],
    order: "version DESC"
  })

  const findVersion = SqlSchema.findOneOption({
    Request: Schema.Struct({
      workspace: Schema.String,
      lead: Schema.String,
      step: Schema.Int,
      version: Schema.Int
    }),
    Result: Schema.Struct({
      ...ofVersion,
      template_id: Schema.NullOr(Schema.String),
      playbook_version: Schema.NullOr(Schema.Int),
      mark: Schema.NullOr(Schema.String)
    }),
    execute: ({ lead, step, version, workspace }) => sql`
      SELECT version, subject, body, author, at, template_id, playbook_version, mark FROM email_versions
      WHERE lead_id = ${lead} AND step = ${step} AND version = ${version} AND workspace_id = ${workspace}`
  })

  /** The versions of an email, newest first. */
  const listVersions = traced("Reviews.versions")(function* (workspace: WorkspaceId, at: EmailPath, asked: Page) {
    const { written } = yield* sourcesOf(workspace, at.list)
    const row = yield* leadAt(workspace, at)
    const { email, stored } = yield* emailAt(row, at.step)
    if (currentVersion(stored) > 1) {
      const { rows, total } = yield* versionPage({ workspace, ...at }, asked)
      return { total, rows: rows.map(({ author, ...version }) => ({ ...version, by: author })) }
    }
    const { body, subject } = email
    const only = {
      version: 1,
      subject,
      body,
      at: yield* writtenAt(workspace, at, written),
      by: "writer" as const
    }
    return { total: 1, rows: asked.offset === 0 ? [only] : [] }
  })

  return { saveEdit, listVersions, findVersion, markSeen }
})
