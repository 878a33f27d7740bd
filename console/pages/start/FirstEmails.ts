// console/pages/start/FirstEmails.ts: writes the first three emails from a source: imports it, generates the profile's documents, builds a campaign from the first options, and previews its templates. Users can take every step on its own page.
import { Effect } from "effect"
import { build } from "#client/Build.ts"
import type { DetailsPatch } from "#schema/Details.ts"
import type { Job } from "#schema/Jobs.ts"
import type { Tried } from "#schema/Playbook.ts"
import { type Client, Problem } from "#console/Api.ts"
import { pollJobUntilDone } from "#console/Requests.ts"
import { signatureOf } from "#console/pages/campaign/WritingOptions.tsx"
import type { Source } from "#console/pages/start/Source.ts"
import { withFinalPeriod, webAddress } from "#console/parts/Format.ts"

export interface FirstEmails {
  readonly campaign: string
  /** The recipient's name, title and company. */
  readonly recipient: string
  readonly emails: Tried["sequence"]
  /** Messages about what would improve the emails. */
  readonly missing: ReadonlyArray<string>
}

const failWith = (message: string) => Effect.fail(new Problem("NOT_WRITTEN", message))

/** Fails with the reason of a failed job. */
const requireResult = (failureMessage: string, { error, result }: Pick<Job, "error" | "result">) => {
  const reason = result?.status === "failed" ? (result.error ?? "no reason is known") : error
  return reason === null ? Effect.void : failWith(`${failureMessage}: ${withFinalPeriod(reason)}`)
}

const toDetailsPatch = ([does, problem, proof]: Source["sentences"]): DetailsPatch => ({
  business_description: does.trim(),
  problems_solved: problem.trim(),
  ...(proof.trim() !== "" && { case_studies: [proof.trim()] })
})

/** Saves the sender's name and the source's facts in the profile. */
const importSource = Effect.fnUntraced(function* (api: Client, source: Source) {
  const contact_name = source.sender.trim()
  if (contact_name !== "") yield* api.workspace.updateDetails({ payload: { contact_name } })
  switch (source.kind) {
    case "site": {
      const { id } = yield* api.workspace.importUrl({ payload: { url: webAddress(source.url) } })
      return yield* requireResult("The website could not be read", yield* pollJobUntilDone(id)(api))
    }
    case "document": {
      const payload = new FormData()
      if (source.file !== undefined) payload.append("file", source.file)
      const { id } = yield* api.workspace.importDocument({ payload })
      return yield* requireResult("The document could not be read", yield* pollJobUntilDone(id)(api))
    }
    case "sentences":
      yield* api.workspace.updateDetails({ payload: toDetailsPatch(source.sentences) })
  }
})

/** The emails that a lead of the campaign's first role would get. */
const tryFirstEmails = Effect.fnUntraced(function* (api: Client, campaign: string) {
  const params = { id: campaign }
  const { missing, personas } = yield* api.playbook.getPlaybook({ params })
  const persona = personas.find(({ titles }) => titles.length > 0)
  const title = persona?.titles[0] ?? "Operations Manager"
  const lead = { email: "sam.ortiz@harbour-foods.example", name: "Sam Ortiz", title, company: "Harbour Foods" }
  const { sequence } = yield* api.playbook.tryPlaybook({ params, payload: { lead, email_count: 3 } })
  const { details } = yield* api.workspace.getWorkspace()
  const signature = details.contact_name ? signatureOf(details) : ""
  return {
    campaign,
    recipient: `Sam Ortiz, ${title} at Harbour Foods`,
    // Templates have no signature, so it is added as in a list.
    emails: sequence.map((email) => (signature === "" ? email : { ...email, body: `${email.body}\n\n${signature}` })),
    missing: missing.map(({ message }) => message)
  } satisfies FirstEmails
})

/** The emails of the newest campaign that is built, or none. */
export const findFirstEmails = Effect.fnUntraced(function* (api: Client) {
  const { campaigns } = yield* api.campaigns.listCampaigns({ query: { limit: 20, offset: 0 } })
  const ready = campaigns.find(({ overall }) => overall === "ready")
  return ready === undefined ? undefined : yield* tryFirstEmails(api, ready.id)
})

/** "First campaign", or with a number once there are campaigns. */
const nextName = (api: Client) =>
  Effect.map(api.campaigns.listCampaigns({ query: { limit: 1, offset: 0 } }), ({ total }) =>
    total === 0 ? "First campaign" : `Campaign ${total + 1}`
  )

/** Returns undefined if the profile is too empty for emails, so that the form asks for sentences. `onStep` receives the name of each step. */
export const writeFirstEmails = (source: Source, onStep: (step: string) => void) =>
  Effect.fnUntraced(function* (api: Client) {
    const step = (text: string) => Effect.sync(() => onStep(text))
    yield* step(source.kind === "sentences" ? "Saving your sentences" : "Reading what you gave")
    yield* importSource(api, source)
    const { details } = yield* api.workspace.getWorkspace()
    if (!details.business_description && !details.problems_solved) return undefined
    yield* step("Working out audiences and arguments")
    const { id } = yield* api.workspace.regenerate()
    yield* requireResult("The profile could not be worked up", yield* pollJobUntilDone(id)(api))
    yield* step("Building a campaign by the first options")
    const campaign = yield* Effect.catchTag(
      build(api, { name: yield* nextName(api), onStep: (done) => step(`Building a campaign: ${done}`) }),
      "BuildFailed",
      ({ message }) => failWith(message)
    )
    yield* step("Writing three emails")
    return yield* tryFirstEmails(api, campaign.id)
  })
