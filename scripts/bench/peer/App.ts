// scripts/bench/peer/App.ts: the parts that all requests of the reference server share: id, caller, response headers, the error
// envelope, and the request log, written in batches.
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import { admitRequest, type Key, findKey, readSecret } from "./ApiKeys.ts"
import { iso, uuid } from "./Database.ts"

declare module "fastify" {
  interface FastifyRequest {
    startedAt: number
    caller: Key
  }
  interface FastifyContextConfig {
    scope?: string
  }
}

/** An error response. */
export class RequestError extends Error {
  readonly status: number
  readonly code: string
  readonly detail: object | undefined
  constructor(status: number, code: string, message: string, detail?: object) {
    super(message)
    this.status = status
    this.code = code
    this.detail = detail
  }
}
export const notFound = (resource: string) =>
  new RequestError(404, "NOT_FOUND", `No such ${resource} in this workspace`)
export const badRequest = (message: string) => new RequestError(400, "BAD_REQUEST", message)

interface LogEntry {
  readonly request: FastifyRequest
  readonly status: number
  readonly ms: number
}
let logEntries: Array<LogEntry> = []

export const flushLog = () => {
  if (logEntries.length === 0) return
  const jsonLines = logEntries.map(({ ms, request, status }) =>
    JSON.stringify({
      timestamp: iso(request.startedAt),
      level: "INFO",
      message: "request",
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url,
      workspace: request.caller.workspace,
      key: request.caller.id,
      status,
      ms
    })
  )
  logEntries = []
  process.stderr.write(jsonLines.join("\n") + "\n")
}
setInterval(flushLog, 250).unref()

const anonymous: Key = { id: "", workspace: "", scopes: [] }

export const app = Fastify({
  logger: false,
  genReqId: () => `req_${uuid(Date.now())}`,
  requestIdHeader: false,
  keepAliveTimeout: 75_000,
  bodyLimit: 1024 * 1024
})
app.decorateRequest("startedAt", 0)
app.decorateRequest("caller")

const sendError = (request: FastifyRequest, reply: FastifyReply, { code, detail, message, status }: RequestError) =>
  reply
    .code(status)
    // The server writes errors in one of two media types.
    .header("vary", "Accept")
    .send({ error: code, message, request_id: request.id, ...(detail && { detail }) })

const unauthorized = new RequestError(
  401,
  "UNAUTHORIZED",
  "Send a valid API key, as Authorization: Bearer or as X-API-Key"
)

app.addHook("onRequest", (request, reply, done) => {
  request.startedAt = Date.now()
  reply.header("x-request-id", request.id)
  reply.header("x-content-type-options", "nosniff")
  reply.header("referrer-policy", "no-referrer")
  reply.header("cache-control", "no-store")
  const secret = readSecret(request.headers)
  const caller = secret === undefined ? undefined : findKey(secret, request.startedAt)
  request.caller = caller ?? anonymous
  if (caller === undefined) return void sendError(request, reply.header("www-authenticate", "Bearer"), unauthorized)
  if (!admitRequest(caller, request.startedAt, reply)) {
    return void sendError(request, reply, new RequestError(429, "RATE_LIMITED", "Too many requests"))
  }
  const { scope } = request.routeOptions.config
  if (scope !== undefined && !caller.scopes.includes(scope)) {
    return void sendError(request, reply, new RequestError(403, "FORBIDDEN", `This key lacks the scope ${scope}`))
  }
  done()
})

app.addHook("onResponse", (request, reply, done) => {
  logEntries.push({ request, status: reply.statusCode, ms: Date.now() - request.startedAt })
  done()
})

app.setErrorHandler<Error & { readonly statusCode?: number }>((error, request, reply) => {
  if (error instanceof RequestError) return sendError(request, reply, error)
  const isServerError = (error.statusCode ?? 500) >= 500
  if (isServerError) process.stderr.write(`${error.stack}\n`)
  const responseError = isServerError
    ? new RequestError(500, "INTERNAL_ERROR", "Something broke on our side; try again later")
    : badRequest(error.message)
  return sendError(request, reply, responseError)
})

/** Parts of JSON Schema for validation and serialisation. */
export const stringSchema = { type: "string" } as const
export const stringOrNullSchema = { type: ["string", "null"] } as const
export const integerSchema = { type: "integer" } as const
export const objectSchema = (properties: object, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required
})
