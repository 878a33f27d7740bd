// test/mailer.test.ts: limits of outgoing mail: TLS for passwords, a time limit for each mail, and a limit of recipients for a workspace.
import { assert, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { createServer } from "node:net"
import { checkSmtp, Mailer, MailLimit } from "#layers/Mailer.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { onboardedCaller } from "./support/callers.ts"
import { builtCampaign } from "./support/campaigns.ts"
import { listen } from "./support/listening.ts"
import { layer as serverLayer } from "./support/server.ts"
import { until } from "./support/until.ts"

const from = { name: "Overture", address: "mail@overture.example" }
const mail = { id: "1", to: "ida@lead.example", subject: "Ready", text: "Done" }

/** A server that offers passwords without TLS, and records what it receives. */
const startPlainServer = Effect.gen(function* () {
  const received: Array<string> = []
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.write("220 mail.example ESMTP\r\n")
    socket.on("data", (data) => {
      received.push(data.toString())
      socket.write(data.toString().startsWith("EHLO") ? "250-mail.example\r\n250 AUTH PLAIN LOGIN\r\n" : "535 no\r\n")
    })
  })
  return { ...(yield* listen(server)), received }
})

const sendMail = (host: string, query = "") =>
  Effect.gen(function* () {
    const { port, received } = yield* startPlainServer
    const url = Redacted.make(`smtp://ann:hunter2@${host}:${port}${query}`)
    yield* Effect.flip(
      Effect.flatMap(Mailer, (mailer) => mailer.send(mail)).pipe(Effect.provide(Mailer.layerSmtp(url, from)))
    )
    return received.join("")
  }).pipe(Effect.scoped)

it.live("a password is not sent to a remote server without TLS, unless the URL allows it", () =>
  Effect.gen(function* () {
    // Also loopback, but not recognised as such.
    assert.notMatch(yield* sendMail("127.1"), /AUTH/)
    assert.match(yield* sendMail("127.1", "?requireTLS=false"), /AUTH/)
    assert.match(yield* sendMail("127.0.0.1"), /AUTH/)
  })
)

it.live("the check of a mail server ends at the time limit of a mail, even while the server keeps sending", () =>
  Effect.gen(function* () {
    const server = createServer((socket) => {
      const lines = setInterval(() => socket.write("250-wait\r\n"), 20)
      socket.on("error", () => undefined)
      socket.on("close", () => clearInterval(lines))
      setTimeout(() => socket.destroy(), 5000)
      socket.write("220 mail.example ESMTP\r\n")
    })
    const { port } = yield* listen(server)
    const checked = checkSmtp(Redacted.make(`smtp://127.0.0.1:${port}`))
    assert.strictEqual(
      yield* Effect.provideService(checked, MailLimit, 300),
      "The mail server did not accept the connection within 0.3 seconds"
    )
  }).pipe(Effect.scoped)
)

it.live("a mail that exceeds its time limit fails and closes its connection, even while the server keeps sending", () =>
  Effect.gen(function* () {
    const closed: Array<string> = []
    const server = createServer((socket) => {
      const lines = setInterval(() => socket.write("250-wait\r\n"), 20)
      socket.on("error", () => undefined)
      socket.on("close", () => {
        clearInterval(lines)
        closed.push("closed")
      })
      socket.write("220 mail.example ESMTP\r\n")
    })
    const { port } = yield* listen(server)
    const mailer = Mailer.layerSmtp(Redacted.make(`smtp://127.0.0.1:${port}`), from).pipe(
      Layer.provide(Layer.succeed(MailLimit, 300))
    )
    // The service sends the mail of a finished list in an uninterruptible region too.
    const sending = Effect.uninterruptible(Effect.flatMap(Mailer, ({ send }) => send(mail)))
    const { message, transient } = yield* Effect.flip(sending.pipe(Effect.provide(mailer)))
    assert.strictEqual(message, "The mail server did not take the mail within 0.3 seconds")
    assert.isTrue(transient)
    yield* until(
      Effect.sync(() => closed),
      ({ length }) => length === 1
    )
  }).pipe(Effect.scoped)
)

const sent: Array<{ readonly to: string; readonly subject: string; readonly text: string }> = []
const recordingMailer = Layer.succeed(Mailer, { send: (mail) => Effect.sync(() => void sent.push(mail)) })

layer(serverLayer({ mailer: recordingMailer, rate: { limit: 10_000, window: Duration.minutes(1) } }), {
  excludeTestServices: true
})("the recipients of a batch's mail", (it) => {
  it.effect("are at most two hundred addresses a day", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller({ plan: "internal" })
      const campaign = yield* builtCampaign(caller)
      const startBatch = (notification_email: string | null) =>
        caller.post(`/campaigns/${campaign}/generate-batch`, {
          leads: [{ email: "ida@lead.example" }],
          options: { email_count: 1, email_signature: "Ann", notification_email }
        })
      for (let index = 0; index < 200; index++) {
        const { list_id } = yield* expectBody(202, startBatch(`recipient${index}@acme.example`))
        // Otherwise the limit of concurrent lists would be reached first.
        yield* until(expectBody(200, caller.get(`/lists/${list_id}`)), (list) => "completed_at" in list)
      }
      yield* expectError(429, "WORKSPACE_LIMIT", startBatch("stranger@victim.example"))
      // Addresses that were notified before, and the owner's, are still accepted.
      yield* expectBody(202, startBatch("RECIPIENT3@acme.example"))
      yield* expectBody(202, startBatch(null))
    })
  )
})
