// layers/jobs/Signals.ts: how workers hear of work and callers of its end, whichever process either is in. Signals may be
// lost; whoever waits for one looks for itself now and then.
import { Effect, PubSub, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Channel } from "#layers/database/Channel.ts"

/** How long a channel that was lost is left alone before it is opened again. */
const pause = "1 second"

const there = "work"
const over = "ended "

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const channel = yield* Channel
  const wake = yield* PubSub.sliding<void>(1)
  const ended = yield* PubSub.unbounded<string>()

  const hear = (message: string) =>
    message === there
      ? PubSub.publish(wake, undefined)
      : message.startsWith(over)
        ? PubSub.publish(ended, message.slice(over.length))
        : Effect.void

  if (channel !== undefined) {
    const listening = Effect.gen(function* () {
      const heard = yield* channel.listen
      // What was told before now may have been about anything.
      yield* PubSub.publish(wake, undefined)
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
    /** Emits when there may be something to do. */
    wake,
    /** Emits the ids of jobs that are at rest. */
    ended,
    /** There is something to do: told once the caller's transaction is committed. */
    work: Effect.andThen(sql.afterCommit(PubSub.publish(wake, undefined)), tell(there)),
    /** The job is at rest. */
    announce: (id: string) => Effect.andThen(PubSub.publish(ended, id), Effect.ignoreCause(tell(`${over}${id}`)))
  }
})
