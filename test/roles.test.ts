// test/roles.test.ts: requests and background work in processes of their own, over one store.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { founded, leads, options, sound } from "#test/support/founded.ts"
import { overture, serve } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { build, wire } from "#test/support/wire.ts"

describe("OVERTURE_ROLE", () => {
  it.live("leaves what an API accepts to a worker, and the API hears when it is done", () =>
    Effect.gen(function* () {
      const { data, key } = yield* founded
      const api = yield* serve(data, { OVERTURE_ROLE: "api" })
      const { send } = wire(api.url, key)
      const first = (yield* send("POST", "/campaigns", { name: "Early" })).body.id
      const { id, segment_name } = (yield* send("GET", "/target-audiences")).body.data[0]
      const asked = yield* send("POST", `/campaigns/${first}/target-audience`, {
        target_audience: { id, segment_name }
      })
      assert.strictEqual(asked.status, 202, JSON.stringify(asked.body))
      const job = send("GET", `/jobs/${asked.body.id}`)
      yield* Effect.sleep("1500 millis")
      assert.strictEqual((yield* job).body.status, "processing")

      const worker = yield* serve(data, { OVERTURE_ROLE: "worker", OVERTURE_PUBLIC_URL: api.url })
      yield* until(job, ({ body }) => body.status === "completed")
      const campaign = yield* build({ send })
      const one = yield* send("POST", `/campaigns/${campaign}/generate`, { lead: leads(1)[0], options })
      assert.strictEqual(one.status, 200, JSON.stringify(one.body))
      assert.lengthOf(one.body.sequence, 2)
      const batch = yield* send("POST", `/campaigns/${campaign}/generate-batch`, { leads: leads(30), options })
      const list = yield* until(send("GET", `/lists/${batch.body.list_id}`), ({ body }) => "completed_at" in body)
      assert.deepInclude(list.body, { processing_status: "completed", emails_created: 60 })

      const ask = (path: string) => Effect.promise(() => fetch(`${worker.url}${path}`))
      assert.strictEqual((yield* ask("/readyz")).status, 200)
      assert.strictEqual((yield* ask("/api/v1/lists")).status, 404)
      assert.notInclude(worker.log(), "OVERTURE_PUBLIC_URL")
      yield* sound(data)
    })
  )

  it.live("warns a worker whose mails would lead to itself, and refuses what it cannot be", () =>
    Effect.gen(function* () {
      const { data } = yield* founded
      const worker = yield* serve(data, { OVERTURE_ROLE: "worker" })
      yield* until(
        Effect.sync(() => worker.log()),
        (log) => log.includes("OVERTURE_PUBLIC_URL is not set")
      )
      // The store has its worker; whoever only answers may come beside it.
      const { code, stderr } = yield* overture(data, "serve", "--port", "0")
      assert.deepStrictEqual([code, stderr.includes("already works on this data directory")], [1, true])
      yield* serve(data, { OVERTURE_ROLE: "api" })
    })
  )
})
