// test/clock.test.ts: setting the system clock forward or back must not stop, expire or delay anything.
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Idempotency } from "#layers/Idempotency.ts"
import { type ClaimedJob, Queue } from "#layers/Queue.ts"
import * as Worker from "#layers/queue/Worker.ts"
import { Links } from "#layers/Links.ts"
import { Mailer } from "#layers/Mailer.ts"
import { modelCallDuration } from "#layers/Metrics.ts"
import * as Breaker from "#layers/model/Breaker.ts"
import * as Meter from "#layers/model/Meter.ts"
import { Services } from "#src/services.ts"
import { expectBody } from "./support/answers.ts"
import { newCaller, idempotentJson, onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { type MovableClock, movableClock } from "./support/clock.ts"
import { failing, gated, outage } from "./support/faults.ts"
import * as Server from "./support/server.ts"
import { mailServer } from "./support/smtp.ts"
import * as Stores from "./support/store.ts"
import { until } from "./support/until.ts"
import { newWorkspace } from "./support/workspace.ts"
import { fakeWriter } from "./support/writer.ts"

const jumps = ["-1 day", "-3650 days", "1 day", "3650 days"] as const

/** Runs a test with a clock that the test can set. */
const withMovableClock = <E, R>(test: (movable: MovableClock) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { clock, movable } = yield* movableClock()
    yield* Effect.provideService(test(movable), Clock.Clock, clock)
  })

/** Tests that run only on SQLite. */
const onSqlite = Stores.onPostgres ? { live: () => {}, effect: () => {} } : it
const describeOnSqlite = Stores.onPostgres ? () => {} : describe

const rate = { limit: 1_000_000, window: Duration.minutes(1) }

describe.each(jumps)("a clock that jumps by %s", (jump) => {
  it.live("while leads are written loses no lead, and each is charged once", () => {
    const sequence = gated(fakeWriter.sequence)
    return withMovableClock((movable) =>
      Effect.gen(function* () {
        const caller = yield* onboardedCaller({ plan: "internal" })
        const campaign = yield* Campaigns.builtCampaign(caller)
        const leads = Array.from({ length: 40 }, (_, i) => ({ email: `lead${i}@oak.example` }))
        const options = { email_count: 1, email_signature: "Bo" }
        const { list_id } = yield* expectBody(
          202,
          caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options })
        )
        yield* sequence.started
        yield* movable.jumpBy(jump)
        yield* sequence.open
        const list = yield* until(expectBody(200, caller.get(`/lists/${list_id}`)), (list) => "completed_at" in list)
        assert.deepInclude(list, { processing_status: "completed", leads_count: 40, emails_created: 40 })
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql`SELECT id FROM jobs WHERE crashes > 0`, [])
        yield* Server.assertConsistent
      }).pipe(Effect.provide(Server.layer({ writer: { sequence }, rate })))
    )
  })

  it.live("between two attempts delays neither a build nor a mail", () => {
    const emailInstructions = failing(outage, 2, fakeWriter.emailInstructions)
    return withMovableClock((movable) =>
      Effect.gen(function* () {
        const server = yield* mailServer({ refusals: [450, 450] })
        yield* Effect.gen(function* () {
          const caller = yield* onboardedCaller()
          const jumpFiber = yield* Effect.forkChild(
            Effect.andThen(
              Effect.sleep("1 millis").pipe(Effect.repeat({ until: () => emailInstructions.seen.calls > 0 })),
              movable.jumpBy(jump)
            )
          )
          const campaign = yield* Campaigns.builtCampaign(caller)
          yield* Fiber.join(jumpFiber)
          const { list_id } = yield* expectBody(
            202,
            caller.post(`/campaigns/${campaign}/generate-batch`, {
              leads: [{ email: "ann@oak.example" }],
              options: { email_count: 1, email_signature: "Bo" }
            })
          )
          const sql = yield* SqlClient.SqlClient
          const mail = sql<{ readonly status: string; readonly attempts: number }>`
            SELECT status, attempts FROM jobs WHERE type = 'mail.completion' AND subject = ${list_id}`
          yield* until(mail, ([row]) => (row?.attempts ?? 0) > 0)
          yield* movable.jumpBy(jump)
          yield* until(mail, ([row]) => row?.status === "completed")
          assert.lengthOf(server.received, 1)
        }).pipe(Effect.provide(serverWithMail(server.port, { writer: { emailInstructions }, rate })))
      })
    )
  })

  it.live("does not extend a used-up rate limit", () =>
    withMovableClock((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        for (let i = 0; i < 3; i++) yield* expectBody(200, caller.get("/signatures"))
        assert.strictEqual((yield* caller.get("/signatures")).status, 429)
        yield* movable.jumpBy(jump)
        const limited = yield* caller.get("/signatures")
        assert.strictEqual(limited.status, 429)
        assert.isAtMost(Number(limited.headers.get("retry-after")), 60)
        const clock = yield* Clock.Clock
        const reset = Number(limited.headers.get("x-ratelimit-reset")) - clock.currentTimeMillisUnsafe() / 1000
        assert.isAtMost(Math.abs(reset), 61)
        yield* movable.advance("1 minute")
        yield* expectBody(200, caller.get("/signatures"))
      }).pipe(Effect.provide(Server.layer({ rate: { limit: 3, window: Duration.minutes(1) } })))
    )
  )

  // Only on SQLite: processes that share a PostgreSQL use its clock, which a test cannot set.
  onSqlite.live("keeps idempotent responses for a day and no longer", () =>
    withMovableClock((movable) =>
      Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const create = (key: string) =>
          Effect.map(
            expectBody(201, caller.send("POST", "/campaigns", idempotentJson(key, { name: "Spring" }))),
            ({ id }) => id as string
          )
        const first = yield* create("one")
        yield* movable.jumpBy(jump)
        const second = yield* create("two")
        assert.strictEqual(yield* create("one"), first)
        yield* movable.advance("23 hours")
        assert.strictEqual(yield* create("one"), first)
        assert.strictEqual(yield* create("two"), second)
        yield* movable.advance("2 hours")
        assert.notStrictEqual(yield* create("one"), first)
        assert.notStrictEqual(yield* create("two"), second)
      }).pipe(Effect.provide(Server.layer({ rate })))
    )
  )

  onSqlite.live("while an idempotency key is claimed ends neither this claim nor another", () =>
    Effect.gen(function* () {
      const { clock, movable } = yield* movableClock()
      let readClock = (millis: number) => Effect.succeed(millis)
      const jumpingClock: Clock.Clock = {
        ...clock,
        currentTimeMillis: Effect.flatMap(clock.currentTimeMillis, (millis) => readClock(millis))
      }
      const test = Effect.gen(function* () {
        const { workspace } = yield* newWorkspace()
        const idempotency = yield* Idempotency
        let executions = 0
        const once = (key: string) =>
          idempotency.once(
            { workspace: workspace.id, operation: "POST /x", key, fingerprint: "f" },
            Effect.sync(() => ++executions)
          )
        yield* once("one")
        readClock = (millis) => {
          readClock = Effect.succeed
          return Effect.as(movable.jumpBy(jump), millis)
        }
        yield* once("two")
        assert.deepStrictEqual(yield* once("one"), { answer: 1, replayed: true })
        assert.deepStrictEqual(yield* once("two"), { answer: 2, replayed: true })
      })
      yield* test.pipe(
        Effect.provide(Services.pipe(Layer.provideMerge(Stores.store))),
        Effect.provideService(Clock.Clock, jumpingClock)
      )
    })
  )

  it.live("while a model answers does not change the measured duration", () =>
    withMovableClock((movable) =>
      Effect.gen(function* () {
        const before = modelCallDuration.valueUnsafe(yield* Effect.context<never>())
        yield* Meter.countAttempt(Effect.andThen(movable.jumpBy(jump), movable.advance("3 seconds")), {
          model: "tiny",
          attributes: {}
        })
        const after = modelCallDuration.valueUnsafe(yield* Effect.context<never>())
        assert.approximately(after.sum - before.sum, 3, 1)
      })
    )
  )

  it.live("does not change how long the circuit breaker stays open", () =>
    withMovableClock((movable) =>
      Effect.gen(function* () {
        const breaker = Breaker.make({ failures: 1, openMillis: 30_000 })
        const callFailing = (answer: Effect.Effect<string, string>) =>
          Effect.exit(breaker.guard(answer, () => true, "open"))
        yield* callFailing(Effect.fail("broken"))
        yield* movable.jumpBy(jump)
        assert.strictEqual(yield* Effect.flip(breaker.guard(Effect.succeed("well"), () => true, "open")), "open")
        yield* movable.advance("30 seconds")
        assert.strictEqual(yield* breaker.guard(Effect.succeed("well"), () => true, "open"), "well")
      })
    )
  )
})

/** The service, sending mail to this port. */
const serverWithMail = (port: number, options: Server.Options) =>
  Server.layer({
    ...options,
    mailer: Mailer.layerSmtp(Redacted.make(`smtp://127.0.0.1:${port}`), {
      name: "Overture",
      address: "mail@overture.example"
    })
  }).pipe(
    Layer.tap((context) =>
      Effect.provide(
        Links.use((links) => links.setListeningUrl("http://overture.example")),
        context
      )
    )
  )

describe("a job lease", () => {
  const store = Services.pipe(Layer.provideMerge(Stores.store))

  /** A job leased by another worker, a worker that may run it, and the runs of that worker. */
  const leasedJob = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { workspace } = yield* newWorkspace()
    const queue = yield* Queue
    const runs: Array<ClaimedJob> = []
    const worker = Worker.layer([
      {
        handlers: [
          {
            type: "test",
            run: (claim) =>
              Effect.andThen(
                Effect.sync(() => runs.push(claim)),
                queue.complete(claim, Effect.void)
              ),
            failed: () => Effect.void
          }
        ],
        concurrency: 1
      }
    ])
    const [id = ""] = yield* queue.enqueue([{ workspace: workspace.id, type: "test", subject: workspace.id }])
    const now = yield* Clock.currentTimeMillis
    const renewLease = (leaseUntil: number) => sql`
      UPDATE jobs SET status = 'processing', lease = 'another', lease_until = ${leaseUntil} WHERE id = ${id}`
    return { renewLease, runs, worker, now, id }
  })

  it.effect("of a killed process ends as soon as the next process starts", () =>
    Effect.gen(function* () {
      const { now, renewLease, runs, worker } = yield* leasedJob
      yield* renewLease(now + 30_000)
      yield* Layer.build(worker)
      while (runs.length === 0) yield* Effect.yieldNow
      assert.deepInclude(runs[0], { crashes: 1 })
    }).pipe(Effect.provide(store))
  )

  // Only on SQLite: the test clock does not wait for the responses of PostgreSQL.
  onSqlite.effect("that is not renewed ends within 75 seconds, whatever the clock shows", () =>
    Effect.gen(function* () {
      for (const leaseMillis of [30_000, 86_400_000, -86_400_000]) {
        const { now, renewLease, runs, worker } = yield* leasedJob
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Layer.build(worker)
            while (runs.length === 0) yield* Effect.yieldNow
            yield* renewLease(now + leaseMillis)
            yield* TestClock.adjust("29 seconds")
            assert.lengthOf(runs, 1)
            yield* TestClock.adjust("46 seconds")
            for (let i = 0; i < 100 && runs.length < 2; i++) yield* Effect.yieldNow
            assert.lengthOf(runs, 2)
          })
        )
      }
    }).pipe(Effect.provide(store))
  )

  onSqlite.effect("that another worker renews is kept, whatever the clock shows", () =>
    Effect.gen(function* () {
      const { now, renewLease, runs, worker } = yield* leasedJob
      yield* Layer.build(worker)
      while (runs.length === 0) yield* Effect.yieldNow
      for (let renewals = 0; renewals < 20; renewals++) {
        yield* renewLease(now - 86_400_000 + renewals)
        yield* TestClock.adjust("10 seconds")
      }
      assert.lengthOf(runs, 1)
    }).pipe(Effect.provide(store))
  )
})

describeOnSqlite("a worker", () => {
  const store = Services.pipe(Layer.provideMerge(Stores.store))

  onSqlite.effect("that claims its own job again continues with the new lease and stops the old run", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { workspace } = yield* newWorkspace()
      const queue = yield* Queue
      const gate = yield* Deferred.make<void>()
      const leases: Array<string> = []
      const stoppedLeases: Array<string> = []
      const work = Worker.layer([
        {
          handlers: [
            {
              type: "test",
              run: (claim) =>
                Effect.sync(() => leases.push(claim.lease)).pipe(
                  Effect.andThen(Deferred.await(gate)),
                  Effect.andThen(queue.complete(claim, Effect.void)),
                  Effect.onInterrupt(() => Effect.sync(() => void stoppedLeases.push(claim.lease)))
                ),
              failed: () => Effect.void
            }
          ],
          concurrency: 4
        }
      ])
      const [id = ""] = yield* queue.enqueue([{ workspace: workspace.id, type: "test", subject: workspace.id }])
      yield* Layer.build(work)
      while (leases.length === 0) yield* Effect.yieldNow
      yield* sql`UPDATE jobs SET status = 'pending', lease = NULL WHERE id = ${id}`
      yield* TestClock.adjust("2 seconds")
      while (leases.length === 1) yield* Effect.yieldNow
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(stoppedLeases, leases.slice(0, 1))
      // The new lease is still renewed long after the old run was stopped.
      yield* TestClock.adjust("5 minutes")
      assert.lengthOf(leases, 2)
      yield* Deferred.succeed(gate, undefined)
      yield* queue.waitUntilSettled(id)
      assert.deepStrictEqual(yield* sql`SELECT status, crashes FROM jobs WHERE id = ${id}`, [
        { status: "completed", crashes: 0 }
      ])
    }).pipe(Effect.provide(store))
  )
})
