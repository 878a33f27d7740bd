// test/machine/Writing.ts: requests that generate emails or previews, and the credit check.
import { assert } from "@effect/vitest"
import { unknownId } from "#test/support/endpoints.ts"
import { finishWork } from "./Background.ts"
import { badRequest, type Call, type Expected, internalError, idempotencyKey, notFound, ok, refuse } from "./Call.ts"
import type { CommandOf } from "./Commands.ts"
import {
  addList,
  addressOf,
  type Campaign,
  countLeads,
  spendableCredits,
  reservedCredits,
  isRunning,
  isSuppressed,
  type LeadKind,
  campaignStatus,
  type Workspace,
  type World
} from "./Model.ts"
import { canWriteFrom, ownAndOther, pathId, lookUpCampaign } from "./Lookup.ts"
import { failLeadsInstruction } from "./Workers.ts"

const signatures = {
  inline: { email_signature: "Bo" },
  unknown: { signature_id: unknownId },
  none: {},
  both: { email_signature: "Bo", signature_id: unknownId }
}
const emailCount = 2

/** The parts that all three generating requests share, with their first checks. */
const writingRequest = (world: World, command: CommandOf<"generate" | "batch" | "preview">) => {
  const { enriched, resource, signature, caller } = command
  const { id, resolve } = lookUpCampaign(world, caller, resource)
  const malformed = signature === "none" || signature === "both"
  const findCampaign = (): Expected | Campaign => {
    const { found, refusal } = resolve()
    if (found === undefined) return refusal
    return signature === "unknown" ? notFound : found
  }
  const options = { email_count: emailCount, ...signatures[signature], enrichment_enabled: enriched }
  return { id, malformed, findCampaign, options, cost: enriched ? 2 : 1 }
}

const refuseForCredits = (ownWorkspace: Workspace, required: number) =>
  refuse(402, "INSUFFICIENT_CREDITS", ownWorkspace.creditAccount.shortfall(required, reservedCredits(ownWorkspace)))

export const toLead = (kind: string, index: number) => ({
  email: addressOf(index),
  name: kind,
  company: "North USA Inc."
})

export const generateOne = (world: World, command: CommandOf<"generate">): Call => {
  const { lead, writerState, caller } = command
  const [ownWorkspace] = ownAndOther(world, caller)
  const { cost, findCampaign, id, options, ...requestFields } = writingRequest(world, command)
  const leadKind = lead === "no address" ? undefined : lead
  const malformed = requestFields.malformed || leadKind === undefined
  return {
    caller,
    method: "POST",
    path: `/campaigns/${pathId(id, malformed)}/generate`,
    body: {
      lead: leadKind === undefined ? { name: "Ann" } : toLead(leadKind, 0),
      options: { ...options, list_name: "One" }
    },
    malformed,
    expect: () => {
      if (malformed || leadKind === undefined) return badRequest
      const campaign = findCampaign()
      if ("status" in campaign) return campaign
      if (!canWriteFrom(campaign)) return badRequest
      const runningSingles = ownWorkspace.lists.filter((list) => list.kind === "single" && isRunning(list))
      if (runningSingles.length >= 5) return refuse(429, "RATE_LIMITED")
      if (isSuppressed(ownWorkspace, 0)) return refuse(422, "UNPROCESSABLE")
      if (spendableCredits(ownWorkspace) < cost) return refuseForCredits(ownWorkspace, cost)
      const isOnlyList = !ownWorkspace.lists.some(isRunning)
      const list = addList(ownWorkspace, campaign, {
        cost,
        kind: "single",
        leads: [leadKind],
        name: "One",
        steps: emailCount
      })
      finishWork(world, writerState)
      const background = { writerState, waitsFor: "list" } as const
      if (countLeads(list, "completed") === 0) return { ...internalError, background }
      const remaining = ownWorkspace.creditAccount.balance(reservedCredits(ownWorkspace))
      return {
        status: 200,
        background,
        checkAnswer: ({ body }) => {
          list.id = body.list_id
          assert.strictEqual(body.sequence_id, body.list_id)
          assert.deepStrictEqual(
            body.sequence.map((email: { readonly step: number }) => email.step),
            [1, 2]
          )
          if (isOnlyList) assert.strictEqual(body.credits_remaining, remaining)
        }
      }
    }
  }
}

export const generateBatch = (world: World, command: CommandOf<"batch">): Call => {
  const { many, plain, refused, slow, caller } = command
  const [ownWorkspace] = ownAndOther(world, caller)
  const { cost, findCampaign, id, options, ...requestFields } = writingRequest(world, command)
  const countsByKind: ReadonlyArray<readonly [LeadKind, number]> = [
    ["refused", refused],
    ["plain", plain + (many ? 25 : 0)],
    ["slow", slow]
  ]
  const leads = countsByKind.flatMap(([kind, times]) => Array.from({ length: times }, () => kind))
  const malformed = requestFields.malformed || leads.length === 0
  return {
    caller,
    method: "POST",
    path: `/campaigns/${pathId(id, malformed)}/generate-batch`,
    body: { leads: leads.map(toLead), options },
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const campaign = findCampaign()
      if ("status" in campaign) return campaign
      if (!canWriteFrom(campaign)) return badRequest
      const leadsToWrite = leads.filter((_, index) => !isSuppressed(ownWorkspace, index)).length
      if (leadsToWrite === 0) return badRequest
      const runningBatches = ownWorkspace.lists.filter((list) => list.kind === "batch" && isRunning(list))
      if (runningBatches.length >= ownWorkspace.creditAccount.concurrentLists) return refuse(429, "WORKSPACE_LIMIT")
      const required = leadsToWrite * cost
      if (spendableCredits(ownWorkspace) < required) return refuseForCredits(ownWorkspace, required)
      const name = `API Batch (${leads.length})`
      const list = addList(ownWorkspace, campaign, { cost, kind: "batch", leads, name, steps: emailCount })
      return ok(202, (body) => {
        assert.deepInclude(body, { status: "processing", leads_count: leads.length, sequence_id: body.list_id })
        assert.strictEqual(body.skipped?.suppressed ?? 0, leads.length - leadsToWrite)
        list.id = body.list_id
      })
    }
  }
}

export const previewLeadCount = 5

export const createPreview = (world: World, command: CommandOf<"preview">): Call => {
  const { outcome, key, caller } = command
  const [ownWorkspace] = ownAndOther(world, caller)
  const { findCampaign, id, malformed, options } = writingRequest(world, command)
  const failedLeads = { written: 0, partly: 2, refused: 5, down: 5, lost: 5 }[outcome]
  return {
    caller,
    method: "POST",
    path: `/campaigns/${pathId(id, malformed)}/preview`,
    body: {
      sample: { headers: ["Email", "Company"] },
      options: {
        ...options,
        ...(outcome === "partly" || outcome === "refused"
          ? { additional_details: failLeadsInstruction(failedLeads) }
          : {})
      }
    },
    key: idempotencyKey(key),
    malformed,
    needsIdleWorkers: () => {
      const campaign = findCampaign()
      return !malformed && !("status" in campaign) && campaignStatus(campaign) === "ready"
    },
    expect: () => {
      if (malformed) return badRequest
      const campaign = findCampaign()
      if ("status" in campaign) return campaign
      if (campaignStatus(campaign) !== "ready") return refuse(409, "NOT_READY")
      if (spendableCredits(ownWorkspace) < previewLeadCount) return refuseForCredits(ownWorkspace, previewLeadCount)
      const background = {
        writerState: outcome === "down" ? "down" : "well",
        startsLate: outcome === "lost",
        waitsFor: "preview"
      } as const
      const spentBuckets = ownWorkspace.creditAccount.spend(previewLeadCount)
      if (failedLeads > 0) ownWorkspace.creditAccount.refund(spentBuckets.slice(-failedLeads))
      if (failedLeads === previewLeadCount) return { ...internalError, background }
      return {
        status: 200,
        background,
        checkAnswer: ({ body }) => {
          assert.deepInclude(body, {
            status: failedLeads === 0 ? "success" : "partial",
            credits_charged: previewLeadCount - failedLeads,
            success_count: previewLeadCount - failedLeads,
            fail_count: failedLeads
          })
          assert.lengthOf(body.rows, previewLeadCount)
          const successes = body.generated_emails.filter(
            (email: { readonly status: string }) => email.status === "success"
          )
          assert.lengthOf(successes, previewLeadCount - failedLeads)
        }
      }
    }
  }
}

export const checkAnswer = (world: World, { required, caller }: CommandOf<"check">): Call => {
  const [ownWorkspace] = ownAndOther(world, caller)
  return {
    caller,
    method: "GET",
    path: `/credits/check?required=${required}`,
    expect: () =>
      required === 0
        ? badRequest
        : ok(200, (body) =>
            assert.deepStrictEqual(body, {
              ...ownWorkspace.creditAccount.shortfall(required, reservedCredits(ownWorkspace)),
              sufficient: spendableCredits(ownWorkspace) >= required
            })
          )
  }
}
