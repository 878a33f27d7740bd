// test/program/interactive-commands.test.ts: `campaign build` with key presses on a terminal, shell completions, and the wizard.
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Console, Effect, Exit, Layer, Option, Queue, Terminal } from "effect"
import { Command, TerminalCapabilities } from "effect/cli"
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { version } from "#schema/Version.ts"
import { fullCommandLine } from "#src/cli.ts"
import { Output } from "#src/commands/Output.ts"
import { expectBody } from "#test/support/answers.ts"
import { onboardedCaller } from "#test/support/callers.ts"
import { temporaryFolder } from "#test/support/process.ts"
import { withWorkers } from "#test/support/server.ts"
import * as SocketServer from "#test/support/socket.ts"

const cli = await fullCommandLine()

const { Socket } = SocketServer

/** The terminal events of these key presses: key names or characters. */
const pressKeys = (...keys: ReadonlyArray<string>) =>
  keys.map((name): Terminal.UserInput => ({
    input: name.length === 1 ? Option.some(name) : Option.none(),
    key: { name, ctrl: false, meta: false, shift: false }
  }))

/** A terminal that receives these keys, and then the end of its input. */
const makeTerminal = (keys: ReadonlyArray<Terminal.UserInput>, screens: Array<string>) =>
  Layer.effect(
    Terminal.Terminal,
    Effect.gen(function* () {
      const input = yield* Queue.unbounded<Terminal.UserInput, Cause.Done>()
      yield* Queue.offerAll(input, keys)
      yield* Queue.end(input)
      return Terminal.make({
        columns: Effect.succeed(100),
        rows: Effect.succeed(40),
        readInput: Effect.succeed(input),
        readLine: Effect.never,
        display: (text) => Effect.sync(() => void screens.push(text)),
        size: Effect.never
      })
    })
  )

/** Runs a command on such a terminal, and returns its result, its screens and its printed lines. */
const runWithKeys = Effect.fnUntraced(function* (args: ReadonlyArray<string>, keys: ReadonlyArray<Terminal.UserInput>) {
  const screens: Array<string> = []
  const printedLines: Array<string> = []
  const keepLine = (...words: ReadonlyArray<unknown>) => void printedLines.push(words.join(" "))
  const exit = yield* Command.runWith(cli, { version })(args).pipe(
    Effect.provide(makeTerminal(keys, screens)),
    Effect.provideService(TerminalCapabilities.TerminalCapabilities, {
      canColor: false,
      canAnimate: false,
      canPrompt: true
    }),
    Effect.provide([NodeServices.layer, Output]),
    Effect.provideService(Console.Console, { ...console, log: keepLine, error: keepLine }),
    Effect.exit
  )
  return { ok: Exit.isSuccess(exit), shown: screens.join(""), printedLines }
})

const prepareCommand = Effect.gen(function* () {
  const { origin } = yield* Socket
  const caller = yield* onboardedCaller()
  const data = yield* temporaryFolder
  writeFileSync(`${data}/.env`, `OVERTURE_URL=${origin}\nOVERTURE_API_KEY=${caller.key}\n`)
  return { caller, data, command: ["campaign", "build", "--name", "Spring", "--data-dir", data] }
})

/** The first two lines of a prompt select all options or invert the selection. */
const firstOption = ["down", "down", "space", "enter"]

describe("campaign build on a terminal", () => {
  it.live("asks at each step, and stores each choice with the text that was entered", () =>
    Effect.gen(function* () {
      const { command, caller } = yield* prepareCommand
      const { ok, printedLines, shown } = yield* runWithKeys(
        command,
        pressKeys(
          "down",
          "enter",
          ...firstOption,
          "y",
          "!",
          "enter",
          "enter",
          // Select nothing in the next step.
          "enter",
          "down",
          ...firstOption,
          "n",
          // At least one value proposition has to be selected.
          "enter",
          ...firstOption,
          "n"
        )
      )
      assert.isTrue(ok, printedLines.join("\n"))
      for (const question of [
        "Who is the audience?",
        "Social proof: which?",
        "Edit it in your own words?",
        "At least 1"
      ]) {
        assert.include(shown, question)
      }
      assert.deepStrictEqual(printedLines.slice(0, -1), [
        "Campaign: Spring",
        "Target audience: Quarries",
        "Social proof: social_proof one!",
        "Lead magnet: none",
        "Risk reversal: risk_reversal two",
        "Value propositions: Save time",
        "Ready to write"
      ])
      const [{ id, overall }] = (yield* expectBody(200, caller.get("/campaigns"))).campaigns
      assert.strictEqual(overall, "ready")
      assert.strictEqual(printedLines.at(-1), `Campaign ${id} is ready`)
      const { selections, target_audience } = yield* expectBody(200, caller.get(`/campaigns/${id}/selections`))
      assert.strictEqual(target_audience.segment_name, "Quarries")
      assert.deepInclude(selections.social_proof.items[0], {
        name: "social_proof one!",
        description: "social_proof one, described"
      })
      assert.deepStrictEqual(selections.lead_magnet.items, [])
    }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer))
  )

  it.live("starts no campaign when it is cancelled at the first question, and reports that", () =>
    Effect.gen(function* () {
      const { command, caller } = yield* prepareCommand
      const { ok, printedLines } = yield* runWithKeys(command, pressKeys("down"))
      assert.deepStrictEqual([ok, printedLines], [false, ["The campaign was left as it is, unfinished"]])
      assert.deepStrictEqual((yield* expectBody(200, caller.get("/campaigns"))).campaigns, [])
      // With --json, questions would be part of the output.
      const jsonRun = yield* runWithKeys([...command, "--json"], pressKeys("enter"))
      assert.isFalse(jsonRun.ok)
      assert.include(jsonRun.printedLines.join(), "--auto")
    }).pipe(withWorkers(), Effect.scoped, Effect.provide(SocketServer.layer))
  )
})

describe("completions", () => {
  const readCompletions = (shell: string) =>
    Effect.map(runWithKeys(["--completions", shell], []), ({ ok, printedLines }) => {
      assert.isTrue(ok)
      return printedLines.join("\n")
    })

  it.live("contain every command with its flags", () =>
    Effect.gen(function* () {
      for (const shell of ["bash", "zsh", "fish", "powershell"]) {
        const text = yield* readCompletions(shell)
        for (const word of ["generate", "email-count", "dry-run", "preset", "lemlist", "resume"]) {
          assert.include(text, word, shell)
        }
      }
      const folder = yield* temporaryFolder
      writeFileSync(`${folder}/bash`, yield* readCompletions("bash"))
      const bashScript = `source ${folder}/bash; COMP_WORDS=(overture export --preset l); COMP_CWORD=3; COMP_LINE="overture export --preset l"; COMP_POINT=\${#COMP_LINE}; $(complete -p overture | sed 's/.*-F \\([^ ]*\\).*/\\1/') overture l --preset; echo "\${COMPREPLY[@]}"`
      assert.strictEqual(execFileSync("bash", ["-c", bashScript], { encoding: "utf8" }).trim(), "lemlist")
    }).pipe(Effect.scoped)
  )
})

describe("the wizard", () => {
  it.live("asks for the command before anything else", () =>
    Effect.gen(function* () {
      const { shown } = yield* runWithKeys(["--wizard"], [])
      assert.include(shown, "Command")
      assert.notInclude(shown.toLowerCase(), "data-dir")
      assert.notInclude(shown, "json")
    })
  )
})
