// src/workers/Build.ts: runs the background jobs of a campaign: audience research, value propositions, build, and the
// redraft of its playbook.
import { Effect } from "effect"
import type { NotVisible, CampaignWork } from "#layers/campaigns/Store.ts"
import { BuildJobs } from "#layers/campaigns/BuildJobs.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Generator } from "#layers/Generator.ts"
import { type ClaimedJob, Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Playbooks } from "#layers/Playbooks.ts"

export const buildHandlers: Effect.Effect<ReadonlyArray<JobHandler>, never, Generator | Queue | BuildJobs> = Effect.gen(
  function* () {
    const builds = yield* BuildJobs
    const generator = yield* Generator
    const queue = yield* Queue

    const onFailure = (work: CampaignWork) => (claim: ClaimedJob) => builds.markFailed(claim, work)

    // The campaign was deleted meanwhile, so the job fails without a retry.
    const campaignDeleted = ({ message }: NotVisible) => new GenerationFailed({ message, transient: false })

    const loadCampaign = (claim: ClaimedJob) => Effect.mapError(builds.loadInput(claim), campaignDeleted)

    /** Whether the research that the job needs is ready. Fails if the research failed. */
    const isResearchReady = Effect.fnUntraced(function* (claim: ClaimedJob) {
      const research = yield* Effect.mapError(builds.requireResearch(claim), campaignDeleted)
      if (research === "failed") {
        return yield* new GenerationFailed({ message: "The research of the target audience failed", transient: false })
      }
      return research === "ready"
    })

    /** Whether the job is still needed. Completes an outdated job without running it, to save the cost of the model. */
    const isStillNeeded = Effect.fnUntraced(function* (claim: ClaimedJob, work: CampaignWork) {
      const isCurrent = yield* Effect.mapError(builds.isCurrentJob(claim, work), campaignDeleted)
      if (!isCurrent) yield* queue.complete(claim, Effect.void)
      return isCurrent
    })

    return [
      {
        type: "campaign.target_audience",
        run: Effect.fn("build.research")(function* (claim) {
          if (!(yield* isStillNeeded(claim, "research"))) return
          const { audience, profile } = yield* loadCampaign(claim)
          const content = yield* generator.audienceResearch(profile, audience)
          yield* queue.complete(claim, builds.saveResearch(claim, content))
        }),
        failed: onFailure("research")
      },
      {
        type: "campaign.value_propositions",
        run: Effect.fn("build.options")(function* (claim) {
          if (!(yield* isStillNeeded(claim, "options")) || !(yield* isResearchReady(claim))) return
          const options = yield* generator.valuePropositions(yield* loadCampaign(claim))
          yield* queue.complete(claim, builds.saveOptions(claim, options))
        }),
        failed: onFailure("options")
      },
      {
        type: "campaign.build",
        run: Effect.fn("build.build")(function* (claim) {
          if (!(yield* isStillNeeded(claim, "build")) || !(yield* isResearchReady(claim))) return
          const campaign = yield* loadCampaign(claim)
          const instructions = yield* generator.emailInstructions(campaign)
          const knowledge = yield* generator.knowledgeBase(campaign)
          const drafts = yield* generator.playbook(campaign)
          const redrafts = yield* Effect.forEach(
            yield* builds.findPersonasToRedraft(claim, campaign, drafts),
            (outline) => Effect.map(generator.templates(campaign, outline, null), (draft) => ({ outline, draft }))
          )
          const build = { campaign, instructions, knowledge, drafts, redrafts }
          yield* queue.complete(claim, builds.saveBuild(claim, build))
        }),
        failed: onFailure("build")
      }
    ]
  }
)

/** Redrafts the templates of a playbook on request. */
export const redraftPlaybook: Effect.Effect<JobHandler, never, Generator | Queue | Playbooks> = Effect.gen(
  function* () {
    const generator = yield* Generator
    const queue = yield* Queue
    const playbooks = yield* Playbooks

    return {
      type: "campaign.playbook",
      run: Effect.fn("playbook.redraft")(function* (claim) {
        const { campaign, instruction, personas } = yield* Effect.mapError(
          playbooks.loadRedraft(claim),
          ({ message }) => new GenerationFailed({ message, transient: false })
        )
        const redrafts = yield* Effect.forEach(personas, ({ id, outline }) =>
          Effect.map(generator.templates(campaign, outline, instruction), (draft) => ({ id, outline, draft }))
        )
        yield* queue.complete(claim, playbooks.saveRedrafts(claim, redrafts))
      }),
      // The playbook is unchanged, and the job has the error.
      failed: () => Effect.void
    }
  }
)
