// src/Demo.ts: a workspace to try the service with, made of a profile that ships with it.
import { Console, Effect, Redacted, Schema } from "effect"
import { ApiKeys } from "#layers/ApiKeys.ts"
import { Jobs } from "#layers/Jobs.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { scopes } from "#schema/Auth.ts"
import type { Tier } from "#schema/Credits.ts"
import type { Details, DetailsPatch } from "#schema/Details.ts"
import { make as makeClient } from "#schema/Client.ts"
import { build } from "#src/client/Build.ts"
import demoProfile from "./demo/profile.json" with { type: "json" }

/** The business that the demo writes for. */
export const profile: DetailsPatch = demoProfile

/** The workspace could not be made ready; the message says why. */
class OnboardingFailed extends Schema.TaggedError<OnboardingFailed>()("OnboardingFailed", {
  message: Schema.String
}) {}

/** A workspace with its documents, segments and options, and a key to all of it. Needs workers that run. */
export const onboard = Effect.fn("Demo.onboard")(function* (options: {
  readonly name: string
  readonly plan: Tier
  readonly details: DetailsPatch
}) {
  const workspaces = yield* Workspaces
  const jobs = yield* Jobs
  const { onboarding, workspace } = yield* workspaces.create({
    ...options,
    owner_email: options.details.contact_email ?? null,
    research: true
  })
  if (onboarding !== undefined) {
    yield* jobs.settled(onboarding)
    const { error, status } = yield* jobs.find(workspace.id, onboarding)
    if (status !== "completed") {
      return yield* new OnboardingFailed({ message: `The profile could not be worked up: ${error ?? status}` })
    }
  }
  const { key } = yield* (yield* ApiKeys).create(workspace.id, { name: options.name, scopes, expiresIn: undefined })
  return { workspace: workspace.id, key }
})

const signatureFields = ["contact_name", "contact_title", "company_name", "business_address"] as const

/** The signature that a profile's contact would use, its lines separated by the two characters `\n`. */
export const signatureOf = (details: Partial<Details>): string => {
  const lines = signatureFields
    .flatMap((field) => (details[field] ?? "").split(/\r?\n/))
    .map((line) => line.trim())
    .filter((line) => line !== "")
  return lines.length === 0 ? "Kind regards" : lines.join("\\n")
}

/** A word of a shell's command line, whatever it holds. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const curl = (address: string, campaign: string, key: Redacted.Redacted) =>
  [
    `curl -sS ${quoted(`${address}/api/v1/campaigns/${campaign}/generate`)} \\`,
    `  -H ${quoted(`Authorization: Bearer ${Redacted.value(key)}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(
      JSON.stringify({
        lead: {
          email: "priya.nair@ashdown-foods.example",
          name: "Priya Nair",
          title: "Head of Logistics",
          company: "Ashdown Foods",
          company_website: "https://ashdown-foods.example"
        },
        options: { email_count: 3, email_signature: signatureOf(profile) }
      })
    )}`
  ].join("\n")

/** Where this machine reaches a server that listens on every address. */
const reachable = (address: string) => address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

const introduce = Effect.fn("Demo.introduce")(function* (address: string) {
  yield* Console.error("Setting up a demo workspace")
  const { key } = yield* onboard({ name: "Demo", plan: "growth", details: profile })
  const client = yield* makeClient({ baseUrl: address, key })
  const { id } = yield* build(client, { name: "Demo", onStep: (step) => Console.error(`  ${step}`) })
  // The log of these requests is written a little later; what a person is to read stands below it.
  yield* Effect.sleep("400 millis")
  yield* Console.log(
    [
      "",
      `The workspace "Demo" of ${profile.company_name}, an invented company, has a campaign to write from.`,
      "Its API key, which is shown this once:",
      "",
      Redacted.value(key),
      "",
      "Read, choose and write in the console, signed in with this key:",
      "",
      address,
      "",
      "Write to one lead:",
      "",
      curl(address, id, key),
      "",
      "Write to a file of your own leads, in a store of its own:",
      "",
      "npm run demo -- LEADS.csv",
      "",
      `Everything else: ${address}/docs`
    ].join("\n")
  )
})

/** Greets whoever starts a server with --demo: on an empty store with a workspace, a key and what to try first. */
export const welcome = Effect.fn("Demo.welcome")(
  function* (listening: string) {
    const address = reachable(listening)
    const workspaces = yield* (yield* Workspaces).list
    yield* workspaces.length === 0
      ? introduce(address)
      : Console.log(`API reference: ${address}/docs\nThe console: ${address}`)
  },
  Effect.catch(({ message }) => sorry(message)),
  Effect.catchDefect((defect) => sorry(defect instanceof Error ? defect.message : String(defect)))
)

// The server is of use without its demo, so it goes on.
const sorry = (message: string) =>
  Console.error(
    `The demo could not be set up: ${message.replaceAll(/\s*\n\s*/g, " ").replace(/\.$/, "")}. ` +
      "The server runs; make a workspace and a key with `overture workspace create` and `overture key create`."
  )
