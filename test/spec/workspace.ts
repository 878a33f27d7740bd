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
      "GET /workspace: every detail field is there, null where nothing is known",
      "workspace: returns all of its details and the state of its documents"
    ],
    [
      "documents have type, title, status, download_url",
      "workspace: returns all of its details and the state of its documents",
      "workspace: asked for at once is one job, and while it runs no document can be read"
    ],
    [
      "download_url is a signed link for a ready document, else null",
      "workspace: returns all of its details and the state of its documents",
      "workspace: asked for at once is one job, and while it runs no document can be read"
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
      "PUT details: what is not sent, or null, stays as it was; an empty value clears",
      "workspace: changes the details that are sent and leaves the others"
    ],
    [
      "PUT details: a product needs its name; its pricing is empty unless sent",
      "workspace: changes the details that are sent and leaves the others",
      "workspace: refuses %s and names the field",
      "caps: with null for a price leaves it empty"
    ],
    ["PUT details: 400 without any field that is known", "workspace: refuses %s and names the field"],
    ["PUT details: 400 that names the field of the wrong type", "workspace: refuses %s and names the field"],
    [
      "PUT details: texts of at most 20,000 characters, lists of at most 100",
      "caps: of %s takes a text at %s of %d characters, whatever letters they are, and no more",
      "caps: of %s takes a list at %s of %d entries and no more"
    ],
    ["PUT details: saves, and regenerates no document", "workspace: saves its details without regenerating anything"],
    [
      "imports/document: 202 with the job, pending, its eight fields",
      "imports: is answered with a job that is pending"
    ],
    [
      "imports/document: .txt, .md, .csv, .pdf and .docx are read",
      "imports: is read as %s, and fills only what is empty",
      "imports: as a CSV of fields fills them by name"
    ],
    ["imports/document: 400 for another type, by name or by bytes", "imports: of %s is refused"],
    [
      "imports/document: 400 without a file, with two, with an empty one, or without multipart/form-data",
      "imports: of %s is refused",
      "imports: is refused when it ends too early, is empty, or never ends"
    ],
    [
      "imports/document: 10 MiB are taken and no byte more",
      "imports: may be as large as it is allowed to be, and carry other fields",
      "imports: of %s is refused"
    ],
    [
      "imports/document: result is status and fields_updated, an array of the fields it filled",
      "imports: is read as %s, and fills only what is empty"
    ],
    [
      "imports/document: what cannot be read ends completed, with result.status failed and an error",
      "imports: that is %s is done with, and its result says why"
    ],
    [
      "imports fill only details that are empty",
      "imports: is read as %s, and fills only what is empty",
      "imports: keeps what the owner wrote, even while it is read",
      "fetch: is read with the pages that tell of the company, and fills what is empty"
    ],
    [
      "imports/document: 429 WORKSPACE_LIMIT at the plan's uploads and storage, after the body is checked",
      "imports: is counted against the plan for ever, and against its storage by its size"
    ],
    [
      "imports: 429 RATE_LIMITED beyond 20 a minute, files and addresses together",
      "imports: is refused from the twenty-first on within a minute",
      "limiter: of imports is one for files and addresses together"
    ],
    [
      "imports/url: 202 with id, type, status pending, result, error, created_at, updated_at and no progress",
      "fetch: is read with the pages that tell of the company, and fills what is empty"
    ],
    [
      "imports/url: url is required, http or https, at most 2000 characters, else 400",
      "fetch: no form of a private address is taken, nor another scheme, port or user",
      "fetch: an address has 2000 characters at most, and its spaces do not count for it"
    ],
    [
      "imports/url: a literal private address is 400",
      "fetch: no form of a private address is taken, nor another scheme, port or user"
    ],
    [
      "imports/url: a name that turns out private is a job that failed with an error",
      "fetch: a name that turns out to be private is a job that fails"
    ],
    [
      "imports/url: what cannot be fetched is a job that failed with an error",
      "fetch: that %s fails the job",
      "fetch: that is not there fails the job"
    ],
    [
      "imports/url: result.parsed is true when fields were filled, false when none was",
      "fetch: is read with the pages that tell of the company, and fills what is empty",
      "fetch: that says nothing of a company is read for nothing"
    ],
    ["imports and regenerate: 429 while requests cannot be counted", "limiter: refuses $method $path"],
    [
      "regenerate: 202 with id, type, status processing, targets",
      "workspace: asked for at once is one job, and while it runs no document can be read"
    ],
    [
      "regenerate: a second one while one runs is the running one",
      "workspace: repeats the research, one job at a time, and keeps the user's choices",
      "workspace: asked for at once is one job, and while it runs no document can be read"
    ],
    [
      "regenerate: makes both documents from the details as they are now",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "regenerate: replaces segments and options that no person edited or selected, keeps the others",
      "workspace: replaces the segments and options that no person changed, linked or chose",
      "workspace: repeats the research, one job at a time, and keeps the user's choices"
    ],
    [
      "regenerate: one that fails leaves the documents ready, readable, as they were",
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
      "workspace: is followed only by the id of its own job",
      "isolation: of nothing is refused: $name"
    ],
    [
      "reading needs workspace:read, changing workspace:write",
      "http: needs $scope for $method $path",
      "http: asks of each endpoint the scope that the specification names",
      "imports: needs the scope to write"
    ]
  ]
}
