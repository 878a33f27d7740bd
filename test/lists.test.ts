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
