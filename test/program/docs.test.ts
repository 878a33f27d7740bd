// test/program/docs.test.ts: the commands that the README and docs/ tell people to paste, run as printed.
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { DatabaseSync } from "node:sqlite"
import { dirname, join } from "node:path"
import manifest from "../../package.json" with { type: "json" }
import { signatureHeaders } from "#layers/webhooks/Signing.ts"
import { defaultAges } from "#layers/operations/Prune.ts"
import { settings } from "#src/settings.ts"
import { commandJson } from "#test/support/command.ts"
import { endpoints } from "#test/support/endpoints.ts"
import { freePort } from "#test/support/listening.ts"
import { temporaryFolder, serve } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { startSite } from "#test/support/site.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

const project = new URL("../..", import.meta.url).pathname
const profile = `${project}src/demo/profile.json`
const readme = readFileSync(`${project}README.md`, "utf8")
const operating = readFileSync(`${project}docs/reference/operating.md`, "utf8")
const tour = readFileSync(`${project}docs/reference/api.md`, "utf8")
const cli = readFileSync(`${project}docs/reference/cli.md`, "utf8")
const guide = (name: string) => readFileSync(`${project}docs/guides/${name}.md`, "utf8")

const page = (name: string) => readFileSync(`${project}${name}`, "utf8")

interface Block {
  readonly commands: string
  /** The statuses that the prose below it promises, in order; what comes several times running is said once. */
  readonly promised: ReadonlyArray<string>
}

const blocksOf = (markdown: string): ReadonlyArray<Block> =>
  markdown
    .split(/^```sh\n/m)
    .slice(1)
    .map((part) => {
      const [commands = "", prose = ""] = part.split(/^```\n/m)
      return { commands, promised: [...prose.matchAll(/`(\d{3})`/g)].map(([, status = ""]) => status) }
    })

interface Call {
  readonly status: string
  readonly method: string
  readonly path: string
}

/** Runs the blocks in one shell, and returns the answers to curl by block. */
const pasted = Effect.fnUntraced(function* (blocks: ReadonlyArray<Block>, env: Record<string, string>) {
  const cwd = yield* temporaryFolder
  // Every call tells its status beside what it prints.
  const report = 'write-out = "%{stderr}\\n@@ %{http_code} %{method} %{url_effective}\\n"\n'
  yield* Effect.promise(() => writeFile(`${cwd}/.curlrc`, report))
  const script = blocks.map(({ commands }) => `printf '@@@\\n' >&2\n${commands}`).join("\n")
  const shell = yield* Effect.acquireRelease(
    Effect.sync(() => spawn("sh", ["-eu"], { cwd, env: { ...process.env, ...env, CURL_HOME: cwd } })),
    (child) => Effect.sync(() => child.kill())
  )
  let said = ""
  shell.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
  let told = ""
  shell.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()))
  shell.stdin.end(script)
  assert.deepStrictEqual(yield* Effect.promise(() => once(shell, "close")), [0, null], told)
  const calls = told
    .split(/^@@@$/m)
    .slice(1)
    .map((part) =>
      [...part.matchAll(/^@@ (\d{3}) (\w+) (\S+)$/gm)].map(([, status = "", method = "", url = ""]): Call => ({
        status,
        method,
        path: new URL(url).pathname
      }))
    )
  return { calls, said, told, csv: `${cwd}/emails.csv` }
})

const runs = (statuses: ReadonlyArray<string>) => statuses.filter((status, i) => status !== statuses[i - 1])

/** A store with a workspace and a key, made by the lines of a page: those that create both come first in it. */
const foundedBy = Effect.fnUntraced(function* (page: string) {
  const data = yield* temporaryFolder
  // The lines begin with npm, which finds the program; its profile and its workspace are the reader's own.
  const run = Effect.fnUntraced(function* (line: string, id: string) {
    const words = line.replace(/^ +npm run -s overture -- /, "").match(/"[^"]*"|\S+/g) ?? []
    const own = (word: string) =>
      word.endsWith("profile.json") ? profile : word === "ID" ? id : word.replaceAll('"', "")
    return yield* commandJson(data, ...words.map(own))
  })
  const [create = "", key = ""] = page.match(/^ +npm run -s overture -- .*$/gm) ?? []
  const { id } = yield* run(create, "")
  return { data, key: (yield* run(key, id)).key as string }
})

const documentedWorkspace = foundedBy(tour)

/** A folder with the program in it, as if it were installed. */
const program = Effect.tap(temporaryFolder, (bin) =>
  Effect.promise(() =>
    writeFile(`${bin}/overture`, `#!/bin/sh\nexec "${process.execPath}" "${project}src/main.ts" "$@"\n`, {
      mode: 0o755
    })
  )
)

/** Runs a command to its end, without a terminal. */
const shell = (line: string, cwd: string, env: NodeJS.ProcessEnv) =>
  Effect.callback<{ readonly code: number | null; readonly said: string }>((resume) => {
    const child = spawn("sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    let said = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()))
    child.once("close", (code) => resume(Effect.succeed({ code, said })))
  })

describe("what is printed", () => {
  it.live(
    "in docs/reference/api.md works as printed, and calls every endpoint",
    () =>
      Effect.gen(function* () {
        // This guide changes the profile, so it starts with a workspace of its own.
        assert.isBelow(tour.indexOf("workspace create --name"), tour.indexOf("```sh"))
        const { data, key } = yield* foundedBy(tour)
        const server = yield* serve(data, { OVERTURE_FETCH_ALLOW_PRIVATE: "true" })
        // The one thing that is not run as printed: tests stay on this machine, so another site stands in for the reader's.
        const { port } = yield* startSite((_, response) =>
          response.setHeader("content-type", "text/html").end("<p>Fairholt Customs checks customs entries.</p>")
        )
        assert.include(tour, "https://example.com")
        const blocks = blocksOf(tour.replaceAll("https://example.com", `http://127.0.0.1:${port}`))
        const env = { OVERTURE_URL: server.url, OVERTURE_API_KEY: key }
        const { calls, csv, said, told } = yield* pasted(blocks, env)

        assert.lengthOf(calls, blocks.length)
        for (const [i, { commands, promised }] of blocks.entries()) {
          const seen = calls[i] ?? []
          assert.deepStrictEqual(runs(seen.map(({ status }) => status)), promised, `${commands}\n${told}`)
        }

        const called = calls.flat().map(({ method, path }) => `${method} ${path.replace(/^\/api\/v1/, "")}`)
        const missing = endpoints.filter(({ method, path }) => {
          const shape = new RegExp(`^${method} ${path.replaceAll(/:\w+/g, "[^/]+")}$`)
          return !called.some((call) => shape.test(call))
        })
        assert.deepStrictEqual(
          missing.map(({ name }) => name),
          []
        )
        assert.lengthOf(
          called.filter((call) => call.startsWith("GET /files/")),
          2
        )

        const printed = said + told
        for (const promise of [
          '"fields_updated":["contact_phone"',
          '"parsed":',
          "What a client says",
          "Idempotent-Replayed: true",
          '"path":"lead.email"',
          '"path":"options.email_count"'
        ]) {
          assert.include(printed.toLowerCase(), promise.toLowerCase())
        }
        assert.lengthOf(
          readFileSync(csv, "utf8")
            .split("\r\n")
            .filter((line) => /^(jo|kim)@/.test(line)),
          2
        )
      }),
    // Some sixty calls, and a second's sleep wherever one polls.
    180_000
  )

  it.live("in the README writes to a lead", () =>
    Effect.gen(function* () {
      const { data, key } = yield* documentedWorkspace
      const server = yield* serve(data)
      const campaign = yield* buildCampaign(apiClient(server.url, key))
      const [command = ""] = /^ {4}curl[\s\S]*?(?=\n\n)/m.exec(readme) ?? []
      assert.include(command, "http://127.0.0.1:3000")
      const block = { commands: command.replace("http://127.0.0.1:3000", server.url), promised: [] }
      const { calls, said } = yield* pasted([block], { CAMPAIGN: campaign, KEY: key })
      assert.deepStrictEqual(
        calls.flat().map(({ status }) => status),
        ["200"],
        said
      )
      assert.lengthOf(JSON.parse(said).sequence, 3)
    })
  )

  it.live(
    "in docs/reference/cli.md works as printed, in its order",
    () =>
      Effect.gen(function* () {
        const { data, key } = yield* documentedWorkspace
        const server = yield* serve(data)
        const { send } = apiClient(server.url, key)
        const cwd = yield* temporaryFolder
        const bin = yield* program
        copyFileSync(`${project}test/fixtures/leads.csv`, `${cwd}/leads.csv`)
        writeFileSync(
          `${cwd}/email.txt`,
          "Subject: Entries\n\nHi Ida,\n\nWe check customs entries line by line against the purchase order.\n\nWorth a look?\n"
        )
        const env = {
          ...process.env,
          PATH: `${bin}:${process.env["PATH"]}`,
          HOME: cwd,
          OVERTURE_URL: server.url,
          OVERTURE_API_KEY: key
        }
        const lines = cli.match(/^ {4}overture .*$/gm) ?? []
        assert.isAbove(lines.length, 12)
        for (const printed of lines) {
          // `mcp` runs until its client ends it, and two of the three shells are rarely installed here.
          if (/ mcp$|--completions (?:zsh|fish)/.test(printed)) continue
          const campaign = (yield* send("GET", "/campaigns")).body.campaigns[0]?.id
          const list = (yield* send("GET", "/lists")).body.lists[0]?.id
          const lead = printed.includes("LEAD") ? (yield* send("GET", `/lists/${list}/leads`)).body.data[0].id : ""
          const line = printed
            .replace("--campaign ID", `--campaign ${campaign}`)
            .replace(/\bID\b/, list)
            .replaceAll("LEAD", lead)
          const { code, said } = yield* shell(line, cwd, env)
          // There is no model for instructions, no mail server and no terminal, and the list has nothing left to resume.
          const refused = [/ build (?!.*--auto)/, / resume /, / --instruction /, / test-mail /].some((one) =>
            one.test(line)
          )
          assert.strictEqual(code, refused ? 1 : 0, `${line}\n${said}`)
          if (line.includes(" build ") && refused) assert.include(said, "needs a terminal")
        }
        assert.match(readFileSync(`${cwd}/leads-emails.csv`, "utf8"), /^email,name,.*step_3_body\r\n.+@/)
        assert.match(readFileSync(`${cwd}/emails.csv`, "utf8"), /^email,name,.*step_3_body\r\n.+@/)
        assert.match(readFileSync(`${cwd}/lemlist.csv`, "utf8"), /^email,firstName,lastName,.*step3Body\r\n.+@/)
        assert.include(readFileSync(`${cwd}/.bashrc`, "utf8"), "overture")
        assert.deepStrictEqual((yield* send("GET", "/lists")).body.lists, [])
      }),
    180_000
  )

  it.live(
    "in docs/reference/operating.md works as printed",
    () =>
      Effect.gen(function* () {
        const bin = yield* program
        const port = yield* Effect.promise(freePort)
        assert.include(operating, "http://127.0.0.1:3000")
        const blocks = blocksOf(operating.replaceAll("http://127.0.0.1:3000", `http://127.0.0.1:${port}`))
        const last = { commands: "wait\n", promised: [] }
        const env = { PATH: `${bin}:${process.env["PATH"]}`, OVERTURE_PORT: String(port) }
        const { calls, said } = yield* pasted([...blocks, last], env)
        assert.deepStrictEqual(
          calls.flat().map(({ path, status }) => `${status} ${path}`),
          ["200 /api/v1/health", "200 /readyz"]
        )
        assert.include(said, '{"status":"ready","checks":{"store":"ok","disk":"ok","migrations":"ok"}}')
        assert.include(said, "every check of the store is ok")
        assert.include(said, "Nothing is old enough")
        assert.notInclude(said, "BROKEN")
      }),
    180_000
  )

  it.live(
    "in docs/guides/first-campaign.md and then personal-data.md works as printed",
    () =>
      Effect.gen(function* () {
        const page = guide("first-campaign")
        const { data, key } = yield* foundedBy(page)
        const server = yield* serve(data)
        const bin = yield* program
        const env = {
          PATH: `${bin}:${process.env["PATH"]}`,
          OVERTURE_URL: server.url,
          OVERTURE_API_KEY: key,
          OVERTURE_DATA_DIR: data
        }
        const blocks = blocksOf(page)
        const { calls, csv } = yield* pasted(blocks, env)
        for (const [i, { commands, promised }] of blocks.entries()) {
          assert.deepStrictEqual(runs((calls[i] ?? []).map(({ status }) => status)), promised, commands)
        }
        const rows = readFileSync(csv, "utf8")
        assert.match(rows, /^email,name,.*step_3_body\r\n/)
        assert.lengthOf(rows.match(/^(jo|kim)@/gm) ?? [], 2)

        // The person of personal-data.md is a lead of that campaign.
        const personal = blocksOf(guide("personal-data"))
        const store = new DatabaseSync(`${data}/overture.db`, { readOnly: true })
        const leads = store.prepare("SELECT list_id FROM leads WHERE email = 'kim@osei.example'").all()
        store.close()
        assert.lengthOf(leads, 1)
        const { list_id } = leads[0] ?? {}
        assert.isAtLeast(personal.length, 6)
        const { said } = yield* pasted(personal, { ...env, LIST: String(list_id) })
        assert.include(said, `lead 2 of list ${list_id}: Kim Osei, completed`)
        assert.include(said, '"email":"kim@osei.example"')
        assert.include(said, "Erased 1 lead")
        assert.include(said, `Deleted ${list_id}`)
      }),
    180_000
  )

  it.live(
    "in docs/guides/backups-and-upgrades.md works as printed",
    () =>
      Effect.gen(function* () {
        const bin = yield* program
        const made = { commands: "overture --data-dir ./data workspace create --name Acme\n", promised: [] }
        const env = { PATH: `${bin}:${process.env["PATH"]}` }
        const { said } = yield* pasted([made, ...blocksOf(guide("backups-and-upgrades"))], env)
        assert.match(said, /Wrote overture-\d{4}-\d\d-\d\d\.backup/)
        assert.include(said, "every check of the store is ok")
      }),
    180_000
  )

  it.live.each([
    { language: "js", file: "receiver.mjs", command: process.execPath },
    { language: "python", file: "receiver.py", command: "python3" }
  ])("in docs/guides/webhooks.md verifies what is signed: $language", ({ command, file, language }) =>
    Effect.gen(function* () {
      const [, program = ""] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "m").exec(guide("webhooks")) ?? []
      const cwd = yield* temporaryFolder
      writeFileSync(`${cwd}/${file}`, program)
      const port = yield* Effect.promise(freePort)
      const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, so").toString("base64")}`
      const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(command, [file], { cwd, env, stdio: ["ignore", "pipe", "inherit"] })),
        (child) => Effect.sync(() => child.kill())
      )
      let said = ""
      child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
      const body = JSON.stringify({ type: "list.completed", data: { list_id: "für Ida" } })
      const message = { id: "msg_1", body }
      const send = (headers: Record<string, string>, body: string) =>
        Effect.promise(() =>
          fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body }).then(
            ({ status }) => status,
            () => 0
          )
        )
      const at = Date.now()
      const secrets = (...all: ReadonlyArray<string>) => all.map((secret) => ({ secret, until: null }))
      const signed = signatureHeaders(secrets(secret), at, message)
      yield* until(send({}, body), (status) => status === 401)
      assert.strictEqual(yield* send(signed, body), 204)
      assert.strictEqual(yield* send(signed, body), 204)
      const other = `whsec_${Buffer.from("another of thirty-two bytes, too").toString("base64")}`
      assert.strictEqual(yield* send(signatureHeaders(secrets(other, secret), at, { id: "msg_2", body }), body), 204)
      for (const [headers, sent] of [
        [signatureHeaders(secrets(other), at, message), body],
        [signed, `${body} `],
        [{ ...signed, "webhook-id": "msg_3" }, body],
        [signatureHeaders(secrets(secret), at - 600_000, message), body],
        [{ ...signed, "webhook-signature": "v1," }, body]
      ] as const) {
        assert.strictEqual(yield* send(headers, sent), 401)
      }
      yield* until(
        Effect.sync(() => said),
        (said) => said.split("\n").filter((line) => line.includes("list.completed")).length >= 2
      )
      assert.lengthOf(said.match(/list\.completed/g) ?? [], 2)
    })
  )

  it("names settings that there are, in the guides and in compose.yaml", () => {
    // Variables of the shell have no underscore.
    const assigned = (text: string) => [...text.matchAll(/^([A-Z]+_[A-Z_]+)=/gm)].map(([, name = ""]) => name)
    const compose = page("scripts/deploy/compose.yaml")
    const [, overture = ""] = /^ {2}overture:\n([\s\S]*?)^ {2}postgres:/m.exec(compose) ?? []
    const named = [
      ...globSync("docs/guides/*.md", { cwd: project }).flatMap((file) => assigned(page(file))),
      ...[...overture.matchAll(/^ {6}([A-Z][A-Z_]+): /gm)].map(([, name = ""]) => name)
    ]
    assert.includeMembers(named, ["DATABASE_URL", "OPENAI_BASE_URL", "OVERTURE_PUBLIC_URL"])
    // Read by Compose and by the database.
    const others = ["COMPOSE_PROFILES", "POSTGRES_PASSWORD"]
    assert.includeMembers([...settings.map(({ name }) => name), ...others], named)
  })

  it("tells of each kind that is pruned at which age", () => {
    const told = [...operating.matchAll(/^\| `([\w-]+)` +\| (\d+)d /gm)].map(([, kind, days]) => [kind, Number(days)])
    assert.deepStrictEqual(
      told,
      Object.entries(defaultAges).map(([kind, age]) => [kind, Duration.toDays(age)])
    )
  })

  it.live("asks the store what models took by a statement that it knows", () =>
    Effect.gen(function* () {
      const [, statement = ""] =
        /sqlite3 data\/overture\.db '([^']+)'/.exec(page("docs/reference/configuration.md")) ?? []
      assert.include(statement, "FROM model_calls")
      const { data } = yield* documentedWorkspace
      const store = new DatabaseSync(`${data}/overture.db`, { readOnly: true })
      assert.deepStrictEqual(store.prepare(statement).all(), [])
      store.close()
    })
  )

  it("finds a feature on every floor by the line that docs/maintainers/contributing.md gives", () => {
    const [line = ""] = page("docs/maintainers/contributing.md").match(/^ {4}ls .*$/m) ?? []
    const found = execFileSync("sh", ["-c", line], { cwd: project, encoding: "utf8" }).trim().split("\n")
    assert.includeMembers(found, ["schema/Signatures.ts", "layers/Signatures.ts", "src/http/handlers/Signatures.ts"])
  })

  it.live("has the table of settings that the code generates", () =>
    Effect.gen(function* () {
      const copy = yield* temporaryFolder
      copyFileSync(`${project}docs/reference/configuration.md`, `${copy}/configuration.md`)
      const env = { ...process.env, PATH: `${project}node_modules/.bin:${process.env["PATH"]}` }
      execFileSync(process.execPath, [`${project}scripts/docs.ts`, copy], { env })
      assert.strictEqual(page("docs/reference/configuration.md"), readFileSync(`${copy}/configuration.md`, "utf8"))
    })
  )

  it("names scripts that there are", () => {
    const prose = ["README.md", ...globSync("docs/**/*.md", { cwd: project })]
      .map((file) => readFileSync(`${project}${file}`, "utf8"))
      .join("\n")
    const named = [...prose.matchAll(/\bnpm (?:run )?(?:-s )?(start|test|(?<=run (?:-s )?)[\w:]+)/g)].map(
      ([, name = ""]) => name
    )
    assert.includeMembers(named, ["start", "demo", "overture", "test", "check", "bench", "build:binary"])
    assert.includeMembers(Object.keys(manifest.scripts), named)
  })

  it("shows ways through files that there are", () => {
    const cells = [...page("docs/maintainers/architecture.md").matchAll(/\| ([^|]+) \|$/gm)].map(
      ([, where = ""]) => where
    )
    const named = cells.flatMap((where) =>
      [...where.matchAll(/`([A-Za-z-]+(?:\/[A-Za-z-]*)*)`/g)].map(([, name = ""]) => name)
    )
    assert.isAbove(named.length, 50)
    const floors = ["", "src/", "layers/", "layers/generator/"]
    const isThere = (name: string) =>
      floors.some((floor) => existsSync(`${project}${floor}${name}${name.endsWith("/") ? "" : ".ts"}`))
    assert.deepStrictEqual(
      named.filter((name) => !isThere(name)),
      []
    )
  })

  it("links to files and headings that there are", () => {
    const pages = ["README.md", "SECURITY.md", ...globSync("docs/**/*.md", { cwd: project })]
    const headings = (file: string) =>
      [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, "")
          .replaceAll(" ", "-")
      )
    const links = pages.flatMap((page) =>
      [...readFileSync(`${project}${page}`, "utf8").matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, to = ""]) => ({
        page,
        to
      }))
    )
    assert.isAbove(links.length, 20)
    const broken = links.filter(({ page, to }) => {
      const [path = "", heading] = to.split("#")
      const file = path === "" ? `${project}${page}` : join(project, dirname(page), path)
      return !existsSync(file) || (heading !== undefined && !headings(file).includes(heading))
    })
    assert.deepStrictEqual(broken, [])
  })
})
