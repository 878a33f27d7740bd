// test/support/server.ts: the whole service over a database in memory, and callers who use it as a stranger would.
import { assert } from "@effect/vitest"
import { Cause, Clock, Context, Duration, Effect, Layer, Logger, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "#layers/ApiKeys.ts"
import { Generator } from "#layers/Generator.ts"
import { Jobs } from "#layers/Jobs.ts"
import { Timing } from "#layers/jobs/Worker.ts"
import type { Mailer } from "#layers/Mailer.ts"
import { verify } from "#layers/Verify.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { type Scope, scopes, type WorkspaceId } from "#schema/Auth.ts"
import type { Tier } from "#schema/Credits.ts"
import { App } from "#src/http/App.ts"
import { routerConfig } from "#src/http/Paths.ts"
import type { Rate } from "#src/http/RateLimit.ts"
import { RequestLog } from "#src/http/RequestLog.ts"
import { Services, Writers } from "#src/services.ts"
import { Stages } from "#src/stages/Stages.ts"
import { inspectDeclared } from "./declared.ts"
import { fake } from "./writer.ts"
import * as Stores from "./store.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The JSON document, to be read by a test that knows what should be in it; null for any other answer. */
  readonly body: any
}

export interface Options {
  /** What the writer does otherwise than the fake one. */
  readonly writer?: Partial<Generator["Service"]>
  /** A model, which then writes, answers and reads in place of the fake. */
  readonly model?: Layer.Layer<never, never, SqlClient.SqlClient>
  readonly rate?: Rate
  /** Origins whose pages may call. */
  readonly origins?: ReadonlyArray<string>
  /** Leads written at once. */
  readonly concurrency?: number
  /** Who takes the mail; without one it waits. */
  readonly mailer?: Layer.Layer<Mailer>
  /** False leaves every job undone. */
  readonly working?: boolean
  /** Services that the endpoints get in place of the real ones. */
  readonly override?: Context.Context<never>
}

/** An address that leads carry in these tests and that no refusal may ever repeat. */
export const secretAddress = "ida.private@lead.example"

const requestId = /^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** What holds of every answer, whatever a test is about. */
export const inspect = (method: string, path: string, { body, headers, status, text }: Answer) => {
  const about = `${method} ${path} → ${status} ${text.slice(0, 500)}`
  const id = headers.get("x-request-id")
  const isHealth = (method === "GET" || method === "HEAD") && /^\/+health\/?(\?|$)/.test(path)
  if (isHealth) assert.isNull(id, about)
  else assert.match(id ?? "", requestId, about)
  if (method !== "OPTIONS") inspectDeclared(method, path, status, isJson(headers) ? body : text)
  if (status < 400 || isHealth || method === "HEAD") return
  assert.match(headers.get("content-type") ?? "", /^application\/json/, about)
  const { detail, error, message, request_id, ...rest } = body
  assert.deepStrictEqual(rest, {}, about)
  assert.strictEqual(request_id, id, about)
  assert.match(error, /^[A-Z_]+$/, about)
  assert.isString(message, about)
  assert.isNotEmpty(message, about)
  if (detail !== undefined) assert.isTrue(typeof detail === "string" || typeof detail === "object", about)
  assert.notInclude(text, secretAddress, about)
  assert.notInclude(text, "_tag", about)
  if (status === 429) {
    assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/, about)
  }
}

const isJson = (headers: Headers) => (headers.get("content-type") ?? "").startsWith("application/json")

export const toAnswer = (status: number, headers: Headers, text: string): Answer => ({
  status,
  headers,
  text,
  body: text !== "" && isJson(headers) ? JSON.parse(text) : null
})

/** The service, reached without a socket. */
export class Server extends Context.Service<
  Server,
  {
    readonly send: (method: string, path: string, init?: RequestInit) => Effect.Effect<Answer>
    /** What was logged, causes included. */
    readonly logs: ReadonlyArray<string>
  }
>()("overture/test/Server") {}

const timing = Layer.succeed(Timing, {
  leaseMillis: 30_000,
  pollMillis: Stores.onPostgres ? 200 : 50,
  backoffMillis: 2
})

/** The service with its workers, over a store of its own. */
export const layer = (options: Options = {}) => {
  const store = Services.pipe(Layer.provideMerge(options.model ?? Layer.empty), Layer.provideMerge(Stores.store))
  const writer =
    options.model === undefined
      ? Layer.succeed(Generator, { ...fake, ...options.writer })
      : Writers.pipe(Layer.provide(options.model))
  const logs: Array<string> = []
  const logging = Logger.layer([
    Logger.make(({ cause, message }) => void logs.push(`${JSON.stringify(message)} ${Cause.pretty(cause)}`))
  ])

  const server = Layer.effect(
    Server,
    Effect.gen(function* () {
      const services = yield* Effect.context<Layer.Success<typeof store>>()
      const given = options.override === undefined ? services : Context.merge(services, options.override)
      const app = App({ rate: options.rate, origins: options.origins ?? [] }).pipe(
        Layer.provide([Layer.succeedContext(given), RequestLog.layerNone, HttpServer.layerServices]),
        Layer.provideMerge(Layer.succeed(Clock.Clock, yield* Clock.Clock)),
        Layer.provideMerge(logging)
      )
      const { handler } = yield* Effect.acquireRelease(
        Effect.sync(() => HttpRouter.toWebHandler(app, { disableLogger: true, routerConfig })),
        ({ dispose }) => Effect.promise(dispose)
      )
      return {
        logs,
        send: Effect.fnUntraced(function* (method, path, init) {
          const request = new Request(`http://test/api/v1${path}`, { method, ...init })
          const response = yield* Effect.promise(() => handler(request))
          const text = yield* Effect.promise(() => response.text())
          const answer = toAnswer(response.status, response.headers, text)
          inspect(method, path, answer)
          return answer
        })
      }
    })
  )
  const workers =
    options.working === false
      ? Layer.empty
      : Stages({ concurrency: options.concurrency ?? 16 }).pipe(
          Layer.provide([writer, timing, logging, options.mailer ?? Layer.empty])
        )
  return Layer.merge(server, workers).pipe(Layer.provideMerge(store))
}

/** Workers of the service's own for as long as an effect lasts, in a `layer` that has none. */
export const working = (writer: Partial<Generator["Service"]> = {}, concurrency = 16) =>
  Effect.provide(
    Stages({ concurrency }).pipe(Layer.provide([Layer.succeed(Generator, { ...fake, ...writer }), timing]))
  )

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

/** A key of this workspace, and a client that sends it. */
export const caller = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  granted: ReadonlyArray<Scope> = scopes,
  expiresIn?: Duration.Duration
) {
  const { send } = yield* Server
  const made = yield* (yield* ApiKeys).create(workspace, { name: null, scopes: granted, expiresIn })
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

interface Kind {
  readonly plan?: Tier
  readonly owner?: string | null
  readonly scopes?: ReadonlyArray<Scope>
}

/** A workspace that has told nothing of itself. */
export const bare = Effect.fnUntraced(function* ({ owner = "owner@acme.example", plan = "growth", scopes }: Kind = {}) {
  const { workspace } = yield* (yield* Workspaces).create({
    name: "Acme",
    owner_email: owner,
    plan,
    details: { company_name: "Acme" },
    research: false
  })
  return yield* caller(workspace.id, scopes)
})

/** A workspace whose documents, segments and options are there. */
export const onboarded = Effect.fnUntraced(function* ({
  owner = "owner@acme.example",
  plan = "growth",
  scopes
}: Kind = {}) {
  const { onboarding, workspace } = yield* (yield* Workspaces).create({
    name: "Acme",
    owner_email: owner,
    plan,
    details: { company_name: "Acme" },
    research: true
  })
  yield* (yield* Jobs).settled(onboarding ?? "")
  return yield* caller(workspace.id, scopes)
})

/** Asserts the status, and answers the body. */
export const body = Effect.fnUntraced(function* <R>(status: number, sent: Effect.Effect<Answer, never, R>) {
  const answer = yield* sent
  assert.strictEqual(answer.status, status, answer.text.slice(0, 1000))
  return answer.body
})

/** Asserts a refusal, and answers its detail. */
export const refused = Effect.fnUntraced(function* <R>(
  status: number,
  code: string,
  sent: Effect.Effect<Answer, never, R>
) {
  const answer = yield* sent
  assert.deepStrictEqual([answer.status, answer.body?.error], [status, code], answer.text.slice(0, 1000))
  return answer.body.detail
})

/** Asks again until the answer is as hoped, for forty seconds at most. */
export const until = Effect.fnUntraced(function* <A, E, R>(ask: Effect.Effect<A, E, R>, hoped: (a: A) => boolean) {
  let last: A | undefined
  return yield* Effect.gen(function* () {
    // What is to be seen may last a moment; but on PostgreSQL, which takes its time, asking so often meets the rate limit.
    for (let pause = 5; ; pause = Math.min(Stores.onPostgres ? 250 : 5, pause * 1.3)) {
      const answer = yield* ask
      last = answer
      if (hoped(answer)) return answer
      yield* Effect.sleep(pause)
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: "40 seconds",
      orElse: () => Effect.die(new Error(`This never came about; the last answer was ${JSON.stringify(last)}`))
    })
  )
})

/** Waits for a job, and answers it. */
export const job = Effect.fnUntraced(function* (who: Caller, id: string) {
  yield* (yield* Jobs).settled(id)
  return yield* body(200, who.get(`/jobs/${id}`))
})

export const statusOf = (who: Caller, campaign: string) => body(200, who.get(`/campaigns/${campaign}/build-status`))

export const create = Effect.fnUntraced(function* (who: Caller, name = "Spring") {
  const { id }: { readonly id: string } = yield* body(201, who.post("/campaigns", { name }))
  return id
})

/** Submits the first saved segment, and answers the job. */
export const target = Effect.fnUntraced(function* (who: Caller, campaign: string, at = 0) {
  const { data } = yield* body(200, who.get("/target-audiences"))
  const { id, segment_name } = data[at]
  return yield* body(202, who.post(`/campaigns/${campaign}/target-audience`, { target_audience: { id, segment_name } }))
})

export const optionsOf = Effect.fnUntraced(function* (who: Caller, campaign: string, type: string) {
  const { options } = yield* body(200, who.get(`/campaigns/${campaign}/assets/${type}/options`))
  return options as ReadonlyArray<{ readonly id: string; readonly name: string; readonly description: string }>
})

/** Submits the first option of a step. */
export const choose = Effect.fnUntraced(function* (who: Caller, campaign: string, type: string, at = 0) {
  const selected_ids = [(yield* optionsOf(who, campaign, type))[at]?.id]
  return yield* body(
    type === "value_proposition" ? 202 : 200,
    who.put(`/campaigns/${campaign}/assets/${type}/selection`, { selected_ids })
  )
})

/** A campaign whose value propositions can be selected. */
export const proposed = Effect.fnUntraced(function* (who: Caller) {
  const campaign = yield* create(who)
  yield* target(who, campaign)
  for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) yield* choose(who, campaign, type)
  const { id } = yield* body(202, who.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
  assert.strictEqual((yield* job(who, id)).status, "completed")
  return campaign
})

/** A campaign whose build has begun. */
export const building = Effect.fnUntraced(function* (who: Caller) {
  const campaign = yield* proposed(who)
  const { job } = yield* choose(who, campaign, "value_proposition")
  return { campaign, job: job.id as string }
})

/** A campaign that is ready. */
export const built = Effect.fnUntraced(function* (who: Caller) {
  const { campaign, job: id } = yield* building(who)
  assert.strictEqual((yield* job(who, id)).status, "completed")
  return campaign
})

/** A new workspace with a campaign that is ready. */
export const ready = Effect.fnUntraced(function* (kind: Kind = {}) {
  const who = yield* onboarded(kind)
  return { who, campaign: yield* built(who) }
})

/** Asserts every invariant of the store. */
export const sound = Effect.gen(function* () {
  const checks = yield* verify
  assert.isNotEmpty(checks)
  assert.deepStrictEqual(
    checks.filter((check) => !check.ok),
    []
  )
})

/** Breaks what the service stands on. */
export const drop = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    pg: () => sql`DROP TABLE ${sql(table)} CASCADE`,
    orElse: () => sql`DROP TABLE ${sql(table)}`
  })
}, Effect.orDie)
