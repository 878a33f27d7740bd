// test/program/killed-batches.test.ts: a server that is killed while it accepts batches: each Idempotency-Key makes one list.
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { onboardedWorkspace, namedLeads, ledgerOf, options, assertConsistent } from "#test/support/program-workspace.ts"
import { killProgram, serve, type Server } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

const count = 700

it.live(
  "a batch that a kill cuts short is one list and one charge when it is sent again under its key",
  () =>
    Effect.gen(function* () {
      const { data, key, workspace } = yield* onboardedWorkspace
      let server = yield* serve(data)
      const campaign = yield* buildCampaign(apiClient(server.url, key))
      const send = ({ url }: Server, nth: number) =>
        apiClient(url, key, { "idempotency-key": `batch-${nth}` }).send(
          "POST",
          `/campaigns/${campaign}/generate-batch`,
          {
            leads: namedLeads(count),
            options: { ...options, idempotent: true }
          }
        )
      const total = ({ url }: Server) =>
        Effect.map(apiClient(url, key).send("GET", "/lists"), ({ body }) => Number(body.total))

      // At another instant of the request each time; the last kill is between its commit and the end of the answer, or after it.
      const instants = [2, 15, 40, 80, "stored"] as const
      let cut = 0
      for (const [nth, instant] of instants.entries()) {
        const running = server
        const sending = yield* Effect.forkChild(Effect.exit(send(running, nth)))
        if (instant === "stored") yield* until(total(running), (found) => found > nth)
        else yield* Effect.sleep(instant)
        yield* killProgram(running)
        const answer = yield* Fiber.join(sending)
        if (Exit.isFailure(answer)) cut++
        server = yield* serve(data)
        assert.include([nth, nth + 1], yield* total(server))
        const again = yield* until(send(server, nth), ({ status }) => status !== 409)
        assert.strictEqual(again.status, 202, JSON.stringify(again.body))
        if (Exit.isSuccess(answer)) assert.deepStrictEqual(again.body, answer.value.body)
        assert.deepStrictEqual((yield* send(server, nth)).body, again.body)
        assert.strictEqual(yield* total(server), nth + 1)
        yield* until(
          apiClient(server.url, key).send("GET", `/lists/${again.body.list_id}`),
          ({ body }) => body.processing_status === "completed"
        )
      }
      assert.isAbove(cut, 0, "no kill cut a request short")
      const { entries } = yield* ledgerOf(data, workspace)
      assert.lengthOf(
        entries.filter(({ kind }) => kind === "capture"),
        instants.length * count
      )
      yield* assertConsistent(data)
      assert.notInclude(server.log(), "Unhandled")
    }),
  // A key is in use for 30 seconds after a kill.
  300_000
)
