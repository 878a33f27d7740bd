// console/parts/Format.ts: formats numbers, dates, states and lists for display.
import type { CreditAccount } from "#schema/Credits.ts"

const wholeNumber = new Intl.NumberFormat("en-GB")
export const formatNumber = (n: number) => wholeNumber.format(n)

export const formatCount = (n: number, one: string, many = `${one}s`) => `${formatNumber(n)} ${n === 1 ? one : many}`

/** Adds a period, unless the text already ends with punctuation, as a company's name may. */
export const withFinalPeriod = (text: string) => (/[.!?…]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`)

/** Splits a text at commas. */
export const splitCommaList = (text: string) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")

/** Joins a list with commas. The API accepts a text or a list for some fields. */
export const joinCommaList = (value: string | ReadonlyArray<string>) =>
  typeof value === "string" ? value : value.join(", ")

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" })
const dayOfYearFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" })
const calendarDayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" })
const timeFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit"
})

const dateFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" })

/** A day with its year, in the reader's time zone: "28 Nov 2026". */
export const formatDate = (date: Date) => dateFormat.format(date)

/** A calendar day, independent of the reader's time zone. */
export const formatCalendarDay = (iso: string) => calendarDayFormat.format(new Date(iso))

export const formatDay = (iso: string) => {
  const date = new Date(iso)
  return (date.getFullYear() === new Date().getFullYear() ? dayFormat : dayOfYearFormat).format(date)
}

export const formatMoment = (iso: string) => timeFormat.format(new Date(iso))

export type Tone = "calm" | "busy" | "good" | "bad"

/** A label, its tone and what the label means in detail. */
export type LabelledState = readonly [label: string, tone: Tone, title?: string]

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

/** The credits of the current period, such as `of 5,000 a month`, with the next period's number if it differs. */
export const formatAllowance = ({ period, plan, usage }: CreditAccount) => {
  const next = plan.custom_credits_limit ?? plan.monthly_credits_limit
  const granted = `of ${formatNumber(usage.monthly_allocated)}`
  return next === usage.monthly_allocated
    ? `${granted} a month`
    : `${granted}; ${formatNumber(next)} from ${formatDay(period.end)}`
}

/** Adds the scheme to a web address: "osei.example" becomes https://osei.example. */
export const webAddress = (text: string) => {
  const address = text.trim()
  return address === "" || /^\w+:\/\//.test(address) || !address.includes(".") ? address : `https://${address}`
}

interface LastExport {
  readonly exported_at?: string
  readonly maybe_exported_at?: string
}

/** When an exported file last had a lead; undefined if none had it. */
export const formatLastExport = ({ exported_at, maybe_exported_at }: LastExport) => {
  if (exported_at !== undefined) return `In the file of ${formatMoment(exported_at)}`
  return maybe_exported_at === undefined ? undefined : `Perhaps in the file of ${formatMoment(maybe_exported_at)}`
}
