// scripts/bench/Servers.ts: the processes that are measured, and a store for each.
import { Effect, Schema, type Scope } from "effect"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

const root = join(import.meta.dirname, "../..")
const main = join(root, "src/main.ts")

/** A directory that goes with its scope. */
export const directory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "overture-bench-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }))
)

/** Runs a command of the program and reads the document it prints. */
const overture = (dataDir: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<string>((resume) => {
    const command = [main, ...args, "--json", "--data-dir", dataDir]
    execFile(process.execPath, command, { encoding: "utf8" }, (error, stdout, stderr) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.die(new Error(`overture ${args.join(" ")}: ${stderr}`)))
    )
  })

const Made = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))
const MadeKey = Schema.fromJsonString(Schema.Struct({ key: Schema.String }))

const workspace = Effect.fnUntraced(function* (dataDir: string, name: string, ...more: ReadonlyArray<string>) {
  const made = yield* overture(dataDir, "workspace", "create", "--name", name, "--plan", "scale", ...more)
  const { id } = yield* Schema.decodeEffect(Made)(made)
  const { key } = yield* Schema.decodeEffect(MadeKey)(yield* overture(dataDir, "key", "create", "--workspace", id))
  return { id, key }
}, Effect.orDie)

export const signature = "Dana Whitlock\nHead of Partnerships\nHarbour & Pine Analytics\n+1 555 0100"

/** The keys of three workspaces, so that neither writes nor batches change what is read. */
export interface Store {
  readonly dataDir: string
  readonly reads: string
  readonly writes: string
  readonly batches: string
}

/** A store with 100 signatures to read and a workspace whose onboarding is done. */
export const fill = Effect.fnUntraced(function* (dataDir: string) {
  const reads = yield* workspace(dataDir, "Reads", "--owner-email", "reads@example.com")
  const writes = yield* workspace(dataDir, "Writes", "--owner-email", "writes@example.com")
  const batches = yield* workspace(dataDir, "Batches", "--profile", join(root, "src/demo/profile.json"))

  const db = new DatabaseSync(join(dataDir, "overture.db"))
  const insert = db.prepare(`
    INSERT INTO signatures (id, workspace_id, signature_text, signature_name, created_by, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`)
  for (let i = 0; i < 100; i++) {
    const id = `00000000-0000-7000-8000-${String(i).padStart(12, "0")}`
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString()
    insert.run(id, reads.id, signature, "Dana Whitlock", "reads@example.com", at, at)
  }
  db.close()
  return { dataDir, reads: reads.key, writes: writes.key, batches: batches.key }
})

/** The same store in another directory, while nobody has it open. */
export const copy = (store: Store, dataDir: string): Store => {
  mkdirSync(dataDir, { recursive: true })
  copyFileSync(join(store.dataDir, "overture.db"), join(dataDir, "overture.db"))
  return { ...store, dataDir }
}

export interface Server {
  readonly port: number
  /** Processor seconds it has used so far, on all its threads; not known on every system. */
  readonly cpu: () => number | undefined
}

/** The clock ticks that Linux counts a process's time in. */
const ticks = 100

const cpuOf = (pid: number | undefined) => {
  if (process.platform !== "linux") return undefined
  // The name may hold spaces, and ends with the last parenthesis.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

const ended = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
  })

/** Starts a server, its request log going to a file, and ends it with the scope. */
const start = Effect.fnUntraced(function* (store: Store, ...args: ReadonlyArray<string>) {
  const log = join(store.dataDir, "server.log")
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const stderr = openSync(log, "a")
      const child = spawn(process.execPath, args, {
        env: {
          ...process.env,
          OVERTURE_GENERATOR: "builtin",
          OVERTURE_RATE_LIMIT: "100000000/1m",
          OVERTURE_LOG_FORMAT: "json"
        },
        stdio: ["ignore", "pipe", stderr]
      })
      closeSync(stderr)
      return child
    }),
    (child) =>
      Effect.sync(() => child.kill("SIGTERM")).pipe(
        Effect.andThen(ended(child)),
        Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.sync(() => void child.kill("SIGKILL")) })
      )
  )
  const port = yield* Effect.callback<number>((resume) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const port = /Listening on http:\/\/[^:]+:(\d+)/.exec(text)?.[1]
      if (port !== undefined) resume(Effect.succeed(Number(port)))
    })
    child.once("exit", () => resume(Effect.die(new Error(`A server ended at once: ${readFileSync(log, "utf8")}`))))
  })
  return { port, cpu: () => cpuOf(child.pid) } satisfies Server
})

export const startOverture = (store: Store) => start(store, main, "serve", "--port", "0", "--data-dir", store.dataDir)

export const startFastify = (store: Store) =>
  start(store, join(import.meta.dirname, "fastify.ts"), join(store.dataDir, "overture.db"))
