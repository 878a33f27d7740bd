// layers/Campaigns.ts: campaigns, from the empty shell to the brief that emails are written from.
import { Context, Effect, Equal, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { Assets } from "#layers/Assets.ts"
import { Audiences } from "#layers/Audiences.ts"
import { choose } from "#layers/campaigns/Choose.ts"
import * as States from "#layers/campaigns/State.ts"
import { Credits } from "#layers/Credits.ts"
import type * as Generator from "#layers/Generator.ts"
import { Jobs } from "#layers/Jobs.ts"
import { now } from "#layers/Now.ts"
import { documentTypes, Workspaces } from "#layers/Workspaces.ts"
import { AssetOption, type AssetType } from "#schema/Assets.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { AudienceInput, SelectionInput } from "#schema/Build.ts"
import { type BuildStatus, type CampaignEntry } from "#schema/Campaigns.ts"
import { BadRequest, Forbidden, NotFound, NotReady } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"

/** A campaign that cannot be seen: unknown, or another workspace's. */
export type Unseen = NotFound | Forbidden

/** The background work on a campaign; each has a column for its progress and one for the job that does it. */
export type Work = "research" | "options" | "build"

export const researchGate = (campaign: string) => `research:${campaign}`
export const buildGate = (campaign: string) => `build:${campaign}`

export class Campaigns extends Context.Service<
  Campaigns,
  {
    readonly list: (workspace: WorkspaceId, page: Page) => Effect.Effect<Rows<CampaignEntry>>
    /** NOT_READY until the workspace is; FORBIDDEN when the plan's builds are used up. */
    readonly create: (
      workspace: WorkspaceId,
      name: string
    ) => Effect.Effect<{ readonly id: string; readonly name: string }, NotReady | Forbidden>
    readonly find: (workspace: WorkspaceId, id: string) => Effect.Effect<States.State, Unseen>
    readonly status: (workspace: WorkspaceId, id: string) => Effect.Effect<BuildStatus, Unseen>
    /** Links a segment and starts its research; the same segment again changes nothing. */
    readonly setAudience: (
      workspace: WorkspaceId,
      id: string,
      input: AudienceInput,
      custom: boolean
    ) => Effect.Effect<{ readonly job: string; readonly target_audience_id: string }, Unseen | BadRequest>
    readonly options: (
      workspace: WorkspaceId,
      id: string,
      type: AssetType
    ) => Effect.Effect<{ readonly ready: boolean; readonly options: ReadonlyArray<AssetOption> }, Unseen>
    /** Stores what was chosen. Value propositions start the build, and `job` is its id. */
    readonly select: (
      workspace: WorkspaceId,
      id: string,
      type: AssetType,
      input: SelectionInput
    ) => Effect.Effect<
      { readonly items_stored: number; readonly job: string | undefined },
      Unseen | BadRequest | NotReady
    >
    /** Starts making value propositions and answers the job's id; one that is under way already is that one. */
    readonly propose: (workspace: WorkspaceId, id: string) => Effect.Effect<string, Unseen | NotReady>
    /** What the writer is to know, as it stands. */
    readonly source: (workspace: WorkspaceId, id: string) => Effect.Effect<Generator.Campaign, Unseen>
    /** Keeps what a job made, unless the campaign has moved on to another job; part of the job's last transaction. */
    readonly keepResearch: (workspace: WorkspaceId, id: string, job: string, content: string) => Effect.Effect<void>
    readonly keepOptions: (
      workspace: WorkspaceId,
      id: string,
      job: string,
      options: ReadonlyArray<Generator.OptionDraft>
    ) => Effect.Effect<void>
    readonly keepBuild: (
      workspace: WorkspaceId,
      id: string,
      job: string,
      made: {
        readonly campaign: Generator.Campaign
        readonly instructions: string
        readonly knowledge: string
      }
    ) => Effect.Effect<void>
    readonly failed: (workspace: WorkspaceId, id: string, work: Work, job: string) => Effect.Effect<void>
  }
>()("overture/layers/Campaigns") {
  static readonly layer = Layer.effect(
    Campaigns,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const assets = yield* Assets
      const audiences = yield* Audiences
      const credits = yield* Credits
      const jobs = yield* Jobs
      const workspaces = yield* Workspaces

      const fields = sql.literal(States.columns)
      const one = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: States.State,
        execute: ({ id, workspace }) =>
          sql`SELECT ${fields} FROM campaigns WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const page = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, limit: Schema.Int, offset: Schema.Int }),
        Result: States.State,
        execute: ({ limit, offset, workspace }) => sql`
          SELECT ${fields} FROM campaigns WHERE workspace_id = ${workspace}
          ORDER BY created_at DESC, id DESC LIMIT (0 + ${limit}) OFFSET (0 + ${offset})`
      })
      const selections = SqlSchema.findAll({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: States.StoredSelection,
        execute: ({ id, workspace }) => sql`
          SELECT type, items, additional_details, updated_at FROM selections
          WHERE campaign_id = ${id} AND workspace_id = ${workspace}`
      })

      const find = Effect.fn("Campaigns.find")(function* (workspace: WorkspaceId, id: string) {
        const found = yield* Effect.orDie(one({ workspace, id }))
        if (Option.isSome(found)) return found.value
        const elsewhere = yield* Effect.orDie(sql`SELECT id FROM campaigns WHERE id = ${id}`)
        return yield* elsewhere.length === 0
          ? NotFound.of("campaign")
          : new Forbidden({ message: "This campaign belongs to another workspace" })
      })

      const chosen = (workspace: WorkspaceId, id: string) =>
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
        )

      const update = Effect.fnUntraced(function* (
        { id, workspace_id }: States.State,
        change: Partial<Record<keyof States.State, string | number>>
      ) {
        yield* sql`
          UPDATE campaigns SET ${sql.update({ ...change, updated_at: yield* now }, [])}
          WHERE id = ${id} AND workspace_id = ${workspace_id}`
      })

      /** Queues the job that is now the one to do `work`, and says so of the campaign. */
      const begin = Effect.fnUntraced(function* (
        state: States.State,
        work: Work,
        type: string,
        change: Partial<Record<keyof States.State, string | number>>
      ) {
        const gate = work === "research" || state.research === "ready" ? undefined : researchGate(state.id)
        const [job] = yield* jobs.enqueue([{ workspace: state.workspace_id, type, subject: state.id, gate }])
        yield* update(state, { ...change, [work]: "processing", [`${work}_job`]: job ?? "" })
        return job ?? ""
      })

      /** What stood on an earlier choice has to be made anew. */
      const reopened = { selected: 0, build: "none" }

      const setDocument = Effect.fnUntraced(function* (state: States.State, type: string, content: string) {
        const updated_at = yield* now
        yield* sql`
          INSERT INTO campaign_documents (id, campaign_id, workspace_id, type, content, updated_at)
          VALUES (${yield* random.uuidV7()}, ${state.id}, ${state.workspace_id}, ${type}, ${content}, ${updated_at})
          ON CONFLICT (campaign_id, type) DO UPDATE
          SET content = EXCLUDED.content, updated_at = EXCLUDED.updated_at`
      })

      /** Runs `keep` if `job` is still the one the campaign waits for. */
      const ifCurrent = <E>(
        workspace: WorkspaceId,
        id: string,
        work: Work,
        job: string,
        keep: (state: States.State) => Effect.Effect<void, E>
      ) =>
        Effect.gen(function* () {
          const state = yield* one({ workspace, id })
          if (Option.isSome(state) && state.value[`${work}_job`] === job) yield* keep(state.value)
        }).pipe(sql.withTransaction, Effect.orDie)

      return Campaigns.of({
        find,

        list: Effect.fn("Campaigns.list")(function* (workspace, { limit, offset }) {
          const rows = yield* page({ workspace, limit, offset })
          const [count] = yield* sql<{ readonly n: number }>`
            SELECT count(*) AS n FROM campaigns WHERE workspace_id = ${workspace}`
          return {
            rows: rows.map((state) => ({
              id: state.id,
              name: state.name,
              created_at: state.created_at,
              overall: States.overall(state)
            })),
            total: count?.n ?? 0
          }
        }, Effect.orDie),

        create: Effect.fn("Campaigns.create")(
          function* (workspace, name) {
            const ready = yield* workspaces.ready(workspace)
            const missing = [
              ...(ready.has("company_summary") ? [] : ["company_summary"]),
              ...(documentTypes.every((type) => ready.has(type)) ? [] : ["company_documents"]),
              ...((yield* audiences.count(workspace)) > 0 ? [] : ["target_audiences"])
            ]
            if (missing.length > 0) {
              return yield* new NotReady({
                message: "The workspace is not ready for a campaign; detail.missing says what it needs first",
                detail: { missing }
              })
            }
            yield* credits.countBuild(workspace)
            const id = yield* random.uuidV7()
            const created_at = yield* now
            yield* sql`
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
              })}`
            return { id, name }
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        ),

        status: Effect.fn("Campaigns.status")(function* (workspace, id) {
          const state = yield* find(workspace, id)
          return {
            campaign_id: id,
            overall: States.overall(state),
            stages: States.stages(state, yield* chosen(workspace, id))
          }
        }),

        setAudience: Effect.fn("Campaigns.setAudience")(
          function* (workspace, id, input, custom) {
            const state = yield* find(workspace, id)
            if (!custom && typeof input.id !== "string") {
              return yield* BadRequest.at("target_audience.id", "is required unless is_custom_target_audience is true")
            }
            const audience =
              typeof input.id === "string"
                ? yield* audiences.update(workspace, input.id, input)
                : yield* audiences.custom(workspace, input)
            const target_audience_id = audience.id
            if (state.research_job !== null && state.research !== "failed" && Equal.equals(state.audience, audience)) {
              return { job: state.research_job, target_audience_id }
            }
            const job = yield* begin(state, "research", "campaign.target_audience", {
              ...reopened,
              target_audience_id,
              audience: JSON.stringify(audience)
            })
            return { job, target_audience_id }
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        ),

        options: Effect.fn("Campaigns.options")(function* (workspace, id, type) {
          const state = yield* find(workspace, id)
          const ready =
            type === "value_proposition"
              ? state.options === "ready"
              : (yield* workspaces.ready(workspace)).has("company_summary")
          return { ready, options: ready ? yield* assets.options(workspace, id, type) : [] }
        }),

        select: Effect.fn("Campaigns.select")(
          function* (workspace, id, type, input) {
            const state = yield* find(workspace, id)
            const proposing = type === "value_proposition"
            if (proposing && (state.options !== "ready" || state.research === "failed" || state.audience === null)) {
              return yield* new NotReady({
                message:
                  state.options === "ready"
                    ? "The target audience has to be submitted again first"
                    : "Value propositions have to be generated first"
              })
            }
            const items = yield* choose(type, yield* assets.options(workspace, id, type), input)
            const additional_details = input.additional_details ?? null
            const before = (yield* chosen(workspace, id))[type]
            const same =
              before !== null && Equal.equals(before.items, items) && before.additional_details === additional_details
            if (same && !proposing) return { items_stored: items.length, job: undefined }
            if (same && state.selected && state.build !== "failed" && state.build_job !== null) {
              return { items_stored: items.length, job: state.build_job }
            }
            const updated_at = yield* now
            yield* sql`
              INSERT INTO selections (campaign_id, workspace_id, type, items, additional_details, updated_at)
              VALUES (${id}, ${workspace}, ${type}, ${JSON.stringify(items)}, ${additional_details}, ${updated_at})
              ON CONFLICT (campaign_id, type) DO UPDATE
              SET items = EXCLUDED.items, additional_details = EXCLUDED.additional_details,
                  updated_at = EXCLUDED.updated_at`
            if (!proposing) {
              yield* update(state, reopened)
              return { items_stored: items.length, job: undefined }
            }
            return { items_stored: items.length, job: yield* begin(state, "build", "campaign.build", { selected: 1 }) }
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        ),

        propose: Effect.fn("Campaigns.propose")(
          function* (workspace, id) {
            const state = yield* find(workspace, id)
            const missing = States.missing(state, yield* chosen(workspace, id))
            if (missing.length > 0) {
              return yield* new NotReady({
                message: "Submit the steps in detail.missing before value propositions are generated",
                detail: { missing }
              })
            }
            if (state.options === "processing" && state.options_job !== null) return state.options_job
            return yield* begin(state, "options", "campaign.value_propositions", reopened)
          },
          sql.withTransaction,
          Effect.catchTag("SqlError", Effect.die)
        ),

        source: Effect.fn("Campaigns.source")(function* (workspace, id) {
          const state = yield* find(workspace, id)
          const choices = yield* chosen(workspace, id)
          if (state.audience === null) return yield* NotFound.of("target audience of this campaign")
          return { profile: yield* workspaces.details(workspace), audience: state.audience, ...choices }
        }),

        keepResearch: (workspace, id, job, content) =>
          ifCurrent(workspace, id, "research", job, (state) =>
            setDocument(state, "target_audience_research", content).pipe(
              Effect.andThen(update(state, { research: "ready" })),
              Effect.andThen(jobs.open(researchGate(id)))
            )
          ),

        keepOptions: (workspace, id, job, options) =>
          ifCurrent(workspace, id, "options", job, (state) =>
            assets
              .replace(workspace, id, "value_proposition", options)
              .pipe(Effect.andThen(update(state, { options: "ready" })))
          ),

        keepBuild: (workspace, id, job, made) =>
          ifCurrent(
            workspace,
            id,
            "build",
            job,
            Effect.fnUntraced(function* (state) {
              // A choice changed meanwhile has reopened the campaign: then this build is not of what is chosen now.
              if (!state.selected) return
              yield* setDocument(state, "email_instructions", made.instructions)
              yield* setDocument(state, "knowledge_base", made.knowledge)
              const brief = JSON.stringify({ campaign: made.campaign, instructions: made.instructions })
              yield* sql`UPDATE campaigns SET brief = ${brief} WHERE id = ${id} AND workspace_id = ${workspace}`
              yield* update(state, { build: "ready" })
              yield* jobs.open(buildGate(id))
            })
          ),

        failed: (workspace, id, work, job) =>
          ifCurrent(workspace, id, work, job, (state) =>
            update(state, { [work]: "failed" }).pipe(
              // What waits for it looks for itself, and fails with it.
              Effect.andThen(
                work === "options" ? Effect.void : jobs.open(work === "research" ? researchGate(id) : buildGate(id))
              )
            )
          )
      })
    })
  )
}
