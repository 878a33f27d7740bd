// test/support/command.ts: the command line without a process of its own, which is far quicker to start.
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Console, Effect, Runtime } from "effect"
import { run } from "#src/cli.ts"

/** Runs a command to its end, as `overture` of process.ts does. */
export const command = Effect.fnUntraced(function* (data: string, ...args: ReadonlyArray<string>) {
  let stdout = ""
  let stderr = ""
  const captured: Console.Console = {
    ...console,
    log: (...words: ReadonlyArray<unknown>) => void (stdout += `${words.join(" ")}\n`),
    error: (...words: ReadonlyArray<unknown>) => void (stderr += `${words.join(" ")}\n`)
  }
  const exit = yield* run([...args, "--data-dir", data]).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(Console.Console, captured),
    Effect.exit
  )
  let code = 0
  Runtime.defaultTeardown(exit, (status) => (code = status))
  return { code, stdout, stderr }
})

/** The one document that it printed for programs. */
export const commandJson = Effect.fnUntraced(function* (data: string, ...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* command(data, ...args, "--json")
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(stdout)
})
