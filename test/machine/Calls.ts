// test/machine/Calls.ts: each command as a request, and what the contract says must be answered to it.
import { assert } from "@effect/vitest"
import type { AssetType } from "#schema/Assets.ts"
import { nobody } from "#test/support/endpoints.ts"
import type { Answer } from "#test/support/server.ts"
import { type Mood, rest } from "./Background.ts"
import type { Command, On } from "./Commands.ts"
import {
  accept,
  type Campaign,
  count,
  empty,
  headroom,
  held,
  inWork,
  leadsOf,
  link,
  type LeadKind,
  type List,
  overall,
  reopen,
  type Segment,
  type Workspace,
  type World
} from "./Model.ts"
import { failing } from "./Workshop.ts"

export interface Expected {
  readonly status: number
  readonly error?: string
  readonly detail?: unknown
  /** What else must be true of the answer, and what is learnt from it. */
  readonly says?: (answer: Answer) => void
  /** The answer comes of work that is done in this mood; `lost` work is found by workers that begin after it. */
  readonly takes?: { readonly mood: Mood; readonly lost?: boolean; readonly of: "preview" | "list" }
}

export interface Call {
  readonly who: number
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly key?: string | undefined
  /** Refused for its form, before anybody asks what it is about or whether it came before. */
  readonly malformed?: boolean
  /** Whether the answer comes of background work of its own, so that all other work is best done before. */
  readonly works?: () => boolean
  /** Evaluated once, just before the request is sent; the model is then what the service has to become. */
  readonly expect: () => Expected
}

const refuse = (status: number, error: string, detail?: unknown): Expected => ({
  status,
  error,
  ...(detail === undefined ? {} : { detail })
})
const badRequest = refuse(400, "BAD_REQUEST")
const forbidden = refuse(403, "FORBIDDEN")
const notFound = refuse(404, "NOT_FOUND")
const internalError = refuse(500, "INTERNAL_ERROR")

const ok = (status: number, body: (body: any) => void): Expected => ({ status, says: (answer) => body(answer.body) })

const pick = <A>(all: ReadonlyArray<A>, at: number): A | undefined => all[all.length - 1 - (at % all.length)]

interface Seen<A> {
  readonly id: string
  /** What has this id, or why nobody may know: asked when the request is sent, which may be again and later. */
  readonly now: () => { readonly found: A | undefined; readonly refusal: Expected }
}

const seen = <A extends { readonly id: string }>(
  { at, of }: On,
  own: ReadonlyArray<A>,
  foreign: ReadonlyArray<A>,
  gone: ReadonlyArray<string>,
  ofForeign: Expected,
  isFar: (one: A) => boolean
): Seen<A> => {
  const mine = (of === "best" ? own.findLast(isFar) : undefined) ?? pick(own, at)
  const named = of === "own" || of === "best" ? mine?.id : of === "foreign" ? pick(foreign, at)?.id : undefined
  const id = named ?? (of === "nonsense" ? "42" : of === "gone" ? (pick(gone, at) ?? nobody) : nobody)
  return {
    id,
    now: () => ({
      found: own.find((one) => one.id === id),
      refusal: foreign.some((one) => one.id === id) ? ofForeign : notFound
    })
  }
}

const parties = (world: World, who: number): readonly [Workspace, Workspace] => {
  const [a, b] = world.workspaces
  return who === 0 ? [a, b] : [b, a]
}

/** Far enough to be written from, now or when its build is done. */
const isFar = (campaign: Campaign) => ["building", "ready"].includes(overall(campaign))

const seenCampaign = (world: World, who: number, on: On) => {
  const [own, other] = parties(world, who)
  return seen(on, own.campaigns, other.campaigns, own.goneCampaigns, forbidden, isFar)
}

const keyed = (key: number) => (key === 0 ? undefined : `key-${key}`)

/** A segment as it is sent, and the saved one it then is; nothing where there is none to be. */
const audienceOf = (world: World, who: number, kind: Extract<Command, { readonly do: "target" }>["audience"]) => {
  const [own, other] = parties(world, who)
  const [first, second] = own.segments
  const saved = (segment: Segment | undefined, change: Partial<Segment> = {}) => ({
    body: { target_audience: { id: segment?.id, segment_name: segment?.segment_name, ...change } },
    save: (): Segment | undefined => {
      const at = own.segments.findIndex(({ id }) => id === segment?.id)
      const before = own.segments[at]
      if (before === undefined) return undefined
      const after = { ...before, ...change }
      own.segments[at] = after
      return after
    }
  })
  switch (kind) {
    case "first":
      return saved(first)
    case "second":
      return saved(second)
    case "described":
      return saved(first, { company_size: first?.company_size === "50" ? "60" : "50" })
    case "custom":
      return {
        body: { target_audience: { segment_name: "Own", company_size: "7" }, is_custom_target_audience: true },
        save: () => ({ id: "custom", segment_name: "Own", company_size: "7" })
      }
    case "foreign":
      return saved(other.segments[0])
    case "unknown":
      return saved(first === undefined ? undefined : { ...first, id: nobody })
    case "nameless":
      return { ...saved(first, { segment_name: " " }), malformed: true }
    case "no id":
      return {
        body: { target_audience: { segment_name: "Own" } },
        malformed: true,
        anonymous: true,
        save: () => undefined
      }
    case "none":
      return { body: {}, malformed: true, save: () => undefined }
  }
}

const countBuild = (own: Workspace): Expected | undefined => {
  const { buildLimit, builds } = own.money
  if (builds < buildLimit) {
    own.money.builds++
    return undefined
  }
  return refuse(403, "FORBIDDEN", { reason: "campaign_build_limit", limit: buildLimit, used: builds })
}

const create = (world: World, { key, name, who }: Extract<Command, { readonly do: "create" }>): Call => {
  const [own] = parties(world, who)
  const malformed = name.trim() === ""
  return {
    who,
    method: "POST",
    path: "/campaigns",
    body: { name },
    key: keyed(key),
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const limited = countBuild(own)
      if (limited !== undefined) return limited
      const campaign = empty(name)
      own.campaigns.push(campaign)
      return ok(201, (body) => {
        assert.deepStrictEqual(body, { id: body.id, name, status: "draft" })
        campaign.id = body.id
      })
    }
  }
}

const rename = (world: World, { name, on, who }: Extract<Command, { readonly do: "rename" }>): Call => {
  const malformed = name.trim() === ""
  const { id, now } = seenCampaign(world, who, on)
  return {
    who,
    method: "PATCH",
    path: `/campaigns/${malformed && id === "42" ? nobody : id}`,
    body: { name },
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const { found, refusal } = now()
      if (found === undefined) return refusal
      found.name = name.trim()
      return ok(200, (body) => assert.deepInclude(body, { id, name: name.trim() }))
    }
  }
}

const remove = (world: World, { on, who }: Extract<Command, { readonly do: "delete campaign" }>): Call => {
  const [own] = parties(world, who)
  const { id, now } = seenCampaign(world, who, on)
  return {
    who,
    method: "DELETE",
    path: `/campaigns/${id}`,
    expect: () => {
      const { found, refusal } = now()
      if (found === undefined) return refusal
      const lists = own.lists.filter((list) => list.campaign === found)
      const statuses = lists.filter(inWork).map((list) => list.status)
      if (statuses.length > 0) {
        return {
          status: 409,
          error: "CONFLICT",
          says: ({ body }) => {
            assert.deepStrictEqual(Object.keys(body.detail), ["processing_status"])
            assert.include(statuses, body.detail.processing_status)
          }
        }
      }
      for (const list of lists) list.campaign = null
      own.campaigns.splice(own.campaigns.indexOf(found), 1)
      own.goneCampaigns.push(id)
      return ok(200, (body) => assert.deepStrictEqual(body, { id, deleted: true }))
    }
  }
}

const order = ["social_proof", "lead_magnet", "risk_reversal", "value_proposition"] as const
const steps = ["social-proof", "lead-magnets", "risk-reversal", "value-propositions"]

const branch = (world: World, command: Extract<Command, { readonly do: "branch" }>): Call => {
  const { key, name, on, step, who } = command
  const [own] = parties(world, who)
  const { id, now } = seenCampaign(world, who, on)
  const fromAudience = step === "target-audience"
  const audience = audienceOf(world, who, command.audience)
  const anonymous = "anonymous" in audience
  const malformed = name === "" || step === "middle" || (fromAudience && "malformed" in audience && !anonymous)
  return {
    who,
    method: "POST",
    path: `/campaigns/${malformed && id === "42" ? nobody : id}/branch`,
    body: { name, branch_from_step: step, ...(fromAudience ? audience.body : {}) },
    key: keyed(key),
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const { found, refusal } = now()
      if (found === undefined) return refusal
      if (found.audience === null || (fromAudience && anonymous)) return refuse(422, "UNPROCESSABLE")
      const campaign = empty(name)
      if (fromAudience) {
        const before = [...own.segments]
        const segment = audience.save()
        if (segment === undefined) return notFound
        const limited = countBuild(own)
        if (limited !== undefined) {
          own.segments.splice(0, own.segments.length, ...before)
          return limited
        }
        link(own, campaign, segment)
      } else {
        const limited = countBuild(own)
        if (limited !== undefined) return limited
        campaign.audience = found.audience
        campaign.research = found.research === "ready" ? "ready" : "running"
        for (const type of order.slice(0, steps.indexOf(step))) campaign.chosen[type] = found.chosen[type]
      }
      own.campaigns.push(campaign)
      return ok(201, (body) => {
        assert.deepStrictEqual(body, { id: body.id, source_campaign_id: id })
        campaign.id = body.id
      })
    }
  }
}

const target = (world: World, command: Extract<Command, { readonly do: "target" }>): Call => {
  const { key, on, who } = command
  const [own] = parties(world, who)
  const { id, now } = seenCampaign(world, who, on)
  const audience = audienceOf(world, who, command.audience)
  const malformed = "malformed" in audience
  return {
    who,
    method: "POST",
    path: `/campaigns/${malformed && id === "42" ? nobody : id}/target-audience`,
    body: audience.body,
    key: keyed(key),
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const { found, refusal } = now()
      if (found === undefined) return refusal
      const segment = audience.save()
      if (segment === undefined) return notFound
      link(own, found, segment)
      return ok(202, (body) => {
        assert.deepInclude(body, { type: "campaign.target_audience", status: "processing" })
        if (segment.id !== "custom") assert.strictEqual(body.target_audience_id, segment.id)
      })
    }
  }
}

const select = (world: World, command: Extract<Command, { readonly do: "select" }>): Call => {
  const { key, on, type, who } = command
  const [own] = parties(world, who)
  const { id, now } = seenCampaign(world, who, on)
  const proposing = type === "value_proposition"
  const drawn = now().found
  const options = proposing
    ? (drawn?.proposals ?? []).map((option, at) => ({
        id: option,
        name: ["Save time", "Save money", "Sleep well"][at] ?? ""
      }))
    : (own.options[type] ?? [])
  const [first = { id: nobody, name: "" }, second = first] = options
  const stray = command.pick === "stray" && first !== second
  const items = { both: [first, second], none: [], second: [second] }[command.pick as string] ?? [first]
  const unknown =
    command.pick === "unknown" ? [nobody] : command.pick === "stale" ? (drawn?.stale ?? []).slice(0, 1) : []
  const selected_ids = [...new Set([...items.map((item) => item.id), ...unknown])]
  const edited = command.pick === "edited" && items.length > 0
  const details = command.pick === "remarked" ? { additional_details: "Mind the gap" } : {}
  return {
    who,
    method: "PUT",
    path: `/campaigns/${id}/assets/${type}/selection`,
    body: {
      selected_ids,
      ...(edited ? { edited_names: { [first.id]: "Mine" } } : {}),
      ...(stray ? { edited_names: { [second.id]: "Mine" } } : {}),
      ...details
    },
    key: keyed(key),
    expect: () => {
      if (id === "42") return notFound
      if (stray || (proposing && selected_ids.length === 0)) return badRequest
      const { found, refusal } = now()
      if (found === undefined) return refusal
      if (proposing && (found.options !== "ready" || found.research === "failed")) return refuse(409, "NOT_READY")
      const known = proposing ? found.proposals : (own.options[type] ?? []).map((option) => option.id)
      const unknown_ids = selected_ids.filter((one) => !known.includes(one))
      if (unknown_ids.length > 0) return refuse(400, "BAD_REQUEST", { unknown_ids })
      const names = items.map((item) => (edited ? "Mine" : item.name))
      const content = JSON.stringify([selected_ids, names, details])
      const same = found.chosen[type]?.content === content
      found.chosen[type] = { names, content }
      const says = (body: any) => {
        assert.deepInclude(body, { asset_type: type, items_stored: items.length })
        if (proposing) assert.deepInclude(body.job, { type: "campaign.build", status: "processing" })
        else assert.notProperty(body, "job")
      }
      if (!proposing) {
        if (!same) reopen(own, found)
        return ok(200, says)
      }
      if (!same || !found.selected || found.build === "failed") {
        found.selected = true
        found.build = "running"
      }
      return ok(202, says)
    }
  }
}

const propose = (world: World, { key, on, who }: Extract<Command, { readonly do: "propose" }>): Call => {
  const [own] = parties(world, who)
  const { id, now } = seenCampaign(world, who, on)
  return {
    who,
    method: "POST",
    path: `/campaigns/${id}/assets/value_proposition/generate`,
    key: keyed(key),
    expect: () => {
      const { found, refusal } = now()
      if (found === undefined) return refusal
      const missing = [
        ...(found.audience === null || found.research === "failed" ? ["target_audience"] : []),
        ...order.slice(0, 3).filter((type) => found.chosen[type] === null)
      ]
      if (missing.length > 0) return refuse(409, "NOT_READY", { missing })
      if (found.options !== "running") {
        reopen(own, found)
        found.options = "running"
      }
      return ok(202, (body) => assert.deepInclude(body, { type: "campaign.value_propositions", status: "processing" }))
    }
  }
}

const signatures = {
  inline: { email_signature: "Bo" },
  unknown: { signature_id: nobody },
  none: {},
  both: { email_signature: "Bo", signature_id: nobody }
}
const emails = 2

/** What all three ways to have emails written refuse first. */
const writing = (world: World, command: Extract<Command, { readonly do: "generate" | "batch" | "preview" }>) => {
  const { enriched, on, signature, who } = command
  const { id, now } = seenCampaign(world, who, on)
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
  refuse(402, "INSUFFICIENT_CREDITS", own.money.shortfall(required, held(own)))

const asLead = (kind: string, at: number) => ({ email: `lead${at}@lead.example`, name: kind, company: "North" })

const generate = (world: World, command: Extract<Command, { readonly do: "generate" }>): Call => {
  const { lead, mood, who } = command
  const [own] = parties(world, who)
  const { cost, first, id, options, ...form } = writing(world, command)
  const written = lead === "nobody" ? undefined : lead
  const malformed = form.malformed || written === undefined
  return {
    who,
    method: "POST",
    path: `/campaigns/${malformed && id === "42" ? nobody : id}/generate`,
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
      if (headroom(own) < cost) return shortfall(own, cost)
      const alone = !own.lists.some(inWork)
      const list = accept(own, campaign, { cost, kind: "single", leads: [written], name: "One", steps: emails })
      rest(world, mood)
      const takes = { mood, of: "list" } as const
      if (count(list, "completed") === 0) return { ...internalError, takes }
      const remaining = own.money.balance(held(own))
      return {
        status: 200,
        takes,
        says: ({ body }) => {
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

const batch = (world: World, command: Extract<Command, { readonly do: "batch" }>): Call => {
  const { many, plain, refused, slow, who } = command
  const [own] = parties(world, who)
  const { cost, first, id, options, ...form } = writing(world, command)
  const kinds: ReadonlyArray<readonly [LeadKind, number]> = [
    ["refused", refused],
    ["plain", plain + (many ? 25 : 0)],
    ["slow", slow]
  ]
  const leads = kinds.flatMap(([kind, times]) => Array.from({ length: times }, () => kind))
  const malformed = form.malformed || leads.length === 0
  return {
    who,
    method: "POST",
    path: `/campaigns/${malformed && id === "42" ? nobody : id}/generate-batch`,
    body: { leads: leads.map(asLead), options },
    malformed,
    expect: () => {
      if (malformed) return badRequest
      const campaign = first()
      if ("status" in campaign) return campaign
      if (!isFar(campaign)) return badRequest
      const batches = own.lists.filter((list) => list.kind === "batch" && inWork(list))
      if (batches.length >= own.money.concurrentLists) return refuse(429, "WORKSPACE_LIMIT")
      const required = leads.length * cost
      if (headroom(own) < required) return shortfall(own, required)
      const name = `API Batch (${leads.length})`
      const list = accept(own, campaign, { cost, kind: "batch", leads, name, steps: emails })
      return ok(202, (body) => {
        assert.deepInclude(body, { status: "processing", leads_count: leads.length, sequence_id: body.list_id })
        list.id = body.list_id
      })
    }
  }
}

const previewLeads = 5

const preview = (world: World, command: Extract<Command, { readonly do: "preview" }>): Call => {
  const { fate, key, who } = command
  const [own] = parties(world, who)
  const { first, id, malformed, options } = writing(world, command)
  const failed = { written: 0, partly: 2, refused: 5, down: 5, lost: 5 }[fate]
  return {
    who,
    method: "POST",
    path: `/campaigns/${malformed && id === "42" ? nobody : id}/preview`,
    body: {
      sample: { headers: ["Email", "Company"] },
      options: {
        ...options,
        ...(fate === "partly" || fate === "refused" ? { additional_details: failing(failed) } : {})
      }
    },
    key: keyed(key),
    malformed,
    works: () => {
      const campaign = first()
      return !malformed && !("status" in campaign) && overall(campaign) === "ready"
    },
    expect: () => {
      if (malformed) return badRequest
      const campaign = first()
      if ("status" in campaign) return campaign
      if (overall(campaign) !== "ready") return refuse(409, "NOT_READY")
      if (headroom(own) < previewLeads) return shortfall(own, previewLeads)
      const takes = { mood: fate === "down" ? "down" : "well", lost: fate === "lost", of: "preview" } as const
      const spent = own.money.spend(previewLeads)
      if (failed > 0) own.money.refund(spent.slice(-failed))
      if (failed === previewLeads) return { ...internalError, takes }
      return {
        status: 200,
        takes,
        says: ({ body }) => {
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

/** As GET /lists/:id says it; times and the file apart. */
const listBody = (list: List) => ({
  id: list.id,
  campaign_id: list.campaign?.id ?? null,
  custom_name: list.name,
  processing_status: list.status,
  ...(list.status === "completed"
    ? {
        leads_count: leadsOf(list).length,
        emails_created: count(list, "completed") * list.steps
      }
    : list.status === "failed"
      ? {}
      : {
          progress: {
            leads_total: leadsOf(list).length,
            leads_done: count(list, "completed"),
            leads_failed: count(list, "failed")
          }
        })
})

const exported = (list: List) =>
  leadsOf(list).flatMap((lead, at) => (lead.state === "completed" ? [asLead(lead.kind, at).email] : []))

/** The lists that an ending of their path has something to do with. */
const suits = (go: string) => (list: List) =>
  go === "reprocess" ? list.status === "pending" : go === "delete" ? inWork(list) : list.status === "completed"

const list = (world: World, { go, on, who }: Extract<Command, { readonly do: "list" }>): Call => {
  const [own, other] = parties(world, who)
  const { id, now } = seen(on, own.lists, other.lists, own.goneLists, notFound, suits(go))
  const path = `/lists/${id}`
  const call = (method: string, then: (list: List) => Expected, more: Partial<Call> = {}): Call => ({
    who,
    method,
    path,
    ...more,
    expect: () => {
      const { found, refusal } = now()
      return more.malformed ? badRequest : found === undefined ? refusal : then(found)
    }
  })
  const named = (custom_name: string) =>
    call(
      "PATCH",
      (list) => {
        list.name = custom_name
        return ok(200, (body) => assert.deepInclude(body, { id, custom_name, processing_status: list.status }))
      },
      {
        body: { custom_name },
        malformed: custom_name === "",
        ...(custom_name === "" ? { path: `/lists/${nobody}` } : {})
      }
    )
  const exporting = (format: string, says: (answer: Answer, list: List) => void) =>
    call(
      "GET",
      (list) =>
        list.status === "completed"
          ? { status: 200, says: (answer) => says(answer, list) }
          : refuse(409, "NOT_READY", { processing_status: list.status }),
      { path: `/lists/${format === "xml" ? nobody : id}/export?format=${format}`, malformed: format === "xml" }
    )
  switch (go) {
    case "read":
      return call("GET", (list) =>
        ok(200, ({ completed_at, created_at, failed_at, processed_file_path, updated_at, ...body }) => {
          assert.deepStrictEqual(body, listBody(list))
          for (const field of [completed_at, processed_file_path]) {
            assert.strictEqual(typeof field === "string", list.status === "completed")
          }
          assert.strictEqual(typeof failed_at === "string", list.status === "failed")
          assert.isString(created_at)
          assert.isString(updated_at)
        })
      )
    case "rename":
      return named("Fair")
    case "unname":
      return named("")
    case "delete":
      return call("DELETE", (list) => {
        if (inWork(list)) return refuse(409, "CONFLICT", { processing_status: list.status })
        own.lists.splice(own.lists.indexOf(list), 1)
        own.goneLists.push(id)
        return ok(200, (body) => assert.deepStrictEqual(body, { id, deleted: true }))
      })
    case "reprocess":
      return call("POST", (list) => {
        const parked = list.batches.filter((batch) => batch.state === "parked")
        if (list.campaign === null || parked.length === 0) return refuse(422, "UNPROCESSABLE")
        const far = overall(list.campaign)
        if (!list.briefed && far !== "ready" && far !== "building") return refuse(422, "UNPROCESSABLE")
        list.briefed ||= far === "ready"
        for (const batch of parked) batch.state = list.briefed ? "open" : "waiting"
        list.status = "processing"
        return ok(202, (body) =>
          assert.deepInclude(body, {
            list_id: id,
            status: "processing",
            pending_batches: parked.length,
            batches_total: list.batches.length
          })
        )
      })
    case "csv":
      return exporting("csv", ({ text }, list) => {
        const [, ...rows] = text.trimEnd().split("\r\n")
        assert.deepStrictEqual(
          rows.map((row) => row.split(",")[0]),
          exported(list)
        )
      })
    case "json":
      return exporting("json", ({ body }, list) => {
        assert.deepStrictEqual(
          body.leads.map((lead: { readonly email: string }) => lead.email),
          exported(list)
        )
        for (const { sequence } of body.leads) assert.lengthOf(sequence, list.steps)
      })
    case "xml":
      return exporting("xml", () => {})
  }
}

const look = (world: World, { on, who }: Extract<Command, { readonly do: "look" }>): Call => {
  const { id, now } = seenCampaign(world, who, on)
  return {
    who,
    method: "GET",
    path: `/campaigns/${id}/selections`,
    expect: () => {
      const { found, refusal } = now()
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

const check = (world: World, { required, who }: Extract<Command, { readonly do: "check" }>): Call => {
  const [own] = parties(world, who)
  return {
    who,
    method: "GET",
    path: `/credits/check?required=${required}`,
    expect: () =>
      required === 0
        ? badRequest
        : ok(200, (body) =>
            assert.deepStrictEqual(body, {
              ...own.money.shortfall(required, held(own)),
              sufficient: headroom(own) >= required
            })
          )
  }
}

/** The step that this campaign lacks. */
export const nextOf = (world: World, who: 0 | 1, at: 0 | 1 | 2): Command => {
  const campaign = pick(parties(world, who)[0].campaigns, at)
  const on: On = { of: "own", at }
  const plain = { who, on, key: 0 } as const
  if (campaign === undefined) return { do: "create", who, name: "Spring", key: 0 }
  if (campaign.audience === null || campaign.research === "failed") return { do: "target", ...plain, audience: "first" }
  const type = order.slice(0, 3).find((type: AssetType) => campaign.chosen[type] === null)
  if (type !== undefined) return { do: "select", ...plain, type, pick: "first" }
  if (campaign.options === "none" || campaign.options === "failed") return { do: "propose", ...plain }
  if (campaign.options === "running" || campaign.build === "running") return { do: "rest", mood: "well" }
  if (overall(campaign) === "ready") return { do: "look", who, on }
  return { do: "select", ...plain, type: "value_proposition", pick: "first" }
}

/** What has to be done first so that there is something for this command to be about. */
export const before = (world: World, command: Command): Command | undefined => {
  if (!("on" in command) || (command.on.of !== "own" && command.on.of !== "best")) return undefined
  const { do: what, who } = command
  const [{ campaigns, lists }] = parties(world, who)
  const needsBuilt = what === "batch" || what === "generate" || what === "preview" || what === "list"
  if (campaigns.length === 0) return nextOf(world, who, 0)
  if (!needsBuilt || command.on.of === "own" || (what === "list" && lists.length > 0)) return undefined
  if (!campaigns.some(isFar)) return nextOf(world, who, 0)
  const leads = { plain: 2, refused: 1, slow: 1, many: false, afterwards: "stalling" } as const
  return what === "list"
    ? { do: "batch", who, on: command.on, signature: "inline", enriched: false, ...leads }
    : undefined
}

/** The request that this command sends; nothing if it sends none. */
export const callOf = (world: World, command: Command): Call | undefined => {
  switch (command.do) {
    case "create":
      return create(world, command)
    case "rename":
      return rename(world, command)
    case "delete campaign":
      return remove(world, command)
    case "branch":
      return branch(world, command)
    case "target":
      return target(world, command)
    case "select":
      return select(world, command)
    case "propose":
      return propose(world, command)
    case "generate":
      return generate(world, command)
    case "batch":
      return batch(world, command)
    case "preview":
      return preview(world, command)
    case "list":
      return list(world, command)
    case "look":
      return look(world, command)
    case "check":
      return check(world, command)
    default:
      return undefined
  }
}
