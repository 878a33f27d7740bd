// src/http/App.ts: the API over whatever services it is given, its contract at /openapi.json, a
// reader for it at /docs, and the console at /.
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { AgentHandlers } from "#src/http/handlers/Agent.ts"
import { AudiencesHandlers } from "#src/http/handlers/Audiences.ts"
import { BuildHandlers } from "#src/http/handlers/Build.ts"
import { CampaignsHandlers } from "#src/http/handlers/Campaigns.ts"
import { Console } from "#src/http/routes/Console.ts"
import { CreditsHandlers } from "#src/http/handlers/Credits.ts"
import { Files } from "#src/http/routes/Files.ts"
import { GenerationHandlers } from "#src/http/handlers/Generation.ts"
import { HealthHandlers } from "#src/http/handlers/Health.ts"
import { JobsHandlers } from "#src/http/handlers/Jobs.ts"
import { LeadFilesHandlers } from "#src/http/handlers/LeadFiles.ts"
import { LintHandlers } from "#src/http/handlers/Lint.ts"
import { ListsHandlers } from "#src/http/handlers/Lists.ts"
import { PlaybookHandlers } from "#src/http/handlers/Playbook.ts"
import { PreviewHandlers } from "#src/http/handlers/Preview.ts"
import type { Rate } from "#src/http/RateLimit.ts"
import { make } from "#src/http/Endpoints.ts"
import { nodeTransport } from "#src/http/server/NodeTransport.ts"
import { routerTransport } from "#src/http/server/RouterTransport.ts"
import { Reference } from "#src/http/routes/Reference.ts"
import { RequestPipeline } from "#src/http/RequestPipeline.ts"
import { SignaturesHandlers } from "#src/http/handlers/Signatures.ts"
import { SuppressionsHandlers } from "#src/http/handlers/Suppressions.ts"
import { WorkspaceHandlers } from "#src/http/handlers/Workspace.ts"
import { HttpRouter } from "effect/http"
import { headers } from "#schema/Headers.ts"

const Cors = (origins: ReadonlyArray<string>) =>
  origins.length === 0
    ? Layer.empty
    : HttpRouter.cors({ allowedOrigins: origins, exposedHeaders: Object.keys(headers), maxAge: 600 })

export interface Options {
  /** Replaces what the plans say of how often a key may ask. */
  readonly rate: Rate | undefined
  /** Origins whose pages may call the API from a browser. */
  readonly origins?: ReadonlyArray<string>
}

/** Every handler of the contract. */
const handlers = Effect.all({
  agent: AgentHandlers,
  build: BuildHandlers,
  campaigns: CampaignsHandlers,
  credits: CreditsHandlers,
  generation: GenerationHandlers,
  health: HealthHandlers,
  jobs: JobsHandlers,
  lead_files: LeadFilesHandlers,
  lint: LintHandlers,
  lists: ListsHandlers,
  playbook: PlaybookHandlers,
  preview: PreviewHandlers,
  signatures: SignaturesHandlers,
  suppressions: SuppressionsHandlers,
  target_audiences: AudiencesHandlers,
  workspace: WorkspaceHandlers
})

/** The endpoints of the contract, on each transport. */
const Contract = ({ origins = [], rate }: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const endpoints = yield* make(yield* handlers, rate)
      return Layer.merge(routerTransport(endpoints), nodeTransport(endpoints, origins))
    })
  )

export const App = (options: Options) =>
  Layer.mergeAll(RequestPipeline, Cors(options.origins ?? []), Contract(options), Reference, Files, Console).pipe(
    Layer.provide(RateLimiter.layer)
  )
