// scripts/bench/sections/Export.ts: a long list taken home in both formats, beside copying a file of that size.
import { Effect } from "effect"
import { closeSync, copyFileSync, openSync, rmSync, writeSync } from "node:fs"
import { get } from "node:http"
import { join } from "node:path"
import { client, written } from "../Client.ts"
import { median } from "../../Median.ts"
import { compare, pairs } from "../Pairs.ts"
import { number, plain, row } from "../Report.ts"
import type { Bench, Section } from "../Section.ts"
import { type Server, spent, startOverture } from "../Servers.ts"
import { copy, lengthen, type Store, verify } from "../Store.ts"

type Format = "csv" | "json"
const formats: ReadonlyArray<Format> = ["csv", "json"]

const MB = 1e6

/** Takes the file in and keeps none of it. */
const download = (server: Server, key: string, list: string, format: Format) =>
  Effect.callback<{ readonly bytes: number; readonly ms: number; readonly first_ms: number }>((resume) => {
    const began = performance.now()
    const headers = { authorization: `Bearer ${key}` }
    const request = get(`${server.url}/api/v1/lists/${list}/export?format=${format}`, { headers }, (response) => {
      const first_ms = performance.now() - began
      let bytes = 0
      response.on("data", (chunk: Buffer) => (bytes += chunk.length))
      response.on("end", () => {
        const whole = response.statusCode === 200 && response.complete
        if (whole) resume(Effect.succeed({ bytes, ms: performance.now() - began, first_ms }))
        else resume(Effect.die(new Error(`An export ended early, with ${response.statusCode}`)))
      })
    })
    request.on("error", (error) => resume(Effect.die(error)))
  })

const exported = Effect.fnUntraced(function* (server: Server, key: string, list: string, format: Format) {
  server.forgetPeak()
  const { cpu_ms, result } = yield* spent([server], download(server, key, list, format))
  const per_second = result.bytes / MB / (result.ms / 1000)
  return { ...result, cpu_ms, per_second, peak_mb: server.memory().peak }
})

/** A file of so many bytes, copied as the system does it best. */
const copied = (within: string, bytes: number) =>
  Effect.sync(() => {
    const [from, to] = [join(within, "copied-from"), join(within, "copied-to")]
    const file = openSync(from, "w")
    const block = Buffer.alloc(1 << 20, "The same megabyte as before. ")
    for (let left = bytes; left > 0; left -= block.length) writeSync(file, block, 0, Math.min(left, block.length))
    closeSync(file)
    const began = performance.now()
    copyFileSync(from, to)
    const ms = performance.now() - began
    rmSync(from)
    rmSync(to)
    return { ms, per_second: bytes / MB / (ms / 1000) }
  })

/** A store whose list has as many times the leads that were written for it. */
const grown = Effect.fnUntraced(function* ({ directory }: Bench, source: Store, list: string, times: number) {
  const store = copy(source, join(directory, `exported-${times}`))
  yield* lengthen(store, list, times)
  if (times > 10) yield* verify(store)
  return store
})

const sizes = { pairs: 5, leads: 1000, times: [10, 100] } as const
const quickly = { pairs: 1, leads: 100, times: [2, 20] } as const

export const exports: Section = {
  name: "export",
  about: "100,000 leads as CSV and as JSON, beside copying a file of that size; memory",
  minutes: 2,
  run: Effect.fnUntraced(function* (bench) {
    const { directory, material, quick } = bench
    const size = quick ? quickly : sizes
    const { key } = material.batches
    const source = { ...copy(material, join(directory, "exported")), kept: true }
    const list = yield* Effect.scoped(
      Effect.gen(function* () {
        const server = yield* startOverture(source)
        return yield* written(client(server, key), material.batches.campaign, size.leads)
      })
    )
    const measured = yield* Effect.forEach(size.times, (times) =>
      Effect.scoped(
        Effect.gen(function* () {
          const server = yield* startOverture(yield* grown(bench, source, list, times))
          // Warms up. A server that writes a file of a list does so here, once.
          const first = yield* Effect.forEach(formats, (format) => exported(server, key, list, format))
          yield* Effect.sleep(quick ? 100 : 2000)
          const idle_mb = server.memory().now
          return yield* Effect.forEach(formats, (format, i) =>
            Effect.map(
              pairs(size.pairs, exported(server, key, list, format), copied(directory, first[i]?.bytes ?? 0)),
              (rounds) => ({ leads: times * size.leads, format, first: first[i], idle_mb, rounds })
            )
          )
        })
      )
    )
    const [few = [], many = []] = measured
    const above = many.map(({ idle_mb, rounds }) => rounds.map(({ a }) => a.peak_mb - idle_mb))
    const name = { csv: "CSV", json: "JSON" }
    const time = ({ rounds }: (typeof many)[number]) => median(rounds.map(({ a }) => a.ms))
    return {
      figures: measured,
      tables: [
        {
          title: "A list exported",
          heads: ["", "Overture", "copying a file of that size", "ratio", "aim"],
          rows: [...few, ...many].map(({ first, format, leads, rounds }) => {
            const speed = compare(rounds, ({ per_second }) => per_second)
            const megabytes = plain((first?.bytes ?? NaN) / MB)
            return row(`${number(leads)} leads as ${name[format]}, ${megabytes} MB: MB/s`, speed, "≥ 0.33")
          }),
          notes: [
            "Over HTTP on the loopback, to a client that throws it away. The reference is the system's own copy of a file " +
              "in memory, which need not pass through a process. The emails are the built-in writer's, its list " +
              "lengthened in the store with ids, charges and counters of its own; the store passes `overture verify`."
          ]
        },
        {
          title: "What an export takes",
          heads: ["", ...many.map(({ format }) => name[format]), "aim"],
          rows: [
            ["Memory above idle at most, MB", ...above.map((all) => plain(Math.max(...all))), "< 50"],
            [
              "Times as long for ten times the leads",
              ...many.map((each, i) => plain(time(each) / time(few[i] ?? each))),
              "10"
            ],
            [
              "Processor time of an export by its duration",
              ...many.map(({ rounds }) => plain(median(rounds.map(({ a }) => a.cpu_ms / a.ms)))),
              ""
            ]
          ],
          notes: [
            `Idle, the server held ${plain(many[0]?.idle_mb ?? NaN)} MB after it had exported each format once. The first ` +
              `export of ${number(many[0]?.leads ?? 0)} leads took ` +
              many
                .map(
                  (each) =>
                    `${plain((each.first?.ms ?? NaN) / time(each))} times as long as later ones as ${name[each.format]}`
                )
                .join(" and ") +
              "."
          ]
        }
      ]
    }
  })
}
