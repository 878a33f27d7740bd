// test/lists.test.ts: renaming, deleting and going on with a list.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Ref } from "effect"
import { GenerationFailed } from "#layers/Generator.ts"
import { gated, outage, refusal } from "./support/faults.ts"
import { body, built, type Caller, layer, onboarded, refused, sound, until } from "./support/server.ts"
import { fake } from "./support/writer.ts"

const leads = (count: number) => Array.from({ length: count }, (_, i) => ({ email: `lead${i}@company.example` }))

const batch = Effect.fnUntraced(function* (who: Caller, count: number) {
  const campaign = yield* built(who)
  const options = { email_count: 1, email_signature: "Ann" }
  const { list_id } = yield* body(
    202,
    who.post(`/campaigns/${campaign}/generate-batch`, { leads: leads(count), options })
  )
  return list_id as string
})

const statusOf = (who: Caller, list: string) =>
  Effect.map(body(200, who.get(`/lists/${list}`)), ({ processing_status }) => processing_status as string)

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const unknown = "01a1fcbe-9137-734b-82f6-ecf9f8199f4b"

describe("lists", () => {
  it.live("are renamed, and are nobody else's", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const other = yield* onboarded()
      const list = yield* batch(who, 1)
      yield* until(statusOf(who, list), (status) => status === "completed")
      const renamed = yield* body(200, who.patch(`/lists/${list}`, { custom_name: "  Spring leads " }))
      assert.hasAllKeys(renamed, [
        "id",
        "campaign_id",
        "custom_name",
        "processing_status",
        "created_at",
        "completed_at"
      ])
      assert.strictEqual(renamed.custom_name, "Spring leads")
      for (const custom_name of ["", "  ", "x".repeat(201), null, 5]) {
        yield* refused(400, "BAD_REQUEST", who.patch(`/lists/${list}`, { custom_name }))
      }
      for (const id of [list, unknown]) {
        yield* refused(404, "NOT_FOUND", other.patch(`/lists/${id}`, { custom_name: "Mine" }))
        yield* refused(404, "NOT_FOUND", other.delete(`/lists/${id}`))
        yield* refused(404, "NOT_FOUND", other.post(`/lists/${id}`))
      }
      assert.strictEqual((yield* body(200, who.get(`/lists/${list}`))).custom_name, "Spring leads")
    }).pipe(Effect.provide(layer()))
  )

  it.live("show the fields of their state and no others, and allow what that allows", () => {
    const rest = gated(fake.sequence)
    // What becomes of a lead is in its address.
    const sequence: typeof fake.sequence = (brief) => {
      const [what] = brief.lead.email.split("@")
      return what === "refused"
        ? Effect.fail(refusal)
        : what === "down"
          ? Effect.fail(outage)
          : what === "slow"
            ? rest(brief)
            : fake.sequence(brief)
    }
    const base = ["id", "campaign_id", "custom_name", "processing_status", "created_at", "updated_at"]
    const result = ["completed_at", "leads_count", "emails_created", "processed_file_path"]
    return Effect.gen(function* () {
      const who = yield* onboarded()
      const campaign = yield* built(who)
      const check = Effect.fnUntraced(function* (
        state: string,
        to: ReadonlyArray<string>,
        more: ReadonlyArray<string>
      ) {
        const options = { email_count: 1, email_signature: "Ann" }
        const leads = to.map((what) => ({ email: `${what}@company.example` }))
        const { list_id } = yield* body(202, who.post(`/campaigns/${campaign}/generate-batch`, { leads, options }))
        const list = yield* until(
          body(200, who.get(`/lists/${list_id}`)),
          ({ processing_status }) => processing_status === state
        )
        assert.hasAllKeys(list, [...base, ...more])
        for (const key of ["created_at", "updated_at", "completed_at", "failed_at"]) {
          if (key in list) assert.match(list[key], iso)
        }
        const { lists } = yield* body(200, who.get(`/lists?status=${state}`))
        const { [0]: entry, length } = lists
        assert.strictEqual(length, 1)
        assert.deepStrictEqual(entry, {
          id: list_id,
          campaign_id: campaign,
          custom_name: `API Batch (${leads.length})`,
          processing_status: state,
          created_at: list.created_at,
          completed_at: list.completed_at ?? null
        })
        if (state !== "completed") {
          const detail = { processing_status: state }
          const exported = yield* refused(409, "NOT_READY", who.get(`/lists/${list_id}/export`))
          assert.deepStrictEqual(exported, detail)
          if (["processing", "in_progress"].includes(state)) {
            assert.deepStrictEqual(yield* refused(409, "CONFLICT", who.delete(`/lists/${list_id}`)), detail)
          }
        }
        if (["completed", "failed"].includes(state)) yield* refused(422, "UNPROCESSABLE", who.post(`/lists/${list_id}`))
        return list_id as string
      })
      yield* check("processing", ["slow"], ["progress"])
      yield* check("in_progress", ["good", "slow"], ["progress"])
      const ended = [
        yield* check("pending", ["down"], ["progress"]),
        yield* check("completed", ["good", "refused"], result),
        yield* check("failed", ["refused"], ["failed_at"])
      ]
      for (const id of ended) {
        assert.deepStrictEqual(yield* body(200, who.delete(`/lists/${id}`)), { id, deleted: true })
      }
      yield* rest.open
      yield* until(body(200, who.get("/lists?status=completed")), ({ total }) => total === 2)
      yield* sound
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })

  it.live("are not deleted while they are in work, and afterwards leave their history behind", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const who = yield* onboarded()
        const list = yield* batch(who, 3)
        const detail = yield* refused(409, "CONFLICT", who.delete(`/lists/${list}`))
        assert.include(["processing", "in_progress"], detail.processing_status)
        assert.notProperty(yield* body(200, who.get(`/lists/${list}`)), "processed_file_path")
        yield* Deferred.succeed(gate, undefined)
        yield* until(statusOf(who, list), (status) => status === "completed")

        const before = yield* body(200, who.get("/credits"))
        assert.deepStrictEqual(yield* body(200, who.delete(`/lists/${list}`)), { id: list, deleted: true })
        yield* refused(404, "NOT_FOUND", who.get(`/lists/${list}`))
        assert.deepStrictEqual(yield* body(200, who.get("/credits")), before)
        assert.strictEqual(before.usage.credits_used_this_period, 3)
        yield* sound
      }).pipe(
        Effect.provide(
          layer({ writer: { sequence: (brief) => Effect.andThen(Deferred.await(gate), fake.sequence(brief)) } })
        )
      )
    })
  )

  it.live("rest when the writer is gone, and go on where they were when asked to", () =>
    Effect.gen(function* () {
      const up = yield* Ref.make(30)
      const sequence: typeof fake.sequence = (brief) =>
        Effect.gen(function* () {
          const left = yield* Ref.getAndUpdate(up, (n) => n - 1)
          if (left <= 0) return yield* new GenerationFailed({ message: "The provider is down", transient: true })
          return yield* fake.sequence(brief)
        })
      yield* Effect.gen(function* () {
        const who = yield* onboarded()
        const list = yield* batch(who, 100)
        yield* until(statusOf(who, list), (status) => status === "pending")
        const resting = yield* body(200, who.get(`/lists/${list}`))
        assert.deepStrictEqual(resting.progress, { leads_total: 100, leads_done: 30, leads_failed: 0 })
        yield* sound

        yield* Ref.set(up, 1000)
        const answer = yield* body(202, who.post(`/lists/${list}`))
        assert.deepInclude(answer, { list_id: list, status: "processing", batches_total: 4 })
        assert.isAtLeast(answer.pending_batches, 2)
        yield* until(statusOf(who, list), (status) => status === "completed")
        assert.strictEqual((yield* body(200, who.get("/credits"))).usage.credits_used_this_period, 100)
        yield* refused(422, "UNPROCESSABLE", who.post(`/lists/${list}`))
        yield* sound
      }).pipe(Effect.provide(layer({ writer: { sequence } })))
    })
  )

  it.live("show the fields of their state and no others", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const sequence: typeof fake.sequence = (brief) => {
        const [, kind] = /^(\w+)-/.exec(brief.lead.email) ?? []
        if (kind === "down") return Effect.fail(new GenerationFailed({ message: "Down", transient: true }))
        if (kind === "bad") return Effect.fail(new GenerationFailed({ message: "No", transient: false }))
        return Effect.andThen(kind === "slow" ? Deferred.await(gate) : Effect.void, fake.sequence(brief))
      }
      yield* Effect.gen(function* () {
        const who = yield* onboarded({ plan: "scale" })
        const campaign = yield* built(who)
        const options = { email_count: 3, email_signature: "Ann" }
        const of = Effect.fnUntraced(function* (status: string, ...kinds: ReadonlyArray<string>) {
          const sent = { leads: kinds.map((kind) => ({ email: `${kind}-lead@company.example` })), options }
          const { list_id } = yield* body(202, who.post(`/campaigns/${campaign}/generate-batch`, sent))
          return yield* until(body(200, who.get(`/lists/${list_id}`)), (list) => list.processing_status === status)
        })
        const base = ["campaign_id", "created_at", "custom_name", "id", "processing_status", "updated_at"]
        const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
        const made: Array<Record<string, unknown>> = []
        for (const [status, kinds, more] of [
          ["processing", ["slow"], ["progress"]],
          ["in_progress", ["good", "slow"], ["progress"]],
          ["pending", ["good", "down"], ["progress"]],
          ["completed", ["good", "bad"], ["completed_at", "emails_created", "leads_count", "processed_file_path"]],
          ["failed", ["bad"], ["failed_at"]]
        ] as const) {
          const list = yield* of(status, ...kinds)
          assert.deepStrictEqual(Object.keys(list).toSorted(), [...base, ...more].toSorted(), status)
          for (const at of ["created_at", "updated_at", "completed_at", "failed_at"]) {
            if (at in list) assert.match(list[at], moment, at)
          }
          if (status === "completed") assert.deepInclude(list, { leads_count: 2, emails_created: 3 })
          if ("progress" in list) {
            const { leads_done, leads_failed, leads_total, ...rest } = list.progress
            assert.deepStrictEqual([leads_total, leads_failed, rest], [kinds.length, 0, {}])
            assert.strictEqual(leads_done, kinds.filter((kind) => kind !== "slow" && kind !== "down").length)
          }
          made.unshift(list)
          // Two lists of one millisecond would have no order.
          yield* Effect.sleep(2)
        }

        const { has_more, lists, total } = yield* body(200, who.get("/lists"))
        assert.deepStrictEqual([has_more, total], [false, 5])
        assert.deepStrictEqual(
          lists,
          made.map(({ campaign_id, completed_at = null, created_at, custom_name, id, processing_status }) => ({
            id,
            campaign_id,
            custom_name,
            processing_status,
            created_at,
            completed_at
          }))
        )
        for (const { id, processing_status } of made) {
          if (processing_status === "processing" || processing_status === "in_progress") {
            assert.deepStrictEqual(yield* refused(409, "CONFLICT", who.delete(`/lists/${id}`)), { processing_status })
          }
          const filtered = yield* body(200, who.get(`/lists?status=${processing_status}&limit=1`))
          assert.deepStrictEqual([filtered.lists[0].id, filtered.total, filtered.has_more], [id, 1, false])
          const exported = yield* who.get(`/lists/${id}/export`)
          if (processing_status === "completed") assert.strictEqual(exported.status, 200)
          else
            assert.deepStrictEqual(
              [exported.status, exported.body.error, exported.body.detail],
              [409, "NOT_READY", { processing_status }]
            )
        }
        yield* Deferred.succeed(gate, undefined)
      }).pipe(Effect.provide(layer({ writer: { sequence } })))
    })
  )

  it.live("go on only while there is something left to do, and the campaign to do it for", () =>
    Effect.gen(function* () {
      const sequence: typeof fake.sequence = (brief) =>
        brief.lead.email.startsWith("down")
          ? Effect.fail(new GenerationFailed({ message: "Down", transient: true }))
          : brief.lead.email.startsWith("bad")
            ? Effect.fail(new GenerationFailed({ message: "No", transient: false }))
            : Effect.never
      yield* Effect.gen(function* () {
        const who = yield* onboarded()
        const of = Effect.fnUntraced(function* (kind: string, status: string, count = 1) {
          const campaign = yield* built(who)
          const sent = {
            leads: Array.from({ length: count }, () => ({ email: `${kind}@company.example` })),
            options: { email_count: 1, email_signature: "Ann" }
          }
          const { list_id } = yield* body(202, who.post(`/campaigns/${campaign}/generate-batch`, sent))
          yield* until(statusOf(who, list_id), (now) => now === status)
          return { campaign, list: list_id as string }
        })
        const resting = yield* of("down", "pending")
        const { message, ...answer } = yield* body(202, who.post(`/lists/${resting.list}`))
        assert.isString(message)
        assert.deepStrictEqual(answer, {
          list_id: resting.list,
          status: "processing",
          pending_batches: 1,
          batches_total: 1
        })
        // A batch is 25 leads.
        for (const [count, batches] of [
          [25, 1],
          [26, 2]
        ] as const) {
          const { list } = yield* of("down", "pending", count)
          assert.strictEqual((yield* body(202, who.post(`/lists/${list}`))).batches_total, batches)
        }
        yield* until(statusOf(who, resting.list), (now) => now === "pending")
        yield* body(200, who.delete(`/campaigns/${resting.campaign}`))
        assert.deepInclude(yield* body(200, who.get(`/lists/${resting.list}`)), {
          campaign_id: null,
          processing_status: "pending"
        })
        for (const { list } of [resting, yield* of("bad", "failed"), yield* of("slow", "processing")]) {
          yield* refused(422, "UNPROCESSABLE", who.post(`/lists/${list}`))
        }
      }).pipe(Effect.provide(layer({ writer: { sequence } })))
    })
  )

  it.live("go on where they were: what failed or is finished is not begun again", () => {
    let down = true
    const asked: Array<string> = []
    const sequence: typeof fake.sequence = (brief) =>
      Effect.suspend(() => {
        const at = Number(/\d+/.exec(brief.lead.email)?.[0])
        asked.push(brief.lead.email)
        if (at === 0) return Effect.fail(refusal)
        return down && at >= 25 ? Effect.fail(outage) : fake.sequence(brief)
      })
    return Effect.gen(function* () {
      const who = yield* onboarded()
      const list = yield* batch(who, 60)
      yield* until(statusOf(who, list), (status) => status === "pending")
      assert.deepStrictEqual((yield* body(200, who.get(`/lists/${list}`))).progress, {
        leads_total: 60,
        leads_done: 24,
        leads_failed: 1
      })
      asked.length = 0
      down = false
      const { message, ...answer } = yield* body(202, who.post(`/lists/${list}`))
      assert.isNotEmpty(message)
      assert.deepStrictEqual(answer, { list_id: list, status: "processing", pending_batches: 2, batches_total: 3 })
      yield* until(statusOf(who, list), (status) => status === "completed")
      assert.sameMembers(
        asked,
        leads(60)
          .slice(25)
          .map(({ email }) => email)
      )
      assert.lengthOf((yield* body(200, who.get(`/lists/${list}/export?format=json`))).leads, 59)
      assert.strictEqual((yield* body(200, who.get("/credits"))).usage.credits_used_this_period, 59)
      yield* sound
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  })

  it.live("that rest can be deleted", () =>
    Effect.gen(function* () {
      const who = yield* onboarded()
      const list = yield* batch(who, 30)
      yield* until(statusOf(who, list), (status) => status === "pending")
      yield* body(200, who.delete(`/lists/${list}`))
      assert.strictEqual((yield* body(200, who.get("/credits"))).balance, 5000)
      yield* sound
    }).pipe(
      Effect.provide(
        layer({
          writer: {
            sequence: () => Effect.fail(new GenerationFailed({ message: "The provider is down", transient: true }))
          }
        })
      )
    )
  )
})
