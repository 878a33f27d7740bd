// scripts/chaos/Faults.ts: the faults that are injected into the server and its dependencies. Each fault undoes itself before it ends.
import { Deferred, Effect } from "effect"
import type { SeededRandom } from "./SeededRandom.ts"
import type { FaultKind, FaultRates } from "./Model.ts"
import { invalidRequests, slowClients } from "./HostileClients.ts"
import { diskFull, storeLocked } from "./StoreFaults.ts"
import type { Environment } from "./Environment.ts"

export type Fault = (environment: Environment, random: SeededRandom) => Effect.Effect<void>

const hourMillis = 3600_000

/** Restarts at once, or after a pause in which no server answers. */
const restart = ({ server }: Environment, random: SeededRandom) =>
  Effect.andThen(Effect.sleep(random.chance(0.5) ? 0 : random.int(50, 800)), server.start)

const kill: Fault = Effect.fnUntraced(function* (environment, random) {
  for (let remainingKills = random.int(1, 3); remainingKills > 0; remainingKills--) {
    yield* Effect.sleep(random.int(200, 2500))
    yield* environment.server.kill
    yield* restart(environment, random)
  }
})

/** Kills the server between the model's answer and the commit of its emails. */
const killBeforeCommit: Fault = Effect.fnUntraced(function* (environment, random) {
  for (let remainingKills = random.int(1, 3); remainingKills > 0; remainingKills--) {
    yield* Effect.sleep(random.int(100, 1000))
    const answerSent = yield* Deferred.make<void>()
    environment.model.onSent((modelRequest) => {
      if (modelRequest?.kind === "adapted_emails") Deferred.doneUnsafe(answerSent, Effect.void)
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

/** Sets the clock off by one of the jumps and then by the final one, while requests continue. */
const clockJumps = (jumps: readonly [number, ...ReadonlyArray<number>], finalJump: number): Fault =>
  Effect.fnUntraced(function* ({ server }, random) {
    for (const jumpMillis of [random.pick(jumps), finalJump]) {
      yield* Effect.sleep(random.int(500, 3000))
      server.setClockOffset(server.clockOffsetMillis() + jumpMillis)
    }
    yield* Effect.sleep(random.int(500, 2000))
  })

/** The faults by the names that `--only` takes and the report prints. */
export const faults: Readonly<Record<string, Fault>> = {
  kill,
  "kill before the commit": killBeforeCommit,
  "graceful stop": gracefulStop,
  "model errors": modelFault(randomRates, 8000),
  "model down": modelFault(outageRates, 4000),
  "model stalls": modelFault(() => ({ stall: 0.3 }), 6000),
  "mail deferred": deferMail,
  "mail server down": mailDown,
  "disk full": diskFull,
  "store locked": storeLocked,
  "clock forward": clockJumps([hourMillis, 25 * hourMillis, 8 * 24 * hourMillis], 33 * 24 * hourMillis),
  "clock back": clockJumps([-hourMillis / 6, -hourMillis, -72 * hourMillis], -24 * hourMillis),
  "slow clients": slowClients,
  "invalid requests": invalidRequests
}
