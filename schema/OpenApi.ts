// schema/OpenApi.ts: builds /openapi.json from the contract, and adds the security schemes, headers, shared answers and webhooks.
import { Context, Record, Schema, SchemaAST } from "effect"
import { OpenBody, RateBucket, RequiredScope } from "#schema/Auth.ts"
import { file } from "#schema/openapi/Files.ts"
import { headers, headerRefs } from "#schema/Headers.ts"
import { isEnvelope, Problem, problemOf, problemType } from "#schema/Problem.ts"
import { exampleOf, type Json, extractNamedSchemas, simplifySchema } from "#schema/openapi/Shapes.ts"
import { summaries, tags } from "#schema/openapi/Summaries.ts"
import { webhooks } from "#schema/openapi/Webhooks.ts"

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "An API key as a bearer token" },
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "An API key; sent with a bearer, both must agree"
  }
}

/** The parts of an endpoint that are used here. */
interface Endpoint {
  readonly identifier: string
  readonly annotations: Context.Context<never>
  readonly params: unknown
  readonly headers: unknown
  readonly error: ReadonlySet<Schema.Constraint>
  readonly middlewares: ReadonlySet<{ readonly key: string }>
}

interface Groups {
  readonly [group: string]: { readonly endpoints: { readonly [endpoint: string]: Endpoint } }
}

const isHealth = ({ identifier }: Endpoint) => identifier === "health"
/** Whether the endpoint needs no key. */
const needsNoKey = (endpoint: Endpoint) =>
  isHealth(endpoint) || Array.from(endpoint.middlewares).some(({ key }) => key === OpenBody.key)
const declares = ({ error }: Endpoint, status: number) =>
  Array.from(error).some(({ ast }) => SchemaAST.resolve(ast)?.["httpApiStatus"] === status)
const scopeOf = ({ annotations }: Endpoint) => Context.get(annotations, RequiredScope)

/** The summary and description of an operation; the description includes the scope and limits of its annotations. */
const describeEndpoint = (endpoint: Endpoint) => {
  const [summary, description] = summaries[endpoint.identifier] ?? []
  const scope = scopeOf(endpoint)
  const bucket = Context.get(endpoint.annotations, RateBucket)
  const lines = [
    ...(description === undefined ? [] : [description]),
    ...(scope === undefined ? [] : [`Needs the scope \`${scope}\`.`]),
    ...(bucket === undefined
      ? []
      : [`Has a limit of its own: ${bucket.limit} requests a minute for the ${bucket.per}.`])
  ]
  return { summary, ...(lines.length > 0 && { description: lines.join("\n\n") }) }
}

/**
 * Whether the endpoint can return the status. Middleware declares its errors for all endpoints, including those that
 * cannot return them.
 */
const isPossible = (endpoint: Endpoint, status: string) => {
  if (status === "403") return scopeOf(endpoint) !== undefined || needsNoKey(endpoint) || declares(endpoint, 403)
  if (status !== "404" || endpoint.params !== undefined) return true
  return declares(endpoint, 404)
}

const headersOf = (endpoint: Endpoint, status: string, content: Json) => {
  if (isHealth(endpoint)) return {}
  return {
    headers: headerRefs([
      "X-Request-Id",
      // Rate limits are counted per key, so answers without a key have no rate-limit headers.
      ...(status === "401" || needsNoKey(endpoint)
        ? []
        : ([
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "RateLimit-Policy",
            "RateLimit"
          ] as const)),
      ...(status === "401" ? (["WWW-Authenticate"] as const) : []),
      ...(status === "429" ? (["Retry-After"] as const) : []),
      ...(status < "300" && endpoint.headers ? (["Idempotent-Replayed"] as const) : []),
      ...(content["text/csv"] ? (["Content-Disposition"] as const) : [])
    ])
  }
}

/** The parts of an operation. Their named schemas are collected in `schemas`. */
const makeConverters = (document: Json, schemas: Json) => {
  const shapeOf = ({ schema }: Json) => simplifySchema(schema, document["components"].schemas)

  const parameter = (declared: Json): Json => {
    const shape = shapeOf(declared)
    const schema = extractNamedSchemas(shape, schemas)
    const { description: _, ...unnamed } = schema
    return {
      ...declared,
      // HTTP headers ignore case; this is the usual spelling.
      name: declared["name"] === "idempotency-key" ? "Idempotency-Key" : declared["name"],
      description: shape["description"],
      schema: unnamed
    }
  }

  const media = (shapes: ReadonlyArray<Json>): Json => {
    const [shape = {}, ...others] = shapes
    if (others.length === 0) return { schema: extractNamedSchemas(shape, schemas), example: exampleOf(shape) }
    return {
      schema: { anyOf: shapes.map((shape) => extractNamedSchemas(shape, schemas)) },
      examples: Object.fromEntries(shapes.map((shape) => [shape["title"], { value: exampleOf(shape) }]))
    }
  }

  /** The same errors as RFC 9457 problems, with one example for each. */
  const problems = (status: string, shapes: ReadonlyArray<Json>): Json => {
    const examples = shapes.flatMap((shape) => {
      const example = exampleOf(shape)
      return isEnvelope(example) ? [[shape["title"], { value: problemOf(Number(status), example) }] as const] : []
    })
    const { schema } = Schema.toJsonSchemaDocument(Problem)
    return examples.length === 0
      ? {}
      : {
          [problemType]: {
            schema: extractNamedSchemas(simplifySchema(schema, {}), schemas),
            examples: Object.fromEntries(examples)
          }
        }
  }

  const requestBody = ({ content, required }: Json): Json => ({
    required,
    content: Record.map(content, (declared: Json, type) => {
      const shown = media([shapeOf(declared)])
      // An example cannot show a file.
      return type === "multipart/form-data" ? { schema: shown["schema"] } : shown
    })
  })

  return { media, parameter, problems, requestBody, shapeOf }
}

/** The responses of an operation. Those that operations share are collected in `shared`. */
const responsesOf =
  ({ media, problems, shapeOf }: ReturnType<typeof makeConverters>, shared: Json) =>
  (endpoint: Endpoint, status: string, declared: Json): Json => {
    const content: Record<string, ReadonlyArray<Json>> = Record.map(declared["content"], (media: Json) => {
      const shape = shapeOf(media)
      const choices: ReadonlyArray<Json> = shape["anyOf"] ?? [shape]
      return choices.toSorted((a, b) => (a["title"] < b["title"] ? -1 : 1))
    })
    const shapes = Object.values(content).flat()
    const body = {
      description: shapes.map(({ description }) => description).join(". Or: "),
      ...headersOf(endpoint, status, content),
      content: { ...Record.map(content, media), ...(status >= "400" && problems(status, shapes)) }
    }
    // Answers without a key have different headers, so they are not shared.
    if (status < "400" || needsNoKey(endpoint)) return body
    const title = `${shapes.map(({ title }) => title.replace(/Error$/, "")).join("Or")}Error`
    shared[title] = body
    return { $ref: `#/components/responses/${title}` }
  }

/**
 * Turns the document that Effect generates into a reference: named schemas, examples, shared answers and headers, only
 * possible errors, and operation ids that work as function names.
 */
export const reference =
  (groups: Groups) =>
  (document: Json): Json => {
    const endpoints = Object.values(groups).flatMap((group) => Object.values(group.endpoints))
    const schemas: Json = {}
    const responses: Json = {}
    const parts = makeConverters(document, schemas)
    const response = responsesOf(parts, responses)

    const operation = (declared: Json): Json => {
      // Endpoint names are unique across groups.
      const operationId = declared["operationId"].split(".").at(-1)
      const endpoint = endpoints.find(({ identifier }) => identifier === operationId)
      if (endpoint === undefined) throw new Error(`No endpoint is called ${operationId}`)
      const scope = scopeOf(endpoint)
      const roles = scope === undefined ? [] : [scope]
      return {
        operationId,
        ...describeEndpoint(endpoint),
        tags: declared["tags"].map((group: string) => tags[group]?.[0]),
        security: needsNoKey(endpoint) ? [] : [{ bearer: roles }, { apiKey: roles }],
        parameters: declared["parameters"].map(parts.parameter),
        ...(declared["requestBody"] && { requestBody: parts.requestBody(declared["requestBody"]) }),
        responses: Object.fromEntries(
          Object.entries<Json>(declared["responses"])
            .filter(([status]) => isPossible(endpoint, status))
            .map(([status, declared]) => [status, response(endpoint, status, declared)])
        )
      }
    }

    return {
      ...document,
      tags: Object.values(tags).map(([name, description]) => ({ name, description })),
      paths: {
        ...Record.map(document["paths"], (path: Json) => Record.map(path, operation)),
        "/files/{id}": { get: file }
      },
      webhooks: webhooks(schemas),
      components: { schemas, responses, headers, securitySchemes }
    }
  }
