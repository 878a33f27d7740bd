// test/support/ollama.ts: a fake Ollama server that follows the documented API: it loads models slowly, silently truncates
// prompts that exceed the context, queues requests, and thinks unless a request disables that.
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { answerOf } from "./model-answers.ts"
import { listen } from "./listening.ts"

interface Chat {
  readonly model: string
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
  readonly stream?: boolean
  readonly think?: boolean | string
  readonly keep_alive?: string
  readonly truncate?: boolean
  readonly shift?: boolean
  readonly format?: unknown
  readonly options?: { readonly num_ctx?: number; readonly num_predict?: number; readonly temperature?: number }
}

/** A simple tokenizer: up to five letters, or one other character, per token. */
const tokensOf = (text: string): ReadonlyArray<string> => text.match(/ ?[A-Za-z]{1,5}|[^A-Za-z\s]|\s/g) ?? []

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

export interface Behaviour {
  /** The installed models, by name with tag. */
  models: ReadonlyArray<string>
  /** The maximum context of every model, in tokens. */
  maxContext: number
  family: string
  canThink: boolean
  loadMillis: number
  answerMillis: number
  /** OLLAMA_NUM_PARALLEL and OLLAMA_MAX_QUEUE. */
  parallel: number
  queue: number
  /** The count of tokens that it reports for every answer; undefined for the right one. */
  reportedTokens: number | undefined
  /** Whether this version supports `truncate: false`. Older ones truncate the prompt. */
  refusesLongPrompts: boolean
  /** Loads models with this context and ignores the one in the request. */
  fixedContext: number | undefined
  /** The error returned instead of a completion, if any. */
  fault: { readonly status: number; readonly error: string } | undefined
  /** How many of the next answers to abort half-way. */
  answersToAbort: number
  /** The content of the answer; by default that of model-answers.ts. */
  reply: ((user: string) => string) | undefined
}

const defaultBehaviour: Behaviour = {
  models: ["tiny:latest"],
  maxContext: 32_768,
  family: "llama",
  canThink: true,
  loadMillis: 0,
  answerMillis: 0,
  parallel: 1,
  reportedTokens: undefined,
  queue: 512,
  refusesLongPrompts: true,
  fixedContext: undefined,
  fault: undefined,
  answersToAbort: 0,
  reply: undefined
}

const defaultContext = 4096

const withTag = (name: string) => (name.includes(":") ? name : `${name}:latest`)

/** The prompt's name, guessed from the schema, which has no name in Ollama's API. */
const kindOf = (format: unknown, system: string): string => {
  const { properties = {} } = (typeof format === "object" ? format : {}) as { readonly properties?: object }
  const kinds = {
    sections: "market_research",
    segments: "segments",
    leads: "synthetic_leads",
    templates: "persona_emails",
    emails: "adapted_emails",
    verdicts: "claim_check",
    answer: "chat",
    facts: "document_extraction",
    options: system.includes("List the proof")
      ? "social_proof_options"
      : system.includes("gives away")
        ? "lead_magnet_options"
        : system.includes("takes the risk")
          ? "risk_reversal_options"
          : "value_proposition_options"
  }
  return Object.entries(kinds).find(([name]) => name in properties)?.[1] ?? ""
}

const contentOf = ({ format, messages }: Chat, { reply }: Behaviour): string => {
  const [system = "", user = ""] = messages.map(({ content }) => content)
  if (reply !== undefined) return reply(user)
  return format === undefined ? "OK" : JSON.stringify(answerOf(kindOf(format, system), user))
}

export const ollama = Effect.fnUntraced(function* (changes: Partial<Behaviour> = {}, wantedPort = 0) {
  const state: Behaviour = { ...defaultBehaviour, ...changes }
  const seen = {
    chats: [] as Array<Chat>,
    loads: 0,
    activeRequests: 0,
    maxActiveRequests: 0,
    cutPrompts: 0,
    paths: [] as Array<string>
  }
  let loaded: { readonly name: string; readonly context: number } | undefined
  let loading: Promise<void> = Promise.resolve()
  let waiting: Array<() => void> = []

  const load = (name: string, context: number) => {
    const previousLoad = loading
    loading = (async () => {
      await previousLoad
      if (loaded?.name === name && loaded.context === context) return
      seen.loads++
      loaded = undefined
      await pause(state.loadMillis)
      loaded = { name, context }
    })()
    return loading
  }

  /** The prompt as the model sees it: complete or truncated; undefined if it is refused. */
  const readPrompt = (chat: Chat, context: number) => {
    const tokens = tokensOf(chat.messages.map(({ content, role }) => `<${role}>${content}`).join("\n"))
    if (tokens.length < context) return { prompt: tokens.join(""), count: tokens.length }
    if (state.refusesLongPrompts && chat.truncate === false) return undefined
    seen.cutPrompts++
    const kept = tokens.slice(-(Math.floor(context / 2) + 2))
    return { prompt: kept.join(""), count: kept.length }
  }

  const chatWith = async (chat: Chat, response: ServerResponse) => {
    const respond = (status: number, body: unknown) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    const name = withTag(chat.model)
    if (!state.models.includes(name)) return respond(404, { error: `model '${chat.model}' not found` })
    if (state.fault !== undefined) return respond(state.fault.status, { error: state.fault.error })
    if (chat.think === true && !state.canThink)
      return respond(400, { error: `"${chat.model}" does not support thinking` })
    if (typeof chat.think === "string" && state.family !== "gptoss") {
      return respond(400, { error: `think value "${chat.think}" is not supported for this model` })
    }
    if (waiting.length >= state.queue) {
      return respond(503, { error: "server busy, please try again.  maximum pending requests exceeded" })
    }
    const context = Math.min(state.fixedContext ?? chat.options?.num_ctx ?? defaultContext, state.maxContext)
    if (seen.activeRequests >= state.parallel) await new Promise<void>((resolve) => waiting.push(resolve))
    seen.activeRequests++
    seen.maxActiveRequests = Math.max(seen.maxActiveRequests, seen.activeRequests)
    try {
      const startedAt = Date.now()
      await load(name, context)
      const loadMillis = Date.now() - startedAt
      const prompt = readPrompt(chat, context)
      if (prompt === undefined) {
        const error = `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`
        return respond(400, { error })
      }
      await pause(state.answerMillis)
      if (state.answersToAbort > 0) {
        state.answersToAbort--
        response.writeHead(200, { "content-type": "application/json" }).write('{"model": "tiny", "message": {')
        return void response.destroy()
      }
      const content = contentOf(chat, state)
      const doesThink = state.canThink && chat.think !== false
      const thinking = "Let me think about it. ".repeat(30)
      const maxTokens = chat.options?.num_predict ?? -1
      const count = tokensOf(content).length + (doesThink ? tokensOf(thinking).length : 0)
      const isCutShort = maxTokens >= 0 && count > maxTokens
      respond(200, {
        model: chat.model,
        created_at: new Date().toISOString(),
        message: {
          role: "assistant",
          content: isCutShort ? "" : content,
          ...(doesThink ? { thinking } : {})
        },
        done: true,
        done_reason: isCutShort ? "length" : "stop",
        total_duration: 1e9,
        load_duration: loadMillis * 1e6,
        prompt_eval_count: prompt.count,
        prompt_eval_duration: 1e8,
        eval_count: state.reportedTokens ?? (isCutShort ? maxTokens : count),
        eval_duration: 1e8
      })
    } finally {
      seen.activeRequests--
      waiting.shift()?.()
    }
  }

  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const path = `${request.method} ${request.url}`
      seen.paths.push(path)
      const respond = (body: unknown, status = 200) =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      const body = () => JSON.parse(Buffer.concat(chunks).toString())
      if (path === "GET /api/version") return respond({ version: "0.32.9" })
      if (path === "GET /api/tags" || path === "GET /v1/models") {
        const models = state.models.map((name) => ({ name, model: name, id: name }))
        return respond(path.endsWith("tags") ? { models } : { object: "list", data: models })
      }
      if (path === "GET /api/ps") {
        return respond({
          models:
            loaded === undefined ? [] : [{ name: loaded.name, model: loaded.name, context_length: loaded.context }]
        })
      }
      if (path === "POST /api/show") {
        if (!state.models.includes(withTag(body().model))) return respond({ error: "model not found" }, 404)
        return respond({
          details: { family: state.family },
          model_info: { "general.architecture": state.family, [`${state.family}.context_length`]: state.maxContext },
          capabilities: ["completion", ...(state.canThink ? ["thinking"] : [])]
        })
      }
      if (path === "POST /api/chat") {
        const chat: Chat = body()
        seen.chats.push(chat)
        return void chatWith(chat, response)
      }
      respond({ error: "not found" }, 404)
    })
  })
  const { close, port } = yield* listen(server, "127.0.0.1", wantedPort)
  return { state, seen, url: `http://127.0.0.1:${port}/v1`, port, close, restart: () => (loaded = undefined) }
})
