// test/program/lint.test.ts: POST /lint and `overture lint`: which texts are compared, and which callers are allowed.
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

const unsupportedClaim = "Hi Ida,\n\nWe are the best supplier in the world.\n\nWorth a look?"
const rulesOf = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) => findings.map(({ rule }) => rule)

describe("lint", () => {
  it.live("checks the form of a text without a campaign, and does not judge its claims", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const lint = (body: unknown) => expectBody(200, caller.post("/lint", body))
      const leftoverVerdict = yield* lint({ body: "Hi Ida,\n\nHow is {{ company }} doing?" })
      assert.isFalse(leftoverVerdict.passes)
      assert.isNull(leftoverVerdict.score)
      assert.deepStrictEqual(leftoverVerdict.findings[0], {
        rule: "template.leftover",
        severity: "fail",
        place: "body",
        start: 16,
        end: 29,
        message: '"{{ company }}" was left over from a template. Remove it, or use a variable that has a value.',
        suggestion: null
      })
      const indentedVerdict = yield* lint({ body: "\n\n Hi {{ name }}" })
      assert.deepInclude(indentedVerdict.findings[0], { start: 6, end: 16 })
      const verdict = yield* lint({ body: unsupportedClaim })
      assert.isTrue(verdict.passes)
      assert.deepInclude(verdict.claims[0], { supported: null, sources: [], start: 9, end: 47 })
      // A missing subject line is no finding, and a given one is checked.
      assert.notInclude(rulesOf(verdict), "subject.misleading")
      assert.include(rulesOf(yield* lint({ subject: "Re: our talk", body: unsupportedClaim })), "subject.misleading")
      assert.notInclude(
        rulesOf(yield* lint({ subject: "Re: our talk", body: unsupportedClaim, step: 2 })),
        "subject.misleading"
      )
      const lead = { email: "ida@north.example", name: "Ida Moreau" }
      assert.include(rulesOf(yield* lint({ body: "Hi Tom,\n\nWorth a look?", lead })), "name.wrong")
    }).pipe(withServer())
  )

  it.live("compares claims with a campaign, whether it is built or not, and shows their sources", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* callerWithCampaign()
      const draft = yield* createCampaign(caller, "Autumn")
      for (const campaign_id of [campaign, draft]) {
        const verdict = yield* expectBody(200, caller.post("/lint", { campaign_id, body: unsupportedClaim }))
        assert.isFalse(verdict.passes)
        assert.include(rulesOf(verdict), "claim.superlative")
        assert.deepInclude(verdict.claims[0], { supported: false })
      }
      const sentence = "We had no leak in 31 months."
      yield* expectBody(200, caller.put("/workspace/details", { case_studies: [sentence] }))
      const verdict = yield* expectBody(
        200,
        caller.post("/lint", { campaign_id: draft, body: `Hi Ida,\n\n${sentence}\n\nWorth a look?` })
      )
      const claim = verdict.claims.find((claim: { readonly start: number }) => claim.start === 9)
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
      const invalidTemplate = yield* lint("Hi {{ nickname }},\n\nWorth a look?")
      assert.isFalse(invalidTemplate.passes)
      assert.deepInclude(invalidTemplate.findings[0], { rule: "template.syntax", severity: "fail", place: "body" })
      const validTemplate = yield* lint('Hi {{ first_name | default: "there" }},\n\nWorth a look?')
      assert.isTrue(validTemplate.passes)
    }).pipe(withServer())
  )

  it.live("refuses unknown and foreign campaigns, keys without the scope, and bodies without text", () =>
    Effect.gen(function* () {
      const { campaign } = yield* callerWithCampaign()
      const otherCaller = yield* onboardedCaller()
      yield* expectError(403, "FORBIDDEN", otherCaller.post("/lint", { body: unsupportedClaim, campaign_id: campaign }))
      yield* expectError(
        404,
        "NOT_FOUND",
        otherCaller.post("/lint", { body: unsupportedClaim, campaign_id: "01980f3e-91c4-7f0b-8a52-3d7e6b10f9c2" })
      )
      yield* expectError(400, "BAD_REQUEST", otherCaller.post("/lint", { body: " \n" }))
      yield* expectError(400, "BAD_REQUEST", otherCaller.post("/lint", { body: unsupportedClaim, step: 5 }))
      yield* expectError(
        403,
        "FORBIDDEN",
        (yield* newCaller({ scopes: ["lists:read"] })).post("/lint", { body: unsupportedClaim })
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
      const failingText = yield* command(cwd, "lint", `${cwd}/bad.txt`)
      assert.strictEqual(failingText.code, 1, failingText.stderr)
      assert.match(failingText.stdout, /^5:12 {2}fail {2}template\.leftover {2}/m)
      assert.include(failingText.stderr, "1 problem")
      const passingText = yield* commandJson(cwd, "lint", `${cwd}/good.txt`)
      assert.isTrue(passingText.passes)
      const missingFile = yield* command(cwd, "lint", `${cwd}/none.txt`)
      assert.strictEqual(missingFile.code, 1)
      assert.include(missingFile.stderr, "Cannot read")
    })
  )
})
