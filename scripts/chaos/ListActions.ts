// scripts/chaos/Orders.ts: what callers do about lists: ask for emails, hang up, follow, take home, resume and delete.
import { Effect } from "effect"
import type { Dice } from "./Dice.ts"
import { unwanted } from "./Post.ts"
import { lead, type ListAsked, mailbox, surname, unique, type Workspace, type World } from "./World.ts"

/** Records the outcome of an order: a 4xx did nothing, and the outcome of a lost answer is unknown. */
const learn = (list: ListAsked, status: number | undefined, id: unknown) => {
  if (status === undefined) return
  list.outcome = status < 300 ? "accepted" : status < 500 || list.kind === "batch" ? "refused" : "unknown"
  if (typeof id === "string") list.id = id
}

const signature = `Tom ${surname}\\nHollowell Air`

interface Order {
  readonly name: string
  readonly kind: "single" | "batch"
  readonly leads: ReadonlyArray<ReturnType<typeof lead>>
  readonly email_count: number
  readonly enriched?: boolean
  readonly recipient?: string | null
  readonly hangUpAfter?: number
}

/** Asks for emails to these leads, and keeps what was asked for with what was answered. */
export const order = Effect.fnUntraced(function* ({ campaign, lists, send }: Workspace, asked: Order) {
  const { email_count, enriched = false, hangUpAfter, kind, leads, name, recipient = null } = asked
  const list: ListAsked = {
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
  learn(list, answer?.status, answer?.body?.list_id)
  return answer
})

export const batch = Effect.fnUntraced(function* ({ site }: World, workspace: Workspace, dice: Dice) {
  const n = unique()
  const enriched = dice.chance(0.25)
  const leads = Array.from({ length: dice.chance(0.2) ? dice.int(26, 60) : dice.int(1, 18) }, () =>
    lead(enriched ? site : undefined)
  )
  const recipient = dice.chance(0.15)
    ? null
    : `${dice.chance(0.15) ? unwanted : "owner"}.${mailbox}${n}@mail.chaos.example`
  const email_count = dice.int(1, 3)
  yield* order(workspace, { name: `Batch ${n}`, kind: "batch", leads, email_count, enriched, recipient })
})

export const single = (hangsUp: boolean) =>
  Effect.fnUntraced(function* ({ findings, site }: World, workspace: Workspace, dice: Dice) {
    const enriched = dice.chance(0.2)
    const leads = [lead(enriched ? site : undefined)]
    const name = `Single ${unique()}`
    const email_count = dice.int(1, 3)
    const hangUp = hangsUp ? { hangUpAfter: dice.int(5, 400) } : {}
    const answer = yield* order(workspace, { name, kind: "single", leads, email_count, enriched, ...hangUp })
    if (answer?.status === 200 && answer.body.sequence?.length !== email_count) {
      findings.broken(`${name} was answered with ${answer.body.sequence?.length} of ${email_count} emails`)
    }
  })

const some = (lists: ReadonlyArray<ListAsked>, dice: Dice) => {
  const there = lists.filter(({ deleted, id }) => id !== undefined && deleted === "no")
  // The later ones are the ones in work.
  return there.at(-1 - Math.floor(dice.next() ** 2 * there.length))
}

/** Looks at a list, and takes it home if it is finished. */
export const exported = Effect.fnUntraced(function* ({ findings }: World, { lists, send }: Workspace, dice: Dice) {
  const list = some(lists, dice)
  if (list === undefined) return
  const found = yield* send("GET", `/lists/${list.id}`)
  if (found === undefined || found.status !== 200) return
  const { leads_count, processing_status } = found.body
  if (processing_status === "completed" && leads_count !== list.emails.length) {
    findings.broken(`${list.name} says it has ${leads_count} leads of ${list.emails.length}`)
  }
  const file = yield* send("GET", `/lists/${list.id}/export?format=${dice.pick(["json", "csv"])}`)
  if (file?.status !== 200 || typeof file.body === "string") return
  const emails: ReadonlyArray<string> = file.body.leads.map(({ email }: { readonly email: string }) => email)
  const asked = new Set(list.emails)
  if (new Set(emails).size !== emails.length || emails.some((email) => !asked.has(email))) {
    findings.broken(`The export of ${list.name} has leads twice, or strange ones`)
  }
})

export const resumed = Effect.fnUntraced(function* (_: World, { lists, send }: Workspace, dice: Dice) {
  const list = some(lists, dice)
  if (list !== undefined) yield* send("POST", `/lists/${list.id}`)
})

export const remove = Effect.fnUntraced(function* ({ send }: Workspace, list: ListAsked) {
  list.deleted = "maybe"
  const answer = yield* send("DELETE", `/lists/${list.id}`)
  if (answer !== undefined && answer.status < 500) list.deleted = answer.status === 200 ? "yes" : "no"
})

export const deleted = Effect.fnUntraced(function* (_: World, workspace: Workspace, dice: Dice) {
  const list = some(workspace.lists, dice)
  if (list !== undefined) yield* remove(workspace, list)
})
