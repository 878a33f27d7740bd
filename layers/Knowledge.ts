// layers/Knowledge.ts: everything a campaign knows, gathered for whoever answers questions about it.
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Source } from "#layers/Answerer.ts"
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import * as States from "#layers/campaigns/State.ts"
import { CampaignStore } from "#layers/campaigns/Store.ts"
import { titles } from "#layers/Documents.ts"
import { profile } from "#layers/knowledge/Profile.ts"
import { selections } from "#layers/knowledge/Selections.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotFound, NotReady } from "#schema/Errors.ts"

export class Knowledge extends Context.Service<
  Knowledge,
  {
    /** NOT_READY until a build has made the campaign's knowledge base; NOT_FOUND for whatever is not this workspace's. */
    readonly of: (workspace: WorkspaceId, campaign: string) => Effect.Effect<Source, NotFound | NotReady>
  }
>()("overture/layers/Knowledge") {
  static readonly layer = Layer.effect(
    Knowledge,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* CampaignStore
      const workspaces = yield* Workspaces

      const Key = Schema.Struct({ workspace: Schema.String, campaign: Schema.String })
      const versions = SqlSchema.findAll({
        Request: Key,
        Result: Schema.Struct({ part: Schema.String, updated_at: Schema.String }),
        execute: ({ campaign, workspace }) => sql`
          SELECT type AS part, updated_at FROM campaign_documents
            WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}
          UNION ALL SELECT type, updated_at FROM workspace_documents WHERE workspace_id = ${workspace}
          UNION ALL SELECT 'selected ' || type, updated_at FROM selections
            WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}
          UNION ALL SELECT 'campaign', updated_at FROM campaigns WHERE id = ${campaign} AND workspace_id = ${workspace}
          UNION ALL SELECT 'workspace', updated_at FROM workspaces WHERE id = ${workspace}
          ORDER BY part`
      })
      const documents = SqlSchema.findAll({
        Request: Key,
        Result: Schema.Struct({ id: Schema.String, type: Schema.String, content: Schema.String }),
        execute: ({ campaign, workspace }) => sql`
          SELECT id, type, content FROM workspace_documents WHERE workspace_id = ${workspace} AND content IS NOT NULL
          UNION ALL SELECT id, type, content FROM campaign_documents
            WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}`
      })

      const files = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, audience: Segment | null) {
        const chosen = yield* store.chosen(workspace, campaign)
        const found = yield* documents({ workspace, campaign })
        return [
          { file_id: null, filename: "Selections", content: selections(audience, chosen) },
          ...order.flatMap((type) =>
            found.flatMap(({ content, id, type: of }) =>
              of === type ? [{ file_id: id, filename: `${titles[type]}.md`, content }] : []
            )
          ),
          { file_id: null, filename: "Business profile", content: profile(yield* workspaces.details(workspace)) }
        ] satisfies ReadonlyArray<KnowledgeFile>
      })

      return Knowledge.of({
        of: Effect.fn("Knowledge.of")(function* (workspace, campaign) {
          const state = yield* store.find(workspace, campaign).pipe(
            // Whose a campaign is, is no business of whoever only names it in a body.
            Effect.catchTag("FORBIDDEN", () => NotFound.of("campaign"))
          )
          const audience = yield* States.audience(state)
          const parts = yield* Effect.orDie(versions({ workspace, campaign }))
          if (!parts.some(({ part }) => part === "knowledge_base")) {
            return yield* new NotReady({
              message: "This campaign has no knowledge base yet; it is made when the campaign is built",
              detail: { missing: ["knowledge_base"] }
            })
          }
          return {
            campaign,
            version: parts.map(({ part, updated_at }) => `${part} ${updated_at}`).join("\n"),
            files: Effect.orDie(files(workspace, campaign, audience))
          }
        })
      })
    })
  )
}

/** Where a fact stands in several documents, the first of them is the one to cite. */
const order = [
  "company_summary",
  "market_research",
  "target_audience_research",
  "knowledge_base",
  "email_instructions"
] as const
