// layers/model/ModelFetch.ts: a faster `fetch` for the model client: the built-in one takes as long as the rest of the client.
import { request } from "undici"

type Init = Parameters<typeof globalThis.fetch>[1]

/** A response whose whole text has arrived. The built-in one would make a stream of it and read that back. */
class WholeResponse extends Response {
  readonly #said: string

  constructor(said: string, init: ResponseInit) {
    super(null, init)
    this.#said = said
  }

  override text() {
    return Promise.resolve(this.#said)
  }

  override async json(): Promise<unknown> {
    return JSON.parse(this.#said)
  }
}

/** For requests and answers of text; waits for the whole answer. Redirects go to the built-in `fetch`. */
export const fetch = async (url: string | URL | Request, init: Init): Promise<Response> => {
  const asked = init?.body
  if (url instanceof Request || typeof asked !== "string") return globalThis.fetch(url, init)
  const given = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)
  const { body, headers, statusCode } = await request(url, {
    method: "POST",
    headers: { ...Object.fromEntries(given), "accept-encoding": "identity" },
    body: asked,
    signal: init?.signal ?? null,
    // The caller limits the time. A local model that is loaded first may be silent for longer than the five minutes here.
    headersTimeout: 0,
    bodyTimeout: 0
  })
  const said = await body.text()
  if (statusCode >= 300 && statusCode < 400) return globalThis.fetch(url, init)
  const plainHeaders = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : []
  )
  return new WholeResponse(said, { status: statusCode, headers: Object.fromEntries(plainHeaders) })
}
