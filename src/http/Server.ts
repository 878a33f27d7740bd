// src/http/Server.ts: the App on a socket.
import { NodeHttpServer } from "@effect/platform-node"
import { Duration, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { createServer } from "node:http"
import { watch } from "#src/http/Measure.ts"
import { App, type Options, routerConfig } from "#src/http/App.ts"
import { answerUnparsed } from "#src/http/Unparsed.ts"

/** How long requests in hand may take to finish once the server is told to stop. */
const grace = Duration.seconds(20)

const listener = () =>
  watch(
    answerUnparsed(
      createServer({
        headersTimeout: Duration.toMillis("15 seconds"),
        requestTimeout: Duration.toMillis("120 seconds"),
        keepAliveTimeout: Duration.toMillis("75 seconds")
      })
    )
  )

export const Server = (options: Options & { readonly host: string; readonly port: number }) =>
  HttpRouter.serve(App(options), { disableLogger: true, disableListenLog: true, routerConfig }).pipe(
    Layer.provideMerge(
      NodeHttpServer.layer(listener, { host: options.host, port: options.port, gracefulShutdownTimeout: grace })
    )
  )
