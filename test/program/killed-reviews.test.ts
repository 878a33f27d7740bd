// test/program/killed-reviews.test.ts: a server that is killed in the middle of edits, rewrites and bulk decisions loses
// nothing, and does nothing twice.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { onboardedWorkspace, namedLeads, ledgerOf, options, assertConsistent } from "#test/support/program-workspace.ts"
import { rawServer } from "#test/support/model.ts"
import { killProgram, serve, type Server } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

interface Version {
  readonly version: number
  readonly subject: string
  readonly body: string
  readonly by: string
}

/** Number of leads that are edited or rewritten. */
const editedCount = 12
/** Each test starts several servers, and an Idempotency-Key stays in use for 30 seconds after a kill. */
const timeout = 240_000

/** Number of leads in a bulk decision: more than one SQL statement can contain. */
const decidedCount = 520

const writeList = Effect.fnUntraced(function* (server: Server, key: string, count: number, campaign: string) {
  const api = apiClient(server.url, key)
  const batch = { leads: namedLeads(count), options }
  const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, batch)).body
  yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => "completed_at" in body)
  const ids: Array<string> = []
  while (ids.length < count) {
    const { body } = yield* api.send("GET", `/lists/${list_id}/leads?limit=100&offset=${ids.length}&sort=position`)
    ids.push(...body.data.map(({ id }: { readonly id: string }) => id))
  }
  return { list: String(list_id), ids }
})

/** Builds a campaign in which every persona has a second template for the first email, so that a rewrite changes it. */
const buildCampaignWithVariants = Effect.fnUntraced(function* ({ url }: Server, key: string) {
  const api = apiClient(url, key)
  const campaign = yield* buildCampaign(api)
  const { personas } = (yield* api.send("GET", `/campaigns/${campaign}/playbook`)).body
  for (const { id: persona_id, templates } of personas) {
    if (templates.filter(({ step }: { readonly step: number }) => step === 1).length > 1) continue
    const template = {
      persona_id,
      step: 1,
      subject: "Another question",
      body: "Who looks after the pumps at your plant?"
    }
    const added = yield* api.send("POST", `/campaigns/${campaign}/playbook/templates`, template)
    assert.strictEqual(added.status, 201, JSON.stringify(added.body))
  }
  return campaign
})

/** Returns all versions of an email, oldest first, and asserts that none is missing and that the newest is shown. */
const versionsOf = Effect.fnUntraced(function* (server: Server, key: string, lead: string, step = 1) {
  const api = apiClient(server.url, key)
  const { data } = (yield* api.send("GET", `${lead}/emails/${step}/versions?limit=100`)).body
  const versions: ReadonlyArray<Version> = data.toReversed()
  assert.deepStrictEqual(
    versions.map(({ version }) => version),
    versions.map((_, index) => index + 1)
  )
  const email = (yield* api.send("GET", lead)).body.emails[step - 1]
  const { body, subject, version } = versions.at(-1) ?? {}
  assert.deepStrictEqual([email.subject, email.body, email.version], [subject, body, version])
  return versions
})

const countSpentCredits = (data: string, workspace: string) =>
  Effect.map(ledgerOf(data, workspace), ({ entries }) =>
    entries.reduce((sum, { amount, kind }) => sum - (kind === "grant" ? 0 : amount), 0)
  )

describe("a server that is killed in the middle of", () => {
  it.live(
    "edits keeps each edit that it answered, once, and all versions before it",
    () =>
      Effect.gen(function* () {
        const { data, key } = yield* onboardedWorkspace
        let server = yield* serve(data)
        const campaign = yield* buildCampaign(apiClient(server.url, key))
        const { ids, list } = yield* writeList(server, key, editedCount, campaign)
        const leads = ids.map((id) => ({
          path: `/lists/${list}/leads/${id}`,
          sent: 0,
          answeredTexts: new Set<string>()
        }))
        const originals = yield* Effect.forEach(leads, ({ path }) => versionsOf(server, key, path))

        for (const killAt of [7, 40]) {
          const { url } = server
          let answerCount = 0
          const editsFiber = yield* Effect.forkChild(
            Effect.forEach(
              leads,
              (lead) =>
                Effect.gen(function* () {
                  const api = apiClient(url, key)
                  let { version } = (yield* api.send("GET", lead.path)).body.emails[0]
                  while (true) {
                    const body = `Hello, text ${++lead.sent} of ${lead.path.slice(-6)}. Who looks after this?`
                    const answer = yield* api.send("PATCH", `${lead.path}/emails/1`, { body, version })
                    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
                    version = answer.body.version
                    lead.answeredTexts.add(body)
                    answerCount++
                  }
                }).pipe(Effect.exit),
              { concurrency: "unbounded" }
            )
          )
          yield* until(
            Effect.sync(() => answerCount),
            (count) => count >= killAt
          )
          yield* killProgram(server)
          yield* Fiber.join(editsFiber)
          yield* assertConsistent(data)
          server = yield* serve(data)

          for (const [index, { answeredTexts, path }] of leads.entries()) {
            const [original, ...laterVersions] = yield* versionsOf(server, key, path)
            assert.deepStrictEqual(original, originals[index]?.[0])
            const texts = laterVersions.map(({ body }) => body)
            assert.strictEqual(new Set(texts).size, texts.length, "an edit was stored twice")
            for (const text of answeredTexts) assert.include(texts, text)
            for (const { by } of laterVersions) assert.strictEqual(by, "person")
          }
        }
        assert.notInclude(server.log(), "Unhandled")
      }),
    timeout
  )

  it.live(
    "rewrites charges one credit for each stored rewrite, also when the request is sent again",
    () =>
      Effect.gen(function* () {
        const { data, key, workspace } = yield* onboardedWorkspace
        let server = yield* serve(data)
        const campaign = yield* buildCampaignWithVariants(server, key)
        const { ids, list } = yield* writeList(server, key, editedCount, campaign)
        const spentBefore = yield* countSpentCredits(data, workspace)
        const requests: Array<{ readonly path: string; readonly key: string; answer?: unknown }> = []
        const send = (request: (typeof requests)[number], { url }: Server) =>
          apiClient(url, key, { "idempotency-key": request.key }).send("POST", `${request.path}/rewrite`, { step: 1 })

        for (const killAt of [5, 20, 35]) {
          const runningServer = server
          let answerCount = 0
          const rewritesFiber = yield* Effect.forkChild(
            Effect.forEach(
              ids,
              (id) =>
                Effect.gen(function* () {
                  while (true) {
                    const request: (typeof requests)[number] = {
                      path: `/lists/${list}/leads/${id}`,
                      key: `key-${requests.length}`
                    }
                    requests.push(request)
                    const { body, status } = yield* send(request, runningServer)
                    assert.strictEqual(status, 200, JSON.stringify(body))
                    request.answer = body
                    answerCount++
                  }
                }).pipe(Effect.exit),
              // A workspace has at most five rewrites in progress.
              { concurrency: 4 }
            )
          )
          yield* until(
            Effect.sync(() => answerCount),
            (count) => count >= killAt
          )
          yield* killProgram(server)
          yield* Fiber.join(rewritesFiber)
          yield* assertConsistent(data)
          server = yield* serve(data)
        }
        for (const request of requests) {
          // The key of an interrupted rewrite stays in use until the lease of the killed process expires.
          const { body, status } = yield* until(send(request, server), ({ status }) => status !== 409)
          assert.strictEqual(status, 200, JSON.stringify(body))
          request.answer ??= body
          assert.deepStrictEqual(body, request.answer)
        }

        let storedCount = 0
        for (const id of ids) {
          const path = `/lists/${list}/leads/${id}`
          const [original, ...laterVersions] = yield* versionsOf(server, key, path)
          assert.strictEqual(original?.by, "writer")
          for (const { by } of laterVersions) assert.strictEqual(by, "rewrite")
          assert.lengthOf(laterVersions, requests.filter((request) => request.path === path).length)
          storedCount += laterVersions.length
        }
        assert.isAtLeast(storedCount, 60)
        assert.strictEqual((yield* countSpentCredits(data, workspace)) - spentBefore, storedCount)
        yield* assertConsistent(data)
        assert.notInclude(server.log(), "Unhandled")
      }),
    timeout
  )

  it.live(
    "a rewrite by a model stores and charges nothing, and the next server runs the same request once",
    () =>
      Effect.gen(function* () {
        const { data, key, workspace } = yield* onboardedWorkspace
        const firstServer = yield* serve(data)
        const campaign = yield* buildCampaignWithVariants(firstServer, key)
        yield* apiClient(firstServer.url, key).send("PATCH", `/campaigns/${campaign}/playbook`, {
          personalization: "adapted"
        })
        const { ids, list } = yield* writeList(firstServer, key, 1, campaign)
        yield* killProgram(firstServer)
        const spentBefore = yield* countSpentCredits(data, workspace)
        // This model starts its answer and never finishes it.
        const model = yield* rawServer(undefined)
        const secondServer = yield* serve(data, { OVERTURE_GENERATOR: "openai", OPENAI_BASE_URL: model.url })
        const path = `/lists/${list}/leads/${ids[0]}`
        const send = ({ url }: Server) =>
          apiClient(url, key, { "idempotency-key": "once" }).send("POST", `${path}/rewrite`, { step: 1 })
        const requestFiber = yield* Effect.forkChild(Effect.exit(send(secondServer)))
        yield* until(
          Effect.sync(() => model.seen.calls),
          (calls) => calls > 0
        )
        yield* killProgram(secondServer)
        assert.isTrue(Exit.isFailure(yield* Fiber.join(requestFiber)))
        yield* assertConsistent(data)
        assert.strictEqual(yield* countSpentCredits(data, workspace), spentBefore)

        const thirdServer = yield* serve(data)
        assert.lengthOf(yield* versionsOf(thirdServer, key, path), 1)
        const retryAnswer = yield* until(send(thirdServer), ({ status }) => status !== 409)
        assert.strictEqual(retryAnswer.status, 200, JSON.stringify(retryAnswer.body))
        assert.deepStrictEqual((yield* send(thirdServer)).body, retryAnswer.body)
        assert.lengthOf(yield* versionsOf(thirdServer, key, path), 2)
        assert.strictEqual((yield* countSpentCredits(data, workspace)) - spentBefore, 1)
        yield* assertConsistent(data)
      }),
    timeout
  )

  it.live(
    "a bulk decision changes all of its leads or none, and never approves a failing email",
    () =>
      Effect.gen(function* () {
        const { data, key } = yield* onboardedWorkspace
        let server = yield* serve(data)
        const campaign = yield* buildCampaign(apiClient(server.url, key))
        const { ids, list } = yield* writeList(server, key, decidedCount, campaign)
        const failingLead = `/lists/${list}/leads/${ids[3]}`
        const emailWithPlaceholder = "Hello {{first_name}},\n\nWho looks after this?"
        yield* apiClient(server.url, key).send("PATCH", `${failingLead}/emails/1`, {
          body: emailWithPlaceholder,
          version: 1
        })
        const readReviewState = Effect.fnUntraced(function* (server: Server) {
          const counts = yield* Effect.forEach(["open", "approved", "rejected"], (review) =>
            Effect.map(
              apiClient(server.url, key).send("GET", `/lists/${list}/leads?limit=1&review=${review}`),
              ({ body }) => Number(body.total)
            )
          )
          const review = (yield* apiClient(server.url, key).send("GET", failingLead)).body.review.status
          return { counts, review }
        })
        // Requests select the leads by their ids and by a rule in turn.
        const bodyOf = (nth: number) => ({
          status: nth % 2 === 0 ? "approved" : "open",
          ...(nth % 4 < 2 ? { lead_ids: ids } : { where: { severity: "warn" } })
        })
        const send = ({ url }: Server, nth: number) =>
          apiClient(url, key, { "idempotency-key": `bulk-${nth}` }).send("POST", `/lists/${list}/review`, bodyOf(nth))
        const changedCounts: Array<number> = []
        const passingCount = decidedCount - 1

        for (const wait of [3, 10, 25]) {
          const runningServer = server
          const doneBefore = changedCounts.length
          const decisionsFiber = yield* Effect.forkChild(
            Effect.gen(function* () {
              while (true) {
                const { body, status } = yield* send(runningServer, changedCounts.length)
                assert.deepStrictEqual([status, body.changed], [200, passingCount])
                changedCounts.push(body.changed)
              }
            }).pipe(Effect.exit)
          )
          yield* until(
            Effect.sync(() => changedCounts.length),
            (count) => count >= doneBefore + 2
          )
          // Each kill comes at a different time of a request.
          yield* Effect.sleep(wait)
          yield* killProgram(server)
          yield* Fiber.join(decisionsFiber)
          yield* assertConsistent(data)
          server = yield* serve(data)
          const { counts, review } = yield* readReviewState(server)
          assert.strictEqual(review, "open")
          assert.include([`${decidedCount},0,0`, `1,${passingCount},0`], counts.join())
          // The same request is sent again: it runs now, unless it was committed before the kill.
          const { body, status } = yield* until(send(server, changedCounts.length), ({ status }) => status !== 409)
          assert.deepStrictEqual([status, body.changed], [200, passingCount])
          const isApproved = bodyOf(changedCounts.length).status === "approved"
          changedCounts.push(body.changed)
          assert.deepStrictEqual(
            (yield* readReviewState(server)).counts,
            isApproved ? [1, passingCount, 0] : [decidedCount, 0, 0]
          )
        }
        yield* assertConsistent(data)
        assert.notInclude(server.log(), "Unhandled")
      }),
    timeout
  )
})
