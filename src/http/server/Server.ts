// src/http/server/Server.ts: what answers on a socket: the App, or of a process that only works, whether it is ready.
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

const served = <A, E, R>(routes: Layer.Layer<A, E, R>, address: Address) =>
  HttpRouter.serve(Layer.merge(routes, Readyz), { disableLogger: true, disableListenLog: true, routerConfig }).pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(Listener, ({ server }) => NodeHttpServer.layer(() => server, address)))),
    Layer.provideMerge(Listener.layer)
  )

export const Server = ({ host, port, ...options }: Options & Address) => served(App(options), { host, port })

/** Answers nothing but whether the process is ready. */
export const Probe = (address: Address) => served(RequestPipeline, address)
