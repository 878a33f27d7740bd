// layers/Generation.ts: accepts leads for writing, if the campaign is ready or building and limits and credits allow
// it, and decides which leads of a batch are skipped.
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import {
  buildGate,
  type CampaignState,
  CampaignStore,
  type NotVisible,
  overallStatus
} from "#layers/campaigns/Store.ts"
import { Credits } from "#layers/Credits.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { makeCompanyLookup, makeFindWrittenTo, writtenReason } from "#layers/generation/KnownLeads.ts"
import { makeNotices, resolveWriting } from "#layers/generation/WritingSettings.ts"
import { Queue, type SlotReservation } from "#layers/Queue.ts"
import { type LeadSource, Lists, splitIntoParts } from "#layers/Lists.ts"
import { combineMarks } from "#layers/lists/LeadColumns.ts"
import type { ListWriting } from "#layers/lists/Store.ts"
import { PlaybookStore } from "#layers/playbooks/Store.ts"
import { Signatures } from "#layers/Signatures.ts"
import { startSpellingSearch, Suppressions } from "#layers/Suppressions.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import {
  BadRequest,
  InsufficientCredits,
  InternalError,
  type NotFound,
  RateLimited,
  Unprocessable,
  WorkspaceLimit
} from "#schema/Errors.ts"
import { truncateTo } from "#schema/Fields.ts"
import type { BatchOptions, Options, SkippedCounts } from "#schema/Generation.ts"
import type { Lead, Sequence } from "#schema/Lead.ts"
import type { Marks } from "#schema/ListLeads.ts"

/** Single leads written at the same time for one workspace. */
const maxSingles = 5

/** The default name of a `single` list, truncated because a lead's name may be longer than a list's. */
const listNameFor = ({ company, email, name }: Lead) => {
  const leadLabel = [name, company].map((text) => text?.trim() ?? "").find((text) => text !== "")
  return truncateTo(leadLabel ?? email, 200)
}

/** Different notification addresses that one workspace may use within a day. */
const maxRecipients = 200
const recipientWindow = Duration.toMillis("1 day")

/**
 * Limits how many people a workspace may notify by mail, since `notification_email` can be any address. Hashes of the
 * addresses are stored apart from the lists, so that deleting a list does not reset the count.
 */
const makeRecipientLimit = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function* (workspace: WorkspaceId, address: string | null) {
    if (address === null) return
    const currentMillis = yield* Clock.currentTimeMillis
    const digest = createHash("sha256").update(`${workspace} ${address.toLowerCase()}`).digest("hex")
    yield* sql`
      DELETE FROM recipients
      WHERE workspace_id = ${workspace} AND (named_at < ${currentMillis - recipientWindow} OR named_at > ${currentMillis + recipientWindow})`
    yield* sql`
      INSERT INTO recipients (workspace_id, digest, named_at) VALUES (${workspace}, ${digest}, ${currentMillis})
      ON CONFLICT (workspace_id, digest) DO UPDATE SET named_at = ${currentMillis}`
    const [row] = yield* sql<{ readonly n: number }>`
      SELECT count(*) AS n FROM recipients WHERE workspace_id = ${workspace}`
    if ((row?.n ?? 0) > maxRecipients) {
      return yield* new WorkspaceLimit({
        message: `At most ${maxRecipients} different notification_email addresses are taken in a day`
      })
    }
  })
})

type SkipKind = "suppressed" | "duplicate" | "client" | "written"

interface SkippedLeads {
  /** The reason by the index of the lead in the batch, from 0. */
  readonly reasons: ReadonlyMap<number, string>
  /** Undefined if no rule could skip a lead. */
  readonly counts: SkippedCounts | undefined
  /** Leads that are kept although their company may be one to leave out. */
  readonly possible: number
}

const noSkippedLeads: SkippedLeads = { reasons: new Map(), counts: undefined, possible: 0 }

/** Notices about leads that are kept although their company may be one to skip. */
const possibleNotices = ({ possible }: SkippedLeads): ReadonlyArray<string> =>
  possible === 0
    ? []
    : [
        `${possible === 1 ? "1 lead is" : `${possible} leads are`} written to although the company may be a client, a competitor or one on the suppression list: the names begin alike.`
      ]

/** Leads per query for leads to skip. */
const lookupSize = 200

const skipLabels: { readonly [K in SkipKind]: string } = {
  suppressed: "on the suppression list",
  duplicate: "repeated",
  client: "at your own company, a client or a competitor",
  written: "in another list already"
}

/** The error message if no lead remains. */
const describeSkipped = ({ counts }: SkippedLeads): string => {
  const countsByKind: Partial<Record<SkipKind, number>> = counts ?? {}
  const parts = (["suppressed", "duplicate", "client", "written"] as const).flatMap((kind) => {
    const count = countsByKind[kind] ?? 0
    return count === 0 ? [] : [`${count} ${count === 1 ? "is" : "are"} ${skipLabels[kind]}`]
  })
  return `no lead remains to write to: ${parts.join(", ")}`
}

/** Decides which leads of a batch are not written to, and why, before anything is stored or charged. */
const makeFindSkippedLeads = Effect.gen(function* () {
  const makeLookup = yield* makeCompanyLookup
  const findWrittenTo = yield* makeFindWrittenTo
  const suppressions = yield* Suppressions

  return Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    campaign: string,
    leads: LeadSource,
    { include_addresses, skip_clients, skip_duplicates, skip_written }: BatchOptions
  ) {
    const scope = skip_written ?? undefined
    const hasSuppressions = !(yield* suppressions.isEmpty(workspace))
    if (!hasSuppressions && skip_clients !== true && skip_duplicates !== true && scope === undefined)
      return noSkippedLeads

    const findNothing = () => null
    const companies =
      skip_clients === true
        ? yield* makeLookup(workspace, campaign)
        : { findKnown: findNothing, findPossible: findNothing }
    const noReasons: ReadonlyMap<string, string> = new Map()
    const includedAddresses = new Set(include_addresses?.map((address) => address.toLowerCase()))
    const firstIndexes = new Map<string, number>()
    const reasons = new Map<number, string>()
    const counts = { suppressed: 0, duplicate: 0, client: 0, written: 0 }
    const skip = (index: number, kind: SkipKind, reason: string) => {
      counts[kind]++
      reasons.set(index, reason)
    }

    const search = startSpellingSearch()
    let position = 0
    let possible = 0
    for (const part of splitIntoParts(leads, lookupSize)) {
      const addresses = part.map(({ email }) => email.toLowerCase())
      const suppressed = hasSuppressions ? yield* suppressions.findReasons(workspace, part) : []
      const maybeSuppressed = hasSuppressions ? yield* suppressions.findPossibleReasons(workspace, part, search) : []
      const writtenTo = scope === undefined ? noReasons : yield* findWrittenTo(workspace, campaign, scope, addresses)
      for (const [i, lead] of part.entries()) {
        const address = addresses[i] ?? ""
        const index = position++
        const firstIndex = skip_duplicates === true ? firstIndexes.get(address) : undefined
        if (firstIndex === undefined) firstIndexes.set(address, index)
        const suppression = suppressed[i]
        if (suppression !== undefined) {
          skip(index, "suppressed", suppression)
          continue
        }
        if (firstIndex !== undefined) {
          skip(index, "duplicate", `Lead ${firstIndex + 1} of this batch has the same address.`)
          continue
        }
        if (includedAddresses.has(address)) continue
        const knownCompany = companies.findKnown(lead)
        const list = writtenTo.get(address)
        if (knownCompany !== null) skip(index, "client", knownCompany.reason)
        else if (scope !== undefined && list !== undefined) skip(index, "written", writtenReason(scope, list))
        else if (maybeSuppressed[i] !== undefined || companies.findPossible(lead) !== null) possible++
      }
      yield* Effect.yieldNow
    }
    const { written, ...common } = counts
    return { reasons, possible, counts: scope === undefined ? common : { ...common, written } } satisfies SkippedLeads
  }, Effect.orDie)
})

export class Generation extends Context.Service<
  Generation,
  {
    /**
     * Writes to one lead and waits for the result. The lead is stored in a list of one, so the work continues when the
     * caller disconnects. INTERNAL_ERROR gives the reason if nothing could be written; the lead then costs nothing.
     */
    readonly writeOne: (
      workspace: WorkspaceId,
      campaign: string,
      lead: Lead,
      options: Options
    ) => Effect.Effect<
      {
        readonly lead_id: string
        readonly list_id: string
        readonly sequence: Sequence
        readonly credits_remaining: number
        readonly marks: Marks
        readonly notices: ReadonlyArray<string>
      },
      NotVisible | BadRequest | RateLimited | InsufficientCredits | Unprocessable | InternalError
    >
    /** Accepts a batch and returns before anything is written; the list shows the progress and the skipped leads. */
    readonly acceptBatch: (
      workspace: WorkspaceId,
      campaign: string,
      leads: LeadSource,
      options: BatchOptions
    ) => Effect.Effect<
      {
        readonly list_id: string
        readonly notices: ReadonlyArray<string>
        /** Undefined if no rule could skip a lead. */
        readonly skipped: SkippedCounts | undefined
      },
      NotVisible | BadRequest | WorkspaceLimit | InsufficientCredits
    >
    /**
     * Resumes the pending batches of a list with the brief of the list or of its campaign, or once the running build
     * has finished. UNPROCESSABLE if no batch is pending, or if there is neither a brief nor a build.
     */
    readonly reprocess: (
      workspace: WorkspaceId,
      list: string
    ) => Effect.Effect<{ readonly pending: number; readonly total: number }, NotFound | Unprocessable>
  }
>()("overture/layers/Generation") {
  static readonly layer = Layer.effect(
    Generation,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const campaigns = yield* CampaignStore
      const credits = yield* Credits
      const queue = yield* Queue
      const lists = yield* Lists
      const playbooks = yield* PlaybookStore
      const signatures = yield* Signatures
      const suppressions = yield* Suppressions
      const findSkippedLeads = yield* makeFindSkippedLeads
      const checkRecipient = yield* makeRecipientLimit
      const noticesOf = yield* makeNotices

      const resolveListWriting = Effect.fnUntraced(function* (workspace: WorkspaceId, options: BatchOptions) {
        return {
          ...(yield* resolveWriting(signatures, workspace, options)),
          enriched: options.enrichment_enabled === true,
          cost: options.enrichment_enabled === true ? 2 : 1,
          notification_email: options.notification_email ?? null,
          // Leads that are included by their address are not skipped by the worker either.
          include_clients:
            options.include_clients === true || (options.skip_clients === true && options.include_addresses != null)
        } satisfies ListWriting
      })

      /** The gate that batches of this campaign wait for; undefined if the campaign is ready. */
      const findGate = Effect.fnUntraced(function* (state: CampaignState) {
        const status = overallStatus(state)
        if (status === "ready") return undefined
        if (status === "building") return buildGate(state.id)
        return yield* new BadRequest({
          message:
            status === "failed"
              ? "The campaign's setup failed; see its build-status and submit the failed step again"
              : "The campaign's setup is incomplete: its value propositions have to be selected first"
        })
      })

      /**
       * The key of the brief for a list that starts now. Each build and each edit of the playbook makes a new brief.
       */
      const makeBriefKey = Effect.fnUntraced(function* (state: CampaignState) {
        const version = state.playbook ?? (yield* Effect.orDie(playbooks.ensure(state)))
        return `${state.build_job}:${version}`
      })

      /** Waits for the lead's jobs and returns its emails with their marks. */
      const waitForEmails = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        id: string,
        jobs: ReadonlyArray<string>
      ) {
        const findLead = lists.lead(workspace, id)
        const { error, failure, findings, sequence, skipped, status } = yield* Effect.filterOrElse(
          findLead,
          ({ status }) => status !== "pending",
          // Another process is writing to the lead, or its job is still waiting.
          () => Effect.andThen(Effect.forEach(jobs, queue.waitUntilSettled), findLead)
        )
        if (sequence !== null) return { sequence, marks: combineMarks(findings ?? []) }
        if (skipped !== null) {
          return yield* new Unprocessable({
            message: `This lead was left out: ${skipped}${status === "failed" ? " Send options.include_clients to write to it" : ""}`
          })
        }
        return yield* InternalError.notWritten(
          status === "failed"
            ? `Nothing could be written to this lead: ${error}`
            : `Nothing is written to this lead yet${error === null ? "" : `: ${error.replace(/\.$/, "")}`}. It waits in its list and costs nothing until it is written; POST /api/v1/lists/:id writes to it`,
          failure
        )
      })

      return Generation.of({
        writeOne: traced("Generation.single")(function* (workspace, campaign, lead, options) {
          const acceptSingle = Effect.fnUntraced(function* (reservation: SlotReservation | undefined) {
            const state = yield* campaigns.find(workspace, campaign)
            const writing = yield* resolveListWriting(workspace, options)
            const gate = yield* findGate(state)
            if ((yield* lists.countInProgress(workspace, "single")) >= maxSingles) {
              return yield* new RateLimited({
                message: `At most ${maxSingles} leads are written at once; try again soon`
              })
            }
            const [suppressed] = yield* suppressions.findReasons(workspace, [lead])
            if (suppressed !== undefined) {
              return yield* new Unprocessable({
                message: `${suppressed} Nothing is written to this lead; remove the entry with DELETE /api/v1/suppressions/:id to write to it`
              })
            }
            const brief = gate === undefined ? yield* makeBriefKey(state) : undefined
            const list = yield* lists.accept(workspace, {
              campaign,
              kind: "single",
              name: options.list_name ?? options.sequence_name ?? listNameFor(lead),
              writing,
              leads: { count: 1, parts: [[lead]] },
              gate,
              brief,
              startsIn: brief === undefined ? undefined : reservation
            })
            yield* Effect.forEach(list.leads, (lead) => credits.reserve(workspace, lead, writing.cost), {
              discard: true
            })
            return { ...list, notices: yield* noticesOf(workspace, campaign, writing) }
          })
          const accepted = yield* queue.slots.withReservation("list.single", (reservation) =>
            acceptSingle(reservation).pipe(inTransaction(sql))
          )
          const [lead_id = ""] = accepted.leads
          const handedOverEmails = accepted.handoff?.written
          return {
            lead_id,
            list_id: accepted.list_id,
            ...(handedOverEmails === undefined
              ? yield* waitForEmails(workspace, lead_id, accepted.jobs)
              : { sequence: handedOverEmails.sequence, marks: combineMarks(handedOverEmails.judged) }),
            credits_remaining: (yield* credits.check(workspace, 0)).available,
            notices: accepted.notices
          }
        }),

        acceptBatch: traced("Generation.batch")(function* (workspace, campaign, leads, options) {
          const state = yield* campaigns.find(workspace, campaign)
          const writing = yield* resolveListWriting(workspace, options)
          const gate = yield* findGate(state)
          const skippedLeads = yield* findSkippedLeads(workspace, campaign, leads, options)
          const remaining = leads.count - skippedLeads.reasons.size
          if (remaining === 0) return yield* BadRequest.at("leads", describeSkipped(skippedLeads))
          const limit = yield* credits.concurrentLists(workspace)
          if ((yield* lists.countInProgress(workspace, "batch")) >= limit) {
            return yield* new WorkspaceLimit({
              message: `The plan allows ${limit} lists in work at once; wait until one of them is done`
            })
          }
          yield* checkRecipient(workspace, writing.notification_email)
          yield* credits.require(workspace, remaining * writing.cost)
          const brief = gate === undefined ? yield* makeBriefKey(state) : undefined
          const { list_id } = yield* lists.accept(workspace, {
            campaign,
            kind: "batch",
            name: options.list_name ?? options.sequence_name ?? `API Batch (${leads.count})`,
            writing,
            leads,
            skipReasons: skippedLeads.reasons,
            omittedRows: options.omitted_rows ?? [],
            gate,
            brief
          })
          const notices = [...(yield* noticesOf(workspace, campaign, writing)), ...possibleNotices(skippedLeads)]
          return { list_id, notices, skipped: skippedLeads.counts }
        }, inTransaction(sql)),

        reprocess: traced("Generation.reprocess")(function* (workspace, list) {
          const { briefed, campaign_id, pending, total } = yield* lists.pendingState(workspace, list)
          const campaignDeleted = () => new Unprocessable({ message: "The campaign of this list was deleted" })
          if (campaign_id === null) return yield* campaignDeleted()
          if (pending === 0) return yield* new Unprocessable({ message: "This list has no pending batch" })
          const status = briefed
            ? "ready"
            : overallStatus(yield* Effect.mapError(campaigns.find(workspace, campaign_id), campaignDeleted))
          if (status !== "ready" && status !== "building") {
            return yield* new Unprocessable({
              message:
                "This list has nothing to be written from until its campaign's value propositions are selected again"
            })
          }
          yield* lists.resume(workspace, list, status === "building" ? buildGate(campaign_id) : undefined)
          return { pending, total }
        }, inTransaction(sql))
      })
    })
  )
}
