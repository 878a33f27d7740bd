// test/client/answers.ts: what `overture/client` returns to a program without Effect; run by test/program/examples.test.ts.
import { connect, OvertureError, version } from "overture/client"
const baseUrl = process.env["OVERTURE_URL"] ?? ""
const key = process.env["OVERTURE_API_KEY"] ?? ""
const overture = connect({ baseUrl, key })
const failureOf = async (request: Promise<unknown>) => {
  try {
    await request
  } catch (error) {
    if (error instanceof OvertureError) return error
  }
  throw new Error("No OvertureError")
}
const errorFields = async (request: Promise<unknown>) => {
  const { code, detail, message, request_id, status } = await failureOf(request)
  return { code, detail, message, request_id, status }
}

// @ts-expect-error A list needs an id.
const withoutId = () => overture.lists.getList()
// @ts-expect-error The name of a campaign is a string.
const withNumber = () => overture.campaigns.createCampaign({ payload: { name: 1 } })

const name: string | null = (await overture.workspace.getWorkspace()).name
const { id } = await overture.campaigns.createCampaign({ payload: { name: "Autumn" } })
const params = { id, type: "social_proof" } as const

// The code of an error narrows the type of its detail.
const invalid = await failureOf(withNumber())
const issues = invalid.answer?.error === "BAD_REQUEST" ? (invalid.answer.detail?.issues ?? []) : []
const paths: ReadonlyArray<string> = issues.map(({ path }) => path)

const csv = "email,first name,company\nida@quarry.example,Ida,North Quarry\nno-address,Bob,South Quarry\n"
const leadFile = await overture.lead_files.readLeadFile({
  payload: { file: new File([csv], "leads.csv"), mapping: JSON.stringify({ name: ["first name"] }) }
})
const form = new FormData()
form.set("file", new File(["# Kestrel\n\nWe repair slurry pumps."], "about us.md"))
const imported = await overture.workspace.importDocument({ payload: form })

const audiences = await overture.target_audiences.listTargetAudiences({
  query: { q: "no such segment & more", limit: 3 }
})
const controller = new AbortController()
const cancelled = overture.workspace.getWorkspace({ signal: controller.signal }).catch((error: Error) => error.name)
controller.abort()

console.log(
  JSON.stringify({
    name,
    version,
    health: (await overture.health()).status,
    paths,
    leads: leadFile.rows.map(({ email, name }) => [email, name]),
    problems: leadFile.problems.length,
    imported: imported.type,
    found: audiences.total,
    cancelled: await cancelled,
    missing: await errorFields(withoutId()),
    unknown: await errorFields(
      overture.build.selectAssets({ params, payload: { selected_ids: ["01980f3f-6a9d-7e41-b5c2-0d8e7f3a1b64"] } })
    ),
    wrong: await errorFields(connect({ baseUrl, key: "ovk_wrong" }).workspace.getWorkspace()),
    unreachable: await errorFields(connect({ baseUrl: "http://127.0.0.1:1", key }).workspace.getWorkspace()),
    other: await errorFields(connect({ baseUrl: `${baseUrl}/docs`, key }).workspace.getWorkspace())
  })
)
