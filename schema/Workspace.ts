// schema/Workspace.ts: what a business says of itself, and the research that is made from it.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RateBucket, RequiredScope } from "#schema/Auth.ts"
import { Details, DetailsPatch } from "#schema/Details.ts"
import { WorkspaceDocument } from "#schema/Documents.ts"
import { NotFound } from "#schema/Errors.ts"
import { Id } from "#schema/Fields.ts"
import { JobStatus } from "#schema/Jobs.ts"

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
      .annotate(RateBucket, { name: "regenerate", limit: 10 }),
    HttpApiEndpoint.get("getRegeneration", "/regenerate/:id", {
      params: { id: Id },
      success: Regeneration,
      error: NotFound
    }).annotate(RequiredScope, "workspace:read")
  )
  .prefix("/workspace") {}
