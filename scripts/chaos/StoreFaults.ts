// scripts/chaos/StoreFaults.ts: makes the store read-only, and checks that reads succeed meanwhile, that writes are refused
// with an error, and that writes succeed soon after the fault ends.
import { Effect } from "effect"
import { DatabaseSync } from "node:sqlite"
import { saveSignature } from "./OtherActions.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import type { Environment } from "./Environment.ts"

/** Less than the 5 seconds for which a write waits for a lock: a slower read has waited like a write, which reads never do. */
const maxReadMillis = 4000

/** The server changes its phase when it starts and when it stops: it runs in odd ones. */
const isRunning = (phase: number) => phase % 2 === 1

const readDuringFault = Effect.fnUntraced(function* ({ findings, server, workspaces }: Environment) {
  const phase = server.phase()
  const startedAt = performance.now()
  const answer = yield* workspaces[0]?.send("GET", "/signatures?limit=1") ?? Effect.undefined
  if (phase !== server.phase() || answer === undefined) return
  const elapsedMillis = performance.now() - startedAt
  findings.count("reads of a store that cannot be written")
  findings.recordMax("slowest of them, ms", elapsedMillis)
  if (answer.status !== 200)
    findings.report(`A read was answered ${answer.status} while the store could not be written`)
  if (elapsedMillis > maxReadMillis)
    findings.report(`A read took ${Math.round(elapsedMillis)} ms while the store could not be written`)
})

const writeDuringFault = Effect.fnUntraced(function* (environment: Environment) {
  const { findings, server, workspaces } = environment
  const [workspace] = workspaces
  if (workspace === undefined) return undefined
  const phase = server.phase()
  const texts = new Set(workspace.signatures.keys())
  yield* saveSignature(environment, workspace)
  const [addedSignature] = [...workspace.signatures].filter(([text]) => !texts.has(text))
  if (phase !== server.phase() || !isRunning(phase)) return undefined
  findings.count("writes to a store that cannot be written")
  return addedSignature?.[1]
})

const readAndWrite = Effect.fnUntraced(function* (environment: Environment, millis: number) {
  const endsAt = performance.now() + millis
  const writes = Effect.gen(function* () {
    while (performance.now() < endsAt) {
      const outcome = yield* writeDuringFault(environment)
      if (outcome === "refused") environment.findings.count("of them refused with a 500")
      yield* Effect.sleep(200)
    }
  })
  const reads = Effect.gen(function* () {
    while (performance.now() < endsAt) {
      yield* readDuringFault(environment)
      yield* Effect.sleep(200)
    }
  })
  yield* Effect.all([writes, reads], { concurrency: 2, discard: true })
})

/** Waits until writes succeed again, which must happen soon and without a restart. */
const waitForWrites = Effect.fnUntraced(function* (environment: Environment, event: string) {
  const { findings, server } = environment
  const phase = server.phase()
  for (let attempt = 0; attempt < 20; attempt++) {
    const outcome = yield* writeDuringFault(environment)
    if (outcome === "accepted" || phase !== server.phase() || !isRunning(phase)) return
    yield* Effect.sleep(500)
  }
  findings.report(`Writes are still refused 10 s after ${event}`)
})

export const diskFull = Effect.fnUntraced(function* (environment: Environment, random: SeededRandom) {
  const { disk, findings, server } = environment
  yield* Effect.sleep(random.int(300, 1500))
  findings.begin("store")
  yield* Effect.ensuring(
    Effect.andThen(disk.fill(server.pid()), readAndWrite(environment, random.int(3000, 6000))),
    Effect.suspend(() => disk.clear(server.pid()))
  )
  yield* waitForWrites(environment, "the disk was freed")
  findings.end("store")
})

export const storeLocked = Effect.fnUntraced(function* (environment: Environment, random: SeededRandom) {
  const { disk, findings } = environment
  yield* Effect.sleep(random.int(300, 1500))
  findings.begin("store")
  const kind = random.pick(["EXCLUSIVE", "IMMEDIATE"])
  const lockConnection = yield* Effect.sync(() => {
    const db = new DatabaseSync(`${disk.data}/overture.db`, { timeout: 2000 })
    try {
      db.exec(`BEGIN ${kind}`)
    } catch {
      findings.count("locks not acquired")
    }
    return db
  })
  yield* Effect.ensuring(
    readAndWrite(environment, random.int(6000, 9000)),
    Effect.sync(() => lockConnection.close())
  )
  yield* waitForWrites(environment, "the lock was released")
  findings.end("store")
})
