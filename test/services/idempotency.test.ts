// test/services/idempotency.test.ts: requests with the same key are executed once, also in several processes.
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

/** Lets keys age. On PostgreSQL they use the clock of the database, so their dates are changed instead. */
const advanceTime = Effect.fnUntraced(function* (millis: number) {
  if (!Stores.onPostgres) return yield* TestClock.adjust(millis)
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(
    sql`UPDATE idempotency_keys SET expires_at = expires_at - ${millis}, owned_until = owned_until - ${millis}`
  )
})

const attemptFields = {
  process: Schema.Literals([0, 1]),
  workspace: Schema.Literals([0, 1]),
  operation: Schema.Literals(["POST /a", "POST /b"]),
  key: Schema.Literals(["a", "b"]),
  fingerprint: Schema.Literals(["f", "g"])
}
const minute = 60_000
const hour = 60 * minute

const Step = Schema.Union([
  Schema.Struct({ do: Schema.Literal("once"), ...attemptFields, answer: Schema.Json, fails: Schema.Boolean }),
  Schema.Struct({
    do: Schema.Literal("together"),
    ...attemptFields,
    others: Schema.Array(Schema.Struct({ process: attemptFields.process, fingerprint: attemptFields.fingerprint }))
  }),
  Schema.Struct({ do: Schema.Literal("begin"), ...attemptFields, fails: Schema.Boolean }),
  Schema.Struct({
    do: Schema.Literal("end"),
    ...attemptFields,
    how: Schema.Literals(["answer", "nothing", "failed", "gone"])
  }),
  // A process dies after it has claimed the key.
  Schema.Struct({ do: Schema.Literal("crash"), ...attemptFields }),
  Schema.Struct({ do: Schema.Literal("wait"), millis: Schema.Literals([10_000, minute, hour, 23 * hour, 24 * hour]) })
])
type Step = typeof Step.Type
type StepOf<Do extends Step["do"]> = Extract<Step, { readonly do: Do }>

/** The expected state of a key: it has an answer, belongs to a job, or was claimed by a dead process. */
interface ExpectedKey {
  readonly fingerprint: string
  readonly endsAt: number
  readonly answer?: unknown
  readonly job?: string
  readonly deadUntil?: number
}

/** Runs steps in two processes on one store and compares the keys with their expected state. */
const keyHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  const other = Context.get(yield* Layer.build(Layer.fresh(Idempotency.layer)), Idempotency)
  const processes = [yield* Idempotency, other] as const
  const workspaces = [yield* workspaceOnPlan("free"), yield* workspaceOnPlan("free")] as const
  const keys = yield* Keys.make((yield* Time.make).now)
  // The work writes here, so that rolled-back work is distinguishable.
  yield* sql`CREATE TABLE works (name TEXT NOT NULL)`
  const expectedKeys = new Map<string, ExpectedKey>()
  const timesDone = new Map<string, number>()
  let elapsed = 0

  const nameOf = ({ key, operation, workspace }: StepOf<"crash" | "once" | "begin" | "end" | "together">) =>
    JSON.stringify([workspace, operation, key])
  const attemptOf = ({ fingerprint, key, operation, workspace }: StepOf<"crash" | "once" | "begin" | "together">) => ({
    workspace: workspaces[workspace],
    operation,
    key,
    fingerprint
  })
  const holder = (name: string) => {
    const entry = expectedKeys.get(name)
    const isFree = entry === undefined || entry.endsAt <= elapsed || (entry.deadUntil ?? Infinity) <= elapsed
    return isFree ? undefined : entry
  }
  const workCount = (name: string) =>
    Effect.map(
      sql<{ readonly count: number }>`SELECT CAST(count(*) AS INTEGER) AS count FROM works WHERE name = ${name}`,
      ([row]) => row?.count
    )
  const writeWork = (name: string) => sql`INSERT INTO works (name) VALUES (${name})`
  const countWork = (name: string) => void timesDone.set(name, (timesDone.get(name) ?? 0) + 1)
  const assertFailed = (tag: string, exit: Exit.Exit<unknown, "no" | { readonly _tag: string }>) => {
    const error = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined
    assert.strictEqual(typeof error === "object" ? error._tag : error, tag, String(exit))
  }

  const once = Effect.fnUntraced(function* (step: StepOf<"once">) {
    const name = nameOf(step)
    const before = holder(name)
    const answer: unknown = JSON.parse(JSON.stringify(step.answer))
    const work = Effect.andThen(writeWork(name), step.fails ? Effect.fail("no" as const) : Effect.succeed(answer))
    const exit = yield* Effect.exit(processes[step.process].once(attemptOf(step), work))
    if (before === undefined) {
      if (step.fails) return assertFailed("no", exit)
      assert.deepStrictEqual(exit, Exit.succeed({ answer, replayed: false }))
      countWork(name)
      expectedKeys.set(name, { fingerprint: step.fingerprint, answer, endsAt: elapsed + 24 * hour })
    } else if (before.deadUntil !== undefined) assert.deepStrictEqual(exit, Exit.succeed("in flight"))
    else if (before.fingerprint !== step.fingerprint) assertFailed("CONFLICT", exit)
    else if (before.job !== undefined) assert.deepStrictEqual(exit, Exit.succeed("in flight"))
    else assert.deepStrictEqual(exit, Exit.succeed({ answer: before.answer, replayed: true }))
  })

  const together = Effect.fnUntraced(function* (step: StepOf<"together">) {
    const name = nameOf(step)
    const before = holder(name)
    const requests = [step, ...step.others].map(({ fingerprint, process }, index) =>
      processes[process].once({ ...attemptOf(step), fingerprint }, Effect.as(writeWork(name), index)).pipe(
        Effect.exit,
        Effect.map((exit) => ({ exit, fingerprint, index }))
      )
    )
    const exits = yield* Effect.all(requests, { concurrency: "unbounded" })
    const executed = exits.filter(
      ({ exit }) => Exit.isSuccess(exit) && exit.value !== "in flight" && !exit.value.replayed
    )
    assert.lengthOf(executed, before === undefined ? 1 : 0)
    const [first] = executed
    if (first !== undefined) {
      countWork(name)
      expectedKeys.set(name, { fingerprint: first.fingerprint, answer: first.index, endsAt: elapsed + 24 * hour })
    }
    const afterwards = holder(name)
    for (const { exit, fingerprint } of exits.filter((duplicate) => duplicate !== first)) {
      if (Exit.isSuccess(exit)) {
        if (exit.value === "in flight") continue
        assert.deepStrictEqual([exit.value.answer, fingerprint], [afterwards?.answer, afterwards?.fingerprint])
      } else {
        assertFailed("CONFLICT", exit)
        assert.notStrictEqual(fingerprint, afterwards?.fingerprint)
      }
    }
  })

  const begin = Effect.fnUntraced(function* (step: StepOf<"begin">) {
    const name = nameOf(step)
    const before = holder(name)
    const workspace = workspaces[step.workspace]
    const start = queue.enqueue([{ workspace, type: "campaign.preview", subject: workspace }]).pipe(
      Effect.tap(writeWork(name)),
      Effect.flatMap(([job = ""]) => (step.fails ? Effect.fail("no" as const) : Effect.succeed(job)))
    )
    const exit = yield* Effect.exit(processes[step.process].begin(attemptOf(step), start))
    if (before === undefined) {
      if (step.fails) return assertFailed("no", exit)
      if (Exit.isFailure(exit) || exit.value.replayed) return assert.fail(JSON.stringify(exit))
      countWork(name)
      expectedKeys.set(name, { fingerprint: step.fingerprint, job: exit.value.job, endsAt: elapsed + 24 * hour })
    } else if (before.fingerprint !== step.fingerprint) assertFailed("CONFLICT", exit)
    else if ("answer" in before) {
      assert.deepStrictEqual(exit, Exit.succeed({ replayed: true, answer: JSON.stringify(before.answer) }))
    } else assertFailed("InFlight", exit)
  })

  const end = Effect.fnUntraced(function* (step: StepOf<"end">) {
    const name = nameOf(step)
    const { job, ...before } = holder(name) ?? { fingerprint: "", endsAt: 0 }
    if (job === undefined) return
    const { end } = processes[step.process]
    const workspace = workspaces[step.workspace]
    // Ending the job for another workspace changes nothing.
    yield* end(workspaces[step.workspace === 0 ? 1 : 0], job, '"stolen"')
    expectedKeys.delete(name)
    if (step.how === "answer") {
      yield* end(workspace, job, JSON.stringify({ job }))
      expectedKeys.set(name, { ...before, answer: { job } })
    } else if (step.how === "nothing") yield* end(workspace, job)
    if (step.how === "gone") yield* sql`DELETE FROM jobs WHERE id = ${job}`
    else yield* sql`UPDATE jobs SET status = ${step.how === "failed" ? "failed" : "completed"} WHERE id = ${job}`
  })

  const crash = Effect.fnUntraced(function* (step: StepOf<"crash">) {
    const name = nameOf(step)
    if (holder(name) !== undefined) return
    yield* sql.withTransaction(keys.claim(attemptOf(step), "a dead process"))
    expectedKeys.set(name, { fingerprint: step.fingerprint, endsAt: elapsed + 24 * hour, deadUntil: elapsed + 30_000 })
  })

  return {
    runStep: (step: Step) => {
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
          elapsed += step.millis
          return advanceTime(step.millis)
      }
    },
    /** Asserts that work was stored once for each answer, and not for failures. */
    assertWorkCounts: Effect.gen(function* () {
      for (const [name, count] of timesDone) assert.strictEqual(yield* workCount(name), count, name)
      const names = yield* sql<{ readonly name: string }>`SELECT DISTINCT name FROM works`
      assert.sameMembers(
        names.map(({ name }) => name),
        [...timesDone.keys()]
      )
    })
  }
})

describe("a random history of Idempotency-Keys in two processes", () => {
  it.effect.prop(
    "executes each key once, replays its answer exactly, and refuses another body",
    { steps: Arbitrary.array(Arbitrary.schema(Step), { minLength: 10, maxLength: 60 }) },
    ({ steps }) =>
      Effect.gen(function* () {
        const { assertWorkCounts, runStep } = yield* keyHistory
        for (const step of steps) yield* runStep(step)
        yield* assertWorkCounts
      }).pipe(Effect.provide(store)),
    { arbitrary: { runs: Stores.onPostgres ? 20 : 60 } }
  )
})

describe("an Idempotency-Key", () => {
  it.live("is refused while its request runs, and free after that is aborted", () =>
    Effect.gen(function* () {
      const workspace = yield* workspaceOnPlan("free")
      const { once } = yield* Idempotency
      const gate = yield* Deferred.make<number>()
      const started = yield* Deferred.make<void>()
      const work = Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(gate))
      const request = (fingerprint = "f", key = "a") =>
        once({ workspace, operation: "POST /things", key, fingerprint }, work)
      const first = yield* Effect.forkChild(request())
      yield* Deferred.await(started)
      for (const duplicate of [request(), request("another body")]) assert.strictEqual(yield* duplicate, "in flight")
      yield* Fiber.interrupt(first)
      const second = yield* Effect.forkChild(request("another body"))
      yield* Deferred.succeed(gate, 1)
      assert.deepStrictEqual(yield* Fiber.join(second), { answer: 1, replayed: false })
      assert.deepStrictEqual(yield* request("another body"), { answer: 1, replayed: true })
    }).pipe(Effect.provide(store))
  )

  it.effect("expires after a day", () =>
    Effect.gen(function* () {
      const workspace = yield* workspaceOnPlan("free")
      const { once } = yield* Idempotency
      let executions = 0
      const request = once(
        { workspace, operation: "POST /things", key: "a", fingerprint: "f" },
        Effect.sync(() => ++executions)
      )
      assert.deepStrictEqual(yield* request, { answer: 1, replayed: false })
      yield* advanceTime(23 * hour)
      assert.deepStrictEqual(yield* request, { answer: 1, replayed: true })
      yield* advanceTime(2 * hour)
      assert.deepStrictEqual(yield* request, { answer: 2, replayed: false })
    }).pipe(Effect.provide(store))
  )

  it.effect("belongs to a job while the job runs", () =>
    Effect.gen(function* () {
      const workspace = yield* workspaceOnPlan("free")
      const { begin, end } = yield* Idempotency
      const queue = yield* Queue
      const sql = yield* SqlClient.SqlClient
      const start = Effect.map(
        queue.enqueue([{ workspace, type: "campaign.preview", subject: workspace }]),
        ([job = ""]) => job
      )
      const request = (fingerprint = "f") =>
        begin({ workspace, operation: "POST /things", key: "a", fingerprint }, start)
      const errorTag = (beginning: ReturnType<typeof request>) => Effect.map(Effect.flip(beginning), ({ _tag }) => _tag)
      const startJob = Effect.fnUntraced(function* (beginning: ReturnType<typeof request>) {
        const result = yield* beginning
        return result.replayed ? assert.fail("replayed") : result.job
      })

      yield* startJob(request())
      assert.strictEqual(yield* errorTag(request()), "InFlight")
      assert.strictEqual(yield* errorTag(request("g")), "CONFLICT")
      // A job that ended without an answer, or was deleted, releases its key.
      yield* sql`UPDATE jobs SET status = 'failed' WHERE subject = ${workspace}`
      yield* startJob(request("g"))
      assert.strictEqual(yield* errorTag(request()), "CONFLICT")
      yield* sql`DELETE FROM jobs WHERE subject = ${workspace}`
      const freedJob = yield* startJob(request())
      yield* end(workspace, freedJob)
      const job = yield* startJob(request())
      yield* end(workspace, job, '{"answer":1}')
      yield* sql`DELETE FROM jobs WHERE subject = ${workspace}`
      assert.deepStrictEqual(yield* request(), { replayed: true, answer: '{"answer":1}' })
      assert.strictEqual(yield* errorTag(request("g")), "CONFLICT")
      yield* advanceTime(25 * hour)
      yield* startJob(request("g"))
    }).pipe(Effect.provide(store))
  )
})

/** The services of another process on the same store. */
const processServices = Effect.fnUntraced(function* (file: string, url: Redacted.Redacted | undefined) {
  const database = url === undefined ? Database.layer(file) : Layer.orDie(Postgres.layer({ url }))
  const services = Services.pipe(Layer.provideMerge(database), Layer.provide(NodeServices.layer))
  return yield* Layer.build(Layer.fresh(services))
})

describe("an Idempotency-Key among processes that share a store", () => {
  const twoProcesses = Effect.gen(function* () {
    const file = `${yield* temporaryFolder}/overture.db`
    const url = yield* Stores.emptyDatabase
    const [one, other] = [yield* processServices(file, url), yield* processServices(file, url)]
    const workspace = yield* Effect.provideContext(workspaceOnPlan("free"), one)
    let executions = 0
    const ask = <E>(services: typeof one, key: string, work: Effect.Effect<number, E>, fingerprint = "f") =>
      Context.get(services, Idempotency).once(
        { workspace, operation: "POST /x", key, fingerprint },
        Effect.tap(work, () => Effect.sync(() => void executions++))
      )
    return { one, other, ask, sql: Context.get(one, SqlClient.SqlClient), done: () => executions }
  })

  it.live("is refused while one runs it, replayed when that is done, and free when that failed", () =>
    Effect.gen(function* () {
      const { ask, done, one, other } = yield* twoProcesses
      for (const fails of [false, true]) {
        const key = String(fails)
        const gate = yield* Deferred.make<number, string>()
        const started = yield* Deferred.make<void>()
        const work = Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(gate))
        const first = yield* Effect.forkChild(Effect.exit(ask(one, key, work)))
        yield* Deferred.await(started)
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

  it.live("is executed once for concurrent requests", () =>
    Effect.gen(function* () {
      const { ask, done, one, other } = yield* twoProcesses
      const outcomes = yield* Effect.all(
        Array.from({ length: 20 }, (_, i) => ask(i % 2 === 0 ? one : other, "a", Effect.succeed(i))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(done(), 1)
      const answers = outcomes.flatMap((outcome) => (outcome === "in flight" ? [] : [outcome.answer]))
      assert.strictEqual(new Set(answers).size, 1)
    })
  )

  it.live("of a dead process is free after its timeout, and a late result is discarded", () =>
    Effect.gen(function* () {
      const { ask, done, one, other, sql } = yield* twoProcesses
      const lateExit = yield* Effect.exit(
        ask(
          one,
          "a",
          Effect.gen(function* () {
            // Simulates a process that slept until another one took over.
            yield* sql`UPDATE idempotency_keys SET owner = 'another'`
            yield* sql`INSERT INTO migrations (migration_id, name) VALUES (99, 'late')`
            return 1
          })
        )
      )
      assert.isTrue(Exit.isFailure(lateExit))
      assert.deepStrictEqual(yield* sql`SELECT name FROM migrations WHERE migration_id = 99`, [])
      yield* ask(one, "b", Effect.succeed(2))
      const now = yield* Clock.currentTimeMillis
      const setOwnedUntil = (ownedUntil: number) =>
        sql`UPDATE idempotency_keys SET answer = NULL, owner = 'dead', owned_until = ${ownedUntil} WHERE key = 'b'`
      yield* setOwnedUntil(now + 20_000)
      assert.strictEqual(yield* ask(other, "b", Effect.succeed(3)), "in flight")
      // A date too far in the future was written before the clock was set back.
      for (const ownedUntil of [now - 1, now + 3_600_000]) {
        yield* setOwnedUntil(ownedUntil)
        assert.deepStrictEqual(yield* ask(other, "b", Effect.succeed(ownedUntil)), {
          answer: ownedUntil,
          replayed: false
        })
      }
      assert.strictEqual(done(), 4)
    })
  )

  // Processes that share a SQLite store also share the machine's clock.
  const skews = Stores.onPostgres ? [50, -50, 1000, -1000, 300_000, -300_000] : []
  it.live.each(skews)("whose clocks differ by %i ms is held by the first until it ends", (skew) =>
    Effect.gen(function* () {
      const { clock, movable } = yield* movableClock()
      yield* movable.jumpBy(skew)
      const { ask, done, one, other } = yield* twoProcesses
      const withSkewedClock = Effect.provideService(Clock.Clock, clock)
      for (const [index, key] of ["a", "b", "c"].entries()) {
        const gate = yield* Deferred.make<number>()
        const started = yield* Deferred.make<void>()
        const work = Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(gate))
        const first = yield* Effect.forkChild(withSkewedClock(ask(one, key, work)))
        yield* Deferred.await(started)
        assert.strictEqual(yield* ask(other, key, Effect.succeed(0)), "in flight")
        yield* Deferred.succeed(gate, index)
        assert.deepStrictEqual(yield* Fiber.join(first), { answer: index, replayed: false })
        assert.deepStrictEqual(yield* ask(other, key, Effect.succeed(9)), { answer: index, replayed: true })
      }
      assert.strictEqual(done(), 3)
    })
  )

  it.live("is not taken from a live holder whose clock is slightly ahead", () =>
    Effect.gen(function* () {
      const { ask, one, other, sql } = yield* twoProcesses
      yield* ask(one, "a", Effect.succeed(1))
      // Simulates a holder whose clock is slightly ahead.
      const ownedUntil = (yield* Clock.currentTimeMillis) + 31_000
      yield* sql`UPDATE idempotency_keys SET answer = NULL, owner = 'live', owned_until = ${ownedUntil} WHERE key = 'a'`
      assert.strictEqual(yield* ask(other, "a", Effect.succeed(2)), "in flight")
    })
  )
})
