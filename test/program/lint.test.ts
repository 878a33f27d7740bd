// test/program/lint.test.ts: POST /lint and the command for it: what is compared with what, and who may ask.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import type { Finding } from "#schema/Findings.ts"
import { expectBody, expectError } from "../support/answers.ts"
import { newCaller, onboardedCaller } from "../support/callers.ts"
import { createCampaign, callerWithCampaign } from "../support/campaigns.ts"
import { command, commandJson } from "../support/command.ts"
import { onboardedWorkspace } from "../support/program-workspace.ts"
import { temporaryFolder, serve } from "../support/process.ts"
import { withServer } from "../support/server.ts"

const boast = "Hi Ida,\n\nWe are the best supplier in the world.\n\nWorth a look?"
const rulesOf = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) => findings.map(({ rule }) => rule)

describe("lint", () => {
  it.live("checks the form of a text without a campaign, and does not judge its claims", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const lint = (sent: unknown) => expectBody(200, caller.post("/lint", sent))
      const left = yield* lint({ body: "Hi Ida,\n\nHow is {{ company }} doing?" })
      assert.isFalse(left.passes)
      assert.isNull(left.score)
      assert.deepStrictEqual(left.findings[0], {
        rule: "template.leftover",
        severity: "fail",
        place: "body",
        start: 16,
        end: 29,
        message: '"{{ company }}" was left over from a template. Remove it, or use a variable that has a value.',
        suggestion: null
      })
      const indented = yield* lint({ body: "\n\n Hi {{ name }}" })
      assert.deepInclude(indented.findings[0], { start: 6, end: 16 })
      const boasted = yield* lint({ body: boast })
      assert.isTrue(boasted.passes)
      assert.deepInclude(boasted.claims[0], { supported: null, sources: [], start: 9, end: 47 })
      // A subject line that was not sent is not missed, and one that was is checked.
      assert.notInclude(rulesOf(boasted), "subject.misleading")
      assert.include(rulesOf(yield* lint({ subject: "Re: our talk", body: boast })), "subject.misleading")
      assert.notInclude(rulesOf(yield* lint({ subject: "Re: our talk", body: boast, step: 2 })), "subject.misleading")
      const lead = { email: "ida@north.example", name: "Ida Moreau" }
      assert.include(rulesOf(yield* lint({ body: "Hi Tom,\n\nWorth a look?", lead })), "name.wrong")
    }).pipe(withServer())
  )

  it.live("compares claims with a campaign, built or not, and shows their sources", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const draft = yield* createCampaign(caller, "Autumn")
      for (const campaign_id of [campaign, draft]) {
        const found = yield* expectBody(200, caller.post("/lint", { campaign_id, body: boast }))
        assert.isFalse(found.passes)
        assert.include(rulesOf(found), "claim.superlative")
        assert.deepInclude(found.claims[0], { supported: false })
      }
      const sentence = "We had no leak in 31 months."
      yield* expectBody(200, caller.put("/workspace/details", { case_studies: [sentence] }))
      const found = yield* expectBody(
        200,
        caller.post("/lint", { campaign_id: draft, body: `Hi Ida,\n\n${sentence}\n\nWorth a look?` })
      )
      const claim = found.claims.find((each: { readonly start: number }) => each.start === 9)
      assert.isTrue(claim.supported)
      assert.isTrue(
        claim.sources.some(({ from }: { readonly from: string }) => from === "profile" || from === "campaign")
      )
    }).pipe(withServer())
  )

  it.live("checks a template: its Liquid, and its text with examples", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const lint = (text: string) => expectBody(200, caller.post("/lint", { body: text, template: true }))
      const wrong = yield* lint("Hi {{ nickname }},\n\nWorth a look?")
      assert.isFalse(wrong.passes)
      assert.deepInclude(wrong.findings[0], { rule: "template.syntax", severity: "fail", place: "body" })
      const right = yield* lint('Hi {{ first_name | default: "there" }},\n\nWorth a look?')
      assert.isTrue(right.passes)
    }).pipe(withServer())
  )

  it.live("refuses unknown and foreign campaigns, keys without the scope, and bodies without text", () =>
    Effect.gen(function* () {
      const { campaign } = yield* callerWithCampaign()
      const other = yield* onboardedCaller()
      yield* expectError(403, "FORBIDDEN", other.post("/lint", { body: boast, campaign_id: campaign }))
      yield* expectError(
        404,
        "NOT_FOUND",
        other.post("/lint", { body: boast, campaign_id: "01980f3e-91c4-7f0b-8a52-3d7e6b10f9c2" })
      )
      yield* expectError(400, "BAD_REQUEST", other.post("/lint", { body: " \n" }))
      yield* expectError(400, "BAD_REQUEST", other.post("/lint", { body: boast, step: 5 }))
      yield* expectError(
        403,
        "FORBIDDEN",
        (yield* newCaller({ scopes: ["lists:read"] })).post("/lint", { body: boast })
      )
    }).pipe(withServer())
  )
})

describe("overture lint", () => {
  it.live("prints line and column, and exits with status 1 when the text fails", () =>
    Effect.gen(function* () {
      const { data, key } = yield* onboardedWorkspace
      const server = yield* serve(data)
      const cwd = yield* temporaryFolder
      writeFileSync(`${cwd}/.env`, `OVERTURE_URL=${server.url}\nOVERTURE_API_KEY=${key}\n`)
      writeFileSync(`${cwd}/bad.txt`, "Subject: Seals\n\nHi Ida,\n\nHow is the {{ company }} plant?\n")
      writeFileSync(`${cwd}/good.txt`, "Hi Ida,\n\nHow is the plant?\n")
      const bad = yield* command(cwd, "lint", `${cwd}/bad.txt`)
      assert.strictEqual(bad.code, 1, bad.stderr)
      assert.match(bad.stdout, /^5:12 {2}fail {2}template\.leftover {2}/m)
      assert.include(bad.stderr, "1 problem")
      const good = yield* commandJson(cwd, "lint", `${cwd}/good.txt`)
      assert.isTrue(good.passes)
      const missing = yield* command(cwd, "lint", `${cwd}/none.txt`)
      assert.strictEqual(missing.code, 1)
      assert.include(missing.stderr, "Cannot read")
    })
  )
})
