// test/program/lead-files.test.ts: workbooks of leads and the suppression list on the command line.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { command, commandJson } from "#test/support/command.ts"
import { onboardedWorkspace, assertConsistent } from "#test/support/program-workspace.ts"
import { temporaryFolder, serve } from "#test/support/process.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"
import { xlsx } from "#test/support/workbooks.ts"

/** A server with a campaign that is ready, and a folder with settings to call it from. */
const desk = Effect.gen(function* () {
  const { data, key } = yield* onboardedWorkspace
  const server = yield* serve(data)
  const cwd = yield* temporaryFolder
  writeFileSync(`${cwd}/.env`, `OVERTURE_URL=${server.url}\nOVERTURE_API_KEY=${key}\n`)
  const overture = (...args: ReadonlyArray<string>) => command(cwd, ...args)
  const json = (...args: ReadonlyArray<string>) => commandJson(cwd, ...args)
  return { data, cwd, overture, json, campaign: yield* buildCampaign(apiClient(server.url, key)) }
})

const options = ["--email-count", "1", "--signature", "Piotr"]

describe("generate", () => {
  it.live("reads the first sheet of a workbook, or the named one, and leaves suppressed leads out", () =>
    Effect.gen(function* () {
      const { campaign, cwd, data, json, overture } = yield* desk
      const file = `${cwd}/fair.xlsx`
      writeFileSync(
        file,
        xlsx({
          Notes: [["Nothing", "here"]],
          Leads: [
            ["E-Mail", "Name", "Firma"],
            ["jo@brandt.example", "Jürgen Weiß", "Brandt Tee"],
            ["kim@osei.example", "Kim Osei", "Osei"]
          ]
        })
      )
      const of = ["generate", file, "--campaign", campaign, ...options]
      const without = yield* overture(...of, "--dry-run")
      assert.strictEqual(without.code, 1)
      assert.match(without.stderr, /No column holds email addresses|nothing below it/)
      assert.match((yield* overture(...of, "--sheet", "Other")).stderr, /no sheet "Other".*"Notes", "Leads"/)

      assert.deepStrictEqual(yield* json("suppressions", "add", "KIM@osei.example", "--reason", "Asked"), {
        added: 1,
        already: 0
      })
      const out = `${cwd}/emails.csv`
      const done = yield* json(...of, "--sheet", "Leads", "--out", out)
      assert.deepInclude(done, { leads: 2, failed: 0, skipped: 1, credits: 1 })
      const csv = readFileSync(out, "utf8")
      assert.include(csv, "jo@brandt.example,Jürgen Weiß")
      assert.notInclude(csv, "osei")

      writeFileSync(`${cwd}/none.xlsx`, "Email\na@b.example")
      const none = yield* overture("generate", `${cwd}/none.xlsx`, "--campaign", campaign, ...options)
      assert.match(none.stderr, /is named \.xlsx/)
      writeFileSync(`${cwd}/fair.tsv`, "Email\tName\njo@brandt.example\tJo")
      const again = yield* overture(
        "generate",
        `${cwd}/fair.tsv`,
        "--campaign",
        campaign,
        ...options,
        "--skip-written",
        "campaign"
      )
      assert.match(again.stderr, /no lead remains to write to: 1 is in another list already/)
      const included = yield* json(
        "generate",
        `${cwd}/fair.tsv`,
        "--campaign",
        campaign,
        ...options,
        "--skip-written",
        "campaign",
        "--include",
        "JO@brandt.example",
        "--out",
        `${cwd}/included.csv`
      )
      assert.deepInclude(included, { leads: 1, failed: 0, credits: 1 })
      writeFileSync(
        `${cwd}/marked.csv`,
        "Email,Exclude\nida@north.example,yes\nbo@west.example,x\ncy@east.example,no\n"
      )
      const marked = ["generate", `${cwd}/marked.csv`, "--campaign", campaign, ...options, "--dry-run"]
      const { stderr, stdout } = yield* overture(...marked)
      assert.include(stderr, 'line 2 (ida@north.example): the column "Exclude" says "yes"')
      assert.include(stdout, "1 lead would be written to")
      assert.include(
        (yield* overture(...marked, "--include", "IDA@north.example")).stdout,
        "2 leads would be written to"
      )
      yield* assertConsistent(data)
    })
  )
})

describe("suppressions", () => {
  it.live("are added from a file, listed, exported and removed", () =>
    Effect.gen(function* () {
      const { cwd, json, overture } = yield* desk
      writeFileSync(
        `${cwd}/stop.csv`,
        "\uFEFFEmail;Since\r\nkim@osei.example;May\r\n\r\nhollowell.example;June\r\nKIM@osei.example;\r\n"
      )
      assert.deepStrictEqual(yield* json("suppressions", "add", "--file", `${cwd}/stop.csv`), { added: 2, already: 1 })
      const { suppressions, total } = yield* json("suppressions", "--kind", "domain")
      assert.deepStrictEqual([total, suppressions[0].value], [1, "hollowell.example"])
      yield* json("suppressions", "export", "--out", `${cwd}/all.csv`)
      assert.match(readFileSync(`${cwd}/all.csv`, "utf8"), /^value,kind,reason,created_at\r\n/)
      // What was exported can be added again.
      assert.deepStrictEqual(yield* json("suppressions", "add", "--file", `${cwd}/all.csv`), { added: 0, already: 2 })
      assert.deepStrictEqual(yield* json("suppressions", "add", "--company", "Hollowell Foods GmbH"), {
        added: 1,
        already: 0
      })
      yield* json("suppressions", "export", "--out", `${cwd}/companies.csv`)
      assert.deepStrictEqual(yield* json("suppressions", "add", "--file", `${cwd}/companies.csv`), {
        added: 0,
        already: 3
      })
      assert.isTrue((yield* json("suppressions", "delete", "Hollowell Foods")).deleted)
      assert.isTrue((yield* json("suppressions", "delete", "@Hollowell.example")).deleted)
      assert.match(
        (yield* overture("suppressions", "delete", "hollowell.example")).stderr,
        /not on the suppression list/
      )
      writeFileSync(`${cwd}/wrong.txt`, "kim@osei.example\nnot an address\n")
      assert.match(
        (yield* overture("suppressions", "add", "--file", `${cwd}/wrong.txt`)).stderr,
        /1 line is neither.*line 2/
      )
      assert.match((yield* overture("suppressions", "add", "nowhere")).stderr, /must be an email address/)
      assert.match((yield* overture("suppressions", "add")).stderr, /Give an email address/)
    })
  )
})
