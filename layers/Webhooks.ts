// layers/Webhooks.ts: the webhooks of a workspace and their delivery log.
import { Clock, Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import { now } from "#layers/lib/Time.ts"
import { makePageQuery } from "#layers/lib/Paging.ts"
import { traced } from "#layers/lib/Traced.ts"
import { Web } from "#layers/Web.ts"
import { Events } from "#layers/webhooks/Events.ts"
import { newSecret, rotateSecret, Secrets } from "#layers/webhooks/Signing.ts"
import type { Principal, WorkspaceId } from "#schema/Auth.ts"
import { BadRequest, Conflict, Forbidden, NotFound, Unprocessable } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"
import {
  Delivery,
  type DeliveryStatus,
  EventType,
  maxWebhooks,
  Webhook,
  type WebhookChange,
  type WebhookInput,
  type WebhookWithSecret
} from "#schema/Webhooks.ts"

interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined
  readonly type?: EventType | undefined
}

/** The stored row of a webhook. */
const Row = Schema.Struct({
  ...Webhook.fields,
  events: Schema.fromJsonString(Webhook.fields.events),
  enabled: Schema.BooleanFromBit,
  include_content: Schema.BooleanFromBit,
  failing_since: Schema.NullOr(Schema.Int)
})

const toWebhook = (row: typeof Row.Type): Webhook => ({
  ...row,
  failing_since: row.failing_since === null ? null : new Date(row.failing_since).toISOString()
})

/** `*` alone if it is among the events, else the events without duplicates. */
const parseEvents = (events: WebhookInput["events"]) => (events.includes("*") ? ["*" as const] : [...new Set(events)])

/** Content is what `lists:read` protects, so a key without that scope must not direct it to a receiver. */
const requireContentScope = ({ scopes }: Principal, includesContent: boolean) =>
  includesContent && !scopes.includes("lists:read")
    ? Effect.fail(
        new Forbidden({ message: "This key lacks the scope lists:read, which a webhook with include_content needs" })
      )
    : Effect.void

const blankToNull = (text: string) => text.trim() || null

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** Newest first. */
    readonly list: (workspace: WorkspaceId, page: Page) => Effect.Effect<Rows<Webhook>>
    /** FORBIDDEN for a webhook with content if the caller may not read lists. */
    readonly create: (
      principal: Principal,
      input: WebhookInput
    ) => Effect.Effect<WebhookWithSecret, BadRequest | Conflict | Forbidden>
    readonly find: (workspace: WorkspaceId, id: string) => Effect.Effect<Webhook, NotFound>
    /**
     * Changes a webhook. A new URL, or enabling the webhook, resets its failure count. FORBIDDEN if it then has content
     * and the caller may not read lists.
     */
    readonly update: (
      principal: Principal,
      id: string,
      change: WebhookChange
    ) => Effect.Effect<Webhook, BadRequest | Forbidden | NotFound>
    /** Deletes the webhook and its deliveries; nothing more is sent. */
    readonly remove: (workspace: WorkspaceId, id: string) => Effect.Effect<void, NotFound>
    /** Makes a new secret; the old one also signs for a day. */
    readonly rotate: (workspace: WorkspaceId, id: string) => Effect.Effect<WebhookWithSecret, NotFound>
    /** Sends the event `test`, regardless of the subscribed events. UNPROCESSABLE while the webhook is disabled. */
    readonly sendTest: (workspace: WorkspaceId, id: string) => Effect.Effect<Delivery, NotFound | Unprocessable>
    /** Newest first. */
    readonly listDeliveries: (
      workspace: WorkspaceId,
      id: string,
      page: Page,
      filter: DeliveryFilter
    ) => Effect.Effect<Rows<Delivery>, NotFound>
    /** Sends the message of a delivery again with the same event id. UNPROCESSABLE while the webhook is disabled. */
    readonly resend: (
      workspace: WorkspaceId,
      id: string,
      delivery: string
    ) => Effect.Effect<Delivery, NotFound | Unprocessable>
  }
>()("overture/layers/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const random = yield* SecureRandom.SecureRandom
      const makeSecret = Effect.provideService(newSecret, SecureRandom.SecureRandom, random)
      const web = yield* Web

      const page = makePageQuery(sql, Row, {
        table: "webhooks",
        matching: ({ workspace }: { readonly workspace: WorkspaceId }) => [sql`workspace_id = ${workspace}`],
        order: "created_at DESC, id DESC"
      })
      const Key = Schema.Struct({ workspace: Schema.String, id: Schema.String })
      const fields = sql.literal(Object.keys(Row.fields).join(", "))
      const findRow = SqlSchema.findOneOption({
        Request: Key,
        Result: Row,
        execute: ({ id, workspace }) =>
          sql`SELECT ${fields} FROM webhooks WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const findSecrets = SqlSchema.findOne({
        Request: Key,
        Result: Schema.Struct({ secrets: Secrets }),
        execute: ({ id, workspace }) =>
          sql`SELECT secrets FROM webhooks WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const listDeliveries = makePageQuery(sql, Delivery, {
        table: "webhook_deliveries",
        matching: ({
          id,
          status,
          type,
          workspace
        }: DeliveryFilter & { readonly workspace: WorkspaceId; readonly id: string }) => [
          sql`webhook_id = ${id}`,
          sql`workspace_id = ${workspace}`,
          ...(status === undefined ? [] : [sql`status = ${status}`]),
          ...(type === undefined ? [] : [sql`type = ${type}`])
        ],
        order: "created_at DESC, id DESC"
      })
      const findMessage = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String, delivery: Schema.String }),
        Result: Schema.Struct({
          event: Schema.String,
          type: EventType,
          payload: Schema.String,
          lead: Schema.NullOr(Schema.String)
        }),
        execute: ({ delivery, id, workspace }) => sql`
          SELECT event_id AS event, type, payload, lead_id AS lead FROM webhook_deliveries
          WHERE id = ${delivery} AND webhook_id = ${id} AND workspace_id = ${workspace}`
      })

      const find = Effect.fnUntraced(function* (workspace: WorkspaceId, id: string) {
        const row = yield* Effect.orDie(findRow({ workspace, id }))
        return toWebhook(yield* Effect.mapError(Effect.fromOption(row), () => NotFound.of("webhook")))
      })

      /** UNPROCESSABLE if the webhook is disabled. */
      const requireEnabled = Effect.fnUntraced(function* (workspace: WorkspaceId, id: string) {
        const webhook = yield* find(workspace, id)
        if (webhook.enabled) return webhook
        return yield* new Unprocessable({
          message: "This webhook is disabled; enable it with PATCH /api/v1/webhooks/:id first"
        })
      })

      const requireUrl = (url: string) => {
        // The URL parser drops line breaks and tabs, so the text would be stored as something else than what is requested.
        if (/\p{Cc}/u.test(url)) return Effect.fail(BadRequest.at("url", "must not hold a control character"))
        const target = web.check(url)
        return "refusal" in target ? Effect.fail(BadRequest.at("url", target.refusal)) : Effect.succeed(url)
      }

      return Webhooks.of({
        list: (workspace, pageQuery) =>
          Effect.map(page({ workspace }, pageQuery), ({ rows, total }) => ({ total, rows: rows.map(toWebhook) })),

        create: traced("Webhooks.create")(function* (principal, input) {
          const workspace = principal.workspace_id
          yield* requireContentScope(principal, input.include_content === true)
          const url = yield* requireUrl(input.url)
          const { total } = yield* page({ workspace }, { limit: 1, offset: 0 })
          if (total >= maxWebhooks) {
            return yield* new Conflict({ message: `A workspace has at most ${maxWebhooks} webhooks; delete one first` })
          }
          const timestamp = yield* now
          const webhook: Webhook = {
            id: yield* random.uuidV7(),
            url,
            events: parseEvents(input.events),
            description: blankToNull(input.description ?? ""),
            enabled: true,
            include_content: input.include_content === true,
            disabled_reason: null,
            failing_since: null,
            created_at: timestamp,
            updated_at: timestamp
          }
          const newSecretValue = yield* makeSecret
          yield* Effect.orDie(sql`
            INSERT INTO webhooks ${sql.insert({
              ...webhook,
              workspace_id: workspace,
              events: JSON.stringify(webhook.events),
              enabled: 1,
              include_content: webhook.include_content ? 1 : 0,
              secrets: JSON.stringify([{ secret: newSecretValue, until: null }] satisfies Secrets),
              failed_attempts: 0
            })}`)
          yield* events.clearCache(workspace)
          return { ...webhook, secret: newSecretValue }
        }, inTransaction(sql)),

        find,

        update: traced("Webhooks.update")(function* (principal, id, change) {
          const workspace = principal.workspace_id
          const current = yield* find(workspace, id)
          const include_content = change.include_content ?? current.include_content
          yield* requireContentScope(principal, include_content)
          const url = change.url == null ? current.url : yield* requireUrl(change.url)
          const enabled = change.enabled ?? current.enabled
          // A new URL, and a user's decision to enable or disable the webhook, also clear the server's reason for disabling it.
          const clearsFailures = url !== current.url || change.enabled != null
          yield* Effect.orDie(sql`
            UPDATE webhooks SET ${sql.update(
              {
                url,
                events: JSON.stringify(change.events == null ? current.events : parseEvents(change.events)),
                description: change.description == null ? current.description : blankToNull(change.description),
                enabled: enabled ? 1 : 0,
                include_content: include_content ? 1 : 0,
                updated_at: yield* now,
                ...(clearsFailures ? { failing_since: null, failed_attempts: 0, disabled_reason: null } : {})
              },
              []
            )}
            WHERE id = ${id} AND workspace_id = ${workspace}`)
          yield* events.clearCache(workspace)
          return yield* find(workspace, id)
        }, inTransaction(sql)),

        remove: traced("Webhooks.remove")(function* (workspace, id) {
          yield* find(workspace, id)
          yield* Effect.orDie(sql`
            DELETE FROM jobs WHERE workspace_id = ${workspace} AND id IN (
              SELECT job FROM webhook_deliveries
              WHERE webhook_id = ${id} AND workspace_id = ${workspace} AND status = 'pending')`)
          yield* Effect.orDie(sql`
            DELETE FROM webhook_deliveries WHERE webhook_id = ${id} AND workspace_id = ${workspace}`)
          yield* Effect.orDie(sql`DELETE FROM webhooks WHERE id = ${id} AND workspace_id = ${workspace}`)
          yield* events.clearCache(workspace)
        }, inTransaction(sql)),

        rotate: traced("Webhooks.rotate")(function* (workspace, id) {
          const webhook = yield* find(workspace, id)
          const { secrets } = yield* Effect.orDie(findSecrets({ workspace, id }))
          const newSecretValue = yield* makeSecret
          const secretsAfterRotation = rotateSecret(secrets, newSecretValue, yield* Clock.currentTimeMillis)
          const updated_at = yield* now
          yield* Effect.orDie(sql`
            UPDATE webhooks SET secrets = ${JSON.stringify(secretsAfterRotation)}, updated_at = ${updated_at}
            WHERE id = ${id} AND workspace_id = ${workspace}`)
          return { ...webhook, updated_at, secret: newSecretValue }
        }, inTransaction(sql)),

        sendTest: traced("Webhooks.test")(function* (workspace, id) {
          yield* requireEnabled(workspace, id)
          const data = { webhook_id: id }
          return yield* events.send(workspace, id, yield* events.makeMessage("test", { data }))
        }, inTransaction(sql)),

        listDeliveries: traced("Webhooks.deliveries")(function* (workspace, id, pageQuery, filter) {
          yield* find(workspace, id)
          return yield* listDeliveries({ workspace, id, ...Struct.pick(filter, ["status", "type"]) }, pageQuery)
        }),

        resend: traced("Webhooks.resend")(function* (workspace, id, delivery) {
          yield* requireEnabled(workspace, id)
          const previousMessage = yield* Effect.orDie(findMessage({ workspace, id, delivery }))
          if (Option.isNone(previousMessage)) return yield* NotFound.of("delivery")
          return yield* events.send(workspace, id, previousMessage.value)
        }, inTransaction(sql))
      })
    })
  )
}
