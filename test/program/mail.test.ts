// test/program/mail.test.ts: the mail about a finished batch: its recipient, that it is sent once, and its link.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Duration, Effect, Layer, Redacted, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { readdir, readFile, stat } from "node:fs/promises"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Generator } from "#layers/Generator.ts"
import { Links } from "#layers/Links.ts"
import { asOneLine, Mailer, parseSender, withoutLinks } from "#layers/Mailer.ts"
import { verify } from "#layers/operations/Verify.ts"
import { mailerLayer } from "#src/settings/Services.ts"
import { BackgroundWorkers } from "#src/workers/BackgroundWorkers.ts"
import { expectBody, expectError } from "../support/answers.ts"
import { type Caller, onboardedCaller } from "../support/callers.ts"
import { builtCampaign } from "../support/campaigns.ts"
import { waitForList, startBatch, makeLeads, getList } from "../support/lists.ts"
import { temporaryFolder } from "../support/process.ts"
import { layer, type Options, Server, assertConsistent } from "../support/server.ts"
import { type MailServer, mailServer, parseMail, silentServer } from "../support/smtp.ts"
import { until } from "../support/until.ts"
import { fakeWriter } from "../support/writer.ts"

const sender = { name: "Overture", address: "mail@overture.example" }
const address = "http://overture.example"

const smtpMailer = ({ port }: Pick<MailServer, "port">, query = "") =>
  Mailer.layerSmtp(Redacted.make(`smtp://127.0.0.1:${port}${query}`), sender)

/** The service, which sends its mail with `mailer`. */
const serverWithMailer = (mailer: Layer.Layer<Mailer>, options: Options = {}) =>
  layer({ ...options, mailer }).pipe(
    Layer.tap((context) =>
      Effect.provide(
        Links.use((links) => links.setListeningUrl(address)),
        context
      )
    )
  )

const startBatchOf = Effect.fnUntraced(function* (caller: Caller, count: number, options: object = {}) {
  return yield* startBatch(caller, yield* builtCampaign(caller), makeLeads(count), { email_count: 2, ...options })
})

interface MailJob {
  readonly id: string
  readonly status: string
  readonly attempts: number
  readonly error: string | null
}

/** The mail jobs of a list, or of all lists, in the store. */
const readMailJobs = (list = "%") =>
  SqlClient.SqlClient.use(
    (sql) => sql<MailJob>`
      SELECT id, status, attempts, error FROM jobs WHERE type = 'mail.completion' AND subject LIKE ${list}`
  ).pipe(Effect.orDie)

const waitForMailJob = (list: string, status = "completed") =>
  Effect.map(
    until(readMailJobs(list), ([mail]) => mail?.status === status),
    ([mail]) => mail
  )

/** Opens a link of a mail without an API key, as a browser does. */
const openLink = Effect.fnUntraced(function* (link: string) {
  const { send } = yield* Server
  return yield* send("GET", `/../..${link.replace(address, "")}`)
})

describe("a finished batch", () => {
  it.live("notifies the owner of the workspace once, with a link to the emails", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const list = yield* startBatchOf(caller, 60, { list_name: "Spring leads" })
        const job = yield* waitForMailJob(list)
        assert.lengthOf(server.received, 1)
        const [{ raw, to } = { raw: "", to: [] }] = server.received
        assert.deepStrictEqual(to, ["owner@acme.example"])
        const { header, link = "", text } = parseMail(raw)
        assert.deepStrictEqual(header("from"), ["Overture <mail@overture.example>"])
        assert.deepStrictEqual(header("to"), ["owner@acme.example"])
        assert.deepStrictEqual(header("subject"), ["List ready: Spring leads"])
        assert.deepStrictEqual(header("message-id"), [`<${list}@overture.example>`])
        assert.include(text, "Leads: 60\r\nWritten to: 60\r\nFailed: 0\r\n")

        assert.isTrue(link.startsWith(`${address}/files/${list}?expires=`), link)
        const secondsLeft = Number(new URL(link).searchParams.get("expires")) - Date.now() / 1000
        assert.closeTo(secondsLeft, Duration.toSeconds(Duration.days(7)), 60)
        const csv = yield* openLink(link)
        assert.strictEqual(csv.status, 200)
        assert.strictEqual(csv.text, (yield* caller.get(`/lists/${list}/export`)).text)
        assert.lengthOf(
          csv.text.split("\r\n").filter((line) => line.startsWith("lead")),
          60
        )
        assert.strictEqual(csv.headers.get("content-type"), "text/csv; charset=utf-8")
        assert.strictEqual(csv.headers.get("content-disposition"), 'attachment; filename="Spring-leads.csv"')
        assert.strictEqual(csv.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(csv.headers.get("cache-control"), "private, no-store")

        yield* expectError(404, "NOT_FOUND", caller.get(`/jobs/${job?.id}`))
        yield* assertConsistent
      }).pipe(Effect.provide(serverWithMailer(smtpMailer(server))))
    })
  )

  it.live("sends a link that stops working when it is altered or expires, or when its list is deleted", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const list = yield* startBatchOf(caller, 1)
        const otherList = yield* startBatchOf(caller, 1)
        yield* waitForMailJob(list)
        const link =
          server.received.map(({ raw }) => parseMail(raw).link ?? "").find((mailLink) => mailLink.includes(list)) ?? ""
        for (const invalidLink of [
          link.replace(/expires=\d/, "expires=9"),
          link.replace(/&signature=.*/, ""),
          link.replace(list, otherList),
          yield* (yield* Links).sign(`/files/${list}`, Duration.seconds(-1))
        ]) {
          yield* expectError(403, "FORBIDDEN", openLink(invalidLink))
        }
        yield* expectBody(200, caller.delete(`/lists/${list}`))
        yield* expectError(404, "NOT_FOUND", openLink(link))
        yield* assertConsistent
      }).pipe(Effect.provide(serverWithMailer(smtpMailer(server))))
    })
  )

  it.live("notifies the named address instead of the owner", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      yield* Effect.gen(function* () {
        const list = yield* startBatchOf(yield* onboardedCaller(), 1, {
          notification_email: "ann.o'neil+x@sales.example"
        })
        yield* waitForMailJob(list)
        assert.deepStrictEqual(
          server.received.map(({ to }) => to),
          [["ann.o'neil+x@sales.example"]]
        )
      }).pipe(Effect.provide(serverWithMailer(smtpMailer(server))))
    })
  )

  it.live("reports in its mail that it failed, without a link", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      const sequence = () => Effect.fail(new GenerationFailed({ message: "Nothing to say", transient: false }))
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const list = yield* startBatchOf(caller, 2, { list_name: "Spring leads" })
        yield* waitForList(caller, list, "failed")
        yield* waitForMailJob(list)
        const { header, link, text } = parseMail(server.received[0]?.raw ?? "")
        assert.deepStrictEqual(header("subject"), ["List failed: Spring leads"])
        assert.include(text.replace(/\r\n/g, " "), "none of its 2 leads could be written to")
        assert.isUndefined(link)
        yield* assertConsistent
      }).pipe(Effect.provide(serverWithMailer(smtpMailer(server), { writer: { sequence } })))
    })
  )

  it.live("is mailed once, although the store could not be written after the mail was sent", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [failCompletion, allowCompletion] = sql.onDialectOrElse({
          pg: () => [
            sql`ALTER TABLE jobs ADD CONSTRAINT broken CHECK (type <> 'mail.completion' OR status <> 'completed')`,
            sql`ALTER TABLE jobs DROP CONSTRAINT broken`
          ],
          orElse: () => [
            sql`CREATE TRIGGER broken BEFORE UPDATE OF status ON jobs
              WHEN NEW.type = 'mail.completion' AND NEW.status = 'completed' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
            sql`DROP TRIGGER broken`
          ]
        })
        yield* failCompletion
        const list = yield* startBatchOf(yield* onboardedCaller(), 1)
        const [mail] = yield* until(readMailJobs(list), ([mail]) => (mail?.attempts ?? 0) > 2)
        assert.notStrictEqual(mail?.status, "completed")
        yield* allowCompletion
        yield* waitForMailJob(list)
        assert.lengthOf(server.received, 1)
        yield* assertConsistent
      }).pipe(Effect.provide(serverWithMailer(smtpMailer(server))))
    })
  )

  it.live("sends no mail while it is pending, and one mail after it has been resumed and finished", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      const isModelUp = yield* Ref.make(false)
      const sequence: typeof fakeWriter.sequence = (brief) =>
        Effect.flatMap(Ref.get(isModelUp), (isUp) =>
          isUp ? fakeWriter.sequence(brief) : Effect.fail(new GenerationFailed({ message: "Down", transient: true }))
        )
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const list = yield* startBatchOf(caller, 30)
        yield* waitForList(caller, list, "pending")
        assert.isEmpty(yield* readMailJobs())
        yield* assertConsistent
        yield* Ref.set(isModelUp, true)
        yield* expectBody(202, caller.post(`/lists/${list}`))
        yield* waitForMailJob(list)
        assert.lengthOf(server.received, 1)
        yield* assertConsistent
      }).pipe(Effect.provide(serverWithMailer(smtpMailer(server), { writer: { sequence } })))
    })
  )

  it.live("sends no mail without a recipient, and a single lead never sends one", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      yield* Effect.gen(function* () {
        const callerWithoutOwner = yield* onboardedCaller({ owner: null })
        yield* waitForList(callerWithoutOwner, yield* startBatchOf(callerWithoutOwner, 1))
        const caller = yield* onboardedCaller()
        const campaign = yield* builtCampaign(caller)
        yield* expectBody(
          200,
          caller.post(`/campaigns/${campaign}/generate`, {
            lead: { email: "lead@company.example" },
            options: { email_count: 1, email_signature: "Ann", notification_email: "ann@sales.example" }
          })
        )
        assert.isEmpty(yield* readMailJobs())
        assert.isEmpty(server.received)
        yield* assertConsistent
      }).pipe(Effect.provide(serverWithMailer(smtpMailer(server))))
    })
  )

  it.live.each([
    "ann@sales.example, evil@other.example",
    "ann@sales.example\r\nBcc: evil@other.example",
    "ann@sales.example\n",
    "Ann <ann@sales.example>",
    '"ann@sales.example"@other.example',
    "ann@sales.example;evil@other.example",
    "ann@localhost"
  ])("is not accepted for %j", (notification_email) =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const { issues } = yield* expectError(
        400,
        "BAD_REQUEST",
        caller.post(`/campaigns/${caller.workspace}/generate-batch`, {
          leads: [{ email: "lead@company.example" }],
          options: { email_count: 1, email_signature: "Ann", notification_email }
        })
      )
      assert.deepStrictEqual(
        issues.map((issue: { path: string }) => issue.path),
        ["options.notification_email"]
      )
    }).pipe(Effect.provide(layer()))
  )

  it.live("cannot inject headers into its mail through its name", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      yield* Effect.gen(function* () {
        const list_name = `Spring\r\nBcc: evil@other.example\r\n\r\nNot ours \u2028 \u202e${"x".repeat(120)}`
        const list = yield* startBatchOf(yield* onboardedCaller(), 1, { list_name })
        yield* waitForMailJob(list)
        const [{ raw, to } = { raw: "", to: [] }] = server.received
        assert.deepStrictEqual(to, ["owner@acme.example"])
        const { header, headers, text } = parseMail(raw)
        assert.isEmpty(header("bcc"))
        assert.lengthOf(header("subject"), 1)
        assert.isTrue(
          headers.every((line) => /^[A-Za-z-]+: \P{Cc}*$/u.test(line)),
          headers.join("\n")
        )
        assert.isTrue(text.startsWith('The list "Spring Bcc: evil@ other. example Not ours xxx'), text)
      }).pipe(Effect.provide(serverWithMailer(smtpMailer(server))))
    })
  )
})

describe("the mail server", () => {
  it.live("that defers a mail receives it again, and accepts it once", () =>
    Effect.gen(function* () {
      const server = yield* mailServer({ refusals: [450, 421, 452] })
      yield* Effect.gen(function* () {
        const list = yield* startBatchOf(yield* onboardedCaller(), 1)
        const mail = yield* waitForMailJob(list)
        assert.deepInclude(mail, { attempts: 4, error: null })
        assert.lengthOf(server.received, 1)
        yield* assertConsistent
      }).pipe(Effect.provide(serverWithMailer(smtpMailer(server))))
    })
  )

  it.live("that rejects a mail does not receive it again, and the list is unchanged", () =>
    Effect.gen(function* () {
      const server = yield* mailServer({ refusals: [550] })
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const list = yield* startBatchOf(caller, 1)
        const listBefore = yield* waitForList(caller, list)
        const mail = yield* waitForMailJob(list, "failed")
        assert.deepInclude(mail, { attempts: 1, error: "The mail server refused the mail (550)" })
        assert.isEmpty(server.received)
        assert.deepStrictEqual(yield* getList(caller, list), listBefore)
        const { logs } = yield* Server
        assert.isTrue(logs.some((line) => line.includes("is given up")))
        assert.isFalse(logs.some((line) => line.includes("@acme.example")))
        yield* assertConsistent
      }).pipe(Effect.provide(serverWithMailer(smtpMailer(server))))
    })
  )

  it.live("that is down receives the mail when it is up again", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(mailServer())
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const list = yield* startBatchOf(caller, 1)
        yield* waitForList(caller, list)
        yield* until(readMailJobs(list), ([mail]) => mail?.status === "pending" && mail.attempts > 3)
        const server = yield* mailServer({ port })
        yield* waitForMailJob(list)
        assert.lengthOf(server.received, 1)
        yield* assertConsistent
      }).pipe(Effect.provide(serverWithMailer(smtpMailer({ port }))))
    })
  )
})

describe("a mail", () => {
  it.live("that was accepted just before the process died is sent again with the same message ID", () =>
    Effect.gen(function* () {
      const server = yield* mailServer()
      const mailerThatDies = Layer.effect(
        Mailer,
        Effect.gen(function* () {
          const { send } = yield* Mailer
          const hasDied = yield* Ref.make(false)
          return Mailer.of({
            send: Effect.fnUntraced(function* (mail) {
              yield* send(mail)
              if (!(yield* Ref.getAndSet(hasDied, true))) return yield* Effect.die("the power went")
            })
          })
        })
      ).pipe(Layer.provide(smtpMailer(server)))
      yield* Effect.gen(function* () {
        const list = yield* startBatchOf(yield* onboardedCaller(), 1)
        yield* waitForMailJob(list)
        assert.deepStrictEqual(
          server.received.map(({ raw }) => parseMail(raw).header("message-id")),
          [[`<${list}@overture.example>`], [`<${list}@overture.example>`]]
        )
        yield* assertConsistent
      }).pipe(Effect.provide(serverWithMailer(mailerThatDies)))
    })
  )

  it.live("is sent although the process crashed several times while it sent the mail", () => {
    const withWorkers = (mailer: Layer.Layer<Mailer> | Layer.Layer<never> = Layer.empty) =>
      Effect.provide(
        BackgroundWorkers({ concurrency: 16 }).pipe(Layer.provide([Layer.succeed(Generator, fakeWriter), mailer]))
      )
    return Effect.gen(function* () {
      const server = yield* mailServer()
      const list = yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const list = yield* startBatchOf(caller, 1)
        yield* waitForList(caller, list)
        return list
      }).pipe(withWorkers())
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE jobs SET status = 'processing', lease = 'a dead one', crashes = 6 WHERE type = 'mail.completion'`
      yield* Links.use((links) => links.setListeningUrl("http://overture.example"))
      yield* waitForMailJob(list).pipe(withWorkers(smtpMailer(server)))
      assert.lengthOf(server.received, 1)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  })

  it.live("that is missing or duplicated is reported by verify", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const caller = yield* onboardedCaller()
      const list = yield* startBatchOf(caller, 1)
      yield* waitForList(caller, list)
      yield* assertConsistent
      const readFailedChecks = Effect.map(verify, (checks) =>
        checks.filter(({ ok }) => !ok).map(({ detail }) => detail)
      )
      yield* sql`
        INSERT INTO jobs (id, workspace_id, type, subject, status, payload, run_at, lease_until, attempts, crashes,
          created_at, updated_at)
        SELECT 'another', workspace_id, type, subject, status, payload, run_at, lease_until, attempts, crashes,
          created_at, updated_at
        FROM jobs WHERE type = 'mail.completion'`
      assert.deepStrictEqual(yield* readFailedChecks, [list])
      yield* sql`DELETE FROM jobs WHERE type = 'mail.completion'`
      assert.deepStrictEqual(yield* readFailedChecks, [list])
    }).pipe(Effect.provide(layer()))
  )
})

describe("a mail server that does not answer", () => {
  it.live("costs one attempt", () =>
    Effect.gen(function* () {
      const { port } = yield* silentServer
      const failure = yield* Mailer.use(({ send }) =>
        send({ id: "one", to: "ann@sales.example", subject: "Hello", text: "" })
      ).pipe(Effect.flip, Effect.provide(smtpMailer({ port }, "?greetingTimeout=50")))
      assert.deepInclude(failure, { message: "The mail server could not be reached (ETIMEDOUT)", transient: true })
    })
  )
})

describe("the outbox", () => {
  it.live("contains each mail as one file that a mail program opens", () =>
    Effect.gen(function* () {
      const outbox = `${yield* temporaryFolder}/outbox`
      const outboxMailer = Layer.provide(Mailer.layerOutbox(outbox, sender), NodeServices.layer)
      const mail = { id: "one", to: "ann@sales.example", subject: "Grüße", text: "Ja.\nNein.\n" }
      yield* Effect.gen(function* () {
        const { send } = yield* Mailer
        yield* send(mail)
        yield* send(mail)
        yield* send({ ...mail, id: "two" })
      }).pipe(Effect.provide(outboxMailer))
      const names = yield* Effect.promise(() => readdir(outbox))
      assert.deepStrictEqual(names.toSorted(), ["one.eml", "two.eml"])
      const { mode } = yield* Effect.promise(() => stat(`${outbox}/one.eml`))
      assert.strictEqual(mode & 0o777, 0o600)
      const raw = yield* Effect.promise(() => readFile(`${outbox}/one.eml`, "utf8"))
      assert.notMatch(raw, /[^\r]\n/)
      const { header, text } = parseMail(raw)
      assert.deepStrictEqual(header("to"), ["ann@sales.example"])
      assert.deepStrictEqual(header("message-id"), ["<one@overture.example>"])
      assert.match(header("subject")[0] ?? "", /^=\?UTF-8\?/)
      assert.strictEqual(text.trimEnd(), "Ja.\r\nNein.")
    })
  )

  it.live("that cannot be written fails with a transient error, so the mail is retried", () =>
    Effect.gen(function* () {
      const outboxMailer = Layer.provide(Mailer.layerOutbox("/dev/null/outbox", sender), NodeServices.layer)
      const failure = yield* Mailer.use(({ send }) =>
        send({ id: "one", to: "ann@sales.example", subject: "Hello", text: "" })
      ).pipe(Effect.flip, Effect.provide(outboxMailer))
      assert.isTrue(failure.transient)
    })
  )
})

describe("mail settings", () => {
  const readRefusal = (env: Record<string, string>) =>
    Effect.flip(Layer.build(mailerLayer("/nowhere"))).pipe(
      Effect.provide([ConfigProvider.layer(ConfigProvider.fromUnknown(env)), NodeServices.layer])
    )

  it.effect("are refused if they are invalid, without repeating a password", () =>
    Effect.gen(function* () {
      for (const SMTP_URL of ["http://ann:sesame@mail.example", "smtp://ann:sesame@[mail", "sesame"]) {
        const refusal = yield* readRefusal({ SMTP_URL })
        assert.instanceOf(refusal, Config.ConfigError)
        assert.include(refusal.message, "SMTP_URL")
        assert.notInclude(refusal.message, "sesame")
      }
      assert.include(
        (yield* readRefusal({ OVERTURE_MAIL_FROM: "a@x.example, b@y.example" })).message,
        "OVERTURE_MAIL_FROM"
      )
    })
  )

  it("accept a sender with or without a name", () => {
    assert.deepStrictEqual(parseSender("Overture <overture@localhost>"), {
      name: "Overture",
      address: "overture@localhost"
    })
    assert.deepStrictEqual(parseSender('"Acme, Sales" <ann@acme.example>'), {
      name: "Acme, Sales",
      address: "ann@acme.example"
    })
    assert.deepStrictEqual(parseSender(" ann@acme.example "), { name: "", address: "ann@acme.example" })
    for (const invalidSender of [
      "",
      "ann",
      "ann@",
      "<>",
      "a@x, b@y",
      "A <a@x> <b@y>",
      "A <a@x\r\nBcc: b@y>",
      "A\n <a@x>"
    ]) {
      assert.isUndefined(parseSender(invalidSender), invalidSender)
    }
  })

  it("turn links in the name of a list into plain text", () => {
    for (const name of [
      "https://evil.example/a?b=c",
      "see evil.example",
      "www.evil.co.uk",
      "evil\u3002example",
      "a@evil.example"
    ]) {
      assert.notMatch(withoutLinks(name), /:\/\/|[\p{L}\d][.\u3002@][\p{L}\d]/u, name)
    }
    assert.strictEqual(withoutLinks("Fair, hall 3. Quarries (Q4)"), "Fair, hall 3. Quarries (Q4)")
  })

  it("replace line breaks in a name", () => {
    assert.strictEqual(asOneLine(" a\r\n\tb\u0000\u0085c\u2029d ", 10), "a b c d")
    assert.strictEqual(asOneLine("😀😀😀", 2), "😀…")
  })
})
