// schema/Documents.ts: generated Markdown documents about a workspace and its campaigns, each behind a signed link.
import { Schema } from "effect"
import { Id } from "#schema/Fields.ts"

const documentFields = {
  title: Schema.String.annotate({ description: "The title of the document" }),
  status: Schema.Literals(["ready", "processing", "unavailable"]).annotate({ description: "Whether it can be read" }),
  download_url: Schema.NullOr(Schema.String).annotate({
    description: "Opens the document, without a key, for 15 minutes; null unless it is ready"
  })
}

const link = (id: string) =>
  `http://127.0.0.1:3000/files/${id}?expires=1784023200&signature=kq3Vt0bLwZ5n8YxHcT1rJ6uGdPf9sEaM2oQiR7yWvXc`

export const WorkspaceDocument = Schema.Struct({
  type: Schema.Literals(["company_summary", "market_research"]),
  ...documentFields,
  outdated: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "There where the profile has changed since the document was written: regenerate the documents"
  })
}).annotate({
  title: "WorkspaceDocument",
  description: "What research wrote about the business",
  examples: [
    {
      type: "company_summary",
      title: "Company summary",
      status: "ready",
      download_url: link("01980f3e-8a20-7b64-9c1d-7f35e2a4b6d8")
    }
  ]
})
export type WorkspaceDocument = typeof WorkspaceDocument.Type

export const CampaignDocument = Schema.Struct({
  id: Schema.NullOr(Id).annotate({ description: "Null until there is one" }),
  type: Schema.Literals(["target_audience_research", "email_instructions", "knowledge_base"]),
  ...documentFields,
  outdated: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "There where the workspace's documents were regenerated since the campaign was built: build it again"
  })
}).annotate({
  title: "CampaignDocument",
  description: "What was written for a campaign",
  examples: [
    {
      id: "01980f41-6d0e-7a95-b3f8-1c52e9d70b46",
      type: "email_instructions",
      title: "Email instructions",
      status: "ready",
      download_url: link("01980f41-6d0e-7a95-b3f8-1c52e9d70b46")
    }
  ]
})
export type CampaignDocument = typeof CampaignDocument.Type
