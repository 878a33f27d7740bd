// scripts/chaos/FaultRounds.ts: rounds of load and faults. After each round all faults end, the work finishes, and everything
// is checked.
import { Console, Effect } from "effect"
import * as Check from "./Check.ts"
import * as SeededRandom from "./SeededRandom.ts"
import { type Fault, faults } from "./Faults.ts"
import * as Findings from "./Findings.ts"
import * as MailCheck from "./MailCheck.ts"
import * as Load from "./Load.ts"
import * as Log from "./Log.ts"
import { printReport } from "./Report.ts"
import { waitUntilIdle } from "./WaitUntilIdle.ts"
import * as Setup from "./Setup.ts"
import type { Environment } from "./Environment.ts"

/** A deck of all faults, shuffled again when it is empty, so that each fault gets its turn. */
const faultDeck = (random: SeededRandom.SeededRandom, only: ReadonlyArray<string> | undefined) => {
  const names = Object.keys(faults).filter((name) => only?.includes(name) ?? true)
  let remaining: Array<string> = []
  const draw = () => {
    if (remaining.length === 0) remaining = [...random.shuffle(names)]
    return remaining.pop() ?? ""
  }
  return () => [...new Set(Array.from({ length: random.int(1, Math.min(3, names.length)) }, draw))]
}

/** Counts the calls of the journal, and clears it. */
const countModelCalls = ({ findings, model }: Environment) => {
  for (const { request, status } of model.journal()) {
    findings.count("model calls")
    if (status === 200) findings.count("model calls answered")
    if (request.kind === "adapted_emails") findings.count("of them for emails")
  }
}

const checkEverything = Effect.fnUntraced(function* (environment: Environment) {
  countModelCalls(environment)
  Log.scan(environment)
  for (const label of ["leads written", "leads failed"])
    environment.findings.count(label, -(environment.findings.counts().get(label) ?? 0))
  yield* Check.checkStore(environment)
  MailCheck.check(environment)
  yield* Check.checkWithVerify(environment)
})

const runRound = Effect.fnUntraced(function* (
  environment: Environment,
  names: ReadonlyArray<string>,
  random: SeededRandom.SeededRandom
) {
  const { findings, model, mail, server } = environment
  const endsAt = performance.now() + random.int(7000, 11_000)
  const roundFaults: ReadonlyArray<readonly [string, Fault | undefined]> = names.map((name) => [name, faults[name]])
  yield* Effect.all(
    [
      Load.run(environment, random, endsAt),
      Effect.forEach(
        roundFaults,
        ([name, fault]) => {
          findings.count(`fault: ${name}`)
          return fault?.(environment, random.stream(name)) ?? Effect.void
        },
        { concurrency: "unbounded", discard: true }
      )
    ],
    { concurrency: "unbounded", discard: true }
  )
  model.setFaultRates({})
  model.releaseStalled()
  mail.deferAll(false)
  yield* mail.up
  yield* server.start
  yield* waitUntilIdle(environment)
})

export const runFaultRounds = Effect.fnUntraced(function* (options: {
  readonly seed: number
  readonly minutes: number
  readonly only: ReadonlyArray<string> | undefined
  readonly limitFileSize: boolean
}) {
  const random = SeededRandom.make(options.seed)
  const findings = Findings.make((line) => console.log(line))
  const environment = yield* Setup.make({
    random,
    findings,
    limitFileSize: options.limitFileSize,
    concurrency: 16,
    plans: ["scale", "growth"]
  })
  // The setup does not count as time of the faults.
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
  yield* Console.log(`${environment.workspaces.length} workspaces; the disk is ${environment.disk.kind}`)
  const logScan = yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.sleep(500),
        Effect.sync(() => Log.scan(environment))
      )
    )
  )
  const drawFaults = faultDeck(random.stream("deck"), options.only)
  let rounds = 0
  while (seconds() < options.minutes * 60 && findings.all().length === 0) {
    const names = drawFaults()
    yield* Console.log(`Round ${++rounds}, ${seconds()} s: ${names.join(", ")}`)
    yield* runRound(environment, names, random.stream(`round ${rounds}`))
    yield* checkEverything(environment)
  }
  yield* environment.server.stop
  logScan.interruptUnsafe()
  Log.scan(environment)
  MailCheck.check(environment)
  yield* Check.checkWithVerify(environment)
  findings.count("mail refused by the mail server", environment.mail.refusals())
  findings.count("mail delivered", environment.mail.deliveries().length)
  return yield* printReport(findings, `${rounds} rounds in ${seconds()} s\n`)
})
