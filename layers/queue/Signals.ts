// layers/queue/Signals.ts: notifies workers of new jobs and callers of finished jobs, in this process and in others.
// Notifications can be lost, so every waiter also polls.
import { Effect, Queue, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Channel } from "#layers/database/Channel.ts"

/** Pause before the channel is reopened. */
const reopenPause = "1 second"

const workMessage = "work"
const endedPrefix = "ended "

type Listener = Queue.Queue<void>

/** Registers a listener until the scope closes. Notifications coalesce: the queue holds one. */
const listen = (begin: (listener: Listener) => void, end: (listener: Listener) => void) =>
  Effect.acquireRelease(
    Effect.tap(Queue.sliding<void>(1), (listener) => Effect.sync(() => begin(listener))),
    (listener) => Effect.sync(() => end(listener))
  ).pipe(Effect.map((listener) => Queue.take(listener)))

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const channel = yield* Channel
  const workerListeners = new Map<Listener, ReadonlyArray<string>>()
  const callerListeners = new Map<string, Set<Listener>>()

  /** Wakes the workers of these job types, or all workers. */
  const wake = (types?: ReadonlyArray<string>) =>
    Effect.sync(() => {
      for (const [listener, listenedTypes] of workerListeners) {
        if (types === undefined || types.some((type) => listenedTypes.includes(type)))
          Queue.offerUnsafe(listener, undefined)
      }
    })

  const notifyCallers = (id: string) =>
    Effect.sync(() => callerListeners.get(id)?.forEach((listener) => Queue.offerUnsafe(listener, undefined)))

  const onMessage = (message: string) =>
    message.startsWith(endedPrefix)
      ? notifyCallers(message.slice(endedPrefix.length))
      : message === workMessage
        ? wake()
        : message.startsWith(`${workMessage} `)
          ? wake(message.slice(workMessage.length + 1).split(" "))
          : Effect.void

  if (channel !== undefined) {
    const readMessages = Effect.gen(function* () {
      const messages = yield* channel.listen
      // Wakes all workers, because earlier messages are lost.
      yield* wake()
      yield* Stream.runForEach(messages, onMessage)
    }).pipe(Effect.scoped)
    yield* readMessages.pipe(
      Effect.catchCause((cause) => Effect.logWarning("The store's channel was lost and is opened again", cause)),
      Effect.andThen(Effect.sleep(reopenPause)),
      Effect.forever,
      Effect.forkScoped
    )
  }

  const send = (message: string) => (channel === undefined ? Effect.void : Effect.orDie(channel.notify(message)))

  return {
    wake,
    /** Subscribes a worker to jobs of these types. */
    subscribe: (types: ReadonlyArray<string>) =>
      listen(
        (listener) => workerListeners.set(listener, types),
        (listener) => workerListeners.delete(listener)
      ),
    /** Subscribes to the end of a job. */
    subscribeToEnd: (id: string) =>
      listen(
        (listener) => callerListeners.set(id, (callerListeners.get(id) ?? new Set()).add(listener)),
        (listener) => {
          const listeners = callerListeners.get(id)
          listeners?.delete(listener)
          if (listeners?.size === 0) callerListeners.delete(id)
        }
      ),
    /** Announces new jobs after the commit of the caller's transaction. */
    announceJobs: (types?: ReadonlyArray<string>) =>
      Effect.andThen(
        sql.afterCommit(wake(types)),
        send(types === undefined ? workMessage : [workMessage, ...new Set(types)].join(" "))
      ),
    /** Announces that a job has ended or is parked. */
    announce: (id: string) => Effect.andThen(notifyCallers(id), Effect.ignoreCause(send(`${endedPrefix}${id}`)))
  }
})
