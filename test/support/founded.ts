// test/support/founded.ts: workspaces in a store of the real program, and what is asked of it there.
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { writeFile } from "node:fs/promises"
import { Check } from "#layers/Verify.ts"
import { home, overtureJson } from "#test/support/process.ts"

const profile = {
  company_name: "Kestrel Pumps",
  website_url: "https://kestrel-pumps.example",
  city_region: "Katowice, Poland",
  target_job_titles: "Maintenance Manager, Plant Director",
  business_description: "We build and service industrial slurry pumps for mines and quarries.",
  problems_solved: "A worn pump stops the line, and the manufacturer takes three weeks to rebuild it.",
  pain_points: "Unplanned stops; rebuilds that take weeks.",
  case_studies: ["Huta Wolbrom cut unplanned stops from 19 to 4 a year."],
  guarantee: ["No charge if the rebuilt pump fails within 12 months."],
  lead_magnets: ["A free check of one pump, results in 3 working days"]
}

const Workspace = Schema.Struct({ id: Schema.String, onboarding_completed: Schema.Boolean })
const Key = Schema.Struct({ id: Schema.String, key: Schema.String })
const Verdict = Schema.Struct({ ok: Schema.Boolean, checks: Schema.Array(Check) })
export const Ledger = Schema.Struct({
  entries: Schema.Array(Schema.Struct({ kind: Schema.String, ref: Schema.NullOr(Schema.String), amount: Schema.Int })),
  balance: Schema.Int
})

/** Makes a workspace in the store of a data directory, with these flags, and a key to it. */
export const workspaceIn = Effect.fnUntraced(function* (data: string, name: string, ...flags: ReadonlyArray<string>) {
  const made = yield* overtureJson(Workspace, data, "workspace", "create", "--name", name, ...flags)
  assert.strictEqual(made.onboarding_completed, flags.includes("--profile"))
  const { id, key } = yield* overtureJson(Key, data, "key", "create", "--workspace", made.id)
  return { data, workspace: made.id, key, key_id: id }
})

/** Makes an onboarded one. */
export const foundedIn = Effect.fnUntraced(function* (data: string) {
  yield* Effect.promise(() => writeFile(`${data}/profile.json`, JSON.stringify(profile)))
  return yield* workspaceIn(data, "Kestrel", "--profile", `${data}/profile.json`)
})

/** A store with one onboarded workspace and a key to it. */
export const founded = Effect.flatMap(home, foundedIn)

export const leads = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    email: `lead${i}@company${i}.example`,
    name: `${["Ann", "Bob", "Carla", "Dmitri"][i % 4]} Ortiz`,
    title: ["Plant Director", "Maintenance Manager", "COO"][i % 3],
    company: `Quarry ${["North", "South", "East"][i % 3]} Ltd`
  }))

export const options = { email_count: 2, email_signature: "Piotr\\nKestrel Pumps" }

/** Asserts every invariant of the store. */
export const sound = Effect.fnUntraced(function* (data: string) {
  const { checks, ok } = yield* overtureJson(Verdict, data, "verify")
  assert.isTrue(ok, JSON.stringify(checks.filter((check) => !check.ok)))
})
