// layers/model/ModelFetch.ts: a faster `fetch` for the model client, because the built-in one takes half of the
// client's time.
import { request } from "undici"

type Init = Parameters<typeof globalThis.fetch>[1]

/** A response with its whole text. The built-in one would turn the text into a stream and read it back. */
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

/** Fetches text and waits for the whole response. Redirects are left to the built-in `fetch`. */
export const fetch = async (url: string | URL | Request, init: Init): Promise<Response> => {
  const requestBody = init?.body
  if (url instanceof Request || typeof requestBody !== "string") return globalThis.fetch(url, init)
  const given = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)
  const { body, headers, statusCode } = await request(url, {
    method: "POST",
    headers: { ...Object.fromEntries(given), "accept-encoding": "identity" },
    body: requestBody,
    signal: init?.signal ?? null,
    // No timeouts here, because the caller sets one and a local model may take more than undici's five minutes to load.
    headersTimeout: 0,
    bodyTimeout: 0
  })
  const text = await body.text()
  if (statusCode >= 300 && statusCode < 400) return globalThis.fetch(url, init)
  const plainHeaders = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : []
  )
  return new WholeResponse(text, { status: statusCode, headers: Object.fromEntries(plainHeaders) })
}
