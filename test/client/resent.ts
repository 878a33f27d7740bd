// test/client/resent.ts: a program with `overture/client` that retries requests after broken connections; run by
// test/program/examples.test.ts.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { connect, OvertureError } from "overture/client"

const baseUrl = process.env["OVERTURE_URL"] ?? ""
const key = process.env["OVERTURE_API_KEY"] ?? ""
const directClient = connect({ baseUrl, key })

let keys: Array<string | undefined> = []

/** A proxy that cuts the first response, drops the second, replaces the third by 504 and forwards the fourth. */
const proxy = createServer(async (request, response) => {
  const requestNumber = keys.push(request.headers["idempotency-key"]?.toString())
  const { authorization = "", "content-type": type = "", "idempotency-key": idempotencyKey } = request.headers
  const headers = {
    authorization,
    "content-type": type,
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": `${idempotencyKey}` })
  }
  const { method = "" } = request
  const body = method === "GET" ? null : new Uint8Array(await buffer(request))
  const answer = await fetch(baseUrl + request.url, { method, headers, body })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (requestNumber === 1) {
    response.writeHead(answer.status, { "content-type": "application/json", "content-length": bytes.length })
    response.write(bytes.subarray(0, -5), () => response.destroy())
  } else if (requestNumber === 2) response.destroy()
  else if (requestNumber === 3) response.writeHead(504, { "content-type": "text/html" }).end("<h1>Gateway Timeout</h1>")
  else response.writeHead(answer.status, { "content-type": "application/json" }).end(bytes)
})
await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
const { port } = proxy.address() as AddressInfo
const brokenClient = connect({ baseUrl: `http://127.0.0.1:${port}`, key })

/** The number of requests sent, and of their idempotency keys. */
const countRequests = async (request: () => Promise<unknown>) => {
  keys = []
  const answer = await request().catch((error: unknown) => error)
  const usedKeys = keys.filter((value) => value !== undefined)
  return {
    sent: keys.length,
    keyed: usedKeys.length,
    keys: new Set(usedKeys).size,
    code: answer instanceof OvertureError ? answer.code : ""
  }
}

const total = async () => (await directClient.campaigns.listCampaigns()).total
const signatures = async () => (await directClient.signatures.listSignatures()).total
const before = { campaigns: await total(), signatures: await signatures() }
const read = await countRequests(() => brokenClient.workspace.getWorkspace())
const written = await countRequests(() => brokenClient.campaigns.createCampaign({ payload: { name: "Autumn" } }))
const once = await countRequests(() => brokenClient.signatures.createSignature({ payload: { signature_text: "Ida" } }))
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
