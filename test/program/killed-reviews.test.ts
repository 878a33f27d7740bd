// test/program/killed-reviews.test.ts: a server that is killed in the middle of edits, rewrites and bulk decisions: nothing is lost, and nothing done twice.
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

/** Leads that are edited, and as many that are written again. */
const few = 12
/** Servers start and end some times in each test, and a key is in use for 30 seconds after a kill. */
const timeout = 240_000

/** Leads that are decided about at once: more than one statement takes. */
const many = 520

const written = Effect.fnUntraced(function* (server: Server, key: string, count: number, campaign: string) {
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

/** A campaign in which every persona has another first email, so that each rewrite changes one. */
const buildVaried = Effect.fnUntraced(function* ({ url }: Server, key: string) {
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

/** All versions of an email, the oldest first: none is missing, and the newest is what is shown. */
const versionsOf = Effect.fnUntraced(function* (server: Server, key: string, lead: string, step = 1) {
  const api = apiClient(server.url, key)
  const { data } = (yield* api.send("GET", `${lead}/emails/${step}/versions?limit=100`)).body
  const versions: ReadonlyArray<Version> = data.toReversed()
  assert.deepStrictEqual(
    versions.map(({ version }) => version),
    versions.map((_, at) => at + 1)
  )
  const email = (yield* api.send("GET", lead)).body.emails[step - 1]
  const { body, subject, version } = versions.at(-1) ?? {}
  assert.deepStrictEqual([email.subject, email.body, email.version], [subject, body, version])
  return versions
})

const spent = (data: string, workspace: string) =>
  Effect.map(ledgerOf(data, workspace), ({ entries }) =>
    entries.reduce((sum, { amount, kind }) => sum - (kind === "grant" ? 0 : amount), 0)
  )

describe("a server that is killed in the middle of", () => {
  it.live(
    "edits keeps each that was answered, once, and all versions before it",
    () =>
      Effect.gen(function* () {
        const { data, key } = yield* onboardedWorkspace
        let server = yield* serve(data)
        const campaign = yield* buildCampaign(apiClient(server.url, key))
        const { ids, list } = yield* written(server, key, few, campaign)
        const edited = ids.map((id) => ({ path: `/lists/${list}/leads/${id}`, sent: 0, answered: new Set<string>() }))
        const originals = yield* Effect.forEach(edited, ({ path }) => versionsOf(server, key, path))

        for (const killAt of [7, 40]) {
          const { url } = server
          let answers = 0
          const editing = yield* Effect.forkChild(
            Effect.forEach(
              edited,
              (lead) =>
                Effect.gen(function* () {
                  const api = apiClient(url, key)
                  let { version } = (yield* api.send("GET", lead.path)).body.emails[0]
                  while (true) {
                    const body = `Hello, text ${++lead.sent} of ${lead.path.slice(-6)}. Who looks after this?`
                    const answer = yield* api.send("PATCH", `${lead.path}/emails/1`, { body, version })
                    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
                    version = answer.body.version
                    lead.answered.add(body)
                    answers++
                  }
                }).pipe(Effect.exit),
              { concurrency: "unbounded" }
            )
          )
          yield* until(
            Effect.sync(() => answers),
            (count) => count >= killAt
          )
          yield* killProgram(server)
          yield* Fiber.join(editing)
          yield* assertConsistent(data)
          server = yield* serve(data)

          for (const [at, { answered, path }] of edited.entries()) {
            const [original, ...later] = yield* versionsOf(server, key, path)
            assert.deepStrictEqual(original, originals[at]?.[0])
            const texts = later.map(({ body }) => body)
            assert.strictEqual(new Set(texts).size, texts.length, "an edit was stored twice")
            for (const text of answered) assert.include(texts, text)
            for (const { by } of later) assert.strictEqual(by, "person")
          }
        }
        assert.notInclude(server.log(), "Unhandled")
      }),
    timeout
  )

  it.live(
    "rewrites charges one credit for each that is stored, also when it is asked for again",
    () =>
      Effect.gen(function* () {
        const { data, key, workspace } = yield* onboardedWorkspace
        let server = yield* serve(data)
        const campaign = yield* buildVaried(server, key)
        const { ids, list } = yield* written(server, key, few, campaign)
        const before = yield* spent(data, workspace)
        const asked: Array<{ readonly path: string; readonly key: string; answer?: unknown }> = []
        const send = (one: (typeof asked)[number], { url }: Server) =>
          apiClient(url, key, { "idempotency-key": one.key }).send("POST", `${one.path}/rewrite`, { step: 1 })

        for (const killAt of [5, 20, 35]) {
          const running = server
          let answers = 0
          const writing = yield* Effect.forkChild(
            Effect.forEach(
              ids,
              (id) =>
                Effect.gen(function* () {
                  while (true) {
                    const one: (typeof asked)[number] = {
                      path: `/lists/${list}/leads/${id}`,
                      key: `key-${asked.length}`
                    }
                    asked.push(one)
                    const { body, status } = yield* send(one, running)
                    assert.strictEqual(status, 200, JSON.stringify(body))
                    one.answer = body
                    answers++
                  }
                }).pipe(Effect.exit),
              // At most five of a workspace are written at once.
              { concurrency: 4 }
            )
          )
          yield* until(
            Effect.sync(() => answers),
            (count) => count >= killAt
          )
          yield* killProgram(server)
          yield* Fiber.join(writing)
          yield* assertConsistent(data)
          server = yield* serve(data)
        }
        for (const one of asked) {
          // The key of a rewrite that a kill cut short is in use until the lease of the dead process ends.
          const { body, status } = yield* until(send(one, server), ({ status }) => status !== 409)
          assert.strictEqual(status, 200, JSON.stringify(body))
          one.answer ??= body
          assert.deepStrictEqual(body, one.answer)
        }

        let stored = 0
        for (const id of ids) {
          const path = `/lists/${list}/leads/${id}`
          const [original, ...later] = yield* versionsOf(server, key, path)
          assert.strictEqual(original?.by, "writer")
          for (const { by } of later) assert.strictEqual(by, "rewrite")
          assert.lengthOf(later, asked.filter((one) => one.path === path).length)
          stored += later.length
        }
        assert.isAtLeast(stored, 60)
        assert.strictEqual((yield* spent(data, workspace)) - before, stored)
        yield* assertConsistent(data)
        assert.notInclude(server.log(), "Unhandled")
      }),
    timeout
  )

  it.live(
    "a rewrite by a model stores and charges nothing, and the same request is done once by the next server",
    () =>
      Effect.gen(function* () {
        const { data, key, workspace } = yield* onboardedWorkspace
        const first = yield* serve(data)
        const campaign = yield* buildVaried(first, key)
        yield* apiClient(first.url, key).send("PATCH", `/campaigns/${campaign}/playbook`, {
          personalization: "adapted"
        })
        const { ids, list } = yield* written(first, key, 1, campaign)
        yield* killProgram(first)
        const before = yield* spent(data, workspace)
        // A model that begins its answer and never ends it.
        const model = yield* rawServer(undefined)
        const second = yield* serve(data, { OVERTURE_GENERATOR: "openai", OPENAI_BASE_URL: model.url })
        const path = `/lists/${list}/leads/${ids[0]}`
        const send = ({ url }: Server) =>
          apiClient(url, key, { "idempotency-key": "once" }).send("POST", `${path}/rewrite`, { step: 1 })
        const asking = yield* Effect.forkChild(Effect.exit(send(second)))
        yield* until(
          Effect.sync(() => model.seen.calls),
          (calls) => calls > 0
        )
        yield* killProgram(second)
        assert.isTrue(Exit.isFailure(yield* Fiber.join(asking)))
        yield* assertConsistent(data)
        assert.strictEqual(yield* spent(data, workspace), before)

        const third = yield* serve(data)
        assert.lengthOf(yield* versionsOf(third, key, path), 1)
        const done = yield* until(send(third), ({ status }) => status !== 409)
        assert.strictEqual(done.status, 200, JSON.stringify(done.body))
        assert.deepStrictEqual((yield* send(third)).body, done.body)
        assert.lengthOf(yield* versionsOf(third, key, path), 2)
        assert.strictEqual((yield* spent(data, workspace)) - before, 1)
        yield* assertConsistent(data)
      }),
    timeout
  )

  it.live(
    "a bulk decision decides about all of its leads or about none, and never approves a failing email",
    () =>
      Effect.gen(function* () {
        const { data, key } = yield* onboardedWorkspace
        let server = yield* serve(data)
        const campaign = yield* buildCampaign(apiClient(server.url, key))
        const { ids, list } = yield* written(server, key, many, campaign)
        const failing = `/lists/${list}/leads/${ids[3]}`
        const hole = "Hello {{first_name}},\n\nWho looks after this?"
        yield* apiClient(server.url, key).send("PATCH", `${failing}/emails/1`, { body: hole, version: 1 })
        const counts = Effect.fnUntraced(function* (server: Server) {
          const counted = yield* Effect.forEach(["open", "approved", "rejected"], (review) =>
            Effect.map(
              apiClient(server.url, key).send("GET", `/lists/${list}/leads?limit=1&review=${review}`),
              ({ body }) => Number(body.total)
            )
          )
          const review = (yield* apiClient(server.url, key).send("GET", failing)).body.review.status
          return { counted, review }
        })
        // By their ids and by a rule in turn; nothing approves the failing email.
        const bodyOf = (nth: number) => ({
          status: nth % 2 === 0 ? "approved" : "open",
          ...(nth % 4 < 2 ? { lead_ids: ids } : { where: { severity: "warn" } })
        })
        const send = ({ url }: Server, nth: number) =>
          apiClient(url, key, { "idempotency-key": `bulk-${nth}` }).send("POST", `/lists/${list}/review`, bodyOf(nth))
        const done: Array<number> = []
        const all = many - 1

        for (const wait of [3, 10, 25]) {
          const running = server
          const from = done.length
          const deciding = yield* Effect.forkChild(
            Effect.gen(function* () {
              while (true) {
                const { body, status } = yield* send(running, done.length)
                assert.deepStrictEqual([status, body.changed], [200, all])
                done.push(body.changed)
              }
            }).pipe(Effect.exit)
          )
          yield* until(
            Effect.sync(() => done.length),
            (count) => count >= from + 2
          )
          // At another instant of a request each time.
          yield* Effect.sleep(wait)
          yield* killProgram(server)
          yield* Fiber.join(deciding)
          yield* assertConsistent(data)
          server = yield* serve(data)
          const { counted, review } = yield* counts(server)
          assert.strictEqual(review, "open")
          assert.include([`${many},0,0`, `1,${all},0`], counted.join())
          // The next request was the one that the kill cut short: it is done now, if it was not.
          const { body, status } = yield* until(send(server, done.length), ({ status }) => status !== 409)
          assert.deepStrictEqual([status, body.changed], [200, all])
          const isApproved = bodyOf(done.length).status === "approved"
          done.push(body.changed)
          assert.deepStrictEqual((yield* counts(server)).counted, isApproved ? [1, all, 0] : [many, 0, 0])
        }
        yield* assertConsistent(data)
        assert.notInclude(server.log(), "Unhandled")
      }),
    timeout
  )
})
