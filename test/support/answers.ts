// test/support/answers.ts: answers of the service, what holds of every one of them, and what a test asserts of one.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { inspectDeclared } from "./declared.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON document, to be read by a test that knows what should be in it; null for any other answer. */
  readonly body: any
}

/** An address that leads carry in these tests and that no refusal may ever repeat. */
export const secretAddress = "ida.private@lead.example"

const requestId = /^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** What holds of every answer, whatever a test is about. */
export const inspect = (method: string, path: string, { body, headers, status, text }: Answer) => {
  const about = `${method} ${path} → ${status} ${text.slice(0, 500)}`
  const id = headers.get("x-request-id")
  const isHealth = (method === "GET" || method === "HEAD") && /^\/health(\?|$)/.test(path)
  if (isHealth) assert.isNull(id, about)
  else assert.match(id ?? "", requestId, about)
  if (method !== "OPTIONS") inspectDeclared(method, path, status, isJson(headers) ? body : text)
  if (status < 400 || isHealth || method === "HEAD") return
  assert.match(headers.get("content-type") ?? "", /^application\/json/, about)
  const { detail, error, message, request_id, ...rest } = body
  assert.deepStrictEqual(rest, {}, about)
  assert.strictEqual(request_id, id, about)
  assert.match(error, /^[A-Z_]+$/, about)
  assert.isString(message, about)
  assert.isNotEmpty(message, about)
  if (detail !== undefined) assert.isTrue(typeof detail === "string" || typeof detail === "object", about)
  assert.notInclude(text, secretAddress, about)
  assert.notInclude(text, "_tag", about)
  if (status === 429) {
    assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/, about)
  }
}

const isJson = (headers: Headers) => (headers.get("content-type") ?? "").startsWith("application/json")

export const toAnswer = (status: number, headers: Headers, text: string): Answer => ({
  status,
  headers,
  text,
  body: text !== "" && isJson(headers) ? JSON.parse(text) : null
})

/** Asserts the status, and answers the body. */
export const body = Effect.fnUntraced(function* <R>(status: number, sent: Effect.Effect<Answer, never, R>) {
  const answer = yield* sent
  assert.strictEqual(answer.status, status, answer.text.slice(0, 1000))
  return answer.body
})

/** Asserts a refusal, and answers its detail. */
export const refused = Effect.fnUntraced(function* <R>(
  status: number,
  code: string,
  sent: Effect.Effect<Answer, never, R>
) {
  const answer = yield* sent
  assert.deepStrictEqual([answer.status, answer.body?.error], [status, code], answer.text.slice(0, 1000))
  return answer.body.detail
})
