// test/machine/Lists.ts: requests that read, rename, export, reprocess and delete a list.
import { assert } from "@effect/vitest"
import type { Answer } from "#test/support/answers.ts"
import { unknownId } from "#test/support/endpoints.ts"
import { badRequest, type Call, type Expected, notFound, ok, refuse } from "./Call.ts"
import type { CommandOf } from "./Commands.ts"
import {
  addressOf,
  countLeads,
  isRunning,
  isSuppressed,
  type Lead,
  leadsIn,
  type List,
  campaignStatus,
  type Workspace,
  type World
} from "./Model.ts"
import { ownAndOther, lookUp } from "./Lookup.ts"

const skippedField = (list: List) => {
  const leads_skipped = countLeads(list, "skipped")
  return leads_skipped === 0 ? {} : { leads_skipped }
}

const emailsChangedSinceExport = (list: List) =>
  leadsIn(list).flatMap(({ emails, exportedAt }) =>
    exportedAt === null ? [] : emails.filter((versions) => (versions.at(-1)?.createdAt ?? 0) >= exportedAt)
  ).length

/** The expected body of GET /lists/:id, without times and the file path. */
export const listBody = (list: List) => ({
  id: list.id,
  campaign_id: list.campaign?.id ?? null,
  custom_name: list.name,
  processing_status: list.status,
  ...(list.kind === "single" ? { source: "api_single" } : {}),
  ...(list.status === "completed"
    ? {
        leads_count: leadsIn(list).length,
        ...skippedField(list),
        emails_created: countLeads(list, "completed") * list.steps
      }
    : list.status === "failed"
      ? {}
      : {
          progress: {
            leads_total: leadsIn(list).length,
            leads_done: countLeads(list, "completed"),
            leads_failed: countLeads(list, "failed"),
            ...skippedField(list)
          }
        }),
  ...(list.exportedAt === null ? {} : { changed_since_export: emailsChangedSinceExport(list) })
})

const writtenLeads = (list: List) => leadsIn(list).filter(({ state }) => state === "completed")

/** The leads in an export for a sending tool, which leaves suppressed ones out. */
const sendableLeads = (ownWorkspace: Workspace, list: List) =>
  writtenLeads(list).filter(({ position }) => !isSuppressed(ownWorkspace, position))

const addressesOf = (leads: ReadonlyArray<Lead>) => leads.map(({ position }) => addressOf(position))

/** Whether the action is likely to succeed on a list. */
const isSuitedTo = (action: string) => (list: List) =>
  action === "reprocess"
    ? list.status === "pending"
    : action === "delete"
      ? isRunning(list)
      : list.status === "completed"

export const list = (world: World, { action, resource, caller }: CommandOf<"list">): Call => {
  const [ownWorkspace, otherWorkspace] = ownAndOther(world, caller)
  const { id, resolve } = lookUp(
    resource,
    ownWorkspace.lists,
    otherWorkspace.lists,
    ownWorkspace.deletedListIds,
    notFound,
    isSuitedTo(action)
  )
  const path = `/lists/${id}`
  const call = (method: string, expectFor: (list: List) => Expected, overrides: Partial<Call> = {}): Call => ({
    caller,
    method,
    path,
    ...overrides,
    expect: () => {
      const { found, refusal } = resolve()
      return overrides.malformed ? badRequest : found === undefined ? refusal : expectFor(found)
    }
  })
  const renameTo = (custom_name: string) =>
    call(
      "PATCH",
      (list) => {
        list.name = custom_name
        return ok(200, (body) => assert.deepInclude(body, { id, custom_name, processing_status: list.status }))
      },
      {
        body: { custom_name },
        malformed: custom_name === "",
        ...(custom_name === "" ? { path: `/lists/${unknownId}` } : {})
      }
    )
  const exportAs = (
    format: string,
    leadsOf: (list: List) => ReadonlyArray<Lead>,
    checkExport: (answer: Answer, leads: ReadonlyArray<Lead>, list: List) => void
  ) =>
    call(
      "GET",
      (list) => {
        if (list.status !== "completed") return refuse(409, "NOT_READY", { processing_status: list.status })
        const leads = leadsOf(list)
        return { status: 200, checkAnswer: (answer) => checkExport(answer, leads, list), exported: { list, leads } }
      },
      { path: `/lists/${format === "xml" ? unknownId : id}/export?format=${format}`, malformed: format === "xml" }
    )
  switch (action) {
    case "read":
      return call("GET", (list) =>
        ok(200, ({ completed_at, created_at, exported_at, failed_at, processed_file_path, updated_at, ...body }) => {
          assert.deepStrictEqual(body, listBody(list))
          assert.strictEqual(typeof exported_at === "string", list.exportedAt !== null)
          for (const field of [completed_at, processed_file_path]) {
            assert.strictEqual(typeof field === "string", list.status === "completed")
          }
          assert.strictEqual(typeof failed_at === "string", list.status === "failed")
          assert.isString(created_at)
          assert.isString(updated_at)
        })
      )
    case "rename":
      return renameTo("Fair")
    case "unname":
      return renameTo("")
    case "delete":
      return call("DELETE", (list) => {
        if (isRunning(list)) return refuse(409, "CONFLICT", { processing_status: list.status })
        ownWorkspace.lists.splice(ownWorkspace.lists.indexOf(list), 1)
        ownWorkspace.deletedListIds.push(id)
        // Answers about leads hold their data, so they are deleted with the list.
        for (const request of ownWorkspace.answersByKey.keys()) {
          if (request.startsWith(`POST ${path}/leads/`)) ownWorkspace.answersByKey.delete(request)
        }
        return ok(200, (body) => assert.deepStrictEqual(body, { id, deleted: true }))
      })
    case "reprocess":
      return call("POST", (list) => {
        const parkedBatches = list.batches.filter((batch) => batch.state === "parked")
        if (list.campaign === null || parkedBatches.length === 0) return refuse(422, "UNPROCESSABLE")
        const buildState = campaignStatus(list.campaign)
        if (!list.isCampaignBuilt && buildState !== "ready" && buildState !== "building")
          return refuse(422, "UNPROCESSABLE")
        list.isCampaignBuilt ||= buildState === "ready"
        for (const batch of parkedBatches) batch.state = list.isCampaignBuilt ? "open" : "waiting"
        list.status = "processing"
        return ok(202, (body) =>
          assert.deepInclude(body, {
            list_id: id,
            status: "processing",
            pending_batches: parkedBatches.length,
            batches_total: list.batches.length
          })
        )
      })
    case "csv":
      return exportAs("csv", writtenLeads, ({ text }, leads) => {
        const [, ...rows] = text.trimEnd().split("\r\n")
        assert.deepStrictEqual(
          rows.map((row) => row.split(",")[0]),
          addressesOf(leads)
        )
      })
    case "json":
      return exportAs("json", writtenLeads, ({ body }, leads, list) => {
        assert.deepStrictEqual(
          body.leads.map((lead: { readonly email: string }) => lead.email),
          addressesOf(leads)
        )
        for (const { sequence } of body.leads) assert.lengthOf(sequence, list.steps)
        for (const { email, sequence } of body.leads) {
          const lead = leadsIn(list).find(({ position }) => addressOf(position) === email)
          assert.deepStrictEqual(
            sequence.map((email: { readonly body: string }) => email.body),
            lead?.emails.map((versions) => versions.at(-1)?.body)
          )
        }
      })
    case "approved":
      return exportAs(
        "json&review=approved",
        (list) => sendableLeads(ownWorkspace, list).filter(({ review }) => review === "approved"),
        ({ body }, leads) =>
          assert.deepStrictEqual(
            body.leads.map((lead: { readonly email: string }) => lead.email),
            addressesOf(leads)
          )
      )
    case "preset":
    case "new":
      return exportAs(
        action === "new" ? "csv&exported=new" : "csv&preset=instantly",
        (list) =>
          sendableLeads(ownWorkspace, list).filter(({ exportedAt }) => action === "preset" || exportedAt === null),
        ({ text }, leads) => assert.deepStrictEqual(text.match(/lead\d+@lead\.example/g) ?? [], addressesOf(leads))
      )
    case "xml":
      return exportAs(
        "xml",
        () => [],
        () => {}
      )
  }
}
