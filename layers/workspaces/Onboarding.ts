// layers/workspaces/Onboarding.ts: the results of a workspace's research: two documents, segments, and options for
// campaigns.
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Assets } from "#layers/Assets.ts"
import { Audiences } from "#layers/Audiences.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import type { OptionDraft } from "#layers/Generator.ts"
import { Queue } from "#layers/Queue.ts"
import { now } from "#layers/lib/Time.ts"
import { hash } from "#layers/text/Hash.ts"
import { WorkspaceAssetType } from "#schema/Assets.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Details } from "#schema/Details.ts"
import { WorkspaceDocument } from "#schema/Documents.ts"
import { NotFound } from "#schema/Errors.ts"

export const documentTypes = WorkspaceDocument.fields.type.literals
type DocumentType = WorkspaceDocument["type"]

/** Identifies the profile that a document was made from. */
export const profileDigest = (profile: Details) => hash(JSON.stringify(profile)).toString(36)

interface GeneratedDocuments {
  /** The profile that the documents were made from. */
  readonly profile: Details
  readonly documents: Readonly<Record<DocumentType, string>>
  readonly segments: ReadonlyArray<Segment>
  readonly options: Readonly<Record<WorkspaceAssetType, ReadonlyArray<OptionDraft>>>
}

export class Onboarding extends Context.Service<
  Onboarding,
  {
    /** Prepares a new workspace in its transaction. With `research`, queues the onboarding job and returns its id. */
    readonly begin: (workspace: WorkspaceId, research: boolean) => Effect.Effect<string | undefined>
    /** The documents that are ready. */
    readonly findReady: (workspace: WorkspaceId) => Effect.Effect<ReadonlySet<DocumentType>>
    /**
     * Generates all documents again. Returns the id of the new job, or of the one in progress. NOT_FOUND for a
     * workspace without an owner.
     */
    readonly regenerate: (workspace: WorkspaceId) => Effect.Effect<string, NotFound>
    /** Stores the results in the transaction that completes the job. */
    readonly store: (workspace: WorkspaceId, results: GeneratedDocuments) => Effect.Effect<void>
    /** Resets documents in progress to their previous status: ready or unavailable. */
    readonly resetDocuments: (workspace: WorkspaceId) => Effect.Effect<void>
  }
>()("overture/layers/workspaces/Onboarding") {
  static readonly layer = Layer.effect(
    Onboarding,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const queue = yield* Queue
      const audiences = yield* Audiences
      const assets = yield* Assets

      // Keeps the time if text and profile are unchanged, because campaigns built before it are shown as outdated.
      const setDocument = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        type: DocumentType,
        status: string,
        content: string | null,
        profile: string | null = null
      ) {
        yield* sql`
          INSERT INTO workspace_documents (id, workspace_id, type, status, content, profile, updated_at)
          VALUES (${yield* random.uuidV7()}, ${workspace}, ${type}, ${status}, ${content}, ${profile}, ${yield* now})
          ON CONFLICT (workspace_id, type) DO UPDATE
          SET status = EXCLUDED.status, content = EXCLUDED.content, profile = EXCLUDED.profile,
            updated_at = CASE WHEN workspace_documents.content = EXCLUDED.content
              AND workspace_documents.profile = EXCLUDED.profile
              THEN workspace_documents.updated_at ELSE EXCLUDED.updated_at END`
      })

      return Onboarding.of({
        begin: Effect.fn("Onboarding.begin")(function* (workspace, research) {
          for (const type of documentTypes) {
            yield* setDocument(workspace, type, research ? "processing" : "unavailable", null)
          }
          if (!research) return undefined
          const [job] = yield* queue.enqueue([{ workspace, type: "workspace.onboarding", subject: workspace }])
          return job
        }, Effect.orDie),

        findReady: (workspace) =>
          sql<{ readonly type: DocumentType }>`
            SELECT type FROM workspace_documents WHERE workspace_id = ${workspace} AND status = 'ready'`.pipe(
            Effect.map((rows) => new Set(rows.map((row) => row.type))),
            Effect.orDie
          ),

        regenerate: Effect.fn("Onboarding.regenerate")(function* (workspace) {
          const [ownedWorkspace] = yield* sql`
            SELECT id FROM workspaces WHERE id = ${workspace} AND owner_email IS NOT NULL`
          if (ownedWorkspace === undefined) {
            return yield* new NotFound({
              message: "This workspace has no owner. The operator names one: overture workspace owner ID --email EMAIL"
            })
          }
          const [runningJob] = yield* sql<{ readonly id: string }>`
            SELECT id FROM jobs
            WHERE subject = ${workspace} AND workspace_id = ${workspace} AND type = 'workspace.regenerate'
              AND status IN ('pending', 'processing')`
          if (runningJob !== undefined) return runningJob.id
          yield* sql`
            UPDATE workspace_documents SET status = 'processing' WHERE workspace_id = ${workspace}`
          const [id = ""] = yield* queue.enqueue([{ workspace, type: "workspace.regenerate", subject: workspace }])
          return id
        }, inTransaction(sql)),

        store: Effect.fn("Onboarding.store")(function* (workspace, results) {
          const profile = profileDigest(results.profile)
          for (const type of documentTypes)
            yield* setDocument(workspace, type, "ready", results.documents[type], profile)
          yield* audiences.propose(workspace, results.segments)
          for (const type of WorkspaceAssetType.literals) yield* assets.refresh(workspace, type, results.options[type])
          const timestamp = yield* now
          yield* sql`UPDATE workspaces SET onboarded_at = ${timestamp}, updated_at = ${timestamp} WHERE id = ${workspace}`
        }, inTransaction(sql)),

        resetDocuments: (workspace) =>
          Effect.gen(function* () {
            yield* sql`
              UPDATE workspace_documents
              SET status = CASE WHEN content IS NULL THEN 'unavailable' ELSE 'ready' END
              WHERE workspace_id = ${workspace} AND status = 'processing'`
          }).pipe(Effect.orDie)
      })
    })
  )
}
