// scripts/bench/Store.ts: the stores to measure on: created by the program's own commands, and copied.
import { Effect, Schema, type Scope } from "effect"
import { execFile } from "node:child_process"
import { constants, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { startPostgres } from "#test/support/embedded-postgres.ts"

const root = join(import.meta.dirname, "../..")
export const mainFile = join(root, "src/main.ts")
export const profileFile = join(root, "src/demo/profile.json")

/** The environment without settings of the program, so that the same is measured everywhere. */
export const cleanEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(OVERTURE|OPENAI|OTEL|SMTP|REDIS|DATABASE|FILES|AWS)_/.test(name))
  )

export interface Store {
  readonly dataDir: string
  /** Set if the store is used after its server stops. */
  readonly stopGracefully?: boolean
}

/** A temporary directory, removed when the scope closes. */
export const temporaryDirectory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "overture-bench-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }))
)

/** Copies a store that no process has open. */
const copyStore = (store: Store, dataDir: string): Store => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  copyFileSync(join(store.dataDir, "overture.db"), join(dataDir, "overture.db"))
  // Long lists have files; without them a store does not pass `verify`.
  const files = join(store.dataDir, "files")
  if (existsSync(files)) cpSync(files, join(dataDir, "files"), { recursive: true, mode: constants.COPYFILE_FICLONE })
  return { dataDir }
}

/** A copy, removed when the scope closes. */
export const temporaryCopy = (store: Store, parentDirectory: string) =>
  Effect.acquireRelease(
    Effect.sync(() => copyStore(store, mkdtempSync(join(parentDirectory, "store-")))),
    ({ dataDir }) => Effect.sync(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  )

/** Runs a command of the program and reads the document it prints. */
export const runCommand = <S extends Schema.ConstraintDecoder<unknown>>(
  outputSchema: S,
  { dataDir }: Store,
  ...args: ReadonlyArray<string>
) =>
  Effect.callback<string>((resume) => {
    const commandArgs = [mainFile, ...args, "--json", "--data-dir", dataDir]
    // Loading the program takes half of the time of a command, so its compiled form is cached.
    const env = { ...cleanEnvironment(), NODE_COMPILE_CACHE: join(dataDir, "../compiled") }
    const options = { encoding: "utf8", env } as const
    const child = execFile(process.execPath, commandArgs, options, (error, stdout, stderr) =>
      resume(
        error === null
          ? Effect.succeed(stdout)
          : Effect.die(new Error(`overture ${args.join(" ")} on ${basename(dataDir)}: ${stderr}${stdout.slice(-2000)}`))
      )
    )
    return Effect.sync(() => child.kill())
  }).pipe(Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(outputSchema))), Effect.orDie)

const VerifyOutput = Schema.Struct({ ok: Schema.Boolean })

const MigrationOutput = Schema.Struct({ rows: Schema.Int })

/** A PostgreSQL with the rows of a store, until the scope closes. */
export const copyToPostgres = Effect.fnUntraced(function* (store: Store) {
  const database = yield* Effect.acquireRelease(
    Effect.promise(() => startPostgres({ durable: true })),
    ({ stop }) => Effect.promise(stop)
  )
  yield* runCommand(MigrationOutput, store, "migrate-to", database.server)
  return database
})

/** Fails unless every invariant of the store holds. */
export const verify = Effect.fnUntraced(function* (store: Store) {
  const { ok } = yield* runCommand(VerifyOutput, store, "verify")
  if (!ok) return yield* Effect.die(new Error("A store that was measured on does not pass `overture verify`"))
})
