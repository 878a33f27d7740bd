// test/spec/errors.ts: the pipeline of a request, and every refusal in one form.
import type { Chapter } from "./Fact.ts"

export const errors: Chapter = {
  title: "Errors",
  facts: [
    [
      "every error is error, message, request_id and perhaps detail",
      "bodies: is reported all at once, each issue with its path",
      "http: %s %s",
      "http: is answered in general words, with details only in the log"
    ],
    [
      "request_id is req_ and a UUID of version 7, never the client's",
      "http: is the server's own, new each time, the same in header and body"
    ],
    ["BAD_REQUEST is 400", "bodies: is refused: %s", "generation: that are wrong are refused by both endpoints"],
    ["UNAUTHORIZED is 401", "http: is asked for by $method $path"],
    [
      "INSUFFICIENT_CREDITS is 402, with required, available, payg_enabled, pct_of_cap",
      "generation-admission: the credits are there",
      "preview: is rejected without five credits, and may use the last five"
    ],
    ["FORBIDDEN is 403", "http: needs $scope for $method $path", "isolation: of another workspace is refused: $name"],
    [
      "FORBIDDEN at the plan's build limit has reason, limit and used",
      "build: is counted against the plan, after readiness is asked, however many are asked for at once"
    ],
    [
      "NOT_FOUND is 404",
      "isolation: of nothing is refused: $name",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "NOT_READY is 409: export too early",
      "lists: show the fields of their state and no others, and allow what that allows"
    ],
    [
      "NOT_READY is 409: value propositions before the other selections, their selection before there are any",
      "build: are generated once the steps before them are there",
      "build: are selected only once there are some, and at least one"
    ],
    [
      "NOT_READY is 409: preview before the build, chat before a knowledge base",
      "preview: requires a built campaign, and charges nothing before",
      "agent: starts only once the campaign has its knowledge base"
    ],
    ["NOT_READY is 409: a campaign before the workspace is ready", "idempotency: is freed by a refusal and by a crash"],
    [
      "CONFLICT is 409: a key with another body or in flight",
      "idempotency: refuses the key with another body, and takes it on another path or in another workspace",
      "preview: while the first request is in progress gets a Retry-After"
    ],
    [
      "CONFLICT is 409: deleting a list or a campaign in work",
      "lists: are not deleted while they are in work, and afterwards leave their history behind",
      "branch: is not deleted while one of its lists is in work, nor while a caller waits for one lead"
    ],
    [
      "UNPROCESSABLE is 422: nothing to branch from, nothing to reprocess",
      "branch: needs a source with an audience, a known step and a campaign build left",
      "lists: go on only while there is something left to do, and the campaign to do it for"
    ],
    [
      "RATE_LIMITED is 429, with Retry-After",
      "http: counts down over all endpoints, then refuses and says until when",
      "generation: is one of five at once in a workspace"
    ],
    [
      "WORKSPACE_LIMIT is 429, with Retry-After: lists in work, uploads, storage",
      "generation-admission: the plan has room for one more list, and that is asked before the credits are",
      "imports: is counted against the plan for ever, and against its storage by its size"
    ],
    [
      "INTERNAL_ERROR is 500 in general words, the cause in the log alone",
      "http: is answered in general words, with details only in the log"
    ],
    [
      "success is 200, 201 for what is created, 202 for work accepted",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "idempotency: answers a retry with the first answer, marked, and does nothing again",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed",
      "lists: go on only while there is something left to do, and the campaign to do it for"
    ],
    [
      "order: route, key, rate limit, scope, body and parameters",
      "http: a route before a key, a key before anything else",
      "http: is each key's own, and is checked after the key and before scope and body",
      "http: a scope before the body, parameters and the resource"
    ],
    [
      "order: body, resource, state, quota, credits",
      "http: the body before the resource: %s %j",
      "generation-admission: the campaign's state is asked before room and credits",
      "generation-admission: the plan has room for one more list, and that is asked before the credits are",
      "preview: requires a built campaign, and charges nothing before",
      "agent: that is not there is said before what its campaign lacks"
    ],
    ["an unknown path or a wrong method is 404", "http: %s %s", "http: answers to nothing but GET"],
    [
      "a validation error tells every issue with its path, the first in its message",
      "bodies: is reported all at once, each issue with its path",
      "bodies: %j at %s: %j"
    ],
    ["no error repeats the value that was sent", "bodies: never shows the value that was sent"],
    ["a wrong or missing content type on JSON is 400", "bodies: is refused as %s"],
    [
      "NUL, half of a surrogate pair and invalid UTF-8 are 400",
      "hostile: that is no document, or none to be kept, is refused: $name",
      "hostile: that is no document, or none to be kept, is refused: $name"
    ],
    ["JSON deeper than 64 is 400", "bodies: may be 64 levels deep and not 65"],
    [
      "CORS is off unless origins are named, whose pages then read what an answer says in headers",
      "http: is anything for the pages of other origins",
      "http: may call, and reads every header that is meant for a caller"
    ]
  ]
}
