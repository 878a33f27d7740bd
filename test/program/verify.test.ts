// test/program/verify.test.ts: every check of a store finds the damage that it is for, in a store that the test damages.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { verify, verifyStore } from "#layers/operations/Verify.ts"
import { command } from "#test/support/command.ts"
import { upload } from "#test/support/endpoints.ts"
import { waitForList, startBatch, makeLeads } from "#test/support/lists.ts"
import { expectBody } from "../support/answers.ts"
import { onboardedCaller } from "../support/callers.ts"
import { builtCampaign } from "../support/campaigns.ts"
import { outage } from "../support/faults.ts"
import { temporaryFolder } from "../support/process.ts"
import { layer } from "../support/server.ts"
import * as Stores from "../support/store.ts"
import { fakeWriter } from "../support/writer.ts"

const selectList = "(SELECT id FROM lists WHERE kind = 'batch' ORDER BY id LIMIT 1)"
const selectLead = "(SELECT id FROM leads WHERE status = 'completed' LIMIT 1)"
const selectWorkspace = "(SELECT workspace_id FROM campaigns LIMIT 1)"
const selectOtherWorkspace = "(SELECT id FROM workspaces WHERE id NOT IN (SELECT workspace_id FROM campaigns) LIMIT 1)"
const selectEntry = (kind: string) => `(SELECT id FROM credit_entries WHERE kind = '${kind}' LIMIT 1)`
const selectCapture = `(SELECT e.id FROM credit_entries e JOIN leads l ON l.id = e.ref LIMIT 1)`
const insertEntry = (kind: string, bucket: string, amount: number, ref: string) =>
  `INSERT INTO credit_entries (id, workspace_id, at, bucket, amount, kind, ref, operation)
   VALUES ('made-up', ${selectWorkspace}, '2026', '${bucket}', ${amount}, '${kind}', ${ref}, 'made-up')`
const insertHold = (owner: string) =>
  `INSERT INTO credit_holds (owner, workspace_id, amount, created_at) VALUES (${owner}, ${selectWorkspace}, 1, '2026')`
const increaseHeld = `UPDATE credit_accounts SET held = held + 1 WHERE workspace_id = ${selectWorkspace}`
const setListStatus = (list: string, status: string) =>
  `UPDATE lists SET processing_status = '${status}' WHERE id = ${list}`

const rowId = Stores.onPostgres ? "ctid" : "rowid"

/** Statements that damage a store, each with the check that must find the damage. */
const breaches: ReadonlyArray<readonly [check: string, ...statements: ReadonlyArray<string>]> = [
  ["balances are the sums of their ledger", "UPDATE credit_accounts SET monthly = monthly + 1"],
  ["balances are the sums of their ledger", "UPDATE credit_accounts SET rollover = rollover + 1"],
  ["balances are the sums of their ledger", "UPDATE credit_accounts SET addon = addon + 1"],
  ["balances are the sums of their ledger", `DELETE FROM credit_entries WHERE id = ${selectEntry("grant")}`],
  ["what was used is what was captured", "UPDATE credit_accounts SET used_total = used_total + 1"],
  ["the usage of each day is the sum of its charges", "UPDATE credit_days SET used = used + 1"],
  ["the usage of each day is the sum of its charges", "DELETE FROM credit_days"],
  ["the usage of each day is the sum of its charges", "UPDATE credit_days SET day = '2001-01-01'"],
  ["no balance is negative and no cap is passed", "UPDATE credit_accounts SET monthly = -1"],
  ["no balance is negative and no cap is passed", "UPDATE credit_accounts SET payg_used = 7, payg_cap_cents = 60"],
  ["held credits are the sum of their holds", increaseHeld],
  ["every hold belongs to a lead that is pending, of a list in work", increaseHeld, insertHold("'no-such-lead'")],
  ["every hold belongs to a lead that is pending, of a list in work", increaseHeld, insertHold(selectLead)],
  [
    "every hold belongs to a lead that is pending, of a list in work",
    increaseHeld,
    insertHold("(SELECT id FROM leads WHERE status = 'pending' LIMIT 1)")
  ],
  ["every completed lead was captured once", `DELETE FROM credit_entries WHERE id = ${selectCapture}`],
  ["every completed lead was captured once", `UPDATE credit_entries SET amount = -2 WHERE id = ${selectCapture}`],
  [
    "every completed lead was captured once",
    `UPDATE credit_entries SET workspace_id = ${selectOtherWorkspace} WHERE id = ${selectCapture}`
  ],
  ["every completed lead was captured once", insertEntry("refund", "monthly", 1, selectLead)],
  ["no capture is of a lead that is not completed", `UPDATE leads SET status = 'failed' WHERE id = ${selectLead}`],
  ["no refund is more than its capture", insertEntry("refund", "monthly", 6, "(SELECT id FROM previews LIMIT 1)")],
  ["no refund is more than its capture", insertEntry("refund", "addon", 1, "NULL")],
  ["every entry has the sign of its kind", insertEntry("capture", "monthly", 1, "'x'")],
  ["every entry has the sign of its kind", insertEntry("grant", "addon", -1, "NULL")],
  ["every entry has the sign of its kind", insertEntry("gift", "addon", 1, "NULL")],
  ["every entry has the sign of its kind", insertEntry("grant", "pocket", 1, "NULL")],
  ["pay-as-you-go is in the ledger", "UPDATE credit_accounts SET payg_used = 1, payg_cap_cents = 1000"],
  ["pay-as-you-go is in the ledger", "UPDATE credit_accounts SET payg_used = -1"],
  ["every workspace has an account", `DELETE FROM credit_accounts WHERE workspace_id = ${selectOtherWorkspace}`],
  ["a preview costs what it wrote, and one in work has a job", "UPDATE previews SET credits_charged = 4"],
  ["a preview costs what it wrote, and one in work has a job", "UPDATE previews SET status = 'processing'"],
  ["list counters are what their leads say", `UPDATE lists SET leads_count = leads_count + 1 WHERE id = ${selectList}`],
  ["list counters are what their leads say", `UPDATE lists SET leads_done = leads_done - 1 WHERE id = ${selectList}`],
  [
    "list counters are what their leads say",
    `UPDATE lists SET leads_failed = leads_failed + 1 WHERE id = ${selectList}`
  ],
  ["the numbers of lists are those of their rows", "UPDATE list_counts SET lists = lists + 1"],
  ["the numbers of lists are those of their rows", "DELETE FROM list_counts WHERE campaign_id = ''"],
  [
    "a brief that lists share is of a list of its workspace",
    `INSERT INTO briefs (id, workspace_id, content) VALUES ('made-up', ${selectWorkspace}, '{}')`
  ],
  ["the brief that a list shares is stored", "DELETE FROM briefs"],
  [
    "a brief that lists share is of a list of its workspace",
    `UPDATE briefs SET workspace_id = ${selectOtherWorkspace}`
  ],
  [
    "the usage of a list has all of its model calls",
    `INSERT INTO model_calls (workspace_id, kind, subject, prompt, version, model, input_tokens, cached_tokens, output_tokens, at)
     VALUES (${selectWorkspace}, 'list', ${selectList}, 'p', '1', 'm', 1, 0, 1, '2026')`
  ],
  [
    "list counters are what their leads say",
    `UPDATE lists SET emails_created = emails_created + 1 WHERE id = ${selectList}`
  ],
  [
    "list counters are what their leads say",
    `UPDATE lists SET leads_skipped = leads_skipped + 1 WHERE id = ${selectList}`
  ],
  [
    "a lead is skipped for a reason",
    `UPDATE leads SET status = 'skipped', sequence = NULL, emails = NULL WHERE id = ${selectLead}`
  ],
  [
    "a suppression is an address, a domain or a company",
    `INSERT INTO suppressions (id, workspace_id, kind, value, created_at) VALUES ('x', ${selectOtherWorkspace}, 'address', 'x.example', '')`
  ],
  [
    "the leads of a list are numbered without a gap",
    `UPDATE leads SET position = position + 100 WHERE id = ${selectLead}`
  ],
  ["a lead has emails exactly if it is completed", `UPDATE leads SET sequence = NULL WHERE id = ${selectLead}`],
  ["a lead has emails exactly if it is completed", `UPDATE leads SET sequence = '[]' WHERE id = ${selectLead}`],
  ["a lead has emails exactly if it is completed", "UPDATE leads SET sequence = '[{}]' WHERE status = 'pending'"],
  [
    "a finished list has no lead left, and one in work has a job",
    `UPDATE lists SET leads_done = leads_done - 1 WHERE id = ${selectList}`
  ],
  ["a finished list has no lead left, and one in work has a job", setListStatus(selectList, "in_progress")],
  [
    "every finished batch sends one mail, and no other list sends any",
    "DELETE FROM jobs WHERE type = 'mail.completion'"
  ],
  [
    "every finished batch sends one mail, and no other list sends any",
    `INSERT INTO jobs SELECT 'made-up', workspace_id, type, subject, status, gate, payload, progress, result, error,
       run_at, lease, lease_until, attempts, crashes, created_at, updated_at, failure FROM jobs WHERE type = 'mail.completion'`
  ],
  [
    "every job is about something that is there",
    "UPDATE jobs SET subject = 'nothing', status = 'pending' WHERE type = 'mail.completion'"
  ],
  [
    "a webhook delivery that is on its way has a job, and no other has one",
    "UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = '2026'"
  ],
  [
    "a webhook delivery that is on its way has a job, and no other has one",
    "UPDATE webhook_deliveries SET next_attempt_at = '2026'"
  ],
  [
    "each end of a lead is one event of a webhook",
    `INSERT INTO webhook_deliveries SELECT 'two', workspace_id, webhook_id, 'msg_2', type, lead_id, payload, status, job,
       attempts, response_code, response, error, next_attempt_at, created_at, updated_at FROM webhook_deliveries`
  ],
  [
    "a job has a lease while it is in work, and a gate while it waits",
    "UPDATE jobs SET status = 'processing' WHERE type = 'mail.completion'"
  ],
  [
    "a job has a lease while it is in work, and a gate while it waits",
    "UPDATE jobs SET lease = 'x:1' WHERE status = 'completed'"
  ],
  [
    "a job has a lease while it is in work, and a gate while it waits",
    "UPDATE jobs SET status = 'waiting' WHERE type = 'mail.completion'"
  ],
  ...["research", "options", "build"].map(
    (work) =>
      ["what is under way on a campaign has a job", `UPDATE campaigns SET ${work} = 'processing'`] satisfies [
        string,
        string
      ]
  ),
  [
    "a campaign and its playbook have the same version",
    "UPDATE campaigns SET playbook = playbook + 1 WHERE playbook IS NOT NULL"
  ],
  ["a campaign and its playbook have the same version", "DELETE FROM playbook_versions"],
  ["a campaign and its playbook have the same version", "UPDATE campaigns SET playbook = NULL"],
  ["a campaign and its playbook have the same version", "UPDATE campaigns SET brief = NULL WHERE playbook IS NOT NULL"],
  ["every state is one that there is", "UPDATE playbooks SET status = 'lost'"],
  ["every state is one that there is", setListStatus(selectList, "lost")],
  ["every state is one that there is", `UPDATE leads SET status = 'lost' WHERE id = ${selectLead}`],
  [
    "only written leads are reviewed and exported, and the versions of an email have no gap",
    `INSERT INTO lead_exports SELECT id, workspace_id, '2026' FROM leads WHERE status <> 'completed'`
  ],
  [
    "what belongs together is of one workspace",
    `INSERT INTO lead_exports SELECT id, ${selectOtherWorkspace}, '2026' FROM leads WHERE id = ${selectLead}`
  ],
  [
    "only written leads are reviewed and exported, and the versions of an email have no gap",
    `INSERT INTO email_versions (lead_id, workspace_id, step, version, subject, body, author, at)
     SELECT id, workspace_id, 1, 2, 'x', 'x', 'person', '' FROM leads WHERE status = 'completed' LIMIT 1`
  ],
  [
    "every rewrite was charged one credit",
    `INSERT INTO email_versions (lead_id, workspace_id, step, version, subject, body, author, rewrite, at)
     SELECT id, workspace_id, 1, 1, 'x', 'x', 'rewrite', 'x', '' FROM leads WHERE status = 'completed' LIMIT 1`
  ],
  ["every state is one that there is", "UPDATE jobs SET status = 'lost' WHERE type = 'mail.completion'"],
  ["every state is one that there is", "UPDATE webhook_deliveries SET status = 'lost'"],
  ["every state is one that there is", "UPDATE previews SET status = 'lost'"],
  ...[
    "leads",
    "sites",
    "lists",
    "selections",
    "campaign_documents",
    "playbooks",
    "playbook_versions",
    "previews",
    "conversations",
    "messages",
    "webhook_deliveries",
    "jobs WHERE type = 'mail.completion'",
    "jobs WHERE type = 'campaign.build'"
  ].map((rows) => {
    const [table = "", condition = "TRUE"] = rows.split(" WHERE ")
    return [
      "what belongs together is of one workspace",
      `UPDATE ${table} SET workspace_id = ${selectOtherWorkspace} WHERE ${rowId} = (SELECT min(${rowId}) FROM ${table} WHERE ${condition})`
    ] satisfies [string, string]
  }),
  ["an uploaded document is as long as it is said to be", "UPDATE uploads SET bytes = bytes + 1"],
  [
    "every kept file belongs to an upload or a list",
    "INSERT INTO files (id, workspace_id, place, state, bytes, changed_at) VALUES ('x', 'x', 'database', 'kept', 0, 0)"
  ],
  [
    "a file of a list is there, and the list is done",
    "INSERT INTO list_files (list_id, format, workspace_id, file) SELECT id, 'csv', workspace_id, 'x' FROM lists"
  ],
  ["a conversation counts its messages", "UPDATE conversations SET messages = messages + 1"],
  ["a conversation counts its messages", "UPDATE messages SET position = 9 WHERE position = 2"],
  ["rows point at rows that are there", `UPDATE leads SET list_id = 'nothing' WHERE id = ${selectLead}`],
  Stores.onPostgres
    ? ["every index is sound", "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'jobs_turns'::regclass"]
    : ["the file is sound", "UPDATE credit_accounts SET rollover = -1"]
]

const fillStore = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const caller = yield* onboardedCaller()
  yield* onboardedCaller()
  const campaign = yield* builtCampaign(caller)
  const options = { email_count: 1, email_signature: "Ann" }
  const completedList = yield* startBatch(caller, campaign, makeLeads(3))
  yield* waitForList(caller, completedList)
  // This list stays pending with its lead.
  yield* waitForList(caller, yield* startBatch(caller, campaign, [{ email: "down@a.example" }]), "pending")
  yield* expectBody(200, caller.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options }))
  yield* expectBody(200, caller.post("/agent/chat", { campaign_id: campaign, message: "What do we sell?" }))
  yield* expectBody(202, caller.send("POST", "/workspace/imports/document", upload("note.txt", "We mend pumps.")))
  const { id: webhook } = yield* expectBody(
    201,
    caller.post("/webhooks", { url: "https://a.example", events: ["test"] })
  )
  yield* sql`
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event_id, type, lead_id, payload, status, job, attempts,
      created_at, updated_at)
    SELECT 'one', ${caller.workspace}, ${webhook}, 'msg_1', 'lead.written', id, '{}', 'delivered', 'done', 1, '2026', '2026'
    FROM leads WHERE list_id = ${completedList} AND position = 0`
  yield* sql`INSERT INTO sites (list_id, workspace_id, site, facts) VALUES (${completedList}, ${caller.workspace}, 'a', '[]')`
})

/** Disables the constraints of the database, which would prevent the damage. */
const withoutConstraints = Effect.fnUntraced(function* <E, R>(damage: Effect.Effect<unknown, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const runAll = (...statements: ReadonlyArray<string>) => Effect.forEach(statements, (text) => sql.unsafe(text))
  if (Stores.onPostgres) {
    const checks = yield* sql<{ readonly drop: string }>`
      SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop FROM pg_constraint
      WHERE contype = 'c' AND connamespace = current_schema()::regnamespace`
    yield* runAll("SET LOCAL session_replication_role = replica", ...checks.map(({ drop }) => drop))
    return yield* damage
  }
  yield* runAll("PRAGMA defer_foreign_keys = ON", "PRAGMA ignore_check_constraints = ON")
  yield* damage
  yield* runAll("PRAGMA ignore_check_constraints = OFF")
})

const readFailedChecks = Effect.map(verify, (checks) => checks.filter((check) => !check.ok))

describe("verify", () => {
  it.live("finds all damage, and none in a consistent store", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* fillStore
      assert.deepStrictEqual(yield* readFailedChecks, [])
      for (const [check, ...statements] of breaches) {
        const failedChecks = yield* Effect.gen(function* () {
          yield* withoutConstraints(
            Effect.forEach(statements, (statement) =>
              Effect.map(sql.unsafe(`${statement} RETURNING 1 AS broken`), (changedRows) =>
                assert.isNotEmpty(changedRows, statement)
              )
            )
          )
          return yield* Effect.fail(yield* readFailedChecks)
        }).pipe(sql.withTransaction, Effect.flip)
        assert.isArray(failedChecks, statements.join("; "))
        const matchingCheck =
          failedChecks instanceof Array ? failedChecks.find(({ name }) => name === check) : undefined
        assert.isNotEmpty(
          matchingCheck?.detail ?? "",
          `${check}: ${statements.join("; ")}: ${JSON.stringify(failedChecks)}`
        )
      }
      const checks = yield* verify
      assert.deepStrictEqual(
        checks.filter(({ ok }) => !ok),
        [],
        "each damage was rolled back"
      )
      assert.sameMembers(
        [...new Set(breaches.map(([check]) => check))],
        checks.map(({ name }) => name)
      )
    }).pipe(
      Effect.provide(
        layer({
          writer: {
            sequence: (brief) =>
              brief.lead.email === "down@a.example" ? Effect.fail(outage) : fakeWriter.sequence(brief)
          }
        })
      )
    )
  )

  it.live("finds old unfinished files, and ignores other files", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      assert.strictEqual((yield* command(data, "workspace", "create", "--name", "Acme")).code, 0)
      for (const name of ["outbox", "backups", ".restore-1"]) mkdirSync(`${data}/${name}`)
      const unfinishedFiles = [
        "outbox/.one.eml.part",
        "backups/schema-0001-2026.backup.partial",
        "backups/schema-0001-2026.backup.database",
        ".restore-1"
      ]
      const otherFiles = ["outbox/one.eml", "backups/mine.backup", "profile.json", ".env", "leads.csv"]
      for (const name of [...unfinishedFiles, ...otherFiles])
        if (name !== ".restore-1") writeFileSync(`${data}/${name}`, "")
      const readFailedChecks = Effect.gen(function* () {
        const checks = yield* verifyStore(data)
        return checks.filter(({ ok }) => !ok)
      }).pipe(Effect.provide([NodeServices.layer, layer({ runsWorkers: false })]))
      assert.deepStrictEqual(yield* readFailedChecks, [], "another process may still be writing them")

      for (const name of [...unfinishedFiles, ...otherFiles]) utimesSync(`${data}/${name}`, 1, 1)
      const [failedCheck, ...otherChecks] = yield* readFailedChecks
      assert.lengthOf(otherChecks, 0)
      assert.strictEqual(failedCheck?.name, "no file is left over from what was cut short")
      assert.sameMembers(failedCheck?.detail.split(", ") ?? [], unfinishedFiles)
      const { code, stderr } = yield* command(data, "verify")
      assert.strictEqual(code, 1)
      assert.match(stderr, /^1 of \d+ checks found something broken\n$/)
    })
  )
})
