// test/copy-from-sqlite.test.ts: copying a SQLite store to another database.
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "#layers/Database.ts"
import { copyFromSqlite } from "#layers/database/postgres/CopyFromSqlite.ts"
import { onboardedCaller } from "#test/support/callers.ts"
import { builtCampaign } from "#test/support/campaigns.ts"
import { dump } from "#test/support/dump.ts"
import { layer } from "#test/support/server.ts"

const emptyDatabase = Effect.map(Layer.build(Layer.fresh(Database.layerMemory)), (context) =>
  Context.get(context, SqlClient.SqlClient)
)

it.layer(layer())("a store", (it) => {
  describe("that is copied to another database", () => {
    it.effect("is copied completely, including tables larger than one page", () =>
      Effect.gen(function* () {
        const acme = yield* onboardedCaller()
        yield* builtCampaign(acme)
        const source = yield* SqlClient.SqlClient
        const at = "2026-01-01T00:00:00.000Z"
        const entries = Array.from({ length: 1234 }, (_, i) => ({
          id: `entry-${i}`,
          workspace_id: "gone",
          at,
          bucket: "addon",
          amount: i - 600,
          kind: "grant",
          ref: i % 2 === 0 ? null : "é \u{1F600} \\ '",
          note: null,
          operation: `operation-${i}`
        }))
        for (const chunk of Arr.chunksOf(entries, 500)) {
          if (Arr.isReadonlyArrayNonEmpty(chunk)) yield* source`INSERT INTO credit_entries ${source.insert(chunk)}`
        }
        const target = yield* emptyDatabase
        const copiedRows = new Map<string, number>()
        const recordTable = (table: string, rows: number) => Effect.sync(() => void copiedRows.set(table, rows))
        const { rows } = yield* copyFromSqlite(source, target, recordTable, Effect.void)
        assert.strictEqual(
          [...copiedRows.values()].reduce((sum, rows) => sum + rows, 0),
          rows
        )
        const [{ count } = { count: 0 }] = yield* target<{
          count: number
        }>`SELECT count(*) AS count FROM credit_entries`
        assert.isAbove(count, 1234)
        assert.strictEqual(copiedRows.get("credit_entries"), count)
        assert.isAbove(copiedRows.get("workspaces") ?? 0, 0)
        // The dates of migrations differ between the databases.
        const sortedRows = (text: string) =>
          text
            .split("\n")
            .filter((row) => !row.startsWith("migrations "))
            .toSorted()
        assert.deepStrictEqual(
          sortedRows(yield* Effect.provideService(dump, SqlClient.SqlClient, target)),
          sortedRows(yield* dump)
        )
      })
    )

    it.effect("is copied only into an empty database", () =>
      Effect.gen(function* () {
        const source = yield* SqlClient.SqlClient
        const target = yield* emptyDatabase
        yield* target`INSERT INTO credit_entries (id, workspace_id, at, bucket, amount, kind, operation)
          VALUES ('one', 'w', 'then', 'addon', 1, 'grant', 'o')`
        const before = yield* Effect.provideService(dump, SqlClient.SqlClient, target)
        const error = yield* Effect.flip(copyFromSqlite(source, target, () => Effect.void, Effect.void))
        assert.match(error.message, /holds something already \(in credit_entries\)/)
        assert.strictEqual(yield* Effect.provideService(dump, SqlClient.SqlClient, target), before)
      })
    )

    it.effect("is rolled back if a copied row differs from its source", () =>
      Effect.gen(function* () {
        const source = yield* SqlClient.SqlClient
        yield* onboardedCaller()
        const target = yield* emptyDatabase
        yield* target`CREATE TRIGGER lossy AFTER INSERT ON target_audiences WHEN NEW.source IS NOT NULL
          BEGIN UPDATE target_audiences SET segment_name = NEW.segment_name || ' ' WHERE id = NEW.id; END`
        const error = yield* Effect.flip(copyFromSqlite(source, target, () => Effect.void, Effect.void))
        assert.match(error.message, /arrived in target_audiences is not what was sent/)
        assert.deepStrictEqual(yield* target`SELECT id FROM workspaces`, [])
      })
    )
  })
})
