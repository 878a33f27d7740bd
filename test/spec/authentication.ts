// test/spec/authentication.ts: API keys and scopes.
import type { Chapter } from "./Fact.ts"

export const authentication: Chapter = {
  title: "Authentication",
  facts: [
    [
      "every endpoint but health requires a key",
      "http: is required by $method $path",
      "http: needs no key, has no rate limit, and returns the version"
    ],
    [
      "a key comes in Authorization: Bearer or in X-API-Key",
      "http: both key headers must agree, and duplicates are refused"
    ],
    [
      "both headers are allowed if they agree, else 401",
      "http: both key headers must agree, and duplicates are refused"
    ],
    [
      "401 UNAUTHORIZED for a missing, unknown, expired, revoked or rotated key, with the same error",
      "http: that is revoked, expired, rotated, unknown or missing gets the same error"
    ],
    [
      "a mistyped key is refused without the store, and without a store every key is refused",
      "http: with a bad checksum is refused without the store"
    ],
    [
      "a campaign of another workspace is 403 under /campaigns/:id",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "every other resource of another workspace is 404",
      "isolation: of another workspace is refused: $name",
      "agent: belongs to one workspace and one campaign",
      "workspace: is found only by the id of its own job",
      "lists: can be renamed only by their own workspace"
    ],
    [
      "403 FORBIDDEN for a key without the endpoint's scope; with only that scope the request is allowed",
      "http: needs $scope for $method $path"
    ],
    ["each endpoint requires the scope in the contract", "http: each endpoint requires the scope in the specification"],
    ["GET /jobs/:id: any valid key", "http: of any scope, or none, may read a job"],
    [
      "a key is ovk_, 40 random characters and 6 of checksum",
      "auth: is ovk_, 40 random letters or digits and 6 of checksum"
    ],
    ["only the hash of a key is stored; it is shown once", "auth: is stored only as a hash, and shown once"],
    [
      "revoking works within 5 seconds on a running server",
      "auth: that is revoked is refused at once, and in other processes within five seconds",
      "auth: in constant use is checked again within five seconds"
    ],
    ["a key expires on time", "auth: expires on time"],
    [
      "rotation issues a new key and keeps the old one for a grace period",
      "auth: that is rotated stays valid for the grace period"
    ],
    ["a key shows when it was last used", "auth: records when it was last used"]
  ]
}
