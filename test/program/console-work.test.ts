// test/program/console-work.test.ts: the console in daily work, on a desktop and on a telephone: profile, steps, campaign, overview.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { overflow, Stand, unfold, violations } from "../support/browser.ts"

/** Setting up may install a browser. */
const minutes = 600_000

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()

/** Visits the page at both widths; each visit ends with nothing for axe to find and nothing wider than the window. */
const onBoth = Effect.fnUntraced(function* (
  at: string,
  use: (page: Page, width: number) => Promise<void>,
  as?: string
) {
  const { key, visit } = yield* Stand
  for (const width of [1280, 390]) {
    yield* visit({ key: as ?? key, at, viewport: { width, height: 800 } }, async (page) => {
      await use(page, width)
      assert.deepStrictEqual(await violations(page), [], `${at} ${width}`)
      assert.isAtMost(await overflow(page), 0, `${at} ${width}`)
    })
  }
})

layer(Stand.layer, { timeout: minutes, excludeTestServices: true })("daily work in the console", (it) => {
  it.effect("shows the import first, then the profile in closed sections that say how much is filled in", () =>
    onBoth("#/workspace", async (page) => {
      await page.getByText("10 of 28 fields are filled in.").waitFor()
      const titles = await page.getByRole("heading", { level: 2 }).allInnerTexts()
      assert.deepStrictEqual(titles, [
        "Import from your site or a document",
        "Company profile",
        "Documents",
        "Signatures"
      ])
      const sections = page.locator("details.fold > summary")
      assert.deepStrictEqual(
        (await sections.allInnerTexts()).map((text) => text.split(/\s*\n\s*/)),
        [
          ["Company", "3 of 5 filled"],
          ["Sender", "0 of 4 filled"],
          ["Offer", "2 of 5 filled"],
          ["Proof", "3 of 4 filled"],
          ["Audience", "2 of 8 filled"],
          ["Goal", "0 of 2 filled"]
        ]
      )
      assert.isFalse(await page.getByLabel("Industry").isVisible())

      // A section opens by the keyboard, and a refused field opens the section that it is in.
      await sections.first().focus()
      await page.keyboard.press("Enter")
      await page.getByLabel("Industry").waitFor()
      await unfold(page, "Sender")
      await page.getByLabel("Email address").fill("nowhere")
      await sections.nth(1).click()
      await page.getByLabel("Email address").waitFor({ state: "hidden" })
      await press(page, "Save 1 field")
      await page.getByText(/^“Email address” must be/).waitFor()
      await page.reload()
      assert.strictEqual(await page.getByLabel("Email address").inputValue(), "nowhere")
      assert.isTrue(await page.getByLabel("Email address").isVisible(), "unsaved text is in sight after a reload")
      await press(page, "Discard changes")
    })
  )
})
