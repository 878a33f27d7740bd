// scripts/bench/CopyLists.ts: fills a store with copies of one list and one campaign, charged and half reviewed, so that it passes
// `overture verify`.
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import type { TestData } from "./TestData.ts"
import type { Store } from "./Store.ts"

/** An id for the copy `i` of a row; `tableNumber` keeps the ids of different tables apart. */
const copyId = (tableNumber: number, i: string, j = "0") =>
  `printf('00000000-000${tableNumber}-7000-8000-%06x%06x', ${i}, ${j})`

/** The columns of a table, with expressions in the place of some. */
const selectColumns = (db: DatabaseSync, table: string, alias: string, replaced: Readonly<Record<string, string>>) => {
  const names = db
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map(({ name }) => String(name))
  return { names: names.join(", "), values: names.map((name) => replaced[name] ?? `${alias}.${name}`).join(", ") }
}

/** Copies the list of the test data until there are `lists`, and its campaign until there are `campaigns`. */
export const copyListsAndCampaigns = (store: Store, { reads }: TestData, lists: number, campaigns: number) => {
  const db = new DatabaseSync(join(store.dataDir, "overture.db"))
  const range = (to: number) => `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})`
  // Dates in the past, each different, so that every page has one order.
  const createdAt = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || n.i || ' minutes')"
  const insert = (table: string, count: number, source: string, replaced: Readonly<Record<string, string>>) => {
    const { names, values } = selectColumns(db, table, "t", replaced)
    db.exec(`INSERT INTO ${table} (${names}) ${range(count)} SELECT ${values} FROM n JOIN ${source}`)
  }
  db.exec("PRAGMA synchronous = OFF; BEGIN")
  insert("campaigns", campaigns, `campaigns t ON t.id = '${reads.campaign}'`, {
    id: copyId(1, "n.i"),
    created_at: createdAt,
    playbook: "NULL",
    brief: "NULL"
  })
  const isSourceList = `t.id = '${reads.list}'`
  insert("lists", lists, `lists t ON ${isSourceList}`, {
    id: copyId(2, "n.i"),
    created_at: createdAt,
    recipient: "NULL"
  })
  db.exec(`UPDATE list_counts SET lists = lists + ${lists - 1} WHERE workspace_id = '${reads.workspace}'
    AND kind = (SELECT kind FROM lists t WHERE ${isSourceList}) AND campaign_id IN ('', '${reads.campaign}')`)
  insert("leads", lists, `leads t ON t.list_id = '${reads.list}'`, {
    id: copyId(3, "n.i", "t.position"),
    list_id: copyId(2, "n.i"),
    email: "n.i || '-' || t.email"
  })
  const isCopiedLead = `l.id LIKE '00000000-0003-%'`
  db.exec(`INSERT INTO lead_reviews (lead_id, workspace_id, review, seen)
    SELECT l.id, l.workspace_id, 'approved', 0 FROM leads l WHERE ${isCopiedLead} AND l.position % 2 = 0`)
  // Each copy is paid by credits that are granted for it, on the day of the first list.
  const insertCreditEntries = (id: string, amount: string, kind: string, operation: string) =>
    db.exec(`INSERT INTO credit_entries (id, workspace_id, at, bucket, amount, kind, ref, operation)
      SELECT ${id}, l.workspace_id, t.created_at, 'addon', ${amount}, '${kind}', l.id, '${operation}:' || l.id || ':addon'
      FROM leads l JOIN lists t ON ${isSourceList} WHERE ${isCopiedLead} AND l.status = 'completed'`)
  insertCreditEntries("'c' || l.id", "-t.cost", "capture", "capture")
  insertCreditEntries("'g' || l.id", "t.cost", "grant", "grant")
  const copiedCost = `(SELECT COALESCE(-sum(amount), 0) FROM credit_entries WHERE id LIKE 'c00000000-%')`
  db.exec(
    `UPDATE credit_accounts SET used_total = used_total + ${copiedCost} WHERE workspace_id = '${reads.workspace}'`
  )
  db.exec(`UPDATE credit_days SET used = used + ${copiedCost} WHERE workspace_id = '${reads.workspace}'
    AND day = (SELECT substr(created_at, 1, 10) FROM lists t WHERE ${isSourceList})`)
  db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
}
