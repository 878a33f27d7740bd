// test/support/listening.ts: starts the test servers on a free loopback port.
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type Server, type Socket } from "node:net"

export const portOf = (server: Server) => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Starts a server, by default on a free port. It stops, with all its connections, when it is closed or the scope closes. */
export const listen = (server: Server, host = "127.0.0.1", port = 0) => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return Effect.acquireRelease(
    Effect.promise(async () => {
      await once(server.listen(port, host), "listening")
      return { port: portOf(server), close }
    }),
    () => Effect.sync(close)
  )
}

/** A free port. */
export const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const port = portOf(server)
  server.close()
  await once(server, "close")
  return port
}
