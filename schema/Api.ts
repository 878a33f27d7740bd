// schema/Api.ts: the whole contract. Middleware applies only to the groups added before it, and the last added runs
// first: health and sign-in need no key, and a request without a valid key is refused before its body is read.
import { HttpApi, OpenApi } from "effect/http-api"
import { AgentApi } from "#schema/Agent.ts"
import { AudiencesApi } from "#schema/Audiences.ts"
import { Authentication, Authorization, RateLimit, RequestErrors, StrictBody } from "#schema/Auth.ts"
import { BuildApi } from "#schema/Build.ts"
import { CampaignsApi } from "#schema/Campaigns.ts"
import { CreditsApi } from "#schema/Credits.ts"
import { GenerationApi } from "#schema/Generation.ts"
import { HealthApi } from "#schema/Health.ts"
import { JobsApi } from "#schema/Jobs.ts"
import { KeysApi } from "#schema/Keys.ts"
import { LeadFilesApi } from "#schema/LeadFiles.ts"
import { LintApi } from "#schema/Lint.ts"
import { ListsApi } from "#schema/Lists.ts"
import { reference } from "#schema/OpenApi.ts"
import { PlaybookApi } from "#schema/Playbook.ts"
import { PreviewApi } from "#schema/Preview.ts"
import { ReviewApi } from "#schema/Review.ts"
import { SessionApi, SignInApi } from "#schema/Session.ts"
import { SignaturesApi } from "#schema/Signatures.ts"
import { SuppressionsApi } from "#schema/Suppressions.ts"
import { introduction } from "#schema/openapi/Summaries.ts"
import { version } from "#schema/Version.ts"
import { WebhooksApi } from "#schema/Webhooks.ts"
import { WorkspaceApi } from "#schema/Workspace.ts"

const contract = HttpApi.make("overture")
  .add(CampaignsApi, AudiencesApi, BuildApi, PlaybookApi, PreviewApi, GenerationApi, LintApi)
  .add(LeadFilesApi, ListsApi, ReviewApi, JobsApi, SignaturesApi, SuppressionsApi, CreditsApi, WebhooksApi)
  .add(WorkspaceApi, AgentApi, KeysApi, SessionApi)
  .middleware(StrictBody)
  .middleware(Authorization)
  .middleware(RateLimit)
  .middleware(Authentication)
  .middleware(RequestErrors)
  .add(HealthApi, SignInApi)
  .prefix("/api/v1")
  // Reports all problems at once; src/http/RequestErrors.ts collects those of the body.
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })

export class Api extends contract.annotateMerge(
  OpenApi.annotations({
    title: "Overture",
    version,
    summary: "Writes personalised cold-email sequences for sales leads",
    description: introduction,
    license: { name: "MIT", identifier: "MIT" },
    // src/http/routes/Reference.ts puts in the address of the running server.
    servers: [{ url: "http://127.0.0.1:3000", description: "The default address; yours may differ" }],
    transform: reference(contract.groups)
  })
) {}
