// test/spec/authentication.ts: who is calling, and what they may do.
import type { Chapter } from "./Fact.ts"

export const authentication: Chapter = {
  title: "Authentication",
  facts: [
    [
      "every endpoint but health asks for a key",
      "http: is asked for by $method $path",
      "http: is open, unstamped, and tells the version"
    ],
    [
      "a key comes in Authorization: Bearer or in X-API-Key",
      "http: both key headers have to agree, and neither may come twice"
    ],
    [
      "both headers may come if they agree, else 401",
      "http: both key headers have to agree, and neither may come twice"
    ],
    [
      "401 UNAUTHORIZED for a missing, unknown, expired, revoked or rotated key, each alike",
      "http: revoked, expired, rotated out, unknown or missing: the answer is the same"
    ],
    [
      "a mistyped key never reaches the store, and without a store every key is refused",
      "http: with a bad checksum never reaches the store, and without a store every key is refused"
    ],
    [
      "a campaign of another workspace is 403 under /campaigns/:id",
      "isolation: of another workspace is refused: $name"
    ],
    [
      "every other resource of another workspace is 404",
      "isolation: of another workspace is refused: $name",
      "agent: belongs to one workspace and one campaign",
      "workspace: is followed only by the id of its own job",
      "lists: can be renamed, and only by their own workspace"
    ],
    [
      "403 FORBIDDEN for a key without the endpoint's scope; with it alone the request is let in",
      "http: needs $scope for $method $path"
    ],
    [
      "each endpoint asks for the scope that the contract names",
      "http: asks of each endpoint the scope that the specification names"
    ],
    ["GET /jobs/:id: any valid key", "http: of any scope, or of none, may ask for a job"],
    [
      "a key is ovk_, 40 random characters and 6 of checksum",
      "auth: is ovk_, 40 random letters or digits and 6 of checksum"
    ],
    ["only the hash of a key is stored; it is shown once", "auth: is kept as its hash alone, and shown once"],
    [
      "revoking works within 5 seconds on a running server",
      "auth: revoked is refused at once, and elsewhere within five seconds",
      "auth: in steady use is looked at again within five seconds, all the same"
    ],
    ["a key expires when it was to", "auth: expires when it was to"],
    [
      "rotation issues a new key and lets the old one live for its grace",
      "auth: rotated lives on for its grace beside the new one"
    ],
    ["a key tells when it was last used", "auth: remembers when it was last used"]
  ]
}
