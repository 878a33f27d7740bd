// test/services/queue.test.ts: the job queue: each job ends once, and workspaces share the workers fairly.
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Cause, Clock, Deferred, Duration, Effect, Exit, Fiber, Layer, Logger, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { now } from "#layers/lib/Time.ts"
import { type ClaimedJob, Queue } from "#layers/Queue.ts"
import { type JobHandler, makeOutage, makeOutcome } from "#layers/queue/JobHandler.ts"
import * as Worker from "#layers/queue/Worker.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Services } from "#src/services.ts"
import * as Stores from "#test/support/store.ts"
import { until } from "#test/support/until.ts"
import { newWorkspace, workspaceOnPlan } from "#test/support/workspace.ts"

const store = Layer.fresh(Services.pipe(Layer.provideMerge(Stores.store)))

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const worker = Schema.Literals([0, 1])
/** One of the latest claims, by number. */
const claim = between(0, 4)
const gate = Schema.Literals(["gate a", "gate b"])

const Ending = Schema.Literals(["completed", "refused", "failed", "broken", "stopped", "parked"])
/** Frequent steps. */
const CommonStep = Schema.Union([
  Schema.Struct({ do: Schema.Literal("claim"), worker }),
  Schema.Struct({ do: Schema.Literal("heartbeat"), worker }),
  Schema.Struct({ do: Schema.Literal("wait"), millis: Schema.Literals([1, 2000, 15_000, 29_999, 30_000, 70_000]) }),
  Schema.Struct({ do: Schema.Literal("end"), claim, how: Ending })
])
const RareStep = Schema.Union([
  Schema.Struct({ do: Schema.Literal("enqueue"), workspace: Schema.Literals([0, 1]), gate: Schema.NullOr(gate) }),
  // Jobs of a dead worker stay claimed, and their work may still end later.
  Schema.Struct({ do: Schema.Literal("die"), worker }),
  Schema.Struct({ do: Schema.Literal("race"), claim, workers: Schema.Array(worker) }),
  Schema.Struct({ do: Schema.Literal("behind gate"), claim, gate }),
  Schema.Struct({ do: Schema.Literal("gate"), gate, workspace: Schema.Literals([0, 1]), opens: Schema.Boolean }),
  Schema.Struct({ do: Schema.Literal("resume"), workspace: Schema.Literals([0, 1]), gate: Schema.NullOr(gate) })
])
const Step = Schema.Union([CommonStep, CommonStep, CommonStep, RareStep])
type Step = typeof Step.Type

const leaseMillis = 30_000
const attempts = 2

/** A claim of a worker, and when its lease was last renewed. */
interface GivenClaim {
  readonly claim: ClaimedJob
  readonly worker: number
  isOver: boolean
  renewed: number
}

const workFailed = (transient: boolean) => Exit.fail({ message: "It failed", transient })
const exits = {
  refused: workFailed(false),
  failed: workFailed(true),
  broken: Exit.die("It broke"),
  stopped: Exit.interrupt()
} as const

/** Runs steps of two workers on one store and records how each job ends. */
const jobHistory = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* Queue
  const workspaces = [yield* workspaceOnPlan("free"), yield* workspaceOnPlan("free")] as const
  const claimNextJob = yield* Worker.makeClaimNextJob
  // The ends of jobs, written in the transaction that ends them.
  yield* sql`CREATE TABLE ends (job TEXT NOT NULL, how TEXT NOT NULL)`
  const recordEnd = (how: string, { id }: ClaimedJob) =>
    Effect.asVoid(Effect.orDie(sql`INSERT INTO ends (job, how) VALUES (${id}, ${how})`))
  const handler: JobHandler = {
    type: "work",
    run: () => Effect.void,
    failed: (claim) => recordEnd("failed", claim),
    retryPolicy: { attempts, maxPause: Duration.minutes(1) }
  }
  const outcome = yield* makeOutcome(new Map([["work", handler]]), makeOutage(1000), 1000)
  const workers = yield* Effect.forEach([0, 1], () => {
    const held = new Map<string, Fiber.Fiber<unknown, unknown>>()
    return Effect.map(Worker.makeLeases(leaseMillis, held, outcome.failAfterCrashes), (leases) => ({ ...leases, held }))
  })
  const restarts = [0, 0]
  const claims: Array<GivenClaim> = []
  const jobs: Array<string> = []
  let leases = 0

  const claimNext = Effect.fnUntraced(function* (worker: 0 | 1) {
    const currentMillis = yield* Clock.currentTimeMillis
    const lease = `worker ${worker} ${restarts[worker]}:${++leases}`
    const query = {
      types: ["work"],
      at: currentMillis,
      latestRunAt: currentMillis + 60_000,
      lease,
      lease_until: currentMillis + leaseMillis,
      updated_at: yield* now
    }
    const claim = yield* claimNextJob(query)
    if (claim === undefined) return false
    assert.strictEqual(claim.lease, lease)
    assert.isAtMost(claim.attempts, attempts)
    // No other live worker may hold the job.
    for (const other of claims.filter(({ claim: { id }, isOver }) => id === claim.id && !isOver)) {
      assert.isAtLeast(currentMillis - other.renewed, leaseMillis, "A job is given away under its worker")
    }
    claims.push({ claim, worker, isOver: false, renewed: currentMillis })
    workers[worker]?.held.set(lease, yield* Effect.forkDetach(Effect.never))
    return true
  })

  const activeLeases = Effect.map(
    sql<{ readonly lease: string }>`SELECT lease FROM jobs WHERE status = 'processing'`,
    (rows) => new Set(rows.map(({ lease }) => lease))
  )

  const heartbeat = Effect.fnUntraced(function* (worker: 0 | 1) {
    const currentMillis = yield* Clock.currentTimeMillis
    const { held, renew, freeDeadWorkers } = workers[worker]!
    yield* renew(currentMillis + leaseMillis)
    const before = yield* activeLeases
    for (const given of claims.filter(({ claim }) => held.has(claim.lease))) {
      if (before.has(given.claim.lease)) given.renewed = currentMillis
      else held.delete(given.claim.lease)
    }
    yield* freeDeadWorkers
    const after = yield* activeLeases
    for (const { claim, isOver, renewed } of claims) {
      const isFreed = !isOver && before.has(claim.lease) && !after.has(claim.lease)
      if (isFreed)
        assert.isAtLeast(currentMillis - renewed, leaseMillis, "A lease is taken from a worker that renews it")
    }
  })

  const endClaim = (claim: ClaimedJob, ending: typeof Ending.Type) => {
    if (ending === "completed") return Effect.exit(queue.complete(claim, recordEnd("completed", claim)))
    if (ending === "parked") return Effect.exit(queue.park(claim, Effect.void))
    return outcome.storeOutcome(claim, exits[ending], Effect.void)
  }

  const dropClaim = (given: GivenClaim) => {
    given.isOver = true
    workers[given.worker]?.held.delete(given.claim.lease)
  }

  /** Asserts that a worker without the lease does not change the job. */
  const onlyAsHolder = Effect.fnUntraced(function* <A, E, R>({ claim }: GivenClaim, work: Effect.Effect<A, E, R>) {
    const row = sql`SELECT status, lease, attempts, gate, run_at, error FROM jobs WHERE id = ${claim.id}`
    const before = yield* row
    const holds = yield* Effect.isSuccess(queue.requireLease(claim))
    yield* work
    if (!holds) assert.deepStrictEqual(yield* row, before)
  })

  const claimAt = (claim: number) => claims.at(-1 - (claim % Math.max(1, claims.length)))

  const race = Effect.fnUntraced(function* ({ claim, workers }: Extract<Step, { readonly do: "race" }>) {
    const given = claimAt(claim)
    const ends = given === undefined ? [] : (["completed", "completed", "refused"] as const)
    const endings = ends.flatMap((ending) => (given === undefined ? [] : [endClaim(given.claim, ending)]))
    yield* Effect.all([...workers.map(claimNext), ...endings], { concurrency: "unbounded" })
    if (given !== undefined) dropClaim(given)
  })

  /** Asserts that each job ended at most once and has at most one holder. Returns whether all have ended. */
  const assertSound = Effect.gen(function* () {
    const rows = yield* sql<{ readonly id: string; readonly status: string; readonly attempts: number }>`
      SELECT id, status, attempts FROM jobs WHERE type = 'work'`
    const ends = yield* sql<{ readonly job: string; readonly how: string }>`SELECT job, how FROM ends`
    assert.lengthOf(rows, jobs.length)
    for (const { attempts, id, status } of rows) {
      const endings = ends.filter(({ job }) => job === id).map((end) => end.how)
      assert.deepStrictEqual(endings, status === "completed" || status === "failed" ? [status] : [], id)
      assert.isAtLeast(attempts, 0)
      const holders = yield* Effect.filter(
        claims.filter(({ claim }) => claim.id === id),
        ({ claim }) => Effect.isSuccess(queue.requireLease(claim))
      )
      assert.lengthOf(holders, status === "processing" ? 1 : 0)
    }
    return rows.every(({ status }) => status === "completed" || status === "failed")
  })

  const runStep = Effect.fnUntraced(function* (step: Step) {
    switch (step.do) {
      case "enqueue": {
        const workspace = workspaces[step.workspace]
        const gate = step.gate ?? undefined
        return void jobs.push(...(yield* queue.enqueue([{ workspace, type: "work", subject: workspace, gate }])))
      }
      case "claim":
        return yield* claimNext(step.worker)
      case "heartbeat":
        return yield* heartbeat(step.worker)
      case "die":
        workers[step.worker]?.held.clear()
        restarts[step.worker]!++
        return
      case "race":
        return yield* race(step)
      case "gate": {
        const workspace = workspaces[step.workspace]
        return yield* step.opens ? queue.releaseGate(workspace, step.gate) : queue.parkWaiting(workspace, step.gate)
      }
      case "resume":
        return yield* queue.resume(workspaces[step.workspace], workspaces[step.workspace], step.gate ?? undefined)
      case "wait":
        return yield* TestClock.adjust(step.millis)
    }
    const given = claimAt(step.claim)
    if (given === undefined) return
    const { claim } = given
    yield* onlyAsHolder(
      given,
      step.do === "end" ? endClaim(claim, step.how) : queue.requeueBehindGate(claim, step.gate)
    )
    dropClaim(given)
  })

  /** Ends the workers and lets one new worker finish all jobs. */
  const drain = Effect.gen(function* () {
    for (const worker of [0, 1] as const) yield* runStep({ do: "die", worker })
    for (let round = 0; round < 3; round++) {
      for (const workspace of [0, 1] as const) {
        yield* runStep({ do: "resume", workspace, gate: null })
        for (const gate of ["gate a", "gate b"] as const) yield* runStep({ do: "gate", workspace, gate, opens: true })
      }
      yield* heartbeat(0)
      yield* TestClock.adjust(leaseMillis)
      yield* heartbeat(0)
      yield* TestClock.adjust(70_000)
      while (yield* claimNext(0)) yield* runStep({ do: "end", claim: 0, how: "completed" })
    }
  })
  return { assertSound, drain, runStep }
})

describe("a random history of jobs and workers", () => {
  it.effect.prop(
    "ends each job once, under one worker at a time, and loses none",
    { steps: Arbitrary.array(Arbitrary.schema(Step), { minLength: 40, maxLength: 100 }) },
    ({ steps }) =>
      Effect.gen(function* () {
        const { assertSound, drain, runStep } = yield* jobHistory
        for (const workspace of [0, 1, 1] as const) yield* runStep({ do: "enqueue", workspace, gate: null })
        for (const step of steps) {
          yield* runStep(step)
          yield* assertSound
        }
        yield* drain
        assert.isTrue(yield* assertSound, "A job was left behind")
      }).pipe(Effect.provide(store)),
    { arbitrary: { runs: Stores.onPostgres ? 15 : 60 } }
  )
})

/** Named jobs that run until the test ends them. */
const namedJobs = Effect.gen(function* () {
  const queue = yield* Queue
  const started: Array<string> = []
  const ends = new Map<string, Deferred.Deferred<void>>()
  const run = (claim: ClaimedJob) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      ends.set(claim.subject, end)
      started.push(claim.subject)
      yield* Deferred.await(end)
      yield* queue.complete(claim, Effect.void)
    })
  const handlers = ["first", "second"].map((type) => ({ type, run, failed: () => Effect.void }))
  const ids = new Map<string, WorkspaceId>()
  return {
    /** The letter of a name is the workspace; a capital letter is a job of the second type. Earlier names are older jobs. */
    enqueue: Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
      for (const subject of names) {
        const letter = subject.slice(0, 1)
        const name = letter.toLowerCase()
        let workspace = ids.get(name)
        if (workspace === undefined) {
          const created = yield* newWorkspace({ name })
          ids.set(name, (workspace = created.workspace.id))
        }
        yield* queue.enqueue([{ workspace, type: letter === name ? "first" : "second", subject }])
        yield* Effect.sleep("2 millis")
      }
    }),
    /** Starts a worker with this concurrency. */
    work: (concurrency: number) => Layer.build(Worker.layer([{ handlers, concurrency }])),
    end: (name: string) =>
      Effect.flatMap(Effect.fromNullishOr(ends.get(name)), (end) => Deferred.succeed(end, undefined)),
    /** The started jobs, as soon as there are `count`. */
    begun: (count: number) =>
      until(
        Effect.sync(() => started.join(" ")),
        () => started.length >= count
      )
  }
})

it.live("the workspace with the fewest running jobs comes first, then its oldest job", () =>
  Effect.gen(function* () {
    const { begun, end, enqueue, work } = yield* namedJobs
    yield* enqueue(["a1", "a2", "a3", "a4", "a5", "b1", "B2", "b3", "c1"])
    yield* work(3)
    assert.strictEqual(yield* begun(3), "a1 b1 c1")
    const next = [
      ["c1", "a2"],
      ["b1", "B2"],
      ["a1", "a3"],
      ["a2", "a4"],
      ["B2", "b3"]
    ] as const
    let expectedOrder = "a1 b1 c1"
    for (const [i, [finished, started]] of next.entries()) {
      yield* end(finished)
      assert.strictEqual(yield* begun(4 + i), (expectedOrder += ` ${started}`), `after ${finished}`)
    }
  }).pipe(Effect.scoped, Effect.provide(store))
)

const delayUntil = (subject: string, runAt: number) =>
  SqlClient.SqlClient.use((sql) => sql`UPDATE jobs SET run_at = ${runAt} WHERE subject = ${subject}`)

it.live("delayed retries come after new jobs", () =>
  Effect.gen(function* () {
    const { begun, end, enqueue, work } = yield* namedJobs
    yield* enqueue(["a1", "a2", "a3", "b1", "c1"])
    yield* delayUntil("a1", 1)
    yield* delayUntil("b1", 2)
    yield* work(1)
    let expectedOrder = yield* begun(1)
    assert.strictEqual(expectedOrder, "a2")
    for (const [i, next] of ["a3", "c1", "a1", "b1"].entries()) {
      yield* end(expectedOrder.slice(-2))
      assert.strictEqual(yield* begun(2 + i), (expectedOrder += ` ${next}`))
    }
  }).pipe(Effect.scoped, Effect.provide(store))
)

it.live("no job starts before its run_at, even if its workspace comes first", () =>
  Effect.gen(function* () {
    const { begun, enqueue, work } = yield* namedJobs
    yield* enqueue(["a1", "a2", "b1"])
    yield* delayUntil("b1", (yield* Clock.currentTimeMillis) + 50_000)
    yield* work(2)
    assert.strictEqual(yield* begun(2), "a1 a2")
  }).pipe(Effect.scoped, Effect.provide(store))
)

describe("an outage of the store", () => {
  it.effect("does not end with a commit that was made before it", () => {
    const logs: Array<string> = []
    return Effect.gen(function* () {
      const outage = makeOutage(1000)
      yield* outage.onOutage(Cause.die("The disk is full"))
      // The result of another job, committed before the outage, is reported late.
      yield* outage.resultStored
      yield* outage.onOutage(Cause.die("The disk is full"))
      yield* TestClock.adjust("2 seconds")
      yield* outage.writeSucceeded
      yield* outage.writeSucceeded
      assert.deepStrictEqual(
        logs.map((line) => line.split(";")[0]),
        ["The store cannot be written", "The store can be written again"]
      )
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logs.push(String(message)))])))
  })
})
