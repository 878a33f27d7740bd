// test/program/n8n.test.ts: the workflows of docs/examples/n8n.json and n8n-events.json. The nodes of the first are carried out here
// against a server, as n8n documents them; scripts/n8n.ts runs both in n8n itself.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { signatureHeaders } from "#layers/webhooks/Signing.ts"
import { document, schemas } from "../../scripts/client/Document.ts"
import { onboardedWorkspaceIn } from "../support/program-workspace.ts"
import { temporaryFolder, serve } from "../support/process.ts"
import { sendRequest, buildCampaign, apiClient } from "../support/api-client.ts"

const example = (name: string): any =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../docs/examples", name), "utf8"))
const workflow = example("n8n.json")
const eventsWorkflow = example("n8n-events.json")
const nodeOf = (name: string) => workflow.nodes.find((node: any) => node.name === name)
const nextOf = (name: string, output = 0): string | undefined => workflow.connections[name]?.main[output]?.[0]?.node

type Done = Map<string, any>

/** The value of a parameter: a template after `=`, in which `{{ }}` are expressions; one alone keeps its type. */
const valueOf = (text: string, $json: any, done: Done): any => {
  if (!text.startsWith("=")) return text
  const $ = (name: string) => ({ item: { json: done.get(name) } })
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
  const evaluate = (code: string) => {
    // n8n adds this method to texts.
    const plain = code.replace(/(\S.*)\.hash\('sha256'\)/s, "sha256($1)")
    return new Function("$json", "$", "sha256", `return (${plain})`)($json, $, sha256)
  }
  const [, only] = /^=\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text) ?? []
  if (only !== undefined) return evaluate(only)
  return text.slice(1).replace(/\{\{(.*?)\}\}/gs, (_, code: string) => String(evaluate(code)))
}

const request = async ({ parameters }: any, $json: any, done: Done, key: string) => {
  const { headerParameters, jsonBody, method = "GET", url } = parameters
  const address = new URL(valueOf(url, $json, done))
  const body = jsonBody === undefined ? null : valueOf(jsonBody, $json, done)
  const response = await fetch(address, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...Object.fromEntries(
        (headerParameters?.parameters ?? []).map(({ name, value }: any) => [name, valueOf(value, $json, done)])
      )
    },
    body
  })
  const [path] = Object.keys(document.paths).filter((path) =>
    new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`).test(address.pathname)
  )
  assert.property(document.paths[path ?? ""], method.toLowerCase(), address.pathname)
  assert.isTrue(response.ok, await response.clone().text())
  return response.json()
}

const holds = ({ combinator, conditions }: any, $json: any, done: Done): boolean => {
  const results = conditions.map(({ leftValue, operator, rightValue }: any) => {
    assert.deepStrictEqual(operator, { type: "string", operation: "equals" })
    return valueOf(leftValue, $json, done) === rightValue
  })
  return combinator === "and" ? results.every(Boolean) : results.some(Boolean)
}

/** Carries out the nodes from a trigger on; answers the items of the last one, or the message of an error. */
const run = async (trigger: string, input: any, key: string, settings: Readonly<Record<string, string>>) => {
  const done: Done = new Map()
  let json = input
  for (let name: string | undefined = trigger; name !== undefined;) {
    const { parameters, type } = nodeOf(name)
    let output = 0
    if (type.endsWith(".set") && parameters.mode === "raw") json = JSON.parse(parameters.jsonOutput)
    else if (type.endsWith(".set")) {
      json = Object.fromEntries(
        parameters.assignments.assignments.map((each: any) => [
          each.name,
          settings[each.name] ?? valueOf(each.value, json, done)
        ])
      )
    } else if (type.endsWith(".httpRequest")) json = await request(nodeOf(name), json, done, key)
    else if (type.endsWith(".respondToWebhook")) assert.strictEqual(parameters.respondWith, "firstIncomingItem")
    else if (type.endsWith(".wait")) await new Promise((resume) => setTimeout(resume, 100))
    else if (type.endsWith(".if")) output = holds(parameters.conditions, json, done) ? 0 : 1
    else if (type.endsWith(".stopAndError")) return { error: valueOf(parameters.errorMessage, json, done) }
    else if (type.endsWith(".splitOut")) json = json[parameters.fieldToSplitOut]
    else assert.match(type, /\.(manualTrigger|webhook)$/)
    done.set(name, json)
    name = nextOf(name, output)
  }
  return { items: json }
}

describe("docs/guides/automation.md", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/guides/automation.md"), "utf8")

  /** The code of a Code node of n8n, as the guide has it put together. */
  const stepOfGuide = () => {
    const [code = "", own = ""] = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? "")
    const lines = code.split("\n")
    const at = lines.findIndex((line) => line.endsWith("= inputData"))
    assert.match(guide, /end with `return \[\{ json: JSON\.parse\(body\) \}\]`/)
    return [...lines.slice(0, at), ...own.trim().split("\n"), ...lines.slice(at + 1)]
      .join("\n")
      .replace("return JSON.parse(body)", "return [{ json: JSON.parse(body) }]")
  }

  it("has a code step that accepts only what Overture signed", () => {
    const [, code = ""] = /^```js\n([\s\S]*?)^```$/m.exec(guide) ?? []
    const verify = new Function("inputData", "require", code)
    const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, so").toString("base64")}`
    const other = `whsec_${Buffer.from("another of thirty-two bytes, too").toString("base64")}`
    const body = JSON.stringify({ type: "list.completed", data: { list_id: "für Ida" } })
    const input = (secrets: ReadonlyArray<string>, at = Date.now()) => {
      const headers = signatureHeaders(
        secrets.map((secret) => ({ secret, until: null })),
        at,
        { id: "msg_1", body }
      )
      const { "webhook-id": id, "webhook-signature": signature, "webhook-timestamp": timestamp } = headers
      return { body, id, secret, signature, timestamp }
    }
    const load = createRequire(import.meta.url)
    assert.deepStrictEqual(verify(input([secret]), load), JSON.parse(body))
    assert.deepStrictEqual(verify(input([other, secret]), load), JSON.parse(body))
    assert.throws(() => verify(input([other]), load), "signature")
    assert.throws(() => verify({ ...input([secret]), body: `${body} ` }, load), "signature")
    assert.throws(() => verify(input([secret], Date.now() - 600_000), load), "too old")
  })

  it.effect("has a code step that verifies a request as the Webhook node of n8n passes it on", () =>
    Effect.gen(function* () {
      const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, so").toString("base64")}`
      const step = stepOfGuide().replace("whsec_…", secret)
      const run = (sent: string, headers: Readonly<Record<string, string>>) => {
        const helpers = { getBinaryDataBuffer: async () => Buffer.from(sent) }
        const $input = { first: () => ({ json: { headers } }) }
        const verify = new Function("$input", "require", `return (async () => {${step}}).call(this)`)
        return Effect.promise(
          () => verify.call({ helpers }, $input, createRequire(import.meta.url)) as Promise<unknown>
        )
      }
      const body = JSON.stringify({ type: "list.completed", data: { list_id: "für Ida" } })
      const headers = signatureHeaders([{ secret, until: null }], Date.now(), { id: "msg_1", body })
      assert.deepStrictEqual(yield* run(body, headers), [{ json: JSON.parse(body) }])
      const forged = yield* Effect.exit(run(body.replace("completed", "failed"), headers))
      assert.match(String(forged), /The signature is wrong/)
    })
  )

  it("has the same code in the workflow that continues with an event, whose Webhook node keeps the raw body", () => {
    const node = (name: string) => eventsWorkflow.nodes.find((each: any) => each.name === name)
    assert.strictEqual(node("Verify").parameters.jsCode, stepOfGuide())
    assert.deepInclude(node("Receive event").parameters, { httpMethod: "POST", options: { rawBody: true } })
    assert.include(document.paths["/api/v1/lists/{id}/export"].get.operationId, "exportList")
    assert.match(
      node("Get emails").parameters.url,
      /\/api\/v1\/lists\/\{\{ \$json\.data\.list_id \}\}\/export\?format=json$/
    )
  })

  it("names only existing events", () => {
    const named = [...guide.matchAll(/^\| `(\w+\.\w+)`/gm)].map(([, name]) => name)
    assert.isAbove(named.length, 4)
    assert.includeMembers([...(schemas["WebhookEventType"]?.enum ?? [])], named)
  })
})

describe("the workflow for n8n", () => {
  it.each([workflow, eventsWorkflow])("connects nodes that exist, and keeps no key: $name", (workflow) => {
    const names = workflow.nodes.map(({ name }: any) => name)
    for (const [from, { main }] of Object.entries<any>(workflow.connections)) {
      assert.include(names, from)
      for (const { node } of main.flat()) assert.include(names, node)
    }
    assert.notMatch(JSON.stringify(workflow), /ovk_|Bearer|whsec_\w/)
  })

  it("repeats requests, and the one that costs credits under a key", () => {
    for (const node of workflow.nodes.filter(({ type }: any) => type.endsWith("httpRequest"))) {
      assert.strictEqual(node.parameters.genericAuthType, "httpHeaderAuth")
      assert.isTrue(node.retryOnFail)
    }
    const { headerParameters, jsonBody } = nodeOf("Write emails").parameters
    assert.deepStrictEqual(
      headerParameters.parameters.map(({ name }: any) => name),
      ["Idempotency-Key"]
    )
    assert.include(jsonBody, "idempotent: true")
  })

  it.live("writes to the leads of either trigger, waits, and has one item a lead; it stops with a reason", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      const { key } = yield* onboardedWorkspaceIn(data)
      const { url } = yield* serve(data)
      const campaign = yield* buildCampaign(apiClient(url, key))
      yield* Effect.promise(async () => {
        const settings = { url, campaign }
        const tried = await run("Try it", {}, key, settings)
        assert.deepStrictEqual(
          tried.items.map(({ email, sequence }: any) => [email, sequence.length]),
          [
            ["ida@northquarry.example", 3],
            ["tom@southquarry.example", 3]
          ]
        )
        const leads = [{ email: "ann@eastquarry.example", company: "East Quarry" }]
        const received = await run("Receive leads", { body: { leads } }, key, settings)
        assert.strictEqual(received.items[0].email, leads[0]?.email)
        // The same leads again are the same list.
        const again = await run("Receive leads", { body: { leads } }, key, settings)
        assert.deepStrictEqual(again.items, received.items)
        const { body: lists } = await sendRequest(url, key, { method: "GET", path: "/lists" })
        assert.strictEqual(lists.total, 2)
        for (const processing_status of ["failed", "pending"]) {
          const { error = "" } = await run("Completed?", { id: "LIST", processing_status }, key, settings)
          assert.isTrue(error.startsWith(`List LIST is ${processing_status}: `), error)
        }
        assert.strictEqual(nextOf("Stopped?", 1), "Wait")
      })
    })
  )
})
