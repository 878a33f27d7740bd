// test/program/demo.test.ts: the first steps of a new user: `npm run demo` with a file of leads, `serve --demo`, and the
// first start of a server.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Logger, Redacted, Stream } from "effect"
import { HttpServer } from "effect/http"
import { ChildProcess } from "effect/process"
import { spawnSync } from "node:child_process"
import { Readiness } from "#layers/operations/Readiness.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Generator } from "#layers/Generator.ts"
import { make as makeClient } from "#client/Client.ts"
import { leadFileExample, profile } from "#src/Demo.ts"
import { onboard, signatureOf } from "#src/OnboardWorkspace.ts"
import { type Plan, build } from "#client/Build.ts"
import * as Progress from "#client/Progress.ts"
import { RequestLog } from "#src/http/RequestLog.ts"
import { Server } from "#src/http/server/Server.ts"
import { Services } from "#src/services.ts"
import { BackgroundWorkers } from "#src/workers/BackgroundWorkers.ts"
import { fakeWriter } from "../support/writer.ts"
import * as Stores from "../support/store.ts"

const project = new URL("../..", import.meta.url).pathname
const textOf = <E>(stream: Stream.Stream<Uint8Array, E>) => stream.pipe(Stream.decodeText, Stream.mkString)

/** A program of the project, started in `cwd` and ended with the scope. */
const startProgram = (cwd: string, file: string, ...args: ReadonlyArray<string>) =>
  ChildProcess.make(process.execPath, [`${project}${file}`, ...args], {
    cwd,
    // As if called by hand, also when npm runs these tests.
    env: { INIT_CWD: undefined, npm_lifecycle_event: undefined },
    extendEnv: true,
    forceKillAfter: "10 seconds"
  })

const runDemo = Effect.fnUntraced(function* (cwd: string, ...args: ReadonlyArray<string>) {
  const { exitCode, stderr, stdout } = yield* startProgram(cwd, "scripts/demo.ts", ...args)
  const [code, out, err] = yield* Effect.all([exitCode, textOf(stdout), textOf(stderr)], { concurrency: 3 })
  return { code, out, err }
}, Effect.scoped)

const makeFolder = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  fs.makeTempDirectoryScoped({ prefix: "overture-test-" })
)

const messyLeadFile = `Fair contacts\r
E-Mail Address;Full Name;Job Title;Company Name;Notes\r
priya.nair@ashdown-foods.example;Priya Nair;Engineering Manager;Ashdown Foods;"said ""call me"""\r
not-an-address;Bob;CEO;Bobs;\r
 PRIYA.NAIR@ASHDOWN-FOODS.EXAMPLE;Priya;;;\r
;Nobody;;;\r
kenji@sakura.example;田中 健二;工場長;サクラ;\r
`

describe("npm run demo", () => {
  it.live("writes a messy file of leads to a file of emails", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* makeFolder
      yield* fs.writeFileString(`${cwd}/fair.csv`, messyLeadFile)
      yield* fs.writeFileString(`${cwd}/fair-emails.csv`, "mine")

      const { code, err, out } = yield* runDemo(cwd, "fair.csv", "--email-count", "2")
      assert.strictEqual(code, 0, err)
      for (const line of [
        'email ← "E-Mail Address"',
        'name ← "Full Name"',
        "company_website ← no column",
        'custom.notes ← "Notes"',
        "4 rows left out:",
        "line 6: no email address",
        "2 leads written to, 4 emails, 0 failed",
        `${cwd}/fair-emails-2.csv`
      ]) {
        assert.include(out, line)
      }
      assert.include(out, "Email 2 of 2")
      assert.notInclude(out + err, "ovk_")

      assert.strictEqual(yield* fs.readFileString(`${cwd}/fair-emails.csv`), "mine")
      const csv = yield* fs.readFileString(`${cwd}/fair-emails-2.csv`)
      const [header, ...rows] = csv.split("\r\n").filter((line) => line !== "")
      assert.strictEqual(
        header,
        "email,name,title,company,linkedin_url,company_website,step_1_subject,step_1_body,step_2_subject,step_2_body,custom_notes"
      )
      assert.deepStrictEqual(
        rows.map((row) => row.split(",", 1)[0]),
        ["priya.nair@ashdown-foods.example", "kenji@sakura.example"]
      )
      assert.include(csv, "\nNora Fairholt\nFounder\nFairholt Customs\n")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("prints what is missing and exits with 1, without a readable file", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* makeFolder
      yield* fs.writeFileString(`${cwd}/broken.json`, "{")
      yield* fs.writeFileString(`${cwd}/nobody.csv`, "email,name\nnowhere,Ann\n")
      const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [[], "Usage: npm run demo -- LEADS.csv"],
        [["missing.csv"], `Cannot read ${cwd}/missing.csv`],
        [["nobody.csv"], "no lead that can be written to"],
        [["nobody.csv", "--profile", "broken.json"], `${cwd}/broken.json is not a profile`]
      ]
      yield* Effect.forEach(
        cases,
        Effect.fnUntraced(function* ([args, message]) {
          const { code, err } = yield* runDemo(cwd, ...args)
          assert.strictEqual(code, 1)
          assert.include(err, message)
        }),
        { concurrency: "unbounded" }
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("serve --demo", () => {
  it("names npm only when the program runs from its repository", () => {
    const lines = (isExecutable: boolean) =>
      leadFileExample(isExecutable, "http://127.0.0.1:4000", "c1", Redacted.make("ovk_x")).join("\n")
    assert.include(lines(false), "npm run demo -- LEADS.csv")
    assert.notInclude(lines(true), "npm")
    assert.match(
      lines(true),
      /OVERTURE_URL='http:\/\/127.0.0.1:4000' OVERTURE_API_KEY='ovk_x' \\\n {2}overture generate LEADS.csv --campaign 'c1' /
    )
  })

  const isCurlInstalled = spawnSync("curl", ["--version"]).status === 0

  /** The output of a server up to the link to the docs. */
  const readGreeting = (data: string) =>
    startProgram(data, "src/main.ts", "serve", "--demo", "--port", "0", "--data-dir", data).pipe(
      Effect.flatMap(({ stdout }) =>
        stdout.pipe(
          Stream.decodeText,
          Stream.splitLines,
          Stream.takeUntil((line) => line.endsWith("/docs")),
          Stream.runCollect
        )
      )
    )

  it.live.skipIf(!isCurlInstalled)(
    "prints a key and a command that writes to one lead, but not on the next start",
    () =>
      Effect.gen(function* () {
        const data = yield* makeFolder
        yield* Effect.gen(function* () {
          const lines = yield* readGreeting(data)
          assert.match(lines[0] ?? "", /^Listening on http:\/\/127\.0\.0\.1:\d+$/)
          assert.isTrue(lines.some((line) => /^ovk_\w{46}$/.test(line)))
          assert.include(lines, "npm run demo -- LEADS.csv")
          const firstLine = lines.findIndex((line) => line.startsWith("curl "))
          const lastLine = lines.findIndex((line, i) => i >= firstLine && !line.endsWith("\\"))
          const command = `${lines.slice(firstLine, lastLine + 1).join("\n")} -w '\\n%{http_code}'`

          const { stdout } = yield* ChildProcess.make("sh", ["-c", command])
          const [body = "", status] = (yield* textOf(stdout)).split("\n")
          assert.strictEqual(status, "200", body)
          const { credits_remaining, sequence } = JSON.parse(body)
          assert.lengthOf(sequence, 3)
          assert.isTrue(sequence[0].body.includes("\nNora Fairholt\nFounder\n"))
          assert.strictEqual(credits_remaining, 0, "an unlimited plan has no balance")
        }).pipe(Effect.scoped)

        const secondGreeting = yield* readGreeting(data)
        assert.lengthOf(secondGreeting, 2)
        assert.match(secondGreeting[1] ?? "", /^API reference: http:\S+\/docs$/)
      }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("serve", () => {
  /** The output of a server that is started, answers one request, and is stopped. */
  const runServer = Effect.fnUntraced(function* (data: string) {
    const server = yield* startProgram(data, "src/main.ts", "serve", "--port", "0", "--data-dir", data)
    const lines: Array<string> = []
    yield* server.stdout.pipe(
      Stream.decodeText,
      Stream.splitLines,
      Stream.runForEach(
        Effect.fnUntraced(function* (line) {
          lines.push(line)
          if (!line.startsWith("Listening on ")) return
          yield* Effect.promise(() =>
            fetch(`${line.slice("Listening on ".length)}/readyz`, { headers: { connection: "close" } })
          )
          yield* server.kill({ killSignal: "SIGTERM" }).pipe(Effect.forkScoped)
        })
      )
    )
    return lines
  }, Effect.scoped)

  it.live("prints the next steps when the store has no workspace, and only then", () =>
    Effect.gen(function* () {
      const data = yield* makeFolder
      const [listeningLine = "", introduction = "", link = "", command = "", ...otherLines] = yield* runServer(data)
      assert.match(introduction, /^No workspace yet\. Open this link/)
      const address = listeningLine.slice("Listening on ".length)
      assert.match(link.replace(address, ""), /^\/#\/first-run\/ovl_[0-9A-Za-z]{46}$/)
      assert.match(command, /overture workspace create --name NAME --owner-email EMAIL$/)
      assert.deepStrictEqual(otherLines, [])
      const create = ["workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example"]
      const creation = yield* startProgram(data, "src/main.ts", ...create, "--data-dir", data)
      assert.strictEqual(yield* creation.exitCode, 0)
      assert.lengthOf(yield* runServer(data), 1)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})

describe("building over HTTP", () => {
  const serverLayer = (writer: Partial<Generator["Service"]>) =>
    Server({ host: "127.0.0.1", port: 0, rate: undefined }).pipe(
      Layer.provide([BackgroundWorkers({ concurrency: 1 }), Readiness.layer(".")]),
      Layer.provide([Layer.succeed(Generator, { ...fakeWriter, ...writer }), RequestLog.layerNone]),
      Layer.provideMerge(Services.pipe(Layer.provideMerge(Stores.store))),
      Layer.provide(Logger.layer([]))
    )

  const buildOverHttp = Effect.fnUntraced(function* (plan: Partial<Plan> = {}) {
    const baseUrl = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
    const { key } = yield* onboard({ name: "Test", plan: "growth", details: profile })
    const client = yield* makeClient({ baseUrl, key })
    const steps: Array<string> = []
    const onStep = (step: string) => Effect.sync(() => void steps.push(step))
    const result = yield* Effect.result(build(client, { name: "Spring", onStep, ...plan }))
    return { built: result, steps }
  })

  it.live("selects the first options of each type, and none where there are none", () =>
    Effect.gen(function* () {
      const { built, steps } = yield* buildOverHttp()
      assert.strictEqual(built._tag, "Success")
      assert.deepStrictEqual(steps, [
        "Campaign: Spring",
        "Target audience: Mines",
        "Social proof: none",
        "Lead magnet: lead_magnet one; lead_magnet two",
        "Risk reversal: risk_reversal one; risk_reversal two",
        "Value propositions: Save time; Save money; Sleep well",
        "Ready to write"
      ])
    }).pipe(
      Effect.provide(
        serverLayer({
          options: (profile, type) => (type === "social_proof" ? Effect.succeed([]) : fakeWriter.options(profile, type))
        })
      )
    )
  )

  const failGeneration = () => Effect.fail(new GenerationFailed({ message: "The model refused", transient: false }))

  for (const step of ["audienceResearch", "valuePropositions", "emailInstructions"] as const) {
    it.live(`reports the reason when ${step} fails`, () =>
      Effect.gen(function* () {
        const { built, steps } = yield* buildOverHttp()
        assert.strictEqual(built._tag, "Failure")
        if (built._tag === "Failure") assert.match(built.failure.message, /: The model refused$/)
        assert.notInclude(steps, "Ready to write")
      }).pipe(Effect.provide(serverLayer({ [step]: failGeneration })))
    )
  }

  it.live("reports a missing target audience and a build that takes too long", () =>
    Effect.gen(function* () {
      const { built: unknownAudience } = yield* buildOverHttp({ segment: "nowhere" })
      assert.strictEqual(
        unknownAudience._tag === "Failure" && unknownAudience.failure.message,
        "The workspace has no target audience nowhere"
      )
      const { built: timedOut } = yield* buildOverHttp({ limit: "1 milli" })
      assert.strictEqual(timedOut._tag === "Failure" && timedOut.failure.message, "The campaign took too long to build")
    }).pipe(Effect.provide(serverLayer({})))
  )
})

describe("the progress of a batch", () => {
  it.effect("is a bar on a terminal, cut to its width, and at first nothing elsewhere", () =>
    Effect.gen(function* () {
      const output: Array<string> = []
      const write = (text: string) => output.push(text)
      const counts = { leads_total: 200, leads_done: 99, leads_failed: 1 }
      yield* (yield* Progress.make({ write })).show(counts)
      assert.deepStrictEqual(output, [])
      yield* (yield* Progress.make({ isTTY: true, columns: 60, write })).show(counts)
      assert.strictEqual(output[0], `\r\u001b[2K${"█".repeat(15)}${"░".repeat(15)} 50%  100 of 200 leads, 1 fai`)
    })
  )

  it("shows the two largest units of a duration", () => {
    assert.deepStrictEqual([0, 7100, 130_000, 3_900_000].map(Progress.timeOf), [
      "0 s",
      "8 s",
      "2 min 10 s",
      "1 h 5 min"
    ])
  })
})

describe("the signature of a profile", () => {
  it("has the known contact details, one on each line", () => {
    assert.strictEqual(
      signatureOf(profile),
      "Nora Fairholt\\nFounder\\nFairholt Customs\\n4 Undercliff Yard, Felixstowe IP11 7DQ, United Kingdom"
    )
    assert.strictEqual(
      signatureOf({ contact_name: " Ann ", company_name: null, business_address: "1 Way\r\nTown" }),
      "Ann\\n1 Way\\nTown"
    )
    assert.strictEqual(signatureOf({}), "Kind regards")
  })
})
