// test/lead-exports.test.ts: which leads are known to be in exported files.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "#layers/database/migrations.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { type Caller, callerFor } from "./support/callers.ts"
import { callerWithCampaign } from "./support/campaigns.ts"
import { startBatch, waitForList } from "./support/lists.ts"
import { assertConsistent, withServer } from "./support/server.ts"
import { until } from "./support/until.ts"

const people = ["kim", "ann", "bo"].map((name) => ({ email: `${name}@${name}.example`, name }))

/** A completed list of Kim, Ann and Bo, of whom Ann is approved. */
const reviewedList = Effect.gen(function* () {
  const { campaign, caller } = yield* callerWithCampaign()
  const list = yield* startBatch(caller, campaign, people, { list_name: "Fair" })
  yield* waitForList(caller, list)
  const { data } = yield* expectBody(200, caller.get(`/lists/${list}/leads`))
  const [kim, ann, bo] = data.map(({ id }: { readonly id: string }) => `/lists/${list}/leads/${id}`)
  const approve = (path: string) => expectBody(200, caller.put(`${path}/review`, { status: "approved" }))
  yield* approve(ann)
  return { caller, list, kim, ann, bo, approve }
})

const suppress = (caller: Caller, name: string) =>
  expectBody(200, caller.post("/suppressions", { entries: [{ value: `${name}@${name}.example` }] }))

const unsuppress = Effect.fnUntraced(function* (caller: Caller) {
  const { data } = yield* expectBody(200, caller.get("/suppressions"))
  for (const { id } of data) yield* expectBody(200, caller.delete(`/suppressions/${id}`))
})

/** The names in an export as JSON. */
const exportNames = (caller: Caller, list: string, query: string) =>
  Effect.map(expectBody(200, caller.get(`/lists/${list}/export?format=json${query}`)), ({ leads }) =>
    leads.map(({ name }: { readonly name: string }) => name)
  )

const countOf = (caller: Caller, list: string, query: string) =>
  expectBody(200, caller.get(`/lists/${list}/export/count?${query}`))

describe("a lead", () => {
  it.live("is exported only by the files that have it", () =>
    Effect.gen(function* () {
      const { ann, bo, caller, kim, list } = yield* reviewedList
      const reader = yield* callerFor(caller.workspace, ["lists:read"])
      yield* expectBody(200, caller.send("HEAD", `/lists/${list}/export?review=approved`))
      yield* countOf(caller, list, "review=approved")
      assert.notProperty(yield* expectBody(200, caller.get(ann)), "exported_at")
      for (const query of ["review=approved", "review=approved&format=json&columns=all"]) {
        assert.strictEqual((yield* reader.get(`/lists/${list}/export?${query}`)).status, 200)
      }
      const { exported_at } = yield* expectBody(200, caller.get(ann))
      const search = (name: string) => expectBody(200, reader.get(`/leads?email=${name}@${name}.example`))
      assert.strictEqual((yield* search("ann")).data[0].exported_at, exported_at)
      assert.notProperty((yield* search("bo")).data[0], "exported_at")
      assert.match(exported_at, /^\d{4}-\d\d-\d\dT/)
      for (const path of [kim, bo]) {
        const lead = yield* expectBody(200, caller.get(path))
        assert.notProperty(lead, "exported_at")
        assert.notProperty(lead, "maybe_exported_at")
      }
      // Neither approved nor in a file.
      assert.deepStrictEqual(yield* suppress(caller, "kim"), { added: 1, already: 0 })
      // Left out of this file, because it was suppressed.
      assert.deepStrictEqual(yield* exportNames(caller, list, "&suppressed=exclude"), ["ann", "bo"])
      assert.deepStrictEqual(yield* suppress(caller, "kim"), { added: 0, already: 1 })
      const inFile = (yield* expectBody(200, caller.get(bo))).exported_at
      assert.isAbove(Date.parse(inFile), Date.parse(exported_at))
      assert.deepStrictEqual((yield* suppress(caller, "bo")).exported_lists, [
        { id: list, name: "Fair", exported_at: inFile }
      ])
      // A file of everything has Kim too, and so does one of all columns.
      yield* expectBody(200, caller.get(`/lists/${list}/export?format=json&columns=all`))
      const everyone = yield* until(expectBody(200, caller.get(kim)), (lead) => lead.exported_at !== undefined)
      assert.isAtLeast(Date.parse(everyone.exported_at), Date.parse(inFile))
      assert.deepStrictEqual((yield* suppress(caller, "kim")).exported_lists, [
        { id: list, name: "Fair", exported_at: everyone.exported_at }
      ])
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("may be in a file that an earlier version exported, until a file is known to have it", () =>
    Effect.gen(function* () {
      const { ann, caller, kim, list } = yield* reviewedList
      const sql = yield* SqlClient.SqlClient
      yield* exportNames(caller, list, "")
      const { exported_at } = yield* until(
        expectBody(200, caller.get(`/lists/${list}`)),
        (list) => list.exported_at !== undefined
      )
      yield* sql`DROP TABLE lead_exports`
      for (const column of ["fully_exported_at", "unmarked_export_at"])
        yield* sql`ALTER TABLE lists DROP COLUMN ${sql(column)}`
      yield* migrations["0046_lead_exports"]
      const before = yield* expectBody(200, caller.get(kim))
      assert.notProperty(before, "exported_at")
      assert.strictEqual(before.maybe_exported_at, exported_at)
      assert.deepStrictEqual((yield* suppress(caller, "kim")).exported_lists, [
        { id: list, name: "Fair", exported_at, maybe: true }
      ])
      // Nothing is known of that file, so its leads count as new.
      yield* unsuppress(caller)
      assert.deepStrictEqual(yield* exportNames(caller, list, "&review=approved&exported=new"), ["ann"])
      const known = yield* expectBody(200, caller.get(ann))
      assert.notProperty(known, "maybe_exported_at")
      assert.strictEqual((yield* suppress(caller, "ann")).exported_lists[0].exported_at, known.exported_at)
      assert.strictEqual((yield* expectBody(200, caller.get(kim))).maybe_exported_at, exported_at)
    }).pipe(withServer())
  )

  it.live("is new to an export once", () =>
    Effect.gen(function* () {
      const { ann, approve, bo, caller, list } = yield* reviewedList
      yield* expectError(400, "BAD_REQUEST", caller.get(`/lists/${list}/export?exported=old`))
      const exportNew = (query: string) => exportNames(caller, list, `&exported=new${query}`)
      assert.deepStrictEqual(yield* countOf(caller, list, "exported=new"), { leads: 3, suppressed: 0 })
      assert.deepStrictEqual(yield* exportNew("&review=approved"), ["ann"])
      assert.deepStrictEqual(yield* exportNew("&review=approved"), [])
      yield* approve(bo)
      assert.deepStrictEqual(yield* countOf(caller, list, "exported=new&review=approved"), { leads: 1, suppressed: 0 })

      // An email of Ann changes: her file stays out of date, although a later file has others.
      yield* expectBody(200, caller.patch(`${ann}/emails/1`, { body: "Another text", version: 1 }))
      assert.deepStrictEqual(yield* exportNew("&review=approved"), ["bo"])
      const { changed_since_export } = yield* expectBody(200, caller.get(`/lists/${list}`))
      assert.strictEqual(changed_since_export, 1)

      yield* suppress(caller, "kim")
      assert.deepStrictEqual(yield* countOf(caller, list, "exported=new"), { leads: 0, suppressed: 1 })
      assert.deepStrictEqual(yield* exportNew(""), [])
      yield* unsuppress(caller)
      assert.match(
        (yield* caller.get(`/lists/${list}/export?exported=new&preset=instantly`)).text,
        /^[^\n]+\n[^\n]*kim@kim\.example/
      )
      assert.deepStrictEqual(yield* exportNew(""), [])
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("is not new after a file of everything", () =>
    Effect.gen(function* () {
      const { caller, kim, list } = yield* reviewedList
      yield* caller.get(`/lists/${list}/export`)
      yield* until(expectBody(200, caller.get(kim)), ({ exported_at }) => exported_at !== undefined)
      assert.deepStrictEqual(yield* exportNames(caller, list, "&exported=new"), [])
      assert.deepStrictEqual(yield* countOf(caller, list, "exported=new"), { leads: 0, suppressed: 0 })
    }).pipe(withServer())
  )
})
