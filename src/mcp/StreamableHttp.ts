// src/mcp/StreamableHttp.ts: the tools of agents over MCP's Streamable HTTP, without sessions: a message is answered by any process,
// also after a restart, and no client can fill the memory with sessions that it leaves behind.
import { Context, Effect, Layer, Predicate } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import { HttpRouter } from "effect/http"
import type { Client } from "#client/Client.ts"
import { identity, protocols, registrations } from "#src/mcp/Server.ts"

const path = "/mcp"
const versionHeader = "mcp-protocol-version"
const sessionHeader = "mcp-session-id"

/** The version whose messages stand for themselves. Those of earlier versions belong to a session. */
const stateless = McpProtocol.v2026_07_28

/** What the specification has a server assume where no header names the version. */
const unnamed = "2025-03-26"

export interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly payload: unknown
}

export interface Answer {
  readonly status: number
  readonly contentType: string | undefined
  readonly text: string
}

export interface StreamableHttp {
  /** Answers a message; `caller` is in the context of the tool that it calls. */
  readonly exchange: (message: Message, caller: Context.Context<never>) => Effect.Effect<Answer>
  readonly dispose: () => Promise<void>
}

const methodOf = (payload: unknown) => (Predicate.hasProperty(payload, "method") ? payload.method : undefined)

/** Whether the message names its own version. */
const isVersioned = (payload: unknown) =>
  Predicate.hasProperty(payload, "params") &&
  Predicate.hasProperty(payload.params, "_meta") &&
  Predicate.hasProperty(payload.params._meta, "io.modelcontextprotocol/protocolVersion")

const opening = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: identity.name, version: identity.version } }
})

/** The tools over `client`, whose requests are the caller's. */
export const make = (client: Client, services: Context.Context<never>): StreamableHttp => {
  const { dispose, handler } = HttpRouter.toWebHandler(
    McpServer.layerHttp({
      ...identity,
      path,
      protocols: [stateless, ...protocols],
      registrations: registrations(client, (done) => done),
      allowSessionTermination: true,
      allowSubscriptions: false
    }).pipe(Layer.provideMerge(Layer.succeedContext(services))),
    { disableLogger: true }
  )

  const ask = (method: string, headers: Message["headers"], payload?: unknown, caller?: Context.Context<never>) =>
    Effect.promise(async (signal) => {
      const request = new Request(`http://in-process${path}`, {
        method,
        headers: { ...headers, accept: "application/json, text/event-stream", "content-type": "application/json" },
        ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
        signal
      })
      const response = await handler(request, caller)
      return {
        status: response.status,
        contentType: response.headers.get("content-type") ?? undefined,
        text: await response.text(),
        session: response.headers.get(sessionHeader) ?? undefined
      }
    })

  const end = (session: string | undefined) =>
    session === undefined ? Effect.void : Effect.asVoid(ask("DELETE", { [sessionHeader]: session }))

  /** Answers a message in a session of its own, which ends with the answer. */
  const inSession = ({ headers, payload }: Message, caller: Context.Context<never>) =>
    Effect.acquireUseRelease(
      Effect.map(ask("POST", {}, opening(headers[versionHeader] ?? unnamed)), ({ session }) => session),
      (session) =>
        ask("POST", session === undefined ? headers : { ...headers, [sessionHeader]: session }, payload, caller),
      end
    )

  return {
    dispose,
    exchange: (message, caller) => {
      const { headers, payload } = message
      // A handshake opens a session also where a header names the version that has none.
      if (methodOf(payload) === "initialize") {
        return Effect.uninterruptible(Effect.tap(ask("POST", headers, payload), ({ session }) => end(session)))
      }
      return headers[versionHeader] === stateless.protocolVersion || isVersioned(payload)
        ? ask("POST", headers, payload, caller)
        : inSession(message, caller)
    }
  }
}
