// layers/Suppressions.ts: the addresses, domains and companies of a workspace that must not be written to.
import { Array as Arr, Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import {
  areSpelledAlike,
  beginningsOf,
  comparedCompany,
  comparedName,
  isComparable
} from "#layers/generator/companies/CompanyMatch.ts"
import { type ComparedName, firstLetters, toComparedName } from "#layers/generator/companies/SimilarNames.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { runInTurns, type Turns } from "#layers/lib/Turns.ts"
import { now } from "#layers/lib/Time.ts"
import { makePageQuery } from "#layers/lib/Paging.ts"
import { traced } from "#layers/lib/Traced.ts"
import { csvLine } from "#layers/lists/ExportFormats.ts"
import { type ExportTimes, exportTimesOf, lastExportOf } from "#layers/lists/LeadExports.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"
import {
  type ExportedList,
  kindOf,
  normalized,
  Suppression,
  type SuppressionEntry,
  type SuppressionKind,
  type SuppressionsAdded
} from "#schema/Suppressions.ts"

interface Filter {
  readonly q?: string | undefined
  readonly kind?: SuppressionKind | undefined
}

/** Entries per INSERT; other requests run between two of them. */
const insertSize = 500

/** Leads that are looked up at once; each has an address, a few domains and a company. */
const lookupSize = 200

/** Entries of an export that are read at once; other requests run between two pages. */
const pageSize = 200

/**
 * The values that suppress an address: the address, also without a tag such as "+news", which leads to the same mailbox,
 * its domain, and the parent domains.
 */
const suppressingValues = (address: string): ReadonlyArray<string> => {
  const domainLabels = address.slice(address.lastIndexOf("@") + 1).split(".")
  const untagged = address.replace(/(?<=.)\+[^@]*(?=@)/, "")
  return [address, untagged, ...domainLabels.slice(0, -1).map((_, index) => domainLabels.slice(index).join("."))]
}

/**
 * Companies are stored by their comparison key, which has no dot or `@` and so cannot be mistaken for a domain or
 * address.
 */
const toStoredEntry = ({ kind, value }: SuppressionEntry) =>
  kind === "company"
    ? { kind, value: comparedName(value) }
    : { kind: kindOf(value) ?? ("address" as const), value: normalized(value) }

/** The fields of a lead that are compared with the suppression list. */
interface SuppressibleLead {
  readonly email: string
  readonly company?: string | null | undefined
}

/** The values that suppress a company: its name, and that name without a country or region at its end. */
const suppressingCompanyValues = (company: string): ReadonlyArray<string> => {
  const { base, key } = comparedCompany(company)
  return base === key ? [key] : [key, base]
}

const toLikePattern = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`

/** Sorts certain exports after the others, and later ones after earlier ones. */
const exportRank = ({ exported_at, maybe }: ExportedList) => `${maybe === true ? 0 : 1} ${exported_at}`

/** Maximum number of stored companies with the same first letters that a name is compared with. */
const maxComparedCompanies = 1000

/** Maximum number of comparisons for the names of one file, batch or list. */
const maxComparisons = 5_000_000

/** Comparisons between two pauses. */
const comparisonsPerStep = 200

/** The comparison of many names with the suppressed companies, so that each name is compared once and the work has a limit. */
export interface SpellingSearch {
  readonly alikeByName: Map<string, ReadonlyArray<string>>
  readonly storedByBeginning: Map<string, Array<ComparedName>>
  comparisonsLeft: number
}

export const startSpellingSearch = (comparisons = maxComparisons): SpellingSearch => ({
  alikeByName: new Map(),
  storedByBeginning: new Map(),
  comparisonsLeft: comparisons
})

const compareNames = function* (names: ReadonlyArray<string>, search: SpellingSearch): Turns<void> {
  for (const name of names) {
    const stored = isComparable(name) ? (search.storedByBeginning.get(firstLetters(name)) ?? []) : []
    if (stored.length > search.comparisonsLeft) continue
    search.comparisonsLeft -= stored.length
    const comparedName = toComparedName(name)
    const alike: Array<string> = []
    for (const [index, other] of stored.entries()) {
      if (areSpelledAlike(comparedName, other)) alike.push(other.key)
      if (index % comparisonsPerStep === 0) yield
    }
    search.alikeByName.set(name, alike)
  }
}

export class Suppressions extends Context.Service<
  Suppressions,
  {
    readonly list: (workspace: WorkspaceId, page: Page, filter: Filter) => Effect.Effect<Rows<Suppression>>
    /** Adds new entries; an existing entry keeps its reason. */
    readonly add: (workspace: WorkspaceId, entries: ReadonlyArray<SuppressionEntry>) => Effect.Effect<SuppressionsAdded>
    /** The lists with one of these addresses in an exported file, the most recently exported first. */
    readonly exportedLists: (
      workspace: WorkspaceId,
      entries: ReadonlyArray<SuppressionEntry>
    ) => Effect.Effect<ReadonlyArray<ExportedList>>
    readonly remove: (workspace: WorkspaceId, id: string) => Effect.Effect<void, NotFound>
    /** All entries as CSV, oldest first. */
    readonly exportEntries: (workspace: WorkspaceId) => Stream.Stream<Uint8Array>
    /** The entries that suppress an address: itself, itself without a tag, and its domains. */
    readonly findEntries: (workspace: WorkspaceId, address: string) => Effect.Effect<ReadonlyArray<Suppression>>
    /** Whether the list has no entry. */
    readonly isEmpty: (workspace: WorkspaceId) => Effect.Effect<boolean>
    /** For each lead, in order, the reason why it is suppressed, as a sentence for people; undefined if it is not. */
    readonly findReasons: (
      workspace: WorkspaceId,
      leads: ReadonlyArray<SuppressibleLead>
    ) => Effect.Effect<ReadonlyArray<string | undefined>>
    /**
     * For each lead, in order, the reason why its company may be suppressed, as a sentence for people: its name begins with
     * the name of an entry, or is spelled alike, or was not compared because the search may compare no more. Undefined if there
     * is none. Such a lead is not suppressed. The leads of one file, batch or list share a search.
     */
    readonly findPossibleReasons: (
      workspace: WorkspaceId,
      leads: ReadonlyArray<SuppressibleLead>,
      search: SpellingSearch
    ) => Effect.Effect<ReadonlyArray<string | undefined>>
  }
>()("overture/layers/Suppressions") {
  static readonly layer = Layer.effect(
    Suppressions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const fields = sql.literal(Object.keys(Suppression.fields).join(", "))

      const page = makePageQuery(sql, Suppression, {
        table: "suppressions",
        matching: ({ kind, q, workspace }: Filter & { readonly workspace: WorkspaceId }) => [
          sql`workspace_id = ${workspace}`,
          ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
          ...(q === undefined
            ? []
            : [sql`(value LIKE ${toLikePattern(q)} ESCAPE '\\' OR lower(reason) LIKE ${toLikePattern(q)} ESCAPE '\\')`])
        ],
        order: "created_at DESC, id DESC"
      })
      const findAfter = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, at: Schema.String, id: Schema.String }),
        Result: Suppression,
        // In the reversed order of the index; any other order would sort the entries of one request for every page.
        execute: ({ at, id, workspace }) => sql`
          SELECT ${fields} FROM suppressions
          WHERE workspace_id = ${workspace} AND created_at >= ${at} AND (created_at > ${at} OR id < ${id})
          ORDER BY created_at, id DESC LIMIT ${sql.literal(String(pageSize))}`
      })
      const findOfAddress = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, address: Schema.String }),
        Result: Suppression,
        execute: ({ address, workspace }) => sql`
          SELECT ${fields} FROM suppressions
          WHERE workspace_id = ${workspace} AND ${sql.in("value", suppressingValues(address.toLowerCase()))}
          ORDER BY created_at, id`
      })
      const deleteEntry = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Schema.Struct({ id: Schema.String }),
        execute: ({ id, workspace }) =>
          sql`DELETE FROM suppressions WHERE id = ${id} AND workspace_id = ${workspace} RETURNING id`
      })

      const insert = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        created_at: string,
        entries: Arr.NonEmptyReadonlyArray<Pick<Suppression, "kind" | "reason" | "value">>
      ) {
        const rows = yield* Effect.forEach(entries, ({ kind, reason, value }) =>
          Effect.map(random.uuidV7(), (id) => ({ id, workspace_id: workspace, kind, value, reason, created_at }))
        )
        const added = yield* sql`
          INSERT INTO suppressions ${sql.insert(rows)} ON CONFLICT (workspace_id, value) DO NOTHING RETURNING id`
        yield* Effect.yieldNow
        return added.length
      })

      const hasCompanies = (workspace: WorkspaceId) =>
        Effect.map(
          sql`SELECT 1 AS found FROM suppressions WHERE workspace_id = ${workspace} AND kind = 'company' LIMIT 1`,
          (rows) => rows.length > 0
        )

      /** For each lead, the first of its `keys` that is an entry of the list, with the reason of the entry in brackets. */
      const findMatches = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        keys: ReadonlyArray<ReadonlyArray<string>>
      ) {
        const values = [...new Set(keys.flat())]
        if (values.length === 0) return keys.map(() => undefined)
        const rows = yield* sql<{ readonly value: string; readonly reason: string | null }>`
          SELECT value, reason FROM suppressions WHERE workspace_id = ${workspace} AND ${sql.in("value", values)}`
        const reasonsByValue = new Map(rows.map(({ reason, value }) => [value, reason]))
        return keys.map((leadKeys) => {
          const value = leadKeys.find((value) => reasonsByValue.has(value))
          if (value === undefined) return undefined
          const reason = reasonsByValue.get(value) ?? null
          return { value, because: reason === null ? "" : ` (${reason})` }
        })
      })

      /** Reads the suppressed companies that begin like the names, once for all names of a search. */
      const readBeginnings = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        names: ReadonlyArray<string>,
        { storedByBeginning }: SpellingSearch
      ) {
        const beginnings = [...new Set(names.filter(isComparable).map(firstLetters))].filter(
          (each) => !storedByBeginning.has(each)
        )
        if (beginnings.length === 0) return
        const rows = yield* sql<{ readonly value: string }>`
          SELECT value FROM (
            SELECT value, ROW_NUMBER() OVER (PARTITION BY substr(value, 1, 3) ORDER BY value) AS place FROM suppressions
            WHERE workspace_id = ${workspace} AND kind = 'company' AND substr(value, 1, 3) IN ${sql.in(beginnings)}
          ) found WHERE place <= ${sql.literal(String(maxComparedCompanies))} ORDER BY value`
        for (const beginning of beginnings) storedByBeginning.set(beginning, [])
        const comparable = rows.filter(({ value }) => isComparable(value))
        for (const { value } of comparable) storedByBeginning.get(firstLetters(value))?.push(toComparedName(value))
      })

      /** For each name, the suppressed companies that are spelled alike; undefined where the search may compare no more. */
      const findSpelledAlike = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        names: ReadonlyArray<string>,
        search: SpellingSearch
      ) {
        const newNames = [...new Set(names)].filter((name) => !search.alikeByName.has(name))
        yield* readBeginnings(workspace, newNames, search)
        yield* runInTurns(compareNames(newNames, search))
        return names.map((name) => search.alikeByName.get(name))
      })

      return Suppressions.of({
        list: (workspace, pageQuery, filter) => page({ workspace, ...filter }, pageQuery),

        add: traced("Suppressions.add")(function* (workspace, entries) {
          const timestamp = yield* now
          const byValue = new Map<string, Pick<Suppression, "kind" | "reason" | "value">>()
          for (const entry of entries) {
            const entryToStore = toStoredEntry(entry)
            if (!byValue.has(entryToStore.value))
              byValue.set(entryToStore.value, { ...entryToStore, reason: entry.reason?.trim() || null })
          }
          // Sorted, so that two concurrent requests lock rows in the same order and cannot deadlock.
          const sortedEntries = [...byValue.values()].sort((a, b) => (a.value < b.value ? -1 : 1))
          let added = 0
          for (const chunk of Arr.chunksOf(sortedEntries, insertSize))
            added += yield* insert(workspace, timestamp, chunk)
          return { added, already: entries.length - added }
        }, inTransaction(sql)),

        exportedLists: traced("Suppressions.exportedLists")(function* (workspace, entries) {
          const storedEntries = entries.map(toStoredEntry)
          const addresses = new Set(storedEntries.flatMap(({ kind, value }) => (kind === "address" ? [value] : [])))
          const listsById = new Map<string, ExportedList>()
          for (const chunk of Arr.chunksOf([...addresses], insertSize)) {
            const rows = yield* sql<Pick<ExportedList, "id" | "name"> & typeof ExportTimes.Type>`
              SELECT t.id, t.custom_name AS name, ${sql.literal(exportTimesOf("l"))} FROM leads l
              JOIN lists t ON t.id = l.list_id AND t.workspace_id = l.workspace_id
              WHERE l.workspace_id = ${workspace} AND lower(l.email) IN ${sql.in(chunk)}
                AND l.status = 'completed' `
            for (const { id, name, ...times } of rows) {
              const lastExport = lastExportOf(times)
              if (lastExport === undefined) continue
              const { at: exported_at, isCertain } = lastExport
              const list: ExportedList = { id, name, exported_at, ...(isCertain ? {} : { maybe: true }) }
              const other = listsById.get(id)
              // Several leads of a list may have the addresses: the last certain export counts.
              if (other === undefined || exportRank(other) < exportRank(list)) listsById.set(id, list)
            }
          }
          return [...listsById.values()].sort((a, b) => (a.exported_at > b.exported_at ? -1 : 1))
        }, Effect.orDie),

        remove: (workspace, id) =>
          deleteEntry({ workspace, id }).pipe(
            Effect.orDie,
            Effect.flatMap(Effect.fromOption(() => NotFound.of("entry"))),
            Effect.asVoid
          ),

        exportEntries: (workspace) => {
          const lines = Stream.paginate({ at: "", id: "" }, (lastKey) =>
            Effect.map(Effect.tap(Effect.orDie(findAfter({ workspace, ...lastKey })), Effect.yieldNow), (rows) => {
              const lastRow = rows.length < pageSize ? undefined : rows.at(-1)
              return [
                rows.map(({ created_at, kind, reason, value }) => csvLine([value, kind, reason ?? "", created_at])),
                Option.map(Option.fromUndefinedOr(lastRow), ({ created_at, id }) => ({ at: created_at, id }))
              ] as const
            })
          )
          return Stream.make(csvLine(["value", "kind", "reason", "created_at"])).pipe(
            Stream.concat(lines),
            Stream.encodeText
          )
        },

        findEntries: (workspace, address) => Effect.orDie(findOfAddress({ workspace, address })),

        isEmpty: (workspace) =>
          sql`SELECT 1 AS found FROM suppressions WHERE workspace_id = ${workspace} LIMIT 1`.pipe(
            Effect.map((rows) => rows.length === 0),
            Effect.orDie
          ),

        findReasons: traced("Suppressions.reasons")(function* (workspace, leads) {
          // Skipped if the list has no companies, because normalizing thousands of names is slow.
          const companies = yield* hasCompanies(workspace)
          const reasons: Array<string | undefined> = []
          for (const chunk of Arr.chunksOf(leads, lookupSize)) {
            const keys = chunk.map(({ company, email }) => [
              ...suppressingValues(email.toLowerCase()),
              ...(companies && company ? suppressingCompanyValues(company) : [])
            ])
            for (const match of yield* findMatches(workspace, keys))
              reasons.push(match && `${match.value} is on the suppression list${match.because}.`)
            yield* Effect.yieldNow
          }
          return reasons
        }, Effect.orDie),

        findPossibleReasons: traced("Suppressions.possible")(function* (workspace, leads, search) {
          if (!(yield* hasCompanies(workspace))) return leads.map(() => undefined)
          const reasons: Array<string | undefined> = []
          for (const chunk of Arr.chunksOf(leads, lookupSize)) {
            const bases = chunk.map(({ company }) => (company ? comparedCompany(company).base : ""))
            const similarNames = yield* findSpelledAlike(workspace, bases, search)
            const matches = yield* findMatches(
              workspace,
              chunk.map(({ company }, index) => [
                ...(company ? beginningsOf(comparedName(company)).toReversed() : []),
                ...(similarNames[index] ?? [])
              ])
            )
            for (const [index, match] of matches.entries()) {
              const company = chunk[index]?.company
              if (match !== undefined)
                reasons.push(`${company} may be ${match.value}, which is on the suppression list${match.because}.`)
              else
                reasons.push(
                  similarNames[index] === undefined
                    ? `${company} was not looked for on the suppression list in other spellings: too many names begin alike.`
                    : undefined
                )
            }
          }
          return reasons
        }, Effect.orDie)
      })
    })
  )
}
