// test/program/console-start.test.ts: the first run, sign-in links and API keys, as a person meets them in a browser.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import {
  waitUntilTrue,
  browser,
  choose,
  consoleFiles,
  horizontalOverflow,
  BrowserTest,
  accessibilityViolations,
  visit
} from "../support/browser.ts"
import { commandJson } from "../support/command.ts"
import { dataDirectory, serve } from "../support/process.ts"

/** Setting up may install a browser. */
const timeoutMillis = 600_000

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()

const isSound = async (page: Page) => {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    assert.deepStrictEqual(await accessibilityViolations(page), [], String(width))
    assert.isAtMost(await horizontalOverflow(page), 0, String(width))
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

const sentences = async (page: Page) => {
  await page.getByLabel("Three sentences").check()
  await page
    .getByLabel("What your company does")
    .fill("We service slurry pumps for quarries and cement works in Silesia.")
  await page
    .getByLabel("The problem that you solve")
    .fill("A pump that stops on a Friday stops the plant until Monday.")
  await page.getByLabel("A result that proves it").fill("Harbour Cement cut unplanned stops from nine a year to two.")
}

/** A server with an empty store, the link that it makes for the first workspace, and a browser. */
const unused = Effect.gen(function* () {
  yield* consoleFiles
  const data = yield* dataDirectory
  const { url } = yield* serve(data)
  const { url: link } = yield* commandJson(data, "link", "--url", url)
  return { chromium: yield* browser, link: String(link) }
})

layer(Layer.empty, { excludeTestServices: true })("a first run", (it) => {
  it.effect(
    "goes from the link that the server printed to three emails on one page, and the link is over",
    () =>
      Effect.gen(function* () {
        const { chromium, link } = yield* unused
        yield* Effect.promise(() =>
          visit(chromium, link, {}, async (page) => {
            await heading(page, "Three emails to read")
            await isSound(page)
            await press(page, "Write three emails")
            await page.getByText("“Company” is missing").waitFor()
            await page.getByLabel("Company").fill("Kestrel Pumps")
            await page.getByLabel("Your name").fill("Piotr Zieliński")
            await page.getByLabel("Your email address").fill("piotr@kestrel-pumps.example")
            await sentences(page)
            await press(page, "Write three emails")
            await heading(page, "Your first three emails")
            assert.strictEqual(await page.locator(".emails .email").count(), 3)
            const text = await page.locator(".emails").innerText()
            assert.include(text, "A pump that stops on a Friday")
            assert.include(text, "Harbour Cement")
            assert.lengthOf([...text.matchAll(/Piotr Zieliński\s+Kestrel Pumps/g)], 3)
            assert.match(page.url(), /#\/start$/)
            await isSound(page)
            // Nothing of the link or of a key is kept where a script could read it.
            assert.strictEqual(
              await page.evaluate("document.cookie + localStorage.length + sessionStorage.length"),
              "00"
            )
            await page.reload()
            await heading(page, "Your first three emails")
            await page.getByRole("link", { name: "Edit the templates" }).click()
            await heading(page, "Templates")
            // The owner has no key yet: signing out says what is needed to come back.
            await press(page, /^Sign out$/)
            const dialog = page.getByRole("dialog", { name: "Sign out" })
            await dialog.getByText("overture link").waitFor()
            assert.deepStrictEqual(await accessibilityViolations(page), [])
            await dialog.getByRole("link", { name: "Create an API key" }).click()
            await heading(page, "API keys")
            await press(page, /^Sign out$/)
            await dialog.getByRole("button", { name: "Cancel" }).click()
            await heading(page, "API keys")
            await press(page, /^Sign out$/)
            await dialog.getByRole("button", { name: "Sign out", exact: true }).click()
            await heading(page, "Sign in to Overture")
            await page.goto(link)
            await page.reload()
            await page.getByLabel("Company").fill("Evil")
            await page.getByLabel("Your name").fill("Evil")
            await page.getByLabel("Your email address").fill("evil@evil.example")
            await sentences(page)
            await press(page, "Write three emails")
            await page.getByRole("alert").getByText("This link was used").waitFor()
          })
        )
      }),
    timeoutMillis
  )

  it.effect(
    "shows how a model that runs beside the server can write",
    () =>
      Effect.gen(function* () {
        const { chromium, link } = yield* unused
        const settings = ["OVERTURE_MODEL_API=ollama", "OPENAI_BASE_URL=http://127.0.0.1:1/v1", "OVERTURE_MODEL=tiny"]
        const server = { name: "Ollama", url: "http://127.0.0.1:1/v1", models: ["tiny"], settings }
        yield* Effect.promise(() =>
          visit(chromium, link, {}, async (page) => {
            await page.route("**/session/first-run/model-servers", (route) =>
              route.fulfill({ json: { servers: [server, { ...server, name: "Empty", models: [], settings: [] }] } })
            )
            await page.reload()
            const offer = page.getByRole("region", { name: "Ollama was found" })
            assert.include(await offer.innerText(), settings.join("\n"))
            await offer.getByRole("button", { name: "Copy the settings" }).click()
            await offer
              .getByText(/^(Copied|The browser did not copy)/)
              .first()
              .waitFor()
            assert.strictEqual(await page.getByText("Empty").count(), 0)
            await isSound(page)
          })
        )
      }),
    timeoutMillis
  )

  it.effect(
    "reads a document, and asks for sentences where that says nothing",
    () =>
      Effect.gen(function* () {
        const { chromium, link } = yield* unused
        yield* Effect.promise(() =>
          visit(chromium, link, {}, async (page) => {
            await page.getByLabel("Company").fill("Kestrel Pumps")
            await page.getByLabel("Your name").fill("Piotr Zieliński")
            await page.getByLabel("Your email address").fill("piotr@kestrel-pumps.example")
            await page.getByLabel("A document").check()
            const buffer = Buffer.from("Opening hours: 8 to 5\n")
            await page
              .getByLabel("Document", { exact: true })
              .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer })
            await press(page, "Write three emails")
            await page.getByText("it does not say in a sentence what your company does").waitFor()
            await isSound(page)
            await sentences(page)
            await press(page, "Write three emails")
            await heading(page, "Your first three emails")
            // Another document may say more.
            await press(page, "Read another document")
            await heading(page, "Three emails to read")
            const proof = Buffer.from("# Case studies\n\nHarbour Cement cut unplanned stops from nine a year to two.\n")
            await page
              .getByLabel("Document", { exact: true })
              .setInputFiles({ name: "proof.md", mimeType: "text/markdown", buffer: proof })
            await isSound(page)
            await press(page, "Write three emails")
            await heading(page, "Your first three emails")
            await page.getByRole("navigation").getByRole("link", { name: "Campaigns" }).first().click()
            await page.getByRole("link", { name: "Campaign 2" }).first().waitFor()
          })
        )
      }),
    timeoutMillis
  )
})

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })("a sign-in link", (it) => {
  it.effect("signs in at a press, once, in every tab of the browser", () =>
    Effect.gen(function* () {
      const { data, url, visit, workspace } = yield* BrowserTest
      const { url: link } = yield* commandJson(data, "link", "--workspace", workspace, "--url", url, "--name", "Ann")
      const at = link.slice(url.length + 1)
      yield* visit({ at: "#/lists" }, async (page) => {
        await heading(page, "Sign in to Overture")
        const tab = await page.context().newPage()
        await tab.goto(`${url}/${at}`)
        // A program that opens the link uses nothing up.
        await heading(tab, "Sign in to Overture")
        await tab.reload()
        await isSound(tab)
        await press(tab, "Sign in")
        await heading(tab, "Kestrel Pumps")
        assert.notInclude(tab.url(), "ovl_")
        // The other tab was asked for another page.
        await heading(page, "Lists")
        await tab.goto(`${url}/#/keys`)
        await tab.getByText("Ann").first().waitFor()
        await press(tab, "Sign out everywhere")
        await tab.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click()
        await heading(tab, "Sign in to Overture")
        await page.getByText("You signed out in another tab.").waitFor()
        await page.goto(link)
        await page.reload()
        await press(page, "Sign in")
        await page.getByRole("alert").getByText("This link was used").waitFor()
      })
    })
  )
})

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })("API keys", (it) => {
  it.effect("are created, shown once, replaced and revoked, and give links", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const statusOf = async (secret: string) =>
        (await fetch(`${url}/api/v1/lists`, { headers: { "x-api-key": secret } })).status
      yield* visit({ key, at: "#/keys" }, async (page) => {
        await heading(page, "API keys")
        await page.getByLabel("Name").fill("CRM")
        await page.getByLabel("What it may do").selectOption("Selected scopes")
        await page.getByLabel("lists:read").check()
        await page.getByLabel("Ends").selectOption("In 90 days")
        await isSound(page)
        await press(page, "Create the key")
        const shown = page.getByRole("region", { name: "New key" })
        const secret = await shown.locator("code").innerText()
        assert.match(secret, /^ovk_\w{46}$/)
        await isSound(page)
        assert.strictEqual(await statusOf(secret), 200)
        await shown.getByRole("button", { name: "Done" }).click()
        assert.notInclude(await page.content(), secret)
        const row = page.getByRole("listitem").filter({ hasText: "CRM" })
        await row.getByText("lists:read; ends").waitFor()

        await choose(page, "Replace the key", "More actions for CRM")
        await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click()
        const next = await page.getByRole("region", { name: "New key" }).locator("code").innerText()
        assert.notStrictEqual(next, secret)
        assert.deepStrictEqual([await statusOf(secret), await statusOf(next)], [200, 200])

        await page.getByRole("button", { name: "Sign-in link for CRM" }).first().click()
        const link = await page.getByRole("region", { name: "Sign-in link" }).locator("code").innerText()
        assert.include(link, `${url}/#/sign-in/ovl_`)

        await page.getByRole("button", { name: "More actions for CRM" }).first().click()
        await page.getByRole("menuitem", { name: "Revoke the key" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
        await page.getByText("Revoked").first().waitFor()
        assert.strictEqual(await statusOf(next), 401)
        await waitUntilTrue(page, "document.querySelectorAll('dialog').length === 0")
      })
    })
  )
})
