// test/services/idempotency.test.ts: work that is done once, however often and in however many processes it is asked for.
import { assert, describe, it } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import {
  Arbitrary,
  Cause,
  Clock,
  Context,
  Deferred,
  Effect,
  Exit,
  Fiber,
  Layer,
  Option,
  type Redacted,
  Schema
} from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "#layers/Database.ts"
import * as Postgres from "#layers/database/Postgres.ts"
import { Idempotency } from "#layers/Idempotency.ts"
import * as Keys from "#layers/idempotency/KeyRows.ts"
import * as Time from "#layers/idempotency/Time.ts"
import { Queue } from "#layers/Queue.ts"
import { Services } from "#src/services.ts"
import { movableClock } from "#test/support/clock.ts"
import { temporaryFolder } from "#test/support/process.ts"
import * as Stores from "#test/support/store.ts"
import { workspaceOnPlan } from "#test/support/workspace.ts"

const store = Layer.fresh(Services.pipe(Layer.provideMerge(Stores.store)))

/** Lets so many milliseconds pass for the keys: on PostgreSQL they go by the clock of the database, which no test can set. */
const pass = Effect.fnUntraced(function* (millis: number) {
  if (!Stores.onPostgres) return yield* TestClock.adjust(millis)
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(
    sql`UPDATE idempotency_keys SET expires_at = expires_at - ${millis}, owned_until = owned_until - ${millis}`
  )
})

const Attempt = {
  process: Schema.Literals([0, 1]),
  workspace: Schema.Literals([0, 1]),
  operation: Schema.Literals(["POST /a", "POST /b"]),
  key: Schema.Literals(["a", "b"]),
  fingerprint: Schema.Literals(["f", "g"])
}
const minute = 60_000
const hour = 60 * minute

const Step = Schema.Union([
  Schema.Struct({ do: Schema.Literal("once"), ...Attempt, answer: Schema.Json, fails: Schema.Boolean }),
  Schema.Struct({
    do: Schema.Literal("together"),
    ...Attempt,
    others: Schema.Array(Schema.Struct({ process: Attempt.process, fingerprint: Attempt.fingerprint }))
  }),
  Schema.Struct({ do: Schema.Literal("begin"), ...Attempt, fails: Schema.Boolean }),
  Schema.Struct({
    do: Schema.Literal("end"),
    ...Attempt,
    how: Schema.Literals(["answer", "nothing", "failed", "gone"])
  }),
  // A process that has claimed the key dies in the middle of its work.
  Schema.Struct({ do: Schema.Literal("crash"), ...Attempt }),
  Schema.Struct({ do: Schema.Literal("wait"), millis: Schema.Literals([10_000, minute, hour, 23 * hour, 24 * hour]) })
])
type Step = typeof Step.Type
type Under<Do extends Step["do"]> = Extract<Step, { readonly do: Do }>

/** Whose a key is by what has happened: of an answer, of a job, or of a process that has died. */
interface Kept {
  readonly fingerprint: string
  readonly endsAt: number
  readonly answer?: unknown
  readonly job?: string
  readonly deadUntil?: number
}

/** Two processes over one store, and what is promised of the keys that either was sent. */
const walk = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  const other = Context.get(yield* Layer.build(Layer.fresh(Idempotency.layer)), Idempotency)
  const processes = [yield* Idempotency, other] as const
  const workspaces = [yield* workspaceOnPlan("free"), yield* workspaceOnPlan("free")] as const
  const keys = yield* Keys.make((yield* Time.make).now)
  // What the work writes, so that work which was undone is known from work that was done.
  yield* sql`CREATE TABLE works (name TEXT NOT NULL)`
  const kept = new Map<string, Kept>()
  const done = new Map<string, number>()
  let at = 0

  const nameOf = ({ key, operation, workspace }: Under<"crash" | "once" | "begin" | "end" | "together">) =>
    JSON.stringify([workspace, operation, key])
  const attemptOf = ({ fingerprint, key, operation, workspace }: Under<"crash" | "once" | "begin" | "together">) => ({
    workspace: workspaces[workspace],
    operation,
    key,
    fingerprint
  })
  const holder = (name: string) => {
    const entry = kept.get(name)
    const isFree = entry === undefined || entry.endsAt <= at || (entry.deadUntil ?? Infinity) <= at
    return isFree ? undefined : entry
  }
  const works = (name: string) =>
    Effect.map(
      sql<{ readonly count: number }>`SELECT CAST(count(*) AS INTEGER) AS count FROM works WHERE name = ${name}`,
      ([row]) => row?.count
    )
  const writing = (name: string) => sql`INSERT INTO works (name) VALUES (${name})`
  const count = (name: string) => void done.set(name, (done.get(name) ?? 0) + 1)
  const failed = (tag: string, exit: Exit.Exit<unknown, "no" | { readonly _tag: string }>) => {
    const error = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined
    assert.strictEqual(typeof error === "object" ? error._tag : error, tag, String(exit))
  }

  const once = Effect.fnUntraced(function* (step: Under<"once">) {
    const name = nameOf(step)
    const before = holder(name)
    const answer: unknown = JSON.parse(JSON.stringify(step.answer))
    const work = Effect.andThen(writing(name), step.fails ? Effect.fail("no" as const) : Effect.succeed(answer))
    const exit = yield* Effect.exit(processes[step.process].once(attemptOf(step), work))
    if (before === undefined) {
      if (step.fails) return failed("no", exit)
      assert.deepStrictEqual(exit, Exit.succeed({ answer, replayed: false }))
      count(name)
      kept.set(name, { fingerprint: step.fingerprint, answer, endsAt: at + 24 * hour })
    } else if (before.deadUntil !== undefined) assert.deepStrictEqual(exit, Exit.succeed("in flight"))
    else if (before.fingerprint !== step.fingerprint) failed("CONFLICT", exit)
    else if (before.job !== undefined) assert.deepStrictEqual(exit, Exit.succeed("in flight"))
    else assert.deepStrictEqual(exit, Exit.succeed({ answer: before.answer, replayed: true }))
  })

  const together = Effect.fnUntraced(function* (step: Under<"together">) {
    const name = nameOf(step)
    const before = holder(name)
    const asks = [step, ...step.others].map(({ fingerprint, process }, index) =>
      processes[process].once({ ...attemptOf(step), fingerprint }, Effect.as(writing(name), index)).pipe(
        Effect.exit,
        Effect.map((exit) => ({ exit, fingerprint, index }))
      )
    )
    const exits = yield* Effect.all(asks, { concurrency: "unbounded" })
    const fresh = exits.filter(({ exit }) => Exit.isSuccess(exit) && exit.value !== "in flight" && !exit.value.replayed)
    assert.lengthOf(fresh, before === undefined ? 1 : 0)
    const [first] = fresh
    if (first !== undefined) {
      count(name)
      kept.set(name, { fingerprint: first.fingerprint, answer: first.index, endsAt: at + 24 * hour })
    }
    const now = holder(name)
    for (const { exit, fingerprint } of exits.filter((twin) => twin !== first)) {
      if (Exit.isSuccess(exit)) {
        if (exit.value === "in flight") continue
        assert.deepStrictEqual([exit.value.answer, fingerprint], [now?.answer, now?.fingerprint])
      } else {
        failed("CONFLICT", exit)
        assert.notStrictEqual(fingerprint, now?.fingerprint)
      }
    }
  })

  const begin = Effect.fnUntraced(function* (step: Under<"begin">) {
    const name = nameOf(step)
    const before = holder(name)
    const workspace = workspaces[step.workspace]
    const start = queue.enqueue([{ workspace, type: "campaign.preview", subject: workspace }]).pipe(
      Effect.tap(writing(name)),
      Effect.flatMap(([job = ""]) => (step.fails ? Effect.fail("no" as const) : Effect.succeed(job)))
    )
    const exit = yield* Effect.exit(processes[step.process].begin(attemptOf(step), start))
    if (before === undefined) {
      if (step.fails) return failed("no", exit)
      if (Exit.isFailure(exit) || exit.value.replayed) return assert.fail(JSON.stringify(exit))
      count(name)
      kept.set(name, { fingerprint: step.fingerprint, job: exit.value.job, endsAt: at + 24 * hour })
    } else if (before.fingerprint !== step.fingerprint) failed("CONFLICT", exit)
    else if ("answer" in before) {
      assert.deepStrictEqual(exit, Exit.succeed({ replayed: true, answer: JSON.stringify(before.answer) }))
    } else failed("InFlight", exit)
  })

  const end = Effect.fnUntraced(function* (step: Under<"end">) {
    const name = nameOf(step)
    const { job, ...before } = holder(name) ?? { fingerprint: "", endsAt: 0 }
    if (job === undefined) return
    const { end } = processes[step.process]
    const workspace = workspaces[step.workspace]
    // Another workspace's job is none of this one's.
    yield* end(workspaces[step.workspace === 0 ? 1 : 0], job, '"stolen"')
    kept.delete(name)
    if (step.how === "answer") {
      yield* end(workspace, job, JSON.stringify({ job }))
      kept.set(name, { ...before, answer: { job } })
    } else if (step.how === "nothing") yield* end(workspace, job)
    if (step.how === "gone") yield* sql`DELETE FROM jobs WHERE id = ${job}`
    else yield* sql`UPDATE jobs SET status = ${step.how === "failed" ? "failed" : "completed"} WHERE id = ${job}`
  })

  const crash = Effect.fnUntraced(function* (step: Under<"crash">) {
    const name = nameOf(step)
    if (holder(name) !== undefined) return
    yield* sql.withTransaction(keys.claim(attemptOf(step), "a dead process"))
    kept.set(name, { fingerprint: step.fingerprint, endsAt: at + 24 * hour, deadUntil: at + 30_000 })
  })

  return {
    does: (step: Step) => {
      switch (step.do) {
        case "once":
          return once(step)
        case "together":
          return together(step)
        case "begin":
          return begin(step)
        case "end":
          return end(step)
        case "crash":
          return crash(step)
        case "wait":
          at += step.millis
          return pass(step.millis)
      }
    },
    /** Work is done as often as it was answered, and what failed has left nothing. */
    counted: Effect.gen(function* () {
      for (const [name, count] of done) assert.strictEqual(yield* works(name), count, name)
      const names = yield* sql<{ readonly name: string }>`SELECT DISTINCT name FROM works`
      assert.sameMembers(
        names.map(({ name }) => name),
        [...done.keys()]
      )
    })
  }
})

describe("any history of Idempotency-Keys in two processes", () => {
  it.effect.prop(
    "does the work of each once, replays its answer to the letter, and refuses another body",
    { steps: Arbitrary.array(Arbitrary.schema(Step), { minLength: 10, maxLength: 60 }) },
    ({ steps }) =>
      Effect.gen(function* () {
        const { counted, does } = yield* walk
        for (const step of steps) yield* does(step)
        yield* counted
      }).pipe(Effect.provide(store)),
    { arbitrary: { runs: Stores.onPostgres ? 20 : 60 } }
  )
})

describe("an Idempotency-Key", () => {
  it.live("is refused while its request is in hand, and free once that was hung up on", () =>
    Effect.gen(function* () {
      const workspace = yield* workspaceOnPlan("free")
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
      const workspace = yield* workspaceOnPlan("free")
      const { once } = yield* Idempotency
      let done = 0
      const ask = once(
        { workspace, operation: "POST /things", key: "a", fingerprint: "f" },
        Effect.sync(() => ++done)
      )
      assert.deepStrictEqual(yield* ask, { answer: 1, replayed: false })
      yield* pass(23 * hour)
      assert.deepStrictEqual(yield* ask, { answer: 1, replayed: true })
      yield* pass(2 * hour)
      assert.deepStrictEqual(yield* ask, { answer: 2, replayed: false })
    }).pipe(Effect.provide(store))
  )

  it.effect("leaves a key to a job for as long as that is in hand", () =>
    Effect.gen(function* () {
      const workspace = yield* workspaceOnPlan("free")
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
      yield* pass(25 * hour)
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
    const file = `${yield* temporaryFolder}/overture.db`
    const url = yield* Stores.emptyDatabase
    const [one, other] = [yield* process(file, url), yield* process(file, url)]
    const workspace = yield* Effect.provideContext(workspaceOnPlan("free"), one)
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

  it.live("that a dead process had in work is free when its time is up, and a late finisher changes nothing", () =>
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
      const { clock, movable } = yield* movableClock()
      yield* movable.jumpBy(skew)
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
