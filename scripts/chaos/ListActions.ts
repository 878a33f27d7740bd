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

/** Records the outcome of an order: a 4xx did nothing, and the outcome of a lost answer is unknown. */
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
  readonly hangUpAfter?: number
}

/** Asks for emails to these leads, and keeps what was asked for with what was answered. */
export const requestEmails = Effect.fnUntraced(function* ({ campaign, lists, send }: Workspace, asked: EmailRequest) {
  const { email_count, enriched = false, hangUpAfter, kind, leads, name, recipient = null } = asked
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
  const answer =
    kind === "batch"
      ? yield* send("POST", `/campaigns/${campaign}/generate-batch`, { body: { leads, options } })
      : yield* send("POST", `/campaigns/${campaign}/generate`, {
          body: { lead: leads[0], options },
          asksModel: true,
          ...(hangUpAfter === undefined ? {} : { hangUpAfter })
        })
  recordOutcome(list, answer?.status, answer?.body?.list_id)
  return answer
})

export const requestBatch = Effect.fnUntraced(function* (
  { site }: Environment,
  workspace: Workspace,
  random: SeededRandom
) {
  const n = nextNumber()
  const enriched = random.chance(0.25)
  const leads = Array.from({ length: random.chance(0.2) ? random.int(26, 60) : random.int(1, 18) }, () =>
    makeLead(enriched ? site : undefined)
  )
  const recipient = random.chance(0.15)
    ? null
    : `${random.chance(0.15) ? rejectedPrefix : "owner"}.${mailbox}${n}@mail.chaos.example`
  const email_count = random.int(1, 3)
  yield* requestEmails(workspace, { name: `Batch ${n}`, kind: "batch", leads, email_count, enriched, recipient })
})

export const requestSingle = (hangsUp: boolean) =>
  Effect.fnUntraced(function* ({ findings, site }: Environment, workspace: Workspace, random: SeededRandom) {
    const enriched = random.chance(0.2)
    const leads = [makeLead(enriched ? site : undefined)]
    const name = `Single ${nextNumber()}`
    const email_count = random.int(1, 3)
    const hangUp = hangsUp ? { hangUpAfter: random.int(5, 400) } : {}
    const answer = yield* requestEmails(workspace, { name, kind: "single", leads, email_count, enriched, ...hangUp })
    if (answer?.status === 200 && answer.body.sequence?.length !== email_count) {
      findings.broken(`${name} was answered with ${answer.body.sequence?.length} of ${email_count} emails`)
    }
  })

const pickList = (lists: ReadonlyArray<RequestedList>, random: SeededRandom) => {
  const existing = lists.filter(({ deleted, id }) => id !== undefined && deleted === "no")
  // The later ones are the ones in work.
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
  const found = yield* send("GET", `/lists/${list.id}`)
  if (found === undefined || found.status !== 200) return
  const { leads_count, processing_status } = found.body
  if (processing_status === "completed" && leads_count !== list.emails.length) {
    findings.broken(`${list.name} says it has ${leads_count} leads of ${list.emails.length}`)
  }
  const file = yield* send("GET", `/lists/${list.id}/export?format=${random.pick(["json", "csv"])}`)
  if (file?.status !== 200 || typeof file.body === "string") return
  const emails: ReadonlyArray<string> = file.body.leads.map(({ email }: { readonly email: string }) => email)
  const asked = new Set(list.emails)
  if (new Set(emails).size !== emails.length || emails.some((email) => !asked.has(email))) {
    findings.broken(`The export of ${list.name} has leads twice, or strange ones`)
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
  list.deleted = "maybe"
  const answer = yield* send("DELETE", `/lists/${list.id}`)
  if (answer !== undefined && answer.status < 500) list.deleted = answer.status === 200 ? "yes" : "no"
})

export const deleteList = Effect.fnUntraced(function* (_: Environment, workspace: Workspace, random: SeededRandom) {
  const list = pickList(workspace.lists, random)
  if (list !== undefined) yield* removeList(workspace, list)
})
