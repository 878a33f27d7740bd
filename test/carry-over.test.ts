// test/carry-over.test.ts: a store that is moved to another database, row by row.
import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "#layers/Database.ts"
import { copyFromSqlite } from "#layers/database/postgres/CopyFromSqlite.ts"
import { onboardedCaller } from "#test/support/callers.ts"
import { builtCampaign } from "#test/support/campaigns.ts"
import { dump } from "#test/support/dump.ts"
import { layer } from "#test/support/server.ts"

const empty = Effect.map(Layer.build(Layer.fresh(Database.layerMemory)), (context) =>
  Context.get(context, SqlClient.SqlClient)
)

it.layer(layer())("a store", (it) => {
  describe("that is carried over", () => {
    it.effect("arrives whole, in tables larger than a page too", () =>
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
        for (const some of Arr.chunksOf(entries, 500)) {
          if (Arr.isReadonlyArrayNonEmpty(some)) yield* source`INSERT INTO credit_entries ${source.insert(some)}`
        }
        const target = yield* empty
        const told = new Map<string, number>()
        const note = (table: string, rows: number) => Effect.sync(() => void told.set(table, rows))
        const { rows } = yield* copyFromSqlite(source, target, note, Effect.void)
        assert.strictEqual(
          [...told.values()].reduce((sum, rows) => sum + rows, 0),
          rows
        )
        const [{ count } = { count: 0 }] = yield* target<{
          count: number
        }>`SELECT count(*) AS count FROM credit_entries`
        assert.isAbove(count, 1234)
        assert.strictEqual(told.get("credit_entries"), count)
        assert.isAbove(told.get("workspaces") ?? 0, 0)
        // When each was made up to date is its own.
        const sorted = (text: string) =>
          text
            .split("\n")
            .filter((row) => !row.startsWith("migrations "))
            .toSorted()
        assert.deepStrictEqual(
          sorted(yield* Effect.provideService(dump, SqlClient.SqlClient, target)),
          sorted(yield* dump)
        )
      })
    )

    it.effect("goes nowhere but into an empty database", () =>
      Effect.gen(function* () {
        const source = yield* SqlClient.SqlClient
        const target = yield* empty
        yield* target`INSERT INTO credit_entries (id, workspace_id, at, bucket, amount, kind, operation)
          VALUES ('one', 'w', 'then', 'addon', 1, 'grant', 'o')`
        const before = yield* Effect.provideService(dump, SqlClient.SqlClient, target)
        const refused = yield* Effect.flip(copyFromSqlite(source, target, () => Effect.void, Effect.void))
        assert.match(refused.message, /holds something already \(in credit_entries\)/)
        assert.strictEqual(yield* Effect.provideService(dump, SqlClient.SqlClient, target), before)
      })
    )

    it.effect("is not kept there if anything arrives otherwise than it was sent", () =>
      Effect.gen(function* () {
        const source = yield* SqlClient.SqlClient
        yield* onboardedCaller()
        const target = yield* empty
        yield* target`CREATE TRIGGER lossy AFTER INSERT ON target_audiences WHEN NEW.source IS NOT NULL
          BEGIN UPDATE target_audiences SET segment_name = NEW.segment_name || ' ' WHERE id = NEW.id; END`
        const refused = yield* Effect.flip(copyFromSqlite(source, target, () => Effect.void, Effect.void))
        assert.match(refused.message, /arrived in target_audiences is not what was sent/)
        assert.deepStrictEqual(yield* target`SELECT id FROM workspaces`, [])
      })
    )
  })
})
