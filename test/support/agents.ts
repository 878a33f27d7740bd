// test/support/agents.ts: MCP clients for tests: the client of the official SDK, and raw messages sent to /mcp.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, toAnswer } from "./answers.ts"

type Headers = Readonly<Record<string, string>>

interface AgentOptions {
  /** Such as `http://127.0.0.1:4100`. */
  readonly origin: string
  /** Handles requests in process, instead of over a socket. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** An initialized MCP client; it disconnects when the scope closes. */
export const connectAgent = Effect.fnUntraced(function* ({ fetch, origin }: AgentOptions, headers: Headers) {
  const client = new Client({ name: "agent", version: "1.0.0" })
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    requestInit: { headers },
    ...(fetch && { fetch: (url, init) => fetch(new Request(url, init as RequestInit)) })
  })
  yield* Effect.acquireRelease(
    // The SDK's own types disagree about `sessionId` where optional fields are exact.
    Effect.promise(() => client.connect(transport as Parameters<typeof client.connect>[0])),
    () => Effect.promise(() => client.close())
  )
  const call = (name: string, args: Record<string, unknown> = {}): Effect.Effect<any> =>
    Effect.promise(() => client.callTool({ name, arguments: args }))
  /** Calls a tool, asserts success and returns the structured result. */
  const callResult = (name: string, args: Record<string, unknown> = {}): Effect.Effect<any> =>
    Effect.map(call(name, args), ({ content, isError, structuredContent }) => {
      assert.isNotTrue(isError, `${name}: ${content[0]?.text}`)
      return structuredContent
    })
  /** Calls a tool, asserts that it fails and returns the error message. */
  const callError = (name: string, args: Record<string, unknown> = {}) =>
    Effect.promise(async () => {
      const result: any = await client.callTool({ name, arguments: args }).catch(String)
      if (typeof result === "string") return result
      assert.isTrue(result.isError, `${name} was not refused`)
      return String(result.content[0].text)
    })
  return { client, transport, call, callResult, callError }
})

/** Sends a message of any form to /mcp. */
export const messageSender =
  (origin: string, key: string) =>
  (body: unknown, headers: Headers = {}) =>
    Effect.promise(async (): Promise<Answer> => {
      const response = await fetch(`${origin}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body)
      })
      return toAnswer(response.status, response.headers, await response.text())
    })

/** The JSON-RPC message that calls a tool. */
export const toolCallMessage = (name: string, args: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args }
})

export const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
