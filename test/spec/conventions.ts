// test/spec/conventions.ts: what holds of every endpoint: pages, retries, ids of requests; and health.
import type { Chapter } from "./Fact.ts"

export const conventions: Chapter = {
  title: "Conventions and health",
  facts: [
    ["every endpoint but health asks for a key: 401 UNAUTHORIZED", "http: is asked for by $method $path"],
    ["any endpoint may answer 500 INTERNAL_ERROR", "http: is answered in general words, with details only in the log"],
    [
      "any endpoint may answer 429 RATE_LIMITED",
      "http: counts down over all endpoints, then refuses and says until when"
    ],

    ["limit is 50 unless said", "http: has its limit bounded, returns its position, and can be walked to the end"],
    [
      "limit is brought into 1 to 100",
      "http: has its limit bounded, returns its position, and can be walked to the end",
      "audiences: is found in pages that end where the segments do"
    ],
    ["offset is 0 unless said", "http: has its limit bounded, returns its position, and can be walked to the end"],
    ["a limit that is no whole number is 400", "http: of a limit or an offset that is none is refused: %s"],
    [
      "an offset that is negative or no whole number is 400",
      "http: of a limit or an offset that is none is refused: %s"
    ],
    [
      "an offset past the end, however far, is an empty page",
      "http: has its limit bounded, returns its position, and can be walked to the end",
      "audiences: is found in pages that end where the segments do"
    ],
    [
      "has_more is true until the last row is returned",
      "http: has its limit bounded, returns its position, and can be walked to the end",
      "audiences: is found in pages that end where the segments do"
    ],
    [
      "total counts the whole collection, under the filter",
      "http: has its limit bounded, returns its position, and can be walked to the end",
      "audiences: is found in pages that end where the segments do",
      "agent: comes first in the list when it was spoken in last"
    ],
    ["rows are under data for target-audiences, signatures and conversations", "http: of %s keeps its own shape"],
    [
      "rows are under data for messages",
      "agent: keeps each question with its answer, under the first question's title"
    ],
    [
      "GET /campaigns and GET /lists keep their rows under campaigns and lists, without data",
      "http: of %s keeps its own shape"
    ],
    [
      "collections are newest first",
      "http: has its limit bounded, returns its position, and can be walked to the end",
      "signatures: lists each signature on one page, newest first, for any page size"
    ],
    [
      "rows of one instant are in the order of their ids",
      "http: of rows made in one instant is in one order, and holds each once"
    ],
    [
      "conversations are by their last message, newest first",
      "agent: comes first in the list when it was spoken in last"
    ],
    ["messages are oldest first", "agent: keeps each question with its answer, under the first question's title"],
    ["a filter that could never match is 400", "http: is refused where a filter could never match"],
    [
      "unknown body fields and query parameters are ignored",
      "bodies: may carry unknown fields, __proto__ among them",
      "http: has its limit bounded, returns its position, and can be walked to the end"
    ],

    [
      "a retry under the same Idempotency-Key gets the first answer, and nothing is done again",
      "idempotency: answers a retry with the first answer, marked, and does nothing again"
    ],
    [
      "a replay carries Idempotent-Replayed: true",
      "idempotency: answers a retry with the first answer, marked, and does nothing again"
    ],
    [
      "the same key with another body is 409 CONFLICT",
      "idempotency: refuses the key with another body, and takes it on another path or in another workspace"
    ],
    ["bodies are compared as they were sent", "idempotency: stands for the body as it was sent, to the letter"],
    [
      "the same key while its request is in flight is 409 CONFLICT",
      "idempotency: is refused while its request is in hand, and free once that was hung up on",
      "idempotency: does the work once for twins that arrive together",
      "preview: while the first request is in progress gets a Retry-After"
    ],
    [
      "a run that failed frees its key",
      "idempotency: is freed by a refusal and by a crash",
      "preview: before the preview is complete refunds it, and releases the key",
      "idempotency: is refused while its request is in hand, and free once that was hung up on"
    ],
    [
      "a crash frees the key",
      "idempotency: leaves a key to a job for as long as that is in hand",
      "preview: before the preview is complete refunds it, and releases the key"
    ],
    [
      "the key holds for POST /campaigns, target-audience, selection and branch",
      "idempotency: holds for $name: one answer, one piece of work, no other body"
    ],
    ["the key holds for preview", "preview: with the same key gets the same preview, and is not charged"],
    [
      "the key holds for the start of value propositions",
      "idempotency: replays selections and the start of value propositions as they were"
    ],
    [
      "the key means nothing to generate and generate-batch: a retry runs and charges again",
      "idempotency: means nothing elsewhere: the same again is done again, and charged again"
    ],
    [
      "the key means nothing anywhere else",
      "idempotency: means nothing elsewhere: the same again is done again, and charged again"
    ],
    [
      "a key is a workspace's, for one method and path",
      "idempotency: refuses the key with another body, and takes it on another path or in another workspace"
    ],
    ["a key is 1 to 255 visible ASCII characters", "idempotency: may be anything visible of 1 to 255 characters"],
    ["any other key is 400", "idempotency: refuses %s for a key"],
    ["a key is kept for 24 hours", "idempotency: forgets after a day"],

    [
      "every answer carries X-Request-Id, refusals included",
      "http: is the server's own, new each time, the same in header and body",
      "http: is asked for by $method $path",
      "http: %s %s"
    ],
    [
      "request_id is the server's, new for each request, and the same in header, body and log",
      "http: is the server's own, new each time, the same in header and body",
      "http: is answered in general words, with details only in the log"
    ],

    ["GET /health is 200 with status ok and the version", "http: is open, unstamped, and tells the version"],
    ["GET /health asks for no key, and minds none", "http: is open, unstamped, and tells the version"],
    ["GET /health carries no X-Request-Id", "http: is open, unstamped, and tells the version"],
    [
      "GET /health is 503 with status unavailable when the store does not answer",
      "http: health says so when the store does not answer"
    ],
    ["any other method on /health is 404", "http: answers to nothing but GET"],
    [
      "health is not counted by the rate limit",
      "http: is each key's own, and is checked after the key and before scope and body"
    ],

    ["a path :id that is no UUID is 404", "isolation: that is none is refused: $name"],
    ["an unknown :id is 404", "isolation: of nothing is refused: $name"],
    ["an asset :type that is none of the four is 404", "http: $method $path of an unknown type"],
    ["another workspace's campaign is 403 FORBIDDEN", "isolation: of another workspace is refused: $name"],
    ["another workspace's list, job, signature or segment is 404", "isolation: of another workspace is refused: $name"],
    [
      "another workspace's conversation, or campaign in a chat, is 404",
      "agent: belongs to one workspace and one campaign"
    ],
    ["the body is checked before the resource", "http: the body before the resource: %s %j"],
    ["the scope is checked before the body", "http: a scope before the body, parameters and the resource"],
    [
      "every issue of a body is reported at once, with its path",
      "bodies: is reported all at once, each issue with its path",
      "bodies: %j at %s: %j"
    ],
    [
      "null for an optional field counts as absent",
      "caps: of %s takes null for what may be left out: %j",
      "audiences: are made and brought up to date by the campaigns that use them",
      "branch: tells of each step what was submitted last, in the order it was chosen"
    ],
    [
      "lengths are counted in characters, also those beyond 16 bits",
      "bodies: holds texts that are counted in characters, whatever those take in UTF-16",
      "branch: has a name of 1 to 200 characters, trimmed, however it comes by it"
    ]
  ]
}
