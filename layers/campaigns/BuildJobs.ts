// layers/campaigns/BuildJobs.ts: reads a campaign for its background jobs, and stores their results.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Assets } from "#layers/Assets.ts"
import {
  linkedAudience,
  buildGate,
  CampaignState,
  CampaignStore,
  type CampaignWork,
  type NotVisible,
  researchGate
} from "#layers/campaigns/Store.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import type { DraftedPersona, PersonaOutline } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import type * as Generator from "#layers/Generator.ts"
import { type ClaimedJob, Queue } from "#layers/Queue.ts"
import { Lists } from "#layers/Lists.ts"
import type { CampaignBrief } from "#layers/playbooks/CampaignBrief.ts"
import { personasToRedraft, type Redraft, makeRedrafter } from "#layers/playbooks/Redrafts.ts"
import { PlaybookStore } from "#layers/playbooks/Store.ts"
import { Events } from "#layers/webhooks/Events.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { NotFound } from "#schema/Errors.ts"

/**
 * Each `save…` runs in the last transaction of its job, and stores nothing if the campaign now waits for another job.
 */
export class BuildJobs extends Context.Service<
  BuildJobs,
  {
    /** The writer's current input. */
    readonly loadInput: (claim: ClaimedJob) => Effect.Effect<Generator.Campaign, NotVisible>
    /** Whether the campaign still waits for this job; a newer request replaces it. */
    readonly isCurrentJob: (claim: ClaimedJob, work: CampaignWork) => Effect.Effect<boolean, NotVisible>
    /**
     * The status of the research that this job needs. If a newer segment is still being researched, the job is requeued
     * to wait for that.
     */
    readonly requireResearch: (claim: ClaimedJob) => Effect.Effect<"ready" | "failed" | "waiting", NotVisible>
    /** The personas whose templates must be drafted again, because a person's edits are merged into their drafts. */
    readonly findPersonasToRedraft: (
      claim: ClaimedJob,
      campaign: Generator.Campaign,
      drafts: ReadonlyArray<DraftedPersona>
    ) => Effect.Effect<ReadonlyArray<PersonaOutline>>
    readonly saveResearch: (claim: ClaimedJob, content: string) => Effect.Effect<void>
    readonly saveOptions: (claim: ClaimedJob, options: ReadonlyArray<Generator.OptionDraft>) => Effect.Effect<void>
    readonly saveBuild: (
      claim: ClaimedJob,
      result: {
        readonly campaign: Generator.Campaign
        readonly instructions: string
        readonly knowledge: string
        readonly drafts: ReadonlyArray<DraftedPersona>
        readonly redrafts: ReadonlyArray<Redraft>
      }
    ) => Effect.Effect<void>
    readonly markFailed: (claim: ClaimedJob, work: CampaignWork) => Effect.Effect<void>
  }
>()("overture/layers/campaigns/BuildJobs") {
  static readonly layer = Layer.effect(
    BuildJobs,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const assets = yield* Assets
      const events = yield* Events
      const queue = yield* Queue
      const lists = yield* Lists
      const playbooks = yield* PlaybookStore
      const store = yield* CampaignStore
      const workspaces = yield* Workspaces

      /** Stores the result of a job if the campaign still waits for that job. */
      const storeIfCurrent = (
        claim: ClaimedJob,
        work: CampaignWork,
        storeResult: (state: CampaignState) => Effect.Effect<void>
      ) =>
        store.find(claim.workspace_id, claim.subject).pipe(
          Effect.flatMap((state) => (state[`${work}_job`] === claim.id ? storeResult(state) : Effect.void)),
          Effect.catchTag(["NOT_FOUND", "FORBIDDEN"], () => Effect.void),
          inTransaction(sql)
        )

      return BuildJobs.of({
        loadInput: Effect.fn("BuildJobs.source")(function* ({ subject, workspace_id }) {
          const audience = yield* linkedAudience(yield* store.find(workspace_id, subject))
          const choices = yield* store.findSelections(workspace_id, subject)
          if (audience === null) return yield* NotFound.of("target audience of this campaign")
          return { profile: yield* workspaces.details(workspace_id), audience, ...choices }
        }),

        isCurrentJob: (claim, work) =>
          Effect.map(store.find(claim.workspace_id, claim.subject), (state) => state[`${work}_job`] === claim.id),

        requireResearch: Effect.fn("BuildJobs.researched")(function* (claim) {
          const { research } = yield* store.find(claim.workspace_id, claim.subject)
          if (research !== "processing") return research === "failed" ? "failed" : "ready"
          yield* queue.requeueBehindGate(claim, researchGate(claim.subject))
          return "waiting"
        }, inTransaction(sql)),

        findPersonasToRedraft: ({ subject, workspace_id }, campaign, drafts) =>
          Effect.map(playbooks.findContent(workspace_id, subject), (content) =>
            content === undefined ? [] : personasToRedraft(content, campaign, drafts)
          ),

        saveResearch: (claim, content) =>
          storeIfCurrent(
            claim,
            "research",
            Effect.fnUntraced(function* (state) {
              yield* store.setDocument(state, "target_audience_research", content)
              yield* store.update(state, { research: "ready" })
              yield* queue.releaseGate(state.workspace_id, researchGate(state.id))
            })
          ),

        saveOptions: (claim, options) =>
          storeIfCurrent(
            claim,
            "options",
            Effect.fnUntraced(function* (state) {
              yield* assets.propose(state.workspace_id, state.id, options)
              yield* store.update(state, { options: "ready" })
            })
          ),

        saveBuild: (claim, { campaign, drafts, instructions, knowledge, redrafts }) =>
          storeIfCurrent(
            claim,
            "build",
            Effect.fnUntraced(function* (state) {
              yield* store.setDocument(state, "email_instructions", instructions)
              yield* store.setDocument(state, "knowledge_base", knowledge)
              const playbook = yield* playbooks.build(state, {
                campaign,
                drafts,
                draft: makeRedrafter(campaign, redrafts)
              })
              const brief = JSON.stringify({ campaign, instructions, playbook } satisfies CampaignBrief)
              yield* store.update(state, { brief, build: "ready", playbook: playbook.version })
              yield* lists.brief(state.workspace_id, state.id, brief)
              yield* queue.releaseGate(state.workspace_id, buildGate(state.id))
              yield* events.record(state.workspace_id, "campaign.ready", {
                campaign_id: state.id,
                playbook_version: playbook.version
              })
            })
          ),

        markFailed: (claim, work) =>
          storeIfCurrent(
            claim,
            work,
            Effect.fnUntraced(function* (state) {
              yield* store.update(state, { [work]: "failed" })
              if (work === "options") return
              // Also after a failure: the waiting jobs then run, see the failure and fail too.
              const gate = work === "research" ? researchGate : buildGate
              yield* queue.releaseGate(state.workspace_id, gate(state.id))
            })
          )
      })
    })
  )
}
