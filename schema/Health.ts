// schema/Health.ts: whether the service is there; the only endpoint that asks for no key.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

export const Healthy = Schema.Struct({ status: Schema.tag("ok"), version: Schema.String })
export const Unavailable = Schema.Struct({ status: Schema.tag("unavailable"), version: Schema.String })

export class HealthApi extends HttpApiGroup.make("health", { topLevel: true }).add(
  HttpApiEndpoint.get("health", "/health", {
    success: [Healthy, Unavailable.pipe(HttpApiSchema.status(503))]
  })
) {}
