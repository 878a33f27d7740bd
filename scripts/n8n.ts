// scripts/n8n.ts: runs docs/examples/n8n.json and n8n-events.json in an n8n that is installed elsewhere, against a server and a campaign.
// usage: N8N=PATH/node_modules/n8n/bin/n8n OVERTURE_URL=URL OVERTURE_API_KEY=KEY node scripts/n8n.ts CAMPAIGN
// n8n is killed twice: with an event on its way, and with a batch. Nothing may be lost or done twice; that takes six minutes.
// The server needs OVERTURE_FETCH_ALLOW_PRIVATE=true, so that its events reach the n8n on this machine at N8N_PORT, 5678 by default.
import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, request as httpRequest } from "node:http"
import { buffer } from "node:stream/consumers"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sendRequest } from "#test/support/api-client.ts"

const { N8N: n8n, N8N_PORT: port = "5678", OVERTURE_API_KEY: key, OVERTURE_URL: url } = process.env
const campaign = process.argv[2]
if (n8n === undefined || key === undefined || url === undefined || campaign === undefined) {
  throw new Error("Set N8N, OVERTURE_URL and OVERTURE_API_KEY, and pass the id of a built campaign")
}

const folder = mkdtempSync(join(tmpdir(), "overture-n8n-"))
// Everything that n8n stores is in this folder, and it reports nothing to its makers.
const env = {
  ...process.env,
  N8N_USER_FOLDER: folder,
  N8N_ENCRYPTION_KEY: "only for this run",
  N8N_DIAGNOSTICS_ENABLED: "false",
  N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
  N8N_TEMPLATES_ENABLED: "false",
  N8N_PORT: port,
  N8N_LISTEN_ADDRESS: "127.0.0.1",
  // The Code node verifies with it.
  NODE_FUNCTION_ALLOW_BUILTIN: "crypto"
}
const runN8n = (...args: ReadonlyArray<string>) =>
  execFileSync(process.execPath, [n8n, ...args], { env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })

const example = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, "../docs/examples", name), "utf8"))

/** Stores a workflow in n8n. */
const importWorkflow = (workflow: unknown) => {
  writeFileSync(join(folder, "workflow.json"), JSON.stringify([workflow]))
  runN8n("import:workflow", `--input=${join(folder, "workflow.json")}`)
}

const callApi = async (method: string, path: string, body?: unknown) => {
  const answer = await sendRequest(url, key, { method, path, body })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const until = async <A>(get: () => A | Promise<A>, isDone: (value: A) => boolean, seconds = 120): Promise<A> => {
  for (let tries = 0; tries < 5 * seconds; tries++) {
    const value = await get()
    if (isDone(value)) return value
    await new Promise((resume) => setTimeout(resume, 200))
  }
  throw new Error("This never came about")
}

/** The polling workflow with these settings. */
const pollingWorkflow = (values: Readonly<Record<string, string>>) => {
  const workflow = example("n8n.json")
  const settings = workflow.nodes.find(({ name }: { readonly name: string }) => name === "Settings")
  for (const each of settings.parameters.assignments.assignments) each.value = values[each.name] ?? each.value
  return workflow
}

/** The workflow that polls, started by its manual trigger. */
const leads = () => {
  const workflow = pollingWorkflow({ url, campaign })
  importWorkflow(workflow)
  const printed = runN8n("execute", `--id=${workflow.id}`, "--rawOutput")
  const { data } = JSON.parse(printed.slice(printed.indexOf("{")))
  const checkPollingWorkflow = data.resultData.runData["One item a lead"][0].data.main[0]
  assert.equal(checkPollingWorkflow.length, 2)
  for (const { json } of checkPollingWorkflow) assert.equal(json.sequence.length, 3)
  console.log(checkPollingWorkflow.map(({ json }: any) => `${json.email}: ${json.sequence[0].subject}`).join("\n"))
}

/** How the runs of a workflow ended, and what they held. */
const executions = (workflow: string) => {
  const db = new DatabaseSync(join(folder, ".n8n/database.sqlite"), { readOnly: true })
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

/** The runs that succeeded and hold this text, once there is one. */
const waitForSuccess = (workflow: string, text: string) =>
  until(
    () => executions(workflow).filter(({ data, status }) => status === "success" && data.includes(text)),
    (all) => all.length > 0
  )

interface PassingRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly stage: "sent" | "answered"
}

/** Passes requests on to `target`; where `breaks` says so, the caller's connection is cut in place of an answer. */
const proxy = async (target: string, breaks: (passing: PassingRequest) => boolean) => {
  const server = createServer(async (request, response) => {
    const { headers, method = "GET", url: path = "/" } = request
    const sent = await buffer(request)
    const closeResponse = () => response.destroy()
    const forwarded = httpRequest(new URL(path, target), { method, headers }, async (answer) => {
      const body = await buffer(answer).catch(() => undefined)
      if (body === undefined || breaks({ path, headers, stage: "answered" })) return closeResponse()
      response.writeHead(answer.statusCode ?? 502, answer.headers).end(body)
    })
    forwarded.on("error", closeResponse).end(sent, () => {
      if (breaks({ path, headers, stage: "sent" })) closeResponse()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  assert.ok(typeof address === "object" && address !== null)
  const close = () => (server.close(), server.closeAllConnections())
  return { url: `http://127.0.0.1:${address.port}`, close }
}

const n8nUrl = `http://127.0.0.1:${port}`

/** An n8n that serves, and its log. Both workflows are active when it is returned. */
const startN8n = async () => {
  const child = spawn(process.execPath, [n8n, "start"], { env, stdio: ["ignore", "pipe", "pipe"] })
  let log = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (log += chunk.toString()))
  const kill = async (signal: "SIGTERM" | "SIGKILL") => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, "exit")
    child.kill(signal)
    await exited
  }
  const isActive = (path: string) =>
    // Only a POST runs the workflow; n8n answers another method differently before it knows the path.
    fetch(`${n8nUrl}/webhook/${path}`).then(
      async (answer) => (await answer.text()).includes("Did you mean to make a POST request"),
      () => false
    )
  for (const path of ["overture-events", "overture-leads"]) await until(() => isActive(path), Boolean)
  return { end: kill, log: () => log.slice(-3000) }
}

/** Others in each run: the same leads within a day are the same list. */
const runSuffix = Date.now()
const leadOfThisRun = (name: string) => ({
  email: `${name}.${runSuffix}@eastquarry.example`,
  name,
  company: "East Quarry"
})

const writeBatch = (name: string) =>
  callApi("POST", `/campaigns/${campaign}/generate-batch`, {
    leads: [leadOfThisRun(name)],
    options: { email_count: 2, email_signature: "Piotr" }
  })

/** An n8n between two proxies, which can be killed by what passes them. */
const startStand = async () => {
  let server: Awaited<ReturnType<typeof startN8n>> | undefined
  let isFatal: ((passing: PassingRequest) => boolean) | undefined
  let killed: Promise<void> | undefined
  const isCut = (passing: PassingRequest) => {
    if (isFatal?.(passing) !== true) return false
    isFatal = undefined
    killed = server?.end("SIGKILL")
    return true
  }
  /** The ids of the events that were sent, copies included. */
  const eventIds: Array<unknown> = []
  const toN8n = await proxy(n8nUrl, (passing) => {
    if (passing.stage === "sent") eventIds.push(passing.headers["webhook-id"])
    return isCut(passing)
  })
  const toOverture = await proxy(url, isCut)
  return {
    ids: eventIds,
    toN8n,
    toOverture,
    start: async () => (server = await startN8n()),
    /** Has n8n killed by the next request of this kind. */
    killAt: (at: (passing: PassingRequest) => boolean) => (isFatal = at),
    restarted: async () => {
      await until(() => killed !== undefined, Boolean)
      await killed
      killed = undefined
      server = await startN8n()
    },
    log: () => server?.log(),
    close: async () => {
      await server?.end("SIGTERM")
      toN8n.close()
      toOverture.close()
    }
  }
}
type N8nStand = Awaited<ReturnType<typeof startStand>>

/** A forged event and a genuine one. */
const checkVerification = async (events: string) => {
  const forged = await fetch(`${n8nUrl}/webhook/overture-events`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": "msg_forged",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": "v1,AAAA"
    },
    body: JSON.stringify({ type: "list.completed", data: { list_id: "forged" } })
  })
  assert.equal(forged.status, 500)
  const [refused] = await until(
    () => executions(events),
    (all) => all.some(({ status }) => status === "error")
  )
  assert.ok(refused?.data.includes("The signature is wrong"))

  await writeBatch("ann")
  const [genuine] = await waitForSuccess(events, leadOfThisRun("ann").email)
  assert.ok(genuine?.data.includes("sequence"))
  console.log("list.completed was verified in n8n and continued with the emails; a forged request was refused")
}

const killDuringEvent = async ({ killAt: killAtNext, restarted: waitForRestart }: N8nStand) => {
  killAtNext(({ path, stage: point }) => path.includes("overture-events") && point === "sent")
  await writeBatch("eve")
  await waitForRestart()
  console.log("n8n was killed after list.completed was sent and before it answered, and started again")
}

const killDuringBatch = async ({ killAt, restarted }: N8nStand, batches: string) => {
  const used = async () => (await callApi("GET", "/credits")).usage.credits_used_this_period
  const [listsBefore, usedBefore] = [(await callApi("GET", "/lists")).total, await used()]
  const post = () =>
    fetch(`${n8nUrl}/webhook/overture-leads`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ leads: [leadOfThisRun("kim"), leadOfThisRun("lee")] })
    }).then(
      ({ status }) => status,
      () => "no answer"
    )
  killAt(({ path, stage: point }) => path.endsWith("/generate-batch") && point === "answered")
  assert.equal(await post(), "no answer")
  await restarted()
  assert.equal(await post(), 202)
  const [written] = await waitForSuccess(batches, leadOfThisRun("kim").email)
  assert.ok(written?.data.includes(leadOfThisRun("lee").email) && written.data.includes("sequence"))
  assert.equal((await callApi("GET", "/lists")).total, listsBefore + 1)
  assert.equal((await used()) - usedBefore, 2)
  console.log("n8n was killed when its batch was accepted; the same leads again got the same list, charged once")
}

/** The event that was lost with n8n comes again, and each list continues once. */
const checkRedelivery = async ({ ids }: N8nStand, events: string, webhook: string) => {
  console.log("The event that was lost is repeated after 5 seconds and after 5 minutes")
  const deliveries = async () => (await callApi("GET", `/webhooks/${webhook}/deliveries`)).data
  const data = await until(deliveries, (all) => all.every(({ status }: any) => status === "delivered"), 400)
  const retried = data.find(({ attempts }: any) => attempts > 1)
  assert.ok(retried !== undefined)
  assert.equal(ids.filter((id) => id === retried.event_id).length, retried.attempts)
  for (const name of ["ann", "eve", "kim"]) {
    assert.equal((await waitForSuccess(events, leadOfThisRun(name).email)).length, 1, name)
  }
  console.log(`It was delivered and verified at attempt ${retried.attempts}, and every list continued once`)
}

/** Both workflows in an n8n that serves. */
const checkServedWorkflows = async () => {
  const stand = await startStand()
  const address = `${stand.toN8n.url}/webhook/overture-events`
  const webhook = await callApi("POST", "/webhooks", { url: address, events: ["list.completed"] })
  try {
    const events = example("n8n-events.json")
    importWorkflow(
      JSON.parse(JSON.stringify(events).replace("whsec_…", webhook.secret).replace("http://127.0.0.1:3000", url))
    )
    const batches = pollingWorkflow({ url: stand.toOverture.url, campaign })
    importWorkflow(batches)
    for (const { id } of [events, batches]) runN8n("publish:workflow", `--id=${id}`)
    await stand.start()
    await checkVerification(events.id)
    await killDuringEvent(stand)
    await killDuringBatch(stand, batches.id)
    await checkRedelivery(stand, events.id, webhook.id)
  } catch (error) {
    console.error(stand.log())
    throw error
  } finally {
    await stand.close()
    await callApi("DELETE", `/webhooks/${webhook.id}`)
  }
}

try {
  const credentials = {
    id: "overtureKey00001",
    name: "Overture",
    type: "httpHeaderAuth",
    data: { name: "Authorization", value: `Bearer ${key}` }
  }
  writeFileSync(join(folder, "credentials.json"), JSON.stringify([credentials]))
  runN8n("import:credentials", `--input=${join(folder, "credentials.json")}`)
  leads()
  await checkServedWorkflows()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
