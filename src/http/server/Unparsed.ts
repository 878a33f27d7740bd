// src/http/server/Unparsed.ts: an answer in the service's own form to what is not even HTTP, or came too slowly to be.
import { SecureRandom } from "effect/crypto"
import { type IncomingMessage, type Server, ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"

const messages: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: "The request took too long to arrive",
  HPE_HEADER_OVERFLOW: "The headers are too large"
}

/** Node closes the connection of a CONNECT without an answer, so this answers it like any other request and closes it. */
const answerConnect = (server: Server) => (request: IncomingMessage, socket: Duplex) => {
  socket.on("error", () => socket.destroy())
  if (!(socket instanceof Socket)) return socket.destroy()
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once("finish", () => socket.destroySoon())
  return server.emit("request", request, response)
}

/** Node would close the connection with a bare status line, or refuse an expectation without a body. */
export const answerUnparsed = (server: Server) =>
  server
    // An unknown Expect header changes no answer.
    .on("checkExpectation", (request, response) => server.emit("request", request, response))
    .on("connect", answerConnect(server))
    .on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (!socket.writable || error.code === "ECONNRESET") return socket.destroy()
      // A browser opens spare connections, and takes what it reads there for the answer to its next request.
      const isUnused = socket instanceof Socket && socket.bytesRead === 0
      if (isUnused) return socket.destroy()
      const message = messages[error.code ?? ""] ?? "This is not a valid HTTP request"
      const request_id = `req_${SecureRandom.uuidV7Unsafe()}`
      const body = JSON.stringify({ error: "BAD_REQUEST", message, request_id })
      return socket.end(
        [
          "HTTP/1.1 400 Bad Request",
          "Connection: close",
          "Content-Type: application/json",
          `Content-Length: ${Buffer.byteLength(body)}`,
          "X-Content-Type-Options: nosniff",
          `X-Request-Id: ${request_id}`,
          "",
          body
        ].join("\r\n")
      )
    })
