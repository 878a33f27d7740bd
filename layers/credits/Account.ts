// layers/credits/Account.ts: the plans, the stored credit account of a workspace on one of them, and calculations on it.
import { Effect, Schema } from "effect"
import { type CreditAccount, Tier } from "#schema/Credits.ts"
import { InsufficientCredits, type Shortfall } from "#schema/Errors.ts"

export interface Plan {
  readonly monthly_credits: number
  readonly is_unlimited: boolean
  /** Campaigns created or branched per period. */
  readonly campaign_builds: number
  /** Lists in progress at the same time. */
  readonly concurrent_lists: number
  readonly requests_per_minute: number
  /** Stored documents, in bytes. */
  readonly storage_bytes: number
  /** Documents imported over the life of the workspace. */
  readonly lifetime_uploads: number
}

const unlimited = Number.MAX_SAFE_INTEGER
const MB = 1_000_000

export const plans: Readonly<Record<Tier, Plan>> = {
  free: {
    monthly_credits: 50,
    is_unlimited: false,
    campaign_builds: 3,
    concurrent_lists: 1,
    requests_per_minute: 60,
    storage_bytes: 50 * MB,
    lifetime_uploads: 20
  },
  starter: {
    monthly_credits: 1000,
    is_unlimited: false,
    campaign_builds: 10,
    concurrent_lists: 2,
    requests_per_minute: 120,
    storage_bytes: 250 * MB,
    lifetime_uploads: 100
  },
  growth: {
    monthly_credits: 5000,
    is_unlimited: false,
    campaign_builds: 50,
    concurrent_lists: 5,
    requests_per_minute: 300,
    storage_bytes: 1000 * MB,
    lifetime_uploads: 500
  },
  scale: {
    monthly_credits: 25_000,
    is_unlimited: false,
    campaign_builds: 250,
    concurrent_lists: 20,
    requests_per_minute: 600,
    storage_bytes: 10_000 * MB,
    lifetime_uploads: 5000
  },
  internal: {
    monthly_credits: 0,
    is_unlimited: true,
    campaign_builds: unlimited,
    concurrent_lists: 50,
    requests_per_minute: 600,
    storage_bytes: unlimited,
    lifetime_uploads: unlimited
  },
  none: {
    monthly_credits: 0,
    is_unlimited: false,
    campaign_builds: 0,
    concurrent_lists: 0,
    requests_per_minute: 60,
    storage_bytes: 50 * MB,
    lifetime_uploads: 20
  }
}

/** Price of one pay-as-you-go credit, in cents. */
export const centsPerCredit = 10

/**
 * The end of the period that starts at `start`: the anchor day of the next month, or the last day of a shorter month.
 * Both are ISO 8601.
 */
export const periodEnd = (start: string, anchorDay: number): string => {
  const startDate = new Date(start)
  const lastDay = new Date(Date.UTC(startDate.getUTCFullYear(), startDate.getUTCMonth() + 2, 0)).getUTCDate()
  return new Date(
    Date.UTC(
      startDate.getUTCFullYear(),
      startDate.getUTCMonth() + 1,
      Math.min(anchorDay, lastDay),
      startDate.getUTCHours(),
      startDate.getUTCMinutes(),
      startDate.getUTCSeconds(),
      startDate.getUTCMilliseconds()
    )
  ).toISOString()
}

export const Account = Schema.Struct({
  workspace_id: Schema.String,
  tier: Tier,
  is_unlimited: Schema.BooleanFromBit,
  custom_credits_limit: Schema.NullOr(Schema.Int),
  campaign_build_limit: Schema.NullOr(Schema.Int),
  payg_eligible: Schema.BooleanFromBit,
  payg_enabled: Schema.BooleanFromBit,
  payg_cap_cents: Schema.Int,
  anchor_day: Schema.Int,
  period_start: Schema.String,
  period_end: Schema.String,
  monthly_allocated: Schema.Int,
  monthly: Schema.Int,
  rollover: Schema.Int,
  addon: Schema.Int,
  held: Schema.Int,
  payg_used: Schema.Int,
  used_period: Schema.Int,
  used_total: Schema.Int,
  builds_used: Schema.Int
})
export type Account = typeof Account.Type

export const encodeAccount = Schema.encodeSync(Account)

export const planOf = (account: Account): Plan => plans[account.tier]

/** Credits that a period grants. */
export const allowance = (account: Account) => account.custom_credits_limit ?? planOf(account).monthly_credits

export const buildLimit = (account: Account) => account.campaign_build_limit ?? planOf(account).campaign_builds

/** Credits in the account that are not held. */
export const unheldCredits = ({ addon, held, monthly, rollover }: Account) =>
  Math.max(0, monthly + rollover + addon - held)

const paygCredits = ({ payg_cap_cents, payg_eligible, payg_enabled, payg_used }: Account) =>
  payg_eligible && payg_enabled ? Math.max(0, Math.floor(payg_cap_cents / centsPerCredit) - payg_used) : 0

/** Credits that can still be held, including pay-as-you-go. */
export const availableCredits = (account: Account) => {
  // Without a subscription nothing can be spent, even if an earlier plan left credits.
  if (account.tier === "none") return 0
  if (account.is_unlimited) return Number.MAX_SAFE_INTEGER
  return Math.max(0, account.monthly + account.rollover + account.addon + paygCredits(account) - account.held)
}

const pctOfCap = ({ payg_cap_cents, payg_used }: Account) =>
  payg_cap_cents === 0 ? 0 : Math.min(1, (payg_used * centsPerCredit) / payg_cap_cents)

export const shortfall = (account: Account, required: number): typeof Shortfall.Type => ({
  required,
  available: unheldCredits(account),
  payg_enabled: account.payg_enabled,
  pct_of_cap: pctOfCap(account)
})

/** Fails unless the account covers `required` credits. */
export const requireCovered = (account: Account, required: number) =>
  availableCredits(account) >= required
    ? Effect.void
    : new InsufficientCredits({
        message: `This takes ${required} credits; ${unheldCredits(account)} are available`,
        detail: shortfall(account, required)
      })

/** A new account, in its first period. */
export const openAccount = (workspace_id: string, tier: Tier, start: string): Account => {
  const { is_unlimited, monthly_credits } = plans[tier]
  const anchor_day = new Date(start).getUTCDate()
  return {
    workspace_id,
    tier,
    is_unlimited,
    custom_credits_limit: null,
    campaign_build_limit: null,
    payg_eligible: false,
    payg_enabled: false,
    payg_cap_cents: 0,
    anchor_day,
    period_start: start,
    period_end: periodEnd(start, anchor_day),
    monthly_allocated: monthly_credits,
    monthly: monthly_credits,
    rollover: 0,
    addon: 0,
    held: 0,
    payg_used: 0,
    used_period: 0,
    used_total: 0,
    builds_used: 0
  }
}

/** The account in the period that starts at `start`. */
export const renewPeriod = (account: Account, start: string): Account => {
  const grantedCredits = allowance(account)
  return {
    ...account,
    period_start: start,
    period_end: periodEnd(start, account.anchor_day),
    rollover: Math.min(account.monthly, grantedCredits),
    monthly: grantedCredits,
    monthly_allocated: grantedCredits,
    payg_used: 0,
    used_period: 0,
    builds_used: 0
  }
}

/** A change of plan by an operator. Omitted fields keep their value. */
export interface PlanChange {
  readonly tier?: Tier | undefined
  readonly monthly_credits?: number | undefined
  readonly unlimited?: boolean | undefined
  readonly campaign_build_limit?: number | undefined
  readonly payg_eligible?: boolean | undefined
  readonly payg_enabled?: boolean | undefined
  readonly payg_cap_cents?: number | undefined
}

/** The account on another plan. Credits that the new plan adds are available at once. */
export const changePlan = (account: Account, change: PlanChange): Account => {
  const tier = change.tier ?? account.tier
  const changed: Account = {
    ...account,
    tier,
    is_unlimited: change.unlimited ?? (change.tier === undefined ? account.is_unlimited : plans[tier].is_unlimited),
    custom_credits_limit: change.monthly_credits ?? account.custom_credits_limit,
    campaign_build_limit: change.campaign_build_limit ?? account.campaign_build_limit,
    payg_eligible: change.payg_eligible ?? account.payg_eligible,
    payg_enabled: change.payg_enabled ?? account.payg_enabled,
    // A cap below the amount already spent would show the account as over its cap.
    payg_cap_cents: Math.max(change.payg_cap_cents ?? account.payg_cap_cents, account.payg_used * centsPerCredit)
  }
  const addedCredits = Math.max(0, allowance(changed) - account.monthly_allocated)
  return {
    ...changed,
    monthly: account.monthly + addedCredits,
    monthly_allocated: account.monthly_allocated + addedCredits
  }
}

/** The buckets in the order in which they are spent; `payg`, `unlimited` and `unbilled` have entries but no balance. */
export const buckets = ["monthly", "rollover", "addon", "payg", "unlimited", "unbilled"] as const
export type Bucket = (typeof buckets)[number]

/** A sum of 0 for each bucket. */
export const zeroBuckets = (): Record<Bucket, number> => ({
  monthly: 0,
  rollover: 0,
  addon: 0,
  payg: 0,
  unlimited: 0,
  unbilled: 0
})

/**
 * The buckets that `amount` credits are taken from. `unbilled` is the part not covered because the plan shrank while
 * the work ran: the work is done, so this part is recorded but not charged.
 */
export const splitAmount = (account: Account, amount: number): ReadonlyArray<readonly [Bucket, number]> => {
  if (account.is_unlimited) return [["unlimited", amount]]
  let remaining = amount
  const take = (bucket: Bucket, available: number): readonly [Bucket, number] => {
    const takenAmount = Math.min(remaining, available)
    remaining -= takenAmount
    return [bucket, takenAmount]
  }
  return [
    take("monthly", account.monthly),
    take("rollover", account.rollover),
    take("addon", account.addon),
    take("payg", paygCredits(account)),
    take("unbilled", Number.MAX_SAFE_INTEGER)
  ].filter(([, taken]) => taken > 0)
}

/** The account after these amounts were spent. */
export const afterSpending = (account: Account, parts: ReadonlyArray<readonly [Bucket, number]>): Account => {
  const spent = zeroBuckets()
  for (const [bucket, amount] of parts) spent[bucket] += amount
  return {
    ...account,
    monthly: account.monthly - spent.monthly,
    rollover: account.rollover - spent.rollover,
    addon: account.addon - spent.addon,
    payg_used: account.payg_used + spent.payg
  }
}

/** Credits in the account, including held credits. */
const remainingCredits = ({ addon, monthly, rollover }: Account) => monthly + rollover + addon

/** Percentages of the period's credits; the workspace is notified when its credits fall to one of them. */
const lowPercents = [0, 10, 20] as const

/** The lowest threshold of `lowPercents` that the credits crossed between `previous` and `current`; undefined if none. */
export const crossedThreshold = (previous: Account, current: Account) => {
  if (previous.is_unlimited) return undefined
  const percent = lowPercents.find((percent) => {
    const threshold = Math.floor((previous.monthly_allocated * percent) / 100)
    return remainingCredits(previous) > threshold && remainingCredits(current) <= threshold
  })
  return percent === undefined
    ? undefined
    : { percent, remaining: remainingCredits(current), monthly_allocated: current.monthly_allocated }
}

/** The account as the API shows it. */
export const toCreditAccount = (account: Account): CreditAccount => ({
  balance: unheldCredits(account),
  is_unlimited: account.is_unlimited,
  plan: {
    tier: account.tier,
    billing_cycle: "monthly",
    status: "active",
    monthly_credits_limit: planOf(account).monthly_credits,
    custom_credits_limit: account.custom_credits_limit
  },
  period: { start: account.period_start, end: account.period_end },
  usage: {
    credits_used_this_period: account.used_period,
    total_credits_used_all_time: account.used_total,
    monthly_allocated: account.monthly_allocated,
    rollover: account.rollover,
    addon: account.addon
  },
  payg: {
    eligible: account.payg_eligible,
    enabled: account.payg_enabled,
    cap_cents: account.payg_cap_cents,
    spent_cents: account.payg_used * centsPerCredit,
    credits_used: account.payg_used,
    pct_of_cap: pctOfCap(account)
  }
})
