// test/support/local-servers.ts: servers that behave as LM Studio's and llama.cpp's documented APIs do.
import { Effect } from "effect"
import { createServer } from "node:http"
import { listening } from "./listening.ts"

const tokensIn = (text: string) => (text.match(/ ?[A-Za-z]{1,5}|[^A-Za-z\s]|\s/g) ?? []).length

/** Either server, with a model that is loaded with a context of this size. */
const server = Effect.fnUntraced(function* (kind: "lmstudio" | "llamacpp", given: { context: number; loads?: number }) {
  const state = {
    context: given.context,
    /** Whether the model is in memory. LM Studio loads it for the first request. */
    isLoaded: given.loads === undefined,
    loadMillis: given.loads ?? 0,
    slots: 4,
    atOnce: 0,
    mostAtOnce: 0,
    /** Tokens that it claims to have read, in place of the true ones. */
    claims: undefined as number | undefined,
    bodies: [] as Array<any>
  }
  const web = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", async () => {
      const say = (status: number, body: unknown) =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      const { url } = request
      if (url === "/v1/models") return say(200, { data: [{ id: "tiny" }] })
      if (kind === "lmstudio" && url === "/api/v0/models") {
        const loaded = state.isLoaded ? { loaded_context_length: state.context } : {}
        const named = { id: "tiny", object: "model", type: "llm", max_context_length: 131_072 }
        return say(200, { data: [{ ...named, state: state.isLoaded ? "loaded" : "not-loaded", ...loaded }] })
      }
      const isReady = kind === "lmstudio" || state.isLoaded
      const unready = { error: { code: 503, message: "Loading model", type: "unavailable_error" } }
      if (kind === "llamacpp" && url === "/props") {
        const props = { default_generation_settings: { n_ctx: state.context }, total_slots: state.slots }
        return isReady ? say(200, props) : say(503, unready)
      }
      if (url !== "/v1/chat/completions") {
        // LM Studio answers 200 to addresses that it does not have.
        return say(kind === "lmstudio" ? 200 : 404, { error: `Unexpected endpoint or method. (GET ${url})` })
      }
      if (!isReady) return say(503, unready)
      const body = JSON.parse(Buffer.concat(parts).toString())
      state.bodies.push(body)
      state.atOnce++
      state.mostAtOnce = Math.max(state.mostAtOnce, state.atOnce)
      await new Promise((resolve) => setTimeout(resolve, state.isLoaded ? 20 : state.loadMillis))
      state.isLoaded = true
      state.atOnce--
      const read = tokensIn(body.messages.map(({ content }: any) => content).join("\n"))
      if (read >= state.context) {
        return kind === "lmstudio"
          ? say(400, {
              error: `The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ${read}>= n_ctx: ${state.context}).`
            })
          : say(400, {
              error: {
                code: 400,
                message: `request (${read} tokens) exceeds the available context size (${state.context} tokens), try increasing it`,
                type: "exceed_context_size_error",
                n_prompt_tokens: read,
                n_ctx: state.context
              }
            })
      }
      say(200, {
        choices: [{ finish_reason: "stop", message: { role: "assistant", content: '{"colour":"red"}' } }],
        usage: { prompt_tokens: state.claims ?? read, completion_tokens: 8 }
      })
    })
  })
  const { port } = yield* listening(web)
  return { state, port, url: `http://127.0.0.1:${port}/v1` }
})

export const lmStudio = (given: { context: number; loads?: number }) => server("lmstudio", given)
export const llamaCpp = (given: { context: number; loads?: number }) => server("llamacpp", given)
