// layers/jobs/Signals.ts: how workers hear of work and callers of its end, whichever process either is in. Signals may be
// lost; whoever waits for one looks for itself now and then.
import { Effect, Queue, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Channel } from "#layers/database/Channel.ts"

/** How long a channel that was lost is left alone before it is opened again. */
const pause = "1 second"

const there = "work"
const over = "ended "

type Ear = Queue.Queue<void>

/** What somebody waits on for as long as the scope lasts. Who is told twice before they listen hears it once. */
const listen = (begin: (ear: Ear) => void, end: (ear: Ear) => void) =>
  Effect.acquireRelease(
    Effect.tap(Queue.sliding<void>(1), (ear) => Effect.sync(() => begin(ear))),
    (ear) => Effect.sync(() => end(ear))
  ).pipe(Effect.map((ear) => Queue.take(ear)))

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const channel = yield* Channel
  const workers = new Map<Ear, ReadonlyArray<string>>()
  const callers = new Map<string, Set<Ear>>()

  /** There may be something to do, of these types or of any. */
  const wake = (types?: ReadonlyArray<string>) =>
    Effect.sync(() => {
      for (const [ear, of] of workers) {
        if (types === undefined || types.some((type) => of.includes(type))) Queue.offerUnsafe(ear, undefined)
      }
    })

  const ended = (id: string) => Effect.sync(() => callers.get(id)?.forEach((ear) => Queue.offerUnsafe(ear, undefined)))

  const hear = (message: string) =>
    message.startsWith(over)
      ? ended(message.slice(over.length))
      : message === there
        ? wake()
        : message.startsWith(`${there} `)
          ? wake(message.slice(there.length + 1).split(" "))
          : Effect.void

  if (channel !== undefined) {
    const listening = Effect.gen(function* () {
      const heard = yield* channel.listen
      // What was told before now may have been about anything.
      yield* wake()
      yield* Stream.runForEach(heard, hear)
    }).pipe(Effect.scoped)
    yield* listening.pipe(
      Effect.catchCause((cause) => Effect.logWarning("The store's channel was lost and is opened again", cause)),
      Effect.andThen(Effect.sleep(pause)),
      Effect.forever,
      Effect.forkScoped
    )
  }

  const tell = (message: string) => (channel === undefined ? Effect.void : Effect.orDie(channel.tell(message)))

  return {
    wake,
    /** What to wait on for work of these types. */
    woken: (types: ReadonlyArray<string>) =>
      listen(
        (ear) => workers.set(ear, types),
        (ear) => workers.delete(ear)
      ),
    /** What to wait on for the end of a job. */
    ending: (id: string) =>
      listen(
        (ear) => callers.set(id, (callers.get(id) ?? new Set()).add(ear)),
        (ear) => {
          const others = callers.get(id)
          others?.delete(ear)
          if (others?.size === 0) callers.delete(id)
        }
      ),
    /** There is something to do: told once the caller's transaction is committed. */
    work: (types?: ReadonlyArray<string>) =>
      Effect.andThen(
        sql.afterCommit(wake(types)),
        tell(types === undefined ? there : [there, ...new Set(types)].join(" "))
      ),
    /** The job is at rest. */
    announce: (id: string) => Effect.andThen(ended(id), Effect.ignoreCause(tell(`${over}${id}`)))
  }
})
