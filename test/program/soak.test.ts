// test/program/soak.test.ts: the verdict on profiles of memory and files whose answer is known, the probe that reports them, and that the
// traffic of a soak deletes what it creates.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Call } from "../../scripts/chaos/soak/Calls.ts"
import { single, swept } from "../../scripts/chaos/soak/Traffic.ts"
import { judge, megabytes, profile, type Sample } from "../../scripts/chaos/soak/Verdict.ts"
import { body } from "../support/answers.ts"
import { type Caller, json, onboarded } from "../support/callers.ts"
import { built } from "../support/campaigns.ts"
import { folder } from "../support/process.ts"
import { layer } from "../support/server.ts"
import { until } from "../support/until.ts"

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
    const probe = new URL("../../scripts/chaos/soak/Probe.ts", import.meta.url).href
    const env = { ...process.env, CHAOS_PROBE: file }
    const child = fork("-e", ["setTimeout(() => {}, 2500)"], { execArgv: ["--import", probe], silent: true, env })
    assert.deepStrictEqual(yield* Effect.promise(() => once(child, "exit")), [0, null])
    const report = JSON.parse(readFileSync(file, "utf8"))
    assert.isAbove(megabytes(report.rss), 10)
    assert.isAbove(report.rss, report.heap)
    assert.isAtLeast(report.delay_max, report.delay_p99)
  })
)

/** The soak's own requests, by this caller. */
const sending =
  (who: Caller) =>
  ({ body, expect, method, path }: Call) =>
    Effect.tap(who.send(method, path, body === undefined ? {} : json(body)), ({ status, text }) =>
      Effect.sync(() => assert.include(expect, status, text))
    )

it.live("the lists of single leads are swept away, and those of batches stay", () =>
  Effect.gen(function* () {
    const who = yield* onboarded()
    const campaign = yield* built(who)
    const send = sending(who)
    yield* send(single(campaign, 1))
    const batch = { leads: [{ email: "ann@north.example" }], options: { email_count: 1, email_signature: "Ann" } }
    const { list_id } = yield* body(202, who.post(`/campaigns/${campaign}/generate-batch`, batch))
    yield* until(body(200, who.get("/lists?status=completed")), ({ lists }) => lists.length === 2)
    yield* swept(send)
    const { lists } = yield* body(200, who.get("/lists"))
    assert.deepStrictEqual(
      lists.map(({ id }: { readonly id: string }) => id),
      [list_id]
    )
  }).pipe(Effect.provide(layer()))
)
