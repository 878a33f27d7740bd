// scripts/chaos/StoreFaults.ts: a store that cannot be written, and what callers must meet with meanwhile: reads that go
// on, writes that are refused in good order, and writes that are taken as soon as it can be written again.
import { Effect } from "effect"
import { DatabaseSync } from "node:sqlite"
import { saveSignature } from "./OtherActions.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import type { Environment } from "./Environment.ts"

/** Reads never wait for a write. */
const longestRead = 4000

const read = Effect.fnUntraced(function* ({ findings, server, workspaces }: Environment) {
  const phase = server.phase()
  const from = performance.now()
  const answer = yield* workspaces[0]?.send("GET", "/signatures?limit=1") ?? Effect.undefined
  if (phase !== server.phase() || answer === undefined) return
  const took = performance.now() - from
  findings.count("reads of a store that cannot be written")
  findings.recordMax("slowest of them, ms", took)
  if (answer.status !== 200)
    findings.broken(`A read was answered ${answer.status} while the store could not be written`)
  if (took > longestRead) findings.broken(`A read took ${Math.round(took)} ms while the store could not be written`)
})

const write = Effect.fnUntraced(function* (environment: Environment) {
  const { findings, server, workspaces } = environment
  const [first] = workspaces
  if (first === undefined) return undefined
  const phase = server.phase()
  const texts = new Set(first.signatures.keys())
  yield* saveSignature(environment, first)
  const [added] = [...first.signatures].filter(([text]) => !texts.has(text))
  if (phase !== server.phase() || phase % 2 === 0) return undefined
  findings.count("writes to a store that cannot be written")
  return added?.[1]
})

const probe = Effect.fnUntraced(function* (environment: Environment, millis: number) {
  const end = performance.now() + millis
  const writes = Effect.gen(function* () {
    while (performance.now() < end) {
      const outcome = yield* write(environment)
      if (outcome === "refused") environment.findings.count("of them refused with a 500")
      yield* Effect.sleep(200)
    }
  })
  const reads = Effect.gen(function* () {
    while (performance.now() < end) {
      yield* read(environment)
      yield* Effect.sleep(200)
    }
  })
  yield* Effect.all([writes, reads], { concurrency: 2, discard: true })
})

/** Without a restart, and soon. */
const waitForWrites = Effect.fnUntraced(function* (environment: Environment, what: string) {
  const { findings, server } = environment
  const phase = server.phase()
  for (let tries = 0; tries < 20; tries++) {
    const outcome = yield* write(environment)
    if (outcome === "accepted" || phase !== server.phase() || phase % 2 === 0) return
    yield* Effect.sleep(500)
  }
  findings.broken(`Writes are still refused 10 s after ${what}`)
})

export const diskFull = Effect.fnUntraced(function* (environment: Environment, random: SeededRandom) {
  const { disk, findings, server } = environment
  yield* Effect.sleep(random.int(300, 1500))
  findings.begin("store")
  yield* Effect.ensuring(
    Effect.andThen(disk.fill(server.pid()), probe(environment, random.int(3000, 6000))),
    Effect.suspend(() => disk.clear(server.pid()))
  )
  yield* waitForWrites(environment, "there is room again")
  findings.end("store")
})

export const locked = Effect.fnUntraced(function* (environment: Environment, random: SeededRandom) {
  const { disk, findings } = environment
  yield* Effect.sleep(random.int(300, 1500))
  findings.begin("store")
  const kind = random.pick(["EXCLUSIVE", "IMMEDIATE"])
  const held = yield* Effect.sync(() => {
    const db = new DatabaseSync(`${disk.data}/overture.db`, { timeout: 2000 })
    try {
      db.exec(`BEGIN ${kind}`)
    } catch {
      findings.count("locks that were not got")
    }
    return db
  })
  yield* Effect.ensuring(
    probe(environment, random.int(6000, 9000)),
    Effect.sync(() => held.close())
  )
  yield* waitForWrites(environment, "the lock was let go of")
  findings.end("store")
})
