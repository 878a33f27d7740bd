// layers/Documents.ts: the Markdown documents of workspaces and campaigns, and signed links to download them.
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { CampaignStore, type NotVisible } from "#layers/campaigns/Store.ts"
import { Links } from "#layers/Links.ts"
import { profileDigest } from "#layers/workspaces/Onboarding.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Details } from "#schema/Details.ts"
import { CampaignDocument, WorkspaceDocument } from "#schema/Documents.ts"
import { NotFound } from "#schema/Errors.ts"

const linkLifetime = Duration.minutes(15)

export const documentTitles: { readonly [T in (WorkspaceDocument | CampaignDocument)["type"]]: string } = {
  company_summary: "Company summary",
  market_research: "Market research",
  target_audience_research: "Target audience research",
  email_instructions: "Email instructions",
  knowledge_base: "Knowledge base"
}

export const documentPath = (id: string) => `/files/${id}`

export class Documents extends Context.Service<
  Documents,
  {
    readonly listWorkspaceDocuments: (workspace: WorkspaceId) => Effect.Effect<ReadonlyArray<WorkspaceDocument>>
    readonly listCampaignDocuments: (
      workspace: WorkspaceId,
      campaign: string
    ) => Effect.Effect<ReadonlyArray<CampaignDocument>, NotVisible>
    /** NOT_FOUND if the document is gone. Checks no tenant: the caller has verified a signed link. */
    readonly read: (id: string) => Effect.Effect<{ readonly type: string; readonly content: string }, NotFound>
  }
>()("overture/layers/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const links = yield* Links
      const store = yield* CampaignStore

      const findWorkspaceDocuments = SqlSchema.findAll({
        Request: Schema.String,
        Result: Schema.Struct({
          id: Schema.String,
          type: WorkspaceDocument.fields.type,
          status: WorkspaceDocument.fields.status,
          profile: Schema.NullOr(Schema.String),
          details: Schema.fromJsonString(Details)
        }),
        execute: (workspace) => sql`
          SELECT d.id, d.type, d.status, d.profile, w.details FROM workspace_documents d
          JOIN workspaces w ON d.workspace_id = w.id
          WHERE d.workspace_id = ${workspace} ORDER BY d.type`
      })
      const findCampaignDocuments = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, campaign: Schema.String }),
        Result: Schema.Struct({ id: Schema.String, type: CampaignDocument.fields.type, newer: Schema.Int }),
        execute: ({ campaign, workspace }) => sql`
          SELECT id, type, (SELECT count(*) FROM workspace_documents w
            WHERE w.workspace_id = campaign_documents.workspace_id AND w.updated_at > campaign_documents.updated_at) AS newer
          FROM campaign_documents WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}`
      })
      const findContent = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Schema.Struct({ type: Schema.String, content: Schema.String }),
        execute: (id) => sql`
          SELECT type, content FROM workspace_documents WHERE id = ${id} AND content IS NOT NULL
          UNION ALL SELECT type, content FROM campaign_documents WHERE id = ${id}`
      })

      const signLink = (id: string) => links.sign(documentPath(id), linkLifetime)

      return Documents.of({
        listWorkspaceDocuments: Effect.fn("Documents.ofWorkspace")(function* (workspace) {
          return yield* Effect.forEach(
            yield* findWorkspaceDocuments(workspace),
            Effect.fnUntraced(function* ({ details, id, profile, status, type }) {
              const download_url = status === "ready" ? yield* signLink(id) : null
              // Documents of earlier versions have no digest, so whether they are outdated is unknown.
              const isOutdated = status === "ready" && profile !== null && profile !== profileDigest(details)
              return {
                type,
                title: documentTitles[type],
                status,
                download_url,
                ...(isOutdated && { outdated: true as const })
              }
            })
          )
        }, Effect.orDie),

        listCampaignDocuments: Effect.fn("Documents.ofCampaign")(function* (workspace, campaign) {
          const { build, research } = yield* store.find(workspace, campaign)
          const documents = yield* Effect.orDie(findCampaignDocuments({ workspace, campaign }))
          return yield* Effect.forEach(
            CampaignDocument.fields.type.literals,
            Effect.fnUntraced(function* (type) {
              const document = documents.find((row) => row.type === type)
              const stepStatus = type === "target_audience_research" ? research : build
              const status: CampaignDocument["status"] =
                stepStatus === "processing"
                  ? "processing"
                  : stepStatus === "ready" && document
                    ? "ready"
                    : "unavailable"
              // A build does not repeat the audience research, which is done when the audience is selected.
              const isOutdated = status === "ready" && type !== "target_audience_research" && (document?.newer ?? 0) > 0
              return {
                id: document?.id ?? null,
                type,
                title: documentTitles[type],
                status,
                download_url: document && status === "ready" ? yield* signLink(document.id) : null,
                ...(isOutdated && { outdated: true as const })
              }
            })
          )
        }),

        read: Effect.fn("Documents.read")(
          findContent,
          Effect.orDie,
          Effect.flatMap(Effect.fromOption(() => new NotFound({ message: "No such document" })))
        )
      })
    })
  )
}
