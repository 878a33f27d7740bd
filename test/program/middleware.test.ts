// test/program/middleware.test.ts: every endpoint runs a middleware that is added to the API, over a socket.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { unhandled } from "effect/Types"
import { vi } from "vitest"
import type * as Contract from "#schema/Api.ts"
import { Forbidden } from "#schema/Errors.ts"
import { expectBody } from "../support/answers.ts"
import { onboardedCaller } from "../support/callers.ts"
import { dump } from "../support/dump.ts"
import { endpoints, type Endpoint, pathOf, queries, sampleBodies } from "../support/endpoints.ts"
import { withWorkers } from "../support/server.ts"
import * as Wire from "../support/socket.ts"

const { DenyAll } = await vi.hoisted(async () => {
  const { HttpApiMiddleware } = await import("effect/http-api")
  const { Forbidden } = await import("#schema/Errors.ts")
  class DenyAll extends HttpApiMiddleware.Service<DenyAll>()("overture/test/DenyAll", { error: Forbidden }) {}
  return { DenyAll }
})

vi.mock("#schema/Api.ts", async (original) => {
  const contract = await original<typeof Contract>()
  return { ...contract, Api: contract.Api.middleware(DenyAll) }
})

const refusal = new Forbidden({ message: "Nothing is allowed here" })
let isDenying = false
const serverLayer = Wire.layer.pipe(
  Layer.provide(
    Layer.succeed(DenyAll, (httpEffect) =>
      Effect.suspend((): Effect.Effect<HttpServerResponse.HttpServerResponse, Forbidden | unhandled> =>
        isDenying ? Effect.fail(refusal) : httpEffect
      )
    )
  )
)

layer(serverLayer, { excludeTestServices: true })("a middleware that denies everything", (it) => {
  it.effect.each([...endpoints])("is obeyed by $method $path", (endpoint: Endpoint) =>
    Effect.gen(function* () {
      isDenying = false
      const { origin } = yield* Wire.Socket
      // The server now caches the key, so it could answer the next request without the middleware.
      const caller = yield* withWorkers()(onboardedCaller({ plan: "scale" }))
      const { id: campaign } = yield* expectBody(201, caller.post("/campaigns", { name: "Spring" }))
      const { id: signature } = yield* expectBody(201, caller.post("/signatures", { signature_text: "Ann" }))
      const id = endpoint.path.startsWith("/signatures") ? signature : campaign
      const body = endpoint.takesBody ? JSON.stringify(sampleBodies[endpoint.name]) : undefined
      const rowsBefore = yield* dump
      isDenying = true
      const answer = yield* Effect.promise(() =>
        fetch(`${origin}/api/v1${pathOf(endpoint, id)}${queries[endpoint.name] ?? ""}`, {
          method: endpoint.method,
          headers: { "x-api-key": caller.key, "content-type": "application/json" },
          ...(body !== undefined && { body: body })
        })
      )
      const { message } = yield* Effect.promise(async () => (await answer.json()) as { readonly message: string })
      assert.deepStrictEqual([answer.status, message], [403, refusal.message])
      assert.isTrue((yield* dump) === rowsBefore, "Something was changed")
    })
  )
})
