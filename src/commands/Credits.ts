// src/commands/Credits.ts: shows and changes plans, grants credits, and prints the ledger.
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Credits } from "#layers/Credits.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { type CreditAccount, Tier } from "#schema/Credits.ts"
import { wholeNumber, workspace } from "#src/commands/Flags.ts"
import { print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"
import { alignColumns } from "#src/commands/TerminalText.ts"

const countFlag = (name: string, minimum: number, description: string) =>
  wholeNumber(name, description, minimum, 1_000_000_000)

const yesOrNo = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.optional)

/** The credits of this period and, if they differ, of the next. */
const allowance = ({ plan, usage }: CreditAccount) => {
  const monthlyLimit = plan.custom_credits_limit ?? plan.monthly_credits_limit
  return monthlyLimit === usage.monthly_allocated
    ? `Allowance: ${monthlyLimit} credits a period`
    : `Allowance: ${monthlyLimit} credits from the next period on; this one granted ${usage.monthly_allocated}, which stays`
}

const printAccount = (account: CreditAccount) =>
  print(account, [
    `${account.is_unlimited ? "Unlimited" : account.balance} credits, plan ${account.plan.tier}`,
    `${account.usage.credits_used_this_period} used this period, which ends ${account.period.end}`,
    ...(account.is_unlimited ? [] : [allowance(account)]),
    account.payg.enabled
      ? `Pay as you go: ${account.payg.spent_cents} of ${account.payg.cap_cents} cents spent`
      : "Pay as you go: off"
  ])

const set = Command.make(
  "set",
  {
    workspace,
    tier: Flag.Literals("tier", Tier.literals).pipe(Flag.withDescription("The plan"), Flag.optional),
    monthlyCredits: countFlag(
      "monthly-credits",
      0,
      "Credits per period, in place of the plan's; a smaller number counts from the next period"
    ).pipe(Flag.optional),
    unlimited: yesOrNo("unlimited", "Never refuse for lack of credits"),
    buildLimit: countFlag("campaign-build-limit", 0, "Campaigns per period, in place of the plan's").pipe(
      Flag.optional
    ),
    paygEligible: yesOrNo("payg-eligible", "Whether the workspace may pay as it goes"),
    paygEnabled: yesOrNo("payg-enabled", "Whether pay-as-you-go is on"),
    paygCap: countFlag("payg-cap-cents", 0, "The most pay-as-you-go may cost per period, in cents").pipe(Flag.optional)
  },
  (change) =>
    withStore(
      Effect.fnUntraced(function* () {
        const { id } = yield* (yield* Workspaces).find(change.workspace)
        const credits = yield* Credits
        yield* printAccount(
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
).pipe(Command.withDescription("Change a workspace's plan immediately; omitted options keep their value"))

export const plan = Command.make("plan").pipe(Command.withSubcommands([set]))

const grant = Command.make(
  "grant",
  {
    workspace,
    amount: countFlag("amount", 1, "Credits to grant"),
    note: Flag.String("note").pipe(Flag.withDescription("A note for the ledger"), Flag.optional)
  },
  ({ amount, note, workspace }) =>
    withStore(
      Effect.fnUntraced(function* () {
        const { id } = yield* (yield* Workspaces).find(workspace)
        yield* printAccount(yield* (yield* Credits).grant(id, amount, Option.getOrNull(note)))
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
      yield* print({ entries, balance: available }, () => [
        ...alignColumns(
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

export const credits = Command.make("credits").pipe(Command.withSubcommands([grant, ledger]))
