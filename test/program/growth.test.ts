// test/program/growth.test.ts: the verdict on profiles of memory and files whose answer is known, and the probe that reports them.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { judge, megabytes, profile, type Sample } from "../../scripts/chaos/Verdict.ts"
import { folder } from "../support/process.ts"

const mb = 1024 * 1024
const flat = { rss: 300, live: 100, external: 20, files: 60, wal: 4 }

/** One sample for each second of a server, in megabytes. */
const seen = (seconds: number, at: (second: number) => Partial<typeof flat>): ReadonlyArray<Sample> =>
  Array.from({ length: seconds }, (_, second) => {
    const { external, files, live, rss, wal } = { ...flat, ...at(second) }
    return {
      seconds: second,
      rss: rss * mb,
      heap: (live + 40) * mb,
      live: live * mb,
      external: external * mb,
      files,
      wal: wal * mb,
      store: 10 * mb,
      delay_p99: 12,
      delay_max: 40
    }
  })

const climbing = (samples: ReadonlyArray<Sample>) => judge(samples).flatMap(({ holds, what }) => (holds ? [] : [what]))

describe("a profile", () => {
  const sawtooth = (second: number) => (second % 12) * 5
  const level: ReadonlyArray<readonly [string, (second: number) => Partial<typeof flat>]> = [
    ["that is flat", () => flat],
    ["that climbs while it warms up", (at) => ({ rss: 200 + Math.min(at, 120) })],
    [
      "that rises and falls with each collection",
      (at) => ({ rss: 300 + sawtooth(at), live: 100 + (Math.floor(at / 12) % 3) })
    ],
    ["that climbs ever less", (at) => ({ rss: 300 - 100 * Math.exp(-at / 120), live: 100 - 50 * Math.exp(-at / 120) })],
    ["with a peak of files", (at) => ({ files: at % 60 === 0 ? 75 : 60 })]
  ]
  it.each(level)("%s levels off", (_, at) => assert.deepStrictEqual(climbing(seen(600, at)), []))

  const growing: ReadonlyArray<readonly [string, string, (second: number) => Partial<typeof flat>]> = [
    ["resident memory, MB", "a fifth of a megabyte more each second", (at) => ({ rss: 300 + at * 0.2 })],
    ["heap after collections, MB", "a little left by each collection", (at) => ({ live: 100 + at / 20 })],
    ["memory beside the heap, MB", "buffers that nobody frees", (at) => ({ external: 20 + at / 15 })],
    ["most open files", "a socket every four seconds", (at) => ({ files: 60 + Math.floor(at / 4) })],
    ["longest write-ahead log, MB", "a log that nobody cuts", (at) => ({ wal: 4 + at / 5 })]
  ]
  it.each(growing)("does not level off in %s: %s", (what, _, at) =>
    assert.deepStrictEqual(climbing(seen(600, at)), [what])
  )

  it("says nothing of files where the system does not", () => {
    const samples = seen(600, () => ({})).map((sample) => ({ ...sample, files: undefined }))
    assert.notInclude(
      judge(samples).map(({ what }) => what),
      "most open files"
    )
    assert.strictEqual(profile(samples)[1]?.[5], "?")
  })

  it("has a row for each minute", () => {
    const [heads, ...rows] = profile(seen(150, (at) => ({ rss: 100 + at })))
    assert.strictEqual(heads?.[1], "RSS MB")
    assert.deepStrictEqual(
      rows.map(([minute, rss]) => [minute, rss]),
      [
        ["1", "129.5"],
        ["2", "189.5"],
        ["3", "234.5"]
      ]
    )
  })
})

it.live("the probe reports the process that it is loaded into, and does not keep it running", () =>
  Effect.gen(function* () {
    const file = join(yield* folder, "probe")
    const probe = new URL("../../scripts/chaos/Probe.ts", import.meta.url).href
    const env = { ...process.env, CHAOS_PROBE: file }
    const child = fork("-e", ["setTimeout(() => {}, 2500)"], { execArgv: ["--import", probe], silent: true, env })
    assert.deepStrictEqual(yield* Effect.promise(() => once(child, "exit")), [0, null])
    const report = JSON.parse(readFileSync(file, "utf8"))
    assert.isAbove(megabytes(report.rss), 10)
    assert.isAbove(report.rss, report.heap)
    assert.isAtLeast(report.delay_max, report.delay_p99)
  })
)
