// test/client/answers.ts: what `overture/client` returns to a program without Effect; run by test/program/examples.test.ts.
import { connect, make, OvertureError } from "overture/client"
import { Effect, Redacted } from "effect"
const baseUrl = process.env["OVERTURE_URL"] ?? ""
const key = process.env["OVERTURE_API_KEY"] ?? ""
const overture = connect({ baseUrl, key })
const told = async (request: Promise<unknown>) => {
  try {
    await request
    return "an answer"
  } catch (error) {
    if (!(error instanceof OvertureError)) return "something else"
    return [error.code, error.message, error.request_id?.slice(0, 4), error.detail]
  }
}
const named = Effect.flatMap(make({ baseUrl, key: Redacted.make(key) }), (client) => client.workspace.getWorkspace())
const name: string | null = (await Effect.runPromise(named)).name
// @ts-expect-error A list without its id is none.
const nowhere = () => overture.lists.getList()
const { id } = await overture.campaigns.createCampaign({ payload: { name: "Autumn" } })
const params = { id, type: "social_proof" } as const
console.log(
  JSON.stringify([
    name,
    (await overture.health()).status,
    await told(nowhere()),
    await told(overture.build.selectAssets({ params, payload: { selected_ids: [crypto.randomUUID()] } })),
    await told(connect({ baseUrl, key: "ovk_wrong" }).workspace.getWorkspace()),
    await told(connect({ baseUrl: "http://127.0.0.1:1", key }).workspace.getWorkspace())
  ])
)
