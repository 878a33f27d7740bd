// scripts/bench/sections/Growth.ts: what takes more processor time the more lists, leads and campaigns a store has, in SQLite and
// in PostgreSQL.
import { Effect, type Scope } from "effect"
import { join } from "node:path"
import { median } from "../../Median.ts"
import type { Material } from "../Material.ts"
import { multiply } from "../Multiply.ts"
import { processorTime } from "../Processor.ts"
import { number, plain, type Table } from "../Report.ts"
import type { Bench, Section } from "../Section.ts"
import { cpuOfTree, type Env, type Server, spent, startOverture } from "../Servers.ts"
import { borrowed, movedToPostgres, program, type Store } from "../Store.ts"

const sizes = { lists: [100, 1_000, 10_000, 40_000], campaigns: 1_000, requests: 100, rounds: 3 }
const quickly = { lists: [2, 4], campaigns: 4, requests: 4, rounds: 1 }

/** A store of some size, and the database that works for it beside the server. */
interface Grown {
  readonly store: Store
  readonly env: Env
  readonly database: ReadonlyArray<Pick<Server, "cpu">>
}

type Engine = (grown: Store) => Effect.Effect<Grown, never, Scope.Scope>

const engines: Readonly<Record<"SQLite" | "PostgreSQL", Engine>> = {
  SQLite: (store) => Effect.succeed({ store, env: {}, database: [] }),
  PostgreSQL: (store) =>
    Effect.map(movedToPostgres(store), ({ pid, server }) => ({
      store,
      env: { DATABASE_URL: server },
      database: [{ cpu: () => cpuOfTree(pid) }]
    }))
}

/** Reads of a workspace that has all lists. */
const requests = ({ reads }: Material) =>
  [
    ["Page of lists", "/lists?limit=20"],
    ["The 50th page of lists", "/lists?limit=20&offset=980"],
    ["Page of lists of a campaign", `/lists?limit=20&campaign_id=${reads.campaign}`],
    ["Page of lists of a status", "/lists?limit=20&status=completed"],
    ["Page of lists, with totals", "/lists?limit=20&totals=true"],
    ["One list", `/lists/${reads.list}`],
    ["Page of leads", `/lists/${reads.list}/leads?limit=20`],
    ["Search among the leads of a list", `/lists/${reads.list}/leads?limit=20&q=some`],
    ["Export of 25 leads", `/lists/${reads.list}/export?format=csv`],
    ["Page of campaigns", "/campaigns?limit=20"],
    ["Page of suppressions", "/suppressions?limit=20"],
    ["Credits check", "/credits/check?required=120"],
    ["Credits used by day", "/credits/usage"]
  ] as const

/** Processor time of the server and its database for one request, in milliseconds. */
const ofRequest = Effect.fnUntraced(function* (
  server: Server,
  { database }: Grown,
  key: string,
  path: string,
  count: number
) {
  const ask = Effect.promise(async () => {
    const answer = await fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  })
  // The first requests compile code and read pages of the file.
  yield* Effect.repeat(ask, { times: Math.ceil(count / 10) })
  const { cpu_ms } = yield* spent([server, ...database], Effect.repeat(ask, { times: count - 1 }))
  return cpu_ms / count
})

/** Processor time of each command, in milliseconds. */
const ofCommands = Effect.fnUntraced(function* ({ database, env, store }: Grown) {
  const command = (...args: ReadonlyArray<string>) =>
    Effect.map(
      spent(database, processorTime([process.execPath, program, ...args, "--data-dir", store.dataDir], undefined, env)),
      ({ cpu_ms, result }) => cpu_ms + result
    )
  return [
    ["`overture verify`", yield* command("verify")],
    ["`overture prune --dry-run`", yield* command("prune", "--dry-run")],
    // PostgreSQL has its own tools for backups.
    ...(database.length > 0
      ? []
      : [["`overture backup`", yield* command("backup", join(store.dataDir, "grown.backup"))] as const])
  ] as const
})

/** The median processor times of everything in one store, in milliseconds. */
const measured = Effect.fnUntraced(function* ({ directory, material, quick }: Bench, engine: Engine, lists: number) {
  const { campaigns, requests: count, rounds } = quick ? quickly : sizes
  const source = yield* borrowed(material, directory)
  yield* Effect.sync(() => multiply(source, material, lists, Math.min(lists, campaigns)))
  const grown = yield* engine({ ...source, kept: true })
  const times = new Map<string, ReadonlyArray<number>>()
  const add = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms])
  yield* Effect.scoped(
    Effect.gen(function* () {
      const server = yield* startOverture(grown.store, grown.env)
      yield* Effect.promise(() => fetch(`${server.url}/health`))
      add("Start of a server", server.cpu())
      for (let round = 0; round < rounds; round++)
        for (const [name, path] of requests(material))
          add(name, yield* ofRequest(server, grown, material.reads.key, path, count))
    })
  )
  for (const [name, ms] of yield* ofCommands(grown)) add(name, ms)
  return { lists, times: [...times].map(([name, all]) => ({ name, ms: median([...all]) })) }
}, Effect.scoped)

type Measured = Effect.Success<ReturnType<typeof measured>>

const tableOf = (name: string, all: ReadonlyArray<Measured>, campaigns: number): Table => {
  const [smallest] = all
  return {
    title: `Processor time in a store that grows, ${name}`,
    heads: ["", ...all.map(({ lists }) => `${number(lists)} lists, ${number(lists * 25)} leads`)],
    rows: (smallest?.times ?? []).map(({ name, ms }, i) => [
      name,
      `${plain(ms)} ms`,
      ...all.slice(1).map(({ times }) => `×${plain((times[i]?.ms ?? NaN) / ms)}`)
    ]),
    notes: [
      "User and system time of the server, and of the database if it has its own processes, beside the smallest store. All lists " +
        `are of the workspace that asks; half of their leads are reviewed. The larger stores have ${number(campaigns)} campaigns.`
    ]
  }
}

export const growth: Section = {
  name: "growth",
  about:
    "pages, exports, commands and the start of stores of up to 40,000 lists and 1,000,000 leads, in both databases",
  minutes: 40,
  run: Effect.fnUntraced(function* (bench) {
    const { campaigns, lists } = bench.quick ? quickly : sizes
    const all = yield* Effect.forEach(Object.entries(engines), ([name, engine]) =>
      Effect.map(
        Effect.forEach(lists, (size) => measured(bench, engine, size)),
        (stores) => ({ name, stores })
      )
    )
    return { figures: all, tables: all.map(({ name, stores }) => tableOf(name, stores, campaigns)) }
  })
}
