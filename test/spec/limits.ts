// test/spec/limits.ts: limits of sizes, lengths, prices and rates.
import type { Chapter } from "./Fact.ts"

export const limits: Chapter = {
  title: "Limits",
  facts: [
    [
      "limit defaults to 50, and is clamped to 1 to 100",
      "http: has a bounded limit, returns its position, and can be followed to the end"
    ],
    ["offset defaults to 0", "http: has a bounded limit, returns its position, and can be followed to the end"],
    ["a limit or an offset that is no whole number, or a negative offset, is 400", "bodies: is refused: %s"],
    [
      "has_more and total describe the position of a page",
      "http: has a bounded limit, returns its position, and can be followed to the end",
      "signatures: lists each signature on one page, newest first, for any page size"
    ],
    [
      "email_count is 1 to 4",
      "generation: that are invalid are refused by both endpoints",
      "preview: is rejected with the path of the invalid field and a readable message"
    ],
    [
      "a batch has 1 to 50,000 leads",
      "generation-batch: is refused with invalid leads: $path",
      "generation-batch: may hold 50,000 leads"
    ],
    [
      "signature_text has 1 to 5000 characters, trimmed",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "field-limits: %s accepts a text at %s of at most %d characters",
      "bodies: has text lengths counted in characters, not in UTF-16 units"
    ],
    [
      "a chat message has 1 to 8000 characters, trimmed",
      "agent: accepts messages of 1 to 8000 characters",
      "field-limits: %s accepts a text at %s of at most %d characters"
    ],
    [
      "a character counts as one, whatever its encoding",
      "field-limits: %s accepts a text at %s of at most %d characters"
    ],
    [
      "an import's url has at most 2000 characters",
      "fetch: accepts URLs of at most 2000 characters, not counting surrounding spaces"
    ],
    [
      "a document has at most 10 MiB",
      "imports: may have exactly the largest allowed size, and other form fields",
      "imports: of %s is refused"
    ],
    [
      "an email address has at most 254 characters, without a display name or control characters",
      "field-limits: %s accepts an email address at %s of at most 254 characters",
      "bodies: refuse an invalid email address: %j",
      "bodies: accept a valid email address: %s"
    ],
    [
      "texts and lists of a body have maximum lengths",
      "field-limits: %s accepts a text at %s of at most %d characters",
      "field-limits: %s accepts a list at %s of at most %d entries"
    ],
    [
      "a JSON body has at most 1 MiB, a batch 32 MiB, else 400",
      "bodies: may have the size limit of its endpoint and not a byte more",
      "http: a batch may have a larger body",
      "http: a chunked body is limited while it arrives"
    ],
    [
      "a preview costs 5, whatever is enriched",
      "preview: writes to five leads under the caller's headers, and costs five credits",
      "preview: has the columns of a simulated enrichment, at the same price"
    ],
    [
      "a lead costs 1, and 2 with enrichment_enabled",
      "generation: gets its sequence in the response, is charged, and is stored in its own list",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed",
      "enrichment: fetches each site once, costs two credits per lead, and stores the facts of each lead",
      "enrichment: charges two credits for a single lead"
    ],
    [
      "the rate limit is each key's own, over all endpoints",
      "http: is each key's own, and is checked after the key and before scope and body",
      "http: counts down over all endpoints, then refuses and says until when"
    ],
    ["the rate limit is the plan's", "http: is the plan's: %s, %d a minute"],
    [
      "X-RateLimit-Limit, -Remaining and -Reset are on every response to a key",
      "rate-limits: is in the headers of every response of $method $path"
    ],
    ["X-RateLimit-Reset is in epoch seconds", "http: counts down over all endpoints, then refuses and says until when"],
    [
      "Retry-After is whole seconds, at least 1, on every 429",
      "http: counts down over all endpoints, then refuses and says until when",
      "generation-admission: the plan allows another concurrent list, which is checked before credits",
      "rate-limits: refuses $method $path"
    ],
    [
      "chat has 30 a minute, imports 20, regenerate 10",
      "agent: has a separate limit of 30 requests, and costs no credits",
      "imports: is refused after 20 uploads within a minute",
      "workspace: has its own stricter rate limit"
    ],
    [
      "with two limits the headers show the one with less remaining",
      "rate-limits: the headers show the one with less remaining"
    ],
    ["OVERTURE_RATE_LIMIT replaces them all", "rate-limits: replaces the plan's limit and the stricter ones"],
    [
      "a limiter that fails refuses four endpoints with 429",
      "rate-limits: refuses $method $path",
      "rate-limits: refuses four endpoints and no more"
    ],
    [
      "a limiter that fails lets everything else through, and that is logged",
      "rate-limits: lets $method $path through"
    ],
    [
      "at most 5 generate calls at once in a workspace",
      "generation: is limited to five concurrent requests per workspace"
    ],
    [
      "chat, imports and regenerate cost nothing",
      "agent: has a separate limit of 30 requests, and costs no credits",
      "jobs: of an import is pending until a worker claims it",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ]
  ]
}
