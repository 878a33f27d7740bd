// test/support/api-client.ts: a plain HTTP client for a running server.
import { Effect } from "effect"
import { until } from "#test/support/until.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON of the body, or its text if it is not JSON. */
  readonly body: any
}

interface WireRequest {
  readonly method: string
  readonly path: string
  /** A form or a string is sent unchanged, anything else as JSON. */
  readonly body?: unknown
  readonly headers?: Record<string, string> | undefined
  readonly signal?: AbortSignal
}

/** Sends one request with an API key. Rejects if there is no response. */
export const sendRequest = async (url: string, key: string, request: WireRequest): Promise<Answer> => {
  const { body, headers, method, path, signal } = request
  const isRaw = body instanceof FormData || typeof body === "string"
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    signal: signal ?? null,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) })
  })
  const text = await response.text()
  const json = response.headers.get("content-type")?.startsWith("application/json") === true
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
}

export interface ApiClient {
  readonly send: (method: string, path: string, body?: unknown) => Effect.Effect<Answer>
}

export const apiClient = (url: string, key: string, headers?: Record<string, string>): ApiClient => ({
  send: (method, path, body) =>
    Effect.promise((signal) => sendRequest(url, key, { method, path, body, headers, signal }))
})

/** A multipart form with one file. */
export const fileForm = (name: string, content: string | Uint8Array<ArrayBuffer>) => {
  const body = new FormData()
  body.append("file", new File([content], name))
  return body
}

/** Builds a campaign from the first option of every step and returns its id. */
export const buildCampaign = Effect.fnUntraced(function* ({ send }: ApiClient) {
  const campaign = (yield* send("POST", "/campaigns", { name: "First" })).body.id
  const { id, segment_name } = (yield* send("GET", "/target-audiences")).body.data[0]
  yield* send("POST", `/campaigns/${campaign}/target-audience`, { target_audience: { id, segment_name } })
  for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) {
    const { options } = (yield* send("GET", `/campaigns/${campaign}/assets/${type}/options`)).body
    const selected_ids = options.slice(0, 1).map((option: { id: string }) => option.id)
    yield* send("PUT", `/campaigns/${campaign}/assets/${type}/selection`, { selected_ids })
  }
  const job = (yield* send("POST", `/campaigns/${campaign}/assets/value_proposition/generate`)).body.id
  yield* until(send("GET", `/jobs/${job}`), ({ body }) => body.status === "completed")
  const { options } = (yield* send("GET", `/campaigns/${campaign}/assets/value_proposition/options`)).body
  yield* send("PUT", `/campaigns/${campaign}/assets/value_proposition/selection`, { selected_ids: [options[0].id] })
  yield* until(send("GET", `/campaigns/${campaign}/build-status`), ({ body }) => body.overall === "ready")
  return campaign as string
})
