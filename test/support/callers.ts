// test/support/callers.ts: workspaces with a client of their own, who use the service as a stranger would.
import { type Duration, Effect, Redacted } from "effect"
import { Auth } from "#layers/Auth.ts"
import { Queue } from "#layers/Queue.ts"
import { type Scope, scopes, type WorkspaceId } from "#schema/Auth.ts"
import type { Tier } from "#schema/Credits.ts"
import type { DetailsPatch } from "#schema/Details.ts"
import { type Answer, body } from "./answers.ts"
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

/** A JSON request; a string is sent as it is. */
export const json = (body: unknown): RequestInit => ({
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": "application/json" }
})

/** The same under an Idempotency-Key. */
export const jsonUnder = (key: string, body: unknown): RequestInit => {
  const { headers, ...init } = json(body)
  return { ...init, headers: { ...headers, "idempotency-key": key } }
}

/** A key of this workspace, and a client that sends it. */
export const caller = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  granted: ReadonlyArray<Scope> = scopes,
  expiresIn?: Duration.Duration
) {
  const { send } = yield* Server
  const made = yield* (yield* Auth).create(workspace, { name: null, scopes: granted, expiresIn })
  const key = Redacted.value(made.key)
  const own: Caller["send"] = (method, path, init) => {
    const headers = new Headers(init?.headers)
    headers.set("x-api-key", key)
    return send(method, path, { ...init, headers })
  }
  const withBody = (method: string) => (path: string, body?: unknown) =>
    own(method, path, body === undefined ? {} : json(body))
  return {
    workspace,
    key,
    send: own,
    get: (path) => own("GET", path),
    post: withBody("POST"),
    put: withBody("PUT"),
    patch: withBody("PATCH"),
    delete: (path) => own("DELETE", path)
  } satisfies Caller
})

export interface CallerOptions {
  readonly plan?: Tier
  readonly owner?: string | null
  readonly details?: DetailsPatch
  readonly scopes?: ReadonlyArray<Scope>
}

const acme = ({
  details = { company_name: "Acme" },
  owner = "owner@acme.example",
  plan = "growth"
}: CallerOptions) => ({
  owner_email: owner,
  plan,
  details
})

/** A workspace with an empty profile. */
export const newCaller = Effect.fnUntraced(function* (options: CallerOptions = {}) {
  const { workspace } = yield* newWorkspace(acme(options))
  return yield* caller(workspace.id, options.scopes)
})

/** A workspace whose documents, segments and options are there. */
export const onboardedCaller = Effect.fnUntraced(function* (options: CallerOptions = {}) {
  const { onboarding, workspace } = yield* newWorkspace({ ...acme(options), research: true })
  yield* (yield* Queue).settled(onboarding ?? "")
  return yield* caller(workspace.id, options.scopes)
})

/** Waits for a job, and answers it. */
export const endedJob = Effect.fnUntraced(function* (who: Caller, id: string) {
  yield* (yield* Queue).settled(id)
  return yield* body(200, who.get(`/jobs/${id}`))
})
