// scripts/chaos/Check.ts: what must be true once all work is done, found in the store itself and compared with what
// callers were promised. `overture verify` says the same of the store alone.
import { Effect, Schema } from "effect"
import { Check } from "#layers/operations/Verify.ts"
import { overture } from "#test/support/process.ts"
import { query } from "./WaitUntilIdle.ts"
import type { RequestedList, Workspace, Environment } from "./Environment.ts"

const VerifyOutput = Schema.fromJsonString(Schema.Struct({ ok: Schema.Boolean, checks: Schema.Array(Check) }))

export const checkWithVerify = Effect.fnUntraced(function* ({ disk, findings }: Environment) {
  const { code, stdout } = yield* overture(disk.data, "verify", "--json")
  const { checks, ok } = yield* Effect.orDie(Schema.decodeEffect(VerifyOutput)(stdout))
  if (ok !== (code === 0)) findings.broken(`verify says ${ok} and ends with ${code}`)
  findings.count("checks of verify", checks.length)
  for (const { detail, name, ok } of checks) if (!ok) findings.broken(`verify: ${name}: ${detail}`)
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

/** Leads that were there once, and are deleted by now. What they cost stays. */
const leadCosts = new Map<string, number>()

const checkList = ({ findings }: Environment, asked: RequestedList, row: ListRow, leads: ReadonlyArray<LeadRow>) => {
  const wrong = (what: string) => findings.broken(`${asked.name} (${row.id}): ${what}`)
  if (leads.map(({ email }) => email).join() !== asked.emails.join()) wrong("its leads are not those that were sent")
  const done = leads.filter(({ status }) => status === "completed")
  const failed = leads.filter(({ status }) => status === "failed")
  findings.count("leads written", done.length)
  findings.count("leads failed", failed.length)
  for (const lead of done) {
    if (lead.captured !== asked.cost || lead.captures !== 1) {
      wrong(`a lead cost ${lead.captured} in ${lead.captures} charges, not ${asked.cost}`)
    }
    if (lead.emails !== asked.email_count) wrong(`a lead has ${lead.emails} emails of ${asked.email_count}`)
    leadCosts.set(lead.id, asked.cost)
  }
  for (const lead of failed) {
    if (lead.captures > 0) wrong("a lead that failed was charged")
    if ((lead.error ?? "").length < 10) wrong("a lead failed without a reason")
    else findings.count(`failed: ${lead.error?.replace(/\d+/g, "n").slice(0, 60)}`)
  }
  const counted = [row.leads_count, row.leads_done, row.leads_failed, row.emails_created]
  const right = [leads.length, done.length, failed.length, done.length * asked.email_count]
  if (counted.join() !== right.join()) wrong(`it counts ${counted}, and has ${right}`)
  const ended = done.length > 0 ? "completed" : "failed"
  if (row.processing_status !== "pending" && row.processing_status !== ended) wrong(`it is ${row.processing_status}`)
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
  const named = Map.groupBy(rows, ({ custom_name, workspace_id }) => workspace_id + custom_name)
  for (const { id, lists } of workspaces) {
    for (const asked of lists) {
      const found = named.get(id + asked.name) ?? []
      named.delete(id + asked.name)
      if (asked.outcome === "refused" && found.length > 0) findings.broken(`${asked.name} was refused, and is there`)
      if (found.length > 1) findings.broken(`${asked.name} is there ${found.length} times`)
      const [row] = found
      if (row === undefined) {
        if (asked.outcome === "accepted" && asked.deleted === "no") findings.broken(`${asked.name} is lost`)
        continue
      }
      if (asked.deleted === "yes") findings.broken(`${asked.name} was deleted, and is there`)
      if (asked.id !== undefined && asked.id !== row.id) findings.broken(`${asked.name} was given another id`)
      asked.id = row.id
      asked.outcome = "accepted"
      asked.deleted = "no"
      checkList(environment, asked, row, leads.get(row.id) ?? [])
    }
  }
  for (const [name] of named) findings.broken(`There is a list that was not requested: ${name}`)
}

const checkCharges = (environment: Environment) => {
  const { findings, workspaces } = environment
  const chargesOfDeleted = query<{ readonly ref: string; readonly amount: number }>(
    environment,
    `SELECT ref, -sum(amount) AS amount FROM credit_entries e WHERE kind = 'capture'
       AND NOT EXISTS (SELECT 1 FROM leads l WHERE l.id = e.ref) AND NOT EXISTS (SELECT 1 FROM previews p WHERE p.id = e.ref)
     GROUP BY ref`
  )
  // A list may be finished and deleted between two looks at it; then only what each lead cost is known.
  for (const { amount, ref } of chargesOfDeleted) {
    const cost = leadCosts.get(ref)
    if (cost === undefined ? amount > 2 : amount !== cost) findings.broken(`A deleted lead, ${ref}, cost ${amount}`)
  }
  const previews = query<{ readonly workspace_id: string; readonly n: number }>(
    environment,
    "SELECT workspace_id, count(*) AS n FROM previews WHERE credits_charged > 0 GROUP BY workspace_id"
  )
  for (const { n, workspace_id } of previews) {
    const asked = workspaces.find(({ id }) => id === workspace_id)?.previews.length ?? 0
    if (n > asked) findings.broken(`${n} previews are charged for, and ${asked} were asked for`)
  }
}

const count = (environment: Environment, sql: string) => query<{ readonly n: number }>(environment, sql)[0]?.n ?? 0

/** What was refused is not there, and what was taken is there once. */
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
  const checkOutcome = (what: string, outcome: string, n: number) => {
    if (n > 1 || (outcome === "accepted" && n === 0) || (outcome === "refused" && n > 0)) {
      findings.broken(`${what} was ${outcome}, and is there ${n} times`)
    }
  }
  const texts = rowsByText("signature_text", "signatures")
  for (const [text, outcome] of signatures) checkOutcome("A signature", outcome, texts.get(text)?.length ?? 0)
  const names = rowsByText("name", "campaigns")
  for (const { body, outcome } of campaigns) checkOutcome(body.name, outcome, names.get(body.name)?.length ?? 0)
}

interface Granted {
  readonly workspace_id: string
  readonly start: string
  readonly period_start: string
  readonly period_end: string
}

/** Reads every account, which starts periods that are due, unless the server's clock was set back. */
const readAccounts = ({ workspaces }: Environment) =>
  Effect.forEach(workspaces, ({ send }) => send("GET", "/credits"), { discard: true })

/** A period is granted once: as many grants as there are months between the first and the last, one after the other. */
const checkPeriods = (environment: Environment) => {
  const { findings, server } = environment
  const grants = Map.groupBy(
    query<Granted>(
      environment,
      `SELECT e.workspace_id, substr(e.operation, 8, 24) AS start, a.period_start, a.period_end FROM credit_entries e
       JOIN credit_accounts a ON a.workspace_id = e.workspace_id
       WHERE e.operation LIKE 'period:%' ORDER BY e.operation`
    ),
    ({ workspace_id }) => workspace_id
  )
  for (const all of grants.values()) {
    const starts = all.map(({ start }) => start)
    const months = starts.map((start) => Number(start.slice(0, 4)) * 12 + Number(start.slice(5, 7)))
    const [first] = all
    if (months.some((month, index) => index > 0 && month !== (months[index - 1] ?? 0) + 1)) {
      findings.broken(`The periods granted do not follow each other: ${starts.join(", ")}`)
    }
    if (starts.at(-1) !== first?.period_start)
      findings.broken(`The last period granted is not the account's: ${starts.at(-1)}`)
    if ((first?.period_end ?? "") <= new Date(Date.now() + server.shift()).toISOString()) {
      findings.broken(`The period that ended at ${first?.period_end} is still current`)
    }
    findings.recordMax("periods granted to a workspace", all.length)
  }
}

export const checkStore = Effect.fnUntraced(function* (environment: Environment) {
  yield* readAccounts(environment)
  checkLists(environment)
  checkCharges(environment)
  for (const workspace of environment.workspaces) checkCampaignsAndSignatures(environment, workspace)
  checkPeriods(environment)
  const recorded = count(environment, "SELECT count(*) AS n FROM model_calls")
  const answered = environment.findings.counts().get("model calls answered") ?? 0
  if (recorded > answered)
    environment.findings.broken(`${recorded} model calls are recorded, and ${answered} were answered`)
})
