// layers/webhooks/Events.ts: records events for subscribed webhooks, in the transaction of the change.
import { Array as Arr, Context, Effect, Layer, Schema, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { elapsed, now } from "#layers/lib/Time.ts"
import { Queue } from "#layers/Queue.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { type Delivery, EventType } from "#schema/Webhooks.ts"

type EventData = Readonly<Record<string, unknown>>

/** Personal data of an event. Sent only to webhooks that include content, and erased with the lead. */
interface EventContent {
  readonly lead?: EventData
  readonly emails?: ReadonlyArray<unknown>
  readonly message?: string
}

/** An event to record. */
export interface RecordedEvent {
  /** Ids and counts only: no address and no email text. */
  readonly data: EventData
  /** Added for webhooks that include content. */
  readonly content?: EventContent | undefined
  /** The lead of the event; erasing the lead erases the event's content. */
  readonly lead?: string | undefined
}

const Payload = Schema.fromJsonString(
  Schema.Struct({ type: Schema.String, timestamp: Schema.String, data: Schema.Record(Schema.String, Schema.Unknown) })
)

/** The keys of a payload with content. */
const contentKeys: ReadonlyArray<string> = ["lead", "emails", "message"] satisfies ReadonlyArray<keyof EventContent>

/** The payload for a webhook without content. */
export const withoutContent = (payload: string): string => {
  const { data, ...rest } = Schema.decodeSync(Payload)(payload)
  const plain = Object.entries(data).filter(([key]) => !contentKeys.includes(key))
  return JSON.stringify({ ...rest, data: Object.fromEntries(plain) })
}

/** A message as stored and sent. */
export interface Message {
  readonly event: string
  readonly type: EventType
  readonly payload: string
  readonly lead: string | null
}

/** The payload of the job that sends a delivery. */
export const DeliveryOrder = Schema.Struct({ delivery: Schema.String })

/** How long a workspace's subscriptions are cached, and so how late another process sees a new webhook. */
const cachedMillis = 1000

/** Workspaces in the cache. */
const maxCached = 10_000

/** Deliveries per INSERT. */
const insertSize = 200

const isSubscribed = (events: ReadonlyArray<string>, type: EventType) => events.includes("*") || events.includes(type)

const Subscription = Schema.Struct({
  id: Schema.String,
  events: Schema.fromJsonString(Schema.Array(Schema.String)),
  include_content: Schema.BooleanFromBit
})

export class Events extends Context.Service<
  Events,
  {
    /** Whether a webhook may subscribe to events of this type. Cached; `record` checks again. */
    readonly wanted: (workspace: WorkspaceId, type: EventType) => Effect.Effect<boolean>
    /** Records one event in the caller's transaction, which must roll back if this fails. */
    readonly record: (workspace: WorkspaceId, type: EventType, data: EventData) => Effect.Effect<void>
    /** Records several events of one type. `occurrences` is called only if a webhook subscribes to them. */
    readonly recordAll: (
      workspace: WorkspaceId,
      type: EventType,
      occurrences: () => ReadonlyArray<RecordedEvent>
    ) => Effect.Effect<void>
    /** Stores a delivery and its job in the caller's transaction. */
    readonly send: (workspace: WorkspaceId, webhook: string, message: Message) => Effect.Effect<Delivery>
    /** The message of a new event, for a webhook without content. */
    readonly message: (type: EventType, occurrence: RecordedEvent) => Effect.Effect<Message>
    /** Clears the cache of a workspace whose webhooks change in the caller's transaction. */
    readonly changed: (workspace: WorkspaceId) => Effect.Effect<void>
  }
>()("overture/layers/webhooks/Events") {
  static readonly layer = Layer.effect(
    Events,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const queue = yield* Queue
      const cache = new Map<string, { readonly types: ReadonlyArray<string>; readonly until: number }>()
      /** Counts changes, so that rows read before a change are not cached after it. */
      let changes = 0

      const subscriptions = SqlSchema.findAll({
        Request: Schema.String,
        Result: Subscription,
        execute: (workspace) => sql`
          SELECT id, events, include_content FROM webhooks WHERE workspace_id = ${workspace} AND enabled = 1 ORDER BY id`
      })

      const typesOf = Effect.fnUntraced(function* (workspace: WorkspaceId) {
        const elapsedMillis = yield* elapsed
        const known = cache.get(workspace)
        if (known !== undefined && elapsedMillis < known.until) return known.types
        const before = changes
        const types = [...new Set((yield* subscriptions(workspace)).flatMap(({ events }) => events))]
        if (before === changes) {
          if (cache.size >= maxCached) cache.clear()
          cache.set(workspace, { types, until: elapsedMillis + cachedMillis })
        }
        return types
      }, Effect.orDie)

      const wanted = (workspace: WorkspaceId, type: EventType) =>
        Effect.map(typesOf(workspace), (types) => isSubscribed(types, type))

      /** The message of an event without content (`plain`) and with it (`full`), otherwise equal. */
      const messages = Effect.fnUntraced(function* (type: EventType, { content, data, lead }: RecordedEvent) {
        const timestamp = yield* now
        const message = { event: `msg_${yield* random.uuidV7()}`, type, lead: lead ?? null }
        const messageOf = (data: EventData): Message => ({
          ...message,
          payload: JSON.stringify({ type, timestamp, data })
        })
        return { plain: messageOf(data), full: () => messageOf({ ...data, ...content }) }
      })

      /** Stores deliveries and their jobs. */
      const store = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        outgoing: ReadonlyArray<{ readonly webhook: string; readonly message: Message }>
      ) {
        const timestamp = yield* now
        const stored: Array<Delivery> = []
        for (const part of Arr.chunksOf(outgoing, insertSize)) {
          const ids = yield* Effect.forEach(part, () => random.uuidV7())
          const jobs = yield* queue.enqueue(
            ids.map((delivery) => ({ workspace, type: "webhook.delivery", subject: workspace, payload: { delivery } }))
          )
          const rows = part.map(({ message: { event, lead, payload, type }, webhook }, i) => ({
            id: ids[i] ?? "",
            workspace_id: workspace,
            webhook_id: webhook,
            event_id: event,
            type,
            lead_id: lead,
            payload,
            status: "pending" as const,
            job: jobs[i] ?? "",
            attempts: 0,
            response_code: null,
            response: null,
            error: null,
            next_attempt_at: timestamp,
            created_at: timestamp,
            updated_at: timestamp
          }))
          if (Arr.isArrayNonEmpty(rows)) yield* sql`INSERT INTO webhook_deliveries ${sql.insert(rows)}`
          stored.push(...rows.map((row) => Struct.omit(row, ["job", "lead_id", "payload", "workspace_id"])))
        }
        return stored
      }, Effect.orDie)

      const recordAll = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        type: EventType,
        occurrences: () => ReadonlyArray<RecordedEvent>
      ) {
        if (!(yield* wanted(workspace, type))) return
        const hooks = (yield* Effect.orDie(subscriptions(workspace))).filter(({ events }) => isSubscribed(events, type))
        if (hooks.length === 0) return
        const outgoing: Array<{ readonly webhook: string; readonly message: Message }> = []
        for (const occurrence of occurrences()) {
          const { full, plain } = yield* messages(type, occurrence)
          for (const { id, include_content } of hooks) {
            outgoing.push({ webhook: id, message: include_content ? full() : plain })
          }
        }
        yield* store(workspace, outgoing)
      })

      return Events.of({
        wanted,
        recordAll,
        record: (workspace, type, data) => recordAll(workspace, type, () => [{ data }]),
        message: (type, occurrence) => Effect.map(messages(type, occurrence), ({ plain }) => plain),
        send: Effect.fnUntraced(function* (workspace, webhook, message) {
          const [delivery] = yield* store(workspace, [{ webhook, message }])
          return yield* Effect.orDie(Effect.fromNullishOr(delivery))
        }),
        changed: (workspace) =>
          Effect.asVoid(
            sql.afterCommit(
              Effect.sync(() => {
                changes++
                cache.delete(workspace)
              })
            )
          )
      })
    })
  )
}
