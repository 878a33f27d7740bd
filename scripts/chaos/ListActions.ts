// scripts/chaos/ListActions.ts: actions of callers on lists: request emails, hang up, export, resume and delete.
import { Effect } from "effect"
import type { SeededRandom } from "./SeededRandom.ts"
import { rejectedPrefix } from "./Mail.ts"
import {
  makeLead,
  type RequestedList,
  mailbox,
  surname,
  nextNumber,
  type Workspace,
  type Environment
} from "./Environment.ts"

/** Records the outcome of a request for emails. A 4xx has no effect, and without an answer the outcome is unknown. */
const recordOutcome = (list: RequestedList, status: number | undefined, id: unknown) => {
  if (status === undefined) return
  list.outcome = status < 300 ? "accepted" : status < 500 || list.kind === "batch" ? "refused" : "unknown"
  if (typeof id === "string") list.id = id
}

const signature = `Tom ${surname}\\nHollowell Air`

interface EmailRequest {
  readonly name: string
  readonly kind: "single" | "batch"
  readonly leads: ReadonlyArray<ReturnType<typeof makeLead>>
  readonly email_count: number
  readonly enriched?: boolean
  readonly recipient?: string | null
  readonly hangUpAfterMillis?: number
}

/** Requests emails for these leads, and records the request with its outcome. */
export const requestEmails = Effect.fnUntraced(function* ({ campaign, lists, send }: Workspace, request: EmailRequest) {
  const { email_count, enriched = false, hangUpAfterMillis, kind, leads, name, recipient = null } = request
  const list: RequestedList = {
    name,
    kind,
    emails: leads.map(({ email }) => email),
    email_count,
    cost: enriched ? 2 : 1,
    recipient,
    outcome: "unknown",
    id: undefined,
    deleted: "no"
  }
  lists.push(list)
  const options = {
    email_count,
    email_signature: signature,
    list_name: name,
    enrichment_enabled: enriched,
    ...(recipient === null ? {} : { notification_email: recipient })
  }
  const response =
    kind === "batch"
      ? yield* send("POST", `/campaigns/${campaign}/generate-batch`, { body: { leads, options } })
      : yield* send("POST", `/campaigns/${campaign}/generate`, {
          body: { lead: leads[0], options },
          asksModel: true,
          ...(hangUpAfterMillis === undefined ? {} : { hangUpAfterMillis })
        })
  recordOutcome(list, response?.status, response?.body?.list_id)
  return response
})

export const requestBatch = Effect.fnUntraced(function* (
  { site }: Environment,
  workspace: Workspace,
  random: SeededRandom
) {
  const batchNumber = nextNumber()
  const enriched = random.chance(0.25)
  const leads = Array.from({ length: random.chance(0.2) ? random.int(26, 60) : random.int(1, 18) }, () =>
    makeLead(enriched ? site : undefined)
  )
  const recipient = random.chance(0.15)
    ? null
    : `${random.chance(0.15) ? rejectedPrefix : "owner"}.${mailbox}${batchNumber}@mail.chaos.example`
  const email_count = random.int(1, 3)
  yield* requestEmails(workspace, {
    name: `Batch ${batchNumber}`,
    kind: "batch",
    leads,
    email_count,
    enriched,
    recipient
  })
})

export const requestSingle = (hangUpEarly: boolean) =>
  Effect.fnUntraced(function* ({ findings, site }: Environment, workspace: Workspace, random: SeededRandom) {
    const enriched = random.chance(0.2)
    const leads = [makeLead(enriched ? site : undefined)]
    const name = `Single ${nextNumber()}`
    const email_count = random.int(1, 3)
    const hangUpOption = hangUpEarly ? { hangUpAfterMillis: random.int(5, 400) } : {}
    const response = yield* requestEmails(workspace, {
      name,
      kind: "single",
      leads,
      email_count,
      enriched,
      ...hangUpOption
    })
    if (response?.status === 200 && response.body.sequence?.length !== email_count) {
      findings.report(`${name} was answered with ${response.body.sequence?.length} of ${email_count} emails`)
    }
  })

const pickList = (lists: ReadonlyArray<RequestedList>, random: SeededRandom) => {
  const existing = lists.filter(({ deleted, id }) => id !== undefined && deleted === "no")
  // Recent lists are picked more often, because they are still being written.
  return existing.at(-1 - Math.floor(random.next() ** 2 * existing.length))
}

/** Reads a list, and exports it if it is finished. */
export const exportList = Effect.fnUntraced(function* (
  { findings }: Environment,
  { lists, send }: Workspace,
  random: SeededRandom
) {
  const list = pickList(lists, random)
  if (list === undefined) return
  const listResponse = yield* send("GET", `/lists/${list.id}`)
  if (listResponse === undefined || listResponse.status !== 200) return
  const { leads_count, processing_status } = listResponse.body
  if (processing_status === "completed" && leads_count !== list.emails.length) {
    findings.report(`${list.name} says it has ${leads_count} leads of ${list.emails.length}`)
  }
  const exportResponse = yield* send("GET", `/lists/${list.id}/export?format=${random.pick(["json", "csv"])}`)
  if (exportResponse?.status !== 200 || typeof exportResponse.body === "string") return
  const emails: ReadonlyArray<string> = exportResponse.body.leads.map(({ email }: { readonly email: string }) => email)
  const requestedAddresses = new Set(list.emails)
  if (new Set(emails).size !== emails.length || emails.some((email) => !requestedAddresses.has(email))) {
    findings.report(`The export of ${list.name} has leads twice, or strange ones`)
  }
})

export const resumeList = Effect.fnUntraced(function* (
  _: Environment,
  { lists, send }: Workspace,
  random: SeededRandom
) {
  const list = pickList(lists, random)
  if (list !== undefined) yield* send("POST", `/lists/${list.id}`)
})

export const removeList = Effect.fnUntraced(function* ({ send }: Workspace, list: RequestedList) {
  list.deleted = "unknown"
  const response = yield* send("DELETE", `/lists/${list.id}`)
  if (response !== undefined && response.status < 500) list.deleted = response.status === 200 ? "yes" : "no"
})

export const deleteList = Effect.fnUntraced(function* (_: Environment, workspace: Workspace, random: SeededRandom) {
  const list = pickList(workspace.lists, random)
  if (list !== undefined) yield* removeList(workspace, list)
})
