// src/mcp/StreamableHttp.ts: serves the MCP tools over Streamable HTTP without lasting sessions: any process can answer a
// message, also after a restart, and clients cannot fill the memory with abandoned sessions.
import { Context, Effect, Layer, Predicate } from "effect"
import { McpProtocol, McpServer } from "effect/ai"
import { HttpRouter } from "effect/http"
import type { Client } from "#client/Client.ts"
import { serverInfo, protocols, registrations } from "#src/mcp/Server.ts"

const path = "/mcp"
const versionHeader = "mcp-protocol-version"
const sessionHeader = "mcp-session-id"

/** The version of the protocol that has no sessions. Messages of earlier versions need a session. */
const statelessProtocol = McpProtocol.v2026_07_28

/** The version that the specification prescribes for messages without a version header. */
const defaultVersion = "2025-03-26"

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

const initializeMessage = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: serverInfo.name, version: serverInfo.version } }
})

/** The tools over `client`, whose requests are the caller's. */
export const make = (client: Client, services: Context.Context<never>): StreamableHttp => {
  const { dispose, handler } = HttpRouter.toWebHandler(
    McpServer.layerHttp({
      ...serverInfo,
      path,
      protocols: [statelessProtocol, ...protocols],
      registrations: registrations(client, (done) => done),
      allowSessionTermination: true,
      allowSubscriptions: false
    }).pipe(Layer.provideMerge(Layer.succeedContext(services))),
    { disableLogger: true }
  )

  const send = (method: string, headers: Message["headers"], payload?: unknown, caller?: Context.Context<never>) =>
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

  const endSession = (session: string | undefined) =>
    session === undefined ? Effect.void : Effect.asVoid(send("DELETE", { [sessionHeader]: session }))

  /** Answers a message in a session of its own, which ends with the answer. */
  const sendInSession = ({ headers, payload }: Message, caller: Context.Context<never>) =>
    Effect.acquireUseRelease(
      Effect.map(
        send("POST", {}, initializeMessage(headers[versionHeader] ?? defaultVersion)),
        ({ session }) => session
      ),
      (session) =>
        send("POST", session === undefined ? headers : { ...headers, [sessionHeader]: session }, payload, caller),
      endSession
    )

  return {
    dispose,
    exchange: (message, caller) => {
      const { headers, payload } = message
      // `initialize` always opens a session, even if a header names the version without sessions.
      if (methodOf(payload) === "initialize") {
        return Effect.uninterruptible(Effect.tap(send("POST", headers, payload), ({ session }) => endSession(session)))
      }
      return headers[versionHeader] === statelessProtocol.protocolVersion || isVersioned(payload)
        ? send("POST", headers, payload, caller)
        : sendInSession(message, caller)
    }
  }
}
