// layers/previews/PreviewResult.ts: what a preview is written from, and what it says when it is written.
import { Result, Schema } from "effect"
import type { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { SyntheticLead } from "#layers/Generator.ts"
import type { ReadyBrief } from "#layers/playbooks/CampaignBrief.ts"
import { cellText, Column, customFieldCells } from "#layers/previews/Columns.ts"
import { WritingSettings } from "#layers/generation/WritingSettings.ts"
import type { Lead, Sequence } from "#schema/Lead.ts"
import type { Marks } from "#schema/ListLeads.ts"
import type { Preview } from "#schema/Preview.ts"

/** What was asked for, as it is stored. */
export const PreviewRequest = Schema.Struct({
  columns: Schema.Array(Column),
  writing: WritingSettings,
  /** What the writer cannot follow; previews of earlier versions have none. */
  notices: Schema.optionalKey(Schema.Array(Schema.String))
})
export type PreviewRequest = typeof PreviewRequest.Type

/** What a preview is written from. */
export interface PreviewWork extends PreviewRequest, ReadyBrief {
  readonly preview_id: string
}

/** A made-up lead with what was written to it, or why nothing was. */
export interface AttemptedPreview {
  readonly lead: SyntheticLead
  readonly outcome: Result.Result<{ readonly sequence: Sequence; readonly marks: Marks }, GenerationFailed>
}

/** As the writer knows whom it writes to. */
export const toPreviewLead = (columns: ReadonlyArray<Column>, lead: SyntheticLead): Lead => {
  const custom_fields = customFieldCells(columns, lead)
  return {
    email: lead.email,
    name: `${lead.first_name} ${lead.last_name}`,
    title: lead.title,
    company: lead.company,
    linkedin_url: lead.linkedin_url,
    company_website: lead.company_website,
    ...(Object.keys(custom_fields).length === 0 ? {} : { custom_fields })
  }
}

/** A preview as its caller gets it; what failed costs nothing. */
export const toPreview = (
  { columns, notices = [], preview_id }: PreviewWork,
  attempts: ReadonlyArray<AttemptedPreview>
): Preview => {
  const success_count = attempts.filter(({ outcome }) => Result.isSuccess(outcome)).length
  return {
    preview_id,
    status: success_count === attempts.length ? "success" : "partial",
    credits_charged: success_count,
    success_count,
    fail_count: attempts.length - success_count,
    headers: columns.map(({ header }) => header),
    rows: attempts.map(({ lead }) => columns.map((column) => cellText(column, lead))),
    synthetic_leads: attempts.map(({ lead }) => toPreviewLead(columns, lead)),
    generated_emails: attempts.map(({ lead, outcome }, lead_index) => ({
      lead_index,
      lead_data: toPreviewLead(columns, lead),
      ...(Result.isSuccess(outcome)
        ? {
            emails: outcome.success.sequence.map(({ body, subject }) => ({ subject, body })),
            status: "success",
            ...outcome.success.marks
          }
        : { emails: [], status: "failed", error: outcome.failure.message })
    })),
    ...(notices.length > 0 && { notices })
  }
}
