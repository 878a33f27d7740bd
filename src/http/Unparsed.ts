// src/http/Unparsed.ts: an answer in the service's own form to what is not even HTTP, or came too slowly to be.
import { SecureRandom } from "effect/crypto"
import type { Server } from "node:http"
import type { Duplex } from "node:stream"

const messages: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: "The request took too long to arrive",
  HPE_HEADER_OVERFLOW: "The headers are too large"
}

const refusal = (message: string) => {
  const request_id = `req_${SecureRandom.uuidV7Unsafe()}`
  const body = JSON.stringify({ error: "BAD_REQUEST", message, request_id })
  const headers = {
    Connection: "close",
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": request_id
  }
  return { body, headers }
}

/** Node would close the connection with a bare status line. */
export const answerUnparsed = (server: Server) =>
  server
    .on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (!socket.writable || error.code === "ECONNRESET") return socket.destroy()
      const { body, headers } = refusal(messages[error.code ?? ""] ?? "This is not a valid HTTP request")
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      return socket.end(["HTTP/1.1 400 Bad Request", ...lines, "", body].join("\r\n"))
    })
    .on("checkExpectation", (_, response) => {
      const { body, headers } = refusal("Nothing but 100-continue can be expected of this service")
      response.writeHead(400, headers).end(body)
    })
