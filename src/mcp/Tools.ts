// src/mcp/Tools.ts: what an agent may do with a server: the verbs, what each takes and answers, and which only read.
import { Context, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { Reply } from "#schema/Agent.ts"
import { BuildStatus } from "#schema/BuildStatus.ts"
import { CampaignPage, ChosenAssets } from "#schema/Campaigns.ts"
import { Id } from "#schema/Fields.ts"
import { EmailCount, Generated } from "#schema/Generation.ts"
import { Lead } from "#schema/Lead.ts"
import { Export, List, ListPage, ProcessingStatus } from "#schema/Lists.ts"
import { paged } from "#schema/Page.ts"
import { Preview } from "#schema/Preview.ts"
import { Signature } from "#schema/Signatures.ts"

/** What was asked was not done; the message says why and what to do. */
export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", { message: Schema.String }) {}

const failure = ToolFailed
const campaign_id = Id.annotate({ description: "The campaign, as list_campaigns names it" })
const list_id = Id.annotate({ description: "The list, as list_lists or generate names it" })

const writing = {
  email_count: EmailCount,
  email_signature: Schema.optionalKey(Schema.String).annotate({
    description: "The signature, its lines separated by newlines; exactly one of this and signature_id is required"
  }),
  signature_id: Schema.optionalKey(Schema.String).annotate({
    description: "A saved signature, as list_signatures names it"
  })
}

const Whole = (least: number, most: number) => Schema.Int.check(Schema.isBetween({ minimum: least, maximum: most }))

const page = {
  limit: Schema.optionalKey(Whole(1, 100)).annotate({ description: "How many at most, 20 unless said" }),
  offset: Schema.optionalKey(Whole(0, 1_000_000)).annotate({ description: "How many to pass over" })
}

/** Adds something, and takes nothing away. Arguments that a tool does not have are refused. */
const adding = Context.make(Tool.Destructive, false).pipe(
  Context.add(Tool.OpenWorld, false),
  Context.add(Tool.Strict, true)
)

/** Changes nothing and costs nothing. */
const reading = Context.add(adding, Tool.Readonly, true)

export const Tools = Toolkit.make(
  Tool.make("list_campaigns", {
    description: "Campaigns of the workspace, newest first. Emails can be written from one that is ready.",
    parameters: Schema.Struct(page),
    success: CampaignPage,
    failure
  })
    .annotate(Tool.Title, "List campaigns")
    .annotateMerge(reading),
  Tool.make("show_campaign", {
    description: "How far a campaign is built, and what it has chosen: audience, proof, gift, guarantee, promise.",
    parameters: Schema.Struct({ campaign_id }),
    success: Schema.Struct({ status: BuildStatus, chosen: ChosenAssets }),
    failure
  })
    .annotate(Tool.Title, "Show a campaign")
    .annotateMerge(reading),
  Tool.make("list_signatures", {
    description: "Saved signatures of the workspace, newest first; preview and generate take their ids.",
    parameters: Schema.Struct(page),
    success: paged("SignaturePage", Signature),
    failure
  })
    .annotate(Tool.Title, "List signatures")
    .annotateMerge(reading),
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
    .annotateMerge(adding),
  Tool.make("preview", {
    description: "Writes to five made-up leads, to see how a campaign sounds. Charges five credits each time.",
    parameters: Schema.Struct({
      campaign_id,
      ...writing,
      headers: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
        description: "Column headers of the user's own lead file"
      })
    }),
    success: Preview,
    failure
  })
    .annotate(Tool.Title, "Preview emails")
    .annotateMerge(adding),
  Tool.make("generate", {
    description:
      "Writes a sequence to one real lead and waits for it, which may take minutes. Charges one credit each time, also for the same lead. Nothing is sent to anybody.",
    parameters: Schema.Struct({ campaign_id, lead: Lead, ...writing }),
    success: Generated,
    failure
  })
    .annotate(Tool.Title, "Write to one lead")
    .annotateMerge(adding),
  Tool.make("list_lists", {
    description: "Lists of leads that were written to or are being written to, newest first, with their ids.",
    parameters: Schema.Struct({
      campaign_id: Schema.optionalKey(campaign_id),
      status: Schema.optionalKey(ProcessingStatus),
      ...page
    }),
    success: ListPage,
    failure
  })
    .annotate(Tool.Title, "List the lists of leads")
    .annotateMerge(reading),
  Tool.make("list_status", {
    description: "How far a batch of leads is, and what came of it. Exporting needs one that is completed.",
    parameters: Schema.Struct({ list_id }),
    success: List,
    failure
  })
    .annotate(Tool.Title, "Show the progress of a list")
    .annotateMerge(reading),
  Tool.make("export_emails", {
    description: "Emails of a completed list, some leads at a time.",
    parameters: Schema.Struct({ list_id, ...page }),
    success: Schema.Struct({
      ...Export.fields,
      total: Schema.Int.annotate({ description: "Leads of the list that were written to" })
    }),
    failure
  })
    .annotate(Tool.Title, "Export emails")
    .annotateMerge(reading)
)
