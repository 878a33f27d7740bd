// test/spec/credits.ts: the credit account, the credit check, and the ledger behind them.
import type { Chapter } from "./Fact.ts"

export const credits: Chapter = {
  title: "Credits",
  facts: [
    ["GET /credits is 200 with the whole account", "credits: the account shows every field and no payment data"],
    [
      "balance, is_unlimited, plan, period, usage and payg, and not a field more",
      "credits: the account shows every field and no payment data"
    ],
    [
      "GET /credits is 404 without a subscription",
      "credits: without a subscription there is no account, and no check is sufficient"
    ],
    [
      "GET /credits/check is 200 on valid input, enough or not",
      "credits: a credit check returns whether the balance is sufficient"
    ],
    [
      "check: required, sufficient, available, payg_enabled, pct_of_cap",
      "credits: a credit check returns whether the balance is sufficient"
    ],
    ["check: required is echoed", "credits: a credit check returns whether the balance is sufficient"],
    [
      "check: available is the raw balance, without pay-as-you-go",
      "credits: a credit check returns whether the balance is sufficient"
    ],
    [
      "check: sufficient takes pay-as-you-go headroom in",
      "credits: a credit check returns whether the balance is sufficient"
    ],
    [
      "check: 400 without required, or with what is no positive whole number",
      "credits: a credit check returns whether the balance is sufficient"
    ],
    [
      "pct_of_cap is a fraction from 0 to 1",
      "generation-admission: pay-as-you-go covers missing credits up to its cap",
      "credits: begins with pay-as-you-go and builds at zero"
    ],
    [
      "spent_cents and credits_used tell of pay-as-you-go, at 10 cents a credit",
      "generation-admission: pay-as-you-go covers missing credits up to its cap"
    ],
    [
      "GET /credits/usage is 200 with the period and each of its days so far, in order",
      "credits: is listed by day, and sums to the account's usage",
      "credits: usage is listed by day"
    ],
    [
      "usage: the days come to credits_used_this_period, refunds on the day of their charge",
      "credits: is listed by day, and sums to the account's usage",
      "credits: balances after every step of a random history"
    ],
    [
      "GET /credits/usage is 404 without a subscription",
      "credits: without a subscription there is no account, and no check is sufficient"
    ],
    [
      "all three need credits:read",
      "http: needs $scope for $method $path",
      "http: each endpoint requires the scope in the specification"
    ],
    [
      "the balance is the sum of the ledger, and never negative",
      "credits: balances after every step of a random history"
    ],
    [
      "spent in the order monthly, rollover, addon, pay-as-you-go up to its cap",
      "credits: spends monthly, then rollover, then addon, then pay-as-you-go up to its cap"
    ],
    [
      "a lead's cost is held before it is written; available and balance leave it out",
      "generation: waits for a build in progress",
      "credits: never holds a credit twice for concurrent holds"
    ],
    [
      "at most one capture a lead, ever",
      "credits: charges an owner once for repeated and concurrent captures",
      "credits: balances after every step of a random history"
    ],
    [
      "failure releases what was held",
      "generation: that cannot be written returns the reason, and costs nothing",
      "credits: balances after every step of a random history"
    ],
    [
      "a refund goes back to where it came from",
      "credits: refunds the latest spending first, to its bucket, or to addon after the period has ended"
    ],
    [
      "a period is a calendar month from the anchor day",
      "credits: lasts a calendar month from its anchor",
      "credits: ends on the anchor day, and its remaining credits roll over once"
    ],
    [
      "what is left of a month rolls over, at most one month's allowance, in place of the older rollover",
      "credits: ends on the anchor day, and its remaining credits roll over once"
    ],
    [
      "a period is rolled on by any read, and on a schedule",
      "credits: that ended long ago is caught up, with one grant per period",
      "credits: begins on time without any request"
    ],
    [
      "a period is rolled once, however many ask and however the clock jumps",
      "credits: is renewed once for concurrent requests",
      "credits: is not renewed twice when the clock is set back"
    ],
    [
      "a new period resets pay-as-you-go and the count of builds",
      "credits: begins with pay-as-you-go and builds at zero"
    ],
    [
      "a plan works at once: a larger allowance adds its difference, a smaller one takes nothing",
      "credits: raises a plan's allowance immediately and never reduces the balance"
    ],
    [
      "an unlimited plan is never refused, its use recorded",
      "credits: never refuses an unlimited plan, and records its usage",
      "generation-admission: an unlimited plan needs no credits, and its usage is recorded",
      "preview: is recorded, and not refused, on an unlimited plan"
    ],
    ["what each plan grants and allows", "credits: has the specified limits"],
    [
      "generation costs 1 credit a lead, a preview 5, nothing else any",
      "generation: gets its sequence in the response, is charged, and is stored in its own list",
      "preview: writes to five leads under the caller's headers, and costs five credits",
      "agent: has a separate limit of 30 requests, and costs no credits",
      "campaign-build: a campaign is built step by step, and costs nothing"
    ]
  ]
}
