// test/program/atomic.test.ts: every operation is atomic. Each of its writes is made to fail in turn, and the operation then has
// no effect at all.
import { assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer } from "effect"
import type { Generator } from "#layers/Generator.ts"
import { expectBody } from "../support/answers.ts"
import { failWrite, stopFailing } from "../support/failing-writes.ts"
import { onboardedCaller } from "../support/callers.ts"
import { builtCampaign } from "../support/campaigns.ts"
import { dump } from "../support/dump.ts"
import { type Endpoint, authenticatedEndpoints, lead, options } from "../support/endpoints.ts"
import { refusal } from "../support/faults.ts"
import { type FullWorkspace, createFullWorkspace, fullRequest, partlyFailingWriter } from "../support/full-workspace.ts"
import * as Server from "../support/server.ts"
import { until } from "../support/until.ts"
import { fakeWriter } from "../support/writer.ts"

const liveTests = { excludeTestServices: true }
const rate = { limit: 1_000_000, window: Duration.minutes(1) }

/** No operation makes as many writes as this. */
const maxWrites = 60

/** One workspace for requests that change things, and one for requests that delete them. */
class Workspaces extends Context.Service<
  Workspaces,
  { readonly changedWorkspace: FullWorkspace; readonly deletedWorkspace: FullWorkspace }
>()("test/Atomic") {
  static readonly layer = Layer.effect(
    Workspaces,
    Effect.gen(function* () {
      return {
        changedWorkspace: yield* createFullWorkspace("kestrel"),
        deletedWorkspace: yield* createFullWorkspace("hollowell")
      }
    }).pipe(Server.withWorkers(partlyFailingWriter))
  )
}

/** Endpoints that wait for a job, which no worker runs here. */
const endpointsThatWaitForJobs = ["generate", "previewCampaign"]

/** POST endpoints that store nothing except the answer under an Idempotency-Key. */
const postsWithoutWrites = ["tryPlaybook", "lint", "readLeadFile", "sendTestMail"]

const writingEndpoints = authenticatedEndpoints.filter(
  ({ method, name }) => method !== "GET" && !postsWithoutWrites.includes(name)
)

/** Endpoints that run in the transaction of their Idempotency-Key, and open their own transaction without a key. */
const endpointsWithoutOwnTransaction = ["createCampaign", "branchCampaign", "previewCampaign", "generateBatch"]

/** Requests that reset a campaign to a draft, or delete documents that others need, run last. */
const rankOf = ({ name }: Endpoint) =>
  name === "deleteCampaign" ? 2 : /^(set|select|generateValue|regenerate)/.test(name) ? 1 : 0

layer(Workspaces.layer.pipe(Layer.provideMerge(Server.layer({ runsWorkers: false, rate }))), liveTests)(
  "a request",
  (it) => {
    const cases = [
      ...writingEndpoints.map((endpoint) => ({ name: endpoint.name, endpoint, key: endpoint.name })),
      ...writingEndpoints
        .filter(({ name }) => endpointsWithoutOwnTransaction.includes(name))
        .map((endpoint) => ({ name: `${endpoint.name} without a key`, endpoint, key: undefined }))
    ].toSorted((a, b) => rankOf(a.endpoint) - rankOf(b.endpoint))
    it.effect.each(cases)("takes effect completely or not at all: $name", ({ endpoint, key }) =>
      Effect.gen(function* () {
        const { deletedWorkspace, changedWorkspace } = yield* Workspaces
        const workspace = endpoint.method === "DELETE" ? deletedWorkspace : changedWorkspace
        const [method, path, init] = fullRequest(endpoint, workspace, {
          ...(endpoint.name === "reprocessList" && { id: workspace.ids.pendingList }),
          // An earlier request may have suppressed the addresses of the usual body.
          ...(endpoint.name === "generateBatch" && {
            body: { leads: [lead], options: { ...options, idempotent: key !== undefined } }
          }),
          ...(endpoint.name === "importUrl" && { body: { url: "https://acme.example" } })
        })
        const headers = new Headers(init.headers)
        if (key !== undefined) headers.set("idempotency-key", key)
        const request = workspace.caller.send(method, path, { ...init, headers })
        for (let nth = 1; nth < maxWrites; nth++) {
          const dumpBefore = yield* dump
          yield* failWrite(nth)
          const requestFiber = yield* Effect.forkChild(request)
          const awaitAnswer = Fiber.join(requestFiber)
          const earlyAnswer = yield* endpointsThatWaitForJobs.includes(endpoint.name)
            ? Effect.timeoutOption(awaitAnswer, 300)
            : Effect.asSome(awaitAnswer)
          const failedWrite = yield* stopFailing
          // A request whose write failed is always answered, so wait longer for its answer.
          const answer =
            failedWrite === undefined ? earlyAnswer : yield* Effect.timeoutOption(awaitAnswer, "20 seconds")
          yield* Fiber.interrupt(requestFiber)
          if (failedWrite === undefined) {
            if (answer._tag === "Some") assert.isBelow(answer.value.status, 300, answer.value.text)
            assert.isAbove(nth, 1, "nothing was written")
            return yield* Server.assertConsistent
          }
          const message = `write ${nth}: ${failedWrite}`
          if (answer._tag === "None") return assert.fail(`${message} was not answered`)
          assert.strictEqual(answer.value.status, 500, message)
          assert.isTrue((yield* dump) === dumpBefore, `${message} left something behind`)
        }
        assert.fail("The operation makes more writes than expected")
      })
    )
  }
)

/** Fails for leads named Nora. */
const writerRefusingNora: Partial<Generator["Service"]> = {
  sequence: (brief) => (brief.lead.name === "Nora" ? Effect.fail(refusal) : fakeWriter.sequence(brief))
}

layer(Server.layer({ rate, writer: writerRefusingNora }), liveTests)("a background job", (it) => {
  it.effect("of a batch is either saved and charged once or failed and not charged, whichever write fails", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller({ plan: "internal" })
      const campaign = yield* builtCampaign(caller)
      const leads = ["Ann", "Bob", "Nora"].map((name) => ({ email: `${name}@lead.example`, name }))
      let creditsBefore = (yield* expectBody(200, caller.get("/credits"))).usage.credits_used_this_period
      for (let nth = 1; nth < maxWrites; nth++) {
        yield* failWrite(0)
        const request = caller.post(`/campaigns/${campaign}/generate-batch`, {
          leads,
          options: { email_count: 1, email_signature: "Ann", notification_email: "ann@sales.example" }
        })
        const { list_id } = yield* expectBody(202, request)
        yield* failWrite(nth)
        const list = yield* until(expectBody(200, caller.get(`/lists/${list_id}`)), (list) => "completed_at" in list)
        const failedWrite = yield* stopFailing
        const message = `write ${nth}: ${failedWrite}`
        assert.deepInclude(list, { processing_status: "completed", leads_count: 3, emails_created: 2 }, message)
        const creditsAfter = (yield* expectBody(200, caller.get("/credits"))).usage.credits_used_this_period
        assert.strictEqual(creditsAfter - creditsBefore, 2, message)
        creditsBefore = creditsAfter
        yield* Server.assertConsistent
        if (failedWrite === undefined && nth > 20) return
      }
    })
  )
})
