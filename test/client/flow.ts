// test/client/flow.ts: a program with a client generated from /openapi.json, from an empty workspace to exported
// emails. `test/program/client.test.ts` generates `./api/` beside a copy of this file, compiles both, and runs them.
import assert from "node:assert/strict"
import * as api from "./api/index.js"
import { client } from "./api/client.gen.js"

const baseUrl = process.env["OVERTURE_URL"] ?? "http://127.0.0.1:3000"
client.setConfig({ baseUrl, auth: process.env["OVERTURE_API_KEY"] })

/** Repeats the request until `isDone`, for at most half a minute. */
const until = async <A>(request: () => Promise<{ data: A }>, isDone: (answer: A) => boolean): Promise<A> => {
  for (let attempt = 0; attempt < 300; attempt++) {
    const { data } = await request()
    if (isDone(data)) return data
    await new Promise((resume) => setTimeout(resume, 100))
  }
  throw new Error("Timed out")
}

const completed = async (id: string) => {
  const job = await until(
    () => api.getJob({ path: { id }, throwOnError: true }),
    ({ status }) => status === "completed" || status === "failed"
  )
  assert.equal(job.status, "completed", job.error ?? "")
}

const health = await api.health({ throwOnError: true })
assert.equal(health.data.status, "ok")

// A campaign, created once for two requests with the same key.
const create = () =>
  api.createCampaign({
    body: { name: "Quarries, spring" },
    headers: { "Idempotency-Key": "quarries-spring" },
    throwOnError: true
  })
const { data: campaign } = await create()
const repeated = await create()
assert.equal(repeated.data.id, campaign.id)
assert.equal(repeated.response.headers.get("Idempotent-Replayed"), "true")
const path = { id: campaign.id }

// Its target audience: a saved segment.
const segments = await api.listTargetAudiences({ query: { limit: 5 }, throwOnError: true })
const [segment] = segments.data.data
assert.ok(segment)
const research = await api.setTargetAudience({
  path,
  body: { target_audience: { id: segment.id, segment_name: segment.segment_name } },
  throwOnError: true
})

// Three selections, one of them with an edited name.
const steps: ReadonlyArray<api.AssetType> = ["social_proof", "lead_magnet", "risk_reversal"]
for (const type of steps) {
  const { data } = await api.listAssetOptions({ path: { ...path, type }, throwOnError: true })
  const selected = data.options.slice(0, 1)
  const stored = await api.selectAssets({
    path: { ...path, type },
    body: {
      selected_ids: selected.map(({ id }) => id),
      edited_names: Object.fromEntries(selected.map(({ id, name }) => [id, `${name}, ours`]))
    },
    throwOnError: true
  })
  assert.equal(stored.data.items_stored, selected.length)
}

// Value propositions; selecting them starts the build.
await completed(research.data.id)
const proposalJob = await api.generateValuePropositions({ path, throwOnError: true })
await completed(proposalJob.data.id)
const propositions = await api.listAssetOptions({ path: { ...path, type: "value_proposition" }, throwOnError: true })
const build = await api.selectAssets({
  path: { ...path, type: "value_proposition" },
  body: { selected_ids: propositions.data.options.slice(0, 2).map(({ id }) => id) },
  throwOnError: true
})
assert.equal(build.response.status, 202)
assert.ok(build.data.job)
await completed(build.data.job.id)
const status = await until(
  () => api.getBuildStatus({ path, throwOnError: true }),
  ({ overall }) => overall === "ready" || overall === "failed"
)
assert.deepEqual(status.stages.value_proposition, "ready")
const { data: chosen } = await api.getSelections({ path, throwOnError: true })
assert.ok(chosen.selections.social_proof?.items[0]?.name.endsWith(", ours"))

// A signature, saved once and used by its id.
const { data: signature } = await api.createSignature({
  body: { signature_text: "Piotr\nKestrel Pumps" },
  throwOnError: true
})
const signatures = await api.listSignatures({ throwOnError: true })
assert.deepEqual(
  signatures.data.data.map(({ signature_name }) => signature_name),
  ["Piotr"]
)

// A preview, and then one lead.
const preview = await api.previewCampaign({
  path,
  body: {
    sample: { headers: ["Email", "First name"], field_mapping: { email: "Email" } },
    options: { email_count: 2, signature_id: signature.id }
  },
  throwOnError: true
})
assert.equal(preview.data.generated_emails.length, 5)
assert.equal(preview.data.rows[0]?.length, 2)

const lead: api.Lead = { email: "ida@northquarry.example", name: "Ida Moreau", company: "North Quarry" }
const single = await api.generate({
  path,
  body: { lead, options: { email_count: 2, signature_id: signature.id } },
  throwOnError: true
})
assert.deepEqual(
  single.data.sequence.map(({ step }) => step),
  [1, 2]
)

// Many leads, followed to the end and exported both ways.
const leads = Array.from({ length: 12 }, (_, i): api.Lead => ({
  ...lead,
  email: `lead${i}@quarry${i}.example`,
  company: `Quarry ${i}`
}))
const batch = await api.generateBatch({
  path,
  body: { leads, options: { email_count: 2, email_signature: "Piotr\\nKestrel Pumps", list_name: "Trade fair" } },
  throwOnError: true
})
const list = await until(
  () => api.getList({ path: { id: batch.data.list_id }, throwOnError: true }),
  ({ completed_at, failed_at }) => (completed_at ?? failed_at) !== undefined
)
assert.deepEqual([list.processing_status, list.leads_count, list.emails_created], ["completed", 12, 24])
const lists = await api.listLists({ query: { campaign_id: campaign.id, status: "completed" }, throwOnError: true })
assert.deepEqual([lists.data.lists[0]?.custom_name, lists.data.total], ["Trade fair", 2])

const exported = await api.exportList({ path: { id: list.id }, query: { format: "json" }, throwOnError: true })
assert.deepEqual(
  exported.data.leads.map(({ email, sequence }) => [email, sequence.length]),
  leads.map(({ email }) => [email, 2])
)
const file = await api.exportList({ path: { id: list.id }, parseAs: "stream", throwOnError: true })
assert.match(file.response.headers.get("Content-Disposition") ?? "", /filename="Trade-fair\.csv"/)
const csv = await file.response.text()
assert.ok(csv.startsWith("email,name,"))

// The credits used, and an error response.
const { data: account } = await api.getCredits({ throwOnError: true })
assert.equal(account.usage.credits_used_this_period, 5 + 1 + 12)
const check = await api.checkCredits({ query: { required: account.balance }, throwOnError: true })
assert.ok(check.data.sufficient)

const invalid = await api.generate({ path, body: { lead, options: { email_count: 9, signature_id: signature.id } } })
assert.equal(invalid.response?.status, 400)
assert.ok(invalid.error?.error === "BAD_REQUEST")
assert.deepEqual(
  invalid.error.detail?.issues?.map(({ path }) => path),
  ["options.email_count"]
)

console.log(JSON.stringify({ list: list.id, leads: leads.length, csv: csv.split("\r\n").length - 2 }))
