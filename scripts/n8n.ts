// scripts/n8n.ts: runs docs/examples/n8n.json in an n8n that is installed elsewhere, against a server and a campaign.
// usage: N8N=PATH/node_modules/n8n/bin/n8n OVERTURE_URL=URL OVERTURE_API_KEY=KEY node scripts/n8n.ts CAMPAIGN
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const { N8N: n8n, OVERTURE_API_KEY: key, OVERTURE_URL: url } = process.env
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
  N8N_RUNNERS_ENABLED: "false"
}
const run = (...args: ReadonlyArray<string>) =>
  execFileSync(process.execPath, [n8n, ...args], { env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 })

try {
  const credentials = {
    id: "overtureKey00001",
    name: "Overture",
    type: "httpHeaderAuth",
    data: { name: "Authorization", value: `Bearer ${key}` }
  }
  writeFileSync(join(at, "credentials.json"), JSON.stringify([credentials]))
  const workflow = JSON.parse(readFileSync(join(import.meta.dirname, "../docs/examples/n8n.json"), "utf8"))
  const settings = workflow.nodes.find(({ name }: { readonly name: string }) => name === "Settings")
  const values: Readonly<Record<string, string>> = { url, campaign }
  for (const each of settings.parameters.assignments.assignments) each.value = values[each.name] ?? each.value
  writeFileSync(join(at, "workflow.json"), JSON.stringify([workflow]))

  run("import:credentials", `--input=${join(at, "credentials.json")}`)
  run("import:workflow", `--input=${join(at, "workflow.json")}`)
  const printed = run("execute", `--id=${workflow.id}`, "--rawOutput")
  const { data } = JSON.parse(printed.slice(printed.indexOf("{")))
  const leads = data.resultData.runData["One item a lead"][0].data.main[0]
  assert.equal(leads.length, 2)
  for (const { json } of leads) assert.equal(json.sequence.length, 3)
  console.log(leads.map(({ json }: any) => `${json.email}: ${json.sequence[0].subject}`).join("\n"))
} finally {
  rmSync(at, { recursive: true, force: true })
}
