// test/rewrite.test.ts: POST /lists/:id/leads/:lead/rewrite, which rewrites emails from another template variant or by a model.
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

const lead = { email: "ann@south.example", name: "Ann", company: "South", title: "Plant Director" }

/** A list of one written lead, whose persona has two template variants for the first step. */
const writtenLead = Effect.fnUntraced(function* (addsVariant = true) {
  const caller = yield* onboardedCaller()
  const campaign = yield* builtCampaign(caller)
  const playbookPath = `/campaigns/${campaign}/playbook`
  const { personas } = yield* expectBody(200, caller.get(playbookPath))
  for (const { id, templates } of addsVariant ? personas : []) {
    for (const template of templates) {
      if (template.step === 1 && template.variant > 1) {
        yield* expectBody(204, caller.delete(`${playbookPath}/templates/${template.id}`))
      }
    }
    yield* expectBody(
      201,
      caller.post(`${playbookPath}/templates`, {
        persona_id: id,
        step: 1,
        subject: "Another question",
        body: "Hi {{ first_name | default: 'there' }},\n\nWho looks after this at your plant?"
      })
    )
  }
  const list = yield* startBatch(caller, campaign, [lead], { email_count: 2 })
  yield* waitForList(caller, list)
  const [{ id }] = (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data
  return { caller, campaign, list, path: `/lists/${list}/leads/${id}`, id }
})

const creditsUsed = (caller: Caller) =>
  Effect.map(expectBody(200, caller.get("/credits")), ({ usage }) => usage.credits_used_this_period as number)

const versionsOf = ({ emails }: any): ReadonlyArray<number> => emails.map(({ version }: any) => version)

describe("a rewrite without a model", () => {
  it.live("fills in another variant, costs one credit, and reopens the review", () =>
    Effect.gen(function* () {
      const { path, caller } = yield* writtenLead()
      const before = yield* expectBody(200, caller.get(path))
      yield* expectBody(200, caller.put(`${path}/review`, { status: "approved" }))
      const usedBefore = yield* creditsUsed(caller)
      const after = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1 }))
      assert.deepStrictEqual(versionsOf(after), [2, 1])
      assert.notStrictEqual(after.emails[0].template_id, before.emails[0].template_id)
      assert.notStrictEqual(after.emails[0].body, before.emails[0].body)
      assert.isFalse(after.edited)
      assert.strictEqual(after.review.status, "open")
      assert.strictEqual((yield* creditsUsed(caller)) - usedBefore, 1)
      assert.deepStrictEqual(yield* expectBody(200, caller.get(path)), after)
      const { data } = yield* expectBody(200, caller.get(`${path}/emails/1/versions`))
      assert.deepStrictEqual(
        data.map(({ by }: any) => by),
        ["rewrite", "writer"]
      )
      // With two variants, the next one is the first.
      const restored = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1 }))
      assert.strictEqual(restored.emails[0].body, before.emails[0].body)
      assert.strictEqual((yield* creditsUsed(caller)) - usedBefore, 2)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )

  it.live("that changes nothing is free and creates no version", () =>
    Effect.gen(function* () {
      const { campaign, path, caller } = yield* writtenLead()
      const { emails } = yield* expectBody(200, caller.get(path))
      yield* expectBody(200, caller.put(`${path}/review`, { status: "approved" }))
      const { personas } = yield* expectBody(200, caller.get(`/campaigns/${campaign}/playbook`))
      const templates = personas.flatMap((persona: any) => persona.templates)
      const { variant } = templates.find(({ id }: any) => id === emails[0].template_id)
      const usedBefore = yield* creditsUsed(caller)
      const unchanged = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, variant }))
      assert.deepStrictEqual(versionsOf(unchanged), [1, 1])
      assert.strictEqual(unchanged.review.status, "approved")
      assert.strictEqual(yield* creditsUsed(caller), usedBefore)
      // The requested variant replaces a person's edit.
      yield* expectBody(200, caller.patch(`${path}/emails/1`, { body: "Mine", version: 1 }))
      const rewritten = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, variant }))
      assert.deepStrictEqual(versionsOf(rewritten), [3, 1])
      assert.strictEqual(rewritten.emails[0].body, emails[0].body)
      assert.isFalse(rewritten.edited)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )

  it.live("of one email does not fail for a broken rule in another email", () =>
    Effect.gen(function* () {
      const { campaign, path, caller } = yield* writtenLead()
      const usedBefore = yield* creditsUsed(caller)
      // From now on the only template of the second email breaks a rule.
      const { emails } = yield* expectBody(200, caller.get(path))
      const playbookPath = `/campaigns/${campaign}/playbook`
      const templates = (yield* expectBody(200, caller.get(playbookPath))).personas.flatMap(
        (persona: any) => persona.templates
      )
      const { step } = templates.find(({ id }: any) => id === emails[1].template_id)
      for (const template of templates) {
        if (template.step === step && template.variant > 1)
          yield* caller.delete(`${playbookPath}/templates/${template.id}`)
      }
      const [{ id }] = templates.filter((template: any) => template.step === step)
      yield* expectBody(
        200,
        caller.put(`${playbookPath}/templates/${id}`, { subject: "Pumps", body: "Shall I send you the list?" })
      )
      yield* expectBody(200, caller.patch(playbookPath, { never_say: ["send you the list"] }))
      for (const body of [{}, { step: 2 }]) {
        const answer = yield* caller.post(`${path}/rewrite`, body)
        assert.strictEqual(answer.status, 500)
        assert.include(answer.body.message, "break a rule")
      }
      const { variant } = templates.find((template: any) => template.id === emails[0].template_id)
      const after = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, variant: variant === 1 ? 2 : 1 }))
      assert.deepStrictEqual(versionsOf(after), [2, 1])
      assert.notStrictEqual(after.emails[0].subject, emails[0].subject)
      assert.strictEqual((yield* creditsUsed(caller)) - usedBefore, 1)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )

  it.live("runs once for an Idempotency-Key, and is rejected if it is invalid or not possible", () =>
    Effect.gen(function* () {
      const { campaign, list, path, caller } = yield* writtenLead()
      const usedBefore = yield* creditsUsed(caller)
      const send = caller.send("POST", `${path}/rewrite`, idempotentJson("once", { step: 1 }))
      const answers = yield* Effect.all([send, send, send], { concurrency: "unbounded" })
      for (const { status } of answers) assert.include([200, 409], status)
      const first = yield* expectBody(200, send)
      assert.deepStrictEqual(versionsOf(first), [2, 1])
      assert.deepStrictEqual(yield* expectBody(200, send), first)
      assert.strictEqual((yield* creditsUsed(caller)) - usedBefore, 1)

      for (const body of [
        { instruction: "Shorter" },
        { step: 3 },
        { step: 1, variant: 3 },
        { instruction: "Shorter", variant: 1 }
      ]) {
        yield* expectError(422, "UNPROCESSABLE", caller.post(`${path}/rewrite`, body))
      }
      for (const body of [{ step: 0 }, { variant: 4 }, { instruction: "x".repeat(2001) }, { step: "one" }]) {
        yield* expectError(400, "BAD_REQUEST", caller.post(`${path}/rewrite`, body))
      }
      const otherCaller = yield* onboardedCaller()
      yield* expectError(404, "NOT_FOUND", otherCaller.post(`${path}/rewrite`, {}))
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

  it.live("is charged and stored once for each success when many run at the same time", () =>
    Effect.gen(function* () {
      const { path, caller } = yield* writtenLead()
      const usedBefore = yield* creditsUsed(caller)
      const answers = yield* Effect.all(
        Array.from({ length: 12 }, () => caller.post(`${path}/rewrite`, { step: 1 })),
        { concurrency: "unbounded" }
      )
      for (const { status } of answers) assert.include([200, 409, 429], status)
      const succeeded = answers.filter(({ status }) => status === 200).length
      assert.isAtLeast(succeeded, 1)
      assert.strictEqual((yield* creditsUsed(caller)) - usedBefore, succeeded)
      assert.deepStrictEqual(versionsOf(yield* expectBody(200, caller.get(path))), [1 + succeeded, 1])
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )
})

const withModel = Effect.provide(
  Layer.unwrap(Effect.map(Mock, ({ url }) => layer({ model: Support.modelAt(url, {}, { verification: "off" }) }))).pipe(
    Layer.provideMerge(Mock.layer)
  )
)

const adaptedAnswer = {
  emails: [
    {
      subject: "Your second compressor",
      body: "Hello,\n\nWe find and fix compressed air leaks in factories. Would a look at your plant help your maintenance team?",
      facts: []
    }
  ]
}

/** A lead whose emails were written by a model. */
const leadWrittenByModel = Effect.gen(function* () {
  yield* modelReplies(modelAnswers)
  const caller = yield* onboardedCaller({ details: profile })
  const list = yield* startBatch(caller, yield* builtCampaign(caller), [{ ...lead, title: "Maintenance Manager" }], {
    email_count: 2
  })
  yield* waitForList(caller, list)
  const [{ id }] = (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data
  return { caller, path: `/lists/${list}/leads/${id}` }
})

describe("a rewrite with a model", () => {
  it.live("sends the instruction and the edited text to the model, and changes only the one email", () =>
    Effect.gen(function* () {
      const { path, caller } = yield* leadWrittenByModel
      const editedBody = "Hello,\n\nWe find leaks that make no noise.\n\nAnn"
      const before = yield* expectBody(200, caller.patch(`${path}/emails/1`, { body: editedBody, version: 1 }))
      const usedBefore = yield* creditsUsed(caller)
      yield* modelReplies(jsonAnswer(adaptedAnswer))
      const after = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, instruction: "Mention weekends" }))
      assert.deepStrictEqual(versionsOf(after), [before.version + 1, 1])
      assert.strictEqual(after.emails[0].subject, "Your second compressor")
      assert.strictEqual((yield* creditsUsed(caller)) - usedBefore, 1)
      const [request] = yield* journal
      assert.include(request?.user ?? "", "For this rewrite: Mention weekends")
      assert.include(request?.user ?? "", "We find leaks that make no noise.")
      assert.include(request?.user ?? "", "Adapt this email to this reader.")
      // The same answer changes nothing.
      const repeated = yield* expectBody(
        200,
        caller.post(`${path}/rewrite`, { step: 1, instruction: "Mention weekends" })
      )
      assert.deepStrictEqual(versionsOf(repeated), versionsOf(after))
      assert.strictEqual((yield* creditsUsed(caller)) - usedBefore, 1)
      yield* assertConsistent
    }).pipe(withModel)
  )

  it.live("fails and is free if the email was edited meanwhile, or the model fails", () =>
    Effect.gen(function* () {
      const { path, caller } = yield* leadWrittenByModel
      const usedBefore = yield* creditsUsed(caller)
      const edit = expectBody(200, caller.patch(`${path}/emails/1`, { subject: "Mine", version: 1 }))
      const context = yield* Effect.context<Server>()
      yield* modelReplies(async () => {
        await Effect.runPromiseWith(context)(edit)
        return jsonAnswer(adaptedAnswer)
      })
      yield* expectError(409, "CONFLICT", caller.post(`${path}/rewrite`, { step: 1, instruction: "Shorter" }))
      const edited = yield* expectBody(200, caller.get(path))
      assert.deepInclude(edited.emails[0], { subject: "Mine", version: 2, edited: true })
      yield* modelReplies({ error: { message: "no" }, status: 400 })
      yield* expectError(500, "INTERNAL_ERROR", caller.post(`${path}/rewrite`, { step: 1, instruction: "Shorter" }))
      assert.deepStrictEqual(yield* expectBody(200, caller.get(path)), edited)
      assert.strictEqual(yield* creditsUsed(caller), usedBefore)
      yield* assertConsistent
    }).pipe(withModel)
  )

  it.live("continues when the client disconnects, and answers a retry with the same Idempotency-Key", () =>
    Effect.gen(function* () {
      const { path, caller } = yield* leadWrittenByModel
      const usedBefore = yield* creditsUsed(caller)
      yield* modelReplies(async () => {
        await new Promise((resolve) => setTimeout(resolve, 300))
        return jsonAnswer(adaptedAnswer)
      })
      const send = caller.send("POST", `${path}/rewrite`, idempotentJson("once", { step: 1, instruction: "Shorter" }))
      yield* Effect.timeoutOption(send, 100)
      yield* until(caller.get(path), ({ body }) => body.emails[0].version === 2)
      const { emails } = yield* expectBody(200, send)
      assert.strictEqual(emails[0].subject, "Your second compressor")
      assert.strictEqual((yield* creditsUsed(caller)) - usedBefore, 1)
      assert.lengthOf(yield* journal, 1)
      yield* assertConsistent
    }).pipe(withModel)
  )
})
