// schema/Documents.ts: documents that were written about a business and its campaigns: Markdown behind a signed link.
import { Schema } from "effect"
import { Id } from "#schema/Fields.ts"

const described = {
  title: Schema.String,
  status: Schema.Literals(["ready", "processing", "unavailable"]),
  /** Opens the document for 15 minutes; only while it is ready. */
  download_url: Schema.NullOr(Schema.String)
}

export const WorkspaceDocument = Schema.Struct({
  type: Schema.Literals(["company_summary", "market_research"]),
  ...described
})
export type WorkspaceDocument = typeof WorkspaceDocument.Type

export const CampaignDocument = Schema.Struct({
  /** Null until there is one. */
  id: Schema.NullOr(Id),
  type: Schema.Literals(["target_audience_research", "email_instructions", "knowledge_base"]),
  ...described
})
export type CampaignDocument = typeof CampaignDocument.Type
