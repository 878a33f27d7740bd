// client/PromiseClient.ts: a client for programs without Effect, one method per operation, built on fetch alone.
// scripts/client.ts bundles it with the routes and types of the OpenAPI document.

interface Request {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly payload?: unknown
  readonly signal?: AbortSignal
}

/** Method and path of each operation, for example `POST /api/v1/campaigns`, by group and name. */
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
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000)
    init.signal?.addEventListener("abort", () => (clearTimeout(timer), reject(init.signal?.reason)), { once: true })
  })
  init.signal?.throwIfAborted()
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

const call =
  (options: Options, route: string): Method =>
  async (request = {}) => {
    const [method = "", path = ""] = route.split(" ")
    const body = bodyOf(request.payload)
    const headers = new Headers({ authorization: `Bearer ${options.key}` })
    if (typeof body === "string") headers.set("content-type", "application/json")
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (value !== undefined) headers.set(name, value)
    }
    const url = addressOf(options, path, request)
    const response = await send(url, { method, headers, body: body ?? null, signal: request.signal ?? null })
    if (!response.ok) throw await errorOf(response)
    const type = response.headers.get("content-type") ?? ""
    if (type.startsWith("text/event-stream")) return eventsOf(response)
    const text = await textOf(response)
    return type.startsWith("application/json") ? parsed(text, response.status) : text
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
