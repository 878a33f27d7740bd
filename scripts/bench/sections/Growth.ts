// scripts/bench/sections/Growth.ts: what takes more processor time the more lists, leads and campaigns a store has.
import { Effect } from "effect"
import { join } from "node:path"
import { median } from "../../Median.ts"
import type { Material } from "../Material.ts"
import { multiply } from "../Multiply.ts"
import { processorTime } from "../Processor.ts"
import { number, plain } from "../Report.ts"
import type { Section } from "../Section.ts"
import { type Server, spent, startOverture } from "../Servers.ts"
import { borrowed, program, type Store } from "../Store.ts"

const sizes = { lists: [100, 1_000, 10_000], campaigns: 1_000, requests: 100, rounds: 3 }
const quickly = { lists: [2, 4], campaigns: 4, requests: 4, rounds: 1 }

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
    ["Export of 25 leads", `/lists/${reads.list}/export?format=csv`],
    ["Page of campaigns", "/campaigns?limit=20"],
    ["Page of suppressions", "/suppressions?limit=20"],
    ["Credits check", "/credits/check?required=120"],
    ["Credits used by day", "/credits/usage"]
  ] as const

/** Processor time of the server for one request, in milliseconds. */
const ofRequest = Effect.fnUntraced(function* (server: Server, key: string, path: string, count: number) {
  const ask = Effect.promise(async () => {
    const answer = await fetch(`${server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  })
  // The first requests compile code and read pages of the file.
  yield* Effect.repeat(ask, { times: Math.ceil(count / 10) })
  const { cpu_ms } = yield* spent([server], Effect.repeat(ask, { times: count - 1 }))
  return cpu_ms / count
})

/** Processor time of each command and of a start, in milliseconds. */
const ofCommands = Effect.fnUntraced(function* (store: Store, within: string) {
  const command = (...args: ReadonlyArray<string>) =>
    processorTime([process.execPath, program, ...args, "--data-dir", store.dataDir])
  return [
    ["`overture verify`", yield* command("verify")],
    ["`overture backup`", yield* command("backup", join(within, `${performance.now()}.backup`))],
    ["`overture prune --dry-run`", yield* command("prune", "--dry-run")]
  ] as const
})

export const growth: Section = {
  name: "growth",
  about: "pages, exports, commands and the start of stores of up to 10,000 lists and 250,000 leads",
  minutes: 10,
  run: Effect.fnUntraced(function* ({ directory, material, quick }) {
    const { campaigns, lists, requests: count, rounds } = quick ? quickly : sizes
    const paths = requests(material)
    const measured = yield* Effect.forEach(lists, (size) =>
      Effect.scoped(
        Effect.gen(function* () {
          const store = yield* borrowed(material, directory)
          yield* Effect.sync(() => multiply(store, material, size, Math.min(size, campaigns)))
          const times = new Map<string, ReadonlyArray<number>>()
          const add = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms])
          yield* Effect.scoped(
            Effect.gen(function* () {
              const server = yield* startOverture({ ...store, kept: true })
              yield* Effect.promise(() => fetch(`${server.url}/health`))
              add("Start of a server", server.cpu())
              for (let round = 0; round < rounds; round++)
                for (const [name, path] of paths) add(name, yield* ofRequest(server, material.reads.key, path, count))
            })
          )
          for (const [name, ms] of yield* ofCommands(store, store.dataDir)) add(name, ms)
          return { lists: size, times: [...times].map(([name, all]) => ({ name, ms: median([...all]) })) }
        })
      )
    )
    const [smallest] = measured
    return {
      figures: measured,
      tables: [
        {
          title: "Processor time in a store that grows",
          heads: ["", ...measured.map(({ lists }) => `${number(lists)} lists, ${number(lists * 25)} leads`)],
          rows: (smallest?.times ?? []).map(({ name, ms }, i) => [
            name,
            `${plain(ms)} ms`,
            ...measured.slice(1).map(({ times }) => `×${plain((times[i]?.ms ?? NaN) / ms)}`)
          ]),
          notes: [
            "User and system time, beside the smallest store. All lists are of the workspace that asks; half of their leads are " +
              `reviewed. The larger stores have ${number(campaigns)} campaigns.`
          ]
        }
      ]
    }
  })
}
