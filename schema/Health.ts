// schema/Health.ts: the health check, which needs no key.
import { Schema } from "effect"
import { BadRequest } from "#schema/Errors.ts"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

const version = Schema.String.annotate({ description: "The version of the server", examples: ["0.1.0"] })

const Healthy = Schema.Struct({ status: Schema.tag("ok"), version }).annotate({
  title: "Healthy",
  description: "The server is up"
})
const Unavailable = Schema.Struct({ status: Schema.tag("unavailable"), version }).annotate({
  title: "Unavailable",
  description: "The database does not answer"
})

export class HealthApi extends HttpApiGroup.make("health", { topLevel: true }).add(
  HttpApiEndpoint.get("health", "/health", {
    success: [Healthy, Unavailable.pipe(HttpApiSchema.status(503))],
    // The status of malformed HTTP and of headers that are too large.
    error: BadRequest
  })
) {}
