// src/mcp/tools/Campaigns.ts: MCP tools for campaigns: list, ask, preview, generate, check texts and suppress addresses.
import { Effect, Schema, Struct } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { type Client, repeatable } from "#client/Client.ts"
import { Reply } from "#schema/Agent.ts"
import { BuildStatus } from "#schema/BuildStatus.ts"
import { CampaignPage, ChosenAssets } from "#schema/Campaigns.ts"
import { Deleted, Id } from "#schema/Fields.ts"
import { BatchAccepted, BatchOptions, EmailCount, Generated } from "#schema/Generation.ts"
import { Lead, maxLeads } from "#schema/Lead.ts"
import { LintInput, LintResult } from "#schema/Lint.ts"
import { paged, positionedPage } from "#schema/Page.ts"
import { Preview } from "#schema/Preview.ts"
import { Signature } from "#schema/Signatures.ts"
import { Added, Entries, filter as suppressionFilter, Suppression } from "#schema/Suppressions.ts"
import {
  writingTool,
  campaign_id,
  failure,
  idempotency_key,
  pageParameters,
  readOnlyTool,
  destructiveTool,
  type CallApi,
  defaultPageSize
} from "#src/mcp/tools/Shared.ts"

const exampleHeaders = ["Email", "Name", "Title", "Company"]

const writingParameters = {
  email_count: EmailCount,
  email_signature: Schema.optionalKey(Schema.String).annotate({
    description: "The signature, its lines separated by newlines; exactly one of this and signature_id is required"
  }),
  signature_id: Schema.optionalKey(Schema.String).annotate({
    description: "A saved signature, as list_signatures names it"
  })
}

export const tools = Toolkit.make(
  Tool.make("list_campaigns", {
    description: "Campaigns of the workspace, newest first. Emails can be written from one that is ready.",
    parameters: Schema.Struct(pageParameters),
    success: CampaignPage,
    failure
  })
    .annotate(Tool.Title, "List campaigns")
    .annotateMerge(readOnlyTool),
  Tool.make("show_campaign", {
    description: "How far a campaign is built, and what it has chosen: audience, proof, gift, guarantee, promise.",
    parameters: Schema.Struct({ campaign_id }),
    success: Schema.Struct({ status: BuildStatus, chosen: ChosenAssets }),
    failure
  })
    .annotate(Tool.Title, "Show a campaign")
    .annotateMerge(readOnlyTool),
  Tool.make("list_signatures", {
    description: "Saved signatures of the workspace, newest first; preview and generate take their ids.",
    parameters: Schema.Struct(pageParameters),
    success: paged("SignaturePage", Signature),
    failure
  })
    .annotate(Tool.Title, "List signatures")
    .annotateMerge(readOnlyTool),
  Tool.make("chat", {
    description:
      "Answers a question about a campaign from its documents, selections, playbook and lists, and cites the passages. Costs no credits; question and answer are kept as a conversation.",
    parameters: Schema.Struct({
      campaign_id,
      message: Schema.String.annotate({ description: "The question" }),
      conversation_id: Schema.optionalKey(Id).annotate({ description: "The conversation to go on with" })
    }),
    success: Reply,
    failure
  })
    .annotate(Tool.Title, "Ask about a campaign")
    .annotateMerge(writingTool),
  Tool.make("preview", {
    description: "Writes to five made-up leads, to see how a campaign sounds. Charges five credits each time.",
    parameters: Schema.Struct({
      campaign_id,
      ...writingParameters,
      headers: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
        description: "Column headers of the user's own lead file"
      })
    }),
    success: Preview,
    failure
  })
    .annotate(Tool.Title, "Preview emails")
    .annotateMerge(writingTool),
  Tool.make("generate", {
    description:
      "Writes a sequence to one real lead and waits for it, which may take minutes. Charges one credit each time, also for the same lead. Nothing is sent to anybody.",
    parameters: Schema.Struct({ campaign_id, lead: Lead, ...writingParameters }),
    success: Generated,
    failure
  })
    .annotate(Tool.Title, "Write to one lead")
    .annotateMerge(writingTool),
  Tool.make("generate_batch", {
    description:
      "Makes a list and writes to its leads in the background; follow it with list_status. Charges one credit for each lead that is written to, two with enrichment_enabled. Leaves out suppressed leads, and says how many it skipped. Nothing is sent to anybody.",
    parameters: Schema.Struct({
      campaign_id,
      leads: Schema.Array(Lead)
        .check(
          Schema.isMinLength(1, { message: "must hold at least one lead" }),
          Schema.isMaxLength(maxLeads, { message: `must hold at most ${maxLeads} leads` })
        )
        .annotate({ description: "The leads, as read_lead_file returns them in rows; a call has at most 1 MiB" }),
      ...writingParameters,
      ...Struct.pick(BatchOptions.fields, [
        "list_name",
        "additional_details",
        "approved_ctas",
        "enrichment_enabled",
        "include_clients",
        "notification_email",
        "skip_duplicates",
        "skip_clients",
        "skip_written",
        "include_addresses",
        "omitted_rows"
      ]),
      idempotency_key
    }),
    success: BatchAccepted,
    failure
  })
    .annotate(Tool.Title, "Write to many leads")
    .annotateMerge(writingTool),
  Tool.make("lint", {
    description: "Checks a text as emails are checked: its findings, and its factual claims with their sources.",
    parameters: LintInput,
    success: LintResult,
    failure
  })
    .annotate(Tool.Title, "Check a text")
    .annotateMerge(readOnlyTool),
  Tool.make("list_suppressions", {
    description: "Addresses, domains and companies that must not be written to, newest first.",
    parameters: Schema.Struct({ ...suppressionFilter, ...pageParameters }),
    success: positionedPage("SuppressionPage", Suppression),
    failure
  })
    .annotate(Tool.Title, "List suppressions")
    .annotateMerge(readOnlyTool),
  Tool.make("suppress", {
    description:
      "Adds addresses, domains and companies that must not be written to. A domain includes its subdomains; a company is compared by its exact name. exported_lists names the lists of which an exported file has one of the addresses, or may have it (maybe).",
    parameters: Entries,
    success: Added,
    failure
  })
    .annotate(Tool.Title, "Suppress addresses and companies")
    .annotateMerge(writingTool),
  Tool.make("delete_suppression", {
    description: "Deletes an entry of the suppression list: its leads may be written to again.",
    parameters: Schema.Struct({
      suppression_id: Id.annotate({ description: "The entry, as list_suppressions names it" })
    }),
    success: Deleted,
    failure
  })
    .annotate(Tool.Title, "Delete a suppression")
    .annotateMerge(destructiveTool),
  Tool.make("export_suppressions", {
    description: "The whole suppression list as CSV.",
    parameters: Tool.EmptyParams,
    success: Schema.Struct({ csv: Schema.String.annotate({ description: "One entry in a row, below the headers" }) }),
    failure
  })
    .annotate(Tool.Title, "Export the suppression list")
    .annotateMerge(readOnlyTool)
)

/** The API request of each tool. */
export const requests = (client: Client, callApi: CallApi) =>
  tools.toLayer({
    list_campaigns: ({ limit = defaultPageSize, offset = 0 }) =>
      callApi(client.campaigns.listCampaigns({ query: { limit, offset } })),

    show_campaign: ({ campaign_id: id }) =>
      callApi(
        Effect.all({
          status: client.campaigns.getBuildStatus({ params: { id } }),
          chosen: client.campaigns.getSelections({ params: { id } })
        })
      ),

    list_signatures: ({ limit = defaultPageSize, offset = 0 }) =>
      callApi(client.signatures.listSignatures({ query: { limit, offset } })),

    chat: (payload) => callApi(client.agent.chat({ payload })),

    preview: ({ campaign_id: id, headers: columns = exampleHeaders, ...options }) =>
      callApi(
        repeatable((headers) =>
          client.preview.previewCampaign({
            params: { id },
            headers,
            payload: { sample: { headers: columns }, options }
          })
        )
      ),

    generate: ({ campaign_id: id, lead, ...options }) =>
      callApi(client.generation.generate({ params: { id }, payload: { lead, options } })),

    generate_batch: ({ campaign_id: id, idempotency_key, leads, ...options }) =>
      callApi(
        repeatable(
          (headers) =>
            client.generation.generateBatch({
              params: { id },
              headers,
              payload: { leads, options: { ...options, idempotent: true } }
            }),
          idempotency_key
        )
      ),

    lint: (payload) => callApi(client.lint.lint({ payload })),

    list_suppressions: ({ limit = defaultPageSize, offset = 0, ...filter }) =>
      callApi(client.suppressions.listSuppressions({ query: { limit, offset, ...filter } })),

    suppress: (payload) => callApi(client.suppressions.addSuppressions({ headers: {}, payload })),

    delete_suppression: ({ suppression_id: id }) => callApi(client.suppressions.deleteSuppression({ params: { id } })),

    export_suppressions: () => callApi(Effect.map(client.suppressions.exportSuppressions(), (csv) => ({ csv })))
  })
