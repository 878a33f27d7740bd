// test/program/commands.test.ts: the exact output of the commands: JSON for programs, error messages, and the settings in
// help and docs.
import { assert, describe, it } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Cause, ConfigProvider, Duration, Effect, Exit, Fiber, Layer, Schema } from "effect"
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import * as Database from "#layers/Database.ts"
import * as FileLock from "#layers/database/FileLock.ts"
import * as WorkerLock from "#layers/database/WorkerLock.ts"
import { scopes } from "#schema/Auth.ts"
import { formatAllowance } from "#console/parts/Format.ts"
import { CreditAccount } from "#schema/Credits.ts"
import { fullCommandLine } from "#src/cli.ts"
import { asUserError } from "#src/commands/Output.ts"
import { serverSettings, settings } from "#src/settings.ts"
import { metricsPort } from "#src/settings/Telemetry.ts"
import { command, commandJson } from "#test/support/command.ts"
import { listen } from "#test/support/listening.ts"
import { runSql, temporaryFolder, dataDirectory } from "#test/support/process.ts"
import * as Stores from "#test/support/store.ts"
import { until } from "#test/support/until.ts"

const cli = await fullCommandLine()

const profile = { company_name: "Kestrel Pumps", business_description: "We build slurry pumps for mines." }

const writeProfile = Effect.fnUntraced(function* (data: string) {
  const file = `${data}/profile.json`
  yield* Effect.promise(() => writeFile(file, JSON.stringify(profile)))
  return file
})

/** The store of a data directory on SQLite, without a workspace. */
const createEmptyStore = (data: string) =>
  Effect.provide(Effect.void, Layer.provide(Database.layer(`${data}/overture.db`), NodeServices.layer))

const onlyOnSqlite = Stores.onPostgres ? () => {} : it.live

const decodeAccount = Schema.decodeUnknownSync(CreditAccount, { onExcessProperty: "error" })
const timestamp = /^\d{4}-\d\d-\d\dT.*Z$/

describe("with --json", () => {
  it.live("workspaces are printed in the documented format", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const file = yield* writeProfile(data)
      const flags = ["--owner-email", "ann@kestrel.example", "--plan", "starter", "--profile", file]
      const kestrel = yield* commandJson(data, "workspace", "create", "--name", "Kestrel", ...flags)
      assert.deepStrictEqual(kestrel, { id: kestrel.id, name: "Kestrel", plan: "starter", onboarding_completed: true })

      const bareWorkspace = yield* commandJson(
        data,
        "workspace",
        "create",
        "--name",
        "Bare",
        "--profile",
        file,
        "--no-research"
      )
      assert.deepStrictEqual(bareWorkspace, {
        id: bareWorkspace.id,
        name: "Bare",
        plan: "growth",
        onboarding_completed: false
      })
      assert.deepStrictEqual(yield* commandJson(data, "workspace", "list"), { workspaces: [kestrel, bareWorkspace] })
      const counts = { balance: 1000, campaigns: 0, lists: 0 }
      assert.deepStrictEqual(yield* commandJson(data, "workspace", "show", kestrel.id), { ...kestrel, ...counts })
      const ownerAnswer = { id: bareWorkspace.id, owner_email: "bo@kestrel.example" }
      assert.deepStrictEqual(
        yield* commandJson(data, "workspace", "owner", bareWorkspace.id, "--email", ownerAnswer.owner_email),
        ownerAnswer
      )
      assert.deepStrictEqual(yield* commandJson(data, "workspace", "delete", bareWorkspace.id, "--yes"), {
        id: bareWorkspace.id,
        deleted: true
      })
      assert.deepStrictEqual(yield* commandJson(data, "workspace", "list"), { workspaces: [kestrel] })
    })
  )

  it.live("keys are printed in the documented format", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const { id: workspace } = yield* commandJson(data, "workspace", "create", "--name", "Kestrel")
      const runKeyCommand = (...args: ReadonlyArray<string>) => commandJson(data, "key", ...args)

      const fullKey = yield* runKeyCommand("create", "--workspace", workspace)
      assert.match(fullKey.key, /^ovk_\w{46}$/)
      assert.deepStrictEqual(fullKey, {
        id: fullKey.id,
        key: fullKey.key,
        name: null,
        scopes: [...scopes],
        expires_at: null
      })

      const flags = ["--name", "CI", "--scopes", "lists:read,credits:read", "--expires-in", "90d"]
      const limitedKey = yield* runKeyCommand("create", "--workspace", workspace, ...flags)
      assert.match(limitedKey.expires_at, timestamp)
      const [name, grantedScopes] = ["CI", ["lists:read", "credits:read"]]
      const { expires_at } = limitedKey
      assert.deepStrictEqual(limitedKey, {
        id: limitedKey.id,
        key: limitedKey.key,
        name,
        scopes: grantedScopes,
        expires_at
      })

      const rotatedKey = yield* runKeyCommand("rotate", limitedKey.id, "--grace", "1h")
      assert.notStrictEqual(rotatedKey.key, limitedKey.key)
      assert.deepStrictEqual(Object.keys(rotatedKey), ["id", "key", "name", "scopes", "expires_at"])
      assert.deepStrictEqual([rotatedKey.name, rotatedKey.scopes], [name, grantedScopes])
      assert.deepStrictEqual(yield* runKeyCommand("revoke", fullKey.id), { id: fullKey.id, revoked: true })

      const { keys, ...rest } = yield* runKeyCommand("list", "--workspace", workspace)
      assert.deepStrictEqual(rest, {})
      const [fullEntry, limitedEntry, rotatedEntry] = [fullKey, limitedKey, rotatedKey].map(({ id }) =>
        keys.find((entry: { id: string }) => entry.id === id)
      )
      for (const { created_at } of keys) assert.match(created_at, timestamp)
      assert.match(fullEntry.revoked_at, timestamp)
      assert.isBelow(Date.parse(limitedEntry.expires_at), Date.parse(limitedKey.expires_at))
      const emptyDates = { last_used_at: null, revoked_at: null }
      assert.deepStrictEqual(rotatedEntry, {
        id: rotatedKey.id,
        name,
        kind: "key",
        prefix: rotatedKey.key.slice(0, 8),
        scopes: grantedScopes,
        created_at: rotatedEntry.created_at,
        expires_at: rotatedKey.expires_at,
        ...emptyDates
      })
      assert.lengthOf(keys, 3)
    })
  )

  it.live("revoked and expired keys are listed with their status", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const { id: workspace } = yield* commandJson(data, "workspace", "create", "--name", "Kestrel")
      const createKey = (name: string, ...flags: ReadonlyArray<string>) =>
        commandJson(data, "key", "create", "--workspace", workspace, "--name", name, ...flags)
      yield* createKey("lasting")
      yield* createKey("short", "--expires-in", "0s")
      const { id } = yield* createKey("leaked")
      yield* commandJson(data, "key", "revoke", id)
      const { stdout } = yield* command(data, "key", "list", "--workspace", workspace)
      const lineOf = (name: string) => stdout.split("\n").find((text) => text.endsWith(`  ${name}`))
      assert.match(lineOf("lasting") ?? "", / never +lasting$/)
      assert.match(lineOf("short") ?? "", / expired 2\S+Z +short$/)
      assert.match(lineOf("leaked") ?? "", / revoked 2\S+Z +leaked$/)
    })
  )

  it.live("a workspace that is created without an owner gets a hint", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const { stderr, stdout } = yield* command(data, "workspace", "create", "--name", "Kestrel", "--json")
      const { id } = JSON.parse(stdout)
      assert.include(stderr, `overture workspace owner ${id} --email EMAIL`)
      const withOwner = yield* command(
        data,
        "workspace",
        "create",
        "--name",
        "K",
        "--owner-email",
        "ann@kestrel.example"
      )
      assert.deepStrictEqual([withOwner.code, withOwner.stderr], [0, ""])
    })
  )

  onlyOnSqlite("a ledger of 140,000 entries is printed completely", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const { id } = yield* commandJson(data, "workspace", "create", "--name", "Kestrel")
      yield* runSql(
        data,
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 140000)
         INSERT INTO credit_entries (id, workspace_id, at, bucket, amount, kind, ref, note, operation)
         SELECT 'grant-' || i, '${id}', '2026-01-01T00:00:00.000Z', 'addon', 0, 'grant', NULL, 'n' || i, 'op' || i FROM n`
      )
      const { entries } = yield* commandJson(data, "credits", "ledger", "--workspace", id)
      assert.lengthOf(entries, 140_001)
      const { code, stdout } = yield* command(data, "credits", "ledger", "--workspace", id)
      assert.deepStrictEqual([code, stdout.split("\n").length], [0, 140_001 + 3])
    })
  )

  it.live("a smaller allowance is shown, and the balance of the period stays", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const { id } = yield* commandJson(data, "workspace", "create", "--name", "Kestrel")
      const planAnswer = yield* command(data, "plan", "set", "--workspace", id, "--monthly-credits", "0")
      assert.include(planAnswer.stdout, "5000 credits, plan growth\n")
      assert.include(
        planAnswer.stdout,
        "Allowance: 0 credits from the next period on; this one granted 5000, which stays"
      )
      const lowerAccount = decodeAccount(
        yield* commandJson(data, "plan", "set", "--workspace", id, "--monthly-credits", "0")
      )
      assert.strictEqual(lowerAccount.balance, 5000)
      assert.deepInclude(lowerAccount.plan, { custom_credits_limit: 0 })
      // The console must not show "of 0 a month" beside the credits that were spent of 5,000.
      assert.match(formatAllowance(lowerAccount), /^of 5,000; 0 from \d/)
      const higherAccount = decodeAccount(
        yield* commandJson(data, "plan", "set", "--workspace", id, "--monthly-credits", "7000")
      )
      assert.strictEqual(formatAllowance(higherAccount), "of 7,000 a month")
    })
  )

  it.live("plans, credits and checks are printed in the documented format", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      const { id } = yield* commandJson(data, "workspace", "create", "--name", "Kestrel")
      const planFlags = [
        "--tier",
        "scale",
        "--monthly-credits",
        "100",
        "--campaign-build-limit",
        "7",
        "--unlimited",
        "false"
      ]
      const paygFlags = ["--payg-eligible", "true", "--payg-enabled", "true", "--payg-cap-cents", "500"]
      const accountAfterPlan = decodeAccount(
        yield* commandJson(data, "plan", "set", "--workspace", id, ...planFlags, ...paygFlags)
      )
      assert.deepInclude(accountAfterPlan.plan, {
        tier: "scale",
        monthly_credits_limit: 25_000,
        custom_credits_limit: 100
      })
      assert.deepInclude(accountAfterPlan.payg, { eligible: true, enabled: true, cap_cents: 500 })
      assert.isFalse(accountAfterPlan.is_unlimited)
      assert.isTrue(
        decodeAccount(yield* commandJson(data, "plan", "set", "--workspace", id, "--unlimited", "true")).is_unlimited
      )

      const accountAfterGrant = decodeAccount(
        yield* commandJson(data, "credits", "grant", "--workspace", id, "--amount", "5", "--note", "Fair")
      )
      assert.strictEqual(accountAfterGrant.usage.addon, 5)
      const { balance, entries, ...rest } = yield* commandJson(data, "credits", "ledger", "--workspace", id)
      assert.deepStrictEqual(rest, {})
      assert.strictEqual(balance, accountAfterGrant.balance)
      const lastEntry = entries.at(-1)
      assert.match(lastEntry.at, timestamp)
      assert.deepStrictEqual(lastEntry, {
        id: lastEntry.id,
        at: lastEntry.at,
        bucket: "addon",
        amount: 5,
        kind: "grant",
        ref: null,
        note: "Fair"
      })

      const { checks, ok, ...more } = yield* commandJson(data, "verify")
      assert.deepStrictEqual([ok, more], [true, {}])
      assert.isNotEmpty(checks)
      for (const check of checks) assert.deepStrictEqual(Object.keys(check).toSorted(), ["detail", "name", "ok"])
    })
  )

  // A store on PostgreSQL is backed up with PostgreSQL's tools.
  onlyOnSqlite("backups are printed in the documented format", () =>
    Effect.gen(function* () {
      const data = yield* dataDirectory
      yield* commandJson(data, "workspace", "create", "--name", "Kestrel")
      const file = `${yield* temporaryFolder}/store.backup`
      assert.strictEqual((yield* commandJson(data, "backup", file)).file, file)
      assert.strictEqual((yield* commandJson(`${yield* temporaryFolder}/new`, "restore", file)).restored, true)
    })
  )
})

// On PostgreSQL any number of processes may work on a store.
onlyOnSqlite("a workspace that is created while another command works on the store waits until that command ends", () =>
  Effect.gen(function* () {
    const data = yield* dataDirectory
    const file = yield* writeProfile(data)
    yield* createEmptyStore(data)
    const createFiber = yield* Effect.scoped(
      Effect.gen(function* () {
        yield* FileLock.acquireFileLock(`${data}/${WorkerLock.lockFileName}`)
        const createFiber = yield* Effect.forkChild(
          commandJson(data, "workspace", "create", "--name", "Kestrel", "--profile", file)
        )
        yield* until(runSql(data, "SELECT id FROM jobs WHERE status = 'pending'"), (rows) => rows.length > 0)
        // In this time the command finds that another process holds the lock.
        yield* Effect.sleep("2 seconds")
        return createFiber
      })
    )
    const workspace = yield* Effect.timeoutOrElse(Fiber.join(createFiber), {
      duration: "40 seconds",
      orElse: () => Effect.die(new Error("No process runs the job"))
    })
    assert.isTrue(workspace.onboarding_completed)
  })
)

describe("a failure", () => {
  const cases: ReadonlyArray<readonly [what: string, args: ReadonlyArray<string>, says: string]> = [
    ["of an unknown command", ["nonsense"], "overture --help"],
    ["of a flag that is missing", ["key", "create"], "--workspace; see overture key create --help"],
    ["of a flag that is wrong", ["credits", "grant", "--workspace", "x", "--amount", "-5"], "between 1 and"],
    ["of a duration", ["key", "rotate", "x", "--grace", "5"], "such as 30m, 24h or 90d"],
    [
      "of a scope",
      ["key", "create", "--workspace", "no-such-id", "--scopes", "lists:write,all"],
      "No workspace has the id no-such-id"
    ],
    [
      "of an address",
      ["workspace", "create", "--name", "X", "--owner-email", "bad"],
      '"bad": must be a valid email address; see'
    ],
    ["of an unknown key", ["key", "revoke", "no-such-id"], "no-such-id"],
    [
      "of a plan for an unknown workspace",
      ["plan", "set", "--workspace", "no-such-id", "--tier", "free"],
      "No workspace has the id no-such-id"
    ],
    [
      "of an owner of an unknown workspace",
      ["workspace", "owner", "no-such-id", "--email", "a@b.example"],
      "No workspace has the id no-such-id"
    ],
    [
      "of credits of an unknown workspace",
      ["credits", "ledger", "--workspace", "no-such-id"],
      "No workspace has the id no-such-id"
    ],
    ["of a missing profile", ["workspace", "create", "--name", "X", "--profile", "absent"], "Cannot read absent"],
    ["of an invalid profile", ["workspace", "create", "--name", "X", "--profile", "package.json"], "holds no field"],
    ["of a missing backup", ["restore", "absent"], "The restore failed"]
  ]
  it.live("prints one line that says what to do, and nothing on standard output", () =>
    Effect.forEach(
      cases,
      Effect.fnUntraced(function* ([label, args, says]) {
        const data = yield* temporaryFolder
        if (args[0] !== "restore") yield* createEmptyStore(data)
        const { code, stderr, stdout } = yield* command(data, ...args, "--json")
        assert.deepStrictEqual([code, stdout], [1, ""], label)
        assert.match(stderr, /^[^\n]+\n$/, label)
        assert.include(stderr, says, label)
      })
    )
  )

  it.live("of a port in use says how to choose another port", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(createServer())
      const { code, stderr, stdout } = yield* command(yield* temporaryFolder, "serve", "--port", String(port))
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, new RegExp(`^Cannot listen: .*127\\.0\\.0\\.1:${port}; .*--port.*OVERTURE_PORT.*\\n$`))
    })
  )

  it.live("of a setting names the setting, also if it is set in the .env file", () =>
    Effect.gen(function* () {
      for (const [name, expected] of [
        ["OVERTURE_LOG_LEVEL", '"debug"'],
        ["OVERTURE_FETCH_ALLOW_PRIVATE", "true"]
      ] as const) {
        const data = yield* temporaryFolder
        yield* createEmptyStore(data)
        yield* Effect.promise(() => writeFile(`${data}/.env`, `${name}=loud\n`))
        const { code, stderr, stdout } = yield* command(data, "verify")
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.match(stderr, /^[^\n]+\n$/)
        assert.isTrue(stderr.startsWith(`${name}: `) && stderr.includes(expected), stderr)
      }
    })
  )

  it.live("to create the data directory is reported at once", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryFolder}/file`
      yield* Effect.promise(() => writeFile(file, ""))
      for (const data of [file, `${file}/data`, "/proc/nowhere/data"]) {
        const { code, stderr, stdout } = yield* command(data, "workspace", "create", "--name", "Acme")
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.match(stderr, /^The data directory cannot be used: [^\n]+\n$/)
      }
    })
  )
})

describe("the log", () => {
  it.live("follows the .env file, and a flag overrides the file", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      yield* Effect.promise(() => writeFile(`${data}/.env`, "OVERTURE_LOG_LEVEL=debug\nOVERTURE_LOG_FORMAT=json\n"))
      const debugRun = yield* command(data, "workspace", "create", "--name", "Acme", "--json")
      assert.include(debugRun.stderr, '"level":"DEBUG"')
      assert.strictEqual(JSON.parse(debugRun.stdout).name, "Acme")
      assert.strictEqual((yield* command(data, "verify", "--log-level", "error")).stderr, "")
    })
  )
})

const readProjectFile = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8")

describe("the commands", () => {
  it("are all in docs/reference/cli.md", () => {
    const [table = ""] = readProjectFile("docs/reference/cli.md").split("## Beside a server")
    const documentedCommands = [...table.matchAll(/^\| (`[a-z].*?) +\|/gm)].flatMap(([, cell = ""]) => {
      const [firstWord = "", ...otherWords] = [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)
      const [group, command] = firstWord.split(" ")
      return [
        firstWord,
        ...otherWords.map((name) => (command === undefined || name.includes(" ") ? name : `${group} ${name}`))
      ]
    })
    const allCommands = cli.subcommands
      .flatMap(({ commands }) => commands)
      .flatMap(({ name, subcommands }) => {
        const nestedCommands = subcommands.flatMap(({ commands }) => commands)
        return nestedCommands.length === 0 ? [name] : nestedCommands.map((command) => `${name} ${command.name}`)
      })
    assert.deepStrictEqual(documentedCommands.toSorted(), allCommands.toSorted())
  })
})

describe("the settings", () => {
  it.live("are all in the help of serve", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* command(yield* temporaryFolder, "serve", "--help")
      assert.strictEqual(code, 0)
      const lines = stdout.slice(stdout.indexOf("ENVIRONMENT")).trim().split("\n").slice(1)
      assert.deepStrictEqual(
        lines.map((line) => line.trim().replace(/ +/, " ")),
        settings.map(({ defaultText, description, name }) => `${name} ${description} (${defaultText})`)
      )
    })
  )

  it.effect("accept a rate only as a number of requests and a period", () =>
    Effect.gen(function* () {
      const readRate = (OVERTURE_RATE_LIMIT: string) =>
        Effect.gen(function* () {
          return (yield* serverSettings).rate
        }).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ OVERTURE_RATE_LIMIT }))))
      assert.deepStrictEqual(yield* readRate("100/2h"), { limit: 100, window: Duration.hours(2) })
      for (const text of ["100", "0/1m", "100/0m", "100/1x", "100/1m "]) {
        assert.match((yield* Effect.flip(readRate(text))).message, /Expected a rate such as 100\/1m/, text)
      }
    })
  )

  it.effect("are refused in one line with their name and without their value", () =>
    Effect.gen(function* () {
      const values = ["", "nonsense", "-1", "0", "99999", "0.5", "\u001b[31mred\nsk-secret"]
      for (const { name, value } of settings) {
        for (const text of values) {
          const provider = ConfigProvider.layer(ConfigProvider.fromUnknown({ [name]: text }))
          const exit = yield* Effect.exit(asUserError(value).pipe(Effect.provide(provider)))
          if (Exit.isSuccess(exit)) continue
          const error = Cause.squash(exit.cause)
          const message = error instanceof Error ? error.message : String(error)
          assert.isTrue(message.startsWith(`${name}: `), message)
          assert.notMatch(message, /\p{Cc}|sk-secret/u)
        }
      }
      const expectInvalid = (name: string, text: string) =>
        Effect.gen(function* () {
          const setting = settings.find((setting) => setting.name === name)
          return setting === undefined ? undefined : yield* setting.value
        }).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ [name]: text }))), Effect.flip)
      for (const text of ["0", "-3", "1.5", "many"]) yield* expectInvalid("OVERTURE_CONCURRENCY", text)
    })
  )

  it.effect("accept port 0, which picks a free port", () =>
    Effect.gen(function* () {
      const readPorts = (env: Record<string, string>) =>
        Effect.gen(function* () {
          return [(yield* serverSettings).port, yield* metricsPort]
        }).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env))))
      assert.deepStrictEqual(yield* readPorts({}), [3000, undefined])
      assert.deepStrictEqual(yield* readPorts({ OVERTURE_PORT: "0", OVERTURE_METRICS_PORT: "0" }), [0, 0])
      for (const port of ["-1", "65536", "1.5", "x"]) {
        for (const name of ["OVERTURE_PORT", "OVERTURE_METRICS_PORT"]) yield* Effect.flip(readPorts({ [name]: port }))
      }
    })
  )

  it("are all in docs/reference/configuration.md, with the same words", () => {
    const rows = readProjectFile("docs/reference/configuration.md").matchAll(
      /^\| `([A-Z_]+)` +\| (.*?) +\| (.*?) +\|$/gm
    )
    assert.deepStrictEqual(
      [...rows].map(([, name, defaultText, meaning]) => ({ name, defaultText, meaning })),
      settings.map(({ defaultText, description, name }) => ({ name, defaultText, meaning: description }))
    )
  })
})
