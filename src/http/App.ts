// src/http/App.ts: the API over whatever services it is given, its contract at /openapi.json, a
// reader for it at /docs, and the console at /.
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { Api } from "#schema/Api.ts"
import { AgentHandlers } from "#src/http/Agent.ts"
import { AudiencesHandlers } from "#src/http/Audiences.ts"
import { AuthenticationLayer, AuthorizationLayer } from "#src/http/Auth.ts"
import { BuildHandlers } from "#src/http/Build.ts"
import { CampaignsHandlers } from "#src/http/Campaigns.ts"
import { Console } from "#src/http/Console.ts"
import { CreditsHandlers } from "#src/http/Credits.ts"
import { Direct } from "#src/http/Direct.ts"
import { Files } from "#src/http/Files.ts"
import { GenerationHandlers } from "#src/http/Generation.ts"
import { HealthHandlers } from "#src/http/Health.ts"
import { JobsHandlers } from "#src/http/Jobs.ts"
import { LintHandlers } from "#src/http/Lint.ts"
import { ListsHandlers } from "#src/http/Lists.ts"
import { PlaybookHandlers } from "#src/http/Playbook.ts"
import { PreviewHandlers } from "#src/http/Preview.ts"
import { type Rate, RateLimitLayer } from "#src/http/RateLimit.ts"
import { Reference } from "#src/http/Reference.ts"
import { RequestErrorsLayer } from "#src/http/RequestErrors.ts"
import { RequestPipeline } from "#src/http/RequestPipeline.ts"
import { SignaturesHandlers } from "#src/http/Signatures.ts"
import { StrictBodyLayer } from "#src/http/StrictBody.ts"
import { WorkspaceHandlers } from "#src/http/Workspace.ts"
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

export const App = ({ origins = [], rate }: Options) =>
  Layer.mergeAll(
    RequestPipeline,
    Cors(origins),
    Direct({ rate, origins }),
    HttpApiBuilder.layer(Api),
    Reference,
    Files,
    Console
  ).pipe(
    Layer.provide([
      CampaignsHandlers,
      AudiencesHandlers,
      BuildHandlers,
      PlaybookHandlers,
      PreviewHandlers,
      GenerationHandlers,
      LintHandlers,
      JobsHandlers,
      ListsHandlers,
      SignaturesHandlers,
      CreditsHandlers,
      WorkspaceHandlers,
      AgentHandlers,
      HealthHandlers
    ]),
    Layer.provide([AuthenticationLayer, RateLimitLayer(rate), AuthorizationLayer, StrictBodyLayer, RequestErrorsLayer]),
    Layer.provide(RateLimiter.layer)
  )
