// layers/Reviews.ts: the review of a list's emails: read, edit, restore, approve, reject.
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { LeadRow } from "#layers/lists/LeadQueries.ts"
import { makeDecisions } from "#layers/reviews/Decisions.ts"
import { makeEmailVersions, markField, storedMarkField } from "#layers/reviews/EmailVersions.ts"
import { findEmail, type EmailPath, type LeadPath, makeLoadLead, type OpenedLead } from "#layers/reviews/LoadLead.ts"
import { currentVersion, type EmailEdit, toReviewedEmails } from "#layers/reviews/ReviewEmails.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Conflict, NotFound, type Unprocessable } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"
import {
  type BulkReviewed,
  type BulkReviewInput,
  type EmailChange,
  type EmailVersion,
  type LastBulkReview,
  type ReviewConflict,
  type ReviewCounts,
  type ReviewedEmail,
  type ReviewedLead,
  type ReviewInput,
  VersionConflict
} from "#schema/Review.ts"

/** The rewritten emails of a lead, each with the version that it replaces. */
export interface Rewritten {
  readonly id: string
  readonly changes: ReadonlyArray<EmailEdit & { readonly replaces: number }>
}

const hasFailing = (findings: ReadonlyArray<{ readonly severity: string }>): boolean =>
  findings.some(({ severity }) => severity === "fail")

export class Reviews extends Context.Service<
  Reviews,
  {
    /** The lead for review; `recordsView` records that it was seen. */
    readonly findLead: (
      workspace: WorkspaceId,
      path: LeadPath,
      recordsView: boolean
    ) => Effect.Effect<ReviewedLead, NotFound>
    /** Changes an email. VERSION_CONFLICT if it was changed since the given version. The same text changes nothing. */
    readonly edit: (
      workspace: WorkspaceId,
      path: EmailPath,
      change: EmailChange
    ) => Effect.Effect<ReviewedEmail, NotFound | VersionConflict>
    /** Newest first. */
    readonly listVersions: (
      workspace: WorkspaceId,
      path: EmailPath,
      page: Page
    ) => Effect.Effect<Rows<EmailVersion>, NotFound>
    /** Makes the text of an earlier version the newest one. */
    readonly restore: (
      workspace: WorkspaceId,
      path: EmailPath,
      version: number
    ) => Effect.Effect<ReviewedEmail, NotFound>
    /** The stored lead, for a rewrite. */
    readonly loadLead: (workspace: WorkspaceId, path: LeadPath) => Effect.Effect<OpenedLead, NotFound>
    /**
     * Stores rewritten emails and reopens the review, in the caller's transaction. CONFLICT if one of the emails was
     * changed meanwhile.
     */
    readonly replace: (
      workspace: WorkspaceId,
      path: LeadPath,
      rewritten: Rewritten
    ) => Effect.Effect<ReviewedLead, NotFound | Conflict>
    /** CONFLICT if one of the decision's `versions` is not the current one. */
    readonly decide: (
      workspace: WorkspaceId,
      path: LeadPath,
      decision: ReviewInput
    ) => Effect.Effect<ReviewedLead, NotFound | ReviewConflict | Unprocessable>
    /** The written leads of a list, counted by review. */
    readonly countReviews: (workspace: WorkspaceId, list: string) => Effect.Effect<ReviewCounts>
    /**
     * Decides about many leads of a list, and returns how many changed and when. Never approves a lead with a failing
     * finding or one that is suppressed. Approves a lead whose company may be one to skip only if the decision gives its id or
     * filters by `maybe`.
     */
    readonly decideAll: (
      workspace: WorkspaceId,
      list: string,
      decision: BulkReviewInput
    ) => Effect.Effect<BulkReviewed, NotFound>
    /** The last decision about many leads within a day, with the leads that still have it. */
    readonly findLastBulk: (
      workspace: WorkspaceId,
      list: string
    ) => Effect.Effect<Option.Option<NonNullable<LastBulkReview["last"]>>, NotFound>
  }
>()("overture/layers/Reviews") {
  static readonly layer = Layer.effect(
    Reviews,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const loadLead = yield* makeLoadLead
      const { leadAt, locked, showLead, sourcesOf, toReviewedLead } = loadLead
      const { findVersion, listVersions, markSeen, saveEdit } = yield* makeEmailVersions(loadLead)
      const { counts, decide, decideAll, lastBulk } = yield* makeDecisions(loadLead)

      const reopen = (workspace: WorkspaceId, lead: string) =>
        Effect.flatMap(
          now,
          (timestamp) => sql`
            UPDATE lead_reviews SET review = 'open', review_at = ${timestamp}
            WHERE lead_id = ${lead} AND workspace_id = ${workspace} AND review <> 'open'`
        ).pipe(Effect.orDie)

      /** Stores an edited or restored text. Reopens the review of an approved lead if only the new text has failing findings. */
      const saveText = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        path: EmailPath,
        row: LeadRow,
        change: EmailEdit
      ) {
        const { stored } = yield* findEmail(row, path.step)
        const view = yield* saveEdit(workspace, path, row, change)
        if (row.review === "approved" && hasFailing(view.findings) && !hasFailing(stored.findings)) {
          yield* reopen(workspace, path.lead)
        }
        return view
      })

      return Reviews.of({
        findLead: traced("Reviews.lead")(function* (workspace, path, recordsView) {
          const { basis } = yield* sourcesOf(workspace, path.list)
          const row = yield* leadAt(workspace, path)
          // A failure is ignored, so that reading works while the database is read-only.
          if (recordsView && row.seen !== true && row.status === "completed") {
            yield* Effect.ignoreCause(markSeen(workspace, path.lead))
          }
          return yield* toReviewedLead(workspace, path.list, row, basis)
        }),

        edit: traced("Reviews.edit")(function* (workspace, path, change) {
          const row = yield* locked(workspace, path)
          const { email, index, stored } = yield* findEmail(row, path.step)
          const { basis } = yield* sourcesOf(workspace, path.list)
          const loadCurrentView = () => Effect.fromNullishOr(toReviewedEmails(row, basis)[index]).pipe(Effect.orDie)
          const version = currentVersion(stored)
          if (change.version !== version) {
            return yield* new VersionConflict({
              message: `This email was changed meanwhile; its current version is ${version}`,
              detail: { email: yield* loadCurrentView() }
            })
          }
          const subject = (change.subject ?? email.subject).trim()
          const body = change.body?.replaceAll("\r\n", "\n") ?? email.body
          if (subject === email.subject && body === email.body) return yield* loadCurrentView()
          const origin = {
            author: "person" as const,
            template_id: stored.template_id ?? null,
            playbook_version: stored.playbook_version ?? null,
            ...markField(stored.mark)
          }
          return yield* saveText(workspace, path, row, { step: path.step, subject, body, origin })
        }, inTransaction(sql)),

        listVersions: listVersions,

        restore: traced("Reviews.restore")(function* (workspace, path, version) {
          const row = yield* locked(workspace, path)
          const { index, stored } = yield* findEmail(row, path.step)
          if (version === currentVersion(stored)) {
            const { basis } = yield* sourcesOf(workspace, path.list)
            return yield* Effect.orDie(Effect.fromNullishOr(toReviewedEmails(row, basis)[index]))
          }
          const earlierVersion = yield* Effect.orDie(
            findVersion({ workspace, lead: path.lead, step: path.step, version })
          )
          if (Option.isNone(earlierVersion)) return yield* NotFound.of("version")
          const { author, body, playbook_version, subject, template_id } = earlierVersion.value
          const origin = { author, template_id, playbook_version, ...storedMarkField(earlierVersion.value.mark) }
          return yield* saveText(workspace, path, row, { step: path.step, subject, body, origin })
        }, inTransaction(sql)),

        loadLead: traced("Reviews.open")(function* (workspace, path) {
          const { basis, campaign } = yield* sourcesOf(workspace, path.list)
          return { row: yield* leadAt(workspace, path), basis, campaign }
        }),

        replace: traced("Reviews.replace")(function* (workspace, path, { changes, id }) {
          const lead = yield* locked(workspace, path)
          for (const { replaces, step } of changes) {
            const { stored } = yield* findEmail(lead, step)
            if (lead.email === "" || currentVersion(stored) !== replaces) {
              return yield* new Conflict({
                message: "This lead was changed while it was written again. Nothing was stored or charged"
              })
            }
          }
          // Each change is checked against the changes before it.
          for (const change of changes) {
            const row = yield* leadAt(workspace, path)
            yield* saveEdit(workspace, { ...path, step: change.step }, row, change, id)
          }
          yield* reopen(workspace, path.lead)
          return yield* showLead(workspace, path)
        }, inTransaction(sql)),

        countReviews: counts,

        decide,

        decideAll,

        findLastBulk: lastBulk
      })
    })
  )
}
