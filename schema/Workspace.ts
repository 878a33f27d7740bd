// schema/Workspace.ts: what a business says of itself, and the research that is made from it.
import { ByteSize, Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { BodyLimit, NeedsLimiter, RateBucket, RequiredScope } from "#schema/Auth.ts"
import { Details, DetailsPatch } from "#schema/Details.ts"
import { WorkspaceDocument } from "#schema/Documents.ts"
import { BadRequest, NotFound, WorkspaceLimit } from "#schema/Errors.ts"
import { Id, text } from "#schema/Fields.ts"
import { Job, JobStatus } from "#schema/Jobs.ts"

export const Workspace = Schema.Struct({
  id: Id,
  name: Schema.NullOr(Schema.String),
  onboarding_completed: Schema.Boolean,
  details: Details,
  documents: Schema.Array(WorkspaceDocument)
})

/** At least one field with a value; null counts as absent, and an empty string or list clears the field. */
const Changes = DetailsPatch.check(
  Schema.makeFilter((changes) =>
    Object.values(changes).some((value) => value !== null && value !== undefined)
      ? undefined
      : "must hold at least one detail field"
  )
)

const artifact = Schema.Literals(["company_summary", "market_research"])

export const Regeneration = Schema.Struct({
  id: Id,
  status: JobStatus,
  artifacts: Schema.Array(Schema.Struct({ type: artifact, status: WorkspaceDocument.fields.status }))
})

/** The largest document, in bytes. */
export const largestDocument = 10 * 1024 * 1024

/** The largest body around one. */
const largestUpload = largestDocument + 1024 * 1024

/** Read as it comes, part by part, so that nothing is kept of a body that is too large. */
const Document = Schema.Struct({ file: Multipart.SingleFileSchema }).pipe(
  HttpApiSchema.asMultipartStream({
    maxParts: 20,
    maxFieldSize: ByteSize.bytes(64 * 1024),
    // The parser counts more than the file; `src/http/Upload.ts` counts its bytes alone.
    maxFileSize: ByteSize.bytes(largestDocument + 64 * 1024),
    maxTotalSize: ByteSize.bytes(largestUpload)
  })
)

const { progress: _, ...urlJob } = Job.fields
const UrlImport = Schema.Struct({ ...urlJob, type: Schema.tag("workspace.import.url") })
const DocumentImport = Schema.Struct({ ...Job.fields, type: Schema.tag("workspace.import.document") })

export class WorkspaceApi extends HttpApiGroup.make("workspace")
  .add(
    HttpApiEndpoint.get("getWorkspace", "/", { success: Workspace, error: NotFound }).annotate(
      RequiredScope,
      "workspace:read"
    ),
    HttpApiEndpoint.put("updateDetails", "/details", {
      payload: Changes,
      success: Schema.Struct({ details: Details })
    }).annotate(RequiredScope, "workspace:write"),
    HttpApiEndpoint.get("listWorkspaceDocuments", "/documents", {
      success: Schema.Struct({ documents: Schema.Array(WorkspaceDocument) })
    }).annotate(RequiredScope, "workspace:read"),
    HttpApiEndpoint.post("importDocument", "/imports/document", {
      payload: Document,
      success: DocumentImport.pipe(HttpApiSchema.status("Accepted")),
      error: [BadRequest, WorkspaceLimit]
    })
      .annotate(RequiredScope, "workspace:write")
      .annotate(BodyLimit, largestUpload)
      .annotate(RateBucket, { name: "imports", limit: 20 })
      .annotate(NeedsLimiter, true),
    HttpApiEndpoint.post("importUrl", "/imports/url", {
      payload: Schema.Struct({ url: text(2000) }),
      success: UrlImport.pipe(HttpApiSchema.status("Accepted")),
      error: BadRequest
    })
      .annotate(RequiredScope, "workspace:write")
      .annotate(RateBucket, { name: "imports", limit: 20 })
      .annotate(NeedsLimiter, true),
    HttpApiEndpoint.post("regenerate", "/regenerate", {
      success: Schema.Struct({
        id: Id,
        type: Schema.tag("workspace.regenerate"),
        status: Schema.tag("processing"),
        targets: Schema.Array(artifact)
      }).pipe(HttpApiSchema.status("Accepted")),
      error: NotFound
    })
      .annotate(RequiredScope, "workspace:write")
      .annotate(RateBucket, { name: "regenerate", limit: 10 })
      .annotate(NeedsLimiter, true),
    HttpApiEndpoint.get("getRegeneration", "/regenerate/:id", {
      params: { id: Id },
      success: Regeneration,
      error: NotFound
    }).annotate(RequiredScope, "workspace:read")
  )
  .prefix("/workspace") {}
