// test/support/sentinel.ts: a listener on loopback that must not be reached, and counts connections.
import { Effect } from "effect"
import { createServer, type Server } from "node:net"
import { portOf } from "./listening.ts"

const listen = (port: number, host: string, connections: () => void) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer((socket) => {
        connections()
        socket.on("error", () => undefined)
        socket.end("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<p>secret</p>")
      })
      const onListening = () => resume(Effect.succeed(server))
      // A machine without IPv6 has no such address to listen at.
      server.on("error", onListening).listen(port, host, onListening)
    }),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.map(portOf))

/** Listens at the loopback addresses of both families, on one port; `met` counts connections, asked for or not. */
export const sentinel = Effect.gen(function* () {
  let count = 0
  const connections = () => void count++
  const port = yield* listen(0, "127.0.0.1", connections)
  yield* listen(port, "::1", connections)
  return { port, connections: () => count }
})
