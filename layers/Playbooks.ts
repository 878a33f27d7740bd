// layers/Playbooks.ts: reads, edits and tries out the playbook of a campaign.
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { NotVisible } from "#layers/campaigns/Store.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import type { DraftedPersona, PersonaOutline } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { templateProblems } from "#layers/generator/playbook/LiquidTemplate.ts"
import type { Campaign } from "#layers/Generator.ts"
import { type ClaimedJob, Queue } from "#layers/Queue.ts"
import { Model } from "#layers/Model.ts"
import {
  type PlaybookContent,
  personaOutline,
  toPersonaView,
  toPlaybookView,
  toTemplateView
} from "#layers/playbooks/Content.ts"
import { drafterFor, messageProposerFor } from "#layers/playbooks/Redrafts.ts"
import { isSameMessage, redraftPersona } from "#layers/playbooks/Redrafts.ts"
import * as Edits from "#layers/playbooks/Edits.ts"
import { type OpenPlaybook, PlaybookStore } from "#layers/playbooks/Store.ts"
import * as Trial from "#layers/playbooks/TryPlaybook.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { traced } from "#layers/lib/Traced.ts"
import { runInTurns } from "#layers/lib/Turns.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { BadRequest, type Conflict, NotFound, type NotReady, Unprocessable } from "#schema/Errors.ts"
import type {
  Persona,
  PersonaChange,
  PersonaInput,
  Playbook,
  PlaybookChange,
  Redraft,
  Route,
  Template,
  TemplateEdit,
  TemplateInput,
  Tried,
  TryInput
} from "#schema/Playbook.ts"

type PlaybookEffect<A, E = never> = Effect.Effect<A, E | NotVisible | NotReady>

const redraftType = "campaign.playbook"
const RedraftPayload = Schema.Struct({
  persona_id: Schema.NullOr(Schema.String),
  instruction: Schema.NullOr(Schema.String)
})

/** The personas whose templates a job redrafts. */
export interface RedraftInput {
  readonly campaign: Campaign
  readonly instruction: string | null
  readonly personas: ReadonlyArray<{ readonly id: string; readonly outline: PersonaOutline }>
}

export class Playbooks extends Context.Service<
  Playbooks,
  {
    /**
     * NOT_READY before the first build. Creates the playbook of a campaign that an earlier version built without one.
     */
    readonly find: (workspace: WorkspaceId, campaign: string) => PlaybookEffect<Playbook>
    readonly update: (workspace: WorkspaceId, campaign: string, change: PlaybookChange) => PlaybookEffect<Playbook>
    readonly createPersona: (
      workspace: WorkspaceId,
      campaign: string,
      input: PersonaInput
    ) => PlaybookEffect<Persona, Conflict>
    /** If the message changed, drafts the persona's unedited templates again, without a model. */
    readonly updatePersona: (
      workspace: WorkspaceId,
      campaign: string,
      id: string,
      change: PersonaChange
    ) => PlaybookEffect<Persona, BadRequest>
    readonly removePersona: (workspace: WorkspaceId, campaign: string, id: string) => PlaybookEffect<void, Conflict>
    readonly createTemplate: (
      workspace: WorkspaceId,
      campaign: string,
      input: TemplateInput
    ) => PlaybookEffect<Template, BadRequest | Conflict>
    readonly updateTemplate: (
      workspace: WorkspaceId,
      campaign: string,
      id: string,
      edit: TemplateEdit
    ) => PlaybookEffect<Template, BadRequest>
    readonly resetTemplate: (workspace: WorkspaceId, campaign: string, id: string) => PlaybookEffect<Template, Conflict>
    readonly removeTemplate: (workspace: WorkspaceId, campaign: string, id: string) => PlaybookEffect<void, Conflict>
    /** Queues a redraft and returns the job's id; if a redraft is in progress, returns the id of that job. */
    readonly redraft: (
      workspace: WorkspaceId,
      campaign: string,
      request: Redraft
    ) => PlaybookEffect<string, Unprocessable>
    /** The current input of a redraft job. */
    readonly loadRedraft: (claim: ClaimedJob) => PlaybookEffect<RedraftInput>
    /** Stores the drafts in the last transaction of a redraft job. Skips a persona whose message has changed since. */
    readonly saveRedrafts: (
      claim: ClaimedJob,
      redrafts: ReadonlyArray<RedraftInput["personas"][number] & { readonly draft: DraftedPersona }>
    ) => Effect.Effect<void>
    /** Renders the emails of one lead; stores nothing. */
    readonly try: (workspace: WorkspaceId, campaign: string, input: TryInput) => PlaybookEffect<Tried, BadRequest>
    readonly route: (workspace: WorkspaceId, campaign: string, title: string) => PlaybookEffect<Route>
  }
>()("overture/layers/Playbooks") {
  static readonly layer = Layer.effect(
    Playbooks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* Queue
      const model = yield* Model
      const store = yield* PlaybookStore
      const suppressions = yield* Suppressions
      const byModel = model !== undefined
      const decodePayload = Schema.decodeUnknownEffect(RedraftPayload)

      /** Applies an edit and keeps the status of the playbook. */
      const edit = <E>(
        workspace: WorkspaceId,
        campaign: string,
        change: (content: PlaybookContent, playbook: OpenPlaybook) => Effect.Effect<PlaybookContent, E>
      ) =>
        store.edit(workspace, campaign, (playbook) =>
          Effect.map(change(playbook.row.content, playbook), (content) => ({ content, status: playbook.row.status }))
        )

      const openPlaybook = (workspace: WorkspaceId, campaign: string) =>
        store.open(workspace, campaign).pipe(inTransaction(sql))

      const viewTemplate = Effect.fnUntraced(function* (content: PlaybookContent, id: string) {
        const { persona, template } = yield* Edits.findTemplate(content, id)
        return toTemplateView(content, persona.message, template)
      })

      return Playbooks.of({
        find: traced("Playbooks.find")(function* (workspace, campaign) {
          return toPlaybookView((yield* openPlaybook(workspace, campaign)).row, byModel)
        }),

        update: traced("Playbooks.update")(function* (workspace, campaign, change) {
          const { row } = yield* store.edit(workspace, campaign, ({ brief, row }) =>
            Effect.map(runInTurns(Edits.update(row.content, change, drafterFor(brief.campaign))), (content) => ({
              content,
              status: change.status ?? row.status
            }))
          )
          return toPlaybookView(row, byModel)
        }),

        createPersona: traced("Playbooks.createPersona")(function* (workspace, campaign, input) {
          const { before, row } = yield* edit(workspace, campaign, (content, { brief }) =>
            Edits.addPersona(content, input, messageProposerFor(brief.campaign), drafterFor(brief.campaign))
          )
          const previousIds = new Set(before.personas.map(({ id }) => id))
          const newPersona = row.content.personas.find(({ id }) => !previousIds.has(id))
          return newPersona === undefined ? yield* NotFound.of("persona") : toPersonaView(row.content, newPersona)
        }),

        updatePersona: traced("Playbooks.updatePersona")(function* (workspace, campaign, id, change) {
          const { row } = yield* edit(workspace, campaign, (content, { brief }) =>
            Edits.changePersona(content, id, change, drafterFor(brief.campaign))
          )
          return toPersonaView(row.content, yield* Edits.findPersona(row.content, id))
        }),

        removePersona: (workspace, campaign, id) =>
          Effect.asVoid(edit(workspace, campaign, (content) => Edits.removePersona(content, id))),

        createTemplate: traced("Playbooks.createTemplate")(function* (workspace, campaign, input) {
          const { before, row } = yield* edit(workspace, campaign, (content) =>
            Effect.andThen(requireValid(input), Edits.addTemplate(content, input))
          )
          const previousIds = new Set(before.personas.flatMap(({ templates }) => templates.map(({ id }) => id)))
          const newTemplate = row.content.personas
            .flatMap(({ templates }) => templates)
            .find(({ id }) => !previousIds.has(id))
          return yield* viewTemplate(row.content, newTemplate?.id ?? "")
        }),

        updateTemplate: traced("Playbooks.updateTemplate")(function* (workspace, campaign, id, change) {
          const { row } = yield* edit(workspace, campaign, (content) =>
            Effect.andThen(requireValid(change), Edits.changeTemplate(content, id, change))
          )
          return yield* viewTemplate(row.content, id)
        }),

        resetTemplate: traced("Playbooks.resetTemplate")(function* (workspace, campaign, id) {
          const { row } = yield* edit(workspace, campaign, (content) => Edits.resetTemplate(content, id))
          return yield* viewTemplate(row.content, id)
        }),

        removeTemplate: (workspace, campaign, id) =>
          Effect.asVoid(edit(workspace, campaign, (content) => Edits.removeTemplate(content, id))),

        redraft: traced("Playbooks.redraft")(function* (workspace, campaign, { instruction, persona_id }) {
          const { row } = yield* store.open(workspace, campaign)
          if (typeof persona_id === "string") yield* Edits.findPersona(row.content, persona_id)
          if (typeof instruction === "string" && instruction.trim() !== "" && !byModel) {
            return yield* new Unprocessable({
              message: "instruction needs a model, and none is set; leave it out to draft the templates again"
            })
          }
          const [runningJob] = yield* sql<{ readonly id: string }>`
            SELECT id FROM jobs
            WHERE subject = ${campaign} AND workspace_id = ${workspace} AND type = ${redraftType}
              AND status IN ('waiting', 'pending', 'processing') LIMIT 1`
          if (runningJob !== undefined) return runningJob.id
          const payload = { persona_id: persona_id ?? null, instruction: instruction ?? null }
          const [job = ""] = yield* queue.enqueue([{ workspace, type: redraftType, subject: campaign, payload }])
          return job
        }, inTransaction(sql)),

        loadRedraft: traced("Playbooks.redrafting")(function* ({ payload, subject, workspace_id }) {
          const { instruction, persona_id } = yield* Effect.orDie(decodePayload(payload))
          const { brief, row } = yield* openPlaybook(workspace_id, subject)
          const personas = row.content.personas.filter(({ id }) => persona_id === null || id === persona_id)
          return {
            campaign: brief.campaign,
            instruction,
            personas: personas.map((persona) => ({
              id: persona.id,
              outline: { ...personaOutline(persona), never_say: row.content.never_say }
            }))
          }
        }),

        saveRedrafts: traced("Playbooks.keepRedrafts")(function* ({ subject, workspace_id }, redrafts) {
          const redraftsById = new Map(redrafts.map((redraft) => [redraft.id, redraft]))
          const change = ({ row }: OpenPlaybook) => {
            const personas = row.content.personas.map((persona) => {
              const redraft = redraftsById.get(persona.id)
              const isCurrent = redraft !== undefined && isSameMessage(redraft.outline.message, persona.message)
              return isCurrent ? redraftPersona(persona, redraft.draft) : persona
            })
            return Effect.succeed({ content: { ...row.content, personas }, status: "draft" as const })
          }
          yield* Effect.catchTag(
            store.edit(workspace_id, subject, change),
            ["NOT_FOUND", "FORBIDDEN", "NOT_READY"],
            () => Effect.void
          )
        }),

        try: traced("Playbooks.try")(function* (workspace, campaign, input) {
          const { brief, row } = yield* openPlaybook(workspace, campaign)
          const ids = new Set(row.content.personas.flatMap(({ templates }) => templates.map(({ id }) => id)))
          for (const [index, text] of (input.templates ?? []).entries()) {
            if (!ids.has(text.template_id)) return yield* NotFound.of("template")
            yield* requireValid(text, `templates.${index}.`)
          }
          const [suppressed] = yield* suppressions.findReasons(workspace, [input.lead])
          return yield* runInTurns(Trial.tryPlaybookInTurns(row, brief, input, suppressed))
        }),

        route: traced("Playbooks.route")(function* (workspace, campaign, title) {
          return Trial.routeLead((yield* openPlaybook(workspace, campaign)).row, title)
        })
      })
    })
  )
}

/** Fails with all problems of a template that cannot be rendered; `pathPrefix` is put before their paths in the body. */
const requireValid = (template: TemplateEdit, pathPrefix = "") => {
  const [first, ...others] = templateProblems(template).map(({ column, field, line, message }) => ({
    path: `${pathPrefix}${field}`,
    message: `${message} (line ${line}, column ${column})`
  }))
  if (first === undefined) return Effect.void
  return Effect.fail(
    new BadRequest({ message: `${first.path}: ${first.message}`, detail: { issues: [first, ...others] } })
  )
}
