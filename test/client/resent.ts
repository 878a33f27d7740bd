// test/client/resent.ts: a program with `overture/client` whose connections break; run by test/program/examples.test.ts.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { connect, OvertureError } from "overture/client"

const baseUrl = process.env["OVERTURE_URL"] ?? ""
const key = process.env["OVERTURE_API_KEY"] ?? ""
const direct = connect({ baseUrl, key })

let keys: Array<string | undefined> = []

/** A proxy that loses what the server answers: in the middle, then whole, then as 504. Its fourth answer arrives. */
const proxy = createServer(async (request, response) => {
  const n = keys.push(request.headers["idempotency-key"]?.toString())
  const { authorization = "", "content-type": type = "", "idempotency-key": given } = request.headers
  const headers = {
    authorization,
    "content-type": type,
    ...(given === undefined ? {} : { "idempotency-key": `${given}` })
  }
  const { method = "" } = request
  const body = method === "GET" ? null : new Uint8Array(await buffer(request))
  const answer = await fetch(baseUrl + request.url, { method, headers, body })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (n === 1) {
    response.writeHead(answer.status, { "content-type": "application/json", "content-length": bytes.length })
    response.write(bytes.subarray(0, -5), () => response.destroy())
  } else if (n === 2) response.destroy()
  else if (n === 3) response.writeHead(504, { "content-type": "text/html" }).end("<h1>Gateway Timeout</h1>")
  else response.writeHead(answer.status, { "content-type": "application/json" }).end(bytes)
})
await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening))
const { port } = proxy.address() as AddressInfo
const broken = connect({ baseUrl: `http://127.0.0.1:${port}`, key })

/** How often something was sent, and under how many keys. */
const counted = async (request: () => Promise<unknown>) => {
  keys = []
  const answer = await request().catch((error: unknown) => error)
  const given = keys.filter((one) => one !== undefined)
  return {
    sent: keys.length,
    keyed: given.length,
    keys: new Set(given).size,
    code: answer instanceof OvertureError ? answer.code : ""
  }
}

const total = async () => (await direct.campaigns.listCampaigns()).total
const signatures = async () => (await direct.signatures.listSignatures()).total
const before = { campaigns: await total(), signatures: await signatures() }
const read = await counted(() => broken.workspace.getWorkspace())
const written = await counted(() => broken.campaigns.createCampaign({ payload: { name: "Autumn" } }))
const once = await counted(() => broken.signatures.createSignature({ payload: { signature_text: "Ida" } }))
console.log(
  JSON.stringify({
    read,
    written,
    once,
    campaigns: (await total()) - before.campaigns,
    signatures: (await signatures()) - before.signatures
  })
)
proxy.close()
proxy.closeAllConnections()
