// test/console-documents.test.ts: the page shows what a thin profile leaves open, and offers to describe a segment.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import { Stand, violations } from "./support/browser.ts"
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
      const { key } = yield* workspaceIn(data, "Thin", "--profile", file)
      yield* visit({ key, at: "#/workspace" }, async (page) => {
        await page.getByRole("button", { name: "Read Market research" }).click()
        const market = page.getByRole("article", { name: "Market research" })
        await market.getByRole("heading", { name: "Questions that would change the emails" }).waitFor()
        await market.getByText("There is no result of a client.").waitFor()
        assert.deepStrictEqual(await violations(page), [])
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
