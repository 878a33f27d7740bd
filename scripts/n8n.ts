// scripts/n8n.ts: runs docs/examples/n8n.json and n8n-events.json in an n8n that is installed elsewhere, against a server and a campaign.
// usage: N8N=PATH/node_modules/n8n/bin/n8n OVERTURE_URL=URL OVERTURE_API_KEY=KEY node scripts/n8n.ts CAMPAIGN
// The server needs OVERTURE_FETCH_ALLOW_PRIVATE=true, so that its events reach the n8n on this machine at N8N_PORT, 5678 by default.
import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ask } from "#test/support/wire.ts"

const { N8N: n8n, N8N_PORT: port = "5678", OVERTURE_API_KEY: key, OVERTURE_URL: url } = process.env
const campaign = process.argv[2]
if (n8n === undefined || key === undefined || url === undefined || campaign === undefined) {
  throw new Error("Set N8N, OVERTURE_URL and OVERTURE_API_KEY, and pass the id of a built campaign")
}

const at = mkdtempSync(join(tmpdir(), "overture-n8n-"))
// Everything that n8n stores is in this folder, and it reports nothing to its makers.
const env = {
  ...process.env,
  N8N_USER_FOLDER: at,
  N8N_ENCRYPTION_KEY: "only for this run",
  N8N_DIAGNOSTICS_ENABLED: "false",
  N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
  N8N_TEMPLATES_ENABLED: "false",
  N8N_PORT: port,
  N8N_LISTEN_ADDRESS: "127.0.0.1",
  // The Code node verifies with it.
  NODE_FUNCTION_ALLOW_BUILTIN: "crypto"
}
const run = (...args: ReadonlyArray<string>) =>
  execFileSync(process.execPath, [n8n, ...args], { env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })

const example = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, "../docs/examples", name), "utf8"))

/** Stores a workflow in n8n. */
const imported = (workflow: unknown) => {
  writeFileSync(join(at, "workflow.json"), JSON.stringify([workflow]))
  run("import:workflow", `--input=${join(at, "workflow.json")}`)
}

const api = async (method: string, path: string, body?: unknown) => {
  const answer = await ask(url, key, { method, path, body })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const until = async <A>(get: () => A | Promise<A>, isSo: (value: A) => boolean): Promise<A> => {
  for (let tries = 0; tries < 600; tries++) {
    const value = await get()
    if (isSo(value)) return value
    await new Promise((resume) => setTimeout(resume, 200))
  }
  throw new Error("This never came about")
}

/** The workflow that polls. */
const leads = () => {
  const workflow = example("n8n.json")
  const settings = workflow.nodes.find(({ name }: { readonly name: string }) => name === "Settings")
  const values: Readonly<Record<string, string>> = { url, campaign }
  for (const each of settings.parameters.assignments.assignments) each.value = values[each.name] ?? each.value
  imported(workflow)
  const printed = run("execute", `--id=${workflow.id}`, "--rawOutput")
  const { data } = JSON.parse(printed.slice(printed.indexOf("{")))
  const leads = data.resultData.runData["One item a lead"][0].data.main[0]
  assert.equal(leads.length, 2)
  for (const { json } of leads) assert.equal(json.sequence.length, 3)
  console.log(leads.map(({ json }: any) => `${json.email}: ${json.sequence[0].subject}`).join("\n"))
}

/** How the runs of a workflow ended, and what they held. */
const executions = (workflow: string) => {
  const db = new DatabaseSync(join(at, ".n8n/database.sqlite"), { readOnly: true })
  try {
    return db
      .prepare(
        `SELECT e.status, d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id
         WHERE e.workflowId = ? ORDER BY e.id`
      )
      .all(workflow)
      .map(({ data, status }) => ({ status: String(status), data: String(data) }))
  } finally {
    db.close()
  }
}

/** The same, once so many have ended. */
const ended = (workflow: string, count: number) =>
  until(
    () => executions(workflow),
    (all) => all.length === count && all.every(({ status }) => !["new", "running"].includes(status))
  )

/** The workflow that continues with an event, in an n8n that serves: a genuine request, and a forged one. */
const events = async () => {
  const address = `http://127.0.0.1:${port}/webhook/overture-events`
  const webhook = await api("POST", "/webhooks", { url: address, events: ["list.completed"] })
  const workflow = example("n8n-events.json")
  imported(
    JSON.parse(JSON.stringify(workflow).replace("whsec_…", webhook.secret).replace("http://127.0.0.1:3000", url))
  )
  run("publish:workflow", `--id=${workflow.id}`)
  const server = spawn(process.execPath, [n8n, "start"], { env, stdio: ["ignore", "pipe", "pipe"] })
  let log = ""
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk: Buffer) => (log += chunk.toString()))
  try {
    const forge = () =>
      fetch(address, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": "msg_forged",
          "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
          "webhook-signature": "v1,AAAA"
        },
        body: JSON.stringify({ type: "list.completed", data: { list_id: "forged" } })
      }).then(
        ({ status }) => status,
        () => 404
      )
    // Until the workflow is registered, nothing is there.
    assert.equal(await until(forge, (status) => status !== 404), 500)
    const [refused] = await ended(workflow.id, 1)
    assert.equal(refused?.status, "error")
    assert.ok(refused?.data.includes("The signature is wrong"))

    const lead = { email: "ann@eastquarry.example", name: "Ann Ortiz", company: "East Quarry" }
    await api("POST", `/campaigns/${campaign}/generate-batch`, {
      leads: [lead],
      options: { email_count: 2, email_signature: "Piotr" }
    })
    const { data } = await until(
      () => api("GET", `/webhooks/${webhook.id}/deliveries`),
      ({ data }) => data[0]?.attempts > 0
    )
    assert.equal(data[0].response_code, 204, `${data[0].error} ${data[0].response}`)
    const [, genuine] = await ended(workflow.id, 2)
    assert.equal(genuine?.status, "success")
    assert.ok(genuine?.data.includes(lead.email) && genuine.data.includes("sequence"))
    console.log(`list.completed was verified in n8n and continued with ${lead.email}; a forged request was refused`)
  } catch (error) {
    console.error(log.slice(-3000))
    throw error
  } finally {
    const gone = once(server, "exit")
    server.kill("SIGTERM")
    await gone
    await api("DELETE", `/webhooks/${webhook.id}`)
  }
}

try {
  const credentials = {
    id: "overtureKey00001",
    name: "Overture",
    type: "httpHeaderAuth",
    data: { name: "Authorization", value: `Bearer ${key}` }
  }
  writeFileSync(join(at, "credentials.json"), JSON.stringify([credentials]))
  run("import:credentials", `--input=${join(at, "credentials.json")}`)
  leads()
  await events()
} finally {
  rmSync(at, { recursive: true, force: true })
}
