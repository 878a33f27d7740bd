// scripts/chaos/Faults.ts: the faults that are injected into the server and its dependencies. Each fault undoes itself before it ends.
import { Deferred, Effect } from "effect"
import type { SeededRandom } from "./SeededRandom.ts"
import type { FaultKind, FaultRates } from "./Model.ts"
import { invalidRequests, slowClients } from "./HostileClients.ts"
import { diskFull, storeLocked } from "./StoreFaults.ts"
import type { Environment } from "./Environment.ts"

export type Fault = (environment: Environment, random: SeededRandom) => Effect.Effect<void>

const hour = 3600_000

/** Restarts at once, or after a pause in which no server answers. */
const restart = ({ server }: Environment, random: SeededRandom) =>
  Effect.andThen(Effect.sleep(random.chance(0.5) ? 0 : random.int(50, 800)), server.start)

const kill: Fault = Effect.fnUntraced(function* (environment, random) {
  for (let times = random.int(1, 3); times > 0; times--) {
    yield* Effect.sleep(random.int(200, 2500))
    yield* environment.server.kill
    yield* restart(environment, random)
  }
})

/** Between the model's answer and the commit of what was made of it. */
const killBeforeCommit: Fault = Effect.fnUntraced(function* (environment, random) {
  for (let times = random.int(1, 3); times > 0; times--) {
    yield* Effect.sleep(random.int(100, 1000))
    const answerSent = yield* Deferred.make<void>()
    environment.model.onSent((asked) => {
      if (asked?.kind === "adapted_emails") Deferred.doneUnsafe(answerSent, Effect.void)
    })
    const result = yield* Effect.timeoutOption(Deferred.await(answerSent), 4000)
    environment.model.onSent(undefined)
    if (result._tag === "None") continue
    yield* Effect.sleep(random.int(0, 10))
    yield* environment.server.kill
    yield* restart(environment, random)
  }
})

const gracefulStop: Fault = Effect.fnUntraced(function* (environment, random) {
  yield* Effect.sleep(random.int(300, 4000))
  yield* environment.server.stop
  yield* restart(environment, random)
})

const modelFault = (rates: (random: SeededRandom) => FaultRates, maxMillis: number): Fault =>
  Effect.fnUntraced(function* ({ findings, model }, random) {
    findings.begin("model")
    model.setFaultRates(rates(random))
    yield* Effect.sleep(random.int(maxMillis / 2, maxMillis))
    model.setFaultRates({})
    model.releaseStalled()
    findings.end("model")
  })

/** Either low rates of all faults, or so high a rate of one that leads fail. */
const randomRates = (random: SeededRandom): FaultRates => {
  const frequentFault = random.pick<FaultKind>(["garbage", "truncated", "empty", "steps"])
  if (random.chance(0.5)) return { [frequentFault]: 0.7 }
  return {
    busy: random.next() * 0.1,
    broken: random.next() * 0.1,
    reset: random.next() * 0.1,
    garbage: random.next() * 0.15,
    malformed: random.next() * 0.1,
    truncated: random.next() * 0.1,
    empty: random.next() * 0.1,
    steps: random.next() * 0.15,
    slow: random.next() * 0.2
  }
}

const outageRates = (random: SeededRandom): FaultRates =>
  random.pick<FaultRates>([{ broken: 1 }, { reset: 1 }, { busy: 1 }])

const deferMail: Fault = Effect.fnUntraced(function* ({ mail }, random) {
  mail.deferAll(true)
  yield* Effect.sleep(random.int(2000, 7000))
  mail.deferAll(false)
})

const mailDown: Fault = Effect.fnUntraced(function* ({ mail }, random) {
  yield* mail.down
  yield* Effect.sleep(random.int(2000, 7000))
  yield* mail.up
})

/** By one of the jumps, and then by the last, with work to do between them. */
const clockJumps = (jumps: readonly [number, ...ReadonlyArray<number>], finalJump: number): Fault =>
  Effect.fnUntraced(function* ({ server }, random) {
    for (const jump of [random.pick(jumps), finalJump]) {
      yield* Effect.sleep(random.int(500, 3000))
      server.setClock(server.shift() + jump)
    }
    yield* Effect.sleep(random.int(500, 2000))
  })

/** By the names that the table has for them. */
export const faults: Readonly<Record<string, Fault>> = {
  kill,
  "kill before the commit": killBeforeCommit,
  "graceful stop": gracefulStop,
  "model out of sorts": modelFault(randomRates, 8000),
  "model gone": modelFault(outageRates, 4000),
  "model stalls": modelFault(() => ({ stall: 0.3 }), 6000),
  "mail put off (450)": deferMail,
  "mail server down": mailDown,
  "disk full": diskFull,
  "store locked": storeLocked,
  "clock forward": clockJumps([hour, 25 * hour, 8 * 24 * hour], 33 * 24 * hour),
  "clock back": clockJumps([-hour / 6, -hour, -72 * hour], -24 * hour),
  "slow clients": slowClients,
  "rude clients": invalidRequests
}
