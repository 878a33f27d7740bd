// src/mcp/tools/Review.ts: MCP tools for reviewing the emails of a lead.
import { Context, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { type Client, repeatable } from "#client/Client.ts"
import { Id } from "#schema/Fields.ts"
import {
  BulkReviewed,
  BulkReviewInput,
  EmailChange,
  EmailVersionPage,
  Restore,
  ReviewedEmail,
  ReviewedLead,
  ReviewInput,
  RewriteInput,
  TestMailed,
  TestMailInput
} from "#schema/Review.ts"
import {
  writingTool,
  failure,
  idempotency_key,
  list_id,
  pageParameters,
  readOnlyTool,
  type CallApi,
  defaultPageSize
} from "#src/mcp/tools/Shared.ts"

const lead_id = Id.annotate({ description: "The lead in the list, as list_leads names it" })

const step = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })).annotate({
  description: "The email's place in the sequence, from 1"
})

/** Annotations of a tool that sends mail. */
const mailingTool = Context.add(writingTool, Tool.OpenWorld, true)

export const tools = Toolkit.make(
  Tool.make("show_lead", {
    description: "One lead with the current text, version, findings and claims of each email. Marks the lead as seen.",
    parameters: Schema.Struct({ list_id, lead_id }),
    success: ReviewedLead,
    failure
  })
    .annotate(Tool.Title, "Show a lead for review")
    .annotateMerge(writingTool),
  Tool.make("edit_email", {
    description:
      "Replaces the subject or body of one email. Send the version that you read; the earlier text is kept as a version.",
    parameters: Schema.Struct({ list_id, lead_id, step, ...EmailChange.fields }),
    success: ReviewedEmail,
    failure
  })
    .annotate(Tool.Title, "Edit an email")
    .annotateMerge(writingTool),
  Tool.make("list_email_versions", {
    description: "Earlier texts of one email and how each was made, newest first.",
    parameters: Schema.Struct({ list_id, lead_id, step, ...pageParameters }),
    success: EmailVersionPage,
    failure
  })
    .annotate(Tool.Title, "List the versions of an email")
    .annotateMerge(readOnlyTool),
  Tool.make("restore_email", {
    description:
      "Makes an earlier version the current text of an email. The text that it replaces is kept as a version.",
    parameters: Schema.Struct({ list_id, lead_id, step, ...Restore.fields }),
    success: ReviewedEmail,
    failure
  })
    .annotate(Tool.Title, "Restore an email")
    .annotateMerge(writingTool),
  Tool.make("rewrite_emails", {
    description:
      "Writes one email of a lead again, or all without step. Charges one credit if a text changed. An instruction needs a model on the server; a variant fills in another template.",
    parameters: Schema.Struct({
      list_id,
      lead_id,
      ...RewriteInput.fields,
      idempotency_key
    }),
    success: ReviewedLead,
    failure
  })
    .annotate(Tool.Title, "Rewrite emails")
    .annotateMerge(writingTool),
  Tool.make("send_test_mail", {
    description:
      "Sends one email of a lead, or all without step, to the workspace's owner and never to the lead. Needs a mail server on the server.",
    parameters: Schema.Struct({ list_id, lead_id, ...TestMailInput.fields }),
    success: TestMailed,
    failure
  })
    .annotate(Tool.Title, "Send a test mail")
    .annotateMerge(mailingTool),
  Tool.make("review_lead", {
    description:
      "Approves or rejects one lead, or opens it again. Replaces the note. Send the versions that you read: a text that was changed since is then not decided about. Refuses to approve a lead on the suppression list.",
    parameters: Schema.Struct({ list_id, lead_id, ...ReviewInput.fields }),
    success: ReviewedLead,
    failure
  })
    .annotate(Tool.Title, "Review a lead")
    .annotateMerge(writingTool),
  Tool.make("review_leads", {
    description:
      "Approves, rejects or opens many leads of a list. Never approves a lead with a failing finding or one on the suppression list, nor, unless lead_ids names it, one whose company may be on that list or a client or competitor. dry_run counts first; its time in where.unchanged_since then leaves out texts that were changed meanwhile.",
    parameters: Schema.Struct({ list_id, ...BulkReviewInput.fields }),
    success: BulkReviewed,
    failure
  })
    .annotate(Tool.Title, "Review many leads")
    .annotateMerge(writingTool)
)

/** The API request of each tool. */
export const requests = (client: Client, callApi: CallApi) =>
  tools.toLayer({
    show_lead: ({ lead_id, list_id: id }) => callApi(client.review.getLead({ params: { id, lead_id } })),

    edit_email: ({ lead_id, list_id: id, step, ...payload }) =>
      callApi(client.review.editEmail({ params: { id, lead_id, step }, payload })),

    list_email_versions: ({ lead_id, limit = defaultPageSize, list_id: id, offset = 0, step }) =>
      callApi(client.review.listEmailVersions({ params: { id, lead_id, step }, query: { limit, offset } })),

    restore_email: ({ lead_id, list_id: id, step, ...payload }) =>
      callApi(client.review.restoreEmail({ params: { id, lead_id, step }, headers: {}, payload })),

    rewrite_emails: ({ idempotency_key, lead_id, list_id: id, ...payload }) =>
      callApi(
        repeatable(
          (headers) => client.review.rewriteLead({ params: { id, lead_id }, headers, payload }),
          idempotency_key
        )
      ),

    send_test_mail: ({ lead_id, list_id: id, ...payload }) =>
      callApi(repeatable((headers) => client.review.sendTestMail({ params: { id, lead_id }, headers, payload }))),

    review_lead: ({ lead_id, list_id: id, ...payload }) =>
      callApi(client.review.reviewLead({ params: { id, lead_id }, payload })),

    review_leads: ({ list_id: id, ...payload }) =>
      callApi(client.review.reviewLeads({ params: { id }, headers: {}, payload }))
  })
