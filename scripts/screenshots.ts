// scripts/screenshots.ts: the pictures of the console in docs/screens/, taken of the demo workspace in a real browser: all of
// them, or those named as arguments.
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import { sendRequest } from "#test/support/api-client.ts"
import { make } from "./console.ts"
import { leadsOf } from "./screenshots/Leads.ts"

const root = join(import.meta.dirname, "..")
const screens = join(root, "docs/screens")
const data = mkdtempSync(join(tmpdir(), "overture-screens-"))

interface RunningServer {
  readonly url: string
  readonly child: ChildProcess
  readonly out: () => string
}

const serve = (...args: ReadonlyArray<string>) =>
  new Promise<RunningServer>((resolve, reject) => {
    const main = ["src/main.ts", "serve", "--port", "0", "--data-dir", data, ...args]
    const child = spawn(process.execPath, main, { cwd: root, env: { ...process.env, OVERTURE_GENERATOR: "builtin" } })
    let out = ""
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString()
      const url = /Listening on (\S+)/.exec(out)?.[1]
      const ready = args.length === 0 || out.includes("/docs")
      if (url !== undefined && ready) resolve({ url, child, out: () => out })
    })
    child.on("exit", (code) => reject(new Error(`The server ended with ${code}`)))
  })

const stop = async ({ child }: RunningServer) => {
  child.removeAllListeners("exit")
  const exited = once(child, "exit")
  child.kill("SIGTERM")
  await exited
}

const apiOf =
  ({ url }: RunningServer, key: string) =>
  async (method: string, path: string, body?: unknown) => {
    const answer = await sendRequest(url, key, { method, path, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

const aDay = 86_400_000

/** Lists of the weeks before, so that there is something to show: what was written today is put back to earlier days. */
const writePastLists = async (server: RunningServer, key: string) => {
  const call = apiOf(server, key)
  const { campaigns } = await call("GET", "/campaigns")
  const campaign: string = campaigns[0].id
  const lists = []
  for (const [name, count, ago] of [
    ["Trade fair, hall 3", 46, 15],
    ["Importers, north", 120, 11],
    ["Newsletter, March", 64, 9],
    ["Webinar guests", 88, 4],
    ["Importers, south", 26, 1]
  ] as const) {
    const options = {
      email_count: 3,
      email_signature: "Nora Fairholt\\nFounder, Fairholt Customs\\n4 Undercliff Yard, Felixstowe IP11 7DQ",
      list_name: name
    }
    const { list_id } = await call("POST", `/campaigns/${campaign}/generate-batch`, {
      leads: leadsOf(count, ago),
      options
    })
    for (;;) {
      const { processing_status } = await call("GET", `/lists/${list_id}`)
      if (processing_status === "completed") break
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    lists.push({ id: list_id as string, ago })
  }
  const { conversation_id } = await call("POST", "/agent/chat", {
    campaign_id: campaign,
    message: "What did Farrow Kitchens get back, and how long did it take?"
  })
  return { campaign, conversation: conversation_id as string, lists }
}

const backdateLists = (lists: ReadonlyArray<{ readonly id: string; readonly ago: number }>) => {
  const store = new DatabaseSync(join(data, "overture.db"))
  const at = (ago: number) => new Date(Date.now() - ago * aDay).toISOString()
  for (const { ago, id } of lists) {
    store.prepare("UPDATE lists SET created_at = ?, completed_at = ? WHERE id = ?").run(at(ago), at(ago), id)
  }
  store.close()
}

await make()
const first = await serve("--demo")
const key = /^ovk_\w+$/m.exec(first.out())?.[0] ?? ""
const { campaign, conversation, lists } = await writePastLists(first, key)
await stop(first)
backdateLists(lists)

const server = await serve()
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--font-render-hinting=none"]
})

interface Picture {
  readonly name: string
  readonly at: string
  /** Whether the page is signed out. */
  readonly isSignedOut?: boolean
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
  readonly before?: (page: Page) => Promise<void>
}

const list = lists.at(-1)?.id ?? ""
const csv = [
  "Firm;Person;Role;Mail",
  ...leadsOf(120, 0).map(({ company, email, name, title }) => `${company};${name};${title};${email}`)
].join("\n")

const pictures: ReadonlyArray<Picture> = [
  { name: "sign-in", at: "#/", isSignedOut: true },
  { name: "overview", at: "#/", height: 860 },
  { name: "workspace", at: "#/workspace", height: 860 },
  { name: "campaigns", at: "#/campaigns" },
  { name: "campaign", at: `#/campaigns/${campaign}` },
  { name: "audience", at: `#/campaigns/${campaign}/build/target_audience`, height: 860 },
  { name: "step", at: `#/campaigns/${campaign}/build/social_proof`, height: 860 },
  {
    name: "emails",
    at: `#/campaigns/${campaign}/build/emails`,
    height: 1080,
    before: async (page) => {
      await page.getByRole("complementary", { name: "Preview" }).getByText("Persona:").waitFor()
      await page
        .getByRole("heading", { name: "Templates", exact: true, level: 2 })
        .evaluate((heading) => heading.scrollIntoView())
    }
  },
  {
    name: "leads",
    at: `#/campaigns/${campaign}/write`,
    height: 860,
    before: async (page) => {
      const buffer = Buffer.from(csv)
      await page.locator("input[type=file]").setInputFiles({ name: "importers.csv", mimeType: "text/csv", buffer })
      await page.getByRole("button", { name: "Start writing to" }).waitFor()
    }
  },
  { name: "preview", at: `#/campaigns/${campaign}/preview`, height: 860 },
  { name: "lists", at: "#/lists" },
  { name: "list", at: `#/lists/${list}` },
  { name: "questions", at: `#/conversations/${conversation}` },
  { name: "reader", at: `#/lists/${list}/4`, height: 1080 },
  { name: "phone", at: `#/lists/${list}`, width: 390, height: 780 },
  { name: "phone-dark", at: "#/", width: 390, height: 780, dark: true }
]

const requestedNames = process.argv.slice(2)
mkdirSync(screens, { recursive: true })
for (const { at, before, dark = false, height = 800, isSignedOut = false, name, width = 1280 } of pictures) {
  if (requestedNames.length > 0 && !requestedNames.includes(name)) continue
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    isMobile: width < 500,
    deviceScaleFactor: 1
  })
  if (!isSignedOut) await context.request.post(`${server.url}/api/v1/session`, { data: { key } })
  const page = await context.newPage()
  await page.goto(`${server.url}/${at}`)
  await page.locator("h1").waitFor()
  await before?.(page)
  await page.waitForTimeout(800)
  const file = join(screens, `${name}.png`)
  const bytes = await page.screenshot()
  writeFileSync(file, bytes)
  console.log(`docs/screens/${name}.png: ${(bytes.length / 1024).toFixed(0)} KB`)
  await context.close()
}
await browser.close()
await stop(server)
rmSync(data, { recursive: true, force: true })
