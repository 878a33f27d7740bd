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
  customBuildLimit: number | null = null
  buildsUsed = 0
  monthly = 0
  rollover = 0
  addon = 0
  allocatedThisPeriod = 0
  payg = { enabled: false, capCents: 0, usedCredits: 0 }
  usedThisPeriod = 0
  usedInTotal = 0
  periodStart: string
  periodEnd: string
  private readonly billingDay: number

  constructor(tier: Tier, periodStart: string) {
    this.tier = tier
    this.periodStart = periodStart
    this.billingDay = new Date(periodStart).getUTCDate()
    this.periodEnd = this.nextPeriodStart(periodStart)
    this.monthly = this.allocatedThisPeriod = this.allowance
  }

  get isUnlimited() {
    return this.tier === "internal"
  }
  get allowance() {
    return this.customCredits ?? plans[this.tier].credits
  }
  get buildLimit() {
    return this.customBuildLimit ?? plans[this.tier].builds
  }
  get concurrentLists() {
    return plans[this.tier].lists
  }
  private get paygCreditsLeft() {
    return this.payg.enabled ? Math.max(0, Math.floor(this.payg.capCents / centsPerCredit) - this.payg.usedCredits) : 0
  }
  private get usedCapFraction() {
    return this.payg.capCents === 0 ? 0 : Math.min(1, (this.payg.usedCredits * centsPerCredit) / this.payg.capCents)
  }

  balance(reservedCredits: number) {
    return Math.max(0, this.monthly + this.rollover + this.addon - reservedCredits)
  }

  /** Credits that can still be reserved. */
  spendable(reservedCredits: number) {
    if (this.tier === "none") return 0
    if (this.isUnlimited) return Number.MAX_SAFE_INTEGER
    return Math.max(0, this.monthly + this.rollover + this.addon + this.paygCreditsLeft - reservedCredits)
  }

  /** The same day of the next month, or the month's last day if it is shorter. */
  private nextPeriodStart(currentStart: string) {
    const currentDate = new Date(currentStart)
    const nextStart = new Date(currentDate)
    nextStart.setUTCDate(1)
    nextStart.setUTCMonth(nextStart.getUTCMonth() + 1)
    const daysInMonth = new Date(Date.UTC(nextStart.getUTCFullYear(), nextStart.getUTCMonth() + 1, 0)).getUTCDate()
    nextStart.setUTCDate(Math.min(this.billingDay, daysInMonth))
    return nextStart.toISOString()
  }

  startDuePeriods(now: string) {
    while (this.periodEnd <= now) {
      this.rollover = Math.min(this.monthly, this.allowance)
      this.monthly = this.allocatedThisPeriod = this.allowance
      this.payg.usedCredits = this.usedThisPeriod = this.buildsUsed = 0
      this.periodStart = this.periodEnd
      this.periodEnd = this.nextPeriodStart(this.periodStart)
    }
  }

  /** Spends credits and returns the bucket that each came from, in order. */
  spend(amount: number): Array<Bucket> {
    const buckets = Array.from({ length: amount }, (): Bucket => {
      if (this.isUnlimited) return "free"
      for (const bucket of ["monthly", "rollover", "addon"] as const) {
        if (this[bucket] === 0) continue
        this[bucket]--
        return bucket
      }
      // Leads whose credits were reserved are written even if the plan is reduced later. Credits beyond the new plan are free.
      if (this.paygCreditsLeft === 0) return "free"
      this.payg.usedCredits++
      return "payg"
    })
    this.usedThisPeriod += amount
    this.usedInTotal += amount
    return buckets
  }

  refund(buckets: ReadonlyArray<Bucket>) {
    for (const bucket of buckets) {
      if (bucket === "payg") this.payg.usedCredits--
      else if (bucket !== "free") this[bucket]++
    }
    this.usedThisPeriod -= buckets.length
    this.usedInTotal -= buckets.length
  }

  changePlan(changePlan: Change) {
    this.tier = changePlan.tier ?? this.tier
    this.customCredits = changePlan.monthly_credits ?? this.customCredits
    this.customBuildLimit = changePlan.campaign_build_limit ?? this.customBuildLimit
    this.payg.enabled = changePlan.payg_enabled ?? this.payg.enabled
    this.payg.capCents = Math.max(
      changePlan.payg_cap_cents ?? this.payg.capCents,
      this.payg.usedCredits * centsPerCredit
    )
    const increase = Math.max(0, this.allowance - this.allocatedThisPeriod)
    this.monthly += increase
    this.allocatedThisPeriod += increase
  }

  shortfall(required: number, reservedCredits: number) {
    return {
      required,
      available: this.balance(reservedCredits),
      payg_enabled: this.payg.enabled,
      pct_of_cap: this.usedCapFraction
    }
  }

  /** The expected body of GET /credits. */
  toResponse(reservedCredits: number) {
    return {
      balance: this.balance(reservedCredits),
      is_unlimited: this.isUnlimited,
      plan: {
        tier: this.tier,
        billing_cycle: "monthly",
        status: "active",
        monthly_credits_limit: plans[this.tier].credits,
        custom_credits_limit: this.customCredits
      },
      period: { start: this.periodStart, end: this.periodEnd },
      usage: {
        credits_used_this_period: this.usedThisPeriod,
        total_credits_used_all_time: this.usedInTotal,
        monthly_allocated: this.allocatedThisPeriod,
        rollover: this.rollover,
        addon: this.addon
      },
      payg: {
        eligible: true,
        enabled: this.payg.enabled,
        cap_cents: this.payg.capCents,
        spent_cents: this.payg.usedCredits * centsPerCredit,
        credits_used: this.payg.usedCredits,
        pct_of_cap: this.usedCapFraction
      }
    }
  }
}
