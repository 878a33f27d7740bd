// schema/OpenApi.ts: what the OpenAPI document says beyond what the endpoints declare themselves.
import { Predicate } from "effect"
import { summaries } from "#schema/Summaries.ts"

const schemes = {
  bearer: { type: "http", scheme: "bearer", description: "An API key as a bearer token" },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "An API key; sent with a bearer, both must agree"
  }
}

const requestId = {
  description: "The id of the request, also in the log of the server; quote it when you report a problem",
  schema: { type: "string" }
}

type Json = Record<string, any>

const operation = (path: string, described: Json): Json => {
  const open = path === "/api/v1/health"
  const responses: Json = described["responses"]
  // The endpoint's own name; no two groups share one.
  const operationId = String(described["operationId"]).split(".").at(-1) ?? ""
  const [summary, description] = summaries[operationId] ?? []
  return {
    ...described,
    operationId,
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    security: open ? [] : [{ bearer: [] }, { apiKey: [] }],
    responses: open
      ? responses
      : Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [
            status,
            { ...response, headers: { ...response.headers, "X-Request-Id": requestId } }
          ])
        )
  }
}

/** Adds the two ways to send a key, the request id, and operation ids that make good function names. */
export const transform = (document: Json): Json => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries<Json>(document["paths"]).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, described]) => [
          method,
          Predicate.isObject(described) ? operation(path, described) : described
        ])
      )
    ])
  ),
  components: { ...document["components"], securitySchemes: schemes }
})
