// layers/Imports.ts: uploaded documents and sites from which a workspace's profile is filled. Each is read by a job;
// the plan limits documents.
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { plans } from "#layers/credits/Account.ts"
import { Files, type FilesUnavailable } from "#layers/Files.ts"
import { Queue } from "#layers/Queue.ts"
import { formatMegabytes } from "#layers/lib/Megabytes.ts"
import { now } from "#layers/lib/Time.ts"
import { kinds } from "#layers/research/read/FileKinds.ts"
import { Web } from "#layers/Web.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Tier } from "#schema/Credits.ts"
import { BadRequest, NotFound, WorkspaceLimit } from "#schema/Errors.ts"
import { Imported, ImportedText } from "#schema/Imports.ts"

const DocumentKind = Schema.Literals(kinds)
export interface Upload {
  readonly kind: typeof DocumentKind.Type
  /** The file's name; null for documents uploaded before names were stored. */
  readonly name: string | null
  readonly content: Uint8Array<ArrayBuffer>
}

/** The text that an imported document or site gives about the business. */
export interface ImportText {
  /**
   * The digest of a document's text, or the origin of a site. A repeated import replaces the text of the same source.
   */
  readonly source: string
  /** The name used in citations. */
  readonly name: string
  /** Markdown. */
  readonly content: string
}

/** The payload of a document's job. */
export const DocumentPayload = Schema.Struct({ upload: Schema.String })

/** The payload of a site's job. */
export const SitePayload = Schema.Struct({ url: Schema.String })

export class Imports extends Context.Service<
  Imports,
  {
    /**
     * Stores the file and queues its import in one transaction; returns the job's id. WORKSPACE_LIMIT if the plan has
     * no room for it.
     */
    readonly importDocument: (
      workspace: WorkspaceId,
      upload: Upload
    ) => Effect.Effect<string, WorkspaceLimit | FilesUnavailable>
    /** Queues the import of a site; returns the job's id. BAD_REQUEST if the address may not be fetched. */
    readonly importSite: (workspace: WorkspaceId, url: string) => Effect.Effect<string, BadRequest>
    /** None if the document or its file does not exist. */
    readonly readUpload: (workspace: WorkspaceId, id: string) => Effect.Effect<Option.Option<Upload>, FilesUnavailable>
    /** Stores the text, in place of an earlier text of the same source. */
    readonly saveText: (workspace: WorkspaceId, text: ImportText) => Effect.Effect<void>
    /** Newest first. */
    readonly listTexts: (workspace: WorkspaceId) => Effect.Effect<ReadonlyArray<Imported>>
    readonly findText: (workspace: WorkspaceId, id: string) => Effect.Effect<ImportedText, NotFound>
    readonly removeText: (workspace: WorkspaceId, id: string) => Effect.Effect<void, NotFound>
  }
>()("overture/layers/Imports") {
  static readonly layer = Layer.effect(
    Imports,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const files = yield* Files
      const queue = yield* Queue
      const web = yield* Web

      const findUsage = SqlSchema.findOne({
        Request: Schema.String,
        Result: Schema.Struct({ tier: Tier, uploads: Schema.Int, bytes: Schema.Int }),
        execute: (workspace) => sql`
          SELECT a.tier, count(u.id) AS uploads, COALESCE(sum(u.bytes), 0) AS bytes
          FROM credit_accounts a LEFT JOIN uploads u ON u.workspace_id = a.workspace_id
          WHERE a.workspace_id = ${workspace} GROUP BY a.tier`
      })
      const findUpload = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Schema.Struct({
          kind: DocumentKind,
          file: Schema.NullOr(Schema.String),
          name: Schema.NullOr(Schema.String)
        }),
        execute: ({ id, workspace }) => sql`
          SELECT kind, file, name FROM uploads WHERE id = ${id} AND workspace_id = ${workspace}`
      })

      const listImports = SqlSchema.findAll({
        Request: Schema.String,
        Result: Imported,
        execute: (workspace) => sql`
          SELECT id, name, created_at FROM import_texts WHERE workspace_id = ${workspace}
          ORDER BY created_at DESC, id DESC`
      })
      const findImport = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: ImportedText,
        execute: ({ id, workspace }) => sql`
          SELECT id, name, created_at, content FROM import_texts WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const removeImport = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Schema.Struct({ id: Schema.String }),
        execute: ({ id, workspace }) => sql`
          DELETE FROM import_texts WHERE id = ${id} AND workspace_id = ${workspace} RETURNING id`
      })
      const orNotFound = Effect.fromOption(() => NotFound.of("import"))

      /** Fails with WORKSPACE_LIMIT if the plan has no room for another document of this size. */
      const requireRoom = Effect.fnUntraced(function* (workspace: WorkspaceId, addedBytes: number) {
        const { bytes, tier, uploads } = yield* findUsage(workspace)
        const plan = plans[tier]
        if (uploads >= plan.lifetime_uploads) {
          return yield* new WorkspaceLimit({
            message: `The plan takes ${plan.lifetime_uploads} documents in all, and as many were imported; a larger plan takes more`
          })
        }
        if (bytes + addedBytes > plan.storage_bytes) {
          return yield* new WorkspaceLimit({
            message: `The plan stores ${formatMegabytes(plan.storage_bytes)} of documents, and this one would exceed them; a larger plan stores more`
          })
        }
      })

      return Imports.of({
        importDocument: Effect.fn("Imports.document")(
          function* (workspace, { content, kind, name }) {
            // Also checked before the upload, so that a file over the limit is not transferred.
            yield* requireRoom(workspace, content.length)
            const linkRow = Effect.fnUntraced(function* (file: string) {
              yield* requireRoom(workspace, content.length)
              const id = yield* random.uuidV7()
              yield* sql`
                INSERT INTO uploads (id, workspace_id, kind, name, bytes, file, created_at)
                VALUES (${id}, ${workspace}, ${kind}, ${name}, ${content.length}, ${file}, ${yield* now})`
              const payload: typeof DocumentPayload.Type = { upload: id }
              const [job = ""] = yield* queue.enqueue([
                { workspace, type: "workspace.import.document", subject: workspace, payload }
              ])
              return job
            })
            return yield* files.put(workspace, Stream.make(content), linkRow)
          },
          Effect.catchTag(["SqlError", "SchemaError", "NoSuchElementError"], Effect.die)
        ),

        importSite: Effect.fn("Imports.site")(function* (workspace, url) {
          const target = web.check(url.trim())
          if ("refusal" in target) return yield* BadRequest.at("url", target.refusal)
          const payload: typeof SitePayload.Type = { url: target.url.href }
          const [job = ""] = yield* queue.enqueue([
            { workspace, type: "workspace.import.url", subject: workspace, payload }
          ])
          return job
        }),

        saveText: Effect.fn("Imports.keepText")(function* (workspace, { content, name, source }) {
          if (content === "") return
          yield* sql`
            INSERT INTO import_texts (id, workspace_id, source, name, content, created_at)
            VALUES (${yield* random.uuidV7()}, ${workspace}, ${source}, ${name}, ${content}, ${yield* now})
            ON CONFLICT (workspace_id, source)
            DO UPDATE SET name = excluded.name, content = excluded.content, created_at = excluded.created_at`
        }, Effect.orDie),

        listTexts: Effect.fn("Imports.texts")((workspace) => Effect.orDie(listImports(workspace))),
        findText: Effect.fn("Imports.text")((workspace, id) =>
          findImport({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(orNotFound))
        ),
        removeText: Effect.fn("Imports.removeText")((workspace, id) =>
          removeImport({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(orNotFound), Effect.asVoid)
        ),

        readUpload: Effect.fn("Imports.read")(function* (workspace, id) {
          const upload = yield* Effect.orDie(findUpload({ workspace, id }))
          if (Option.isNone(upload) || upload.value.file === null) return Option.none()
          const { file, kind, name } = upload.value
          return yield* Stream.runCollect(files.read(workspace, file)).pipe(
            Effect.map((chunks) => Option.some({ kind, name, content: Uint8Array.from(Buffer.concat(chunks)) })),
            Effect.catchTag("FileMissing", (error) =>
              Effect.as(Effect.logError("The file of an upload is gone", error), Option.none())
            )
          )
        })
      })
    })
  )
}
