// scripts/chaos/Storm.ts: round after round of load and faults. After each all faults end, the work comes to rest, and
// everything is looked at.
import { Console, Effect } from "effect"
import * as Check from "./Check.ts"
import * as Dice from "./Dice.ts"
import { type Fault, faults } from "./Faults.ts"
import * as Findings from "./Findings.ts"
import * as Letters from "./Letters.ts"
import * as Load from "./Load.ts"
import * as Log from "./Log.ts"
import { report } from "./Report.ts"
import { settled } from "./Rest.ts"
import * as Stage from "./Stage.ts"
import type { World } from "./World.ts"

/** A deck of all faults, shuffled again when it is empty, so that each fault gets its turn. */
const deckOf = (dice: Dice.Dice, only: ReadonlyArray<string> | undefined) => {
  const names = Object.keys(faults).filter((name) => only?.includes(name) ?? true)
  let left: Array<string> = []
  const one = () => {
    if (left.length === 0) left = [...dice.shuffled(names)]
    return left.pop() ?? ""
  }
  return () => [...new Set(Array.from({ length: dice.int(1, Math.min(3, names.length)) }, one))]
}

/** What the journal has, counted and forgotten. */
const calls = ({ findings, model }: World) => {
  for (const { asked, status } of model.journal()) {
    findings.count("model calls")
    if (status === 200) findings.count("model calls answered")
    if (asked.kind === "adapted_emails") findings.count("of them for emails")
  }
}

const looked = Effect.fnUntraced(function* (world: World) {
  calls(world)
  Log.scan(world)
  for (const what of ["leads written", "leads failed"])
    world.findings.count(what, -(world.findings.counts().get(what) ?? 0))
  yield* Check.store(world)
  Letters.check(world)
  yield* Check.verified(world)
})

const round = Effect.fnUntraced(function* (world: World, names: ReadonlyArray<string>, dice: Dice.Dice) {
  const { findings, model, post, server } = world
  const until = performance.now() + dice.int(7000, 11_000)
  const some: ReadonlyArray<readonly [string, Fault | undefined]> = names.map((name) => [name, faults[name]])
  yield* Effect.all(
    [
      Load.run(world, dice, until),
      Effect.forEach(
        some,
        ([name, fault]) => {
          findings.count(`fault: ${name}`)
          return fault?.(world, dice.of(name)) ?? Effect.void
        },
        { concurrency: "unbounded", discard: true }
      )
    ],
    { concurrency: "unbounded", discard: true }
  )
  model.mood({})
  model.relent()
  post.putOff(false)
  yield* post.up
  yield* server.start
  yield* settled(world)
})

export const storm = Effect.fnUntraced(function* (options: {
  readonly seed: number
  readonly minutes: number
  readonly only: ReadonlyArray<string> | undefined
  readonly limit: boolean
}) {
  const dice = Dice.make(options.seed)
  const findings = Findings.make((line) => console.log(line))
  const world = yield* Stage.make({
    dice,
    findings,
    limit: options.limit,
    concurrency: 16,
    plans: ["scale", "growth"]
  })
  // What the setting up takes is not taken from the faults.
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  yield* Console.log(`${world.workspaces.length} workspaces; the disk is ${world.disk.kind}`)
  const watching = yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.sleep(500),
        Effect.sync(() => Log.scan(world))
      )
    )
  )
  const deal = deckOf(dice.of("deck"), options.only)
  let rounds = 0
  while (seconds() < options.minutes * 60 && findings.all().length === 0) {
    const names = deal()
    yield* Console.log(`Round ${++rounds}, ${seconds()} s: ${names.join(", ")}`)
    yield* round(world, names, dice.of(`round ${rounds}`))
    yield* looked(world)
  }
  yield* world.server.stop
  watching.interruptUnsafe()
  Log.scan(world)
  Letters.check(world)
  yield* Check.verified(world)
  findings.count("mail refused by the mail server", world.post.refusals())
  findings.count("mail delivered", world.post.deliveries().length)
  return yield* report(findings, `${rounds} rounds in ${seconds()} s\n`)
})
