// src/http/Server.ts: the App on a socket.
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { App, type Options, routerConfig } from "#src/http/App.ts"
import * as Lean from "#src/http/Lean.ts"
import { Listener } from "#src/http/Listener.ts"
import { Readyz } from "#src/http/Readyz.ts"

export const Server = (options: Options & { readonly host: string; readonly port: number }) =>
  HttpRouter.serve(Layer.merge(App(options), Readyz), {
    disableLogger: true,
    disableListenLog: true,
    routerConfig
  }).pipe(
    Layer.provide(Lean.layerServer),
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(Listener, ({ server }) =>
          NodeHttpServer.layer(() => server, { host: options.host, port: options.port })
        )
      )
    ),
    Layer.provideMerge(Listener.layer)
  )
