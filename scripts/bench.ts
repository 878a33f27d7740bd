// scripts/bench.ts: measures how fast the server is, always beside a reference measured in the same minutes on the same machine.
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Clock, Console, Effect, Exit, Schema } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { createTestData, largestSize } from "./bench/TestData.ts"
import { startModelServer } from "./bench/ModelServer.ts"
import { asJson, asText, describeMachine, mergeReports, asPage, Report } from "./bench/Report.ts"
import type { Bench, Section } from "./bench/Section.ts"
import { batches } from "./bench/sections/Batches.ts"
import { commands } from "./bench/sections/Commands.ts"
import { growth } from "./bench/sections/Growth.ts"
import { latency } from "./bench/sections/Latency.ts"
import { machines } from "./bench/sections/Machines.ts"
import { routes } from "./bench/sections/Routes.ts"
import { start } from "./bench/sections/Start.ts"
import { tests } from "./bench/sections/Tests.ts"
import { templates } from "./bench/sections/Templates.ts"
import { modelBatches } from "./bench/sections/ModelBatches.ts"
import { temporaryDirectory } from "./bench/Store.ts"

const sections: ReadonlyArray<Section> = [
  routes,
  templates,
  batches,
  modelBatches,
  latency,
  commands,
  start,
  growth,
  machines,
  tests
]

const usage = `usage: npm run bench -- [--quick] [--only NAME[,NAME]] [--json FILE] [--docs [--from FILE]]

  --quick   checks that every section works, in about a minute
  --only    runs some of the sections below; their minutes are those of the full form
  --json    writes the report to FILE, with every round
  --docs    writes docs/maintainers/benchmarks.json and benchmarks.md; with --only, replaces only these sections
  --from    reads the report in FILE, for --docs, and measures nothing

${sections.map(({ about, minutes, name }) => `  ${name.padEnd(9)} ${String(minutes).padStart(3)}  ${about}`).join("\n")}
`

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    json: { type: "string" },
    docs: { type: "boolean", default: false },
    from: { type: "string" },
    help: { type: "boolean", short: "h", default: false }
  }
})

const sectionNames = flags.only?.split(",") ?? sections.map(({ name }) => name)
const docsDirectory = join(import.meta.dirname, "../docs/maintainers")
const readReport = (file: string) => Schema.decodeSync(Schema.fromJsonString(Report))(readFileSync(file, "utf8"))

const reportFile = join(docsDirectory, "benchmarks.json")

/** Writes the report so far, so that an interrupted run keeps what it measured. */
const writeReport = (report: Report) => {
  if (flags.json !== undefined) writeFileSync(flags.json, asJson(report))
  if (!flags.docs) return
  const previous = flags.only !== undefined && existsSync(reportFile) ? readReport(reportFile) : undefined
  const merged = previous === undefined ? report : mergeReports(previous, report)
  writeFileSync(reportFile, asJson(merged))
  writeFileSync(join(docsDirectory, "benchmarks.md"), asPage(merged))
}

/** Runs one section. If it fails, the others still run. */
const runSection = Effect.fnUntraced(function* (section: Section, bench: Bench) {
  const startedAt = yield* Clock.currentTimeMillis
  const exit = yield* Effect.exit(Effect.scoped(section.run(bench)))
  const seconds = Math.round(((yield* Clock.currentTimeMillis) - startedAt) / 1000)
  if (Exit.isFailure(exit)) {
    yield* Console.error(`\n${section.name} failed after ${seconds} s: ${Cause.pretty(exit.cause)}`)
    return []
  }
  for (const table of exit.value.tables) yield* Console.log(asText(table))
  yield* Console.log(`(${section.name}: ${seconds} s)`)
  return [{ name: section.name, seconds, ...exit.value }]
})

const runBench = Effect.gen(function* () {
  const selected = sections.filter(({ name }) => sectionNames.includes(name))
  const host = describeMachine()
  yield* Console.log(`${host.os}, ${host.cores} cores, ${host.memory_gb} GB, Node ${host.node}`)
  const { quick } = flags
  const parent = yield* temporaryDirectory
  // Loading programs takes most of the short form, and only the full form measures it.
  if (quick) process.env["NODE_COMPILE_CACHE"] = join(parent, "compiled")
  const startedAt = yield* Clock.currentTimeMillis
  const testData = yield* createTestData(
    join(parent, "test-data"),
    largestSize(selected.map(({ needs }) => needs?.(quick) ?? {}))
  )
  const model = yield* startModelServer(testData.emails)
  yield* Console.log(`(preparation: ${Math.round(((yield* Clock.currentTimeMillis) - startedAt) / 1000)} s)`)
  const results: Array<Report["sections"][number]> = []
  for (const section of selected) {
    results.push(...(yield* runSection(section, { testData, model, directory: parent, quick })))
    const measuredAt = new Date(yield* Clock.currentTimeMillis).toISOString()
    writeReport({ at: measuredAt, quick, machine: host, sections: results })
  }
  if (results.length < selected.length) process.exitCode = 1
}).pipe(Effect.scoped)

const unknownSections = sectionNames.filter((name) => !sections.some((section) => section.name === name))
const usageError =
  unknownSections.length > 0
    ? `There is no section ${unknownSections.join(", ")}`
    : flags.docs && flags.quick
      ? "The figures of the short form are not worth publishing"
      : undefined
if (usageError !== undefined) {
  console.error(`${usageError}\n\n${usage}`)
  process.exitCode = 1
} else if (flags.help) console.log(usage)
else if (flags.from === undefined) NodeRuntime.runMain(runBench)
else writeReport(readReport(flags.from))
