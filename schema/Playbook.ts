// schema/Playbook.ts: a campaign's playbook: personas, their messages, and the email templates that leads are written from.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredScope } from "#schema/Auth.ts"
import { BadRequest, Conflict, NotReady, campaignErrors, Unprocessable } from "#schema/Errors.ts"
import { Deleted, Id, nonEmptyText, optional, idParams, text, Timestamp } from "#schema/Fields.ts"
import { Finding } from "#schema/Findings.ts"
import { EmailCount } from "#schema/Generation.ts"
import { IdempotencyHeaders } from "#schema/Idempotency.ts"
import { Lead } from "#schema/Lead.ts"

/** The maximum number of personas in a playbook, including "Everyone else". */
export const maxPersonas = 8

/** Templates for one step of one persona. */
export const maxVariants = 3

/** The step of the closing email. */
const closingStep = 4

/**
 * The template steps of a sequence of `count` emails: 1 to n-1 and then the closing one; a single email is step 1. A step
 * that the persona lacks is replaced by an unused one; the order of the steps is kept.
 */
export const sequenceSteps = (available: ReadonlySet<number>, count: number): ReadonlyArray<number> => {
  const wanted = count === 1 ? [1] : [...Array.from({ length: count - 1 }, (_, index) => index + 1), closingStep]
  const used = wanted.filter((step) => available.has(step))
  const spare = [...available].filter((step) => !used.includes(step)).toSorted((one, other) => one - other)
  return [...used, ...spare].slice(0, count).toSorted((one, other) => one - other)
}

/** The parts of a message, in the order in which an email has them. */
export const messageParts = ["what_we_do", "problem", "consequence", "proof", "offer", "question"] as const
export const MessagePart = Schema.Literals(messageParts)
export type MessagePart = typeof MessagePart.Type

const part = (description: string) => Schema.NullOr(text(2000)).annotate({ description })

export const Message = Schema.Struct({
  what_we_do: part("One sentence that tells a stranger what you sell"),
  problem: part("The problem that this group of readers has, in their words"),
  consequence: part("What the problem costs them; optional"),
  proof: part("A result or fact about that same problem"),
  offer: part("The smallest useful thing you can offer"),
  question: part("The question that the first email ends with")
}).annotate({ title: "PersonaMessage", description: "Six sentences that a persona's emails are drafted from" })
export type Message = typeof Message.Type

export const mapMessage = (valueOf: (part: MessagePart) => string | null): Message => ({
  what_we_do: valueOf("what_we_do"),
  problem: valueOf("problem"),
  consequence: valueOf("consequence"),
  proof: valueOf("proof"),
  offer: valueOf("offer"),
  question: valueOf("question")
})

/** A message with every part empty. */
export const noMessage: Message = mapMessage(() => null)

/**
 * Steps 1 to 3, and 4 for the closing email. A sequence of n emails has steps 1 to n-1 and 4; a single email is step 1.
 */
export const Step = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 4 }, { message: "must be a whole number from 1 to 4" })
).annotate({ description: "1 to 3 in order of sending; 4 is the closing email" })

const ids = {
  campaign: "01980f3f-6a9d-7e41-b5c2-0d8e7f3a1b64",
  persona: "01980f42-5c1e-7a93-b0d4-8f2e6a7c1d35",
  template: "01980f42-5c1f-7b06-9e71-3a4d5c8b2f60"
}

const templateExample = {
  id: ids.template,
  step: 1,
  variant: 1,
  subject: "Unplanned stops",
  body: 'Hi {{ first_name | default: "there" }},\n\nHow long does a worn pump stop your line?',
  edited: false,
  stale: false,
  findings: []
}

const personaExample = {
  id: ids.persona,
  name: "Maintenance",
  kind: "role" as const,
  titles: ["Maintenance Manager", "Reliability Engineer"],
  message: {
    what_we_do: "We rebuild slurry pumps in 6 days.",
    problem: "A worn pump stops the line.",
    consequence: null,
    proof: "Huta Wolbrom cut unplanned stops from 19 to 4 a year.",
    offer: "A free check of one pump",
    question: "How long does a worn pump stop your line?"
  },
  templates: [templateExample]
}

export const Template = Schema.Struct({
  id: Id,
  step: Step,
  variant: Schema.Int.annotate({ description: "1 to 3 within its step; a lead always gets the same one" }),
  subject: Schema.String.annotate({ description: "Liquid" }),
  body: Schema.String.annotate({ description: "Liquid, without the signature" }),
  edited: Schema.Boolean.annotate({ description: "Whether a person wrote or changed it" }),
  stale: Schema.Boolean.annotate({
    description: "Whether it was edited, and the message or selections under it have changed since"
  }),
  findings: Schema.Array(Finding).annotate({ description: "What the checker reports about it" })
}).annotate({ title: "Template", description: "One email of one persona", examples: [templateExample] })
export type Template = typeof Template.Type

export const Persona = Schema.Struct({
  id: Id,
  name: Schema.String.annotate({ description: "What the group is called" }),
  kind: Schema.Literals(["role", "everyone_else"]).annotate({
    description: "`everyone_else` gets every lead that fits no other persona"
  }),
  titles: Schema.Array(Schema.String).annotate({ description: "Job titles that belong to it" }),
  message: Message,
  templates: Schema.Array(Template).annotate({ description: "Its emails, by step and variant" })
}).annotate({
  title: "Persona",
  description: "A group of job titles that shares one problem",
  examples: [personaExample]
})
export type Persona = typeof Persona.Type

export const Personalization = Schema.Literals(["template", "adapted"]).annotate({
  description:
    "`template` fills in the templates without a model; `adapted` has the model adapt them to each lead. " +
    "Without a model both are `template`"
})
export type Personalization = typeof Personalization.Type

export const PlaybookStatus = Schema.Literals(["draft", "approved"]).annotate({
  description: "Whether a person has approved it; emails can be written either way"
})
export type PlaybookStatus = typeof PlaybookStatus.Type

export const MissingSentence = Schema.Struct({
  persona_id: Schema.String.annotate({ description: "The persona" }),
  part: MessagePart.annotate({ description: "The part of its message" }),
  message: Schema.String.annotate({ description: "The sentence to supply, and why" })
}).annotate({ title: "MissingSentence", description: "A sentence that would make the emails better" })

export const Playbook = Schema.Struct({
  campaign_id: Id,
  version: Schema.Int.annotate({ description: "Goes up with every change" }),
  status: PlaybookStatus,
  stale: Schema.Boolean.annotate({ description: "Whether any edited template is stale" }),
  missing: Schema.Array(MissingSentence).annotate({ description: "Sentences that would make the emails better" }),
  never_say: Schema.Array(Schema.String).annotate({ description: "Phrases that no email may contain" }),
  personalization: Personalization,
  personas: Schema.Array(Persona).annotate({ description: "Everyone else is the last" }),
  updated_at: Timestamp
}).annotate({
  title: "Playbook",
  description: "What the emails of a campaign are written from",
  examples: [
    {
      campaign_id: ids.campaign,
      version: 3,
      status: "draft",
      stale: false,
      missing: [
        { persona_id: ids.persona, part: "consequence", message: "Say what an unplanned stop costs; optional." }
      ],
      never_say: ["cheap"],
      personalization: "template",
      personas: [personaExample],
      updated_at: "2026-07-14T09:30:00.000Z"
    }
  ]
})
export type Playbook = typeof Playbook.Type

export const PlaybookChange = Schema.Struct({
  never_say: optional(
    Schema.Array(nonEmptyText(200, "A phrase")).check(
      Schema.isMaxLength(100, { message: "must hold at most 100 phrases" })
    )
  ).annotate({ description: "Replaces the list" }),
  personalization: optional(Personalization).annotate({ description: "How leads are written to" }),
  status: optional(PlaybookStatus).annotate({ description: "`approved` after a review" })
}).annotate({
  title: "PlaybookChange",
  description: "What to change; omitted fields stay",
  examples: [{ status: "approved" }]
})
export type PlaybookChange = typeof PlaybookChange.Type

const titles = Schema.Array(nonEmptyText(200, "A job title")).check(
  Schema.isMaxLength(100, { message: "must hold at most 100 titles" })
)

const MessageInput = Schema.Struct({
  what_we_do: optional(text(2000)).annotate({ description: "One sentence that tells a stranger what you sell" }),
  problem: optional(text(2000)).annotate({ description: "The problem of this group of readers" }),
  consequence: optional(text(2000)).annotate({ description: "What the problem costs them" }),
  proof: optional(text(2000)).annotate({ description: "A result or fact about that problem" }),
  offer: optional(text(2000)).annotate({ description: "The smallest useful thing you can offer" }),
  question: optional(text(2000)).annotate({ description: "The question that the first email ends with" })
}).annotate({ title: "MessageInput", description: "Omitted parts stay; null empties one" })
export type MessageInput = typeof MessageInput.Type

export const PersonaInput = Schema.Struct({
  name: nonEmptyText(100, "What the group is called"),
  titles: titles.annotate({ description: "Job titles that belong to it" }),
  message: optional(MessageInput).annotate({ description: "Its message; omitted parts are prefilled" })
}).annotate({
  title: "PersonaInput",
  description: "A new persona",
  examples: [{ name: "Maintenance", titles: ["Maintenance Manager", "Reliability Engineer"] }]
})
export type PersonaInput = typeof PersonaInput.Type

export const PersonaChange = Schema.Struct({
  name: optional(nonEmptyText(100, "What the group is called")).annotate({ description: "What the group is called" }),
  titles: optional(titles).annotate({ description: "Replaces the list" }),
  message: optional(MessageInput).annotate({ description: "The parts to change" })
}).annotate({
  title: "PersonaChange",
  description: "What to change; omitted fields stay",
  examples: [{ name: "Plant" }]
})
export type PersonaChange = typeof PersonaChange.Type

const email = {
  subject: nonEmptyText(300, "Liquid, one line"),
  body: nonEmptyText(10_000, "Liquid, without the signature")
}
export const TemplateEdit = Schema.Struct(email).annotate({
  title: "TemplateEdit",
  description: "The whole email",
  examples: [
    { subject: "Leaking seals", body: 'Hi {{ first_name | default: "there" }},\n\nHow often do your seals leak?' }
  ]
})
export type TemplateEdit = typeof TemplateEdit.Type
export const TemplateInput = Schema.Struct({
  persona_id: Schema.String.annotate({ description: "The persona" }),
  step: Step,
  ...email
}).annotate({
  title: "TemplateInput",
  description: "Another variant of a step",
  examples: [{ persona_id: ids.persona, step: 1, subject: "Leaking seals", body: "How often do your seals leak?" }]
})
export type TemplateInput = typeof TemplateInput.Type

export const Redraft = Schema.Struct({
  persona_id: optional(Schema.String).annotate({ description: "The persona to draft again; all when omitted" }),
  instruction: optional(text(2000)).annotate({ description: "What to do differently; needs a model" })
}).annotate({ title: "Redraft", description: "Templates that were not edited are drafted again", examples: [{}] })
export type Redraft = typeof Redraft.Type

export const RedraftStarted = Schema.Struct({
  id: Id.annotate({ description: "The job, for GET /jobs/:id" }),
  type: Schema.tag("campaign.playbook"),
  status: Schema.tag("processing")
}).annotate({
  title: "RedraftStarted",
  description: "The templates are being drafted",
  examples: [{ id: "01980f41-1b8d-7f63-a0c4-6e9d2f5a7b31", type: "campaign.playbook", status: "processing" }]
})

const routing = {
  persona_id: Schema.String.annotate({ description: "The persona whose emails the lead gets" }),
  department: Schema.NullOr(Schema.String).annotate({ description: "The department that the title belongs to" }),
  seniority: Schema.NullOr(Schema.String).annotate({ description: "The seniority that the title stands for" }),
  reasons: Schema.Array(Schema.String).annotate({ description: "How the persona was chosen, step by step" })
}

const routeExample = {
  persona_id: ids.persona,
  department: "maintenance",
  seniority: "manager",
  reasons: ["“Maintenance Manager” is one of the titles of Maintenance."]
}

export const Route = Schema.Struct({
  ...routing,
  persona: Schema.String.annotate({ description: "The name of that persona" })
}).annotate({
  title: "Route",
  description: "Which persona a job title belongs to, and why",
  examples: [{ ...routeExample, persona: "Maintenance" }]
})
export type Route = typeof Route.Type

const Skipped = Schema.NullOr(
  Schema.Struct({ reason: Schema.String.annotate({ description: "In a sentence" }) })
).annotate({
  description: "Why this lead would be left out of a batch; null when it would not"
})

export const Tried = Schema.Struct({
  ...routing,
  skipped: Skipped,
  sequence: Schema.Array(
    Schema.Struct({
      step: Schema.Int.annotate({ description: "Its place in the sequence, from 1" }),
      subject: Schema.String.annotate({ description: "The subject line" }),
      body: Schema.String.annotate({ description: "Plain text, without the signature" }),
      template_id: Schema.NullOr(Schema.String).annotate({ description: "The template it was made from" }),
      findings: Schema.Array(Finding).annotate({ description: "What the checker reports about it" })
    })
  ).annotate({ description: "The emails, in order; none when the templates lack a value for this lead" })
}).annotate({
  title: "Tried",
  description: "The emails one lead would get from the templates",
  examples: [
    {
      ...routeExample,
      skipped: null,
      sequence: [
        {
          step: 1,
          subject: "Unplanned stops",
          body: "Hi Ida,\n\nHow long does a worn pump stop your line?",
          template_id: ids.template,
          findings: []
        }
      ]
    }
  ]
})
export type Tried = typeof Tried.Type

const TriedText = Schema.Struct({
  template_id: Id.annotate({ description: "The template" }),
  ...email
}).annotate({ title: "TriedText", description: "A text to try in place of the saved one" })
export type TriedText = typeof TriedText.Type

export const TryInput = Schema.Struct({
  lead: Lead,
  email_count: optional(EmailCount),
  templates: optional(
    Schema.Array(TriedText).check(Schema.isMaxLength(50, { message: "must hold at most 50 templates" }))
  ).annotate({ description: "Texts to try before they are saved; other variants of their steps are not used" })
}).annotate({
  title: "TryInput",
  description: "The lead to try, and how many emails; 3 when omitted"
})
export type TryInput = typeof TryInput.Type

const params = idParams("campaign")
const personaParams = { ...params, persona_id: Id.annotate({ description: "The persona" }) }
const templateParams = { ...params, template_id: Id.annotate({ description: "The template" }) }
const playbookErrors = [...campaignErrors, NotReady] as const

export class PlaybookApi extends HttpApiGroup.make("playbook")
  .add(
    HttpApiEndpoint.get("getPlaybook", "/", { params, success: Playbook, error: playbookErrors }).annotate(
      RequiredScope,
      "campaigns:read"
    ),
    HttpApiEndpoint.patch("updatePlaybook", "/", {
      params,
      payload: PlaybookChange,
      success: Playbook,
      error: [BadRequest, ...playbookErrors]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.post("createPersona", "/personas", {
      params,
      headers: IdempotencyHeaders,
      payload: PersonaInput,
      success: Persona.pipe(HttpApiSchema.status("Created")),
      error: [BadRequest, ...playbookErrors, Conflict]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.put("updatePersona", "/personas/:persona_id", {
      params: personaParams,
      payload: PersonaChange,
      success: Persona,
      error: [BadRequest, ...playbookErrors]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.delete("deletePersona", "/personas/:persona_id", {
      params: personaParams,
      success: Deleted,
      error: [...playbookErrors, Conflict]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.post("createTemplate", "/templates", {
      params,
      headers: IdempotencyHeaders,
      payload: TemplateInput,
      success: Template.pipe(HttpApiSchema.status("Created")),
      error: [BadRequest, ...playbookErrors, Conflict]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.put("updateTemplate", "/templates/:template_id", {
      params: templateParams,
      payload: TemplateEdit,
      success: Template,
      error: [BadRequest, ...playbookErrors]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.delete("deleteTemplate", "/templates/:template_id", {
      params: templateParams,
      success: Deleted,
      error: [...playbookErrors, Conflict]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.post("resetTemplate", "/templates/:template_id/reset", {
      params: templateParams,
      headers: IdempotencyHeaders,
      success: Template,
      error: [...playbookErrors, Conflict]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.post("redraftPlaybook", "/redraft", {
      params,
      headers: IdempotencyHeaders,
      payload: Redraft,
      success: RedraftStarted.pipe(HttpApiSchema.status("Accepted")),
      error: [BadRequest, ...playbookErrors, Conflict, Unprocessable]
    }).annotate(RequiredScope, "campaigns:write"),
    HttpApiEndpoint.post("tryPlaybook", "/try", {
      params,
      payload: TryInput,
      success: Tried,
      error: [BadRequest, ...playbookErrors]
    }).annotate(RequiredScope, "campaigns:read"),
    HttpApiEndpoint.get("routeTitle", "/route", {
      params,
      query: { title: text(2000).annotate({ description: "A job title" }) },
      success: Route,
      error: playbookErrors
    }).annotate(RequiredScope, "campaigns:read")
  )
  .prefix("/campaigns/:id/playbook") {}
