// test/promise-client.test.ts: when the client with promises sends a request again, and under which key.
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { connector, OvertureError } from "#client/PromiseClient.ts"
import { routes } from "../scripts/client/TypeScript.ts"

const overture: any = connector(routes())({ baseUrl: "http://overture.example", key: "ovk_test" })

interface Sent {
  readonly method: string
  readonly key: string | null
}

type Reply = Response | Error

/** An error of Node's fetch, whose cause has a code. */
const broken = (code: string): Error =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) })
const proxy = (status: number) => new Response("<h1>Bad Gateway</h1>", { status })
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })
const refusal = (status: number, error: string) => json({ error, message: "No", request_id: "req_1" }, status)

/** An answer whose connection breaks after its first bytes. */
const half = () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"id":')),
    pull: (controller) => controller.error(broken("UND_ERR_SOCKET"))
  })
  return new Response(body, { headers: { "content-type": "application/json" } })
}

let sent: Array<Sent> = []

/** Answers the requests in order, and all later ones as the last of them. */
const replies = (...all: ReadonlyArray<() => Reply>) => {
  sent = []
  vi.stubGlobal("fetch", async (_: URL, { headers, method = "" }: RequestInit) => {
    const reply = (all[sent.length] ?? all.at(-1))?.()
    sent.push({ method, key: new Headers(headers).get("idempotency-key") })
    if (!(reply instanceof Response)) throw reply
    return reply
  })
}

/** The answer or the error of a request, without waiting for the pauses. */
const outcome = async (request: Promise<unknown>): Promise<any> => {
  const settled = request.catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return settled
}

const create = (headers?: { readonly "idempotency-key": string }) =>
  outcome(overture.campaigns.createCampaign({ payload: { name: "Spring" }, headers }))
const batch = (idempotent?: boolean) =>
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

  it("sends a read again after a broken connection, half an answer and a proxy's 502, 503 and 504", async () => {
    replies(
      () => broken("ECONNRESET"),
      half,
      () => broken("ECONNREFUSED"),
      ...[502, 503, 504].map((status) => () => proxy(status)),
      () => json({ name: "Kestrel" })
    )
    assert.deepStrictEqual(await outcome(overture.workspace.getWorkspace()), { name: "Kestrel" })
    assert.deepStrictEqual(
      sent,
      Array.from({ length: 7 }, () => ({ method: "GET", key: null }))
    )
  })

  it("sends a write again under one Idempotency-Key: the caller's, or a new one for each call", async () => {
    const failing = [half, () => broken("UND_ERR_SOCKET"), () => proxy(502), () => refusal(409, "CONFLICT")]
    const keysOf = async (headers?: { readonly "idempotency-key": string }) => {
      replies(...failing, () => json({ id: "c" }, 201))
      assert.deepStrictEqual(await create(headers), { id: "c" })
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

  it("gives up after ten more requests within a minute", async () => {
    for (const reply of [() => proxy(504), () => broken("ECONNRESET")]) {
      replies(reply)
      const start = Date.now()
      assert.instanceOf(await create(), OvertureError)
      assert.strictEqual(sent.length, 11)
      assert.isBelow(Date.now() - start, 60_000)
    }
  })

  it("sends a batch again only if it is idempotent, and no other write without a key", async () => {
    replies(
      () => broken("ECONNRESET"),
      () => json({ list_id: "l" })
    )
    assert.deepStrictEqual(await batch(true), { list_id: "l" })
    assert.deepStrictEqual(
      sent.map(({ key }) => key),
      ["fair", "fair"]
    )
    const failing = [() => broken("ECONNRESET"), () => proxy(502), () => proxy(503)]
    for (const reply of failing) {
      replies(reply)
      assert.instanceOf(await batch(), OvertureError)
      assert.strictEqual(sent.length, 1)
      replies(reply)
      assert.instanceOf(
        await outcome(overture.signatures.createSignature({ payload: { signature_text: "Ida" } })),
        OvertureError
      )
      assert.deepStrictEqual(sent, [{ method: "POST", key: null }])
    }
  })

  it("sends nothing again that the server itself answered, or that was never sent", async () => {
    const final: ReadonlyArray<[() => Reply, string]> = [
      [() => refusal(503, "MAIL_UNAVAILABLE"), "MAIL_UNAVAILABLE"],
      [() => refusal(500, "INTERNAL_ERROR"), "INTERNAL_ERROR"],
      [() => refusal(409, "CONFLICT"), "CONFLICT"],
      [() => proxy(500), "NOT_THE_CONTRACT"],
      [() => broken("ECONNREFUSED"), "NO_ANSWER"]
    ]
    for (const [reply, code] of final) {
      replies(reply)
      assert.strictEqual((await create()).code, code)
      assert.strictEqual(sent.length, 1, code)
    }
  })

  it("stops waiting when the caller cancels", async () => {
    replies(() => proxy(502))
    const stopped = new AbortController()
    const request = outcome(overture.workspace.getWorkspace({ signal: stopped.signal }))
    stopped.abort(new Error("enough"))
    assert.strictEqual((await request).message, "enough")
    assert.strictEqual(sent.length, 1)
  })
})
