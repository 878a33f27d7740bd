// test/program/soak.test.ts: whether a soak finds leaks in known profiles, and its samples of a process.
import { assert, describe, it } from "@effect/vitest"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { judge, megabytes, profile, type Sample } from "../../scripts/chaos/SoakVerdict.ts"

const mb = 1024 * 1024
const flatSample = { rss: 300, live: 100, external: 20, files: 60, wal: 4 }

/** One sample for each second of a server, in megabytes. */
const makeSamples = (seconds: number, at: (second: number) => Partial<typeof flatSample>): ReadonlyArray<Sample> =>
  Array.from({ length: seconds }, (_, second) => {
    const { external, files, live, rss, wal } = { ...flatSample, ...at(second) }
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

const climbing = (samples: ReadonlyArray<Sample>) =>
  judge(samples).flatMap(({ levelsOff, name }) => (levelsOff ? [] : [name]))

describe("a profile", () => {
  const sawtooth = (second: number) => (second % 12) * 5
  const level: ReadonlyArray<readonly [string, (second: number) => Partial<typeof flatSample>]> = [
    ["that is flat", () => flatSample],
    ["that climbs while it warms up", (at) => ({ rss: 200 + Math.min(at, 120) })],
    [
      "that rises and falls with each collection",
      (at) => ({ rss: 300 + sawtooth(at), live: 100 + (Math.floor(at / 12) % 3) })
    ],
    ["that climbs ever less", (at) => ({ rss: 300 - 100 * Math.exp(-at / 120), live: 100 - 50 * Math.exp(-at / 120) })],
    ["with a peak of files", (at) => ({ files: at % 60 === 0 ? 75 : 60 })]
  ]
  it.each(level)("%s levels off", (_, at) => assert.deepStrictEqual(climbing(makeSamples(600, at)), []))

  const growing: ReadonlyArray<readonly [string, string, (second: number) => Partial<typeof flatSample>]> = [
    ["resident memory, MB", "a fifth of a megabyte more each second", (at) => ({ rss: 300 + at * 0.2 })],
    ["heap after collections, MB", "a little left by each collection", (at) => ({ live: 100 + at / 20 })],
    ["memory outside of the heap, MB", "buffers that are never freed", (at) => ({ external: 20 + at / 15 })],
    ["most open files", "a socket every four seconds", (at) => ({ files: 60 + Math.floor(at / 4) })],
    ["longest write-ahead log, MB", "a log that unknownId cuts", (at) => ({ wal: 4 + at / 5 })]
  ]
  it.each(growing)("does not level off in %s: %s", (what, _, at) =>
    assert.deepStrictEqual(climbing(makeSamples(600, at)), [what])
  )

  it("says nothing of files where the system does not", () => {
    const samples = makeSamples(600, () => ({})).map((sample) => ({ ...sample, files: undefined }))
    assert.notInclude(
      judge(samples).map(({ name }) => name),
      "most open files"
    )
    assert.strictEqual(profile(samples)[1]?.[5], "?")
  })

  it("has a row for each minute", () => {
    const [heads, ...rows] = profile(makeSamples(150, (at) => ({ rss: 100 + at })))
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

it("a server in a soak writes samples to a file, which do not keep it alive", async () => {
  const samples = join(mkdtempSync(join(tmpdir(), "overture-test-")), "samples")
  const inside = new URL("../../scripts/chaos/Preload.ts", import.meta.url).href
  const env = { ...process.env, CHAOS_SAMPLES: samples }
  const child = fork("-e", ["setTimeout(() => {}, 2500)"], { execArgv: ["--import", inside], silent: true, env })
  assert.deepStrictEqual(await once(child, "exit"), [0, null])
  const [first = ""] = readFileSync(samples, "utf8").split("\n")
  const sample = JSON.parse(first)
  assert.isAbove(megabytes(sample.rss), 10)
  assert.isAbove(sample.rss, sample.heap)
  assert.isAtLeast(sample.delay_max, sample.delay_p99)
  rmSync(dirname(samples), { recursive: true })
})
