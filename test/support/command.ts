// test/support/command.ts: runs the command line in this process, because starting one takes more than a second.
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Console, Effect, Runtime } from "effect"
import { run } from "#src/cli.ts"

/** Runs a command to completion; takes the same arguments as `overture` in process.ts. */
export const command = Effect.fnUntraced(function* (data: string, ...args: ReadonlyArray<string>) {
  let stdout = ""
  let stderr = ""
  const capturingConsole: Console.Console = {
    ...console,
    log: (...values: ReadonlyArray<unknown>) => void (stdout += `${values.join(" ")}\n`),
    error: (...values: ReadonlyArray<unknown>) => void (stderr += `${values.join(" ")}\n`)
  }
  const exit = yield* run([...args, "--data-dir", data]).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(Console.Console, capturingConsole),
    Effect.exit
  )
  let code = 0
  Runtime.defaultTeardown(exit, (status) => (code = status))
  return { code, stdout, stderr }
})

/** Runs a command with --json and returns the document that it prints. */
export const commandJson = Effect.fnUntraced(function* (data: string, ...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* command(data, ...args, "--json")
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(stdout)
})
