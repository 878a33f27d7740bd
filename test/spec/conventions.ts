// test/spec/conventions.ts: rules of all endpoints: pages, idempotency, request ids; and the health endpoint.
import type { Chapter } from "./Fact.ts"

export const conventions: Chapter = {
  title: "Conventions and health",
  facts: [
    ["every endpoint but health asks for a key: 401 UNAUTHORIZED", "http: is required by $method $path"],
    ["any endpoint may answer 500 INTERNAL_ERROR", "http: returns a general error, with details only in the log"],
    [
      "any endpoint may answer 429 RATE_LIMITED",
      "http: counts down over all endpoints, then refuses and says until when"
    ],

    ["limit defaults to 50", "http: has a bounded limit, returns its position, and can be followed to the end"],
    [
      "limit is clamped to 1 to 100",
      "http: has a bounded limit, returns its position, and can be followed to the end",
      "audiences: is listed in pages"
    ],
    ["offset defaults to 0", "http: has a bounded limit, returns its position, and can be followed to the end"],
    ["a limit that is no whole number is 400", "http: with an invalid limit or offset is refused: %s"],
    ["an offset that is negative or no whole number is 400", "http: with an invalid limit or offset is refused: %s"],
    [
      "an offset past the end, however far, is an empty page",
      "http: has a bounded limit, returns its position, and can be followed to the end",
      "audiences: is listed in pages"
    ],
    [
      "has_more is true until the last row is returned",
      "http: has a bounded limit, returns its position, and can be followed to the end",
      "audiences: is listed in pages"
    ],
    [
      "total counts the whole collection, under the filter",
      "http: has a bounded limit, returns its position, and can be followed to the end",
      "audiences: is listed in pages",
      "agent: is listed first when it has the latest message"
    ],
    ["rows are under data for target-audiences, signatures and conversations", "http: of %s has the documented shape"],
    [
      "rows are under data for messages",
      "agent: keeps each question with its answer, under the first question's title"
    ],
    [
      "GET /campaigns and GET /lists keep their rows under campaigns and lists, without data",
      "http: of %s has the documented shape"
    ],
    [
      "collections are newest first",
      "http: has a bounded limit, returns its position, and can be followed to the end",
      "signatures: lists each signature on one page, newest first, for any page size"
    ],
    [
      "rows with equal timestamps are ordered by id",
      "http: of rows with equal timestamps has a stable order without duplicates"
    ],
    ["conversations are by their last message, newest first", "agent: is listed first when it has the latest message"],
    ["messages are oldest first", "agent: keeps each question with its answer, under the first question's title"],
    ["a filter that can never match is 400", "http: is refused for a filter that can never match"],
    [
      "unknown body fields and query parameters are ignored",
      "bodies: may have unknown fields, including __proto__",
      "http: has a bounded limit, returns its position, and can be followed to the end"
    ],

    [
      "a retry with the same Idempotency-Key gets the first response, without another execution",
      "idempotency: answers a retry with the first answer and Idempotent-Replayed, and does nothing again"
    ],
    [
      "a replay carries Idempotent-Replayed: true",
      "idempotency: answers a retry with the first answer and Idempotent-Replayed, and does nothing again"
    ],
    [
      "the same key with another body is 409 CONFLICT",
      "idempotency: refuses the key with another body, and accepts it on another path or in another workspace"
    ],
    ["bodies are compared byte by byte", "idempotency: is bound to the exact bytes of the body"],
    [
      "the same key while its request is in flight is 409 CONFLICT",
      "idempotency: is refused while its request runs, and free after that is aborted",
      "idempotency: runs the request once when identical requests arrive together",
      "preview: while the first request is in progress gets a Retry-After"
    ],
    [
      "a failed request frees its key",
      "idempotency: can be used again after a refused request and after a crash",
      "preview: before the preview is complete refunds it, and releases the key",
      "idempotency: is refused while its request runs, and free after that is aborted"
    ],
    [
      "a crash frees the key",
      "idempotency: belongs to a job while the job runs",
      "preview: before the preview is complete refunds it, and releases the key"
    ],
    [
      "POST /campaigns, target-audience, selection and branch accept the key",
      "idempotency: works for $name: one answer, one change, and no other body"
    ],
    ["preview accepts the key", "preview: with the same key gets the same preview, and is not charged"],
    [
      "generating value propositions accepts the key",
      "idempotency: replays selections and the start of value propositions"
    ],
    [
      "generate and generate-batch ignore the key: a retry runs and charges again",
      "idempotency: is ignored by other endpoints: the same request runs and is charged again"
    ],
    [
      "all other endpoints ignore the key",
      "idempotency: is ignored by other endpoints: the same request runs and is charged again"
    ],
    [
      "a key belongs to a workspace, a method and a path",
      "idempotency: refuses the key with another body, and accepts it on another path or in another workspace"
    ],
    ["a key is 1 to 255 visible ASCII characters", "idempotency: may be any 1 to 255 visible ASCII characters"],
    ["any other key is 400", "idempotency: refuses %s as a key"],
    ["a key is kept for 24 hours", "idempotency: expires after a day"],

    [
      "every response has X-Request-Id, errors included",
      "http: is generated by the server for each request",
      "http: is required by $method $path",
      "http: %s %s"
    ],
    [
      "request_id is generated for each request, and the same in header, body and log",
      "http: is generated by the server for each request",
      "http: returns a general error, with details only in the log"
    ],

    [
      "GET /health is 200 with status ok and the version",
      "http: needs no key, has no rate limit, and returns the version"
    ],
    ["GET /health needs no key, and ignores one", "http: needs no key, has no rate limit, and returns the version"],
    ["GET /health carries no X-Request-Id", "http: needs no key, has no rate limit, and returns the version"],
    [
      "GET /health is 503 with status unavailable when the store does not answer",
      "http: health returns 503 when the store does not respond"
    ],
    ["any other method on /health is 404", "http: accepts only GET"],
    [
      "health is not counted by the rate limit",
      "http: is each key's own, and is checked after the key and before scope and body"
    ],

    ["a path :id that is no UUID is 404", "isolation: that is malformed is refused: $name"],
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
      "bodies: report all issues at once, each with its path",
      "bodies: %j at %s: %j"
    ],
    [
      "null for an optional field counts as absent",
      "field-limits: %s accepts null for optional fields: %j",
      "audiences: are created and updated by the campaigns that use them",
      "campaigns: shows the latest selection of each step, in the submitted order"
    ],
    [
      "lengths are counted in characters, not in UTF-16 units",
      "bodies: has text lengths counted in characters, not in UTF-16 units",
      "campaigns: has a trimmed name of 1 to 200 characters on create, rename and branch"
    ]
  ]
}
