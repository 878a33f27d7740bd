// layers/previews/PreviewResult.ts: the input of a preview, and its result.
import { Result, Schema } from "effect"
import type { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { SyntheticLead } from "#layers/Generator.ts"
import type { ReadyBrief } from "#layers/playbooks/CampaignBrief.ts"
import { cellText, Column, customFieldCells } from "#layers/previews/Columns.ts"
import { WritingSettings } from "#layers/generation/WritingSettings.ts"
import type { Lead, Sequence } from "#schema/Lead.ts"
import type { Marks } from "#schema/ListLeads.ts"
import type { Preview } from "#schema/Preview.ts"

/** The request as it is stored. */
export const PreviewRequest = Schema.Struct({
  columns: Schema.Array(Column),
  writing: WritingSettings,
  /** Notices about parts of the request that the writer cannot follow. Missing in previews of earlier versions. */
  notices: Schema.optionalKey(Schema.Array(Schema.String))
})
export type PreviewRequest = typeof PreviewRequest.Type

/** The writer's input for a preview. */
export interface PreviewWork extends PreviewRequest, ReadyBrief {
  readonly preview_id: string
}

/** A synthetic lead with its emails, or the reason why there are none. */
export interface AttemptedPreview {
  readonly lead: SyntheticLead
  readonly outcome: Result.Result<{ readonly sequence: Sequence; readonly marks: Marks }, GenerationFailed>
}

/** The synthetic lead as a lead for the writer. */
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

/** The preview for its caller. Failed leads cost nothing. */
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
