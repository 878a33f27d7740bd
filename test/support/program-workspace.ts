// test/support/program-workspace.ts: creates workspaces with the program's commands, and reads their credits.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import { commandJson } from "./command.ts"
import { dataDirectory } from "./process.ts"

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

type Run = typeof commandJson

const createWorkspace = Effect.fnUntraced(function* (
  run: Run,
  data: string,
  name: string,
  flags: ReadonlyArray<string>
) {
  const created = yield* run(data, "workspace", "create", "--name", name, ...flags)
  assert.strictEqual(created.onboarding_completed, flags.includes("--profile"))
  const workspace: string = created.id
  const { id, key }: { readonly id: string; readonly key: string } = yield* run(
    data,
    "key",
    "create",
    "--workspace",
    workspace
  )
  return { data, workspace, key, key_id: id }
})

/** Creates a workspace in a data directory, with these flags, and a key. */
export const workspaceIn = (data: string, name: string, ...flags: ReadonlyArray<string>) =>
  createWorkspace(commandJson, data, name, flags)

/** Creates an onboarded workspace. `run` runs the commands, by default in this process. */
export const onboardedWorkspaceIn = Effect.fnUntraced(function* (data: string, run: Run = commandJson) {
  yield* Effect.promise(() => writeFile(`${data}/profile.json`, JSON.stringify(profile)))
  return yield* createWorkspace(run, data, "Kestrel", ["--profile", `${data}/profile.json`])
})

/** A new data directory with one onboarded workspace and a key. */
export const onboardedWorkspace = Effect.flatMap(dataDirectory, (data) => onboardedWorkspaceIn(data))

export const namedLeads = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    email: `lead${i}@company${i}.example`,
    name: `${["Ann", "Bob", "Carla", "Dmitri"][i % 4]} Ortiz`,
    title: ["Plant Director", "Maintenance Manager", "COO"][i % 3],
    company: `Quarry ${["North", "South", "East"][i % 3]} Ltd`
  }))

export const options = { email_count: 2, email_signature: "Piotr\\nKestrel Pumps" }

interface Ledger {
  readonly entries: ReadonlyArray<{ readonly kind: string; readonly ref: string | null; readonly amount: number }>
  readonly balance: number
}

export const ledgerOf = (data: string, workspace: string): Effect.Effect<Ledger> =>
  commandJson(data, "credits", "ledger", "--workspace", workspace)

/** Asserts every invariant of the store. */
export const assertConsistent = Effect.fnUntraced(function* (data: string) {
  const { checks, ok } = yield* commandJson(data, "verify")
  assert.isTrue(ok, JSON.stringify(checks.filter((check: { readonly ok: boolean }) => !check.ok)))
})
