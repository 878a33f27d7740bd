// layers/Assets.ts: the options that a step of a campaign can choose from.
import { Array as Arr, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { inTransaction } from "#layers/database/Transactions.ts"
import type { OptionDraft } from "#layers/Generator.ts"
import { now } from "#layers/lib/Time.ts"
import { AssetOption, type AssetType, type WorkspaceAssetType } from "#schema/Assets.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { truncateTo } from "#schema/Fields.ts"

export class Assets extends Context.Service<
  Assets,
  {
    /**
     * The options in the order they were proposed. Value propositions belong to `campaign`, all other types to the
     * workspace; what the campaign has selected of those stays its option when research no longer proposes it.
     */
    readonly options: (
      workspace: WorkspaceId,
      campaign: string,
      type: AssetType
    ) => Effect.Effect<ReadonlyArray<AssetOption>>
    /** Replaces the campaign's value propositions. */
    readonly propose: (
      workspace: WorkspaceId,
      campaign: string,
      options: ReadonlyArray<OptionDraft>
    ) => Effect.Effect<void>
    /** Replaces the options that research proposed before. An option that is proposed again and was selected keeps its id. */
    readonly refresh: (
      workspace: WorkspaceId,
      type: WorkspaceAssetType,
      options: ReadonlyArray<OptionDraft>
    ) => Effect.Effect<void>
  }
>()("overture/layers/Assets") {
  static readonly layer = Layer.effect(
    Assets,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const findRows = SqlSchema.findAll({
        Request: Schema.Struct({
          workspace: Schema.String,
          campaign: Schema.NullOr(Schema.String),
          type: Schema.String
        }),
        Result: Schema.Struct({ ...AssetOption.fields, sentence: Schema.NullOr(Schema.String) }),
        execute: ({ campaign, type, workspace }) => sql`
          SELECT id, name, description, type, sentence FROM asset_options
          WHERE workspace_id = ${workspace} AND type = ${type}
            AND ${campaign === null ? sql`campaign_id IS NULL` : sql`campaign_id = ${campaign}`} ORDER BY position, id`
      })

      const findOptions = (request: Parameters<typeof findRows>[0]) =>
        Effect.map(findRows(request), (rows) =>
          rows.map(({ sentence, ...option }): AssetOption => (sentence === null ? option : { ...option, sentence }))
        )

      const insert = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        campaign: string | null,
        type: AssetType,
        options: ReadonlyArray<OptionDraft>
      ) {
        const created_at = yield* now
        const rows = yield* Effect.forEach(options, ({ description, name, sentence }, position) =>
          Effect.map(random.uuidV7(), (id) => ({
            id,
            workspace_id: workspace,
            campaign_id: campaign,
            type,
            position,
            // Text generated from a long profile can exceed the API's limit for an option.
            name: truncateTo(name, 2000),
            description: truncateTo(description, 2000),
            sentence: sentence === undefined ? null : truncateTo(sentence, 2000),
            created_at
          }))
        )
        if (Arr.isArrayNonEmpty(rows)) yield* sql`INSERT INTO asset_options ${sql.insert(rows)}`
      })

      const findSelections = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, type: Schema.String }),
        Result: Schema.Struct({
          campaign_id: Schema.String,
          items: Schema.fromJsonString(Schema.Array(AssetOption))
        }),
        execute: ({ type, workspace }) =>
          sql`SELECT campaign_id, items FROM selections WHERE workspace_id = ${workspace} AND type = ${type}`
      })

      return Assets.of({
        options: Effect.fn("Assets.options")(function* (workspace, campaign, type) {
          if (type === "value_proposition") return yield* findOptions({ workspace, type, campaign })
          const options = yield* findOptions({ workspace, type, campaign: null })
          const proposedIds = new Set(options.map(({ id }) => id))
          const selections = yield* findSelections({ workspace, type })
          const selected = selections.flatMap(({ campaign_id, items }) => (campaign_id === campaign ? items : []))
          return [...selected.filter(({ id }) => !proposedIds.has(id)), ...options]
        }, Effect.orDie),

        propose: Effect.fn("Assets.propose")(function* (workspace, campaign, options) {
          yield* sql`
            DELETE FROM asset_options
            WHERE workspace_id = ${workspace} AND type = 'value_proposition' AND campaign_id = ${campaign}`
          yield* insert(workspace, campaign, "value_proposition", options)
        }, inTransaction(sql)),

        refresh: Effect.fn("Assets.refresh")(function* (workspace, type, options) {
          const selections = yield* findSelections({ workspace, type })
          const selectedIds = new Set(selections.flatMap(({ items }) => items.map(({ id }) => id)))
          const proposedDescriptions = new Set(options.map(({ description }) => truncateTo(description, 2000)))
          const previousOptions = yield* findOptions({ workspace, type, campaign: null })
          const remainingOptions = previousOptions.filter(
            ({ description, id }) => selectedIds.has(id) && proposedDescriptions.has(description)
          )
          for (const { id } of previousOptions.filter((option) => !remainingOptions.includes(option))) {
            yield* sql`DELETE FROM asset_options WHERE id = ${id} AND workspace_id = ${workspace}`
          }
          const remainingDescriptions = new Set(remainingOptions.map((option) => option.description))
          yield* insert(
            workspace,
            null,
            type,
            options.filter((option) => !remainingDescriptions.has(truncateTo(option.description, 2000)))
          )
        }, inTransaction(sql))
      })
    })
  )
}
