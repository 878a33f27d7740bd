// layers/model/ModelFetch.ts: a `fetch` for model servers that limits the size of an answer and keeps requests at their
// origin. It is also faster: the built-in one takes half of the client's time.
import { request } from "undici"
import { RefusedResponse } from "#layers/model/Faults.ts"

type Init = Parameters<typeof globalThis.fetch>[1]

/** The most bytes of an answer. */
export const maxAnswerBytes = 8 * 1024 * 1024
const maxRedirects = 3

const tooLarge = () =>
  new RefusedResponse({
    what: "sent an answer of more than 8 MB",
    hint: "Check that OPENAI_BASE_URL names a model server.",
    kind: "passing"
  })

const redirectsAway = () =>
  new RefusedResponse({
    what: "redirects to another address",
    hint: "Set OPENAI_BASE_URL to the address of the server itself.",
    kind: "standing"
  })

/** A response that holds its whole text. The built-in `Response` would turn the text into a stream and read it back. */
class WholeResponse extends Response {
  readonly #text: string

  constructor(text: string, init: ResponseInit) {
    super(null, init)
    this.#text = text
  }

  override text() {
    return Promise.resolve(this.#text)
  }

  override async json(): Promise<unknown> {
    return JSON.parse(this.#text)
  }
}

/** Leaving the loop closes the connection, so that an endless answer ends here. */
const readText = async (body: AsyncIterable<Uint8Array>) => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Another origin would get the prompt and the key. Only 307 and 308 repeat a POST. */
const redirectTarget = (url: string, status: number, location: string | Array<string> | undefined, method: string) => {
  const target = typeof location === "string" ? URL.parse(location, url) : null
  if (target === null || target.origin !== new URL(url).origin) throw redirectsAway()
  if (method !== "GET" && status !== 307 && status !== 308) throw redirectsAway()
  return target.href
}

/** Fetches text and waits for the whole response. */
export const fetch = async (
  url: string | URL | Request,
  init: Init,
  redirects: number = maxRedirects
): Promise<Response> => {
  const requestBody = init?.body ?? undefined
  if (url instanceof Request || (requestBody !== undefined && typeof requestBody !== "string")) {
    throw new TypeError("A request to a model server has a URL and text")
  }
  const requestHeaders = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)
  const method = init?.method?.toUpperCase() === "POST" ? "POST" : "GET"
  const { body, headers, statusCode } = await request(url, {
    method,
    // A compressed answer would be small until it is decompressed.
    headers: { ...Object.fromEntries(requestHeaders), "accept-encoding": "identity" },
    body: requestBody ?? null,
    signal: init?.signal ?? null,
    // No timeouts here, because the caller sets one and a local model may take more than undici's five minutes to load.
    headersTimeout: 0,
    bodyTimeout: 0
  })
  const text = await readText(body)
  if (statusCode >= 300 && statusCode < 400) {
    if (redirects === 0) throw redirectsAway()
    return fetch(redirectTarget(String(url), statusCode, headers["location"], method), init, redirects - 1)
  }
  const plainHeaders = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : []
  )
  return new WholeResponse(text, { status: statusCode, headers: Object.fromEntries(plainHeaders) })
}
