// test/program/killed-batches.test.ts: a server that is killed while it accepts batches creates one list for each
// Idempotency-Key.
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { onboardedWorkspace, namedLeads, ledgerOf, options, assertConsistent } from "#test/support/program-workspace.ts"
import { killProgram, serve, type Server } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

const leadCount = 700

it.live(
  "a batch whose request a kill interrupts becomes one list with one charge when it is sent again with its key",
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
            leads: namedLeads(leadCount),
            options: { ...options, idempotent: true }
          }
        )
      const countLists = ({ url }: Server) =>
        Effect.map(apiClient(url, key).send("GET", "/lists"), ({ body }) => Number(body.total))

      // Each kill comes at a different time of the request. The last one comes after the commit of the list.
      const instants = [2, 15, 40, 80, "stored"] as const
      let lostAnswers = 0
      for (const [nth, instant] of instants.entries()) {
        const runningServer = server
        const requestFiber = yield* Effect.forkChild(Effect.exit(send(runningServer, nth)))
        if (instant === "stored") yield* until(countLists(runningServer), (count) => count > nth)
        else yield* Effect.sleep(instant)
        yield* killProgram(runningServer)
        const answer = yield* Fiber.join(requestFiber)
        if (Exit.isFailure(answer)) lostAnswers++
        server = yield* serve(data)
        assert.include([nth, nth + 1], yield* countLists(server))
        const retryAnswer = yield* until(send(server, nth), ({ status }) => status !== 409)
        assert.strictEqual(retryAnswer.status, 202, JSON.stringify(retryAnswer.body))
        if (Exit.isSuccess(answer)) assert.deepStrictEqual(retryAnswer.body, answer.value.body)
        assert.deepStrictEqual((yield* send(server, nth)).body, retryAnswer.body)
        assert.strictEqual(yield* countLists(server), nth + 1)
        yield* until(
          apiClient(server.url, key).send("GET", `/lists/${retryAnswer.body.list_id}`),
          ({ body }) => body.processing_status === "completed"
        )
      }
      assert.isAbove(lostAnswers, 0, "no kill interrupted a request")
      const { entries } = yield* ledgerOf(data, workspace)
      assert.lengthOf(
        entries.filter(({ kind }) => kind === "capture"),
        instants.length * leadCount
      )
      yield* assertConsistent(data)
      assert.notInclude(server.log(), "Unhandled")
    }),
  // An Idempotency-Key stays in use for 30 seconds after a kill.
  300_000
)
