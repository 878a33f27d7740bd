// test/support/site.ts: a site on loopback that remembers what it was asked for.
import { Effect } from "effect"
import { createServer, type RequestListener } from "node:http"

/** `hits` holds each path that was asked for, and `connection` for each connection. */
export const site = (answer: RequestListener, host = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly hits: Array<string>; readonly close: () => void }>((resume) => {
      const hits: Array<string> = []
      const server = createServer((request, response) => {
        hits.push(request.url ?? "")
        answer(request, response)
      })
      server.on("connection", () => hits.push("connection"))
      server.listen(0, host, () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ port, hits, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
