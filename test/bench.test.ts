// test/bench.test.ts: that what the benchmark says follows from what it measured.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { median } from "../scripts/Median.ts"
import { compare, invertRatio, measurePairs } from "../scripts/bench/Pairs.ts"
import { asText, mergeReports, asPage, Report } from "../scripts/bench/Report.ts"

const self = (n: number) => n

describe("pairs", () => {
  it.effect("take turns in going first", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const note = (name: string) => Effect.sync(() => order.push(name))
      yield* measurePairs(3, note("a"), note("b"))
      assert.strictEqual(order.join(""), "abbaab")
    })
  )

  it.effect("are one at least, however little time there is", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* measurePairs(5, Effect.succeed(1), Effect.succeed(2), 0), [{ a: 1, b: 2 }])
    })
  )

  it("are compared pair by pair, not by their medians", () => {
    const rounds = [
      { a: 1, b: 2 },
      { a: 10, b: 10 },
      { a: 30, b: 10 }
    ]
    const compared = compare(rounds, self, self)
    assert.deepStrictEqual(compared, { a: 10, b: 10, ratio: { median: 1, min: 0.5, max: 3 } })
    assert.deepStrictEqual(invertRatio(compared).ratio, { median: 1, min: 1 / 3, max: 2 })
  })

  it("have the mean of the two in the middle as median where they are even", () => {
    assert.strictEqual(median([4, 1, 3, 2]), 2.5)
  })
})

const report: Report = {
  at: "2026-01-02T03:04:05.000Z",
  quick: false,
  machine: { cores: 2, processor: "Some", memory_gb: 8, node: "v24.0.0", os: "linux x64" },
  sections: [
    {
      name: "routes",
      seconds: 1,
      tables: [{ title: "Speed", heads: ["Route", "ratio"], rows: [["a|b", "0.90"]], notes: ["So it is."] }],
      figures: {}
    }
  ]
}

describe("the report", () => {
  it("is a table that Markdown takes for one", () => {
    assert.include(asPage(report), "### Speed\n\n| Route | ratio |\n| --- | --: |\n| a\\|b | 0.90 |\n\nSo it is.\n")
    assert.include(asPage(report), "2 cores (Some), 8 GB, linux x64, Node v24.0.0")
  })

  it("is a table for a terminal", () => {
    assert.strictEqual(
      report.sections[0]?.tables.map(asText).join(""),
      "\nSpeed\nRoute  ratio\na|b     0.90\nSo it is."
    )
  })

  it("keeps the sections that were not measured again", () => {
    const [first] = report.sections
    assert(first !== undefined)
    const both = { ...report, sections: [first, { ...first, name: "start" }] }
    const again = { ...report, at: "2026-02-03T00:00:00.000Z", sections: [{ ...first, name: "start", seconds: 9 }] }
    const merged = mergeReports(both, again)
    assert.deepStrictEqual(
      merged.sections.map(({ name, seconds }) => [name, seconds]),
      [
        ["routes", 1],
        ["start", 9]
      ]
    )
    assert.strictEqual(merged.at, again.at)
  })

  const stored = new URL("../docs/maintainers/benchmarks.json", import.meta.url)
  // The full form takes a machine with nothing else to do, so the page need not be there.
  it("is what docs/maintainers/benchmarks.md was made of, where there is one", () => {
    if (!existsSync(stored)) return
    const read = Schema.decodeSync(Schema.fromJsonString(Report))(readFileSync(stored, "utf8"))
    assert.strictEqual(
      readFileSync(new URL("../docs/maintainers/benchmarks.md", import.meta.url), "utf8"),
      asPage(read)
    )
    assert.isFalse(read.quick)
  })
})
