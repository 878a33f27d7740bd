// scripts/Process.ts: a server in a process of its own, whose log goes to a file and not through the one who looks on.
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { addressOf, end } from "#test/support/process.ts"

/** Asked as fast as it answers, with no model to wait for. */
export const busy = {
  OVERTURE_GENERATOR: "builtin",
  OVERTURE_RATE_LIMIT: "100000000/1m",
  OVERTURE_LOG_FORMAT: "json"
}

export interface Process {
  readonly url: string
  readonly child: ChildProcess
}

/** Starts it, and ends it with the scope. */
export const start = Effect.fnUntraced(function* (options: {
  readonly file?: string | undefined
  readonly args: ReadonlyArray<string>
  readonly env: NodeJS.ProcessEnv
  readonly log: string
  readonly ends: "SIGTERM" | "SIGKILL"
  /** Whether it sends messages of its own. */
  readonly tells?: boolean
}) {
  const { args, ends, env, file = process.execPath, log, tells = false } = options
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const stderr = openSync(log, "a")
      const child = spawn(file, args, { env, stdio: ["ignore", "pipe", stderr, ...(tells ? ["ipc" as const] : [])] })
      closeSync(stderr)
      return child
    }),
    (child) => end(child, ends)
  )
  const url = yield* addressOf(child, () => readFileSync(log, "utf8"))
  return { url, child } satisfies Process
})
