// layers/generator/builtin/Scribes.ts: the threads that write: each processor but the one that answers requests has one.
import { Cause, Data, Deferred, Effect, Queue, Semaphore } from "effect"
import { memoize } from "effect/Function"
import { availableParallelism } from "node:os"
import type { Worker } from "node:worker_threads"
import type { Delivery, Order, Outcome, Task } from "#layers/generator/builtin/Scribe.ts"
import { GenerationFailed } from "#layers/GenerationFailed.ts"
import type { Brief, Campaign, Judged } from "#layers/Generator.ts"
import * as Threads from "#layers/threads/Threads.ts"

interface Commission {
  readonly brief: Brief
  readonly written: Deferred.Deferred<ReadonlyArray<Judged>, GenerationFailed>
}

/** Leads that go to a thread at once: few, so that one which somebody waits for soon has its turn. */
const together = 8
/** Orders that a thread has in hand: while one comes back, it works on the next. */
const ahead = 2
/** Campaigns that a thread keeps in mind. */
const mostCampaigns = 50
/** A lead takes a thousandth of it. */
const clock = "30 seconds"
const limits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }

/** The thread has ended, or was, as it did not come back. Told without a message, which may quote a lead. */
class Ended extends Data.TaggedError("Ended")<{ readonly error?: string; readonly code?: string | undefined }> {}

let last = 0
const numberOf = memoize<Campaign, number>(() => ++last)

type Answer = Effect.Effect<ReadonlyArray<Outcome>, Ended>

const begun = () => Threads.start({ kind: "write" }, limits)

/** A thread that is started when there is something to write, and again when it has ended. */
const thread = (start: () => Worker) => {
  let running: Worker | undefined
  const known = new Set<number>()
  const asked = new Map<number, (answer: Answer) => void>()

  const begin = () => {
    const own = start()
    const lost = (ended: Ended) => {
      if (running !== own) return
      running = undefined
      known.clear()
      const waiting = [...asked.values()]
      asked.clear()
      for (const tell of waiting) tell(Effect.fail(ended))
    }
    own.on("message", ({ id, outcomes }: Delivery) => {
      asked.get(id)?.(Effect.succeed(outcomes))
      asked.delete(id)
      // One that has nothing to do keeps no process alive.
      if (asked.size === 0) own.unref()
    })
    own.once("error", ({ code, name }: NodeJS.ErrnoException) => lost(new Ended({ error: name, code })))
    own.once("exit", () => lost(new Ended({})))
    known.clear()
    return own
  }

  const send = (to: Worker, id: number, briefs: ReadonlyArray<Brief>) => {
    const anew = known.size > mostCampaigns
    if (anew) known.clear()
    const campaigns = new Map(briefs.map(({ campaign }) => [numberOf(campaign), campaign]))
    for (const number of campaigns.keys()) if (known.has(number)) campaigns.delete(number)
    // No instructions are sent along, which are long and which only a model reads.
    const tasks = briefs.map((brief): Task => ({ ...brief, campaign: numberOf(brief.campaign), instructions: "" }))
    const order: Order = { id, anew, campaigns: [...campaigns], tasks }
    to.postMessage(order)
    for (const number of campaigns.keys()) known.add(number)
  }

  const end = Effect.suspend(() => {
    const own = running
    return own === undefined ? Effect.void : Effect.asVoid(Effect.promise(() => own.terminate()))
  })

  const ask = (briefs: ReadonlyArray<Brief>) =>
    Effect.callback<ReadonlyArray<Outcome>, Ended>((resume) => {
      const id = ++last
      running ??= begin()
      send(running, id, briefs)
      asked.set(id, resume)
      running.ref()
    }).pipe(
      Effect.timeoutOrElse({
        duration: clock,
        orElse: () => Effect.andThen(end, new Ended({ error: "TimeoutError" }))
      })
    )

  return { ask, end }
}

const isFailure = (cause: Cause.Cause<unknown>) => !Cause.hasInterrupts(cause)

const failed = (message: string) => new GenerationFailed({ message, transient: false })
const broken = failed("An internal error; see the server's log")

const judged = (outcome: Outcome | undefined) => {
  if (outcome === undefined || "defect" in outcome)
    return Effect.andThen(Effect.logError("The writer broke", outcome?.defect), broken)
  return "emails" in outcome
    ? Effect.succeed(outcome.emails)
    : Effect.fail(failed(`No wording passes the rules (${outcome.failing})`))
}

/** Writes to a lead in one of the threads, which end with the scope. */
export const make = Effect.fnUntraced(function* (start: () => Worker = begun) {
  const waiting = yield* Queue.unbounded<Commission>()

  const deliver = (some: ReadonlyArray<Commission>) => (outcomes: ReadonlyArray<Outcome>) =>
    Effect.forEach(some, ({ written }, at) => Deferred.complete(written, judged(outcomes[at])), { discard: true })

  for (let count = Math.max(1, availableParallelism() - 1); count > 0; count--) {
    const { ask } = yield* Effect.acquireRelease(
      Effect.sync(() => thread(start)),
      ({ end }) => end
    )
    const hands = yield* Semaphore.make(ahead)
    const order = (some: ReadonlyArray<Commission>) => ask(some.map(({ brief }) => brief))

    /** With the thread to itself, so that nobody else is taken for the one who ends it. */
    const alone = (one: Commission) =>
      hands
        .withPermits(ahead)(order([one]))
        .pipe(
          Effect.flatMap(deliver([one])),
          Effect.catchCauseIf(isFailure, (cause) =>
            Effect.andThen(
              Effect.logError("A lead ended the thread that wrote to it", cause),
              Deferred.fail(one.written, broken)
            )
          )
        )

    const write = (some: ReadonlyArray<Commission>) =>
      hands.withPermit(order(some)).pipe(
        Effect.flatMap(deliver(some)),
        Effect.catchCauseIf(isFailure, () => Effect.forEach(some, alone, { discard: true }))
      )

    const work = Effect.forever(Effect.flatMap(Queue.takeBetween(waiting, 1, together), write))
    for (let hand = 0; hand < ahead; hand++) yield* Effect.forkScoped(work)
  }

  return Effect.fnUntraced(function* (brief: Brief) {
    const written = yield* Deferred.make<ReadonlyArray<Judged>, GenerationFailed>()
    yield* Queue.offer(waiting, { brief, written })
    return yield* Deferred.await(written)
  })
})
