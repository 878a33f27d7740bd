// test/machine/Reviewing.ts: requests that review the emails of a list: read, edit, restore, approve, reject and rewrite.
import { assert } from "@effect/vitest"
import { severities } from "#schema/ListLeads.ts"
import { unknownId } from "#test/support/endpoints.ts"
import { type Call, type Expected, idempotencyKey, notFound, ok, refuse } from "./Call.ts"
import type { CommandOf, ResourceRef } from "./Commands.ts"
import {
  addressOf,
  type ReviewStatus,
  spendableCredits,
  reservedCredits,
  isSuppressed,
  type Lead,
  leadsIn,
  type List,
  type World
} from "./Model.ts"
import { ownAndOther, lookUp } from "./Lookup.ts"

/** A text that makes the checker fail an email. */
export const unfilledVariable = "{{first_name}}"

const severityRank = (severity: string) => severities.findIndex((value) => value === severity)

const hasCompletedLead = (list: List) => leadsIn(list).some((lead) => lead.state === "completed")

/** For this index, leads without emails are candidates too. */
const indexOfAnyLead = 3

/** Resolves a command's reference to a list. */
const lookUpList = (world: World, caller: number, resource: ResourceRef) => {
  const [ownWorkspace, otherWorkspace] = ownAndOther(world, caller)
  return {
    ownWorkspace,
    ...lookUp(
      resource,
      ownWorkspace.lists,
      otherWorkspace.lists,
      ownWorkspace.deletedListIds,
      notFound,
      hasCompletedLead
    )
  }
}

/** Resolves a command's reference to a lead of a list. */
const lookUpLead = (world: World, caller: number, resource: ResourceRef, index: number) => {
  const { id: list, resolve, ownWorkspace } = lookUpList(world, caller, resource)
  const knownLeadsOf = (list: List | undefined) =>
    list === undefined ? [] : leadsIn(list).filter(({ id }) => id !== "")
  const knownLeads = knownLeadsOf(resolve().found)
  const leadsWithEmails = knownLeads.filter(({ state }) => state === "completed")
  const candidates = index === indexOfAnyLead || leadsWithEmails.length === 0 ? knownLeads : leadsWithEmails
  const id = candidates[index % Math.max(1, candidates.length)]?.id ?? unknownId
  return {
    ownWorkspace,
    id,
    path: `/lists/${list}/leads/${id}`,
    /** Expects what `expectedForLead` returns for the lead, or the refusal if there is no such lead. */
    expectFor: (expectedForLead: (lead: Lead, list: List) => Expected) => (): Expected => {
      const { found, refusal } = resolve()
      if (found === undefined) return refusal
      const lead = knownLeadsOf(found).find((value) => value.id === id)
      return lead === undefined ? notFound : expectedForLead(lead, found)
    }
  }
}

/** Compares the body of GET /lists/:id/leads/:lead_id with the model. */
const assertLeadBody = (body: any, lead: Lead) => {
  assert.deepInclude(body, { id: lead.id, email: addressOf(lead.position), status: lead.state })
  assert.strictEqual(body.review.status, lead.review)
  assert.deepStrictEqual(
    body.emails.map(({ body, subject, version }: any) => [subject, body, version]),
    lead.emails.map((versions) => [versions.at(-1)?.subject, versions.at(-1)?.body, versions.length])
  )
}

interface CheckedEmail {
  readonly findings: ReadonlyArray<{ readonly severity: string }>
}
export const isFailing = ({ findings }: CheckedEmail) => findings.some(({ severity }) => severity === "fail")

/** Reopens an approved lead if one of its emails now fails a check. */
const reopenFailing = (lead: Lead, step: number, email: CheckedEmail) => {
  if (lead.review === "approved" && isFailing(email) && lead.isFailingByStep[step - 1] === false) lead.review = "open"
}

export const review = (
  world: World,
  { action, key, lead: index, resource, step, caller }: CommandOf<"review">
): Call => {
  const { id, ownWorkspace, path, expectFor } = lookUpLead(world, caller, resource, index)
  const emailPath = `${path}/emails/${step}`
  const leadNow = leadsIn({ batches: ownAndOther(world, caller)[0].lists.flatMap((list) => list.batches) }).find(
    (lead) => lead.id === id && id !== ""
  )
  const versionsBefore = leadNow?.emails[step - 1] ?? []
  const call = (method: string, path: string, body: unknown, expect: () => Expected, key?: string): Call => ({
    caller,
    method,
    path,
    ...(body === undefined ? {} : { body }),
    key,
    expect
  })
  const decide = (status: ReviewStatus) =>
    call(
      "PUT",
      `${path}/review`,
      { status },
      expectFor((lead, list) => {
        if (lead.state !== "completed") return refuse(422, "UNPROCESSABLE")
        if (status === "approved" && isSuppressed(ownWorkspace, lead.position)) return refuse(422, "UNPROCESSABLE")
        // Repeating a decision does not mark the lead as seen.
        lead.seen ||= lead.review !== status
        lead.review = status
        list.needsLeadCheck = true
        return ok(200, (body) => assertLeadBody(body, lead))
      })
    )
  const edit = (body: string, version = versionsBefore.length || 1) =>
    call(
      "PATCH",
      emailPath,
      { body, version },
      expectFor((lead, list) => {
        const versions = lead.emails[step - 1]
        const current = versions?.at(-1)
        if (versions === undefined || current === undefined) return notFound
        if (version !== versions.length) return refuse(409, "CONFLICT")
        if (body !== current.body) {
          versions.push({ ...current, body, author: "person", createdAt: world.now })
          lead.seen = lead.needsVersionCheck = list.needsLeadCheck = true
        }
        return ok(200, (body) => {
          assert.deepInclude(body, { step, body: versions.at(-1)?.body, version: versions.length })
          assert.strictEqual(body.edited, versions.at(-1)?.author === "person")
          reopenFailing(lead, step, body)
        })
      })
    )
  const restore = (version: number) =>
    call(
      "POST",
      `${emailPath}/restore`,
      { version },
      expectFor((lead, list) => {
        const versions = lead.emails[step - 1]
        const restored = versions?.[version - 1]
        if (versions === undefined || restored === undefined) return notFound
        if (version !== versions.length) {
          versions.push({ ...restored, createdAt: world.now })
          lead.seen = lead.needsVersionCheck = list.needsLeadCheck = true
        }
        const versionCount = versions.length
        return ok(200, (body) => {
          assert.deepInclude(body, { step, body: restored.body, version: versionCount })
          reopenFailing(lead, step, body)
        })
      }),
      idempotencyKey(key)
    )
  switch (action) {
    case "read":
      return call(
        "GET",
        path,
        undefined,
        expectFor((lead) => {
          lead.seen ||= lead.state === "completed"
          return ok(200, (body) => assertLeadBody(body, lead))
        })
      )
    case "edit":
      return edit(`Hello,\n\nWho looks after the pumps, for the ${versionsBefore.length + 1}. time?\n\nBo`)
    case "break":
      return edit(
        `Hello ${unfilledVariable},\n\nWho looks after the pumps, for the ${versionsBefore.length + 1}. time?\n\nBo`
      )
    case "same":
      return edit(versionsBefore.at(-1)?.body ?? "Hello")
    case "stale":
      return edit("Hello, too late", versionsBefore.length + 1)
    case "restore":
      return restore(Math.max(1, versionsBefore.length - 1))
    case "restore none":
      return restore(99)
    case "approve":
      return decide("approved")
    case "reject":
      return decide("rejected")
    case "open":
      return decide("open")
  }
}

/** The email that the fake playbook's template makes for a lead. The last email of a sequence uses the fourth template. */
const templateEmail = (lead: Lead, index: number) => ({
  subject: `Step ${index + 1 === lead.emails.length ? 4 : index + 1}`,
  body: `Hi ${lead.kind.replace(/^./, (firstLetter) => firstLetter.toUpperCase())},\n\nWho looks after this?\n\nBo`
})

export const rewrite = (
  world: World,
  { key, lead: index, resource, step, variant, caller }: CommandOf<"rewrite">
): Call => {
  const { ownWorkspace, path, expectFor } = lookUpLead(world, caller, resource, index)
  return {
    caller,
    method: "POST",
    path: `${path}/rewrite`,
    body: { ...(step === 0 ? {} : { step }), ...(variant === 0 ? {} : { variant }) },
    key: idempotencyKey(key),
    expect: expectFor((lead, list) => {
      const unprocessable = refuse(422, "UNPROCESSABLE")
      if (lead.state !== "completed" || step > lead.emails.length) return unprocessable
      if (isSuppressed(ownWorkspace, lead.position)) return unprocessable
      if (spendableCredits(ownWorkspace) < 1)
        return refuse(
          402,
          "INSUFFICIENT_CREDITS",
          ownWorkspace.creditAccount.shortfall(1, reservedCredits(ownWorkspace))
        )
      if (list.campaign === null || variant > 1) return unprocessable
      const changedEmails = lead.emails.filter((versions, index) => {
        const text = templateEmail(lead, index)
        const current = versions.at(-1)
        if (step !== 0 && step !== index + 1) return false
        if (current?.subject === text.subject && current.body === text.body) return false
        versions.push({ ...text, author: "rewrite", createdAt: world.now })
        return true
      })
      // A rewrite costs one credit for all emails of the lead, and nothing if no email changes.
      if (changedEmails.length > 0) {
        ownWorkspace.creditAccount.spend(1)
        lead.review = "open"
        lead.seen = lead.needsVersionCheck = list.needsLeadCheck = true
      }
      return ok(200, (body) => assertLeadBody(body, lead))
    })
  }
}

export const reviewMany = (world: World, { key, resource, rule, status, caller }: CommandOf<"bulk">): Call => {
  const { id, resolve, ownWorkspace } = lookUpList(world, caller, resource)
  const listNow = resolve().found
  const ids = (listNow === undefined ? [] : leadsIn(listNow)).map((lead) => lead.id).filter((id) => id !== "")
  const selectedIds =
    rule === "named" || rule === "both"
      ? ids.slice(0, 3)
      : rule === "stray"
        ? [...ids.slice(0, 1), unknownId]
        : undefined
  const severity = rule === "both" ? "none" : rule === "none" || rule === "hint" || rule === "warn" ? rule : undefined
  const where = severity !== undefined ? { severity } : rule === "seen" ? { seen: true } : undefined
  return {
    caller,
    method: "POST",
    path: `/lists/${id}/review`,
    body: {
      status,
      ...(selectedIds === undefined ? {} : { lead_ids: selectedIds }),
      ...(where === undefined ? {} : { where })
    },
    key: idempotencyKey(key),
    expect: () => {
      const { found, refusal } = resolve()
      if (found === undefined) return refusal
      if (rule === "stray") return notFound
      const worstSeverity = Math.min(
        severityRank(severity ?? "fail"),
        severityRank(status === "approved" ? "warn" : "fail")
      )
      const changedLeads = leadsIn(found).filter(
        (lead) =>
          lead.state === "completed" &&
          lead.review !== status &&
          lead.severity <= worstSeverity &&
          !(status === "approved" && isSuppressed(ownWorkspace, lead.position)) &&
          (rule !== "seen" || lead.seen) &&
          (selectedIds === undefined
            ? status !== "approved" || lead.review !== "rejected"
            : selectedIds.includes(lead.id))
      )
      for (const lead of changedLeads) lead.review = status
      found.needsLeadCheck = true
      return ok(200, (body) => assert.strictEqual(body.changed, changedLeads.length))
    }
  }
}

export const severityOf = (emails: ReadonlyArray<CheckedEmail>) =>
  Math.max(0, ...emails.flatMap(({ findings }) => findings.map(({ severity }) => severityRank(severity))))
