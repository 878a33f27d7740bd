// layers/reviews/EmailVersions.ts: stores and lists the versions of an email.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { now } from "#layers/lib/Time.ts"
import { makePageQuery } from "#layers/lib/Paging.ts"
import { traced } from "#layers/lib/Traced.ts"
import { makeDeleteListFiles } from "#layers/lists/Exports.ts"
import { Author, StoredMark, type StoredCheck } from "#layers/lists/LeadColumns.ts"
import type { LeadRow } from "#layers/lists/LeadQueries.ts"
import { findEmail, type EmailPath, LeadKey, type LeadPath, type LoadLead } from "#layers/reviews/LoadLead.ts"
import { applyEdit, currentVersion, type EmailEdit } from "#layers/reviews/ReviewEmails.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Page } from "#schema/Page.ts"
import type { EmailVersion } from "#schema/Review.ts"

const versionFields = {
  version: Schema.Int,
  subject: Schema.String,
  body: Schema.String,
  author: Author,
  at: Schema.String
}

/** The mark as an object's field; no field if it is unknown. */
export const markField = (mark: StoredCheck["mark"]) => (mark === undefined ? {} : { mark })

const decodeMark = Schema.decodeUnknownSync(Schema.fromJsonString(StoredMark))

/** The mark of a version. Versions stored before marks existed have none. */
export const storedMarkField = (markJson: string | null) =>
  markField(markJson === null ? undefined : decodeMark(markJson))

export const makeEmailVersions = Effect.fnUntraced(function* ({ leadAt, sourcesOf }: LoadLead) {
  const sql = yield* SqlClient.SqlClient
  const deleteListFiles = yield* makeDeleteListFiles

  const findWrittenAt = SqlSchema.findOneOption({
    Request: LeadKey,
    Result: Schema.Struct({ written_at: Schema.NullOr(Schema.String) }),
    execute: ({ lead, list, workspace }) => sql`
      SELECT written_at FROM leads WHERE id = ${lead} AND list_id = ${list} AND workspace_id = ${workspace}`
  })

  const findWriteTime = Effect.fnUntraced(function* (workspace: WorkspaceId, path: LeadPath, fallback: string) {
    const row = Option.getOrNull(yield* Effect.orDie(findWrittenAt({ workspace, ...path })))
    return row?.written_at ?? fallback
  })

  const insertVersion = (
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
    path: EmailPath,
    row: LeadRow,
    change: EmailEdit,
    rewrite: string | null = null
  ) {
    const { basis, written } = yield* sourcesOf(workspace, path.list)
    const { email, stored } = yield* findEmail(row, path.step)
    const timestamp = yield* now
    // At the first change, also stores the original as version 1.
    if (currentVersion(stored) === 1) {
      yield* insertVersion(
        workspace,
        path,
        { version: 1, subject: email.subject, body: email.body, at: yield* findWriteTime(workspace, path, written) },
        {
          author: "writer",
          template_id: stored.template_id ?? null,
          playbook_version: stored.playbook_version ?? null,
          ...markField(stored.mark)
        }
      )
    }
    const { columns, view } = applyEdit(row, basis, change)
    const { body, subject, version } = view
    yield* insertVersion(workspace, path, { version, subject, body, at: timestamp }, change.origin, rewrite)
    yield* Effect.orDie(sql`
      UPDATE leads SET ${sql.update(columns, [])}
      WHERE id = ${path.lead} AND list_id = ${path.list} AND workspace_id = ${workspace}`)
    yield* markSeen(workspace, path.lead)
    yield* Effect.orDie(sql`
      UPDATE lists SET edits = edits + 1, updated_at = ${timestamp} WHERE id = ${path.list} AND workspace_id = ${workspace}`)
    // Export files of the list have the old text.
    yield* Effect.orDie(deleteListFiles(workspace, path.list))
    return view
  })

  const versionPage = makePageQuery(sql, Schema.Struct(versionFields), {
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
      ...versionFields,
      template_id: Schema.NullOr(Schema.String),
      playbook_version: Schema.NullOr(Schema.Int),
      mark: Schema.NullOr(Schema.String)
    }),
    execute: ({ lead, step, version, workspace }) => sql`
      SELECT version, subject, body, author, at, template_id, playbook_version, mark FROM email_versions
      WHERE lead_id = ${lead} AND step = ${step} AND version = ${version} AND workspace_id = ${workspace}`
  })

  /** The versions of an email, newest first. */
  const listVersions = traced("Reviews.versions")(function* (workspace: WorkspaceId, path: EmailPath, pageQuery: Page) {
    const { written } = yield* sourcesOf(workspace, path.list)
    const row = yield* leadAt(workspace, path)
    const { email, stored } = yield* findEmail(row, path.step)
    if (currentVersion(stored) > 1) {
      const { rows, total } = yield* versionPage({ workspace, ...path }, pageQuery)
      return { total, rows: rows.map(({ author, ...version }) => ({ ...version, by: author })) }
    }
    const { body, subject } = email
    const original = {
      version: 1,
      subject,
      body,
      at: yield* findWriteTime(workspace, path, written),
      by: "writer" as const
    }
    return { total: 1, rows: pageQuery.offset === 0 ? [original] : [] }
  })

  return { saveEdit, listVersions, findVersion, markSeen }
})
