// test/rewrite.test.ts: emails of a written lead that are written again: from another template variant, or by a model.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { fillSequence } from "#layers/generator/playbook/FillSequence.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { type Caller, callerFor, idempotentJson, onboardedCaller } from "./support/callers.ts"
import { modelAnswers, profile } from "./support/model-answers.ts"
import { builtCampaign } from "./support/campaigns.ts"
import { waitForList, startBatch } from "./support/lists.ts"
import * as Support from "./support/model.ts"
import { journal, Mock, jsonAnswer, modelReplies } from "./support/model.ts"
import { layer, type Server, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"

const person = { email: "ann@south.example", name: "Ann", company: "South", title: "Plant Director" }

/** A list of one written lead, whose persona has two templates for the first step. */
const written = Effect.fnUntraced(function* (second = true) {
  const caller = yield* onboardedCaller()
  const campaign = yield* builtCampaign(caller)
  const book = `/campaigns/${campaign}/playbook`
  const { personas } = yield* expectBody(200, caller.get(book))
  for (const { id, templates } of second ? personas : []) {
    for (const template of templates) {
      if (template.step === 1 && template.variant > 1) {
        yield* expectBody(204, caller.delete(`${book}/templates/${template.id}`))
      }
    }
    yield* expectBody(
      201,
      caller.post(`${book}/templates`, {
        persona_id: id,
        step: 1,
        subject: "Another question",
        body: "Hi {{ first_name | default: 'there' }},\n\nWho looks after this at your plant?"
      })
    )
  }
  const list = yield* startBatch(caller, campaign, [person], { email_count: 2 })
  yield* waitForList(caller, list)
  const [{ id }] = (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data
  return { caller, campaign, list, path: `/lists/${list}/leads/${id}`, id }
})

const used = (caller: Caller) =>
  Effect.map(expectBody(200, caller.get("/credits")), ({ usage }) => usage.credits_used_this_period as number)

const versions = ({ emails }: any): ReadonlyArray<number> => emails.map(({ version }: any) => version)

describe("a rewrite without a model", () => {
  it.live("fills in another variant, costs one credit, and opens the review", () =>
    Effect.gen(function* () {
      const { path, caller } = yield* written()
      const before = yield* expectBody(200, caller.get(path))
      yield* expectBody(200, caller.put(`${path}/review`, { status: "approved" }))
      const start = yield* used(caller)
      const after = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1 }))
      assert.deepStrictEqual(versions(after), [2, 1])
      assert.notStrictEqual(after.emails[0].template_id, before.emails[0].template_id)
      assert.notStrictEqual(after.emails[0].body, before.emails[0].body)
      assert.isFalse(after.edited)
      assert.strictEqual(after.review.status, "open")
      assert.strictEqual((yield* used(caller)) - start, 1)
      assert.deepStrictEqual(yield* expectBody(200, caller.get(path)), after)
      const { data } = yield* expectBody(200, caller.get(`${path}/emails/1/versions`))
      assert.deepStrictEqual(
        data.map(({ by }: any) => by),
        ["rewrite", "writer"]
      )
      // The next variant is the first again.
      const back = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1 }))
      assert.strictEqual(back.emails[0].body, before.emails[0].body)
      assert.strictEqual((yield* used(caller)) - start, 2)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )

  it.live("that changes nothing is free and makes no version", () =>
    Effect.gen(function* () {
      const { campaign, path, caller } = yield* written()
      const { emails } = yield* expectBody(200, caller.get(path))
      yield* expectBody(200, caller.put(`${path}/review`, { status: "approved" }))
      const { personas } = yield* expectBody(200, caller.get(`/campaigns/${campaign}/playbook`))
      const templates = personas.flatMap((persona: any) => persona.templates)
      const { variant } = templates.find(({ id }: any) => id === emails[0].template_id)
      const start = yield* used(caller)
      const same = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, variant }))
      assert.deepStrictEqual(versions(same), [1, 1])
      assert.strictEqual(same.review.status, "approved")
      assert.strictEqual(yield* used(caller), start)
      // A person's text is replaced by the template that was asked for.
      yield* expectBody(200, caller.patch(`${path}/emails/1`, { body: "Mine", version: 1 }))
      const again = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, variant }))
      assert.deepStrictEqual(versions(again), [3, 1])
      assert.strictEqual(again.emails[0].body, emails[0].body)
      assert.isFalse(again.edited)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )

  it.live("of one email is not refused for what is wrong with another", () =>
    Effect.gen(function* () {
      const { campaign, path, caller } = yield* written()
      const start = yield* used(caller)
      // The only template of the second email breaks a rule from now on.
      const { emails } = yield* expectBody(200, caller.get(path))
      const book = `/campaigns/${campaign}/playbook`
      const templates = (yield* expectBody(200, caller.get(book))).personas.flatMap((persona: any) => persona.templates)
      const { step } = templates.find(({ id }: any) => id === emails[1].template_id)
      for (const template of templates) {
        if (template.step === step && template.variant > 1) yield* caller.delete(`${book}/templates/${template.id}`)
      }
      const [{ id }] = templates.filter((template: any) => template.step === step)
      yield* expectBody(
        200,
        caller.put(`${book}/templates/${id}`, { subject: "Pumps", body: "Shall I send you the list?" })
      )
      yield* expectBody(200, caller.patch(book, { never_say: ["send you the list"] }))
      for (const sent of [{}, { step: 2 }]) {
        const answer = yield* caller.post(`${path}/rewrite`, sent)
        assert.strictEqual(answer.status, 500)
        assert.include(answer.body.message, "break a rule")
      }
      const { variant } = templates.find((template: any) => template.id === emails[0].template_id)
      const after = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, variant: variant === 1 ? 2 : 1 }))
      assert.deepStrictEqual(versions(after), [2, 1])
      assert.notStrictEqual(after.emails[0].subject, emails[0].subject)
      assert.strictEqual((yield* used(caller)) - start, 1)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )

  it.live("is done once under an Idempotency-Key, and refused where it cannot be done", () =>
    Effect.gen(function* () {
      const { campaign, list, path, caller } = yield* written()
      const start = yield* used(caller)
      const send = caller.send("POST", `${path}/rewrite`, idempotentJson("once", { step: 1 }))
      const answers = yield* Effect.all([send, send, send], { concurrency: "unbounded" })
      for (const { status } of answers) assert.include([200, 409], status)
      const first = yield* expectBody(200, send)
      assert.deepStrictEqual(versions(first), [2, 1])
      assert.deepStrictEqual(yield* expectBody(200, send), first)
      assert.strictEqual((yield* used(caller)) - start, 1)

      for (const sent of [
        { instruction: "Shorter" },
        { step: 3 },
        { step: 1, variant: 3 },
        { instruction: "Shorter", variant: 1 }
      ]) {
        yield* expectError(422, "UNPROCESSABLE", caller.post(`${path}/rewrite`, sent))
      }
      for (const sent of [{ step: 0 }, { variant: 4 }, { instruction: "x".repeat(2001) }, { step: "one" }]) {
        yield* expectError(400, "BAD_REQUEST", caller.post(`${path}/rewrite`, sent))
      }
      const other = yield* onboardedCaller()
      yield* expectError(404, "NOT_FOUND", other.post(`${path}/rewrite`, {}))
      yield* expectError(
        403,
        "FORBIDDEN",
        (yield* callerFor(caller.workspace, ["lists:read"])).post(`${path}/rewrite`, {})
      )
      const { id } = (yield* expectBody(
        200,
        Effect.andThen(
          caller.post("/suppressions", { entries: [{ value: "south.example" }] }),
          caller.get("/suppressions")
        )
      )).data[0]
      yield* expectError(422, "UNPROCESSABLE", caller.post(`${path}/rewrite`, {}))
      yield* caller.delete(`/suppressions/${id}`)
      yield* expectBody(200, caller.post(`${path}/rewrite`, {}))
      yield* caller.delete(`/campaigns/${campaign}`)
      assert.include([404, 422], (yield* caller.post(`${path}/rewrite`, {})).status)
      assert.isString(list)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )

  it.live("is charged and stored once each when many run at the same time", () =>
    Effect.gen(function* () {
      const { path, caller } = yield* written()
      const start = yield* used(caller)
      const answers = yield* Effect.all(
        Array.from({ length: 12 }, () => caller.post(`${path}/rewrite`, { step: 1 })),
        { concurrency: "unbounded" }
      )
      for (const { status } of answers) assert.include([200, 409, 429], status)
      const done = answers.filter(({ status }) => status === 200).length
      assert.isAtLeast(done, 1)
      assert.strictEqual((yield* used(caller)) - start, done)
      assert.deepStrictEqual(versions(yield* expectBody(200, caller.get(path))), [1 + done, 1])
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )
})

const withModel = Effect.provide(
  Layer.unwrap(Effect.map(Mock, ({ url }) => layer({ model: Support.modelAt(url, {}, { verification: "off" }) }))).pipe(
    Layer.provideMerge(Mock.layer)
  )
)

const adapted = {
  emails: [
    {
      subject: "Your second compressor",
      body: "Hello,\n\nWe find and fix compressed air leaks in factories. Would a look at your plant help your maintenance team?",
      facts: []
    }
  ]
}

/** A list of one lead that a model wrote to. */
const modelled = Effect.gen(function* () {
  yield* modelReplies(modelAnswers)
  const caller = yield* onboardedCaller({ details: profile })
  const list = yield* startBatch(caller, yield* builtCampaign(caller), [{ ...person, title: "Maintenance Manager" }], {
    email_count: 2
  })
  yield* waitForList(caller, list)
  const [{ id }] = (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data
  return { caller, path: `/lists/${list}/leads/${id}` }
})

describe("a rewrite with a model", () => {
  it.live("is given the instruction and the text of a person, and writes the one email", () =>
    Effect.gen(function* () {
      const { path, caller } = yield* modelled
      const mine = "Hello,\n\nWe find leaks that make no noise.\n\nAnn"
      const before = yield* expectBody(200, caller.patch(`${path}/emails/1`, { body: mine, version: 1 }))
      const start = yield* used(caller)
      yield* modelReplies(jsonAnswer(adapted))
      const after = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, instruction: "Mention weekends" }))
      assert.deepStrictEqual(versions(after), [before.version + 1, 1])
      assert.strictEqual(after.emails[0].subject, "Your second compressor")
      assert.strictEqual((yield* used(caller)) - start, 1)
      const [asked] = yield* journal
      assert.include(asked?.user ?? "", "For this rewrite: Mention weekends")
      assert.include(asked?.user ?? "", "We find leaks that make no noise.")
      assert.include(asked?.user ?? "", "Adapt this email to this reader.")
      // The same answer again is no change.
      const same = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, instruction: "Mention weekends" }))
      assert.deepStrictEqual(versions(same), versions(after))
      assert.strictEqual((yield* used(caller)) - start, 1)
      yield* assertConsistent
    }).pipe(withModel)
  )

  it.live("is refused and free if the email was changed meanwhile, or the model fails", () =>
    Effect.gen(function* () {
      const { path, caller } = yield* modelled
      const start = yield* used(caller)
      const edit = expectBody(200, caller.patch(`${path}/emails/1`, { subject: "Mine", version: 1 }))
      const run = yield* Effect.context<Server>()
      yield* modelReplies(async () => {
        await Effect.runPromiseWith(run)(edit)
        return jsonAnswer(adapted)
      })
      yield* expectError(409, "CONFLICT", caller.post(`${path}/rewrite`, { step: 1, instruction: "Shorter" }))
      const now = yield* expectBody(200, caller.get(path))
      assert.deepInclude(now.emails[0], { subject: "Mine", version: 2, edited: true })
      yield* modelReplies({ error: { message: "no" }, status: 400 })
      yield* expectError(500, "INTERNAL_ERROR", caller.post(`${path}/rewrite`, { step: 1, instruction: "Shorter" }))
      assert.deepStrictEqual(yield* expectBody(200, caller.get(path)), now)
      assert.strictEqual(yield* used(caller), start)
      yield* assertConsistent
    }).pipe(withModel)
  )

  it.live("continues when its caller hangs up, and answers under the same key", () =>
    Effect.gen(function* () {
      const { path, caller } = yield* modelled
      const start = yield* used(caller)
      yield* modelReplies(async () => {
        await new Promise((done) => setTimeout(done, 300))
        return jsonAnswer(adapted)
      })
      const send = caller.send("POST", `${path}/rewrite`, idempotentJson("once", { step: 1, instruction: "Shorter" }))
      yield* Effect.timeoutOption(send, 100)
      yield* until(caller.get(path), ({ body }) => body.emails[0].version === 2)
      const { emails } = yield* expectBody(200, send)
      assert.strictEqual(emails[0].subject, "Your second compressor")
      assert.strictEqual((yield* used(caller)) - start, 1)
      assert.lengthOf(yield* journal, 1)
      yield* assertConsistent
    }).pipe(withModel)
  )
})
