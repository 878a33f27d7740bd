// schema/OpenApi.ts: the reference that is served at /openapi.json: what the contract declares, and what holds of all of it.
import { Context, Predicate, Record, type Schema, SchemaAST } from "effect"
import { RateBucket, RequiredScope } from "#schema/Auth.ts"
import { exampleOf, type Json, name, tidy } from "#schema/Shapes.ts"
import { summaries, tags } from "#schema/Summaries.ts"

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "An API key as a bearer token" },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "An API key; sent with a bearer, both must agree"
  }
}

const header = (type: string, description: string, example: unknown) => ({ description, schema: { type }, example })

const headers = {
  "X-Request-Id": header(
    "string",
    "The id of the request, also in the log of the server; quote it when you report a problem",
    "req_019812ab-4f60-7c3e-8d21-5b9a0e6f7c14"
  ),
  "X-RateLimit-Limit": header("integer", "Requests a key may make in a window", 300),
  "X-RateLimit-Remaining": header("integer", "Requests left in this window", 299),
  "X-RateLimit-Reset": header("integer", "When the window ends, in seconds since 1970", 1784023260),
  "Retry-After": header("integer", "Seconds to wait before you try again", 2),
  "Idempotent-Replayed": header("string", "`true` on the answer to a request that was made before", "true"),
  "Content-Disposition": header("string", "The name to save it by", 'attachment; filename="Trade-fair-hall-3.csv"')
}

const refer = (...names: ReadonlyArray<keyof typeof headers>) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const limits = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const

/** Signed links lead out of the API, to a path that no endpoint declares. */
const files = {
  get: {
    operationId: "openFile",
    tags: ["files"],
    parameters: [
      ["id", "path", "The document or the list"],
      ["expires", "query", "When the link ends, in seconds since 1970"],
      ["signature", "query", "What makes the link good"]
    ].map(([name, place, description]) => ({
      name,
      in: place,
      required: true,
      schema: { type: "string", description }
    })),
    responses: {
      200: {
        description: "The file",
        content: { "text/markdown": { schema: { type: "string" } }, "text/csv": { schema: { type: "string" } } }
      },
      403: { content: { "application/json": { schema: { $ref: "ForbiddenEncoded" } } } },
      404: { content: { "application/json": { schema: { $ref: "NotFoundEncoded" } } } }
    }
  }
}

/** What is asked of an endpoint here. */
interface Endpoint {
  readonly identifier: string
  readonly annotations: Context.Context<never>
  readonly params: unknown
  readonly headers: unknown
  readonly error: ReadonlySet<Schema.Constraint>
}

interface Groups {
  readonly [group: string]: { readonly endpoints: { readonly [endpoint: string]: Endpoint } }
}

/** What the contract's own annotations say in words. */
const facts = (endpoint: Endpoint) => {
  const scope = Context.get(endpoint.annotations, RequiredScope)
  const bucket = Context.get(endpoint.annotations, RateBucket)
  return [
    scope && `Needs the scope \`${scope}\`.`,
    bucket && `Has a limit of its own: ${bucket.limit} requests a minute for the key.`
  ]
}

/** What of a whole middleware's refusals this endpoint can never give. */
const isPossible = (endpoint: Endpoint, status: string) =>
  status === "403"
    ? Context.get(endpoint.annotations, RequiredScope) !== undefined
    : status !== "404" ||
      endpoint.params !== undefined ||
      Array.from(endpoint.error).some(({ ast }) => SchemaAST.resolve(ast)?.["httpApiStatus"] === 404)

/**
 * Turns the document that Effect makes of the contract into one for people and their tools: named schemas, examples,
 * shared answers and headers, only what can happen, and operation ids that make good function names.
 */
export const reference =
  (groups: Groups) =>
  (document: Json): Json => {
    const endpoints = new Map(
      Object.values(groups).flatMap((group) =>
        Object.values(group.endpoints).map((endpoint) => [endpoint.identifier, endpoint])
      )
    )
    const schemas: Json = {}
    const responses: Json = {}

    const media = (schema: Json, type: string) => ({
      schema: name(schema, schemas),
      // A file cannot be shown.
      ...(type !== "multipart/form-data" && { example: exampleOf(schema) })
    })

    const response = (endpoint: Endpoint | undefined, status: string, { content, description }: Json): Json => {
      const isOpen = endpoint?.identifier === "health"
      const shapes = Record.map(content, ({ schema }: Json) => tidy(schema, document["components"].schemas))
      const choices = Object.values<Json>(shapes)
        .flatMap((shape): ReadonlyArray<Json> => shape["anyOf"] ?? [shape])
        .toSorted((a, b) => (String(a["title"]) < String(b["title"]) ? -1 : 1))
      const body = {
        description: choices.some((choice) => choice["title"])
          ? choices.map((choice) => choice["description"]).join(". Or: ")
          : description,
        headers: {
          ...(isOpen ? {} : refer("X-Request-Id")),
          ...(isOpen || endpoint === undefined || status === "401" ? {} : refer(...limits)),
          ...(status === "429" ? refer("Retry-After") : {}),
          ...(status < "300" && endpoint?.headers ? refer("Idempotent-Replayed") : {}),
          ...(status < "300" && content["text/csv"] ? refer("Content-Disposition") : {})
        },
        content: Record.map(shapes, (shape, type) =>
          shape["anyOf"] === undefined
            ? media(shape, type)
            : {
                schema: { anyOf: choices.map((choice) => name(choice, schemas)) },
                examples: Object.fromEntries(choices.map((choice) => [choice["title"], { value: exampleOf(choice) }]))
              }
        )
      }
      if (status < "400" || isOpen || endpoint === undefined) return body
      const shared = `${choices.map(({ title }) => title.replace(/Error$/, "")).join("Or")}Error`
      responses[shared] = body
      return { $ref: `#/components/responses/${shared}` }
    }

    const operation = ({ operationId: id, parameters, requestBody, responses, tags: [group], ...rest }: Json): Json => {
      // The endpoint's own name; no two groups share one.
      const operationId = id.split(".").at(-1)
      const endpoint = endpoints.get(operationId)
      const [summary, description] = summaries[operationId] ?? []
      const scope = endpoint && Context.get(endpoint.annotations, RequiredScope)
      const roles = scope === undefined ? [] : [scope]
      const isOpen = endpoint === undefined || operationId === "health"
      const said = [description, ...(endpoint === undefined ? [] : facts(endpoint))].filter(Predicate.isTruthy)
      return {
        ...rest,
        operationId,
        tags: [tags[group]?.[0] ?? group],
        summary,
        ...(said.length > 0 && { description: said.join("\n\n") }),
        security: isOpen ? [] : [{ bearer: roles }, { apiKey: roles }],
        parameters: parameters.map((parameter: Json) => {
          const { description, ...schema } = tidy(parameter["schema"], document["components"].schemas)
          return {
            ...parameter,
            name: parameter["name"] === "idempotency-key" ? "Idempotency-Key" : parameter["name"],
            description,
            schema: name(schema["title"] ? { ...schema, description } : schema, schemas)
          }
        }),
        ...(requestBody && {
          requestBody: {
            ...requestBody,
            content: Record.map(requestBody.content, ({ schema }: Json, type) =>
              media(tidy(schema, document["components"].schemas), type)
            )
          }
        }),
        responses: Object.fromEntries(
          Object.entries<Json>(responses)
            .filter(([status]) => endpoint === undefined || isPossible(endpoint, status))
            .map(([status, body]) => [status, response(endpoint, status, body)])
        )
      }
    }

    const paths = Record.map({ ...document["paths"], "/files/{id}": files }, (path: Json) =>
      Record.map(path, operation)
    )
    return {
      ...document,
      tags: Object.values(tags).map(([name, description]) => ({ name, description })),
      paths,
      components: { schemas, responses, headers, securitySchemes }
    }
  }
