// src/http/server/Unparsed.ts: error responses for malformed HTTP and for requests that arrive too slowly.
import { SecureRandom } from "effect/crypto"
import { type IncomingMessage, type Server, ServerResponse } from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"

const messages: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: "The request took too long to arrive",
  HPE_HEADER_OVERFLOW: "The headers are too large"
}

/** Answers CONNECT like any other request, because Node would close the connection without an answer. */
const answerConnect = (server: Server) => (request: IncomingMessage, socket: Duplex) => {
  socket.on("error", () => socket.destroy())
  if (!(socket instanceof Socket)) return socket.destroy()
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once("finish", () => socket.destroySoon())
  return server.emit("request", request, response)
}

/**
 * Replaces Node's handling, which closes the connection with a bare status line or refuses an expectation without a
 * body.
 */
export const answerUnparsed = (server: Server) =>
  server
    // An unknown Expect header is ignored.
    .on("checkExpectation", (request, response) => server.emit("request", request, response))
    .on("connect", answerConnect(server))
    .on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (!socket.writable || error.code === "ECONNRESET") return socket.destroy()
      // Sends nothing on an unused connection: browsers open spare ones, and take what they read there for the answer
      // to their next request.
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
