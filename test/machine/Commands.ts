// test/machine/Commands.ts: random commands: what a caller does, to which resource, and with which options.
import { Arbitrary, Schema } from "effect"

const indexes = Array.from({ length: 100 }, (_, i) => i)

/** One of these values. A value that is listed twice is twice as likely. */
const oneOf = <const A>(...values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(Arbitrary.schema(Schema.Literals(indexes.slice(0, values.length))), (index) => values[index] as A)

const repeated = <A>(times: number, value: A): ReadonlyArray<A> => Array.from({ length: times }, () => value)

const command = <const Do extends string, const Fields extends Record<string, Arbitrary.Arbitrary<any>>>(
  name: Do,
  fields: Fields
) => Arbitrary.all({ do: Arbitrary.Constant(name), ...fields })

const caller = oneOf(0, 0, 0, 0, 1)

/** Refers to one of the caller's resources, counted from the newest, to the most advanced one ("best"), or to none. */
const resourceRef = (...own: ReadonlyArray<"own" | "best">) =>
  Arbitrary.all({
    which: oneOf(...own, ...own, ...own, ...own, ...own, "foreign", "gone", "unknown", "nonsense"),
    index: oneOf(0, 0, 0, 1, 2)
  })
const anyCampaign = resourceRef("own", "own", "own", "best")
const advancedCampaign = resourceRef("best", "best", "best", "own")

const key = oneOf(0, 0, 1, 1, 2)
const audience = oneOf(
  ...(["first", "first", "first", "second", "described", "custom"] as const),
  ...(["first", "second", "described", "custom", "foreign", "unknown", "nameless", "no id", "none"] as const)
)
const signature = oneOf(...repeated(20, "inline" as const), "unknown", "none", "both")
const enriched = oneOf(false, false, true)
const assetType = oneOf("social_proof", "lead_magnet", "risk_reversal", "value_proposition", "value_proposition")
const campaignIndex = oneOf(0, 0, 0, 1)

const create = command("create", { caller, name: oneOf("Spring", "Spring", "Autumn", " "), key })
const rename = command("rename", { caller, resource: anyCampaign, name: oneOf("Summer", " Winter ", " ") })
const remove = command("delete campaign", { caller, resource: anyCampaign })
const branch = command("branch", {
  caller,
  resource: advancedCampaign,
  name: oneOf(...repeated(12, "Branch"), ""),
  step: oneOf(
    ...(["target-audience", "social-proof", "lead-magnets", "risk-reversal", "value-propositions"] as const),
    ...(["target-audience", "social-proof", "lead-magnets", "risk-reversal", "value-propositions"] as const),
    "middle"
  ),
  audience,
  key
})
const target = command("target", { caller, resource: anyCampaign, audience, key })
const select = command("select", {
  caller,
  resource: anyCampaign,
  type: assetType,
  pick: oneOf("first", "first", "first", "second", "both", "none", "edited", "remarked", "unknown", "stale", "stray"),
  key
})
const propose = command("propose", { caller, resource: anyCampaign, key })
/** `next` takes the campaign's next build step, `build` all remaining ones. */
const next = command("next", { caller, campaignIndex })
const build = command("build", { caller, campaignIndex })
const runJobs = command("run jobs", { writerState: oneOf("well", "well", "well", "stalling", "stalling", "down") })
const generate = command("generate", {
  caller,
  resource: advancedCampaign,
  lead: oneOf(...repeated(8, "plain" as const), "refused", "refused", "no address"),
  writerState: oneOf("well", "well", "well", "down"),
  signature,
  enriched
})
const batch = command("batch", {
  caller,
  resource: advancedCampaign,
  plain: oneOf(0, 1, 1, 2, 3, 4),
  refused: oneOf(0, 0, 1),
  slow: oneOf(0, 1, 1, 2),
  many: oneOf(...repeated(7, false), true),
  signature,
  enriched,
  /** The writer's state once the batch is accepted; "nothing" to run no workers. */
  afterwards: oneOf("nothing", "stalling", "stalling", "down", "well")
})
const preview = command("preview", {
  caller,
  resource: advancedCampaign,
  outcome: oneOf("written", "partly", "partly", "refused", "down", "lost"),
  signature,
  enriched,
  key
})
const list = command("list", {
  caller,
  resource: resourceRef("best", "best", "own"),
  action: oneOf(
    ...(["read", "read", "rename", "delete", "delete", "reprocess", "reprocess", "reprocess", "csv", "json"] as const),
    ...(["unname", "xml", "approved", "approved", "preset", "new", "new"] as const)
  )
})
const listWithEmails = resourceRef("best", "best", "best", "own")
const review = command("review", {
  caller,
  resource: listWithEmails,
  lead: oneOf(0, 0, 0, 1, 2, 3),
  step: oneOf(1, 1, 1, 2, 2, 3),
  action: oneOf(
    ...([
      "read",
      "edit",
      "edit",
      "break",
      "break",
      "restore",
      "restore",
      "approve",
      "approve",
      "reject",
      "reject"
    ] as const),
    ...(["same", "stale", "restore none", "open"] as const)
  ),
  key
})
const rewrite = command("rewrite", {
  caller,
  resource: listWithEmails,
  lead: oneOf(0, 0, 0, 0, 1, 2, 3),
  /** 0 leaves the field out: all steps, any variant. */
  step: oneOf(0, 0, 1, 1, 2, 3),
  variant: oneOf(...repeated(6, 0 as const), 1, 2),
  key
})
const bulk = command("bulk", {
  caller,
  resource: listWithEmails,
  status: oneOf(...repeated(6, "approved" as const), "rejected", "open"),
  rule: oneOf("all", "all", "none", "hint", "warn", "seen", "named", "both", "stray"),
  key
})
type SuppressionTarget = 0 | 1 | 2 | "all" | "company"
const suppress = command("suppress", { caller, lead: oneOf<SuppressionTarget>(0, 0, 1, 1, 2, "all", "company"), key })
const unsuppress = command("unsuppress", {
  caller,
  lead: oneOf<SuppressionTarget>(0, 1, "all", "all", "all", "company", "company", "company")
})
const grant = command("grant", { caller, amount: oneOf(1, 3, 6, 20, 40) })

export type Tier = "free" | "starter" | "internal" | "none"
export interface Change {
  readonly tier?: Tier
  readonly monthly_credits?: number
  readonly campaign_build_limit?: number
  readonly payg_enabled?: boolean
  readonly payg_cap_cents?: number
}
const plan = command("plan", {
  caller,
  change: oneOf<Change>(
    { tier: "starter" },
    { tier: "starter" },
    { tier: "free" },
    { tier: "free" },
    { tier: "internal" },
    { tier: "none" },
    { monthly_credits: 0 },
    { monthly_credits: 4 },
    { monthly_credits: 20 },
    { campaign_build_limit: 2 },
    { campaign_build_limit: 12 },
    { campaign_build_limit: 12 },
    { payg_enabled: false },
    { payg_enabled: true },
    { payg_enabled: true, payg_cap_cents: 25 },
    { payg_enabled: true, payg_cap_cents: 70 }
  )
})
const wait = command("wait", { hours: oneOf(1, 23, 25, 25, 24 * 9, 24 * 32, 24 * 32) })
const repeatCall = command("again", { callIndex: oneOf(0, 0, 0, 1, 2, 3), body: oneOf("same", "same", "other") })
const read = command("read", { caller, resource: anyCampaign })
const check = command("check", { caller, required: oneOf(1, 7, 1000, 0) })

// Commands that advance a campaign are drawn more often.
const weightedCommands = [
  ...repeated(2, create),
  ...repeated(3, next),
  ...repeated(5, build),
  ...repeated(6, runJobs),
  ...repeated(6, batch),
  ...repeated(4, generate),
  ...repeated(4, preview),
  ...repeated(8, list),
  ...repeated(8, review),
  ...repeated(6, rewrite),
  ...repeated(5, bulk),
  ...repeated(2, suppress),
  ...repeated(2, unsuppress),
  ...repeated(3, select),
  ...repeated(2, target),
  ...repeated(2, branch),
  ...repeated(6, repeatCall),
  ...repeated(2, grant),
  ...repeated(2, plan),
  ...repeated(3, wait),
  rename,
  remove,
  propose,
  read,
  check
]

type Generated<A> = A extends Arbitrary.Arbitrary<infer B> ? B : never
export type Command = Generated<(typeof weightedCommands)[number]>
/** The commands of these names. */
export type CommandOf<Do extends Command["do"]> = Extract<Command, { readonly do: Do }>
export type ResourceRef = Generated<typeof anyCampaign>

const anyCommand: Arbitrary.Arbitrary<Command> = Arbitrary.flatMap(
  oneOf(...weightedCommands),
  (command) => command as Arbitrary.Arbitrary<Command>
)

export const arbitraryCommands = (length: number) => Arbitrary.array(anyCommand, { minLength: 1, maxLength: length })
