// src/commands/Credits.ts: plans, grants and the ledger.
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { Credits } from "#layers/Credits.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { type CreditAccount, Tier } from "#schema/Credits.ts"
import { workspace } from "#src/commands/Flags.ts"
import { print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"
import { table } from "#src/commands/Words.ts"

const count = (name: string, minimum: number) =>
  Flag.Int(name).pipe(Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum, maximum: 1_000_000_000 }))))

const shown = (account: CreditAccount) =>
  print(account, [
    `${account.is_unlimited ? "Unlimited" : account.balance} credits, plan ${account.plan.tier}`,
    `${account.usage.credits_used_this_period} used this period, which ends ${account.period.end}`,
    account.payg.enabled
      ? `Pay as you go: ${account.payg.spent_cents} of ${account.payg.cap_cents} cents spent`
      : "Pay as you go: off"
  ])

const set = Command.make(
  "set",
  {
    workspace,
    tier: Flag.Literals("tier", Tier.literals).pipe(Flag.optional),
    monthlyCredits: count("monthly-credits", 0).pipe(Flag.optional),
    unlimited: Flag.Boolean("unlimited").pipe(Flag.optional),
    buildLimit: count("campaign-build-limit", 0).pipe(Flag.optional),
    paygEligible: Flag.Boolean("payg-eligible").pipe(Flag.optional),
    paygEnabled: Flag.Boolean("payg-enabled").pipe(Flag.optional),
    paygCap: count("payg-cap-cents", 0).pipe(Flag.optional)
  },
  (change) =>
    withStore(
      Effect.fnUntraced(function* () {
        const { id } = yield* (yield* Workspaces).find(change.workspace)
        const credits = yield* Credits
        yield* shown(
          yield* credits.setPlan(id, {
            tier: Option.getOrUndefined(change.tier),
            monthly_credits: Option.getOrUndefined(change.monthlyCredits),
            unlimited: Option.getOrUndefined(change.unlimited),
            campaign_build_limit: Option.getOrUndefined(change.buildLimit),
            payg_eligible: Option.getOrUndefined(change.paygEligible),
            payg_enabled: Option.getOrUndefined(change.paygEnabled),
            payg_cap_cents: Option.getOrUndefined(change.paygCap)
          })
        )
      })
    )
).pipe(Command.withDescription("Change a workspace's plan; it works at once, and what is left out stays"))

export const plan = Command.make("plan").pipe(
  Command.withDescription("Say what a workspace may spend"),
  Command.withSubcommands([set])
)

const grant = Command.make(
  "grant",
  { workspace, amount: count("amount", 1), note: Flag.String("note").pipe(Flag.optional) },
  ({ amount, note, workspace }) =>
    withStore(
      Effect.fnUntraced(function* () {
        const { id } = yield* (yield* Workspaces).find(workspace)
        yield* shown(yield* (yield* Credits).grant(id, amount, Option.getOrNull(note)))
      })
    )
).pipe(Command.withDescription("Grant addon credits"))

const ledger = Command.make("ledger", { workspace }, ({ workspace }) =>
  withStore(
    Effect.fnUntraced(function* () {
      const { id } = yield* (yield* Workspaces).find(workspace)
      const credits = yield* Credits
      const entries = yield* credits.ledger(id)
      const { available } = yield* credits.check(id, 0)
      yield* print({ entries, balance: available }, [
        ...table(
          ["AT", "BUCKET", "AMOUNT", "KIND", "NOTE"],
          entries.map(({ amount, at, bucket, kind, note, ref }) => [
            at,
            bucket,
            String(amount),
            kind,
            note ?? ref ?? ""
          ])
        ),
        `Balance ${available}`
      ])
    })
  )
).pipe(Command.withDescription("Show every entry of a workspace's ledger"))

export const credits = Command.make("credits").pipe(
  Command.withDescription("Grant credits, and show what became of them"),
  Command.withSubcommands([grant, ledger])
)
