// test/support/forbidden-server.ts: a loopback server that the service must never connect to, and that counts connections.
import { Effect } from "effect"
import { createServer, type Server } from "node:net"
import { portOf } from "./listening.ts"

const listenAt = (port: number, host: string, countConnection: () => void) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer((socket) => {
        countConnection()
        socket.on("error", () => undefined)
        socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<p>secret</p>")
      })
      const onListening = () => resume(Effect.succeed(server))
      // Without IPv6, `listen` fails and nothing can connect either.
      server.on("error", onListening).listen(port, host, onListening)
    }),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.map(portOf))

/** Listens on one port of both loopback addresses. `connections` returns how many were opened. */
export const forbiddenServer = Effect.gen(function* () {
  let count = 0
  const countConnection = () => void count++
  const port = yield* listenAt(0, "127.0.0.1", countConnection)
  yield* listenAt(port, "::1", countConnection)
  return { port, countConnection: () => count }
})
