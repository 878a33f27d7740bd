// test/spec/signatures.ts: saved signatures of emails.
import type { Chapter } from "./Fact.ts"

export const signatures: Chapter = {
  title: "Signatures",
  facts: [
    [
      "GET: 200 with data, has_more, total",
      "signatures: creates, lists, replaces and removes",
      "http: of %s has the documented shape"
    ],
    [
      "GET: newest first, without duplicates across pages",
      "signatures: lists each signature on one page, newest first, for any page size"
    ],
    [
      "POST: 201 with id, signature_text, signature_name, created_by, created_at, updated_at",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "bodies: may have unknown fields, including __proto__"
    ],
    [
      "signature_text is required, 1 to 5000 characters, trimmed, else 400, on POST and PUT",
      "signatures: trims a signature, names it after its first line, and names the workspace's owner as creator",
      "field-limits: %s accepts a text at %s of at most %d characters",
      "bodies: is refused: %s"
    ],
    [
      "signature_name is the first non-empty line, whatever a client sends",
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
      "http: each endpoint requires the scope in the specification"
    ]
  ]
}
