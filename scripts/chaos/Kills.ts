// scripts/chaos/Kills.ts: kills between a model's answer and the commit of what it wrote, one lead after the other. One
// lead is in work at a time, so that each kill may cost one call of the model, and none of anything else.
import { Console, Deferred, Effect } from "effect"
import type { Asked } from "#test/support/model.ts"
import * as Check from "./Check.ts"
import * as Dice from "./Dice.ts"
import * as Findings from "./Findings.ts"
import * as Letters from "./Letters.ts"
import * as Log from "./Log.ts"
import { order } from "./Orders.ts"
import { report } from "./Report.ts"
import { query, settled } from "./Rest.ts"
import * as Stage from "./Stage.ts"
import { lead, mailbox } from "./World.ts"

/** Leads in a list: many batches of one job each, few enough for one request. */
const perList = 250
/** A kill that comes after the commit is none of those that were asked for; then another lead has to do. */
const spare = 1.2

/** The company of the lead that a model was asked to write to. */
const companyOf = (asked: Asked | undefined) =>
  asked?.kind === "adapted_emails" ? /^company: (Firm \d+)/m.exec(asked.user)?.[1] : undefined

type World = Effect.Success<ReturnType<typeof Stage.make>>

const sendLeads = Effect.fnUntraced(function* (world: World, leads: number) {
  for (let n = 0; n * perList < leads; n++) {
    for (const workspace of world.workspaces) {
      yield* order(workspace, {
        name: `Killed ${n}`,
        kind: "batch",
        leads: Array.from({ length: Math.min(perList, leads - n * perList) }, () => lead(undefined)),
        email_count: 2,
        recipient: `owner.${mailbox}@mail.chaos.example`
      })
    }
  }
})

/** Whether the lead of a company is not written yet. */
const isPending = (world: World, company: string) => {
  const [row] = query<{ readonly status: string }>(world, `SELECT status FROM leads WHERE company LIKE '${company} %'`)
  return row?.status === "pending"
}

/** The companies whose leads were in work at a kill. */
const companiesMet = (world: World) =>
  query<{ readonly company: string }>(world, "SELECT company FROM leads WHERE status = 'pending' AND suspect > 0").map(
    ({ company }) => /^Firm \d+/.exec(company)?.[0] ?? company
  )

type Found = ReturnType<typeof Findings.make>

/** Counts the calls of the model, and returns how many of them were for a first email. */
const countModelCalls = (world: World, findings: Found): number => {
  const calls = new Map<string, number>()
  for (const { asked, status } of world.model.journal()) {
    findings.count("model calls")
    if (status === 200) findings.count("model calls answered")
    const company = companyOf(asked)
    if (company !== undefined) calls.set(company, (calls.get(company) ?? 0) + 1)
  }
  return [...calls.values()].reduce((sum, n) => sum + n, 0)
}

interface Costs {
  readonly leads: number
  readonly kills: number
  /** Kills that came after the commit. */
  readonly late: number
  /** Calls of the model for first emails. */
  readonly first: number
}

/** Counts what the kills have cost: at most one call of the model each, and no charge. */
const countCosts = (world: World, findings: Found, { first, kills, late, leads }: Costs) => {
  const [charges] = query<{ readonly n: number; readonly refs: number }>(
    world,
    "SELECT count(*) AS n, count(DISTINCT ref) AS refs FROM credit_entries WHERE kind = 'capture'"
  )
  findings.count("leads sent", leads)
  findings.count("kills between the answer and the commit", kills)
  findings.count("kills that came after the commit", late)
  findings.count("model calls for first emails", first)
  findings.count("extra model calls", first - leads)
  findings.count("leads charged", charges?.refs ?? 0)
  findings.count("leads charged twice", (charges?.n ?? 0) - (charges?.refs ?? 0))
  if (first - leads > kills + late) findings.broken(`${first - leads} extra model calls for ${kills + late} kills`)
  if (charges?.n !== leads || charges.refs !== leads) findings.broken(`${charges?.n} charges for ${leads} leads`)
  if (findings.counts().get("leads written") !== leads) findings.broken("Not all leads were written to")
}

export const kills = Effect.fnUntraced(function* ({ seed, times }: { readonly seed: number; readonly times: number }) {
  const dice = Dice.make(seed)
  const findings = Findings.make((line) => console.log(line))
  const world = yield* Stage.make({ dice, findings, limit: false, concurrency: 1, plans: ["scale"] })
  const { model, server } = world
  const leads = Math.ceil(times * spare) + 5
  yield* sendLeads(world, leads)

  const killed = new Set<string>()
  /** Those that a late kill met when their turn had begun: a second one would be their end. */
  const spared = new Set<string>()
  let late = 0
  while (killed.size < times) {
    const sent = yield* Deferred.make<string>()
    model.onSent((asked) => {
      const company = companyOf(asked)
      // A lead that ends its worker again and again is given up, and rightly.
      if (company === undefined || killed.has(company) || spared.has(company)) return
      Deferred.doneUnsafe(sent, Effect.succeed(company))
    })
    const company = yield* Effect.timeoutOption(Deferred.await(sent), 60_000)
    if (company._tag === "None") {
      findings.broken(`Nothing was asked of the model for a minute after ${killed.size} kills`)
      break
    }
    yield* Effect.sleep(dice.int(0, 3))
    model.onSent(undefined)
    yield* server.kill
    const isInTime = isPending(world, company.value)
    if (isInTime) killed.add(company.value)
    else {
      late++
      for (const each of companiesMet(world)) spared.add(each)
    }
    yield* server.start
    Log.scan(world)
    if (killed.size % 20 === 0 && isInTime) yield* Console.log(`${killed.size} kills`)
  }
  model.onSent(undefined)
  yield* settled(world)

  const first = countModelCalls(world, findings)
  yield* Check.store(world)
  yield* Check.verified(world)
  yield* server.stop
  Log.scan(world)
  Letters.check(world)

  countCosts(world, findings, { leads, kills: killed.size, late, first })
  return yield* report(findings)
})
