// test/credits.test.ts: the credits endpoints. The service is tested in services/credits.test.ts.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Credits } from "#layers/Credits.ts"
import { periodEnd } from "#layers/credits/Account.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, onboardedCaller } from "./support/callers.ts"
import { builtCampaign } from "./support/campaigns.ts"
import * as Server from "./support/server.ts"

describe("credits over HTTP", () => {
  it.live("the account shows every field and no payment data", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller({ plan: "starter" })
      const account = yield* expectBody(200, acme.get("/credits"))
      const { end, start } = account.period
      assert.strictEqual(periodEnd(start, new Date(start).getUTCDate()), end)
      assert.deepStrictEqual(account, {
        balance: 1000,
        is_unlimited: false,
        plan: {
          tier: "starter",
          billing_cycle: "monthly",
          status: "active",
          monthly_credits_limit: 1000,
          custom_credits_limit: null
        },
        period: { start, end },
        usage: {
          credits_used_this_period: 0,
          total_credits_used_all_time: 0,
          monthly_allocated: 1000,
          rollover: 0,
          addon: 0
        },
        payg: { eligible: false, enabled: false, cap_cents: 0, spent_cents: 0, credits_used: 0, pct_of_cap: 0 }
      })
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )

  it.live("a credit check returns whether the balance is sufficient", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller({ plan: "free" })
      const check = (required: string) => acme.get(`/credits/check?required=${required}`)
      for (const [required, sufficient] of [
        ["1", true],
        ["50", true],
        ["51", false],
        ["1000000", false]
      ] as const) {
        assert.deepStrictEqual(yield* expectBody(200, check(required)), {
          required: Number(required),
          sufficient,
          available: 50,
          payg_enabled: false,
          pct_of_cap: 0
        })
      }
      // Pay-as-you-go counts only if the workspace is eligible and has enabled it.
      const { setPlan } = yield* Credits
      yield* setPlan(acme.workspace, { payg_eligible: true, payg_cap_cents: 20 })
      assert.deepInclude(yield* expectBody(200, check("51")), { sufficient: false, payg_enabled: false })
      yield* setPlan(acme.workspace, { payg_eligible: false, payg_enabled: true })
      assert.deepInclude(yield* expectBody(200, check("51")), { sufficient: false })
      yield* setPlan(acme.workspace, { payg_eligible: true })
      assert.deepInclude(yield* expectBody(200, check("52")), { sufficient: true, available: 50, payg_enabled: true })
      assert.deepInclude(yield* expectBody(200, check("53")), { sufficient: false })
      for (const invalid of ["", "0", "-1", "1.5", "abc", "1e3", "NaN", "Infinity", "%201", "0x10"]) {
        const { issues } = yield* expectError(400, "BAD_REQUEST", check(invalid))
        assert.strictEqual(issues[0].path, "required")
      }
      yield* expectError(400, "BAD_REQUEST", acme.get("/credits/check"))
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )

  it.live("usage is listed by day", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller({ plan: "free" })
      const campaign = yield* builtCampaign(acme)
      const lead = { email: "ann@north.example", name: "Ann" }
      const options = { email_count: 1, email_signature: "Bo" }
      yield* expectBody(200, acme.post(`/campaigns/${campaign}/generate`, { lead, options }))
      const { days, period } = yield* expectBody(200, acme.get("/credits/usage"))
      assert.deepStrictEqual(period, (yield* expectBody(200, acme.get("/credits"))).period)
      assert.strictEqual(days[0].date, period.start.slice(0, 10))
      assert.deepStrictEqual(
        days.reduce((sum: number, { used }: { readonly used: number }) => sum + used, 0),
        1
      )
      const other = yield* newCaller({ plan: "free" })
      assert.deepStrictEqual(
        (yield* expectBody(200, other.get("/credits/usage"))).days.every(
          ({ used }: { readonly used: number }) => used === 0
        ),
        true
      )
    }).pipe(Effect.provide(Server.layer()))
  )

  it.live("without a subscription there is no account, and no check is sufficient", () =>
    Effect.gen(function* () {
      const acme = yield* newCaller({ plan: "none" })
      yield* expectError(404, "NOT_FOUND", acme.get("/credits"))
      yield* expectError(404, "NOT_FOUND", acme.get("/credits/usage"))
      assert.deepInclude(yield* expectBody(200, acme.get("/credits/check?required=1")), {
        sufficient: false,
        available: 0
      })
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )
})
