// scripts/chaos/Growth.ts: the load of the storm without its faults, for so long that a leak would show.
import { Console, Effect } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { table } from "#src/commands/Words.ts"
import * as Check from "./Check.ts"
import * as Dice from "../Dice.ts"
import * as Findings from "./Findings.ts"
import * as Load from "./Load.ts"
import * as Log from "./Log.ts"
import type { Report } from "./Probe.ts"
import { report } from "./Report.ts"
import { settled } from "./Rest.ts"
import * as Stage from "./Stage.ts"
import { fewestSeconds, judge, profile, type Sample } from "./Verdict.ts"
import type { World } from "./World.ts"

const roundMillis = 10_000

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Open files and sockets, where the system has a list of them. */
const openFiles = (pid: number | undefined) =>
  process.platform === "linux" && pid !== undefined ? readdirSync(`/proc/${pid}/fd`).length : undefined

const sampleOf = ({ disk, server }: World, began: number): Sample => {
  const seen: Report = JSON.parse(readFileSync(Stage.probeOf(disk), "utf8"))
  return {
    ...seen,
    seconds: (performance.now() - began) / 1000,
    files: openFiles(server.pid()),
    wal: sizeOf(join(disk.data, "overture.db-wal")),
    store: sizeOf(join(disk.data, "overture.db"))
  }
}

const verdict = (samples: ReadonlyArray<Sample>, findings: Findings.Findings) => {
  const [heads = [], ...rows] = profile(samples)
  const judged = judge(samples)
  for (const { holds, what } of judged) if (!holds) findings.broken(`${what} does not level off`)
  return [
    ...table(heads, rows),
    "",
    ...table(
      ["", "middle third", "last third", "at most"],
      judged.map(({ last, middle, most, what }) => [what, middle.toFixed(1), last.toFixed(1), most.toFixed(1)])
    )
  ]
}

export const growth = Effect.fnUntraced(function* (options: { readonly seed: number; readonly minutes: number }) {
  const dice = Dice.make(options.seed)
  const findings = Findings.make((line) => console.log(line))
  const plans = ["internal", "internal"]
  const world = yield* Stage.make({ dice, findings, limit: true, concurrency: 16, plans, probed: true })
  const samples: Array<Sample> = []
  const began = performance.now()
  const sampling = Effect.sync(() => samples.push(sampleOf(world, began))).pipe(
    Effect.delay("1 second"),
    Effect.forever
  )
  yield* Effect.forkScoped(sampling)
  const seconds = Math.max(fewestSeconds, options.minutes * 60)
  yield* Console.log(`Under load for ${seconds} seconds`)
  for (let rounds = 0; performance.now() - began < seconds * 1000; rounds++) {
    yield* Load.run(world, dice.of(`round ${rounds}`), performance.now() + roundMillis)
    // Work that waits takes memory too, and is no leak.
    yield* settled(world)
    Log.scan(world)
  }
  const lines = verdict([...samples], findings)
  yield* Check.store(world)
  yield* world.server.stop
  yield* Check.verified(world)
  yield* Effect.forEach(["", ...lines], (line) => Console.log(line))
  return yield* report(findings, `${samples.length} samples in ${seconds} s\n`)
})
