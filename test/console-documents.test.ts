// test/console-documents.test.ts: the page shows what a thin profile leaves open, and offers to describe a segment.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import { Stand, violations } from "./support/browser.ts"
import { commandJson } from "./support/command.ts"
import { workspaceIn } from "./support/founded.ts"
import { wire } from "./support/wire.ts"

/** Setting up may install a browser. */
const minutes = 600_000

layer(Stand.layer, { timeout: minutes, excludeTestServices: true })("a workspace with a thin profile", (it) => {
  it.effect("shows the open questions of its market, and one segment beside the offer to describe another", () =>
    Effect.gen(function* () {
      const { data, url, visit } = yield* Stand
      const file = `${data}/thin.json`
      const profile = { company_name: "Vellum & Thread", business_description: "We bind annual reports by hand." }
      yield* Effect.promise(() => writeFile(file, JSON.stringify(profile)))
      const { key, workspace } = yield* workspaceIn(data, "Thin", "--profile", file)
      yield* visit({ key, at: "#/workspace" }, async (page) => {
        await page.getByRole("button", { name: "Read Market research" }).click()
        const market = page.getByRole("article", { name: "Market research" })
        await market.getByRole("heading", { name: "Questions that would change the emails" }).waitFor()
        await market.getByText("There is no result of a client.").waitFor()
        assert.deepStrictEqual(await violations(page), [])
      })
      const own = commandJson(data, "workspace", "owner", workspace, "--email", "ann@vellum.example")
      yield* visit({ key, at: "#/workspace" }, async (page) => {
        const outdated = page.getByText(/^The profile has changed since these documents were made/)
        await page.getByRole("button", { name: "Read Market research" }).waitFor()
        assert.strictEqual(await outdated.count(), 0)
        await page.getByLabel("Goal of the emails").fill("Ten meetings")
        await page.getByRole("button", { name: "Save 1 field" }).click()
        await outdated.waitFor()
        assert.strictEqual(await page.getByText("Outdated", { exact: true }).count(), 2)
        assert.deepStrictEqual(await violations(page), [])

        // A regeneration that fails says why, and leaves the documents.
        await page.route("**/api/v1/jobs/*", async (route) => {
          const response = await route.fetch()
          const job = await response.json()
          await route.fulfill({
            response,
            json: { ...job, status: "failed", error: "The model gave no usable answer" }
          })
        })
        const alert = page.getByRole("alert").filter({ hasText: "The documents could not be made" })
        await page.getByRole("button", { name: "Regenerate" }).click()
        await alert.getByText(/^This workspace has no owner/).waitFor()
        await outdated.waitFor()
        await Effect.runPromise(own)
        await page.getByRole("button", { name: "Regenerate" }).click()
        await alert.getByText("The model gave no usable answer. The documents stay as they were.").waitFor()
        await page.unroute("**/api/v1/jobs/*")
        await outdated.waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Read Market research" }).waitFor()
      })
      const campaign = (yield* wire(url, key).send("POST", "/campaigns", { name: "Reports" })).body.id
      yield* visit({ key, at: `#/campaigns/${campaign}/build/audience` }, async (page) => {
        await page.getByText(/The profile names no kind of clients/).waitFor()
        await page.getByLabel("Another one").check()
        await page.getByLabel("Name of the segment").fill("Annual reports of listed companies")
        assert.deepStrictEqual(await violations(page), [])
        await page.getByRole("button", { name: "Save and continue" }).click()
        await page.getByRole("heading", { name: "Social proof" }).waitFor()
      })
      const other = (yield* wire(url, key).send("POST", "/campaigns", { name: "More reports" })).body.id
      yield* visit({ key, at: `#/campaigns/${other}/build/audience` }, async (page) => {
        await page.getByText("Annual reports of listed companies").waitFor()
        assert.strictEqual(await page.getByText(/The profile names no kind of clients/).count(), 0)
      })
    })
  )
})
