// src/http/SecurityHeaders.ts: headers by which nobody guesses at what an answer is, keeps it, or learns from a link in it where it
// stood.
import type { HttpServerResponse } from "effect/http"

/** What the page at /docs may do: nothing with any other server, since its reader types a key into it. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** Those that an answer with such headers gets besides. */
export const securityHeaders = ({ headers }: Pick<HttpServerResponse.HttpServerResponse, "headers">) => ({
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": headers["cache-control"] ?? "no-store",
  ...(headers["content-type"]?.startsWith("text/html") === true
    ? { "content-security-policy": headers["content-security-policy"] ?? pagePolicy }
    : undefined)
})
