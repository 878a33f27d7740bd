// scripts/chaos/OtherActions.ts: actions of callers that are not about lists: campaigns, previews, imports, questions,
// signatures, and requests repeated with the same Idempotency-Key.
import { type Array as Arr, Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { docx, pdf } from "#test/support/documents.ts"
import { type Answer, fileForm } from "#test/support/api-client.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import { type RequestedCampaign, surname, nextNumber, type Workspace, type Environment } from "./Environment.ts"

const dayMillis = 24 * 3600_000

/** Whether the server still has the key. Keys expire after a day, by a clock that may have jumped. */
const isKeyStored = (
  clockOffsetMillis: number,
  { clockOffsetMillis: storedOffsetMillis }: { readonly clockOffsetMillis: number }
) => Math.abs(clockOffsetMillis - storedOffsetMillis) < dayMillis / 2

const sendCampaign = Effect.fnUntraced(function* (
  { findings, server }: Environment,
  { campaigns, send }: Workspace,
  requested: RequestedCampaign
) {
  if (!isKeyStored(server.clockOffsetMillis(), requested)) return
  const response = yield* send("POST", "/campaigns", {
    body: requested.body,
    headers: { "idempotency-key": requested.key }
  })
  // If the clock jumped past the expiry of the key during the request, a second campaign is correct.
  if (!isKeyStored(server.clockOffsetMillis(), requested) && campaigns.includes(requested))
    campaigns.splice(campaigns.indexOf(requested), 1)
  if (response === undefined || !campaigns.includes(requested)) return
  const { body, status } = response
  if (status === 201) {
    if (requested.id !== undefined && requested.id !== body.id)
      findings.report(`The key ${requested.key} made two campaigns`)
    requested.id = body.id
    requested.outcome = "accepted"
  } else if (requested.outcome === "unknown" && status !== 409) requested.outcome = "refused"
})

/** Sends the same campaign one to three times, at once or one after the other. */
export const createCampaign = Effect.fnUntraced(function* (
  environment: Environment,
  workspace: Workspace,
  random: SeededRandom
) {
  const campaignNumber = nextNumber()
  const requested: RequestedCampaign = {
    key: `campaign-${campaignNumber}`,
    body: { name: `Campaign ${campaignNumber}` },
    clockOffsetMillis: environment.server.clockOffsetMillis(),
    outcome: "unknown",
    id: undefined
  }
  workspace.campaigns.push(requested)
  const times = random.int(1, 3)
  yield* Effect.forEach(Array.from({ length: times }), () => sendCampaign(environment, workspace, requested), {
    concurrency: random.pick([1, times]),
    discard: true
  })
})

export const repeatRequest = Effect.fnUntraced(function* (
  environment: Environment,
  workspace: Workspace,
  random: SeededRandom
) {
  const requested = workspace.campaigns.at(-random.int(1, 5))
  if (requested?.outcome === "accepted" && isKeyStored(environment.server.clockOffsetMillis(), requested))
    yield* sendCampaign(environment, workspace, requested)
  const preview = workspace.previews.at(-random.int(1, 5))
  if (preview !== undefined && isKeyStored(environment.server.clockOffsetMillis(), preview))
    yield* requestPreview(environment, workspace, preview)
})

const requestPreview = Effect.fnUntraced(function* (
  { findings, server }: Environment,
  { previews, send }: Workspace,
  requested: Workspace["previews"][number]
) {
  const response = yield* send("POST", `/campaigns/${requested.campaign}/preview`, {
    body: {
      sample: { headers: ["Email", "First name", "Company"] },
      options: { email_count: requested.email_count, email_signature: `Tom ${surname}` }
    },
    headers: { "idempotency-key": requested.key },
    asksModel: true
  })
  // After the clock jumped past the key's expiry, a repeated request correctly makes a new preview.
  if (!isKeyStored(server.clockOffsetMillis(), requested)) {
    previews.push({ ...requested, key: `${requested.key}, later` })
    return
  }
  if (response?.status !== 200) return
  if (requested.id !== undefined && requested.id !== response.body.preview_id) {
    findings.report(`The key ${requested.key} made two previews`)
  }
  requested.id = response.body.preview_id
})

export const createPreview = Effect.fnUntraced(function* (
  environment: Environment,
  workspace: Workspace,
  random: SeededRandom
) {
  const requested = {
    key: `preview-${nextNumber()}`,
    campaign: workspace.campaign,
    email_count: random.int(1, 2),
    clockOffsetMillis: environment.server.clockOffsetMillis(),
    id: undefined
  }
  workspace.previews.push(requested)
  yield* requestPreview(environment, workspace, requested)
})

/** Builds a campaign from the first step on, as far as faults allow. */
export const buildCampaign = Effect.fnUntraced(function* (_: Environment, { send }: Workspace) {
  const bodyIfOk = (response: Answer | undefined) =>
    response !== undefined && response.status < 300 ? response.body : undefined
  const campaign = bodyIfOk(yield* send("POST", "/campaigns", { body: { name: `Built ${nextNumber()}` } }))
  const segments = bodyIfOk(yield* send("GET", "/target-audiences"))
  if (campaign === undefined || segments === undefined || segments.data.length === 0) return
  const path = `/campaigns/${campaign.id}`
  const [{ id, segment_name }] = segments.data
  yield* send("POST", `${path}/target-audience`, { body: { target_audience: { id, segment_name } } })
  for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) {
    const options = bodyIfOk(yield* send("GET", `${path}/assets/${type}/options`))?.options ?? []
    const selected_ids = options.slice(0, 1).map((option: { id: string }) => option.id)
    yield* send("PUT", `${path}/assets/${type}/selection`, { body: { selected_ids } })
  }
  yield* send("POST", `${path}/assets/value_proposition/generate`)
  for (let attempt = 0; attempt < 20; attempt++) {
    const options = bodyIfOk(yield* send("GET", `${path}/assets/value_proposition/options`))?.options ?? []
    if (options.length > 0) {
      yield* send("PUT", `${path}/assets/value_proposition/selection`, { body: { selected_ids: [options[0].id] } })
      break
    }
    yield* Effect.sleep(200)
  }
  yield* send("GET", `${path}/build-status`)
  if (campaign.id.endsWith("7")) yield* send("DELETE", path)
})

export const branchCampaign = Effect.fnUntraced(function* (_: Environment, { campaign, send }: Workspace) {
  const body = { name: `Branch ${nextNumber()}`, branch_from_step: "value-propositions" }
  yield* send("POST", `/campaigns/${campaign}/branch`, { body })
})

const hosts = ["firm1", "slow", "broken", "loop", "big", "absent.site"] as const

export const importUrl = Effect.fnUntraced(function* (
  { site }: Environment,
  { send }: Workspace,
  random: SeededRandom
) {
  const host = random.pick(hosts)
  const url = host.includes(".") ? "http://absent.example/" : `http://${host}.chaos.example:${site.port}/`
  yield* send("POST", "/workspace/imports/url", { body: { url } })
})

const brochure = readFileSync(join(import.meta.dirname, "../../test/fixtures/brochures/dental.md"), "utf8")
const brochureLines = brochure.split("\n")

/** One document of each kind, and broken ones. */
const documents: Arr.NonEmptyReadonlyArray<{
  readonly name: string
  readonly content: string | Uint8Array<ArrayBuffer>
}> = [
  { name: "binary.md", content: "\u0000\u0001 no text at all" },
  { name: "dental.md", content: brochure },
  { name: "long.txt", content: brochure.repeat(50) },
  { name: "dental.docx", content: docx(brochureLines) },
  { name: "dental.pdf", content: pdf([brochureLines.slice(0, 40), brochureLines.slice(40, 80)]) },
  { name: "broken.pdf", content: pdf([brochureLines.slice(0, 10)]).slice(0, 300) },
  { name: "broken.docx", content: docx(brochureLines).slice(0, 400) }
]

export const importDocument = Effect.fnUntraced(function* (_: Environment, { send }: Workspace, random: SeededRandom) {
  const notes = { name: "notes.md", content: `# Notes\nPhone: +44 20 7946 00${random.int(10, 99)}\n` }
  const { content, name } = random.chance(0.5) ? notes : random.pick(documents)
  yield* send("POST", "/workspace/imports/document", { body: fileForm(name, content) })
})

export const chat = Effect.fnUntraced(function* (_: Environment, { campaign, send }: Workspace) {
  const body = { campaign_id: campaign, message: "What does it cost?" }
  yield* send("POST", "/agent/chat", { body, asksModel: true })
})

export const saveSignature = Effect.fnUntraced(function* (_: Environment, { send, signatures }: Workspace) {
  const signature_text = `Tom ${surname} ${nextNumber()}`
  signatures.set(signature_text, "unknown")
  const response = yield* send("POST", "/signatures", { body: { signature_text } })
  if (response !== undefined) signatures.set(signature_text, response.status === 201 ? "accepted" : "refused")
})

const pages = [
  "/lists?limit=20",
  "/campaigns",
  "/credits",
  "/conversations",
  "/signatures",
  "/workspace",
  "/workspace/documents",
  "/target-audiences",
  "/health"
] as const

export const readPage = Effect.fnUntraced(function* (_: Environment, { send }: Workspace, random: SeededRandom) {
  yield* send("GET", random.pick(pages))
})
