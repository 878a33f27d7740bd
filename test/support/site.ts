// test/support/site.ts: a site on loopback that remembers what it was asked for.
import { Effect } from "effect"
import { createServer, type RequestListener } from "node:http"
import { listening } from "./listening.ts"

/** `hits` holds each path that was asked for, and `connection` for each connection. */
export const site = Effect.fnUntraced(function* (answer: RequestListener, host?: string) {
  const hits: Array<string> = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? "")
    answer(request, response)
  })
  server.on("connection", () => hits.push("connection"))
  return { ...(yield* listening(server, host)), hits }
})
