// test/support/browser.ts: a real Chromium against the real program, and assertions that every page must pass.
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { make } from "../../scripts/console.ts"
import { onboardedWorkspaceIn } from "./program-workspace.ts"
import { dataDirectory, serve } from "./process.ts"

const chromiumPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser"]
const findChromium = () => chromiumPaths.find((place) => existsSync(place))

/** The path of Chromium. Installs Debian's package if it is missing and this process is root. */
const chromiumPath = () => {
  const existingPath = findChromium()
  if (existingPath !== undefined) return existingPath
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
    execFileSync("apt-get", ["update", "-qq"], { env, stdio: "ignore" })
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { env, stdio: "ignore" })
  }
  const installedPath = findChromium()
  if (installedPath === undefined)
    throw new Error("These tests need Chromium: install it with `apt-get install chromium`")
  return installedPath
}

/** Keeps the browser from contacting any server but the one under test. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
]

/** A browser with a new profile; it closes with the scope. */
export const browser = Effect.acquireRelease(
  Effect.promise(() => chromium.launch({ executablePath: chromiumPath(), args: flags })),
  (browser) => Effect.promise(() => browser.close())
)

export const consoleFiles = Effect.promise(make)

interface Visit extends BrowserContextOptions {
  /** The key to sign in with; without one the visitor is signed out. */
  readonly key?: string | undefined
  /** Whether the test takes the browser offline, so that network errors in the log are expected. */
  readonly offline?: true
}

/** Opens a page and runs `use`. Then asserts that the page logged no error and made no request to another origin. */
export const visit = async <A>(
  browser: Browser,
  url: string,
  { key, offline: mayBeOffline, ...options }: Visit,
  use: (page: Page) => Promise<A>
): Promise<A> => {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const problems: Array<string> = []
    page.on("pageerror", (error) => problems.push(String(error)))
    page.on("console", (message) => {
      // The browser logs every response with an error status, including those that the page handles.
      const expected =
        /^Failed to load resource: the server responded with a status of [45]\d\d/.test(message.text()) ||
        (mayBeOffline && /net::ERR_INTERNET_DISCONNECTED/.test(message.text()))
      if (["error", "warning"].includes(message.type()) && !expected) problems.push(message.text())
    })
    page.on("request", (request) => {
      const { origin } = new URL(request.url())
      if (request.url().startsWith("http") && origin !== new URL(url).origin) problems.push(`asked ${request.url()}`)
      if (key !== undefined && request.url().includes(key)) problems.push("the key stood in an address")
    })
    if (key !== undefined) {
      const { origin } = new URL(url)
      const signedIn = await context.request.post(`${origin}/api/v1/session`, { data: { key }, headers: { origin } })
      assert.strictEqual(signedIn.status(), 201, await signedIn.text())
    }
    await page.goto(url)
    const result = await use(page)
    assert.deepStrictEqual(problems, [])
    return result
  } finally {
    await context.close()
  }
}

/** Waits until an expression is true in the page. Playwright's `waitForFunction` uses `eval`, which the page's policy forbids. */
export const waitUntilTrue = async (page: Page, expression: string) => {
  for (let tries = 0; tries < 400; tries++) {
    if ((await page.evaluate(expression)) === true) return
    await page.waitForTimeout(50)
  }
  assert.fail(`Still not true: ${expression}`)
}

/** Waits until the page handles this keyboard shortcut. */
export const waitForShortcut = (page: Page, key: string) =>
  page
    .locator(`[aria-keyshortcuts~="${key}"]:not([aria-disabled="true"], :disabled)`)
    .first()
    .waitFor({ state: "attached" })

/** Presses a key once the page handles it. */
export const pressKey = async (page: Page, key: string) => {
  await waitForShortcut(page, key)
  await page.keyboard.press(key)
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** The accessibility violations that axe finds in the page. */
export const accessibilityViolations = async (page: Page): Promise<ReadonlyArray<string>> => {
  // `evaluate` goes through the debugger, to which the page's policy does not apply.
  await page.evaluate(axe)
  const violations: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string; failureSummary?: string }> }> =
    await page.evaluate("axe.run(document).then(({ violations }) => violations)")
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`))
}

/** By how many pixels the page is wider than its window. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

/** Chooses an action of the menu behind "⋯". */
export const choose = async (page: Page, action: string, menu = "More actions") => {
  await page.getByRole("button", { name: menu, exact: true }).click()
  await page.getByRole("menuitem", { name: action, exact: true }).click()
}

/** Opens sections of the company profile. */
export const unfold = async (page: Page, ...titles: ReadonlyArray<string>) => {
  for (const title of titles) {
    const section = page
      .locator("details.fold")
      .filter({ has: page.getByRole("heading", { name: title, exact: true }) })
    await section.waitFor()
    if ((await section.getAttribute("open")) === null) await section.locator("summary").click()
  }
}

/** A server with one onboarded workspace, and a browser. */
export class BrowserTest extends Context.Service<
  BrowserTest,
  {
    readonly url: string
    readonly data: string
    readonly key: string
    readonly key_id: string
    readonly workspace: string
    readonly visit: <A>(options: Visit & { readonly at?: string }, use: (page: Page) => Promise<A>) => Effect.Effect<A>
  }
>()("overture/test/Stand") {
  static readonly layer = Layer.effect(
    BrowserTest,
    Effect.gen(function* () {
      yield* consoleFiles
      const data = yield* dataDirectory
      const onboarded = yield* onboardedWorkspaceIn(data)
      const { url } = yield* serve(data)
      const chromiumBrowser = yield* browser
      return {
        ...onboarded,
        url,
        visit: ({ at = "", ...options }, use) =>
          Effect.promise(() => visit(chromiumBrowser, `${url}/${at}`, options, use))
      }
    })
  )
}
