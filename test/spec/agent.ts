// test/spec/agent.ts: questions about a campaign, and stored conversations.
import type { Chapter } from "./Fact.ts"

export const agent: Chapter = {
  title: "Agent chat and conversations",
  facts: [
    [
      "chat: 200 with conversation_id, message of role assistant and content, citations",
      "agent: keeps each question with its answer, under the first question's title"
    ],
    [
      "chat: a citation has file_id and filename, each a string or null",
      "agent: keeps each question with its answer, under the first question's title",
      "agent: works for another business, and cites documents by their id"
    ],
    ["chat: citations may be empty", "agent: claims nothing when the files have no answer"],
    [
      "chat: message is required, 1 to 8000 characters, trimmed, else 400",
      "agent: accepts messages of 1 to 8000 characters",
      "field-limits: %s accepts a text at %s of at most %d characters",
      "agent: keeps each question with its answer, under the first question's title"
    ],
    ["chat: campaign_id is required, else 400", "agent: accepts messages of 1 to 8000 characters"],
    [
      "chat: a campaign that is unknown, no UUID or another workspace's is 404",
      "agent: belongs to one workspace and one campaign"
    ],
    [
      "chat: without conversation_id, or with null, a new conversation begins",
      "agent: keeps each question with its answer, under the first question's title"
    ],
    [
      "chat: with conversation_id the conversation continues",
      "agent: keeps each question with its answer, under the first question's title",
      "agent: takes earlier questions of the conversation into account"
    ],
    [
      "chat: a conversation that is unknown, another campaign's or another workspace's is 404",
      "agent: belongs to one workspace and one campaign"
    ],
    ["chat: 404 comes before 409", "agent: that does not exist is reported before missing campaign documents"],
    [
      "chat: 409 NOT_READY before the campaign has a knowledge base",
      "agent: starts only once the campaign has its knowledge base"
    ],
    [
      "chat: both messages are kept, or neither",
      "agent: keeps each question with its answer, under the first question's title",
      "agent: stores neither message when one cannot be stored",
      "agent: keeps concurrent questions and answers in pairs"
    ],
    [
      "chat: costs no credits, and is 429 beyond 30 a minute",
      "agent: has a separate limit of 30 requests, and costs no credits"
    ],
    [
      "GET /conversations: data, has_more, total",
      "agent: keeps each question with its answer, under the first question's title",
      "http: of %s has the documented shape"
    ],
    [
      "GET /conversations: an entry has id, title, campaign_id, created_at, last_message_at",
      "agent: keeps each question with its answer, under the first question's title"
    ],
    ["GET /conversations: newest activity first", "agent: is listed first when it has the latest message"],
    [
      "GET /conversations: filtered by campaign_id; one that is no UUID is 400",
      "agent: is listed first when it has the latest message"
    ],
    [
      "GET messages: data, has_more, total; role, content, created_at",
      "agent: keeps each question with its answer, under the first question's title"
    ],
    ["GET messages: oldest first", "agent: keeps each question with its answer, under the first question's title"],
    ["GET messages: limit and offset", "agent: keeps each question with its answer, under the first question's title"],
    [
      "GET messages: 404 for another workspace's and an unknown one",
      "agent: belongs to one workspace and one campaign",
      "isolation: of nothing is refused: $name"
    ],
    ["conversations go with their campaign", "agent: is listed first when it has the latest message"],
    [
      "chat needs agent:write, reading agent:read",
      "http: needs $scope for $method $path",
      "http: each endpoint requires the scope in the specification"
    ]
  ]
}
