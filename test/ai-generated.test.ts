// test/ai-generated.test.ts: `ai_generated`, `model` and `prompt_version` of emails in the API and in exports.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { adaptedEmails } from "#layers/generator/bymodel/prompts/AdaptedEmails.ts"
import { personaEmails } from "#layers/generator/bymodel/prompts/PersonaEmails.ts"
import { fillSequence } from "#layers/generator/playbook/FillSequence.ts"
import { expectBody } from "./support/answers.ts"
import { modelAnswers, profile } from "./support/model-answers.ts"
import { type Caller, onboardedCaller } from "./support/callers.ts"
import { builtCampaign } from "./support/campaigns.ts"
import { generateOne } from "./support/generation-requests.ts"
import { waitForList, startBatch } from "./support/lists.ts"
import * as Support from "./support/model.ts"
import { Mock, modelReplies } from "./support/model.ts"
import { layer, assertConsistent } from "./support/server.ts"

const lead = { email: "ann@south.example", name: "Ann", company: "South", title: "Maintenance Manager" }

const withoutModel = { ai_generated: false, model: null, prompt_version: null }
const unknownOrigin = { ai_generated: null, model: null, prompt_version: null }
const fromAdaptation = { ai_generated: true, model: "tiny", prompt_version: adaptedEmails.version }
const fromTemplateDraft = { ai_generated: true, model: "tiny", prompt_version: personaEmails.version }

/** Writes emails to one lead. Returns its list, the lead as the list shows it, and its path. */
const writeToLead = Effect.fnUntraced(function* (caller: Caller, campaign: string) {
  const list = yield* startBatch(caller, campaign, [lead], { email_count: 2 })
  yield* waitForList(caller, list)
  const [listed] = (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data
  return { list, listed, path: `/lists/${list}/leads/${listed.id}` }
})

const options = { email_count: 2, email_signature: "Ann" }

/** Previews emails to five synthetic leads. */
const preview = (caller: Caller, campaign: string) =>
  caller.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options })

const withModel = Effect.provide(
  Layer.unwrap(Effect.map(Mock, ({ url }) => layer({ model: Support.modelAt(url, {}, { verification: "off" }) }))).pipe(
    Layer.provideMerge(Mock.layer)
  )
)

const builtWithModel = Effect.gen(function* () {
  yield* modelReplies(modelAnswers)
  const caller = yield* onboardedCaller({ details: profile })
  return { caller, campaign: yield* builtCampaign(caller) }
})

describe("the origin of emails", () => {
  it.live("is no model if no model drafted the templates", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const { listed, path } = yield* writeToLead(caller, yield* builtCampaign(caller))
      const lead = yield* expectBody(200, caller.get(path))
      for (const item of [listed, ...listed.emails, lead, ...lead.emails]) assert.deepInclude(item, withoutModel)
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )

  it.live("names the model and prompt that adapted them, also after an edit and a restore", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* builtWithModel
      const { listed, path } = yield* writeToLead(caller, campaign)
      const lead = yield* expectBody(200, caller.get(path))
      for (const item of [listed, ...listed.emails, lead, ...lead.emails]) assert.deepInclude(item, fromAdaptation)

      const edit = { body: "Hello,\n\nWe find leaks that make no noise.\n\nAnn", version: 1 }
      assert.deepInclude(yield* expectBody(200, caller.patch(`${path}/emails/1`, edit)), {
        ...fromAdaptation,
        edited: true
      })
      assert.deepInclude(yield* expectBody(200, caller.get(path)), { ...fromAdaptation, edited: true })

      // Another variant is filled in from a template that the model drafted with another prompt.
      const { emails, ...rewritten } = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, variant: 1 }))
      assert.deepInclude(emails[0], fromTemplateDraft)
      assert.deepInclude(emails[1], fromAdaptation)
      assert.strictEqual(rewritten.prompt_version, `${personaEmails.version}, ${adaptedEmails.version}`)
      assert.deepInclude(
        yield* expectBody(200, caller.post(`${path}/emails/1/restore`, { version: 1 })),
        fromAdaptation
      )
      yield* assertConsistent
    }).pipe(withModel)
  )

  it.live("is the origin of the template that they were filled in from", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* builtWithModel
      const playbookPath = `/campaigns/${campaign}/playbook`
      const { personas } = yield* expectBody(200, caller.patch(playbookPath, { personalization: "template" }))
      const { listed } = yield* writeToLead(caller, campaign)
      for (const item of [listed, ...listed.emails]) assert.deepInclude(item, fromTemplateDraft)

      // Edits the model's templates of the first step, and replaces those of the closing step with new ones.
      for (const { id, templates } of personas) {
        for (const { id: template, step } of templates) {
          if (step === 1) {
            const text = { subject: "A question", body: "Hello,\n\nWho looks after your compressors?" }
            yield* expectBody(200, caller.put(`${playbookPath}/templates/${template}`, text))
          } else if (step === 4) {
            const replacement = {
              persona_id: id,
              step: 4,
              subject: "The last one",
              body: "Hello,\n\nShall I ask again in spring?"
            }
            yield* expectBody(201, caller.post(`${playbookPath}/templates`, replacement))
            yield* expectBody(200, caller.delete(`${playbookPath}/templates/${template}`))
          }
        }
      }
      const { listed: secondListed } = yield* writeToLead(caller, campaign)
      assert.strictEqual(secondListed.emails[0].subject, "A question")
      assert.deepInclude(secondListed.emails[0], fromTemplateDraft)
      assert.strictEqual(secondListed.emails[1].subject, "The last one")
      assert.deepInclude(secondListed.emails[1], withoutModel)
      assert.deepInclude(secondListed, fromTemplateDraft)
    }).pipe(withModel)
  )

  it.live("is null in all fields if it was not stored", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { campaign, caller } = yield* builtWithModel
      const { list, path } = yield* writeToLead(caller, campaign)
      const [row] = yield* sql<{ readonly findings: string }>`SELECT findings FROM leads WHERE list_id = ${list}`
      const stored: ReadonlyArray<{ readonly mark?: unknown }> = JSON.parse(row?.findings ?? "[]")
      const withoutMarks = stored.map((email) => Struct.omit(email, ["mark"]))
      yield* sql`UPDATE leads SET findings = ${JSON.stringify(withoutMarks)} WHERE list_id = ${list}`
      const lead = yield* expectBody(200, caller.get(path))
      for (const item of [lead, ...lead.emails]) assert.deepInclude(item, unknownOrigin)
      yield* expectBody(200, caller.patch(`${path}/emails/1`, { subject: "Mine", version: 1 }))
      assert.deepInclude(yield* expectBody(200, caller.post(`${path}/emails/1/restore`, { version: 1 })), unknownOrigin)
      const { text } = yield* caller.get(`/lists/${list}/export?columns=all`)
      assert.match(text, /,,,\r\n$/)
    }).pipe(withModel)
  )
})

describe("the responses of generate and preview", () => {
  it.live("name the model and the prompt, also when a preview is read again", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* builtWithModel
      const generated = yield* expectBody(200, generateOne(caller, campaign, { lead, options }))
      assert.deepInclude(generated, fromAdaptation)
      const firstPreview = yield* expectBody(200, preview(caller, campaign))
      assert.lengthOf(firstPreview.generated_emails, 5)
      for (const email of firstPreview.generated_emails) assert.deepInclude(email, fromAdaptation)
      const { generated_emails } = yield* expectBody(
        200,
        caller.get(`/campaigns/${campaign}/previews/${firstPreview.preview_id}`)
      )
      assert.deepStrictEqual(generated_emails, firstPreview.generated_emails)
      yield* assertConsistent
    }).pipe(withModel)
  )

  it.live("say that no model wrote the emails", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      assert.deepInclude(yield* expectBody(200, generateOne(caller, campaign, { lead, options })), withoutModel)
      const { generated_emails } = yield* expectBody(200, preview(caller, campaign))
      for (const email of generated_emails) assert.deepInclude(email, withoutModel)
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )
})

describe("exports", () => {
  it.live("have the origin as the last columns with columns=all, and not otherwise", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* builtWithModel
      const { list, path } = yield* writeToLead(caller, campaign)
      const csv = (query: string) => Effect.map(caller.get(`/lists/${list}/export${query}`), ({ text }) => text)
      const all = yield* csv("?columns=all")
      assert.match(all, /^[^\r]*,review,review_note,ai_generated,model,prompt_version\r\n/)
      assert.isTrue(all.endsWith(`,true,tiny,${adaptedEmails.version}\r\n`), all.slice(-100))
      assert.notMatch(yield* csv(""), /ai_generated|prompt_version|tiny/)

      const { leads } = JSON.parse(yield* csv("?format=json&columns=all"))
      assert.deepInclude(leads[0], fromAdaptation)
      yield* expectBody(200, caller.put(`${path}/review`, { status: "approved" }))
      for (const query of ["?format=json", "?format=json&review=approved"]) {
        const [exportedLead] = JSON.parse(yield* csv(query)).leads
        assert.deepStrictEqual(Object.keys(exportedLead), ["email", "name", "company", "title", "sequence"])
      }
    }).pipe(withModel)
  )
})
