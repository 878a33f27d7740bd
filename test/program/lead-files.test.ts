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
  const { data, key, workspace } = yield* onboardedWorkspace
  const server = yield* serve(data)
  const cwd = yield* temporaryFolder
  writeFileSync(`${cwd}/.env`, `OVERTURE_URL=${server.url}\nOVERTURE_API_KEY=${key}\n`)
  const overture = (...args: ReadonlyArray<string>) => command(cwd, ...args)
  const json = (...args: ReadonlyArray<string>) => commandJson(cwd, ...args)
  return { data, workspace, cwd, overture, json, campaign: yield* buildCampaign(apiClient(server.url, key)) }
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

  it.live("names before the cost what to look at among the leads, and counts no lead that it leaves out", () =>
    Effect.gen(function* () {
      const { campaign, cwd, data, json, overture, workspace } = yield* desk
      const addresses = [
        "info@north.example",
        "kim@mailinator.com",
        "bo@gmial.com",
        "jo@west.example",
        "stop@osei.example"
      ]
      writeFileSync(`${cwd}/fair.csv`, ["Email", ...addresses].join("\n"))
      yield* json("suppressions", "add", "stop@osei.example")
      const generate = (...flags: ReadonlyArray<string>) =>
        ["generate", `${cwd}/fair.csv`, "--campaign", campaign, ...options, ...flags] as const
      const warnings = [
        "1 lead on the suppression list, left out",
        "1 lead with an address whose domain looks mistyped",
        "1 lead with a shared mailbox, such as info@",
        "1 lead with a throw-away address"
      ]
      const block = `Look at these before you write to them:\n${warnings.map((line) => `  ${line}\n`).join("")}`

      const dryRun = yield* overture(...generate("--dry-run"))
      assert.include(dryRun.stderr, block)
      assert.include(dryRun.stdout, "4 leads would be written to, 1 emails each\n1 lead would be left out\n")
      assert.include(dryRun.stdout, "It costs 4 credits at most")
      assert.deepInclude(yield* json(...generate("--dry-run")), { leads: 4, left_out: 0, skipped: 1, credits: 4 })

      // A key that may not read lead files writes all the same.
      const scopes = "campaigns:read,campaigns:write,lists:read,credits:read"
      const weakKey = yield* commandJson(data, "key", "create", "--workspace", workspace, "--scopes", scopes)
      const weakFolder = yield* temporaryFolder
      writeFileSync(
        `${weakFolder}/.env`,
        readFileSync(`${cwd}/.env`, "utf8").replace(/API_KEY=.*/, `API_KEY=${weakKey.key}`)
      )
      const weakRun = yield* command(weakFolder, ...generate("--dry-run"))
      assert.notInclude(weakRun.stderr, "Look at these")
      assert.include(weakRun.stdout, "It costs 5 credits at most")

      const run = yield* overture(...generate("--out", `${cwd}/emails.csv`))
      assert.include(run.stderr, `${block}List `)
      assert.include(run.stdout, "4 leads written to, 0 failed, 1 left out, 4 credits")
      // Nothing is charged for a batch that exists, so there is nothing to look at.
      assert.notInclude((yield* overture(...generate("--dry-run"))).stderr, "Look at these")

      writeFileSync(`${cwd}/other.csv`, "Email\njo@west.example\nada@east.example")
      const other = (...flags: ReadonlyArray<string>) =>
        overture("generate", `${cwd}/other.csv`, "--campaign", campaign, ...options, "--dry-run", ...flags)
      const kept = yield* other()
      assert.include(kept.stderr, "1 lead in another list of this campaign\n")
      assert.include(kept.stdout, "2 credits at most")
      const skipped = yield* other("--skip-written", "campaign")
      assert.include(skipped.stderr, "1 lead in another list of this campaign, left out\n")
      assert.include(skipped.stdout, "1 credit at most")
      const included = yield* other("--skip-written", "campaign", "--include", "JO@west.example")
      assert.include(included.stdout, "2 credits at most")
      writeFileSync(`${cwd}/other.csv`, "Email\nstop@osei.example")
      const none = yield* other()
      assert.strictEqual(none.code, 1)
      assert.include(none.stderr, "Every lead would be left out, so the server would refuse the batch")
      yield* assertConsistent(data)
    })
  )

  it.live("adds the people who opted out in it to the suppression list, if asked", () =>
    Effect.gen(function* () {
      const { campaign, cwd, json, overture } = yield* desk
      writeFileSync(
        `${cwd}/fair.csv`,
        "Email,Unsubscribed\nkim@osei.example,2026-03-01\nbo@west.example,\nann@east.example,x"
      )
      const run = (...flags: ReadonlyArray<string>) =>
        overture(
          "generate",
          `${cwd}/fair.csv`,
          "--campaign",
          campaign,
          ...options,
          "--out",
          `${cwd}/${flags.length}.csv`,
          ...flags
        )
      const total = Effect.map(json("suppressions"), (page) => page.total)
      const hint = "2 people of the file opted out: --suppress-opt-outs adds them to the suppression list"
      assert.include((yield* run("--dry-run")).stderr, hint)
      const dryRun = yield* run("--dry-run", "--suppress-opt-outs")
      assert.include(dryRun.stderr, "2 people of the file opted out: would be added to the suppression list")
      assert.include((yield* run()).stderr, hint)
      assert.strictEqual(yield* total, 0)
      const added = yield* run("--suppress-opt-outs")
      assert.include(added.stderr, "2 people of the file opted out: 2 added to the suppression list, 0 on it already")
      const { suppressions } = yield* json("suppressions")
      assert.sameDeepMembers(
        suppressions.map(({ kind, reason, value }: any) => [kind, value, reason]),
        [
          ["address", "kim@osei.example", 'Opt-out in fair.csv: the column "Unsubscribed" says "2026-03-01"'],
          ["address", "ann@east.example", 'Opt-out in fair.csv: the column "Unsubscribed" says "x"']
        ]
      )
      assert.include(
        (yield* run("--suppress-opt-outs", "--again", "--include", "kim@osei.example")).stderr,
        "1 person of the file opted out: 0 added to the suppression list, 1 on it already"
      )
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
