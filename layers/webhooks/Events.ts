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
  const dataWithoutContent = Object.entries(data).filter(([key]) => !contentKeys.includes(key))
  return JSON.stringify({ ...rest, data: Object.fromEntries(dataWithoutContent) })
}

/** A message as stored and sent. */
export interface Message {
  readonly event: string
  readonly type: EventType
  readonly payload: string
  readonly lead: string | null
}

/** The payload of the job that sends a delivery. */
export const DeliveryPayload = Schema.Struct({ delivery: Schema.String })

/** How long a workspace's subscriptions are cached, and so how late another process sees a new webhook. */
const cacheMillis = 1000

/** The cache is cleared at this number of workspaces, which bounds its memory. */
const maxCachedWorkspaces = 10_000

/** Deliveries per INSERT; more would delay other requests. */
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
    readonly hasSubscriber: (workspace: WorkspaceId, type: EventType) => Effect.Effect<boolean>
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
    readonly makeMessage: (type: EventType, occurrence: RecordedEvent) => Effect.Effect<Message>
    /** Clears the cache of a workspace whose webhooks change in the caller's transaction. */
    readonly clearCache: (workspace: WorkspaceId) => Effect.Effect<void>
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

      const findSubscriptions = SqlSchema.findAll({
        Request: Schema.String,
        Result: Subscription,
        execute: (workspace) => sql`
          SELECT id, events, include_content FROM webhooks WHERE workspace_id = ${workspace} AND enabled = 1 ORDER BY id`
      })

      const findTypes = Effect.fnUntraced(function* (workspace: WorkspaceId) {
        const elapsedMillis = yield* elapsed
        const cached = cache.get(workspace)
        if (cached !== undefined && elapsedMillis < cached.until) return cached.types
        const changesAtStart = changes
        const types = [...new Set((yield* findSubscriptions(workspace)).flatMap(({ events }) => events))]
        if (changesAtStart === changes) {
          if (cache.size >= maxCachedWorkspaces) cache.clear()
          cache.set(workspace, { types, until: elapsedMillis + cacheMillis })
        }
        return types
      }, Effect.orDie)

      const hasSubscriber = (workspace: WorkspaceId, type: EventType) =>
        Effect.map(findTypes(workspace), (types) => isSubscribed(types, type))

      /** The message of an event without content (`plain`) and with it (`full`), with the same id and time. */
      const makeMessages = Effect.fnUntraced(function* (type: EventType, { content, data, lead }: RecordedEvent) {
        const timestamp = yield* now
        const message = { event: `msg_${yield* random.uuidV7()}`, type, lead: lead ?? null }
        const toMessage = (data: EventData): Message => ({
          ...message,
          payload: JSON.stringify({ type, timestamp, data })
        })
        return { plain: toMessage(data), full: () => toMessage({ ...data, ...content }) }
      })

      /** Stores deliveries and their jobs. */
      const store = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        outgoing: ReadonlyArray<{ readonly webhook: string; readonly message: Message }>
      ) {
        const timestamp = yield* now
        const storedDeliveries: Array<Delivery> = []
        for (const part of Arr.chunksOf(outgoing, insertSize)) {
          const ids = yield* Effect.forEach(part, () => random.uuidV7())
          const jobs = yield* queue.enqueue(
            ids.map((delivery) => ({ workspace, type: "webhook.delivery", subject: workspace, payload: { delivery } }))
          )
          const rows = part.map(({ message: { event, lead, payload, type }, webhook }, index) => ({
            id: ids[index] ?? "",
            workspace_id: workspace,
            webhook_id: webhook,
            event_id: event,
            type,
            lead_id: lead,
            payload,
            status: "pending" as const,
            job: jobs[index] ?? "",
            attempts: 0,
            response_code: null,
            response: null,
            error: null,
            next_attempt_at: timestamp,
            created_at: timestamp,
            updated_at: timestamp
          }))
          if (Arr.isArrayNonEmpty(rows)) yield* sql`INSERT INTO webhook_deliveries ${sql.insert(rows)}`
          storedDeliveries.push(...rows.map((row) => Struct.omit(row, ["job", "lead_id", "payload", "workspace_id"])))
        }
        return storedDeliveries
      }, Effect.orDie)

      const recordAll = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        type: EventType,
        occurrences: () => ReadonlyArray<RecordedEvent>
      ) {
        if (!(yield* hasSubscriber(workspace, type))) return
        const webhooks = (yield* Effect.orDie(findSubscriptions(workspace))).filter(({ events }) =>
          isSubscribed(events, type)
        )
        if (webhooks.length === 0) return
        const outgoing: Array<{ readonly webhook: string; readonly message: Message }> = []
        for (const occurrence of occurrences()) {
          const { full, plain } = yield* makeMessages(type, occurrence)
          for (const { id, include_content } of webhooks) {
            outgoing.push({ webhook: id, message: include_content ? full() : plain })
          }
        }
        yield* store(workspace, outgoing)
      })

      return Events.of({
        hasSubscriber,
        recordAll,
        record: (workspace, type, data) => recordAll(workspace, type, () => [{ data }]),
        makeMessage: (type, occurrence) => Effect.map(makeMessages(type, occurrence), ({ plain }) => plain),
        send: Effect.fnUntraced(function* (workspace, webhook, message) {
          const [delivery] = yield* store(workspace, [{ webhook, message }])
          return yield* Effect.orDie(Effect.fromNullishOr(delivery))
        }),
        clearCache: (workspace) =>
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
