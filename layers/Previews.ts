// layers/Previews.ts: previews, charged on request and written by a job. A preview without a stored answer is refunded
// in full, also after a crash.
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { CampaignStore, type NotVisible, overallStatus } from "#layers/campaigns/Store.ts"
import { Credits } from "#layers/Credits.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import type { Attempt, InFlight } from "#layers/idempotency/KeyRows.ts"
import { makeNotices, resolveWriting } from "#layers/generation/WritingSettings.ts"
import { Idempotency } from "#layers/Idempotency.ts"
import { type ClaimedJob, type LeaseLost, Queue } from "#layers/Queue.ts"
import { now } from "#layers/lib/Time.ts"
import { type AttemptedPreview, PreviewRequest, type PreviewWork, toPreview } from "#layers/previews/PreviewResult.ts"
import { parseBrief } from "#layers/playbooks/CampaignBrief.ts"
import { makePageQuery } from "#layers/lib/Paging.ts"
import { PlaybookStore } from "#layers/playbooks/Store.ts"
import { assignColumns } from "#layers/previews/Columns.ts"
import { Signatures } from "#layers/Signatures.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import { type Conflict, Failure, type InsufficientCredits, InternalError, NotFound, NotReady } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"
import { type KeptPreview, Preview, type PreviewEntry, type PreviewInput, previewLeads } from "#schema/Preview.ts"

const makeQueries = (sql: SqlClient.SqlClient) => {
  const Key = Schema.Struct({ workspace: Schema.String, job: Schema.String })
  const findWork = SqlSchema.findOne({
    Request: Key,
    Result: Schema.Struct({
      id: Schema.String,
      request: Schema.fromJsonString(PreviewRequest),
      brief: Schema.String
    }),
    execute: ({ job, workspace }) => sql`
      SELECT p.id, p.request, c.brief FROM previews p
      JOIN campaigns c ON c.id = p.campaign_id AND c.workspace_id = p.workspace_id
      WHERE p.job = ${job} AND p.workspace_id = ${workspace}`
  })
  const findOutcome = SqlSchema.findOneOption({
    Request: Key,
    Result: Schema.Struct({
      answer: Schema.NullOr(Schema.fromJsonString(Preview)),
      error: Schema.NullOr(Schema.String),
      failure: Schema.NullOr(Schema.fromJsonString(Failure))
    }),
    execute: ({ job, workspace }) =>
      sql`SELECT answer, error, failure FROM previews WHERE job = ${job} AND workspace_id = ${workspace}`
  })
  const findUnfinished = SqlSchema.findAll({
    Request: Schema.Struct({
      workspace_id: Schema.String,
      campaign_id: Schema.optionalKey(Schema.String),
      job: Schema.optionalKey(Schema.String)
    }),
    Result: Schema.Struct({ id: Schema.String, job: Schema.String }),
    execute: (filter) => sql`
      SELECT id, job FROM previews WHERE ${sql.and([
        "status = 'processing'",
        ...Object.entries(filter).map(([column, value]) => sql`${sql(column)} = ${value}`)
      ])}`
  })

  const AnsweredPreview = Schema.Struct({
    id: Schema.String,
    answer: Schema.fromJsonString(Preview),
    request: Schema.fromJsonString(PreviewRequest),
    created_at: Schema.String
  })
  const page = makePageQuery(sql, AnsweredPreview, {
    table: "previews",
    matching: ({ campaign, workspace }: { readonly workspace: WorkspaceId; readonly campaign: string }) => [
      sql`workspace_id = ${workspace}`,
      sql`campaign_id = ${campaign}`,
      sql`answer IS NOT NULL`
    ],
    order: "created_at DESC, id DESC"
  })
  const findAnswered = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, campaign: Schema.String, id: Schema.String }),
    Result: AnsweredPreview,
    execute: ({ campaign, id, workspace }) => sql`
      SELECT id, answer, request, created_at FROM previews
      WHERE id = ${id} AND campaign_id = ${campaign} AND workspace_id = ${workspace} AND answer IS NOT NULL`
  })
  return { findAnswered, findOutcome, findUnfinished, findWork, page }
}

export class Previews extends Context.Service<
  Previews,
  {
    /**
     * Charges for a preview, waits for it and returns it; the work continues when the caller disconnects.
     * INTERNAL_ERROR gives the reason if nothing could be written; the preview then costs nothing. With `attempt`, a
     * retry gets the first answer.
     */
    readonly make: (
      workspace: WorkspaceId,
      campaign: string,
      input: PreviewInput,
      attempt: Attempt | undefined
    ) => Effect.Effect<
      { readonly answer: Preview; readonly replayed: boolean },
      NotVisible | NotReady | InsufficientCredits | Conflict | InFlight | InternalError
    >
    /** The campaign's finished previews, newest first. */
    readonly list: (
      workspace: WorkspaceId,
      campaign: string,
      page: Page
    ) => Effect.Effect<Rows<PreviewEntry>, NotVisible>
    readonly find: (workspace: WorkspaceId, campaign: string, id: string) => Effect.Effect<KeptPreview, NotVisible>
    readonly loadWork: (claim: ClaimedJob) => Effect.Effect<PreviewWork>
    /** Completes the job: stores the answer and refunds one credit for each failed lead. */
    readonly complete: (
      claim: ClaimedJob,
      work: PreviewWork,
      attempts: ReadonlyArray<AttemptedPreview>
    ) => Effect.Effect<void, LeaseLost>
    /** Refunds the preview in full, in the transaction that fails its job. */
    readonly fail: (claim: ClaimedJob, message: string, failure: Failure) => Effect.Effect<void>
    /** Refunds the unfinished previews of a campaign before they are deleted with it. */
    readonly refundUnfinished: (workspace: WorkspaceId, campaign: string) => Effect.Effect<void>
    /**
     * Counts a crash for every pending preview, because the process that requested it has ended. For start-up, before
     * the first request.
     */
    readonly countCrashes: Effect.Effect<void>
  }
>()("overture/layers/Previews") {
  static readonly layer = Layer.effect(
    Previews,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const campaigns = yield* CampaignStore
      const credits = yield* Credits
      const idempotency = yield* Idempotency
      const queue = yield* Queue
      const playbooks = yield* PlaybookStore
      const signatures = yield* Signatures
      const noticesOf = yield* makeNotices

      const { findAnswered, findOutcome, findUnfinished, findWork, page } = makeQueries(sql)
      const decodePreview = Schema.decodeEffect(Schema.fromJsonString(Preview))

      /** Fails previews without an answer: refunds their credits and frees their idempotency keys. */
      const failAndRefund = Effect.fnUntraced(function* (
        scope: { readonly workspace_id: WorkspaceId; readonly campaign_id?: string; readonly job?: string },
        error: string,
        failure: Failure | null
      ) {
        for (const { id, job } of yield* findUnfinished(scope)) {
          yield* credits.refund(scope.workspace_id, id, previewLeads)
          yield* idempotency.end(scope.workspace_id, job)
          yield* sql`
            UPDATE previews SET status = 'failed', credits_charged = 0, error = ${error},
              failure = ${failure === null ? null : JSON.stringify(failure)}, updated_at = ${yield* now}
            WHERE id = ${id} AND workspace_id = ${scope.workspace_id}`
        }
      }, inTransaction(sql))

      /** Checks every condition, then charges the preview and queues its job. Returns the job's id. */
      const startJob = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, input: PreviewInput) {
        const { options, sample } = input
        const state = yield* campaigns.find(workspace, campaign)
        const writing = yield* resolveWriting(signatures, workspace, options)
        if (typeof options.assistant_id === "string") return yield* NotFound.of("assistant")
        if (typeof options.vector_id === "string") return yield* NotFound.of("vector store")
        const status = overallStatus(state)
        if (status !== "ready") {
          return yield* new NotReady({
            message:
              status === "building"
                ? "The campaign's email instructions are being built; try again in about a minute. Nothing was charged"
                : "The campaign's email instructions are not built; its build-status tells the step. Nothing was charged"
          })
        }
        yield* Effect.orDie(playbooks.ensure(state))
        const id = yield* random.uuidV7()
        yield* credits.charge(workspace, id, previewLeads)
        const [job = ""] = yield* queue.enqueue([{ workspace, type: "campaign.preview", subject: campaign }])
        const request: PreviewRequest = {
          columns: assignColumns(
            sample.headers,
            sample.field_mapping ?? {},
            sample.rows ?? [],
            options.enrichment_enabled === true
          ),
          writing,
          notices: yield* noticesOf(workspace, campaign, { ...writing, enriched: false })
        }
        const created_at = yield* now
        yield* Effect.orDie(sql`
          INSERT INTO previews ${sql.insert({
            id,
            workspace_id: workspace,
            campaign_id: campaign,
            job,
            status: "processing",
            credits_charged: previewLeads,
            request: JSON.stringify(request),
            created_at,
            updated_at: created_at
          })}`)
        return job
      })

      return Previews.of({
        make: Effect.fn("Previews.make")(function* (workspace, campaign, input, attempt) {
          const startPreview = startJob(workspace, campaign, input)
          const startedJob =
            attempt === undefined
              ? {
                  replayed: false as const,
                  job: yield* startPreview.pipe(inTransaction(sql))
                }
              : yield* idempotency.begin(attempt, startPreview)
          if (startedJob.replayed)
            return { answer: yield* Effect.orDie(decodePreview(startedJob.answer)), replayed: true }
          yield* queue.waitUntilSettled(startedJob.job)
          const outcome = yield* Effect.orDie(findOutcome({ workspace, job: startedJob.job }))
          if (Option.isNone(outcome)) return yield* NotFound.of("campaign")
          const { answer, error, failure } = outcome.value
          if (answer === null) return yield* InternalError.notWritten(error ?? "The preview failed", failure)
          return { answer, replayed: false }
        }),

        list: Effect.fn("Previews.list")(function* (workspace, campaign, pageQuery) {
          yield* campaigns.find(workspace, campaign)
          const { rows, total } = yield* page({ workspace, campaign }, pageQuery)
          return {
            total,
            rows: rows.map(({ answer, created_at, request }) => ({
              preview_id: answer.preview_id,
              status: answer.status,
              credits_charged: answer.credits_charged,
              success_count: answer.success_count,
              fail_count: answer.fail_count,
              email_count: request.writing.email_count,
              created_at
            }))
          }
        }),

        find: Effect.fn("Previews.find")(function* (workspace, campaign, id) {
          yield* campaigns.find(workspace, campaign)
          const row = yield* Effect.orDie(findAnswered({ workspace, campaign, id }))
          if (Option.isNone(row)) return yield* NotFound.of("preview")
          const { answer, created_at } = row.value
          return { ...answer, created_at }
        }),

        loadWork: Effect.fn("Previews.open")(function* (claim) {
          const { brief, id, request } = yield* findWork({ workspace: claim.workspace_id, job: claim.id })
          return { preview_id: id, ...request, ...parseBrief(brief) }
        }, Effect.orDie),

        complete: Effect.fn("Previews.complete")(function* (claim, work, attempts) {
          const answer = toPreview(work, attempts)
          const answerJson = JSON.stringify(answer)
          yield* queue.complete(
            claim,
            Effect.gen(function* () {
              if (answer.fail_count > 0) {
                yield* credits.refund(claim.workspace_id, work.preview_id, answer.fail_count)
              }
              yield* sql`
                UPDATE previews SET status = ${answer.status}, credits_charged = ${answer.credits_charged},
                  answer = ${answerJson}, updated_at = ${yield* now}
                WHERE id = ${work.preview_id} AND workspace_id = ${claim.workspace_id}`
              yield* idempotency.end(claim.workspace_id, claim.id, answerJson)
            }).pipe(Effect.orDie)
          )
        }),

        fail: (claim, message, failure) =>
          failAndRefund({ workspace_id: claim.workspace_id, job: claim.id }, message, failure),

        refundUnfinished: (workspace_id, campaign_id) =>
          failAndRefund({ workspace_id, campaign_id }, "The campaign was deleted", null),

        countCrashes: Effect.orDie(sql`
          UPDATE jobs SET crashes = crashes + 1 WHERE type = 'campaign.preview' AND status = 'pending'`)
      })
    })
  )
}
