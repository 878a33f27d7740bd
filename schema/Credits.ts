// schema/Credits.ts: what a workspace may spend, what it has spent, and whether it could spend more.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { RequiredScope } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"
import { Timestamp } from "#schema/Fields.ts"
import { PositiveInt } from "#schema/Page.ts"

export const Tier = Schema.Literals(["free", "starter", "growth", "scale", "internal", "none"])
export type Tier = typeof Tier.Type

export const CreditAccount = Schema.Struct({
  /** Credits there to spend: what is held for work in hand is left out. */
  balance: Schema.Int,
  is_unlimited: Schema.Boolean,
  plan: Schema.Struct({
    tier: Tier,
    billing_cycle: Schema.String,
    status: Schema.String,
    monthly_credits_limit: Schema.Int,
    custom_credits_limit: Schema.NullOr(Schema.Int)
  }),
  period: Schema.Struct({ start: Timestamp, end: Timestamp }),
  usage: Schema.Struct({
    credits_used_this_period: Schema.Int,
    total_credits_used_all_time: Schema.Int,
    monthly_allocated: Schema.Int,
    rollover: Schema.Int,
    addon: Schema.Int
  }),
  payg: Schema.Struct({
    eligible: Schema.Boolean,
    enabled: Schema.Boolean,
    cap_cents: Schema.Int,
    spent_cents: Schema.Int,
    credits_used: Schema.Int,
    /** 0 to 1. */
    pct_of_cap: Schema.Finite
  })
})
export type CreditAccount = typeof CreditAccount.Type

export const CreditCheck = Schema.Struct({
  required: Schema.Int,
  sufficient: Schema.Boolean,
  available: Schema.Int,
  payg_enabled: Schema.Boolean,
  pct_of_cap: Schema.Finite
})

export class CreditsApi extends HttpApiGroup.make("credits")
  .add(
    HttpApiEndpoint.get("getCredits", "/", { success: CreditAccount, error: NotFound }).annotate(
      RequiredScope,
      "credits:read"
    ),
    HttpApiEndpoint.get("checkCredits", "/check", { query: { required: PositiveInt }, success: CreditCheck }).annotate(
      RequiredScope,
      "credits:read"
    )
  )
  .prefix("/credits") {}
