// test/program/middleware.test.ts: a middleware that is added to the API is obeyed by every endpoint on a socket.
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
let denies = false
const denying = Wire.layer.pipe(
  Layer.provide(
    Layer.succeed(DenyAll, (httpEffect) =>
      Effect.suspend((): Effect.Effect<HttpServerResponse.HttpServerResponse, Forbidden | unhandled> =>
        denies ? Effect.fail(refusal) : httpEffect
      )
    )
  )
)

layer(denying, { excludeTestServices: true })("a middleware that denies everything", (it) => {
  it.effect.each([...endpoints])("is obeyed by $method $path", (endpoint: Endpoint) =>
    Effect.gen(function* () {
      denies = false
      const { origin } = yield* Wire.Socket
      // The server now holds the key in memory: it could answer the next request without the library.
      const caller = yield* withWorkers()(onboardedCaller({ plan: "scale" }))
      const { id: campaign } = yield* expectBody(201, caller.post("/campaigns", { name: "Spring" }))
      const { id: signature } = yield* expectBody(201, caller.post("/signatures", { signature_text: "Ann" }))
      const id = endpoint.path.startsWith("/signatures") ? signature : campaign
      const sent = endpoint.takesBody ? JSON.stringify(sampleBodies[endpoint.name]) : undefined
      const before = yield* dump
      denies = true
      const answer = yield* Effect.promise(() =>
        fetch(`${origin}/api/v1${pathOf(endpoint, id)}${queries[endpoint.name] ?? ""}`, {
          method: endpoint.method,
          headers: { "x-api-key": caller.key, "content-type": "application/json" },
          ...(sent !== undefined && { body: sent })
        })
      )
      const { message } = yield* Effect.promise(async () => (await answer.json()) as { readonly message: string })
      assert.deepStrictEqual([answer.status, message], [403, refusal.message])
      assert.isTrue((yield* dump) === before, "Something was changed")
    })
  )
})
