// test/machine/CreditAccount.ts: a model of a credit account that keeps totals instead of a ledger.
import type { Change, Tier } from "./Commands.ts"

const plans: { readonly [T in Tier]: { readonly credits: number; readonly builds: number; readonly lists: number } } = {
  free: { credits: 50, builds: 3, lists: 1 },
  starter: { credits: 1000, builds: 10, lists: 2 },
  internal: { credits: 0, builds: Number.MAX_SAFE_INTEGER, lists: 50 },
  none: { credits: 0, builds: 0, lists: 0 }
}

const centsPerCredit = 10

type Bucket = "monthly" | "rollover" | "addon" | "payg" | "free"

export class CreditAccount {
  tier: Tier
  customCredits: number | null = null
  customBuilds: number | null = null
  builds = 0
  monthly = 0
  rollover = 0
  addon = 0
  allocated = 0
  payg = { enabled: false, cap: 0, used: 0 }
  usedPeriod = 0
  usedTotal = 0
  start: string
  end: string
  private readonly anchor: number

  constructor(tier: Tier, start: string) {
    this.tier = tier
    this.start = start
    this.anchor = new Date(start).getUTCDate()
    this.end = this.nextPeriodStart(start)
    this.monthly = this.allocated = this.allowance
  }

  get unlimited() {
    return this.tier === "internal"
  }
  get allowance() {
    return this.customCredits ?? plans[this.tier].credits
  }
  get buildLimit() {
    return this.customBuilds ?? plans[this.tier].builds
  }
  get concurrentLists() {
    return plans[this.tier].lists
  }
  private get paygLeft() {
    return this.payg.enabled ? Math.max(0, Math.floor(this.payg.cap / centsPerCredit) - this.payg.used) : 0
  }
  private get capFraction() {
    return this.payg.cap === 0 ? 0 : Math.min(1, (this.payg.used * centsPerCredit) / this.payg.cap)
  }

  balance(held: number) {
    return Math.max(0, this.monthly + this.rollover + this.addon - held)
  }

  /** Credits that can still be reserved. */
  spendable(held: number) {
    if (this.tier === "none") return 0
    if (this.unlimited) return Number.MAX_SAFE_INTEGER
    return Math.max(0, this.monthly + this.rollover + this.addon + this.paygLeft - held)
  }

  /** The same day of the next month, or the month's last day if it is shorter. */
  private nextPeriodStart(start: string) {
    const periodStart = new Date(start)
    const next = new Date(periodStart)
    next.setUTCDate(1)
    next.setUTCMonth(next.getUTCMonth() + 1)
    const days = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
    next.setUTCDate(Math.min(this.anchor, days))
    return next.toISOString()
  }

  startDuePeriods(now: string) {
    while (this.end <= now) {
      this.rollover = Math.min(this.monthly, this.allowance)
      this.monthly = this.allocated = this.allowance
      this.payg.used = this.usedPeriod = this.builds = 0
      this.start = this.end
      this.end = this.nextPeriodStart(this.start)
    }
  }

  /** Spends credits and returns the bucket that each came from, in order. */
  spend(amount: number): Array<Bucket> {
    const buckets = Array.from({ length: amount }, (): Bucket => {
      if (this.unlimited) return "free"
      for (const bucket of ["monthly", "rollover", "addon"] as const) {
        if (this[bucket] === 0) continue
        this[bucket]--
        return bucket
      }
      // Reserved work is done even if the plan has shrunk since; what the plan no longer covers is free.
      if (this.paygLeft === 0) return "free"
      this.payg.used++
      return "payg"
    })
    this.usedPeriod += amount
    this.usedTotal += amount
    return buckets
  }

  refund(buckets: ReadonlyArray<Bucket>) {
    for (const bucket of buckets) {
      if (bucket === "payg") this.payg.used--
      else if (bucket !== "free") this[bucket]++
    }
    this.usedPeriod -= buckets.length
    this.usedTotal -= buckets.length
  }

  change(change: Change) {
    this.tier = change.tier ?? this.tier
    this.customCredits = change.monthly_credits ?? this.customCredits
    this.customBuilds = change.campaign_build_limit ?? this.customBuilds
    this.payg.enabled = change.payg_enabled ?? this.payg.enabled
    this.payg.cap = Math.max(change.payg_cap_cents ?? this.payg.cap, this.payg.used * centsPerCredit)
    const increase = Math.max(0, this.allowance - this.allocated)
    this.monthly += increase
    this.allocated += increase
  }

  shortfall(required: number, held: number) {
    return {
      required,
      available: this.balance(held),
      payg_enabled: this.payg.enabled,
      pct_of_cap: this.capFraction
    }
  }

  /** The expected body of GET /credits. */
  toResponse(held: number) {
    return {
      balance: this.balance(held),
      is_unlimited: this.unlimited,
      plan: {
        tier: this.tier,
        billing_cycle: "monthly",
        status: "active",
        monthly_credits_limit: plans[this.tier].credits,
        custom_credits_limit: this.customCredits
      },
      period: { start: this.start, end: this.end },
      usage: {
        credits_used_this_period: this.usedPeriod,
        total_credits_used_all_time: this.usedTotal,
        monthly_allocated: this.allocated,
        rollover: this.rollover,
        addon: this.addon
      },
      payg: {
        eligible: true,
        enabled: this.payg.enabled,
        cap_cents: this.payg.cap,
        spent_cents: this.payg.used * centsPerCredit,
        credits_used: this.payg.used,
        pct_of_cap: this.capFraction
      }
    }
  }
}
