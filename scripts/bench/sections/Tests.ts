// scripts/bench/sections/Tests.ts: how many minutes the tests of a contributor and of CI take.
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { formatSignificant } from "../Report.ts"
import type { Section } from "../Section.ts"
import { cleanEnvironment } from "../Store.ts"

const root = join(import.meta.dirname, "../../..")

const runs = [
  { name: "`npm test`", command: ["npm", "test"], aim: 3 },
  { name: "everything in CI, `.ci/run`", command: [".ci/run"], aim: 15 }
] as const

/** The wall-clock minutes of a run, and whether it passed. */
const minutesOf = ([file, ...args]: readonly [string, ...Array<string>]) =>
  Effect.callback<{ readonly minutes: number; readonly passed: boolean }>((resume) => {
    const startedAt = performance.now()
    const options = { cwd: root, env: cleanEnvironment(), maxBuffer: 2 ** 28 } as const
    const child = execFile(file, args, options, (error) =>
      resume(Effect.succeed({ minutes: (performance.now() - startedAt) / 60_000, passed: error === null }))
    )
    return Effect.sync(() => child.kill())
  })

export const tests: Section = {
  name: "tests",
  about: "the minutes of `npm test` and of everything in CI; the short form leaves them out",
  minutes: 35,
  run: Effect.fnUntraced(function* ({ quick }) {
    // CI runs the short form of this benchmark, which therefore must not run CI.
    const measured = quick ? [] : yield* Effect.forEach(runs, ({ command }) => minutesOf(command))
    return {
      figures: measured,
      tables: [
        {
          title: "Tests",
          heads: ["", "minutes", "aim"],
          rows: runs.map(({ aim, name }, i) => {
            const run = measured[i]
            return [
              name,
              `${formatSignificant(run?.minutes ?? NaN)}${run?.passed === false ? ", failed" : ""}`,
              `≤ ${aim}`
            ]
          }),
          notes: ["By the clock, once; the short form leaves them out."]
        }
      ]
    }
  })
}
