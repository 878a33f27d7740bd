// schema/LeadFiles.ts: reads a lead file without writing or charging anything.
import { ByteSize, Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { BodyLimit, RateBucket, RequiredScope } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { Lead } from "#schema/Lead.ts"

/** Size limit of a lead file, in bytes. */
export const maxLeadFileBytes = 32 * 1024 * 1024

/** Size limit of the multipart body with the file. */
const maxUploadBytes = maxLeadFileBytes + 1024 * 1024

const Upload = Schema.Struct({
  file: Multipart.SingleFileSchema,
  sheet: Schema.optionalKey(Schema.String).annotate({
    description: "The name of the sheet of a workbook; its first sheet when omitted"
  }),
  mapping: Schema.optionalKey(Schema.String).annotate({
    description:
      'A JSON object that says which headers hold which field, such as `{"email": ["Work mail"], "title": []}`; an empty list leaves a field empty, and fields that it does not name are recognised. The field `exclude` has the columns that say which leads are left out'
  }),
  campaign_id: Schema.optionalKey(Schema.String).annotate({
    description:
      "The campaign that will write to the leads: `problems` then names the leads that are suppressed and those that `skip_clients` and `skip_written` leave out, and those that may be at such a company. Leads that are suppressed or may be at such a company are named to keys with `workspace:read`, those of earlier lists to keys with `lists:read`"
  })
})
  .annotate({
    title: "LeadFileInput",
    description: "A .csv, .tsv or .xlsx file in the part named file, at most 32 MB and 50,000 rows"
  })
  .pipe(
    HttpApiSchema.asMultipartStream({
      maxParts: 20,
      maxFieldSize: ByteSize.bytes(64 * 1024),
      // The parser counts more than the file's bytes; `src/http/handlers/Upload.ts` checks the size of the file alone.
      maxFileSize: ByteSize.bytes(maxLeadFileBytes + 64 * 1024),
      maxTotalSize: ByteSize.bytes(maxUploadBytes)
    })
  )

const headers = (description: string) => Schema.Array(Schema.String).annotate({ description })

const Mapping = Schema.Struct({
  email: headers("Headers of the email address; none if no column holds addresses"),
  name: headers("Headers of the name, joined in this order"),
  title: headers("Headers of the job title"),
  company: headers("Headers of the company"),
  linkedin_url: headers("Headers of the LinkedIn profile"),
  company_website: headers("Headers of the company's site"),
  exclude: headers(
    "Headers such as Opt out: leads are left out where such a column has a yes, a mark, a date or a reason, and not where it is empty or has a no"
  ),
  custom_fields: Schema.Record(Schema.String, Schema.String).annotate({
    description: "The header of each custom field, by its key"
  })
}).annotate({ title: "LeadFileMapping", description: "Which columns hold which field of a lead" })

const addressProblems = ["role", "disposable", "consumer", "typo"] as const
export type AddressProblem = (typeof addressProblems)[number]

/** Why a batch leaves a lead out, or can. */
const skipProblems = ["suppressed", "client", "written_campaign", "written_workspace"] as const
export type SkipProblem = (typeof skipProblems)[number]

const count = (description: string) => Schema.Int.annotate({ description })

const Checks = Schema.Struct({
  role: count("Shared mailboxes such as info@"),
  disposable: count("Addresses at domains that give out throw-away mailboxes"),
  consumer: count("Private mailboxes, such as at gmail.com"),
  typo: count("Addresses whose domain looks mistyped")
}).annotate({ title: "LeadFileChecks", description: "Leads whose address fails a check, by check" })

export const LeadFileProblem = Schema.Struct({
  kind: Schema.Literals([
    "left_out",
    "excluded",
    "shortened",
    "no_email_column",
    ...addressProblems,
    "unusable",
    ...skipProblems,
    "maybe",
    "decided"
  ]).annotate({
    description:
      "`left_out`: the row gives no lead. `excluded`: a column of the file says to leave out the lead, which is in `lead` and not in `rows`; add it to `leads` of a batch to write to it all the same. `shortened`: text of a column is cut to what a custom field holds. `no_email_column`: no column holds addresses; send `mapping`. `role`, `disposable`, `consumer`, `typo`: the address of a lead in `rows` fails this check; it can be written to all the same. `unusable`: the name or the company of a lead in `rows`, as `field` says, is a formula, a link, an address, a number or a placeholder, and no email uses it. With `campaign_id`, why a batch leaves a lead out or can leave it out, `suppressed`, `client` and `maybe` only for keys with `workspace:read`, and `written_campaign`, `written_workspace` and `decided` only for keys with `lists:read`: `suppressed`: it is on the suppression list. `client`: it is at your own company, a client or a competitor. `written_campaign`, `written_workspace`: another list of this campaign, or only of another one, has the address. `maybe`: its company may be a client, a competitor or one on the suppression list, because one name begins with the other or both are the same common word; it is written to unless you drop it. `decided`: in an earlier list of the workspace a person left it out by hand or rejected it, and no newer one writes to it; it is written to unless you drop it"
  }),
  line: Schema.NullOr(Schema.Int).annotate({
    description: "The line or row of the file, from 1, for a row whose lead is not in `rows`"
  }),
  row: Schema.NullOr(Schema.Int).annotate({ description: "The place in `rows`, from 1, for a lead that is there" }),
  email: Schema.NullOr(Schema.String).annotate({ description: "The address in question" }),
  message: Schema.String.annotate({ description: "What is wrong, for people" }),
  suggestion: Schema.NullOr(Schema.String).annotate({ description: "The address that may be meant, for `typo`" }),
  field: Schema.optionalKey(Schema.Literals(["name", "company"])).annotate({
    description: "The field of the lead, for `unusable`"
  }),
  name: Schema.optionalKey(Schema.String).annotate({
    description: "The name in a row that gives no lead, for `left_out`; absent if it has none"
  }),
  opt_out: Schema.optionalKey(Schema.Literal(true)).annotate({
    description:
      "For `excluded`, where the column says that the person must not be written to at all, such as Unsubscribed or Do not contact, and not only Exclude: add the address to `POST /suppressions`, or a later file without the column writes to it"
  }),
  // No description here, so that OpenAPI has one schema for a lead.
  lead: Schema.optionalKey(Lead),
  list: Schema.optionalKey(Schema.String).annotate({
    description:
      "The name of the newest list that has the address, for `written_campaign` and `written_workspace`, or that it was left out of or rejected in, for `decided`"
  })
}).annotate({ title: "LeadFileProblem", description: "Something to look at before you write to these leads" })
export type LeadFileProblem = typeof LeadFileProblem.Type

export const LeadFileRead = Schema.Struct({
  sheet: Schema.NullOr(Schema.String).annotate({ description: "The sheet that was read; null for a text file" }),
  sheets: Schema.Array(Schema.String).annotate({ description: "All sheets of the workbook; none for a text file" }),
  columns: Schema.Array(Schema.String).annotate({ description: "The headers of the file, in their order" }),
  mapping: Mapping,
  rows: Schema.Array(Lead).annotate({
    description: "The leads, to be sent as `leads` of generate-batch; each address once"
  }),
  checks: Checks,
  problems: Schema.Array(LeadFileProblem).annotate({ description: "Rows, columns and addresses to look at" })
}).annotate({
  title: "LeadFileRead",
  description: "The leads of the file, and what was read from where",
  examples: [
    {
      sheet: "Leads",
      sheets: ["Leads", "Notes"],
      columns: ["E-Mail", "Vorname", "Nachname", "Firma", "Standorte"],
      mapping: {
        email: ["E-Mail"],
        name: ["Vorname", "Nachname"],
        title: [],
        company: ["Firma"],
        linkedin_url: [],
        company_website: [],
        exclude: [],
        custom_fields: { standorte: "Standorte" }
      },
      rows: [
        {
          email: "jo@brandt.example",
          name: "Jo Brandt",
          company: "Brandt Tee",
          custom_fields: { standorte: "3" }
        }
      ],
      checks: { role: 0, disposable: 0, consumer: 0, typo: 0 },
      problems: [{ kind: "left_out", line: 3, row: null, email: null, message: "no email address", suggestion: null }]
    }
  ]
})
export type LeadFileRead = typeof LeadFileRead.Type

export class LeadFilesApi extends HttpApiGroup.make("lead_files")
  .add(
    HttpApiEndpoint.post("readLeadFile", "/", {
      payload: Upload,
      success: LeadFileRead,
      error: BadRequest
    })
      .annotate(RequiredScope, "lists:write")
      .annotate(BodyLimit, maxUploadBytes)
      .annotate(RateBucket, { name: "imports", limit: 20, per: "key" })
  )
  .prefix("/lead-files") {}
