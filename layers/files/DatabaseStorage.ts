// layers/files/DatabaseStorage.ts: stores files as database rows, for processes that share only a database.
import { Effect, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { FilesUnavailable, fileMissing, type StorageBackend } from "#layers/files/StorageBackend.ts"
import { regroupChunks } from "#layers/files/FixedChunks.ts"

/** Size of a row, which takes a few milliseconds to write; other writes run in between. */
const pieceBytes = 256 * 1024

const toFilesUnavailable = () => new FilesUnavailable({ message: "The database cannot take or give a file now" })

export const make: Effect.Effect<StorageBackend, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => ({
    // Not atomic, but no reader requests the file before its row in `files` marks it as complete.
    write: (id, content) =>
      regroupChunks(content, pieceBytes).pipe(
        Stream.zipWithIndex,
        Stream.runForEach(([piece, position]) =>
          Effect.mapError(
            sql`INSERT INTO file_pieces (file_id, position, content) VALUES (${id}, ${position}, ${piece})`,
            toFilesUnavailable
          )
        )
      ),

    read: (id) =>
      Stream.paginate(0, (position) =>
        sql<{ readonly content: Uint8Array }>`
        SELECT content FROM file_pieces WHERE file_id = ${id} AND position = ${position}`.pipe(
          Effect.mapError(toFilesUnavailable),
          Effect.flatMap(([row]) =>
            row === undefined && position === 0 ? Effect.fail(fileMissing(id)) : Effect.succeed(row?.content)
          ),
          Effect.map(
            (content) =>
              [
                content === undefined ? [] : [content],
                content === undefined ? Option.none() : Option.some(position + 1)
              ] as const
          )
        )
      ),

    remove: (id) =>
      Effect.mapError(Effect.asVoid(sql`DELETE FROM file_pieces WHERE file_id = ${id}`), toFilesUnavailable),

    all: sql<{ readonly id: string; readonly bytes: number }>`
    SELECT file_id AS id, sum(length(content)) AS bytes FROM file_pieces GROUP BY file_id`.stream.pipe(
      Stream.mapError(toFilesUnavailable)
    )
  })
)
