// scripts/bench/peer/Shell.ts: the parts that all requests of the peer share: id, caller, response headers, the error
// envelope, and the request log, written in batches.
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import { admits, type Key, keyOf, secretOf } from "./Callers.ts"
import { iso, uuid } from "./Database.ts"

declare module "fastify" {
  interface FastifyRequest {
    began: number
    caller: Key
  }
  interface FastifyContextConfig {
    scope?: string
  }
}

/** An error response. */
export class Refused extends Error {
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
export const notFound = (what: string) => new Refused(404, "NOT_FOUND", `No such ${what} in this workspace`)
export const badRequest = (message: string) => new Refused(400, "BAD_REQUEST", message)

interface Line {
  readonly request: FastifyRequest
  readonly status: number
  readonly ms: number
}
let lines: Array<Line> = []

export const flush = () => {
  if (lines.length === 0) return
  const text = lines.map(({ ms, request, status }) =>
    JSON.stringify({
      timestamp: iso(request.began),
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
  lines = []
  process.stderr.write(text.join("\n") + "\n")
}
setInterval(flush, 250).unref()

const anonymous: Key = { id: "", workspace: "", scopes: [] }

export const app = Fastify({
  logger: false,
  genReqId: () => `req_${uuid(Date.now())}`,
  requestIdHeader: false,
  keepAliveTimeout: 75_000,
  bodyLimit: 1024 * 1024
})
app.decorateRequest("began", 0)
app.decorateRequest("caller")

const refuse = (request: FastifyRequest, reply: FastifyReply, { code, detail, message, status }: Refused) =>
  reply
    .code(status)
    // The server writes errors in one of two media types.
    .header("vary", "Accept")
    .send({ error: code, message, request_id: request.id, ...(detail && { detail }) })

const unknown = new Refused(401, "UNAUTHORIZED", "Send a valid API key, as Authorization: Bearer or as X-API-Key")

app.addHook("onRequest", (request, reply, done) => {
  request.began = Date.now()
  reply.header("x-request-id", request.id)
  reply.header("x-content-type-options", "nosniff")
  reply.header("referrer-policy", "no-referrer")
  reply.header("cache-control", "no-store")
  const secret = secretOf(request.headers)
  const caller = secret === undefined ? undefined : keyOf(secret, request.began)
  request.caller = caller ?? anonymous
  if (caller === undefined) return void refuse(request, reply.header("www-authenticate", "Bearer"), unknown)
  if (!admits(caller, request.began, reply)) {
    return void refuse(request, reply, new Refused(429, "RATE_LIMITED", "Too many requests"))
  }
  const { scope } = request.routeOptions.config
  if (scope !== undefined && !caller.scopes.includes(scope)) {
    return void refuse(request, reply, new Refused(403, "FORBIDDEN", `This key lacks the scope ${scope}`))
  }
  done()
})

app.addHook("onResponse", (request, reply, done) => {
  lines.push({ request, status: reply.statusCode, ms: Date.now() - request.began })
  done()
})

app.setErrorHandler<Error & { readonly statusCode?: number }>((error, request, reply) => {
  if (error instanceof Refused) return refuse(request, reply, error)
  const broken = (error.statusCode ?? 500) >= 500
  if (broken) process.stderr.write(`${error.stack}\n`)
  const said = broken
    ? new Refused(500, "INTERNAL_ERROR", "Something broke on our side; try again later")
    : badRequest(error.message)
  return refuse(request, reply, said)
})

/** Parts of JSON Schema for validation and serialisation. */
export const text = { type: "string" } as const
export const textOrNull = { type: ["string", "null"] } as const
export const whole = { type: "integer" } as const
export const object = (properties: object, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required
})
