// test/support/local-servers.ts: fake LM Studio and llama.cpp servers that follow the documented APIs.
import { Effect } from "effect"
import { createServer } from "node:http"
import { listen } from "./listening.ts"

const tokensIn = (text: string) => (text.match(/ ?[A-Za-z]{1,5}|[^A-Za-z\s]|\s/g) ?? []).length

/** Starts either server, with one model of this context size. */
const server = Effect.fnUntraced(function* (
  kind: "lmstudio" | "llamacpp",
  options: { context: number; loadMillis?: number }
) {
  const state = {
    context: options.context,
    /** Whether the model is in memory. LM Studio loads it on the first request. */
    isLoaded: options.loadMillis === undefined,
    loadMillis: options.loadMillis ?? 0,
    slots: 4,
    activeRequests: 0,
    maxActiveRequests: 0,
    /** The token count that the server reports, if not the true one. */
    claimedTokens: undefined as number | undefined,
    bodies: [] as Array<any>
  }
  const httpServer = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", async () => {
      const respond = (status: number, body: unknown) =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      const { url } = request
      if (url === "/v1/models") return respond(200, { data: [{ id: "tiny" }] })
      if (kind === "lmstudio" && url === "/api/v0/models") {
        const contextFields = state.isLoaded ? { loaded_context_length: state.context } : {}
        const modelFields = { id: "tiny", object: "model", type: "llm", max_context_length: 131_072 }
        return respond(200, {
          data: [{ ...modelFields, state: state.isLoaded ? "loaded" : "not-loaded", ...contextFields }]
        })
      }
      const isReady = kind === "lmstudio" || state.isLoaded
      const loadingError = { error: { code: 503, message: "Loading model", type: "unavailable_error" } }
      if (kind === "llamacpp" && url === "/props") {
        const props = { default_generation_settings: { n_ctx: state.context }, total_slots: state.slots }
        return isReady ? respond(200, props) : respond(503, loadingError)
      }
      if (url !== "/v1/chat/completions") {
        // LM Studio answers 200 to addresses that it does not have.
        return respond(kind === "lmstudio" ? 200 : 404, { error: `Unexpected endpoint or method. (GET ${url})` })
      }
      if (!isReady) return respond(503, loadingError)
      const body = JSON.parse(Buffer.concat(chunks).toString())
      state.bodies.push(body)
      state.activeRequests++
      state.maxActiveRequests = Math.max(state.maxActiveRequests, state.activeRequests)
      await new Promise((resolve) => setTimeout(resolve, state.isLoaded ? 20 : state.loadMillis))
      state.isLoaded = true
      state.activeRequests--
      const promptTokens = tokensIn(body.messages.map(({ content }: any) => content).join("\n"))
      if (promptTokens >= state.context) {
        return kind === "lmstudio"
          ? respond(400, {
              error: `The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ${promptTokens}>= n_ctx: ${state.context}).`
            })
          : respond(400, {
              error: {
                code: 400,
                message: `request (${promptTokens} tokens) exceeds the available context size (${state.context} tokens), try increasing it`,
                type: "exceed_context_size_error",
                n_prompt_tokens: promptTokens,
                n_ctx: state.context
              }
            })
      }
      respond(200, {
        choices: [{ finish_reason: "stop", message: { role: "assistant", content: '{"colour":"red"}' } }],
        usage: { prompt_tokens: state.claimedTokens ?? promptTokens, completion_tokens: 8 }
      })
    })
  })
  const { port } = yield* listen(httpServer)
  return { state, port, url: `http://127.0.0.1:${port}/v1` }
})

export const lmStudio = (options: { context: number; loadMillis?: number }) => server("lmstudio", options)
export const llamaCpp = (options: { context: number; loadMillis?: number }) => server("llamacpp", options)
