// src/http/Cors.ts: which web pages of other origins may call the API from a browser. None, unless they are named.
import { Layer } from "effect"
import { HttpRouter } from "effect/http"

const exposedHeaders = [
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "Content-Disposition"
]

export const Cors = (origins: ReadonlyArray<string>) =>
  origins.length === 0 ? Layer.empty : HttpRouter.cors({ allowedOrigins: origins, exposedHeaders, maxAge: 600 })
