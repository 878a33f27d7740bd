// src/mcp/Message.ts: what is a JSON-RPC message of a client.
import { Schema } from "effect"

const version = { jsonrpc: Schema.Literal("2.0") }
const id = Schema.Union([Schema.String, Schema.Finite])

/** Whether this is one request or notification of JSON-RPC 2.0. Its parameters depend on the method. */
export const isMessage = Schema.is(Schema.Struct({ ...version, id: Schema.optionalKey(id), method: Schema.String }))

/** Whether this is an answer to a request of the server. */
export const isResponse = Schema.is(
  Schema.Union([
    Schema.Struct({ ...version, id, result: Schema.Unknown }),
    Schema.Struct({ ...version, id, error: Schema.Unknown })
  ])
)

/** The end of the error for anything else. */
export const noMessage =
  'not a message of JSON-RPC: "jsonrpc" is "2.0", "method" a string, and "id" a string or a number'
