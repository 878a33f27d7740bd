// A campaign from nothing to a file of emails, with the client of this project: `npm run build:client`, then
// `npm install --install-links PATH/dist/client` in the folder of this file, whose package.json has "type": "module". Run it
// with Node 22.18 or newer, which runs TypeScript: node campaign.ts
import { writeFile } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { connect, OvertureError } from "overture/client"

const { OVERTURE_API_KEY: key = "", OVERTURE_URL: baseUrl = "http://127.0.0.1:3000" } = process.env
const overture = connect({ baseUrl, key })

/** Asks again until it is so. */
const until = async <A>(ask: () => Promise<A>, isSo: (answer: A) => boolean) => {
  for (;;) {
    const answer = await ask()
    if (isSo(answer)) return answer
    await setTimeout(200)
  }
}

const completed = async (id: string) => {
  const ask = () => overture.jobs.getJob({ params: { id } })
  const { error, status } = await until(ask, ({ status }) => status === "completed" || status === "failed")
  if (status === "failed") throw new Error(error ?? "The job failed")
}

// Sent twice with the same key, it is made once.
const campaign = await overture.campaigns.createCampaign({
  headers: { "idempotency-key": `spring-${process.pid}` },
  payload: { name: "Spring" }
})
const params = { id: campaign.id }

const { data: segments } = await overture.target_audiences.listTargetAudiences({ query: { limit: 1, offset: 0 } })
const [segment] = segments
if (segment === undefined) throw new Error("The workspace has no target audience yet")
const research = await overture.build.setTargetAudience({
  params,
  payload: { target_audience: { id: segment.id, segment_name: segment.segment_name } }
})
for (const type of ["social_proof", "lead_magnet", "risk_reversal"] as const) {
  const { options } = await overture.build.listAssetOptions({ params: { ...params, type } })
  const selected_ids = options.slice(0, 1).map(({ id }) => id)
  await overture.build.selectAssets({ params: { ...params, type }, payload: { selected_ids } })
}
await completed(research.id)
await completed((await overture.build.generateValuePropositions({ params })).id)
const propositions = { ...params, type: "value_proposition" } as const
const { options } = await overture.build.listAssetOptions({ params: propositions })
const selected_ids = options.slice(0, 2).map(({ id }) => id)
await overture.build.selectAssets({ params: propositions, payload: { selected_ids } })
await until(
  () => overture.campaigns.getBuildStatus({ params }),
  ({ overall }) => overall === "ready"
)

const leads = ["North", "South", "East"].map((side, i) => ({
  email: `lead${i}@${side.toLowerCase()}.example`,
  name: "Ida Moreau",
  title: "Plant Director",
  company: `${side} Quarries Ltd`
}))
const { list_id } = await overture.generation.generateBatch({
  params,
  // Sent again with the same key, it gets the same list.
  headers: { "idempotency-key": `fair-${process.pid}` },
  payload: { leads, options: { email_count: 2, email_signature: "Piotr\nKestrel Pumps", idempotent: true } }
})
// Follows the list until it is completed or has failed.
for await (const { data, event } of await overture.lists.followList({ params: { id: list_id } })) {
  if (event === "progress") console.log(`${data.progress.leads_done} of ${data.progress.leads_total} leads`)
}
const list = await overture.lists.getList({ params: { id: list_id } })
const emails = await overture.lists.exportList({ params: { id: list_id }, query: { format: "csv" } })
await writeFile("emails.csv", String(emails))
console.log(`${list.emails_created} emails in emails.csv`)

// An error has a code for programs and a message for people.
await overture.lists.getList({ params: { id: campaign.id } }).catch((error: unknown) => {
  if (error instanceof OvertureError) console.log(`${error.code}: ${error.message}`)
})
