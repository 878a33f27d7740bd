// layers/playbooks/Store.ts: the rows of playbooks: the first draft, the versions, and the brief for lists.
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { type CampaignState, CampaignStore, type NotVisible } from "#layers/campaigns/Store.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import type { DraftedPersona, PlaybookSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPlaybookInTurns } from "#layers/generator/playbook/DraftPlaybook.ts"
import type { Campaign } from "#layers/Generator.ts"
import { now } from "#layers/lib/Time.ts"
import { runInTurns } from "#layers/lib/Turns.ts"
import type { CampaignBrief } from "#layers/playbooks/CampaignBrief.ts"
import {
  hashSelections,
  listMissingSentences,
  type PlaybookContent,
  type PlaybookRow,
  toPlaybookSnapshot
} from "#layers/playbooks/Content.ts"
import { makeFirstContent, type PersonaDraft, rebuildPlaybook, unsavedId } from "#layers/playbooks/Redrafts.ts"
import { addFindings } from "#layers/playbooks/TemplateFindings.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotReady } from "#schema/Errors.ts"
import { type Playbook, PlaybookStatus } from "#schema/Playbook.ts"

/** A playbook with its built campaign. */
export interface OpenPlaybook {
  readonly state: CampaignState
  readonly row: PlaybookRow
  readonly brief: CampaignBrief
}

export interface PlaybookEdit {
  readonly content: PlaybookContent
  readonly status: PlaybookStatus
}

interface BuiltPlaybook extends Pick<CampaignBrief, "campaign"> {
  readonly drafts: ReadonlyArray<DraftedPersona>
  /** Drafts personas that a person has edited. */
  readonly draft: PersonaDraft
}

/** Versions kept per playbook. A list has its own copy of the version it was accepted with. */
const maxVersions = 200

export class PlaybookStore extends Context.Service<
  PlaybookStore,
  {
    /** Returns the current version. Drafts the playbook of a campaign that was built without one. */
    readonly ensure: (state: CampaignState) => Effect.Effect<number, NotReady>
    /** The current playbook. Must run in a transaction if it may have to draft one. */
    readonly open: (workspace: WorkspaceId, campaign: string) => Effect.Effect<OpenPlaybook, NotVisible | NotReady>
    /** Applies an edit in one transaction. Equal content makes no new version. */
    readonly edit: <E>(
      workspace: WorkspaceId,
      campaign: string,
      change: (playbook: OpenPlaybook) => Effect.Effect<PlaybookEdit, E>
    ) => Effect.Effect<{ readonly before: PlaybookContent; readonly row: PlaybookRow }, E | NotVisible | NotReady>
    /**
     * Stores the drafts of a build in the caller's transaction, and returns the playbook, which the caller stores with
     * the brief.
     */
    readonly build: (state: CampaignState, buildResult: BuiltPlaybook) => Effect.Effect<PlaybookSnapshot>
    /** The current content; undefined before the first build. */
    readonly findContent: (workspace: WorkspaceId, campaign: string) => Effect.Effect<PlaybookContent | undefined>
    readonly findMissing: (state: CampaignState) => Effect.Effect<Playbook["missing"] | undefined>
  }
>()("overture/layers/playbooks/Store") {
  static readonly layer = Layer.effect(
    PlaybookStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const campaigns = yield* CampaignStore

      const Key = Schema.Struct({ workspace: Schema.String, id: Schema.String })
      const findPlaybook = SqlSchema.findOneOption({
        Request: Key,
        Result: Schema.Struct({
          campaign_id: Schema.String,
          version: Schema.Int,
          status: PlaybookStatus,
          content: Schema.String,
          updated_at: Schema.String
        }),
        execute: ({ id, workspace }) => sql`
          SELECT campaign_id, version, status, content, updated_at FROM playbooks
          WHERE campaign_id = ${id} AND workspace_id = ${workspace}`
      })
      const findBrief = SqlSchema.findOneOption({
        Request: Key,
        Result: Schema.Struct({ brief: Schema.NullOr(Schema.String) }),
        execute: ({ id, workspace }) =>
          sql`SELECT brief FROM campaigns WHERE id = ${id} AND workspace_id = ${workspace}`
      })

      /** Not validated, because only this program writes content and briefs. */
      const readPlaybook = Effect.fnUntraced(function* (workspace: WorkspaceId, id: string) {
        const row = Option.getOrUndefined(yield* Effect.orDie(findPlaybook({ workspace, id })))
        if (row === undefined) return undefined
        const content: PlaybookContent = JSON.parse(row.content)
        return { ...row, content } satisfies PlaybookRow
      })
      const readBrief = Effect.fnUntraced(function* ({ id, workspace_id }: CampaignState) {
        const row = yield* Effect.orDie(findBrief({ workspace: workspace_id, id }))
        const text = Option.getOrNull(row)?.brief ?? null
        if (text === null) {
          return yield* new NotReady({ message: "The campaign has no playbook before its first build is done" })
        }
        const brief: CampaignBrief = JSON.parse(text)
        return brief
      })

      const assignId = (id: string) => (id === unsavedId ? random.uuidV7() : Effect.succeed(id))
      /** Assigns ids to new personas and templates. */
      const assignIds = Effect.fnUntraced(function* (content: PlaybookContent) {
        const personas = yield* Effect.forEach(content.personas, (persona) =>
          Effect.all({
            id: assignId(persona.id),
            templates: Effect.forEach(persona.templates, (template) =>
              Effect.map(assignId(template.id), (id) => ({ ...template, id }))
            )
          }).pipe(Effect.map((assignedIds) => ({ ...persona, ...assignedIds })))
        )
        return { ...content, personas }
      })

      const save = Effect.fnUntraced(function* (
        { id, workspace_id }: CampaignState,
        previousRow: PlaybookRow | undefined,
        { content, status }: PlaybookEdit,
        campaign: Campaign,
        /** The content whose findings can be reused. */
        reusableContent: PlaybookContent | undefined
      ) {
        const updated_at = yield* now
        const version = (previousRow?.version ?? 0) + 1
        const newContent = yield* addFindings(yield* assignIds(content), campaign, reusableContent)
        yield* sql`
          INSERT INTO playbooks (campaign_id, workspace_id, version, status, content, updated_at)
          VALUES (${id}, ${workspace_id}, ${version}, ${status}, ${JSON.stringify(newContent)}, ${updated_at})
          ON CONFLICT (campaign_id) DO UPDATE SET version = EXCLUDED.version, status = EXCLUDED.status,
            content = EXCLUDED.content, updated_at = EXCLUDED.updated_at`
        const playbook = toPlaybookSnapshot(newContent, version)
        yield* sql`
          INSERT INTO playbook_versions (campaign_id, workspace_id, version, content, created_at)
          VALUES (${id}, ${workspace_id}, ${version}, ${JSON.stringify(playbook)}, ${updated_at})`
        yield* sql`
          DELETE FROM playbook_versions
          WHERE campaign_id = ${id} AND workspace_id = ${workspace_id} AND version <= ${version - maxVersions}`
        const row: PlaybookRow = { campaign_id: id, version, status, content: newContent, updated_at }
        return { row, playbook }
      }, Effect.orDie)

      /** Stores a new version, which lists accepted from now on use. */
      const publish = Effect.fnUntraced(function* (
        state: CampaignState,
        previousRow: PlaybookRow | undefined,
        change: PlaybookEdit,
        brief: CampaignBrief
      ) {
        const { playbook, row } = yield* save(state, previousRow, change, brief.campaign, previousRow?.content)
        const newBrief: CampaignBrief = { ...brief, playbook }
        yield* campaigns.update(state, { brief: JSON.stringify(newBrief), playbook: row.version })
        return { row, brief: newBrief }
      })

      const draftFirst = Effect.fnUntraced(function* (state: CampaignState) {
        const brief = yield* readBrief(state)
        const drafts = yield* runInTurns(draftPlaybookInTurns(brief.campaign))
        const content = makeFirstContent(drafts, hashSelections(brief.campaign))
        return yield* publish(state, undefined, { content, status: "draft" }, brief)
      })

      const open = Effect.fnUntraced(function* (workspace: WorkspaceId, id: string) {
        const state = yield* campaigns.find(workspace, id)
        const row = state.playbook === null ? undefined : yield* readPlaybook(workspace, id)
        if (row === undefined) return { state, ...(yield* draftFirst(state)) } satisfies OpenPlaybook
        return { state, row, brief: yield* readBrief(state) } satisfies OpenPlaybook
      })

      return PlaybookStore.of({
        ensure: (state) =>
          state.playbook === null
            ? Effect.map(draftFirst(state), ({ row }) => row.version)
            : Effect.succeed(state.playbook),

        open,

        edit: (workspace, id, change) =>
          Effect.gen(function* () {
            const playbook = yield* open(workspace, id)
            const { brief, row, state } = playbook
            const edited = yield* change(playbook)
            const previousContent = row.content
            if (edited.status === row.status && JSON.stringify(edited.content) === JSON.stringify(previousContent)) {
              return { before: previousContent, row }
            }
            return { before: previousContent, row: (yield* publish(state, row, edited, brief)).row }
          }).pipe(inTransaction(sql)),

        build: traced("PlaybookStore.build")(function* (state, { campaign, draft, drafts }) {
          const previousRow = state.playbook === null ? undefined : yield* readPlaybook(state.workspace_id, state.id)
          const selections = hashSelections(campaign)
          const content =
            previousRow === undefined
              ? makeFirstContent(drafts, selections)
              : rebuildPlaybook(previousRow.content, drafts, selections, draft)
          return (yield* save(state, previousRow, { content, status: "draft" }, campaign, undefined)).playbook
        }),

        findContent: (workspace, id) => Effect.map(readPlaybook(workspace, id), (row) => row?.content),

        findMissing: Effect.fnUntraced(function* ({ id, playbook, workspace_id }) {
          const row = playbook === null ? undefined : yield* readPlaybook(workspace_id, id)
          return row && listMissingSentences(row.content)
        })
      })
    })
  )
}
