// layers/Suppressions.ts: the suppression list of a workspace: addresses and domains that get no emails.
import { Array as Arr, Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import { paging } from "#layers/lib/Paging.ts"
import { traced } from "#layers/lib/Traced.ts"
import { csvLine } from "#layers/lists/ExportFormats.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"
import {
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

/** Addresses looked up in one query; each adds its domain and the domains above it. */
const lookupSize = 200

const pageSize = 500

/** The values that suppress an address: the address, its domain, and the parent domains. */
const addressAndDomain = (address: string): ReadonlyArray<string> => {
  const domainLabels = address.slice(address.lastIndexOf("@") + 1).split(".")
  return [address, ...domainLabels.slice(0, -1).map((_, at) => domainLabels.slice(at).join("."))]
}

const likePattern = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`

export class Suppressions extends Context.Service<
  Suppressions,
  {
    readonly list: (workspace: WorkspaceId, page: Page, filter: Filter) => Effect.Effect<Rows<Suppression>>
    /** Adds new entries; an existing entry keeps its reason. */
    readonly add: (workspace: WorkspaceId, entries: ReadonlyArray<SuppressionEntry>) => Effect.Effect<SuppressionsAdded>
    readonly remove: (workspace: WorkspaceId, id: string) => Effect.Effect<void, NotFound>
    /** All entries as CSV, oldest first. */
    readonly exported: (workspace: WorkspaceId) => Stream.Stream<Uint8Array>
    /** Whether the list has no entry. */
    readonly isEmpty: (workspace: WorkspaceId) => Effect.Effect<boolean>
    /** The suppressed addresses among these, in lower case, each with the reason in words. */
    readonly reasons: (
      workspace: WorkspaceId,
      addresses: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, string>>
  }
>()("overture/layers/Suppressions") {
  static readonly layer = Layer.effect(
    Suppressions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const fields = sql.literal(Object.keys(Suppression.fields).join(", "))

      const page = paging(sql, Suppression, {
        table: "suppressions",
        matching: ({ kind, q, workspace }: Filter & { readonly workspace: WorkspaceId }) => [
          sql`workspace_id = ${workspace}`,
          ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
          ...(q === undefined
            ? []
            : [sql`(value LIKE ${likePattern(q)} ESCAPE '\\' OR lower(reason) LIKE ${likePattern(q)} ESCAPE '\\')`])
        ],
        order: "created_at DESC, id DESC"
      })
      const after = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, at: Schema.String, id: Schema.String }),
        Result: Suppression,
        execute: ({ at, id, workspace }) => sql`
          SELECT ${fields} FROM suppressions
          WHERE workspace_id = ${workspace} AND (created_at > ${at} OR (created_at = ${at} AND id > ${id}))
          ORDER BY created_at, id LIMIT ${sql.literal(String(pageSize))}`
      })
      const removed = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Schema.Struct({ id: Schema.String }),
        execute: ({ id, workspace }) =>
          sql`DELETE FROM suppressions WHERE id = ${id} AND workspace_id = ${workspace} RETURNING id`
      })

      const insert = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        created_at: string,
        entries: Arr.NonEmptyReadonlyArray<{ readonly value: string; readonly reason: string | null }>
      ) {
        const rows = yield* Effect.forEach(entries, ({ reason, value }) =>
          Effect.map(random.uuidV7(), (id) => ({
            id,
            workspace_id: workspace,
            kind: kindOf(value) ?? "address",
            value,
            reason,
            created_at
          }))
        )
        const added = yield* sql`
          INSERT INTO suppressions ${sql.insert(rows)} ON CONFLICT (workspace_id, value) DO NOTHING RETURNING id`
        yield* Effect.yieldNow
        return added.length
      })

      const matching = Effect.fnUntraced(function* (workspace: WorkspaceId, addresses: ReadonlyArray<string>) {
        const values = [...new Set(addresses.flatMap(addressAndDomain))]
        const rows = yield* sql<{ readonly value: string; readonly reason: string | null }>`
          SELECT value, reason FROM suppressions WHERE workspace_id = ${workspace} AND ${sql.in("value", values)}`
        const found = new Map(rows.map(({ reason, value }) => [value, reason]))
        return addresses.flatMap((address): ReadonlyArray<readonly [string, string]> => {
          const value = addressAndDomain(address).find((value) => found.has(value))
          if (value === undefined) return []
          const because = found.get(value) ?? null
          return [[address, `${value} is on the suppression list${because === null ? "" : ` (${because})`}.`]]
        })
      })

      return Suppressions.of({
        list: (workspace, given, filter) => page({ workspace, ...filter }, given),

        add: traced("Suppressions.add")(function* (workspace, entries) {
          const at = yield* now
          const reasons = new Map<string, string | null>()
          for (const { reason, value } of entries) {
            const plain = normalized(value)
            if (!reasons.has(plain)) reasons.set(plain, reason?.trim() || null)
          }
          // Sorted, so that two concurrent requests lock rows in the same order and cannot deadlock.
          const sorted = Array.from(reasons, ([value, reason]) => ({ value, reason })).sort((a, b) =>
            a.value < b.value ? -1 : 1
          )
          let added = 0
          for (const chunk of Arr.chunksOf(sorted, insertSize)) added += yield* insert(workspace, at, chunk)
          return { added, already: entries.length - added }
        }, inTransaction(sql)),

        remove: (workspace, id) =>
          removed({ workspace, id }).pipe(
            Effect.orDie,
            Effect.flatMap(Effect.fromOption(() => NotFound.of("entry"))),
            Effect.asVoid
          ),

        exported: (workspace) => {
          const lines = Stream.paginate({ at: "", id: "" }, (last) =>
            Effect.map(Effect.orDie(after({ workspace, ...last })), (rows) => {
              const end = rows.length < pageSize ? undefined : rows.at(-1)
              return [
                rows.map(({ created_at, kind, reason, value }) => csvLine([value, kind, reason ?? "", created_at])),
                Option.map(Option.fromUndefinedOr(end), ({ created_at, id }) => ({ at: created_at, id }))
              ] as const
            })
          )
          return Stream.make(csvLine(["value", "kind", "reason", "created_at"])).pipe(
            Stream.concat(lines),
            Stream.encodeText
          )
        },

        isEmpty: (workspace) =>
          sql`SELECT 1 AS found FROM suppressions WHERE workspace_id = ${workspace} LIMIT 1`.pipe(
            Effect.map((rows) => rows.length === 0),
            Effect.orDie
          ),

        reasons: traced("Suppressions.reasons")(function* (workspace, addresses) {
          const found = new Map<string, string>()
          const plain = [...new Set(addresses.map((address) => address.toLowerCase()))]
          for (const chunk of Arr.chunksOf(plain, lookupSize)) {
            for (const [address, reason] of yield* matching(workspace, chunk)) found.set(address, reason)
          }
          return found
        }, Effect.orDie)
      })
    })
  )
}
