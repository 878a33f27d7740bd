// console/LeadOrder.ts: the leads of a list in the order of a filter, loaded a page at a time, for the list and for the review
// that walks through it.
import { useEffect, useState } from "preact/hooks"
import { Option, Schema, Struct } from "effect"
import type { Finding } from "#schema/Findings.ts"
import { type ListLead, ListLeadQuery } from "#schema/ListLeads.ts"
import { countSeverity } from "#console/FindingGroups.ts"
import { routeTo } from "#console/Route.ts"
import { onSignOut, type Session } from "#console/Session.tsx"

const Filter = Schema.Struct(Struct.omit(ListLeadQuery, ["limit", "offset"]))
export type Filter = typeof Filter.Type

/** What the list shows of a lead. Ten thousand of them with their emails would be too much to hold. */
export interface Row extends Pick<
  ListLead,
  | "id"
  | "position"
  | "name"
  | "title"
  | "company"
  | "email"
  | "status"
  | "error"
  | "skipped"
  | "suppressed"
  | "maybe"
  | "review"
  | "edited"
> {
  readonly subject: string | undefined
  readonly worst: WorstFindingCount | undefined
}

/** The most serious kind of finding, and how many there are of it; null for none. */
export type WorstFindingCount = { readonly severity: Finding["severity"]; readonly count: number } | null

export const worstFinding = (
  emails: ReadonlyArray<{ readonly findings: ReadonlyArray<Finding> }>
): WorstFindingCount => {
  const found = emails.flatMap(({ findings }) => findings.map(({ severity }) => severity))
  const severity = (["fail", "warn", "hint"] as const).find((each) => found.includes(each))
  if (severity === undefined) return null
  return { severity, count: emails.reduce((sum, { findings }) => sum + countSeverity(findings, severity), 0) }
}

const toRow = ({ emails, ...lead }: ListLead): Row => ({
  ...Struct.pick(lead, [
    "id",
    "position",
    "name",
    "title",
    "company",
    "email",
    "status",
    "error",
    "skipped",
    "suppressed",
    "maybe",
    "review",
    "edited"
  ]),
  subject: emails[0]?.subject,
  worst: emails.length === 0 ? undefined : worstFinding(emails)
})

const filterText = (filter: Filter) =>
  new URLSearchParams(Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1))).toString()

const orderKey = (list: string, filter: Filter) => `${list} ${filterText(filter)}`

export const pageSize = 100

const makeLeadOrder = (list: string, filter: Filter) => {
  const rows = new Map<number, Row>()
  const places = new Map<string, number>()
  const pages = new Map<number, Promise<void>>()
  /** Places of leads that were decided here and no longer match the filter. The server no longer counts them. */
  const left = new Set<number>()
  const watchers = new Set<() => void>()
  let total: number | undefined
  let turn = 0
  const changed = () => watchers.forEach((watcher) => watcher())

  const fetchPage = async ({ ask }: Session, page: number) => {
    const mine = turn
    const from = page * pageSize
    const offset = from - [...left].filter((place) => place < from).length
    const answer = await ask((api) =>
      api.lists.listLeads({ params: { id: list }, query: { ...filter, limit: pageSize, offset } })
    )
    if (mine !== turn) return
    total = answer.total + left.size
    answer.data.forEach((lead, i) => {
      rows.set(from + i, toRow(lead))
      places.set(lead.id, from + i)
    })
    changed()
  }
  const load = (session: Session, page: number): Promise<void> => {
    const known = pages.get(page)
    if (known !== undefined) return known
    const loading = fetchPage(session, page).catch((error: unknown) => {
      pages.delete(page)
      throw error
    })
    pages.set(page, loading)
    return loading
  }
  const at = async (session: Session, place: number): Promise<Row | undefined> => {
    if (place < 0 || (total !== undefined && place >= total)) return undefined
    // Known already, unless it is stale.
    await load(session, Math.floor(place / pageSize))
    return rows.get(place)
  }
  /** The place of a lead, unless another has it by now. */
  const placeOf = (id: string | undefined) => {
    const place = id === undefined ? undefined : places.get(id)
    return place !== undefined && rows.get(place)?.id === id ? place : undefined
  }
  return {
    key: orderKey(list, filter),
    list,
    filter,
    rows,
    placeOf,
    total: () => total,
    /** Counts how often it was begun again. */
    turn: () => turn,
    load,
    at,
    /** Takes over what a decision or an edit has changed. */
    note: (id: string, change: Partial<Row>) => {
      const place = placeOf(id)
      const row = place === undefined ? undefined : rows.get(place)
      if (place === undefined || row === undefined) return
      const next = { ...row, ...change }
      rows.set(place, next)
      if (filter.review !== undefined) {
        if (next.review.status === filter.review) left.delete(place)
        else left.add(place)
      }
      changed()
    },
    /** Loads everything again when it is next shown; until then it stays as it was. */
    renew: () => {
      turn++
      pages.clear()
      left.clear()
      changed()
    },
    watch: (watcher: () => void) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    }
  }
}
export type LeadOrder = ReturnType<typeof makeLeadOrder>

/** The first open lead after a place that may be approved, or else the first one at all. */
export const nextOpenLead = async (session: Session, order: LeadOrder, after: number) => {
  for (const [from, until] of [
    [after + 1, Infinity],
    [0, after]
  ] as const) {
    for (let place = from; place < until; place++) {
      const row = await order.at(session, place)
      if (row === undefined) break
      if (row.status === "completed" && row.review.status === "open" && row.suppressed === null) return { row, place }
    }
  }
  return undefined
}

/** The orders that were used last, by list and filter: the page of a lead finds the one that it was opened from. */
const cachedOrders = new Map<string, LeadOrder>()
const most = 4
onSignOut(() => cachedOrders.clear())

/** What was last shown of a list, so that the way back leads there. */
const lastFilters = new Map<string, Filter>()
const lastOpenedLeads = new Map<string, string>()
onSignOut(() => {
  lastFilters.clear()
  lastOpenedLeads.clear()
})

export const lastFilter = (list: string): Filter => lastFilters.get(list) ?? {}
export const setLastFilter = (list: string, filter: Filter) => void lastFilters.set(list, filter)
export const lastOpenedLead = (list: string) => lastOpenedLeads.get(list)
export const noteOpenedLead = (list: string, lead: string) => void lastOpenedLeads.set(list, lead)

export const reloadOrder = (list: string, filter: Filter): LeadOrder => {
  const order = makeLeadOrder(list, filter)
  cachedOrders.delete(order.key)
  cachedOrders.set(order.key, order)
  for (const oldest of [...cachedOrders.keys()].slice(0, -most)) cachedOrders.delete(oldest)
  return order
}

export const cachedOrder = (list: string, filter: Filter): LeadOrder =>
  cachedOrders.get(orderKey(list, filter)) ?? reloadOrder(list, filter)

/** Tells every order of a list what has changed about a lead. */
export const updateLead = (list: string, id: string, change: Partial<Row>) => {
  for (const order of cachedOrders.values()) if (order.list === list) order.note(id, change)
}

/** Renders again when the order changes. */
export const useLeadOrder = (order: LeadOrder) => {
  const [, setTurn] = useState(0)
  useEffect(() => order.watch(() => setTurn((turn) => turn + 1)), [order])
}

/** A lead's address; the filter and its place are in it, unless the order is that of the list. */
export const leadAddress = (list: string, position: number, filter: Filter, place: number) =>
  Object.keys(filter).length === 0
    ? routeTo("lists", list, position)
    : routeTo("lists", list, position, `${filterText(filter)}&at=${place}`)

const decodeFilter = Schema.decodeUnknownOption(Filter)

/** The filter and the place in an address. */
export const parseOrder = (text = ""): { readonly filter: Filter; readonly place: number } => {
  const { at, ...fields } = Object.fromEntries(new URLSearchParams(text))
  const place = Number(at)
  return {
    filter: Option.getOrElse(decodeFilter(fields), () => ({})),
    place: Number.isSafeInteger(place) && place >= 0 ? place : 0
  }
}

/** The id of the lead at an address, where its order has it already, and how many leads there are. */
export const cachedLeadAt = (list: string, position: number, address: string | undefined) => {
  const { filter, place } = parseOrder(address)
  const order = cachedOrders.get(orderKey(list, filter))
  const row = order?.rows.get(address === undefined ? position - 1 : place)
  const total = order?.total()
  return row?.position === position && total !== undefined ? { id: row.id, total } : undefined
}
