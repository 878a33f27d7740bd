// test/bench.test.ts: the benchmark's statistics and reports.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { median } from "../scripts/Median.ts"
import { compare, invertRatio, measurePairs } from "../scripts/bench/Pairs.ts"
import { asText, mergeReports, asPage, Report } from "../scripts/bench/Report.ts"

const identity = (n: number) => n

describe("paired measurements", () => {
  it.effect("alternate which side runs first", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      const record = (name: string) => Effect.sync(() => order.push(name))
      yield* measurePairs(3, record("a"), record("b"))
      assert.strictEqual(order.join(""), "abbaab")
    })
  )

  it.effect("run at least once when there is no time", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* measurePairs(5, Effect.succeed(1), Effect.succeed(2), 0), [{ a: 1, b: 2 }])
    })
  )

  it("are compared pair by pair, not by medians", () => {
    const rounds = [
      { a: 1, b: 2 },
      { a: 10, b: 10 },
      { a: 30, b: 10 }
    ]
    const comparison = compare(rounds, identity, identity)
    assert.deepStrictEqual(comparison, { a: 10, b: 10, ratio: { median: 1, min: 0.5, max: 3 } })
    assert.deepStrictEqual(invertRatio(comparison).ratio, { median: 1, min: 1 / 3, max: 2 })
  })

  it("use the mean of the two middle values as the median of an even number", () => {
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
  it("is a valid Markdown table", () => {
    assert.include(asPage(report), "### Speed\n\n| Route | ratio |\n| --- | --: |\n| a\\|b | 0.90 |\n\nSo it is.\n")
    assert.include(asPage(report), "2 cores (Some), 8 GB, linux x64, Node v24.0.0")
  })

  it("is a plain text table for a terminal", () => {
    assert.strictEqual(
      report.sections[0]?.tables.map(asText).join(""),
      "\nSpeed\nRoute  ratio\na|b     0.90\nSo it is."
    )
  })

  it("keeps sections that were not measured again", () => {
    const [first] = report.sections
    assert(first !== undefined)
    const twoSections = { ...report, sections: [first, { ...first, name: "start" }] }
    const newReport = { ...report, at: "2026-02-03T00:00:00.000Z", sections: [{ ...first, name: "start", seconds: 9 }] }
    const merged = mergeReports(twoSections, newReport)
    assert.deepStrictEqual(
      merged.sections.map(({ name, seconds }) => [name, seconds]),
      [
        ["routes", 1],
        ["start", 9]
      ]
    )
    assert.strictEqual(merged.at, newReport.at)
  })

  const reportFile = new URL("../docs/maintainers/benchmarks.json", import.meta.url)
  // A full benchmark needs an idle machine, so its report may be missing.
  it("matches docs/maintainers/benchmarks.md when a stored report exists", () => {
    if (!existsSync(reportFile)) return
    const storedReport = Schema.decodeSync(Schema.fromJsonString(Report))(readFileSync(reportFile, "utf8"))
    assert.strictEqual(
      readFileSync(new URL("../docs/maintainers/benchmarks.md", import.meta.url), "utf8"),
      asPage(storedReport)
    )
    assert.isFalse(storedReport.quick)
  })
})
