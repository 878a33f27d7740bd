// schema/Agent.ts: questions about a campaign, and the conversations they form.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { RateBucket, RequiredScope } from "#schema/Auth.ts"
import { NotFound, NotReady } from "#schema/Errors.ts"
import { Id, nonEmptyText, optional, idParams, Timestamp } from "#schema/Fields.ts"
import { PageQuery, paged } from "#schema/Page.ts"

export const Conversation = Schema.Struct({
  id: Id,
  title: Schema.String.annotate({ description: "The first message, shortened" }),
  campaign_id: Id.annotate({ description: "The campaign it is about" }),
  created_at: Timestamp,
  last_message_at: Timestamp
}).annotate({
  title: "Conversation",
  description: "Questions and answers about a campaign",
  examples: [
    {
      id: "01980f44-5e3b-7c70-9d26-8a1f0b4c5d97",
      title: "What do we promise quarries?",
      campaign_id: "01980f3f-6a9d-7e41-b5c2-0d8e7f3a1b64",
      created_at: "2026-07-14T09:30:00.000Z",
      last_message_at: "2026-07-14T09:31:10.000Z"
    }
  ]
})
export type Conversation = typeof Conversation.Type

const Source = Schema.Literals(["document", "profile", "imported", "selections", "playbook", "lists", "lead"])

export const Citation = Schema.Struct({
  file_id: Schema.NullOr(Schema.String).annotate({
    description:
      "The document; null for the business profile, imports, selections, playbook and lists, which are no documents of the campaign"
  }),
  filename: Schema.NullOr(Schema.String).annotate({ description: "Its name; of an upload the name of its file" }),
  source: Schema.optionalKey(Source).annotate({ description: "The kind of text" }),
  heading: Schema.optionalKey(Schema.String).annotate({ description: "The heading of the passage" }),
  passage: Schema.optionalKey(Schema.String).annotate({
    description: "The text of the passage; older citations have none"
  }),
  lines: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "For a passage that search found: the lines that answer, the most similar to the question first"
  }),
  link: Schema.optionalKey(Schema.String).annotate({
    description: "Where the console shows the passage, relative to the address of the server"
  })
}).annotate({
  title: "Citation",
  description: "The passage that an answer was taken from",
  examples: [
    {
      file_id: "01980f41-6d0e-7a95-b3f8-1c52e9d70b46",
      filename: "Company summary.md",
      source: "document",
      heading: "Guarantee",
      passage: "- A rebuilt pump within 12 days, and no charge if it fails within 12 months.",
      link: "/#/sources/01980f3f-6a9d-7e41-b5c2-0d8e7f3a1b64/01980f41-6d0e-7a95-b3f8-1c52e9d70b46/Guarantee"
    }
  ]
})
export type Citation = typeof Citation.Type

const answerFields = {
  citations: Schema.Array(Citation).annotate({
    description:
      "The passages that a model took its answer from, or that search found, the nearest first; empty when the model does not know the answer, or no passage has the words that say what is asked"
  }),
  nearest: Schema.Array(Citation).annotate({
    description: "When there are no citations: the passages nearest to the question"
  }),
  answered_by: Schema.Literals(["model", "search", "search_fallback"]).annotate({
    description:
      "`model` wrote the answer from the passages; `search` shows those nearest to the question; `search_fallback` shows them because the model could not be reached or gave no answer that the passages support"
  })
}

const notice = Schema.optionalKey(Schema.String).annotate({
  description: "Only with `search_fallback`: says in a sentence that search answered, and why"
})

/** The notice of an answer by search when the model is set but failed. */
export const fallbackNotice =
  "The model could not be reached or gave no answer that the passages support. Search answered instead."

export const Message = Schema.Struct({
  role: Schema.Literals(["user", "assistant"]).annotate({ description: "The author of the message" }),
  content: Schema.String.annotate({ description: "The text of the message" }),
  created_at: Schema.NullOr(Timestamp),
  citations: Schema.optionalKey(answerFields.citations).annotate({ description: "Of an answer" }),
  nearest: Schema.optionalKey(answerFields.nearest).annotate({ description: "Of an answer" }),
  answered_by: Schema.optionalKey(answerFields.answered_by).annotate({ description: "Of an answer" }),
  notice
}).annotate({
  title: "Message",
  description: "One message of a conversation",
  examples: [{ role: "user", content: "What do we promise quarries?", created_at: "2026-07-14T09:30:00.000Z" }]
})
export type Message = typeof Message.Type

export const Question = Schema.Struct({
  message: nonEmptyText(8000, "The question"),
  /** No UUID check, so that a malformed id is NOT_FOUND like an unknown one. */
  campaign_id: Schema.String.annotate({ description: "The campaign it is about" }).pipe(
    Schema.decodeTo(Schema.Trim.check(Schema.isMinLength(1)))
  ),
  conversation_id: optional(Schema.String).annotate({
    description: "The conversation to continue; without it a new one starts"
  })
}).annotate({
  title: "Question",
  description: "What to ask, and about which campaign",
  examples: [{ message: "What do we promise quarries?", campaign_id: "01980f3f-6a9d-7e41-b5c2-0d8e7f3a1b64" }]
})
export type Question = typeof Question.Type

export const Reply = Schema.Struct({
  conversation_id: Id.annotate({ description: "Send it with the next question" }),
  message: Schema.Struct({
    role: Schema.tag("assistant"),
    content: Schema.String.annotate({
      description: "The answer",
      examples: ["A rebuilt pump within 12 days, and no charge if it fails within 12 months."]
    })
  }),
  ...answerFields,
  notice
}).annotate({ title: "Reply", description: "The answer, and the passages that it was taken from" })
export type Reply = typeof Reply.Type

export class AgentApi extends HttpApiGroup.make("agent").add(
  HttpApiEndpoint.post("chat", "/agent/chat", {
    payload: Question,
    success: Reply,
    error: [NotFound, NotReady]
  })
    .annotate(RequiredScope, "agent:write")
    .annotate(RateBucket, { name: "chat", limit: 30, per: "key" }),
  HttpApiEndpoint.get("listConversations", "/conversations", {
    query: {
      ...PageQuery,
      campaign_id: Schema.optionalKey(Id).annotate({ description: "Only those about this campaign" })
    },
    success: paged("ConversationPage", Conversation)
  }).annotate(RequiredScope, "agent:read"),
  HttpApiEndpoint.get("listMessages", "/conversations/:id/messages", {
    params: idParams("conversation"),
    query: PageQuery,
    success: paged("MessagePage", Message),
    error: NotFound
  }).annotate(RequiredScope, "agent:read")
) {}
