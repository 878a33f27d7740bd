// test/program/soak.test.ts: the verdict of a soak test on known memory profiles, and the samples that it takes of a process.
import { assert, describe, it } from "@effect/vitest"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { judge, megabytes, profile, type Sample } from "../../scripts/chaos/SoakVerdict.ts"

const mebibyte = 1024 * 1024
const flatSample = { rss: 300, live: 100, external: 20, files: 60, wal: 4 }

/** One sample of a server for each second; `valuesAt` gives its values in megabytes. */
const makeSamples = (
  seconds: number,
  valuesAt: (second: number) => Partial<typeof flatSample>
): ReadonlyArray<Sample> =>
  Array.from({ length: seconds }, (_, second) => {
    const { external, files, live, rss, wal } = { ...flatSample, ...valuesAt(second) }
    return {
      seconds: second,
      rss: rss * mebibyte,
      heap: (live + 40) * mebibyte,
      live: live * mebibyte,
      external: external * mebibyte,
      files,
      wal: wal * mebibyte,
      store: 10 * mebibyte,
      delay_p99: 12,
      delay_max: 40
    }
  })

const findGrowing = (samples: ReadonlyArray<Sample>) =>
  judge(samples).flatMap(({ levelsOff, name }) => (levelsOff ? [] : [name]))

describe("a profile", () => {
  const sawtooth = (second: number) => (second % 12) * 5
  const flatProfiles: ReadonlyArray<readonly [string, (second: number) => Partial<typeof flatSample>]> = [
    ["that is flat", () => flatSample],
    ["that climbs while it warms up", (second) => ({ rss: 200 + Math.min(second, 120) })],
    [
      "that rises and falls with each collection",
      (second) => ({ rss: 300 + sawtooth(second), live: 100 + (Math.floor(second / 12) % 3) })
    ],
    [
      "that climbs more and more slowly",
      (second) => ({ rss: 300 - 100 * Math.exp(-second / 120), live: 100 - 50 * Math.exp(-second / 120) })
    ],
    ["with a peak of files", (second) => ({ files: second % 60 === 0 ? 75 : 60 })]
  ]
  it.each(flatProfiles)("%s levels off", (_, valuesAt) =>
    assert.deepStrictEqual(findGrowing(makeSamples(600, valuesAt)), [])
  )

  const growingProfiles: ReadonlyArray<readonly [string, string, (second: number) => Partial<typeof flatSample>]> = [
    ["resident memory, MB", "a fifth of a megabyte more each second", (second) => ({ rss: 300 + second * 0.2 })],
    ["heap after collections, MB", "a little left by each collection", (second) => ({ live: 100 + second / 20 })],
    ["memory outside of the heap, MB", "buffers that are never freed", (second) => ({ external: 20 + second / 15 })],
    ["most open files", "a socket every four seconds", (second) => ({ files: 60 + Math.floor(second / 4) })],
    ["longest write-ahead log, MB", "a log that is never truncated", (second) => ({ wal: 4 + second / 5 })]
  ]
  it.each(growingProfiles)("does not level off in %s: %s", (measure, _, valuesAt) =>
    assert.deepStrictEqual(findGrowing(makeSamples(600, valuesAt)), [measure])
  )

  it("does not check open files on a system that does not report them", () => {
    const samples = makeSamples(600, () => ({})).map((sample) => ({ ...sample, files: undefined }))
    assert.notInclude(
      judge(samples).map(({ name }) => name),
      "most open files"
    )
    assert.strictEqual(profile(samples)[1]?.[5], "?")
  })

  it("has a row for each minute", () => {
    const [header, ...rows] = profile(makeSamples(150, (second) => ({ rss: 100 + second })))
    assert.strictEqual(header?.[1], "RSS MB")
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

it("a server in a soak test writes samples to a file, and the sampling does not keep its process alive", async () => {
  const samples = join(mkdtempSync(join(tmpdir(), "overture-test-")), "samples")
  const preload = new URL("../../scripts/chaos/Preload.ts", import.meta.url).href
  const env = { ...process.env, CHAOS_SAMPLES: samples }
  const child = fork("-e", ["setTimeout(() => {}, 2500)"], { execArgv: ["--import", preload], silent: true, env })
  assert.deepStrictEqual(await once(child, "exit"), [0, null])
  const [firstLine = ""] = readFileSync(samples, "utf8").split("\n")
  const sample = JSON.parse(firstLine)
  assert.isAbove(megabytes(sample.rss), 10)
  assert.isAbove(sample.rss, sample.heap)
  assert.isAtLeast(sample.delay_max, sample.delay_p99)
  rmSync(dirname(samples), { recursive: true })
})
