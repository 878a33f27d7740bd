// test/support/site.ts: a web server on loopback that records its requests.
import { Effect } from "effect"
import { createServer, type RequestListener } from "node:http"
import { listen } from "./listening.ts"

/** `hits` records the path of each request, and "connection" for each connection. */
export const startSite = Effect.fnUntraced(function* (answer: RequestListener, host?: string) {
  const hits: Array<string> = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? "")
    answer(request, response)
  })
  server.on("connection", () => hits.push("connection"))
  return { ...(yield* listen(server, host)), hits }
})
