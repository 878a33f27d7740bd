// test/program/slow-readers.test.ts: clients that request a long list and do not read the response. They delay no other
// request, and the server holds little of the list in memory for them. test/program/stop.test.ts tests that they do not
// prevent the server from stopping.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { commandJson } from "../support/command.ts"
import { runSql, openIdleConnection, dataDirectory, serve } from "../support/process.ts"
import { sampleValue, metricsUrlOf, parseMetrics, scrape } from "../support/prometheus.ts"
import { until } from "../support/until.ts"
import { apiClient } from "../support/api-client.ts"

const listId = "00000000-0000-7000-8000-000000000000"
const leadCount = 5000
const options = JSON.stringify({
  email_count: 1,
  signature: "Ann",
  additional_details: null,
  approved_ctas: [],
  enriched: false,
  cost: 1,
  notification_email: null
})
const readerCount = 20
const mebibyte = 2 ** 20

/** Creates a store with one completed list of 20 MB, and an API key. */
const createStoreWithList = Effect.gen(function* () {
  const data = yield* dataDirectory
  const { id: workspace } = yield* commandJson(data, "workspace", "create", "--name", "Kestrel")
  const { key } = yield* commandJson(data, "key", "create", "--workspace", workspace)
  const sequence = JSON.stringify([{ step: 1, subject: "Pumps", body: "0123456789".repeat(400) }])
  yield* runSql(
    data,
    `INSERT INTO lists (id, workspace_id, kind, processing_status, options, cost, leads_count, leads_done, leads_failed,
      emails_created, created_at, updated_at, completed_at)
    VALUES ('${listId}', '${workspace}', 'batch', 'completed', '${options}', 1, ${leadCount}, ${leadCount}, 0, ${leadCount},
      '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${leadCount - 1})
    INSERT INTO leads (id, list_id, workspace_id, position, email, status, suspect, sequence, emails)
    SELECT 'lead-' || n, '${listId}', '${workspace}', n, 'lead' || n || '@oak.example', 'completed', 0, '${sequence}', 1
    FROM numbers`
  )
  return { data, key: key as string }
})

describe("clients that request an export and do not read it", () => {
  it.live.each([
    ["rows", "api", 0],
    ["files", "all", 2]
  ] as const)(
    "from %s delay no other request, and the server reads little ahead for them",
    ([, role, fileCount]) =>
      Effect.gen(function* () {
        const { data, key } = yield* createStoreWithList
        const server = yield* serve(data, { OVERTURE_ROLE: role, OVERTURE_METRICS_PORT: "0" })
        const metricsUrl = yield* metricsUrlOf(server)
        const readResidentMemory = Effect.map(
          scrape(metricsUrl),
          (text) => sampleValue(parseMetrics(text), "process_resident_memory_bytes") ?? Infinity
        )
        const api = apiClient(server.url, key)
        const fullExport = yield* api.send("GET", `/lists/${listId}/export?format=csv`)
        assert.strictEqual(fullExport.status, 200, JSON.stringify(fullExport.body))
        assert.isAbove(fullExport.body.length, 19 * mebibyte)
        yield* until(runSql(data, "SELECT file FROM list_files"), (rows) => rows.length === fileCount)

        const residentBefore = yield* readResidentMemory
        for (let i = 0; i < readerCount; i++) {
          yield* openIdleConnection(
            server,
            `GET /api/v1/lists/${listId}/export?format=csv HTTP/1.1\r\nHost: overture\r\nAuthorization: Bearer ${key}\r\n\r\n`
          )
        }
        // In this time the server could read the whole list for each client.
        const residentSamples: Array<number> = []
        for (let i = 0; i < 20; i++) {
          assert.strictEqual((yield* api.send("GET", "/lists")).status, 200)
          assert.strictEqual((yield* api.send("POST", "/signatures", { signature_text: `Ann ${i}` })).status, 201)
          yield* Effect.sleep("200 millis")
          residentSamples.push(yield* readResidentMemory)
        }
        // The smallest sample excludes memory that only waits for garbage collection. A copy of the list for each client
        // would remain in every sample.
        assert.isBelow(Math.min(...residentSamples.slice(10)) - residentBefore, readerCount * fullExport.body.length)
      }),
    180_000
  )
})
