// test/spec/agent.ts: questions to a campaign, and what is kept of them.
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
      "agent: holds for another business, and cites documents by their id"
    ],
    ["chat: citations may be empty", "agent: is not made up where the files hold none"],
    [
      "chat: message is required, 1 to 8000 characters, trimmed, else 400",
      "agent: takes messages of 1 to 8000 characters",
      "caps: of %s takes a text at %s of %d characters, whatever letters they are, and no more",
      "agent: keeps each question with its answer, under the first question's title"
    ],
    ["chat: campaign_id is required, else 400", "agent: takes messages of 1 to 8000 characters"],
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
      "agent: leans on the earlier turns of its conversation"
    ],
    [
      "chat: a conversation that is unknown, another campaign's or another workspace's is 404",
      "agent: belongs to one workspace and one campaign"
    ],
    ["chat: 404 comes before 409", "agent: that is not there is said before what its campaign lacks"],
    [
      "chat: 409 NOT_READY before the campaign has a knowledge base",
      "agent: starts only once the campaign has its knowledge base"
    ],
    [
      "chat: both messages are kept, or neither",
      "agent: keeps each question with its answer, under the first question's title",
      "agent: keeps neither message when one cannot be kept",
      "agent: keeps what is asked at once in pairs"
    ],
    [
      "chat: costs no credits, and is 429 beyond 30 a minute",
      "agent: has a tighter limit of its own, and costs no credits"
    ],
    [
      "GET /conversations: data, has_more, total",
      "agent: keeps each question with its answer, under the first question's title",
      "http: of %s keeps its own shape"
    ],
    [
      "GET /conversations: an entry has id, title, campaign_id, created_at, last_message_at",
      "agent: keeps each question with its answer, under the first question's title"
    ],
    ["GET /conversations: newest activity first", "agent: comes first in the list when it was spoken in last"],
    [
      "GET /conversations: filtered by campaign_id; one that is no UUID is 400",
      "agent: comes first in the list when it was spoken in last"
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
    ["conversations go with their campaign", "agent: comes first in the list when it was spoken in last"],
    [
      "chat needs agent:write, reading agent:read",
      "http: needs $scope for $method $path",
      "http: asks of each endpoint the scope that the specification names"
    ]
  ]
}
