// test/support/cli.ts: the command line as a process of its own, beside a server that it speaks with.
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"

const main = new URL("../../src/main.ts", import.meta.url).pathname

interface Run {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** How it ended. */
  readonly ended: Effect.Effect<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

/** Starts a command in a folder; it is killed when the scope closes. */
export const start = (cwd: string, env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync((): Run => {
      // What lies about where the tests run is none of its business.
      const { OVERTURE_API_KEY: _, OVERTURE_URL: __, ...rest } = process.env
      const child = spawn(process.execPath, [main, ...args], {
        cwd,
        env: { ...rest, ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
      let stdout = ""
      let stderr = ""
      child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()))
      child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()))
      const closed = new Promise<number | null>((resolve) => child.on("close", resolve))
      return {
        child,
        stdout: () => stdout,
        stderr: () => stderr,
        ended: Effect.map(
          Effect.promise(() => closed),
          (code) => ({ code, stdout, stderr })
        )
      }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Runs one to its end. */
export const run = (cwd: string, env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.scoped(Effect.flatMap(start(cwd, env, ...args), ({ ended }) => ended))
