// test/relay.test.ts: mail is sent in its sender's name to strangers: what a workspace may make of that, and where its password goes.
import { assert, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Redacted } from "effect"
import { createServer } from "node:net"
import { checkSmtp, Mailer, MailLimit } from "#layers/Mailer.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { onboardedCaller } from "./support/callers.ts"
import { builtCampaign } from "./support/campaigns.ts"
import { listen } from "./support/listening.ts"
import { layer as serving } from "./support/server.ts"
import { until } from "./support/until.ts"

const from = { name: "Overture", address: "mail@overture.example" }
const mail = { id: "1", to: "ida@lead.example", subject: "Ready", text: "Done" }

/** A server that offers passwords without TLS, and records what it receives. */
const plain = Effect.gen(function* () {
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

const send = (host: string, query = "") =>
  Effect.gen(function* () {
    const { port, received } = yield* plain
    const url = Redacted.make(`smtp://ann:hunter2@${host}:${port}${query}`)
    yield* Effect.flip(
      Effect.flatMap(Mailer, (mailer) => mailer.send(mail)).pipe(Effect.provide(Mailer.layerSmtp(url, from)))
    )
    return received.join("")
  }).pipe(Effect.scoped)

it.live("a password is not sent to a server elsewhere that has no TLS, unless the URL says so", () =>
  Effect.gen(function* () {
    // Another name for this machine.
    assert.notMatch(yield* send("127.1"), /AUTH/)
    assert.match(yield* send("127.1", "?requireTLS=false"), /AUTH/)
    assert.match(yield* send("127.0.0.1"), /AUTH/)
  })
)

it.live("the check of a mail server ends at the limit of a mail, while the server still sends lines", () =>
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

it.live("a mail ends at its limit, and with it its connection, while the server still sends lines", () =>
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
    // Uninterruptible, as the mail of a finished list is.
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
const keeping = Layer.succeed(Mailer, { send: (mail) => Effect.sync(() => void sent.push(mail)) })

layer(serving({ mailer: keeping, rate: { limit: 10_000, window: Duration.minutes(1) } }), {
  excludeTestServices: true
})("the recipients of a batch's mail", (it) => {
  it.effect("is at most one of two hundred addresses in a day", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller({ plan: "internal" })
      const campaign = yield* builtCampaign(acme)
      const ask = (notification_email: string | null) =>
        acme.post(`/campaigns/${campaign}/generate-batch`, {
          leads: [{ email: "ida@lead.example" }],
          options: { email_count: 1, email_signature: "Ann", notification_email }
        })
      for (let at = 0; at < 200; at++) {
        const { list_id } = yield* expectBody(202, ask(`one${at}@acme.example`))
        // Else it would be the lists in work that are too many.
        yield* until(expectBody(200, acme.get(`/lists/${list_id}`)), (list) => "completed_at" in list)
      }
      yield* expectError(429, "WORKSPACE_LIMIT", ask("stranger@victim.example"))
      // Addresses that were notified before may be named again, and the owner always.
      yield* expectBody(202, ask("ONE3@acme.example"))
      yield* expectBody(202, ask(null))
    })
  )
})
