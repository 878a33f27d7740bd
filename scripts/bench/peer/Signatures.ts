// scripts/bench/peer/Signatures.ts: lists and creates signatures.
import { iso, reader, transaction, uuid, writer } from "./Database.ts"
import { app, badRequest, objectSchema, stringSchema, stringOrNullSchema, integerSchema } from "./App.ts"

const columns = ["id", "signature_text", "signature_name", "created_by", "created_at", "updated_at"]

const selectPage = reader.prepare(`
  SELECT ${columns.join(", ")} FROM signatures WHERE workspace_id = ?
  ORDER BY created_at DESC, id DESC LIMIT (0 + ?) OFFSET (0 + ?)`)
const countSignatures = reader.prepare("SELECT count(*) AS total FROM signatures WHERE workspace_id = ?")
const selectOwner = reader.prepare("SELECT owner_email FROM workspaces WHERE id = ?")
const insertSignature = writer.prepare(`
  INSERT INTO signatures (${columns.join(", ")}, workspace_id) VALUES (?, ?, ?, ?, ?, ?, ?)`)

const Signature = objectSchema({
  id: stringSchema,
  signature_text: stringSchema,
  signature_name: stringOrNullSchema,
  created_by: stringOrNullSchema,
  created_at: stringSchema,
  updated_at: stringSchema
})
const Page = objectSchema({
  data: { type: "array", items: Signature },
  has_more: { type: "boolean" },
  total: integerSchema
})
const integerText = { type: "string", pattern: "^[+-]?\\d{1,15}$" }

app.get<{ readonly Querystring: { readonly limit?: string; readonly offset?: string } }>(
  "/api/v1/signatures",
  {
    config: { scope: "signatures:read" },
    schema: { querystring: objectSchema({ limit: integerText, offset: integerText }), response: { 200: Page } }
  },
  ({ caller, query }, reply) => {
    const limit = Math.min(Math.max(Number(query.limit ?? 50), 1), 100)
    const offset = Number(query.offset ?? 0)
    if (offset < 0) throw badRequest("offset: must not be negative")
    const data = selectPage.all(caller.workspace, limit, offset)
    const total = Number(countSignatures.get(caller.workspace)?.["total"])
    reply.send({ data, has_more: offset + limit < total, total })
  }
)

app.post<{ readonly Body: { readonly signature_text: string } }>(
  "/api/v1/signatures",
  {
    config: { scope: "signatures:write" },
    schema: {
      body: objectSchema({ signature_text: { type: "string", minLength: 1 } }, ["signature_text"]),
      response: { 201: Signature }
    }
  },
  async ({ body, caller }, reply) => {
    const signature_text = body.signature_text.trim()
    const isInvalid = signature_text === "" || signature_text.length > 5000 || signature_text.includes("\0")
    if (isInvalid || !signature_text.isWellFormed()) throw badRequest("signature_text: is not usable")
    const lines = signature_text.split(/\r?\n/).map((line) => line.trim())
    const signature_name = lines.find((line) => line !== "") ?? null
    const email = selectOwner.get(caller.workspace)?.["owner_email"]
    const created_by = typeof email === "string" ? email : null
    const now = Date.now()
    const timestamp = iso(now)
    const id = uuid(now)
    await transaction(() =>
      insertSignature.run(id, signature_text, signature_name, created_by, timestamp, timestamp, caller.workspace)
    )
    reply.code(201)
    return { id, signature_text, signature_name, created_by, created_at: timestamp, updated_at: timestamp }
  }
)
