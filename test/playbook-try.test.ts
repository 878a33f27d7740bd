// test/playbook-try.test.ts: POST /campaigns/:id/playbook/try, which writes to a lead without saving anything.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Playbook, Tried } from "#schema/Playbook.ts"
import { expectBody, expectError } from "./support/answers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { lead, unknownId } from "./support/endpoints.ts"
import { withServer } from "./support/server.ts"

it.live("a lead on the suppression list gets a sequence, and the reason why a batch would skip it", () =>
  Effect.gen(function* () {
    const { campaign, caller } = yield* Campaigns.callerWithCampaign()
    const path = `/campaigns/${campaign}/playbook/try`
    assert.isNull((yield* expectBody(200, caller.post(path, { lead }))).skipped)
    yield* expectBody(200, caller.post("/suppressions", { entries: [{ value: lead.email }] }))
    const { sequence, skipped }: Tried = yield* expectBody(200, caller.post(path, { lead }))
    assert.deepStrictEqual(skipped, { reason: `${lead.email} is on the suppression list.` })
    assert.isNotEmpty(sequence)
  }).pipe(withServer())
)

it.live("a changed template replaces all variants of its step, and nothing is stored", () =>
  Effect.gen(function* () {
    const { campaign, caller } = yield* Campaigns.callerWithCampaign()
    const path = `/campaigns/${campaign}/playbook`
    const playbook: Playbook = yield* expectBody(200, caller.get(path))
    const saved: Tried = yield* expectBody(200, caller.post(`${path}/try`, { lead, email_count: 2 }))
    const persona = playbook.personas.find(({ id }) => id === saved.persona_id)
    for (const { id } of persona?.templates.filter(({ step }) => step === 1) ?? []) {
      const templates = [{ template_id: id, subject: "Not saved", body: "Hi {{ email }}, is it yours?" }]
      const { sequence }: Tried = yield* expectBody(
        200,
        caller.post(`${path}/try`, { lead, email_count: 2, templates })
      )
      assert.strictEqual(sequence[0]?.template_id, id)
      assert.strictEqual(sequence[0]?.subject, "Not saved")
      assert.strictEqual(sequence[0]?.body, `Hi ${lead.email}, is it yours?`)
      assert.deepStrictEqual(sequence[1]?.body, saved.sequence[1]?.body)
    }
    const invalid = { template_id: persona?.templates[0]?.id, subject: "Fine", body: "Hi {{ shoe_size }}" }
    const { issues } = yield* expectError(
      400,
      "BAD_REQUEST",
      caller.post(`${path}/try`, { lead, templates: [invalid] })
    )
    assert.deepStrictEqual(
      issues.map((issue: { readonly path: string }) => issue.path),
      ["templates.0.body"]
    )
    const unknown = { template_id: unknownId, subject: "Fine", body: "Fine" }
    yield* expectError(404, "NOT_FOUND", caller.post(`${path}/try`, { lead, templates: [unknown] }))
    assert.deepStrictEqual(yield* expectBody(200, caller.get(path)), playbook)
  }).pipe(withServer())
)
