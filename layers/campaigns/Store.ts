// layers/campaigns/Store.ts: reads and writes campaign rows for several services.
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import * as States from "#layers/campaigns/State.ts"
import { Queue } from "#layers/Queue.ts"
import { Lists } from "#layers/Lists.ts"
import { now } from "#layers/lib/Now.ts"
import { paging } from "#layers/lib/Paging.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { AssetOption, AssetType } from "#schema/Assets.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Forbidden, NotFound } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"

/** The campaign does not exist, or belongs to another workspace. */
export type NotVisible = NotFound | Forbidden

/** Kinds of background work on a campaign. Each has a column for its status and one for its job. */
export type CampaignWork = "research" | "options" | "build"

/** `brief` is the writer's input after a build; reads of a campaign omit it. */
type CampaignChange = Partial<Record<keyof States.CampaignState | "brief", string | number | null>>

export class CampaignStore extends Context.Service<
  CampaignStore,
  {
    readonly find: (workspace: WorkspaceId, id: string) => Effect.Effect<States.CampaignState, NotVisible>
    readonly page: (workspace: WorkspaceId, page: Page) => Effect.Effect<Rows<States.CampaignState>>
    readonly chosen: (workspace: WorkspaceId, id: string) => Effect.Effect<States.Selections>
    /**
     * Stores the selection of a step; returns whether it changed. With `force`, an equal selection counts as a change.
     */
    readonly choose: (
      state: States.CampaignState,
      type: AssetType,
      choice: { readonly items: ReadonlyArray<AssetOption>; readonly details: string | null; readonly force: boolean }
    ) => Effect.Effect<boolean>
    readonly update: (state: States.CampaignState, change: CampaignChange) => Effect.Effect<void>
    /** Marks the results of the campaign's later steps as outdated; lists that wait for the build become pending. */
    readonly reopen: (state: States.CampaignState) => Effect.Effect<void>
    /** Queues a job for `work`, records it in the campaign, and returns its id. */
    readonly begin: (state: States.CampaignState, work: CampaignWork, type: string) => Effect.Effect<string>
    readonly setDocument: (state: States.CampaignState, type: string, content: string) => Effect.Effect<void>
  }
>()("overture/layers/campaigns/Store") {
  static readonly layer = Layer.effect(
    CampaignStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const queue = yield* Queue
      const lists = yield* Lists

      const fields = sql.literal(Object.keys(States.CampaignState.fields).join(", "))
      const one = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: States.CampaignState,
        execute: ({ id, workspace }) =>
          sql`SELECT ${fields} FROM campaigns WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const page = paging(sql, States.CampaignState, {
        table: "campaigns",
        matching: (workspace: WorkspaceId) => [sql`workspace_id = ${workspace}`],
        order: "created_at DESC, id DESC"
      })
      const selections = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: States.StoredSelection,
        execute: ({ id, workspace }) => sql`
          SELECT type, items, additional_details, updated_at FROM selections
          WHERE campaign_id = ${id} AND workspace_id = ${workspace}`
      })

      const update = Effect.fnUntraced(function* ({ id, workspace_id }: States.CampaignState, change: CampaignChange) {
        yield* sql`
          UPDATE campaigns SET ${sql.update({ ...change, updated_at: yield* now }, [])}
          WHERE id = ${id} AND workspace_id = ${workspace_id}`
      }, Effect.orDie)

      return CampaignStore.of({
        find: traced("CampaignStore.find")(function* (workspace, id) {
          const found = yield* Effect.orDie(one({ workspace, id }))
          if (Option.isSome(found)) return found.value
          const elsewhere = yield* Effect.orDie(sql`SELECT id FROM campaigns WHERE id = ${id}`)
          return yield* elsewhere.length === 0
            ? NotFound.of("campaign")
            : new Forbidden({ message: "This campaign belongs to another workspace" })
        }),

        page,

        chosen: (workspace, id) =>
          selections({ workspace, id }).pipe(
            Effect.map((rows): States.Selections => {
              const of = (type: AssetType) => rows.find((row) => row.type === type) ?? null
              return {
                social_proof: of("social_proof"),
                lead_magnet: of("lead_magnet"),
                risk_reversal: of("risk_reversal"),
                value_proposition: of("value_proposition")
              }
            }),
            Effect.orDie
          ),

        choose: Effect.fnUntraced(function* ({ id, workspace_id }, type, { details, force, items }) {
          // Equal selections have equal JSON, so SQL can compare them.
          const kept = yield* sql`
            INSERT INTO selections (campaign_id, workspace_id, type, items, additional_details, updated_at)
            VALUES (${id}, ${workspace_id}, ${type}, ${JSON.stringify(items)}, ${details}, ${yield* now})
            ON CONFLICT (campaign_id, type) DO UPDATE
            SET items = EXCLUDED.items, additional_details = EXCLUDED.additional_details,
                updated_at = EXCLUDED.updated_at
            WHERE ${force} OR selections.items <> EXCLUDED.items
              OR selections.additional_details IS DISTINCT FROM EXCLUDED.additional_details
            RETURNING type`
          return kept.length > 0
        }, Effect.orDie),

        update,

        reopen: Effect.fnUntraced(function* (state) {
          yield* sql`
            UPDATE campaigns SET selected = 0, build = 'none', build_job = NULL, updated_at = ${yield* now}
            WHERE id = ${state.id} AND workspace_id = ${state.workspace_id}`
          if (state.build !== "processing") return
          yield* lists.makePending(state.workspace_id, state.id)
          yield* queue.parkWaiting(state.workspace_id, States.buildGate(state.id))
        }, Effect.orDie),

        begin: Effect.fnUntraced(function* (state, work, type) {
          const gate = work === "research" || state.research === "ready" ? undefined : States.researchGate(state.id)
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
