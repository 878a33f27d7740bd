// test/spec/credits.ts: the credit account, the credit check, and the ledger behind them.
import type { Chapter } from "./Fact.ts"

export const credits: Chapter = {
  title: "Credits",
  facts: [
    ["GET /credits is 200 with the whole account", "credits: the account shows every field and no payment data"],
    [
      "the account has exactly balance, is_unlimited, plan, period, usage and payg",
      "credits: the account shows every field and no payment data"
    ],
    [
      "GET /credits is 404 without a subscription",
      "credits: without a subscription there is no account, and no check is sufficient"
    ],
    [
      "GET /credits/check is 200 for valid input, sufficient or not",
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
      "check: sufficient includes remaining pay-as-you-go",
      "credits: a credit check returns whether the balance is sufficient"
    ],
    [
      "check: 400 unless required is a positive whole number",
      "credits: a credit check returns whether the balance is sufficient"
    ],
    [
      "pct_of_cap is a fraction from 0 to 1",
      "generation-admission: pay-as-you-go covers missing credits up to its cap",
      "credits: begins with pay-as-you-go and builds at zero"
    ],
    [
      "spent_cents and credits_used show pay-as-you-go, at 10 cents a credit",
      "generation-admission: pay-as-you-go covers missing credits up to its cap"
    ],
    [
      "GET /credits/usage is 200 with the period and each of its days so far, in order",
      "credits: is listed by day, and sums to the account's usage",
      "credits: usage is listed by day"
    ],
    [
      "usage: the days sum to credits_used_this_period, refunds on the day of their charge",
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
      "a lead's cost is held before it is written, and excluded from available and balance",
      "generation: waits for a build in progress",
      "credits: never holds a credit twice for concurrent holds"
    ],
    [
      "a lead is captured at most once",
      "credits: charges an owner once for repeated and concurrent captures",
      "credits: balances after every step of a random history"
    ],
    [
      "a failure releases the hold",
      "generation: that cannot be written returns the reason, and costs nothing",
      "credits: balances after every step of a random history"
    ],
    [
      "a refund returns to the bucket of the charge",
      "credits: refunds the latest spending first, to its bucket, or to addon after the period has ended"
    ],
    [
      "a period is a calendar month from the anchor day",
      "credits: lasts a calendar month from its anchor",
      "credits: ends on the anchor day, and its remaining credits roll over once"
    ],
    [
      "remaining monthly credits roll over, at most one month's allowance, replacing the older rollover",
      "credits: ends on the anchor day, and its remaining credits roll over once"
    ],
    [
      "a new period starts with any read, and on a schedule",
      "credits: that ended long ago is caught up, with one grant per period",
      "credits: begins on time without any request"
    ],
    [
      "a new period starts once, despite concurrent requests and clock changes",
      "credits: is renewed once for concurrent requests",
      "credits: is not renewed twice when the clock is set back"
    ],
    [
      "a new period resets pay-as-you-go and the count of builds",
      "credits: begins with pay-as-you-go and builds at zero"
    ],
    [
      "a plan changes immediately: a larger allowance adds the difference, a smaller one removes nothing",
      "credits: raises a plan's allowance immediately and never reduces the balance"
    ],
    [
      "an unlimited plan is never refused, and its usage is recorded",
      "credits: never refuses an unlimited plan, and records its usage",
      "generation-admission: an unlimited plan needs no credits, and its usage is recorded",
      "preview: is recorded in the ledger of an unlimited plan"
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
