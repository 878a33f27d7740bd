// layers/Imports.ts: uploaded documents and sites from which a workspace's profile is filled. Each is read by a job;
// the plan limits documents.
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { plans } from "#layers/credits/Plans.ts"
import { Files, type FilesUnavailable } from "#layers/Files.ts"
import { Queue } from "#layers/Queue.ts"
import { megabytes } from "#layers/lib/Megabytes.ts"
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
export const DocumentOrder = Schema.Struct({ upload: Schema.String })

/** The payload of a site's job. */
export const SiteOrder = Schema.Struct({ url: Schema.String })

export class Imports extends Context.Service<
  Imports,
  {
    /**
     * Stores the file and queues its import in one transaction; returns the job's id. WORKSPACE_LIMIT if the plan has
     * no room for it.
     */
    readonly document: (
      workspace: WorkspaceId,
      upload: Upload
    ) => Effect.Effect<string, WorkspaceLimit | FilesUnavailable>
    /** Queues the import of a site; returns the job's id. BAD_REQUEST if the address may not be fetched. */
    readonly site: (workspace: WorkspaceId, url: string) => Effect.Effect<string, BadRequest>
    /** None if the document or its file does not exist. */
    readonly read: (workspace: WorkspaceId, id: string) => Effect.Effect<Option.Option<Upload>, FilesUnavailable>
    /** Stores the text, in place of an earlier text of the same source. */
    readonly keepText: (workspace: WorkspaceId, text: ImportText) => Effect.Effect<void>
    /** Newest first. */
    readonly texts: (workspace: WorkspaceId) => Effect.Effect<ReadonlyArray<Imported>>
    readonly text: (workspace: WorkspaceId, id: string) => Effect.Effect<ImportedText, NotFound>
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

      const used = SqlSchema.findOne({
        Request: Schema.String,
        Result: Schema.Struct({ tier: Tier, uploads: Schema.Int, bytes: Schema.Int }),
        execute: (workspace) => sql`
          SELECT a.tier, count(u.id) AS uploads, COALESCE(sum(u.bytes), 0) AS bytes
          FROM credit_accounts a LEFT JOIN uploads u ON u.workspace_id = a.workspace_id
          WHERE a.workspace_id = ${workspace} GROUP BY a.tier`
      })
      const row = SqlSchema.findOneOption({
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
      const fits = Effect.fnUntraced(function* (workspace: WorkspaceId, added: number) {
        const { bytes, tier, uploads } = yield* used(workspace)
        const plan = plans[tier]
        if (uploads >= plan.lifetime_uploads) {
          return yield* new WorkspaceLimit({
            message: `The plan takes ${plan.lifetime_uploads} documents in all, and as many were imported; a larger plan takes more`
          })
        }
        if (bytes + added > plan.storage_bytes) {
          return yield* new WorkspaceLimit({
            message: `The plan stores ${megabytes(plan.storage_bytes)} of documents, and this one would exceed them; a larger plan stores more`
          })
        }
      })

      return Imports.of({
        document: Effect.fn("Imports.document")(
          function* (workspace, { content, kind, name }) {
            // Also checked before the upload, so that a file over the limit is not transferred.
            yield* fits(workspace, content.length)
            const linkRow = Effect.fnUntraced(function* (file: string) {
              yield* fits(workspace, content.length)
              const id = yield* random.uuidV7()
              yield* sql`
                INSERT INTO uploads (id, workspace_id, kind, name, bytes, file, created_at)
                VALUES (${id}, ${workspace}, ${kind}, ${name}, ${content.length}, ${file}, ${yield* now})`
              const payload: typeof DocumentOrder.Type = { upload: id }
              const [job = ""] = yield* queue.enqueue([
                { workspace, type: "workspace.import.document", subject: workspace, payload }
              ])
              return job
            })
            return yield* files.put(workspace, Stream.make(content), linkRow)
          },
          Effect.catchTag(["SqlError", "SchemaError", "NoSuchElementError"], Effect.die)
        ),

        site: Effect.fn("Imports.site")(function* (workspace, url) {
          const checked = web.check(url.trim())
          if ("refusal" in checked) return yield* BadRequest.at("url", checked.refusal)
          const payload: typeof SiteOrder.Type = { url: checked.url.href }
          const [job = ""] = yield* queue.enqueue([
            { workspace, type: "workspace.import.url", subject: workspace, payload }
          ])
          return job
        }),

        keepText: Effect.fn("Imports.keepText")(function* (workspace, { content, name, source }) {
          if (content === "") return
          yield* sql`
            INSERT INTO import_texts (id, workspace_id, source, name, content, created_at)
            VALUES (${yield* random.uuidV7()}, ${workspace}, ${source}, ${name}, ${content}, ${yield* now})
            ON CONFLICT (workspace_id, source)
            DO UPDATE SET name = excluded.name, content = excluded.content, created_at = excluded.created_at`
        }, Effect.orDie),

        texts: Effect.fn("Imports.texts")((workspace) => Effect.orDie(listImports(workspace))),
        text: Effect.fn("Imports.text")((workspace, id) =>
          findImport({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(orNotFound))
        ),
        removeText: Effect.fn("Imports.removeText")((workspace, id) =>
          removeImport({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(orNotFound), Effect.asVoid)
        ),

        read: Effect.fn("Imports.read")(function* (workspace, id) {
          const found = yield* Effect.orDie(row({ workspace, id }))
          if (Option.isNone(found) || found.value.file === null) return Option.none()
          const { file, kind, name } = found.value
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
