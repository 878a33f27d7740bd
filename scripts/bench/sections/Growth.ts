// scripts/bench/sections/Growth.ts: processor time of requests and commands as lists, leads and campaigns are added, in SQLite and
// in PostgreSQL.
import { Effect, type Scope } from "effect"
import { join } from "node:path"
import { median } from "../../Median.ts"
import type { TestData } from "../TestData.ts"
import { copyListsAndCampaigns } from "../CopyLists.ts"
import { processorTime } from "../ProcessorTime.ts"
import { formatNumber, formatSignificant, type Table } from "../Report.ts"
import type { Bench, Section } from "../Section.ts"
import { processTreeCpu, type Env, type Server, measureTime, startOverture } from "../Servers.ts"
import { temporaryCopy, copyToPostgres, mainFile, type Store } from "../Store.ts"

const fullSizes = { lists: [100, 1_000, 10_000, 40_000], campaigns: 1_000, requests: 100, rounds: 3 }
const quickSizes = { lists: [2, 4], campaigns: 4, requests: 4, rounds: 1 }

/** A store of some size, and the database that works for it beside the server. */
interface MeasuredStore {
  readonly store: Store
  readonly env: Env
  readonly database: ReadonlyArray<Pick<Server, "cpu">>
}

type Engine = (measuredStore: Store) => Effect.Effect<MeasuredStore, never, Scope.Scope>

const engines: Readonly<Record<"SQLite" | "PostgreSQL", Engine>> = {
  SQLite: (store) => Effect.succeed({ store, env: {}, database: [] }),
  PostgreSQL: (store) =>
    Effect.map(copyToPostgres(store), ({ pid, server }) => ({
      store,
      env: { DATABASE_URL: server },
      database: [{ cpu: () => processTreeCpu(pid) }]
    }))
}

/** Reads of a workspace that has all lists. */
const readRequests = ({ reads }: TestData) =>
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
const requestCpu = Effect.fnUntraced(function* (
  server: Server,
  { database }: MeasuredStore,
  key: string,
  path: string,
  count: number
) {
  const sendRequest = Effect.promise(async () => {
    const response = await fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  })
  // The first requests compile code and read pages of the file.
  yield* Effect.repeat(sendRequest, { times: Math.ceil(count / 10) })
  const { cpu_ms } = yield* measureTime([server, ...database], Effect.repeat(sendRequest, { times: count - 1 }))
  return cpu_ms / count
})

/** Processor time of each command, in milliseconds. */
const commandCpu = Effect.fnUntraced(function* ({ database, env, store }: MeasuredStore) {
  const command = (...args: ReadonlyArray<string>) =>
    Effect.map(
      measureTime(
        database,
        processorTime([process.execPath, mainFile, ...args, "--data-dir", store.dataDir], undefined, env)
      ),
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
const measureStore = Effect.fnUntraced(function* (
  { directory, testData, quick }: Bench,
  engine: Engine,
  lists: number
) {
  const { campaigns, requests: count, rounds } = quick ? quickSizes : fullSizes
  const copy = yield* temporaryCopy(testData, directory)
  yield* Effect.sync(() => copyListsAndCampaigns(copy, testData, lists, Math.min(lists, campaigns)))
  const measuredStore = yield* engine({ ...copy, stopGracefully: true })
  const times = new Map<string, ReadonlyArray<number>>()
  const addTime = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms])
  yield* Effect.scoped(
    Effect.gen(function* () {
      const server = yield* startOverture(measuredStore.store, measuredStore.env)
      yield* Effect.promise(() => fetch(`${server.url}/health`))
      addTime("Start of a server", server.cpu())
      for (let round = 0; round < rounds; round++)
        for (const [name, path] of readRequests(testData))
          addTime(name, yield* requestCpu(server, measuredStore, testData.reads.key, path, count))
    })
  )
  for (const [name, ms] of yield* commandCpu(measuredStore)) addTime(name, ms)
  return { lists, times: [...times].map(([name, stores]) => ({ name, ms: median([...stores]) })) }
}, Effect.scoped)

type StoreTimes = Effect.Success<ReturnType<typeof measureStore>>

const growthTable = (name: string, stores: ReadonlyArray<StoreTimes>, campaigns: number): Table => {
  const [smallest] = stores
  return {
    title: `Processor time in a store that grows, ${name}`,
    heads: ["", ...stores.map(({ lists }) => `${formatNumber(lists)} lists, ${formatNumber(lists * 25)} leads`)],
    rows: (smallest?.times ?? []).map(({ name, ms }, i) => [
      name,
      `${formatSignificant(ms)} ms`,
      ...stores.slice(1).map(({ times }) => `×${formatSignificant((times[i]?.ms ?? NaN) / ms)}`)
    ]),
    notes: [
      "User and system time of the server, and of the database if it has its own processes, beside the smallest store. All lists " +
        `are of the workspace that asks; half of their leads are reviewed. The larger stores have ${formatNumber(campaigns)} campaigns.`
    ]
  }
}

export const growth: Section = {
  name: "growth",
  about:
    "pages, exports, commands and the start of stores of up to 40,000 lists and 1,000,000 leads, in both databases",
  minutes: 40,
  run: Effect.fnUntraced(function* (bench) {
    const { campaigns, lists } = bench.quick ? quickSizes : fullSizes
    const stores = yield* Effect.forEach(Object.entries(engines), ([name, engine]) =>
      Effect.map(
        Effect.forEach(lists, (size) => measureStore(bench, engine, size)),
        (stores) => ({ name, stores })
      )
    )
    return { figures: stores, tables: stores.map(({ name, stores }) => growthTable(name, stores, campaigns)) }
  })
}
