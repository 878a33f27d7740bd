// test/program/logging.test.ts: the log of a server: its lines have one format and are in order of time, and no failure is
// logged with a stack trace.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { freePort } from "#test/support/listening.ts"
import { stopProcess, dataDirectory, type Server, serve } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"
import { workspaceIn } from "#test/support/program-workspace.ts"

const Line = Schema.fromJsonString(
  Schema.StructWithRest(
    Schema.Struct({
      timestamp: Schema.String,
      level: Schema.Literals(["DEBUG", "INFO", "WARN", "ERROR"]),
      message: Schema.String
    }),
    [Schema.Record(Schema.String, Schema.Json)]
  )
)

const linesOf = (server: Server) =>
  server
    .log()
    .split("\n")
    .filter((line) => line !== "")

const runFailingServer = Effect.fnUntraced(function* (format: string) {
  const data = yield* dataDirectory
  const { key } = yield* workspaceIn(data, "Kestrel", "--profile", "src/demo/profile.json")
  const firstServer = yield* serve(data)
  const campaign = yield* buildCampaign(apiClient(firstServer.url, key))
  yield* stopProcess(firstServer.child, "SIGTERM")
  const server = yield* serve(data, {
    OVERTURE_GENERATOR: "openai",
    OPENAI_BASE_URL: `http://127.0.0.1:${yield* Effect.promise(freePort)}/v1`,
    OVERTURE_LOG_FORMAT: format
  })
  const { send } = apiClient(server.url, key)
  for (let i = 0; i < 5; i++) yield* send("GET", "/campaigns")
  const sample = { headers: ["Email", "Name"] }
  const { status } = yield* send("POST", `/campaigns/${campaign}/preview`, {
    sample,
    options: { email_count: 1, email_signature: "Ann" }
  })
  assert.isAtLeast(status, 500)
  yield* until(
    Effect.sync(() => linesOf(server)),
    (lines) => lines.some((line) => line.includes("/preview"))
  )
  yield* stopProcess(server.child, "SIGTERM")
  return server
})

describe("the log", () => {
  it.live(
    "as JSON has one format: time, level, message and other fields, in order of time",
    () =>
      Effect.gen(function* () {
        const server = yield* runFailingServer("json")
        const lines = yield* Effect.forEach(linesOf(server), (line) => Schema.decodeEffect(Line)(line))
        assert.includeMembers(
          lines.map(({ message }) => message),
          ["request", "Stopping"]
        )
        for (const line of lines) {
          for (const name of ["annotations", "spans", "fiberId"]) assert.notProperty(line, name)
          assert.deepStrictEqual(new Date(line.timestamp).toISOString(), line.timestamp)
        }
        const times = lines.map(({ timestamp }) => timestamp)
        assert.deepStrictEqual(times, times.toSorted())
        const warnings = lines.filter(({ level }) => level === "WARN" || level === "ERROR")
        assert.isNotEmpty(warnings)
        assert.deepStrictEqual(
          warnings.filter((line) => "cause" in line || /\\n +at /.test(JSON.stringify(line))),
          []
        )
      }),
    120_000
  )

  it.live(
    "on a terminal has one format as well",
    () =>
      Effect.gen(function* () {
        const lines = linesOf(yield* runFailingServer("pretty"))
        for (const line of lines) assert.match(line, /^\[\d\d:\d\d:\d\d\.\d{3}\] (?:INFO |WARN |ERROR) \P{Cc}+$/u)
        assert.isTrue(lines.some((line) => / INFO {2}200 GET \/api\/v1\/campaigns \d/.test(line)))
        assert.isTrue(lines.some((line) => / INFO {2}Stopping$/.test(line)))
      }),
    120_000
  )
})
