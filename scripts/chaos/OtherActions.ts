// scripts/chaos/OtherActions.ts: actions of callers that are not about lists: campaigns, previews, imports, questions,
// signatures, and requests repeated with the same Idempotency-Key.
import { type Array as Arr, Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { docx, pdf } from "#test/support/documents.ts"
import { type Answer, fileForm } from "#test/support/api-client.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import { type RequestedCampaign, surname, nextNumber, type Workspace, type Environment } from "./Environment.ts"

const day = 24 * 3600_000

/** A key is kept for a day, by a clock that may have jumped since. */
const isKept = (shift: number, { shift: before }: { readonly shift: number }) => Math.abs(shift - before) < day / 2

const sendCampaign = Effect.fnUntraced(function* (
  { findings, server }: Environment,
  { campaigns, send }: Workspace,
  requested: RequestedCampaign
) {
  if (!isKept(server.shift(), requested)) return
  const answer = yield* send("POST", "/campaigns", {
    body: requested.body,
    headers: { "idempotency-key": requested.key }
  })
  // The clock has jumped over the end of the key while it was used: then two campaigns are as right as one.
  if (!isKept(server.shift(), requested) && campaigns.includes(requested))
    campaigns.splice(campaigns.indexOf(requested), 1)
  if (answer === undefined || !campaigns.includes(requested)) return
  const { body, status } = answer
  if (status === 201) {
    if (requested.id !== undefined && requested.id !== body.id)
      findings.broken(`The key ${requested.key} made two campaigns`)
    requested.id = body.id
    requested.outcome = "accepted"
  } else if (requested.outcome === "unknown" && status !== 409) requested.outcome = "refused"
})

/** A campaign, asked for by two callers at once or by one again and again. */
export const createCampaign = Effect.fnUntraced(function* (
  environment: Environment,
  workspace: Workspace,
  random: SeededRandom
) {
  const n = nextNumber()
  const requested: RequestedCampaign = {
    key: `campaign-${n}`,
    body: { name: `Campaign ${n}` },
    shift: environment.server.shift(),
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
  if (requested?.outcome === "accepted" && isKept(environment.server.shift(), requested))
    yield* sendCampaign(environment, workspace, requested)
  const before = workspace.previews.at(-random.int(1, 5))
  if (before !== undefined && isKept(environment.server.shift(), before))
    yield* requestPreview(environment, workspace, before)
})

const requestPreview = Effect.fnUntraced(function* (
  { findings, server }: Environment,
  { previews, send }: Workspace,
  requested: Workspace["previews"][number]
) {
  const answer = yield* send("POST", `/campaigns/${requested.campaign}/preview`, {
    body: {
      sample: { headers: ["Email", "First name", "Company"] },
      options: { email_count: requested.email_count, email_signature: `Tom ${surname}` }
    },
    headers: { "idempotency-key": requested.key },
    asksModel: true
  })
  // As above: what is asked for again after that is a preview of its own.
  if (!isKept(server.shift(), requested)) {
    previews.push({ ...requested, key: `${requested.key}, later` })
    return
  }
  if (answer?.status !== 200) return
  if (requested.id !== undefined && requested.id !== answer.body.preview_id) {
    findings.broken(`The key ${requested.key} made two previews`)
  }
  requested.id = answer.body.preview_id
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
    shift: environment.server.shift(),
    id: undefined
  }
  workspace.previews.push(requested)
  yield* requestPreview(environment, workspace, requested)
})

/** Builds a campaign from the first step on, as far as faults allow. */
export const buildCampaign = Effect.fnUntraced(function* (_: Environment, { send }: Workspace) {
  const ok = (answer: Answer | undefined) => (answer !== undefined && answer.status < 300 ? answer.body : undefined)
  const made = ok(yield* send("POST", "/campaigns", { body: { name: `Built ${nextNumber()}` } }))
  const segments = ok(yield* send("GET", "/target-audiences"))
  if (made === undefined || segments === undefined || segments.data.length === 0) return
  const path = `/campaigns/${made.id}`
  const [{ id, segment_name }] = segments.data
  yield* send("POST", `${path}/target-audience`, { body: { target_audience: { id, segment_name } } })
  for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) {
    const options = ok(yield* send("GET", `${path}/assets/${type}/options`))?.options ?? []
    const selected_ids = options.slice(0, 1).map((option: { id: string }) => option.id)
    yield* send("PUT", `${path}/assets/${type}/selection`, { body: { selected_ids } })
  }
  yield* send("POST", `${path}/assets/value_proposition/generate`)
  for (let tries = 0; tries < 20; tries++) {
    const options = ok(yield* send("GET", `${path}/assets/value_proposition/options`))?.options ?? []
    if (options.length > 0) {
      yield* send("PUT", `${path}/assets/value_proposition/selection`, { body: { selected_ids: [options[0].id] } })
      break
    }
    yield* Effect.sleep(200)
  }
  yield* send("GET", `${path}/build-status`)
  if (made.id.endsWith("7")) yield* send("DELETE", path)
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
const lines = brochure.split("\n")

/** One document of each kind, and broken ones. */
const documents: Arr.NonEmptyReadonlyArray<{
  readonly name: string
  readonly content: string | Uint8Array<ArrayBuffer>
}> = [
  { name: "binary.md", content: "\u0000\u0001 no text at all" },
  { name: "dental.md", content: brochure },
  { name: "long.txt", content: brochure.repeat(50) },
  { name: "dental.docx", content: docx(lines) },
  { name: "dental.pdf", content: pdf([lines.slice(0, 40), lines.slice(40, 80)]) },
  { name: "broken.pdf", content: pdf([lines.slice(0, 10)]).slice(0, 300) },
  { name: "broken.docx", content: docx(lines).slice(0, 400) }
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
  const answer = yield* send("POST", "/signatures", { body: { signature_text } })
  if (answer !== undefined) signatures.set(signature_text, answer.status === 201 ? "accepted" : "refused")
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
