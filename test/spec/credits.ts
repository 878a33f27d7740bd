// test/spec/credits.ts: the credit account, the credit check, and the ledger behind them.
import type { Chapter } from "./Fact.ts"

export const credits: Chapter = {
  title: "Credits",
  facts: [
    ["GET /credits is 200 with the whole account", "credits: the account shows every field, and nothing of a payment"],
    [
      "balance, is_unlimited, plan, period, usage and payg, and not a field more",
      "credits: the account shows every field, and nothing of a payment"
    ],
    [
      "GET /credits is 404 without a subscription",
      "credits: without a subscription there is no account, and nothing would be enough"
    ],
    [
      "GET /credits/check is 200 on valid input, enough or not",
      "credits: a check echoes what was asked and never refuses what is valid"
    ],
    [
      "check: required, sufficient, available, payg_enabled, pct_of_cap",
      "credits: a check echoes what was asked and never refuses what is valid"
    ],
    ["check: required is echoed", "credits: a check echoes what was asked and never refuses what is valid"],
    [
      "check: available is the raw balance, without pay-as-you-go",
      "credits: a check echoes what was asked and never refuses what is valid"
    ],
    [
      "check: sufficient takes pay-as-you-go headroom in",
      "credits: a check echoes what was asked and never refuses what is valid"
    ],
    [
      "check: 400 without required, or with what is no positive whole number",
      "credits: a check echoes what was asked and never refuses what is valid"
    ],
    [
      "pct_of_cap is a fraction from 0 to 1",
      "generation-admission: pay-as-you-go may fill the gap up to its cap",
      "credits: begins with pay-as-you-go unspent and no build counted"
    ],
    [
      "spent_cents and credits_used tell of pay-as-you-go, at 10 cents a credit",
      "generation-admission: pay-as-you-go may fill the gap up to its cap"
    ],
    [
      "GET /credits/usage is 200 with the period and each of its days so far, in order",
      "credits: is listed by day, and adds up to what the account spent",
      "credits: is listed by day for keys with the credits scope"
    ],
    [
      "usage: the days come to credits_used_this_period, refunds on the day of their charge",
      "credits: is listed by day, and adds up to what the account spent",
      "credits: balances after every step of any history"
    ],
    [
      "GET /credits/usage is 404 without a subscription",
      "credits: without a subscription there is no account, and nothing would be enough"
    ],
    [
      "all three need credits:read",
      "http: needs $scope for $method $path",
      "http: asks of each endpoint the scope that the specification names"
    ],
    ["the balance is the sum of the ledger, and never negative", "credits: balances after every step of any history"],
    [
      "spent in the order monthly, rollover, addon, pay-as-you-go up to its cap",
      "credits: spends monthly, then rollover, then addon, then pay-as-you-go up to its cap"
    ],
    [
      "a lead's cost is held before it is written; available and balance leave it out",
      "generation: waits for a build under way",
      "credits: lets holds compete, and never promises a credit twice"
    ],
    [
      "at most one capture a lead, ever",
      "credits: charges an owner once, however often and in however many fibers it is captured",
      "credits: balances after every step of any history"
    ],
    [
      "failure releases what was held",
      "generation: that cannot be written to is an error that says why, and costs nothing",
      "credits: balances after every step of any history"
    ],
    [
      "a refund goes back to where it came from",
      "credits: gives back what was spent last first, to the bucket it came from, or to addon once a period has ended"
    ],
    [
      "a period is a calendar month from the anchor day",
      "credits: lasts a calendar month from its anchor, whatever the month",
      "credits: ends on the anchor day, and what was left of it rolls over, once"
    ],
    [
      "what is left of a month rolls over, at most one month's allowance, in place of the older rollover",
      "credits: ends on the anchor day, and what was left of it rolls over, once"
    ],
    [
      "a period is rolled on by any read, and on a schedule",
      "credits: long past is caught up with, one grant for each",
      "credits: begins on time, whether or not anybody asks"
    ],
    [
      "a period is rolled once, however many ask and however the clock jumps",
      "credits: rolls once for many who ask at once",
      "credits: is not rolled twice by a clock that jumps back"
    ],
    [
      "a new period resets pay-as-you-go and the count of builds",
      "credits: begins with pay-as-you-go unspent and no build counted"
    ],
    [
      "a plan works at once: a larger allowance adds its difference, a smaller one takes nothing",
      "credits: raises a plan's allowance at once and takes nothing away"
    ],
    [
      "an unlimited plan is never refused, its use recorded",
      "credits: leaves an unlimited plan unrefused, and records its use",
      "generation-admission: an unlimited plan is never asked for credits, and its use is recorded",
      "preview: is recorded in the ledger of an unlimited plan"
    ],
    ["what each plan grants and allows", "credits: is what the decisions say"],
    [
      "generation costs 1 credit a lead, a preview 5, nothing else any",
      "generation: is answered with its sequence, charged, and kept in a list of its own",
      "preview: writes to five leads under the caller's headers, and costs five credits",
      "agent: has a tighter limit of its own, and costs no credits",
      "build: a campaign is built step by step, and costs nothing"
    ]
  ]
}
