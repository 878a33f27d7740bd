// src/http/Cors.ts: which web pages of other origins may call the API from a browser. None, unless they are named.
import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { headers } from "#schema/Headers.ts"

export const Cors = (origins: ReadonlyArray<string>) =>
  origins.length === 0
    ? Layer.empty
    : HttpRouter.cors({ allowedOrigins: origins, exposedHeaders: Object.keys(headers), maxAge: 600 })
