// test/services/idempotency.test.ts: work that is done once, however often and in however many processes it is asked for.
import { assert, describe, it } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Clock, Context, Deferred, Effect, Exit, Fiber, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "#layers/Database.ts"
import * as Postgres from "#layers/database/Postgres.ts"
import { Idempotency } from "#layers/Idempotency.ts"
import { Queue } from "#layers/Queue.ts"
import { Services } from "#src/services.ts"
import { movable } from "#test/support/clock.ts"
import { folder } from "#test/support/process.ts"
import * as Stores from "#test/support/store.ts"
import { workspaceOn } from "#test/support/workspace.ts"

const store = Layer.fresh(Services.pipe(Layer.provideMerge(Stores.store)))

/** Lets so many hours pass for the keys: on PostgreSQL they go by the clock of the database, which no test can set. */
const pass = Effect.fnUntraced(function* (hours: number) {
  if (!Stores.onPostgres) return yield* TestClock.adjust(`${hours} hours`)
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`UPDATE idempotency_keys SET expires_at = expires_at - ${hours * 3_600_000}`)
})

describe("an Idempotency-Key", () => {
  it.live("is refused while its request is in hand, and free once that was hung up on", () =>
    Effect.gen(function* () {
      const workspace = yield* workspaceOn("free")
      const { once } = yield* Idempotency
      const gate = yield* Deferred.make<number>()
      const began = yield* Deferred.make<void>()
      const work = Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(gate))
      const ask = (fingerprint = "f", key = "a") =>
        once({ workspace, operation: "POST /things", key, fingerprint }, work)
      const first = yield* Effect.forkChild(ask())
      yield* Deferred.await(began)
      for (const twin of [ask(), ask("another body")]) assert.strictEqual(yield* twin, "in flight")
      yield* Fiber.interrupt(first)
      const second = yield* Effect.forkChild(ask("another body"))
      yield* Deferred.succeed(gate, 1)
      assert.deepStrictEqual(yield* Fiber.join(second), { answer: 1, replayed: false })
      assert.deepStrictEqual(yield* ask("another body"), { answer: 1, replayed: true })
    }).pipe(Effect.provide(store))
  )

  it.effect("forgets after a day", () =>
    Effect.gen(function* () {
      const workspace = yield* workspaceOn("free")
      const { once } = yield* Idempotency
      let done = 0
      const ask = once(
        { workspace, operation: "POST /things", key: "a", fingerprint: "f" },
        Effect.sync(() => ++done)
      )
      assert.deepStrictEqual(yield* ask, { answer: 1, replayed: false })
      yield* pass(23)
      assert.deepStrictEqual(yield* ask, { answer: 1, replayed: true })
      yield* pass(2)
      assert.deepStrictEqual(yield* ask, { answer: 2, replayed: false })
    }).pipe(Effect.provide(store))
  )

  it.effect("leaves a key to a job for as long as that is in hand", () =>
    Effect.gen(function* () {
      const workspace = yield* workspaceOn("free")
      const { begin, end } = yield* Idempotency
      const queue = yield* Queue
      const sql = yield* SqlClient.SqlClient
      const start = Effect.map(
        queue.enqueue([{ workspace, type: "campaign.preview", subject: workspace }]),
        ([job = ""]) => job
      )
      const ask = (fingerprint = "f") => begin({ workspace, operation: "POST /things", key: "a", fingerprint }, start)
      const tag = (asked: ReturnType<typeof ask>) => Effect.map(Effect.flip(asked), ({ _tag }) => _tag)
      const fresh = Effect.fnUntraced(function* (asked: ReturnType<typeof ask>) {
        const begun = yield* asked
        return begun.replayed ? assert.fail("replayed") : begun.job
      })

      yield* fresh(ask())
      assert.strictEqual(yield* tag(ask()), "InFlight")
      assert.strictEqual(yield* tag(ask("g")), "CONFLICT")
      // A job that ended without an answer, or that is gone, holds nothing.
      yield* sql`UPDATE jobs SET status = 'failed' WHERE subject = ${workspace}`
      yield* fresh(ask("g"))
      assert.strictEqual(yield* tag(ask()), "CONFLICT")
      yield* sql`DELETE FROM jobs WHERE subject = ${workspace}`
      const freed = yield* fresh(ask())
      yield* end(workspace, freed)
      const job = yield* fresh(ask())
      yield* end(workspace, job, '{"answer":1}')
      yield* sql`DELETE FROM jobs WHERE subject = ${workspace}`
      assert.deepStrictEqual(yield* ask(), { replayed: true, answer: '{"answer":1}' })
      assert.strictEqual(yield* tag(ask("g")), "CONFLICT")
      yield* pass(25)
      yield* fresh(ask("g"))
    }).pipe(Effect.provide(store))
  )
})

/** Services as another process has them, over the same store. */
const process = Effect.fnUntraced(function* (file: string, url: Redacted.Redacted | undefined) {
  const database = url === undefined ? Database.layer(file) : Layer.orDie(Postgres.layer({ url }))
  const services = Services.pipe(Layer.provideMerge(database), Layer.provide(NodeServices.layer))
  return yield* Layer.build(Layer.fresh(services))
})

describe("an Idempotency-Key among processes that share a store", () => {
  const two = Effect.gen(function* () {
    const file = `${yield* folder}/overture.db`
    const url = yield* Stores.scratch
    const [one, other] = [yield* process(file, url), yield* process(file, url)]
    const workspace = yield* Effect.provideContext(workspaceOn("free"), one)
    let done = 0
    const ask = <E>(services: typeof one, key: string, work: Effect.Effect<number, E>, fingerprint = "f") =>
      Context.get(services, Idempotency).once(
        { workspace, operation: "POST /x", key, fingerprint },
        Effect.tap(work, () => Effect.sync(() => void done++))
      )
    return { one, other, ask, sql: Context.get(one, SqlClient.SqlClient), done: () => done }
  })

  it.live("is refused while one has it in hand, answered when that is done, and free when that failed", () =>
    Effect.gen(function* () {
      const { ask, done, one, other } = yield* two
      for (const fails of [false, true]) {
        const key = String(fails)
        const gate = yield* Deferred.make<number, string>()
        const began = yield* Deferred.make<void>()
        const work = Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(gate))
        const first = yield* Effect.forkChild(Effect.exit(ask(one, key, work)))
        yield* Deferred.await(began)
        assert.strictEqual(yield* ask(other, key, Effect.succeed(0)), "in flight")
        assert.strictEqual(yield* ask(other, key, Effect.succeed(0), "another body"), "in flight")
        yield* fails ? Deferred.fail(gate, "no") : Deferred.succeed(gate, 7)
        assert.strictEqual(Exit.isFailure(yield* Fiber.join(first)), fails)
        const second = yield* ask(other, key, Effect.succeed(8))
        assert.deepStrictEqual(second, fails ? { answer: 8, replayed: false } : { answer: 7, replayed: true })
      }
      assert.strictEqual(done(), 2)
      const { _tag } = yield* Effect.flip(ask(other, "false", Effect.succeed(0), "another body"))
      assert.strictEqual(_tag, "CONFLICT")
    })
  )

  it.live("is done once however many ask at once", () =>
    Effect.gen(function* () {
      const { ask, done, one, other } = yield* two
      const outcomes = yield* Effect.all(
        Array.from({ length: 20 }, (_, i) => ask(i % 2 === 0 ? one : other, "a", Effect.succeed(i))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(done(), 1)
      const answers = outcomes.flatMap((outcome) => (outcome === "in flight" ? [] : [outcome.answer]))
      assert.strictEqual(new Set(answers).size, 1)
    })
  )

  it.live("that a dead process had in hand is free when its time is up, and whoever comes late has done nothing", () =>
    Effect.gen(function* () {
      const { ask, done, one, other, sql } = yield* two
      const late = yield* Effect.exit(
        ask(
          one,
          "a",
          Effect.gen(function* () {
            // As if it had slept for half a minute, and another process had done it meanwhile.
            yield* sql`UPDATE idempotency_keys SET owner = 'another'`
            yield* sql`INSERT INTO migrations (migration_id, name) VALUES (99, 'late')`
            return 1
          })
        )
      )
      assert.isTrue(Exit.isFailure(late))
      assert.deepStrictEqual(yield* sql`SELECT name FROM migrations WHERE migration_id = 99`, [])
      yield* ask(one, "b", Effect.succeed(2))
      const at = yield* Clock.currentTimeMillis
      const hold = (until: number) =>
        sql`UPDATE idempotency_keys SET answer = NULL, owner = 'dead', owned_until = ${until} WHERE key = 'b'`
      yield* hold(at + 20_000)
      assert.strictEqual(yield* ask(other, "b", Effect.succeed(3)), "in flight")
      // A clock that was put back since says nothing either.
      for (const until of [at - 1, at + 3_600_000]) {
        yield* hold(until)
        assert.deepStrictEqual(yield* ask(other, "b", Effect.succeed(until)), { answer: until, replayed: false })
      }
      assert.strictEqual(done(), 4)
    })
  )

  // On SQLite processes share a machine, and so its clock.
  const skews = Stores.onPostgres ? [50, -50, 1000, -1000, 300_000, -300_000] : []
  it.live.each(skews)("whose clocks differ by %i ms is held by the first, which is not cut off", (skew) =>
    Effect.gen(function* () {
      const { clock, hands } = yield* movable()
      yield* hands.jump(skew)
      const { ask, done, one, other } = yield* two
      const skewed = Effect.provideService(Clock.Clock, clock)
      for (const [index, key] of ["a", "b", "c"].entries()) {
        const gate = yield* Deferred.make<number>()
        const began = yield* Deferred.make<void>()
        const work = Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(gate))
        const first = yield* Effect.forkChild(skewed(ask(one, key, work)))
        yield* Deferred.await(began)
        assert.strictEqual(yield* ask(other, key, Effect.succeed(0)), "in flight")
        yield* Deferred.succeed(gate, index)
        assert.deepStrictEqual(yield* Fiber.join(first), { answer: index, replayed: false })
        assert.deepStrictEqual(yield* ask(other, key, Effect.succeed(9)), { answer: index, replayed: true })
      }
      assert.strictEqual(done(), 3)
    })
  )

  it.live("is taken from a live holder neither by a look nor by a claim a moment out of order", () =>
    Effect.gen(function* () {
      const { ask, one, other, sql } = yield* two
      yield* ask(one, "a", Effect.succeed(1))
      // As if the holder had read the clock a moment after the claimer did.
      const until = (yield* Clock.currentTimeMillis) + 31_000
      yield* sql`UPDATE idempotency_keys SET answer = NULL, owner = 'live', owned_until = ${until} WHERE key = 'a'`
      assert.strictEqual(yield* ask(other, "a", Effect.succeed(2)), "in flight")
    })
  )
})
