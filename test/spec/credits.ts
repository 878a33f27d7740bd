// test/spec/credits.ts: the credit account and the credit check.
import type { Chapter } from "./Fact.ts"

export const credits: Chapter = {
  title: "Credits",
  facts: [
    ["GET /credits is 200 with the whole account", "credits: the account shows every field, and nothing of a payment"],
    [
      "GET /credits is 404 without a subscription",
      "credits: without a subscription there is no account, and nothing would be enough"
    ],
    [
      "GET /credits/check is 200 on valid input, enough or not",
      "credits: a check echoes what was asked and never refuses what is valid"
    ]
  ]
}
