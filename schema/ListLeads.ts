// schema/ListLeads.ts: the leads of a list, each with its emails, what the checker says of them, and what they rest on.
import { Schema } from "effect"
import { Id, Timestamp } from "#schema/Fields.ts"
import { Finding } from "#schema/Findings.ts"
import { CustomFields, SequenceEmail } from "#schema/Lead.ts"
import { PageQuery, paged } from "#schema/Page.ts"

const cell = (description: string) => Schema.NullOr(Schema.String).annotate({ description })
const Score = Schema.Int.annotate({ description: "0 to 100; null while no score ranks emails as readers do" })

/** A finding with the name that its start had before it had an end. */
export const ListFinding = Schema.Struct({
  ...Finding.fields,
  offset: Finding.fields.start.annotate({ description: "Deprecated: use `start`" })
}).annotate({ title: "ListFinding", description: "Something the checker reports about an email" })
export type ListFinding = typeof ListFinding.Type

export const Grounds = Schema.Struct({
  sentence: Schema.String.annotate({ description: "A sentence that says something of the world" }),
  sources: Schema.Array(
    Schema.Struct({
      from: Schema.Literals(["profile", "audience", "campaign", "lead", "remark", "research"]).annotate({
        description: "Who supplied it"
      }),
      at: Schema.String.annotate({ description: "The field or step, or the address of the page" })
    })
  ).annotate({ description: "Its sources, the likeliest first" })
}).annotate({ title: "Grounds", description: "A sentence and its sources" })
export type Grounds = typeof Grounds.Type

const JudgedEmail = Schema.Struct({
  ...SequenceEmail.fields,
  score: Schema.NullOr(Score),
  findings: Schema.Array(ListFinding),
  grounds: Schema.Array(Grounds).annotate({ description: "The sources of its factual sentences" }),
  template_id: cell("The playbook template it was made from"),
  playbook_version: Schema.NullOr(Schema.Int).annotate({ description: "The version of the playbook it was made from" })
}).annotate({ title: "JudgedEmail", description: "An email, its score and its grounds" })

export const LeadStatus = Schema.Literals(["pending", "completed", "failed", "skipped"]).annotate({
  title: "LeadStatus",
  description:
    "`pending` until it is written to, or until that has failed; `skipped` is left out and does not count as failed"
})
export type LeadStatus = typeof LeadStatus.Type

export const ListLead = Schema.Struct({
  id: Id,
  position: Schema.Int.annotate({ description: "Its place among the leads as they were sent, from 1" }),
  email: Schema.String.annotate({ description: "Where the lead is written to" }),
  name: cell("First name, or first and last name"),
  title: cell("Job title"),
  company: cell("Name of the company"),
  linkedin_url: cell("Address of the profile at LinkedIn"),
  company_website: cell("Address of the company's site"),
  custom_fields: Schema.NullOr(CustomFields).annotate({ description: "Its custom fields; null when it has none" }),
  status: LeadStatus,
  persona_id: cell("The persona whose emails it got"),
  skipped: Schema.NullOr(Schema.Struct({ reason: Schema.String })).annotate({
    description:
      "Why it was left out, where it was; it costs nothing. A lead at a known company that was recognised only when its turn came has `failed`, any other is `skipped`"
  }),
  error: cell("Why it failed, or why it waits"),
  score: Schema.NullOr(Score).annotate({ description: "The lowest score of its emails, where they have one" }),
  emails: Schema.Array(JudgedEmail).annotate({ description: "None until it is written to" }),
  research: Schema.Array(
    Schema.Struct({
      statement: Schema.String.annotate({ description: "A whole sentence of the company's site, word for word" }),
      source_url: Schema.String.annotate({ description: "The page where it stands" }),
      found_at: Timestamp.annotate({ description: "When the page was read" })
    })
  ).annotate({
    description:
      "What the site of the lead's company states about the company, at most eight sentences, where research was asked for; empty where nothing is sure"
  })
}).annotate({
  title: "ListLead",
  description: "A lead of a list, and what came of it",
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
      skipped: null,
      error: null,
      score: null,
      emails: [
        {
          step: 1,
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
          playbook_version: 4
        }
      ],
      research: []
    }
  ]
})
export type ListLead = typeof ListLead.Type

export const ListLeadPage = paged("ListLeadPage", ListLead)

export const ListLeadQuery = { ...PageQuery, status: Schema.optionalKey(LeadStatus) }
