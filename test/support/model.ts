// test/support/model.ts: a model server that others wrote, which says what a test tells it to and keeps a journal of its calls.
import { LLMock } from "@copilotkit/aimock"
import { Context, Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { createServer } from "node:http"
import { RetryPolicy } from "#layers/model/RetryPolicy.ts"
import * as Completion from "#layers/model/Completion.ts"
import { listening } from "./listening.ts"

/** One request as it arrived. */
export interface ModelRequest {
  /** The prompt's name, where the request names a schema. */
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

/** A request's body in the form that replies are chosen by. */
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

/** What a model says when it answers in the form that it was asked for. */
export const jsonAnswer = (answer: unknown, more: object = {}): ScriptedAnswer => ({
  content: JSON.stringify(answer),
  ...more
})

export const usage = { prompt_tokens: 1200, completion_tokens: 80 }

export class Mock extends Context.Service<
  Mock,
  {
    readonly url: string
    /** These replies one after the other, and then the last of them for ever. */
    readonly reply: (...replies: ReadonlyArray<Reply>) => Effect.Effect<void>
    readonly chaos: (faults: Parameters<LLMock["setChaos"]>[0]) => Effect.Effect<void>
    /** Every request since the last `reply`, as the journal has it. */
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
        const reply = replies[Math.min(calls++, replies.length - 1)] ?? { error: { message: "not told" }, status: 500 }
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

/** Has the model say these, one after the other. */
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

/** How it is asked, where that is not as by default. */
type Use = Partial<Omit<Parameters<typeof Completion.layer>[0], "key" | "url">>

/** A model of the server at this address, with little to wait for. */
export const modelAt = (url: string, retryPolicy: Partial<RetryPolicy> = {}, use: Use = {}) =>
  Completion.layer({ url, key: Redacted.make(key), model: "tiny", ...use }).pipe(
    Layer.provide(Layer.succeed(RetryPolicy, { ...fastRetries, ...retryPolicy }))
  )

/**
 * A server that answers whatever it is asked with this, and counts. Without a body it begins an answer and never ends it;
 * a function is done between the head of an answer and its body, which is what it returns.
 */
export const rawServer = Effect.fnUntraced(function* (...bodies: ReadonlyArray<unknown>) {
  const seen = { calls: 0, authorization: "" }
  const server = createServer((request, response) => {
    request.resume()
    seen.authorization = request.headers.authorization ?? ""
    // A server that starts looks whether its model is there, which is no call of it.
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
  const { port } = yield* listening(server)
  return { url: `http://127.0.0.1:${port}/v1`, seen }
})

/** A server that redirects every request to another. */
export const redirectTo = Effect.fnUntraced(function* (to: string) {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(307, { location: `${to.replace(/\/v1$/, "")}${request.url}` }).end()
  })
  const { port } = yield* listening(server)
  return `http://127.0.0.1:${port}/v1`
})

/** A model behind the mock server. */
export const model = (
  retryPolicy?: Partial<RetryPolicy>,
  use?: Use
): Layer.Layer<never, never, SqlClient.SqlClient | Mock> =>
  Layer.unwrap(Effect.map(Mock, ({ url }) => modelAt(url, retryPolicy, use)))
