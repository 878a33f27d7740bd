// scripts/chaos/Faults.ts: what is done to the server and to those it depends on. Each fault mends itself before it ends.
import { Deferred, Effect } from "effect"
import type { Dice } from "./Dice.ts"
import type { Fate, Mood } from "./Model.ts"
import { rude, slow } from "./Nuisance.ts"
import { diskFull, locked } from "./StoreFaults.ts"
import type { World } from "./World.ts"

export type Fault = (world: World, dice: Dice) => Effect.Effect<void>

const hour = 3600_000

/** Restarts at once, or after a pause in which no server answers. */
const restart = ({ server }: World, dice: Dice) =>
  Effect.andThen(Effect.sleep(dice.chance(0.5) ? 0 : dice.int(50, 800)), server.start)

const kill: Fault = Effect.fnUntraced(function* (world, dice) {
  for (let times = dice.int(1, 3); times > 0; times--) {
    yield* Effect.sleep(dice.int(200, 2500))
    yield* world.server.kill
    yield* restart(world, dice)
  }
})

/** Between the model's answer and the commit of what was made of it. */
const killBeforeCommit: Fault = Effect.fnUntraced(function* (world, dice) {
  for (let times = dice.int(1, 3); times > 0; times--) {
    yield* Effect.sleep(dice.int(100, 1000))
    const sent = yield* Deferred.make<void>()
    world.model.onSent((asked) => {
      if (asked?.kind === "adapted_emails") Deferred.doneUnsafe(sent, Effect.void)
    })
    const seen = yield* Effect.timeoutOption(Deferred.await(sent), 4000)
    world.model.onSent(undefined)
    if (seen._tag === "None") continue
    yield* Effect.sleep(dice.int(0, 10))
    yield* world.server.kill
    yield* restart(world, dice)
  }
})

const stop: Fault = Effect.fnUntraced(function* (world, dice) {
  yield* Effect.sleep(dice.int(300, 4000))
  yield* world.server.stop
  yield* restart(world, dice)
})

const upstream = (mood: (dice: Dice) => Mood, longest: number): Fault =>
  Effect.fnUntraced(function* ({ findings, model }, dice) {
    findings.begin("model")
    model.mood(mood(dice))
    yield* Effect.sleep(dice.int(longest / 2, longest))
    model.mood({})
    model.relent()
    findings.end("model")
  })

/** A little of everything; or so much of one thing that leads fail of it. */
const mood = (dice: Dice): Mood => {
  const worst = dice.pick<Fate>(["garbage", "truncated", "empty", "steps"])
  if (dice.chance(0.5)) return { [worst]: 0.7 }
  return {
    busy: dice.next() * 0.1,
    broken: dice.next() * 0.1,
    reset: dice.next() * 0.1,
    garbage: dice.next() * 0.15,
    malformed: dice.next() * 0.1,
    truncated: dice.next() * 0.1,
    empty: dice.next() * 0.1,
    steps: dice.next() * 0.15,
    slow: dice.next() * 0.2
  }
}

const outage = (dice: Dice): Mood => dice.pick<Mood>([{ broken: 1 }, { reset: 1 }, { busy: 1 }])

const mailPutOff: Fault = Effect.fnUntraced(function* ({ post }, dice) {
  post.putOff(true)
  yield* Effect.sleep(dice.int(2000, 7000))
  post.putOff(false)
})

const mailDown: Fault = Effect.fnUntraced(function* ({ post }, dice) {
  yield* post.down
  yield* Effect.sleep(dice.int(2000, 7000))
  yield* post.up
})

/** By one of the jumps, and then by the last, with work to do between them. */
const clock = (jumps: readonly [number, ...ReadonlyArray<number>], last: number): Fault =>
  Effect.fnUntraced(function* ({ server }, dice) {
    for (const jump of [dice.pick(jumps), last]) {
      yield* Effect.sleep(dice.int(500, 3000))
      server.setClock(server.shift() + jump)
    }
    yield* Effect.sleep(dice.int(500, 2000))
  })

/** By the names that the table has for them. */
export const faults: Readonly<Record<string, Fault>> = {
  kill,
  "kill before the commit": killBeforeCommit,
  "graceful stop": stop,
  "model out of sorts": upstream(mood, 8000),
  "model gone": upstream(outage, 4000),
  "model stalls": upstream(() => ({ stall: 0.3 }), 6000),
  "mail put off (450)": mailPutOff,
  "mail server down": mailDown,
  "disk full": diskFull,
  "store locked": locked,
  "clock forward": clock([hour, 25 * hour, 8 * 24 * hour], 33 * 24 * hour),
  "clock back": clock([-hour / 6, -hour, -72 * hour], -24 * hour),
  "slow clients": slow,
  "rude clients": rude
}
