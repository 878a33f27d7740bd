// test/lead-contacts.test.ts: no prompt contains an email address, telephone number or link of a lead.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { type Brief, type Campaign, Generator, noChoices } from "#layers/Generator.ts"
import type { PlaybookSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { contactsIn, removeContacts } from "#layers/text/Contacts.ts"
import { noSegment } from "#schema/Audiences.ts"
import { noMessage } from "#schema/Playbook.ts"
import { expectBody } from "./support/answers.ts"
import { modelAnswers, emails, profile } from "./support/model-answers.ts"
import { awaitJob, onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { waitForList, startBatch } from "./support/lists.ts"
import * as Support from "./support/model.ts"
import { journal, Mock, jsonAnswer, modelReplies } from "./support/model.ts"
import * as Server from "./support/server.ts"
import * as Stores from "./support/store.ts"

const lead = {
  email: "secretjane@hidden.example",
  name: "Jane secretjane@hidden.example Doe",
  title: "Maintenance Manager <secretjane@hidden.example>, tel. +44 114 555 0188",
  company: "Hidden Foods (0114 555 0189)",
  linkedin_url: "https://linkedin.com/in/secretjane",
  company_website: "http://nowhere.invalid/team?m=secretjane@hidden.example#secretjane",
  custom_fields: {
    note: "Met her at the fair; call +44 114 555 0190 after six",
    mail_2: "secretjane＠hidden.example",
    profile_page: "see linkedin.com/in/secretjane",
    shift: "Two shifts a day"
  }
}

/** Contact data of the lead, in any spelling, that must not reach a model provider. */
const secrets = [/secretjane/i, /hidden\.example/i, /555\D?01\d\d/, /nowhere\.invalid/i, /linkedin/i]

const assertNoContactData = Effect.gen(function* () {
  const requests = yield* journal
  assert.isNotEmpty(requests)
  for (const { body, kind } of requests)
    for (const secret of secrets) assert.isFalse(secret.test(body), `${kind}: ${secret}`)
})

describe("a lead whose fields hold addresses, numbers and links", () => {
  const withModelServer = Effect.provide(
    Layer.unwrap(
      Effect.map(Mock, ({ url }) => Server.layer({ model: Support.modelAt(url, {}, { verification: "all" }) }))
    ).pipe(Layer.provideMerge(Mock.layer))
  )

  it.live("reaches the model without any of them", () =>
    Effect.gen(function* () {
      yield* modelReplies(modelAnswers)
      const acme = yield* onboardedCaller({ details: profile })
      const campaign = yield* Campaigns.builtCampaign(acme)
      const campaignPath = `/campaigns/${campaign}`
      const options = { email_count: 2, email_signature: "Tom" }

      yield* modelReplies(modelAnswers)
      yield* expectBody(200, acme.post(`${campaignPath}/generate`, { lead, options }))
      yield* waitForList(acme, yield* startBatch(acme, campaign, [lead, lead], options))
      const requests = yield* journal
      assert.deepStrictEqual(new Set(requests.map(({ kind }) => kind)), new Set(["adapted_emails", "claim_check"]))
      const prompts = requests.filter(({ kind }) => kind === "adapted_emails")
      for (const { user } of prompts) {
        assert.include(user, "job title: Maintenance Manager\ncompany: Hidden Foods\n")
        assert.match(user, /\[column shift\] Two shifts a day/)
      }
      yield* assertNoContactData

      yield* modelReplies(modelAnswers)
      const headers = Object.keys({ ...lead, ...lead.custom_fields })
      const rows = [Object.values({ ...lead, ...lead.custom_fields }).map(String)]
      yield* expectBody(200, acme.post(`${campaignPath}/preview`, { sample: { headers, rows }, options }))
      yield* expectBody(200, acme.post("/agent/chat", { message: "What do we sell?", campaign_id: campaign }))
      const { id } = yield* expectBody(202, acme.post(`${campaignPath}/playbook/redraft`, { instruction: "Shorter." }))
      assert.strictEqual((yield* awaitJob(acme, id)).status, "completed")
      const kinds = new Set((yield* journal).map(({ kind }) => kind))
      for (const kind of ["synthetic_leads", "adapted_emails", "chat", "persona_emails"]) assert.isTrue(kinds.has(kind))
      yield* assertNoContactData
    }).pipe(withModelServer)
  )
})

describe("a lead's contact data in a template", () => {
  const withModelServer = Effect.provide(
    Generator.layer.pipe(
      Layer.provide(Support.model({}, { verification: "all" })),
      Layer.provideMerge(Mock.layer),
      Layer.provide(Layer.fresh(Stores.store))
    )
  )
  const campaign: Campaign = { profile, audience: noSegment, ...noChoices }
  const [goodEmail = { subject: "", body: "" }] = emails(1)
  const templateLine = "Is {{ custom.note }} still the way to reach you?"
  const playbook: PlaybookSnapshot = {
    version: 1,
    never_say: [],
    personalization: "adapted",
    personas: [
      {
        id: "p1",
        name: "Everyone else",
        kind: "everyone_else",
        titles: [],
        message: noMessage,
        templates: [
          {
            id: "t1",
            step: 1,
            variant: 1,
            subject: goodEmail.subject,
            body: goodEmail.body.replace(/Does your maintenance.*$/, templateLine)
          }
        ]
      }
    ]
  }
  const phone = "0114 555 0188"
  const brief: Brief = {
    campaign,
    instructions: "",
    playbook: playbook,
    lead: { email: lead.email, title: "Maintenance Manager", custom_fields: { note: phone } },
    email_count: 1,
    additional_details: null,
    facts: [
      { statement: "Write to secretjane@hidden.example about kilns", source_url: "https://x.example", found_at: "" },
      { statement: "We run 37 kilns in Barlow", source_url: "https://x.example", found_at: "" }
    ],
    approved_ctas: ["Question CTA"],
    seed: "a"
  }

  it.live("is a placeholder for the model and is in the final email", () =>
    Effect.gen(function* () {
      yield* modelReplies(({ kind, user }) => {
        if (kind === "claim_check") {
          const claims = [...user.matchAll(/^(\d+)\. Claim: /gm)]
          return jsonAnswer({ verdicts: claims.map(([, claim]) => ({ claim: Number(claim), supported: true })) })
        }
        const [, subject, text = ""] = /Subject: ([^\n]*)\n\n([\s\S]*?)\n<\/data/.exec(user) ?? []
        return jsonAnswer({ emails: [{ subject, body: text, facts: [] }] })
      })
      const [email] = yield* Effect.flatMap(Generator, (writer) => writer.sequence(brief))
      assert.include(email?.body, `Is ${phone} still the way to reach you?`)
      const [{ user } = { user: "" }] = yield* journal
      assert.include(user, "Is [contact 1] still the way to reach you?")
      assert.include(user, "We run 37 kilns in Barlow")
      yield* assertNoContactData
    }).pipe(withModelServer)
  )

  it.live("is a placeholder too when the model is asked to correct its answer", () =>
    Effect.gen(function* () {
      const wrongBody = `Hello,\n\nWe saved 4,711 pumps at [contact 1].\n\nIs [contact 1] yours?`
      yield* modelReplies(jsonAnswer({ emails: [{ subject: "Air that leaks", body: wrongBody, facts: [] }] }))
      yield* Effect.flip(Effect.flatMap(Generator, (writer) => writer.sequence(brief)))
      const requests = yield* journal
      assert.lengthOf(requests, 3)
      assert.isTrue(requests.slice(1).every(({ messages }) => messages.length === 4))
      yield* assertNoContactData
    }).pipe(withModelServer)
  )
})

describe("contact data in a text", () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ["CEO <jane@hidden.example>", "CEO"],
    ["jane@hidden.example", ""],
    ["CEO, tel. +48 600 700 800", "CEO"],
    ["Head of Ops (01226 555 0143)", "Head of Ops"],
    ["CFO +1 (212) 555-0198", "CFO"],
    ["CTO 06 12 34 56 78", "CTO"],
    ["Buyer | jane (at) hidden.example", "Buyer"],
    ["Buyer https://x.example/?m=1", "Buyer"]
  ]
  for (const [text, expected] of cases) {
    it(`is removed from ${JSON.stringify(text)}`, () => assert.strictEqual(removeContacts(text), expected))
  }
  for (const text of [
    "VP Operations 2019-2024",
    "Founded 1998, rebuilt 12.05.2024",
    "1 200 000 units a year",
    "EUR 1,200,000 turnover",
    "200-1500 employees",
    "ISO 9001:2015 and 14001",
    "Plant Manager 24/7",
    "3.5 million parts"
  ]) {
    it(`is not found in ${JSON.stringify(text)}`, () => {
      assert.isEmpty(contactsIn(text))
      assert.strictEqual(removeContacts(text), text)
    })
  }
})
