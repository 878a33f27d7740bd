// test/program/atomic.test.ts: whatever write of an operation fails, the operation was done or it was not: each of them is made to
// fail in its turn.
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

const live = { excludeTestServices: true }
const rate = { limit: 1_000_000, window: Duration.minutes(1) }

/** More writes than any operation has. */
const most = 60

/** One workspace for what changes things, and one for what deletes them. */
class Two extends Context.Service<Two, { readonly kept: FullWorkspace; readonly deleted: FullWorkspace }>()(
  "test/Atomic"
) {
  static readonly layer = Layer.effect(
    Two,
    Effect.gen(function* () {
      return { kept: yield* createFullWorkspace("kestrel"), deleted: yield* createFullWorkspace("hollowell") }
    }).pipe(Server.withWorkers(partlyFailingWriter))
  )
}

/** Endpoints that wait for a job, which no worker runs here. */
const endpointsThatWaitForJobs = ["generate", "previewCampaign"]

/** A POST that stores nothing, but for the answer under a key. */
const postsWithoutWrites = ["tryPlaybook", "lint", "readLeadFile", "sendTestMail"]

const writing = authenticatedEndpoints.filter(
  ({ method, name }) => method !== "GET" && !postsWithoutWrites.includes(name)
)

/** Where an Idempotency-Key makes the transaction, and one without it has to. */
const endpointsWithoutOwnTransaction = ["createCampaign", "branchCampaign", "previewCampaign", "generateBatch"]

/** What takes a campaign back to its draft, or a workspace's documents away, comes late. */
const late = ({ name }: Endpoint) =>
  name === "deleteCampaign" ? 2 : /^(set|select|generateValue|regenerate)/.test(name) ? 1 : 0

layer(Two.layer.pipe(Layer.provideMerge(Server.layer({ runsWorkers: false, rate }))), live)("a request", (it) => {
  const cases = [
    ...writing.map((endpoint) => ({ name: endpoint.name, endpoint, key: endpoint.name })),
    ...writing
      .filter(({ name }) => endpointsWithoutOwnTransaction.includes(name))
      .map((endpoint) => ({ name: `${endpoint.name} without a key`, endpoint, key: undefined }))
  ].toSorted((a, b) => late(a.endpoint) - late(b.endpoint))
  it.effect.each(cases)("takes effect completely or not at all: $name", ({ endpoint, key }) =>
    Effect.gen(function* () {
      const { deleted, kept } = yield* Two
      const own = endpoint.method === "DELETE" ? deleted : kept
      const [method, path, init] = fullRequest(endpoint, own, {
        ...(endpoint.name === "reprocessList" && { id: own.ids.pendingList }),
        // Addresses of its usual body may be suppressed by now.
        ...(endpoint.name === "generateBatch" && {
          body: { leads: [lead], options: { ...options, idempotent: key !== undefined } }
        }),
        ...(endpoint.name === "importUrl" && { body: { url: "https://acme.example" } })
      })
      const headers = new Headers(init.headers)
      if (key !== undefined) headers.set("idempotency-key", key)
      const sent = own.caller.send(method, path, { ...init, headers })
      for (let nth = 1; nth < most; nth++) {
        const before = yield* dump
        yield* failWrite(nth)
        const asking = yield* Effect.forkChild(sent)
        const answered = Fiber.join(asking)
        const soon = yield* endpointsThatWaitForJobs.includes(endpoint.name)
          ? Effect.timeoutOption(answered, 300)
          : Effect.asSome(answered)
        const failed = yield* stopFailing
        // A refused caller gets its answer, however long that takes.
        const answer = failed === undefined ? soon : yield* Effect.timeoutOption(answered, "20 seconds")
        yield* Fiber.interrupt(asking)
        if (failed === undefined) {
          if (answer._tag === "Some") assert.isBelow(answer.value.status, 300, answer.value.text)
          assert.isAbove(nth, 1, "nothing was written")
          return yield* Server.assertConsistent
        }
        const about = `write ${nth}: ${failed}`
        if (answer._tag === "None") return assert.fail(`${about} went by`)
        assert.strictEqual(answer.value.status, 500, about)
        assert.isTrue((yield* dump) === before, `${about} left something behind`)
      }
      assert.fail("It never came to its end")
    })
  )
})

/** Fails for leads named Nora. */
const picky: Partial<Generator["Service"]> = {
  sequence: (brief) => (brief.lead.name === "Nora" ? Effect.fail(refusal) : fakeWriter.sequence(brief))
}

layer(Server.layer({ rate, writer: picky }), live)("background work", (it) => {
  it.effect("of a batch is either saved and charged once or failed and not charged, whichever write fails", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller({ plan: "internal" })
      const campaign = yield* builtCampaign(caller)
      const leads = ["Ann", "Bob", "Nora"].map((name) => ({ email: `${name}@lead.example`, name }))
      let charged = (yield* expectBody(200, caller.get("/credits"))).usage.credits_used_this_period
      for (let nth = 1; nth < most; nth++) {
        yield* failWrite(0)
        const accept = caller.post(`/campaigns/${campaign}/generate-batch`, {
          leads,
          options: { email_count: 1, email_signature: "Ann", notification_email: "ann@sales.example" }
        })
        const { list_id } = yield* expectBody(202, accept)
        yield* failWrite(nth)
        const list = yield* until(expectBody(200, caller.get(`/lists/${list_id}`)), (list) => "completed_at" in list)
        const failed = yield* stopFailing
        const about = `write ${nth}: ${failed}`
        assert.deepInclude(list, { processing_status: "completed", leads_count: 3, emails_created: 2 }, about)
        const used = (yield* expectBody(200, caller.get("/credits"))).usage.credits_used_this_period
        assert.strictEqual(used - charged, 2, about)
        charged = used
        yield* Server.assertConsistent
        if (failed === undefined && nth > 20) return
      }
    })
  )
})
