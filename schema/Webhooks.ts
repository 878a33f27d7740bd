// schema/Webhooks.ts: webhooks, which send events to other programs, and the endpoints that manage them.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredScope } from "#schema/Auth.ts"
import { BadRequest, Conflict, NotFound, Unprocessable } from "#schema/Errors.ts"
import { Deleted, Id, nonEmptyText, optional, idParams, text, Timestamp } from "#schema/Fields.ts"
import { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { PageQuery, positionedPage } from "#schema/Page.ts"

/** Every event type, with its description. */
export const eventTypes = {
  "list.completed": "A list is finished, and at least one of its leads was written to",
  "list.failed": "A list is finished, and none of its leads could be written to",
  "list.paused": "A list waits: credits ran out, the model is down, or its campaign was changed before it was built",
  "list.resumed": "A list that waited continues",
  "lead.written": "The emails of a lead are stored and charged",
  "lead.failed": "Nothing could be written to a lead; it costs nothing",
  "campaign.ready": "A campaign is built, so emails can be written",
  "import.completed": "An imported document or site was read, or could not be",
  "credits.low": "The credits left fell to 20 %, 10 % or 0 % of what the period granted",
  "review.changed": "Leads were approved, rejected or opened again",
  test: "You asked for it with POST /webhooks/:id/test"
} as const
export type EventType = keyof typeof eventTypes

const types = Object.keys(eventTypes) as ReadonlyArray<EventType>
export const EventType = Schema.Literals(types).annotate({
  title: "WebhookEventType",
  description: "What happened; GET /webhooks/event-types describes each"
})

/** Maximum length of a webhook's URL. */
const maxUrlLength = 2000

/** How many characters of the receiver's answer a delivery stores. */
export const maxStoredResponse = 1000

/** The most webhooks of a workspace. */
export const maxWebhooks = 20

const Url = nonEmptyText(
  maxUrlLength,
  "An http or https address on port 80 or 443. Redirects are not followed, and private addresses are refused"
)
const Events = Schema.Array(Schema.Literals([...types, "*"]))
  .check(
    Schema.isMinLength(1, { message: "must name at least one event" }),
    Schema.isMaxLength(50, { message: "must hold at most 50 events" })
  )
  .annotate({ description: "The events to send; `*` stands for all, later ones included" })
const Description = text(500).annotate({ description: "What it is for; an empty text removes it" })
const IncludeContent = Schema.Boolean.annotate({
  description:
    "Whether events of leads carry the lead and its emails. Without it they have ids and counts alone, and no address or text; this also holds for retries and copies of earlier events. To create a webhook with it, or to change one that has it, a key needs `lists:read`"
})

const webhook = {
  id: Id,
  url: Schema.String.annotate({ description: "Where events are sent" }),
  events: Schema.Array(Schema.Union([EventType, Schema.Literal("*")])).annotate({ description: "The events it gets" }),
  description: Schema.NullOr(Schema.String).annotate({ description: "What it is for" }),
  enabled: Schema.Boolean.annotate({ description: "Whether events are sent" }),
  include_content: IncludeContent,
  disabled_reason: Schema.NullOr(Schema.Literals(["gone", "failing"])).annotate({
    description:
      "Why the server disabled it: `gone` after an answer of 410, `failing` after five days of failures; null otherwise"
  }),
  failing_since: Schema.NullOr(Timestamp).annotate({
    description: "The first failed attempt since the last delivery that succeeded"
  }),
  created_at: Timestamp,
  updated_at: Timestamp
}
const example = {
  id: "01980f45-3d2e-7a18-9c40-6b7f1e5d2a93",
  url: "https://hooks.kestrel-pumps.example/overture",
  events: ["list.completed", "credits.low"],
  description: "Starts the import into the sending tool",
  enabled: true,
  include_content: false,
  disabled_reason: null,
  failing_since: null,
  created_at: "2026-07-14T09:30:00.000Z",
  updated_at: "2026-07-14T09:30:00.000Z"
} as const

export const Webhook = Schema.Struct(webhook).annotate({
  title: "Webhook",
  description: "An address that events are sent to",
  examples: [example]
})
export type Webhook = typeof Webhook.Type

export const WebhookWithSecret = Schema.Struct({
  ...webhook,
  secret: Schema.String.annotate({
    description: "Signs each request (Standard Webhooks, `v1`). Store it now: it is not shown again"
  })
}).annotate({
  title: "WebhookWithSecret",
  description: "A webhook with its new secret",
  examples: [{ ...example, secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDQ2FVsBQIhrs=" }]
})
export type WebhookWithSecret = typeof WebhookWithSecret.Type

const WebhookInput = Schema.Struct({
  url: Url,
  events: Events,
  description: optional(Description),
  include_content: optional(IncludeContent)
}).annotate({
  title: "WebhookInput",
  description: "A new webhook",
  examples: [{ url: example.url, events: example.events, description: example.description }]
})
export type WebhookInput = typeof WebhookInput.Type

const WebhookChange = Schema.Struct({
  url: optional(Url),
  events: optional(Events),
  description: optional(Description),
  enabled: optional(Schema.Boolean).annotate({ description: "True also ends a pause that the server has made" }),
  include_content: optional(IncludeContent)
}).annotate({
  title: "WebhookChange",
  description: "Fields to change; omitted ones keep their value",
  examples: [{ events: ["*"], enabled: true }]
})
export type WebhookChange = typeof WebhookChange.Type

export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"]).annotate({
  title: "WebhookDeliveryStatus",
  description: "`pending` until the receiver answers 2xx within 15 seconds, or until the last attempt has failed"
})
export type DeliveryStatus = typeof DeliveryStatus.Type

export const Delivery = Schema.Struct({
  id: Id,
  webhook_id: Id,
  event_id: Schema.String.annotate({
    description:
      "Sent as `webhook-id`: the same at each attempt and when it is resent, so that a receiver can drop copies"
  }),
  type: EventType,
  status: DeliveryStatus,
  attempts: Schema.Int.annotate({ description: "Requests that were made" }),
  response_code: Schema.NullOr(Schema.Int).annotate({
    description: "The status of the last answer; null if there was none"
  }),
  response: Schema.NullOr(Schema.String).annotate({
    description: `The first ${maxStoredResponse} characters of the last answer`
  }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why the last attempt failed" }),
  next_attempt_at: Schema.NullOr(Timestamp).annotate({
    description: "When it is sent, or sent again; null once it has ended"
  }),
  created_at: Timestamp.annotate({ description: "When the event happened, or was resent" }),
  updated_at: Timestamp
}).annotate({
  title: "WebhookDelivery",
  description: "An event on its way to a webhook",
  examples: [
    {
      id: "01980f45-9b7a-7f31-8e25-0c4d6a1b3f78",
      webhook_id: example.id,
      event_id: "msg_01980f45-9b79-7c02-b6d4-5e8f3a2c1d90",
      type: "list.completed",
      status: "pending",
      attempts: 1,
      response_code: 503,
      response: "Try again later",
      error: "The receiver answered 503",
      next_attempt_at: "2026-07-14T09:30:05.000Z",
      created_at: "2026-07-14T09:30:00.000Z",
      updated_at: "2026-07-14T09:30:00.000Z"
    }
  ]
})
export type Delivery = typeof Delivery.Type

const EventTypes = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      type: EventType,
      description: Schema.String.annotate({ description: "When it happens" })
    }).annotate({ title: "WebhookEvent", description: "An event and when it happens" })
  )
}).annotate({
  title: "WebhookEventTypes",
  description: "The events that a webhook can get",
  examples: [{ data: [{ type: "list.completed", description: eventTypes["list.completed"] }] }]
})

const params = idParams("webhook")
const delivery = { ...params, delivery_id: Id.annotate({ description: "The delivery" }) }

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("listWebhooks", "/", {
      query: PageQuery,
      success: positionedPage("WebhookPage", Webhook)
    }).annotate(RequiredScope, "workspace:read"),
    HttpApiEndpoint.post("createWebhook", "/", {
      headers: IdempotencyHeaders,
      payload: WebhookInput,
      success: WebhookWithSecret.pipe(HttpApiSchema.status("Created")),
      error: [BadRequest, Conflict]
    }).annotate(RequiredScope, "workspace:write"),
    HttpApiEndpoint.get("listWebhookEventTypes", "/event-types", { success: EventTypes }).annotate(
      RequiredScope,
      "workspace:read"
    ),
    HttpApiEndpoint.get("getWebhook", "/:id", { params, success: Webhook, error: NotFound }).annotate(
      RequiredScope,
      "workspace:read"
    ),
    HttpApiEndpoint.patch("updateWebhook", "/:id", {
      params,
      payload: WebhookChange,
      success: Webhook,
      error: [BadRequest, NotFound]
    }).annotate(RequiredScope, "workspace:write"),
    HttpApiEndpoint.delete("deleteWebhook", "/:id", { params, success: Deleted, error: NotFound }).annotate(
      RequiredScope,
      "workspace:write"
    ),
    HttpApiEndpoint.post("rotateWebhookSecret", "/:id/rotate-secret", {
      params,
      headers: IdempotencyHeaders,
      success: WebhookWithSecret,
      error: [NotFound, Conflict]
    }).annotate(RequiredScope, "workspace:write"),
    HttpApiEndpoint.post("testWebhook", "/:id/test", {
      params,
      headers: IdempotencyHeaders,
      success: Delivery.pipe(HttpApiSchema.status("Accepted")),
      error: [NotFound, Conflict, Unprocessable]
    }).annotate(RequiredScope, "workspace:write"),
    HttpApiEndpoint.get("listWebhookDeliveries", "/:id/deliveries", {
      params,
      query: { ...PageQuery, status: Schema.optionalKey(DeliveryStatus), type: Schema.optionalKey(EventType) },
      success: positionedPage("WebhookDeliveryPage", Delivery),
      error: NotFound
    }).annotate(RequiredScope, "workspace:read"),
    HttpApiEndpoint.post("resendWebhookDelivery", "/:id/deliveries/:delivery_id/resend", {
      params: delivery,
      headers: IdempotencyHeaders,
      success: Delivery.pipe(HttpApiSchema.status("Accepted")),
      error: [NotFound, Conflict, Unprocessable]
    }).annotate(RequiredScope, "workspace:write")
  )
  .prefix("/webhooks") {}
