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

/** Words that do not occur in the program. Each is in one private value. */
const lead = {
  email: "zebulon@quagmire-foundry.example",
  name: "Zebulon Oxpecker",
  title: "Maintenance Xylographer",
  company: "Quagmire Foundry"
}
const privateWords = {
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

/** A mail server that requires a password, and whose refusals quote the address. */
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

/** Asserts that the request succeeds, because otherwise its data would not reach the outputs. */
const assertSucceeds = <E, R>(request: Effect.Effect<Answer, E, R>) =>
  Effect.tap(request, ({ body, status }) =>
    Effect.sync(() => assert.oneOf(status, [200, 201, 202], JSON.stringify(body)))
  )

const options = { email_count: 2, email_signature: "Fizgig", additional_details: "nudiustertian" }

describe("the outputs of the service", () => {
  it.live(
    "contain no private data in the log, in telemetry or in the metrics",
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
        const pageUrl = (path: string) => `http://127.0.0.1:${pages.port}/vellichor-path/${path}`

        yield* mock.reply(modelAnswers)
        const owner = ["--owner-email", privateWords["the owner's address"]]
        const { key } = yield* workspaceIn(data, "Hollowell", "--profile", fixture, ...owner)

        const env = {
          OVERTURE_GENERATOR: "openai",
          OPENAI_BASE_URL: mock.url,
          OPENAI_API_KEY: privateWords["the key of the model"],
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
        const fetchRaw = (path: string, init: RequestInit) =>
          Effect.promise(async () => (await fetch(`${server.url}${path}`, init)).arrayBuffer())
        const post = (path: string, body: unknown) => send("POST", path, body)

        const campaign = yield* buildCampaign({ send })
        yield* assertSucceeds(send("PATCH", `/campaigns/${campaign}`, { name: privateWords["the name of a campaign"] }))
        const generate = (leadFields: object = {}) =>
          post(`/campaigns/${campaign}/generate`, { lead: { ...lead, ...leadFields }, options })
        yield* assertSucceeds(generate())
        const idempotent = apiClient(server.url, key, { "idempotency-key": "idem-gobemouche" })
        yield* assertSucceeds(idempotent.send("POST", "/campaigns", { name: "Second" }))
        yield* assertSucceeds(
          post(`/campaigns/${campaign}/preview`, {
            sample: { headers: ["Email"], rows: [["zebulon@x.example"]] },
            options
          })
        )
        yield* assertSucceeds(
          post("/agent/chat", { message: "borborygmus? What does Zebulon think?", campaign_id: campaign })
        )
        yield* assertSucceeds(send("GET", "/target-audiences?q=callipygian"))
        yield* assertSucceeds(
          send("PUT", "/workspace/details", { additional_info: "Carrick Castings, sesquipedalian" })
        )

        // The mail server defers the mail of this list, and then refuses it.
        const batch = yield* assertSucceeds(
          post(`/campaigns/${campaign}/generate-batch`, {
            leads: [lead, { ...lead, company_website: pageUrl("home") }],
            options: { ...options, enrichment_enabled: true, notification_email: "zebulon@quagmire-foundry.example" }
          })
        )
        const list = `/lists/${batch.body.list_id}`
        yield* until(send("GET", list), ({ body }) => body.processing_status === "completed")
        yield* until(
          Effect.sync(() => server.log()),
          (log) => log.includes("The mail of a finished list is given up")
        )

        // Some imports succeed and some fail.
        const document = new FormData()
        document.set("file", new File(["Hollowell Air. A sesquipedalian brochure."], "Zebulon Quagmire.txt"))
        const invalidDocument = new FormData()
        invalidDocument.set("file", new File(["%PDF-1.7 sesquipedalian"], "Quagmire.pdf", { type: "application/pdf" }))
        const headers = { authorization: `Bearer ${key}` }
        for (const body of [document, invalidDocument]) {
          yield* fetchRaw("/api/v1/workspace/imports/document", { method: "POST", headers, body })
        }
        for (const path of ["home", "broken"]) {
          const { body } = yield* assertSucceeds(post("/workspace/imports/url", { url: pageUrl(path) }))
          yield* until(
            send("GET", `/jobs/${body.id}`),
            ({ body }) => body.status !== "processing" && body.status !== "pending"
          )
        }

        // These requests are invalid.
        const invalidRequest = { method: "POST", headers: { ...headers, "content-type": "application/json" } }
        yield* fetchRaw("/api/v1/campaigns", { ...invalidRequest, body: '{"name": "hobbledehoy' })
        yield* fetchRaw(`/api/v1/campaigns/${campaign}/generate`, {
          ...invalidRequest,
          body: JSON.stringify({ lead: { email: "Zebulon Oxpecker" }, options: { email_count: "hobbledehoy" } })
        })
        yield* fetchRaw("/api/v1/widdershins?q=callipygian", { headers })
        yield* fetchRaw("/files/widdershins?expires=1&signature=callipygian", {})
        yield* fetchRaw("/api/v1/credits", { headers: { "x-api-key": `${key}x` } })
        yield* fetchRaw("/api/v1/credits", { headers: { ...headers, "x-api-key": "hobbledehoy" } })

        // The model fails in every way, and quotes the prompt.
        const privateText = "Zebulon Oxpecker of Quagmire Foundry will absquatulate"
        const faults: ReadonlyArray<Model.Reply> = [
          { error: { message: privateText }, status: 503 },
          { error: { message: privateText, code: "content_policy" }, status: 400 },
          { error: { message: privateText }, status: 401 },
          { content: `${privateText}, and no JSON` },
          { content: `{"emails": [{"subject": "${privateText}"` },
          Model.jsonAnswer({ emails: [{ subject: "absquatulate", body: privateText }] })
        ]
        for (const fault of faults) {
          yield* mock.reply(fault)
          assert.notStrictEqual((yield* generate()).status, 200)
        }
        yield* mock.reply(modelAnswers)

        // Damage the store while the server runs: rows that do not decode, and a missing table.
        yield* runSql(
          data,
          `UPDATE leads SET sequence = '[{"subject": ["Zebulon Oxpecker"]}]' WHERE status = 'completed'`,
          "UPDATE lists SET recipient = 'zebulon@quagmire-foundry.example'",
          `DROP TABLE conversations ${Stores.onPostgres ? "CASCADE" : ""}`
        )
        const answers = [
          yield* send("GET", `${list}/export?format=csv`),
          yield* send("GET", `${list}/export?format=json`),
          yield* post("/agent/chat", { message: "borborygmus", campaign_id: campaign }),
          yield* send("GET", "/conversations")
        ]
        assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [500])
        // Jobs with invalid details or an invalid payload.
        yield* runSql(
          data,
          `UPDATE workspaces SET details = '{"company_name": ["Hollowell"]}'`,
          `INSERT INTO jobs SELECT '00000000-0000-7000-8000-000000000000', workspace_id, 'list.batch', subject, 'pending', NULL,
            '{"batch": "Zebulon Oxpecker, ', NULL, NULL, NULL, 0, NULL, 0, 0, 0, created_at, updated_at, NULL FROM jobs LIMIT 1`
        )
        assert.strictEqual((yield* send("GET", "/workspace")).status, 500)
        yield* assertSucceeds(post("/workspace/regenerate", {}))
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

        // Each output has entries to search.
        const log = server.log()
        const logEntries = log
          .trim()
          .split("\n")
          .map((line): unknown => JSON.parse(line))
        assert.isAbove(logEntries.length, 60)
        for (const message of ["A request broke", "A mail was not taken", "A job failed", "A job broke"]) {
          assert.include(log, message)
        }
        const exportedData = telemetry.deliveries.map(({ body }) => JSON.parse(body.toString()))
        const paths = new Set(telemetry.deliveries.map(({ path }) => path))
        assert.deepStrictEqual([...paths].toSorted(), ["/v1/logs", "/v1/metrics", "/v1/traces"])
        const outputs = { log: `${stringsOf(logEntries)}\n${log}`, telemetry: stringsOf(exportedData), metrics }
        assert.include(outputs.telemetry, "A request broke")
        assert.include(outputs.telemetry, "GET /api/v1/lists/:id/export")
        assert.include(outputs.metrics, 'overture_leads_total{outcome="written"}')

        const searchedWords = { ...privateWords, "the API key": key, "the link's signature": "signature=" }
        for (const [outputName, text] of Object.entries(outputs)) {
          for (const [wordName, word] of Object.entries(searchedWords)) {
            const position = text.toLowerCase().indexOf(word.toLowerCase())
            assert.strictEqual(
              position,
              -1,
              `${wordName} is in the ${outputName}: …${text.slice(Math.max(0, position - 300), position + 100)}`
            )
          }
        }
      }).pipe(Effect.scoped, Effect.provide(Mock.layer)),
    120_000
  )
})
