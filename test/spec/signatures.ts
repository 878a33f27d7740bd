// test/spec/signatures.ts: saved texts to set under emails.
import type { Chapter } from "./Fact.ts"

export const signatures: Chapter = {
  title: "Signatures",
  facts: [
    [
      "GET: 200 with data, has_more, total",
      "signatures: creates, lists, replaces and removes",
      "http: of %s keeps its own shape"
    ],
    [
      "GET: newest first, each once, whatever the page",
      "signatures: lists each signature on one page, newest first, for any page size"
    ],
    [
      "POST: 201 with id, signature_text, signature_name, created_by, created_at, updated_at",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "bodies: may carry unknown fields, __proto__ among them"
    ],
    [
      "signature_text is required, 1 to 5000 characters, trimmed, else 400, on POST and PUT",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "caps: of %s takes a text at %s of %d characters, whatever letters they are, and no more",
      "bodies: is refused: %s"
    ],
    [
      "signature_name is the first line that says anything, whatever a client sends",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "signatures: the name is the first non-blank line, trimmed"
    ],
    [
      "created_by is the workspace's owner",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator"
    ],
    [
      "PUT: 200, replaces the text, derives the name again, keeps id and created_at",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "signatures: replaces only the text and its name"
    ],
    [
      "DELETE: 200 with id and deleted true, once",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "signatures: removes only the given signature, and only once"
    ],
    [
      "PUT and DELETE: 404 for an unknown id and another workspace's",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "isolation: of another workspace is refused: $name",
      "signatures: does not let another workspace find, replace or remove a signature"
    ],
    [
      "403 without signatures:read or signatures:write",
      "http: needs $scope for $method $path",
      "http: asks of each endpoint the scope that the specification names"
    ]
  ]
}
