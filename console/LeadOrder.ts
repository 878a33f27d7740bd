// console/LeadOrder.ts: the leads of a list in the order of a filter, loaded a page at a time, for the list and for the review
// that walks through it.
import { useEffect, useState } from "preact/hooks"
import { Option, Schema, Struct } from "effect"
import type { Finding } from "#schema/Findings.ts"
import { type ListLead, ListLeadQuery } from "#schema/ListLeads.ts"
import type { EmailAtVersion } from "#schema/Review.ts"
import { countSeverity } from "#console/FindingGroups.ts"
import { routeTo } from "#console/Route.ts"
import { onSignOut, type Session } from "#console/Session.tsx"

const Filter = Schema.Struct(Struct.omit(ListLeadQuery, ["limit", "offset"]))
export type Filter = typeof Filter.Type

/** The fields of a lead that the table shows. Without emails, because a list may have ten thousand leads. */
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
  /** The versions of the emails whose subject and findings the row shows. */
  readonly versions: ReadonlyArray<EmailAtVersion>
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

/** The versions of emails, to send with a decision about their texts. */
export const versionsOf = (emails: ReadonlyArray<EmailAtVersion>): ReadonlyArray<EmailAtVersion> =>
  emails.map(({ step, version }) => ({ step, version }))

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
  versions: versionsOf(emails),
  worst: emails.length === 0 ? undefined : worstFinding(emails)
})

const filterText = (filter: Filter) =>
  new URLSearchParams(Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1))).toString()

const orderKey = (list: string, filter: Filter) => `${list} ${filterText(filter)}`

export const pageSize = 100

const makeLeadOrder = (list: string, filter: Filter) => {
  const rows = new Map<number, Row>()
  const indexById = new Map<string, number>()
  const pages = new Map<number, Promise<void>>()
  /** Indexes of leads that were decided here and no longer match the filter. The server no longer counts them. */
  const removed = new Set<number>()
  const watchers = new Set<() => void>()
  let total: number | undefined
  let generation = 0
  const changed = () => watchers.forEach((watcher) => watcher())

  const fetchPage = async ({ callApi }: Session, page: number) => {
    const startedGeneration = generation
    const from = page * pageSize
    const offset = from - [...removed].filter((index) => index < from).length
    const answer = await callApi((api) =>
      api.lists.listLeads({ params: { id: list }, query: { ...filter, limit: pageSize, offset } })
    )
    if (startedGeneration !== generation) return
    total = answer.total + removed.size
    answer.data.forEach((lead, i) => {
      rows.set(from + i, toRow(lead))
      indexById.set(lead.id, from + i)
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
  const rowAt = async (session: Session, index: number): Promise<Row | undefined> => {
    if (index < 0 || (total !== undefined && index >= total)) return undefined
    // Resolves immediately if the page is cached.
    await load(session, Math.floor(index / pageSize))
    return rows.get(index)
  }
  /** The index of a lead; undefined if another lead has that index by now. */
  const indexOf = (id: string | undefined) => {
    const index = id === undefined ? undefined : indexById.get(id)
    return index !== undefined && rows.get(index)?.id === id ? index : undefined
  }
  return {
    key: orderKey(list, filter),
    list,
    filter,
    rows,
    indexOf,
    total: () => total,
    /** Number of reloads so far. */
    generation: () => generation,
    load,
    rowAt,
    /** Applies what a decision or an edit has changed. */
    update: (id: string, change: Partial<Row>) => {
      const index = indexOf(id)
      const row = index === undefined ? undefined : rows.get(index)
      if (index === undefined || row === undefined) return
      const next = { ...row, ...change }
      rows.set(index, next)
      if (filter.review !== undefined) {
        if (next.review.status === filter.review) removed.delete(index)
        else removed.add(index)
      }
      changed()
    },
    /** Marks all rows as stale, so that they are loaded again when they are next shown. */
    reload: () => {
      generation++
      pages.clear()
      removed.clear()
      changed()
    },
    watch: (watcher: () => void) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    }
  }
}
export type LeadOrder = ReturnType<typeof makeLeadOrder>

/** The next open lead that may be approved, searched from an index on; wraps around to the start. */
export const nextOpenLead = async (session: Session, order: LeadOrder, after: number) => {
  for (const [from, until] of [
    [after + 1, Infinity],
    [0, after]
  ] as const) {
    for (let index = from; index < until; index++) {
      const row = await order.rowAt(session, index)
      if (row === undefined) break
      if (row.status === "completed" && row.review.status === "open" && row.suppressed === null) return { row, index }
    }
  }
  return undefined
}

/** Recently used orders, by list and filter. A lead's page reuses the order that it was opened from. */
const cachedOrders = new Map<string, LeadOrder>()
const maxCachedOrders = 4
onSignOut(() => cachedOrders.clear())

/** The last filter and lead of each list, restored when the user returns from a lead. */
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

export const createOrder = (list: string, filter: Filter): LeadOrder => {
  const order = makeLeadOrder(list, filter)
  cachedOrders.delete(order.key)
  cachedOrders.set(order.key, order)
  for (const oldest of [...cachedOrders.keys()].slice(0, -maxCachedOrders)) cachedOrders.delete(oldest)
  return order
}

export const getOrCreateOrder = (list: string, filter: Filter): LeadOrder =>
  cachedOrders.get(orderKey(list, filter)) ?? createOrder(list, filter)

/** Applies a change of a lead to every order of its list. */
export const updateLead = (list: string, id: string, change: Partial<Row>) => {
  for (const order of cachedOrders.values()) if (order.list === list) order.update(id, change)
}

/** Renders again when the order changes. */
export const useRenderOnOrderChange = (order: LeadOrder) => {
  const [, setTurn] = useState(0)
  useEffect(() => order.watch(() => setTurn((turn) => turn + 1)), [order])
}

/** The address of a lead. Includes the filter and the index, unless the leads are in the list's own order. */
export const leadAddress = (list: string, position: number, filter: Filter, index: number) =>
  Object.keys(filter).length === 0
    ? routeTo("lists", list, position)
    : routeTo("lists", list, position, `${filterText(filter)}&at=${index}`)

const decodeFilter = Schema.decodeUnknownOption(Filter)

/** The filter and the index in an address. */
export const parseOrderParam = (text = ""): { readonly filter: Filter; readonly index: number } => {
  const { at, ...fields } = Object.fromEntries(new URLSearchParams(text))
  const index = Number(at)
  return {
    filter: Option.getOrElse(decodeFilter(fields), () => ({})),
    index: Number.isSafeInteger(index) && index >= 0 ? index : 0
  }
}

/** The id of the lead at an address, if its order has loaded it, and the number of leads. */
export const cachedLeadAt = (list: string, position: number, address: string | undefined) => {
  const { filter, index } = parseOrderParam(address)
  const order = cachedOrders.get(orderKey(list, filter))
  const row = order?.rows.get(address === undefined ? position - 1 : index)
  const total = order?.total()
  return row?.position === position && total !== undefined ? { id: row.id, total } : undefined
}
