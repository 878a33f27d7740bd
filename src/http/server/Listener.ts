// src/http/server/Listener.ts: the server's socket, its shutdown without losing a request, and the replies to connections
// that do not send valid HTTP.
import { Clock, Context, Duration, Effect, Layer, Predicate, Schedule } from "effect"
import { type IncomingMessage, type OutgoingHttpHeaders, Server, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { elapsedOf } from "#layers/lib/Time.ts"
import { inFlightCounter } from "#src/http/RequestLog.ts"
import { SecureRandom } from "effect/crypto"
import type { Duplex } from "node:stream"

/** Milliseconds after which a client of an event stream that reads nothing is disconnected. */
export const StallMillis = Context.Reference("overture/src/http/StallMillis", {
  defaultValue: () => Duration.toMillis("1 minute")
})

/**
 * A response class whose `end` sends a text in one write with its headers. Node's length check would add an empty write, which costs as much as
 * another answer; the length is already right, because it was computed from this text.
 */
export const makeResponseClass = (stallMillis: number) =>
  class TextResponse extends ServerResponse {
    override end(body?: unknown, ...rest: ReadonlyArray<unknown>): this {
      if (typeof body === "string") this.strictContentLength = false
      // Node distinguishes the overloads itself.
      return super.end(body, ...(rest as [BufferEncoding, () => void]))
    }

    /**
     * Disconnects clients of event streams that stop reading. Comments are sent as keep-alives, so a healthy client
     * always reads.
     */
    override writeHead(status: number, ...rest: ReadonlyArray<unknown>): this {
      const headers = rest.at(-1)
      if (Predicate.hasProperty(headers, "content-type") && headers["content-type"] === "text/event-stream") {
        this.setTimeout(stallMillis)
      }
      return super.writeHead(status, ...(rest as [string, OutgoingHttpHeaders]))
    }
  }

/** How long an open connection may still send a request after the server stopped accepting connections. */
const arrivalMillis = Duration.toMillis("1 second")

/** Handles a request and returns true, or leaves it to the server's listeners. */
export type DirectHandler = (request: IncomingMessage, response: ServerResponse) => boolean

export class Listener extends Context.Service<
  Listener,
  {
    readonly server: Server
    /** Sets a handler that runs before the server's listeners, until `release`. */
    readonly setDirectHandler: (handler: DirectHandler) => void
    /** Closes each connection after its next answer. */
    readonly release: Effect.Effect<void>
    /** Accepts no more connections, and returns when all requests are answered. */
    readonly drain: Effect.Effect<void>
  }
>()("overture/src/http/Listener") {
  static readonly layer = Layer.effect(
    Listener,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const sockets = new Set<Socket>()
      const openResponses = new Set<ServerResponse>()
      let directHandler: DirectHandler | undefined
      let released = false
      let closedAt: number | undefined
      const closeAfterResponse = (response: ServerResponse) => {
        if (!response.headersSent) response.shouldKeepAlive = false
      }
      const trackRequest = (response: ServerResponse) => {
        inFlightCounter.increment()
        openResponses.add(response)
        response.once("close", () => {
          inFlightCounter.decrement()
          openResponses.delete(response)
        })
        if (released) closeAfterResponse(response)
      }

      class DirectServer extends Server<typeof IncomingMessage, ReturnType<typeof makeResponseClass>> {
        override emit(event: string, ...args: ReadonlyArray<unknown>): boolean {
          if (event !== "request") return super.emit(event, ...args)
          const [request, response] = args as [IncomingMessage, ServerResponse]
          trackRequest(response)
          return directHandler?.(request, response) === true || super.emit("request", request, response)
        }
      }
      const server = answerUnparsedRequests(
        new DirectServer({
          ServerResponse: makeResponseClass(yield* StallMillis),
          headersTimeout: Duration.toMillis("15 seconds"),
          requestTimeout: Duration.toMillis("120 seconds"),
          keepAliveTimeout: Duration.toMillis("75 seconds"),
          // Node checks for slow clients every 30 seconds by default.
          connectionsCheckingInterval: Duration.toMillis("5 seconds"),
          // src/http/RequestPipeline.ts checks the Host header, and answers with a body.
          requireHostHeader: false
        })
      )
      server.on("connection", (socket: Socket) => {
        sockets.add(socket)
        socket.once("close", () => sockets.delete(socket))
      })
      // Closes the remaining connections, so that they do not delay the exit.
      yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))

      return Listener.of({
        server,
        setDirectHandler: (handler) => {
          directHandler = handler
        },
        release: Effect.sync(() => {
          released = true
          directHandler = undefined
          for (const response of openResponses) closeAfterResponse(response)
        }),
        drain: Effect.sync(() => {
          const now = elapsedOf(clock)
          closedAt ??= now
          if (server.listening) server.close()
          // Closes connections that were kept alive by an earlier answer.
          server.closeIdleConnections()
          return openResponses.size === 0 && (sockets.size === 0 || now - closedAt > arrivalMillis)
        }).pipe(Effect.repeat({ until: (done) => done, schedule: Schedule.spaced("25 millis") }), Effect.asVoid)
      })
    })
  )
}

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
export const answerUnparsedRequests = (server: Server) =>
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
