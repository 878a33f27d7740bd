// src/OnboardWorkspace.ts: creates a workspace from a profile, waits for its onboarding, and creates an API key.
import { Effect, Schema } from "effect"
import { Auth } from "#layers/Auth.ts"
import { Queue } from "#layers/Queue.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { scopes } from "#schema/Auth.ts"
import type { Tier } from "#schema/Credits.ts"
import type { Details, DetailsPatch } from "#schema/Details.ts"

/** The workspace could not be created or onboarded. The message gives the reason. */
class OnboardingFailed extends Schema.TaggedError<OnboardingFailed>()("OnboardingFailed", {
  message: Schema.String
}) {}

/** Creates an onboarded workspace and a key with all scopes. Needs running workers. */
export const onboard = Effect.fn("OnboardWorkspace.onboard")(function* (options: {
  readonly name: string
  readonly plan: Tier
  readonly details: DetailsPatch
}) {
  const workspaces = yield* Workspaces
  const queue = yield* Queue
  const { onboarding, workspace } = yield* workspaces.create({
    ...options,
    owner_email: options.details.contact_email ?? null,
    research: true
  })
  if (onboarding !== undefined) {
    yield* queue.waitUntilSettled(onboarding)
    const { error, status } = yield* queue.find(workspace.id, onboarding)
    if (status !== "completed") {
      return yield* new OnboardingFailed({ message: `The workspace could not be onboarded: ${error ?? status}` })
    }
  }
  const { id, key } = yield* (yield* Auth).create(workspace.id, { name: options.name, scopes, expiresIn: undefined })
  return { workspace: workspace.id, key_id: id, key }
})

const signatureFields = ["contact_name", "contact_title", "company_name", "business_address"] as const

/** A signature from the profile's contact details, its lines separated by the two characters `\n`. */
export const signatureOf = (details: Partial<Details>): string => {
  const lines = signatureFields
    .flatMap((field) => (details[field] ?? "").split(/\r?\n/))
    .map((line) => line.trim())
    .filter((line) => line !== "")
  return lines.length === 0 ? "Kind regards" : lines.join("\\n")
}
