// schema/WebhookEvents.ts: the body of each event that a webhook is sent.
import { Schema } from "effect"
import { Failure } from "#schema/Errors.ts"
import { Id, Timestamp } from "#schema/Fields.ts"
import { Lead, Sequence } from "#schema/Lead.ts"
import { ReviewStatus, severities } from "#schema/ListLeads.ts"
import { EventType, eventTypes } from "#schema/Webhooks.ts"

const id = (description: string) => Id.annotate({ description })
const count = (description: string, example: number) => Schema.Int.annotate({ description, examples: [example] })

const listId = { list_id: id("The list") }
const leadId = { ...listId, lead_id: id("The lead") }

/** Personal data, only for webhooks with `include_content`. */
const content = { lead: Schema.optionalKey(Lead) }

const list = {
  ...listId,
  campaign_id: Schema.NullOr(Id).annotate({ description: "Null once the campaign is deleted" }),
  leads_count: count("Leads in the list", 240),
  leads_done: count("Leads whose emails are written", 238),
  leads_failed: count("Leads that failed", 2),
  leads_skipped: count("Leads that are left out", 0),
  emails_created: count("Emails that are stored", 714),
  source: Schema.Literals(["batch", "api_single"]).annotate({
    description: "`api_single` for a list of one lead that generate made"
  })
}

const data = {
  "list.completed": list,
  "list.failed": list,
  "list.paused": {
    ...list,
    resumes_automatically: Schema.Boolean.annotate({
      description: "Whether the list continues without a request, as one does that waits for the model",
      examples: [true]
    })
  },
  "list.resumed": list,
  "lead.written": {
    ...leadId,
    emails_created: count("Emails of the lead", 3),
    findings: count("What the checker reports about them", 1),
    worst_finding: Schema.Literals(severities).annotate({ description: "The worst severity of these" }),
    ...content,
    emails: Schema.optionalKey(Sequence).annotate({ description: "Only with `include_content`" })
  },
  "lead.failed": {
    ...leadId,
    reason: Schema.Literals([...Failure.fields.reason.literals, "skipped"]).annotate({
      description: "As in the `detail` of an error, or `skipped` for a lead that must not be written to"
    }),
    ...content,
    message: Schema.optionalKey(Schema.String).annotate({
      description: "The reason in words. Only with `include_content`"
    })
  },
  "campaign.ready": {
    campaign_id: id("The campaign"),
    playbook_version: count("The version of its playbook", 1)
  },
  "import.completed": {
    job_id: id("The job of the import"),
    source: Schema.Literals(["document", "url"]).annotate({ description: "What was imported" }),
    status: Schema.Literals(["success", "failed"]).annotate({ description: "Whether it was read" }),
    fields_updated: count("Fields of the profile that it filled in", 12)
  },
  "credits.low": {
    percent: Schema.Literals([20, 10, 0]).annotate({ description: "The threshold that was crossed" }),
    remaining: count("Credits that are left", 1000),
    monthly_allocated: count("Credits that the period granted", 5000)
  },
  "review.changed": {
    ...listId,
    lead_id: Schema.NullOr(Id).annotate({ description: "Null if several leads were decided at once" }),
    status: ReviewStatus,
    changed: count("Leads that have this status now", 25)
  },
  test: { webhook_id: id("The webhook") }
} satisfies { readonly [T in EventType]: Schema.Struct.Fields }

/** `list.completed` as `ListCompletedEvent`. */
const titleOf = (type: EventType) =>
  `${type.replace(/(^|\.)([a-z])/g, (_, _dot, letter: string) => letter.toUpperCase())}Event`

const types: ReadonlyArray<EventType> = EventType.literals

/** The body of each event by its type. */
export const webhookEvents = types.map((type) => {
  const { ast } = Schema.Struct({
    type: Schema.Literal(type).annotate({ description: "What happened" }),
    timestamp: Timestamp.annotate({ description: "When it happened" }),
    data: Schema.Struct(data[type] as Schema.Struct.Fields).annotate({
      description: "Ids and counts; with `include_content` also the lead and its emails"
    })
  }).annotate({ title: titleOf(type), description: eventTypes[type] })
  return { type, body: Schema.make<Schema.Codec<unknown>>(ast) }
})
