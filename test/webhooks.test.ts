// test/webhooks.test.ts: managing webhooks, their events, the signatures of requests, and retries of failed deliveries.
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

const anyAddressAllowed = Layer.succeed(AddressPolicy, allowAllAddresses)

/** Provides a server that may send webhooks to loopback addresses. */
const withWebhookServer = (options: Server.Options = {}) =>
  Effect.provide(
    Server.layer({ rate: { limit: 1_000_000, window: Duration.minutes(1) }, ...options }).pipe(
      Layer.provide(anyAddressAllowed)
    )
  )

/** Runs a test on a clock that it can set forward and back. */
const onMovableClock = <E, R>(run: (movable: MovableClock) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { clock, movable } = yield* movableClock()
    yield* Effect.provideService(run(movable), Clock.Clock, clock)
  })

const createWebhook = (caller: Caller, url: string, events: ReadonlyArray<string> = ["*"], otherFields: object = {}) =>
  expectBody(201, caller.post("/webhooks", { url, events, ...otherFields }))

const deliveriesOf = (caller: Caller, id: string, query = "") =>
  Effect.map(
    expectBody(200, caller.get(`/webhooks/${id}/deliveries${query}`)),
    ({ data }) => data as ReadonlyArray<any>
  )

/** Waits until the newest delivery has had that many attempts, and returns it. */
const deliveryAfter = (caller: Caller, id: string, attempts: number) =>
  Effect.map(
    until(deliveriesOf(caller, id), ([newest]) => newest?.attempts >= attempts),
    ([newest]) => newest
  )

const sendTestEvent = (caller: Caller, id: string) => expectBody(202, caller.post(`/webhooks/${id}/test`))

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
      const allEventsWebhook = yield* createWebhook(caller, "http://b.example", ["*", "lead.failed"], {
        include_content: true
      })
      assert.deepStrictEqual([allEventsWebhook.events, allEventsWebhook.include_content], [["*"], true])
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
    }).pipe(withWebhookServer())
  )

  it.live("is created once under an Idempotency-Key, and at most 20 times in all", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const input = { url: "https://hooks.a.example", events: ["*"] }
      const first = yield* caller.send("POST", "/webhooks", idempotentJson("one", input))
      const replayed = yield* caller.send("POST", "/webhooks", idempotentJson("one", input))
      assert.strictEqual(replayed.headers.get("idempotent-replayed"), "true")
      assert.deepStrictEqual(replayed.body, first.body)
      const rotate = () =>
        caller.send("POST", `/webhooks/${first.body.id}/rotate-secret`, idempotentJson("two", undefined))
      const rotated = yield* rotate()
      assert.strictEqual(rotated.status, 200, rotated.text)
      assert.notStrictEqual(rotated.body.secret, first.body.secret)
      assert.deepStrictEqual((yield* rotate()).body, rotated.body)
      assert.strictEqual((yield* expectBody(200, caller.get("/webhooks"))).total, 1)
      for (let i = 1; i < 20; i++) yield* createWebhook(caller, input.url)
      yield* expectError(409, "CONFLICT", caller.post("/webhooks", input))
    }).pipe(withWebhookServer())
  )

  it.live("accepts only valid URLs and known events", () =>
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
      assert.deepStrictEqual((yield* createWebhook(caller, "https://a.example", types)).events, types)
    }).pipe(withWebhookServer())
  )

  it.live("of another workspace is not found", () =>
    Effect.gen(function* () {
      const mine = yield* newCaller()
      const theirs = yield* newCaller()
      const { id } = yield* createWebhook(theirs, "https://a.example")
      const delivery = (yield* sendTestEvent(theirs, id)).id
      for (const request of [
        mine.get(`/webhooks/${id}`),
        mine.patch(`/webhooks/${id}`, { enabled: false }),
        mine.delete(`/webhooks/${id}`),
        mine.post(`/webhooks/${id}/rotate-secret`),
        mine.post(`/webhooks/${id}/test`),
        mine.get(`/webhooks/${id}/deliveries`),
        mine.post(`/webhooks/${id}/deliveries/${delivery}/resend`),
        theirs.post(`/webhooks/${id}/deliveries/${unknownId}/resend`)
      ]) {
        yield* expectError(404, "NOT_FOUND", request)
      }
      assert.strictEqual((yield* expectBody(200, mine.get("/webhooks"))).total, 0)
    }).pipe(withWebhookServer({ runsWorkers: false }))
  )

  it.live("leaves no delivery and no job after it is deleted", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { id } = yield* createWebhook(caller, "https://a.example")
      const otherWebhook = yield* createWebhook(caller, "https://b.example")
      for (const webhook of [id, id, otherWebhook.id]) yield* sendTestEvent(caller, webhook)
      yield* expectBody(200, caller.delete(`/webhooks/${id}`))
      const sql = yield* SqlClient.SqlClient
      assert.lengthOf(yield* sql`SELECT id FROM webhook_deliveries`, 1)
      assert.lengthOf(yield* sql`SELECT id FROM jobs WHERE type = 'webhook.delivery'`, 1)
      yield* Server.assertConsistent
    }).pipe(withWebhookServer({ runsWorkers: false }))
  )
})

describe("a request to a webhook", () => {
  it.live("is signed by Standard Webhooks, and by a replaced secret for one more day", () =>
    onMovableClock((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const receiver = yield* webhookReceiver()
        const { id, secret } = yield* createWebhook(caller, receiver.url)
        /** Sends a test event and returns the secrets that verify it. The package reads Date.now, so that is set to the request's time. */
        const verifyingSecrets = Effect.fnUntraced(function* (aheadMillis: number, ...secrets: ReadonlyArray<string>) {
          const deliveriesBefore = receiver.deliveries.length
          yield* sendTestEvent(caller, id)
          yield* until(
            Effect.sync(() => receiver.deliveries.length),
            (n) => n > deliveriesBefore
          )
          const { body, headers } = receiver.deliveries.at(-1) ?? assert.fail("nothing came")
          const sentAtSeconds = Number(headers["webhook-timestamp"])
          assert.closeTo(sentAtSeconds * 1000, Date.now() + aheadMillis, 60_000)
          const now = Date.now
          Date.now = () => sentAtSeconds * 1000
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
        const otherSecret = (yield* createWebhook(caller, receiver.url, ["list.failed"])).secret
        assert.deepStrictEqual(yield* verifyingSecrets(0, secret, otherSecret), [secret])
        const [firstDelivery] = receiver.deliveries
        assert.match(firstDelivery?.headers["webhook-id"] ?? "", /^msg_[0-9a-f-]{36}$/)
        assert.match(firstDelivery?.headers["webhook-signature"] ?? "", /^v1,[\w+/]{43}=$/)
        assert.strictEqual(firstDelivery?.headers["content-type"], "application/json")
        assert.strictEqual(firstDelivery?.path, "/hook?token=secret-path")
        assert.sameMembers(Object.keys(firstDelivery?.json), ["type", "timestamp", "data"])
        assert.deepStrictEqual([firstDelivery?.json.type, firstDelivery?.json.data], ["test", { webhook_id: id }])
        const testEvent = webhookEvents.find(({ type }) => type === "test") ?? assert.fail()
        Schema.decodeUnknownSync(testEvent.body, { onExcessProperty: "error" })(firstDelivery?.json)

        const secondSecret = (yield* expectBody(200, caller.post(`/webhooks/${id}/rotate-secret`))).secret
        assert.deepStrictEqual(yield* verifyingSecrets(0, secret, secondSecret, otherSecret), [secret, secondSecret])
        const hours = (n: number) => Duration.toMillis(Duration.hours(n))
        yield* movable.jumpBy("12 hours")
        const thirdSecret = (yield* expectBody(200, caller.post(`/webhooks/${id}/rotate-secret`))).secret
        assert.deepStrictEqual(yield* verifyingSecrets(hours(12), secret, secondSecret, thirdSecret), [
          secret,
          secondSecret,
          thirdSecret
        ])
        yield* movable.jumpBy("12 hours")
        assert.deepStrictEqual(yield* verifyingSecrets(hours(24), secret, secondSecret, thirdSecret), [
          secondSecret,
          thirdSecret
        ])
        yield* movable.jumpBy("12 hours")
        assert.deepStrictEqual(yield* verifyingSecrets(hours(36), secret, secondSecret, thirdSecret), [thirdSecret])
      }).pipe(withWebhookServer())
    )
  )

  it.live("is logged with the start of its response, and can be resent under its event id", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const longAnswer = (response: any) => response.writeHead(201).end(`${"\0😀".repeat(3000)}`)
      const receiver = yield* webhookReceiver(longAnswer, 200)
      const { id, secret } = yield* createWebhook(caller, receiver.url)
      const pendingDelivery = yield* sendTestEvent(caller, id)
      assert.deepInclude(pendingDelivery, {
        webhook_id: id,
        type: "test",
        status: "pending",
        attempts: 0,
        response_code: null
      })
      const delivered = yield* deliveryAfter(caller, id, 1)
      assert.deepInclude(delivered, {
        id: pendingDelivery.id,
        status: "delivered",
        response_code: 201,
        error: null,
        next_attempt_at: null
      })
      assert.strictEqual(delivered.response, "\uFFFD😀".repeat(500))

      const resent = yield* expectBody(202, caller.post(`/webhooks/${id}/deliveries/${pendingDelivery.id}/resend`))
      assert.deepStrictEqual([resent.event_id, resent.status], [pendingDelivery.event_id, "pending"])
      assert.notStrictEqual(resent.id, pendingDelivery.id)
      yield* until(deliveriesOf(caller, id, "?status=delivered"), (deliveries) => deliveries.length === 2)
      const [firstRequest, secondRequest] = receiver.deliveries
      assert.strictEqual(firstRequest?.headers["webhook-id"], secondRequest?.headers["webhook-id"])
      assert.strictEqual(firstRequest?.body, secondRequest?.body)

      assert.lengthOf(yield* deliveriesOf(caller, id, "?type=test&limit=1"), 1)
      assert.isEmpty(yield* deliveriesOf(caller, id, "?type=list.failed"))
      yield* expectError(400, "BAD_REQUEST", caller.get(`/webhooks/${id}/deliveries?status=lost`))
      // The webhook's URL may contain a token, so neither it nor the secret is logged.
      const { logs } = yield* Server.Server
      assert.notInclude(logs.join("\n") + (yield* caller.get(`/webhooks/${id}/deliveries`)).text, secret)
      assert.notInclude(logs.join("\n"), "secret-path")
      yield* Server.assertConsistent
    }).pipe(withWebhookServer())
  )

  it.live("is made only while the webhook is enabled", () =>
    onMovableClock((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const receiver = yield* webhookReceiver(500)
        const { id } = yield* createWebhook(caller, receiver.url)
        const { id: delivery } = yield* sendTestEvent(caller, id)
        yield* deliveryAfter(caller, id, 1)
        yield* expectBody(200, caller.patch(`/webhooks/${id}`, { enabled: false }))
        yield* movable.jumpBy("5 seconds")
        const [failed] = yield* until(deliveriesOf(caller, id), ([newest]) => newest.status === "failed")
        assert.deepInclude(failed, { attempts: 1, error: "The webhook is disabled", response_code: 500 })
        yield* expectError(422, "UNPROCESSABLE", caller.post(`/webhooks/${id}/test`))
        yield* expectError(422, "UNPROCESSABLE", caller.post(`/webhooks/${id}/deliveries/${delivery}/resend`))
        assert.lengthOf(receiver.deliveries, 1)
        yield* expectBody(200, caller.patch(`/webhooks/${id}`, { enabled: true }))
        yield* expectBody(202, caller.post(`/webhooks/${id}/deliveries/${delivery}/resend`))
        yield* until(deliveriesOf(caller, id), ([newest]) => newest.status === "delivered")
        yield* Server.assertConsistent
      }).pipe(withWebhookServer())
    )
  )
})

describe("an attempt that fails", () => {
  it.live("is retried on schedule, and abandoned after the last retry", () =>
    onMovableClock((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const receiver = yield* webhookReceiver(...Array.from({ length: 10 }, (): ScriptedAnswer => 503))
        const { id } = yield* createWebhook(caller, receiver.url)
        yield* sendTestEvent(caller, id)
        const [seconds, minutes, hours] = [1000, 60_000, 3_600_000]
        assert.deepStrictEqual(retryDelays, [
          5 * seconds,
          5 * minutes,
          30 * minutes,
          ...[2, 5, 10, 14, 20, 24].map((delayHours) => delayHours * hours)
        ])
        for (const [retry, delayMillis] of retryDelays.entries()) {
          const attemptedAfter = (yield* Clock.currentTimeMillis) - 1000
          const { next_attempt_at, ...delivery } = yield* deliveryAfter(caller, id, retry + 1)
          assert.deepInclude(delivery, {
            status: "pending",
            attempts: retry + 1,
            response_code: 503,
            response: "answered 503",
            error: "The receiver answered 503"
          })
          assert.closeTo(Date.parse(next_attempt_at) - attemptedAfter, delayMillis, 20_000)
          if (retry > 0) {
            // Nothing is sent before the delay has passed.
            yield* movable.jumpBy(delayMillis - 30_000)
            yield* Effect.sleep(150)
            assert.lengthOf(receiver.deliveries, retry + 1)
            yield* movable.jumpBy(30_000)
          } else yield* movable.jumpBy(delayMillis)
        }
        assert.deepInclude(yield* deliveryAfter(caller, id, 10), {
          status: "failed",
          attempts: 10,
          next_attempt_at: null
        })
        const ids = new Set(receiver.deliveries.map(({ headers }) => headers["webhook-id"]))
        assert.strictEqual(ids.size, 1)
        // Failures for less than five days do not disable the webhook.
        const webhook = yield* expectBody(200, caller.get(`/webhooks/${id}`))
        assert.deepInclude(webhook, { enabled: true, disabled_reason: null })
        assert.isString(webhook.failing_since)
        yield* sendTestEvent(caller, id)
        yield* until(deliveriesOf(caller, id), ([newest]) => newest.status === "delivered")
        assert.isNull((yield* expectBody(200, caller.get(`/webhooks/${id}`))).failing_since)
        yield* Server.assertConsistent
      }).pipe(withWebhookServer())
    )
  )

  const answerRetryAfter =
    (retryAfter: string): ScriptedAnswer =>
    (response) =>
      response.writeHead(429, { "retry-after": retryAfter }).end()

  it.live.each([
    { name: "more seconds than the schedule", retryAfter: "90", pause: 90_000 },
    { name: "fewer seconds than the schedule", retryAfter: "1", pause: 5000 },
    { name: "a date", retryAfter: new Date(Date.now() + 600_000).toUTCString(), pause: 600_000 },
    { name: "more than a day", retryAfter: "864000", pause: 86_400_000 },
    { name: "nonsense", retryAfter: "soon", pause: 5000 }
  ])("honours a Retry-After of $name", ({ pause: delayMillis, retryAfter }) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const receiver = yield* webhookReceiver(answerRetryAfter(retryAfter))
      const { id } = yield* createWebhook(caller, receiver.url)
      yield* sendTestEvent(caller, id)
      const { next_attempt_at } = yield* deliveryAfter(caller, id, 1)
      assert.closeTo(Date.parse(next_attempt_at) - Date.now(), delayMillis, 3000 + delayMillis / 20)
    }).pipe(withWebhookServer())
  )

  it("accepts a Retry-After only in seconds or as an HTTP date", () => {
    const now = Date.parse("2026-07-14T09:30:00Z")
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
      ].map((header) => parseRetryAfter(header, now)),
      [null, null, 0, 7000, null, null, 60_000, 0, null]
    )
  })

  it.live("with status 410 disables the webhook at once", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const receiver = yield* webhookReceiver(410)
      const { id } = yield* createWebhook(caller, receiver.url)
      yield* sendTestEvent(caller, id)
      assert.deepInclude(yield* deliveryAfter(caller, id, 1), { status: "failed", attempts: 1, response_code: 410 })
      const webhook = yield* expectBody(200, caller.get(`/webhooks/${id}`))
      assert.deepInclude(webhook, { enabled: false, disabled_reason: "gone" })
      const enabled = yield* expectBody(200, caller.patch(`/webhooks/${id}`, { enabled: true }))
      assert.deepInclude(enabled, { enabled: true, disabled_reason: null, failing_since: null })
      yield* Server.assertConsistent
    }).pipe(withWebhookServer())
  )

  it.live("for five days disables the webhook, with one mail to the owner", () => {
    const mails: Array<Mail> = []
    const mailer = Layer.succeed(Mailer, { send: (mail) => Effect.sync(() => void mails.push(mail)) })
    return onMovableClock((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller({ owner: "owner@acme.example" })
        const receiver = yield* webhookReceiver(...Array.from({ length: 40 }, (): ScriptedAnswer => 500))
        const { id } = yield* createWebhook(caller, receiver.url)
        yield* sendTestEvent(caller, id)
        for (const [retry, delayMillis] of retryDelays.entries()) {
          yield* deliveryAfter(caller, id, retry + 1)
          yield* movable.jumpBy(delayMillis)
        }
        yield* deliveryAfter(caller, id, 10)
        const allDelaysMillis = retryDelays.reduce((total, delayMillis) => total + delayMillis, 0)
        // Just before five days have passed, another failure does not disable it.
        yield* movable.jumpBy(Duration.toMillis("5 days") - allDelaysMillis - Duration.toMillis("2 hours"))
        yield* sendTestEvent(caller, id)
        yield* deliveryAfter(caller, id, 1)
        assert.isTrue((yield* expectBody(200, caller.get(`/webhooks/${id}`))).enabled)
        // Two concurrent attempts fail after five days: the first disables the webhook, so the second may be refused.
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
      }).pipe(withWebhookServer({ mailer }))
    )
  })

  it.live("once before the clock is set forward does not disable the webhook", () =>
    onMovableClock((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const receiver = yield* webhookReceiver(500, 500)
        const { id } = yield* createWebhook(caller, receiver.url)
        yield* sendTestEvent(caller, id)
        yield* deliveryAfter(caller, id, 1)
        yield* movable.jumpBy("30 days")
        yield* deliveryAfter(caller, id, 2)
        assert.isTrue((yield* expectBody(200, caller.get(`/webhooks/${id}`))).enabled)
        yield* movable.jumpBy("-60 days")
        yield* until(deliveriesOf(caller, id), ([newest]) => newest.status === "delivered")
      }).pipe(withWebhookServer())
    )
  )

  it.live("states that the receiver is unreachable or timed out", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const silent = yield* listen(createServer(() => {}))
      const stalling = yield* webhookReceiver((response) => response.writeHead(200).write("part"))
      const closed = yield* listen(createServer(() => {}))
      closed.close()
      const webhooks = yield* Effect.forEach(
        [`http://127.0.0.1:${silent.port}`, `http://127.0.0.1:${closed.port}`, stalling.url],
        (url) => createWebhook(caller, url)
      )
      yield* Effect.forEach(webhooks, ({ id }) => sendTestEvent(caller, id))
      const [timedOut, unreachable, partial] = yield* Effect.forEach(webhooks, ({ id }) => deliveryAfter(caller, id, 1))
      assert.deepInclude(timedOut, {
        status: "pending",
        error: "The receiver did not answer in time",
        response_code: null
      })
      assert.deepInclude(unreachable, { status: "pending", error: "The receiver could not be reached", response: null })
      // Only the status has to arrive in time.
      assert.deepInclude(partial, { status: "delivered", response_code: 200, response: "part" })
    }).pipe(withWebhookServer())
  )

  it.live("because of a redirect sends nothing to its target", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const redirectTarget = yield* webhookReceiver()
      const receiver = yield* webhookReceiver((response) =>
        response.writeHead(307, { location: redirectTarget.url }).end()
      )
      const { id } = yield* createWebhook(caller, receiver.url)
      yield* sendTestEvent(caller, id)
      const failed = yield* deliveryAfter(caller, id, 1)
      assert.deepInclude(failed, { status: "pending", response_code: 307, error: "Redirects are not followed" })
      assert.isEmpty(redirectTarget.deliveries)
    }).pipe(withWebhookServer())
  )
})

describe("a server that may reach only the public web", () => {
  it.live("accepts no private address, and sends nothing to a name that resolves to one", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const receiver = yield* webhookReceiver()
      const { port } = new URL(receiver.url)
      const publicWebhook = yield* createWebhook(caller, "https://a.example")
      for (const url of [
        receiver.url,
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
        for (const request of [
          caller.post("/webhooks", { url, events: ["*"] }),
          caller.patch(`/webhooks/${publicWebhook.id}`, { url })
        ]) {
          const { issues } = yield* expectError(400, "BAD_REQUEST", request)
          assert.strictEqual(issues[0].path, "url", url)
        }
      }
      const { id } = yield* createWebhook(caller, "http://localhost/")
      yield* sendTestEvent(caller, id)
      const failed = yield* deliveryAfter(caller, id, 1)
      assert.deepInclude(failed, { status: "pending", response_code: null, response: null })
      assert.match(failed.error, /private/)
      // An address that was stored under other settings is checked again before each delivery.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE webhooks SET url = ${`http://127.0.0.1:${port}/`} WHERE id = ${publicWebhook.id}`
      yield* sendTestEvent(caller, publicWebhook.id)
      assert.match((yield* deliveryAfter(caller, publicWebhook.id, 1)).error, /port|private/)
      assert.isEmpty(receiver.deliveries)
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
      const { id } = yield* createWebhook(caller, input.url)
      yield* expectError(403, "FORBIDDEN", caller.patch(`/webhooks/${id}`, { include_content: true }))
      yield* expectBody(200, owner.patch(`/webhooks/${id}`, { include_content: true }))
      yield* expectError(403, "FORBIDDEN", caller.patch(`/webhooks/${id}`, { url: "https://b.example" }))
      yield* expectError(403, "FORBIDDEN", caller.patch(`/webhooks/${id}`, { events: ["*"] }))
      const withoutContentInput = { include_content: false, url: "https://b.example" }
      assert.deepInclude(
        yield* expectBody(200, caller.patch(`/webhooks/${id}`, withoutContentInput)),
        withoutContentInput
      )
      yield* expectBody(200, caller.delete(`/webhooks/${id}`))
    }).pipe(withWebhookServer({ runsWorkers: false }))
  )

  it.live("is no longer sent after it is turned off, neither by a retry nor by a resent delivery", () =>
    onMovableClock((movable) =>
      Effect.gen(function* () {
        const receiver = yield* webhookReceiver(503)
        const caller = yield* onboardedCaller({ plan: "growth" })
        const campaign = yield* Campaigns.builtCampaign(caller)
        const { id } = yield* createWebhook(caller, receiver.url, ["lead.written"], { include_content: true })
        yield* waitForList(caller, yield* startBatch(caller, campaign, makeLeads(1)))
        const delivery = yield* deliveryAfter(caller, id, 1)
        yield* expectBody(200, caller.patch(`/webhooks/${id}`, { include_content: false }))
        yield* movable.jumpBy(retryDelays[0] ?? 0)
        yield* deliveryAfter(caller, id, 2)
        yield* expectBody(202, caller.post(`/webhooks/${id}/deliveries/${delivery.id}/resend`))
        yield* deliveryAfter(caller, id, 1)
        const contents = receiver.deliveries.map(({ json }) => ["lead", "emails"].map((key) => key in json.data))
        assert.deepStrictEqual(contents, [
          [true, true],
          [false, false],
          [false, false]
        ])
      }).pipe(withWebhookServer())
    )
  )
})

describe("an answer", () => {
  it.live("that repeats a lead is not stored if the lead was erased during the attempt", () =>
    Effect.gen(function* () {
      let answerNow = () => {}
      const receiver = yield* webhookReceiver((response, { body }) => {
        answerNow = () => response.writeHead(200).end(body)
      })
      const caller = yield* onboardedCaller({ plan: "growth" })
      const campaign = yield* Campaigns.builtCampaign(caller)
      const { id } = yield* createWebhook(caller, receiver.url, ["lead.written"], { include_content: true })
      yield* waitForList(caller, yield* startBatch(caller, campaign, makeLeads(1)))
      const [attempt] = yield* until(
        Effect.sync(() => receiver.deliveries),
        ({ length }) => length > 0
      )
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE webhook_deliveries SET payload = ${withoutContent(attempt?.body ?? "")} WHERE webhook_id = ${id}`
      answerNow()
      assert.deepInclude(yield* deliveryAfter(caller, id, 1), {
        status: "delivered",
        response_code: 200,
        response: null
      })
    }).pipe(withWebhookServer())
  )
})

describe("events", () => {
  /** Asserts that each body matches its schema in the OpenAPI document, with no other field. */
  const assertDocumented = (deliveries: ReadonlyArray<{ readonly json: any }>) => {
    for (const { json } of deliveries) {
      const { body } = webhookEvents.find(({ type }) => type === json.type) ?? assert.fail(json.type)
      Schema.decodeUnknownSync(body, { onExcessProperty: "error" })(json)
    }
  }
  const typesIn = (deliveries: ReadonlyArray<{ readonly json: any }>) =>
    deliveries.map(({ json }) => json.type as string).filter((type) => type !== "test")

  it.live("contain ids and counts, and leads and emails only if the webhook includes content", () =>
    Effect.gen(function* () {
      const idsReceiver = yield* webhookReceiver()
      const contentReceiver = yield* webhookReceiver()
      const failuresReceiver = yield* webhookReceiver()
      const caller = yield* onboardedCaller({ plan: "growth" })
      yield* createWebhook(caller, idsReceiver.url)
      yield* createWebhook(caller, contentReceiver.url, ["*"], { include_content: true })
      yield* createWebhook(caller, failuresReceiver.url, ["list.failed", "campaign.ready"])
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
      for (const { deliveries } of [idsReceiver, contentReceiver]) {
        yield* until(
          Effect.sync(() => deliveries.length),
          (n) => n >= expected.length
        )
        assert.deepStrictEqual(typesIn(deliveries).toSorted(), expected)
      }
      yield* until(
        Effect.sync(() => failuresReceiver.deliveries.length),
        (n) => n >= 2
      )
      assert.sameMembers(typesIn(failuresReceiver.deliveries), ["campaign.ready", "list.failed"])

      const dataOf = (deliveries: typeof idsReceiver.deliveries, type: string) =>
        deliveries.filter(({ json }) => json.type === type).map(({ json }) => json.data)
      assert.notMatch(
        idsReceiver.deliveries.map((delivery) => delivery.body).join(),
        /@|Ida|Moreau|Nora|gold|Subject|subject/
      )
      assert.sameDeepMembers(
        dataOf(idsReceiver.deliveries, "list.completed").map(({ list_id, ...rest }) => ({
          ours: list_id === list,
          ...rest
        })),
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
        dataOf(idsReceiver.deliveries, "review.changed").map(({ lead_id, ...rest }) => ({
          one: lead_id === lead.id,
          ...rest
        })),
        [
          { one: true, list_id: list, status: "approved", changed: 1 },
          { one: false, list_id: list, status: "rejected", changed: 2 }
        ]
      )
      assert.deepStrictEqual(dataOf(idsReceiver.deliveries, "import.completed"), [
        {
          job_id: file.id,
          source: "document",
          status: "success",
          fields_updated: dataOf(idsReceiver.deliveries, "import.completed")[0].fields_updated
        }
      ])
      assert.deepStrictEqual(
        dataOf(idsReceiver.deliveries, "lead.failed").map(({ reason }) => reason),
        ["fault", "fault"]
      )
      const written = dataOf(contentReceiver.deliveries, "lead.written").find(
        ({ lead }) => lead.email === "ida@north.example"
      )
      assert.deepInclude(written.lead, { name: "Ida Moreau", custom_fields: { tier: "gold" } })
      assert.strictEqual(written.emails.length, written.emails_created)
      assert.isString(written.emails[0].body)
      assert.isString(dataOf(contentReceiver.deliveries, "lead.failed")[0].message)
      assertDocumented([...idsReceiver.deliveries, ...contentReceiver.deliveries])
      const bodies = contentReceiver.deliveries.map((delivery) => delivery.body)
      assert.sameMembers(
        bodies.map(withoutContent),
        idsReceiver.deliveries.map((delivery) => delivery.body)
      )
      // An event has the same id for all webhooks.
      assert.sameMembers(
        idsReceiver.deliveries.map(({ headers }) => headers["webhook-id"]),
        contentReceiver.deliveries.map(({ headers }) => headers["webhook-id"])
      )
      yield* Server.assertConsistent
    }).pipe(
      withWebhookServer({
        writer: {
          sequence: (brief) => (brief.lead.name === "Nora" ? Effect.fail(refusal) : fakeWriter.sequence(brief))
        }
      })
    )
  )

  it.live("report once that a list paused, that it resumed, and that credits run low", () => {
    let isWriterDown = true
    return Effect.gen(function* () {
      const receiver = yield* webhookReceiver()
      const caller = yield* onboardedCaller({ plan: "free" })
      const campaign = yield* Campaigns.builtCampaign(caller)
      yield* createWebhook(caller, receiver.url, ["list.paused", "list.resumed", "credits.low"])
      const list = yield* startBatch(caller, campaign, makeLeads(30))
      yield* waitForList(caller, list, "pending")
      isWriterDown = false
      yield* expectBody(202, caller.post(`/lists/${list}`))
      yield* waitForList(caller, list)
      assert.deepStrictEqual(typesIn(receiver.deliveries), ["list.paused", "list.resumed"])
      const [paused] = receiver.deliveries
      assert.deepInclude(paused?.json.data, {
        list_id: list,
        leads_count: 30,
        leads_done: 0,
        resumes_automatically: false
      })
      // The plan has 50 credits. The first list leaves 20, and these leave 10, 5 and none.
      for (const [count, percent] of [
        [10, 20],
        [5, 10],
        [5, 0]
      ] as const) {
        const deliveriesBefore = receiver.deliveries.length
        yield* waitForList(caller, yield* startBatch(caller, campaign, makeLeads(count)))
        yield* until(
          Effect.sync(() => receiver.deliveries.length),
          (n) => n > deliveriesBefore
        )
        const { data, type } = (receiver.deliveries.at(-1) ?? assert.fail("nothing came")).json
        assert.strictEqual(type, "credits.low")
        assert.deepStrictEqual(data, { percent, remaining: (50 * percent) / 100, monthly_allocated: 50 })
      }
      yield* Effect.sleep(200)
      assert.lengthOf(receiver.deliveries, 5)
      assertDocumented(receiver.deliveries)
      yield* Server.assertConsistent
    }).pipe(
      withWebhookServer({
        writer: { sequence: (brief) => (isWriterDown ? Effect.fail(outage) : fakeWriter.sequence(brief)) }
      })
    )
  })

  it.live("are stored in the transaction of the change: if they cannot be, nothing changes", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* Campaigns.builtCampaign(caller)
      const list = yield* startBatch(caller, campaign, makeLeads(1))
      yield* waitForList(caller, list)
      const [lead] = (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data
      yield* createWebhook(caller, "https://a.example", ["review.changed"])
      yield* Server.dropTable("webhook_deliveries")
      const approve = caller.put(`/lists/${list}/leads/${lead.id}/review`, { status: "approved" })
      yield* expectError(500, "INTERNAL_ERROR", approve)
      assert.strictEqual((yield* expectBody(200, caller.get(`/lists/${list}/leads/${lead.id}`))).review.status, "open")
    }).pipe(withWebhookServer())
  )

  it.live("are stored only while a webhook exists, is enabled and subscribes to them", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* Campaigns.builtCampaign(caller)
      const sql = yield* SqlClient.SqlClient
      const storedCount = Effect.map(sql`SELECT id FROM webhook_deliveries`, (rows) => rows.length)
      const writeList = Effect.flatMap(startBatch(caller, campaign, makeLeads(2)), (list) => waitForList(caller, list))
      yield* writeList
      const { id } = yield* createWebhook(caller, "https://a.example", ["list.failed"])
      yield* writeList
      assert.strictEqual(yield* storedCount, 0)
      // A change of the events applies at once, although subscriptions are cached.
      yield* expectBody(200, caller.patch(`/webhooks/${id}`, { events: ["lead.written"] }))
      yield* writeList
      assert.strictEqual(yield* storedCount, 2)
      yield* expectBody(200, caller.patch(`/webhooks/${id}`, { enabled: false }))
      yield* writeList
      yield* expectBody(200, caller.patch(`/webhooks/${id}`, { enabled: true, events: ["*"] }))
      yield* writeList
      assert.strictEqual(yield* storedCount, 5)
      yield* expectBody(200, caller.delete(`/webhooks/${id}`))
      yield* writeList
      assert.strictEqual(yield* storedCount, 0)
      yield* Server.assertConsistent
    }).pipe(withWebhookServer())
  )
})

it.live("a body that is not an object is refused with the documented error", () =>
  Effect.gen(function* () {
    const caller = yield* newCaller()
    yield* expectError(400, "BAD_REQUEST", caller.send("POST", "/webhooks", json("[]")))
    yield* expectError(400, "BAD_REQUEST", caller.send("POST", "/webhooks", json("{")))
  }).pipe(withWebhookServer())
)
