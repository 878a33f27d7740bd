// scripts/chaos/Check.ts: compares the store with the requests and answers of all callers once all work is done, and runs
// `overture verify`.
import { Effect, Schema } from "effect"
import { Check } from "#layers/operations/Verify.ts"
import { overture } from "#test/support/process.ts"
import { query } from "./WaitUntilIdle.ts"
import type { RequestedList, Workspace, Environment } from "./Environment.ts"

const VerifyOutput = Schema.fromJsonString(Schema.Struct({ ok: Schema.Boolean, checks: Schema.Array(Check) }))

export const checkWithVerify = Effect.fnUntraced(function* ({ disk, findings }: Environment) {
  const { code, stdout } = yield* overture(disk.data, "verify", "--json")
  const { checks, ok } = yield* Effect.orDie(Schema.decodeEffect(VerifyOutput)(stdout))
  if (ok !== (code === 0)) findings.report(`verify says ${ok} and ends with ${code}`)
  findings.count("checks of verify", checks.length)
  for (const { detail, name, ok } of checks) if (!ok) findings.report(`verify: ${name}: ${detail}`)
})

interface ListRow {
  readonly id: string
  readonly workspace_id: string
  readonly custom_name: string
  readonly processing_status: string
  readonly leads_count: number
  readonly leads_done: number
  readonly leads_failed: number
  readonly emails_created: number
}

interface LeadRow {
  readonly id: string
  readonly list_id: string
  readonly email: string
  readonly status: string
  readonly error: string | null
  readonly emails: number | null
  readonly captured: number
  readonly captures: number
}

/** The cost of each lead that a check has read. It is needed after the lead is deleted. */
const leadCosts = new Map<string, number>()

const checkList = (
  { findings }: Environment,
  requested: RequestedList,
  row: ListRow,
  leads: ReadonlyArray<LeadRow>
) => {
  const report = (label: string) => findings.report(`${requested.name} (${row.id}): ${label}`)
  if (leads.map(({ email }) => email).join() !== requested.emails.join())
    report("its leads are not those that were sent")
  const completed = leads.filter(({ status }) => status === "completed")
  const failed = leads.filter(({ status }) => status === "failed")
  findings.count("leads written", completed.length)
  findings.count("leads failed", failed.length)
  for (const lead of completed) {
    if (lead.captured !== requested.cost || lead.captures !== 1) {
      report(`a lead cost ${lead.captured} in ${lead.captures} charges, not ${requested.cost}`)
    }
    if (lead.emails !== requested.email_count) report(`a lead has ${lead.emails} emails of ${requested.email_count}`)
    leadCosts.set(lead.id, requested.cost)
  }
  for (const lead of failed) {
    if (lead.captures > 0) report("a lead that failed was charged")
    if ((lead.error ?? "").length < 10) report("a lead failed without a reason")
    else findings.count(`failed: ${lead.error?.replace(/\d+/g, "n").slice(0, 60)}`)
  }
  const reported = [row.leads_count, row.leads_done, row.leads_failed, row.emails_created]
  const expected = [leads.length, completed.length, failed.length, completed.length * requested.email_count]
  if (reported.join() !== expected.join()) report(`it counts ${reported}, and has ${expected}`)
  const expectedStatus = completed.length > 0 ? "completed" : "failed"
  if (row.processing_status !== "pending" && row.processing_status !== expectedStatus)
    report(`it is ${row.processing_status}`)
}

const checkLists = (environment: Environment) => {
  const { findings, workspaces } = environment
  const rows = query<ListRow>(environment, "SELECT * FROM lists")
  const leads = Map.groupBy(
    query<LeadRow>(
      environment,
      `SELECT l.id, l.list_id, l.email, l.status, l.error, json_array_length(l.sequence) AS emails,
         COALESCE(-sum(e.amount), 0) AS captured, count(DISTINCT substr(e.operation, 1, 44)) AS captures
       FROM leads l LEFT JOIN credit_entries e ON e.ref = l.id AND e.kind = 'capture'
       GROUP BY l.id ORDER BY l.list_id, l.position`
    ),
    ({ list_id }) => list_id
  )
  const rowsByName = Map.groupBy(rows, ({ custom_name, workspace_id }) => workspace_id + custom_name)
  for (const { id, lists } of workspaces) {
    for (const requested of lists) {
      const matchingRows = rowsByName.get(id + requested.name) ?? []
      rowsByName.delete(id + requested.name)
      if (requested.outcome === "refused" && matchingRows.length > 0)
        findings.report(`${requested.name} was refused, but exists`)
      if (matchingRows.length > 1) findings.report(`${requested.name} exists ${matchingRows.length} times`)
      const [row] = matchingRows
      if (row === undefined) {
        if (requested.outcome === "accepted" && requested.deleted === "no") findings.report(`${requested.name} is lost`)
        continue
      }
      if (requested.deleted === "yes") findings.report(`${requested.name} was deleted, but exists`)
      if (requested.id !== undefined && requested.id !== row.id)
        findings.report(`${requested.name} was given another id`)
      requested.id = row.id
      requested.outcome = "accepted"
      requested.deleted = "no"
      checkList(environment, requested, row, leads.get(row.id) ?? [])
    }
  }
  for (const [name] of rowsByName) findings.report(`There is a list that was not requested: ${name}`)
}

const checkCharges = (environment: Environment) => {
  const { findings, workspaces } = environment
  const chargesOfDeleted = query<{ readonly ref: string; readonly amount: number }>(
    environment,
    `SELECT ref, -sum(amount) AS amount FROM credit_entries e WHERE kind = 'capture'
       AND NOT EXISTS (SELECT 1 FROM leads l WHERE l.id = e.ref) AND NOT EXISTS (SELECT 1 FROM previews p WHERE p.id = e.ref)
     GROUP BY ref`
  )
  // A list may be completed and deleted between two checks, so its leads' expected cost may be unknown. A lead costs 2 at most.
  for (const { amount, ref } of chargesOfDeleted) {
    const cost = leadCosts.get(ref)
    if (cost === undefined ? amount > 2 : amount !== cost) findings.report(`A deleted lead, ${ref}, cost ${amount}`)
  }
  const previews = query<{ readonly workspace_id: string; readonly n: number }>(
    environment,
    "SELECT workspace_id, count(*) AS n FROM previews WHERE credits_charged > 0 GROUP BY workspace_id"
  )
  for (const { n: chargedCount, workspace_id } of previews) {
    const requested = workspaces.find(({ id }) => id === workspace_id)?.previews.length ?? 0
    if (chargedCount > requested)
      findings.report(`${chargedCount} previews are charged, but ${requested} were requested`)
  }
}

const count = (environment: Environment, sql: string) => query<{ readonly n: number }>(environment, sql)[0]?.n ?? 0

/** A refused campaign or signature is not stored, and an accepted one is stored once. */
const checkCampaignsAndSignatures = (environment: Environment, { campaigns, id, signatures }: Workspace) => {
  const { findings } = environment
  const rowsByText = (column: string, table: string) =>
    Map.groupBy(
      query<{ readonly text: string }>(
        environment,
        `SELECT ${column} AS text FROM ${table} WHERE workspace_id = '${id}'`
      ),
      ({ text }) => text
    )
  const checkOutcome = (label: string, outcome: string, rowCount: number) => {
    if (rowCount > 1 || (outcome === "accepted" && rowCount === 0) || (outcome === "refused" && rowCount > 0)) {
      findings.report(`${label} was ${outcome}, but exists ${rowCount} times`)
    }
  }
  const texts = rowsByText("signature_text", "signatures")
  for (const [text, outcome] of signatures) checkOutcome("A signature", outcome, texts.get(text)?.length ?? 0)
  const names = rowsByText("name", "campaigns")
  for (const { body, outcome } of campaigns) checkOutcome(body.name, outcome, names.get(body.name)?.length ?? 0)
}

interface PeriodGrant {
  readonly workspace_id: string
  readonly start: string
  readonly period_start: string
  readonly period_end: string
}

/** Reads every account, which starts periods that are due, unless the server's clock was set back. */
const readAccounts = ({ workspaces }: Environment) =>
  Effect.forEach(workspaces, ({ send }) => send("GET", "/credits"), { discard: true })

/** Each period is granted once: the grants are for consecutive months, up to the current period. */
const checkPeriods = (environment: Environment) => {
  const { findings, server } = environment
  const grants = Map.groupBy(
    query<PeriodGrant>(
      environment,
      `SELECT e.workspace_id, substr(e.operation, 8, 24) AS start, a.period_start, a.period_end FROM credit_entries e
       JOIN credit_accounts a ON a.workspace_id = e.workspace_id
       WHERE e.operation LIKE 'period:%' ORDER BY e.operation`
    ),
    ({ workspace_id }) => workspace_id
  )
  for (const workspaceGrants of grants.values()) {
    const starts = workspaceGrants.map(({ start }) => start)
    const months = starts.map((start) => Number(start.slice(0, 4)) * 12 + Number(start.slice(5, 7)))
    const [first] = workspaceGrants
    if (months.some((month, index) => index > 0 && month !== (months[index - 1] ?? 0) + 1)) {
      findings.report(`The periods granted do not follow each other: ${starts.join(", ")}`)
    }
    if (starts.at(-1) !== first?.period_start)
      findings.report(`The last period granted is not the account's: ${starts.at(-1)}`)
    if ((first?.period_end ?? "") <= new Date(Date.now() + server.clockOffsetMillis()).toISOString()) {
      findings.report(`The period that ended at ${first?.period_end} is still current`)
    }
    findings.recordMax("periods granted to a workspace", workspaceGrants.length)
  }
}

export const checkStore = Effect.fnUntraced(function* (environment: Environment) {
  yield* readAccounts(environment)
  checkLists(environment)
  checkCharges(environment)
  for (const workspace of environment.workspaces) checkCampaignsAndSignatures(environment, workspace)
  checkPeriods(environment)
  const recordedCalls = count(environment, "SELECT count(*) AS n FROM model_calls")
  const answeredCalls = environment.findings.counts().get("model calls answered") ?? 0
  if (recordedCalls > answeredCalls)
    environment.findings.report(`${recordedCalls} model calls are recorded, and ${answeredCalls} were answered`)
})
