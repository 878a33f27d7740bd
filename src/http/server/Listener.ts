// src/http/server/Listener.ts: the socket that requests come in by, how it is closed without losing one, and the answer to what is not
// even HTTP.
import { Clock, Context, Duration, Effect, Layer, Predicate, Schedule } from "effect"
import { type IncomingMessage, type OutgoingHttpHeaders, Server, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { elapsedOf } from "#layers/lib/Time.ts"
import { inFlightCounter } from "#src/http/RequestLog.ts"
import { SecureRandom } from "effect/crypto"
import type { Duplex } from "node:stream"

/** How long, in milliseconds, a reader of an event stream may read nothing before it is disconnected. */
export const MostStalled = Context.Reference("overture/src/http/MostStalled", {
  defaultValue: () => Duration.toMillis("1 minute")
})

/**
 * Sends a text in one write with its headers. Node's length check would add an empty write, which costs as much as
 * another answer; the length is already right, because it was computed from this text.
 */
export const answering = (mostStalled: number) =>
  class Answer extends ServerResponse {
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
        this.setTimeout(mostStalled)
      }
      return super.writeHead(status, ...(rest as [string, OutgoingHttpHeaders]))
    }
  }

/** After the last accepted connection, how long a request that is already on its way is waited for. */
const onItsWay = Duration.toMillis("1 second")

/** Handles a request and returns true, or leaves it to the server's listeners. */
export type DirectHandler = (request: IncomingMessage, response: ServerResponse) => boolean

export class Listener extends Context.Service<
  Listener,
  {
    readonly server: Server
    /** Sets a handler that runs before the server's listeners, until `release`. */
    readonly offer: (first: DirectHandler) => void
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
      const open = new Set<ServerResponse>()
      let first: DirectHandler | undefined
      let released = false
      let closedAt: number | undefined
      const sendFinalResponse = (response: ServerResponse) => {
        if (!response.headersSent) response.shouldKeepAlive = false
      }
      const began = (response: ServerResponse) => {
        inFlightCounter.in()
        open.add(response)
        response.once("close", () => {
          inFlightCounter.out()
          open.delete(response)
        })
        if (released) sendFinalResponse(response)
      }

      class Front extends Server<typeof IncomingMessage, ReturnType<typeof answering>> {
        override emit(event: string, ...given: ReadonlyArray<unknown>): boolean {
          if (event !== "request") return super.emit(event, ...given)
          const [request, response] = given as [IncomingMessage, ServerResponse]
          began(response)
          return first?.(request, response) === true || super.emit("request", request, response)
        }
      }
      const server = answerUnparsed(
        new Front({
          ServerResponse: answering(yield* MostStalled),
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
        offer: (it) => {
          first = it
        },
        release: Effect.sync(() => {
          released = true
          first = undefined
          for (const response of open) sendFinalResponse(response)
        }),
        drain: Effect.sync(() => {
          const at = elapsedOf(clock)
          closedAt ??= at
          if (server.listening) server.close()
          // Closes connections that were kept alive by an earlier answer.
          server.closeIdleConnections()
          return open.size === 0 && (sockets.size === 0 || at - closedAt > onItsWay)
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
