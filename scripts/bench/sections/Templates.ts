// scripts/bench/sections/Templates.ts: leads a second of the built-in writer with a playbook, in one process and without a
// store, beside a template engine that only fills in templates.
import { NodeFileSystem } from "@effect/platform-node"
import { Effect, FileSystem, Schema } from "effect"
import { Liquid } from "liquidjs"
import { join } from "node:path"
import { Generator } from "#layers/Generator.ts"
import { DetailsPatch } from "#schema/Details.ts"
import { writeSequence, type WriterSetting, makeSetting } from "../../eval/Trial.ts"
import { leadAt } from "../Leads.ts"
import { compare, measurePairs } from "../Pairs.ts"
import { formatNumber, comparisonRow } from "../Report.ts"
import type { Section } from "../Section.ts"

interface Round {
  readonly per_second: number
}

const profile = join(import.meta.dirname, "../../../src/demo/profile.json")

const measureThroughput = <E, R>(leads: number, work: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const startedAt = performance.now()
    yield* work
    return { per_second: (leads / (performance.now() - startedAt)) * 1000 } satisfies Round
  })

/** Routes the title of each lead, fills in three templates and checks the emails, as a batch does. */
const writeSequences = (setting: WriterSetting, leads: ReadonlyArray<ReturnType<typeof leadAt>>) =>
  measureThroughput(
    leads.length,
    Effect.forEach(leads, (lead, index) => writeSequence(setting, lead, `bench:${index}`), { discard: true })
  )

/** Fills in the templates of the first persona, parsed once. */
const fillTemplates = ({ playbook }: WriterSetting, leads: ReadonlyArray<ReturnType<typeof leadAt>>) => {
  const engine = new Liquid()
  const templates = (playbook.personas[0]?.templates ?? [])
    .slice(0, 3)
    .flatMap(({ body, subject }) => [engine.parse(subject), engine.parse(body)])
  return measureThroughput(
    leads.length,
    Effect.sync(() => {
      for (const { company, name } of leads) {
        const values = { company, first_name: name.split(" ")[0] }
        for (const template of templates) engine.renderSync(template, values)
      }
    })
  )
}

export const templates: Section = {
  name: "templates",
  about: "leads a second with templates, beside a template engine alone",
  minutes: 1,
  run: Effect.fnUntraced(
    function* ({ quick }) {
      const count = quick ? 500 : 20_000
      const leads = Array.from({ length: count }, (_, index) => leadAt(index))
      const text = yield* Effect.orDie((yield* FileSystem.FileSystem).readFileString(profile))
      const details = yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(DetailsPatch))(text))
      const setting = yield* Effect.orDie(makeSetting({ name: "bench", value: details }))
      yield* writeSequences(setting, leads.slice(0, 2000))
      const rounds = yield* measurePairs(quick ? 1 : 7, writeSequences(setting, leads), fillTemplates(setting, leads))
      return {
        figures: rounds,
        tables: [
          {
            title: "Templates merged",
            heads: ["3 emails each", "Overture", "liquidjs alone", "ratio", "aim"],
            rows: [
              comparisonRow(
                `${formatNumber(count)} leads: leads a second`,
                compare(rounds, ({ per_second }) => per_second),
                "≥ 5,000"
              )
            ],
            notes: [
              "Overture routes the job title, fills in the templates and checks the emails. The engine fills in templates of " +
                "the same length. Neither uses a store."
            ]
          }
        ]
      }
    },
    (run) => Effect.provide(run, [Generator.layerBuiltin, NodeFileSystem.layer])
  )
}
