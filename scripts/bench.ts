// scripts/bench.ts: measures how fast the server is, always beside a reference measured in the same minutes on the same machine.
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Clock, Console, Effect, Exit, Schema } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fill, most } from "./bench/Material.ts"
import { make as makeModel } from "./bench/Model.ts"
import { asJson, asText, machine, merge, page, Report } from "./bench/Report.ts"
import type { Bench, Section } from "./bench/Section.ts"
import { batches } from "./bench/sections/Batches.ts"
import { commands } from "./bench/sections/Commands.ts"
import { growth } from "./bench/sections/Growth.ts"
import { latency } from "./bench/sections/Latency.ts"
import { machines } from "./bench/sections/Machines.ts"
import { routes } from "./bench/sections/Routes.ts"
import { starts } from "./bench/sections/Start.ts"
import { tests } from "./bench/sections/Tests.ts"
import { templates } from "./bench/sections/Templates.ts"
import { waiting } from "./bench/sections/Waiting.ts"
import { directory } from "./bench/Store.ts"

const sections: ReadonlyArray<Section> = [
  routes,
  templates,
  batches,
  waiting,
  latency,
  commands,
  starts,
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

const names = flags.only?.split(",") ?? sections.map(({ name }) => name)
const docs = join(import.meta.dirname, "../docs/maintainers")
const read = (file: string) => Schema.decodeSync(Schema.fromJsonString(Report))(readFileSync(file, "utf8"))

const stored = join(docs, "benchmarks.json")

/** Writes the report so far, so that an interrupted run keeps what it measured. */
const write = (report: Report) => {
  if (flags.json !== undefined) writeFileSync(flags.json, asJson(report))
  if (!flags.docs) return
  const before = flags.only !== undefined && existsSync(stored) ? read(stored) : undefined
  const whole = before === undefined ? report : merge(before, report)
  writeFileSync(stored, asJson(whole))
  writeFileSync(join(docs, "benchmarks.md"), page(whole))
}

/** Runs one section. If it fails, the others still run. */
const measured = Effect.fnUntraced(function* (section: Section, bench: Bench) {
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

const bench = Effect.gen(function* () {
  const wanted = sections.filter(({ name }) => names.includes(name))
  const here = machine()
  yield* Console.log(`${here.os}, ${here.cores} cores, ${here.memory_gb} GB, Node ${here.node}`)
  const { quick } = flags
  const within = yield* directory
  // Loading programs takes most of the short form, and only the full form measures it.
  if (quick) process.env["NODE_COMPILE_CACHE"] = join(within, "compiled")
  const startedAt = yield* Clock.currentTimeMillis
  const material = yield* fill(join(within, "material"), most(wanted.map(({ needs }) => needs?.(quick) ?? {})))
  const model = yield* makeModel(material.emails)
  yield* Console.log(`(preparation: ${Math.round(((yield* Clock.currentTimeMillis) - startedAt) / 1000)} s)`)
  const done: Array<Report["sections"][number]> = []
  for (const section of wanted) {
    done.push(...(yield* measured(section, { material, model, directory: within, quick })))
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    write({ at, quick, machine: here, sections: done })
  }
  if (done.length < wanted.length) process.exitCode = 1
}).pipe(Effect.scoped)

const unknown = names.filter((name) => !sections.some((section) => section.name === name))
const refused =
  unknown.length > 0
    ? `There is no section ${unknown.join(", ")}`
    : flags.docs && flags.quick
      ? "The figures of the short form are not worth publishing"
      : undefined
if (refused !== undefined) {
  console.error(`${refused}\n\n${usage}`)
  process.exitCode = 1
} else if (flags.help) console.log(usage)
else if (flags.from === undefined) NodeRuntime.runMain(bench)
else write(read(flags.from))
