// test/program/private-data.test.ts: no private data of a workspace, its leads or its operator is in the log, in what a
// collector receives or in the metrics, even when requests and jobs fail.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { SMTPServer } from "smtp-server"
import { modelAnswers, emails } from "../support/model-answers.ts"
import { collector, stringsOf } from "../support/collector.ts"
import { workspaceIn } from "../support/program-workspace.ts"
import { portOf } from "../support/listening.ts"
import * as Model from "../support/model.ts"
import { Mock } from "../support/model.ts"
import { runSql, dataDirectory, serve } from "../support/process.ts"
import { metricsUrlOf, scrape } from "../support/prometheus.ts"
import { startSite } from "../support/site.ts"
import * as Stores from "../support/store.ts"
import { until } from "../support/until.ts"
import { type Answer, buildCampaign, apiClient } from "../support/api-client.ts"

const fixture = new URL("../fixtures/hollowell.json", import.meta.url).pathname
const profile = JSON.parse(readFileSync(fixture, "utf8"))

/** Words that occur nowhere in the program, each in one thing that is private. */
const lead = {
  email: "zebulon@quagmire-foundry.example",
  name: "Zebulon Oxpecker",
  title: "Maintenance Xylographer",
  company: "Quagmire Foundry"
}
const words = {
  "the profile": profile.business_description.slice(0, 30),
  "the company of the profile": "Hollowell",
  "a customer of the profile": "Carrick Castings",
  "the owner's address": "wombat-owner@hollowell-owners.example",
  "an address": "zebulon@",
  "a host": "quagmire-foundry",
  "a first name": "Zebulon",
  "a last name": "Oxpecker",
  "a title": "Xylographer",
  "a company": "Quagmire",
  "the path of a site": "vellichor-path",
  "the text of a site": "brachiating",
  "the signature": "Fizgig",
  "an email": emails(1)[0]?.body.slice(9, 50) ?? "",
  "a subject": emails(1)[0]?.subject ?? "",
  "what else is wanted": "nudiustertian",
  "a document": "sesquipedalian",
  "a question": "borborygmus",
  "what a model says": "absquatulate",
  "the name of a campaign": "Tintinnabulation",
  "an Idempotency-Key": "idem-gobemouche",
  "a query": "callipygian",
  "a path that is none": "widdershins",
  "a body that is none": "hobbledehoy",
  "the password of the mail server": "hunter-of-mail",
  "the user of the mail server": "postbox-user",
  "the key of the model": "sk-tatterdemalion",
  "the header of the collector": "collector-kerfuffle"
}

/** A mail server that asks for a password, and whose refusals quote the address and more. */
const mailServer = Effect.acquireRelease(
  Effect.callback<{ readonly server: SMTPServer; readonly port: number }>((resume) => {
    const codes = [450, 550]
    const server = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: ({ username }, _, done) => done(null, { user: username }),
      onRcptTo: ({ address }, _, done) => {
        const responseCode = codes.shift()
        done(responseCode === undefined ? null : Object.assign(new Error(`no such ${address}`), { responseCode }))
      },
      onData: (stream, _, done) => void stream.resume().on("end", () => done())
    })
    server.on("error", () => undefined)
    const listener = server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, port: portOf(listener) })))
  }),
  ({ server }) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
)

/** Goes well, or the test has less to search than it thinks. */
const well = <E, R>(sent: Effect.Effect<Answer, E, R>) =>
  Effect.tap(sent, ({ body, status }) => Effect.sync(() => assert.oneOf(status, [200, 201, 202], JSON.stringify(body))))

const options = { email_count: 2, email_signature: "Fizgig", additional_details: "nudiustertian" }

describe("what the service says of its work", () => {
  it.live(
    "tells nothing of what the work is about, in the log, in telemetry or among the metrics",
    () =>
      Effect.gen(function* () {
        const data = yield* dataDirectory
        const mock = yield* Mock
        const mail = yield* mailServer
        const telemetry = yield* collector()
        const pages = yield* startSite((request, response) => {
          if (request.url?.includes("broken")) return void request.socket.destroy()
          response.setHeader("content-type", "text/html").end("<p>Hollowell Air is brachiating. We mend pumps.</p>")
        })
        const page = (path: string) => `http://127.0.0.1:${pages.port}/vellichor-path/${path}`

        yield* mock.reply(modelAnswers)
        const owner = ["--owner-email", words["the owner's address"]]
        const { key } = yield* workspaceIn(data, "Hollowell", "--profile", fixture, ...owner)

        const env = {
          OVERTURE_GENERATOR: "openai",
          OPENAI_BASE_URL: mock.url,
          OPENAI_API_KEY: words["the key of the model"],
          SMTP_URL: `smtp://postbox-user:hunter-of-mail@127.0.0.1:${mail.port}`,
          OVERTURE_LOG_LEVEL: "all",
          OVERTURE_FETCH_ALLOW_PRIVATE: "true",
          OVERTURE_METRICS_PORT: "0",
          OTEL_EXPORTER_OTLP_ENDPOINT: telemetry.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
          OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=collector-kerfuffle"
        }
        const server = yield* serve(data, { ...env, OVERTURE_LOG_FORMAT: "json" })
        const { send } = apiClient(server.url, key)
        const tell = (path: string, init: RequestInit) =>
          Effect.promise(async () => (await fetch(`${server.url}${path}`, init)).arrayBuffer())
        const wrote = (path: string, body: unknown) => send("POST", path, body)

        const campaign = yield* buildCampaign({ send })
        yield* well(send("PATCH", `/campaigns/${campaign}`, { name: words["the name of a campaign"] }))
        const generate = (more: object = {}) =>
          wrote(`/campaigns/${campaign}/generate`, { lead: { ...lead, ...more }, options })
        yield* well(generate())
        const idempotent = apiClient(server.url, key, { "idempotency-key": "idem-gobemouche" })
        yield* well(idempotent.send("POST", "/campaigns", { name: "Second" }))
        yield* well(
          wrote(`/campaigns/${campaign}/preview`, {
            sample: { headers: ["Email"], rows: [["zebulon@x.example"]] },
            options
          })
        )
        yield* well(wrote("/agent/chat", { message: "borborygmus? What does Zebulon think?", campaign_id: campaign }))
        yield* well(send("GET", "/target-audiences?q=callipygian"))
        yield* well(send("PUT", "/workspace/details", { additional_info: "Carrick Castings, sesquipedalian" }))

        // A list with a mail at its end, which is put off and then refused.
        const batch = yield* well(
          wrote(`/campaigns/${campaign}/generate-batch`, {
            leads: [lead, { ...lead, company_website: page("home") }],
            options: { ...options, enrichment_enabled: true, notification_email: "zebulon@quagmire-foundry.example" }
          })
        )
        const list = `/lists/${batch.body.list_id}`
        yield* until(send("GET", list), ({ body }) => body.processing_status === "completed")
        yield* until(
          Effect.sync(() => server.log()),
          (log) => log.includes("The mail of a finished list is given up")
        )

        // Imports that work and imports that do not.
        const document = new FormData()
        document.set("file", new File(["Hollowell Air. A sesquipedalian brochure."], "Zebulon Quagmire.txt"))
        const bad = new FormData()
        bad.set("file", new File(["%PDF-1.7 sesquipedalian"], "Quagmire.pdf", { type: "application/pdf" }))
        const headers = { authorization: `Bearer ${key}` }
        for (const body of [document, bad]) {
          yield* tell("/api/v1/workspace/imports/document", { method: "POST", headers, body })
        }
        for (const path of ["home", "broken"]) {
          const { body } = yield* well(wrote("/workspace/imports/url", { url: page(path) }))
          yield* until(
            send("GET", `/jobs/${body.id}`),
            ({ body }) => body.status !== "processing" && body.status !== "pending"
          )
        }

        // Requests of which nothing can be made.
        const broken = { method: "POST", headers: { ...headers, "content-type": "application/json" } }
        yield* tell("/api/v1/campaigns", { ...broken, body: '{"name": "hobbledehoy' })
        yield* tell(`/api/v1/campaigns/${campaign}/generate`, {
          ...broken,
          body: JSON.stringify({ lead: { email: "Zebulon Oxpecker" }, options: { email_count: "hobbledehoy" } })
        })
        yield* tell("/api/v1/widdershins?q=callipygian", { headers })
        yield* tell("/files/widdershins?expires=1&signature=callipygian", {})
        yield* tell("/api/v1/credits", { headers: { "x-api-key": `${key}x` } })
        yield* tell("/api/v1/credits", { headers: { ...headers, "x-api-key": "hobbledehoy" } })

        // A model that fails in every way it can, and quotes what it was asked.
        const quoting = "Zebulon Oxpecker of Quagmire Foundry will absquatulate"
        const faults: ReadonlyArray<Model.Reply> = [
          { error: { message: quoting }, status: 503 },
          { error: { message: quoting, code: "content_policy" }, status: 400 },
          { error: { message: quoting }, status: 401 },
          { content: `${quoting}, and no JSON` },
          { content: `{"emails": [{"subject": "${quoting}"` },
          Model.jsonAnswer({ emails: [{ subject: "absquatulate", body: quoting }] })
        ]
        for (const fault of faults) {
          yield* mock.reply(fault)
          assert.notStrictEqual((yield* generate()).status, 200)
        }
        yield* mock.reply(modelAnswers)

        // A store that is broken under the server: rows that do not decode, tables that are gone.
        yield* runSql(
          data,
          `UPDATE leads SET sequence = '[{"subject": ["Zebulon Oxpecker"]}]' WHERE status = 'completed'`,
          "UPDATE lists SET recipient = 'zebulon@quagmire-foundry.example'",
          `DROP TABLE conversations ${Stores.onPostgres ? "CASCADE" : ""}`
        )
        const answers = [
          yield* send("GET", `${list}/export?format=csv`),
          yield* send("GET", `${list}/export?format=json`),
          yield* wrote("/agent/chat", { message: "borborygmus", campaign_id: campaign }),
          yield* send("GET", "/conversations")
        ]
        assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [500])
        // Jobs whose details, and whose own order, are not what they were.
        yield* runSql(
          data,
          `UPDATE workspaces SET details = '{"company_name": ["Hollowell"]}'`,
          `INSERT INTO jobs SELECT '00000000-0000-7000-8000-000000000000', workspace_id, 'list.batch', subject, 'pending', NULL,
            '{"batch": "Zebulon Oxpecker, ', NULL, NULL, NULL, 0, NULL, 0, 0, 0, created_at, updated_at, NULL FROM jobs LIMIT 1`
        )
        assert.strictEqual((yield* send("GET", "/workspace")).status, 500)
        yield* well(wrote("/workspace/regenerate", {}))
        yield* until(
          Effect.sync(() => server.log()),
          (log) => log.includes("A job broke") && log.includes("Cannot take jobs")
        )

        const metrics = yield* scrape(yield* metricsUrlOf(server))
        server.child.kill("SIGTERM")
        yield* until(
          Effect.sync(() => server.child.exitCode),
          (code) => code !== null
        )
        assert.strictEqual(server.child.exitCode, 0, server.log().slice(-2000))

        // All of them had something to say.
        const log = server.log()
        const logged = log
          .trim()
          .split("\n")
          .map((line): unknown => JSON.parse(line))
        assert.isAbove(logged.length, 60)
        for (const message of ["A request broke", "A mail was not taken", "A job failed", "A job broke"]) {
          assert.include(log, message)
        }
        const sent = telemetry.deliveries.map(({ body }) => JSON.parse(body.toString()))
        const paths = new Set(telemetry.deliveries.map(({ path }) => path))
        assert.deepStrictEqual([...paths].toSorted(), ["/v1/logs", "/v1/metrics", "/v1/traces"])
        const told = { log: `${stringsOf(logged)}\n${log}`, telemetry: stringsOf(sent), metrics }
        assert.include(told.telemetry, "A request broke")
        assert.include(told.telemetry, "GET /api/v1/lists/:id/export")
        assert.include(told.metrics, 'overture_leads_total{outcome="written"}')

        const private_ = { ...words, "the API key": key, "the link's signature": "signature=" }
        for (const [where, text] of Object.entries(told)) {
          for (const [what, word] of Object.entries(private_)) {
            const found = text.toLowerCase().indexOf(word.toLowerCase())
            assert.strictEqual(
              found,
              -1,
              `${what} is in the ${where}: …${text.slice(Math.max(0, found - 300), found + 100)}`
            )
          }
        }
      }).pipe(Effect.scoped, Effect.provide(Mock.layer)),
    120_000
  )
})
