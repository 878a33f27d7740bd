// test/support/answers.ts: the service's HTTP responses, the assertions that every response must pass, and assertions for tests.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { assertDeclared } from "./declared.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON body; null if the response is not JSON. */
  readonly body: any
}

/** The address of a lead. No error response may contain it. */
export const secretAddress = "ida.private@lead.example"

const requestId = /^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Asserts what must be true of every response: its request id, its declared schema and its error envelope. */
export const assertValidAnswer = (method: string, path: string, { body, headers, status, text }: Answer) => {
  const description = `${method} ${path} → ${status} ${text.slice(0, 500)}`
  const id = headers.get("x-request-id")
  const isHealth = (method === "GET" || method === "HEAD") && /^\/health(\?|$)/.test(path)
  if (isHealth) assert.isNull(id, description)
  else assert.match(id ?? "", requestId, description)
  if (method !== "OPTIONS") assertDeclared(method, path, status, isJson(headers) ? body : text)
  if (status < 400 || isHealth || method === "HEAD") return
  assert.match(headers.get("content-type") ?? "", /^application\/json/, description)
  const { detail, error, message, request_id, ...rest } = body
  assert.deepStrictEqual(rest, {}, description)
  assert.strictEqual(request_id, id, description)
  assert.match(error, /^[A-Z_]+$/, description)
  assert.isString(message, description)
  assert.isNotEmpty(message, description)
  if (detail !== undefined) assert.isTrue(typeof detail === "string" || typeof detail === "object", description)
  assert.notInclude(text, secretAddress, description)
  assert.notInclude(text, "_tag", description)
  if (status === 429) {
    assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/, description)
  }
}

const isJson = (headers: Headers) => (headers.get("content-type") ?? "").startsWith("application/json")

export const toAnswer = (status: number, headers: Headers, text: string): Answer => ({
  status,
  headers,
  text,
  body: text !== "" && isJson(headers) ? JSON.parse(text) : null
})

/** Asserts the status and returns the body. */
export const expectBody = Effect.fnUntraced(function* <R>(status: number, sent: Effect.Effect<Answer, never, R>) {
  const answer = yield* sent
  assert.strictEqual(answer.status, status, answer.text.slice(0, 1000))
  return answer.body
})

/** Asserts an error response and returns its `detail`. */
export const expectError = Effect.fnUntraced(function* <R>(
  status: number,
  code: string,
  sent: Effect.Effect<Answer, never, R>
) {
  const answer = yield* sent
  assert.deepStrictEqual([answer.status, answer.body?.error], [status, code], answer.text.slice(0, 1000))
  return answer.body.detail
})
