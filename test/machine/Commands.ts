// test/machine/Commands.ts: what a walk may do next, as it is drawn: which thing, and how it is gone about.
import { Arbitrary, Schema } from "effect"

const places = Array.from({ length: 100 }, (_, i) => i)

/** One of these, each as likely as it stands here often. */
const one = <const A>(...all: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(Arbitrary.schema(Schema.Literals(places.slice(0, all.length))), (at) => all[at] as A)

const often = <A>(times: number, value: A): ReadonlyArray<A> => Array.from({ length: times }, () => value)

const command = <const Do extends string, const Fields extends Record<string, Arbitrary.Arbitrary<any>>>(
  name: Do,
  fields: Fields
) => Arbitrary.all({ do: Arbitrary.Constant(name), ...fields })

const who = one(0, 0, 0, 0, 1)

/** One of the caller's own, counted from the newest, or the one that is built furthest; or what the caller has not. */
const on = (...own: ReadonlyArray<"own" | "best">) =>
  Arbitrary.all({
    of: one(...own, ...own, ...own, ...own, ...own, "foreign", "gone", "nobody", "nonsense"),
    at: one(0, 0, 0, 1, 2)
  })
const any = on("own", "own", "own", "best")
const best = on("best", "best", "best", "own")

const key = one(0, 0, 1, 1, 2)
const audience = one(
  ...(["first", "first", "first", "second", "described", "custom"] as const),
  ...(["first", "second", "described", "custom", "foreign", "unknown", "nameless", "no id", "none"] as const)
)
const signature = one(...often(20, "inline" as const), "unknown", "none", "both")
const enriched = one(false, false, true)
const type = one("social_proof", "lead_magnet", "risk_reversal", "value_proposition", "value_proposition")
const at = one(0, 0, 0, 1)

const create = command("create", { who, name: one("Spring", "Spring", "Autumn", " "), key })
const rename = command("rename", { who, on: any, name: one("Summer", " Winter ", " ") })
const remove = command("delete campaign", { who, on: any })
const branch = command("branch", {
  who,
  on: best,
  name: one(...often(12, "Branch"), ""),
  step: one(
    ...(["target-audience", "social-proof", "lead-magnets", "risk-reversal", "value-propositions"] as const),
    ...(["target-audience", "social-proof", "lead-magnets", "risk-reversal", "value-propositions"] as const),
    "middle"
  ),
  audience,
  key
})
const target = command("target", { who, on: any, audience, key })
const select = command("select", {
  who,
  on: any,
  type,
  pick: one("first", "first", "first", "second", "both", "none", "edited", "remarked", "unknown", "stale", "stray"),
  key
})
const propose = command("propose", { who, on: any, key })
/** The step that a campaign lacks next, and all that it lacks. */
const next = command("next", { who, at })
const build = command("build", { who, at })
const rest = command("rest", { mood: one("well", "well", "well", "stalling", "stalling", "down") })
const generate = command("generate", {
  who,
  on: best,
  lead: one(...often(8, "plain" as const), "refused", "refused", "nobody"),
  mood: one("well", "well", "well", "down"),
  signature,
  enriched
})
const batch = command("batch", {
  who,
  on: best,
  plain: one(0, 1, 1, 2, 3, 4),
  refused: one(0, 0, 1),
  slow: one(0, 1, 1, 2),
  many: one(...often(7, false), true),
  signature,
  enriched,
  /** How the writer is once it is accepted, if it gets to it at all. */
  afterwards: one("nothing", "stalling", "stalling", "down", "well")
})
const preview = command("preview", {
  who,
  on: best,
  fate: one("written", "partly", "partly", "refused", "down", "lost"),
  signature,
  enriched,
  key
})
const list = command("list", {
  who,
  on: on("best", "best", "own"),
  go: one(
    ...(["read", "read", "rename", "delete", "delete", "reprocess", "reprocess", "reprocess", "csv", "json"] as const),
    ...(["unname", "xml", "approved", "approved", "preset"] as const)
  )
})
const written = on("best", "best", "best", "own")
const review = command("review", {
  who,
  on: written,
  lead: one(0, 0, 0, 1, 2, 3),
  step: one(1, 1, 1, 2, 2, 3),
  go: one(
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
  who,
  on: written,
  lead: one(0, 0, 0, 0, 1, 2, 3),
  /** 0 is all of them, or no wish. */
  step: one(0, 0, 1, 1, 2, 3),
  variant: one(...often(6, 0 as const), 1, 2),
  key
})
const bulk = command("bulk", {
  who,
  on: written,
  status: one(...often(6, "approved" as const), "rejected", "open"),
  rule: one("all", "all", "none", "hint", "warn", "seen", "named", "both", "stray"),
  key
})
type Suppressed = 0 | 1 | 2 | "all" | "company"
const suppress = command("suppress", { who, lead: one<Suppressed>(0, 0, 1, 1, 2, "all", "company"), key })
const unsuppress = command("unsuppress", {
  who,
  lead: one<Suppressed>(0, 1, "all", "all", "all", "company", "company", "company")
})
const grant = command("grant", { who, amount: one(1, 3, 6, 20, 40) })

export type Tier = "free" | "starter" | "internal" | "none"
export interface Change {
  readonly tier?: Tier
  readonly monthly_credits?: number
  readonly campaign_build_limit?: number
  readonly payg_enabled?: boolean
  readonly payg_cap_cents?: number
}
const plan = command("plan", {
  who,
  change: one<Change>(
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
const wait = command("wait", { hours: one(1, 23, 25, 25, 24 * 9, 24 * 32, 24 * 32) })
const again = command("again", { at: one(0, 0, 0, 1, 2, 3), body: one("same", "same", "other") })
const look = command("look", { who, on: any })
const check = command("check", { who, required: one(1, 7, 1000, 0) })

// What leads further is drawn more often.
const drawn = [
  ...often(2, create),
  ...often(3, next),
  ...often(5, build),
  ...often(6, rest),
  ...often(6, batch),
  ...often(4, generate),
  ...often(4, preview),
  ...often(8, list),
  ...often(8, review),
  ...often(6, rewrite),
  ...often(5, bulk),
  ...often(2, suppress),
  ...often(2, unsuppress),
  ...often(3, select),
  ...often(2, target),
  ...often(2, branch),
  ...often(6, again),
  ...often(2, grant),
  ...often(2, plan),
  ...often(3, wait),
  rename,
  remove,
  propose,
  look,
  check
]

type Drawn<A> = A extends Arbitrary.Arbitrary<infer B> ? B : never
export type Command = Drawn<(typeof drawn)[number]>
/** The commands of these names. */
export type Of<Do extends Command["do"]> = Extract<Command, { readonly do: Do }>
export type On = Drawn<typeof any>

const anyCommand: Arbitrary.Arbitrary<Command> = Arbitrary.flatMap(
  one(...drawn),
  (command) => command as Arbitrary.Arbitrary<Command>
)

export const commands = (length: number) => Arbitrary.array(anyCommand, { minLength: 1, maxLength: length })
