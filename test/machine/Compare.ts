// test/machine/Compare.ts: compares what the API shows with the model.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Credits } from "#layers/Credits.ts"
import { severities } from "#schema/ListLeads.ts"
import { expectBody } from "#test/support/answers.ts"
import type { Caller } from "#test/support/callers.ts"
import {
  addressOf,
  isSuppressed,
  reservedCredits,
  type Lead,
  leadsIn,
  type List,
  campaignStatus,
  stageStatuses,
  type Status,
  type Workspace
} from "./Model.ts"
import { unfilledVariable, isFailing, severityOf } from "./Reviewing.ts"

/** The statuses that may follow each status of a list. */
const laterStatuses: Record<Status, ReadonlyArray<Status>> = {
  pending: ["pending", "processing"],
  processing: ["processing", "in_progress", "completed", "failed", "pending"],
  in_progress: ["in_progress", "completed", "failed", "pending", "processing"],
  completed: ["completed"],
  failed: ["failed"]
}

const assertSame = (actual: unknown, expected: unknown, description: string) =>
  assert.deepStrictEqual(
    actual,
    expected,
    `${description}: ${JSON.stringify(actual)} and not ${JSON.stringify(expected)}`
  )

const sortById = <A extends { readonly id: string }>(rows: ReadonlyArray<A>): ReadonlyArray<any> =>
  rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Compares the leads of a list with the model, and all versions of emails that have changed. */
const compareLeads = Effect.fnUntraced(function* (client: Caller, list: List) {
  list.needsLeadCheck = false
  const { data } = yield* expectBody(200, client.get(`/lists/${list.id}/leads?limit=100`))
  const leads = leadsIn(list)
  assertSame(
    data.map(({ edited, email, emails, review, status }: any) => [
      email,
      status,
      review.status,
      edited,
      emails.map(({ body, subject }: any) => [subject, body])
    ]),
    leads.map(({ position, emails, review, state }) => {
      const current = emails.flatMap((versions) => versions.slice(-1))
      const edited = current.some(({ author }) => author === "person")
      return [addressOf(position), state, review, edited, current.map(({ body, subject }) => [subject, body])]
    }),
    "leads"
  )
  for (const [leadIndex, lead] of leads.entries()) {
    lead.id = data[leadIndex].id
    lead.severity = severityOf(data[leadIndex].emails)
    lead.isFailingByStep = data[leadIndex].emails.map(isFailing)
    const isBroken = lead.emails.some((versions) => versions.at(-1)?.body.includes(unfilledVariable))
    if (isBroken)
      assertSame(lead.severity, severities.indexOf("fail"), "worst finding of an email with an unfilled variable")
    if (!lead.needsVersionCheck) continue
    lead.needsVersionCheck = false
    for (const [emailIndex, versions] of lead.emails.entries()) {
      const storedVersions = yield* expectBody(
        200,
        client.get(`/lists/${list.id}/leads/${lead.id}/emails/${emailIndex + 1}/versions?limit=100`)
      )
      assertSame(
        storedVersions.data.map(({ body, by, subject, version }: any) => [version, subject, body, by]).toReversed(),
        versions.map(({ author, body, subject }, index) => [index + 1, subject, body, author]),
        "versions"
      )
    }
  }
})

const compareSuppressed = Effect.fnUntraced(function* (client: Caller, { suppressionIds }: Workspace) {
  const { data } = yield* expectBody(200, client.get("/suppressions?limit=100"))
  assertSame(
    data.map(({ value }: { readonly value: string }) => value).toSorted(),
    [...suppressionIds.keys()].toSorted(),
    "suppressions"
  )
  for (const { id, value } of data) suppressionIds.set(value, id)
})

/** Compares everything that a workspace's owner can see with the model. `statuses` are the previous statuses of its lists. */
export const compare = Effect.fnUntraced(function* (
  client: Caller,
  workspace: Workspace,
  statuses: Map<string, Status>
) {
  const credits = yield* Credits
  const { campaigns } = yield* expectBody(200, client.get("/campaigns?limit=100"))
  assertSame(
    sortById(campaigns).map(({ id, name, overall }) => [id, name, overall]),
    sortById(workspace.campaigns).map((campaign) => [campaign.id, campaign.name, campaignStatus(campaign)]),
    `campaigns of ${workspace.name}`
  )
  for (const campaign of workspace.campaigns) {
    const path = `/campaigns/${campaign.id}`
    const status = yield* expectBody(200, client.get(`${path}/build-status`))
    assertSame(status.overall, campaignStatus(campaign), "overall")
    assertSame(status.stages, stageStatuses(campaign), "stages")
    if (campaign.propositionState !== "ready" || campaign.propositionIds.length > 0) continue
    const { options, ready } = yield* expectBody(200, client.get(`${path}/assets/value_proposition/options`))
    assert.isTrue(ready)
    campaign.propositionIds = options.map(({ id }: { readonly id: string }) => id)
  }

  const { lists, total, totals } = yield* expectBody(200, client.get("/lists?limit=100&totals=true"))
  assertSame(total, workspace.lists.length, "lists")
  const isToReview = ({ position, review, state }: Lead) =>
    state === "completed" && review === "open" && !isSuppressed(workspace, position)
  assertSame(totals.leads_open, workspace.lists.flatMap(leadsIn).filter(isToReview).length, "leads to review")
  const knownIds = new Set(workspace.lists.map((list) => list.id))
  const newList = workspace.lists.find((list) => list.id === "")
  if (newList !== undefined) newList.id = lists.find(({ id }: { readonly id: string }) => !knownIds.has(id)).id
  assertSame(
    sortById(lists).map(({ campaign_id, custom_name, id, processing_status }) => [
      id,
      campaign_id,
      custom_name,
      processing_status
    ]),
    sortById(workspace.lists).map((list) => [list.id, list.campaign?.id ?? null, list.name, list.status]),
    `lists of ${workspace.name}`
  )
  for (const { id, processing_status } of lists) {
    const previousStatus: Status = statuses.get(id) ?? processing_status
    assert.include(laterStatuses[previousStatus], processing_status, `${previousStatus} → ${processing_status}`)
    statuses.set(id, processing_status)
  }

  for (const list of workspace.lists) if (list.needsLeadCheck) yield* compareLeads(client, list)
  yield* compareSuppressed(client, workspace)

  const { creditAccount } = workspace
  const account = yield* client.get("/credits")
  if (creditAccount.tier === "none") assertSame(account.status, 404, "account without a plan")
  else assertSame(account.body, creditAccount.toResponse(reservedCredits(workspace)), `account of ${workspace.name}`)
  const entries = yield* credits.ledger(client.workspace)
  const sum = (bucket: string) => entries.reduce((sum, entry) => sum + (entry.bucket === bucket ? entry.amount : 0), 0)
  assertSame(
    [sum("monthly"), sum("rollover"), sum("addon")],
    [creditAccount.monthly, creditAccount.rollover, creditAccount.addon],
    `ledger of ${workspace.name}`
  )
})
