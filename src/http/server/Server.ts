// src/http/server/Server.ts: serves the App on a socket, or only the readiness check for a process without the API.
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { App, type Options } from "#src/http/App.ts"
import { Listener } from "#src/http/server/Listener.ts"
import { RequestPipeline, routerConfig } from "#src/http/RequestPipeline.ts"
import { Readyz } from "#src/http/routes/Readyz.ts"

interface Address {
  readonly host: string
  readonly port: number
}

const serveRoutes = <A, E, R>(routes: Layer.Layer<A, E, R>, address: Address) =>
  HttpRouter.serve(Layer.merge(routes, Readyz), { disableLogger: true, disableListenLog: true, routerConfig }).pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(Listener, ({ server }) => NodeHttpServer.layer(() => server, address)))),
    Layer.provideMerge(Listener.layer)
  )

export const Server = ({ host, port, ...options }: Options & Address) => serveRoutes(App(options), { host, port })

/** Serves only the readiness check. */
export const ProbeServer = (address: Address) => serveRoutes(RequestPipeline, address)
