// test/program/exports.test.ts: the exported emails of a list: the content of the file, and a long list whose file is written once
// and equals an export from the rows.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Schedule, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { StorageBackends } from "#layers/Files.ts"
import { ClaimedJob, LeaseLost } from "#layers/Queue.ts"
import { Lists } from "#layers/Lists.ts"
import * as Exports from "#layers/lists/Exports.ts"
import * as Prune from "#layers/operations/Prune.ts"
import { expectBody, expectError } from "../support/answers.ts"
import type { Caller } from "../support/callers.ts"
import * as Campaigns from "../support/campaigns.ts"
import { lead, options } from "../support/endpoints.ts"
import { waitForList, startBatch, exportLeads, makeLeads } from "../support/lists.ts"
import { temporaryFolder } from "../support/process.ts"
import { dropTable, withServer, Server, assertConsistent } from "../support/server.ts"
import { until } from "../support/until.ts"

const formats = ["csv", "json"] as const

/** Creates a list of this many leads and waits until it is completed. */
const createCompletedList = Effect.fnUntraced(function* (count: number) {
  const { campaign, caller } = yield* Campaigns.callerWithCampaign({ plan: "internal" })
  const leads = Array.from({ length: count }, (_, i) => ({
    email: `lead${i}@north.example`,
    company: `Nörd "${i}", Co`
  }))
  const list = yield* startBatch(caller, campaign, leads, options)
  yield* waitForList(caller, list)
  return { caller, list }
})

const exportText = (caller: Caller, list: string, format: string) =>
  Effect.map(caller.get(`/lists/${list}/export?format=${format}`), (answer) => {
    assert.strictEqual(answer.status, 200, answer.text.slice(0, 200))
    return answer.text
  })

const readListFiles = SqlClient.SqlClient.use((sql) => sql`SELECT format, file FROM list_files ORDER BY format`)
const waitForFiles = until(readListFiles, (rows) => rows.length === formats.length)
const readStoredFileIds = SqlClient.SqlClient.use(
  (sql) => sql`SELECT f.id FROM files f UNION ALL SELECT p.file_id FROM file_pieces p`
)

const longListSize = Exports.maxRowsWithoutFile + 101

describe("the export of a long list", () => {
  it.live("is read from files that were written when it was completed, in either format", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(longListSize)
      yield* waitForFiles
      const sql = yield* SqlClient.SqlClient
      const exportsBefore = {
        csv: yield* exportText(caller, list, "csv"),
        json: yield* exportText(caller, list, "json")
      }
      assert.lengthOf(JSON.parse(exportsBefore.json).leads, longListSize)
      assert.lengthOf(exportsBefore.csv.match(/^lead\d+@/gm) ?? [], longListSize)
      yield* sql`UPDATE leads SET company = 'Changed' WHERE list_id = ${list}`
      for (const format of formats) assert.strictEqual(yield* exportText(caller, list, format), exportsBefore[format])
      for (const format of formats) {
        // An export from a stored file has a Content-Length.
        const { headers } = yield* caller.get(`/lists/${list}/export?format=${format}`)
        assert.strictEqual(headers.get("content-length"), String(Buffer.byteLength(exportsBefore[format])))
      }
      yield* assertConsistent

      // Without files the export comes from the rows, and the files are written again.
      yield* sql`UPDATE leads SET company = 'Nörd "' || position || '", Co' WHERE list_id = ${list}`
      yield* sql`DELETE FROM list_files`
      yield* sql`DELETE FROM files`
      yield* sql`DELETE FROM file_pieces`
      for (const format of formats) assert.strictEqual(yield* exportText(caller, list, format), exportsBefore[format])
      yield* waitForFiles
      yield* sql`UPDATE leads SET company = 'Changed' WHERE list_id = ${list}`
      for (const format of formats) assert.strictEqual(yield* exportText(caller, list, format), exportsBefore[format])
      assert.strictEqual((yield* sql`SELECT id FROM jobs WHERE type = 'list.file'`).length, 2)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("continues from the rows when a file is truncated, and the file is written again", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(longListSize)
      const sql = yield* SqlClient.SqlClient
      for (const bytes of [0, 1, 20_000]) {
        for (const format of formats) {
          const filesBefore = yield* waitForFiles
          const exportBefore = yield* exportText(caller, list, format)
          yield* sql`DELETE FROM file_pieces WHERE position > 0`
          yield* bytes === 0
            ? sql`DELETE FROM file_pieces`
            : sql`UPDATE file_pieces SET content = substr(content, 1, ${bytes})`
          assert.isTrue((yield* exportText(caller, list, format)) === exportBefore, `${format} ${bytes}`)
          yield* until(waitForFiles, (files) => files[0]?.["file"] !== filesBefore[0]?.["file"])
        }
      }
      yield* until(readStoredFileIds, (rows) => new Set(rows.map(({ id }) => id)).size === formats.length)
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("is written again although the job that wrote its lost file is still running", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(longListSize)
      const filesBefore = yield* waitForFiles
      const sql = yield* SqlClient.SqlClient
      const [job] = yield* until(
        sql`SELECT id, status FROM jobs WHERE type = 'list.file'`,
        (jobs) => jobs[0]?.["status"] === "completed"
      )
      // Another process holds the job and keeps renewing its lease.
      const holdLease = sql`
        UPDATE jobs SET status = 'processing', lease = 'another:1', lease_until = ${Date.now() + 600_000}
        WHERE id = ${job?.["id"]}`
      const leaseFiber = yield* Effect.forkChild(Effect.repeat(holdLease, Schedule.spaced("20 millis")))
      yield* sql`DELETE FROM file_pieces`
      yield* exportText(caller, list, "csv")
      yield* until(waitForFiles, (files) => files[0]?.["file"] !== filesBefore[0]?.["file"])
      yield* Fiber.interrupt(leaseFiber)
      yield* sql`UPDATE jobs SET status = 'completed', lease = NULL WHERE lease = 'another:1'`
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("is deleted with its list, and so are its files", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(longListSize)
      yield* waitForFiles
      yield* expectBody(200, caller.delete(`/lists/${list}`))
      assert.deepStrictEqual(yield* readListFiles, [])
      assert.deepStrictEqual(yield* until(readStoredFileIds, (rows) => rows.length === 0), [])
      yield* assertConsistent
    }).pipe(withServer())
  )

  it.live("is deleted when its list is pruned", () =>
    Effect.gen(function* () {
      yield* createCompletedList(longListSize)
      yield* waitForFiles
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE jobs SET status = 'completed' WHERE type = 'mail.completion'`
      // Waits for all jobs, because prune deletes nothing that is in progress.
      yield* until(sql`SELECT id FROM jobs WHERE status <> 'completed'`, (openJobs) => openJobs.length === 0)
      const data = yield* temporaryFolder
      const { prune } = yield* Effect.provide(
        Prune.make(data, () => Duration.zero),
        NodeServices.layer
      )
      assert.deepInclude(yield* prune, { lists: 1, leads: longListSize })
      assert.deepStrictEqual(yield* readListFiles, [])
      assert.deepStrictEqual(yield* until(readStoredFileIds, (rows) => rows.length === 0), [])
      yield* assertConsistent
    }).pipe(Effect.scoped, withServer())
  )

  it.live("fails, instead of ending early, when leads are deleted while it is read", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(longListSize)
      yield* waitForFiles
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM list_files`
      const { content } = yield* (yield* Lists).exportList(caller.workspace, list, "json")
      let chunks = 0
      const readExit = yield* Effect.exit(
        Stream.runForEach(content, () =>
          ++chunks === 2 ? Effect.asVoid(sql`DELETE FROM leads WHERE position > 300`) : Effect.void
        )
      )
      assert.isTrue(Exit.isFailure(readExit))
    }).pipe(withServer())
  )

  it.live("is written to files even while a client that reads its rows stalls", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(longListSize)
      yield* waitForFiles
      const sql = yield* SqlClient.SqlClient
      for (const format of formats) {
        yield* sql`DELETE FROM list_files`
        const { content } = yield* (yield* Lists).exportList(caller.workspace, list, format)
        let chunks = 0
        yield* Stream.runForEach(content, () => (++chunks === 2 ? Effect.asVoid(waitForFiles) : Effect.void))
        assert.isAbove(chunks, 2)
      }
    }).pipe(withServer())
  )

  it.live("is read from its rows while file storage is unavailable", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(longListSize)
      const sql = yield* SqlClient.SqlClient
      yield* until(sql`SELECT status FROM jobs WHERE type = 'list.file'`, ([job]) => job?.["status"] === "failed")
      assert.lengthOf(JSON.parse(yield* exportText(caller, list, "json")).leads, longListSize)
      assert.deepStrictEqual(yield* readListFiles, [])
      assert.deepStrictEqual(yield* readStoredFileIds, [])
      yield* assertConsistent
    }).pipe(withServer(), Effect.provideService(StorageBackends, { defaultBackend: "s3" }))
  )

  it.live("is not stored in a file when the job that writes it lost its lease", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(longListSize)
      yield* waitForFiles
      const lists = yield* Lists
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM list_files`
      yield* sql`DELETE FROM files`
      yield* sql`DELETE FROM file_pieces`
      const claim = yield* Schema.decodeEffect(ClaimedJob)({
        id: "a job",
        workspace_id: caller.workspace,
        type: "list.file",
        subject: list,
        payload: "null",
        attempts: 1,
        crashes: 0,
        lease: "mine"
      })
      assert.instanceOf(yield* Effect.flip(lists.writeFiles(claim)), LeaseLost)
      yield* sql`
        UPDATE jobs SET id = 'a job', status = 'processing', lease = 'mine', lease_until = 9999999999999
        WHERE type = 'list.file'`
      yield* lists.writeFiles(claim)
      yield* lists.writeFiles(claim)
      assert.lengthOf(yield* readListFiles, 2)
      yield* sql`UPDATE jobs SET status = 'completed', lease = NULL WHERE type = 'list.file'`
      yield* assertConsistent
    }).pipe(withServer())
  )
})

describe("the export of a long list whose leads have custom fields", () => {
  it.live("has the same columns from its files as from its rows", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* Campaigns.callerWithCampaign({ plan: "internal" })
      const leads = makeLeads(longListSize).map((lead, index) => {
        if (index === 0) return { ...lead, custom_fields: { first: 1 } }
        return index === longListSize - 1 ? { ...lead, custom_fields: { late: "x", first: 2 } } : lead
      })
      const list = yield* startBatch(caller, campaign, leads, options)
      yield* waitForList(caller, list)
      yield* waitForFiles
      const exportTexts = { csv: yield* exportText(caller, list, "csv"), json: yield* exportText(caller, list, "json") }
      const [header = "", firstRow = "", ...otherRows] = exportTexts.csv.split("\r\n")
      assert.match(header, /,step_2_body,custom_first,custom_late$/)
      assert.match(firstRow, /,1,$/)
      assert.match(otherRows.at(-2) ?? "", /,2,x$/)
      assert.deepStrictEqual(JSON.parse(exportTexts.json).leads.at(-1).custom_fields, { late: "x", first: 2 })
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM list_files`
      for (const format of formats) assert.strictEqual(yield* exportText(caller, list, format), exportTexts[format])
      yield* waitForFiles
    }).pipe(withServer())
  )
})

describe("the export of a short list", () => {
  it.live("is read from its rows", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(Exports.maxRowsWithoutFile)
      assert.lengthOf(JSON.parse(yield* exportText(caller, list, "json")).leads, Exports.maxRowsWithoutFile)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT id FROM jobs WHERE type = 'list.file'`, [])
      assert.deepStrictEqual(yield* readStoredFileIds, [])
    }).pipe(withServer())
  )
})

describe("an export", () => {
  const awkwardLeads = [
    {
      email: "=cmd@north.example",
      name: '=HYPERLINK("x")',
      title: "+1",
      company: "-2",
      linkedin_url: "@x",
      company_website: "\tx"
    },
    {
      email: "a@north.example",
      name: 'Ann "A" Lee',
      title: "Buyer, West",
      company: "two\nlines",
      linkedin_url: "\rx",
      company_website: ""
    },
    {
      email: "b@north.example",
      name: "Zoë 張",
      title: "a=b",
      company: "x-y",
      linkedin_url: "'=1",
      company_website: " =1"
    }
  ]
  const csv = [
    "email,name,title,company,linkedin_url,company_website,step_1_subject,step_1_body,step_2_subject,step_2_body",
    `'=cmd@north.example,"'=HYPERLINK(""x"")",'+1,'-2,'@x,'\tx,subject 1,"Hello =HYPERLINK(""x""), this is email 1.\n\nBo",subject 2,"Hello =HYPERLINK(""x""), this is email 2.\n\nBo"`,
    `a@north.example,"Ann ""A"" Lee","Buyer, West","two\nlines","'\rx",,subject 1,"Hello Ann ""A"" Lee, this is email 1.\n\nBo",subject 2,"Hello Ann ""A"" Lee, this is email 2.\n\nBo"`,
    `b@north.example,Zoë 張,a=b,x-y,'=1, =1,subject 1,"Hello Zoë 張, this is email 1.\n\nBo",subject 2,"Hello Zoë 張, this is email 2.\n\nBo"`,
    ""
  ].join("\r\n")

  it.live("is a CSV that a spreadsheet reads and does not run", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* Campaigns.callerWithCampaign()
      const list = yield* startBatch(caller, campaign, awkwardLeads, options)
      yield* waitForList(caller, list)
      for (const query of ["", "?format=csv"]) {
        const { headers, status, text } = yield* caller.get(`/lists/${list}/export${query}`)
        assert.strictEqual(status, 200)
        assert.strictEqual(text, csv)
        assert.match(headers.get("content-type") ?? "", /^text\/csv; *charset=utf-8$/i)
        assert.match(headers.get("content-disposition") ?? "", /^attachment; filename="[\w.-]+\.csv"$/)
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      }
    }).pipe(withServer())
  )

  it.live("has the same leads as JSON, unchanged", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* Campaigns.callerWithCampaign()
      const list = yield* startBatch(caller, campaign, awkwardLeads, options)
      yield* waitForList(caller, list)
      const answer = yield* caller.get(`/lists/${list}/export?format=json`)
      assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
      assert.deepStrictEqual(
        answer.body.leads.map(
          ({ sequence, ...lead }: { readonly sequence: ReadonlyArray<{ readonly step: number }> }) => {
            assert.deepStrictEqual(
              sequence.map(({ step }) => step),
              [1, 2]
            )
            return lead
          }
        ),
        awkwardLeads.map(({ company, email, name, title }) => ({ email, name, company, title }))
      )
      for (const format of ["xml", "CSV", ""]) {
        yield* expectError(400, "BAD_REQUEST", caller.get(`/lists/${list}/export?format=${format}`))
      }
    }).pipe(withServer())
  )

  it.live("has a column for each custom field after the emails, which spreadsheets do not run as formulas", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* Campaigns.callerWithCampaign()
      const customFields: ReadonlyArray<object | null | undefined> = [
        { zone: "=1+1", note: 'a "b", c', lines: "x\ny" },
        undefined,
        { won: true, constructor: "Bau AG", score: -3.5, gap: null, zone: "b" },
        {},
        null
      ]
      const leads = customFields.map((custom_fields) =>
        custom_fields === undefined ? lead : { ...lead, custom_fields }
      )
      const list = yield* startBatch(caller, campaign, leads, options)
      yield* waitForList(caller, list)
      const email = (step: number) => `subject ${step},"Hello Ann, this is email ${step}.\n\nBo"`
      const leadCells = `${lead.email},Ann,,North,,,${email(1)},${email(2)}`
      assert.deepStrictEqual((yield* exportText(caller, list, "csv")).split("\r\n"), [
        "email,name,title,company,linkedin_url,company_website,step_1_subject,step_1_body,step_2_subject,step_2_body," +
          "custom_zone,custom_note,custom_lines,custom_won,custom_constructor,custom_score,custom_gap",
        `${leadCells},'=1+1,"a ""b"", c","x\ny",,,,`,
        `${leadCells},,,,,,,`,
        `${leadCells},b,,,true,Bau AG,'-3.5,`,
        `${leadCells},,,,,,,`,
        `${leadCells},,,,,,,`,
        ""
      ])
      const { leads: exportedLeads } = JSON.parse(yield* exportText(caller, list, "json"))
      assert.deepStrictEqual(
        [exportedLeads[0].custom_fields, exportedLeads[2].custom_fields],
        [customFields[0], customFields[2]]
      )
      for (const index of [1, 3, 4]) assert.notProperty(exportedLeads[index], "custom_fields")
    }).pipe(withServer())
  )

  it.live("has at most 200 columns of custom fields, and all fields as JSON", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* Campaigns.callerWithCampaign()
      const leads = makeLeads(5).map((lead, index) => ({
        ...lead,
        custom_fields: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${index * 50 + n}`, n]))
      }))
      const list = yield* startBatch(caller, campaign, leads, options)
      yield* waitForList(caller, list)
      const [header = "", ...rows] = (yield* exportText(caller, list, "csv")).split("\r\n")
      assert.deepStrictEqual(
        header.split(",").slice(10),
        Array.from({ length: 200 }, (_, n) => `custom_k${n}`)
      )
      assert.match(rows[4] ?? "", /",{200}$/)
      const exportedLeads = JSON.parse(yield* exportText(caller, list, "json")).leads
      assert.deepStrictEqual(exportedLeads[4].custom_fields, leads[4]?.custom_fields)
    }).pipe(withServer())
  )

  it.live("that cannot be read is an error, and not a truncated file", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* Campaigns.callerWithCampaign()
      const list = yield* startBatch(caller, campaign, [lead])
      yield* waitForList(caller, list)
      yield* dropTable("leads")
      for (const format of ["csv", "json"]) {
        yield* expectError(500, "INTERNAL_ERROR", caller.get(`/lists/${list}/export?format=${format}`))
      }
    }).pipe(withServer())
  )

  it.live("of which neither the file nor the rows can be read is an error, with its cause in the log", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(longListSize)
      yield* waitForFiles
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM file_pieces`
      yield* dropTable("leads")
      yield* expectError(500, "INTERNAL_ERROR", caller.get(`/lists/${list}/export?format=csv`))
      const { logs } = yield* Server
      assert.isTrue(logs.some((line) => line.includes("A request broke") && line.includes("SqlError")))
    }).pipe(withServer())
  )

  it.live("that fails while it is read closes the connection, and logs the failure at ERROR", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* createCompletedList(250)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE leads SET sequence = '{' WHERE list_id = ${list} AND position = 120`
      const { content } = yield* (yield* Lists).exportList(caller.workspace, list, "csv")
      let receivedText = ""
      const readExit = yield* Effect.exit(
        Stream.runForEach(Stream.decodeText(content), (text) => Effect.sync(() => void (receivedText += text)))
      )
      assert.isTrue(Exit.isFailure(readExit))
      assert.include(receivedText, "lead99@north.example")

      yield* Effect.exit(caller.get(`/lists/${list}/export?format=csv`))
      const { logs } = yield* Server
      const line = logs.find((line) => line.includes("An answer broke off")) ?? ""
      assert.match(line, /req_[\w-]+/)
      assert.include(line, "/lists/:id/export")
      assert.notInclude(line, "north.example")
    }).pipe(withServer())
  )

  it.live("is named after its list, whatever the name contains", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* Campaigns.callerWithCampaign()
      for (const list_name of ['a"; filename="x.exe', "../../../etc/passwd", "\r\nX-Evil: 1", "張", "x".repeat(200)]) {
        const list = yield* startBatch(caller, campaign, [lead], { list_name })
        yield* waitForList(caller, list)
        const { headers } = yield* caller.get(`/lists/${list}/export`)
        assert.match(headers.get("content-disposition") ?? "", /^attachment; filename="[\w-][\w.-]{0,84}\.csv"$/)
        assert.isNull(headers.get("x-evil"))
      }
    }).pipe(withServer())
  )

  it.live("of many leads is complete", () =>
    Effect.gen(function* () {
      const { campaign, caller } = yield* Campaigns.callerWithCampaign()
      const list = yield* startBatch(caller, campaign, makeLeads(1201))
      yield* waitForList(caller, list)
      const { text } = yield* caller.get(`/lists/${list}/export`)
      const emails = text.match(/^lead\d+@/gm) ?? []
      assert.deepStrictEqual(
        emails.map(String),
        makeLeads(1201).map((_, i) => `lead${i}@`)
      )
      assert.lengthOf(yield* exportLeads(caller, list), 1201)
      yield* assertConsistent
    }).pipe(withServer({ concurrency: 64 }))
  )
})
