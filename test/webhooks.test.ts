// test/webhooks.test.ts: webhooks: how they are managed, what they are sent, how it is signed, and what comes of failures.
import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"
import { Mailer, type Mail } from "#layers/Mailer.ts"
import { allowAllAddresses, AddressPolicy } from "#layers/web/AddressPolicy.ts"
import { parseRetryAfter } from "#layers/web/WebhookPost.ts"
import { retryDelays } from "#layers/webhooks/Deliveries.ts"
import { withoutContent } from "#layers/webhooks/Events.ts"
import { webhookEvents } from "#schema/WebhookEvents.ts"
import { expectBody, expectError } from "./support/answers.ts"
import {
  callerFor,
  newCaller,
  type Caller,
  awaitJob,
  json,
  idempotentJson,
  onboardedCaller
} from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { type MovableClock, movableClock } from "./support/clock.ts"
import { unknownId, upload } from "./support/endpoints.ts"
import { outage, refusal } from "./support/faults.ts"
import { waitForList, startBatch, makeLeads } from "./support/lists.ts"
import { listen } from "./support/listening.ts"
import { webhookReceiver, type ScriptedAnswer } from "./support/webhook-receiver.ts"
import * as Server from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter } from "./support/writer.ts"

const anywhere = Layer.succeed(AddressPolicy, allowAllAddresses)

/** The service, which may send to loopback. */
const served = (options: Server.Options = {}) =>
  Effect.provide(
    Server.layer({ rate: { limit: 1_000_000, window: Duration.minutes(1) }, ...options }).pipe(Layer.provide(anywhere))
  )

/** Runs a test on a clock that it can move. */
const moved = <E, R>(test: (movable: MovableClock) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { clock, movable } = yield* movableClock()
    yield* Effect.provideService(test(movable), Clock.Clock, clock)
  })

const created = (caller: Caller, url: string, events: ReadonlyArray<string> = ["*"], more: object = {}) =>
  expectBody(201, caller.post("/webhooks", { url, events, ...more }))

const deliveriesOf = (caller: Caller, id: string, query = "") =>
  Effect.map(
    expectBody(200, caller.get(`/webhooks/${id}/deliveries${query}`)),
    ({ data }) => data as ReadonlyArray<any>
  )

/** The newest delivery, once so many attempts of it were made. */
const attempted = (caller: Caller, id: string, attempts: number) =>
  Effect.map(
    until(deliveriesOf(caller, id), ([newest]) => newest?.attempts >= attempts),
    ([newest]) => newest
  )

const test = (caller: Caller, id: string) => expectBody(202, caller.post(`/webhooks/${id}/test`))

describe("a webhook", () => {
  it.live("is created with a secret that is shown once, listed, changed and deleted", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const input = {
        url: " https://hooks.a.example/in ",
        events: ["list.completed", "list.completed"],
        description: ""
      }
      const { secret, ...webhook } = yield* expectBody(201, caller.post("/webhooks", input))
      assert.match(secret, /^whsec_[\w+/]{43}=$/)
      assert.deepInclude(webhook, {
        url: "https://hooks.a.example/in",
        events: ["list.completed"],
        description: null,
        enabled: true,
        include_content: false,
        disabled_reason: null,
        failing_since: null
      })
      assert.deepStrictEqual(yield* expectBody(200, caller.get(`/webhooks/${webhook.id}`)), webhook)
      const other = yield* created(caller, "http://b.example", ["*", "lead.failed"], { include_content: true })
      assert.deepStrictEqual([other.events, other.include_content], [["*"], true])
      const page = yield* expectBody(200, caller.get("/webhooks?limit=1&offset=1"))
      assert.deepStrictEqual(page, { data: [webhook], has_more: false, total: 2, limit: 1, offset: 1 })
      assert.notInclude((yield* caller.get("/webhooks")).text, "whsec_")

      const change = { events: ["credits.low"], description: "Ours", url: null, enabled: false, include_content: true }
      const changed = yield* expectBody(200, caller.patch(`/webhooks/${webhook.id}`, change))
      assert.deepInclude(changed, { ...change, url: webhook.url, id: webhook.id, disabled_reason: null })
      assert.deepInclude(yield* expectBody(200, caller.patch(`/webhooks/${webhook.id}`, { description: " " })), {
        description: null,
        enabled: false,
        events: ["credits.low"]
      })
      assert.deepStrictEqual(yield* expectBody(200, caller.delete(`/webhooks/${webhook.id}`)), {
        id: webhook.id,
        deleted: true
      })
      yield* expectError(404, "NOT_FOUND", caller.get(`/webhooks/${webhook.id}`))
      yield* expectError(404, "NOT_FOUND", caller.delete(`/webhooks/${webhook.id}`))
      yield* Server.assertConsistent
    }).pipe(served())
  )

  it.live("is created once under an Idempotency-Key, and at most 20 times in all", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const input = { url: "https://hooks.a.example", events: ["*"] }
      const first = yield* caller.send("POST", "/webhooks", idempotentJson("one", input))
      const again = yield* caller.send("POST", "/webhooks", idempotentJson("one", input))
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.deepStrictEqual(again.body, first.body)
      const rotate = () =>
        caller.send("POST", `/webhooks/${first.body.id}/rotate-secret`, idempotentJson("two", undefined))
      const rotated = yield* rotate()
      assert.strictEqual(rotated.status, 200, rotated.text)
      assert.notStrictEqual(rotated.body.secret, first.body.secret)
      assert.deepStrictEqual((yield* rotate()).body, rotated.body)
      assert.strictEqual((yield* expectBody(200, caller.get("/webhooks"))).total, 1)
      for (let i = 1; i < 20; i++) yield* created(caller, input.url)
      yield* expectError(409, "CONFLICT", caller.post("/webhooks", input))
    }).pipe(served())
  )

  it.live("takes an address and events that there are", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const issuesOf = (input: object) =>
        Effect.map(expectError(400, "BAD_REQUEST", caller.post("/webhooks", input)), ({ issues }) =>
          issues.map(({ path }: { readonly path: string }) => path)
        )
      assert.deepStrictEqual(yield* issuesOf({}), ["url", "events"])
      assert.deepStrictEqual(yield* issuesOf({ url: "https://a.example", events: [] }), ["events"])
      assert.deepStrictEqual(yield* issuesOf({ url: "https://a.example", events: ["*", "lead.lost"] }), ["events.1"])
      assert.deepStrictEqual(yield* issuesOf({ url: "a".repeat(2001), events: ["*"] }), ["url"])
      for (const url of ["http://a.example/\r\nX: y", "https://a.exam\tple"]) {
        assert.deepStrictEqual(yield* issuesOf({ url, events: ["*"] }), ["url"])
      }
      const { data } = yield* expectBody(200, caller.get("/webhooks/event-types"))
      const types = data.map(({ type }: { readonly type: string }) => type)
      assert.deepStrictEqual(
        types,
        "list.completed list.failed list.paused list.resumed lead.written lead.failed campaign.ready import.completed credits.low review.changed test".split(
          " "
        )
      )
      assert.deepStrictEqual((yield* created(caller, "https://a.example", types)).events, types)
    }).pipe(served())
  )

  it.live("of another workspace is none", () =>
    Effect.gen(function* () {
      const mine = yield* newCaller()
      const theirs = yield* newCaller()
      const { id } = yield* created(theirs, "https://a.example")
      const delivery = (yield* test(theirs, id)).id
      for (const sent of [
        mine.get(`/webhooks/${id}`),
        mine.patch(`/webhooks/${id}`, { enabled: false }),
        mine.delete(`/webhooks/${id}`),
        mine.post(`/webhooks/${id}/rotate-secret`),
        mine.post(`/webhooks/${id}/test`),
        mine.get(`/webhooks/${id}/deliveries`),
        mine.post(`/webhooks/${id}/deliveries/${delivery}/resend`),
        theirs.post(`/webhooks/${id}/deliveries/${unknownId}/resend`)
      ]) {
        yield* expectError(404, "NOT_FOUND", sent)
      }
      assert.strictEqual((yield* expectBody(200, mine.get("/webhooks"))).total, 0)
    }).pipe(served({ runsWorkers: false }))
  )

  it.live("that is deleted leaves no delivery and no job behind", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { id } = yield* created(caller, "https://a.example")
      const kept = yield* created(caller, "https://b.example")
      for (const webhook of [id, id, kept.id]) yield* test(caller, webhook)
      yield* expectBody(200, caller.delete(`/webhooks/${id}`))
      const sql = yield* SqlClient.SqlClient
      assert.lengthOf(yield* sql`SELECT id FROM webhook_deliveries`, 1)
      assert.lengthOf(yield* sql`SELECT id FROM jobs WHERE type = 'webhook.delivery'`, 1)
      yield* Server.assertConsistent
    }).pipe(served({ runsWorkers: false }))
  )
})

describe("a request to a webhook", () => {
  it.live("is signed as the standard has it, and a replaced secret signs for a day more", () =>
    moved((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const there = yield* webhookReceiver()
        const { id, secret } = yield* created(caller, there.url)
        /** Which of the secrets verify the latest request. The package compares with the time of the machine. */
        const verified = Effect.fnUntraced(function* (ahead: number, ...secrets: ReadonlyArray<string>) {
          const before = there.deliveries.length
          yield* test(caller, id)
          yield* until(
            Effect.sync(() => there.deliveries.length),
            (n) => n > before
          )
          const { body, headers } = there.deliveries.at(-1) ?? assert.fail("nothing came")
          const sent = Number(headers["webhook-timestamp"])
          assert.closeTo(sent * 1000, Date.now() + ahead, 60_000)
          const now = Date.now
          Date.now = () => sent * 1000
          try {
            return secrets.filter((secret) => {
              try {
                assert.deepStrictEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
                return true
              } catch {
                return false
              }
            })
          } finally {
            Date.now = now
          }
        })
        const other = (yield* created(caller, there.url, ["list.failed"])).secret
        assert.deepStrictEqual(yield* verified(0, secret, other), [secret])
        const [first] = there.deliveries
        assert.match(first?.headers["webhook-id"] ?? "", /^msg_[0-9a-f-]{36}$/)
        assert.match(first?.headers["webhook-signature"] ?? "", /^v1,[\w+/]{43}=$/)
        assert.strictEqual(first?.headers["content-type"], "application/json")
        assert.strictEqual(first?.path, "/hook?token=secret-path")
        assert.sameMembers(Object.keys(first?.json), ["type", "timestamp", "data"])
        assert.deepStrictEqual([first?.json.type, first?.json.data], ["test", { webhook_id: id }])
        const testEvent = webhookEvents.find(({ type }) => type === "test") ?? assert.fail()
        Schema.decodeUnknownSync(testEvent.body, { onExcessProperty: "error" })(first?.json)

        const second = (yield* expectBody(200, caller.post(`/webhooks/${id}/rotate-secret`))).secret
        assert.deepStrictEqual(yield* verified(0, secret, second, other), [secret, second])
        const hours = (n: number) => Duration.toMillis(Duration.hours(n))
        yield* movable.jumpBy("12 hours")
        const third = (yield* expectBody(200, caller.post(`/webhooks/${id}/rotate-secret`))).secret
        assert.deepStrictEqual(yield* verified(hours(12), secret, second, third), [secret, second, third])
        yield* movable.jumpBy("12 hours")
        assert.deepStrictEqual(yield* verified(hours(24), secret, second, third), [second, third])
        yield* movable.jumpBy("12 hours")
        assert.deepStrictEqual(yield* verified(hours(36), secret, second, third), [third])
      }).pipe(served())
    )
  )

  it.live("is logged with the beginning of its answer, and can be sent again under its id", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const long = (response: any) => response.writeHead(201).end(`${"\0😀".repeat(3000)}`)
      const there = yield* webhookReceiver(long, 200)
      const { id, secret } = yield* created(caller, there.url)
      const sent = yield* test(caller, id)
      assert.deepInclude(sent, { webhook_id: id, type: "test", status: "pending", attempts: 0, response_code: null })
      const done = yield* attempted(caller, id, 1)
      assert.deepInclude(done, {
        id: sent.id,
        status: "delivered",
        response_code: 201,
        error: null,
        next_attempt_at: null
      })
      assert.strictEqual(done.response, "\uFFFD😀".repeat(500))

      const again = yield* expectBody(202, caller.post(`/webhooks/${id}/deliveries/${sent.id}/resend`))
      assert.deepStrictEqual([again.event_id, again.status], [sent.event_id, "pending"])
      assert.notStrictEqual(again.id, sent.id)
      yield* until(deliveriesOf(caller, id, "?status=delivered"), (all) => all.length === 2)
      const [one, two] = there.deliveries
      assert.strictEqual(one?.headers["webhook-id"], two?.headers["webhook-id"])
      assert.strictEqual(one?.body, two?.body)

      assert.lengthOf(yield* deliveriesOf(caller, id, "?type=test&limit=1"), 1)
      assert.isEmpty(yield* deliveriesOf(caller, id, "?type=list.failed"))
      yield* expectError(400, "BAD_REQUEST", caller.get(`/webhooks/${id}/deliveries?status=lost`))
      // Its address may hold a token, and the secret signs.
      const { logs } = yield* Server.Server
      assert.notInclude(logs.join("\n") + (yield* caller.get(`/webhooks/${id}/deliveries`)).text, secret)
      assert.notInclude(logs.join("\n"), "secret-path")
      yield* Server.assertConsistent
    }).pipe(served())
  )

  it.live("is made only while the webhook is enabled", () =>
    moved((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const there = yield* webhookReceiver(500)
        const { id } = yield* created(caller, there.url)
        const { id: delivery } = yield* test(caller, id)
        yield* attempted(caller, id, 1)
        yield* expectBody(200, caller.patch(`/webhooks/${id}`, { enabled: false }))
        yield* movable.jumpBy("5 seconds")
        const [failed] = yield* until(deliveriesOf(caller, id), ([one]) => one.status === "failed")
        assert.deepInclude(failed, { attempts: 1, error: "The webhook is disabled", response_code: 500 })
        yield* expectError(422, "UNPROCESSABLE", caller.post(`/webhooks/${id}/test`))
        yield* expectError(422, "UNPROCESSABLE", caller.post(`/webhooks/${id}/deliveries/${delivery}/resend`))
        assert.lengthOf(there.deliveries, 1)
        yield* expectBody(200, caller.patch(`/webhooks/${id}`, { enabled: true }))
        yield* expectBody(202, caller.post(`/webhooks/${id}/deliveries/${delivery}/resend`))
        yield* until(deliveriesOf(caller, id), ([newest]) => newest.status === "delivered")
        yield* Server.assertConsistent
      }).pipe(served())
    )
  )
})

describe("an attempt that fails", () => {
  it.live("is repeated by the schedule, and given up after the last", () =>
    moved((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const there = yield* webhookReceiver(...Array.from({ length: 10 }, (): ScriptedAnswer => 503))
        const { id } = yield* created(caller, there.url)
        yield* test(caller, id)
        const [seconds, minutes, hours] = [1000, 60_000, 3_600_000]
        assert.deepStrictEqual(retryDelays, [
          5 * seconds,
          5 * minutes,
          30 * minutes,
          ...[2, 5, 10, 14, 20, 24].map((pause) => pause * hours)
        ])
        for (const [at, pause] of retryDelays.entries()) {
          const before = (yield* Clock.currentTimeMillis) - 1000
          const { next_attempt_at, ...delivery } = yield* attempted(caller, id, at + 1)
          assert.deepInclude(delivery, {
            status: "pending",
            attempts: at + 1,
            response_code: 503,
            response: "answered 503",
            error: "The receiver answered 503"
          })
          assert.closeTo(Date.parse(next_attempt_at) - before, pause, 20_000)
          if (at > 0) {
            // A little earlier nothing is sent.
            yield* movable.jumpBy(pause - 30_000)
            yield* Effect.sleep(150)
            assert.lengthOf(there.deliveries, at + 1)
            yield* movable.jumpBy(30_000)
          } else yield* movable.jumpBy(pause)
        }
        assert.deepInclude(yield* attempted(caller, id, 10), { status: "failed", attempts: 10, next_attempt_at: null })
        const ids = new Set(there.deliveries.map(({ headers }) => headers["webhook-id"]))
        assert.strictEqual(ids.size, 1)
        // Attempts over three days disable nothing.
        const webhook = yield* expectBody(200, caller.get(`/webhooks/${id}`))
        assert.deepInclude(webhook, { enabled: true, disabled_reason: null })
        assert.isString(webhook.failing_since)
        yield* test(caller, id)
        yield* until(deliveriesOf(caller, id), ([newest]) => newest.status === "delivered")
        assert.isNull((yield* expectBody(200, caller.get(`/webhooks/${id}`))).failing_since)
        yield* Server.assertConsistent
      }).pipe(served())
    )
  )

  const asking =
    (retryAfter: string): ScriptedAnswer =>
    (response) =>
      response.writeHead(429, { "retry-after": retryAfter }).end()

  it.live.each([
    { name: "seconds, which are more than the schedule", retryAfter: "90", pause: 90_000 },
    { name: "seconds, which are less", retryAfter: "1", pause: 5000 },
    { name: "a date", retryAfter: new Date(Date.now() + 600_000).toUTCString(), pause: 600_000 },
    { name: "more than a day", retryAfter: "864000", pause: 86_400_000 },
    { name: "nonsense", retryAfter: "soon", pause: 5000 }
  ])("honours a Retry-After of $name", ({ pause, retryAfter }) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const there = yield* webhookReceiver(asking(retryAfter))
      const { id } = yield* created(caller, there.url)
      yield* test(caller, id)
      const { next_attempt_at } = yield* attempted(caller, id, 1)
      assert.closeTo(Date.parse(next_attempt_at) - Date.now(), pause, 3000 + pause / 20)
    }).pipe(served())
  )

  it("reads a Retry-After of either form alone", () => {
    const at = Date.parse("2026-07-14T09:30:00Z")
    assert.deepStrictEqual(
      [
        undefined,
        "",
        "0",
        " 7 ",
        "-1",
        "1.5",
        "Tue, 14 Jul 2026 09:31:00 GMT",
        "Tue, 14 Jul 2026 09:29:00 GMT",
        "2026-07-14"
      ].map((header) => parseRetryAfter(header, at)),
      [null, null, 0, 7000, null, null, 60_000, 0, null]
    )
  })

  it.live("with 410 disables the webhook at once", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const there = yield* webhookReceiver(410)
      const { id } = yield* created(caller, there.url)
      yield* test(caller, id)
      assert.deepInclude(yield* attempted(caller, id, 1), { status: "failed", attempts: 1, response_code: 410 })
      const webhook = yield* expectBody(200, caller.get(`/webhooks/${id}`))
      assert.deepInclude(webhook, { enabled: false, disabled_reason: "gone" })
      const again = yield* expectBody(200, caller.patch(`/webhooks/${id}`, { enabled: true }))
      assert.deepInclude(again, { enabled: true, disabled_reason: null, failing_since: null })
      yield* Server.assertConsistent
    }).pipe(served())
  )

  it.live("for five days disables the webhook with one mail to the owner", () => {
    const mails: Array<Mail> = []
    const mailer = Layer.succeed(Mailer, { send: (mail) => Effect.sync(() => void mails.push(mail)) })
    return moved((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller({ owner: "owner@acme.example" })
        const there = yield* webhookReceiver(...Array.from({ length: 40 }, (): ScriptedAnswer => 500))
        const { id } = yield* created(caller, there.url)
        yield* test(caller, id)
        for (const [at, pause] of retryDelays.entries()) {
          yield* attempted(caller, id, at + 1)
          yield* movable.jumpBy(pause)
        }
        yield* attempted(caller, id, 10)
        const sum = retryDelays.reduce((all, pause) => all + pause, 0)
        // A little earlier another failure disables nothing.
        yield* movable.jumpBy(Duration.toMillis("5 days") - sum - Duration.toMillis("2 hours"))
        yield* test(caller, id)
        yield* attempted(caller, id, 1)
        assert.isTrue((yield* expectBody(200, caller.get(`/webhooks/${id}`))).enabled)
        // Two at once fail after five days; one of them disables it, which may refuse the other before it is stored.
        yield* movable.jumpBy("2 hours")
        const answers = yield* Effect.all(
          [1, 2].map(() => caller.send("POST", `/webhooks/${id}/test`)),
          { concurrency: 2 }
        )
        assert.isTrue(answers.some(({ status }) => status === 202))
        const webhook = yield* until(expectBody(200, caller.get(`/webhooks/${id}`)), ({ enabled }) => !enabled)
        assert.deepInclude(webhook, { enabled: false, disabled_reason: "failing" })
        const [mail] = yield* until(
          Effect.sync(() => mails),
          ({ length }) => length > 0
        )
        assert.deepInclude(mail, {
          to: "owner@acme.example",
          subject: "Webhook disabled: 127. 0. 0. 1"
        })
        assert.include(mail?.text, id)
        assert.notInclude(mail?.text, "secret-path")
        yield* Effect.sleep(300)
        assert.lengthOf(mails, 1)
        yield* Server.assertConsistent
      }).pipe(served({ mailer }))
    )
  })

  it.live("once before the clock is set forward disables nothing", () =>
    moved((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const there = yield* webhookReceiver(500, 500)
        const { id } = yield* created(caller, there.url)
        yield* test(caller, id)
        yield* attempted(caller, id, 1)
        yield* movable.jumpBy("30 days")
        yield* attempted(caller, id, 2)
        assert.isTrue((yield* expectBody(200, caller.get(`/webhooks/${id}`))).enabled)
        yield* movable.jumpBy("-60 days")
        yield* until(deliveriesOf(caller, id), ([newest]) => newest.status === "delivered")
      }).pipe(served())
    )
  )

  it.live("because nothing listens, or the answer takes more than 15 seconds, says so", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const silent = yield* listen(createServer(() => {}))
      const stalling = yield* webhookReceiver((response) => response.writeHead(200).write("part"))
      const closed = yield* listen(createServer(() => {}))
      closed.close()
      const webhooks = yield* Effect.forEach(
        [`http://127.0.0.1:${silent.port}`, `http://127.0.0.1:${closed.port}`, stalling.url],
        (url) => created(caller, url)
      )
      yield* Effect.forEach(webhooks, ({ id }) => test(caller, id))
      const [late, refused, partial] = yield* Effect.forEach(webhooks, ({ id }) => attempted(caller, id, 1))
      assert.deepInclude(late, { status: "pending", error: "The receiver did not answer in time", response_code: null })
      assert.deepInclude(refused, { status: "pending", error: "The receiver could not be reached", response: null })
      // The status came in time, and that is what counts.
      assert.deepInclude(partial, { status: "delivered", response_code: 200, response: "part" })
    }).pipe(served())
  )

  it.live("because of a redirect sends nothing where it leads", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const secret = yield* webhookReceiver()
      const there = yield* webhookReceiver((response) => response.writeHead(307, { location: secret.url }).end())
      const { id } = yield* created(caller, there.url)
      yield* test(caller, id)
      const failed = yield* attempted(caller, id, 1)
      assert.deepInclude(failed, { status: "pending", response_code: 307, error: "Redirects are not followed" })
      assert.isEmpty(secret.deliveries)
    }).pipe(served())
  )
})

describe("a server that may reach the public web alone", () => {
  it.live("takes no private address, and sends nothing to a name that turns out to be one", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const there = yield* webhookReceiver()
      const { port } = new URL(there.url)
      const public_ = yield* created(caller, "https://a.example")
      for (const url of [
        there.url,
        "http://127.0.0.1/",
        "http://127.1/",
        "http://0x7f000001/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest",
        "http://10.0.0.1/",
        "https://a.example:8080/",
        "https://user:pass@a.example/",
        "ftp://a.example/",
        "file:///etc/passwd",
        "a.example"
      ]) {
        for (const sent of [
          caller.post("/webhooks", { url, events: ["*"] }),
          caller.patch(`/webhooks/${public_.id}`, { url })
        ]) {
          const { issues } = yield* expectError(400, "BAD_REQUEST", sent)
          assert.strictEqual(issues[0].path, "url", url)
        }
      }
      const { id } = yield* created(caller, "http://localhost/")
      yield* test(caller, id)
      const failed = yield* attempted(caller, id, 1)
      assert.deepInclude(failed, { status: "pending", response_code: null, response: null })
      assert.match(failed.error, /private/)
      // An address that was let in by other settings is checked again.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE webhooks SET url = ${`http://127.0.0.1:${port}/`} WHERE id = ${public_.id}`
      yield* test(caller, public_.id)
      assert.match((yield* attempted(caller, public_.id, 1)).error, /port|private/)
      assert.isEmpty(there.deliveries)
    }).pipe(Server.withServer())
  )
})

describe("content", () => {
  it.live("needs a key that may read lists", () =>
    Effect.gen(function* () {
      const owner = yield* newCaller()
      const caller = yield* callerFor(owner.workspace, ["workspace:read", "workspace:write"])
      const input = { url: "https://a.example", events: ["lead.written"] }
      yield* expectError(403, "FORBIDDEN", caller.post("/webhooks", { ...input, include_content: true }))
      const { id } = yield* created(caller, input.url)
      yield* expectError(403, "FORBIDDEN", caller.patch(`/webhooks/${id}`, { include_content: true }))
      yield* expectBody(200, owner.patch(`/webhooks/${id}`, { include_content: true }))
      yield* expectError(403, "FORBIDDEN", caller.patch(`/webhooks/${id}`, { url: "https://b.example" }))
      yield* expectError(403, "FORBIDDEN", caller.patch(`/webhooks/${id}`, { events: ["*"] }))
      const without = { include_content: false, url: "https://b.example" }
      assert.deepInclude(yield* expectBody(200, caller.patch(`/webhooks/${id}`, without)), without)
      yield* expectBody(200, caller.delete(`/webhooks/${id}`))
    }).pipe(served({ runsWorkers: false }))
  )

  it.live("is sent no more once it is turned off, neither by a retry nor by a resent delivery", () =>
    moved((movable) =>
      Effect.gen(function* () {
        const there = yield* webhookReceiver(503)
        const caller = yield* onboardedCaller({ plan: "growth" })
        const campaign = yield* Campaigns.builtCampaign(caller)
        const { id } = yield* created(caller, there.url, ["lead.written"], { include_content: true })
        yield* waitForList(caller, yield* startBatch(caller, campaign, makeLeads(1)))
        const delivery = yield* attempted(caller, id, 1)
        yield* expectBody(200, caller.patch(`/webhooks/${id}`, { include_content: false }))
        yield* movable.jumpBy(retryDelays[0] ?? 0)
        yield* attempted(caller, id, 2)
        yield* expectBody(202, caller.post(`/webhooks/${id}/deliveries/${delivery.id}/resend`))
        yield* attempted(caller, id, 1)
        const contents = there.deliveries.map(({ json }) => ["lead", "emails"].map((key) => key in json.data))
        assert.deepStrictEqual(contents, [
          [true, true],
          [false, false],
          [false, false]
        ])
      }).pipe(served())
    )
  )
})

describe("an answer", () => {
  it.live("that repeats a lead is not stored if the lead was erased during the attempt", () =>
    Effect.gen(function* () {
      let answerNow = () => {}
      const there = yield* webhookReceiver((response, { body }) => {
        answerNow = () => response.writeHead(200).end(body)
      })
      const caller = yield* onboardedCaller({ plan: "growth" })
      const campaign = yield* Campaigns.builtCampaign(caller)
      const { id } = yield* created(caller, there.url, ["lead.written"], { include_content: true })
      yield* waitForList(caller, yield* startBatch(caller, campaign, makeLeads(1)))
      const [sent] = yield* until(
        Effect.sync(() => there.deliveries),
        ({ length }) => length > 0
      )
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE webhook_deliveries SET payload = ${withoutContent(sent?.body ?? "")} WHERE webhook_id = ${id}`
      answerNow()
      assert.deepInclude(yield* attempted(caller, id, 1), { status: "delivered", response_code: 200, response: null })
    }).pipe(served())
  )
})

describe("events", () => {
  /** Asserts that each body is as `webhooks` of the OpenAPI document has it, with no other field. */
  const asDocumented = (deliveries: ReadonlyArray<{ readonly json: any }>) => {
    for (const { json } of deliveries) {
      const { body } = webhookEvents.find(({ type }) => type === json.type) ?? assert.fail(json.type)
      Schema.decodeUnknownSync(body, { onExcessProperty: "error" })(json)
    }
  }
  const typesIn = (deliveries: ReadonlyArray<{ readonly json: any }>) =>
    deliveries.map(({ json }) => json.type as string).filter((type) => type !== "test")

  it.live("tell of what happens by ids and counts, and of leads and emails where that is asked for", () =>
    Effect.gen(function* () {
      const plain = yield* webhookReceiver()
      const full = yield* webhookReceiver()
      const few = yield* webhookReceiver()
      const caller = yield* onboardedCaller({ plan: "growth" })
      yield* created(caller, plain.url)
      yield* created(caller, full.url, ["*"], { include_content: true })
      yield* created(caller, few.url, ["list.failed", "campaign.ready"])
      const campaign = yield* Campaigns.builtCampaign(caller)
      const file = yield* expectBody(
        202,
        caller.send("POST", "/workspace/imports/document", upload("a.txt", "Oak builds boats."))
      )
      yield* awaitJob(caller, file.id)
      const leads = [
        { email: "ida@north.example", name: "Ida Moreau", custom_fields: { tier: "gold" } },
        { email: "nora@north.example", name: "Nora" },
        { email: "kim@north.example" }
      ]
      const list = yield* startBatch(caller, campaign, leads)
      yield* waitForList(caller, list)
      const failed = yield* startBatch(caller, campaign, [{ email: "nora2@north.example", name: "Nora" }])
      yield* waitForList(caller, failed, "failed")
      const [lead] = (yield* expectBody(200, caller.get(`/lists/${list}/leads?status=completed`))).data
      for (let i = 0; i < 2; i++) {
        yield* expectBody(
          200,
          caller.put(`/lists/${list}/leads/${lead.id}/review`, { status: "approved", note: "For Ida" })
        )
      }
      yield* expectBody(200, caller.post(`/lists/${list}/review`, { status: "rejected" }))
      yield* expectBody(200, caller.post(`/lists/${list}/review`, { status: "rejected" }))
      yield* expectBody(
        200,
        caller.post(`/campaigns/${campaign}/generate`, {
          lead: { email: "solo@north.example" },
          options: { email_count: 2, email_signature: "Ann" }
        })
      )

      const expected =
        `campaign.ready import.completed lead.written lead.written lead.failed list.completed lead.failed list.failed
        review.changed review.changed lead.written list.completed`
          .split(/\s+/)
          .toSorted()
      for (const { deliveries } of [plain, full]) {
        yield* until(
          Effect.sync(() => deliveries.length),
          (n) => n >= expected.length
        )
        assert.deepStrictEqual(typesIn(deliveries).toSorted(), expected)
      }
      yield* until(
        Effect.sync(() => few.deliveries.length),
        (n) => n >= 2
      )
      assert.sameMembers(typesIn(few.deliveries), ["campaign.ready", "list.failed"])

      const dataOf = (deliveries: typeof plain.deliveries, type: string) =>
        deliveries.filter(({ json }) => json.type === type).map(({ json }) => json.data)
      assert.notMatch(plain.deliveries.map((one) => one.body).join(), /@|Ida|Moreau|Nora|gold|Subject|subject/)
      assert.sameDeepMembers(
        dataOf(plain.deliveries, "list.completed").map(({ list_id, ...rest }) => ({ ours: list_id === list, ...rest })),
        [
          {
            ours: true,
            campaign_id: campaign,
            leads_count: 3,
            leads_done: 2,
            leads_failed: 1,
            leads_skipped: 0,
            emails_created: 2,
            source: "batch"
          },
          {
            ours: false,
            campaign_id: campaign,
            leads_count: 1,
            leads_done: 1,
            leads_failed: 0,
            leads_skipped: 0,
            emails_created: 2,
            source: "api_single"
          }
        ]
      )
      assert.sameDeepMembers(
        dataOf(plain.deliveries, "review.changed").map(({ lead_id, ...rest }) => ({
          one: lead_id === lead.id,
          ...rest
        })),
        [
          { one: true, list_id: list, status: "approved", changed: 1 },
          { one: false, list_id: list, status: "rejected", changed: 2 }
        ]
      )
      assert.deepStrictEqual(dataOf(plain.deliveries, "import.completed"), [
        {
          job_id: file.id,
          source: "document",
          status: "success",
          fields_updated: dataOf(plain.deliveries, "import.completed")[0].fields_updated
        }
      ])
      assert.deepStrictEqual(
        dataOf(plain.deliveries, "lead.failed").map(({ reason }) => reason),
        ["fault", "fault"]
      )
      const written = dataOf(full.deliveries, "lead.written").find(({ lead }) => lead.email === "ida@north.example")
      assert.deepInclude(written.lead, { name: "Ida Moreau", custom_fields: { tier: "gold" } })
      assert.strictEqual(written.emails.length, written.emails_created)
      assert.isString(written.emails[0].body)
      assert.isString(dataOf(full.deliveries, "lead.failed")[0].message)
      asDocumented([...plain.deliveries, ...full.deliveries])
      const bodies = full.deliveries.map((one) => one.body)
      assert.sameMembers(
        bodies.map(withoutContent),
        plain.deliveries.map((one) => one.body)
      )
      // Both webhooks get an event under one id.
      assert.sameMembers(
        plain.deliveries.map(({ headers }) => headers["webhook-id"]),
        full.deliveries.map(({ headers }) => headers["webhook-id"])
      )
      yield* Server.assertConsistent
    }).pipe(
      served({
        writer: {
          sequence: (brief) => (brief.lead.name === "Nora" ? Effect.fail(refusal) : fakeWriter.sequence(brief))
        }
      })
    )
  )

  it.live("tell of a list that waits and continues, and of credits that run low, once each", () => {
    let down = true
    return Effect.gen(function* () {
      const there = yield* webhookReceiver()
      const caller = yield* onboardedCaller({ plan: "free" })
      const campaign = yield* Campaigns.builtCampaign(caller)
      yield* created(caller, there.url, ["list.paused", "list.resumed", "credits.low"])
      const list = yield* startBatch(caller, campaign, makeLeads(30))
      yield* waitForList(caller, list, "pending")
      down = false
      yield* expectBody(202, caller.post(`/lists/${list}`))
      yield* waitForList(caller, list)
      assert.deepStrictEqual(typesIn(there.deliveries), ["list.paused", "list.resumed"])
      const [paused] = there.deliveries
      assert.deepInclude(paused?.json.data, {
        list_id: list,
        leads_count: 30,
        leads_done: 0,
        resumes_automatically: false
      })
      // 50 credits of the plan: 20 are left, then 10, 5 and none.
      for (const [count, percent] of [
        [10, 20],
        [5, 10],
        [5, 0]
      ] as const) {
        const before = there.deliveries.length
        yield* waitForList(caller, yield* startBatch(caller, campaign, makeLeads(count)))
        yield* until(
          Effect.sync(() => there.deliveries.length),
          (n) => n > before
        )
        const { data, type } = (there.deliveries.at(-1) ?? assert.fail("nothing came")).json
        assert.strictEqual(type, "credits.low")
        assert.deepStrictEqual(data, { percent, remaining: (50 * percent) / 100, monthly_allocated: 50 })
      }
      yield* Effect.sleep(200)
      assert.lengthOf(there.deliveries, 5)
      asDocumented(there.deliveries)
      yield* Server.assertConsistent
    }).pipe(served({ writer: { sequence: (brief) => (down ? Effect.fail(outage) : fakeWriter.sequence(brief)) } }))
  })

  it.live("are stored in the transaction of what they tell of: where they cannot be, nothing is changed", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* Campaigns.builtCampaign(caller)
      const list = yield* startBatch(caller, campaign, makeLeads(1))
      yield* waitForList(caller, list)
      const [lead] = (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data
      yield* created(caller, "https://a.example", ["review.changed"])
      yield* Server.dropTable("webhook_deliveries")
      const approve = caller.put(`/lists/${list}/leads/${lead.id}/review`, { status: "approved" })
      yield* expectError(500, "INTERNAL_ERROR", approve)
      assert.strictEqual((yield* expectBody(200, caller.get(`/lists/${list}/leads/${lead.id}`))).review.status, "open")
    }).pipe(served())
  )

  it.live("are stored for a webhook from its creation to its end, and for none that wants others", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* Campaigns.builtCampaign(caller)
      const sql = yield* SqlClient.SqlClient
      const stored = Effect.map(sql`SELECT id FROM webhook_deliveries`, (rows) => rows.length)
      const write = Effect.flatMap(startBatch(caller, campaign, makeLeads(2)), (list) => waitForList(caller, list))
      yield* write
      const { id } = yield* created(caller, "https://a.example", ["list.failed"])
      yield* write
      assert.strictEqual(yield* stored, 0)
      // The very next event is recorded, whatever was cached.
      yield* expectBody(200, caller.patch(`/webhooks/${id}`, { events: ["lead.written"] }))
      yield* write
      assert.strictEqual(yield* stored, 2)
      yield* expectBody(200, caller.patch(`/webhooks/${id}`, { enabled: false }))
      yield* write
      yield* expectBody(200, caller.patch(`/webhooks/${id}`, { enabled: true, events: ["*"] }))
      yield* write
      assert.strictEqual(yield* stored, 5)
      yield* expectBody(200, caller.delete(`/webhooks/${id}`))
      yield* write
      assert.strictEqual(yield* stored, 0)
      yield* Server.assertConsistent
    }).pipe(served())
  )
})

it.live("a request with a body that is no object is refused in the words of the contract", () =>
  Effect.gen(function* () {
    const caller = yield* newCaller()
    yield* expectError(400, "BAD_REQUEST", caller.send("POST", "/webhooks", json("[]")))
    yield* expectError(400, "BAD_REQUEST", caller.send("POST", "/webhooks", json("{")))
  }).pipe(served())
)
