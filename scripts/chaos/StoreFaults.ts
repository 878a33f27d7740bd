// scripts/chaos/StoreFaults.ts: a store that cannot be written, and what callers must meet with meanwhile: reads that go
// on, writes that are refused in good order, and writes that are taken as soon as it can be written again.
import { Effect } from "effect"
import { DatabaseSync } from "node:sqlite"
import { sign } from "./Errands.ts"
import type { Dice } from "./Dice.ts"
import type { World } from "./World.ts"

/** Reads never wait for a write. */
const longestRead = 4000

const read = Effect.fnUntraced(function* ({ findings, server, workspaces }: World) {
  const phase = server.phase()
  const from = performance.now()
  const answer = yield* workspaces[0]?.send("GET", "/signatures?limit=1") ?? Effect.undefined
  if (phase !== server.phase() || answer === undefined) return
  const took = performance.now() - from
  findings.count("reads of a store that cannot be written")
  findings.most("slowest of them, ms", took)
  if (answer.status !== 200)
    findings.broken(`A read was answered ${answer.status} while the store could not be written`)
  if (took > longestRead) findings.broken(`A read took ${Math.round(took)} ms while the store could not be written`)
})

const write = Effect.fnUntraced(function* (world: World) {
  const { findings, server, workspaces } = world
  const [first] = workspaces
  if (first === undefined) return undefined
  const phase = server.phase()
  const texts = new Set(first.signatures.keys())
  yield* sign(world, first)
  const [own] = [...first.signatures].filter(([text]) => !texts.has(text))
  if (phase !== server.phase() || phase % 2 === 0) return undefined
  findings.count("writes to a store that cannot be written")
  return own?.[1]
})

const probe = Effect.fnUntraced(function* (world: World, millis: number) {
  const end = performance.now() + millis
  const writes = Effect.gen(function* () {
    while (performance.now() < end) {
      const outcome = yield* write(world)
      if (outcome === "refused") world.findings.count("of them refused with a 500")
      yield* Effect.sleep(200)
    }
  })
  const reads = Effect.gen(function* () {
    while (performance.now() < end) {
      yield* read(world)
      yield* Effect.sleep(200)
    }
  })
  yield* Effect.all([writes, reads], { concurrency: 2, discard: true })
})

/** Without a restart, and soon. */
const recovered = Effect.fnUntraced(function* (world: World, what: string) {
  const { findings, server } = world
  const phase = server.phase()
  for (let tries = 0; tries < 20; tries++) {
    const outcome = yield* write(world)
    if (outcome === "accepted" || phase !== server.phase() || phase % 2 === 0) return
    yield* Effect.sleep(500)
  }
  findings.broken(`Writes are still refused 10 s after ${what}`)
})

export const diskFull = Effect.fnUntraced(function* (world: World, dice: Dice) {
  const { disk, findings, server } = world
  yield* Effect.sleep(dice.int(300, 1500))
  findings.begin("store")
  yield* Effect.ensuring(
    Effect.andThen(disk.fill(server.pid()), probe(world, dice.int(3000, 6000))),
    Effect.suspend(() => disk.clear(server.pid()))
  )
  yield* recovered(world, "there is room again")
  findings.end("store")
})

export const locked = Effect.fnUntraced(function* (world: World, dice: Dice) {
  const { disk, findings } = world
  yield* Effect.sleep(dice.int(300, 1500))
  findings.begin("store")
  const kind = dice.pick(["EXCLUSIVE", "IMMEDIATE"])
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
    probe(world, dice.int(6000, 9000)),
    Effect.sync(() => held.close())
  )
  yield* recovered(world, "the lock was let go of")
  findings.end("store")
})
