// schema/Workspace.ts: the company profile, and the documents that research makes from it.
import { ByteSize, Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { BodyLimit, NeedsLimiter, RateBucket, RequiredScope } from "#schema/Auth.ts"
import { Details, DetailsPatch, noDetails } from "#schema/Details.ts"
import { WorkspaceDocument } from "#schema/Documents.ts"
import { BadRequest, NotFound, WorkspaceLimit } from "#schema/Errors.ts"
import { Deleted, Id, idParams, text } from "#schema/Fields.ts"
import { Imported, ImportedText } from "#schema/Imports.ts"
import { Job, JobStatus } from "#schema/Jobs.ts"

const details = Details.annotate({
  examples: [
    {
      ...noDetails,
      company_name: "Kestrel Pumps",
      city_region: "Katowice, Poland",
      problems_solved: "A worn pump stops the line, and the manufacturer takes three weeks to rebuild it",
      core_products: [{ product: "Rebuilt slurry pumps", pricing: "" }],
      guarantee: ["No charge if a rebuilt pump fails within 12 months"]
    }
  ]
})

const ModelServer = Schema.Struct({
  api: Schema.NullOr(Schema.Literals(["openai", "ollama", "lmstudio", "llamacpp"])).annotate({
    description: "The kind of server; null until it was reached"
  }),
  host: Schema.String.annotate({ description: "The host and port of its address", examples: ["127.0.0.1:11434"] }),
  context: Schema.NullOr(Schema.Int).annotate({
    description: "Maximum tokens of a prompt with its answer; null if the server does not state it"
  }),
  concurrency: Schema.NullOr(Schema.Int).annotate({
    description: "Concurrent requests; null without a limit"
  })
}).annotate({ title: "ModelServer", description: "The model server, as configured" })

const Writer = Schema.Struct({
  kind: Schema.Literals(["builtin", "model"]).annotate({ description: "Who writes: rules alone, or a model" }),
  model: Schema.NullOr(Schema.String).annotate({ description: "The model's name; null for `builtin`" }),
  answered: Schema.NullOr(Schema.Boolean).annotate({
    description: "Whether the model answered when it was last asked; null before the first time and for `builtin`"
  }),
  problem: Schema.NullOr(Schema.String).annotate({
    description: "What is wrong and which setting to check, while the model does not answer"
  }),
  server: Schema.NullOr(ModelServer).annotate({
    description: "Where the model runs; null for `builtin`",
    examples: [null]
  })
}).annotate({ title: "Writer", description: "What writes the emails" })
export type Writer = typeof Writer.Type

const Workspace = Schema.Struct({
  id: Id,
  name: Schema.NullOr(Schema.String).annotate({
    description: "The name of the workspace",
    examples: ["Kestrel Pumps"]
  }),
  onboarding_completed: Schema.Boolean.annotate({
    description: "Whether the documents, segments and options are generated",
    examples: [true]
  }),
  details,
  documents: Schema.Array(WorkspaceDocument),
  writer: Writer
}).annotate({ title: "Workspace", description: "The workspace" })

const Changes = DetailsPatch.annotate({
  title: "DetailsPatch",
  description:
    "At least one field; null, an empty text or an empty list clears a field. The email, the phone and the site are checked",
  examples: [
    {
      primary_goal: "Ten first meetings a month",
      core_products: [{ product: "Rebuilt slurry pumps", pricing: "" }],
      guarantee: ["No charge if a rebuilt pump fails within 12 months"]
    }
  ]
}).check(
  Schema.makeFilter((changes) =>
    Object.values(changes).some((value) => value !== undefined) ? undefined : "must hold at least one detail field"
  )
)

const Regeneration = Schema.Struct({
  id: Id,
  status: JobStatus,
  artifacts: Schema.Array(
    Schema.Struct({ type: WorkspaceDocument.fields.type, status: WorkspaceDocument.fields.status })
  ).annotate({
    description: "The status of each document"
  })
}).annotate({ title: "Regeneration", description: "The progress of a regeneration" })

/** Size limit of a document, in bytes. */
export const maxDocumentBytes = 10 * 1024 * 1024

/** Size limit of the multipart body with the document. */
const maxUploadBytes = maxDocumentBytes + 1024 * 1024

/** Streamed, so that a body over the limit is dropped early. */
const Document = Schema.Struct({
  file: Multipart.SingleFileSchema
})
  .annotate({
    title: "DocumentInput",
    description: "The document in one part named file: .txt, .md, .csv, .pdf or .docx, at most 10 MB"
  })
  .pipe(
    HttpApiSchema.asMultipartStream({
      maxParts: 20,
      maxFieldSize: ByteSize.bytes(64 * 1024),
      // The parser counts more than the file's bytes; `src/http/handlers/Upload.ts` checks the size of the file alone.
      maxFileSize: ByteSize.bytes(maxDocumentBytes + 64 * 1024),
      maxTotalSize: ByteSize.bytes(maxUploadBytes)
    })
  )

const { progress: _, ...urlJob } = Job.fields
const accepted = {
  id: "01980f3e-55d0-7c83-a4b9-e18f6d2c0a57",
  status: "pending" as const,
  result: null,
  error: null,
  created_at: "2026-07-14T09:30:00.000Z",
  updated_at: "2026-07-14T09:30:00.000Z"
}
const UrlImport = Schema.Struct({ ...urlJob, type: Schema.tag("workspace.import.url") }).annotate({
  title: "UrlImport",
  description: "The job that imports the site",
  examples: [{ ...accepted, type: "workspace.import.url" }]
})
const DocumentImport = Schema.Struct({ ...Job.fields, type: Schema.tag("workspace.import.document") }).annotate({
  title: "DocumentImport",
  description: "The job that imports the document",
  examples: [{ ...accepted, type: "workspace.import.document", progress: null }]
})
const UrlInput = Schema.Struct({
  url: text(2000).annotate({ description: "The address of the home page, http or https" })
}).annotate({
  title: "UrlInput",
  description: "The site to import",
  examples: [{ url: "https://kestrel-pumps.example" }]
})
const DetailsAnswer = Schema.Struct({ details }).annotate({
  title: "DetailsAnswer",
  description: "The company profile after the change"
})
const WorkspaceDocuments = Schema.Struct({ documents: Schema.Array(WorkspaceDocument) }).annotate({
  title: "WorkspaceDocuments",
  description: "The documents of the workspace"
})
const RegenerationStarted = Schema.Struct({
  id: Id.annotate({ description: "The job" }),
  type: Schema.tag("workspace.regenerate"),
  status: Schema.tag("processing"),
  targets: Schema.Array(WorkspaceDocument.fields.type).annotate({ description: "The documents that are regenerated" })
}).annotate({ title: "RegenerationStarted", description: "The job that regenerates the documents" })

export class WorkspaceApi extends HttpApiGroup.make("workspace")
  .add(
    HttpApiEndpoint.get("getWorkspace", "/", { success: Workspace, error: NotFound }).annotate(
      RequiredScope,
      "workspace:read"
    ),
    HttpApiEndpoint.put("updateDetails", "/details", {
      payload: Changes,
      success: DetailsAnswer
    }).annotate(RequiredScope, "workspace:write"),
    HttpApiEndpoint.get("listWorkspaceDocuments", "/documents", {
      success: WorkspaceDocuments
    }).annotate(RequiredScope, "workspace:read"),
    HttpApiEndpoint.get("listImports", "/imports", {
      success: Schema.Struct({ imports: Schema.Array(Imported) }).annotate({
        title: "Imports",
        description: "The latest first"
      })
    }).annotate(RequiredScope, "workspace:read"),
    HttpApiEndpoint.get("getImport", "/imports/:id", {
      params: idParams("import"),
      success: ImportedText,
      error: NotFound
    }).annotate(RequiredScope, "workspace:read"),
    HttpApiEndpoint.delete("deleteImport", "/imports/:id", {
      params: idParams("import"),
      success: Deleted,
      error: NotFound
    }).annotate(RequiredScope, "workspace:write"),
    HttpApiEndpoint.post("importDocument", "/imports/document", {
      payload: Document,
      success: DocumentImport.pipe(HttpApiSchema.status("Accepted")),
      error: [BadRequest, WorkspaceLimit]
    })
      .annotate(RequiredScope, "workspace:write")
      .annotate(BodyLimit, maxUploadBytes)
      .annotate(RateBucket, { name: "imports", limit: 20, per: "key" })
      .annotate(NeedsLimiter, true),
    HttpApiEndpoint.post("importUrl", "/imports/url", {
      payload: UrlInput,
      success: UrlImport.pipe(HttpApiSchema.status("Accepted")),
      error: BadRequest
    })
      .annotate(RequiredScope, "workspace:write")
      .annotate(RateBucket, { name: "imports", limit: 20, per: "key" })
      .annotate(NeedsLimiter, true),
    HttpApiEndpoint.post("regenerate", "/regenerate", {
      success: RegenerationStarted.pipe(HttpApiSchema.status("Accepted")),
      error: NotFound
    })
      .annotate(RequiredScope, "workspace:write")
      .annotate(RateBucket, { name: "regenerate", limit: 10, per: "key" })
      .annotate(NeedsLimiter, true),
    HttpApiEndpoint.get("getRegeneration", "/regenerate/:id", {
      params: idParams("job"),
      success: Regeneration,
      error: NotFound
    }).annotate(RequiredScope, "workspace:read")
  )
  .prefix("/workspace") {}
