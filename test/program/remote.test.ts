// test/program/remote.test.ts: the commands that send requests to a server over loopback. Some run as separate processes.
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { parseLeadFile } from "#schema/lead-files/Parser.ts"
import { command, commandJson } from "#test/support/command.ts"
import { onboardedWorkspace, ledgerOf, assertConsistent } from "#test/support/program-workspace.ts"
import { listen } from "#test/support/listening.ts"
import { runSql, temporaryFolder, runProgram, serve, startProgram } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

const file = [
  "E-Mail,Full Name,Job Title,Company,Notes",
  "ann@north.example,Ann Maria Lee,Plant Director,North Ltd,x",
  "bo@south.example,Bo,COO,South Ltd,x",
  "ann@north.example,Ann Lee,Plant Director,North Ltd,x",
  "nowhere,Cy,COO,East Ltd,x",
  "dee@=west.example,Dee,COO,West,x",
  "eve@west.example,Eve =HYPERLINK(1),COO,+West,x"
].join("\n")

const options = ["--email-count", "2", "--signature", "Piotr\\nKestrel Pumps"]

/** A server with a workspace, and a folder with a file of leads to call it from. */
const startServerWithLeadFile = (env: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const { data, key, workspace } = yield* onboardedWorkspace
    const server = yield* serve(data, env)
    const cwd = yield* temporaryFolder
    writeFileSync(`${cwd}/fair.csv`, file)
    const settings = { OVERTURE_URL: server.url, OVERTURE_API_KEY: key }
    const leads = `${cwd}/fair.csv`
    // Most commands run in this process, and find their settings in the .env file of their directory.
    writeFileSync(`${cwd}/.env`, `OVERTURE_URL=${server.url}\nOVERTURE_API_KEY=${key}\n`)
    const overture = (...args: ReadonlyArray<string>) => command(cwd, ...args)
    const json = (...args: ReadonlyArray<string>) => commandJson(cwd, ...args)
    const readCharges = Effect.map(ledgerOf(data, workspace), ({ entries }) =>
      entries.filter(({ kind }) => kind === "capture").map(({ amount }) => amount)
    )
    return { data, key, server, cwd, leads, settings, overture, json, readCharges, api: apiClient(server.url, key) }
  })

/** Asserts that a command exits with 1, prints one line with `expectedText` to stderr, and nothing to stdout. */
const assertFailsWithOneLine = Effect.fnUntraced(function* (
  expectedText: string,
  run: Effect.Effect<
    { readonly code: number | null; readonly stdout: string; readonly stderr: string },
    never,
    Scope.Scope
  >
) {
  const { code, stderr, stdout } = yield* run
  assert.deepStrictEqual([code, stdout], [1, ""], stderr)
  assert.match(stderr, /^[^\n]+\n$/)
  assert.include(stderr, expectedText)
})

interface ProxyBehaviour {
  /** Answers a request in place of the server; false if it is passed on. */
  readonly answerInstead: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Whether the server's response is dropped. */
  readonly dropsResponse: (request: IncomingMessage) => boolean
}

/** A proxy in front of the server that answers some requests itself, or drops the responses. */
const startProxy = Effect.fnUntraced(function* (
  url: string,
  { answerInstead = () => false, dropsResponse = () => false }: Partial<ProxyBehaviour>
) {
  const requests: Array<string> = []
  const server = createServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url?.split("?")[0]}`)
    if (answerInstead(incoming, response)) return
    const { method = "", headers } = incoming
    const forwardedRequest = request(`${url}${incoming.url}`, { method, headers, agent: false }, (answer) => {
      if (dropsResponse(incoming)) {
        answer.resume().on("end", () => response.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    forwardedRequest.on("error", () => response.destroy())
    incoming.pipe(forwardedRequest)
  })
  const { close, port } = yield* listen(server)
  return { url: `http://127.0.0.1:${port}`, requests, close }
})

describe("the commands that send requests to a server", () => {
  it.live(
    "build a campaign, write to a file of leads once, and export the emails",
    () =>
      Effect.gen(function* () {
        const { api, readCharges, cwd, data, json, leads, overture, settings } = yield* startServerWithLeadFile()
        const campaign = yield* json("campaign", "build", "--name", "Spring", "--auto")
        assert.deepStrictEqual(campaign, { id: campaign.id, overall: "ready" })
        const status = yield* api.send("GET", `/campaigns/${campaign.id}/build-status`)
        assert.strictEqual(status.body.overall, "ready")
        const generateFlags = ["--campaign", campaign.id, ...options]
        const outFlags = (name: string) => ["--out", `${cwd}/${name}`]

        const dryRun = yield* overture("generate", leads, ...generateFlags, "--dry-run")
        assert.strictEqual(dryRun.code, 0, dryRun.stderr)
        for (const line of [
          'email ← "E-Mail"',
          'custom.notes ← "Notes"',
          "3 rows left out",
          "line 4 (ann@north.example): same address as line 2"
        ]) {
          assert.include(dryRun.stderr, line)
        }
        assert.include(dryRun.stdout, "3 credits at most")
        // Escape sequences in a file or its name do not reach the terminal.
        const fileWithEscapes = `${cwd}/sly\u001b[2J.csv`
        writeFileSync(fileWithEscapes, "email,No\u001b[2Jtes\nann@north.example,x\n")
        assert.notInclude(
          (yield* overture("generate", fileWithEscapes, ...generateFlags, "--dry-run")).stderr,
          "\u001b"
        )
        const { routes, ...sums } = yield* json("generate", leads, ...generateFlags, "--dry-run")
        assert.strictEqual(
          routes.reduce((sum: number, route: { readonly leads: number }) => sum + route.leads, 0),
          3
        )
        for (const { persona, reasons } of routes) {
          assert.isNotEmpty(reasons)
          assert.include(dryRun.stdout, persona)
          for (const reason of reasons) assert.include(dryRun.stdout, reason)
        }
        assert.deepStrictEqual(sums, {
          dry_run: true,
          leads: 3,
          left_out: 3,
          credits: 3,
          balance: 5000,
          sufficient: true,
          list_id: null
        })
        const enrichedRun = yield* overture("generate", leads, ...generateFlags, "--enrich", "--dry-run")
        assert.include(enrichedRun.stderr, "The server writes without a model: research is listed with each lead")
        assert.include(enrichedRun.stdout, "6 credits at most")
        assert.strictEqual((yield* json("lists")).total, 0)

        const firstList = yield* json("generate", leads, ...generateFlags, ...outFlags("first.csv"))
        assert.deepStrictEqual(firstList, { list_id: firstList.list_id, leads: 3, failed: 0, credits: 3 })
        const found = yield* json("lists", "find", "ANN@north.example")
        assert.deepStrictEqual([found.total, found.leads[0].list_id], [1, firstList.list_id])
        // The list names the rows that gave no lead, and earlier versions' batches have the same mark.
        const omitted = yield* json("lists", "omitted-rows", firstList.list_id)
        assert.deepStrictEqual(omitted, {
          omitted_rows: [
            {
              line: 4,
              email: "ann@north.example",
              name: "Ann Lee",
              reason: "same address as line 2",
              by_hand: false
            },
            { line: 5, email: "nowhere", name: "Cy", reason: '"nowhere" is not a valid email address', by_hand: false },
            {
              line: 6,
              email: "dee@=west.example",
              name: "Dee",
              reason: '"dee@=west.example" is not a valid email address',
              by_hand: false
            }
          ],
          has_more: false,
          total: 3
        })
        const secondPage = yield* overture("lists", "omitted-rows", firstList.list_id, "--limit", "1", "--offset", "1")
        assert.match(secondPage.stdout, /^LINE +EMAIL +NAME +REASON\n5 +nowhere +Cy +"nowhere" is not [^\n]+\n$/)
        const parsed = yield* parseLeadFile(new TextEncoder().encode(readFileSync(leads, "utf8")))
        const marked = [campaign.id, parsed.leads, { email_count: 2, email_signature: "Piotr\\nKestrel Pumps" }]
        const mark = createHash("sha256").update(JSON.stringify(marked)).digest("hex").slice(0, 16)
        const { custom_name } = (yield* api.send("GET", `/lists/${firstList.list_id}`)).body
        assert.strictEqual(custom_name, `fair [${mark}]`)
        const csv = readFileSync(`${cwd}/first.csv`, "utf8")
        assert.strictEqual(csv, (yield* api.send("GET", `/lists/${firstList.list_id}/export`)).body)
        assert.lengthOf(csv.match(/^(ann|bo|eve)@/gm) ?? [], 3)
        assert.deepStrictEqual(yield* readCharges, [-1, -1, -1])

        // The same request returns the same list, whatever the output file is called.
        const secondRun = yield* runProgram(cwd, settings, "generate", "fair.csv", ...generateFlags)
        assert.strictEqual(secondRun.code, 0, secondRun.stderr)
        assert.include(secondRun.stderr, firstList.list_id)
        assert.strictEqual(secondRun.stdout, "3 leads written to, 0 failed, 3 credits\nfair-emails.csv\n")
        assert.strictEqual(readFileSync(`${cwd}/fair-emails.csv`, "utf8"), csv)
        assert.deepStrictEqual(
          (yield* json("generate", leads, ...generateFlags, "--dry-run")).list_id,
          firstList.list_id
        )
        assert.lengthOf(yield* readCharges, 3)
        // Other leads, other options and --again each make another list.
        const otherFile = `${cwd}/fay.csv`
        writeFileSync(otherFile, "email\nfay@east.example\n")
        const otherList = yield* json("generate", otherFile, ...generateFlags, ...outFlags("other.csv"))
        const shorterFlags = ["--campaign", campaign.id, "--email-count", "1", "--signature", "P"]
        const shorterList = yield* json("generate", otherFile, ...shorterFlags, ...outFlags("shorter.csv"))
        const repeatedList = yield* json("generate", leads, ...generateFlags, "--again", ...outFlags("again.csv"))
        assert.lengthOf(new Set([firstList, otherList, shorterList, repeatedList].map(({ list_id }) => list_id)), 4)
        assert.lengthOf(yield* readCharges, 8)

        // An existing file is not overwritten, and no credit is spent on emails that cannot be saved.
        const refusedRun = yield* overture("generate", leads, ...generateFlags, "--again", ...outFlags("first.csv"))
        assert.strictEqual(refusedRun.code, 1)
        assert.include(refusedRun.stderr, "first.csv is there already")
        yield* assertFailsWithOneLine(
          "first.csv is there already",
          overture("export", firstList.list_id, ...outFlags("first.csv"))
        )
        assert.lengthOf(yield* readCharges, 8)
        assert.strictEqual(readFileSync(`${cwd}/first.csv`, "utf8"), csv)

        const preview = yield* json("preview", leads, ...generateFlags)
        assert.strictEqual(preview.credits_charged, 5)
        assert.includeMembers(preview.headers, ["E-Mail", "Full Name", "Notes"])
        const listTable = yield* overture("lists", "--status", "completed", "--campaign", campaign.id)
        assert.lengthOf(listTable.stdout.match(/ completed /g) ?? [], 4)
        assert.include(listTable.stdout, "fair [")
        const { body } = yield* api.send("GET", `/lists/${firstList.list_id}`)
        assert.deepStrictEqual(yield* json("lists", "show", firstList.list_id), body)
        yield* assertFailsWithOneLine("no pending batch", overture("lists", "resume", firstList.list_id))
        yield* assertFailsWithOneLine("--yes", overture("lists", "delete", firstList.list_id))
        const deletion = { id: otherList.list_id, deleted: true }
        assert.deepStrictEqual(yield* json("lists", "delete", otherList.list_id, "--yes"), deletion)
        yield* assertFailsWithOneLine("No such list", overture("lists", "show", otherList.list_id))

        const exportRun = yield* runProgram(cwd, settings, "export", firstList.list_id)
        assert.deepStrictEqual(exportRun, { code: 0, stdout: csv, stderr: "" })
        const exportWithoutReader = yield* startProgram(cwd, settings, "export", firstList.list_id)
        exportWithoutReader.child.stdout?.destroy()
        const exportResult = yield* exportWithoutReader.exited
        assert.deepStrictEqual(
          [exportResult.code, exportResult.stderr],
          [1, "What was to read this stopped before its end\n"]
        )
        const file = yield* json("export", firstList.list_id, "--format", "json", ...outFlags("emails.json"))
        assert.deepStrictEqual(file, { list_id: firstList.list_id, file: `${cwd}/emails.json` })
        assert.lengthOf(JSON.parse(readFileSync(file.file, "utf8")).leads, 3)
        const steps = "step_1_subject,step_1_body,step_2_subject,step_2_body"
        const columns: { readonly [preset: string]: string } = {
          instantly: `email,first_name,last_name,job_title,company_name,linkedin_url,website,${steps},custom_notes`,
          smartlead: `email,first_name,last_name,title,company_name,linkedin_profile,website,${steps},custom_notes`,
          lemlist:
            "email,firstName,lastName,jobTitle,companyName,linkedinUrl,companyWebsite,step1Subject,step1Body,step2Subject,step2Body,customNotes"
        }
        for (const [preset, header] of Object.entries(columns)) {
          yield* json("export", firstList.list_id, "--preset", preset, ...outFlags(`${preset}.csv`))
          const text = readFileSync(`${cwd}/${preset}.csv`, "utf8")
          assert.strictEqual(text.split("\r\n")[0], header)
          assert.include(text, "\r\nann@north.example,Ann,Maria Lee,Plant Director,North Ltd,")
          // A formula that now starts a cell is still escaped.
          assert.include(text, "\r\neve@west.example,Eve,'=HYPERLINK(1),COO,'+West,")
          assert.include(text, "\r\nbo@south.example,Bo,,COO,South Ltd,")
          const emails = (text: string) => text.match(/(?<=,)"Hi [^"]*"/g)
          assert.deepStrictEqual(emails(text), emails(csv))
        }
        yield* assertConsistent(data)
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "resume a list after Ctrl-C, and charge each lead once",
    () =>
      Effect.gen(function* () {
        const { api, readCharges, cwd, data, json, leads, overture, server, settings } = yield* startServerWithLeadFile(
          {
            OVERTURE_ROLE: "api"
          }
        )
        const campaign = yield* Effect.scoped(
          Effect.gen(function* () {
            yield* serve(data, { OVERTURE_ROLE: "worker", OVERTURE_PUBLIC_URL: server.url })
            return yield* buildCampaign(api)
          })
        )
        // No worker runs, so the command would wait forever.
        const generate = ["generate", leads, "--campaign", campaign, ...options]
        const outputFile = `${cwd}/fair-emails.csv`
        const interruptedRun = yield* startProgram(cwd, settings, ...generate)
        yield* until(Effect.sync(interruptedRun.stderr), (text) => text.includes("after Ctrl-C"))
        const lists = (yield* api.send("GET", "/lists")).body
        assert.strictEqual(lists.total, 1)
        const [{ id }] = lists.lists
        interruptedRun.child.kill("SIGINT")
        const { code, stdout } = yield* interruptedRun.exited
        assert.deepStrictEqual([code, stdout], [130, ""])
        assert.isFalse(existsSync(outputFile))
        assert.strictEqual((yield* json("lists")).lists[0].progress.leads_total, 3)

        // The list was parked in the meantime, as when credits run out.
        yield* runSql(data, "UPDATE jobs SET status = 'parked'", "UPDATE lists SET processing_status = 'pending'")
        yield* serve(data, { OVERTURE_ROLE: "worker", OVERTURE_PUBLIC_URL: server.url })
        assert.strictEqual((yield* api.send("GET", `/lists/${id}`)).body.processing_status, "pending")
        const resumedRun = yield* json(...generate, "--out", outputFile)
        assert.deepStrictEqual(resumedRun, { list_id: id, leads: 3, failed: 0, credits: 3 })
        assert.deepStrictEqual(yield* readCharges, [-1, -1, -1])
        assert.strictEqual((yield* json("lists")).total, 1)
        assert.isTrue(existsSync(outputFile))
        const repeatedRun = yield* overture(...generate, "--out", `${cwd}/once-more.csv`)
        assert.strictEqual(repeatedRun.code, 0, repeatedRun.stderr)
        assert.lengthOf(yield* readCharges, 3)
        yield* assertConsistent(data)
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "send leads once, also when the answer is lost, and poll when the event stream fails",
    () =>
      Effect.gen(function* () {
        const { api, readCharges, cwd, data, server, settings } = yield* startServerWithLeadFile()
        const campaign = yield* buildCampaign(api)
        const isBatch = ({ url = "" }: IncomingMessage) => url.endsWith("/generate-batch")
        const proxy = yield* startProxy(server.url, {
          dropsResponse: isBatch,
          answerInstead: ({ url = "" }, response) => {
            // A server of an earlier version checks no leads.
            if (url.endsWith("/lead-files")) {
              response.writeHead(404, { "content-type": "application/json" }).end('{"error":"NOT_FOUND"}')
              return true
            }
            if (!url.endsWith("/events")) return false
            response.writeHead(502, { "content-type": "text/html" }).end("<p>Bad gateway</p>")
            return true
          }
        })
        const env = { ...settings, OVERTURE_URL: proxy.url }
        const generateRun = yield* runProgram(
          cwd,
          env,
          "generate",
          "fair.csv",
          "--campaign",
          campaign,
          ...options,
          "--json"
        )
        assert.strictEqual(generateRun.code, 0, generateRun.stderr)
        const { list_id } = JSON.parse(generateRun.stdout)
        assert.deepStrictEqual(JSON.parse(generateRun.stdout), { list_id, leads: 3, failed: 0, credits: 3 })
        assert.lengthOf(
          proxy.requests.filter((call) => call.endsWith("/generate-batch")),
          1
        )
        assert.strictEqual((yield* api.send("GET", "/lists")).body.total, 1)
        assert.lengthOf(yield* readCharges, 3)
        yield* assertConsistent(data)
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "fail with one line that says what to do",
    () =>
      Effect.gen(function* () {
        const { cwd, json, leads, overture, settings } = yield* startServerWithLeadFile()
        const { OVERTURE_URL } = settings
        const listListsOf = (url: string, key = settings.OVERTURE_API_KEY) =>
          Effect.gen(function* () {
            const otherFolder = yield* temporaryFolder
            writeFileSync(`${otherFolder}/.env`, `OVERTURE_URL=${url}\nOVERTURE_API_KEY=${key}\n`)
            return yield* command(otherFolder, "lists")
          })
        writeFileSync(`${cwd}/empty.csv`, "email,name\n")
        const generate = ["generate", leads, "--campaign", "01890000-0000-7000-8000-000000000000"]
        yield* assertFailsWithOneLine("Set OVERTURE_API_KEY", runProgram(cwd, { OVERTURE_URL }, "lists"))
        yield* assertFailsWithOneLine("does not know the key in OVERTURE_API_KEY", listListsOf(OVERTURE_URL, "ovk_no"))
        yield* assertFailsWithOneLine("No server answers", listListsOf("http://127.0.0.1:1"))
        yield* assertFailsWithOneLine("OVERTURE_URL is not a URL", listListsOf("here"))
        const otherServer = yield* startProxy(OVERTURE_URL, {
          answerInstead: (_, response) => {
            response.writeHead(200, { "content-type": "text/html" }).end("<p>Welcome</p>")
            return true
          }
        })
        yield* assertFailsWithOneLine("not an Overture server", listListsOf(otherServer.url))
        // A foreign folder may name its server. The command must not send it the key of the environment.
        const foreignFolder = yield* temporaryFolder
        mkdirSync(`${foreignFolder}/data`)
        writeFileSync(`${foreignFolder}/data/.env`, `OVERTURE_URL=${otherServer.url}\nOVERTURE_API_KEY=ovk_no\n`)
        const requestCount = otherServer.requests.length
        const { OVERTURE_API_KEY } = settings
        for (const name of ["lists", "mcp"]) {
          yield* assertFailsWithOneLine(
            "OVERTURE_URL in ./data/.env",
            runProgram(foreignFolder, { OVERTURE_API_KEY }, name)
          )
        }
        assert.lengthOf(otherServer.requests, requestCount)
        // The URL of the environment has priority over that of the file.
        assert.strictEqual((yield* runProgram(foreignFolder, settings, "lists")).code, 0)
        // A named pipe instead of the .env file must not block the command.
        const folderWithPipe = yield* temporaryFolder
        mkdirSync(`${folderWithPipe}/data`)
        execFileSync("mkfifo", [`${folderWithPipe}/data/.env`])
        yield* assertFailsWithOneLine("is not a file of settings", runProgram(folderWithPipe, settings, "lists"))
        yield* assertFailsWithOneLine("--signature", overture(...generate, "--email-count", "2"))
        yield* assertFailsWithOneLine("--signature", overture(...generate, ...options, "--signature-id", "x"))
        yield* assertFailsWithOneLine("from 1 to 4", overture(...generate, "--email-count", "5", "--signature", "A"))
        yield* assertFailsWithOneLine(
          "Cannot read",
          overture("generate", "absent.csv", ...generate.slice(2), ...options)
        )
        yield* assertFailsWithOneLine(
          "nothing below it",
          overture("generate", `${cwd}/empty.csv`, ...generate.slice(2), ...options)
        )
        yield* assertFailsWithOneLine("--auto", overture("campaign", "build", "--name", "Spring"))
        yield* assertFailsWithOneLine(
          "no target audience nowhere",
          overture("campaign", "build", "--name", "S", "--auto", "--segment", "nowhere")
        )
        yield* assertFailsWithOneLine(
          "--format json",
          overture("export", generate[3] ?? "", "--format", "json", "--preset", "lemlist")
        )
        yield* assertFailsWithOneLine("--out FILE", overture("export", generate[3] ?? "", "--json"))
        yield* assertFailsWithOneLine("UUID", overture("export", "x"))
        yield* assertFailsWithOneLine("No such list", overture("export", "01890000-0000-7000-8000-000000000000"))
        const unknownCampaign = yield* overture(...generate, ...options, "--json")
        assert.deepStrictEqual([unknownCampaign.code, unknownCampaign.stdout], [1, ""])
        assert.match(unknownCampaign.stderr, /No such campaign[^\n]*\n$/)
        assert.isFalse(existsSync(`${cwd}/data`))
        assert.deepStrictEqual(yield* json("lists"), { lists: [], has_more: false, total: 0 })
      }).pipe(Effect.scoped),
    240_000
  )
})
