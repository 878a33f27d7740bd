// schema/openapi/Webhooks.ts: documents the requests that webhooks are sent, as the `webhooks` of OpenAPI 3.1.
import { Schema } from "effect"
import { exampleOf, type Json, extractNamedSchemas, simplifySchema } from "#schema/openapi/Shapes.ts"
import { webhookEvents } from "#schema/WebhookEvents.ts"

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example
})

const parameters = [
  header(
    "webhook-id",
    "The id of the event, the same at each attempt: use it to drop copies",
    "msg_01980f45-9b79-7c02-b6d4-5e8f3a2c1d90"
  ),
  header("webhook-timestamp", "When this attempt was made, in seconds since 1970", "1784023260"),
  header(
    "webhook-signature",
    "`v1,` and the base64 of an HMAC-SHA-256 of `id.timestamp.body` with the webhook's secret, by Standard Webhooks 1.0.0. Several, separated by spaces, for a day after the secret was replaced",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
  )
]

const response = (description: string) => ({ description })

/** By type of event. Their schemas are collected in `schemas`. */
export const webhooks = (schemas: Json): Json =>
  Object.fromEntries(
    webhookEvents.map(({ body, type }) => {
      const shape = simplifySchema(Schema.toJsonSchemaDocument(body, { onExcessProperty: "error" }).schema, {})
      const operation = {
        operationId: `receive${shape["title"]}`,
        summary: shape["description"],
        tags: ["Webhooks"],
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { "application/json": { schema: extractNamedSchemas(shape, schemas), example: exampleOf(shape) } }
        },
        responses: {
          "2XX": response("Delivered, if it comes within 15 seconds"),
          410: response("Disables the webhook"),
          default: response("Failed: the request is repeated later")
        }
      }
      return [type, { post: operation }]
    })
  )
