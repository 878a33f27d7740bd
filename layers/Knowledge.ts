// layers/Knowledge.ts: everything a campaign knows, gathered for whoever answers questions about it.
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Source } from "#layers/Answerer.ts"
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import * as States from "#layers/campaigns/State.ts"
import { CampaignStore } from "#layers/campaigns/Store.ts"
import { titles } from "#layers/Documents.ts"
import { contact } from "#layers/generator/builtin/Documents.ts"
import { bullets, document, points, section } from "#layers/generator/builtin/Markdown.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { AssetType, Selection } from "#schema/Assets.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Details, listFields, textFields } from "#schema/Details.ts"
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
          { file_id: null, filename: "Selections", content: selected(audience, chosen) },
          ...order.flatMap((type) =>
            found.flatMap(({ content, id, type: of }) =>
              of === type ? [{ file_id: id, filename: `${titles[type] ?? type}.md`, content }] : []
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
const order = ["company_summary", "market_research", "target_audience_research", "knowledge_base", "email_instructions"]

const list = (items: ReadonlyArray<string>) => (items.length === 0 ? undefined : bullets(items))

const labelled = (rows: ReadonlyArray<readonly [string, string | null]>) =>
  list(rows.flatMap(([label, value]) => ((value ?? "").trim() === "" ? [] : [`**${label}:** ${value}`])))

const choice = (chosen: Selection | null) =>
  chosen === null
    ? undefined
    : list([
        ...chosen.items.map(({ description, name }) => (description.trim() === "" ? name : description)),
        ...((chosen.additional_details ?? "").trim() === "" ? [] : [`**Remark:** ${chosen.additional_details}`])
      ])

const selected = (audience: Segment | null, chosen: Readonly<Record<AssetType, Selection | null>>): string =>
  document(
    "Selections",
    audience === null
      ? []
      : section(
          "Chosen target audience",
          labelled([
            ["Segment", audience.segment_name],
            ["Industry", audience.industry_vertical],
            ["Company size", audience.company_size],
            ["Annual revenue", audience.annual_revenue],
            ["Where", audience.geographic_location],
            [
              "Decision makers",
              typeof audience.decision_makers === "string"
                ? audience.decision_makers
                : audience.decision_makers.join(", ")
            ]
          ]),
          audience.additional_details
        ),
    section("Chosen value proposition", choice(chosen.value_proposition)),
    section("Chosen proof", choice(chosen.social_proof)),
    section("Chosen lead magnet", choice(chosen.lead_magnet)),
    section("Chosen risk reversal", choice(chosen.risk_reversal))
  )

const headings: { readonly [F in (typeof textFields)[number] | (typeof listFields)[number]]: string } = {
  company_name: "Company name",
  website_url: "Website",
  city_region: "Based in",
  industry_vertical: "Industry",
  contact_name: "Contact",
  contact_title: "Contact title",
  contact_phone: "Contact phone",
  contact_email: "Contact email",
  business_address: "Address",
  primary_goal: "Goal",
  target_job_titles: "Job titles",
  ideal_client_urls: "Examples of good clients",
  competitors: "Competitors",
  business_description: "What it does",
  problems_solved: "Problems it solves",
  client_transformation: "What changes for clients",
  ideal_client_description: "Who it serves",
  pain_points: "What troubles them",
  solution_triggers: "What makes them look for help",
  competitor_frustrations: "Where others fall short",
  unique_differentiators: "What sets it apart",
  objections_and_responses: "What makes them hesitate",
  additional_info: "Also good to know",
  case_studies: "Proof: case studies",
  credibility_markers: "Proof: credentials",
  guarantee: "Guarantee",
  lead_magnets: "What it gives away"
}

const fields = Object.keys(headings) as ReadonlyArray<keyof typeof headings>

/** Fields of many points, cut as the documents cut them, so that what stands in both is one fact. */
const pointed: ReadonlyArray<keyof Details> = [
  "problems_solved",
  "pain_points",
  "competitor_frustrations",
  "unique_differentiators",
  "objections_and_responses"
]

const profile = (details: Details): string => {
  const told = { ...details, contact_name: contact(details), contact_title: null }
  return document(
    "Business profile",
    ...fields.map((field) => {
      const value = told[field]
      if (typeof value !== "string") return section(headings[field], list(value ?? []))
      return section(headings[field], pointed.includes(field) ? list(points(value)) : value)
    }),
    section(
      "Products and services",
      list(
        (details.core_products ?? []).map(({ pricing, product }) =>
          pricing.trim() === "" ? product : `${product}: ${pricing}`
        )
      )
    )
  )
}
