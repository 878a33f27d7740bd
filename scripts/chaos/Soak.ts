// scripts/chaos/Soak.ts: load without faults until a leak would show in the samples of the server. Old lists are deleted, so
// that the store keeps its size.
import { Console, Effect, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { alignColumns } from "#src/commands/TextTable.ts"
import * as Check from "./Check.ts"
import * as Dice from "./Dice.ts"
import * as Findings from "./Findings.ts"
import * as Letters from "./Letters.ts"
import * as Load from "./Load.ts"
import * as Log from "./Log.ts"
import { rude, slow } from "./Nuisance.ts"
import { order, remove } from "./Orders.ts"
import { report } from "./Report.ts"
import { settled } from "./Rest.ts"
import * as Stage from "./Stage.ts"
import { fewestSeconds, judge, lasted, profile, type Sample } from "./Verdict.ts"
import { lead, unique, type Workspace, type World } from "./World.ts"

/** Leads in a large batch. */
const large = 1000
/** Lists of a workspace that stay. */
const keptLists = 60

const largeBatch = Effect.fnUntraced(function* (workspace: Workspace) {
  const leads = Array.from({ length: large }, () => lead(undefined))
  const answer = yield* order(workspace, { name: `Large ${unique()}`, kind: "batch", leads, email_count: 3 })
  const path = `/lists/${answer?.body?.list_id}`
  yield* Effect.repeat(workspace.send("GET", path), {
    until: (list) => list?.body?.completed_at !== undefined,
    schedule: Schedule.spaced("250 millis")
  }).pipe(Effect.timeoutOption("10 minutes"))
  for (const format of ["csv", "json"]) yield* workspace.send("GET", `${path}/export?format=${format}`)
})

/** Ends when all work is done, so that no queue grows on a slow machine. */
const round = Effect.fnUntraced(function* (world: World, dice: Dice.Dice) {
  const until = performance.now() + dice.int(8000, 12_000)
  const work = [
    Load.run(world, dice, until),
    Effect.forEach(world.workspaces.slice(0, 1), largeBatch),
    rude(world, dice.of("rude")),
    slow(world, dice.of("slow"))
  ]
  yield* Effect.all(work, { concurrency: "unbounded", discard: true })
  yield* settled(world)
  for (const workspace of world.workspaces) {
    const there = workspace.lists.filter(({ deleted, id }) => id !== undefined && deleted === "no")
    yield* Effect.forEach(there.slice(0, -keptLists), (list) => remove(workspace, list), { discard: true })
  }
  Log.scan(world)
})

const samplesIn = (file: string): ReadonlyArray<Sample> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line))

export const soak = Effect.fnUntraced(function* ({
  minutes,
  seed
}: {
  readonly minutes: number
  readonly seed: number
}) {
  const dice = Dice.make(seed)
  const findings = Findings.make((line) => console.log(line))
  const plans = ["internal", "internal"]
  const world = yield* Stage.make({ dice, findings, limit: true, concurrency: 16, plans, soak: true })
  const file = Stage.samplesOf(world.disk)
  const from = samplesIn(file).length
  yield* Console.log(`Soaking for ${minutes} minutes`)
  const end = performance.now() + minutes * 60_000
  let rounds = 0
  while (performance.now() < end) yield* round(world, dice.of(`round ${++rounds}`))
  const samples = samplesIn(file).slice(from)
  yield* Check.store(world)
  yield* world.server.stop
  Log.scan(world)
  Letters.check(world)
  yield* Check.verified(world)

  const judged = judge(samples)
  if (lasted(samples) < fewestSeconds) findings.broken(`A soak of less than ${fewestSeconds} seconds proves nothing`)
  for (const { holds, last, middle, what } of judged) {
    if (!holds) findings.broken(`Does not level off: ${what}: ${middle.toFixed(1)}, then ${last.toFixed(1)}`)
  }
  const [heads = [], ...rows] = profile(samples)
  const results = judged.map(({ last, middle, most, what }) => [
    what,
    ...[middle, last, most].map((each) => each.toFixed(1))
  ])
  const lines = [
    ...alignColumns(heads, rows),
    "",
    ...alignColumns(["", "third quarter", "last quarter", "at most"], results)
  ]
  for (const line of ["", ...lines]) yield* Console.log(line)
  return yield* report(findings, `${rounds} rounds\n`)
})
