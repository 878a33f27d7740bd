// test/machine/Reviewing.ts: requests that review the emails of a list: read, edit, restore, decide and write again.
import { assert } from "@effect/vitest"
import { severities } from "#schema/ListLeads.ts"
import { unknownId } from "#test/support/endpoints.ts"
import { type Call, type Expected, idempotencyKey, notFound, ok, refuse } from "./Call.ts"
import type { CommandOf, Subject } from "./Commands.ts"
import {
  addressOf,
  type Decision,
  headroom,
  heldCredits,
  isSuppressed,
  type Lead,
  leadsOf,
  type List,
  type World
} from "./Model.ts"
import { ownAndOther, lookUp } from "./Lookup.ts"

/** What a text holds that no email may be sent with. */
export const unfilledVariable = "{{first_name}}"

const rank = (severity: string) => severities.findIndex((one) => one === severity)

const hasWritten = (list: List) => leadsOf(list).some((lead) => lead.state === "completed")

/** The place at which a lead may be one without emails too. */
const anyLead = 3

/** A list, found as commands find it. */
const lookUpList = (world: World, caller: number, on: Subject) => {
  const [own, other] = ownAndOther(world, caller)
  return { own, ...lookUp(on, own.lists, other.lists, own.goneLists, notFound, hasWritten) }
}

/** One of its leads, by its place. */
const lookUpLead = (world: World, caller: number, on: Subject, at: number) => {
  const { id: list, now, own } = lookUpList(world, caller, on)
  const leads = (found: List | undefined) => (found === undefined ? [] : leadsOf(found).filter(({ id }) => id !== ""))
  const all = leads(now().found)
  const withEmails = all.filter(({ state }) => state === "completed")
  const drawn = at === anyLead || withEmails.length === 0 ? all : withEmails
  const id = drawn[at % Math.max(1, drawn.length)]?.id ?? unknownId
  return {
    own,
    id,
    path: `/lists/${list}/leads/${id}`,
    /** What is answered about the lead, or the refusal where there is none. */
    with: (then: (lead: Lead, list: List) => Expected) => (): Expected => {
      const { found, refusal } = now()
      if (found === undefined) return refusal
      const lead = leads(found).find((one) => one.id === id)
      return lead === undefined ? notFound : then(lead, found)
    }
  }
}

/** As GET /lists/:id/leads/:lead_id says it. */
const assertShown = (body: any, lead: Lead) => {
  assert.deepInclude(body, { id: lead.id, email: addressOf(lead.at), status: lead.state })
  assert.strictEqual(body.review.status, lead.review)
  assert.deepStrictEqual(
    body.emails.map(({ body, subject, version }: any) => [subject, body, version]),
    lead.emails.map((versions) => [versions.at(-1)?.subject, versions.at(-1)?.body, versions.length])
  )
}

interface Checked {
  readonly findings: ReadonlyArray<{ readonly severity: string }>
}
export const isFailing = ({ findings }: Checked) => findings.some(({ severity }) => severity === "fail")

/** A text that must change now is no longer the one that was approved. */
const reopenFailing = (lead: Lead, step: number, after: Checked) => {
  if (lead.review === "approved" && isFailing(after) && lead.failing[step - 1] === false) lead.review = "open"
}

export const review = (world: World, { go, key, lead: at, on, step, caller }: CommandOf<"review">): Call => {
  const { id, own, path, with: about } = lookUpLead(world, caller, on, at)
  const email = `${path}/emails/${step}`
  const drawn = leadsOf({ batches: ownAndOther(world, caller)[0].lists.flatMap((list) => list.batches) }).find(
    (lead) => lead.id === id && id !== ""
  )
  const before = drawn?.emails[step - 1] ?? []
  const call = (method: string, path: string, body: unknown, expect: () => Expected, key?: string): Call => ({
    caller,
    method,
    path,
    ...(body === undefined ? {} : { body }),
    key,
    expect
  })
  const decide = (status: Decision) =>
    call(
      "PUT",
      `${path}/review`,
      { status },
      about((lead, list) => {
        if (lead.state !== "completed") return refuse(422, "UNPROCESSABLE")
        if (status === "approved" && isSuppressed(own, lead.at)) return refuse(422, "UNPROCESSABLE")
        // The same decision again is none.
        lead.seen ||= lead.review !== status
        lead.review = status
        list.changed = true
        return ok(200, (body) => assertShown(body, lead))
      })
    )
  const edit = (body: string, version = before.length || 1) =>
    call(
      "PATCH",
      email,
      { body, version },
      about((lead, list) => {
        const versions = lead.emails[step - 1]
        const current = versions?.at(-1)
        if (versions === undefined || current === undefined) return notFound
        if (version !== versions.length) return refuse(409, "CONFLICT")
        if (body !== current.body) {
          versions.push({ ...current, body, by: "person" })
          lead.seen = lead.touched = list.changed = true
        }
        return ok(200, (body) => {
          assert.deepInclude(body, { step, body: versions.at(-1)?.body, version: versions.length })
          assert.strictEqual(body.edited, versions.at(-1)?.by === "person")
          reopenFailing(lead, step, body)
        })
      })
    )
  const restore = (version: number) =>
    call(
      "POST",
      `${email}/restore`,
      { version },
      about((lead, list) => {
        const versions = lead.emails[step - 1]
        const earlier = versions?.[version - 1]
        if (versions === undefined || earlier === undefined) return notFound
        if (version !== versions.length) {
          versions.push(earlier)
          lead.seen = lead.touched = list.changed = true
        }
        const now = versions.length
        return ok(200, (body) => {
          assert.deepInclude(body, { step, body: earlier.body, version: now })
          reopenFailing(lead, step, body)
        })
      }),
      idempotencyKey(key)
    )
  switch (go) {
    case "read":
      return call(
        "GET",
        path,
        undefined,
        about((lead) => {
          lead.seen ||= lead.state === "completed"
          return ok(200, (body) => assertShown(body, lead))
        })
      )
    case "edit":
      return edit(`Hello,\n\nWho looks after the pumps, for the ${before.length + 1}. time?\n\nBo`)
    case "break":
      return edit(`Hello ${unfilledVariable},\n\nWho looks after the pumps, for the ${before.length + 1}. time?\n\nBo`)
    case "same":
      return edit(before.at(-1)?.body ?? "Hello")
    case "stale":
      return edit("Hello, too late", before.length + 1)
    case "restore":
      return restore(Math.max(1, before.length - 1))
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

/** What the templates of the test's playbook make for a lead; the last email of a sequence is their fourth. */
const fromTemplate = (lead: Lead, at: number) => ({
  subject: `Step ${at + 1 === lead.emails.length ? 4 : at + 1}`,
  body: `Hi ${lead.kind.replace(/^./, (first) => first.toUpperCase())},\n\nWho looks after this?\n\nBo`
})

export const rewrite = (world: World, { key, lead: at, on, step, variant, caller }: CommandOf<"rewrite">): Call => {
  const { own, path, with: about } = lookUpLead(world, caller, on, at)
  return {
    caller,
    method: "POST",
    path: `${path}/rewrite`,
    body: { ...(step === 0 ? {} : { step }), ...(variant === 0 ? {} : { variant }) },
    key: idempotencyKey(key),
    expect: about((lead, list) => {
      const unprocessable = refuse(422, "UNPROCESSABLE")
      if (lead.state !== "completed" || step > lead.emails.length) return unprocessable
      if (isSuppressed(own, lead.at)) return unprocessable
      if (headroom(own) < 1) return refuse(402, "INSUFFICIENT_CREDITS", own.money.shortfall(1, heldCredits(own)))
      if (list.campaign === null || variant > 1) return unprocessable
      const changes = lead.emails.filter((versions, at) => {
        const text = fromTemplate(lead, at)
        const current = versions.at(-1)
        if (step !== 0 && step !== at + 1) return false
        if (current?.subject === text.subject && current.body === text.body) return false
        versions.push({ ...text, by: "rewrite" })
        return true
      })
      // One credit for however many emails, and none for the same again.
      if (changes.length > 0) {
        own.money.spend(1)
        lead.review = "open"
        lead.seen = lead.touched = list.changed = true
      }
      return ok(200, (body) => assertShown(body, lead))
    })
  }
}

export const bulk = (world: World, { key, on, rule, status, caller }: CommandOf<"bulk">): Call => {
  const { id, now, own } = lookUpList(world, caller, on)
  const drawn = now().found
  const ids = (drawn === undefined ? [] : leadsOf(drawn)).map((lead) => lead.id).filter((id) => id !== "")
  const named =
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
      ...(named === undefined ? {} : { lead_ids: named }),
      ...(where === undefined ? {} : { where })
    },
    key: idempotencyKey(key),
    expect: () => {
      const { found, refusal } = now()
      if (found === undefined) return refusal
      if (rule === "stray") return notFound
      const mayBe = Math.min(rank(severity ?? "fail"), rank(status === "approved" ? "warn" : "fail"))
      const changes = leadsOf(found).filter(
        (lead) =>
          lead.state === "completed" &&
          lead.review !== status &&
          lead.severity <= mayBe &&
          !(status === "approved" && isSuppressed(own, lead.at)) &&
          (rule !== "seen" || lead.seen) &&
          (named === undefined ? status !== "approved" || lead.review !== "rejected" : named.includes(lead.id))
      )
      for (const lead of changes) lead.review = status
      found.changed = true
      return ok(200, (body) => assert.strictEqual(body.changed, changes.length))
    }
  }
}

export const severityOf = (emails: ReadonlyArray<Checked>) =>
  Math.max(0, ...emails.flatMap(({ findings }) => findings.map(({ severity }) => rank(severity))))
