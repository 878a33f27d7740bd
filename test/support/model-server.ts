// test/support/model-server.ts: a fake model server that a test can take down, misconfigure and restore, and that counts requests.
import { Effect } from "effect"
import { createServer } from "node:http"
import { modelAnswers } from "./model-answers.ts"
import { listen } from "./listening.ts"
import { type ModelRequest, modelRequestOf } from "./model.ts"

type Mode = "well" | "down" | "breaks off" | "refuses the key" | "lacks the model"

const statuses = { down: 503, "refuses the key": 401, "lacks the model": 404 } as const

export const modelServer = Effect.gen(function* () {
  const state = {
    mode: "well" as Mode,
    /** Whether it lists its models, so that clients can check it without a completion. */
    listsModels: true,
    /** Whether it answers in JSON. */
    answersJson: true,
    /** The usage reported for completions, if any. */
    usage: undefined as
      | {
          readonly prompt_tokens: number
          readonly completion_tokens: number
          readonly prompt_tokens_details?: { readonly cached_tokens: number }
        }
      | undefined,
    /** Counts of completions, of probes by the service, and of requests for the list of models. */
    writingRequests: 0,
    probeRequests: 0,
    modelListRequests: 0,
    /** Completions requested while the server failed. */
    failedRequests: 0,
    /** The answer to the requests that the service writes with; without it, the usual one. */
    reply: undefined as ((request: ModelRequest) => unknown) | undefined
  }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const respond = (status: number, body: unknown) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      }
      /** Behaves as a server that is killed while it answers. */
      const abortResponse = () => {
        response.writeHead(200, { "content-type": "application/json" }).write('{"choices": [')
        response.destroy()
      }
      const isAborting = state.mode === "breaks off"
      const failureStatus = state.mode === "well" || state.mode === "breaks off" ? undefined : statuses[state.mode]
      if (request.method === "GET") {
        // Local servers are recognised by extra paths, which this server does not have.
        if (!request.url?.endsWith("/models") || request.url.startsWith("/api/")) return respond(404, {})
        state.modelListRequests++
        if (isAborting) return abortResponse()
        if (!state.listsModels) return respond(404, {})
        if (state.mode === "lacks the model") return respond(200, { data: [{ id: "another" }] })
        return failureStatus === undefined ? respond(200, { data: [{ id: "tiny" }] }) : respond(failureStatus, {})
      }
      const modelRequest = modelRequestOf(JSON.parse(Buffer.concat(chunks).toString()))
      const isProbe = modelRequest.kind === undefined || modelRequest.kind === "doctor"
      if (isProbe) state.probeRequests++
      else if (failureStatus === undefined && !isAborting) state.writingRequests++
      else state.failedRequests++
      if (isAborting) return abortResponse()
      if (failureStatus !== undefined) return respond(failureStatus, { error: { message: "no" } })
      if (modelRequest.kind === "doctor") {
        const message = { content: state.answersJson ? '{"numbers":[1,2,3]}' : "1, 2, 3" }
        return respond(200, { choices: [{ finish_reason: "stop", message }], usage: { completion_tokens: 20 } })
      }
      const written = modelRequest.kind === undefined ? undefined : state.reply?.(modelRequest)
      if (written !== undefined) {
        const message = { content: JSON.stringify(written) }
        return respond(200, { choices: [{ finish_reason: "stop", message }], usage: state.usage })
      }
      const reply =
        typeof modelAnswers === "function" && modelRequest.kind !== undefined
          ? modelAnswers(modelRequest, 1)
          : { content: "OK" }
      const content = typeof reply === "object" && "content" in reply ? reply.content : ""
      respond(200, { choices: [{ finish_reason: "stop", message: { content } }], usage: state.usage })
    })
  })
  const { port } = yield* listen(server)
  return { state, url: `http://127.0.0.1:${port}/v1` }
})
