// test/program/slow-readers.test.ts: callers who request a long list and read nothing: they cost the server only what it
// has read ahead for them, and delay no other request. Stopping in spite of them is tested in test/program/stop.test.ts.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { commandJson } from "../support/command.ts"
import { runSql, openIdleConnection, dataDirectory, serve } from "../support/process.ts"
import { sampleValue, metricsUrlOf, parseMetrics, scrape } from "../support/prometheus.ts"
import { until } from "../support/until.ts"
import { apiClient } from "../support/api-client.ts"

const list = "00000000-0000-7000-8000-000000000000"
const count = 5000
const options = JSON.stringify({
  email_count: 1,
  signature: "Ann",
  additional_details: null,
  approved_ctas: [],
  enriched: false,
  cost: 1,
  notification_email: null
})
const readers = 20
const mebibyte = 2 ** 20

/** A store with one completed list of 20 MB, and a key to it. */
const stored = Effect.gen(function* () {
  const data = yield* dataDirectory
  const { id: workspace } = yield* commandJson(data, "workspace", "create", "--name", "Kestrel")
  const { key } = yield* commandJson(data, "key", "create", "--workspace", workspace)
  const sequence = JSON.stringify([{ step: 1, subject: "Pumps", body: "0123456789".repeat(400) }])
  yield* runSql(
    data,
    `INSERT INTO lists (id, workspace_id, kind, processing_status, options, cost, leads_count, leads_done, leads_failed,
      emails_created, created_at, updated_at, completed_at)
    VALUES ('${list}', '${workspace}', 'batch', 'completed', '${options}', 1, ${count}, ${count}, 0, ${count},
      '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
    `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})
    INSERT INTO leads (id, list_id, workspace_id, position, email, status, suspect, sequence, emails)
    SELECT 'lead-' || n, '${list}', '${workspace}', n, 'lead' || n || '@oak.example', 'completed', 0, '${sequence}', 1
    FROM numbers`
  )
  return { data, key: key as string }
})

describe("readers who do not read", () => {
  it.live.each([
    ["rows", "api", 0],
    ["files", "all", 2]
  ] as const)(
    "of %s delay no other request, and little is read ahead for them",
    ([, role, files]) =>
      Effect.gen(function* () {
        const { data, key } = yield* stored
        const server = yield* serve(data, { OVERTURE_ROLE: role, OVERTURE_METRICS_PORT: "0" })
        const metrics = yield* metricsUrlOf(server)
        const resident = Effect.map(
          scrape(metrics),
          (text) => sampleValue(parseMetrics(text), "process_resident_memory_bytes") ?? Infinity
        )
        const api = apiClient(server.url, key)
        const whole = yield* api.send("GET", `/lists/${list}/export?format=csv`)
        assert.strictEqual(whole.status, 200, JSON.stringify(whole.body))
        assert.isAbove(whole.body.length, 19 * mebibyte)
        yield* until(runSql(data, "SELECT file FROM list_files"), (rows) => rows.length === files)

        const before = yield* resident
        for (let i = 0; i < readers; i++) {
          yield* openIdleConnection(
            server,
            `GET /api/v1/lists/${list}/export?format=csv HTTP/1.1\r\nHost: overture\r\nAuthorization: Bearer ${key}\r\n\r\n`
          )
        }
        // Long enough for all of it to be read, were it read.
        const held: Array<number> = []
        for (let i = 0; i < 20; i++) {
          assert.strictEqual((yield* api.send("GET", "/lists")).status, 200)
          assert.strictEqual((yield* api.send("POST", "/signatures", { signature_text: `Ann ${i}` })).status, 201)
          yield* Effect.sleep("200 millis")
          held.push(yield* resident)
        }
        // What is held stays; what is only not yet collected goes. Who collected it all would have a copy for each reader.
        assert.isBelow(Math.min(...held.slice(10)) - before, readers * whole.body.length)
      }),
    180_000
  )
})
