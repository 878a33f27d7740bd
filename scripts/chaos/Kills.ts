// scripts/chaos/Kills.ts: kills the server between the model's answer and the commit of its emails. One lead is written at a
// time, so each kill may cost one extra model call and nothing else.
import { Console, Deferred, Effect } from "effect"
import type { ModelRequest } from "#test/support/model.ts"
import * as Check from "./Check.ts"
import * as SeededRandom from "./SeededRandom.ts"
import * as Findings from "./Findings.ts"
import * as MailCheck from "./MailCheck.ts"
import * as Log from "./Log.ts"
import { requestEmails } from "./ListActions.ts"
import { printReport } from "./Report.ts"
import { query, waitUntilIdle } from "./WaitUntilIdle.ts"
import * as Setup from "./Setup.ts"
import { makeLead, mailbox } from "./Environment.ts"

/** Leads of each list: many batches, but few enough for one request. */
const leadsPerList = 250
/** A kill that comes after the commit does not count and needs another lead, so more leads are sent than kills are wanted. */
const spareFactor = 1.2

/** The company of the lead that a model was asked to write to. */
const companyOf = (request: ModelRequest | undefined) =>
  request?.kind === "adapted_emails" ? /^company: (Firm \d+)/m.exec(request.user)?.[1] : undefined

type Environment = Effect.Success<ReturnType<typeof Setup.make>>

const sendLeads = Effect.fnUntraced(function* (environment: Environment, leads: number) {
  for (let n = 0; n * leadsPerList < leads; n++) {
    for (const workspace of environment.workspaces) {
      yield* requestEmails(workspace, {
        name: `Killed ${n}`,
        kind: "batch",
        leads: Array.from({ length: Math.min(leadsPerList, leads - n * leadsPerList) }, () => makeLead(undefined)),
        email_count: 2,
        recipient: `owner.${mailbox}@mail.chaos.example`
      })
    }
  }
})

/** Whether the lead of a company is not written yet. */
const isPending = (environment: Environment, company: string) => {
  const [row] = query<{ readonly status: string }>(
    environment,
    `SELECT status FROM leads WHERE company LIKE '${company} %'`
  )
  return row?.status === "pending"
}

/** The companies whose leads were being written when the server was killed. */
const companiesInWork = (environment: Environment) =>
  query<{ readonly company: string }>(
    environment,
    "SELECT company FROM leads WHERE status = 'pending' AND suspect > 0"
  ).map(({ company }) => /^Firm \d+/.exec(company)?.[0] ?? company)

type RunFindings = ReturnType<typeof Findings.make>

/** Counts the calls of the model, and returns how many of them were for a first email. */
const countModelCalls = (environment: Environment, findings: RunFindings): number => {
  const calls = new Map<string, number>()
  for (const { request, status } of environment.model.journal()) {
    findings.count("model calls")
    if (status === 200) findings.count("model calls answered")
    const company = companyOf(request)
    if (company !== undefined) calls.set(company, (calls.get(company) ?? 0) + 1)
  }
  return [...calls.values()].reduce((sum, n) => sum + n, 0)
}

interface Costs {
  readonly leads: number
  readonly kills: number
  /** Kills that came after the commit. */
  readonly lateKills: number
  /** Calls of the model for first emails. */
  readonly firstEmailCalls: number
}

/** Checks that each kill cost at most one extra model call, and that no lead was charged twice. */
const countCosts = (
  environment: Environment,
  findings: RunFindings,
  { firstEmailCalls, kills, lateKills, leads }: Costs
) => {
  const [charges] = query<{ readonly n: number; readonly refs: number }>(
    environment,
    "SELECT count(*) AS n, count(DISTINCT ref) AS refs FROM credit_entries WHERE kind = 'capture'"
  )
  findings.count("leads sent", leads)
  findings.count("kills between the answer and the commit", kills)
  findings.count("kills that came after the commit", lateKills)
  findings.count("model calls for first emails", firstEmailCalls)
  findings.count("extra model calls", firstEmailCalls - leads)
  findings.count("leads charged", charges?.refs ?? 0)
  findings.count("leads charged twice", (charges?.n ?? 0) - (charges?.refs ?? 0))
  if (firstEmailCalls - leads > kills + lateKills)
    findings.report(`${firstEmailCalls - leads} extra model calls for ${kills + lateKills} kills`)
  if (charges?.n !== leads || charges.refs !== leads) findings.report(`${charges?.n} charges for ${leads} leads`)
  if (findings.counts().get("leads written") !== leads) findings.report("Not all leads were written to")
}

export const runKills = Effect.fnUntraced(function* ({
  seed,
  times
}: {
  readonly seed: number
  readonly times: number
}) {
  const random = SeededRandom.make(seed)
  const findings = Findings.make((line) => console.log(line))
  const environment = yield* Setup.make({ random, findings, limitFileSize: false, concurrency: 1, plans: ["scale"] })
  const { model, server } = environment
  const leads = Math.ceil(times * spareFactor) + 5
  yield* sendLeads(environment, leads)

  const killedCompanies = new Set<string>()
  /** Companies whose lead was being written at a late kill. A second kill would make the lead fail. */
  const inWorkAtLateKill = new Set<string>()
  let lateKills = 0
  while (killedCompanies.size < times) {
    const answerSent = yield* Deferred.make<string>()
    model.onSent((request) => {
      const company = companyOf(request)
      // The server gives up a lead that was interrupted several times, so each lead is killed once.
      if (company === undefined || killedCompanies.has(company) || inWorkAtLateKill.has(company)) return
      Deferred.doneUnsafe(answerSent, Effect.succeed(company))
    })
    const company = yield* Effect.timeoutOption(Deferred.await(answerSent), 60_000)
    if (company._tag === "None") {
      findings.report(`Nothing was asked of the model for a minute after ${killedCompanies.size} kills`)
      break
    }
    yield* Effect.sleep(random.int(0, 3))
    model.onSent(undefined)
    yield* server.kill
    const isInTime = isPending(environment, company.value)
    if (isInTime) killedCompanies.add(company.value)
    else {
      lateKills++
      for (const workedCompany of companiesInWork(environment)) inWorkAtLateKill.add(workedCompany)
    }
    yield* server.start
    Log.scan(environment)
    if (killedCompanies.size % 20 === 0 && isInTime) yield* Console.log(`${killedCompanies.size} kills`)
  }
  model.onSent(undefined)
  yield* waitUntilIdle(environment)

  const firstEmailCalls = countModelCalls(environment, findings)
  yield* Check.checkStore(environment)
  yield* Check.checkWithVerify(environment)
  yield* server.stop
  Log.scan(environment)
  MailCheck.check(environment)

  countCosts(environment, findings, { leads, kills: killedCompanies.size, lateKills, firstEmailCalls })
  return yield* printReport(findings)
})
