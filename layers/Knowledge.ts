// layers/Knowledge.ts: collects the texts that answer questions about a campaign.
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Source } from "#layers/Answerer.ts"
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import { linkedAudience, CampaignStore } from "#layers/campaigns/Store.ts"
import { documentTitles } from "#layers/Documents.ts"
import * as KnownLists from "#layers/knowledge/Lists.ts"
import { playbookDocument } from "#layers/knowledge/Playbook.ts"
import { fieldForHeading, renderProfile } from "#layers/knowledge/Profile.ts"
import { renderSelections } from "#layers/knowledge/Selections.ts"
import { PlaybookStore } from "#layers/playbooks/Store.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotFound, NotReady } from "#schema/Errors.ts"
import { ImportedText } from "#schema/Imports.ts"

export class Knowledge extends Context.Service<
  Knowledge,
  {
    /**
     * NOT_READY until a build has made the campaign's knowledge base; NOT_FOUND if the campaign is not in this
     * workspace.
     */
    readonly forCampaign: (workspace: WorkspaceId, campaign: string) => Effect.Effect<Source, NotFound | NotReady>
  }
>()("overture/layers/Knowledge") {
  static readonly layer = Layer.effect(
    Knowledge,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* CampaignStore
      const workspaces = yield* Workspaces
      const playbooks = yield* PlaybookStore
      const lists = yield* KnownLists.make
      const suppressions = yield* Suppressions

      const Key = Schema.Struct({ workspace: Schema.String, campaign: Schema.String })
      const findVersions = SqlSchema.findAll({
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
          UNION ALL SELECT 'import ' || id, created_at FROM import_texts WHERE workspace_id = ${workspace}
          UNION ALL SELECT 'playbook', updated_at FROM playbooks
            WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}
          ORDER BY part`
      })
      const findDocuments = SqlSchema.findAll({
        Request: Key,
        Result: Schema.Struct({ id: Schema.String, type: Schema.String, content: Schema.String }),
        execute: ({ campaign, workspace }) => sql`
          SELECT id, type, content FROM workspace_documents WHERE workspace_id = ${workspace} AND content IS NOT NULL
          UNION ALL SELECT id, type, content FROM campaign_documents
            WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}`
      })

      const findImports = SqlSchema.findAll({
        Request: Schema.String,
        Result: ImportedText,
        execute: (workspace) => sql`
          SELECT id, name, created_at, content FROM import_texts WHERE workspace_id = ${workspace}
          ORDER BY created_at DESC, id DESC LIMIT ${maxImports}`
      })

      const loadFiles = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        campaign: string,
        audience: Segment | null,
        knownLists: KnownLists.ListsSummary
      ) {
        const campaignSelections = yield* store.findSelections(workspace, campaign)
        const playbook = yield* playbooks.findContent(workspace, campaign)
        return [
          {
            ...noFileId,
            filename: "Selections",
            source: "selections",
            link: `/#/campaigns/${campaign}`,
            content: renderSelections(audience, campaignSelections)
          },
          ...documentFiles(campaign, yield* findDocuments({ workspace, campaign })),
          {
            ...noFileId,
            filename: "Business profile",
            source: "profile",
            link: "/#/workspace",
            anchor: fieldForHeading,
            content: renderProfile(yield* workspaces.details(workspace))
          },
          ...(yield* findImports(workspace)).map(importedFile),
          ...(playbook === undefined
            ? []
            : [
                {
                  ...noFileId,
                  filename: "Playbook",
                  source: "playbook" as const,
                  link: `/#/campaigns/${campaign}/build/emails`,
                  content: playbookDocument(playbook)
                }
              ]),
          {
            ...noFileId,
            filename: "Lists",
            source: "lists",
            link: "/#/lists",
            content: KnownLists.listsDocument(knownLists)
          },
          ...(yield* lists.rows(workspace, knownLists))
        ] satisfies ReadonlyArray<KnowledgeFile>
      })

      return Knowledge.of({
        forCampaign: Effect.fn("Knowledge.of")(function* (workspace, campaign) {
          const state = yield* store.find(workspace, campaign).pipe(
            // A campaign named in a body is reported as 404, even if it exists in another workspace.
            Effect.catchTag("FORBIDDEN", () => NotFound.of("campaign"))
          )
          const audience = yield* linkedAudience(state)
          const parts = yield* Effect.orDie(findVersions({ workspace, campaign }))
          if (!parts.some(({ part }) => part === "knowledge_base")) {
            return yield* new NotReady({
              message: "This campaign has no knowledge base yet; it is made when the campaign is built",
              detail: { missing: ["knowledge_base"] }
            })
          }
          const summary = yield* lists.loadSummary(workspace, campaign)
          const version = [
            ...parts.map(({ part, updated_at }) => `${part} ${updated_at}`),
            ...summary.newest.map(({ id, updated_at }) => `${id} ${updated_at}`),
            JSON.stringify([summary.totals, summary.searched.length, summary.length])
          ]
          return {
            campaign,
            version: version.join("\n"),
            unsearchedLeads: summary.unsearchedLeads,
            files: Effect.orDie(loadFiles(workspace, campaign, audience, summary)),
            leads: (mentions) => lists.find(workspace, campaign, mentions),
            exclusions: lists.exclusions(workspace, campaign),
            reviews: lists.reviews(workspace, campaign),
            suppressed: (person) => Effect.map(suppressions.findReasons(workspace, [person]), ([reason]) => reason)
          }
        })
      })
    })
  )
}

const noFileId = { file_id: null }

interface StoredDocument {
  readonly id: string
  readonly type: string
  readonly content: string
}

const documentFiles = (campaign: string, documents: ReadonlyArray<StoredDocument>): ReadonlyArray<KnowledgeFile> =>
  citationOrder.flatMap((type) =>
    documents
      .filter((document) => document.type === type)
      .map(({ content, id }) => ({
        file_id: id,
        filename: `${documentTitles[type]}.md`,
        source: "document",
        link: `/#/sources/${campaign}/${id}`,
        anchor: encodeURIComponent,
        content
      }))
  )

const importedFile = ({ content, created_at, id, name }: ImportedText): KnowledgeFile => ({
  ...noFileId,
  // Documents imported before names were stored are named by their format, so the date is added.
  filename: /^[A-Z]+ document$/.test(name) ? `${name}, imported on ${created_at.slice(0, 10)}` : name,
  source: "imported",
  link: `/#/sources/imports/${id}`,
  anchor: encodeURIComponent,
  content
})

/** The newest imports that are searched. */
const maxImports = 20

/** Citation order: a fact in several documents is cited from the first of them. */
const citationOrder = [
  "company_summary",
  "market_research",
  "target_audience_research",
  "knowledge_base",
  "email_instructions"
] as const
