// test/program/console-documents.test.ts: the page shows what a thin profile leaves open, and which documents are outdated.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { BrowserTest, unfold, accessibilityViolations } from "../support/browser.ts"
import { commandJson } from "../support/command.ts"
import { workspaceIn } from "../support/program-workspace.ts"
import { apiClient } from "../support/api-client.ts"

/** Setting up may install a browser. */
const timeoutMillis = 600_000

const thin = Effect.gen(function* () {
  const { data, url, visit } = yield* BrowserTest
  const file = `${data}/thin.json`
  const profile = { company_name: "Vellum & Thread", business_description: "We bind annual reports by hand." }
  yield* Effect.promise(() => writeFile(file, JSON.stringify(profile)))
  return { ...(yield* workspaceIn(data, "Thin", "--profile", file)), url, visit }
})

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })(
  "a workspace with a thin profile",
  (it) => {
    it.effect("shows the open questions of its market, and one segment beside the offer to describe another", () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* thin
        yield* visit({ key, at: "#/workspace" }, async (page) => {
          await page.getByRole("button", { name: "Read Market research" }).click()
          const market = page.getByRole("article", { name: "Market research" })
          await market.getByRole("heading", { name: "Questions that would change the emails" }).waitFor()
          await market.getByText("Your profile has no result of a client.").waitFor()
          assert.deepStrictEqual(await accessibilityViolations(page), [])
        })
        const campaign = (yield* apiClient(url, key).send("POST", "/campaigns", { name: "Reports" })).body.id
        yield* visit({ key, at: `#/campaigns/${campaign}/build/audience` }, async (page) => {
          await page.getByText(/The profile names no kind of clients/).waitFor()
          await page.getByLabel("Add your own").check()
          await page.getByLabel("Name of the segment").fill("Annual reports of listed companies")
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await page.getByRole("button", { name: "Save and continue" }).click()
          await page.getByRole("heading", { name: "Social proof" }).waitFor()
        })
        const other = (yield* apiClient(url, key).send("POST", "/campaigns", { name: "More reports" })).body.id
        yield* visit({ key, at: `#/campaigns/${other}/build/audience` }, async (page) => {
          await page.getByText("Annual reports of listed companies").waitFor()
          assert.strictEqual(await page.getByText(/The profile names no kind of clients/).count(), 0)
        })
      })
    )

    it.effect("marks the documents once the profile has changed, and says why a regeneration failed", () =>
      Effect.gen(function* () {
        const { data, key, visit, workspace } = yield* thin
        const outdatedOn = (page: Page) => page.getByText(/^The profile has changed since these documents were made/)
        const alertOn = (page: Page) => page.getByRole("alert").filter({ hasText: "The documents could not be made" })
        yield* visit({ key, at: "#/workspace" }, async (page) => {
          const outdated = outdatedOn(page)
          await page.getByRole("button", { name: "Read Market research" }).waitFor()
          assert.strictEqual(await outdated.count(), 0)
          await unfold(page, "Goal")
          await page.getByLabel("Goal of the emails").fill("Ten meetings")
          await page.getByRole("button", { name: "Save 1 field" }).click()
          await outdated.waitFor()
          assert.strictEqual(await page.getByText("Outdated", { exact: true }).count(), 2)
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await page.getByRole("button", { name: "Regenerate" }).click()
          await alertOn(page)
            .getByText(/^This workspace has no owner/)
            .waitFor()
          await outdated.waitFor()
        })
        yield* commandJson(data, "workspace", "owner", workspace, "--email", "ann@vellum.example")
        yield* visit({ key, at: "#/workspace" }, async (page) => {
          const outdated = outdatedOn(page)
          await outdated.waitFor()
          // A regeneration that fails says why, and leaves the documents.
          await page.route("**/api/v1/jobs/*", async (route) => {
            const response = await route.fetch()
            const job = await response.json()
            await route.fulfill({
              response,
              json: { ...job, status: "failed", error: "The model gave no usable answer" }
            })
          })
          await page.getByRole("button", { name: "Regenerate" }).click()
          await alertOn(page).getByText("The model gave no usable answer. The documents stay as they were.").waitFor()
          await page.unroute("**/api/v1/jobs/*")
          await outdated.waitFor({ state: "detached" })
          await page.getByRole("button", { name: "Read Market research" }).waitFor()
        })
      })
    )
  }
)
