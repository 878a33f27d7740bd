// test/machine/Building.ts: requests that create, build, read and delete campaigns.
import { assert } from "@effect/vitest"
import { unknownId } from "#test/support/endpoints.ts"
import { audienceOf } from "./Audience.ts"
import { badRequest, type Call, type Expected, idempotencyKey, notFound, ok, refuse } from "./Call.ts"
import type { CommandOf } from "./Commands.ts"
import { newCampaign, isRunning, setAudience, reopenCampaign, type Workspace, type World } from "./Model.ts"
import { ownAndOther, pathId, lookUpCampaign } from "./Lookup.ts"

const countBuild = (ownWorkspace: Workspace): Expected | undefined => {
  const { buildLimit, buildsUsed: builds } = ownWorkspace.creditAccount
  if (builds < buildLimit) {
    ownWorkspace.creditAccount.buildsUsed++
    return undefined
  }
  return refuse(403, "FORBIDDEN", { reason: "campaign_build_limit", limit: buildLimit, used: builds })
}

export const create = (world: World, { key, name, caller }: CommandOf<"create">): Call => {
  const [ownWorkspace] = ownAndOther(world, caller)
  const malformed = name.trim() === ""
  return {
    caller,
    method: "POST",
    path: "/campaigns",
    body: { name },
    key: idempotencyKey(key),
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const limitRefusal = countBuild(ownWorkspace)
      if (limitRefusal !== undefined) return limitRefusal
      const campaign = newCampaign(name)
      ownWorkspace.campaigns.push(campaign)
      return ok(201, (body) => {
        assert.deepStrictEqual(body, { id: body.id, name, status: "draft" })
        campaign.id = body.id
      })
    }
  }
}

export const rename = (world: World, { name, resource, caller }: CommandOf<"rename">): Call => {
  const malformed = name.trim() === ""
  const { id, resolve } = lookUpCampaign(world, caller, resource)
  return {
    caller,
    method: "PATCH",
    path: `/campaigns/${pathId(id, malformed)}`,
    body: { name },
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const { found, refusal } = resolve()
      if (found === undefined) return refusal
      found.name = name.trim()
      return ok(200, (body) => assert.deepInclude(body, { id, name: name.trim() }))
    }
  }
}

export const remove = (world: World, { resource, caller }: CommandOf<"delete campaign">): Call => {
  const [ownWorkspace] = ownAndOther(world, caller)
  const { id, resolve } = lookUpCampaign(world, caller, resource)
  return {
    caller,
    method: "DELETE",
    path: `/campaigns/${id}`,
    expect: () => {
      const { found, refusal } = resolve()
      if (found === undefined) return refusal
      const lists = ownWorkspace.lists.filter((list) => list.campaign === found)
      const statuses = lists.filter(isRunning).map((list) => list.status)
      if (statuses.length > 0) {
        return {
          status: 409,
          error: "CONFLICT",
          checkAnswer: ({ body }) => {
            assert.deepStrictEqual(Object.keys(body.detail), ["processing_status"])
            assert.include(statuses, body.detail.processing_status)
          }
        }
      }
      for (const list of lists) list.campaign = null
      ownWorkspace.campaigns.splice(ownWorkspace.campaigns.indexOf(found), 1)
      ownWorkspace.deletedCampaignIds.push(id)
      return ok(200, (body) => assert.deepStrictEqual(body, { id, deleted: true }))
    }
  }
}

export const assetTypes = ["social_proof", "lead_magnet", "risk_reversal", "value_proposition"] as const
const branchableSteps = ["social-proof", "lead-magnets", "risk-reversal", "value-propositions"]

export const branch = (world: World, command: CommandOf<"branch">): Call => {
  const { key, name, resource, step, caller } = command
  const [ownWorkspace] = ownAndOther(world, caller)
  const { id, resolve } = lookUpCampaign(world, caller, resource)
  const fromAudience = step === "target-audience"
  const audience = audienceOf(world, caller, command.audience)
  const hasNoSegmentId = "anonymous" in audience
  const malformed = name === "" || step === "middle" || (fromAudience && "malformed" in audience && !hasNoSegmentId)
  return {
    caller,
    method: "POST",
    path: `/campaigns/${pathId(id, malformed)}/branch`,
    body: { name, branch_from_step: step, ...(fromAudience ? audience.body : {}) },
    key: idempotencyKey(key),
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const { found, refusal } = resolve()
      if (found === undefined) return refusal
      if (found.audience === null || (fromAudience && hasNoSegmentId)) return refuse(422, "UNPROCESSABLE")
      const campaign = newCampaign(name)
      if (fromAudience) {
        const segmentsBefore = [...ownWorkspace.segments]
        const segment = audience.save()
        if (segment === undefined) return notFound
        const limitRefusal = countBuild(ownWorkspace)
        if (limitRefusal !== undefined) {
          ownWorkspace.segments.splice(0, ownWorkspace.segments.length, ...segmentsBefore)
          return limitRefusal
        }
        setAudience(ownWorkspace, campaign, segment)
      } else {
        const limitRefusal = countBuild(ownWorkspace)
        if (limitRefusal !== undefined) return limitRefusal
        campaign.audience = found.audience
        campaign.research = found.research === "ready" ? "ready" : "running"
        for (const type of assetTypes.slice(0, branchableSteps.indexOf(step)))
          campaign.chosen[type] = found.chosen[type]
      }
      ownWorkspace.campaigns.push(campaign)
      return ok(201, (body) => {
        assert.deepStrictEqual(body, { id: body.id, source_campaign_id: id })
        campaign.id = body.id
      })
    }
  }
}

export const selectAudience = (world: World, command: CommandOf<"target">): Call => {
  const { key, resource, caller } = command
  const [ownWorkspace] = ownAndOther(world, caller)
  const { id, resolve } = lookUpCampaign(world, caller, resource)
  const audience = audienceOf(world, caller, command.audience)
  const malformed = "malformed" in audience
  return {
    caller,
    method: "POST",
    path: `/campaigns/${pathId(id, malformed)}/target-audience`,
    body: audience.body,
    key: idempotencyKey(key),
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const { found, refusal } = resolve()
      if (found === undefined) return refusal
      const segment = audience.save()
      if (segment === undefined) return notFound
      setAudience(ownWorkspace, found, segment)
      return ok(202, (body) => {
        assert.deepInclude(body, { type: "campaign.target_audience", status: "processing" })
        if (segment.id !== "custom") assert.strictEqual(body.target_audience_id, segment.id)
      })
    }
  }
}

export const selectOptions = (world: World, command: CommandOf<"select">): Call => {
  const { key, resource, type, caller } = command
  const [ownWorkspace] = ownAndOther(world, caller)
  const { id, resolve } = lookUpCampaign(world, caller, resource)
  const isProposition = type === "value_proposition"
  const campaignNow = resolve().found
  const options = isProposition
    ? (campaignNow?.propositionIds ?? []).map((option, index) => ({
        id: option,
        name: ["Save time", "Save money", "Sleep well"][index] ?? ""
      }))
    : (ownWorkspace.options[type] ?? [])
  const [first = { id: unknownId, name: "" }, second = first] = options
  const hasStrayEdit = command.pick === "stray" && first !== second
  const items = { both: [first, second], none: [], second: [second] }[command.pick as string] ?? [first]
  const unknown =
    command.pick === "unknown"
      ? [unknownId]
      : command.pick === "stale"
        ? (campaignNow?.replacedPropositionIds ?? []).slice(0, 1)
        : []
  const selected_ids = [...new Set([...items.map((item) => item.id), ...unknown])]
  const isEdited = command.pick === "edited" && items.length > 0
  const details = command.pick === "remarked" ? { additional_details: "Mind the gap" } : {}
  return {
    caller,
    method: "PUT",
    path: `/campaigns/${id}/assets/${type}/selection`,
    body: {
      selected_ids,
      ...(isEdited ? { edited_names: { [first.id]: "Mine" } } : {}),
      ...(hasStrayEdit ? { edited_names: { [second.id]: "Mine" } } : {}),
      ...details
    },
    key: idempotencyKey(key),
    expect: () => {
      if (id === "42") return notFound
      if (hasStrayEdit || (isProposition && selected_ids.length === 0)) return badRequest
      const { found, refusal } = resolve()
      if (found === undefined) return refusal
      if (isProposition && (found.propositionState !== "ready" || found.research === "failed"))
        return refuse(409, "NOT_READY")
      const knownIds = isProposition
        ? found.propositionIds
        : (ownWorkspace.options[type] ?? []).map((option) => option.id)
      const unknown_ids = selected_ids.filter((id) => !knownIds.includes(id))
      if (unknown_ids.length > 0) return refuse(400, "BAD_REQUEST", { unknown_ids })
      const names = items.map((item) => (isEdited ? "Mine" : item.name))
      const content = JSON.stringify([selected_ids, names, details])
      const isSameChoice = found.chosen[type]?.content === content
      found.chosen[type] = { names, content }
      const checkBody = (body: any) => {
        assert.deepInclude(body, { asset_type: type, items_stored: items.length })
        if (isProposition) assert.deepInclude(body.job, { type: "campaign.build", status: "processing" })
        else assert.notProperty(body, "job")
      }
      if (!isProposition) {
        if (!isSameChoice) reopenCampaign(ownWorkspace, found)
        return ok(200, checkBody)
      }
      if (!isSameChoice || !found.hasSelectedPropositions || found.build === "failed") {
        found.hasSelectedPropositions = true
        found.build = "running"
      }
      return ok(202, checkBody)
    }
  }
}

export const generatePropositions = (world: World, { key, resource, caller }: CommandOf<"propose">): Call => {
  const [ownWorkspace] = ownAndOther(world, caller)
  const { id, resolve } = lookUpCampaign(world, caller, resource)
  return {
    caller,
    method: "POST",
    path: `/campaigns/${id}/assets/value_proposition/generate`,
    key: idempotencyKey(key),
    expect: () => {
      const { found, refusal } = resolve()
      if (found === undefined) return refusal
      const missing = [
        ...(found.audience === null || found.research === "failed" ? ["target_audience"] : []),
        ...assetTypes.slice(0, 3).filter((type) => found.chosen[type] === null)
      ]
      if (missing.length > 0) return refuse(409, "NOT_READY", { missing })
      if (found.propositionState !== "running") {
        reopenCampaign(ownWorkspace, found)
        found.propositionState = "running"
      }
      return ok(202, (body) => assert.deepInclude(body, { type: "campaign.value_propositions", status: "processing" }))
    }
  }
}

export const readSelections = (world: World, { resource, caller }: CommandOf<"read">): Call => {
  const { id, resolve } = lookUpCampaign(world, caller, resource)
  return {
    caller,
    method: "GET",
    path: `/campaigns/${id}/selections`,
    expect: () => {
      const { found, refusal } = resolve()
      return found === undefined
        ? refusal
        : ok(200, ({ campaign_id, selections, target_audience }) => {
            assert.strictEqual(campaign_id, id)
            assert.deepStrictEqual(
              [target_audience?.segment_name, target_audience?.company_size],
              [found.audience?.segment_name, found.audience?.company_size]
            )
            for (const [type, choice] of Object.entries(found.chosen)) {
              const names = selections[type]?.items.map((item: { readonly name: string }) => item.name) ?? null
              assert.deepStrictEqual(names, choice?.names ?? null, type)
            }
          })
    }
  }
}
