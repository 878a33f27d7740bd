// test/marks.test.ts: which emails a model wrote, with which prompt, as the API and the exports mark them.
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

const person = { email: "ann@south.example", name: "Ann", company: "South", title: "Maintenance Manager" }

const none = { ai_generated: false, model: null, prompt_version: null }
const unknown = { ai_generated: null, model: null, prompt_version: null }
const adapted = { ai_generated: true, model: "tiny", prompt_version: adaptedEmails.version }
const drafted = { ai_generated: true, model: "tiny", prompt_version: personaEmails.version }

/** Writes to one lead; returns its list and the path of the lead. */
const writeTo = Effect.fnUntraced(function* (caller: Caller, campaign: string) {
  const list = yield* startBatch(caller, campaign, [person], { email_count: 2 })
  yield* waitForList(caller, list)
  const [listed] = (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data
  return { list, listed, path: `/lists/${list}/leads/${listed.id}` }
})

const options = { email_count: 2, email_signature: "Ann" }

/** Writes to five made-up leads. */
const preview = (caller: Caller, campaign: string) =>
  caller.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options })

const withModel = Effect.provide(
  Layer.unwrap(Effect.map(Mock, ({ url }) => layer({ model: Support.modelAt(url, {}, { verification: "off" }) }))).pipe(
    Layer.provideMerge(Mock.layer)
  )
)

const modelled = Effect.gen(function* () {
  yield* modelReplies(modelAnswers)
  const caller = yield* onboardedCaller({ details: profile })
  return { caller, campaign: yield* builtCampaign(caller) }
})

describe("emails", () => {
  it.live("of templates that no model drafted are not marked", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const { listed, path } = yield* writeTo(caller, yield* builtCampaign(caller))
      const lead = yield* expectBody(200, caller.get(path))
      for (const one of [listed, ...listed.emails, lead, ...lead.emails]) assert.deepInclude(one, none)
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )

  it.live("that a model adapted name it and its prompt, also once a person edited them or went back", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* modelled
      const { listed, path } = yield* writeTo(caller, campaign)
      const lead = yield* expectBody(200, caller.get(path))
      for (const one of [listed, ...listed.emails, lead, ...lead.emails]) assert.deepInclude(one, adapted)

      const mine = { body: "Hello,\n\nWe find leaks that make no noise.\n\nAnn", version: 1 }
      assert.deepInclude(yield* expectBody(200, caller.patch(`${path}/emails/1`, mine)), { ...adapted, edited: true })
      assert.deepInclude(yield* expectBody(200, caller.get(path)), { ...adapted, edited: true })

      // Another variant is filled in from a template that the model drafted with another prompt.
      const { emails, ...rewritten } = yield* expectBody(200, caller.post(`${path}/rewrite`, { step: 1, variant: 1 }))
      assert.deepInclude(emails[0], drafted)
      assert.deepInclude(emails[1], adapted)
      assert.strictEqual(rewritten.prompt_version, `${personaEmails.version}, ${adaptedEmails.version}`)
      assert.deepInclude(yield* expectBody(200, caller.post(`${path}/emails/1/restore`, { version: 1 })), adapted)
      yield* assertConsistent
    }).pipe(withModel)
  )

  it.live("that are filled in from templates have the origin of the template", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* modelled
      const book = `/campaigns/${campaign}/playbook`
      const { personas } = yield* expectBody(200, caller.patch(book, { personalization: "template" }))
      const { listed } = yield* writeTo(caller, campaign)
      for (const one of [listed, ...listed.emails]) assert.deepInclude(one, drafted)

      // A person edits the drafts of the first step, and writes those of the closing one.
      for (const { id, templates } of personas) {
        for (const { id: template, step } of templates) {
          if (step === 1) {
            const text = { subject: "A question", body: "Hello,\n\nWho looks after your compressors?" }
            yield* expectBody(200, caller.put(`${book}/templates/${template}`, text))
          } else if (step === 4) {
            const own = {
              persona_id: id,
              step: 4,
              subject: "The last one",
              body: "Hello,\n\nShall I ask again in spring?"
            }
            yield* expectBody(201, caller.post(`${book}/templates`, own))
            yield* expectBody(200, caller.delete(`${book}/templates/${template}`))
          }
        }
      }
      const { listed: next } = yield* writeTo(caller, campaign)
      assert.strictEqual(next.emails[0].subject, "A question")
      assert.deepInclude(next.emails[0], drafted)
      assert.strictEqual(next.emails[1].subject, "The last one")
      assert.deepInclude(next.emails[1], none)
      assert.deepInclude(next, drafted)
    }).pipe(withModel)
  )

  it.live("that were written before marks were stored have none that is known", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { campaign, caller } = yield* modelled
      const { list, path } = yield* writeTo(caller, campaign)
      const [row] = yield* sql<{ readonly findings: string }>`SELECT findings FROM leads WHERE list_id = ${list}`
      const stored: ReadonlyArray<{ readonly mark?: unknown }> = JSON.parse(row?.findings ?? "[]")
      const earlier = stored.map((email) => Struct.omit(email, ["mark"]))
      yield* sql`UPDATE leads SET findings = ${JSON.stringify(earlier)} WHERE list_id = ${list}`
      const lead = yield* expectBody(200, caller.get(path))
      for (const one of [lead, ...lead.emails]) assert.deepInclude(one, unknown)
      yield* expectBody(200, caller.patch(`${path}/emails/1`, { subject: "Mine", version: 1 }))
      assert.deepInclude(yield* expectBody(200, caller.post(`${path}/emails/1/restore`, { version: 1 })), unknown)
      const { text } = yield* caller.get(`/lists/${list}/export?columns=all`)
      assert.match(text, /,,,\r\n$/)
    }).pipe(withModel)
  )
})

describe("answers", () => {
  it.live("of generate and preview have the marks, also when a preview is read again", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* modelled
      const written = yield* expectBody(200, generateOne(caller, campaign, { lead: person, options }))
      assert.deepInclude(written, adapted)
      const shown = yield* expectBody(200, preview(caller, campaign))
      assert.lengthOf(shown.generated_emails, 5)
      for (const one of shown.generated_emails) assert.deepInclude(one, adapted)
      const { generated_emails } = yield* expectBody(
        200,
        caller.get(`/campaigns/${campaign}/previews/${shown.preview_id}`)
      )
      assert.deepStrictEqual(generated_emails, shown.generated_emails)
      yield* assertConsistent
    }).pipe(withModel)
  )

  it.live("of generate and preview say that no model wrote", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* builtCampaign(caller)
      assert.deepInclude(yield* expectBody(200, generateOne(caller, campaign, { lead: person, options })), none)
      const { generated_emails } = yield* expectBody(200, preview(caller, campaign))
      for (const one of generated_emails) assert.deepInclude(one, none)
    }).pipe(Effect.provide(layer({ writer: { sequence: fillSequence } })))
  )
})

describe("exports", () => {
  it.live("have the marks with columns=all, after all other columns, and no marks without it", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* modelled
      const { list, path } = yield* writeTo(caller, campaign)
      const csv = (query: string) => Effect.map(caller.get(`/lists/${list}/export${query}`), ({ text }) => text)
      const all = yield* csv("?columns=all")
      assert.match(all, /^[^\r]*,review,review_note,ai_generated,model,prompt_version\r\n/)
      assert.isTrue(all.endsWith(`,true,tiny,${adaptedEmails.version}\r\n`), all.slice(-100))
      assert.notMatch(yield* csv(""), /ai_generated|prompt_version|tiny/)

      const { leads } = JSON.parse(yield* csv("?format=json&columns=all"))
      assert.deepInclude(leads[0], adapted)
      yield* expectBody(200, caller.put(`${path}/review`, { status: "approved" }))
      for (const query of ["?format=json", "?format=json&review=approved"]) {
        const [plain] = JSON.parse(yield* csv(query)).leads
        assert.deepStrictEqual(Object.keys(plain), ["email", "name", "company", "title", "sequence"])
      }
    }).pipe(withModel)
  )
})
