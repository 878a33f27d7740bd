// test/support/ollama.ts: a server that behaves as Ollama's documented API does: it loads models slowly, cuts prompts that are longer
// than its context without a word, queues, and thinks unless a request turns that off.
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { answerOf } from "./model-answers.ts"
import { listening } from "./listening.ts"

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

/** Its tokenizer: pieces of words of up to five letters, each digit and each other character. */
const tokensOf = (text: string): ReadonlyArray<string> => text.match(/ ?[A-Za-z]{1,5}|[^A-Za-z\s]|\s/g) ?? []

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

export interface Behaviour {
  /** Models that are on the disk, by name with tag. */
  models: ReadonlyArray<string>
  /** The longest context of each model. */
  ceiling: number
  family: string
  thinks: boolean
  loadMillis: number
  answerMillis: number
  /** OLLAMA_NUM_PARALLEL and OLLAMA_MAX_QUEUE. */
  parallel: number
  queue: number
  /** Whether it is a version that knows `truncate: false`. Others cut the prompt. */
  refusesToCut: boolean
  /** Loads models with this context, whatever a request says. */
  fixedContext: number | undefined
  /** What it answers in place of a completion, if anything. */
  fault: { readonly status: number; readonly error: string } | undefined
  /** Breaks off in the middle of so many answers. */
  breaksOff: number
  /** What it says; undefined for the answers of `modelAnswers`. */
  says: ((user: string) => string) | undefined
}

const behaviour: Behaviour = {
  models: ["tiny:latest"],
  ceiling: 32_768,
  family: "llama",
  thinks: true,
  loadMillis: 0,
  answerMillis: 0,
  parallel: 1,
  queue: 512,
  refusesToCut: true,
  fixedContext: undefined,
  fault: undefined,
  breaksOff: 0,
  says: undefined
}

const defaultContext = 4096

const tagged = (name: string) => (name.includes(":") ? name : `${name}:latest`)

/** The kind of a prompt: Ollama's format is a schema without a name. */
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

const contentOf = ({ format, messages }: Chat, { says }: Behaviour): string => {
  const [system = "", user = ""] = messages.map(({ content }) => content)
  if (says !== undefined) return says(user)
  return format === undefined ? "OK" : JSON.stringify(answerOf(kindOf(format, system), user))
}

export const ollama = Effect.fnUntraced(function* (changes: Partial<Behaviour> = {}, wantedPort = 0) {
  const state: Behaviour = { ...behaviour, ...changes }
  const seen = { chats: [] as Array<Chat>, loads: 0, atOnce: 0, mostAtOnce: 0, cut: 0, paths: [] as Array<string> }
  let loaded: { readonly name: string; readonly context: number } | undefined
  let loading: Promise<void> = Promise.resolve()
  let waiting: Array<() => void> = []

  const load = (name: string, context: number) => {
    const before = loading
    loading = (async () => {
      await before
      if (loaded?.name === name && loaded.context === context) return
      seen.loads++
      loaded = undefined
      await pause(state.loadMillis)
      loaded = { name, context }
    })()
    return loading
  }

  /** The prompt as it reads it: whole, or without its beginning, or a refusal. */
  const read = (chat: Chat, context: number) => {
    const tokens = tokensOf(chat.messages.map(({ content, role }) => `<${role}>${content}`).join("\n"))
    if (tokens.length < context) return { prompt: tokens.join(""), count: tokens.length }
    if (state.refusesToCut && chat.truncate === false) return undefined
    seen.cut++
    const kept = tokens.slice(-(Math.floor(context / 2) + 2))
    return { prompt: kept.join(""), count: kept.length }
  }

  const chatWith = async (chat: Chat, response: ServerResponse) => {
    const say = (status: number, body: unknown) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    const name = tagged(chat.model)
    if (!state.models.includes(name)) return say(404, { error: `model '${chat.model}' not found` })
    if (state.fault !== undefined) return say(state.fault.status, { error: state.fault.error })
    if (chat.think === true && !state.thinks) return say(400, { error: `"${chat.model}" does not support thinking` })
    if (typeof chat.think === "string" && state.family !== "gptoss") {
      return say(400, { error: `think value "${chat.think}" is not supported for this model` })
    }
    if (waiting.length >= state.queue) {
      return say(503, { error: "server busy, please try again.  maximum pending requests exceeded" })
    }
    const context = Math.min(state.fixedContext ?? chat.options?.num_ctx ?? defaultContext, state.ceiling)
    if (seen.atOnce >= state.parallel) await new Promise<void>((resolve) => waiting.push(resolve))
    seen.atOnce++
    seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.atOnce)
    try {
      const began = Date.now()
      await load(name, context)
      const loadMillis = Date.now() - began
      const found = read(chat, context)
      if (found === undefined) {
        const error = `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`
        return say(400, { error })
      }
      await pause(state.answerMillis)
      if (state.breaksOff > 0) {
        state.breaksOff--
        response.writeHead(200, { "content-type": "application/json" }).write('{"model": "tiny", "message": {')
        return void response.destroy()
      }
      const content = contentOf(chat, state)
      const doesThink = state.thinks && chat.think !== false
      const thinking = "Let me think about it. ".repeat(30)
      const most = chat.options?.num_predict ?? -1
      const count = tokensOf(content).length + (doesThink ? tokensOf(thinking).length : 0)
      const isCutShort = most >= 0 && count > most
      say(200, {
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
        prompt_eval_count: found.count,
        prompt_eval_duration: 1e8,
        eval_count: isCutShort ? most : count,
        eval_duration: 1e8
      })
    } finally {
      seen.atOnce--
      waiting.shift()?.()
    }
  }

  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const path = `${request.method} ${request.url}`
      seen.paths.push(path)
      const say = (body: unknown, status = 200) =>
        void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      const body = () => JSON.parse(Buffer.concat(parts).toString())
      if (path === "GET /api/version") return say({ version: "0.32.9" })
      if (path === "GET /api/tags" || path === "GET /v1/models") {
        const models = state.models.map((name) => ({ name, model: name, id: name }))
        return say(path.endsWith("tags") ? { models } : { object: "list", data: models })
      }
      if (path === "GET /api/ps") {
        return say({
          models:
            loaded === undefined ? [] : [{ name: loaded.name, model: loaded.name, context_length: loaded.context }]
        })
      }
      if (path === "POST /api/show") {
        if (!state.models.includes(tagged(body().model))) return say({ error: "model not found" }, 404)
        return say({
          details: { family: state.family },
          model_info: { "general.architecture": state.family, [`${state.family}.context_length`]: state.ceiling },
          capabilities: ["completion", ...(state.thinks ? ["thinking"] : [])]
        })
      }
      if (path === "POST /api/chat") {
        const chat: Chat = body()
        seen.chats.push(chat)
        return void chatWith(chat, response)
      }
      say({ error: "not found" }, 404)
    })
  })
  const { close, port } = yield* listening(server, "127.0.0.1", wantedPort)
  return { state, seen, url: `http://127.0.0.1:${port}/v1`, port, close, restart: () => (loaded = undefined) }
})
