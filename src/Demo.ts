// src/Demo.ts: makes the demo workspace of `serve --demo` and prints the first steps with it.
import { Console, Effect, Redacted } from "effect"
import { isSea } from "node:sea"
import { Auth } from "#layers/Auth.ts"
import { signInAddress } from "#layers/SignInMail.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { make as makeClient } from "#client/Client.ts"
import { build } from "#client/Build.ts"
import type { DetailsPatch } from "#schema/Details.ts"
import { onboard, signatureOf } from "#src/OnboardWorkspace.ts"
import demoProfile from "./demo/profile.json" with { type: "json" }

/** The company profile of the demo workspace. */
export const profile: DetailsPatch = demoProfile

/** Quotes a text for a shell. */
const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const curlExample = (address: string, campaign: string, key: Redacted.Redacted) =>
  [
    `curl -sS ${shellQuoted(`${address}/api/v1/campaigns/${campaign}/generate`)} \\`,
    `  -H ${shellQuoted(`Authorization: Bearer ${Redacted.value(key)}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellQuoted(
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

/** Instructions to write to a file of leads. The single executable has no npm. */
export const leadFileExample = (isExecutable: boolean, address: string, campaign: string, key: Redacted.Redacted) => {
  if (!isExecutable)
    return ["Write to a file of your own leads, in a store of its own:", "", "npm run demo -- LEADS.csv"]
  return [
    "Write to a file of your own leads:",
    "",
    `OVERTURE_URL=${shellQuoted(address)} OVERTURE_API_KEY=${shellQuoted(Redacted.value(key))} \\`,
    `  overture generate LEADS.csv --campaign ${shellQuoted(campaign)} --email-count 3 --signature ${shellQuoted(signatureOf(profile))}`
  ]
}

/** The address for this machine, if the server listens on all addresses. */
export const reachableAddress = (address: string) =>
  address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

const printIntroduction = Effect.fn("Demo.introduce")(function* (address: string) {
  yield* Console.error("Setting up a demo workspace; its key is printed when it is done")
  const { key, key_id } = yield* onboard({ name: "Demo", plan: "internal", details: profile })
  const client = yield* makeClient({ baseUrl: address, key })
  const { id } = yield* build(client, { name: "Demo", onStep: (step) => Console.error(`  ${step}`) })
  // Waits for the log of these requests, so that the message is printed below it.
  yield* Effect.sleep("400 millis")
  const { token } = yield* (yield* Auth).createLink(key_id)
  yield* Console.log(
    [
      "",
      `The workspace "Demo" of ${profile.company_name}, an invented company, has a campaign to write from.`,
      "Its API key, which is shown this once:",
      "",
      Redacted.value(key),
      "",
      "Read, choose and write in the console. This link signs in, once, within 15 minutes:",
      "",
      signInAddress(address, token),
      "",
      "Write to one lead:",
      "",
      curlExample(address, id, key),
      "",
      ...leadFileExample(isSea(), address, id, key),
      "",
      `Everything else: ${address}/docs`
    ].join("\n")
  )
})

/** Greets users of --demo. If there is no workspace, creates one with a key and prints first steps. */
export const printWelcome = Effect.fn("Demo.welcome")(
  function* (listeningAddress: string) {
    const address = reachableAddress(listeningAddress)
    const workspaces = yield* (yield* Workspaces).list
    yield* workspaces.length === 0
      ? printIntroduction(address)
      : Console.log(`API reference: ${address}/docs\nThe console: ${address}\nA link that signs in: overture link`)
  },
  Effect.catch(({ message }) => reportFailure(message)),
  Effect.catchDefect((defect) => reportFailure(defect instanceof Error ? defect.message : String(defect)))
)

// The server continues, because it is useful without the demo.
const reportFailure = (message: string) =>
  Console.error(
    `The demo could not be set up: ${message.replaceAll(/\s*\n\s*/g, " ").replace(/\.$/, "")}. ` +
      "The server runs; make a workspace and a key with `overture workspace create` and `overture key create`."
  )
