// test/turns.test.ts: whose work is done next, where workspaces have more of it than can be done at once.
import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Claim, Queue } from "#layers/Queue.ts"
import * as Worker from "#layers/queue/Worker.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Services } from "#src/services.ts"
import * as Stores from "./support/store.ts"
import { until } from "./support/until.ts"
import { newWorkspace } from "./support/workspace.ts"

/** Jobs by name, which run until the test ends them. */
const queue = Effect.gen(function* () {
  const queue = yield* Queue
  const begun: Array<string> = []
  const ends = new Map<string, Deferred.Deferred<void>>()
  const run = (claim: Claim) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      ends.set(claim.subject, end)
      begun.push(claim.subject)
      yield* Deferred.await(end)
      yield* queue.complete(claim, Effect.void)
    })
  const handlers = ["first", "second"].map((type) => ({ type, run, failed: () => Effect.void }))
  const ids = new Map<string, WorkspaceId>()
  return {
    /** The letters are workspaces, a capital one's jobs of the second kind. Each job is a moment older than the next. */
    enqueue: Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
      for (const subject of names) {
        const letter = subject.slice(0, 1)
        const name = letter.toLowerCase()
        let workspace = ids.get(name)
        if (workspace === undefined) {
          const made = yield* newWorkspace({ name })
          ids.set(name, (workspace = made.workspace.id))
        }
        yield* queue.enqueue([{ workspace, type: letter === name ? "first" : "second", subject }])
        yield* Effect.sleep("2 millis")
      }
    }),
    /** Workers for so many jobs at once. */
    work: (concurrency: number) => Layer.build(Worker.layer([{ handlers, concurrency }])),
    end: (name: string) =>
      Effect.flatMap(Effect.fromNullishOr(ends.get(name)), (end) => Deferred.succeed(end, undefined)),
    /** What has begun by the time that so much has. */
    begun: (count: number) =>
      until(
        Effect.sync(() => begun.join(" ")),
        () => begun.length >= count
      )
  }
})

const store = Services.pipe(Layer.provideMerge(Stores.store))

it.live("the workspace with the least in progress comes first, and then the oldest job of any type", () =>
  Effect.gen(function* () {
    const { begun, end, enqueue, work } = yield* queue
    yield* enqueue(["a1", "a2", "a3", "a4", "a5", "b1", "B2", "b3", "c1"])
    yield* work(3)
    assert.strictEqual(yield* begun(3), "a1 b1 c1")
    const next = [
      ["c1", "a2"],
      ["b1", "B2"],
      ["a1", "a3"],
      ["a2", "a4"],
      ["B2", "b3"]
    ] as const
    let so = "a1 b1 c1"
    for (const [i, [ended, taken]] of next.entries()) {
      yield* end(ended)
      assert.strictEqual(yield* begun(4 + i), (so += ` ${taken}`), `after ${ended}`)
    }
  }).pipe(Effect.scoped, Effect.provide(store))
)

const rest = (subject: string, until: number) =>
  SqlClient.SqlClient.use((sql) => sql`UPDATE jobs SET run_at = ${until} WHERE subject = ${subject}`)

it.live("what has rested after a failure comes behind what is new", () =>
  Effect.gen(function* () {
    const { begun, end, enqueue, work } = yield* queue
    yield* enqueue(["a1", "a2", "a3", "b1", "c1"])
    yield* rest("a1", 1)
    yield* rest("b1", 2)
    yield* work(1)
    let so = yield* begun(1)
    assert.strictEqual(so, "a2")
    for (const [i, taken] of ["a3", "c1", "a1", "b1"].entries()) {
      yield* end(so.slice(-2))
      assert.strictEqual(yield* begun(2 + i), (so += ` ${taken}`))
    }
  }).pipe(Effect.scoped, Effect.provide(store))
)

it.live("no job is claimed before its time, even if its workspace has the least in progress", () =>
  Effect.gen(function* () {
    const { begun, enqueue, work } = yield* queue
    yield* enqueue(["a1", "a2", "b1"])
    yield* rest("b1", (yield* Clock.currentTimeMillis) + 50_000)
    yield* work(2)
    assert.strictEqual(yield* begun(2), "a1 a2")
  }).pipe(Effect.scoped, Effect.provide(store))
)
