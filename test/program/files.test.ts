// test/program/files.test.ts: the contract of file storage, tested on every backend.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Deferred, Effect, Fiber, Layer, Redacted, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { readdir, stat, writeFile } from "node:fs/promises"
import { Files, FilesUnavailable, StorageBackends } from "#layers/Files.ts"
import * as InBucket from "#layers/files/BucketStorage.ts"
import * as InDatabase from "#layers/files/DatabaseStorage.ts"
import * as InDirectory from "#layers/files/DirectoryStorage.ts"
import type { StorageBackend } from "#layers/files/StorageBackend.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import { startBucket, keyId, secret } from "#test/support/s3-server.ts"
import { temporaryFolder } from "#test/support/process.ts"
import * as Stores from "../support/store.ts"

const acme = WorkspaceId.make("acme")
const otherWorkspace = WorkspaceId.make("other")

/** The storage under test, and a function that makes it unavailable. */
class StorageUnderTest extends Context.Service<
  StorageUnderTest,
  { readonly storage: StorageBackend; readonly setUnavailable: (away: boolean) => Effect.Effect<void> }
>()("overture/test/Ground") {}

const unavailable = new FilesUnavailable({ message: "Away" })

const storageLayer = (name: "directory" | "s3", makeStorage: Effect.Effect<StorageBackend>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const realStorage = yield* makeStorage
      let isUnavailable = false
      const unlessUnavailable = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.suspend((): Effect.Effect<A, E | FilesUnavailable> =>
          isUnavailable ? Effect.fail(unavailable) : effect
        )
      const storage: StorageBackend = {
        write: (id, content) => unlessUnavailable(realStorage.write(id, content)),
        read: (id, passing) => Stream.unwrap(unlessUnavailable(Effect.succeed(realStorage.read(id, passing)))),
        remove: (id) => unlessUnavailable(realStorage.remove(id)),
        all: Stream.unwrap(unlessUnavailable(Effect.succeed(realStorage.all)))
      }
      return Layer.merge(
        Layer.succeed(StorageBackends, { defaultBackend: name, [name]: storage }),
        Layer.succeed(StorageUnderTest, {
          storage: realStorage,
          setUnavailable: (isAway) => Effect.sync(() => void (isUnavailable = isAway))
        })
      )
    })
  )

const inDatabase = Layer.merge(
  Layer.succeed(StorageBackends, { defaultBackend: "database" }),
  Layer.effect(
    StorageUnderTest,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const storage = yield* InDatabase.make
      const rename = (oldName: string, newName: string) =>
        Effect.orDie(Effect.asVoid(sql`ALTER TABLE ${sql(oldName)} RENAME TO ${sql(newName)}`))
      return {
        storage,
        setUnavailable: (isAway) => (isAway ? rename("file_pieces", "elsewhere") : rename("elsewhere", "file_pieces"))
      }
    })
  )
)

const inDirectory = Layer.unwrap(
  Effect.gen(function* () {
    const path = yield* temporaryFolder
    const storage = yield* InDirectory.make(`${path}/files`).pipe(Effect.provide(NodeServices.layer))
    return storageLayer("directory", Effect.succeed(storage))
  })
)

const inBucket = Layer.unwrap(
  Effect.gen(function* () {
    const { host } = yield* startBucket
    const endpoint = `http://${host}/overture`
    const storage = InBucket.make({ endpoint, region: "us-east-1", prefix: "", keyId, secret: Redacted.make(secret) })
    return storageLayer("s3", Effect.succeed(storage))
  })
)

const storageLayers = { bucket: inBucket, database: inDatabase, directory: inDirectory }

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) % 251)
const inChunks = (bytes: Uint8Array, size: number) =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size))
  )

const putFile = Effect.fnUntraced(function* (workspace: WorkspaceId, content: Uint8Array) {
  return yield* (yield* Files).put(workspace, inChunks(content, 70_001), Effect.succeed)
})
const readFileBytes = Effect.fnUntraced(function* (workspace: WorkspaceId, id: string) {
  return Buffer.concat(yield* Stream.runCollect((yield* Files).read(workspace, id)))
})
const readStoredIds = Effect.gen(function* () {
  const files = yield* Stream.runCollect((yield* StorageUnderTest).storage.all)
  return files.map(({ id }) => id)
})
const readRows = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ readonly id: string }>`SELECT id FROM files`)
const assertEmpty = Effect.gen(function* () {
  assert.deepStrictEqual(yield* readRows, [])
  assert.deepStrictEqual(yield* readStoredIds, [])
})
/** The bytes of removed files are deleted by a later sweep. */
const sweepFiles = Effect.flatMap(Files, (files) => files.sweep)
const assertFailsWith = Effect.fnUntraced(function* <R>(
  tag: string,
  effect: Effect.Effect<unknown, { readonly _tag: string }, R>
) {
  assert.strictEqual((yield* Effect.flip(effect))._tag, tag)
})

describe.each(Object.entries(storageLayers))("in the %s, a file", (name, layer) => {
  const testLayer = Files.layer.pipe(
    Layer.provideMerge(layer),
    Layer.provideMerge(Stores.store),
    Layer.provide(SecureRandom.layerWebCrypto)
  )
  const testFile = <E>(
    title: string,
    run: () => Effect.Effect<unknown, E, Files | StorageUnderTest | SqlClient.SqlClient>
  ) => it.live(title, () => Effect.provide(Effect.suspend(run), testLayer))

  testFile("is read as it was written, whatever its length", () =>
    Effect.forEach([0, 1, 262_143, 262_144, 262_145, 9 * 1024 * 1024 + 7], (length) =>
      Effect.gen(function* () {
        const content = bytesOf(length)
        const id = yield* putFile(acme, content)
        assert.isTrue(Buffer.from(content).equals(yield* readFileBytes(acme, id)), String(length))
        assert.deepStrictEqual(yield* (yield* Files).inspect, { lost: [], stray: [] })
      })
    )
  )

  testFile("is read unchanged by two readers at different speeds and by one that stops early", () =>
    Effect.gen(function* () {
      const files = yield* Files
      const content = bytesOf(9 * 1024 * 1024 + 7)
      const id = yield* putFile(acme, content)
      const readWithPause = Effect.fnUntraced(function* (pause: Effect.Effect<void>) {
        let position = 0
        yield* Stream.runForEach(files.readReusing(acme, id), (chunk) =>
          Effect.andThen(
            pause,
            Effect.sync(() => {
              assert.isTrue(
                Buffer.from(content.subarray(position, position + chunk.length)).equals(chunk),
                String(position)
              )
              position += chunk.length
            })
          )
        )
        assert.strictEqual(position, content.length)
      })
      const partialRead = Stream.runCollect(Stream.take(files.readReusing(acme, id), 1))
      yield* Effect.all([readWithPause(Effect.void), readWithPause(Effect.sleep("2 millis")), partialRead], {
        concurrency: 3
      })
      yield* assertFailsWith("FileMissing", Stream.runDrain(files.readReusing(otherWorkspace, id)))
    })
  )

  testFile("belongs to its workspace only", () =>
    Effect.gen(function* () {
      const files = yield* Files
      const id = yield* putFile(acme, bytesOf(10))
      yield* assertFailsWith("FileMissing", readFileBytes(otherWorkspace, id))
      yield* files.remove(otherWorkspace, id)
      yield* files.removeAll(otherWorkspace)
      yield* sweepFiles
      assert.lengthOf(yield* readFileBytes(acme, id), 10)
    })
  )

  testFile("does not exist until the row that links it is committed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const idsBeforeCommit: Array<string> = []
      const linkRow = (id: string) =>
        Effect.gen(function* () {
          idsBeforeCommit.push(...(yield* readStoredIds))
          yield* sql`INSERT INTO migrations (migration_id, name) VALUES (99, ${id})`
          return yield* Effect.fail("no" as const)
        })
      assert.strictEqual(yield* Effect.flip(files.put(acme, Stream.make(bytesOf(5)), linkRow)), "no")
      assert.lengthOf(idsBeforeCommit, 1)
      assert.deepStrictEqual(yield* sql`SELECT name FROM migrations WHERE migration_id = 99`, [])
      yield* assertEmpty
    })
  )

  testFile("that a killed process left incomplete is deleted once it is old", () =>
    Effect.gen(function* () {
      const { storage } = yield* StorageUnderTest
      const sql = yield* SqlClient.SqlClient
      const id = "0193a000-0000-7000-8000-000000000002"
      yield* sql`
        INSERT INTO files (id, workspace_id, place, state, bytes, changed_at)
        VALUES (${id}, ${acme}, ${name === "bucket" ? "s3" : name}, 'writing', 0, ${yield* Clock.currentTimeMillis})`
      yield* storage.write(id, Stream.make(bytesOf(5)))
      yield* sweepFiles
      yield* assertFailsWith("FileMissing", readFileBytes(acme, id))
      assert.deepStrictEqual(yield* readStoredIds, [id], "its process may still be writing it")
      yield* sql`UPDATE files SET changed_at = 0`
      yield* sweepFiles
      yield* assertEmpty
    })
  )

  testFile("whose write fails, is interrupted or takes too long leaves nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const firstPart = Stream.make(bytesOf(300_000))
      const failingPut = files.put(acme, Stream.concat(firstPart, Stream.fail("broken" as const)), Effect.succeed)
      assert.strictEqual(yield* Effect.flip(failingPut), "broken")
      yield* assertEmpty
      const hasReachedEnd = yield* Deferred.make<void>()
      const endlessPart = Stream.fromEffectDrain(
        Effect.andThen(Deferred.succeed(hasReachedEnd, undefined), Effect.never)
      )
      const fiber = yield* Effect.forkChild(files.put(acme, Stream.concat(firstPart, endlessPart), Effect.succeed))
      yield* Deferred.await(hasReachedEnd)
      yield* Fiber.interrupt(fiber)
      yield* assertEmpty
      // Another process deletes the file because it looks abandoned.
      const sweepDuringWrite = Stream.fromEffectDrain(
        Effect.andThen(Effect.orDie(sql`UPDATE files SET changed_at = 0`), files.sweep)
      )
      yield* assertFailsWith(
        "FilesUnavailable",
        files.put(acme, Stream.concat(firstPart, sweepDuringWrite), Effect.succeed)
      )
      yield* assertEmpty
    })
  )

  testFile("is deleted only when the transaction that removes it commits", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const id = yield* putFile(acme, bytesOf(300_000))
      yield* Effect.flip(sql.withTransaction(Effect.andThen(files.remove(acme, id), Effect.fail("no"))))
      yield* sweepFiles
      assert.lengthOf(yield* readFileBytes(acme, id), 300_000)
      yield* sql.withTransaction(files.remove(acme, id))
      yield* assertFailsWith("FileMissing", readFileBytes(acme, id))
      yield* sweepFiles
      yield* assertEmpty
      yield* files.remove(acme, id)
    })
  )

  testFile("is deleted with all other files of its workspace", () =>
    Effect.gen(function* () {
      yield* putFile(acme, bytesOf(1))
      yield* putFile(acme, bytesOf(2))
      const otherId = yield* putFile(otherWorkspace, bytesOf(3))
      yield* (yield* Files).removeAll(acme)
      yield* sweepFiles
      assert.deepStrictEqual(yield* readStoredIds, [otherId])
    })
  )

  testFile("is refused while its storage is unavailable, and nothing incomplete remains afterwards", () =>
    Effect.gen(function* () {
      const { setUnavailable } = yield* StorageUnderTest
      const files = yield* Files
      const id = yield* putFile(acme, bytesOf(4))
      yield* setUnavailable(true)
      yield* assertFailsWith("FilesUnavailable", files.put(acme, Stream.make(bytesOf(5)), Effect.succeed))
      yield* assertFailsWith("FilesUnavailable", readFileBytes(acme, id))
      if (name !== "database") yield* assertFailsWith("FilesUnavailable", files.inspect)
      yield* files.remove(acme, id)
      yield* sweepFiles
      yield* setUnavailable(false)
      yield* sweepFiles
      yield* assertEmpty
      assert.lengthOf(yield* readFileBytes(acme, yield* putFile(acme, bytesOf(6))), 6)
    })
  )

  testFile("that is lost or has no row is reported", () =>
    Effect.gen(function* () {
      const { storage } = yield* StorageUnderTest
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const [lostId, truncatedId] = [yield* putFile(acme, bytesOf(4)), yield* putFile(acme, bytesOf(4))]
      yield* storage.remove(lostId)
      yield* assertFailsWith("FileMissing", readFileBytes(acme, lostId))
      yield* sql`UPDATE files SET bytes = 5 WHERE id = ${truncatedId}`
      yield* assertFailsWith("FileMissing", readFileBytes(acme, truncatedId))
      const strayId = "0193a000-0000-7000-8000-000000000000"
      // The foreign key would refuse content without a row.
      yield* sql.onDialectOrElse({
        pg: () => sql`ALTER TABLE file_pieces DROP CONSTRAINT file_pieces_file_id_fkey`,
        orElse: () => sql`PRAGMA foreign_keys = OFF`
      })
      yield* storage.write(strayId, Stream.make(bytesOf(3)))
      const names = yield* files.inspect
      assert.sameMembers([...names.lost], [lostId, truncatedId])
      assert.deepStrictEqual(names.stray, [strayId])
    })
  )
})

describe("the folder of files", () => {
  it.live("is readable only by its owner, and lists no incomplete file", () =>
    Effect.gen(function* () {
      const path = `${yield* temporaryFolder}/files`
      const storage = yield* InDirectory.make(path)
      const id = "0193a000-0000-7000-8000-000000000001"
      const names = yield* Deferred.make<ReadonlyArray<string>>()
      const listFolder = Stream.fromEffectDrain(
        Effect.flatMap(
          Effect.promise(() => readdir(path)),
          (file) => Deferred.succeed(names, file)
        )
      )
      yield* storage.write(id, Stream.concat(Stream.make(bytesOf(5)), listFolder))
      assert.deepStrictEqual(yield* Deferred.await(names), [`${id}.partial`])
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), [id])
      const modes = yield* Effect.promise(async () => [(await stat(path)).mode, (await stat(`${path}/${id}`)).mode])
      assert.deepStrictEqual(
        modes.map((mode) => mode & 0o777),
        [0o700, 0o600]
      )
      // Files of other programs are ignored.
      yield* Effect.promise(() => writeFile(`${path}/README`, "theirs"))
      assert.deepStrictEqual(
        (yield* Stream.runCollect(storage.all)).map((report) => report.id),
        [id]
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

it.live("files in a storage that is no longer configured are reported", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const files = yield* Files
    const id = yield* putFile(acme, bytesOf(3))
    yield* sql`UPDATE files SET place = 's3'`
    assert.match((yield* Effect.flip(readFileBytes(acme, id))).message, /FILES_URL/)
    assert.match((yield* Effect.flip(files.inspect)).message, /FILES_URL/)
  }).pipe(
    Effect.provide(Files.layer.pipe(Layer.provideMerge(Stores.store), Layer.provide(SecureRandom.layerWebCrypto)))
  )
)
