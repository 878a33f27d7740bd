// test/program/n8n.test.ts: the workflows of docs/examples/n8n.json and n8n-events.json. This test runs the nodes of the first
// against a server, as n8n documents them; scripts/n8n.ts runs both workflows in n8n.
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

const readExample = (name: string): any =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../docs/examples", name), "utf8"))
const workflow = readExample("n8n.json")
const eventsWorkflow = readExample("n8n-events.json")
const findNode = (name: string) => workflow.nodes.find((node: any) => node.name === name)
const findNextNode = (name: string, output = 0): string | undefined =>
  workflow.connections[name]?.main[output]?.[0]?.node

type NodeResults = Map<string, any>

/** The value of a parameter: after `=`, a template with `{{ }}` expressions. A single expression keeps its type. */
const evaluateParameter = (text: string, $json: any, results: NodeResults): any => {
  if (!text.startsWith("=")) return text
  const $ = (name: string) => ({ item: { json: results.get(name) } })
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
  const evaluate = (code: string) => {
    // n8n adds this method to strings.
    const plainCode = code.replace(/(\S.*)\.hash\('sha256'\)/s, "sha256($1)")
    return new Function("$json", "$", "sha256", `return (${plainCode})`)($json, $, sha256)
  }
  const [, expression] = /^=\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text) ?? []
  if (expression !== undefined) return evaluate(expression)
  return text.slice(1).replace(/\{\{(.*?)\}\}/gs, (_, code: string) => String(evaluate(code)))
}

const sendHttpRequest = async ({ parameters }: any, $json: any, results: NodeResults, key: string) => {
  const { headerParameters, jsonBody, method = "GET", url } = parameters
  const address = new URL(evaluateParameter(url, $json, results))
  const body = jsonBody === undefined ? null : evaluateParameter(jsonBody, $json, results)
  const response = await fetch(address, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...Object.fromEntries(
        (headerParameters?.parameters ?? []).map(({ name, value }: any) => [
          name,
          evaluateParameter(value, $json, results)
        ])
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

const evaluateConditions = ({ combinator, conditions }: any, $json: any, results: NodeResults): boolean => {
  const comparisons = conditions.map(({ leftValue, operator, rightValue }: any) => {
    assert.deepStrictEqual(operator, { type: "string", operation: "equals" })
    return evaluateParameter(leftValue, $json, results) === rightValue
  })
  return combinator === "and" ? comparisons.every(Boolean) : comparisons.some(Boolean)
}

/** Runs the nodes after a trigger, and returns the items of the last node or the message of an error. */
const runWorkflow = async (trigger: string, input: any, key: string, settings: Readonly<Record<string, string>>) => {
  const results: NodeResults = new Map()
  let json = input
  for (let name: string | undefined = trigger; name !== undefined;) {
    const { parameters, type } = findNode(name)
    let output = 0
    if (type.endsWith(".set") && parameters.mode === "raw") json = JSON.parse(parameters.jsonOutput)
    else if (type.endsWith(".set")) {
      json = Object.fromEntries(
        parameters.assignments.assignments.map((assignment: any) => [
          assignment.name,
          settings[assignment.name] ?? evaluateParameter(assignment.value, json, results)
        ])
      )
    } else if (type.endsWith(".httpRequest")) json = await sendHttpRequest(findNode(name), json, results, key)
    else if (type.endsWith(".respondToWebhook")) assert.strictEqual(parameters.respondWith, "firstIncomingItem")
    else if (type.endsWith(".wait")) await new Promise((resume) => setTimeout(resume, 100))
    else if (type.endsWith(".if")) output = evaluateConditions(parameters.conditions, json, results) ? 0 : 1
    else if (type.endsWith(".stopAndError")) return { error: evaluateParameter(parameters.errorMessage, json, results) }
    else if (type.endsWith(".splitOut")) json = json[parameters.fieldToSplitOut]
    else assert.match(type, /\.(manualTrigger|webhook)$/)
    results.set(name, json)
    name = findNextNode(name, output)
  }
  return { items: json }
}

describe("docs/guides/automation.md", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/guides/automation.md"), "utf8")

  /** The code for a Code node of n8n, assembled as the guide says. */
  const readCodeStep = () => {
    const [code = "", verifyCode = ""] = [...guide.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? "")
    const lines = code.split("\n")
    const inputLine = lines.findIndex((line) => line.endsWith("= inputData"))
    assert.match(guide, /end with `return \[\{ json: JSON\.parse\(body\) \}\]`/)
    return [...lines.slice(0, inputLine), ...verifyCode.trim().split("\n"), ...lines.slice(inputLine + 1)]
      .join("\n")
      .replace("return JSON.parse(body)", "return [{ json: JSON.parse(body) }]")
  }

  it("has a code step that accepts only what Overture signed", () => {
    const [, code = ""] = /^```js\n([\s\S]*?)^```$/m.exec(guide) ?? []
    const verify = new Function("inputData", "require", code)
    const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, so").toString("base64")}`
    const otherSecret = `whsec_${Buffer.from("another of thirty-two bytes, too").toString("base64")}`
    const body = JSON.stringify({ type: "list.completed", data: { list_id: "für Ida" } })
    const signedInput = (secrets: ReadonlyArray<string>, sentAt = Date.now()) => {
      const headers = signatureHeaders(
        secrets.map((secret) => ({ secret, until: null })),
        sentAt,
        { id: "msg_1", body }
      )
      const { "webhook-id": id, "webhook-signature": signature, "webhook-timestamp": timestamp } = headers
      return { body, id, secret, signature, timestamp }
    }
    const requireModule = createRequire(import.meta.url)
    assert.deepStrictEqual(verify(signedInput([secret]), requireModule), JSON.parse(body))
    assert.deepStrictEqual(verify(signedInput([otherSecret, secret]), requireModule), JSON.parse(body))
    assert.throws(() => verify(signedInput([otherSecret]), requireModule), "signature")
    assert.throws(() => verify({ ...signedInput([secret]), body: `${body} ` }, requireModule), "signature")
    assert.throws(() => verify(signedInput([secret], Date.now() - 600_000), requireModule), "too old")
  })

  it.effect("has a code step that verifies a request that the Webhook node of n8n received", () =>
    Effect.gen(function* () {
      const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, so").toString("base64")}`
      const step = readCodeStep().replace("whsec_…", secret)
      const runStep = (rawBody: string, headers: Readonly<Record<string, string>>) => {
        const helpers = { getBinaryDataBuffer: async () => Buffer.from(rawBody) }
        const $input = { first: () => ({ json: { headers } }) }
        const verify = new Function("$input", "require", `return (async () => {${step}}).call(this)`)
        return Effect.promise(
          () => verify.call({ helpers }, $input, createRequire(import.meta.url)) as Promise<unknown>
        )
      }
      const body = JSON.stringify({ type: "list.completed", data: { list_id: "für Ida" } })
      const headers = signatureHeaders([{ secret, until: null }], Date.now(), { id: "msg_1", body })
      assert.deepStrictEqual(yield* runStep(body, headers), [{ json: JSON.parse(body) }])
      const forgedExit = yield* Effect.exit(runStep(body.replace("completed", "failed"), headers))
      assert.match(String(forgedExit), /The signature is wrong/)
    })
  )

  it("has the same code in the workflow that continues with an event, whose Webhook node keeps the raw body", () => {
    const findEventNode = (name: string) => eventsWorkflow.nodes.find((eventNode: any) => eventNode.name === name)
    assert.strictEqual(findEventNode("Verify").parameters.jsCode, readCodeStep())
    assert.deepInclude(findEventNode("Receive event").parameters, { httpMethod: "POST", options: { rawBody: true } })
    assert.include(document.paths["/api/v1/lists/{id}/export"].get.operationId, "exportList")
    assert.match(
      findEventNode("Get emails").parameters.url,
      /\/api\/v1\/lists\/\{\{ \$json\.data\.list_id \}\}\/export\?format=json$/
    )
  })

  it("names only existing events", () => {
    const namedEvents = [...guide.matchAll(/^\| `(\w+\.\w+)`/gm)].map(([, name]) => name)
    assert.isAbove(namedEvents.length, 4)
    assert.includeMembers([...(schemas["WebhookEventType"]?.enum ?? [])], namedEvents)
  })
})

describe("the workflow for n8n", () => {
  it.each([workflow, eventsWorkflow])("connects existing nodes, and contains no key: $name", (workflow) => {
    const names = workflow.nodes.map(({ name }: any) => name)
    for (const [from, { main }] of Object.entries<any>(workflow.connections)) {
      assert.include(names, from)
      for (const { node } of main.flat()) assert.include(names, node)
    }
    assert.notMatch(JSON.stringify(workflow), /ovk_|Bearer|whsec_\w/)
  })

  it("retries requests, and sends an Idempotency-Key with the request that costs credits", () => {
    for (const node of workflow.nodes.filter(({ type }: any) => type.endsWith("httpRequest"))) {
      assert.strictEqual(node.parameters.genericAuthType, "httpHeaderAuth")
      assert.isTrue(node.retryOnFail)
    }
    const { headerParameters, jsonBody } = findNode("Write emails").parameters
    assert.deepStrictEqual(
      headerParameters.parameters.map(({ name }: any) => name),
      ["Idempotency-Key"]
    )
    assert.include(jsonBody, "idempotent: true")
  })

  it.live("writes to the leads of either trigger and returns one item for each, or stops with a reason", () =>
    Effect.gen(function* () {
      const data = yield* temporaryFolder
      const { key } = yield* onboardedWorkspaceIn(data)
      const { url } = yield* serve(data)
      const campaign = yield* buildCampaign(apiClient(url, key))
      yield* Effect.promise(async () => {
        const settings = { url, campaign }
        const manualRun = await runWorkflow("Try it", {}, key, settings)
        assert.deepStrictEqual(
          manualRun.items.map(({ email, sequence }: any) => [email, sequence.length]),
          [
            ["ida@northquarry.example", 3],
            ["tom@southquarry.example", 3]
          ]
        )
        const leads = [{ email: "ann@eastquarry.example", company: "East Quarry" }]
        const webhookRun = await runWorkflow("Receive leads", { body: { leads } }, key, settings)
        assert.strictEqual(webhookRun.items[0].email, leads[0]?.email)
        // The same leads sent again return the same list.
        const secondRun = await runWorkflow("Receive leads", { body: { leads } }, key, settings)
        assert.deepStrictEqual(secondRun.items, webhookRun.items)
        const { body: lists } = await sendRequest(url, key, { method: "GET", path: "/lists" })
        assert.strictEqual(lists.total, 2)
        for (const processing_status of ["failed", "pending"]) {
          const { error = "" } = await runWorkflow("Completed?", { id: "LIST", processing_status }, key, settings)
          assert.isTrue(error.startsWith(`List LIST is ${processing_status}: `), error)
        }
        assert.strictEqual(findNextNode("Stopped?", 1), "Wait")
      })
    })
  )
})
