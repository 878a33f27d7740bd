// test/support/browser.ts: a real Chromium over the real program, and what holds of every page that it shows.
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { make } from "../../scripts/console.ts"
import { foundedIn } from "./program-workspace.ts"
import { home, serve } from "./process.ts"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser"]
const found = () => places.find((place) => existsSync(place))

/** Where Chromium is; Debian's package is installed where it can be. */
const executable = () => {
  const there = found()
  if (there !== undefined) return there
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
    execFileSync("apt-get", ["update", "-qq"], { env, stdio: "ignore" })
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { env, stdio: "ignore" })
  }
  const installed = found()
  if (installed === undefined) throw new Error("These tests need Chromium: install it with `apt-get install chromium`")
  return installed
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

/** A browser with a folder of its own, for as long as the scope lasts. */
export const browser = Effect.acquireRelease(
  Effect.promise(() => chromium.launch({ executablePath: executable(), args: flags })),
  (browser) => Effect.promise(() => browser.close())
)

export const consoleFiles = Effect.promise(make)

interface Visit extends BrowserContextOptions {
  /** The key to sign in with; without one the visitor is signed out. */
  readonly key?: string | undefined
  /** Whether the browser may find no server for a time. */
  readonly offline?: true
}

/** Opens a page, and asserts afterwards that nothing in it failed and no policy was broken. */
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
      // Refusals of the API are shown by the page; that there was one the browser notes of its own accord.
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
    const answer = await use(page)
    assert.deepStrictEqual(problems, [])
    return answer
  } finally {
    await context.close()
  }
}

/** Waits until an expression is true of the page. Playwright's own way would evaluate it in the page, whose policy forbids that. */
export const waitUntilTrue = async (page: Page, expression: string) => {
  for (let tries = 0; tries < 400; tries++) {
    if ((await page.evaluate(expression)) === true) return
    await page.waitForTimeout(50)
  }
  assert.fail(`This never came about: ${expression}`)
}

/** Waits until the page announces a single key, and thus listens to it. */
export const announces = (page: Page, key: string) =>
  page
    .locator(`[aria-keyshortcuts~="${key}"]:not([aria-disabled="true"], :disabled)`)
    .first()
    .waitFor({ state: "attached" })

/** Presses a single key once the page listens to it. */
export const pressKey = async (page: Page, key: string) => {
  await announces(page, key)
  await page.keyboard.press(key)
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe finds against a page as it is. */
export const accessibilityViolations = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Through the debugger, which the page's policy does not bind.
  await page.evaluate(axe)
  const found: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string; failureSummary?: string }> }> =
    await page.evaluate("axe.run(document).then(({ violations }) => violations)")
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`))
}

/** How far the page is wider than its window, in pixels. */
export const overflow = (page: Page): Promise<number> =>
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
      const data = yield* home
      const founded = yield* foundedIn(data)
      const { url } = yield* serve(data)
      const open = yield* browser
      return {
        ...founded,
        url,
        visit: ({ at = "", ...options }, use) => Effect.promise(() => visit(open, `${url}/${at}`, options, use))
      }
    })
  )
}
