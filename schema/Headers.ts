// schema/Headers.ts: the response headers for callers.
import { requestIdExample } from "#schema/Errors.ts"

const header = (type: string, description: string, example: unknown) => ({ description, schema: { type }, example })

export const headers = {
  "X-Request-Id": header(
    "string",
    "The id of the request, also in the log of the server; quote it when you report a problem",
    requestIdExample
  ),
  "X-RateLimit-Limit": header("integer", "Requests a key may make in a window", 300),
  "X-RateLimit-Remaining": header("integer", "Requests left in this window", 299),
  "X-RateLimit-Reset": header("integer", "When the window ends, in seconds since 1970", 1784023260),
  "RateLimit-Policy": header(
    "string",
    "The limit as draft-ietf-httpapi-ratelimit-headers has it: `q` requests in `w` seconds",
    '"key";q=300;w=60'
  ),
  RateLimit: header("string", "What is left of it: `r` requests, until `t` seconds from now", '"key";r=299;t=42'),
  "WWW-Authenticate": header("string", "How to send the key", "Bearer"),
  "Retry-After": header("integer", "Seconds to wait before you try again", 2),
  "Idempotent-Replayed": header("string", "`true` on the answer to a request that was made before", "true"),
  "Content-Disposition": header(
    "string",
    "The name to save it by; JSON has none",
    'attachment; filename="Trade-fair-hall-3.csv"'
  )
}

/** References to headers for a response in OpenAPI. */
export const headerRefs = (names: ReadonlyArray<keyof typeof headers>) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
