// test/program/postman.test.ts: the generated Postman collection: its content, and each of its requests sent to a server.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { document, operations } from "../../scripts/client/Document.ts"
import { onboardedWorkspaceIn } from "../support/program-workspace.ts"
import { temporaryFolder, serve } from "../support/process.ts"

const root = join(import.meta.dirname, "../..")

const buildCollection = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  execFileSync(process.execPath, [join(root, "scripts/client.ts"), "--postman", "--out", folder], { cwd: root })
  return JSON.parse(readFileSync(join(folder, "overture.postman_collection.json"), "utf8"))
})

const itemsOf = (collection: any): ReadonlyArray<any> => collection.item.flatMap(({ item }: any) => item)
const idOf = (item: any): string => /^`(\w+)`/.exec(item.request.description)?.[1] ?? ""

/** Sends a request as Postman does, runs its script, and returns status and text. */
const send = async (collection: any, item: any, variables: Map<string, string>) => {
  const fillVariables = (text: string) =>
    text.replace(/\{\{([$\w]+)\}\}/g, (placeholder, name) => variables.get(name) ?? placeholder)
  const { auth = collection.auth, body, header, method, url } = item.request
  const headers = new Headers(
    header.filter(({ disabled }: any) => !disabled).map(({ key, value }: any) => [key, value])
  )
  const token = auth.bearer?.[0].value
  if (token !== undefined) headers.set("authorization", `Bearer ${fillVariables(token)}`)
  const form = new FormData()
  for (const { disabled, key, type, value } of body?.formdata ?? []) {
    if (type === "file") form.set(key, new File(["email,name\nida@quarry.example,Ida\n"], "leads.csv"))
    else if (!disabled) form.set(key, value)
  }
  const requestBody = body === undefined ? null : body.mode === "raw" ? fillVariables(body.raw) : form
  const response = await fetch(fillVariables(url.raw), {
    method,
    headers,
    body: requestBody,
    signal: AbortSignal.timeout(30_000)
  })
  const text = response.headers.get("content-type")?.startsWith("text/event-stream")
    ? (await response.body?.cancel(), "")
    : await response.text()
  const pm = {
    response: { code: response.status, json: () => JSON.parse(text) },
    collectionVariables: { set: (name: string, value: string) => variables.set(name, value) }
  }
  for (const { script } of item.event) new Function("pm", script.exec.join("\n"))(pm)
  return { status: response.status, text }
}

describe("the Postman collection", () => {
  it.effect("has each operation of the document once, with its method, path, query, key and body", () =>
    Effect.gen(function* () {
      const collection = yield* buildCollection
      const items = itemsOf(collection)
      assert.sameMembers(
        items.map(idOf),
        operations.map(({ id }) => id)
      )
      const variableNames = collection.variable.map(({ key }: any) => key)
      for (const item of items) {
        const operation = operations.find(({ id }) => id === idOf(item))
        assert.isDefined(operation)
        const { request } = item
        const declaredOperation = document.paths[operation.path][operation.method.toLowerCase()]
        assert.strictEqual(request.method, operation.method)
        const path = request.url.raw.replace(/^\{\{baseUrl\}\}|\?.*$/g, "")
        assert.match(path, new RegExp(`^${operation.path.replace(/\{\w+\}/g, "\\{\\{\\w+\\}\\}")}$`))
        assert.strictEqual(`{{baseUrl}}/${request.url.path.join("/")}`, request.url.raw.replace(/\?.*/, ""))
        assert.deepStrictEqual(
          request.url.query.map(({ key }: any) => key),
          operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name)
        )
        assert.strictEqual(request.auth?.type === "noauth", declaredOperation.security.length === 0)
        assert.strictEqual(request.body === undefined, operation.body === undefined)
        const usedVariables = [...JSON.stringify([item.request, collection.auth]).matchAll(/\{\{(\w+)\}\}/g)]
        assert.includeMembers(
          variableNames,
          usedVariables.map(([, name]) => name)
        )
      }
    })
  )

  it.live(
    "goes from an empty workspace to an exported list when sent in order, and each status is declared",
    () =>
      Effect.gen(function* () {
        const collection = yield* buildCollection
        const items = itemsOf(collection)
        const data = yield* temporaryFolder
        const { key } = yield* onboardedWorkspaceIn(data)
        const { url } = yield* serve(data)
        const variables = new Map<string, string>(collection.variable.map(({ key, value }: any) => [key, value]))
        variables.set("baseUrl", url).set("apiKey", key).set("$guid", crypto.randomUUID())

        const sentOperations = new Set<string>()
        const request = async (id: string, expected?: number) => {
          const item = items.find((item) => idOf(item) === id)
          const { status, text } = await send(collection, item, variables)
          sentOperations.add(id)
          const operation = operations.find((candidate) => candidate.id === id)
          const { responses } = document.paths[operation?.path ?? ""][operation?.method.toLowerCase() ?? ""]
          assert.property(responses, String(status), `${id}: ${text}`)
          if (expected !== undefined) assert.strictEqual(status, expected, `${id}: ${text}`)
          return text === "" || !text.startsWith("{") ? {} : JSON.parse(text)
        }
        const requestUntil = async (id: string, hasResult: (answer: any) => boolean) => {
          while (!hasResult(await request(id, 200))) await new Promise((resume) => setTimeout(resume, 100))
        }
        const waitForJob = () => requestUntil("getJob", ({ status }) => status === "completed")
        const selectAssets = async (type: string, status: number) => {
          variables.set("type", type)
          await request("listAssetOptions", 200)
          await request("selectAssets", status)
        }

        yield* Effect.promise(async () => {
          await request("createCampaign", 201)
          await request("listTargetAudiences", 200)
          await request("setTargetAudience", 202)
          for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) await selectAssets(type, 200)
          await waitForJob()
          await request("generateValuePropositions", 202)
          await waitForJob()
          await selectAssets("value_proposition", 202)
          await requestUntil("getBuildStatus", ({ overall }) => overall === "ready")
          await request("getPlaybook", 200)
          await request("createSignature", 201)
          await request("previewCampaign", 200)
          await request("generateBatch", 202)
          await requestUntil("getList", ({ processing_status }) => processing_status === "completed")
          await request("exportList", 200)
          for (const id of ["listLeads", "getLead", "listPreviews", "getPreview", "readLeadFile"])
            await request(id, 200)
          await request("importDocument", 202)
          await waitForJob()
          // DELETE requests run last, because other requests need what they delete.
          const isLast = (item: any) => item.request.method === "DELETE"
          for (const item of [...items.filter((item) => !isLast(item)), ...items.filter(isLast)])
            await request(idOf(item))
        })
        assert.strictEqual(sentOperations.size, operations.length)
      }),
    120_000
  )
})
