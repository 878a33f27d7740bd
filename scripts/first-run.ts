// scripts/first-run.ts: times the first run as a person has it: the server's link, its page in a browser, three emails to read.
// usage: npm run firstrun -- [--fresh] [--model] [--port PORT]
//   --fresh   begins with the sources alone: an empty folder, and packages that npm has to download
//   --model   uses the Ollama that the server finds, or a slow stub of one on its port; the emails are the model's
import { Effect } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { browser, visit } from "#test/support/browser.ts"
import { ollama } from "#test/support/ollama.ts"

const limitSeconds = 180
const ollamaPort = 11_434
const { values } = parseArgs({
  options: { fresh: { type: "boolean" }, model: { type: "boolean" }, port: { type: "string", default: "0" } }
})

const root = join(import.meta.dirname, "..")
const folder = mkdtempSync(join(tmpdir(), "overture-first-run-"))
const dataDirectory = join(folder, "data")
const sources = values.fresh === true ? join(folder, "overture") : root

const startedAt = performance.now()
const printTime = (text: string) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${text}`)

/** The sources without packages, as a checkout has them. */
const copySources = () => {
  mkdirSync(sources)
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: root })
  const packed = execFileSync("tar", ["-c", "--null", "-T", "-"], { cwd: root, input: files, maxBuffer: 2 ** 30 })
  execFileSync("tar", ["-x"], { cwd: sources, input: packed })
}

/** Nothing of the machine's own settings, models or packages is used. */
const environment = () => {
  const ownVariables = Object.entries(process.env).filter(
    ([name]) => !/^(OVERTURE_|OPENAI_|SMTP_URL|DATABASE_URL|npm_)/.test(name)
  )
  return {
    ...Object.fromEntries(ownVariables),
    ...(values.fresh === true && { npm_config_cache: join(folder, "npm") })
  }
}

interface RunningServer {
  readonly child: ChildProcess
  /** What it printed, once it matches. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>
}

const serve = (): RunningServer => {
  const args = ["scripts/run.sh", "overture", "serve", "--port", values.port, "--data-dir", dataDirectory]
  const child = spawn("sh", args, { cwd: sources, env: environment(), stdio: ["ignore", "pipe", "pipe"] })
  let out = ""
  let log = ""
  child.stderr.on("data", (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)))
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
  const waitForOutput = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(out)
      if (found !== null) return found
      if (child.exitCode !== null) throw new Error(`The server ended: ${log}`)
      await new Promise((resume) => setTimeout(resume, 50))
    }
  }
  return { child, printed: waitForOutput }
}

const stop = async ({ child }: RunningServer) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, "exit")
  child.kill("SIGTERM")
  await exited
}

/** The server's link; with a model, after the settings that it prints were set and it was started again. */
const startServer = async (): Promise<{ readonly server: RunningServer; readonly link: string }> => {
  const linkOf = async (server: RunningServer) => (await server.printed(/^(http\S+#\/first-run\/\S+)$/m))[1] ?? ""
  const first = serve()
  const link = await linkOf(first)
  printTime("The server printed its link")
  if (values.model !== true) return { server: first, link }
  const [, settings = ""] = await first.printed(/start it again:\n((?: {2}\w+=\S+\n)+)/)
  await stop(first)
  writeFileSync(join(dataDirectory, ".env"), settings.replace(/^ +/gm, ""))
  const second = serve()
  const again = await linkOf(second)
  printTime("It found a model server and was started again with the settings that it printed")
  return { server: second, link: again }
}

/** Fills in the page behind the link, and reads the emails. */
const readEmails = (link: string) =>
  Effect.flatMap(browser, (chromium) =>
    Effect.promise(() =>
      visit(chromium, link, {}, async (page) => {
        page.setDefaultTimeout(limitSeconds * 1000)
        await page.getByLabel("Company").fill("Hollowell Air")
        await page.getByLabel("Your name").fill("Tom Hollowell")
        await page.getByLabel("Your email address").fill("tom@hollowell.example")
        await page.getByLabel("Three sentences").check()
        await page.getByLabel("What your company does").fill("We find and fix compressed air leaks in factories.")
        await page
          .getByLabel("The problem that you solve")
          .fill("A third of the air that a compressor makes leaks out before it reaches a machine.")
        await page
          .getByLabel("A result that proves it")
          .fill("Bexley Foods cut its compressor power by 28% in six weeks.")
        printTime("The page is filled in")
        await page.getByRole("button", { name: "Write three emails" }).click()
        await page.getByRole("heading", { level: 1, name: "Your first three emails" }).waitFor()
        printTime("Three emails are on the page")
        const writer = await page.evaluate(
          "fetch('/api/v1/workspace', { headers: { 'x-overture-session': '1' } }).then((answer) => answer.json()).then(({ writer }) => writer.model ?? 'built-in')"
        )
        return { writer: String(writer), emails: await page.locator(".emails .email").allInnerTexts() }
      })
    )
  )

const run = Effect.gen(function* () {
  if (values.model === true) {
    const isThere = yield* Effect.promise(() =>
      fetch(`http://127.0.0.1:${ollamaPort}/api/version`).then(
        ({ ok }) => ok,
        () => false
      )
    )
    if (!isThere) yield* ollama({ loadMillis: 5000, answerMillis: 1500 }, ollamaPort)
  }
  if (values.fresh === true) copySources()
  const { link } = yield* Effect.acquireRelease(Effect.promise(startServer), ({ server }) =>
    Effect.promise(() => stop(server))
  )
  const { emails, writer } = yield* readEmails(link)
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`\nWriter: ${writer}\n\n${emails.join("\n\n---\n\n")}\n`)
  if (emails.length !== 3) return yield* Effect.die(new Error(`${emails.length} emails in place of three`))
  if (seconds > limitSeconds) return yield* Effect.die(new Error(`It took ${Math.round(seconds)} s`))
  console.log(
    `From ${values.fresh === true ? "the sources" : "an empty store"} to three emails: ${seconds.toFixed(1)} s`
  )
})

try {
  await Effect.runPromise(Effect.scoped(run))
} finally {
  // Downloaded packages are some 90,000 files, whose removal takes minutes on a busy disk: the command ends without it.
  spawn("rm", ["-rf", folder], { detached: true, stdio: "ignore" }).unref()
}
