// test/program/zombie.test.ts: a worker that continues after it lost its lease, and a job that runs twice: neither stores,
// charges or sends anything a second time.
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

const withWorkers = Server.withWorkers()

/** All stored rows, except model calls and fetched sites, which are kept whichever worker stored them. */
const readStoredRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const comparedTables = (yield* tables).filter(({ name }) => !["model_calls", "sites", "api_keys"].includes(name))
  return yield* Effect.forEach(comparedTables, ({ name }) =>
    Effect.map(sql`SELECT * FROM ${sql(name)}`, (rows) => [name, rows.map((row) => JSON.stringify(row)).toSorted()])
  )
}).pipe(Effect.orDie)

/** Claims a pending job of this type for a worker. */
const claimJob = Effect.fnUntraced(function* (type: string, lease = "first") {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`
    UPDATE jobs SET status = 'processing', lease = ${lease}, attempts = attempts + 1, crashes = 0
    WHERE id = (SELECT id FROM jobs WHERE type = ${type} AND status = 'pending' ORDER BY id LIMIT 1)
    RETURNING id, workspace_id, type, subject, payload, attempts, crashes, lease`
  return yield* Schema.decodeUnknownEffect(ClaimedJob)(row)
}, Effect.orDie)

/** Gives the lease of every running job to another worker. */
const stealLeases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE jobs SET lease = 'second' WHERE status = 'processing'`
}).pipe(Effect.orDie)

/** The handler of a job type. It runs `interfere` after each of its steps. */
const makeHandler = Effect.fnUntraced(function* (type: string, sentIds: Array<string>, interfere: Effect.Effect<void>) {
  const withInterference =
    <Args extends ReadonlyArray<any>, A, E>(step: (...args: Args) => Effect.Effect<A, E>) =>
    (...args: Args) =>
      Effect.tap(step(...args), () => interfere)
  const generator: Generator["Service"] = {
    companySummary: withInterference(fakeWriter.companySummary),
    marketResearch: withInterference(fakeWriter.marketResearch),
    segments: withInterference(fakeWriter.segments),
    options: withInterference(fakeWriter.options),
    audienceResearch: withInterference(fakeWriter.audienceResearch),
    valuePropositions: withInterference(fakeWriter.valuePropositions),
    emailInstructions: withInterference(fakeWriter.emailInstructions),
    knowledgeBase: withInterference(fakeWriter.knowledgeBase),
    playbook: withInterference(fakeWriter.playbook),
    templates: withInterference(fakeWriter.templates),
    syntheticLeads: withInterference(fakeWriter.syntheticLeads),
    sequence: withInterference(fakeWriter.sequence)
  }
  const researcher = yield* Researcher
  const web = yield* Web
  const lists = yield* Lists
  const post: Web["Service"]["post"] = (_, { headers }) =>
    Effect.as(
      Effect.andThen(
        Effect.sync(() => void sentIds.push(headers["webhook-id"] ?? "")),
        interfere
      ),
      { code: 200, text: "", error: null, retryAfter: null }
    )
  const page = (url: string) => Effect.succeed({ url, type: "text/html", text: "<p>Oak Ltd builds boats.</p>" })
  const makeHandlers = Effect.gen(function* () {
    const writerPool = yield* makeWriterPool(4, 16)
    return [
      yield* onboarding("workspace.onboarding"),
      yield* onboarding("workspace.regenerate"),
      yield* documentImport,
      yield* urlImport,
      ...(yield* buildHandlers),
      yield* redraftPlaybook,
      yield* preview,
      yield* writeLeads("list.single", writerPool),
      yield* writeLeads("list.batch", writerPool),
      yield* legacyComparison,
      yield* listFiles,
      yield* completionMail,
      yield* deliverWebhooks,
      yield* disabledMail
    ]
  })
  const handlers: ReadonlyArray<JobHandler> = yield* makeHandlers.pipe(
    Effect.provideService(Generator, generator),
    Effect.provideService(Lists, { ...lists, writeFiles: withInterference(lists.writeFiles) }),
    Effect.provideService(Researcher, { ...researcher, extractProfile: withInterference(researcher.extractProfile) }),
    Effect.provideService(Web, { ...web, fetchPage: page, post }),
    Effect.provideService(Mailer, {
      send: (mail) =>
        Effect.andThen(
          Effect.sync(() => void sentIds.push(mail.id)),
          interfere
        )
    })
  )
  return yield* Effect.fromOption(Option.fromNullishOr(handlers.find((handler) => handler.type === type)))
}, Effect.orDie)

const noInterference = Effect.void

/** Runs one pending job of this type. */
const runPendingJob = Effect.fnUntraced(function* (type: string) {
  const handler = yield* makeHandler(type, [], noInterference)
  yield* Effect.orDie(handler.run(yield* claimJob(type)))
})

const createCampaign = withWorkers(Campaigns.callerWithCampaign())

const waitForPending = (type: string) =>
  until(
    SqlClient.SqlClient.use((sql) => sql`SELECT id FROM jobs WHERE type = ${type} AND status = 'pending'`),
    (rows) => rows.length > 0
  ).pipe(Effect.orDie)

const startBatch = Effect.fnUntraced(function* (count: number, name?: string) {
  const { campaign, caller } = yield* createCampaign
  const leads = Array.from({ length: count }, (_, i) => ({ email: `lead${i}@oak.example`, name }))
  yield* expectBody(202, caller.post(`/campaigns/${campaign}/generate-batch`, { leads: leads, options }))
})

const createWebhook = (caller: Caller) =>
  Effect.map(
    expectBody(201, caller.post("/webhooks", { url: "https://hooks.oak.example", events: ["*"] })),
    ({ id }): string => id
  )

/** Types of jobs that send something. */
const typesThatSend = ["mail.completion", "webhook.delivery", "webhook.disabled"]

/** For each type of job, requests that leave one pending job of it. */
const pendingJobSetups = {
  "workspace.onboarding": newWorkspace({ details: { company_name: "Acme" }, research: true }),
  "workspace.regenerate": Effect.flatMap(withWorkers(onboardedCaller()), (caller) =>
    caller.post("/workspace/regenerate")
  ),
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
    const caller = yield* withWorkers(onboardedCaller())
    yield* Campaigns.selectAudience(caller, yield* Campaigns.createCampaign(caller))
  }),
  "campaign.value_propositions": Effect.gen(function* () {
    const { campaign, caller } = yield* withWorkers(
      Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        return { caller, campaign: yield* Campaigns.proposedCampaign(caller) }
      })
    )
    yield* expectBody(202, caller.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
  }),
  "campaign.build": Effect.gen(function* () {
    const { campaign, caller } = yield* withWorkers(
      Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        return { caller, campaign: yield* Campaigns.proposedCampaign(caller) }
      })
    )
    yield* Campaigns.selectOption(caller, campaign, "value_proposition")
  }),
  "campaign.playbook": Effect.gen(function* () {
    const { campaign, caller } = yield* createCampaign
    yield* expectBody(202, caller.post(`/campaigns/${campaign}/playbook/redraft`, {}))
  }),
  "campaign.preview": Effect.gen(function* () {
    const { campaign, caller } = yield* createCampaign
    yield* Effect.forkChild(caller.post(`/campaigns/${campaign}/preview`, { sample: { headers: ["Email"] }, options }))
    yield* waitForPending("campaign.preview")
  }),
  "list.single": Effect.gen(function* () {
    const { campaign, caller } = yield* createCampaign
    yield* Effect.forkChild(
      caller.post(`/campaigns/${campaign}/generate`, { lead: { email: "ann@oak.example" }, options })
    )
    yield* waitForPending("list.single")
  }),
  "list.batch": startBatch(30),
  // The state that an earlier version left: all leads are written, and one job compares them before the list ends.
  "list.variety": Effect.gen(function* () {
    yield* startBatch(3)
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
    yield* startBatch(3)
    yield* runPendingJob("list.batch")
    const sql = yield* SqlClient.SqlClient
    const [list] = yield* sql<{ readonly id: string; readonly workspace_id: WorkspaceId }>`
      SELECT id, workspace_id FROM lists`
    if (list !== undefined) yield* (yield* Queue).enqueue([Exports.listFileJob(list.workspace_id, list.id)])
  }).pipe(Effect.orDie),
  "mail.completion": Effect.andThen(startBatch(3), runPendingJob("list.batch")),
  "webhook.delivery": Effect.gen(function* () {
    const caller = yield* newCaller()
    yield* expectBody(202, caller.post(`/webhooks/${yield* createWebhook(caller)}/test`))
  }),
  "webhook.disabled": Effect.gen(function* () {
    const caller = yield* newCaller()
    const webhook = yield* createWebhook(caller)
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE webhooks SET enabled = 0, disabled_reason = 'failing'`
    const job = {
      workspace: caller.workspace,
      type: "webhook.disabled",
      subject: caller.workspace,
      payload: { webhook }
    }
    yield* (yield* Queue).enqueue([job])
  }).pipe(Effect.orDie)
} satisfies Record<string, Effect.Effect<unknown, never, any>>

const setPublicUrl = Effect.flatMap(Links, (links) => links.setListeningUrl("http://overture.example"))

/** Whether the job failed because its lease was lost. */
const isLeaseLost = (exit: Exit.Exit<void, unknown>) =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof LeaseLost)

describe.each(Object.entries(pendingJobSetups))("a job of the type %s", (type, setup) => {
  const testJob = (title: string, run: Effect.Effect<void, never, any>) =>
    it.live(
      title,
      () =>
        Effect.gen(function* () {
          yield* setPublicUrl
          yield* setup
          yield* run
        }).pipe(Effect.provide(Server.layer({ runsWorkers: false })), Effect.scoped) as Effect.Effect<void>
    )

  testJob(
    "whose lease was taken is not started, stored, charged or sent by the old worker",
    Effect.gen(function* () {
      const sentIds: Array<string> = []
      const handler = yield* makeHandler(type, sentIds, noInterference)
      const claimedJob = yield* claimJob(type)
      yield* stealLeases
      const rowsBefore = yield* readStoredRows
      assert.isTrue(isLeaseLost(yield* Effect.exit(handler.run(claimedJob))))
      assert.deepStrictEqual(yield* readStoredRows, rowsBefore)
      assert.isEmpty(sentIds)
    })
  )

  // This job is a single transaction, so its lease cannot be taken in the middle.
  const testJobWithSteps = type === "list.variety" ? () => {} : testJob

  testJobWithSteps(
    "whose lease is taken in the middle stores and charges nothing after that",
    Effect.gen(function* () {
      const context = yield* Effect.context<SqlClient.SqlClient>()
      let rowsBefore: unknown
      const interfere = yield* Effect.cached(
        Effect.gen(function* () {
          yield* stealLeases
          rowsBefore = yield* readStoredRows
        }).pipe(Effect.provide(context))
      )
      const handler = yield* makeHandler(type, [], interfere)
      assert.isTrue(isLeaseLost(yield* Effect.exit(handler.run(yield* claimJob(type)))))
      assert.isDefined(rowsBefore)
      assert.deepStrictEqual(yield* readStoredRows, rowsBefore)
    })
  )

  testJobWithSteps(
    "that another worker finished in the meantime keeps the result of that worker",
    Effect.gen(function* () {
      const context = yield* Effect.context<SqlClient.SqlClient>()
      const sentIds: Array<string> = []
      const otherHandler = yield* makeHandler(type, sentIds, noInterference)
      const claimedJob = yield* claimJob(type)
      let rowsOfOtherWorker: unknown
      const interfere = yield* Effect.cached(
        Effect.gen(function* () {
          yield* stealLeases
          yield* Effect.orDie(otherHandler.run({ ...claimedJob, lease: "second" }))
          rowsOfOtherWorker = yield* readStoredRows
        }).pipe(Effect.provide(context))
      )
      const handler = yield* makeHandler(type, [], interfere)
      assert.isTrue(isLeaseLost(yield* Effect.exit(handler.run(claimedJob))))
      assert.isDefined(rowsOfOtherWorker)
      assert.deepStrictEqual(yield* readStoredRows, rowsOfOtherWorker)
      yield* Server.assertConsistent
    })
  )

  testJob(
    "is stored, charged and sent once when one worker runs it twice",
    Effect.gen(function* () {
      const sentIds: Array<string> = []
      const handler = yield* makeHandler(type, sentIds, noInterference)
      const claimedJob = yield* claimJob(type)
      yield* Effect.orDie(handler.run(claimedJob))
      const rowsAfterFirstRun = yield* readStoredRows
      assert.isTrue(isLeaseLost(yield* Effect.exit(handler.run(claimedJob))))
      assert.deepStrictEqual(yield* readStoredRows, rowsAfterFirstRun)
      assert.lengthOf(sentIds, typesThatSend.includes(type) ? 1 : 0)
      yield* Server.assertConsistent
    })
  )
})

it("the tests cover every type of job", () => {
  const sources = globSync("src/workers/*.ts").map((file) => readFileSync(file, "utf8"))
  const types = sources.flatMap(
    (text) => text.match(/(?<=")(?:workspace|campaign|list|mail|webhook)\.[a-z_.]+(?=")/g) ?? []
  )
  assert.sameMembers([...new Set(types)], Object.keys(pendingJobSetups))
})
