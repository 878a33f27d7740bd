// layers/credits/Plans.ts: the limits of each plan, and the end of a billing period.
import type { Tier } from "#schema/Credits.ts"

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
