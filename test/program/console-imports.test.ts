// test/program/console-imports.test.ts: the page asks for what an import left empty, and a person picks the sentence.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { waitUntilTrue, choose, BrowserTest, unfold, accessibilityViolations } from "../support/browser.ts"
import { commandJson } from "../support/command.ts"
import { apiClient } from "../support/api-client.ts"

/** Setting up may install a browser. */
const browserTestTimeoutMillis = 600_000

layer(BrowserTest.layer, { timeout: browserTestTimeoutMillis, excludeTestServices: true })(
  "an import in the page",
  (it) => {
    it.effect("asks for the fields that it left empty, and saves the sentence that is picked and edited", () =>
      Effect.gen(function* () {
        const { data, url, visit } = yield* BrowserTest
        const { id } = yield* commandJson(data, "workspace", "create", "--name", "Empty")
        const { key } = yield* commandJson(data, "key", "create", "--workspace", id)
        const brochure = new URL("../fixtures/brochures/kestrel.md", import.meta.url).pathname
        yield* visit({ key, at: "#/workspace" }, async (page) => {
          await page.getByLabel(/document/i).setInputFiles(brochure)
          await page.getByRole("button", { name: "Read the document" }).click()
          await page.getByRole("heading", { name: "Still empty" }).waitFor()
          // The result is below a long form: it is shown, and has the focus.
          const outcome = page.getByText("The document was read, and empty fields were filled from it.")
          await waitUntilTrue(page, "document.activeElement.textContent.startsWith('The document was read')")
          const shown = await outcome.boundingBox()
          assert.isBelow(shown?.y ?? 800, 400)
          assert.isAtLeast(shown?.y ?? -1, 0)
          const filled = page.getByRole("region", { name: "Filled, and where it was read" })
          assert.match((await filled.textContent()) ?? "", /Name of the company[^]*Kestrel/)
          const sentence =
            "Kestrel Pumps (https://kestrel-pumps.example) builds and services industrial slurry pumps in Katowice, Poland."
          const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Save city and region" }) })
          const pick = form.getByRole("listitem").filter({ hasText: sentence })
          await pick.getByRole("button", { name: "Use this" }).click()
          const field = page.locator("section[aria-labelledby=missing]").getByLabel("City and region")
          assert.strictEqual(await field.inputValue(), sentence)
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await field.fill("Katowice, Poland")
          await page.getByRole("button", { name: "Save city and region" }).click()
          await pick.waitFor({ state: "detached" })
          await page.getByRole("status").getByText("City and region is saved.").waitFor()
          await waitUntilTrue(page, "document.activeElement.textContent === 'Still empty'")

          // The text that questions are answered from opens, and is deleted once more is asked.
          await page.getByRole("list", { name: "Imported so far" }).getByRole("link", { name: "kestrel.md" }).click()
          await page.getByRole("heading", { name: "kestrel.md", level: 1 }).waitFor()
          await page.locator("article").getByText(sentence).waitFor()
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await page.getByRole("link", { name: "Workspace" }).first().click()
          await choose(page, "Delete the text", "More actions for kestrel.md")
          await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
          await page.getByRole("heading", { name: "Imported so far" }).waitFor({ state: "detached" })
          await page.getByLabel(/document/i).setInputFiles(brochure)
          await page.getByRole("button", { name: "Read the document" }).click()
          await page.getByRole("heading", { name: "Still empty" }).waitFor()

          // A field without a sentence to offer is a link to it, also while something else is unsaved.
          await unfold(page, "Goal")
          await page.getByLabel("Goal of the emails").fill("Ten meetings")
          const asked: Array<string> = []
          page.on("dialog", (dialog) => {
            asked.push(dialog.message())
            void dialog.dismiss()
          })
          await page.locator("section[aria-labelledby=missing]").getByRole("link", { name: "Lead magnets" }).click()
          await waitUntilTrue(page, "document.activeElement.labels?.[0]?.textContent === 'Lead magnets'")
          assert.deepStrictEqual(asked, [])
          await page.getByRole("button", { name: "Discard changes" }).click()
          // So does the address that a cited field of the profile has, on this page and when it is opened with it.
          for (const open of [() => page.evaluate("location.hash = '#/workspace/pain_points'"), () => page.reload()]) {
            await open()
            await waitUntilTrue(page, "document.activeElement.labels?.[0]?.textContent === 'Pain points'")
            // The import offers sentences for the field under the same name.
            const { y = -1 } = (await page.locator("form.profile").getByLabel("Pain points").boundingBox()) ?? {}
            assert.isTrue(y > 0 && y < 720, "the field is in view")
          }

          // Of a list field, what is picked goes below what was picked before.
          const gifts = [
            "The wear guide for slurry pumps is free to everybody who asks.",
            "A free check of one pump takes an hour on site."
          ]
          const buffer = Buffer.from(`# Notes\n\n${gifts.join("\n\n")}\n`)
          await page.getByLabel(/document/i).setInputFiles({ name: "n.md", mimeType: "text/markdown", buffer })
          await page.getByRole("button", { name: "Read the document" }).click()
          const missing = page.locator("section[aria-labelledby=missing]")
          const magnets = missing.locator("form").filter({ has: page.getByLabel("Lead magnets") })
          for (const [at, gift] of gifts.entries())
            await magnets
              .getByRole("listitem")
              .filter({ hasText: gift })
              .getByRole("button", { name: at === 0 ? "Use this" : "Add this" })
              .click()
          assert.strictEqual(await missing.getByLabel("Lead magnets").inputValue(), gifts.join("\n"))

          // A sentence in another language is shown beside the field, to be written in English.
          const problem = "Der Gurt reißt freitags um vier und der Lieferant hebt nicht mehr ab"
          const german = Buffer.from(`# Gurtservice\n\n## Typische Ausgangslage\n\n- ${problem}\n`)
          await page.getByLabel(/document/i).setInputFiles({ name: "g.md", mimeType: "text/markdown", buffer: german })
          await page.getByRole("button", { name: "Read the document" }).click()
          const shownProblem = missing.getByRole("listitem").filter({ hasText: problem }).first()
          await shownProblem.getByText("Write above in English what this says.").waitFor()
          assert.strictEqual(await shownProblem.getByRole("button").count(), 0)
          await page.getByText("The text is not in English.").first().waitFor()
        })
        const { details } = (yield* apiClient(url, key).send("GET", "/workspace")).body
        assert.strictEqual(details.city_region, "Katowice, Poland")
        assert.isNull(details.business_address)
      })
    )

    it.effect("puts commas between the entries that are typed or picked for a field with commas", () =>
      Effect.gen(function* () {
        const { data, url, visit } = yield* BrowserTest
        const { id } = yield* commandJson(data, "workspace", "create", "--name", "Commas")
        const { key } = yield* commandJson(data, "key", "create", "--workspace", id)
        const api = apiClient(url, key)
        yield* api.send("PUT", "/workspace/details", { target_job_titles: "Head Chef" })
        yield* visit({ key, at: "#/workspace" }, async (page) => {
          const buffer = Buffer.from("Job titles: Facilities Manager\n\nGuarantee: A floor that moves is relaid.\n")
          await page.getByLabel(/document/i).setInputFiles({ name: "n.md", mimeType: "text/markdown", buffer })
          await page.getByRole("button", { name: "Read the document" }).click()
          const conflicts = page.getByRole("region", { name: "The text says something else" })
          const titles = conflicts.getByLabel("Job titles to reach")
          await conflicts.getByText("With commas between them.").waitFor()
          await conflicts.getByRole("button", { name: "Add this" }).click()
          assert.strictEqual(await titles.inputValue(), "Head Chef, Facilities Manager")
          await titles.fill("Head Chef\nFacilities Manager,\n\nOperations Manager, Owner")
          await conflicts.getByRole("button", { name: "Save job titles to reach" }).click()
          await conflicts.getByText("Job titles to reach is saved.").waitFor()
        })
        const { details } = (yield* api.send("GET", "/workspace")).body
        assert.strictEqual(details.target_job_titles, "Head Chef, Facilities Manager, Operations Manager, Owner")
      })
    )

    it.effect("says that a full profile has nothing to fill, and offers what the text says instead", () =>
      Effect.gen(function* () {
        const { data, url, visit } = yield* BrowserTest
        const { id } = yield* commandJson(data, "workspace", "create", "--name", "Full")
        const { key } = yield* commandJson(data, "key", "create", "--workspace", id)
        const api = apiClient(url, key)
        const { details: empty } = (yield* api.send("GET", "/workspace")).body
        const lists = ["case_studies", "credibility_markers", "guarantee", "lead_magnets"]
        const full = Object.fromEntries(
          Object.keys(empty).map((field) => [field, lists.includes(field) ? [`Our ${field}.`] : `Our ${field}`])
        )
        yield* api.send("PUT", "/workspace/details", {
          ...full,
          core_products: [{ product: "Pump", pricing: "" }],
          website_url: "https://harbour-coatings.example",
          contact_email: "ann@harbour-coatings.example",
          contact_phone: "+44 20 7946 0001"
        })
        yield* visit({ key, at: "#/workspace" }, async (page) => {
          await page.getByText("28 of 28 fields are filled in.").waitFor()
          const buffer = Buffer.from("Company: Oakline Floors\n\nGuarantee: A floor that moves is relaid.\n")
          await page.getByLabel(/document/i).setInputFiles({ name: "n.md", mimeType: "text/markdown", buffer })
          await page.getByRole("button", { name: "Read the document" }).click()
          await page.getByText("The document was read. Nothing to fill: all fields have a value.").waitFor()
          const conflicts = page.getByRole("region", { name: "The text says something else" })
          await conflicts.getByRole("button", { name: "Use for another company" }).waitFor()
          const name = conflicts.getByLabel("Name of the company")
          assert.strictEqual(await name.inputValue(), "Our company_name")
          await conflicts.getByRole("button", { name: "Use this" }).click()
          assert.strictEqual(await name.inputValue(), "Oakline Floors")
          await conflicts.getByRole("button", { name: "Add this" }).click()
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await conflicts.getByRole("button", { name: "Save name of the company" }).click()
          await conflicts.getByText("Name of the company is saved.").waitFor()
          await conflicts.getByRole("button", { name: "Save guarantee" }).click()
          await conflicts
            .getByText("Guarantees is saved.")
            .or(conflicts.getByText(/Guarantee.* is saved/))
            .waitFor()
        })
        const { details } = (yield* api.send("GET", "/workspace")).body
        assert.strictEqual(details.company_name, "Oakline Floors")
        assert.deepStrictEqual(details.guarantee, ["Our guarantee.", "A floor that moves is relaid."])
      })
    )
  }
)
