// console/parts/Format.ts: numbers, times and states as the page says them.
import type { CreditAccount } from "#schema/Credits.ts"

const wholeNumber = new Intl.NumberFormat("en-GB")
export const formatNumber = (n: number) => wholeNumber.format(n)

export const countOf = (n: number, one: string, many = `${one}s`) => `${formatNumber(n)} ${n === 1 ? one : many}`

/** A sentence with a point at its end, also when it ends in one already, as a company's name may. */
export const endedText = (text: string) => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

/** What a person put down with commas between. */
export const joinList = (text: string) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")

/** The same the other way round; the API takes either for some fields. */
export const joined = (value: string | ReadonlyArray<string>) => (typeof value === "string" ? value : value.join(", "))

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" })
const dayOfYearFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" })
const calendarDayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" })
const timeFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit"
})

/** A calendar day, independent of the reader's time zone. */
export const formatCalendarDay = (iso: string) => calendarDayFormat.format(new Date(iso))

export const formatDay = (iso: string) => {
  const date = new Date(iso)
  return (date.getFullYear() === new Date().getFullYear() ? dayFormat : dayOfYearFormat).format(date)
}

export const formatMoment = (iso: string) => timeFormat.format(new Date(iso))

export type Tone = "calm" | "busy" | "good" | "bad"

export const campaignState = {
  draft: ["Being set up", "calm"],
  building: ["Building", "busy"],
  ready: ["Ready to write", "good"],
  failed: ["Build failed", "bad"]
} as const satisfies Record<string, readonly [string, Tone]>

export const listState = {
  pending: ["Paused", "calm"],
  processing: ["Starting", "busy"],
  in_progress: ["Writing", "busy"],
  completed: ["Done", "good"],
  failed: ["Failed", "bad"]
} as const satisfies Record<string, readonly [string, Tone]>

export const reviewState = {
  open: ["Open", "calm"],
  approved: ["Approved", "good"],
  rejected: ["Rejected", "bad"]
} as const satisfies Record<string, readonly [string, Tone]>

export const documentState = {
  ready: ["Ready", "good"],
  processing: ["Being written", "busy"],
  unavailable: ["Not there yet", "calm"]
} as const satisfies Record<string, readonly [string, Tone]>

/** `of 5,000`, and what follows where the plan grants another number from the next period on. */
export const formatAllowance = ({ period, plan, usage }: CreditAccount) => {
  const next = plan.custom_credits_limit ?? plan.monthly_credits_limit
  const granted = `of ${formatNumber(usage.monthly_allocated)}`
  return next === usage.monthly_allocated
    ? `${granted} a month`
    : `${granted}; ${formatNumber(next)} from ${formatDay(period.end)}`
}

/** A web address as people type it, with the scheme that it needs: "osei.example" is https://osei.example. */
export const webAddress = (text: string) => {
  const address = text.trim()
  return address === "" || /^\w+:\/\//.test(address) || !address.includes(".") ? address : `https://${address}`
}
