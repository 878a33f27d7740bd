// test/support/process.ts: runs the real program as a child process, with its data in a temporary folder.
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Stores from "./store.ts"

const mainFile = new URL("../../src/main.ts", import.meta.url).pathname

/** How to start the program: from its sources by default. */
export const Program = Context.Reference("overture/test/Program", {
  defaultValue: () => ({
    file: process.execPath,
    args: [mainFile] as ReadonlyArray<string>,
    cwd: process.cwd(),
    env: process.env
  })
})

/** A temporary folder, deleted when the scope closes. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "overture-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** A temporary data directory. When the tests run on PostgreSQL, its settings name an empty database there. */
export const dataDirectory = Effect.tap(temporaryFolder, Stores.configureStore)

/** Runs SQL statements on the database of `data` over a separate connection. Returns the rows of the last one. */
export const runSql = (data: string, ...statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* Effect.forEach(statements, (statement) => sql.unsafe<Record<string, unknown>>(statement))
    return (rows.at(-1) ?? []).map((row) => ({ ...row }))
  }).pipe(Effect.provide(Layer.fresh(Stores.storeOf(data))), Effect.orDie)

interface RunningProgram {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits for the exit code and the output. */
  readonly exited: Effect.Effect<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

/** Starts a command in a folder. It is killed when the scope closes. */
export const startProgram = Effect.fnUntraced(function* (
  cwd: string,
  env: Record<string, string>,
  ...args: ReadonlyArray<string>
) {
  const program = yield* Program
  return yield* Effect.acquireRelease(
    Effect.sync((): RunningProgram => {
      // A developer's own settings must not influence the tests.
      const { OVERTURE_API_KEY: _, OVERTURE_URL: __, ...programEnv } = program.env
      const child = spawn(program.file, [...program.args, ...args], {
        cwd,
        env: { ...programEnv, ...env },
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
        exited: Effect.map(
          Effect.promise(() => closed),
          (code) => ({ code, stdout, stderr })
        )
      }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )
})

/** Runs a command to completion. */
export const runProgram = (cwd: string, env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.scoped(Effect.flatMap(startProgram(cwd, env, ...args), ({ exited }) => exited))

/** Runs a command on a data directory. */
export const overture = (data: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(Program, ({ cwd }) => runProgram(cwd, {}, ...args, "--data-dir", data))

/** Runs a command with --json and decodes its output. */
export const overtureJson = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  data: string,
  ...args: ReadonlyArray<string>
) =>
  overture(data, ...args, "--json").pipe(
    Effect.flatMap(({ code, stderr, stdout }) =>
      code === 0 ? Schema.decodeEffect(Schema.fromJsonString(schema))(stdout) : Effect.die(stderr)
    ),
    Effect.orDie
  )

export interface Server {
  readonly url: string
  readonly child: ChildProcess
  /** What it has written to standard error so far. */
  readonly log: () => string
}

/** Sends a signal to a process, if it still runs, and waits until it has exited. */
export const stopProcess = (child: ChildProcess, signal: NodeJS.Signals) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, "exit")
    child.kill(signal)
    await exited
  })

/** Kills the server without a shutdown, as a power cut would. */
export const killProgram = ({ child }: Server) => stopProcess(child, "SIGKILL")

/** Waits until a server prints its address. `log` returns its standard error, for the error message. */
export const addressOf = (child: ChildProcess, log: () => string) =>
  Effect.callback<string>((resume) => {
    let output = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      const url = /Listening on (\S+)/.exec(output)?.[1]
      if (url !== undefined) resume(Effect.succeed(url))
    })
    child.once("exit", (code) => resume(Effect.die(`The server ended (${code}) before it listened: ${log()}`)))
  })

/** Starts a server. It is killed when the scope closes. */
export const serve = Effect.fnUntraced(function* (data: string, env: Record<string, string> = {}) {
  const program = yield* Program
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(program.file, [...program.args, "serve", "--port", "0", "--data-dir", data], {
        cwd: program.cwd,
        env: { ...program.env, OVERTURE_RATE_LIMIT: "1000000/1m", ...env }
      })
    ),
    (child) => stopProcess(child, "SIGKILL")
  )
  let log = ""
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()))
  const url = yield* addressOf(child, () => log)
  return { url, child, log: () => log } satisfies Server
})

/** Opens a connection, sends `text` and reads nothing. */
export const openIdleConnection = (server: Server, text: string) =>
  Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname, () => {
        if (text === "") resume(Effect.succeed(socket))
        else socket.write(text, () => resume(Effect.succeed(socket)))
      })
      socket.pause()
      socket.on("error", () => {})
    }) as Effect.Effect<ReturnType<typeof connect>>,
    (socket) => Effect.sync(() => socket.destroy())
  )
