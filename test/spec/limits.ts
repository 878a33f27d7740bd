// test/spec/limits.ts: how much, how long and how often.
import type { Chapter } from "./Fact.ts"

export const limits: Chapter = {
  title: "Limits",
  facts: [
    [
      "limit is 50 unless sent, and brought into 1 to 100",
      "http: has its limit bounded, returns its position, and can be walked to the end"
    ],
    ["offset is 0 unless sent", "http: has its limit bounded, returns its position, and can be walked to the end"],
    ["a limit or an offset that is no whole number, or a negative offset, is 400", "bodies: is refused: %s"],
    [
      "has_more and total tell where a page stands",
      "http: has its limit bounded, returns its position, and can be walked to the end",
      "signatures: lists each signature on one page, newest first, for any page size"
    ],
    [
      "email_count is 1 to 4",
      "generation: that are wrong are refused by both endpoints",
      "preview: is rejected with the path of the invalid field and a readable message"
    ],
    [
      "a batch has 1 to 50,000 leads",
      "generation-batch: is refused with leads that are none: $path",
      "generation-batch: may hold 50,000 leads"
    ],
    [
      "signature_text has 1 to 5000 characters, trimmed",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "caps: of %s takes a text at %s of %d characters, whatever letters they are, and no more",
      "bodies: holds texts that are counted in characters, whatever those take in UTF-16"
    ],
    [
      "a chat message has 1 to 8000 characters, trimmed",
      "agent: takes messages of 1 to 8000 characters",
      "caps: of %s takes a text at %s of %d characters, whatever letters they are, and no more"
    ],
    [
      "a character is one whatever letter it is",
      "caps: of %s takes a text at %s of %d characters, whatever letters they are, and no more"
    ],
    [
      "an import's url has at most 2000 characters",
      "fetch: an address has 2000 characters at most, and its spaces do not count for it"
    ],
    [
      "a document has at most 10 MiB",
      "imports: may be as large as it is allowed to be, and carry other fields",
      "imports: of %s is refused"
    ],
    [
      "an address has at most 254 characters, is plain, and holds no control character",
      "caps: of %s takes an address at %s of 254 characters and no more",
      "bodies: an address that is none: %j",
      "bodies: an address that is one: %s"
    ],
    [
      "texts and lists of a body have their caps",
      "caps: of %s takes a text at %s of %d characters, whatever letters they are, and no more",
      "caps: of %s takes a list at %s of %d entries and no more"
    ],
    [
      "a JSON body has at most 1 MiB, a batch 32 MiB, else 400",
      "bodies: may be a MiB, and for many leads more, and no byte beyond",
      "http: a batch may be larger",
      "http: a body that does not say its size is counted as it comes"
    ],
    [
      "a preview costs 5, whatever is enriched",
      "preview: writes to five leads under the caller's headers, and costs five credits",
      "preview: has the columns of a simulated enrichment, at the same price"
    ],
    [
      "a lead costs 1, and 2 with enrichment_enabled",
      "generation: is answered with its sequence, charged, and kept in a list of its own",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed",
      "enrichment: has each site fetched once, costs two credits a lead, and keeps what each lead was written from",
      "enrichment: needs two credits for a single lead"
    ],
    [
      "the rate limit is each key's own, over all endpoints",
      "http: is each key's own, and is checked after the key and before scope and body",
      "http: counts down over all endpoints, then refuses and says until when"
    ],
    ["the rate limit is the plan's", "http: is the plan's: %s, %d a minute"],
    [
      "X-RateLimit-Limit, -Remaining and -Reset are on every answer to a key",
      "limiter: is in the headers of every answer of $method $path"
    ],
    ["X-RateLimit-Reset is in epoch seconds", "http: counts down over all endpoints, then refuses and says until when"],
    [
      "Retry-After is whole seconds, at least 1, on every 429",
      "http: counts down over all endpoints, then refuses and says until when",
      "generation-admission: the plan has room for one more list, and that is asked before the credits are",
      "limiter: refuses $method $path"
    ],
    [
      "chat has 30 a minute, imports 20, regenerate 10",
      "agent: has a tighter limit of its own, and costs no credits",
      "imports: is refused from the twenty-first on within a minute",
      "workspace: has its own stricter rate limit"
    ],
    ["where two limits count, the headers show the nearer one", "limiter: the headers show the nearer one"],
    ["OVERTURE_RATE_LIMIT replaces them all", "limiter: replaces what the plan says, and the tighter ones too"],
    [
      "a limiter that fails refuses four endpoints with 429",
      "limiter: refuses $method $path",
      "limiter: refuses four endpoints and no more"
    ],
    ["a limiter that fails lets everything else through, and that is logged", "limiter: lets $method $path through"],
    ["at most 5 generate calls at once in a workspace", "generation: is one of five at once in a workspace"],
    [
      "chat, imports and regenerate cost nothing",
      "agent: has a tighter limit of its own, and costs no credits",
      "jobs: of an import is pending until a worker claims it",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ]
  ]
}
