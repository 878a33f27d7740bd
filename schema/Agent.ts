// schema/Agent.ts: questions to a campaign's knowledge, and the conversations they make.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { RateBucket, RequiredScope } from "#schema/Auth.ts"
import { NotFound, NotReady } from "#schema/Errors.ts"
import { Id, name, optional, Timestamp } from "#schema/Fields.ts"
import { PageQuery, paged } from "#schema/Page.ts"

export const Conversation = Schema.Struct({
  id: Id,
  /** The first message, shortened. */
  title: Schema.String,
  campaign_id: Id,
  created_at: Timestamp,
  last_message_at: Timestamp
})
export type Conversation = typeof Conversation.Type

export const Message = Schema.Struct({
  role: Schema.Literals(["user", "assistant"]),
  content: Schema.String,
  created_at: Schema.NullOr(Timestamp)
})
export type Message = typeof Message.Type

/** What an answer was taken from. The business profile and the selections are no documents, so they have no id. */
export const Citation = Schema.Struct({
  file_id: Schema.NullOr(Schema.String),
  filename: Schema.NullOr(Schema.String)
})
export type Citation = typeof Citation.Type

export const Question = Schema.Struct({
  message: name(8000),
  /** An id that cannot be one is 404 like any other that names nothing here. */
  campaign_id: Schema.Trim.check(Schema.isMinLength(1)),
  /** Left out, a new conversation starts. */
  conversation_id: optional(Schema.String)
})
export type Question = typeof Question.Type

export const Reply = Schema.Struct({
  conversation_id: Id,
  message: Schema.Struct({ role: Schema.tag("assistant"), content: Schema.String }),
  citations: Schema.Array(Citation)
})

export class AgentApi extends HttpApiGroup.make("agent").add(
  HttpApiEndpoint.post("chat", "/agent/chat", {
    payload: Question,
    success: Reply,
    error: [NotFound, NotReady]
  })
    .annotate(RequiredScope, "agent:write")
    .annotate(RateBucket, { name: "chat", limit: 30 }),
  HttpApiEndpoint.get("listConversations", "/conversations", {
    query: { ...PageQuery, campaign_id: Schema.optionalKey(Id) },
    success: paged(Conversation)
  }).annotate(RequiredScope, "agent:read"),
  HttpApiEndpoint.get("listMessages", "/conversations/:id/messages", {
    params: { id: Id },
    query: PageQuery,
    success: paged(Message),
    error: NotFound
  }).annotate(RequiredScope, "agent:read")
) {}
