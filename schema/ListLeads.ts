// schema/ListLeads.ts: the leads of a list with their emails, findings and sources.
import { Schema, Struct } from "effect"
import { Email, Id, text, Timestamp } from "#schema/Fields.ts"
import { Finding } from "#schema/Findings.ts"
import { CustomFields, SequenceEmail } from "#schema/Lead.ts"
import { OmittedRow } from "#schema/OmittedRows.ts"
import { PageQuery, positionedPage } from "#schema/Page.ts"
import { Suppression } from "#schema/Suppressions.ts"

const cell = (description: string) => Schema.NullOr(Schema.String).annotate({ description })
const Score = Schema.Int.annotate({ description: "0 to 100; null while no score ranks emails as readers do" })

/** A finding with the deprecated field `offset`, which `start` replaced. */
export const ListFinding = Schema.Struct({
  ...Finding.fields,
  offset: Finding.fields.start.annotate({ description: "Deprecated: use `start`" })
}).annotate({ title: "ListFinding", description: "Something the checker reports about an email" })
export type ListFinding = typeof ListFinding.Type

export const Grounds = Schema.Struct({
  sentence: Schema.String.annotate({ description: "A sentence that states a fact" }),
  sources: Schema.Array(
    Schema.Struct({
      from: Schema.Literals(["profile", "audience", "campaign", "lead", "remark", "research"]).annotate({
        description: "Who supplied it"
      }),
      at: Schema.String.annotate({ description: "The field or step, or the address of the page" })
    })
  ).annotate({ description: "Its sources, the most likely first" })
}).annotate({ title: "Grounds", description: "A sentence and its sources" })
export type Grounds = typeof Grounds.Type

/** Marks texts written by a model, for users who are required to disclose it. */
export const authorshipFields = {
  ai_generated: Schema.NullOr(Schema.Boolean).annotate({
    description:
      "Whether a language model wrote the text, or the playbook template that it was filled in from; an edit of a person does not change it. Null where that is not known: nothing is written yet, or it was written before this was recorded"
  }),
  model: cell("The model; of a lead, all of its emails' models. Null without one"),
  prompt_version: cell("The version of the prompt that the model was given. Null without a model")
}
export type Marks = { readonly [K in keyof typeof authorshipFields]: (typeof authorshipFields)[K]["Type"] }

/** The same fields, optional: examples and texts of earlier versions lack them. */
export const optionalMarks = Struct.map(authorshipFields, Schema.optionalKey)

const noModel = { ai_generated: false, model: null, prompt_version: null }

const JudgedEmail = Schema.Struct({
  ...SequenceEmail.fields,
  version: Schema.Int.annotate({ description: "Counts its texts from 1; a decision about the lead can name it" }),
  score: Schema.NullOr(Score),
  findings: Schema.Array(ListFinding),
  grounds: Schema.Array(Grounds).annotate({ description: "The sources of its factual sentences" }),
  template_id: cell("The playbook template it was made from"),
  playbook_version: Schema.NullOr(Schema.Int).annotate({ description: "The version of the playbook it was made from" }),
  ...authorshipFields
}).annotate({ title: "JudgedEmail", description: "An email, its score and its grounds" })

export const LeadStatus = Schema.Literals(["pending", "completed", "failed", "skipped"]).annotate({
  title: "LeadStatus",
  description:
    "`pending` until it is written to, or until that has failed; `skipped` is left out and does not count as failed"
})
export type LeadStatus = typeof LeadStatus.Type

export const ReviewStatus = Schema.Literals(["open", "approved", "rejected"]).annotate({
  title: "ReviewStatus",
  description:
    "`open` until a person decides; again after a rewrite, or after an edit or restored version that makes an approved lead fail the checks"
})
export type ReviewStatus = typeof ReviewStatus.Type

export const Review = Schema.Struct({
  status: ReviewStatus,
  note: cell("What the reviewer noted"),
  at: Schema.NullOr(Timestamp).annotate({ description: "When it was last decided; null until then" })
}).annotate({ title: "Review", description: "A person's decision about the emails of a lead" })
export type Review = typeof Review.Type

/** Severities from the least to the worst. */
export const severities = ["none", "hint", "warn", "fail"] as const
export type WorstSeverity = (typeof severities)[number]

export const ListLead = Schema.Struct({
  id: Id,
  position: Schema.Int.annotate({ description: "Position among the leads in the order they were sent, from 1" }),
  email: Schema.String.annotate({ description: "Email address" }),
  name: cell("First name, or first and last name"),
  title: cell("Job title"),
  company: cell("Name of the company"),
  linkedin_url: cell("Address of the profile at LinkedIn"),
  company_website: cell("Address of the company's site"),
  custom_fields: Schema.NullOr(CustomFields).annotate({ description: "Its custom fields; null when it has none" }),
  status: LeadStatus,
  persona_id: cell("The persona whose emails it received"),
  review: Review,
  edited: Schema.Boolean.annotate({ description: "Whether a person has edited one of its emails" }),
  skipped: Schema.NullOr(Schema.Struct({ reason: Schema.String })).annotate({
    description:
      "Why it was left out, where it was; it costs nothing. A lead at a known company that was recognised only when its turn came has `failed`, any other is `skipped`"
  }),
  suppressed: cell(
    "Why the address must not be written to by now, where it is on the suppression list. Files for a sending tool and files of approved leads leave the lead out"
  ),
  maybe: cell(
    "Why its company may be a client, a competitor or one on the suppression list, where the names begin alike or are spelled alike; a person has to look. It is written to and exported all the same"
  ),
  error: cell("Why it failed, or why it waits"),
  score: Schema.NullOr(Score).annotate({ description: "The lowest score of its emails, where they have one" }),
  emails: Schema.Array(JudgedEmail).annotate({ description: "None until it is written to" }),
  ...authorshipFields,
  research: Schema.Array(
    Schema.Struct({
      statement: Schema.String.annotate({ description: "A complete sentence of the company's site, verbatim" }),
      source_url: Schema.String.annotate({ description: "The page that has the sentence" }),
      found_at: Timestamp.annotate({ description: "When the page was read" })
    })
  ).annotate({
    description:
      "What the site of the lead's company states about the company, at most eight sentences, where research was asked for; empty where nothing is sure"
  })
}).annotate({
  title: "ListLead",
  description: "A lead of a list and its result",
  examples: [
    {
      id: "01980f43-b7c2-7e58-8f01-4d6a9e3b2c75",
      position: 1,
      email: "ida.moreau@northquarry.example",
      name: "Ida Moreau",
      title: "Maintenance Manager",
      company: "North Quarry",
      linkedin_url: null,
      company_website: null,
      custom_fields: { crushing_lines: 3 },
      status: "completed",
      persona_id: "01980f43-a1b2-7c3d-8e4f-5a6b7c8d9e0f",
      review: { status: "approved", note: null, at: "2026-07-14T10:02:00.000Z" },
      edited: false,
      skipped: null,
      suppressed: null,
      maybe: null,
      error: null,
      score: null,
      emails: [
        {
          step: 1,
          version: 1,
          subject: "Unplanned stops at North Quarry",
          body: "Hi Ida,\n\nHuta Wolbrom went from 19 stops a year to 4. …",
          score: null,
          findings: [
            {
              rule: "name.wrong",
              severity: "warn",
              place: "body",
              start: 3,
              end: 6,
              offset: 3,
              message: "The greeting uses the last name.",
              suggestion: null
            }
          ],
          grounds: [
            {
              sentence: "Huta Wolbrom went from 19 stops a year to 4.",
              sources: [{ from: "profile", at: "case_studies" }]
            }
          ],
          template_id: "01980f43-a1b2-7c3d-8e4f-5a6b7c8d9e11",
          playbook_version: 4,
          ...noModel
        }
      ],
      ...noModel,
      research: []
    }
  ]
})
export type ListLead = typeof ListLead.Type

export const ListLeadPage = positionedPage("ListLeadPage", ListLead)

/** When an exported file last had a lead. */
export const leadExportFields = {
  exported_at: Schema.optionalKey(Timestamp).annotate({
    description: "When a file with this lead was last exported, if one was; a download that broke off counts"
  }),
  maybe_exported_at: Schema.optionalKey(Timestamp).annotate({
    description:
      "Only where no file is known to have the lead, but an earlier version of the server, which did not record the leads of a file, exported one of the list: it may have the lead"
  })
}

export const FoundLead = Schema.Struct({
  list_id: Id.annotate({ description: "The list that has the lead" }),
  list_name: cell("The name of the list; null without one"),
  campaign_id: cell("The campaign of the list; null once it is deleted"),
  lead_id: Id.annotate({ description: "The lead in the list" }),
  position: ListLead.fields.position,
  email: ListLead.fields.email,
  name: ListLead.fields.name,
  company: ListLead.fields.company,
  status: LeadStatus,
  review: ReviewStatus,
  suppressed: ListLead.fields.suppressed,
  ...leadExportFields
}).annotate({
  title: "FoundLead",
  description: "A lead with the address, and the list that has it",
  examples: [
    {
      list_id: "01980f3e-7c1a-7d52-9b7e-2f64c0a81d35",
      list_name: "Trade fair, hall 3",
      campaign_id: "01980f3d-2b4c-7a6e-8f10-5d3c9b7e1a42",
      lead_id: "01980f43-b7c2-7e58-8f01-4d6a9e3b2c75",
      position: 1,
      email: "ida.moreau@northquarry.example",
      name: "Ida Moreau",
      company: "North Quarry",
      status: "completed",
      review: "approved",
      suppressed: null,
      exported_at: "2026-07-14T10:12:00.000Z"
    }
  ]
})
export type FoundLead = typeof FoundLead.Type

/** The most rows of lead files that one answer has. */
export const maxFoundRows = 100

const FoundRow = Schema.Struct({
  list_id: FoundLead.fields.list_id.annotate({ description: "The list that was made without the row" }),
  list_name: FoundLead.fields.list_name,
  created_at: Timestamp.annotate({ description: "When the list was made" }),
  ...OmittedRow.fields
}).annotate({
  title: "FoundRow",
  description: "A row with the address that a list was made without",
  examples: [
    {
      list_id: "01980f3e-7c1a-7d52-9b7e-2f64c0a81d35",
      list_name: "Trade fair, hall 3",
      created_at: "2026-07-14T09:30:00.000Z",
      line: 7,
      email: "ida.moreau@northquarry.example",
      name: "Ida Moreau",
      reason: "left out by hand",
      by_hand: true
    }
  ]
})
export type FoundRow = typeof FoundRow.Type

/** What else is known about an address, on each page. */
export const foundElsewhere = {
  omitted_rows: Schema.Array(FoundRow).annotate({
    description: `The rows with the address that lists were made without, if their batches named them: at most ${maxFoundRows}, those of the newest list first`
  }),
  suppressions: Schema.optionalKey(Schema.Array(Suppression)).annotate({
    description:
      "The entries of the suppression list that suppress the address: itself, itself without a tag, and its domains. Absent without the scope `workspace:read`"
  })
}

export const FoundLeadPage = Schema.Struct({
  ...positionedPage("FoundLeadPage", FoundLead).fields,
  ...foundElsewhere
}).annotate({
  title: "FoundLeadPage",
  description: "A page of the leads with an address, and what else is known about it"
})

export const FindLeadsQuery = {
  email: Email.annotate({ description: "The whole address; upper and lower case are the same" }),
  ...PageQuery
}

export const LeadSort = Schema.Literals(["position", "email", "findings"]).annotate({
  title: "LeadSort",
  description: "`position`: as they were sent; `email`: by address; `findings`: the worst first, then the most"
})
export type LeadSort = typeof LeadSort.Type

export const ListLeadQuery = {
  ...PageQuery,
  status: Schema.optionalKey(LeadStatus),
  q: Schema.optionalKey(text(200)).annotate({
    description: "Text to look for in the address, name and company, whatever its case"
  }),
  review: Schema.optionalKey(ReviewStatus),
  severity: Schema.optionalKey(Schema.Literals(severities)).annotate({
    description: "Only those whose worst finding has this severity; `none`: those whose emails have no finding"
  }),
  persona_id: Schema.optionalKey(Id).annotate({ description: "Only those that got the emails of this persona" }),
  maybe: Schema.optionalKey(Schema.Literal("true")).annotate({
    description: "Only those whose company may be one to leave out"
  }),
  sort: Schema.optionalKey(LeadSort)
}
