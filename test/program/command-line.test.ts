// test/program/command-line.test.ts: every command with wrong arguments, the help of each flag, and long tables.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Exit, Option } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { writeFile } from "node:fs/promises"
import { version } from "#schema/Version.ts"
import { fullCommandLine } from "#src/cli.ts"
import { reportUnexpected } from "#src/commands/Output.ts"
import { alignColumns } from "#src/commands/TerminalText.ts"
import { command } from "#test/support/command.ts"
import { temporaryFolder } from "#test/support/process.ts"

const cli = await fullCommandLine()

/** The words of every command, such as `key create`. */
const commandPaths = (
  parent: Command.Command.Any,
  parentPath: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<string>> =>
  parent.subcommands
    .flatMap(({ commands }) => commands)
    .flatMap((command) => [[...parentPath, command.name], ...commandPaths(command, [...parentPath, command.name])])

const allPaths = [[], ...commandPaths(cli)]
const commandLineOf = (path: ReadonlyArray<string>) => ["overture", ...path].join(" ")

/** The help of a command, as the library passes it to the printer. */
const helpOf = Effect.fnUntraced(function* (path: ReadonlyArray<string>) {
  const docs: Array<HelpDoc.HelpDoc> = []
  const presenter = CliOutput.layerPresenter({
    present: (event) => Effect.sync(() => void (event._tag === "Help" && docs.push(event.helpDoc)))
  })
  yield* Command.runWith(cli, { version })([...path, "--help"]).pipe(
    Effect.provide([NodeServices.layer, presenter]),
    Effect.orDie
  )
  const [doc] = docs
  return doc ?? (yield* Effect.die(`${commandLineOf(path)} has no help`))
})

const uuid = "01890000-0000-7000-8000-000000000000"

/** Valid values for the required flags and arguments of all commands. */
const wellFormed: Record<string, string> = {
  workspace: uuid,
  campaign: uuid,
  list: uuid,
  lead: uuid,
  entry: uuid,
  address: "ann@kestrel.example",
  id: uuid,
  name: "X",
  email: "ann@kestrel.example",
  amount: "1",
  step: "1",
  version: "1",
  "from-version": "1",
  "unchanged-since": "2026-07-14T10:02:00.000Z",
  "email-count": "1",
  include: "ann@kestrel.example",
  leads: "test/fixtures/leads.csv",
  file: "/nowhere/absent",
  url: "postgres://127.0.0.1:1/none"
}

const wellFormedOf = (name: string) => {
  const value = wellFormed[name]
  assert.isDefined(value, `wellFormed lacks a value for ${name}`)
  return value
}

const nonsense = "nonsense"
const wrongValues = ["", nonsense, "-1", "99999999999999999999", "\u001b[31mred\ngreen"]

/** `serve --host` would look a wrong name up, and tests use only loopback. */
const mayBeWrong = (path: ReadonlyArray<string>, flag: string) => !(path[0] === "serve" && flag === "host")

/** The command lines that are wrong in one flag or argument. */
const wrongCommandLines = (path: ReadonlyArray<string>, doc: HelpDoc.HelpDoc) => {
  const args = (doc.args ?? []).filter(({ variadic }) => !variadic).map(({ name }) => wellFormedOf(name))
  const requiredFlags = doc.flags.filter(({ required }) => required)
  const otherRequiredFlags = (flag: string) =>
    requiredFlags.filter(({ name }) => name !== flag).map(({ name }) => `--${name}=${wellFormedOf(name)}`)
  const commandLine = (flag: string, ...words: ReadonlyArray<string>) => [
    ...path,
    ...otherRequiredFlags(flag),
    ...words,
    ...args
  ]
  return [
    ...(doc.args ?? []).flatMap(({ variadic }, index) =>
      wrongValues.map((value) => [
        ...path,
        ...otherRequiredFlags(""),
        "--",
        ...(variadic ? [value] : args.with(index, value))
      ])
    ),
    ...doc.flags
      .filter(({ name }) => mayBeWrong(path, name))
      .flatMap(({ name, type }) => [
        ...wrongValues.map((value) => commandLine(name, `--${name}=${value}`)),
        commandLine(name, `--${name}=1`, `--${name}=1`),
        ...(type === "boolean" ? [] : [[...commandLine(name), `--${name}`]])
      ]),
    ...requiredFlags.map(({ name }) => commandLine(name)),
    ...(args.length === 0 ? [] : [[...path, ...otherRequiredFlags("")]]).filter(() => path[0] !== "lint"),
    commandLine("", "--nonsense"),
    commandLine("", "--json=maybe"),
    commandLine("", "--log-level", "loud"),
    [...commandLine(""), "one", "more"]
  ]
}

/** Whether no value can make this line valid: the flag does not exist, or it does not take text. */
const cannotSucceed = (line: ReadonlyArray<string>, doc: HelpDoc.HelpDoc) =>
  line.some((word) => ["--nonsense", "--json=maybe", "loud"].includes(word)) ||
  doc.flags.some(
    ({ description, name, type }) =>
      (type !== "string" || Option.getOrElse(description, () => "").includes("(choices:")) &&
      type !== "file" &&
      line.includes(`--${name}=${nonsense}`)
  )

describe("a wrong argument", () => {
  for (const path of allPaths) {
    it.live(
      `of ${commandLineOf(path)} is refused in one line, without a stack`,
      () =>
        Effect.gen(function* () {
          const data = yield* temporaryFolder
          yield* Effect.promise(() =>
            writeFile(`${data}/.env`, "OVERTURE_URL=http://127.0.0.1:1\nOVERTURE_API_KEY=ovk_none\n")
          )
          const doc = yield* helpOf(path)
          for (const line of wrongCommandLines(path, doc)) {
            const label = JSON.stringify(line)
            const { code, stderr, stdout } = yield* command(data, ...line).pipe(
              Effect.timeoutOrElse({ duration: "20 seconds", orElse: () => Effect.die(`${label} does not end`) })
            )
            assert.notMatch(stdout + stderr, /Internal error|\n {4}at |\b(?:Range|Type|Syntax)Error\b/, label)
            if (cannotSucceed(line, doc)) assert.notStrictEqual(code, 0, label)
            if (code === 0) continue
            assert.strictEqual(stdout, "", label)
            // `generate` prints its findings about the file of leads above the error.
            const notes = path[0] === "generate" ? stderr.replace(/^(?:.*\n)*(?=.+\n$)/, "") : stderr
            assert.match(notes, /^\P{Cc}+\n$/u, label)
          }
        }),
      180_000
    )
  }

  it.live("is reported in terms that an operator knows", () =>
    Effect.gen(function* () {
      for (const [args, expected] of [
        [["serve", "--port", "99999"], 'Invalid value for --port: "99999": must be a whole number between 0 and 65535'],
        [
          ["serve", "--port", "abc"],
          'Invalid value for --port: "abc": must be a whole number; see overture serve --help'
        ],
        [["serve", "--port"], "--port needs a value; see overture serve --help"],
        [["workspac", "list"], 'Unknown command "workspac". Did you mean workspace? See overture --help'],
        [["key", "list", "--workspce", "x"], "Unknown flag --workspce. Did you mean --workspace? See"],
        [
          ["plan", "set", "--workspace", "x", "--tier", "big"],
          "must be free, starter, growth, scale, internal or none"
        ],
        [["lists", "--limit", "0"], 'Invalid value for --limit: "0": must be a whole number between 1 and 100']
      ] as const) {
        const { code, stderr } = yield* command(yield* temporaryFolder, ...args)
        assert.strictEqual(code, 1)
        assert.include(stderr, expected)
      }
    })
  )
})

describe("an internal error", () => {
  it.live("is one line on standard error, with its stack only on request", () =>
    Effect.gen(function* () {
      const runFailing = Effect.fnUntraced(function* (OVERTURE_LOG_LEVEL: string) {
        let [stdout, stderr] = ["", ""]
        const exit = yield* Effect.die(new RangeError("too\n\u001b[31mmany")).pipe(
          reportUnexpected,
          Effect.provideService(Console.Console, {
            ...console,
            log: (line: string) => void (stdout += `${line}\n`),
            error: (line: string) => void (stderr += `${line}\n`)
          }),
          Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ OVERTURE_LOG_LEVEL }))),
          Effect.exit
        )
        assert.isTrue(Exit.isFailure(exit))
        assert.strictEqual(stdout, "")
        return stderr
      })
      const expectedLine =
        "Internal error: RangeError: too [31mmany. Set OVERTURE_LOG_LEVEL=debug for the stack, and report it\n"
      assert.strictEqual(yield* runFailing("info"), expectedLine)
      assert.include(yield* runFailing("debug"), "\n    at ")
    })
  )
})

describe("the help", () => {
  for (const path of allPaths) {
    it.live(`of ${commandLineOf(path)} describes it and each of its flags and arguments`, () =>
      Effect.gen(function* () {
        const doc = yield* helpOf(path)
        assert.isNotEmpty(doc.description)
        for (const { description, name } of [...doc.flags, ...(doc.args ?? [])]) {
          const text = Option.getOrElse(description, () => "").replace(/^\(choices:.*/, "")
          assert.isAbove(text.length, 5, name)
        }
        for (const group of doc.subcommands ?? [])
          for (const line of group.commands) assert.isNotEmpty(line.description)
      })
    )

    it.live(`of ${commandLineOf(path)} is what overture help ${path.join(" ")} shows, its required flags marked`, () =>
      Effect.gen(function* () {
        const data = yield* temporaryFolder
        const byFlag = yield* command(data, ...path, "--help")
        const byCommand = yield* command(data, "help", ...path)
        assert.deepStrictEqual(byCommand, byFlag)
        assert.deepStrictEqual([byCommand.code, byCommand.stderr], [0, ""])
        const usage = byCommand.stdout.split("USAGE\n")[1]?.split("\n")[0] ?? ""
        for (const { name, required } of (yield* helpOf(path)).flags) {
          assert.strictEqual(usage.includes(` --${name} <`), required, usage)
          const [line = ""] = byCommand.stdout.split("\n").filter((command) => command.startsWith(`  --${name} `))
          assert.strictEqual(line.endsWith("(required)"), required, line)
        }
      })
    )
  }

  it.live("of an unknown command suggests commands that are spelt alike", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      assert.deepStrictEqual(yield* command(data, "help", "key", "creat"), {
        code: 1,
        stdout: "",
        stderr: 'Unknown command "creat". Did you mean create? See overture key --help\n'
      })
    })
  )

  it.live("is not shown by `version`, which prints the same as --version", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      assert.deepStrictEqual(yield* command(data, "version"), yield* command(data, "--version"))
    })
  )
})

describe("a table", () => {
  it("may have as many rows as a ledger", () => {
    const rows = Array.from({ length: 300_000 }, (_, index) => [
      String(index),
      index === 150_000 ? "a long note" : "x",
      "end"
    ])
    const lines = alignColumns(["N", "NOTE", "LAST"], rows)
    assert.lengthOf(lines, rows.length + 1)
    assert.deepStrictEqual(lines.slice(0, 2), ["N       NOTE         LAST", "0       x            end"])
  })
})
