// src/services.ts: all services for production, on one database.
import { Context, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Answerer } from "#layers/Answerer.ts"
import { Auth } from "#layers/Auth.ts"
import { Assets } from "#layers/Assets.ts"
import { Audiences } from "#layers/Audiences.ts"
import { Campaigns } from "#layers/Campaigns.ts"
import { CampaignStore } from "#layers/campaigns/Store.ts"
import { Steps } from "#layers/campaigns/Steps.ts"
import { BuildJobs } from "#layers/campaigns/BuildJobs.ts"
import { Conversations } from "#layers/Conversations.ts"
import { Enrichment } from "#layers/Enrichment.ts"
import { Documents } from "#layers/Documents.ts"
import { Files } from "#layers/Files.ts"
import { FirstRun } from "#layers/FirstRun.ts"
import { Knowledge } from "#layers/Knowledge.ts"
import * as Limits from "#layers/RateLimiter.ts"
import { Links } from "#layers/Links.ts"
import { Credits } from "#layers/Credits.ts"
import { Generator } from "#layers/Generator.ts"
import { Generation } from "#layers/Generation.ts"
import { Idempotency } from "#layers/Idempotency.ts"
import { Imports } from "#layers/Imports.ts"
import { Queue } from "#layers/Queue.ts"
import { TrimContext } from "#layers/database/Transactions.ts"
import { ModelHealth } from "#layers/model/Health.ts"
import { Batches } from "#layers/lists/Batches.ts"
import { PausedLists } from "#layers/lists/PausedLists.ts"
import { ListProgress } from "#layers/lists/ListProgress.ts"
import { Playbooks } from "#layers/Playbooks.ts"
import { PlaybookStore } from "#layers/playbooks/Store.ts"
import { Previews } from "#layers/Previews.ts"
import { Lint } from "#layers/Lint.ts"
import { LeadFiles } from "#layers/LeadFiles.ts"
import { Lists } from "#layers/Lists.ts"
import * as Random from "#layers/lib/Random.ts"
import { Researcher } from "#layers/Researcher.ts"
import { Reviews } from "#layers/Reviews.ts"
import { Rewrites } from "#layers/Rewrites.ts"
import { Signatures } from "#layers/Signatures.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { Web } from "#layers/Web.ts"
import { Webhooks } from "#layers/Webhooks.ts"
import { Deliveries } from "#layers/webhooks/Deliveries.ts"
import { Events } from "#layers/webhooks/Events.ts"
import { Onboarding } from "#layers/workspaces/Onboarding.ts"
import { Workspaces } from "#layers/Workspaces.ts"

const trim = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(withoutServices(context).mapUnsafe)

/** All services; they need an SqlClient. */
export const Services = Layer.mergeAll(
  Generation.layer,
  Batches.layer,
  ListProgress.layer,
  Documents.layer,
  Conversations.layer,
  FirstRun.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(Campaigns.layer, BuildJobs.layer, Knowledge.layer, Lint.layer)),
  Layer.provideMerge(Layer.mergeAll(Playbooks.layer, Previews.layer, Rewrites.layer, Steps.layer)),
  Layer.provideMerge(PlaybookStore.layer),
  Layer.provideMerge(CampaignStore.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      Enrichment.layer,
      Imports.layer,
      Lists.layer,
      ModelHealth.layer,
      PausedLists.layer,
      Reviews.layer,
      Webhooks.layer,
      Workspaces.layer
    )
  ),
  Layer.provideMerge(Onboarding.layer),
  Layer.provideMerge(Files.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      Answerer.layer,
      Auth.layer,
      Assets.layer,
      Audiences.layer,
      Credits.layer,
      Idempotency.layer,
      Deliveries.layer,
      LeadFiles.layer,
      Links.layer,
      Limits.layerMemory,
      Researcher.layer,
      Signatures.layer,
      Suppressions.layer,
      Web.layer
    )
  ),
  Layer.provideMerge(Events.layer),
  Layer.provideMerge(Queue.layer),
  Layer.provideMerge(Random.layer),
  Layer.provideMerge(Layer.succeed(TrimContext, trim))
)
export type Services = Layer.Success<typeof Services>

/** Removes the services from the context of fibers that already have them. A service missing here only costs time. */
const withoutServices = Context.omit(
  Answerer,
  Auth,
  Assets,
  Audiences,
  Batches,
  Campaigns,
  CampaignStore,
  Conversations,
  Credits,
  Deliveries,
  Documents,
  Enrichment,
  Events,
  Files,
  FirstRun,
  Generation,
  Generator,
  Idempotency,
  Imports,
  Queue,
  Knowledge,
  LeadFiles,
  Links,
  Lint,
  Lists,
  ModelHealth,
  Onboarding,
  PausedLists,
  Playbooks,
  PlaybookStore,
  Previews,
  Researcher,
  Reviews,
  Rewrites,
  SecureRandom.SecureRandom,
  Signatures,
  Steps,
  Suppressions,
  ListProgress,
  Web,
  Webhooks,
  Workspaces,
  BuildJobs
)
