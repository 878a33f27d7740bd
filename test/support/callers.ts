// test/support/callers.ts: API clients for tests, each with the key of one workspace.
import { type Duration, Effect, Redacted } from "effect"
import { Auth } from "#layers/Auth.ts"
import { Queue } from "#layers/Queue.ts"
import { type Scope, scopes, type WorkspaceId } from "#schema/Auth.ts"
import type { Tier } from "#schema/Credits.ts"
import type { DetailsPatch } from "#schema/Details.ts"
import { type Answer, expectBody } from "./answers.ts"
import { Server } from "./server.ts"
import { newWorkspace } from "./workspace.ts"

/** A workspace's own client: every request carries its key. */
export interface Caller {
  readonly workspace: WorkspaceId
  readonly key: string
  readonly send: (method: string, path: string, init?: RequestInit) => Effect.Effect<Answer>
  readonly get: (path: string) => Effect.Effect<Answer>
  readonly post: (path: string, body?: unknown) => Effect.Effect<Answer>
  readonly put: (path: string, body?: unknown) => Effect.Effect<Answer>
  readonly patch: (path: string, body?: unknown) => Effect.Effect<Answer>
  readonly delete: (path: string) => Effect.Effect<Answer>
}

/** A request with a JSON body. A string is sent unchanged. */
export const json = (body: unknown): RequestInit => ({
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": "application/json" }
})

/** A JSON request with an Idempotency-Key. */
export const idempotentJson = (key: string, body: unknown): RequestInit => {
  const { headers, ...init } = json(body)
  return { ...init, headers: { ...headers, "idempotency-key": key } }
}

/** Creates a key for this workspace, and a client that sends it. */
export const callerFor = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  grantedScopes: ReadonlyArray<Scope> = scopes,
  expiresIn?: Duration.Duration
) {
  const { send } = yield* Server
  const created = yield* Effect.orDie((yield* Auth).create(workspace, { name: null, scopes: grantedScopes, expiresIn }))
  const key = Redacted.value(created.key)
  const sendWithKey: Caller["send"] = (method, path, init) => {
    const headers = new Headers(init?.headers)
    headers.set("x-api-key", key)
    return send(method, path, { ...init, headers })
  }
  const withBody = (method: string) => (path: string, body?: unknown) =>
    sendWithKey(method, path, body === undefined ? {} : json(body))
  return {
    workspace,
    key,
    send: sendWithKey,
    get: (path) => sendWithKey("GET", path),
    post: withBody("POST"),
    put: withBody("PUT"),
    patch: withBody("PATCH"),
    delete: (path) => sendWithKey("DELETE", path)
  } satisfies Caller
})

export interface CallerOptions {
  readonly plan?: Tier
  readonly owner?: string | null
  readonly details?: DetailsPatch
  readonly scopes?: ReadonlyArray<Scope>
}

const workspaceInput = ({
  details = { company_name: "Acme" },
  owner = "owner@acme.example",
  plan = "growth"
}: CallerOptions) => ({
  owner_email: owner,
  plan,
  details
})

/** A client of a new workspace whose profile has only a company name. */
export const newCaller = Effect.fnUntraced(function* (options: CallerOptions = {}) {
  const { workspace } = yield* newWorkspace(workspaceInput(options))
  return yield* callerFor(workspace.id, options.scopes)
})

/** A client of a new workspace whose research documents, segments and options have been generated. */
export const onboardedCaller = Effect.fnUntraced(function* (options: CallerOptions = {}) {
  const { onboarding, workspace } = yield* newWorkspace({ ...workspaceInput(options), research: true })
  yield* (yield* Queue).waitUntilSettled(onboarding ?? "")
  return yield* callerFor(workspace.id, options.scopes)
})

/** Waits until a job has ended and returns it. */
export const awaitJob = Effect.fnUntraced(function* (caller: Caller, id: string) {
  yield* (yield* Queue).waitUntilSettled(id)
  return yield* expectBody(200, caller.get(`/jobs/${id}`))
})
