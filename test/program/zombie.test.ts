// test/program/zombie.test.ts: a worker that continues after it lost its lease, and work that is done twice.
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { globSync, readFileSync } from "node:fs"
import { Generator } from "#layers/Generator.ts"
import { ClaimedJob, LeaseLost, Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Links } from "#layers/Links.ts"
import { Lists } from "#layers/Lists.ts"
import * as Exports from "#layers/lists/Exports.ts"
import { Mailer } from "#layers/Mailer.ts"
import { Researcher } from "#layers/Researcher.ts"
import { Web } from "#layers/Web.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { buildHandlers } from "#src/workers/Build.ts"
import { documentImport, urlImport } from "#src/workers/Imports.ts"
import { legacyComparison, writeLeads, makeWriterPool } from "#src/workers/WriteLeads.ts"
import { completionMail, disabledMail } from "#src/workers/Mail.ts"
import { listFiles } from "#src/workers/ListFiles.ts"
import { onboarding } from "#src/workers/Onboarding.ts"
import { redraftPlaybook } from "#src/workers/Build.ts"
import { preview } from "#src/workers/Preview.ts"
import { deliverWebhooks } from "#src/workers/Webhooks.ts"
import { expectBody } from "../support/answers.ts"
import { newCaller, type Caller, onboardedCaller } from "../support/callers.ts"
import * as Campaigns from "../support/campaigns.ts"
import { tables } from "../support/dump.ts"
import { options, upload } from "../support/endpoints.ts"
import * as Server from "../support/server.ts"
import { until } from "../support/until.ts"
import { newWorkspace } from "../support/workspace.ts"
import { fakeWriter } from "../support/writer.ts"

const worked = Server.withWorkers()

/** All stored rows, except model calls and fetched sites, which are kept whichever worker made them. */
const stored = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const told = (yield* tables).filter(({ name }) => !["model_calls", "sites", "api_keys"].includes(name))
  return yield* Effect.forEach(told, ({ name }) =>
    Effect.map(sql`SELECT * FROM ${sql(name)}`, (rows) => [name, rows.map((row) => JSON.stringify(row)).toSorted()])
  )
}).pipe(Effect.orDie)

/** Gives a pending job of this type to a worker. */
const claim = Effect.fnUntraced(function* (type: string, lease = "first") {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`
    UPDATE jobs SET status = 'processing', lease = ${lease}, attempts = attempts + 1, crashes = 0
    WHERE id = (SELECT id FROM jobs WHERE type = ${type} AND status = 'pending' ORDER BY id LIMIT 1)
    RETURNING id, workspace_id, type, subject, payload, attempts, crashes, lease`
  return yield* Schema.decodeUnknownEffect(ClaimedJob)(row)
}, Effect.orDie)

/** Takes every job that is in work from its worker. */
const steal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE jobs SET lease = 'second' WHERE status = 'processing'`
}).pipe(Effect.orDie)

/** The stage, at whose every step `meddle` is done once the step has its answer. */
const stageOf = Effect.fnUntraced(function* (type: string, sent: Array<string>, meddle: Effect.Effect<void>) {
  const after =
    <Args extends ReadonlyArray<any>, A, E>(step: (...args: Args) => Effect.Effect<A, E>) =>
    (...args: Args) =>
      Effect.tap(step(...args), () => meddle)
  const generator: Generator["Service"] = {
    companySummary: after(fakeWriter.companySummary),
    marketResearch: after(fakeWriter.marketResearch),
    segments: after(fakeWriter.segments),
    options: after(fakeWriter.options),
    audienceResearch: after(fakeWriter.audienceResearch),
    valuePropositions: after(fakeWriter.valuePropositions),
    emailInstructions: after(fakeWriter.emailInstructions),
    knowledgeBase: after(fakeWriter.knowledgeBase),
    playbook: after(fakeWriter.playbook),
    templates: after(fakeWriter.templates),
    syntheticLeads: after(fakeWriter.syntheticLeads),
    sequence: after(fakeWriter.sequence)
  }
  const researcher = yield* Researcher
  const web = yield* Web
  const lists = yield* Lists
  const post: Web["Service"]["post"] = (_, { headers }) =>
    Effect.as(
      Effect.andThen(
        Effect.sync(() => void sent.push(headers["webhook-id"] ?? "")),
        meddle
      ),
      { code: 200, text: "", error: null, retryAfter: null }
    )
  const page = (url: string) => Effect.succeed({ url, type: "text/html", text: "<p>Oak Ltd builds boats.</p>" })
  const all = Effect.gen(function* () {
    const place = yield* makeWriterPool(4, 16)
    return [
      yield* onboarding("workspace.onboarding"),
      yield* onboarding("workspace.regenerate"),
      yield* documentImport,
      yield* urlImport,
      ...(yield* buildHandlers),
      yield* redraftPlaybook,
      yield* preview,
      yield* writeLeads("list.single", place),
      yield* writeLeads("list.batch", place),
      yield* legacyComparison,
      yield* listFiles,
      yield* completionMail,
      yield* deliverWebhooks,
      yield* disabledMail
    ]
  })
  const made: ReadonlyArray<JobHandler> = yield* all.pipe(
    Effect.provideService(Generator, generator),
    Effect.provideService(Lists, { ...lists, writeFiles: after(lists.writeFiles) }),
    Effect.provideService(Researcher, { ...researcher, extractProfile: after(researcher.extractProfile) }),
    Effect.provideService(Web, { ...web, page, post }),
    Effect.provideService(Mailer, {
      send: (mail) =>
        Effect.andThen(
          Effect.sync(() => void sent.push(mail.id)),
          meddle
        )
    })
  )
  return yield* Effect.fromOption(Option.fromNullishOr(made.find((stage) => stage.type === type)))
}, Effect.orDie)

const noInterference = Effect.void

/** Does all pending work of one type. */
const runPendingJob = Effect.fnUntraced(function* (type: string) {
  const stage = yield* stageOf(type, [], noInterference)
  yield* Effect.orDie(stage.run(yield* claim(type)))
})

const campaignWithWork = worked(Campaigns.callerWithCampaign())

const waitFor = (type: string) =>
  until(
    SqlClient.SqlClient.use((sql) => sql`SELECT id FROM jobs WHERE type = ${type} AND status = 'pending'`),
    (rows) => rows.length > 0
  ).pipe(Effect.orDie)

const batch = Effect.fnUntraced(function* (count: number, name?: string) {
  const { campaign, caller } = yield* campaignWithWork
  const list = Array.from({ length: count }, (_, i) => ({ email: `lead${i}@oak.example`, name }))
  yield* expectBody(202, caller.post(`/campaigns/${campaign}/generate-batch`, { leads: list, options }))
})

const hooked = (caller: Caller) =>
  Effect.map(
    expectBody(201, caller.post("/webhooks", { url: "https://hooks.oak.example", events: ["*"] })),
    ({ id }): string => id
  )

/** Work that sends something. */
const sending = ["mail.completion", "webhook.delivery", "webhook.disabled"]

/** What leaves one pending job of each type behind. */
const orders = {
  "workspace.onboarding": newWorkspace({ details: { company_name: "Acme" }, research: true }),
  "workspace.regenerate": Effect.flatMap(worked(onboardedCaller()), (caller) => caller.post("/workspace/regenerate")),
  "workspace.import.document": Effect.flatMap(newCaller(), (caller) =>
    caller.send(
      "POST",
      "/workspace/imports/document",
      upload("a.txt", "Industry: boat building\nOak Ltd builds boats.")
    )
  ),
  "workspace.import.url": Effect.flatMap(newCaller(), (caller) =>
    caller.post("/workspace/imports/url", { url: "https://oak.example" })
  ),
  "campaign.target_audience": Effect.gen(function* () {
    const caller = yield* worked(onboardedCaller())
    yield* Campaigns.selectAudience(caller, yield* Campaigns.createCampaign(caller))
  }),
  "campaign.value_propositions": Effect.gen(function* () {
    const { campaign, caller } = yield* worked(
      Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        return { caller, campaign: yield* Campaigns.proposedCampaign(caller) }
      })
    )
    yield* expectBody(202, caller.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
  }),
  "campaign.build": Effect.gen(function* () {
    const { campaign, caller } = yield* worked(
      Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        return { caller, campaign: yield* Campaigns.proposedCampaign(caller) }
      })
    )
    yield* Campaigns.selectOption(caller, campaign, "value_proposition")
  }),
  "campaign.playbook": Effect.gen(function* () {
    const { campaign, caller } = yield* campaignWithWork
    yield* expectBody(202, caller.post(`/campaigns/${campaign}/playbook/redraft`, {}))
  }),
  "campaign.preview": Effect.gen(function* () {
    const { campaign, caller } = yield* campaignWithWork
    yield* Effect.forkChild(caller.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options }))
    yield* waitFor("campaign.preview")
  }),
  "list.single": Effect.gen(function* () {
    const { campaign, caller } = yield* campaignWithWork
    yield* Effect.forkChild(
      caller.post(`/campaigns/${campaign}/generate`, { lead: { email: "ann@oak.example" }, options })
    )
    yield* waitFor("list.single")
  }),
  "list.batch": batch(30),
  // As an earlier version left it: all leads written, and one job to compare them before the list ends.
  "list.variety": Effect.gen(function* () {
    yield* batch(3)
    yield* runPendingJob("list.batch")
    const sql = yield* SqlClient.SqlClient
    yield* sql`DELETE FROM jobs WHERE type = 'mail.completion'`
    const [list] = yield* sql<{ readonly id: string; readonly workspace_id: WorkspaceId }>`
      UPDATE lists SET processing_status = 'in_progress', completed_at = NULL RETURNING id, workspace_id`
    if (list === undefined) return
    const payload = { first: 0, last: 2 }
    yield* (yield* Queue).enqueue([{ workspace: list.workspace_id, type: "list.variety", subject: list.id, payload }])
  }).pipe(Effect.orDie),
  "list.file": Effect.gen(function* () {
    yield* batch(3)
    yield* runPendingJob("list.batch")
    const sql = yield* SqlClient.SqlClient
    const [list] = yield* sql<{ readonly id: string; readonly workspace_id: WorkspaceId }>`
      SELECT id, workspace_id FROM lists`
    if (list !== undefined) yield* (yield* Queue).enqueue([Exports.listFileJob(list.workspace_id, list.id)])
  }).pipe(Effect.orDie),
  "mail.completion": Effect.andThen(batch(3), runPendingJob("list.batch")),
  "webhook.delivery": Effect.gen(function* () {
    const caller = yield* newCaller()
    yield* expectBody(202, caller.post(`/webhooks/${yield* hooked(caller)}/test`))
  }),
  "webhook.disabled": Effect.gen(function* () {
    const caller = yield* newCaller()
    const webhook = yield* hooked(caller)
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE webhooks SET enabled = 0, disabled_reason = 'failing'`
    const order = {
      workspace: caller.workspace,
      type: "webhook.disabled",
      subject: caller.workspace,
      payload: { webhook }
    }
    yield* (yield* Queue).enqueue([order])
  }).pipe(Effect.orDie)
} satisfies Record<string, Effect.Effect<unknown, never, any>>

const located = Effect.flatMap(Links, (links) => links.listening("http://overture.example"))

/** Whether the work failed because its lease was lost. */
const isTurnedAway = (exit: Exit.Exit<void, unknown>) =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof LeaseLost)

describe.each(Object.entries(orders))("work of the type %s", (type, order) => {
  const test = (title: string, run: Effect.Effect<void, never, any>) =>
    it.live(
      title,
      () =>
        Effect.gen(function* () {
          yield* located
          yield* order
          yield* run
        }).pipe(Effect.provide(Server.layer({ runsWorkers: false })), Effect.scoped) as Effect.Effect<void>
    )

  test(
    "that was given to another is not begun, kept, charged or sent by a worker that wakes up late",
    Effect.gen(function* () {
      const sent: Array<string> = []
      const stage = yield* stageOf(type, sent, noInterference)
      const mine = yield* claim(type)
      yield* steal
      const before = yield* stored
      assert.isTrue(isTurnedAway(yield* Effect.exit(stage.run(mine))))
      assert.deepStrictEqual(yield* stored, before)
      assert.isEmpty(sent)
    })
  )

  // One transaction without a step before it has no middle.
  const inSteps = type === "list.variety" ? () => {} : test

  inSteps(
    "that is taken away in the middle is neither kept nor charged from then on",
    Effect.gen(function* () {
      const context = yield* Effect.context<SqlClient.SqlClient>()
      let before: unknown
      const meddle = yield* Effect.cached(
        Effect.gen(function* () {
          yield* steal
          before = yield* stored
        }).pipe(Effect.provide(context))
      )
      const stage = yield* stageOf(type, [], meddle)
      assert.isTrue(isTurnedAway(yield* Effect.exit(stage.run(yield* claim(type)))))
      assert.isDefined(before)
      assert.deepStrictEqual(yield* stored, before)
    })
  )

  inSteps(
    "that another has finished meanwhile stays as that one left it",
    Effect.gen(function* () {
      const context = yield* Effect.context<SqlClient.SqlClient>()
      const sent: Array<string> = []
      const other = yield* stageOf(type, sent, noInterference)
      const mine = yield* claim(type)
      let after: unknown
      const meddle = yield* Effect.cached(
        Effect.gen(function* () {
          yield* steal
          yield* Effect.orDie(other.run({ ...mine, lease: "second" }))
          after = yield* stored
        }).pipe(Effect.provide(context))
      )
      const stage = yield* stageOf(type, [], meddle)
      assert.isTrue(isTurnedAway(yield* Effect.exit(stage.run(mine))))
      assert.isDefined(after)
      assert.deepStrictEqual(yield* stored, after)
      yield* Server.assertConsistent
    })
  )

  test(
    "is kept, charged and sent once when one worker does it twice",
    Effect.gen(function* () {
      const sent: Array<string> = []
      const stage = yield* stageOf(type, sent, noInterference)
      const mine = yield* claim(type)
      yield* Effect.orDie(stage.run(mine))
      const once = yield* stored
      assert.isTrue(isTurnedAway(yield* Effect.exit(stage.run(mine))))
      assert.deepStrictEqual(yield* stored, once)
      assert.lengthOf(sent, sending.includes(type) ? 1 : 0)
      yield* Server.assertConsistent
    })
  )
})

it("tries every type of work that there is", () => {
  const stages = globSync("src/workers/*.ts").map((file) => readFileSync(file, "utf8"))
  const types = stages.flatMap(
    (text) => text.match(/(?<=")(?:workspace|campaign|list|mail|webhook)\.[a-z_.]+(?=")/g) ?? []
  )
  assert.sameMembers([...new Set(types)], Object.keys(orders))
})
