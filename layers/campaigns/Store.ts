// layers/campaigns/Store.ts: the rows of campaigns for the services that share them, and the stage of a campaign, derived from its row.
import { Context, Effect, Layer, Option, Schema } from "effect"
import { AssetOption, AssetType, WorkspaceAssetType } from "#schema/Assets.ts"
import { TargetAudience } from "#schema/Audiences.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import type { ChosenAssets } from "#schema/Campaigns.ts"
import type { Overall, Stages } from "#schema/BuildStatus.ts"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { Queue } from "#layers/Queue.ts"
import { Lists } from "#layers/Lists.ts"
import { now } from "#layers/lib/Time.ts"
import { makePageQuery } from "#layers/lib/Paging.ts"
import { traced } from "#layers/lib/Traced.ts"
import { Forbidden, NotFound } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"

/** Status of one kind of background work on a campaign. */
const StageProgress = Schema.Literals(["none", "processing", "ready", "failed"])

export const CampaignState = Schema.Struct({
  id: Schema.String,
  workspace_id: WorkspaceId,
  name: Schema.String,
  created_at: Schema.String,
  target_audience_id: Schema.NullOr(Schema.String),
  /** A copy of the linked segment. Decoded on demand, because most reads of a campaign do not need it. */
  audience: Schema.NullOr(Schema.String),
  research: StageProgress,
  research_job: Schema.NullOr(Schema.String),
  /** Generation of the value propositions to select from. */
  options: StageProgress,
  options_job: Schema.NullOr(Schema.String),
  /** Whether value propositions were selected since the last change to an earlier step. */
  selected: Schema.BooleanFromBit,
  build: StageProgress,
  build_job: Schema.NullOr(Schema.String),
  /** The version of the playbook; null until it is drafted. */
  playbook: Schema.NullOr(Schema.Int)
})
export type CampaignState = typeof CampaignState.Type

const decodeAudience = Schema.decodeEffect(Schema.NullOr(Schema.fromJsonString(TargetAudience)))

/** The linked segment. A copy, so that edits of the segment do not affect a build in progress. */
export const linkedAudience = ({ audience }: Pick<CampaignState, "audience">) => Effect.orDie(decodeAudience(audience))

/** The gates at which jobs wait for a campaign's research and for its build. */
export const researchGate = (campaign: string) => `research:${campaign}`
export const buildGate = (campaign: string) => `build:${campaign}`

export const overallStatus = ({
  build,
  options,
  research,
  selected
}: Pick<CampaignState, "build" | "options" | "research" | "selected">): Overall => {
  if (research === "failed" || options === "failed" || build === "failed") return "failed"
  if (!selected) return "draft"
  return build === "ready" ? "ready" : "building"
}

export const StoredSelection = Schema.Struct({
  type: AssetType,
  items: Schema.fromJsonString(Schema.Array(AssetOption)),
  additional_details: Schema.NullOr(Schema.String),
  updated_at: Schema.String
})

export type Selections = ChosenAssets["selections"]

export const stageStatuses = (state: CampaignState, selections: Selections): Stages => {
  const selectionStatus = (type: WorkspaceAssetType) => (selections[type] === null ? "pending" : "ready")
  return {
    target_audience: state.research === "ready" ? "ready" : "pending",
    social_proof: selectionStatus("social_proof"),
    lead_magnet: selectionStatus("lead_magnet"),
    risk_reversal: selectionStatus("risk_reversal"),
    value_proposition:
      state.options === "processing" || state.options === "failed"
        ? state.options
        : state.selected
          ? "ready"
          : "pending"
  }
}

/** The steps that are missing before value propositions can be generated. */
export const missingSteps = (state: CampaignState, selections: Selections): ReadonlyArray<string> => [
  // Failed research must be submitted again; research in progress is waited for.
  ...(state.audience === null || state.research === "failed" ? ["target_audience"] : []),
  ...WorkspaceAssetType.literals.filter((type) => selections[type] === null)
]

/** The campaign does not exist, or belongs to another workspace. */
export type NotVisible = NotFound | Forbidden

/** Kinds of background work on a campaign. Each has a column for its status and one for its job. */
export type CampaignWork = "research" | "options" | "build"

/** `brief` is the writer's input after a build; reads of a campaign omit it. */
type CampaignChange = Partial<Record<keyof CampaignState | "brief", string | number | null>>

export class CampaignStore extends Context.Service<
  CampaignStore,
  {
    readonly find: (workspace: WorkspaceId, id: string) => Effect.Effect<CampaignState, NotVisible>
    readonly page: (workspace: WorkspaceId, page: Page) => Effect.Effect<Rows<CampaignState>>
    readonly findSelections: (workspace: WorkspaceId, id: string) => Effect.Effect<Selections>
    /**
     * Stores the selection of a step; returns whether it changed. With `force`, an equal selection counts as a change.
     */
    readonly saveSelection: (
      state: CampaignState,
      type: AssetType,
      choice: { readonly items: ReadonlyArray<AssetOption>; readonly details: string | null; readonly force: boolean }
    ) => Effect.Effect<boolean>
    readonly update: (state: CampaignState, change: CampaignChange) => Effect.Effect<void>
    /** Marks the results of the campaign's later steps as outdated; if a build is in work, the
     * lists that wait for it become pending. */
    readonly reopen: (state: CampaignState) => Effect.Effect<void>
    /** Queues a job for `work`, records it in the campaign, and returns its id. */
    readonly startWork: (state: CampaignState, work: CampaignWork, type: string) => Effect.Effect<string>
    readonly setDocument: (state: CampaignState, type: string, content: string) => Effect.Effect<void>
  }
>()("overture/layers/campaigns/Store") {
  static readonly layer = Layer.effect(
    CampaignStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const queue = yield* Queue
      const lists = yield* Lists

      const fields = sql.literal(Object.keys(CampaignState.fields).join(", "))
      const findOne = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: CampaignState,
        execute: ({ id, workspace }) =>
          sql`SELECT ${fields} FROM campaigns WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const page = makePageQuery(sql, CampaignState, {
        table: "campaigns",
        matching: (workspace: WorkspaceId) => [sql`workspace_id = ${workspace}`],
        order: "created_at DESC, id DESC"
      })
      const findSelectionRows = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: StoredSelection,
        execute: ({ id, workspace }) => sql`
          SELECT type, items, additional_details, updated_at FROM selections
          WHERE campaign_id = ${id} AND workspace_id = ${workspace}`
      })

      const update = Effect.fnUntraced(function* ({ id, workspace_id }: CampaignState, change: CampaignChange) {
        yield* sql`
          UPDATE campaigns SET ${sql.update({ ...change, updated_at: yield* now }, [])}
          WHERE id = ${id} AND workspace_id = ${workspace_id}`
      }, Effect.orDie)

      return CampaignStore.of({
        find: traced("CampaignStore.find")(function* (workspace, id) {
          const row = yield* Effect.orDie(findOne({ workspace, id }))
          if (Option.isSome(row)) return row.value
          const foreignRows = yield* Effect.orDie(sql`SELECT id FROM campaigns WHERE id = ${id}`)
          return yield* foreignRows.length === 0
            ? NotFound.of("campaign")
            : new Forbidden({ message: "This campaign belongs to another workspace" })
        }),

        page,

        findSelections: (workspace, id) =>
          findSelectionRows({ workspace, id }).pipe(
            Effect.map((rows): Selections => {
              const findRow = (type: AssetType) => rows.find((row) => row.type === type) ?? null
              return {
                social_proof: findRow("social_proof"),
                lead_magnet: findRow("lead_magnet"),
                risk_reversal: findRow("risk_reversal"),
                value_proposition: findRow("value_proposition")
              }
            }),
            Effect.orDie
          ),

        saveSelection: Effect.fnUntraced(function* ({ id, workspace_id }, type, { details, force, items }) {
          // Equal selections have equal JSON, so SQL can compare them.
          const changedRows = yield* sql`
            INSERT INTO selections (campaign_id, workspace_id, type, items, additional_details, updated_at)
            VALUES (${id}, ${workspace_id}, ${type}, ${JSON.stringify(items)}, ${details}, ${yield* now})
            ON CONFLICT (campaign_id, type) DO UPDATE
            SET items = EXCLUDED.items, additional_details = EXCLUDED.additional_details,
                updated_at = EXCLUDED.updated_at
            WHERE ${force} OR selections.items <> EXCLUDED.items
              OR selections.additional_details IS DISTINCT FROM EXCLUDED.additional_details
            RETURNING type`
          return changedRows.length > 0
        }, Effect.orDie),

        update,

        reopen: Effect.fnUntraced(function* (state) {
          yield* sql`
            UPDATE campaigns SET selected = 0, build = 'none', build_job = NULL, updated_at = ${yield* now}
            WHERE id = ${state.id} AND workspace_id = ${state.workspace_id}`
          if (state.build !== "processing") return
          yield* lists.makePending(state.workspace_id, state.id)
          yield* queue.parkWaiting(state.workspace_id, buildGate(state.id))
        }, Effect.orDie),

        startWork: Effect.fnUntraced(function* (state, work, type) {
          const gate = work === "research" || state.research === "ready" ? undefined : researchGate(state.id)
          const [job = ""] = yield* queue.enqueue([{ workspace: state.workspace_id, type, subject: state.id, gate }])
          yield* update(state, { [work]: "processing", [`${work}_job`]: job })
          return job
        }),

        setDocument: Effect.fnUntraced(function* (state, type, content) {
          const updated_at = yield* now
          yield* sql`
            INSERT INTO campaign_documents (id, campaign_id, workspace_id, type, content, updated_at)
            VALUES (${yield* random.uuidV7()}, ${state.id}, ${state.workspace_id}, ${type}, ${content}, ${updated_at})
            ON CONFLICT (campaign_id, type) DO UPDATE
            SET content = EXCLUDED.content, updated_at = EXCLUDED.updated_at`
        }, Effect.orDie)
      })
    })
  )
}
