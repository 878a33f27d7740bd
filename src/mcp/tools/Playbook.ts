// src/mcp/tools/Playbook.ts: MCP tools for the playbook of a campaign.
import { Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import type { Client } from "#client/Client.ts"
import { Deleted, Id, text } from "#schema/Fields.ts"
import { Job } from "#schema/Jobs.ts"
import {
  Persona,
  PersonaChange,
  PersonaInput,
  Playbook,
  PlaybookChange,
  Redraft,
  RedraftStarted,
  Route,
  Template,
  TemplateEdit,
  TemplateInput,
  Tried,
  TryInput
} from "#schema/Playbook.ts"
import {
  writingTool,
  campaign_id,
  failure,
  readOnlyTool,
  destructiveTool,
  type CallApi
} from "#src/mcp/tools/Shared.ts"

const persona_id = Id.annotate({ description: "The persona, as show_playbook names it" })
const template_id = Id.annotate({ description: "The template, as show_playbook names it" })
const job_id = Id.annotate({ description: "The job, as redraft_playbook names it" })

export const tools = Toolkit.make(
  Tool.make("show_playbook", {
    description: "The personas of a campaign with their messages and email templates, and the phrases it never uses.",
    parameters: Schema.Struct({ campaign_id }),
    success: Playbook,
    failure
  })
    .annotate(Tool.Title, "Show a playbook")
    .annotateMerge(readOnlyTool),
  Tool.make("change_playbook", {
    description:
      "Replaces the phrases that emails never use, chooses how leads are written to, or approves the playbook.",
    parameters: Schema.Struct({ campaign_id, ...PlaybookChange.fields }),
    success: Playbook,
    failure
  })
    .annotate(Tool.Title, "Change a playbook")
    .annotateMerge(writingTool),
  Tool.make("add_persona", {
    description: "Adds a persona, a group of job titles with a message and emails of its own, to a playbook.",
    parameters: Schema.Struct({ campaign_id, ...PersonaInput.fields }),
    success: Persona,
    failure
  })
    .annotate(Tool.Title, "Add a persona")
    .annotateMerge(writingTool),
  Tool.make("edit_persona", {
    description: "Changes the name, the job titles or parts of the message of a persona; what is left out stays.",
    parameters: Schema.Struct({ campaign_id, persona_id, ...PersonaChange.fields }),
    success: Persona,
    failure
  })
    .annotate(Tool.Title, "Edit a persona")
    .annotateMerge(writingTool),
  Tool.make("remove_persona", {
    description: "Deletes a persona with its templates. Lists that were accepted before keep them.",
    parameters: Schema.Struct({ campaign_id, persona_id }),
    success: Deleted,
    failure
  })
    .annotate(Tool.Title, "Remove a persona")
    .annotateMerge(destructiveTool),
  Tool.make("add_template", {
    description: "Adds another variant of an email to a persona, at most three for each step.",
    parameters: Schema.Struct({ campaign_id, ...TemplateInput.fields }),
    success: Template,
    failure
  })
    .annotate(Tool.Title, "Add a template")
    .annotateMerge(writingTool),
  Tool.make("edit_template", {
    description: "Replaces the subject and body of a template. Lists that were accepted before keep the old text.",
    parameters: Schema.Struct({ campaign_id, template_id, ...TemplateEdit.fields }),
    success: Template,
    failure
  })
    .annotate(Tool.Title, "Edit a template")
    .annotateMerge(writingTool),
  Tool.make("reset_template", {
    description: "Restores a template as it was drafted. Its edited text is replaced.",
    parameters: Schema.Struct({ campaign_id, template_id }),
    success: Template,
    failure
  })
    .annotate(Tool.Title, "Reset a template")
    .annotateMerge(destructiveTool),
  Tool.make("remove_template", {
    description: "Deletes a template. Each email of a persona keeps at least one; lists keep what was written from it.",
    parameters: Schema.Struct({ campaign_id, template_id }),
    success: Deleted,
    failure
  })
    .annotate(Tool.Title, "Remove a template")
    .annotateMerge(destructiveTool),
  Tool.make("redraft_playbook", {
    description:
      "Drafts templates again that were not edited, of one persona or of all. Answers a job; show_job tells when it is done.",
    parameters: Schema.Struct({ campaign_id, ...Redraft.fields }),
    success: RedraftStarted,
    failure
  })
    .annotate(Tool.Title, "Draft a playbook again")
    .annotateMerge(destructiveTool),
  Tool.make("show_job", {
    description: "How far a piece of background work is, such as that of redraft_playbook.",
    parameters: Schema.Struct({ job_id }),
    success: Job,
    failure
  })
    .annotate(Tool.Title, "Show a job")
    .annotateMerge(readOnlyTool),
  Tool.make("route_title", {
    description: "Which persona of a playbook a job title belongs to, and why.",
    parameters: Schema.Struct({ campaign_id, title: text(2000).annotate({ description: "A job title" }) }),
    success: Route,
    failure
  })
    .annotate(Tool.Title, "Find the persona of a job title")
    .annotateMerge(readOnlyTool),
  Tool.make("try_playbook", {
    description: "Shows the emails that a lead would get from the playbook. Costs nothing and stores nothing.",
    parameters: Schema.Struct({ campaign_id, ...TryInput.fields }),
    success: Tried,
    failure
  })
    .annotate(Tool.Title, "Try a playbook")
    .annotateMerge(readOnlyTool)
)

/** The API request of each tool. */
export const requests = (client: Client, callApi: CallApi) =>
  tools.toLayer({
    show_playbook: ({ campaign_id: id }) => callApi(client.playbook.getPlaybook({ params: { id } })),

    change_playbook: ({ campaign_id: id, ...payload }) =>
      callApi(client.playbook.updatePlaybook({ params: { id }, payload })),

    add_persona: ({ campaign_id: id, ...payload }) =>
      callApi(client.playbook.createPersona({ params: { id }, headers: {}, payload })),

    edit_persona: ({ campaign_id: id, persona_id, ...payload }) =>
      callApi(client.playbook.updatePersona({ params: { id, persona_id }, payload })),

    remove_persona: ({ campaign_id: id, persona_id }) =>
      callApi(client.playbook.deletePersona({ params: { id, persona_id } })),

    add_template: ({ campaign_id: id, ...payload }) =>
      callApi(client.playbook.createTemplate({ params: { id }, headers: {}, payload })),

    edit_template: ({ campaign_id: id, template_id, ...payload }) =>
      callApi(client.playbook.updateTemplate({ params: { id, template_id }, payload })),

    reset_template: ({ campaign_id: id, template_id }) =>
      callApi(client.playbook.resetTemplate({ params: { id, template_id }, headers: {} })),

    remove_template: ({ campaign_id: id, template_id }) =>
      callApi(client.playbook.deleteTemplate({ params: { id, template_id } })),

    redraft_playbook: ({ campaign_id: id, ...payload }) =>
      callApi(client.playbook.redraftPlaybook({ params: { id }, headers: {}, payload })),

    show_job: ({ job_id: id }) => callApi(client.jobs.getJob({ params: { id } })),

    route_title: ({ campaign_id: id, title }) =>
      callApi(client.playbook.routeTitle({ params: { id }, query: { title } })),

    try_playbook: ({ campaign_id: id, ...payload }) => callApi(client.playbook.tryPlaybook({ params: { id }, payload }))
  })
