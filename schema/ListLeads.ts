// schema/ListLeads.ts: the leads of a list, each with its emails, what the checker says of them, and what they rest on.
import { Schema } from "effect"
import { Id, Timestamp } from "#schema/Fields.ts"
import { SequenceEmail } from "#schema/Lead.ts"
import { PageQuery, paged } from "#schema/Page.ts"

const cell = (description: string) => Schema.NullOr(Schema.String).annotate({ description })
const Score = Schema.Int.annotate({ description: "0 to 100: 85 or more is good, under 70 a failing rule" })

export const Finding = Schema.Struct({
  rule: Schema.String.annotate({ description: "The rule of the checker, such as S1" }),
  severity: Schema.Literals(["fail", "warn"]).annotate({
    description: "`fail` is never sent out; `warn` costs points"
  }),
  place: Schema.Literals(["subject", "body"]).annotate({ description: "Where it is" }),
  offset: Schema.NullOr(Schema.Int).annotate({
    description: "Where in it the text begins that is meant, in UTF-16 code units; null when the whole is"
  }),
  message: Schema.String.annotate({ description: "What it is, and the way out" })
}).annotate({ title: "ListFinding", description: "Something that the checker says of an email" })
export type Finding = typeof Finding.Type

export const Grounds = Schema.Struct({
  sentence: Schema.String.annotate({ description: "A sentence that says something of the world" }),
  sources: Schema.Array(
    Schema.Struct({
      from: Schema.Literals(["profile", "audience", "campaign", "lead", "remark", "research"]).annotate({
        description: "Who supplied it"
      }),
      at: Schema.String.annotate({ description: "The field or step, or the address of the page" })
    })
  ).annotate({ description: "What it rests on, the likeliest first" })
}).annotate({ title: "Grounds", description: "A sentence and what it rests on" })
export type Grounds = typeof Grounds.Type

const JudgedEmail = Schema.Struct({
  ...SequenceEmail.fields,
  score: Schema.NullOr(Score).annotate({ description: "Null where it was not judged" }),
  findings: Schema.Array(Finding).annotate({ description: "What is to be said of it; none is best" }),
  grounds: Schema.Array(Grounds).annotate({ description: "What its sentences rest on; the rest is the writer's own" })
}).annotate({ title: "JudgedEmail", description: "An email, its score and its grounds" })

export const LeadStatus = Schema.Literals(["pending", "completed", "failed"]).annotate({
  title: "LeadStatus",
  description: "`pending` until it is written to, or until that has failed"
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
  status: LeadStatus,
  error: cell("Why it failed, or why it waits"),
  score: Schema.NullOr(Score).annotate({ description: "That of its weakest email; null until there is one" }),
  emails: Schema.Array(JudgedEmail).annotate({ description: "None until it is written to" }),
  research: Schema.Array(
    Schema.Struct({
      statement: Schema.String.annotate({ description: "What was found, in the words of its source" }),
      source_url: Schema.String.annotate({ description: "Where" }),
      found_at: Timestamp
    })
  ).annotate({ description: "What was found about the lead's company, where research was asked for" })
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
      status: "completed",
      error: null,
      score: 92,
      emails: [
        {
          step: 1,
          subject: "Unplanned stops at North Quarry",
          body: "Hi Ida,\n\nHuta Wolbrom went from 19 stops a year to 4. …",
          score: 92,
          findings: [
            {
              rule: "L1",
              severity: "warn",
              place: "body",
              offset: null,
              message: "38 words; 50 to 90 are best"
            }
          ],
          grounds: [
            {
              sentence: "Huta Wolbrom went from 19 stops a year to 4.",
              sources: [{ from: "profile", at: "case_studies" }]
            }
          ]
        }
      ],
      research: []
    }
  ]
})
export type ListLead = typeof ListLead.Type

export const ListLeadPage = paged("ListLeadPage", ListLead)

export const ListLeadQuery = { ...PageQuery, status: Schema.optionalKey(LeadStatus) }
