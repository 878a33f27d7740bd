// layers/campaigns/Works.ts: what background work reads of a campaign, and how what it makes is kept.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Assets } from "#layers/Assets.ts"
import * as States from "#layers/campaigns/State.ts"
import { CampaignStore, type Unseen, type Work } from "#layers/campaigns/Store.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import type * as Generator from "#layers/Generator.ts"
import { type Claim, Jobs } from "#layers/Jobs.ts"
import { Lists } from "#layers/Lists.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"

/**
 * Each `keep…` is part of the last transaction of its job, and keeps nothing when the campaign has moved on to another
 * job meanwhile.
 */
export class Works extends Context.Service<
  Works,
  {
    /** What the writer is to know, as it stands. */
    readonly source: (workspace: WorkspaceId, id: string) => Effect.Effect<Generator.Campaign, Unseen>
    /** Whether the campaign still waits for this job: it may have been asked for the same work anew since. */
    readonly awaited: (claim: Claim, work: Work) => Effect.Effect<boolean, Unseen>
    /**
     * How the research is that this job's work stands on. While a segment that was submitted meanwhile is looked into,
     * the job goes back to wait for that.
     */
    readonly researched: (claim: Claim) => Effect.Effect<"ready" | "failed" | "waiting", Unseen>
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
>()("overture/layers/campaigns/Works") {
  static readonly layer = Layer.effect(
    Works,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const assets = yield* Assets
      const jobs = yield* Jobs
      const lists = yield* Lists
      const store = yield* CampaignStore
      const workspaces = yield* Workspaces

      return Works.of({
        source: Effect.fn("Works.source")(function* (workspace, id) {
          const audience = yield* States.audience(yield* store.find(workspace, id))
          const choices = yield* store.chosen(workspace, id)
          if (audience === null) return yield* NotFound.of("target audience of this campaign")
          return { profile: yield* workspaces.details(workspace), audience, ...choices }
        }),

        awaited: (claim, work) =>
          Effect.map(store.find(claim.workspace_id, claim.subject), (state) => state[`${work}_job`] === claim.id),

        researched: Effect.fn("Works.researched")(function* (claim) {
          const { research } = yield* store.find(claim.workspace_id, claim.subject)
          if (research !== "processing") return research === "failed" ? "failed" : "ready"
          yield* jobs.detain(claim, States.researchGate(claim.subject))
          return "waiting"
        }, inTransaction(sql)),

        keepResearch: (workspace, id, job, content) =>
          store.ifCurrent(workspace, id, "research", job, (state) =>
            store
              .setDocument(state, "target_audience_research", content)
              .pipe(
                Effect.andThen(store.update(state, { research: "ready" })),
                Effect.andThen(jobs.open(workspace, States.researchGate(id)))
              )
          ),

        keepOptions: (workspace, id, job, options) =>
          store.ifCurrent(workspace, id, "options", job, (state) =>
            assets
              .replace(workspace, id, "value_proposition", options)
              .pipe(Effect.andThen(store.update(state, { options: "ready" })))
          ),

        keepBuild: (workspace, id, job, made) =>
          store.ifCurrent(
            workspace,
            id,
            "build",
            job,
            Effect.fnUntraced(function* (state) {
              yield* store.setDocument(state, "email_instructions", made.instructions)
              yield* store.setDocument(state, "knowledge_base", made.knowledge)
              const brief = JSON.stringify({ campaign: made.campaign, instructions: made.instructions })
              yield* Effect.orDie(
                sql`UPDATE campaigns SET brief = ${brief} WHERE id = ${id} AND workspace_id = ${workspace}`
              )
              yield* store.update(state, { build: "ready" })
              yield* lists.brief(workspace, id, brief)
              yield* jobs.open(workspace, States.buildGate(id))
            })
          ),

        failed: (workspace, id, work, job) =>
          store.ifCurrent(workspace, id, work, job, (state) =>
            store.update(state, { [work]: "failed" }).pipe(
              // What waits for it looks for itself, and fails with it.
              Effect.andThen(
                work === "options"
                  ? Effect.void
                  : jobs.open(workspace, work === "research" ? States.researchGate(id) : States.buildGate(id))
              )
            )
          )
      })
    })
  )
}
