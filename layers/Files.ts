// layers/Files.ts: files that database rows refer to, kept in the data directory, in the database, or in an S3 bucket.
import { Clock, Context, Duration, Effect, Layer, Schedule, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import * as InDatabase from "#layers/files/DatabaseStorage.ts"
import { FileMissing, FilesUnavailable, fileMissing, type StorageBackend } from "#layers/files/StorageBackend.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

export { FilesUnavailable }

const BackendName = Schema.Literals(["database", "directory", "s3"])
type BackendName = typeof BackendName.Type

/** The available backends besides the database, and the one that new files are written to. */
export const StorageBackends = Context.Reference<{
  readonly defaultBackend: BackendName
  readonly directory?: StorageBackend | undefined
  readonly s3?: StorageBackend | undefined
}>("overture/layers/StorageBackends", { defaultValue: () => ({ defaultBackend: "database" }) })

/** A file not linked after this time is erased: the process that wrote it has died. */
const orphanAge = Duration.toMillis("1 hour")

const maxConcurrentErasures = 4

export class Files extends Context.Service<
  Files,
  {
    /**
     * Writes a file outside any transaction, then runs `linkRow` in the transaction that makes the file permanent. If either
     * fails, the file is removed.
     */
    readonly put: <A, E, E2, R>(
      workspace: WorkspaceId,
      content: Stream.Stream<Uint8Array, E>,
      linkRow: (id: string) => Effect.Effect<A, E2, R>
    ) => Effect.Effect<A, E | E2 | FilesUnavailable, R>
    readonly read: (workspace: WorkspaceId, id: string) => Stream.Stream<Uint8Array, FilesUnavailable | FileMissing>
    /** Like `read`, but reuses one buffer: a chunk is valid only until the next one is requested. */
    readonly readReusing: (
      workspace: WorkspaceId,
      id: string
    ) => Stream.Stream<Uint8Array, FilesUnavailable | FileMissing>
    /** Marks a file deleted in the caller's transaction; its bytes are erased after the commit. */
    readonly remove: (workspace: WorkspaceId, id: string) => Effect.Effect<void>
    /** Marks all files of a workspace deleted. */
    readonly removeAll: (workspace: WorkspaceId) => Effect.Effect<void>
    /**
     * Removes the bytes of deleted files and of unlinked files older than an hour. Failed removals are retried by the
     * next sweep.
     */
    readonly sweep: Effect.Effect<void>
    /** The ids of files whose bytes are missing or incomplete (`lost`), and of bytes without a row (`stray`). */
    readonly inspect: Effect.Effect<
      { readonly lost: ReadonlyArray<string>; readonly stray: ReadonlyArray<string> },
      FilesUnavailable
    >
  }
>()("overture/layers/Files") {
  static readonly layer = Layer.effect(
    Files,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const { defaultBackend, directory, s3 } = yield* StorageBackends
      const scope = yield* Effect.scope
      const backends: { readonly [Name in BackendName]: StorageBackend | undefined } = {
        database: yield* InDatabase.make,
        directory,
        s3
      }
      const requireBackend = (name: BackendName) => {
        const backend = backends[name]
        return backend === undefined
          ? Effect.fail(
              new FilesUnavailable({
                message: `Some files lie in a place that is not set up: ${name}; ${name === "s3" ? "set FILES_URL" : "name the data directory"}`
              })
            )
          : Effect.succeed(backend)
      }

      const Row = Schema.Struct({ id: Schema.String, place: BackendName, bytes: Schema.Int })
      const findFile = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Row,
        execute: ({ id, workspace }) => sql`
          SELECT id, place, bytes FROM files WHERE id = ${id} AND workspace_id = ${workspace} AND state = 'kept'`
      })
      const findDeleted = SqlSchema.findAll({
        Request: Schema.String,
        Result: Row,
        execute: (lastId) => sql`
          SELECT id, place, bytes FROM files WHERE state = 'gone' AND id > ${lastId} ORDER BY id LIMIT 100`
      })
      const findFilesIn = SqlSchema.findAll({
        Request: BackendName,
        Result: Schema.Struct({ ...Row.fields, state: Schema.String }),
        execute: (place) => sql`SELECT id, place, bytes, state FROM files WHERE place = ${place}`
      })

      const erase = Effect.fnUntraced(function* ({ id, place }: Pick<typeof Row.Type, "id" | "place">) {
        yield* (yield* requireBackend(place)).remove(id)
        yield* sql`DELETE FROM files WHERE id = ${id} AND state = 'gone'`
      })
      /** Logs the number of files that could not be removed; the next sweep retries them. */
      const eraseAll = Effect.fnUntraced(function* (rows: ReadonlyArray<typeof Row.Type>) {
        const [, failed] = yield* Effect.partition(rows, erase, { concurrency: maxConcurrentErasures })
        if (failed.length > 0)
          yield* Effect.logWarning("Files could not be removed yet", { files: failed.length }, failed[0])
      })

      const markDeleted = (condition: Statement.Fragment) =>
        sql`UPDATE files SET state = 'gone' WHERE ${condition} AND state <> 'gone' RETURNING id, place, bytes`.pipe(
          Effect.flatMap((rows) => Schema.decodeUnknownEffect(Schema.Array(Row))(rows)),
          // The caller does not wait for a remote bucket to delete the bytes.
          Effect.tap((rows) => sql.afterCommit(Effect.asVoid(Effect.forkIn(eraseAll(rows), scope)))),
          Effect.orDie,
          Effect.asVoid
        )

      const makeRead = (reusesBuffer: boolean) => (workspace: WorkspaceId, id: string) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const row = yield* Effect.flatMap(Effect.orDie(findFile({ workspace, id })), (row) =>
              Effect.fromOption(row, () => fileMissing(id))
            )
            const backend = yield* requireBackend(row.place)
            let remaining = row.bytes
            return backend.read(id, reusesBuffer).pipe(
              Stream.tap((chunk) => Effect.sync(() => void (remaining -= chunk.length))),
              Stream.concat(
                Stream.fromEffectDrain(
                  Effect.suspend(() =>
                    remaining === 0
                      ? Effect.void
                      : Effect.fail(new FileMissing({ message: `File ${id} is not as long as it was` }))
                  )
                )
              )
            )
          })
        )

      return Files.of({
        put: Effect.fn("Files.put")(function* (workspace, content, linkRow) {
          const backend = yield* requireBackend(defaultBackend)
          const id = yield* random.uuidV7()
          // Inserts the row first, so that the bytes can be found and deleted after a crash.
          yield* Effect.orDie(sql`
            INSERT INTO files (id, workspace_id, place, state, bytes, changed_at)
            VALUES (${id}, ${workspace}, ${defaultBackend}, 'writing', 0, ${yield* Clock.currentTimeMillis})`)
          let bytes = 0
          const countedContent = Stream.map(content, (chunk) => {
            bytes += chunk.length
            return chunk
          })
          const linkFile = Effect.gen(function* () {
            const linkedRows = yield* sql`
              UPDATE files SET state = 'kept', bytes = ${bytes}
              WHERE id = ${id} AND workspace_id = ${workspace} AND state = 'writing' RETURNING id`
            if (linkedRows.length === 0)
              return yield* new FilesUnavailable({ message: "The file took too long to be written" })
            return yield* linkRow(id)
          }).pipe(inTransaction(sql))
          // A file that cannot be removed now is removed by a later sweep.
          const undo = Effect.ignoreCause(
            Effect.andThen(
              sql`UPDATE files SET state = 'gone' WHERE id = ${id} AND workspace_id = ${workspace} AND state <> 'kept'`,
              erase({ id, place: defaultBackend })
            )
          )
          return yield* backend.write(id, countedContent).pipe(
            Effect.andThen(linkFile),
            Effect.onError(() => undo)
          )
        }),

        read: makeRead(false),
        readReusing: makeRead(true),

        remove: (workspace, id) => markDeleted(sql`id = ${id} AND workspace_id = ${workspace}`),

        removeAll: (workspace) => markDeleted(sql`workspace_id = ${workspace}`),

        sweep: Effect.gen(function* () {
          const currentMillis = yield* Clock.currentTimeMillis
          yield* sql`
            UPDATE files SET state = 'gone' WHERE state = 'writing' AND changed_at < ${currentMillis - orphanAge}`
          let lastId = ""
          for (;;) {
            const rows = yield* findDeleted(lastId)
            const lastRow = rows.at(-1)
            if (lastRow === undefined) return
            yield* eraseAll(rows)
            lastId = lastRow.id
          }
        }).pipe(Effect.orDie),

        inspect: Effect.gen(function* () {
          const lost: Array<string> = []
          const stray: Array<string> = []
          for (const name of BackendName.literals) {
            const rowsBefore = yield* Effect.orDie(findFilesIn(name))
            if (backends[name] === undefined && rowsBefore.length === 0) continue
            const storedFiles = yield* Stream.runCollect((yield* requireBackend(name)).all)
            // A running server may write or delete files meanwhile; such files are neither lost nor stray.
            const rowsAfter = new Map((yield* Effect.orDie(findFilesIn(name))).map((row) => [row.id, row]))
            const storedBytes = new Map(storedFiles.map(({ bytes, id }) => [id, bytes]))
            for (const { bytes, id, state } of rowsBefore) {
              if (state === "kept" && rowsAfter.get(id)?.state === "kept" && storedBytes.get(id) !== bytes)
                lost.push(id)
              storedBytes.delete(id)
            }
            for (const id of storedBytes.keys()) if (!rowsAfter.has(id)) stray.push(id)
          }
          return { lost, stray }
        })
      })
    })
  )
}

/** Sweeps every ten minutes while the server runs. */
export const removeOrphans = Layer.effectDiscard(
  Effect.gen(function* () {
    const { sweep } = yield* Files
    yield* sweep.pipe(
      Effect.catchCause((cause) => Effect.logError("Files could not be swept", cause)),
      Effect.repeat(Schedule.spaced("10 minutes")),
      Effect.forkScoped
    )
  })
)
