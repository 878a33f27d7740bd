// scripts/bench/fastify.ts: what Overture is measured against: the same two routes on Fastify 5, tuned. It has the same
// SQL on the same store, key lookup, rate limit, request ids and request log, and gives the same answers.
// usage: node scripts/bench/fastify.ts DATABASE
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import { hash, randomFillSync } from "node:crypto"
import { DatabaseSync } from "node:sqlite"

interface Key {
  readonly id: string
  readonly workspace: string
  readonly scopes: ReadonlyArray<string>
}

declare module "fastify" {
  interface FastifyRequest {
    began: number
    caller: Key | undefined
  }
}

const [filename = ""] = process.argv.slice(2)
const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
`
const open = (readOnly: boolean) => {
  const db = new DatabaseSync(filename, { readOnly })
  db.exec(pragmas)
  return db
}
const writer = open(false)
const reader = open(true)

const columns = ["id", "signature_text", "signature_name", "created_by", "created_at", "updated_at"]
const byHash = reader.prepare(`
  SELECT k.id, k.workspace_id, k.scopes FROM api_keys k JOIN credit_accounts a ON a.workspace_id = k.workspace_id
  WHERE k.hash = ? AND (k.revoked_at IS NULL OR k.revoked_at > ?) AND (k.expires_at IS NULL OR k.expires_at > ?)`)
const page = reader.prepare(`
  SELECT ${columns.join(", ")} FROM signatures WHERE workspace_id = ?
  ORDER BY created_at DESC, id DESC LIMIT (0 + ?) OFFSET (0 + ?)`)
const count = reader.prepare("SELECT count(*) AS total FROM signatures WHERE workspace_id = ?")
const owner = reader.prepare("SELECT owner_email FROM workspaces WHERE id = ?")
const insert = writer.prepare(`
  INSERT INTO signatures (${columns.join(", ")}, workspace_id) VALUES (?, ?, ?, ?, ?, ?, ?)`)

const pool = Buffer.alloc(4096)
let used = pool.length
/** A UUID of version 7; random bytes are drawn many at a time. */
const uuid = (now: number) => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.toString("hex", used, used + 16)
  used += 16
  const time = now.toString(16).padStart(12, "0")
  const variant = "89ab".charAt(Number.parseInt(random.charAt(3), 16) & 3)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(8, 20)}`
}

const known = new Map<string, { readonly key: Key; readonly until: number }>()
const keyOf = (secret: string, now: number): Key | undefined => {
  const entry = known.get(secret)
  if (entry !== undefined && entry.until > now) return entry.key
  const at = new Date(now).toISOString()
  const row = byHash.get(hash("sha256", secret), at, at)
  if (row === undefined) return undefined
  const key = {
    id: String(row["id"]),
    workspace: String(row["workspace_id"]),
    scopes: JSON.parse(String(row["scopes"]))
  }
  known.set(secret, { key, until: now + 2000 })
  return key
}

const limit = 100_000_000
const windowMillis = 60_000
const windows = new Map<string, { count: number; readonly ends: number }>()
/** Counts the request, and says in its headers how many are left. */
const admits = (key: Key, now: number, reply: FastifyReply) => {
  let window = windows.get(key.id)
  if (window === undefined || window.ends <= now) {
    window = { count: 0, ends: now + windowMillis }
    windows.set(key.id, window)
  }
  const admitted = window.count < limit
  if (admitted) window.count++
  reply.header("x-ratelimit-limit", String(limit))
  reply.header("x-ratelimit-remaining", String(limit - window.count))
  reply.header("x-ratelimit-reset", String(Math.ceil(window.ends / 1000)))
  return admitted
}

interface Line {
  readonly request: FastifyRequest
  readonly status: number
  readonly ms: number
}
let lines: Array<Line> = []
const flush = () => {
  if (lines.length === 0) return
  const text = lines.map(({ ms, request, status }) =>
    JSON.stringify({
      timestamp: new Date(request.began).toISOString(),
      level: "INFO",
      message: "request",
      request_id: request.id,
      method: request.method,
      route: request.routeOptions.url,
      workspace: request.caller?.workspace,
      key: request.caller?.id,
      status,
      ms
    })
  )
  lines = []
  process.stderr.write(text.join("\n") + "\n")
}
setInterval(flush, 250).unref()

const app = Fastify({
  logger: false,
  genReqId: () => `req_${uuid(Date.now())}`,
  requestIdHeader: false,
  keepAliveTimeout: 75_000,
  bodyLimit: 1024 * 1024
})
app.decorateRequest("began", 0)
app.decorateRequest("caller", undefined)

const refuse = (request: FastifyRequest, reply: FastifyReply, status: number, error: string, message: string) =>
  reply.code(status).send({ error, message, request_id: request.id })

app.addHook("onRequest", (request, reply, done) => {
  request.began = Date.now()
  reply.header("x-request-id", request.id)
  const { authorization } = request.headers
  const secret = authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  request.caller = secret === undefined ? undefined : keyOf(secret, request.began)
  if (request.caller === undefined) {
    const message = "Send a valid API key, as Authorization: Bearer or as X-API-Key"
    return void refuse(request, reply, 401, "UNAUTHORIZED", message)
  }
  if (!admits(request.caller, request.began, reply)) {
    return void refuse(request, reply, 429, "RATE_LIMITED", "Too many requests")
  }
  const scope = request.method === "GET" ? "signatures:read" : "signatures:write"
  if (!request.caller.scopes.includes(scope)) {
    return void refuse(request, reply, 403, "FORBIDDEN", `This key lacks the scope ${scope}`)
  }
  done()
})
app.addHook("onResponse", (request, reply, done) => {
  lines.push({ request, status: reply.statusCode, ms: Date.now() - request.began })
  done()
})
app.setErrorHandler<Error & { readonly statusCode?: number }>((error, request, reply) => {
  const broken = (error.statusCode ?? 500) >= 500
  refuse(request, reply, broken ? 500 : 400, broken ? "INTERNAL_ERROR" : "BAD_REQUEST", error.message)
})

const text = { type: "string" }
const textOrNull = { type: ["string", "null"] }
const Signature = {
  type: "object",
  properties: {
    id: text,
    signature_text: text,
    signature_name: textOrNull,
    created_by: textOrNull,
    created_at: text,
    updated_at: text
  }
}
const whole = { type: "string", pattern: "^[+-]?\\d{1,15}$" }

app.get<{ readonly Querystring: { readonly limit?: string; readonly offset?: string } }>(
  "/api/v1/signatures",
  {
    schema: {
      querystring: { type: "object", properties: { limit: whole, offset: whole } },
      response: {
        200: {
          type: "object",
          properties: {
            data: { type: "array", items: Signature },
            has_more: { type: "boolean" },
            total: { type: "integer" }
          }
        }
      }
    }
  },
  ({ caller, query }, reply) => {
    const workspace = caller?.workspace ?? ""
    const limit = Math.min(Math.max(Number(query.limit ?? 50), 1), 100)
    const offset = Number(query.offset ?? 0)
    const data = page.all(workspace, limit, offset)
    const total = Number(count.get(workspace)?.["total"])
    reply.send({ data, has_more: offset + limit < total, total })
  }
)

app.post<{ readonly Body: { readonly signature_text: string } }>(
  "/api/v1/signatures",
  {
    schema: {
      body: {
        type: "object",
        required: ["signature_text"],
        properties: { signature_text: { type: "string", minLength: 1 } }
      },
      response: { 201: Signature }
    }
  },
  (request, reply) => {
    const signature_text = request.body.signature_text.trim()
    const bad = signature_text === "" || signature_text.length > 5000 || signature_text.includes("\0")
    if (bad || !signature_text.isWellFormed()) {
      return refuse(request, reply, 400, "BAD_REQUEST", "signature_text: is not usable")
    }
    const workspace = request.caller?.workspace ?? ""
    const lines = signature_text.split(/\r?\n/).map((line) => line.trim())
    const signature_name = lines.find((line) => line !== "") ?? null
    const email = owner.get(workspace)?.["owner_email"]
    const created_by = typeof email === "string" ? email : null
    const now = Date.now()
    const at = new Date(now).toISOString()
    const id = uuid(now)
    insert.run(id, signature_text, signature_name, created_by, at, at, workspace)
    reply.code(201).send({ id, signature_text, signature_name, created_by, created_at: at, updated_at: at })
  }
)

process.once("SIGTERM", () => {
  flush()
  process.exit(0)
})
console.log(`Listening on ${await app.listen({ host: "127.0.0.1", port: 0 })}`)
