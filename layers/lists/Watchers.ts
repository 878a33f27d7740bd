// layers/lists/Watchers.ts: tells those who follow a list how far it is, whichever process does the work. All lists that are
// followed here are looked at together, however many follow them.
import { type Cause, Context, Effect, Latch, Layer, Queue, Schema, type Scope, Stream } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Auth } from "#layers/Auth.ts"
import { elapsed } from "#layers/lib/Elapsed.ts"
import { Lists } from "#layers/Lists.ts"
import { ListRow, listOf } from "#layers/lists/Store.ts"
import type { Principal } from "#schema/Auth.ts"
import { type NotFound, RateLimited } from "#schema/Errors.ts"
import type { List } from "#schema/Lists.ts"

/** How often the lists are looked at, how often the keys, and after how long a silence is broken; in milliseconds. */
export const Pace = Context.Reference("overture/layers/lists/Pace", {
  defaultValue: () => ({ lists: 500, keys: 2000, silence: 15_000 })
})

/** Lists that one key follows at once in this process. */
export const mostFollowed = 50

interface Watcher {
  readonly key: Principal
  readonly list: string
  /** Holds the latest event only: a slow reader gets fewer, and none pile up. */
  readonly news: Queue.Queue<List | undefined, Cause.Done>
  told: string
  at: number
}

/** The progress of a list that is being written. */
const markOf = ({ processing_status, progress }: List) =>
  `${processing_status}-${progress?.leads_done ?? ""}-${progress?.leads_failed ?? ""}-${progress?.leads_skipped ?? ""}`

export class Watchers extends Context.Service<
  Watchers,
  {
    /**
     * A list as it is now, and again whenever its status or its counts have changed; nothing at all where that took so
     * long that it should be said. Ends with the list's end; before that when the key ends, the list is deleted or the
     * server is to stop. RATE_LIMITED where the key follows too many.
     */
    readonly watch: (
      key: Principal,
      list: string
    ) => Effect.Effect<Stream.Stream<List | undefined>, NotFound | RateLimited, Scope.Scope>
    /** Ends all subscriptions; later subscribers get the current state only. */
    readonly close: Effect.Effect<void>
  }
>()("overture/layers/lists/Watchers") {
  static readonly layer = Layer.effect(
    Watchers,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* Auth
      const lists = yield* Lists
      const pace = yield* Pace
      const watchers = new Set<Watcher>()
      const watched = yield* Latch.make(false)
      let closed = false
      let keysAt = 0

      const columns = sql.literal(Object.keys(ListRow.fields).join(", "))
      const current = SqlSchema.findAll({
        Request: Schema.Struct({ ids: Schema.Array(Schema.String), workspaces: Schema.Array(Schema.String) }),
        Result: ListRow,
        execute: ({ ids, workspaces }) => sql`
          SELECT ${columns} FROM lists WHERE ${sql.in("id", ids)} AND ${sql.in("workspace_id", workspaces)}`
      })

      const leave = (watcher: Watcher) => {
        watchers.delete(watcher)
        Queue.endUnsafe(watcher.news)
        if (watchers.size === 0) watched.closeUnsafe()
      }

      const tell = (watcher: Watcher, list: List, at: number) => {
        const mark = markOf(list)
        if (mark === watcher.told) return
        watcher.told = mark
        watcher.at = at
        Queue.offerUnsafe(watcher.news, list)
        if (list.progress === undefined) leave(watcher)
      }

      const each = <A>(of: (watcher: Watcher) => A) => [...new Set(Array.from(watchers, of))]

      const look = Effect.gen(function* () {
        const at = yield* elapsed
        if (at - keysAt >= pace.keys) {
          keysAt = at
          const living = yield* keys.stillValid(each(({ key }) => key.id))
          for (const watcher of watchers) if (!living.has(watcher.key.id)) leave(watcher)
          if (watchers.size === 0) return
        }
        const asked = new Set(watchers)
        const rows = yield* current({
          ids: each(({ list }) => list),
          workspaces: each(({ key }) => key.workspace_id)
        })
        const found = new Map(rows.map((row) => [row.id, listOf(row)]))
        for (const watcher of asked) {
          const list = found.get(watcher.list)
          if (list === undefined) leave(watcher)
          else tell(watcher, list, at)
        }
      })

      const breakSilence = Effect.map(elapsed, (at) => {
        for (const watcher of watchers) {
          if (at - watcher.at < pace.silence) continue
          watcher.at = at
          if (Queue.sizeUnsafe(watcher.news) === 0) Queue.offerUnsafe(watcher.news, undefined)
        }
      })

      yield* watched.await.pipe(
        Effect.andThen(Effect.sleep(pace.lists)),
        // A store that does not answer now is asked again.
        Effect.andThen(Effect.ignoreCause(look)),
        Effect.andThen(breakSilence),
        Effect.forever,
        Effect.forkScoped
      )

      return Watchers.of({
        watch: Effect.fnUntraced(function* (key, id) {
          const list = yield* lists.find(key.workspace_id, id)
          if (list.progress === undefined || closed) return Stream.succeed(list)
          if (Array.from(watchers).filter((watcher) => watcher.key.id === key.id).length >= mostFollowed) {
            return yield* new RateLimited({
              message: `This key follows ${mostFollowed} lists already; end one of these, or poll GET /api/v1/lists/${id}`
            })
          }
          const news = yield* Queue.sliding<List | undefined, Cause.Done>(1)
          const watcher: Watcher = { key, list: id, news, told: "", at: 0 }
          yield* Effect.acquireRelease(
            Effect.sync(() => {
              watchers.add(watcher)
              watched.openUnsafe()
            }),
            () => Effect.sync(() => leave(watcher))
          )
          tell(watcher, list, yield* elapsed)
          return Stream.fromQueue(news)
        }),

        close: Effect.sync(() => {
          closed = true
          for (const watcher of watchers) leave(watcher)
        })
      })
    })
  )
}
