// layers/lists/ListProgress.ts: streams the progress of lists to their subscribers, whichever process does the work.
// One query reads all followed lists.
import { type Cause, Context, Effect, Latch, Layer, Queue, Schema, type Scope, Stream } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Auth } from "#layers/Auth.ts"
import { elapsed } from "#layers/lib/Time.ts"
import { Lists } from "#layers/Lists.ts"
import { ListRow, toList } from "#layers/lists/Store.ts"
import type { Principal } from "#schema/Auth.ts"
import { type NotFound, RateLimited } from "#schema/Errors.ts"
import type { List } from "#schema/Lists.ts"

/**
 * Intervals in milliseconds: between reads of the lists, between checks of the keys, and before a keep-alive is sent.
 */
export const ProgressIntervals = Context.Reference("overture/layers/lists/ProgressIntervals", {
  defaultValue: () => ({ lists: 500, keys: 2000, keepAliveMillis: 15_000 })
})

/** Lists that one key can follow at the same time in this process. */
export const maxFollowedLists = 50

interface Subscriber {
  readonly key: Principal
  readonly list: string
  /** Holds only the latest event, so that a slow reader skips events instead of queueing them. */
  readonly updates: Queue.Queue<List | undefined, Cause.Done>
  /** The progress that was sent last. */
  lastSentState: string
  lastSentMillis: number
}

/** The id that ends the subscription when it becomes invalid: the session's, else the key's. */
const subscriptionOwner = ({ id, session }: Principal) => session?.id ?? id

/** A string that changes with the status and the counts of a list. */
const progressKey = ({ processing_status, progress }: List) =>
  `${processing_status}-${progress?.leads_done ?? ""}-${progress?.leads_failed ?? ""}-${progress?.leads_skipped ?? ""}`

export class ListProgress extends Context.Service<
  ListProgress,
  {
    /**
     * The list now and after each change of its status or counts; undefined as a keep-alive. Ends with the list, or
     * earlier when the key ends, the list is deleted or the server stops. RATE_LIMITED if the key follows too many
     * lists.
     */
    readonly watch: (
      key: Principal,
      list: string
    ) => Effect.Effect<Stream.Stream<List | undefined>, NotFound | RateLimited, Scope.Scope>
    /** Ends all subscriptions. Later subscribers get the current state only. */
    readonly close: Effect.Effect<void>
  }
>()("overture/layers/lists/ListProgress") {
  static readonly layer = Layer.effect(
    ListProgress,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const auth = yield* Auth
      const lists = yield* Lists
      const intervals = yield* ProgressIntervals
      const subscribers = new Set<Subscriber>()
      const hasSubscribers = yield* Latch.make(false)
      let isClosed = false
      let keysCheckedAt = 0

      const columns = sql.literal(Object.keys(ListRow.fields).join(", "))
      const findLists = SqlSchema.findAll({
        Request: Schema.Struct({ ids: Schema.Array(Schema.String), workspaces: Schema.Array(Schema.String) }),
        Result: ListRow,
        execute: ({ ids, workspaces }) => sql`
          SELECT ${columns} FROM lists WHERE ${sql.in("id", ids)} AND ${sql.in("workspace_id", workspaces)}`
      })

      const unsubscribe = (subscriber: Subscriber) => {
        subscribers.delete(subscriber)
        Queue.endUnsafe(subscriber.updates)
        if (subscribers.size === 0) hasSubscribers.closeUnsafe()
      }

      const sendProgress = (subscriber: Subscriber, list: List, elapsedMillis: number) => {
        const state = progressKey(list)
        if (state === subscriber.lastSentState) return
        subscriber.lastSentState = state
        subscriber.lastSentMillis = elapsedMillis
        Queue.offerUnsafe(subscriber.updates, list)
        if (list.progress === undefined) unsubscribe(subscriber)
      }

      const distinctValues = <A>(select: (watcher: Subscriber) => A) => [...new Set(Array.from(subscribers, select))]

      const checkLists = Effect.gen(function* () {
        const elapsedMillis = yield* elapsed
        if (elapsedMillis - keysCheckedAt >= intervals.keys) {
          keysCheckedAt = elapsedMillis
          const validKeys = yield* auth.filterValid(distinctValues(({ key }) => subscriptionOwner(key)))
          for (const subscriber of subscribers)
            if (!validKeys.has(subscriptionOwner(subscriber.key))) unsubscribe(subscriber)
          if (subscribers.size === 0) return
        }
        const checkedSubscribers = new Set(subscribers)
        const rows = yield* findLists({
          ids: distinctValues(({ list }) => list),
          workspaces: distinctValues(({ key }) => key.workspace_id)
        })
        const listsById = new Map(rows.map((row) => [row.id, toList(row)]))
        for (const subscriber of checkedSubscribers) {
          const list = listsById.get(subscriber.list)
          if (list === undefined) unsubscribe(subscriber)
          else sendProgress(subscriber, list, elapsedMillis)
        }
      })

      const sendKeepAlives = Effect.map(elapsed, (elapsedMillis) => {
        for (const subscriber of subscribers) {
          if (elapsedMillis - subscriber.lastSentMillis < intervals.keepAliveMillis) continue
          subscriber.lastSentMillis = elapsedMillis
          if (Queue.sizeUnsafe(subscriber.updates) === 0) Queue.offerUnsafe(subscriber.updates, undefined)
        }
      })

      yield* hasSubscribers.await.pipe(
        Effect.andThen(Effect.sleep(intervals.lists)),
        // Ignores failures: the next round reads again.
        Effect.andThen(Effect.ignoreCause(checkLists)),
        Effect.andThen(sendKeepAlives),
        Effect.forever,
        Effect.forkScoped
      )

      return ListProgress.of({
        watch: Effect.fnUntraced(function* (key, id) {
          const list = yield* lists.find(key.workspace_id, id)
          if (list.progress === undefined || isClosed) return Stream.succeed(list)
          if (Array.from(subscribers).filter((watcher) => watcher.key.id === key.id).length >= maxFollowedLists) {
            return yield* new RateLimited({
              message: `This key follows ${maxFollowedLists} lists already; end one of these, or poll GET /api/v1/lists/${id}`
            })
          }
          const updates = yield* Queue.sliding<List | undefined, Cause.Done>(1)
          const subscriber: Subscriber = { key, list: id, updates, lastSentState: "", lastSentMillis: 0 }
          yield* Effect.acquireRelease(
            Effect.sync(() => {
              subscribers.add(subscriber)
              hasSubscribers.openUnsafe()
            }),
            () => Effect.sync(() => unsubscribe(subscriber))
          )
          sendProgress(subscriber, list, yield* elapsed)
          return Stream.fromQueue(updates)
        }),

        close: Effect.sync(() => {
          isClosed = true
          for (const subscriber of subscribers) unsubscribe(subscriber)
        })
      })
    })
  )
}
