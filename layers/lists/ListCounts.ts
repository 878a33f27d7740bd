// layers/lists/ListCounts.ts: the stored numbers of lists by workspace, campaign and kind, and the total of a page from them.
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** A list that is created or deleted. */
interface CountedList {
  readonly workspace_id: string
  /** Null if the campaign was deleted. */
  readonly campaign_id: string | null
  readonly kind: string
}

/** The campaign_id of the row that counts all lists of a workspace. */
const allCampaigns = ""

/** Reads and updates the counts. Run an update in the transaction that creates or deletes the list or the campaign. */
export const makeListCounts = Effect.map(SqlClient.SqlClient, (sql) => ({
  countCreated: ({ campaign_id, kind, workspace_id }: CountedList) => sql`
    INSERT INTO list_counts (workspace_id, campaign_id, kind, lists)
    VALUES (${workspace_id}, ${allCampaigns}, ${kind}, 1), (${workspace_id}, ${campaign_id}, ${kind}, 1)
    ON CONFLICT (workspace_id, campaign_id, kind) DO UPDATE SET lists = list_counts.lists + 1`,

  countDeleted: ({ campaign_id, kind, workspace_id }: CountedList) => sql`
    UPDATE list_counts SET lists = lists - 1
    WHERE workspace_id = ${workspace_id} AND kind = ${kind} AND campaign_id IN (${allCampaigns}, ${campaign_id})`,

  /** The number of lists of each campaign, without lists of a single lead. Campaigns without a list have no entry. */
  countBatches: (workspace: string, campaigns: ReadonlyArray<string>) =>
    campaigns.length === 0
      ? Effect.succeed(new Map<string, number>())
      : Effect.map(
          sql<{ readonly campaign_id: string; readonly lists: number }>`
            SELECT campaign_id, lists FROM list_counts
            WHERE workspace_id = ${workspace} AND kind = 'batch' AND lists > 0 AND ${sql.in("campaign_id", campaigns)}`,
          (rows) => new Map(rows.map(({ campaign_id, lists }) => [campaign_id, Number(lists)]))
        ),

  /** The lists of the campaign stay, without a campaign. */
  deleteCampaign: (workspace: string, campaign: string) =>
    sql`DELETE FROM list_counts WHERE workspace_id = ${workspace} AND campaign_id = ${campaign}`
}))

/** The number of lists of a workspace, and of a campaign or a kind if given. */
export const storedCount = (
  sql: SqlClient.SqlClient,
  filter: { readonly workspace: string; readonly campaign_id?: string | undefined },
  kind: Statement.Fragment | undefined
) => sql`
  SELECT COALESCE(SUM(lists), 0) FROM list_counts
  WHERE workspace_id = ${filter.workspace} AND campaign_id = ${filter.campaign_id ?? allCampaigns}
    AND ${kind === undefined ? sql`TRUE` : sql`kind = ${kind}`}`
