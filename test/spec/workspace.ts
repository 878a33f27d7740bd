// test/spec/workspace.ts: the company profile, its imports, and the documents made from it.
import type { Chapter } from "./Fact.ts"

export const workspace: Chapter = {
  title: "Workspace",
  facts: [
    [
      "GET /workspace: id, name, onboarding_completed, details, documents",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "GET /workspace: every detail field is present, null if unknown",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "documents have type, title, status, download_url",
      "workspace: returns all of its details and the state of its documents",
      "workspace: requested several times at once is one job, during which no document can be read"
    ],
    [
      "download_url is a signed link for a ready document, else null",
      "workspace: returns all of its details and the state of its documents",
      "workspace: requested several times at once is one job, during which no document can be read"
    ],
    [
      "a signed link needs no key, and is 403 once altered",
      "workspace: opens a document without a key, and fails if it is altered"
    ],
    [
      "a signed link ends after 15 minutes",
      "workspace: opens a document without a key, and fails if it is altered",
      "workspace: expires"
    ],
    [
      "PUT details: any of the 23 texts, 4 lists and core_products may be sent",
      "workspace: names every field that an owner may edit"
    ],
    [
      "PUT details: 200 with details, every field, null where empty",
      "workspace: changes the details that are sent and leaves the others",
      "workspace: names every field that an owner may edit"
    ],
    [
      "PUT details: omitted fields and null keep their value; an empty value clears",
      "workspace: changes the details that are sent and leaves the others"
    ],
    [
      "PUT details: a product needs its name; its pricing defaults to empty",
      "workspace: changes the details that are sent and leaves the others",
      "workspace: refuses %s and names the field",
      "field-limits: null for a price is stored as an empty string"
    ],
    ["PUT details: 400 without any field that is known", "workspace: refuses %s and names the field"],
    ["PUT details: 400 that names the field of the wrong type", "workspace: refuses %s and names the field"],
    [
      "PUT details: texts of at most 20,000 characters, lists of at most 100",
      "field-limits: %s accepts a text at %s of at most %d characters",
      "field-limits: %s accepts a list at %s of at most %d entries"
    ],
    ["PUT details: saves without regenerating documents", "workspace: saves its details without regenerating anything"],
    [
      "imports/document: 202 with the job, pending, its eight fields",
      "imports: is answered with a job that is pending"
    ],
    [
      "imports/document: .txt, .md, .csv, .pdf and .docx are read",
      "imports: is read as %s, and fills only empty fields",
      "imports: in CSV fills the fields that its rows name"
    ],
    ["imports/document: 400 for another type, by name or by bytes", "imports: of %s is refused"],
    [
      "imports/document: 400 without a file, with two, with an empty one, or without multipart/form-data",
      "imports: of %s is refused",
      "imports: is refused when it ends too early, is empty, or never ends"
    ],
    [
      "imports/document: at most 10 MiB",
      "imports: may have exactly the largest allowed size, and other form fields",
      "imports: of %s is refused"
    ],
    [
      "imports/document: result is status and fields_updated, an array of the fields it filled",
      "imports: is read as %s, and fills only empty fields"
    ],
    [
      "imports/document: an unreadable file ends completed, with result.status failed and an error",
      "imports: that is %s fails, and its result gives the reason"
    ],
    [
      "imports fill only details that are empty",
      "imports: is read as %s, and fills only empty fields",
      "imports: keeps details that the owner entered before the import",
      "fetch: is read with its pages about the company, and fills empty profile fields"
    ],
    [
      "imports/document: 429 WORKSPACE_LIMIT at the plan's uploads and storage, after the body is checked",
      "imports: counts towards the document limit of the plan forever, and towards its storage by size"
    ],
    [
      "imports: 429 RATE_LIMITED beyond 20 a minute, files and URLs together",
      "imports: is refused after 20 uploads within a minute",
      "rate-limits: of imports is shared by files and URLs"
    ],
    [
      "imports/url: 202 with id, type, status pending, result, error, created_at, updated_at and no progress",
      "fetch: is read with its pages about the company, and fills empty profile fields"
    ],
    [
      "imports/url: url is required, http or https, at most 2000 characters, else 400",
      "fetch: refuses every form of private address, and other schemes, ports and users",
      "fetch: accepts URLs of at most 2000 characters, not counting surrounding spaces"
    ],
    [
      "imports/url: a literal private address is 400",
      "fetch: refuses every form of private address, and other schemes, ports and users"
    ],
    [
      "imports/url: a name that resolves to a private address fails the job with an error",
      "fetch: fails the job if a name resolves to a private address"
    ],
    [
      "imports/url: a page that cannot be fetched fails the job with an error",
      "fetch: that %s fails the job",
      "fetch: that is unreachable fails the job"
    ],
    [
      "imports/url: result.parsed is true when fields were filled, false when none was",
      "fetch: is read with its pages about the company, and fills empty profile fields",
      "fetch: without company information completes with nothing parsed"
    ],
    ["imports and regenerate: 429 while requests cannot be counted", "rate-limits: refuses $method $path"],
    [
      "regenerate: 202 with id, type, status processing, targets",
      "workspace: requested several times at once is one job, during which no document can be read"
    ],
    [
      "regenerate: a second one while one runs is the running one",
      "workspace: repeats the research, one job at a time, and keeps the user's choices",
      "workspace: requested several times at once is one job, during which no document can be read"
    ],
    [
      "regenerate: generates both documents from the current details",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "regenerate: replaces segments and options that no person edited or selected, keeps the others",
      "workspace: replaces the segments and options that no person changed, linked or chose",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "regenerate: a failed one leaves the documents ready and unchanged",
      "workspace: does not change the documents if it fails"
    ],
    ["regenerate: 404 without an owner", "workspace: is rejected in a workspace without an owner"],
    ["regenerate: 429 beyond 10 a minute", "workspace: has its own stricter rate limit"],
    [
      "GET regenerate/:id: id, status and artifacts of type and status",
      "workspace: repeats the research, one job at a time, and keeps the user's choices",
      "workspace: does not change the documents if it fails"
    ],
    [
      "GET regenerate/:id: completed once both artifacts are ready",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "GET regenerate/:id: 404 for another workspace's, an unknown one, or another kind of job",
      "workspace: is found only by the id of its own job",
      "isolation: of nothing is refused: $name"
    ],
    [
      "reads need workspace:read, changes workspace:write",
      "http: needs $scope for $method $path",
      "http: each endpoint requires the scope in the specification",
      "imports: needs the scope workspace:write"
    ]
  ]
}
