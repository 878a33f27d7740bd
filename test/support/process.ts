// test/support/process.ts: the real program in a process of its own, over a store in a temporary folder.
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Stores from "./store.ts"

const main = new URL("../../src/main.ts", import.meta.url).pathname

/** How the program is started: from its sources unless a test says otherwise. */
export const Program = Context.Reference("overture/test/Program", {
  defaultValue: () => ({
    file: process.execPath,
    args: [main] as ReadonlyArray<string>,
    cwd: process.cwd(),
    env: process.env
  })
})

/** A folder that is gone when the scope closes. */
export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "overture-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** The same as a data directory: where the tests run on PostgreSQL, one whose store is there. */
export const home = Effect.tap(folder, Stores.placeStore)

/** Statements that another program runs on the store in `data`, one after the other; answers the rows of the last. */
export const beside = (data: string, ...statements: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* Effect.forEach(statements, (statement) => sql.unsafe<Record<string, unknown>>(statement))
    return (rows.at(-1) ?? []).map((row) => ({ ...row }))
  }).pipe(Effect.provide(Layer.fresh(Stores.storeOf(data))), Effect.orDie)

interface Run {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** How it ended. */
  readonly ended: Effect.Effect<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>
}

/** Starts a command in a folder; it is killed when the scope closes. */
export const start = Effect.fnUntraced(function* (
  cwd: string,
  env: Record<string, string>,
  ...args: ReadonlyArray<string>
) {
  const program = yield* Program
  return yield* Effect.acquireRelease(
    Effect.sync((): Run => {
      // What lies about where the tests run is none of its business.
      const { OVERTURE_API_KEY: _, OVERTURE_URL: __, ...rest } = program.env
      const child = spawn(program.file, [...program.args, ...args], {
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
})

/** Runs one to its end. */
export const run = (cwd: string, env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.scoped(Effect.flatMap(start(cwd, env, ...args), ({ ended }) => ended))

/** Runs one on a data directory. */
export const overture = (data: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(Program, ({ cwd }) => run(cwd, {}, ...args, "--data-dir", data))

/** What it printed with --json. */
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

/** Sends a process this signal, if it is still there, and waits until it is gone. */
export const end = (child: ChildProcess, signal: NodeJS.Signals) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, "exit")
    child.kill(signal)
    await gone
  })

/** Ends it at once, as a power cut would, and waits until it is gone. */
export const kill = ({ child }: Server) => end(child, "SIGKILL")

/** Where a server says that it listens; `log` is what it wrote to standard error. */
export const addressOf = (child: ChildProcess, log: () => string) =>
  Effect.callback<string>((resume) => {
    let out = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString()
      const url = /Listening on (\S+)/.exec(out)?.[1]
      if (url !== undefined) resume(Effect.succeed(url))
    })
    child.once("exit", (code) => resume(Effect.die(`The server ended (${code}) before it listened: ${log()}`)))
  })

/** A running server; it is killed when the scope closes. */
export const serve = Effect.fnUntraced(function* (data: string, env: Record<string, string> = {}) {
  const program = yield* Program
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(program.file, [...program.args, "serve", "--port", "0", "--data-dir", data], {
        cwd: program.cwd,
        env: { ...program.env, OVERTURE_RATE_LIMIT: "1000000/1m", ...env }
      })
    ),
    (child) => end(child, "SIGKILL")
  )
  let log = ""
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()))
  const url = yield* addressOf(child, () => log)
  return { url, child, log: () => log } satisfies Server
})

/** A connection on which this is sent, and nothing read. */
export const dangling = (server: Server, text: string) =>
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
