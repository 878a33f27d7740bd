// test/program/demo.test.ts: what a newcomer tries first: the demo of a file of leads, and a server that introduces itself.
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
const start = (cwd: string, file: string, ...args: ReadonlyArray<string>) =>
  ChildProcess.make(process.execPath, [`${project}${file}`, ...args], {
    cwd,
    // As if called by hand, also when npm runs these tests.
    env: { INIT_CWD: undefined, npm_lifecycle_event: undefined },
    extendEnv: true,
    forceKillAfter: "10 seconds"
  })

const demo = Effect.fnUntraced(function* (cwd: string, ...args: ReadonlyArray<string>) {
  const { exitCode, stderr, stdout } = yield* start(cwd, "scripts/demo.ts", ...args)
  const [code, out, err] = yield* Effect.all([exitCode, textOf(stdout), textOf(stderr)], { concurrency: 3 })
  return { code, out, err }
}, Effect.scoped)

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped({ prefix: "overture-test-" }))

const messy = `Fair contacts\r
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
      const cwd = yield* folder
      yield* fs.writeFileString(`${cwd}/fair.csv`, messy)
      yield* fs.writeFileString(`${cwd}/fair-emails.csv`, "mine")

      const { code, err, out } = yield* demo(cwd, "fair.csv", "--email-count", "2")
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

  it.live("says what it needs, and ends with 1, without a file that can be read", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* folder
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
          const { code, err } = yield* demo(cwd, ...args)
          assert.strictEqual(code, 1)
          assert.include(err, message)
        }),
        { concurrency: "unbounded" }
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("serve --demo", () => {
  it("names npm only where there is one", () => {
    const lines = (isExecutable: boolean) =>
      leadFileExample(isExecutable, "http://127.0.0.1:4000", "c1", Redacted.make("ovk_x")).join("\n")
    assert.include(lines(false), "npm run demo -- LEADS.csv")
    assert.notInclude(lines(true), "npm")
    assert.match(
      lines(true),
      /OVERTURE_URL='http:\/\/127.0.0.1:4000' OVERTURE_API_KEY='ovk_x' \\\n {2}overture generate LEADS.csv --campaign 'c1' /
    )
  })

  const curl = spawnSync("curl", ["--version"]).status === 0

  /** What a server printed, up to its mention of the docs. */
  const greeting = (data: string) =>
    start(data, "src/main.ts", "serve", "--demo", "--port", "0", "--data-dir", data).pipe(
      Effect.flatMap(({ stdout }) =>
        stdout.pipe(
          Stream.decodeText,
          Stream.splitLines,
          Stream.takeUntil((line) => line.endsWith("/docs")),
          Stream.runCollect
        )
      )
    )

  it.live.skipIf(!curl)("prints a key and a command that writes to one lead, and on the next start neither", () =>
    Effect.gen(function* () {
      const data = yield* folder
      yield* Effect.gen(function* () {
        const lines = yield* greeting(data)
        assert.match(lines[0] ?? "", /^Listening on http:\/\/127\.0\.0\.1:\d+$/)
        assert.isTrue(lines.some((line) => /^ovk_\w{46}$/.test(line)))
        assert.include(lines, "npm run demo -- LEADS.csv")
        const from = lines.findIndex((line) => line.startsWith("curl "))
        const to = lines.findIndex((line, i) => i >= from && !line.endsWith("\\"))
        const command = `${lines.slice(from, to + 1).join("\n")} -w '\\n%{http_code}'`

        const { stdout } = yield* ChildProcess.make("sh", ["-c", command])
        const [body = "", status] = (yield* textOf(stdout)).split("\n")
        assert.strictEqual(status, "200", body)
        const { credits_remaining, sequence } = JSON.parse(body)
        assert.lengthOf(sequence, 3)
        assert.isTrue(sequence[0].body.includes("\nNora Fairholt\nFounder\n"))
        assert.strictEqual(credits_remaining, 0, "an unlimited plan has no balance")
      }).pipe(Effect.scoped)

      const again = yield* greeting(data)
      assert.lengthOf(again, 2)
      assert.match(again[1] ?? "", /^API reference: http:\S+\/docs$/)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("serve", () => {
  /** The output of a server that is started, answers one request, and is stopped. */
  const printed = Effect.fnUntraced(function* (data: string) {
    const server = yield* start(data, "src/main.ts", "serve", "--port", "0", "--data-dir", data)
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

  it.live("tells what comes next where there is no workspace, and only there", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const [listening = "", next = "", link = "", command = "", ...more] = yield* printed(data)
      assert.match(next, /^No workspace yet\. Open this link/)
      const address = listening.slice("Listening on ".length)
      assert.match(link.replace(address, ""), /^\/#\/first-run\/ovl_[0-9A-Za-z]{46}$/)
      assert.match(command, /overture workspace create --name NAME --owner-email EMAIL$/)
      assert.deepStrictEqual(more, [])
      const create = ["workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example"]
      const made = yield* start(data, "src/main.ts", ...create, "--data-dir", data)
      assert.strictEqual(yield* made.exitCode, 0)
      assert.lengthOf(yield* printed(data), 1)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})

describe("building over HTTP", () => {
  const serving = (writer: Partial<Generator["Service"]>) =>
    Server({ host: "127.0.0.1", port: 0, rate: undefined }).pipe(
      Layer.provide([BackgroundWorkers({ concurrency: 1 }), Readiness.layer(".")]),
      Layer.provide([Layer.succeed(Generator, { ...fakeWriter, ...writer }), RequestLog.layerNone]),
      Layer.provideMerge(Services.pipe(Layer.provideMerge(Stores.store))),
      Layer.provide(Logger.layer([]))
    )

  const walk = Effect.fnUntraced(function* (plan: Partial<Plan> = {}) {
    const baseUrl = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
    const { key } = yield* onboard({ name: "Test", plan: "growth", details: profile })
    const client = yield* makeClient({ baseUrl, key })
    const steps: Array<string> = []
    const onStep = (step: string) => Effect.sync(() => void steps.push(step))
    const built = yield* Effect.result(build(client, { name: "Spring", onStep, ...plan }))
    return { built, steps }
  })

  it.live("takes the first of everything, and nothing where there is nothing", () =>
    Effect.gen(function* () {
      const { built, steps } = yield* walk()
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
        serving({
          options: (profile, type) => (type === "social_proof" ? Effect.succeed([]) : fakeWriter.options(profile, type))
        })
      )
    )
  )

  const refused = () => Effect.fail(new GenerationFailed({ message: "The model refused", transient: false }))

  for (const step of ["audienceResearch", "valuePropositions", "emailInstructions"] as const) {
    it.live(`says why when ${step} fails`, () =>
      Effect.gen(function* () {
        const { built, steps } = yield* walk()
        assert.strictEqual(built._tag, "Failure")
        if (built._tag === "Failure") assert.match(built.failure.message, /: The model refused$/)
        assert.notInclude(steps, "Ready to write")
      }).pipe(Effect.provide(serving({ [step]: refused })))
    )
  }

  it.live("says that a target audience is not there, and that it has taken too long", () =>
    Effect.gen(function* () {
      const { built: nowhere } = yield* walk({ segment: "nowhere" })
      assert.strictEqual(
        nowhere._tag === "Failure" && nowhere.failure.message,
        "The workspace has no target audience nowhere"
      )
      const { built: late } = yield* walk({ limit: "1 milli" })
      assert.strictEqual(late._tag === "Failure" && late.failure.message, "The campaign took too long to build")
    }).pipe(Effect.provide(serving({})))
  )
})

describe("the progress of a batch", () => {
  it.effect("is a bar on a terminal, cut to its width, and nothing so soon elsewhere", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const write = (text: string) => written.push(text)
      const counts = { leads_total: 200, leads_done: 99, leads_failed: 1 }
      yield* (yield* Progress.make({ write })).show(counts)
      assert.deepStrictEqual(written, [])
      yield* (yield* Progress.make({ isTTY: true, columns: 60, write })).show(counts)
      assert.strictEqual(written[0], `\r\u001b[2K${"█".repeat(15)}${"░".repeat(15)} 50%  100 of 200 leads, 1 fai`)
    })
  )

  it("tells the two parts of a time that matter", () => {
    assert.deepStrictEqual([0, 7100, 130_000, 3_900_000].map(Progress.timeOf), [
      "0 s",
      "8 s",
      "2 min 10 s",
      "1 h 5 min"
    ])
  })
})

describe("the signature of a profile", () => {
  it("is its contact, line by line, as far as it is known", () => {
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
