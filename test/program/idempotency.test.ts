// test/program/idempotency.test.ts: what a retry under the same Idempotency-Key gets.
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
import { folder } from "#test/support/process.ts"
import { bare, type Caller, jsonUnder, onboarded } from "../support/callers.ts"
import { built, create, optionsOf, proposed, target } from "../support/campaigns.ts"
import { lead } from "../support/endpoints.ts"
import { drop, layer } from "../support/server.ts"
import { movable } from "../support/clock.ts"
import { onPostgres, scratch } from "../support/store.ts"
import { until } from "../support/until.ts"
import { newWorkspace } from "../support/workspace.ts"

const under = (who: Caller, key: string, method: string, path: string, body: unknown) =>
  who.send(method, path, jsonUnder(key, body))

/** Lets so many hours pass for the keys: on PostgreSQL they go by the clock of the database, which no test can set. */
const pass = Effect.fnUntraced(function* (hours: number) {
  if (!onPostgres) return yield* TestClock.adjust(`${hours} hours`)
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`UPDATE idempotency_keys SET expires_at = expires_at - ${hours * 3_600_000}`)
})

describe("Idempotency-Key", () => {
  it.live("answers a retry with the first answer, marked, and does nothing again", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const first = yield* under(who, "a", "POST", "/campaigns", { name: "Spring" })
      const again = yield* under(who, "a", "POST", "/campaigns", { name: "Spring" })
      assert.deepStrictEqual([first.status, again.status], [201, 201])
      assert.strictEqual(again.text, first.text)
      assert.isNull(first.headers.get("idempotent-replayed"))
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.notStrictEqual(again.headers.get("x-request-id"), first.headers.get("x-request-id"))
      assert.strictEqual((yield* who.get("/campaigns")).body.total, 1)
    }).pipe(Effect.provide(layer()))
  )

  it.live("refuses the key with another body, and takes it on another path or in another workspace", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const other = yield* onboarded()
      yield* under(who, "a", "POST", "/campaigns", { name: "Spring" })
      const reused = yield* under(who, "a", "POST", "/campaigns", { name: "Autumn" })
      assert.deepStrictEqual([reused.status, reused.body.error], [409, "CONFLICT"])

      const campaign = yield* create(who)
      const { id, segment_name } = (yield* who.get("/target-audiences")).body.data[0]
      const target_audience = { id, segment_name }
      const path = `/campaigns/${campaign}/target-audience`
      const linked = yield* under(who, "a", "POST", path, { target_audience })
      assert.strictEqual(linked.status, 202)
      assert.strictEqual((yield* under(who, "a", "POST", path, { target_audience })).text, linked.text)
      assert.strictEqual((yield* under(other, "a", "POST", "/campaigns", { name: "Spring" })).status, 201)
    }).pipe(Effect.provide(layer()))
  )

  const steps: ReadonlyArray<{
    readonly name: string
    readonly status: number
    readonly method?: string
    /** The request, without what tells two of its bodies apart. */
    readonly ask: (who: Caller, campaign: string) => Effect.Effect<readonly [path: string, body: object]>
  }> = [
    { name: "a new campaign", status: 201, ask: () => Effect.succeed(["/campaigns", { name: "Spring" }]) },
    {
      name: "a target audience",
      status: 202,
      ask: (_, campaign) =>
        Effect.succeed([
          `/campaigns/${campaign}/target-audience`,
          { target_audience: { segment_name: "Ferries" }, is_custom_target_audience: true }
        ])
    },
    {
      name: "a selection",
      method: "PUT",
      status: 200,
      ask: (_, campaign) =>
        Effect.succeed([`/campaigns/${campaign}/assets/social_proof/selection`, { selected_ids: [] }])
    },
    {
      name: "a selection of value propositions",
      method: "PUT",
      status: 202,
      ask: (who, campaign) =>
        Effect.map(optionsOf(who, campaign, "value_proposition"), ([option]) => [
          `/campaigns/${campaign}/assets/value_proposition/selection`,
          { selected_ids: [option?.id] }
        ])
    },
    {
      name: "a branch",
      status: 201,
      ask: (_, campaign) =>
        Effect.succeed([`/campaigns/${campaign}/branch`, { name: "Autumn", branch_from_step: "lead-magnets" }])
    }
  ]
  it.live.each(steps)("holds for $name: one answer, one piece of work, no other body", ({ ask, method, status }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const who = yield* onboarded()
      const [path, sent] = yield* ask(who, yield* proposed(who))
      const send = (key: string, more: object = {}) => under(who, key, method ?? "POST", path, { ...sent, ...more })
      const first = yield* send("a")
      assert.strictEqual(first.status, status, first.text)
      const made = sql`SELECT (SELECT count(*) FROM campaigns) AS campaigns, (SELECT count(*) FROM jobs) AS jobs`
      const before = yield* made
      const again = yield* send("a")
      assert.deepStrictEqual([again.status, again.text], [status, first.text])
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      const { body, status: conflict } = yield* send("a", { nobody: "knows" })
      assert.deepStrictEqual([conflict, body.error], [409, "CONFLICT"])
      assert.deepStrictEqual(yield* made, before)
      const other = yield* send("b", { nobody: "knows" })
      assert.strictEqual(other.status, status)
      assert.isNull(other.headers.get("idempotent-replayed"))
    }).pipe(Effect.provide(layer()))
  )

  it.live("counts the body of a POST that declares none", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const path = `/campaigns/${yield* proposed(who)}/assets/value_proposition/generate`
      const headers = { "idempotency-key": "a" }
      const first = yield* who.send("POST", path, { headers })
      assert.strictEqual(first.status, 202, first.text)
      assert.strictEqual((yield* who.send("POST", path, { headers })).text, first.text)
      for (const sent of ["{}", "\u0000", "x".repeat(70_000)]) {
        const other = yield* who.send("POST", path, { headers, body: sent })
        assert.deepStrictEqual([other.status, other.body.error], [409, "CONFLICT"])
      }
      const large = yield* who.send("POST", path, { headers, body: "x".repeat(1024 * 1024 + 1) })
      assert.deepStrictEqual([large.status, large.body.error], [400, "BAD_REQUEST"])
      const withBody = { headers: { "idempotency-key": "b" }, body: "{}" }
      const another = yield* who.send("POST", path, withBody)
      assert.strictEqual((yield* who.send("POST", path, withBody)).text, another.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("stands for the body as it was sent, to the letter", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const send = (text: string) => under(who, "a", "POST", "/campaigns", text)
      const first = yield* send('{"name":"Spring"}')
      for (const text of ['{"name": "Spring"}', '{"name":"Spring"}\n', '{"name":" Spring"}']) {
        const { body, status } = yield* send(text)
        assert.deepStrictEqual([status, body.error], [409, "CONFLICT"], text)
      }
      assert.strictEqual((yield* send('{"name":"Spring"}')).text, first.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("may be anything visible of 1 to 255 characters", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      for (const key of ["a", "x".repeat(255), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"]) {
        const first = yield* under(who, key, "POST", "/campaigns", { name: "Spring" })
        assert.strictEqual(first.status, 201)
        assert.strictEqual((yield* under(who, key, "POST", "/campaigns", { name: "Spring" })).text, first.text)
      }
      assert.strictEqual((yield* who.get("/campaigns")).body.total, 3)
    }).pipe(Effect.provide(layer()))
  )

  it.live("means nothing elsewhere: the same again is done again, and charged again", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const campaign = yield* built(who)
      const more = { options: { email_count: 1, email_signature: "Bo" } }
      for (const key of ["a", "a b", "", "x".repeat(300)]) {
        for (const [method, path, status, sent] of [
          ["POST", "/signatures", 201, { signature_text: "Ann" }],
          ["PATCH", `/campaigns/${campaign}`, 200, { name: "Autumn" }],
          ["POST", `/campaigns/${campaign}/generate`, 200, { lead, ...more }],
          ["POST", `/campaigns/${campaign}/generate-batch`, 202, { leads: [lead], ...more }]
        ] as const) {
          const answers = yield* Effect.forEach([1, 2], (x) => under(who, key, method, path, { ...sent, x }))
          for (const answer of answers) {
            assert.strictEqual(answer.status, status)
            assert.isNull(answer.headers.get("idempotent-replayed"))
          }
        }
      }
      assert.strictEqual((yield* who.get("/signatures")).body.total, 8)
      yield* until(who.get("/lists?status=completed"), ({ body }) => body.total === 16)
      assert.strictEqual((yield* who.get("/credits")).body.usage.total_credits_used_all_time, 16)
    }).pipe(Effect.provide(layer()))
  )

  it.live("replays selections and the start of value propositions as they were", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const campaign = yield* create(who)
      yield* target(who, campaign)
      for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) {
        const path = `/campaigns/${campaign}/assets/${type}/selection`
        const first = yield* under(who, "s", "PUT", path, { selected_ids: [] })
        assert.strictEqual(first.status, 200)
        assert.strictEqual((yield* under(who, "s", "PUT", path, { selected_ids: [] })).text, first.text)
      }
      const path = `/campaigns/${campaign}/assets/value_proposition/generate`
      const started = yield* under(who, "g", "POST", path, {})
      assert.strictEqual(started.status, 202)
      assert.strictEqual((yield* under(who, "g", "POST", path, {})).text, started.text)
    }).pipe(Effect.provide(layer()))
  )

  it.live("does the work once for twins that arrive together", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const ask = under(who, "a", "POST", "/campaigns", { name: "Spring" })
      const twins = yield* Effect.all(
        Array.from({ length: 8 }, () => ask),
        { concurrency: "unbounded" }
      )
      const made = twins.filter(({ status }) => status === 201)
      assert.strictEqual(new Set(made.map(({ text }) => text)).size, 1)
      // The others came while it was being made.
      for (const { body, status } of twins.filter((twin) => !made.includes(twin))) {
        assert.deepStrictEqual([status, body.error], [409, "CONFLICT"])
      }
      assert.strictEqual((yield* ask).text, made[0]?.text)
      assert.strictEqual((yield* who.get("/campaigns")).body.total, 1)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is refused while its request is in hand, and free once that was hung up on", () =>
    Effect.gen(function* () {
      const { workspace } = yield* bare()
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
    }).pipe(Effect.provide(layer({ working: false })))
  )

  it.live("in flight gets a Retry-After", () => {
    const busy = { once: () => Effect.succeed("in flight" as const), begin: () => Effect.never, end: () => Effect.void }
    return Effect.gen(function* () {
      const who = yield* bare()
      const { body, headers, status } = yield* under(who, "a", "POST", "/campaigns", { name: "Spring" })
      assert.deepStrictEqual([status, body.error, headers.get("retry-after")], [409, "CONFLICT", "5"])
    }).pipe(Effect.provide(layer({ override: Context.make(Idempotency, busy), working: false })))
  })

  it.live("is freed by a refusal and by a crash", () =>
    Effect.gen(function* () {
      const early = yield* bare()
      for (const name of ["Spring", "Autumn"]) {
        const { body, status } = yield* under(early, "a", "POST", "/campaigns", { name })
        assert.deepStrictEqual([status, body.error], [409, "NOT_READY"])
      }

      const who = yield* onboarded()
      assert.strictEqual((yield* under(who, "a", "POST", "/campaigns", { name: " " })).status, 400)
      assert.strictEqual((yield* under(who, "a", "POST", "/campaigns", { name: "Spring" })).status, 201)

      yield* drop("campaigns")
      const broken = yield* under(who, "b", "POST", "/campaigns", { name: "Spring" })
      const again = yield* under(who, "b", "POST", "/campaigns", { name: "Autumn" })
      assert.deepStrictEqual([broken.status, again.status], [500, 500])
    }).pipe(Effect.provide(layer()))
  )

  it.effect("forgets after a day", () =>
    Effect.gen(function* () {
      const { workspace } = yield* bare()
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
    }).pipe(Effect.provide(layer({ working: false })))
  )

  it.effect("leaves a key to a job for as long as that is in hand", () =>
    Effect.gen(function* () {
      const { workspace } = yield* bare()
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
    }).pipe(Effect.provide(layer({ working: false })))
  )

  it.live.each([
    ["nothing", ""],
    ["a space", "a b"],
    ["256 characters", "x".repeat(256)]
  ] as const)("refuses %s for a key", ([, key]) =>
    Effect.gen(function* () {
      const who = yield* bare()
      const refused = yield* under(who, key, "POST", "/campaigns", { name: "Spring" })
      assert.deepStrictEqual([refused.status, refused.body.error], [400, "BAD_REQUEST"])
      assert.include(refused.body.message, "idempotency-key")
    }).pipe(Effect.provide(layer({ working: false })))
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
    const url = yield* scratch
    const [one, other] = [yield* process(file, url), yield* process(file, url)]
    const { workspace } = yield* Effect.provideContext(newWorkspace(), one)
    let done = 0
    const ask = <E>(services: typeof one, key: string, work: Effect.Effect<number, E>, fingerprint = "f") =>
      Context.get(services, Idempotency).once(
        { workspace: workspace.id, operation: "POST /x", key, fingerprint },
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

  it.live("of a dead process is released after its lease, and a late owner's work is rolled back", () =>
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
  const skews = onPostgres ? [50, -50, 1000, -1000, 300_000, -300_000] : []
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
