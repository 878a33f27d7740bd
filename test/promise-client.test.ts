// test/promise-client.test.ts: when the promise client retries a request, and with which Idempotency-Key.
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { connector, OvertureError } from "#client/PromiseClient.ts"
import { routes } from "../scripts/client/TypeScript.ts"

const overture: any = connector(routes())({ baseUrl: "http://overture.example", key: "ovk_test" })

interface SentRequest {
  readonly method: string
  readonly key: string | null
}

type Reply = Response | Error

/** An error of Node's fetch, whose cause has a code. */
const networkError = (code: string): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) })
const proxyError = (status: number) => new Response("<h1>Bad Gateway</h1>", { status })
const jsonResponse = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })
const errorResponse = (status: number, error: string) =>
  jsonResponse({ error, message: "No", request_id: "req_1" }, status)

/** A response whose connection breaks after its first bytes. */
const truncatedResponse = () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"id":')),
    pull: (controller) => controller.error(networkError("UND_ERR_SOCKET"))
  })
  return new Response(body, { headers: { "content-type": "application/json" } })
}

let sent: Array<SentRequest> = []

/** Sets the replies to requests, in order. The last one repeats. */
const setReplies = (...all: ReadonlyArray<() => Reply>) => {
  sent = []
  vi.stubGlobal("fetch", async (_: URL, { headers, method = "" }: RequestInit) => {
    const reply = (all[sent.length] ?? all.at(-1))?.()
    sent.push({ method, key: new Headers(headers).get("idempotency-key") })
    if (!(reply instanceof Response)) throw reply
    return reply
  })
}

/** The result or the error of a request, with its pauses skipped. */
const outcome = async (request: Promise<unknown>): Promise<any> => {
  const settled = request.catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return settled
}

const createCampaign = (headers?: { readonly "idempotency-key": string }) =>
  outcome(overture.campaigns.createCampaign({ payload: { name: "Spring" }, headers }))
const generateBatch = (idempotent?: boolean) =>
  outcome(
    overture.generation.generateBatch({
      params: { id: "c" },
      payload: { leads: [], options: { idempotent } },
      headers: { "idempotency-key": "fair" }
    })
  )

describe("the promise client", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it("retries a read after a broken connection, a truncated response and a proxy's 502, 503 and 504", async () => {
    setReplies(
      () => networkError("ECONNRESET"),
      truncatedResponse,
      () => networkError("ECONNREFUSED"),
      ...[502, 503, 504].map((status) => () => proxyError(status)),
      () => jsonResponse({ name: "Kestrel" })
    )
    assert.deepStrictEqual(await outcome(overture.workspace.getWorkspace()), { name: "Kestrel" })
    assert.deepStrictEqual(
      sent,
      Array.from({ length: 7 }, () => ({ method: "GET", key: null }))
    )
  })

  it("retries a write with one Idempotency-Key: the caller's, or a new one for each call", async () => {
    const failures = [
      truncatedResponse,
      () => networkError("UND_ERR_SOCKET"),
      () => proxyError(502),
      () => errorResponse(409, "CONFLICT")
    ]
    const keysOf = async (headers?: { readonly "idempotency-key": string }) => {
      setReplies(...failures, () => jsonResponse({ id: "c" }, 201))
      assert.deepStrictEqual(await createCampaign(headers), { id: "c" })
      assert.strictEqual(sent.length, 5)
      const keys = new Set(sent.map(({ key }) => key))
      assert.strictEqual(keys.size, 1)
      return [...keys][0]
    }
    assert.strictEqual(await keysOf({ "idempotency-key": "spring" }), "spring")
    const [first, second] = [await keysOf(), await keysOf()]
    assert.match(String(first), /^[0-9a-f-]{36}$/)
    assert.notStrictEqual(first, second)
  })

  it("gives up after ten retries, within a minute", async () => {
    for (const reply of [() => proxyError(504), () => networkError("ECONNRESET")]) {
      setReplies(reply)
      const start = Date.now()
      assert.instanceOf(await createCampaign(), OvertureError)
      assert.strictEqual(sent.length, 11)
      assert.isBelow(Date.now() - start, 60_000)
    }
  })

  it("retries a batch only if it is idempotent, and no other write without a key", async () => {
    setReplies(
      () => networkError("ECONNRESET"),
      () => jsonResponse({ list_id: "l" })
    )
    assert.deepStrictEqual(await generateBatch(true), { list_id: "l" })
    assert.deepStrictEqual(
      sent.map(({ key }) => key),
      ["fair", "fair"]
    )
    const failures = [() => networkError("ECONNRESET"), () => proxyError(502), () => proxyError(503)]
    for (const reply of failures) {
      setReplies(reply)
      assert.instanceOf(await generateBatch(), OvertureError)
      assert.strictEqual(sent.length, 1)
      setReplies(reply)
      assert.instanceOf(
        await outcome(overture.signatures.createSignature({ payload: { signature_text: "Ida" } })),
        OvertureError
      )
      assert.deepStrictEqual(sent, [{ method: "POST", key: null }])
    }
  })

  it("does not retry an error of the server, or a request that was never sent", async () => {
    const notRetried: ReadonlyArray<[() => Reply, string]> = [
      [() => errorResponse(503, "MAIL_UNAVAILABLE"), "MAIL_UNAVAILABLE"],
      [() => errorResponse(500, "INTERNAL_ERROR"), "INTERNAL_ERROR"],
      [() => errorResponse(409, "CONFLICT"), "CONFLICT"],
      [() => proxyError(500), "NOT_THE_CONTRACT"],
      [() => networkError("ECONNREFUSED"), "NO_ANSWER"]
    ]
    for (const [reply, code] of notRetried) {
      setReplies(reply)
      assert.strictEqual((await createCampaign()).code, code)
      assert.strictEqual(sent.length, 1, code)
    }
  })

  it("stops waiting when the caller cancels", async () => {
    setReplies(() => proxyError(502))
    const controller = new AbortController()
    const request = outcome(overture.workspace.getWorkspace({ signal: controller.signal }))
    controller.abort(new Error("enough"))
    assert.strictEqual((await request).message, "enough")
    assert.strictEqual(sent.length, 1)
  })
})
