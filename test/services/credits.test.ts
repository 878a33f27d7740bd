// test/services/credits.test.ts: the credit ledger: holds, charges, refunds, grants, plans and billing periods.
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Campaigns } from "#layers/Campaigns.ts"
import { Credits } from "#layers/Credits.ts"
import { periodEnd, plans } from "#layers/credits/Account.ts"
import { Lists } from "#layers/Lists.ts"
import { verify } from "#layers/operations/Verify.ts"
import { Onboarding } from "#layers/workspaces/Onboarding.ts"
import { noSegment } from "#schema/Audiences.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { CreditAccount, Tier } from "#schema/Credits.ts"
import { noDetails } from "#schema/Details.ts"
import { Services } from "#src/services.ts"
import { billingPeriods } from "#src/workers/BackgroundWorkers.ts"
import * as Server from "#test/support/server.ts"
import * as Stores from "#test/support/store.ts"
import { workspaceOnPlan } from "#test/support/workspace.ts"

const store = Layer.fresh(Services.pipe(Layer.provideMerge(Stores.store)))

const setTime = (iso: string) => TestClock.setTime(Date.parse(iso))

/** Holds and captures one credit for each of `count` owners. */
const spend = Effect.fnUntraced(function* (workspace: WorkspaceId, count: number, owner: string) {
  const credits = yield* Credits
  const owners = Array.from({ length: count }, (_, i) => `${owner}-${i}`)
  const held = yield* credits.hold(workspace, owners, 1)
  yield* credits.capture(workspace, held)
  return held.length
})

/** The sum of each bucket according to the ledger. */
const bucketSums = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const entries = yield* (yield* Credits).ledger(workspace)
  const sumOf = (bucket: string) =>
    entries.filter((entry) => entry.bucket === bucket).reduce((sum, entry) => sum + entry.amount, 0)
  return { monthly: sumOf("monthly"), rollover: sumOf("rollover"), addon: sumOf("addon"), payg: sumOf("payg") }
})

// Holds and captures are for stored leads, so that the store's consistency checks cover them.
const cost = 2

const createTestCampaign = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const segment = { ...noSegment, segment_name: "Mines" }
  yield* (yield* Onboarding).store(workspace, {
    profile: noDetails,
    documents: { company_summary: "#", market_research: "#" },
    segments: [segment],
    options: { social_proof: [], lead_magnet: [], risk_reversal: [] }
  })
  return (yield* (yield* Campaigns).create(workspace, "Spring")).id
})

/** Stores a list with `count` leads and returns their ids. */
const acceptList = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, count: number) {
  const { leads } = yield* (yield* Lists).accept(workspace, {
    campaign,
    kind: "batch",
    name: "List",
    writing: {
      email_count: 1,
      signature: "Bo",
      additional_details: null,
      approved_ctas: [],
      enriched: false,
      cost,
      notification_email: null
    },
    leads: { count, parts: [Array.from({ length: count }, () => ({ email: "ann@north.example" }))] },
    gate: undefined
  })
  return leads
})

/** Marks a lead as completed, as a worker does when it captures the credits. */
const markDone = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE leads SET status = 'completed', sequence = '[{}]', emails = 1 WHERE id = ${id}`
  yield* sql`UPDATE lists SET leads_done = leads_done + 1, emails_created = emails_created + 1 WHERE id = (SELECT list_id FROM leads WHERE id = ${id})`
})

/** The account's total usage, and whether its usage of the period or of pay-as-you-go is negative. */
const describeUse = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly used_total: number; readonly used_period: number; readonly payg_used: number }>`
    SELECT used_total, used_period, payg_used FROM credit_accounts WHERE workspace_id = ${workspace}`
  return {
    total: rows[0]?.used_total ?? 0,
    negative: rows.some(({ payg_used, used_period }) => payg_used < 0 || used_period < 0)
  }
})

/**
 * A model of the expected account: credits come from grants, plans and periods, are spent by charges, and expire after the
 * following period. It does not read the store.
 */
class ExpectedAccount {
  tier: Tier = "free"
  custom: number | undefined
  unlimited = false
  payg = { enabled: false, capCredits: 0, used: 0, everUsed: 0 }
  monthly = plans.free.monthly_credits
  allocated = plans.free.monthly_credits
  rollover = 0
  addon = 0
  readonly holds = new Set<string>()
  readonly charges = new Map<string, ReadonlyArray<readonly [from: keyof Buckets, amount: number, at: string]>>()
  readonly #anchor: number
  #end: string

  #start: string

  constructor(start: string) {
    this.#start = start
    this.#anchor = new Date(start).getUTCDate()
    this.#end = periodEnd(start, this.#anchor)
  }

  /** Starts every billing period up to the given time. */
  advanceTo(time: string) {
    for (; this.#end <= time; this.#end = periodEnd(this.#end, this.#anchor)) {
      this.#start = this.#end
      this.allocated = this.custom ?? plans[this.tier].monthly_credits
      this.rollover = Math.min(this.monthly, this.allocated)
      this.monthly = this.allocated
      this.payg.used = 0
    }
  }

  get #paygLeft() {
    return this.payg.enabled ? Math.max(0, this.payg.capCredits - this.payg.used) : 0
  }

  /** The number of credits that can be held now. */
  get available() {
    if (this.tier === "none") return 0
    if (this.unlimited) return Infinity
    return Math.max(0, this.monthly + this.rollover + this.addon + this.#paygLeft - this.holds.size * cost)
  }

  spend(owner: string, amount: number, time: string) {
    const parts: Array<readonly [keyof Buckets, number, string]> = []
    let remaining = amount
    const takeFrom = (bucket: keyof Buckets, balance: number, take: (amount: number) => void) => {
      const part = Math.min(remaining, balance)
      if (part > 0) parts.push([bucket, part, time])
      take(part)
      remaining -= part
    }
    if (this.unlimited) takeFrom("unlimited", Infinity, () => {})
    takeFrom("monthly", this.monthly, (part) => void (this.monthly -= part))
    takeFrom("rollover", this.rollover, (part) => void (this.rollover -= part))
    takeFrom("addon", this.addon, (part) => void (this.addon -= part))
    takeFrom("payg", this.#paygLeft, (part) => {
      this.payg.used += part
      this.payg.everUsed += part
    })
    takeFrom("unbilled", Infinity, () => {})
    this.charges.set(owner, parts)
  }

  refund(owner: string, amount: number) {
    let remaining = amount
    for (const [bucket, charged, at] of this.charges.get(owner)?.toReversed() ?? []) {
      const returned = Math.min(remaining, charged)
      remaining -= returned
      const periodEnded = at < this.#start
      if (bucket === "addon" || (periodEnded && (bucket === "monthly" || bucket === "rollover" || bucket === "payg"))) {
        this.addon += returned
      } else if (bucket === "payg") {
        this.payg.used -= returned
        this.payg.everUsed -= returned
      } else if (bucket === "monthly" || bucket === "rollover") this[bucket] += returned
    }
  }

  plan(tier: Tier, monthly: number | null) {
    this.tier = tier
    this.unlimited = plans[tier].is_unlimited
    this.custom = monthly ?? this.custom
    const increase = Math.max(0, (this.custom ?? plans[tier].monthly_credits) - this.allocated)
    this.monthly += increase
    this.allocated += increase
  }

  setPayg(enabled: boolean, capCents: number) {
    // The cap cannot be below the credits already used.
    this.payg = { ...this.payg, enabled, capCredits: Math.max(Math.floor(capCents / 10), this.payg.used) }
  }

  get sums() {
    const { addon, monthly, payg, rollover } = this
    return { monthly, rollover, addon, payg: payg.everUsed === 0 ? 0 : -payg.everUsed }
  }
}
type Buckets = Record<"monthly" | "rollover" | "addon" | "payg" | "unlimited" | "unbilled", number>

const Step = Schema.Union([
  Schema.Struct({ do: Schema.Literal("hold"), leads: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 })) }),
  Schema.Struct({
    do: Schema.Literal("capture"),
    leads: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))
  }),
  Schema.Struct({
    do: Schema.Literal("release"),
    leads: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8 }))
  }),
  Schema.Struct({
    do: Schema.Literal("charge"),
    amount: Schema.Literals([1, 7, 20, 45])
  }),
  Schema.Struct({
    do: Schema.Literal("refund"),
    amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 25 }))
  }),
  Schema.Struct({
    do: Schema.Literal("grant"),
    amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))
  }),
  Schema.Struct({
    do: Schema.Literal("plan"),
    tier: Schema.Literals(["free", "starter", "internal", "none"]),
    monthly: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 })))
  }),
  Schema.Struct({
    do: Schema.Literal("payg"),
    enabled: Schema.Boolean,
    cap: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 }))
  }),
  Schema.Struct({ do: Schema.Literal("wait"), days: Schema.Literals([-40, 1, 20, 31, 70]) })
])

const oneTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))
const ConcurrentStep = Schema.Union([
  Schema.Struct({ do: Schema.Literal("hold"), count: Schema.Literals([1, 6, 20]) }),
  Schema.Struct({ do: Schema.Literals(["capture", "release"]), owners: Schema.Array(oneTo(40)) }),
  Schema.Struct({ do: Schema.Literal("grant"), amount: oneTo(9) }),
  Schema.Struct({ do: Schema.Literal("charge"), owner: oneTo(9), amount: Schema.Literals([1, 11, 30]) }),
  Schema.Struct({ do: Schema.Literal("refund"), owner: oneTo(9), amount: oneTo(30) })
])

describe("the ledger", () => {
  it.effect.prop(
    "balances after every step of a random history",
    { steps: Arbitrary.array(Arbitrary.schema(Step), { minLength: 15, maxLength: 40 }) },
    ({ steps }) =>
      Effect.gen(function* () {
        yield* setTime("2026-01-31T12:00:00.000Z")
        const credits = yield* Credits
        const sql = yield* SqlClient.SqlClient
        const workspace = yield* workspaceOnPlan("free")
        const expected = new ExpectedAccount("2026-01-31T12:00:00.000Z")
        // Every bucket has a few credits, so that each is soon empty.
        yield* credits.setPlan(workspace, { payg_eligible: true, monthly_credits: 10 })
        expected.plan("free", 10)
        yield* setTime("2026-03-01T12:00:00.000Z")
        expected.advanceTo("2026-03-01T12:00:00.000Z")
        yield* credits.grant(workspace, 5, null)
        expected.addon += 5
        const campaign = yield* createTestCampaign(workspace)
        const held: Array<string> = []
        const captured = new Set<string>()
        const charged: Array<{ readonly owner: string; readonly amount: number }> = []
        const refunded = new Set<string>()
        // The sum of charges minus refunds.
        let chargedTotal = 0
        let clockWentBack = false
        let entries = yield* credits.ledger(workspace)

        for (const step of steps) {
          const before = yield* credits.check(workspace, 0)
          const time = DateTime.formatIso(yield* DateTime.now)
          const [account] = yield* sql<{ readonly is_unlimited: number }>`SELECT is_unlimited FROM credit_accounts`
          switch (step.do) {
            case "hold": {
              const owners = yield* acceptList(workspace, campaign, step.leads)
              // Owners that already have a hold cost nothing more.
              const alreadyHeld = held.slice(0, 3)
              const heldOwners = yield* credits.hold(workspace, [...alreadyHeld, ...owners], cost)
              assert.deepStrictEqual(heldOwners.slice(0, alreadyHeld.length), alreadyHeld)
              const newlyHeld = heldOwners.slice(alreadyHeld.length)
              assert.deepStrictEqual(newlyHeld, owners.slice(0, Math.floor(expected.available / cost)))
              for (const owner of newlyHeld) expected.holds.add(owner)
              held.push(...newlyHeld)
              break
            }
            case "capture": {
              const owners = held.splice(0, step.leads)
              yield* credits.capture(workspace, [...owners, "unknown"])
              for (const id of owners) {
                yield* markDone(id)
                captured.add(id)
                expected.holds.delete(id)
                expected.spend(id, cost, time)
              }
              // Capturing or releasing a captured hold again changes nothing.
              for (const id of [...captured].slice(0, 2)) {
                yield* credits.capture(workspace, [id])
                yield* credits.release(workspace, [id])
              }
              break
            }
            case "release": {
              const owners = held.splice(-step.leads, step.leads)
              yield* credits.release(workspace, [...owners, "unknown"])
              yield* credits.release(workspace, owners)
              for (const id of owners) expected.holds.delete(id)
              break
            }
            case "charge": {
              const owner = `charge-${charged.length}`
              const { sufficient } = yield* credits.check(workspace, step.amount)
              const succeeded = yield* Effect.isSuccess(credits.charge(workspace, owner, step.amount))
              assert.strictEqual(succeeded, sufficient)
              assert.strictEqual(succeeded, step.amount <= expected.available)
              if (!succeeded) break
              expected.spend(owner, step.amount, time)
              charged.push({ owner, amount: step.amount })
              chargedTotal += step.amount
              break
            }
            case "refund": {
              const charge = charged.find(({ owner }) => !refunded.has(owner))
              yield* credits.refund(workspace, "unknown", step.amount)
              if (charge === undefined) break
              const usedBefore = (yield* describeUse(workspace)).total
              yield* credits.refund(workspace, charge.owner, step.amount)
              // A second refund changes nothing, and a refund never exceeds the charge.
              yield* credits.refund(workspace, charge.owner, step.amount)
              const returned = Math.min(step.amount, charge.amount)
              assert.strictEqual((yield* describeUse(workspace)).total, usedBefore - returned)
              assert.isAtLeast((yield* credits.check(workspace, 0)).available, before.available)
              expected.refund(charge.owner, step.amount)
              refunded.add(charge.owner)
              chargedTotal -= returned
              break
            }
            case "grant":
              assert.strictEqual((yield* credits.grant(workspace, step.amount, null)).usage.addon > 0, true)
              expected.addon += step.amount
              break
            case "plan": {
              const monthly = (yield* bucketSums(workspace)).monthly
              yield* credits.setPlan(workspace, {
                tier: step.tier,
                ...(step.monthly === null ? {} : { monthly_credits: step.monthly })
              })
              expected.plan(step.tier, step.monthly)
              // The plan changes immediately and removes no credits.
              assert.isAtLeast((yield* bucketSums(workspace)).monthly, Math.min(monthly, 0))
              break
            }
            case "payg":
              yield* credits.setPlan(workspace, { payg_enabled: step.enabled, payg_cap_cents: step.cap })
              expected.setPayg(step.enabled, step.cap)
              break
            case "wait": {
              const now = yield* DateTime.now
              if (step.days < 0) clockWentBack = true
              yield* TestClock.setTime(Math.max(0, DateTime.toEpochMillis(now) + step.days * 86_400_000))
              break
            }
          }

          const broken = (yield* verify).filter((check) => !check.ok)
          assert.deepStrictEqual(broken, [], JSON.stringify(step))
          const after = yield* credits.check(workspace, 0)
          assert.isAtLeast(after.available, 0)
          assert.isTrue(after.pct_of_cap >= 0 && after.pct_of_cap <= 1)
          assert.isTrue(after.sufficient)
          if (step.do === "hold" && account?.is_unlimited === 0) assert.isAtMost(after.available, before.available)

          const currentAccount = yield* Effect.option(credits.account(workspace))
          if (currentAccount._tag === "Some") {
            const { days } = yield* credits.usage(workspace)
            const usedByDay = days.map((day) => day.used)
            assert.isTrue(
              usedByDay.every((n) => n >= 0),
              JSON.stringify(days)
            )
            // After the clock was set back, spending may be dated before the period, on none of its days.
            const sum = usedByDay.reduce((a, b) => a + b, 0)
            if (!clockWentBack) assert.strictEqual(sum, currentAccount.value.usage.credits_used_this_period)
          }

          // The ledger is append-only: existing entries never change.
          const currentLedger = yield* credits.ledger(workspace)
          const currentEntries = new Map(currentLedger.map((entry) => [entry.id, entry]))
          for (const entry of entries) assert.deepStrictEqual(currentEntries.get(entry.id), entry)
          entries = currentLedger

          const { addon, monthly, rollover } = yield* bucketSums(workspace)
          const [row] = yield* sql<{ readonly held: number }>`SELECT held FROM credit_accounts`
          assert.strictEqual(after.available, Math.max(0, monthly + rollover + addon - (row?.held ?? 0)))
          assert.strictEqual(row?.held, held.length * cost)
          // The ledger matches the model.
          expected.advanceTo(DateTime.formatIso(yield* DateTime.now))
          assert.deepStrictEqual(yield* bucketSums(workspace), expected.sums, JSON.stringify(step))
        }
        const captures = entries.filter((entry) => entry.kind === "capture" && !entry.ref?.startsWith("charge-"))
        assert.deepStrictEqual(new Set(captures.map((entry) => entry.ref)), captured)
        assert.strictEqual(
          captures.reduce((sum, entry) => sum - entry.amount, 0),
          captured.size * cost
        )
        assert.deepStrictEqual(yield* describeUse(workspace), {
          total: captured.size * cost + chargedTotal,
          negative: false
        })
      }).pipe(Effect.provide(store)),
    { arbitrary: { runs: Stores.onPostgres ? 20 : 40 } }
  )

  it.effect.prop(
    "balances after concurrent steps",
    {
      turns: Arbitrary.array(Arbitrary.array(Arbitrary.schema(ConcurrentStep), { minLength: 2, maxLength: 8 }), {
        minLength: 2,
        maxLength: 6
      })
    },
    ({ turns }) =>
      Effect.gen(function* () {
        yield* setTime("2026-01-31T12:00:00.000Z")
        const credits = yield* Credits
        const workspace = yield* workspaceOnPlan("free")
        const granted = turns.flat().reduce((sum, step) => sum + (step.do === "grant" ? step.amount : 0), 0)
        const owners: Array<string> = []
        // Owners with a hold from an earlier turn, which can be captured or released.
        let settled: ReadonlyArray<string> = []
        const runStep = (step: typeof ConcurrentStep.Type): Effect.Effect<unknown> => {
          switch (step.do) {
            case "grant":
              return credits.grant(workspace, step.amount, null)
            case "charge":
              return Effect.exit(credits.charge(workspace, `charge ${step.owner}`, step.amount))
            case "refund":
              return credits.refund(workspace, `charge ${step.owner}`, step.amount)
            case "hold": {
              const newOwners = Array.from({ length: step.count }, (_, index) => `${owners.length + index}`)
              owners.push(...newOwners)
              // An owner named twice, or by two concurrent holds, is held once.
              const hold = credits.hold(workspace, [...newOwners, ...newOwners], cost)
              return Effect.all([hold, hold], { concurrency: "unbounded" })
            }
            default:
              return credits[step.do](
                workspace,
                step.owners.flatMap((owner) => settled.slice(owner % Math.max(1, settled.length)).slice(0, 1))
              )
          }
        }
        for (const turn of turns) {
          settled = [...owners]
          yield* Effect.forEach(turn, (step) => Effect.asVoid(runStep(step)), { concurrency: "unbounded" })
          const { addon, monthly, payg, rollover } = yield* bucketSums(workspace)
          assert.isTrue([addon, monthly, rollover].every((amount) => amount >= 0) && payg === 0)
        }
        // Every hold can be captured.
        yield* credits.capture(workspace, owners)
        const ledger = yield* credits.ledger(workspace)
        assert.isEmpty(ledger.filter(({ bucket }) => bucket === "unbilled"))
        const entriesOf = (kind: string) => ledger.filter((entry) => entry.kind === kind)
        const total = (kind: string) => entriesOf(kind).reduce((sum, { amount }) => sum + amount, 0)
        assert.strictEqual(total("grant"), plans.free.monthly_credits + granted)
        assert.strictEqual(
          (yield* credits.account(workspace)).balance,
          total("grant") + total("capture") + total("refund")
        )
        // Each owner was charged its hold once, or not at all.
        for (const owner of owners) {
          const charged = entriesOf("capture").filter(({ ref }) => ref === owner)
          const paid = charged.reduce((sum, { amount }) => sum - amount, 0)
          assert.isTrue(paid === 0 || paid === cost, owner)
        }
        assert.isAtLeast(-total("capture"), total("refund"))
        yield* Server.assertConsistent
      }).pipe(Effect.provide(store)),
    { arbitrary: { runs: Stores.onPostgres ? 15 : 40 } }
  )

  it.effect("never holds a credit twice for concurrent holds", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const workspace = yield* workspaceOnPlan("free")
      const heldOwners = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, i) => Array.from({ length: 7 }, (_, j) => `${i}-${j}`)),
        (owners) => credits.hold(workspace, owners, 1),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(heldOwners.flat(), 50)
      assert.strictEqual((yield* credits.check(workspace, 1)).available, 0)
      assert.isFalse((yield* credits.check(workspace, 1)).sufficient)
      assert.lengthOf(yield* credits.hold(workspace, ["late"], 1), 0)
      // The order of concurrent holds is up to the store.
      yield* credits.release(workspace, heldOwners.flat().slice(0, 1))
      assert.deepStrictEqual(yield* credits.hold(workspace, ["late", "later"], 1), ["late"])
    }).pipe(Effect.provide(store))
  )

  it.effect("charges an owner once for repeated and concurrent captures", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const workspace = yield* workspaceOnPlan("free")
      yield* credits.hold(workspace, ["lead"], 2)
      yield* Effect.forEach(Array.from({ length: 5 }), () => credits.capture(workspace, ["lead"]), {
        concurrency: "unbounded"
      })
      yield* credits.hold(workspace, ["other"], 1)
      const other = yield* workspaceOnPlan("free")
      yield* credits.capture(other, ["other"])
      assert.strictEqual((yield* credits.account(workspace)).usage.total_credits_used_all_time, 2)
      assert.strictEqual((yield* credits.account(workspace)).balance, 47)
      assert.strictEqual((yield* credits.account(other)).balance, 50)
    }).pipe(Effect.provide(store))
  )

  it.effect("spends monthly, then rollover, then addon, then pay-as-you-go up to its cap", () =>
    Effect.gen(function* () {
      yield* setTime("2026-03-10T00:00:00.000Z")
      const credits = yield* Credits
      const workspace = yield* workspaceOnPlan("free")
      yield* credits.setPlan(workspace, { monthly_credits: 10 })
      yield* setTime("2026-04-10T00:00:00.000Z")
      yield* credits.grant(workspace, 3, "sorry")
      yield* credits.setPlan(workspace, { payg_eligible: true, payg_enabled: true, payg_cap_cents: 25 })
      const buckets = () =>
        Effect.map(bucketSums(workspace), ({ addon, monthly, payg, rollover }) => [monthly, rollover, addon, payg])
      assert.deepStrictEqual(yield* buckets(), [10, 10, 3, 0])
      yield* spend(workspace, 4, "a")
      assert.deepStrictEqual(yield* buckets(), [6, 10, 3, 0])
      yield* spend(workspace, 8, "b")
      assert.deepStrictEqual(yield* buckets(), [0, 8, 3, 0])
      yield* spend(workspace, 9, "c")
      assert.deepStrictEqual(yield* buckets(), [0, 0, 2, 0])
      assert.strictEqual(yield* spend(workspace, 9, "d"), 4)
      assert.deepStrictEqual(yield* buckets(), [0, 0, 0, -2])
      assert.strictEqual(yield* spend(workspace, 1, "e"), 0)
      const { balance, payg, usage } = yield* credits.account(workspace)
      assert.strictEqual(balance, 0)
      assert.deepStrictEqual(payg, {
        eligible: true,
        enabled: true,
        cap_cents: 25,
        spent_cents: 20,
        credits_used: 2,
        pct_of_cap: 0.8
      })
      assert.deepStrictEqual(usage, {
        credits_used_this_period: 25,
        total_credits_used_all_time: 25,
        monthly_allocated: 10,
        rollover: 0,
        addon: 0
      })
      // Pay-as-you-go needs eligibility and consent.
      yield* credits.setPlan(workspace, { payg_cap_cents: 1000, payg_enabled: false })
      assert.strictEqual(yield* spend(workspace, 1, "f"), 0)
      yield* credits.setPlan(workspace, { payg_enabled: true, payg_eligible: false })
      assert.strictEqual(yield* spend(workspace, 1, "g"), 0)
      yield* credits.setPlan(workspace, { payg_eligible: true })
      assert.strictEqual(yield* spend(workspace, 200, "h"), 98)
    }).pipe(Effect.provide(store))
  )

  it.effect("refunds the latest spending first, to its bucket, or to addon after the period has ended", () =>
    Effect.gen(function* () {
      yield* setTime("2026-03-10T00:00:00.000Z")
      const credits = yield* Credits
      const workspace = yield* workspaceOnPlan("free")
      yield* credits.setPlan(workspace, { monthly_credits: 2, payg_eligible: true, payg_enabled: true })
      yield* credits.setPlan(workspace, { payg_cap_cents: 100 })
      yield* spend(workspace, 48, "a")
      yield* credits.grant(workspace, 1, null)
      const buckets = () =>
        Effect.map(bucketSums(workspace), ({ addon, monthly, payg, rollover }) => [monthly, rollover, addon, payg])
      assert.deepStrictEqual(yield* buckets(), [2, 0, 1, 0])
      for (const owner of ["b", "c"]) yield* credits.charge(workspace, owner, 5)
      assert.deepStrictEqual(yield* buckets(), [0, 0, 0, -7])
      yield* credits.refund(workspace, "b", 3)
      assert.deepStrictEqual(yield* buckets(), [0, 0, 1, -5])
      const error = yield* Effect.flip(credits.charge(workspace, "d", 7))
      assert.deepStrictEqual(error.detail, { required: 7, available: 1, payg_enabled: true, pct_of_cap: 0.5 })
      yield* setTime("2026-04-10T00:00:00.000Z")
      assert.deepStrictEqual(yield* buckets(), [0, 0, 1, -5])
      yield* credits.refund(workspace, "c", 4)
      assert.deepStrictEqual(yield* buckets(), [2, 0, 5, -5])
      const { payg, usage } = yield* credits.account(workspace)
      assert.strictEqual(payg.credits_used, 0)
      assert.deepInclude(usage, { credits_used_this_period: 0, total_credits_used_all_time: 48 + 10 - 7 })
      // A refund does not affect another workspace.
      const other = yield* workspaceOnPlan("free")
      yield* credits.refund(other, "c", 5)
      assert.strictEqual((yield* credits.account(other)).balance, 50)
      yield* Server.assertConsistent
    }).pipe(Effect.provide(store))
  )

  it.effect("never refuses an unlimited plan, and records its usage", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const workspace = yield* workspaceOnPlan("internal")
      assert.strictEqual(yield* spend(workspace, 200, "a"), 200)
      yield* credits.require(workspace, 1_000_000)
      const account = yield* credits.account(workspace)
      assert.isTrue(account.is_unlimited)
      assert.strictEqual(account.usage.total_credits_used_all_time, 200)
      assert.lengthOf(
        (yield* credits.ledger(workspace)).filter(({ kind }) => kind === "capture"),
        200
      )
      yield* credits.setPlan(workspace, { unlimited: false })
      assert.strictEqual(yield* spend(workspace, 1, "b"), 0)
    }).pipe(Effect.provide(store))
  )

  it.effect("raises a plan's allowance immediately and never reduces the balance", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const workspace = yield* workspaceOnPlan("free")
      yield* spend(workspace, 20, "a")
      assert.strictEqual((yield* credits.setPlan(workspace, { tier: "starter" })).balance, 980)
      assert.strictEqual((yield* credits.setPlan(workspace, { tier: "free" })).balance, 980)
      // A downgrade followed by an upgrade grants nothing twice.
      assert.strictEqual((yield* credits.setPlan(workspace, { tier: "starter" })).balance, 980)
      assert.strictEqual((yield* credits.setPlan(workspace, { monthly_credits: 1500 })).balance, 1480)
      const { plan, usage } = yield* credits.account(workspace)
      assert.deepInclude(plan, { tier: "starter", monthly_credits_limit: 1000, custom_credits_limit: 1500 })
      assert.strictEqual(usage.monthly_allocated, 1500)
    }).pipe(Effect.provide(store))
  )
})

describe("a period", () => {
  const account = Effect.fnUntraced(function* (workspace: WorkspaceId) {
    return yield* (yield* Credits).account(workspace)
  })
  const summary = ({ balance, period, usage }: CreditAccount) => [
    period.start.slice(0, 10),
    period.end.slice(0, 10),
    balance,
    usage.rollover
  ]

  it.effect("ends on the anchor day, and its remaining credits roll over once", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      yield* setTime("2026-01-15T10:30:00.000Z")
      const workspace = yield* workspaceOnPlan("free")
      yield* credits.grant(workspace, 5, null)
      yield* spend(workspace, 20, "a")
      assert.deepStrictEqual(summary(yield* account(workspace)), ["2026-01-15", "2026-02-15", 35, 0])
      yield* setTime("2026-02-15T10:29:59.999Z")
      assert.deepStrictEqual(summary(yield* account(workspace)), ["2026-01-15", "2026-02-15", 35, 0])
      yield* setTime("2026-02-15T10:30:00.000Z")
      for (let i = 0; i < 3; i++) {
        const current = yield* account(workspace)
        assert.deepStrictEqual(summary(current), ["2026-02-15", "2026-03-15", 85, 30])
        assert.deepInclude(current.usage, { credits_used_this_period: 0, total_credits_used_all_time: 20 })
      }
      // The next rollover replaces the old one, and is at most a month's allowance.
      yield* spend(workspace, 60, "b")
      assert.deepStrictEqual(yield* bucketSums(workspace), { monthly: 0, rollover: 20, addon: 5, payg: 0 })
      yield* setTime("2026-03-20T00:00:00.000Z")
      assert.deepStrictEqual(summary(yield* account(workspace)), ["2026-03-15", "2026-04-15", 55, 0])
      yield* setTime("2026-04-20T00:00:00.000Z")
      assert.deepStrictEqual(summary(yield* account(workspace)), ["2026-04-15", "2026-05-15", 105, 50])
      yield* setTime("2026-05-20T00:00:00.000Z")
      assert.deepStrictEqual(summary(yield* account(workspace)), ["2026-05-15", "2026-06-15", 105, 50])
    }).pipe(Effect.provide(store))
  )

  it.effect("is renewed once for concurrent requests", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      yield* setTime("2026-01-15T00:00:00.000Z")
      const workspace = yield* workspaceOnPlan("free")
      yield* setTime("2026-02-20T00:00:00.000Z")
      yield* Effect.forEach(
        Array.from({ length: 10 }, (_, i) => i),
        (i) =>
          i % 2 === 0
            ? Effect.asVoid(credits.check(workspace, 1))
            : Effect.asVoid(credits.hold(workspace, [`lead-${i}`], 1)),
        { concurrency: "unbounded" }
      )
      const grants = (yield* credits.ledger(workspace)).filter(({ kind }) => kind === "grant")
      assert.deepStrictEqual(
        grants.map(({ amount }) => amount),
        [50, 50]
      )
    }).pipe(Effect.provide(store))
  )

  it.effect("begins on time without any request", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      yield* setTime("2026-01-15T00:00:00.000Z")
      const [firstWorkspace, secondWorkspace] = [yield* workspaceOnPlan("free"), yield* workspaceOnPlan("free")]
      yield* Layer.build(billingPeriods)
      const grants = Effect.forEach([firstWorkspace, secondWorkspace], (workspace) =>
        Effect.map(credits.ledger(workspace), (ledger) =>
          ledger.filter(({ kind }) => kind === "grant").map(({ at }) => at.slice(0, 10))
        )
      )
      const january = ["2026-01-15"]
      yield* TestClock.adjust("30 days")
      assert.deepStrictEqual(yield* grants, [january, january])
      yield* TestClock.adjust("1 day")
      // The store needs real time, while the test clock advances.
      const passMinute = Effect.andThen(TestClock.adjust("1 minute"), TestClock.withLive(Effect.sleep(5)))
      const renewed = yield* Effect.repeat(Effect.andThen(passMinute, grants), {
        until: (grantDates) => grantDates.every(({ length }) => length > 1),
        times: 1000
      })
      assert.deepStrictEqual(renewed, [
        [...january, "2026-02-15"],
        [...january, "2026-02-15"]
      ])
      yield* Server.assertConsistent
    }).pipe(Effect.provide(store))
  )

  it.effect("that ended long ago is caught up, with one grant per period", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      yield* setTime("2026-01-31T00:00:00.000Z")
      const workspace = yield* workspaceOnPlan("free")
      yield* setTime("2027-02-01T00:00:00.000Z")
      const current = yield* account(workspace)
      assert.deepStrictEqual(summary(current), ["2027-01-31", "2027-02-28", 100, 50])
      const grants = (yield* credits.ledger(workspace)).filter(({ kind }) => kind === "grant")
      assert.lengthOf(grants, 13)
    }).pipe(Effect.provide(store))
  )

  it.effect("that ended a hundred years ago is caught up in few entries", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      yield* setTime("2026-01-31T00:00:00.000Z")
      const workspace = yield* workspaceOnPlan("free")
      yield* spend(workspace, 20, "a")
      yield* setTime("2126-02-01T00:00:00.000Z")
      assert.deepStrictEqual(summary(yield* account(workspace)), ["2126-01-31", "2126-02-28", 100, 50])
      const ledger = yield* credits.ledger(workspace)
      assert.isBelow(ledger.length, 150)
      yield* setTime("2026-02-01T00:00:00.000Z")
      assert.deepStrictEqual(summary(yield* account(workspace)), ["2126-01-31", "2126-02-28", 100, 50])
      assert.deepStrictEqual(yield* credits.ledger(workspace), ledger)
      yield* Server.assertConsistent
    }).pipe(Effect.provide(store))
  )

  it.effect("is not renewed twice when the clock is set back", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      yield* setTime("2026-01-15T00:00:00.000Z")
      const workspace = yield* workspaceOnPlan("free")
      const entries = Effect.map(credits.ledger(workspace), (ledger) => ledger.length)
      for (const now of ["2026-03-20", "2026-01-20", "2026-02-20", "2026-03-20", "2025-06-01", "2026-04-14"]) {
        yield* setTime(`${now}T00:00:00.000Z`)
        assert.deepStrictEqual(summary(yield* account(workspace)), ["2026-03-15", "2026-04-15", 100, 50])
        assert.strictEqual(yield* entries, yield* entries)
      }
      assert.lengthOf(
        (yield* credits.ledger(workspace)).filter(({ kind }) => kind === "grant"),
        3
      )
      yield* setTime("2026-04-15T00:00:00.000Z")
      assert.strictEqual((yield* account(workspace)).balance, 100)
      assert.lengthOf(
        (yield* credits.ledger(workspace)).filter(({ kind }) => kind === "grant"),
        4
      )
    }).pipe(Effect.provide(store))
  )

  it.effect("begins with pay-as-you-go and builds at zero", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      yield* setTime("2026-01-15T00:00:00.000Z")
      const workspace = yield* workspaceOnPlan("free")
      yield* credits.setPlan(workspace, { payg_eligible: true, payg_enabled: true, payg_cap_cents: 20 })
      yield* spend(workspace, 52, "a")
      for (let i = 0; i < 3; i++) yield* credits.countBuild(workspace)
      assert.strictEqual((yield* Effect.flip(credits.countBuild(workspace)))._tag, "FORBIDDEN")
      assert.strictEqual((yield* account(workspace)).payg.pct_of_cap, 1)
      yield* setTime("2026-02-15T00:00:00.000Z")
      assert.deepInclude((yield* account(workspace)).payg, { spent_cents: 0, credits_used: 0, pct_of_cap: 0 })
      yield* credits.countBuild(workspace)
      assert.strictEqual(yield* spend(workspace, 60, "b"), 52)
    }).pipe(Effect.provide(store))
  )

  it.effect("may end while credits are held; they are charged once, in the new period", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      yield* setTime("2026-01-15T00:00:00.000Z")
      const workspace = yield* workspaceOnPlan("free")
      assert.lengthOf(yield* credits.hold(workspace, ["x", "y"], 25), 2)
      yield* setTime("2026-02-20T00:00:00.000Z")
      assert.strictEqual((yield* account(workspace)).balance, 50)
      yield* credits.capture(workspace, ["x"])
      yield* credits.release(workspace, ["y"])
      const current = yield* account(workspace)
      assert.strictEqual(current.balance, 75)
      assert.strictEqual(current.usage.credits_used_this_period, 25)
    }).pipe(Effect.provide(store))
  )

  it.effect.prop(
    "lasts a calendar month from its anchor",
    {
      anchor: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31 })),
      month: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600 }))
    },
    ({ anchor, month }) =>
      Effect.sync(() => {
        const lastDay = (m: number) => new Date(Date.UTC(2000, m + 1, 0)).getUTCDate()
        const start = new Date(Date.UTC(2000, month, Math.min(anchor, lastDay(month)), 23, 59, 59, 999))
        const end = new Date(periodEnd(start.toISOString(), anchor))
        assert.strictEqual(end.getUTCFullYear() * 12 + end.getUTCMonth(), 2000 * 12 + month + 1)
        assert.strictEqual(end.getUTCDate(), Math.min(anchor, lastDay(month + 1)))
        assert.strictEqual(end.toISOString().slice(10), start.toISOString().slice(10))
      })
  )
})

describe("a plan", () => {
  it("has the specified limits", () => {
    const rows = Object.entries(plans).map(([tier, plan]) => [
      tier,
      plan.is_unlimited ? "unlimited" : plan.monthly_credits,
      plan.campaign_builds > 1e12 ? "unlimited" : plan.campaign_builds,
      plan.concurrent_lists,
      plan.requests_per_minute,
      plan.storage_bytes > 1e12 ? "unlimited" : plan.storage_bytes / 1e6,
      plan.lifetime_uploads > 1e12 ? "unlimited" : plan.lifetime_uploads
    ])
    assert.deepStrictEqual(rows, [
      ["free", 50, 3, 1, 60, 50, 20],
      ["starter", 1000, 10, 2, 120, 250, 100],
      ["growth", 5000, 50, 5, 300, 1000, 500],
      ["scale", 25_000, 250, 20, 600, 10_000, 5000],
      ["internal", "unlimited", "unlimited", 50, 600, "unlimited", "unlimited"],
      ["none", 0, 0, 0, 60, 50, 20]
    ])
  })
})

describe("usage", () => {
  it.effect("is listed by day, and sums to the account's usage", () =>
    Effect.gen(function* () {
      yield* setTime("2026-01-30T22:00:00.000Z")
      const credits = yield* Credits
      const workspace = yield* workspaceOnPlan("free")
      const usage = Effect.gen(function* () {
        const { days, period } = yield* credits.usage(workspace)
        const account = yield* credits.account(workspace)
        assert.deepStrictEqual(period, account.period)
        const sum = days.reduce((sum, { used }) => sum + used, 0)
        assert.strictEqual(sum, account.usage.credits_used_this_period)
        return days.map(({ date, used }) => `${date} ${used}`)
      })
      assert.deepStrictEqual(yield* usage, ["2026-01-30 0"])
      yield* spend(workspace, 3, "a")
      // Holds and grants are not usage, and days end at midnight UTC.
      yield* credits.hold(workspace, ["held"], 4)
      yield* credits.grant(workspace, 100, null)
      yield* setTime("2026-01-31T23:59:59.999Z")
      yield* credits.charge(workspace, "b", 20)
      yield* setTime("2026-02-02T00:00:00.000Z")
      yield* spend(workspace, 40, "c")
      assert.deepStrictEqual(yield* usage, ["2026-01-30 3", "2026-01-31 20", "2026-02-01 0", "2026-02-02 40"])

      // A refund is subtracted from the day of the charge, whatever the bucket.
      yield* credits.refund(workspace, "b", 5)
      yield* credits.charge(workspace, "d", 60)
      yield* credits.refund(workspace, "d", 50)
      assert.deepStrictEqual(yield* usage, ["2026-01-30 3", "2026-01-31 15", "2026-02-01 0", "2026-02-02 50"])

      // A new period begins without usage, and a refund of the old period does not change it,
      // even if the charge was on the first day of the new period.
      yield* setTime("2026-02-28T09:00:00.000Z")
      yield* credits.charge(workspace, "e", 2)
      yield* setTime("2026-03-01T12:00:00.000Z")
      yield* credits.refund(workspace, "e", 2)
      yield* spend(workspace, 1, "f")
      const days = yield* usage
      assert.deepStrictEqual([days[0], days.at(-1), days.length], ["2026-02-28 0", "2026-03-01 1", 2])
    }).pipe(Effect.provide(store))
  )

  it.live("is read from daily sums, without the ledger", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const workspace = yield* workspaceOnPlan("free")
      yield* spend(workspace, 3, "a")
      yield* credits.charge(workspace, "b", 5)
      yield* credits.refund(workspace, "b", 1)
      yield* Server.dropTable("credit_entries")
      const { days } = yield* credits.usage(workspace)
      assert.strictEqual(
        days.reduce((sum, { used }) => sum + used, 0),
        7
      )
    }).pipe(Effect.provide(store))
  )
})
