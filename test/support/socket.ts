// test/support/socket.ts: the service on a real socket, for tests that send raw bytes.
import { Cause, Context, Effect, Layer, Logger, References } from "effect"
import { HttpServer } from "effect/http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { Readiness } from "#layers/operations/Readiness.ts"
import { RequestLog } from "#src/http/RequestLog.ts"
import { Server as HttpSocket } from "#src/http/server/Server.ts"
import { Services } from "#src/services.ts"
import { type Answer, assertValidAnswer, toAnswer } from "./answers.ts"
import { Server } from "./server.ts"
import * as Stores from "./store.ts"

export type Chunk = string | Uint8Array

export class Socket extends Context.Service<
  Socket,
  {
    /** Such as `http://127.0.0.1:4000`. */
    readonly origin: string
    /** Writes the bytes and reads until the server closes. With `hangUp` it disconnects instead of waiting. */
    readonly exchange: (chunks: ReadonlyArray<Chunk>, hangUp?: boolean) => Effect.Effect<string>
    /** Sends one request, with `Connection: close` added. The body may contradict the headers. */
    readonly raw: (
      method: string,
      path: string,
      headers: ReadonlyArray<readonly [name: string, value: string]>,
      body?: ReadonlyArray<Chunk>
    ) => Effect.Effect<Answer>
  }
>()("overture/test/Socket") {}

/** Concatenates texts and single bytes. */
export const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part)] : [...part])))

/** A body in the chunked transfer encoding. */
export const chunked = (...parts: ReadonlyArray<string>): ReadonlyArray<Chunk> => [
  ...parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`),
  "0\r\n\r\n"
]

const parse = (text: string): Answer => {
  const [head = "", ...rest] = text.split("\r\n\r\n")
  const [status = "", ...lines] = head.split("\r\n")
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
  )
  return toAnswer(Number(status.split(" ")[1]), headers, rest.join("\r\n\r\n"))
}

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    if (address._tag === "UnixPathAddress") return yield* Effect.die(new Error("not on a port"))
    const { port } = address
    const origin = `http://127.0.0.1:${port}`

    const exchange = (chunks: ReadonlyArray<Chunk>, hangUp = false) =>
      Effect.callback<string>((resume) => {
        const received: Array<Buffer> = []
        const end = () => resume(Effect.sync(() => Buffer.concat(received).toString()))
        const socket = connect(port, "127.0.0.1", () => {
          for (const chunk of chunks) socket.write(chunk)
          if (hangUp) socket.end(() => socket.destroy())
        })
        socket.on("data", (data) => received.push(data))
        // A server that answers early may reset the connection instead of reading the rest of the body.
        socket.on("error", end)
        socket.on("close", end)
        return Effect.sync(() => socket.destroy())
      }).pipe(
        Effect.timeoutOrElse({
          // Long enough for a busy machine; only a server that hangs exceeds it.
          duration: "30 seconds",
          orElse: () => Effect.die(new Error("The server neither answered nor hung up"))
        })
      )

    const socket = Socket.of({
      origin,
      exchange,
      raw: Effect.fnUntraced(function* (method, path, headers, body = []) {
        const lines = [["Host", `127.0.0.1:${port}`], ["Connection", "close"], ...headers]
        const head = `${method} /api/v1${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`
        const answer = parse(yield* exchange([head, ...body]))
        assertValidAnswer(method, path, answer)
        return answer
      })
    })
    const server = Server.of({
      logs: [],
      fetch: (request) => fetch(request),
      send: Effect.fnUntraced(function* (method, path, init) {
        const response = yield* Effect.promise(() => fetch(`${origin}/api/v1${path}`, { method, ...init }))
        const answer = toAnswer(response.status, response.headers, yield* Effect.promise(() => response.text()))
        assertValidAnswer(method, path, answer)
        return answer
      })
    })
    return Context.make(Socket, socket).pipe(Context.add(Server, server))
  })
).pipe(
  Layer.provide(HttpSocket({ host: "127.0.0.1", port: 0, rate: undefined })),
  Layer.provide(Readiness.layer(tmpdir())),
  // The default of the program. With tracing, no request takes the fast path.
  Layer.provide(Layer.succeed(References.TracerEnabled, false)),
  Layer.provide([RequestLog.layerNone, Logger.layer([Logger.make(({ cause }) => void Cause.pretty(cause))])]),
  Layer.provideMerge(Services.pipe(Layer.provideMerge(Stores.store)))
)
