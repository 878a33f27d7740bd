// client/PromiseClient.ts: a client for programs without Effect, one method per operation, built on fetch alone.
// scripts/client.ts bundles it with the routes and types of the OpenAPI document.

interface Request {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly payload?: unknown
  readonly signal?: AbortSignal
}

/**
 * Method and path of each operation, by group and name, for example `POST /api/v1/campaigns key`. A last word says whether
 * it takes an Idempotency-Key: `key`, or `idempotent` if only with `options.idempotent`.
 */
type Routes = Readonly<Record<string, string | Readonly<Record<string, string>>>>

type Method = (request?: Request) => Promise<unknown>
type Client<R extends Routes> = {
  readonly [Name in keyof R]: R[Name] extends string ? Method : { readonly [Each in keyof R[Name]]: Method }
}

interface Options {
  readonly baseUrl: string
  readonly key: string
}

interface Answer {
  readonly error: string
  readonly message: string
  readonly request_id?: string
  readonly detail?: unknown
}

/** The error of a failed request. */
export class OvertureError extends Error {
  override readonly name = "OvertureError"
  /**
   * The error code of the answer; `NO_ANSWER` if none arrived, `NOT_THE_CONTRACT` if the request or answer is
   * malformed.
   */
  readonly code: string
  readonly status: number | undefined
  readonly request_id: string | undefined
  readonly detail: unknown
  /** The body of the answer. */
  readonly answer: Answer | undefined

  constructor(
    code: string,
    message: string,
    more: { readonly status?: number; readonly answer?: Answer; readonly cause?: unknown } = {}
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.status = more.status
    this.answer = more.answer
    this.request_id = more.answer?.request_id
    this.detail = more.answer?.detail
  }
}

const addressOf = ({ baseUrl }: Options, path: string, { params = {}, query = {} }: Request) => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === "") throw new OvertureError("NOT_THE_CONTRACT", `params.${name} is missing`)
    return encodeURIComponent(String(value))
  })
  const url = new URL(baseUrl.replace(/\/+$/, "") + filled)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  }
  return url
}

const isFile = (value: unknown): value is Blob => value instanceof Blob

/** A payload with a file is sent as multipart/form-data, all others as JSON. */
const bodyOf = (payload: unknown): string | FormData | undefined => {
  if (payload === undefined || payload instanceof FormData) return payload
  const parts: ReadonlyArray<readonly [string, unknown]> = Object.entries(payload ?? {})
  if (!parts.some(([, value]) => isFile(value))) return JSON.stringify(payload)
  const form = new FormData()
  for (const [name, value] of parts) {
    if (isFile(value)) form.set(name, value)
    else if (value !== undefined) form.set(name, String(value))
  }
  return form
}

const maxResent = 5

/** Waits for so many milliseconds, or rejects with the reason of the signal. */
const pause = async (millis: number, signal: AbortSignal | null | undefined) => {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => (clearTimeout(timer), reject(signal?.reason))
    const timer = setTimeout(() => (signal?.removeEventListener("abort", abort), resolve()), millis)
    signal?.addEventListener("abort", abort, { once: true })
  })
}

/** Sends a request. A rate-limited request was not carried out, so it is sent again. */
const send = async (url: URL, init: RequestInit, resent = 0): Promise<Response> => {
  const response = await fetch(url, init).catch((cause: unknown) => {
    if (init.signal?.aborted === true) throw cause
    throw new OvertureError("NO_ANSWER", `No answer from ${url.origin}`, { cause })
  })
  const seconds = Number(response.headers.get("retry-after"))
  const isTooSoon = response.status === 429 && response.headers.get("x-ratelimit-remaining") === "0"
  if (!isTooSoon || !(seconds > 0) || resent >= maxResent) return response
  await response.body?.cancel()
  await pause(seconds * 1000, init.signal)
  return send(url, init, resent + 1)
}

const parsed = (text: string, status: number): any => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new OvertureError("NOT_THE_CONTRACT", `The answer with status ${status} is not JSON`, { status, cause })
  }
}

const textOf = (response: Response) =>
  response.text().catch((cause: unknown) => {
    throw new OvertureError("NO_ANSWER", "The connection broke while the answer was sent", { cause })
  })

const errorOf = async (response: Response) => {
  const { status } = response
  const answer = parsed(await textOf(response), status)
  return typeof answer?.error === "string" && typeof answer.message === "string"
    ? new OvertureError(answer.error, answer.message, { status, answer })
    : new OvertureError("NOT_THE_CONTRACT", `The answer has status ${status} and no error code`, { status })
}

/** Splits a byte stream into lines. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of body) {
    const found = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = found.pop() ?? ""
    yield* found
  }
}

/** Server-sent events with parsed data; fails if the stream closes before the event `end`. */
async function* eventsOf({ body, status }: Response): AsyncGenerator<unknown, void> {
  let event: Record<string, string> = {}
  try {
    for await (const line of lines(body ?? new ReadableStream())) {
      const [, name = "", value = ""] = /^(\w*):? ?(.*)$/.exec(line) ?? []
      // A comment keeps the connection open; `retry` announces that the server will close it.
      if (name !== "") event[name] = event[name] === undefined ? value : `${event[name]}\n${value}`
      if (line !== "" || event["data"] === undefined) continue
      yield { ...event, data: parsed(event["data"], status) }
      if (event["event"] === "end") return
      event = {}
    }
  } catch (cause) {
    if (cause instanceof OvertureError) throw cause
    throw new OvertureError("NO_ANSWER", "The connection broke while events were sent", { cause })
  }
  throw new OvertureError("NO_ANSWER", "The events ended early: request them again")
}

/** Pauses in milliseconds before a request is sent again; a server that restarts is back within them. */
const waits = [250, 1000, 2000, 5000, 5000, 5000, 5000, 5000, 5000, 5000]

const cuts: ReadonlyArray<unknown> = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]

/** Whether an open connection broke. Where no connection was made, nothing was sent, and waiting rarely helps. */
const wasOpen = (error: unknown): boolean =>
  error instanceof Error && (("code" in error && cuts.includes(error.code)) || wasOpen(error.cause))

/** Whether the same request may succeed later. `resent` is how often it was sent again. */
const isTransient = (error: unknown, method: string, resent: number): boolean => {
  if (!(error instanceof OvertureError)) return false
  const { code, status = 0 } = error
  const isBroken = code === "NO_ANSWER" && (resent > 0 || wasOpen(error.cause))
  // A proxy without its server. An error of the server itself has a code, and the same request would get it again.
  const isFromProxy = code === "NOT_THE_CONTRACT" && [502, 503, 504].includes(status)
  // The first copy is still in progress, or its server stopped with the key, which is then in use for half a minute.
  const isInUse = resent > 0 && method !== "GET" && code === "CONFLICT"
  return isBroken || isFromProxy || isInUse
}

/** Sends a request that is safe to repeat until it is answered, at most as often as there are waits. */
const repeated = async <A>(attempt: () => Promise<A>, method: string, signal: AbortSignal | undefined): Promise<A> => {
  for (let resent = 0; ; resent++) {
    try {
      return await attempt()
    } catch (error) {
      const wait = waits[resent]
      if (wait === undefined || !isTransient(error, method, resent)) throw error
      await pause(wait, signal)
    }
  }
}

const takesKey = (keyed: string | undefined, payload: unknown): boolean => {
  if (keyed !== "idempotent") return keyed === "key"
  const options = Object.entries(payload ?? {}).find(([name]) => name === "options")?.[1]
  return options?.idempotent === true
}

const call =
  (options: Options, route: string): Method =>
  async (request = {}) => {
    const [method = "", path = "", keyed] = route.split(" ")
    const body = bodyOf(request.payload)
    const headers = new Headers({ authorization: `Bearer ${options.key}` })
    if (typeof body === "string") headers.set("content-type", "application/json")
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (value !== undefined) headers.set(name, value)
    }
    const isKeyed = takesKey(keyed, request.payload)
    if (isKeyed && !headers.has("idempotency-key")) headers.set("idempotency-key", crypto.randomUUID())
    const url = addressOf(options, path, request)
    const attempt = async () => {
      const response = await send(url, { method, headers, body: body ?? null, signal: request.signal ?? null })
      if (!response.ok) throw await errorOf(response)
      const type = response.headers.get("content-type") ?? ""
      if (type.startsWith("text/event-stream")) return eventsOf(response)
      const text = await textOf(response)
      return type.startsWith("application/json") ? parsed(text, response.status) : text
    }
    return isKeyed || method === "GET" ? repeated(attempt, method, request.signal) : attempt()
  }

/** Makes clients with one method for each of these routes. */
export const connector =
  <const R extends Routes>(routes: R) =>
  (options: Options): Client<R> =>
    Object.fromEntries(
      Object.entries<string | Readonly<Record<string, string>>>(routes).map(([name, routes]) => [
        name,
        typeof routes === "string"
          ? call(options, routes)
          : Object.fromEntries(Object.entries(routes).map(([each, route]) => [each, call(options, route)]))
      ])
    ) as Client<R>
