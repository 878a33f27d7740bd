// test/support/model.ts: a mock model server (LLMock) with scripted replies and a journal of its requests.
import { LLMock } from "@copilotkit/aimock"
import { Context, Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { createServer } from "node:http"
import { RetryPolicy } from "#layers/model/RetryPolicy.ts"
import * as Completion from "#layers/model/Completion.ts"
import { listen } from "./listening.ts"

/** A request that the server received. */
export interface ModelRequest {
  /** The prompt's name, if the request has a named schema. */
  readonly kind: string | undefined
  readonly format: string
  readonly system: string
  readonly user: string
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
  readonly body: string
}

export type ScriptedAnswer = Awaited<ReturnType<Extract<Parameters<LLMock["on"]>[1], (...args: never) => unknown>>>
export type Reply = ScriptedAnswer | ((request: ModelRequest, call: number) => ScriptedAnswer | Promise<ScriptedAnswer>)

const textOf = (content: unknown) => (typeof content === "string" ? content : JSON.stringify(content))

/** Parses the body of a request. */
export const modelRequestOf = (body: any): ModelRequest => {
  const messages = (body?.messages ?? []).map(({ content, role }: any) => ({ role, content: textOf(content) }))
  return {
    kind: body?.response_format?.json_schema?.name,
    format: body?.response_format?.type ?? "text",
    system: messages[0]?.content ?? "",
    user: messages[1]?.content ?? "",
    messages,
    body: JSON.stringify(body)
  }
}

/** A structured answer, as JSON. */
export const jsonAnswer = (answer: unknown, more: object = {}): ScriptedAnswer => ({
  content: JSON.stringify(answer),
  ...more
})

export const usage = { prompt_tokens: 1200, completion_tokens: 80 }

export class Mock extends Context.Service<
  Mock,
  {
    readonly url: string
    /** Sets the replies. They are used in order, and the last one repeats. */
    readonly reply: (...replies: ReadonlyArray<Reply>) => Effect.Effect<void>
    readonly chaos: (faults: Parameters<LLMock["setChaos"]>[0]) => Effect.Effect<void>
    /** The requests since `reply` was last called. */
    readonly journal: Effect.Effect<ReadonlyArray<ModelRequest>>
  }
>()("overture/test/Mock") {
  static readonly layer = Layer.effect(
    Mock,
    Effect.gen(function* () {
      const server = new LLMock({ port: 0, host: "127.0.0.1" })
      let replies: ReadonlyArray<Reply> = []
      let calls = 0
      server.on({}, (request) => {
        const reply = replies[Math.min(calls++, replies.length - 1)] ?? {
          error: { message: "no reply was set" },
          status: 500
        }
        return typeof reply === "function" ? reply(modelRequestOf(request), calls) : reply
      })
      yield* Effect.acquireRelease(
        Effect.promise(() => server.start()),
        () => Effect.promise(() => server.stop())
      )
      return {
        url: `${server.url}/v1`,
        reply: (...next) =>
          Effect.sync(() => {
            replies = next
            calls = 0
            server.clearRequests()
          }),
        chaos: (faults) => Effect.sync(() => void server.setChaos(faults)),
        journal: Effect.sync(() => server.getRequests().map(({ body }) => modelRequestOf(body)))
      }
    })
  )
}

/** Sets the model's replies, used in order. */
export const modelReplies = (...replies: ReadonlyArray<Reply>) => Effect.flatMap(Mock, ({ reply }) => reply(...replies))

export const journal = Effect.flatMap(Mock, (mock) => mock.journal)

/** The number of calls since the replies were set. */
export const calls = Effect.map(journal, (all) => all.length)

export const key = "sk-test-of-a-key-that-nobody-may-see"

const fastRetries: RetryPolicy = {
  attempts: 3,
  attemptMillis: 10_000,
  localMillis: 10_000,
  coldMillis: 20_000,
  backoffMillis: 4,
  maxPauseMillis: 300,
  failures: 1000,
  openMillis: 150
}

/** Options of the model client that differ from the defaults. */
type CompletionOptions = Partial<Omit<Parameters<typeof Completion.layer>[0], "key" | "url">>

/** A model client for the server at this address, with short retry delays. */
export const modelAt = (url: string, retryPolicy: Partial<RetryPolicy> = {}, options: CompletionOptions = {}) =>
  Completion.layer({ url, key: Redacted.make(key), model: "tiny", ...options }).pipe(
    Layer.provide(Layer.succeed(RetryPolicy, { ...fastRetries, ...retryPolicy }))
  )

/**
 * A server that sends these bodies in order and counts requests. For `undefined` it starts a response and never ends it. A
 * function runs after the headers are sent, and its result is the body.
 */
export const rawServer = Effect.fnUntraced(function* (...bodies: ReadonlyArray<unknown>) {
  const seen = { calls: 0, authorization: "" }
  const server = createServer((request, response) => {
    request.resume()
    seen.authorization = request.headers.authorization ?? ""
    // Overture lists the models at start; that request is not counted as a call.
    if (request.method === "GET") return void response.end(JSON.stringify({ data: [{ id: "gpt-5.4-mini" }] }))
    if (request.url?.startsWith("/moved/")) {
      return void response.writeHead(307, { location: request.url.replace("/moved/", "/v1/") }).end()
    }
    const body = bodies[Math.min(seen.calls++, bodies.length - 1)]
    response.writeHead(200, { "content-type": "application/json" })
    if (body === undefined) response.write('{"choices": [')
    else if (typeof body === "function") {
      response.flushHeaders()
      setTimeout(() => response.end(JSON.stringify(body())), 50)
    } else response.end(JSON.stringify(body))
  })
  const { port } = yield* listen(server)
  return { url: `http://127.0.0.1:${port}/v1`, seen }
})

/** A server that redirects every request to another. */
export const redirectTo = Effect.fnUntraced(function* (to: string) {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(307, { location: `${to.replace(/\/v1$/, "")}${request.url}` }).end()
  })
  const { port } = yield* listen(server)
  return `http://127.0.0.1:${port}/v1`
})

/** A model behind the mock server. */
export const model = (
  retryPolicy?: Partial<RetryPolicy>,
  options?: CompletionOptions
): Layer.Layer<never, never, SqlClient.SqlClient | Mock> =>
  Layer.unwrap(Effect.map(Mock, ({ url }) => modelAt(url, retryPolicy, options)))
