// scripts/bench/peer/ApiKeys.ts: the keys of callers, cached for two seconds, and their rate limit.
import type { FastifyReply, FastifyRequest } from "fastify"
import { hash } from "node:crypto"
import { iso, reader } from "./Database.ts"

export interface Key {
  readonly id: string
  readonly workspace: string
  readonly scopes: ReadonlyArray<string>
}

/** The key from either header, or from both if they are equal. */
export const readSecret = ({ authorization, "x-api-key": xApiKey }: FastifyRequest["headers"]) => {
  const apiKey = xApiKey?.toString()
  if (authorization === undefined) return apiKey
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  return apiKey === undefined || apiKey === bearer ? bearer : undefined
}

const selectKey = reader.prepare(`
  SELECT k.id, k.workspace_id, k.scopes FROM api_keys k JOIN credit_accounts a ON a.workspace_id = k.workspace_id
  WHERE k.hash = ? AND (k.revoked_at IS NULL OR k.revoked_at > ?) AND (k.expires_at IS NULL OR k.expires_at > ?)`)

const cachedKeys = new Map<string, { readonly key: Key; readonly until: number }>()

export const findKey = (secret: string, now: number): Key | undefined => {
  const entry = cachedKeys.get(secret)
  if (entry !== undefined && entry.until > now) return entry.key
  const timestamp = iso(now)
  const row = selectKey.get(hash("sha256", secret), timestamp, timestamp)
  if (row === undefined) return undefined
  const key = {
    id: String(row["id"]),
    workspace: String(row["workspace_id"]),
    scopes: JSON.parse(String(row["scopes"]))
  }
  cachedKeys.set(secret, { key, until: now + 2000 })
  return key
}

const limit = 100_000_000
const windowMillis = 60_000
const windows = new Map<string, { count: number; readonly ends: number }>()

/** Counts the request, and sets the rate limit headers. */
export const admitRequest = (key: Key, now: number, reply: FastifyReply) => {
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
  reply.header("ratelimit-policy", `"key";q=${limit};w=${windowMillis / 1000}`)
  reply.header("ratelimit", `"key";r=${limit - window.count};t=${Math.ceil((window.ends - now) / 1000)}`)
  return admitted
}
