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
      "signatures: walking the pages finds each signature once, newest first, whatever the page size"
    ],
    [
      "POST: 201 with id, signature_text, signature_name, created_by, created_at, updated_at",
      "signatures: a signature is trimmed, named after its first line, and belongs to the workspace's owner",
      "bodies: may have unknown fields, including __proto__"
    ],
    [
      "signature_text is required, 1 to 5000 characters, trimmed, else 400, on POST and PUT",
      "signatures: a signature is trimmed, named after its first line, and belongs to the workspace's owner",
      "field-limits: %s accepts a text at %s of at most %d characters",
      "bodies: is refused: %s"
    ],
    [
      "signature_name is the first non-empty line, whatever a client sends",
      "signatures: a signature is trimmed, named after its first line, and belongs to the workspace's owner",
      "signatures: a name is the first line that says anything, trimmed"
    ],
    [
      "created_by is the workspace's owner",
      "signatures: a signature is trimmed, named after its first line, and belongs to the workspace's owner"
    ],
    [
      "PUT: 200, replaces the text, derives the name again, keeps id and created_at",
      "signatures: a signature is trimmed, named after its first line, and belongs to the workspace's owner",
      "signatures: replaces a text and its name, and nothing else"
    ],
    [
      "DELETE: 200 with id and deleted true, once",
      "signatures: a signature is trimmed, named after its first line, and belongs to the workspace's owner",
      "signatures: removes one and leaves the others, once"
    ],
    [
      "PUT and DELETE: 404 for an unknown id and another workspace's",
      "signatures: a signature is trimmed, named after its first line, and belongs to the workspace's owner",
      "isolation: of another workspace is refused: $name",
      "signatures: hides a signature from other workspaces, whatever they try"
    ],
    [
      "403 without signatures:read or signatures:write",
      "http: needs $scope for $method $path",
      "http: each endpoint requires the scope in the specification"
    ]
  ]
}
