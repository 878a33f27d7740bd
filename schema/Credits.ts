// schema/Credits.ts: the credit balance of a workspace, its usage, and a check whether an amount is available.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { RequiredScope } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"
import { Timestamp } from "#schema/Fields.ts"
import { PositiveInt } from "#schema/Page.ts"

export const Tier = Schema.Literals(["free", "starter", "growth", "scale", "internal", "none"])
export type Tier = typeof Tier.Type

const count = (description: string) => Schema.Int.annotate({ description })
const flag = (description: string) => Schema.Boolean.annotate({ description })
const pct_of_cap = Schema.Finite.annotate({ description: "How much of the pay-as-you-go cap is used, 0 to 1" })

export const CreditAccount = Schema.Struct({
  balance: count("Credits there to spend, without what is held for work in hand"),
  is_unlimited: flag("Whether the plan never refuses"),
  plan: Schema.Struct({
    tier: Tier.annotate({ description: "The plan" }),
    billing_cycle: Schema.String.annotate({ description: "The length of a billing period" }),
    status: Schema.String.annotate({ description: "The status of the subscription" }),
    monthly_credits_limit: count("Credits the plan grants a period"),
    custom_credits_limit: Schema.NullOr(Schema.Int).annotate({ description: "What was agreed in place of them" })
  }),
  period: Schema.Struct({ start: Timestamp, end: Timestamp }),
  usage: Schema.Struct({
    credits_used_this_period: count("Spent since the period began"),
    total_credits_used_all_time: count("Spent since the workspace began"),
    monthly_allocated: count("What this period granted"),
    rollover: count("What is left of the last period's credits"),
    addon: count("What is left of credits that were granted on top")
  }),
  payg: Schema.Struct({
    eligible: flag("Whether the workspace may pay as it goes"),
    enabled: flag("Whether it does"),
    cap_cents: count("The most it will spend in a period"),
    spent_cents: count("What it has spent in this one"),
    credits_used: count("Credits bought that way in this period"),
    pct_of_cap
  })
}).annotate({
  title: "CreditAccount",
  description: "What a workspace may spend, and what it has spent",
  examples: [
    {
      balance: 4820,
      is_unlimited: false,
      plan: {
        tier: "growth",
        billing_cycle: "monthly",
        status: "active",
        monthly_credits_limit: 5000,
        custom_credits_limit: null
      },
      period: { start: "2026-07-01T00:00:00.000Z", end: "2026-08-01T00:00:00.000Z" },
      usage: {
        credits_used_this_period: 180,
        total_credits_used_all_time: 2140,
        monthly_allocated: 5000,
        rollover: 0,
        addon: 0
      },
      payg: { eligible: true, enabled: false, cap_cents: 0, spent_cents: 0, credits_used: 0, pct_of_cap: 0 }
    }
  ]
})
export type CreditAccount = typeof CreditAccount.Type

export const CreditCheck = Schema.Struct({
  required: count("As it was asked"),
  sufficient: flag("Whether so many could be spent now"),
  available: count("Credits there, pay-as-you-go left out"),
  payg_enabled: flag("Whether pay-as-you-go is on"),
  pct_of_cap
}).annotate({
  title: "CreditCheck",
  description: "Whether the credits suffice",
  examples: [{ required: 120, sufficient: true, available: 4820, payg_enabled: false, pct_of_cap: 0 }]
})

const Day = Schema.Struct({
  date: Schema.String.annotate({ description: "A day of the calendar, UTC", format: "date", examples: ["2026-07-14"] }),
  used: count("Credits spent on it, less what of them came back")
}).annotate({ title: "CreditDay", description: "A day and what was spent on it" })

export const CreditUsage = Schema.Struct({
  period: Schema.Struct({ start: Timestamp, end: Timestamp }),
  days: Schema.Array(Day).annotate({
    description:
      "Each day from the first of the period to today, oldest first; together they are `usage.credits_used_this_period`"
  })
}).annotate({
  title: "CreditUsage",
  description: "What was spent in this period, day by day",
  examples: [
    {
      period: { start: "2026-07-01T00:00:00.000Z", end: "2026-08-01T00:00:00.000Z" },
      days: [
        { date: "2026-07-01", used: 0 },
        { date: "2026-07-02", used: 180 }
      ]
    }
  ]
})
export type CreditUsage = typeof CreditUsage.Type

export class CreditsApi extends HttpApiGroup.make("credits")
  .add(
    HttpApiEndpoint.get("getCredits", "/", { success: CreditAccount, error: NotFound }).annotate(
      RequiredScope,
      "credits:read"
    ),
    HttpApiEndpoint.get("checkCredits", "/check", {
      query: { required: PositiveInt("Credits it would take") },
      success: CreditCheck
    }).annotate(RequiredScope, "credits:read"),
    HttpApiEndpoint.get("getCreditUsage", "/usage", { success: CreditUsage, error: NotFound }).annotate(
      RequiredScope,
      "credits:read"
    )
  )
  .prefix("/credits") {}
