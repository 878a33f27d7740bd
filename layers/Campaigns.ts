// layers/Campaigns.ts: creates, lists, renames, branches and deletes campaigns.
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Audiences } from "#layers/Audiences.ts"
import {
  linkedAudience,
  CampaignState,
  CampaignStore,
  type NotVisible,
  overallStatus
} from "#layers/campaigns/Store.ts"
import { Steps } from "#layers/campaigns/Steps.ts"
import { Credits } from "#layers/Credits.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { Queue } from "#layers/Queue.ts"
import { Lists } from "#layers/Lists.ts"
import { makeListCounts } from "#layers/lists/Store.ts"
import { now } from "#layers/lib/Time.ts"
import { Previews } from "#layers/Previews.ts"
import { documentTypes, Onboarding } from "#layers/workspaces/Onboarding.ts"
import { traced } from "#layers/lib/Traced.ts"
import { AssetType } from "#schema/Assets.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { BranchInput, CampaignEntry, ChosenAssets } from "#schema/Campaigns.ts"
import { Conflict, type Forbidden, NotReady, Unprocessable } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"

export class Campaigns extends Context.Service<
  Campaigns,
  {
    readonly list: (workspace: WorkspaceId, page: Page) => Effect.Effect<Rows<CampaignEntry>>
    /** NOT_READY until the workspace is ready; FORBIDDEN when the plan's campaign builds are used up. */
    readonly create: (
      workspace: WorkspaceId,
      name: string
    ) => Effect.Effect<{ readonly id: string; readonly name: string }, NotReady | Forbidden>
    readonly rename: (
      workspace: WorkspaceId,
      id: string,
      name: string
    ) => Effect.Effect<{ readonly id: string; readonly name: string; readonly created_at: string }, NotVisible>
    /**
     * Deletes the campaign and its documents; its lists stay, without a campaign. CONFLICT while one of its lists is in
     * progress.
     */
    readonly remove: (workspace: WorkspaceId, id: string) => Effect.Effect<void, NotVisible | Conflict>
    /**
     * Creates a campaign with the source's selections before the step that `input` names, and returns its id. That step
     * and all later ones have no selection yet.
     */
    readonly branch: (
      workspace: WorkspaceId,
      source: string,
      input: BranchInput
    ) => Effect.Effect<string, NotVisible | Unprocessable>
    readonly findSelections: (workspace: WorkspaceId, id: string) => Effect.Effect<ChosenAssets, NotVisible>
  }
>()("overture/layers/Campaigns") {
  static readonly layer = Layer.effect(
    Campaigns,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const audiences = yield* Audiences
      const credits = yield* Credits
      const queue = yield* Queue
      const lists = yield* Lists
      const listCounts = yield* makeListCounts
      const previews = yield* Previews
      const steps = yield* Steps
      const store = yield* CampaignStore
      const onboarding = yield* Onboarding

      const insert = Effect.fnUntraced(function* (workspace: WorkspaceId, name: string) {
        const id = yield* random.uuidV7()
        const created_at = yield* now
        yield* Effect.orDie(sql`
          INSERT INTO campaigns ${sql.insert({
            id,
            workspace_id: workspace,
            name,
            research: "none",
            options: "none",
            selected: 0,
            build: "none",
            created_at,
            updated_at: created_at
          })}`)
        return id
      })

      /** Copies the source's audience with its research, and its selections before `step`. */
      const copySelections = Effect.fnUntraced(function* (source: CampaignState, id: string, step: AssetType) {
        const workspace = source.workspace_id
        yield* sql`
          UPDATE campaigns SET target_audience_id = ${source.target_audience_id},
            audience = (SELECT audience FROM campaigns WHERE id = ${source.id} AND workspace_id = ${workspace})
          WHERE id = ${id} AND workspace_id = ${workspace}`
        // `AssetType` lists the steps in their order.
        for (const type of AssetType.literals.slice(0, AssetType.literals.indexOf(step))) {
          yield* sql`
            INSERT INTO selections (campaign_id, workspace_id, type, items, additional_details, updated_at)
            SELECT ${id}, workspace_id, type, items, additional_details, updated_at FROM selections
            WHERE campaign_id = ${source.id} AND workspace_id = ${workspace} AND type = ${type}`
        }
        const newState = yield* store.find(workspace, id)
        const [research] = yield* sql<{ readonly content: string }>`
          SELECT content FROM campaign_documents
          WHERE campaign_id = ${source.id} AND workspace_id = ${workspace} AND type = 'target_audience_research'`
        if (source.research === "ready" && research !== undefined) {
          yield* store.setDocument(newState, "target_audience_research", research.content)
          const [job = ""] = yield* queue.enqueue([
            { workspace, type: "campaign.target_audience", subject: id, done: true }
          ])
          yield* store.update(newState, { research: "ready", research_job: job })
        } else {
          yield* store.startWork(newState, "research", "campaign.target_audience")
        }
      })

      return Campaigns.of({
        list: traced("Campaigns.list")(function* (workspace, page) {
          const { rows, total } = yield* store.page(workspace, page)
          const counts = yield* listCounts.countBatches(
            workspace,
            rows.map(({ id }) => id)
          )
          const entries = yield* Effect.forEach(
            rows,
            Effect.fnUntraced(function* (state) {
              const audience = yield* linkedAudience(state)
              const lists_count = counts.get(state.id) ?? 0
              return {
                id: state.id,
                name: state.name,
                created_at: state.created_at,
                overall: overallStatus(state),
                ...(audience === null ? {} : { audience: audience.segment_name }),
                ...(lists_count === 0 ? {} : { lists_count })
              }
            })
          )
          return { rows: entries, total }
        }, Effect.orDie),

        create: traced("Campaigns.create")(function* (workspace, name) {
          const readyDocuments = yield* onboarding.findReady(workspace)
          const missing = [
            ...(readyDocuments.has("company_summary") ? [] : ["company_summary"]),
            ...(documentTypes.every((type) => readyDocuments.has(type)) ? [] : ["company_documents"]),
            ...((yield* audiences.count(workspace)) > 0 ? [] : ["target_audiences"])
          ]
          if (missing.length > 0) {
            return yield* new NotReady({
              message: "The workspace is not ready for a campaign; detail.missing says what it needs first",
              detail: { missing }
            })
          }
          yield* credits.countBuild(workspace)
          return { id: yield* insert(workspace, name), name }
        }, inTransaction(sql)),

        rename: traced("Campaigns.rename")(function* (workspace, id, name) {
          const state = yield* store.find(workspace, id)
          yield* store.update(state, { name })
          return { id, name, created_at: state.created_at }
        }, inTransaction(sql)),

        remove: traced("Campaigns.remove")(function* (workspace, id) {
          yield* store.find(workspace, id)
          const processing_status = yield* lists.findStatusInProgress(workspace, id)
          if (processing_status !== undefined) {
            return yield* new Conflict({
              message: "A campaign with a list in work cannot be deleted",
              detail: { processing_status }
            })
          }
          yield* previews.refundUnfinished(workspace, id)
          yield* sql`DELETE FROM jobs WHERE subject = ${id} AND workspace_id = ${workspace}`
          yield* sql`DELETE FROM asset_options WHERE campaign_id = ${id} AND workspace_id = ${workspace}`
          yield* sql`DELETE FROM campaigns WHERE id = ${id} AND workspace_id = ${workspace}`
          yield* listCounts.deleteCampaign(workspace, id)
        }, inTransaction(sql)),

        branch: traced("Campaigns.branch")(function* (
          workspace,
          source,
          { branch_from_step, is_custom_target_audience, name, target_audience }
        ) {
          const sourceState = yield* store.find(workspace, source)
          if (sourceState.audience === null) {
            return yield* new Unprocessable({ message: "The source has no target audience yet to branch from" })
          }
          const id = yield* insert(workspace, name)
          if (branch_from_step === "target-audience") {
            const hasAudience = is_custom_target_audience === true || typeof target_audience?.id === "string"
            if (!target_audience || !hasAudience) {
              return yield* new Unprocessable({
                message: "target_audience.id is required unless is_custom_target_audience is true"
              })
            }
            yield* steps.setAudience(workspace, id, target_audience)
          } else {
            yield* copySelections(sourceState, id, firstOpenStep[branch_from_step])
          }
          // Counted last, so that errors of the branch itself are reported first.
          yield* credits.countBuild(workspace)
          return id
        }, inTransaction(sql)),

        findSelections: traced("Campaigns.chosen")(function* (workspace, id) {
          const target_audience = yield* linkedAudience(yield* store.find(workspace, id))
          return { campaign_id: id, target_audience, selections: yield* store.findSelections(workspace, id) }
        })
      })
    })
  )
}

/** For each step in the API's spelling, the first selection that a branch at this step leaves open. */
const firstOpenStep = {
  "social-proof": "social_proof",
  "lead-magnets": "lead_magnet",
  "risk-reversal": "risk_reversal",
  "value-propositions": "value_proposition"
} as const
