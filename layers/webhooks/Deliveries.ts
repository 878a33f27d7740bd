// layers/webhooks/Deliveries.ts: webhook deliveries: the message to send, the outcome of each attempt, and when a
// webhook is disabled.
import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { now } from "#layers/lib/Time.ts"
import { type ClaimedJob, type LeaseLost, Queue } from "#layers/Queue.ts"
import type { PostAnswer } from "#layers/web/WebhookPost.ts"
import { DeliveryPayload, Events, withoutContent } from "#layers/webhooks/Events.ts"
import { Secrets, signatureHeaders } from "#layers/webhooks/Signing.ts"

/** Pauses before each attempt after the first, in milliseconds. */
export const retryDelays = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  ...[2, 5, 10, 14, 20, 24].map((hours) => Duration.hours(hours))
].map((pause) => Duration.toMillis(pause))

/** The maximum for a pause that a receiver requests. */
export const maxRetryDelay = Duration.hours(24)

/** A webhook is disabled when all attempts during this time have failed. */
const maxFailingMillis = Duration.toMillis("5 days")

/** Minimum number of failed attempts, so that a clock set forward does not disable a webhook. */
const minFailures = 5

const OpenDelivery = Schema.Struct({
  id: Schema.String,
  webhook_id: Schema.String,
  event_id: Schema.String,
  payload: Schema.String,
  attempts: Schema.Int,
  url: Schema.String,
  enabled: Schema.BooleanFromBit,
  include_content: Schema.BooleanFromBit,
  secrets: Secrets,
  failing_since: Schema.NullOr(Schema.Int),
  failed_attempts: Schema.Int
})
export interface OpenDelivery extends Schema.Schema.Type<typeof OpenDelivery> {
  /** The payload, without content if the webhook has none now. */
  readonly body: string
}

/** A disabled webhook, for the mail to its owner. */
const DisabledWebhook = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  workspace: Schema.String,
  owner_email: Schema.NullOr(Schema.String)
})
export type DisabledWebhook = typeof DisabledWebhook.Type

/** The payload of the job that sends this mail. */
const DisabledPayload = Schema.Struct({ webhook: Schema.String })

/** The error of an attempt in the delivery log. */
const deliveryError = ({ code, error }: PostAnswer) =>
  error ?? (code !== null && code >= 300 && code < 400 ? "Redirects are not followed" : `The receiver answered ${code}`)

const isSuccess = ({ code }: PostAnswer) => code !== null && code >= 200 && code < 300

export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** The delivery of a claimed job; none if the delivery was deleted. */
    readonly loadDelivery: (claim: ClaimedJob) => Effect.Effect<Option.Option<OpenDelivery>, LeaseLost>
    /** The headers of an attempt made now. */
    readonly signHeaders: (delivery: OpenDelivery) => Effect.Effect<Readonly<Record<string, string>>>
    /** Stores an attempt, and completes the job or schedules a retry. */
    readonly saveAttempt: (
      claim: ClaimedJob,
      delivery: OpenDelivery,
      answer: PostAnswer
    ) => Effect.Effect<void, LeaseLost>
    /** Fails a delivery without an attempt. */
    readonly failWithoutAttempt: (
      claim: ClaimedJob,
      delivery: OpenDelivery,
      error: string
    ) => Effect.Effect<void, LeaseLost>
    /** Like `failWithoutAttempt`, in the transaction that fails the job. */
    readonly failWithJob: (claim: ClaimedJob, error: string) => Effect.Effect<void>
    /** The disabled webhook of a job; none if it was deleted or enabled again. */
    readonly findDisabledWebhook: (claim: ClaimedJob) => Effect.Effect<Option.Option<DisabledWebhook>>
  }
>()("overture/layers/webhooks/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* Queue
      const events = yield* Events

      const Key = Schema.Struct({ workspace: Schema.String, id: Schema.String })
      const findDelivery = SqlSchema.findOneOption({
        Request: Key,
        Result: OpenDelivery,
        execute: ({ id, workspace }) => sql`
          SELECT d.id, d.webhook_id, d.event_id, d.payload, d.attempts, w.url, w.enabled, w.include_content, w.secrets,
            w.failing_since, w.failed_attempts
          FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
          WHERE d.id = ${id} AND d.workspace_id = ${workspace} AND w.workspace_id = ${workspace}
            AND d.status = 'pending'`
      })
      const findDisabled = SqlSchema.findOneOption({
        Request: Key,
        Result: DisabledWebhook,
        execute: ({ id, workspace }) => sql`
          SELECT w.id, w.url, s.name AS workspace, s.owner_email
          FROM webhooks w JOIN workspaces s ON s.id = w.workspace_id
          WHERE w.id = ${id} AND w.workspace_id = ${workspace} AND w.disabled_reason = 'failing'`
      })

      const deliveryId = ({ payload }: ClaimedJob) =>
        Effect.map(Schema.decodeUnknownEffect(DeliveryPayload)(payload), ({ delivery }) => delivery)

      const recordAttempt = Effect.fnUntraced(function* (
        { workspace_id }: ClaimedJob,
        { attempts, id, payload }: OpenDelivery,
        status: "pending" | "delivered" | "failed",
        answer: PostAnswer,
        nextAttemptAt: string | null
      ) {
        // An answer may repeat the lead, so it is not stored if the lead was erased meanwhile.
        yield* sql`
          UPDATE webhook_deliveries SET status = ${status}, attempts = ${attempts + 1}, response_code = ${answer.code},
            response = CASE WHEN payload = ${payload} THEN ${answer.text} END, error = ${status === "delivered" ? null : deliveryError(answer)},
            next_attempt_at = ${nextAttemptAt}, updated_at = ${yield* now}
          WHERE id = ${id} AND workspace_id = ${workspace_id}`
      })

      const failDelivery = Effect.fnUntraced(function* ({ workspace_id }: ClaimedJob, id: string, error: string) {
        yield* sql`
          UPDATE webhook_deliveries
          SET status = 'failed', error = ${error}, next_attempt_at = NULL, updated_at = ${yield* now}
          WHERE id = ${id} AND workspace_id = ${workspace_id}`
      })

      const disable = Effect.fnUntraced(function* (
        { workspace_id }: ClaimedJob,
        { webhook_id }: OpenDelivery,
        reason: "gone" | "failing"
      ) {
        const disabledRows = yield* sql`
          UPDATE webhooks SET enabled = 0, disabled_reason = ${reason}, updated_at = ${yield* now}
          WHERE id = ${webhook_id} AND workspace_id = ${workspace_id} AND enabled = 1 RETURNING id`
        if (disabledRows.length === 0) return
        yield* events.clearCache(workspace_id)
        if (reason === "gone") return
        const payload = { webhook: webhook_id }
        yield* queue.enqueue([{ workspace: workspace_id, type: "webhook.disabled", subject: workspace_id, payload }])
      })

      const countFailure = ({ workspace_id }: ClaimedJob, { webhook_id }: OpenDelivery, timestamp: number) => sql`
        UPDATE webhooks SET failed_attempts = failed_attempts + 1,
          failing_since = CASE WHEN failing_since IS NULL OR failing_since > ${timestamp} THEN ${timestamp} ELSE failing_since END
        WHERE id = ${webhook_id} AND workspace_id = ${workspace_id}`

      const recordSuccess = (claim: ClaimedJob, delivery: OpenDelivery, answer: PostAnswer) =>
        Effect.gen(function* () {
          yield* recordAttempt(claim, delivery, "delivered", answer, null)
          if (delivery.failing_since === null) return
          yield* sql`
            UPDATE webhooks SET failing_since = NULL, failed_attempts = 0
            WHERE id = ${delivery.webhook_id} AND workspace_id = ${claim.workspace_id}`
        }).pipe(Effect.orDie)

      /** The reason to disable the webhook after another failed attempt, if any. */
      const disableReason = (
        { failed_attempts, failing_since }: OpenDelivery,
        { code }: PostAnswer,
        currentMillis: number
      ) => {
        if (code === 410) return "gone"
        const isFailingLong = failing_since !== null && currentMillis - failing_since >= maxFailingMillis
        return isFailingLong && failed_attempts + 1 >= minFailures ? "failing" : undefined
      }

      return Deliveries.of({
        loadDelivery: Effect.fnUntraced(function* (claim) {
          yield* queue.requireLease(claim)
          const id = yield* Effect.orDie(deliveryId(claim))
          const delivery = yield* Effect.orDie(findDelivery({ workspace: claim.workspace_id, id }))
          return Option.map(delivery, (delivery) => ({
            ...delivery,
            // The payload is older than the webhook's settings if this is a retry or a copy.
            body: delivery.include_content ? delivery.payload : withoutContent(delivery.payload)
          }))
        }),

        signHeaders: ({ body, event_id, secrets }) =>
          Effect.map(Clock.currentTimeMillis, (currentMillis) =>
            signatureHeaders(secrets, currentMillis, { id: event_id, body })
          ),

        saveAttempt: Effect.fnUntraced(function* (claim, delivery, answer) {
          if (isSuccess(answer)) return yield* queue.complete(claim, recordSuccess(claim, delivery, answer))
          const currentMillis = yield* Clock.currentTimeMillis
          const reason = disableReason(delivery, answer, currentMillis)
          const minDelay = retryDelays[delivery.attempts]
          if (reason === undefined && minDelay !== undefined) {
            const delay = Math.min(Math.max(minDelay, answer.retryAfter ?? 0), Duration.toMillis(maxRetryDelay))
            const nextAttemptAt = new Date(currentMillis + delay).toISOString()
            const update = Effect.andThen(
              recordAttempt(claim, delivery, "pending", answer, nextAttemptAt),
              countFailure(claim, delivery, currentMillis)
            )
            return yield* queue.postpone(claim, delay, Effect.orDie(update))
          }
          const update = Effect.gen(function* () {
            yield* recordAttempt(claim, delivery, "failed", answer, null)
            yield* countFailure(claim, delivery, currentMillis)
            if (reason !== undefined) yield* disable(claim, delivery, reason)
          })
          yield* queue.complete(claim, Effect.orDie(update))
        }),

        failWithoutAttempt: (claim, delivery, error) =>
          queue.complete(claim, Effect.orDie(failDelivery(claim, delivery.id, error))),

        failWithJob: (claim, error) =>
          deliveryId(claim).pipe(
            Effect.flatMap((id) => failDelivery(claim, id, error)),
            Effect.orDie
          ),

        findDisabledWebhook: Effect.fnUntraced(function* (claim) {
          const { webhook } = yield* Schema.decodeUnknownEffect(DisabledPayload)(claim.payload)
          return yield* findDisabled({ workspace: claim.workspace_id, id: webhook })
        }, Effect.orDie)
      })
    })
  )
}
