// src/OnboardWorkspace.ts: makes a workspace from a profile, waits until it is worked up, and makes its key.
import { Effect, Schema } from "effect"
import { Auth } from "#layers/Auth.ts"
import { Queue } from "#layers/Queue.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { scopes } from "#schema/Auth.ts"
import type { Tier } from "#schema/Credits.ts"
import type { Details, DetailsPatch } from "#schema/Details.ts"

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
  const queue = yield* Queue
  const { onboarding, workspace } = yield* workspaces.create({
    ...options,
    owner_email: options.details.contact_email ?? null,
    research: true
  })
  if (onboarding !== undefined) {
    yield* queue.settled(onboarding)
    const { error, status } = yield* queue.find(workspace.id, onboarding)
    if (status !== "completed") {
      return yield* new OnboardingFailed({ message: `The profile could not be worked up: ${error ?? status}` })
    }
  }
  const { id, key } = yield* (yield* Auth).create(workspace.id, { name: options.name, scopes, expiresIn: undefined })
  return { workspace: workspace.id, key_id: id, key }
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
