// test/machine/Writing.ts: requests that have emails written, and those that ask what may be.
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
  headroom,
  heldCredits,
  inWork,
  isSuppressed,
  type LeadKind,
  overall,
  type Workspace,
  type World
} from "./Model.ts"
import { isFar, ownAndOther, pathId, lookUpCampaign } from "./Lookup.ts"
import { failLeads } from "./Workers.ts"

const signatures = {
  inline: { email_signature: "Bo" },
  unknown: { signature_id: unknownId },
  none: {},
  both: { email_signature: "Bo", signature_id: unknownId }
}
const emails = 2

/** What all three ways to have emails written refuse first. */
const writing = (world: World, command: CommandOf<"generate" | "batch" | "preview">) => {
  const { enriched, on, signature, caller } = command
  const { id, now } = lookUpCampaign(world, caller, on)
  const malformed = signature === "none" || signature === "both"
  const first = (): Expected | Campaign => {
    const { found, refusal } = now()
    if (found === undefined) return refusal
    return signature === "unknown" ? notFound : found
  }
  const options = { email_count: emails, ...signatures[signature], enrichment_enabled: enriched }
  return { id, malformed, first, options, cost: enriched ? 2 : 1 }
}

const shortfall = (own: Workspace, required: number) =>
  refuse(402, "INSUFFICIENT_CREDITS", own.money.shortfall(required, heldCredits(own)))

export const asLead = (kind: string, at: number) => ({ email: addressOf(at), name: kind, company: "North USA Inc." })

export const generate = (world: World, command: CommandOf<"generate">): Call => {
  const { lead, writerState, caller } = command
  const [own] = ownAndOther(world, caller)
  const { cost, first, id, options, ...form } = writing(world, command)
  const written = lead === "no address" ? undefined : lead
  const malformed = form.malformed || written === undefined
  return {
    caller,
    method: "POST",
    path: `/campaigns/${pathId(id, malformed)}/generate`,
    body: {
      lead: written === undefined ? { name: "Ann" } : asLead(written, 0),
      options: { ...options, list_name: "One" }
    },
    malformed,
    expect: () => {
      if (malformed || written === undefined) return badRequest
      const campaign = first()
      if ("status" in campaign) return campaign
      if (!isFar(campaign)) return badRequest
      const singles = own.lists.filter((list) => list.kind === "single" && inWork(list))
      if (singles.length >= 5) return refuse(429, "RATE_LIMITED")
      if (isSuppressed(own, 0)) return refuse(422, "UNPROCESSABLE")
      if (headroom(own) < cost) return shortfall(own, cost)
      const alone = !own.lists.some(inWork)
      const list = addList(own, campaign, { cost, kind: "single", leads: [written], name: "One", steps: emails })
      finishWork(world, writerState)
      const background = { writerState, of: "list" } as const
      if (countLeads(list, "completed") === 0) return { ...internalError, background }
      const remaining = own.money.balance(heldCredits(own))
      return {
        status: 200,
        background,
        check: ({ body }) => {
          list.id = body.list_id
          assert.strictEqual(body.sequence_id, body.list_id)
          assert.deepStrictEqual(
            body.sequence.map((email: { readonly step: number }) => email.step),
            [1, 2]
          )
          if (alone) assert.strictEqual(body.credits_remaining, remaining)
        }
      }
    }
  }
}

export const batch = (world: World, command: CommandOf<"batch">): Call => {
  const { many, plain, refused, slow, caller } = command
  const [own] = ownAndOther(world, caller)
  const { cost, first, id, options, ...form } = writing(world, command)
  const kinds: ReadonlyArray<readonly [LeadKind, number]> = [
    ["refused", refused],
    ["plain", plain + (many ? 25 : 0)],
    ["slow", slow]
  ]
  const leads = kinds.flatMap(([kind, times]) => Array.from({ length: times }, () => kind))
  const malformed = form.malformed || leads.length === 0
  return {
    caller,
    method: "POST",
    path: `/campaigns/${pathId(id, malformed)}/generate-batch`,
    body: { leads: leads.map(asLead), options },
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const campaign = first()
      if ("status" in campaign) return campaign
      if (!isFar(campaign)) return badRequest
      const left = leads.filter((_, at) => !isSuppressed(own, at)).length
      if (left === 0) return badRequest
      const batches = own.lists.filter((list) => list.kind === "batch" && inWork(list))
      if (batches.length >= own.money.concurrentLists) return refuse(429, "WORKSPACE_LIMIT")
      const required = left * cost
      if (headroom(own) < required) return shortfall(own, required)
      const name = `API Batch (${leads.length})`
      const list = addList(own, campaign, { cost, kind: "batch", leads, name, steps: emails })
      return ok(202, (body) => {
        assert.deepInclude(body, { status: "processing", leads_count: leads.length, sequence_id: body.list_id })
        assert.strictEqual(body.skipped?.suppressed ?? 0, leads.length - left)
        list.id = body.list_id
      })
    }
  }
}

export const previewLeads = 5

export const preview = (world: World, command: CommandOf<"preview">): Call => {
  const { fate, key, caller } = command
  const [own] = ownAndOther(world, caller)
  const { first, id, malformed, options } = writing(world, command)
  const failed = { written: 0, partly: 2, refused: 5, down: 5, lost: 5 }[fate]
  return {
    caller,
    method: "POST",
    path: `/campaigns/${pathId(id, malformed)}/preview`,
    body: {
      sample: { headers: ["Email", "Company"] },
      options: {
        ...options,
        ...(fate === "partly" || fate === "refused" ? { additional_details: failLeads(failed) } : {})
      }
    },
    key: idempotencyKey(key),
    malformed,
    needsIdleWorkers: () => {
      const campaign = first()
      return !malformed && !("status" in campaign) && overall(campaign) === "ready"
    },
    expect: () => {
      if (malformed) return badRequest
      const campaign = first()
      if ("status" in campaign) return campaign
      if (overall(campaign) !== "ready") return refuse(409, "NOT_READY")
      if (headroom(own) < previewLeads) return shortfall(own, previewLeads)
      const background = {
        writerState: fate === "down" ? "down" : "well",
        lost: fate === "lost",
        of: "preview"
      } as const
      const spent = own.money.spend(previewLeads)
      if (failed > 0) own.money.refund(spent.slice(-failed))
      if (failed === previewLeads) return { ...internalError, background }
      return {
        status: 200,
        background,
        check: ({ body }) => {
          assert.deepInclude(body, {
            status: failed === 0 ? "success" : "partial",
            credits_charged: previewLeads - failed,
            success_count: previewLeads - failed,
            fail_count: failed
          })
          assert.lengthOf(body.rows, previewLeads)
          const written = body.generated_emails.filter((one: { readonly status: string }) => one.status === "success")
          assert.lengthOf(written, previewLeads - failed)
        }
      }
    }
  }
}

export const check = (world: World, { required, caller }: CommandOf<"check">): Call => {
  const [own] = ownAndOther(world, caller)
  return {
    caller,
    method: "GET",
    path: `/credits/check?required=${required}`,
    expect: () =>
      required === 0
        ? badRequest
        : ok(200, (body) =>
            assert.deepStrictEqual(body, {
              ...own.money.shortfall(required, heldCredits(own)),
              sufficient: headroom(own) >= required
            })
          )
  }
}
