// test/support/model-server.ts: a model server that a test takes down, misconfigures and brings back, and that counts what it is asked.
import { Effect } from "effect"
import { createServer } from "node:http"
import { modelAnswers } from "./model-answers.ts"
import { listening } from "./listening.ts"
import { modelRequestOf } from "./model.ts"

type Answers = "well" | "down" | "breaks off" | "refuses the key" | "lacks the model"

const statuses = { down: 503, "refuses the key": 401, "lacks the model": 404 } as const

export const modelServer = Effect.gen(function* () {
  const state = {
    answers: "well" as Answers,
    /** Whether it lists its models, and so can be looked at without a completion. */
    lists: true,
    /** Whether it answers in JSON. */
    speaks: true,
    /** The tokens that it counts for emails and the like, if it counts any. */
    usage: undefined as
      | {
          readonly prompt_tokens: number
          readonly completion_tokens: number
          readonly prompt_tokens_details?: { readonly cached_tokens: number }
        }
      | undefined,
    /** Requests for emails and the like, for a word, and for the list. */
    written: 0,
    words: 0,
    lookups: 0,
    /** Requests for emails and the like while it did not answer well. */
    refused: 0
  }
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const say = (status: number, body: unknown) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      }
      /** As a server that is killed in the middle of its answer. */
      const breakOff = () => {
        response.writeHead(200, { "content-type": "application/json" }).write('{"choices": [')
        response.destroy()
      }
      const isCut = state.answers === "breaks off"
      const failing = state.answers === "well" || state.answers === "breaks off" ? undefined : statuses[state.answers]
      if (request.method === "GET") {
        // A compatible server has none of the addresses by which local ones are recognised.
        if (!request.url?.endsWith("/models") || request.url.startsWith("/api/")) return say(404, {})
        state.lookups++
        if (isCut) return breakOff()
        if (!state.lists) return say(404, {})
        if (state.answers === "lacks the model") return say(200, { data: [{ id: "another" }] })
        return failing === undefined ? say(200, { data: [{ id: "tiny" }] }) : say(failing, {})
      }
      const asked = modelRequestOf(JSON.parse(Buffer.concat(parts).toString()))
      const isQuestion = asked.kind === undefined || asked.kind === "doctor"
      if (isQuestion) state.words++
      else if (failing === undefined && !isCut) state.written++
      else state.refused++
      if (isCut) return breakOff()
      if (failing !== undefined) return say(failing, { error: { message: "no" } })
      if (asked.kind === "doctor") {
        const message = { content: state.speaks ? '{"numbers":[1,2,3]}' : "1, 2, 3" }
        return say(200, { choices: [{ finish_reason: "stop", message }], usage: { completion_tokens: 20 } })
      }
      const reply =
        typeof modelAnswers === "function" && asked.kind !== undefined ? modelAnswers(asked, 1) : { content: "OK" }
      const content = typeof reply === "object" && "content" in reply ? reply.content : ""
      say(200, { choices: [{ finish_reason: "stop", message: { content } }], usage: state.usage })
    })
  })
  const { port } = yield* listening(server)
  return { state, url: `http://127.0.0.1:${port}/v1` }
})
