// test/test-mail.test.ts: test mails, which send a lead's emails to the workspace's owner.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Mailer, MailFailed, type Mail } from "#layers/Mailer.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { callerFor, type Caller, idempotentJson, onboardedCaller } from "./support/callers.ts"
import { builtCampaign } from "./support/campaigns.ts"
import { waitForList, startBatch } from "./support/lists.ts"
import { layer, Server, assertConsistent } from "./support/server.ts"

const person = { email: "ann@south.example", name: "Ann", company: "South" }

const writeToLead = Effect.fnUntraced(function* (caller: Caller) {
  const list = yield* startBatch(caller, yield* builtCampaign(caller), [person], { email_count: 2 })
  yield* waitForList(caller, list)
  const [{ id }] = (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data
  return { path: `/lists/${list}/leads/${id}`, list }
})

/** Records test mails, and ignores mails about finished lists. */
const recordingMailer = (mails: Array<Mail>, more: Partial<Mailer["Service"]> = {}) =>
  Layer.succeed(Mailer, {
    send: (mail) =>
      Effect.sync(() => {
        if (mail.subject.startsWith("[Test]")) mails.push(mail)
      }),
    ...more
  })

describe("a test mail", () => {
  it.live("is sent to the owner with the email's text, one for each email, and never to the lead", () => {
    const mails: Array<Mail> = []
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const { path } = yield* writeToLead(caller)
      const { emails } = yield* expectBody(200, caller.get(path))
      assert.deepStrictEqual(yield* expectBody(200, caller.post(`${path}/test-mail`, { step: 2 })), {
        to: "owner@acme.example",
        sent: 1
      })
      assert.deepStrictEqual(yield* expectBody(200, caller.post(`${path}/test-mail`, {})), {
        to: "owner@acme.example",
        sent: 2
      })
      const [first, second] = emails
      assert.deepStrictEqual(
        mails.map(({ subject, text, to }) => [to, subject, text]),
        [second, first, second].map((email) => ["owner@acme.example", `[Test] ${email.subject}`, `${email.body}\n`])
      )
      assert.strictEqual(new Set(mails.map(({ id }) => id)).size, 3)
      yield* expectError(422, "UNPROCESSABLE", caller.post(`${path}/test-mail`, { step: 3 }))
      yield* expectError(
        404,
        "NOT_FOUND",
        caller.post(`${path.replace(/.$/, (c) => (c === "0" ? "1" : "0"))}/test-mail`, {})
      )
      const { logs } = yield* Server
      for (const secret of [first.subject, "owner@acme.example"]) assert.notInclude(logs.join("\n"), secret)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ mailer: recordingMailer(mails) })))
  })

  it.live("is sent once for each Idempotency-Key", () => {
    const mails: Array<Mail> = []
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const { path } = yield* writeToLead(caller)
      const send = () => caller.send("POST", `${path}/test-mail`, idempotentJson("once", { step: 1 }))
      const answers = [yield* send(), yield* send()]
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200]
      )
      assert.lengthOf(mails, 1)
    }).pipe(Effect.provide(layer({ mailer: recordingMailer(mails) })))
  })

  it.live("is rejected in a workspace without an owner, even if it has a contact email", () => {
    const mails: Array<Mail> = []
    return Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const caller = yield* onboardedCaller({ owner: null })
      const { path } = yield* writeToLead(caller)
      yield* workspaces.change(caller.workspace, { contact_email: "piotr@acme.example" })
      const { message } = yield* expectBody(409, caller.post(`${path}/test-mail`, {}))
      assert.include(message, `overture workspace owner ${caller.workspace} --email`)
      assert.lengthOf(mails, 0)
      yield* workspaces.setOwner(caller.workspace, "ida@acme.example")
      assert.deepInclude(yield* expectBody(200, caller.post(`${path}/test-mail`, { step: 1 })), {
        to: "ida@acme.example"
      })
      assert.deepStrictEqual(
        mails.map(({ to }) => to),
        ["ida@acme.example"]
      )
    }).pipe(Effect.provide(layer({ mailer: recordingMailer(mails) })))
  })

  it.live("is rejected without a mail server, without the scope lists:write, and when the mail server fails", () =>
    Effect.gen(function* () {
      for (const mailer of [undefined, recordingMailer([], { isOutbox: true })]) {
        yield* Effect.gen(function* () {
          const caller = yield* onboardedCaller()
          const { path } = yield* writeToLead(caller)
          const { message } = yield* expectBody(409, caller.post(`${path}/test-mail`, {}))
          assert.include(message, "SMTP_URL")
          const reader = yield* callerFor(caller.workspace, ["lists:read"])
          yield* expectError(403, "FORBIDDEN", reader.post(`${path}/test-mail`, {}))
        }).pipe(Effect.provide(layer(mailer === undefined ? {} : { mailer })))
      }
      let attempts = 0
      const failingMailer = recordingMailer([], {
        send: () =>
          attempts++ === 0
            ? Effect.void
            : Effect.fail(new MailFailed({ message: "The mail server refused the mail (550)", transient: false }))
      })
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const { path } = yield* writeToLead(caller)
        attempts = 0
        const { message } = yield* expectBody(503, caller.post(`${path}/test-mail`, {}))
        assert.strictEqual(message, "The mail server refused the mail (550). 1 of 2 emails were sent")
      }).pipe(Effect.provide(layer({ mailer: failingMailer })))
    })
  )
})
