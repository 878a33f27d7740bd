// src/http/App.ts: the API with its handlers, the contract at /openapi.json, its viewer at /docs, and the console at /.
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { AgentHandlers } from "#src/http/handlers/Agent.ts"
import { AudiencesHandlers } from "#src/http/handlers/Audiences.ts"
import { BuildHandlers } from "#src/http/handlers/Build.ts"
import { CampaignsHandlers } from "#src/http/handlers/Campaigns.ts"
import { Console } from "#src/http/routes/Console.ts"
import { CreditsHandlers } from "#src/http/handlers/Credits.ts"
import { Files } from "#src/http/routes/Files.ts"
import * as Guards from "#src/http/Guards.ts"
import type { AllHandlers } from "#src/http/Handlers.ts"
import { GenerationHandlers } from "#src/http/handlers/Generation.ts"
import { HealthHandlers } from "#src/http/handlers/Health.ts"
import { JobsHandlers } from "#src/http/handlers/Jobs.ts"
import { KeysHandlers } from "#src/http/handlers/Keys.ts"
import { LeadFilesHandlers } from "#src/http/handlers/LeadFiles.ts"
import { LintHandlers } from "#src/http/handlers/Lint.ts"
import { ListsHandlers } from "#src/http/handlers/Lists.ts"
import { PlaybookHandlers } from "#src/http/handlers/Playbook.ts"
import { PreviewHandlers } from "#src/http/handlers/Preview.ts"
import { makeEndpoints } from "#src/http/Endpoints.ts"
import { Mcp } from "#src/http/routes/Mcp.ts"
import { nodeTransport, routerTransport } from "#src/http/server/Transports.ts"
import { Reference } from "#src/http/routes/Reference.ts"
import { RequestPipeline } from "#src/http/RequestPipeline.ts"
import { ReviewHandlers } from "#src/http/handlers/Review.ts"
import { SessionHandlers, SignInHandlers } from "#src/http/handlers/Session.ts"
import { SignaturesHandlers } from "#src/http/handlers/Signatures.ts"
import { SuppressionsHandlers } from "#src/http/handlers/Suppressions.ts"
import { WebhooksHandlers } from "#src/http/handlers/Webhooks.ts"
import { WorkspaceHandlers } from "#src/http/handlers/Workspace.ts"
import { HttpRouter } from "effect/http"
import { Api } from "#schema/Api.ts"
import { SignInMail } from "#layers/SignInMail.ts"
import { headers } from "#schema/Headers.ts"

const Cors = (origins: ReadonlyArray<string>) =>
  origins.length === 0
    ? Layer.empty
    : HttpRouter.cors({ allowedOrigins: origins, exposedHeaders: Object.keys(headers), maxAge: 600 })

export interface Options {
  /** Replaces the rate limits of the plans. */
  readonly rate: Guards.Rate | undefined
  /** Origins whose pages may call the API from a browser. */
  readonly origins?: ReadonlyArray<string>
}

/** The handlers of all groups. */
const handlers = Effect.all({
  agent: AgentHandlers,
  build: BuildHandlers,
  campaigns: CampaignsHandlers,
  credits: CreditsHandlers,
  generation: GenerationHandlers,
  health: HealthHandlers,
  jobs: JobsHandlers,
  keys: KeysHandlers,
  lead_files: LeadFilesHandlers,
  lint: LintHandlers,
  lists: ListsHandlers,
  playbook: PlaybookHandlers,
  preview: PreviewHandlers,
  review: ReviewHandlers,
  session: SessionHandlers,
  sign_in: SignInHandlers,
  signatures: SignaturesHandlers,
  suppressions: SuppressionsHandlers,
  target_audiences: AudiencesHandlers,
  webhooks: WebhooksHandlers,
  workspace: WorkspaceHandlers
})

/** The endpoints on each transport, and the MCP tools, which call them. */
const ApiRoutes = ({ origins = [], rate }: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const guards = yield* Guards.make(rate, origins)
      const allHandlers: AllHandlers = yield* handlers
      const endpoints = yield* makeEndpoints(Api, allHandlers, guards)
      return Layer.mergeAll(routerTransport(endpoints), nodeTransport(endpoints, origins), Mcp(endpoints, guards))
    })
  )

export const App = (options: Options) =>
  Layer.mergeAll(RequestPipeline, Cors(options.origins ?? []), ApiRoutes(options), Reference, Files, Console).pipe(
    Layer.provide(SignInMail.layer),
    Layer.provide(RateLimiter.layer)
  )
