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
const other = WorkspaceId.make("other")

/** The storage under test, and a switch that makes it unavailable. */
class StorageUnderTest extends Context.Service<
  StorageUnderTest,
  { readonly storage: StorageBackend; readonly setUnavailable: (away: boolean) => Effect.Effect<void> }
>()("overture/test/Ground") {}

const away = new FilesUnavailable({ message: "Away" })

const storageLayer = (name: "directory" | "s3", made: Effect.Effect<StorageBackend>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const realStorage = yield* made
      let isUnavailable = false
      const unlessUnavailable = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.suspend((): Effect.Effect<A, E | FilesUnavailable> => (isUnavailable ? Effect.fail(away) : effect))
      const storage: StorageBackend = {
        write: (id, content) => unlessUnavailable(realStorage.write(id, content)),
        read: (id, passing) => Stream.unwrap(unlessUnavailable(Effect.succeed(realStorage.read(id, passing)))),
        remove: (id) => unlessUnavailable(realStorage.remove(id)),
        all: Stream.unwrap(unlessUnavailable(Effect.succeed(realStorage.all)))
      }
      return Layer.merge(
        Layer.succeed(StorageBackends, { chosen: name, [name]: storage }),
        Layer.succeed(StorageUnderTest, {
          storage: realStorage,
          setUnavailable: (to) => Effect.sync(() => void (isUnavailable = to))
        })
      )
    })
  )

const inDatabase = Layer.merge(
  Layer.succeed(StorageBackends, { chosen: "database" }),
  Layer.effect(
    StorageUnderTest,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const storage = yield* InDatabase.make
      const rename = (from: string, to: string) =>
        Effect.orDie(Effect.asVoid(sql`ALTER TABLE ${sql(from)} RENAME TO ${sql(to)}`))
      return {
        storage,
        setUnavailable: (to) => (to ? rename("file_pieces", "elsewhere") : rename("elsewhere", "file_pieces"))
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

const put = Effect.fnUntraced(function* (workspace: WorkspaceId, content: Uint8Array) {
  return yield* (yield* Files).put(workspace, inChunks(content, 70_001), Effect.succeed)
})
const readBack = Effect.fnUntraced(function* (workspace: WorkspaceId, id: string) {
  return Buffer.concat(yield* Stream.runCollect((yield* Files).read(workspace, id)))
})
const storedIds = Effect.gen(function* () {
  const found = yield* Stream.runCollect((yield* StorageUnderTest).storage.all)
  return found.map(({ id }) => id)
})
const rows = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ readonly id: string }>`SELECT id FROM files`)
const assertEmpty = Effect.gen(function* () {
  assert.deepStrictEqual(yield* rows, [])
  assert.deepStrictEqual(yield* storedIds, [])
})
/** The bytes of removed files are deleted by a later sweep. */
const settled = Effect.flatMap(Files, (files) => files.sweep)
const failsWith = Effect.fnUntraced(function* <R>(
  tag: string,
  effect: Effect.Effect<unknown, { readonly _tag: string }, R>
) {
  assert.strictEqual((yield* Effect.flip(effect))._tag, tag)
})

describe.each(Object.entries(storageLayers))("in the %s, a file", (name, layer) => {
  const whole = Files.layer.pipe(
    Layer.provideMerge(layer),
    Layer.provideMerge(Stores.store),
    Layer.provide(SecureRandom.layerWebCrypto)
  )
  const test = <E>(
    what: string,
    run: () => Effect.Effect<unknown, E, Files | StorageUnderTest | SqlClient.SqlClient>
  ) => it.live(what, () => Effect.provide(Effect.suspend(run), whole))

  test("is read as it was written, whatever its length", () =>
    Effect.forEach([0, 1, 262_143, 262_144, 262_145, 9 * 1024 * 1024 + 7], (length) =>
      Effect.gen(function* () {
        const content = bytesOf(length)
        const id = yield* put(acme, content)
        assert.isTrue(Buffer.from(content).equals(yield* readBack(acme, id)), String(length))
        assert.deepStrictEqual(yield* (yield* Files).inspect, { lost: [], stray: [] })
      })
    ))

  test("is passed on by two at once, each at its own pace and some of the way, as it was written", () =>
    Effect.gen(function* () {
      const files = yield* Files
      const content = bytesOf(9 * 1024 * 1024 + 7)
      const id = yield* put(acme, content)
      const passedOn = Effect.fnUntraced(function* (pause: Effect.Effect<void>) {
        let sent = 0
        yield* Stream.runForEach(files.readReusing(acme, id), (chunk) =>
          Effect.andThen(
            pause,
            Effect.sync(() => {
              assert.isTrue(Buffer.from(content.subarray(sent, sent + chunk.length)).equals(chunk), String(sent))
              sent += chunk.length
            })
          )
        )
        assert.strictEqual(sent, content.length)
      })
      const given = Stream.runCollect(Stream.take(files.readReusing(acme, id), 1))
      yield* Effect.all([passedOn(Effect.void), passedOn(Effect.sleep("2 millis")), given], { concurrency: 3 })
      yield* failsWith("FileMissing", Stream.runDrain(files.readReusing(other, id)))
    }))

  test("belongs to its workspace only", () =>
    Effect.gen(function* () {
      const files = yield* Files
      const id = yield* put(acme, bytesOf(10))
      yield* failsWith("FileMissing", readBack(other, id))
      yield* files.remove(other, id)
      yield* files.removeAll(other)
      yield* settled
      assert.lengthOf(yield* readBack(acme, id), 10)
    }))

  test("does not exist before the row that links it is committed, nor if it is not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const meanwhile: Array<string> = []
      const speak = (id: string) =>
        Effect.gen(function* () {
          meanwhile.push(...(yield* storedIds))
          yield* sql`INSERT INTO migrations (migration_id, name) VALUES (99, ${id})`
          return yield* Effect.fail("no" as const)
        })
      assert.strictEqual(yield* Effect.flip(files.put(acme, Stream.make(bytesOf(5)), speak)), "no")
      assert.lengthOf(meanwhile, 1)
      assert.deepStrictEqual(yield* sql`SELECT name FROM migrations WHERE migration_id = 99`, [])
      yield* assertEmpty
    }))

  test("that a process left behind half done goes, once it is old", () =>
    Effect.gen(function* () {
      const { storage } = yield* StorageUnderTest
      const sql = yield* SqlClient.SqlClient
      const id = "0193a000-0000-7000-8000-000000000002"
      yield* sql`
        INSERT INTO files (id, workspace_id, place, state, bytes, changed_at)
        VALUES (${id}, ${acme}, ${name === "bucket" ? "s3" : name}, 'writing', 0, ${yield* Clock.currentTimeMillis})`
      yield* storage.write(id, Stream.make(bytesOf(5)))
      yield* settled
      yield* failsWith("FileMissing", readBack(acme, id))
      assert.deepStrictEqual(yield* storedIds, [id], "its process may be at it")
      yield* sql`UPDATE files SET changed_at = 0`
      yield* settled
      yield* assertEmpty
    }))

  test("that breaks off, is cut short or takes too long leaves nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const begun = Stream.make(bytesOf(300_000))
      const broken = files.put(acme, Stream.concat(begun, Stream.fail("broken" as const)), Effect.succeed)
      assert.strictEqual(yield* Effect.flip(broken), "broken")
      yield* assertEmpty
      const waits = yield* Deferred.make<void>()
      const last = Stream.fromEffectDrain(Effect.andThen(Deferred.succeed(waits, undefined), Effect.never))
      const fiber = yield* Effect.forkChild(files.put(acme, Stream.concat(begun, last), Effect.succeed))
      yield* Deferred.await(waits)
      yield* Fiber.interrupt(fiber)
      yield* assertEmpty
      // Another process took it for dead meanwhile.
      const swept = Stream.fromEffectDrain(
        Effect.andThen(Effect.orDie(sql`UPDATE files SET changed_at = 0`), files.sweep)
      )
      yield* failsWith("FilesUnavailable", files.put(acme, Stream.concat(begun, swept), Effect.succeed))
      yield* assertEmpty
    }))

  test("goes when what let go of it is committed, and only then", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const id = yield* put(acme, bytesOf(300_000))
      yield* Effect.flip(sql.withTransaction(Effect.andThen(files.remove(acme, id), Effect.fail("no"))))
      yield* settled
      assert.lengthOf(yield* readBack(acme, id), 300_000)
      yield* sql.withTransaction(files.remove(acme, id))
      yield* failsWith("FileMissing", readBack(acme, id))
      yield* settled
      yield* assertEmpty
      yield* files.remove(acme, id)
    }))

  test("goes with all that its workspace has", () =>
    Effect.gen(function* () {
      yield* put(acme, bytesOf(1))
      yield* put(acme, bytesOf(2))
      const theirs = yield* put(other, bytesOf(3))
      yield* (yield* Files).removeAll(acme)
      yield* settled
      assert.deepStrictEqual(yield* storedIds, [theirs])
    }))

  test("is refused while its place is away, and nothing is half done when it is back", () =>
    Effect.gen(function* () {
      const { setUnavailable } = yield* StorageUnderTest
      const files = yield* Files
      const id = yield* put(acme, bytesOf(4))
      yield* setUnavailable(true)
      yield* failsWith("FilesUnavailable", files.put(acme, Stream.make(bytesOf(5)), Effect.succeed))
      yield* failsWith("FilesUnavailable", readBack(acme, id))
      if (name !== "database") yield* failsWith("FilesUnavailable", files.inspect)
      yield* files.remove(acme, id)
      yield* settled
      yield* setUnavailable(false)
      yield* settled
      yield* assertEmpty
      assert.lengthOf(yield* readBack(acme, yield* put(acme, bytesOf(6))), 6)
    }))

  test("that is lost or has no row is named", () =>
    Effect.gen(function* () {
      const { storage } = yield* StorageUnderTest
      const sql = yield* SqlClient.SqlClient
      const files = yield* Files
      const [lost, longer] = [yield* put(acme, bytesOf(4)), yield* put(acme, bytesOf(4))]
      yield* storage.remove(lost)
      yield* failsWith("FileMissing", readBack(acme, lost))
      yield* sql`UPDATE files SET bytes = 5 WHERE id = ${longer}`
      yield* failsWith("FileMissing", readBack(acme, longer))
      const stray = "0193a000-0000-7000-8000-000000000000"
      // What keeps such bytes out of the database.
      yield* sql.onDialectOrElse({
        pg: () => sql`ALTER TABLE file_pieces DROP CONSTRAINT file_pieces_file_id_fkey`,
        orElse: () => sql`PRAGMA foreign_keys = OFF`
      })
      yield* storage.write(stray, Stream.make(bytesOf(3)))
      const found = yield* files.inspect
      assert.sameMembers([...found.lost], [lost, longer])
      assert.deepStrictEqual(found.stray, [stray])
    }))
})

describe("the folder of files", () => {
  it.live("is its owner's alone, and shows no half of a file", () =>
    Effect.gen(function* () {
      const path = `${yield* temporaryFolder}/files`
      const storage = yield* InDirectory.make(path)
      const id = "0193a000-0000-7000-8000-000000000001"
      const names = yield* Deferred.make<ReadonlyArray<string>>()
      const look = Stream.fromEffectDrain(
        Effect.flatMap(
          Effect.promise(() => readdir(path)),
          (found) => Deferred.succeed(names, found)
        )
      )
      yield* storage.write(id, Stream.concat(Stream.make(bytesOf(5)), look))
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
        (yield* Stream.runCollect(storage.all)).map((found) => found.id),
        [id]
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

it.live("files of a place that is no longer set up are said to be there", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const files = yield* Files
    const id = yield* put(acme, bytesOf(3))
    yield* sql`UPDATE files SET place = 's3'`
    assert.match((yield* Effect.flip(readBack(acme, id))).message, /FILES_URL/)
    assert.match((yield* Effect.flip(files.inspect)).message, /FILES_URL/)
  }).pipe(
    Effect.provide(Files.layer.pipe(Layer.provideMerge(Stores.store), Layer.provide(SecureRandom.layerWebCrypto)))
  )
)
