// test/program/console.test.ts: the console in a real browser, as a salesperson, a screen reader and a suspicious operator meet it.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import {
  waitUntilTrue,
  horizontalOverflow,
  pressKey,
  BrowserTest,
  unfold,
  accessibilityViolations,
  choose
} from "../support/browser.ts"
import { commandJson } from "../support/command.ts"
import { options } from "../support/program-workspace.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"

/** Setting up may install a browser. */
const browserTestTimeoutMillis = 600_000

const leadFile = (count: number) =>
  [
    "Plant;Person;Role;Mailbox",
    ...Array.from({ length: count }, (_, i) => `Quarry ${i} Ltd;Ann Ortiz;Plant Director;ann${i}@quarry${i}.example`),
    "No Mail Ltd;Bo Lee;COO;nowhere"
  ].join("\n")

const waitForHeading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
const clickButton = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()
const clickLink = (page: Page, name: string | RegExp) => page.getByRole("link", { name }).first().click()

/** What a list's page says once all is written. */
const done = (page: Page) =>
  page
    .getByText(/^Done$/)
    .first()
    .waitFor({ timeout: 60_000 })

/** Opens the form for a new campaign, unless it is open because there is no campaign yet. */
const openNewCampaign = (page: Page) =>
  page.getByRole("button", { name: "New campaign" }).or(page.getByLabel("Name of the new campaign")).first().click()

/** The last step: value propositions are made, the first is chosen, and the campaign is built. */
const buildFromPropositions = async (page: Page) => {
  await waitForHeading(page, "Value propositions")
  await clickButton(page, "Make value propositions to choose from")
  await page.getByRole("checkbox").first().check()
  await clickButton(page, "Save and build the campaign")
  await waitForHeading(page, "Templates")
}

layer(BrowserTest.layer, { timeout: browserTestTimeoutMillis, excludeTestServices: true })("the console", (it) => {
  it.effect(
    "leads from a key to read emails, through every step",
    () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        yield* visit({ acceptDownloads: true }, async (page) => {
          await waitForHeading(page, "Sign in to Overture")
          await page.getByText("The page does not keep it.").waitFor()
          await page.getByLabel("API key").fill(key)
          await clickButton(page, "Sign in")
          await waitForHeading(page, "Kestrel Pumps")
          assert.notInclude(page.url(), key)
          await page.getByText("5,000", { exact: true }).waitFor()
          assert.strictEqual(await page.locator("figure.plot").count(), 0, "nothing was spent that a plot could show")

          await clickLink(page, "Workspace")
          await waitForHeading(page, "Workspace")
          await unfold(page, "Goal")
          await page.getByLabel("Goal of the emails").fill("Ten first meetings a month")
          const { promise: mayLoad, resolve: letLoad } = Promise.withResolvers<void>()
          await page.route(/\/api\/v1\/workspace$/, async (route) => {
            await mayLoad
            await route.continue()
          })
          await clickButton(page, "Save 1 field")
          await page.getByRole("status").getByText("1 field saved.").waitFor()
          // The field keeps the saved text until the profile is loaded again.
          assert.strictEqual(await page.getByLabel("Goal of the emails").inputValue(), "Ten first meetings a month")
          letLoad()
          await page.getByLabel("Goal of the emails").fill("")
          await clickButton(page, "Save 1 field")
          await page.getByRole("status").getByText("1 field saved. 1 field now empty.").waitFor()
          await page.getByLabel("Goal of the emails").fill("Ten first meetings a month")
          await clickButton(page, "Save 1 field")
          await page.getByRole("status").getByText("1 field saved.", { exact: true }).waitFor()
          const idle = page.getByRole("button", { name: "Nothing to save" })
          const colours = () =>
            idle.evaluate((button) => [getComputedStyle(button).color, getComputedStyle(button).background])
          await page.mouse.move(0, 0)
          const plain = await colours()
          await idle.hover()
          assert.deepStrictEqual(await colours(), plain, "as readable under the pointer")
          await page.getByLabel("A new signature").fill("Piotr\nKestrel Pumps")
          await clickButton(page, "Save the signature")
          await page.getByRole("button", { name: "Edit Piotr" }).waitFor()

          await clickLink(page, "Campaigns")
          await page.getByLabel("Name of the new campaign").fill("Quarries, spring")
          await clickButton(page, "Start the campaign")
          await waitForHeading(page, "Audience")
          await clickButton(page, "Save and continue")
          await page.getByText("Choose one of the segments, or describe your own.").waitFor()
          await page.getByLabel("Add your own").check()
          assert.strictEqual(await page.getByText("Choose one of the segments").count(), 0)
          await clickButton(page, "Save and continue")
          await page.getByText("“Name of the segment” is required of a custom segment.").waitFor()
          await page.getByLabel("Name of the segment").fill("Quarries in Poland")
          await page.getByLabel("Who decides there").fill("Plant Director, Maintenance Manager")
          await clickButton(page, "Save and continue")

          await waitForHeading(page, "Social proof")
          await page.getByRole("checkbox").first().check()
          await clickButton(page, /^Edit /)
          await page.getByLabel("Name", { exact: true }).fill("From 19 stops to 4")
          await clickButton(page, "Save and continue")
          await waitForHeading(page, "Lead magnet")
          await page.getByRole("checkbox").first().check()
          await clickButton(page, "Save and continue")
          await waitForHeading(page, "Risk reversal")
          await clickButton(page, "Skip this step")
          await buildFromPropositions(page)
          await page.getByText("Read the templates, correct them").waitFor()
          for (const [step, use] of [
            ["Email 1", "In every sequence."],
            ["Email 3", "Only in sequences of 4 emails."],
            ["Closing email", "Only in sequences of 2, 3 or 4 emails."]
          ] as const) {
            await page.getByRole("article", { name: step, exact: true }).getByText(use).waitFor()
          }
          await clickLink(page, "Quarries, spring")
          await waitForHeading(page, "Quarries, spring")
          await page.getByText("Ready to write").waitFor()
          await page.getByText("From 19 stops to 4").waitFor()
          await page.getByText("None chosen.").waitFor()
          await clickButton(page, "Read Email instructions")
          await page.getByRole("article", { name: "Email instructions" }).waitFor()

          await page.getByRole("link", { name: "Preview", exact: true }).click()
          await page.getByText("You have 5,000.").waitFor()
          await clickButton(page, "Preview for 5 credits")
          await page.getByRole("heading", { name: "Sample leads" }).waitFor()
          await page.getByText("5 credits charged").waitFor()
          assert.strictEqual(await page.locator(".email").count(), 3)
          assert.include(await page.locator(".email").first().innerText(), "Piotr\nKestrel Pumps")

          await clickLink(page, "Write to your leads")
          await waitForHeading(page, "Write to leads")
          await page
            .locator("input[type=file]")
            .setInputFiles({ name: "fair.csv", mimeType: "text/csv", buffer: Buffer.from(leadFile(300)) })
          await page.getByText("1 row left out, and why").click()
          await page.getByText(/^Line 302 .*not a valid email address/).waitFor()
          assert.strictEqual(await page.getByLabel("Email address").inputValue(), "Mailbox")
          assert.strictEqual(await page.getByLabel("Company", { exact: true }).inputValue(), "")
          await page.getByLabel("Company", { exact: true }).selectOption("Plant")
          await page.getByLabel("Job title", { exact: true }).selectOption("Role")
          await page.getByRole("cell", { name: "Quarry 0 Ltd" }).waitFor()
          await page.getByText("300 credits").waitFor()
          await page.getByText("You have 4,995.").waitFor()
          await page.getByLabel("Mail when it is done").fill("nobody")
          await clickButton(page, "Start writing to 300 leads")
          await page.getByText("“Mail when it is done” must be a valid email address.").waitFor()
          await page.getByLabel("Mail when it is done").fill("")
          await page.getByLabel("Two").check()
          await clickButton(page, "Start writing to 300 leads")
          await waitForHeading(page, /^Quarries, spring, \d+ \w+ \d{4}, fair$/)
          await page.getByRole("progressbar", { name: "Leads written" }).waitFor()
          await done(page)
          await page.getByText(/600 emails to 300 leads/).waitFor()

          await clickLink(page, "Ann Ortiz")
          await page.getByRole("heading", { name: "Email 2 of 2" }).waitFor()
          await page.getByRole("heading", { name: "Sources" }).first().waitFor()
          await page.getByRole("heading", { name: "Findings" }).first().waitFor()
          const email = await page.locator(".body").first().innerText()
          assert.include(email, "Piotr\nKestrel Pumps")
          await clickLink(page, "Next lead")
          await page.getByText("2 of 300").waitFor()
          await clickLink(page, "All leads of the list")

          await clickButton(page, "Export")
          const downloading = page.waitForEvent("download")
          await clickButton(page, "Download CSV")
          const download = await downloading
          await clickButton(page, "Close")
          assert.match(download.suggestedFilename(), /^Quarries-spring-\d+-\w+-\d{4}-fair\.csv$/)
          const csv = readFileSync(await download.path(), "utf8")
          assert.lengthOf(csv.match(/^ann\d+@quarry/gm) ?? [], 300)
          assert.include(csv, ",Plant Director,Quarry 7 Ltd,")

          await clickLink(page, "Questions")
          await page.getByText("No questions yet").waitFor()
          await clickLink(page, "Ask a question")
          await page.getByLabel("Your question").fill("What do we guarantee?")
          await page.getByRole("button", { name: "Ask", exact: true }).click()
          await page.getByRole("list", { name: "Passages" }).waitFor()
          assert.include(await page.getByRole("log").innerText(), "What do we guarantee?")
          await clickLink(page, "Questions")
          await clickLink(page, "What do we guarantee?")
          await page.getByLabel("Another question").waitFor()
          assert.include(await page.getByRole("log").innerText(), "What do we guarantee?")

          await clickLink(page, "Overview")
          await page.locator(".figures > div").filter({ hasText: "Spent in this period" }).getByText(/^305 /).waitFor()
        })
        const { body } = yield* apiClient(url, key).send("GET", "/credits")
        assert.strictEqual(body.usage.credits_used_this_period, 305)
      }),
    browserTestTimeoutMillis
  )

  describe("every page", () => {
    it.effect(
      "has nothing for axe to find, in light and dark, and fits a telephone",
      () =>
        Effect.gen(function* () {
          const { key, url, visit } = yield* BrowserTest
          const api = apiClient(url, key)
          const campaign = yield* buildCampaign(api)
          const draft = (yield* api.send("POST", "/campaigns", { name: "Unfinished" })).body.id
          const leads = [
            { email: "ida@north.example", name: "Ida Moreau", company: "North Quarry", title: "Plant Director" },
            { email: "bo@south.example" }
          ]
          const list = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, { leads, options })).body
            .list_id
          yield* until(api.send("GET", `/lists/${list}`), ({ body }) => body.processing_status === "completed")
          const asked = { campaign_id: campaign, message: "What do we guarantee?" }
          const sample = { headers: ["Email"] }
          const preview = (yield* api.send("POST", `/campaigns/${campaign}/preview`, { sample, options })).body
            .preview_id
          const talk = (yield* api.send("POST", "/agent/chat", asked)).body.conversation_id
          const [document] = (yield* api.send("GET", `/campaigns/${campaign}/documents`)).body.documents
          const source = /\/files\/([^?]+)\?/.exec(document.download_url)?.[1] ?? assert.fail("It has no link")
          const pages = [
            "",
            "campaigns",
            `campaigns/${campaign}`,
            `campaigns/${campaign}/build/audience`,
            `campaigns/${campaign}/build/social_proof`,
            `campaigns/${campaign}/build/lead_magnet`,
            `campaigns/${campaign}/build/risk_reversal`,
            `campaigns/${draft}/build/value_proposition`,
            `campaigns/${draft}/build/emails`,
            `campaigns/${campaign}/preview`,
            `campaigns/${campaign}/preview/${preview}`,
            `campaigns/${campaign}/write`,
            "lists",
            `lists/${list}`,
            `lists/${list}/1`,
            "lists/01890000-0000-7000-8000-000000000000",
            "conversations",
            "conversations/new",
            `conversations/${talk}`,
            "workspace",
            "suppressions",
            "keys",
            "webhooks",
            "start",
            `sources/${campaign}/${source}`,
            "nowhere"
          ]
          for (const [colorScheme, width] of [
            ["light", 1280],
            ["dark", 1280],
            ["light", 390],
            ["dark", 360]
          ] as const) {
            const look = { colorScheme, viewport: { width, height: 800 } }
            const check = async (page: Page, about: string) => {
              await waitUntilTrue(
                page,
                "document.querySelector('h1') !== null && document.querySelector('.waiting') === null"
              )
              for (const summary of await page.locator("summary").all()) {
                if (!(await summary.evaluate(({ parentElement }) => parentElement?.hasAttribute("open")))) {
                  await summary.click()
                }
              }
              assert.deepStrictEqual(await accessibilityViolations(page), [], `${about} ${colorScheme} ${width}`)
              assert.isAtMost(await horizontalOverflow(page), 0, `${about} ${width}`)
              assert.match(await page.title(), /\S · Overture$/, about)
              if (width > 360) return
              await page.setViewportSize({ width: 320, height: 800 })
              assert.isAtMost(await horizontalOverflow(page), 0, `${about} 320`)
              await page.setViewportSize(look.viewport)
            }
            yield* visit(look, (page) => check(page, "signing in"))
            yield* visit({ key, ...look }, async (page) => {
              for (const path of pages) {
                await page.goto(`${url}/#/${path}`)
                await page.reload()
                if (path.endsWith("/write")) {
                  await page.locator("summary").click()
                  await page.getByLabel("Rows, the first").fill("Firm,Mail\nNorth,ida@north.example\nSouth,?\n")
                  await clickButton(page, "Read the rows")
                  await page.getByText("You have").waitFor()
                }
                await check(page, `#/${path}`)
                // Leads that are not written to would be asked about before the next page.
                if (path.endsWith("/write")) await clickButton(page, "Choose a different file")
              }
            })
          }
        }),
      browserTestTimeoutMillis
    )

    it.effect("is shown when the address changes before the page was first painted", () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        yield* visit({ key }, async (page) => {
          await page.addInitScript("addEventListener('DOMContentLoaded', () => { location.hash = '#/workspace' })")
          await page.goto(`${url}/?again`)
          await waitForHeading(page, "Workspace")
        })
      })
    )

    it.effect("takes the focus to its heading, and says where one is", () =>
      Effect.gen(function* () {
        const { key, visit } = yield* BrowserTest
        yield* visit({ key }, async (page) => {
          for (const [link, title] of [
            ["Campaigns", "Campaigns"],
            ["Lists", "Lists"],
            ["Questions", "Questions"],
            ["Workspace", "Workspace"]
          ] as const) {
            await clickLink(page, link)
            await waitForHeading(page, title)
            await waitUntilTrue(page, "document.activeElement.tagName === 'H1'")
            assert.strictEqual(await page.title(), `${title} · Overture`)
            assert.strictEqual(await page.locator("nav [aria-current=page]").innerText(), link)
          }
          await page.goBack()
          await waitForHeading(page, "Questions")
        })
      })
    )
  })

  it.effect(
    "can be used with a keyboard alone",
    () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        const api = apiClient(url, key)
        const campaign = yield* buildCampaign(api)
        const leads = ["ida", "bo"].map((name) => ({ email: `${name}@keys.example`, name, company: "Keys Ltd" }))
        const sent = { leads, options: { ...options, list_name: "Keys" } }
        const list = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body.list_id
        yield* until(api.send("GET", `/lists/${list}`), ({ body }) => body.processing_status === "completed")
        yield* visit({}, async (page) => {
          /** Asked at once: data that arrives meanwhile may put another element in place of the focused one. */
          const focused = () =>
            page.evaluate(
              "(() => { const { activeElement } = document; const { outlineStyle, outlineWidth } = getComputedStyle(activeElement); return [activeElement.textContent.trim() || activeElement.tagName, outlineStyle + ' ' + outlineWidth] })()"
            ) as Promise<readonly [name: string, ring: string]>
          /** Tabs to the element with this text, and checks that its focus is visible. */
          const tabTo = async (name: string) => {
            for (let i = 0; i < 60; i++) {
              await page.keyboard.press("Tab")
              const [found, ring] = await focused()
              if (found !== name) continue
              assert.strictEqual(ring, "solid 3px", name)
              return
            }
            assert.fail(`Tab never came to ${name}`)
          }
          await waitForHeading(page, "Sign in to Overture")
          // The field comes, and has the focus, once the server has said how it can be signed in to.
          await page.waitForFunction("document.activeElement.tagName === 'INPUT'")
          await page.keyboard.type(key)
          await page.keyboard.press("Enter")
          await waitForHeading(page, "Kestrel Pumps")
          await page.keyboard.press("Shift+Tab")
          await tabTo("Lists")
          await page.keyboard.press("Enter")
          await waitForHeading(page, "Lists")
          await tabTo("Keys")
          await page.keyboard.press("Enter")
          await waitForHeading(page, "Keys")
          await tabTo("Export")
          await page.keyboard.press("Enter")
          await tabTo("Download CSV")
          // It can be pressed once the leads are counted.
          await waitUntilTrue(page, "document.activeElement.getAttribute('aria-disabled') === 'false'")
          const downloading = page.waitForEvent("download")
          await page.keyboard.press("Enter")
          assert.strictEqual((await downloading).suggestedFilename(), "Keys.csv")
          await page.keyboard.press("Escape")
          await tabTo("ida")
          await page.keyboard.press("Enter")
          await waitForHeading(page, "ida")
          await pressKey(page, "j")
          await waitForHeading(page, "bo")
          await pressKey(page, "k")
          await waitForHeading(page, "ida")
          await tabTo("All leads of the list")
          await page.keyboard.press("Enter")
          await waitForHeading(page, "Keys")
          const on = (name: string) =>
            waitUntilTrue(page, `document.activeElement.textContent.trim() === ${JSON.stringify(name)}`)
          await tabTo("More actions")
          await page.keyboard.press("Enter")
          await on("Rename")
          await page.keyboard.press("ArrowUp")
          await on("Delete the list")
          await page.keyboard.press("Escape")
          await on("More actions")
          await page.keyboard.press("Enter")
          await on("Rename")
          await page.keyboard.press("ArrowDown")
          await page.keyboard.press("Enter")
          await on("Cancel")
          await page.keyboard.press("Escape")
          await on("More actions")
          await page.keyboard.press("Enter")
          await on("Rename")
          await page.keyboard.press("End")
          await page.keyboard.press("Enter")
          await on("Cancel")
          await page.keyboard.press("Shift+Tab")
          await on("Delete")
          await page.keyboard.press("Enter")
          await waitForHeading(page, "Lists")
          assert.strictEqual(await page.getByRole("link", { name: "Keys", exact: true }).count(), 0)
        })
      }),
    browserTestTimeoutMillis
  )

  it.effect("shows value propositions however fast they were made, and whatever it asked meanwhile", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const { send } = apiClient(url, key)
      for (const moment of [
        "before generate was answered",
        "between two questions",
        "after it was told that they are not"
      ]) {
        const campaign = (yield* send("POST", "/campaigns", { name: moment })).body.id
        const target_audience = { segment_name: "Quarries" }
        const audience = { target_audience, is_custom_target_audience: true }
        yield* send("POST", `/campaigns/${campaign}/target-audience`, audience)
        for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) {
          yield* send("PUT", `/campaigns/${campaign}/assets/${type}/selection`, { selected_ids: [] })
        }
        yield* visit({ key, at: `#/campaigns/${campaign}/build/value_proposition` }, async (page) => {
          const made = async () => {
            const path = `${url}/api/v1/campaigns/${campaign}/assets/value_proposition/options`
            for (;;) {
              const options = await page.request.get(path, { headers: { "x-api-key": key } })
              if ((await options.json()).ready) return
            }
          }
          let generated = false
          let told = false
          await page.route("**/value_proposition/generate", async (route) => {
            const response = await route.fetch()
            generated = true
            if (moment === "before generate was answered") await made()
            await route.fulfill({ response })
          })
          if (moment === "between two questions") {
            // They are done only when it is asked how far they are; options that were asked for earlier are not there.
            await page.route("**/build-status", async (route) => {
              if (generated) await made()
              told = generated
              await route.continue()
            })
            await page.route("**/value_proposition/options", (route) =>
              generated && !told
                ? route.fulfill({ json: { asset_type: "value_proposition", ready: false, options: [] } })
                : route.continue()
            )
          }
          if (moment === "after it was told that they are not") {
            await page.route("**/build-status", async (route) => {
              if (!generated || told) return route.continue()
              told = true
              await made()
              const response = await route.fetch()
              const { stages, ...rest } = await response.json()
              return route.fulfill({
                response,
                json: { ...rest, stages: { ...stages, value_proposition: "processing" } }
              })
            })
          }
          await clickButton(page, "Make value propositions to choose from")
          await page.getByRole("checkbox").first().waitFor()
        })
      }
    })
  )

  it.effect("shows what is written as lists, tables and emphasis, and never as HTML", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const campaign = yield* buildCampaign(apiClient(url, key))
      const content = [
        "# What we promise",
        "It is this:",
        "- no charge",
        "- <img src=x onerror=alert(1)> and **twelve** months",
        "",
        "| What | When |",
        "| --- | --- |",
        "| Pump | [now](javascript:alert(1)) |"
      ].join("\n")
      yield* visit({ key, at: `#/conversations/new/${campaign}` }, async (page) => {
        await page.route("**/agent/chat", async (route) => {
          const response = await route.fetch()
          const answer = await response.json()
          await route.fulfill({ response, json: { ...answer, citations: [], message: { ...answer.message, content } } })
        })
        await page.getByLabel("Your question").fill("What do we promise?")
        await page.getByRole("button", { name: "Ask", exact: true }).click()
        const log = page.getByRole("log")
        await log.getByRole("heading", { name: "What we promise" }).waitFor()
        assert.deepStrictEqual(await log.locator(".markdown > p").allInnerTexts(), ["It is this:"])
        assert.deepStrictEqual(await log.locator(".markdown li").allInnerTexts(), [
          "no charge",
          "<img src=x onerror=alert(1)> and twelve months"
        ])
        assert.deepStrictEqual(await log.locator("strong").allInnerTexts(), ["twelve"])
        assert.deepStrictEqual(await log.locator("td").allInnerTexts(), ["Pump", "[now](javascript:alert(1))"])
        assert.strictEqual(await log.locator("img, a, script").count(), 0)
      })
    })
  )

  it.effect("asks an example at a click or a question with Enter, and opens the passage that is cited", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const campaign = yield* buildCampaign(apiClient(url, key))
      yield* visit({ key, at: `#/conversations/new/${campaign}` }, async (page) => {
        await page.getByRole("button", { name: "Summarise this campaign" }).click()
        await page.getByText("Search result").waitFor()
        await waitForHeading(page, "Summarise this campaign")
        const field = page.getByLabel("Another question")
        await field.fill("Which offers")
        await field.press("Shift+Enter")
        assert.include(await field.inputValue(), "\n")
        await field.fill("On which days are emails sent?")
        await field.press("Enter")
        await page.getByRole("list", { name: "Passages" }).waitFor()
        await page.reload()
        await waitForHeading(page, "Summarise this campaign")
        const link = page.getByRole("link", { name: /^Open the source Email instructions/ }).first()
        const name = await link.innerText()
        await link.click()
        await page.locator(".cited-passage").first().waitFor()
        assert.include(name, await page.locator("h4.cited-passage").innerText())
      })
    })
  )

  it.effect("shows an answer whole above an empty question box, and leads back from the document that it cites", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const campaign = yield* buildCampaign(apiClient(url, key))
      const at = `#/conversations/new/${campaign}/${encodeURIComponent("Summarise this campaign")}`
      for (const width of [1280, 390]) {
        yield* visit({ key, at, viewport: { width, height: 900 } }, async (page) => {
          const field = page.getByRole("textbox")
          assert.strictEqual(await field.inputValue(), "Summarise this campaign")
          await page.getByRole("button", { name: "Ask", exact: true }).click()
          await page.getByText("Search result").waitFor()
          await waitUntilTrue(page, "document.activeElement.value === ''")
          const last = page.locator(".message.user").last()
          const isAtTop = async () => {
            const { y = -1 } = (await last.boundingBox()) ?? {}
            assert.isAtLeast(y, 0, "it is read from its question on")
            assert.isBelow(y, 450)
          }
          await isAtTop()
          await field.fill("On which days are emails sent?")
          await field.press("Enter")
          await last.getByText("On which days are emails sent?").waitFor()
          await waitUntilTrue(page, "document.activeElement.value === ''")
          await isAtTop()
          await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
          const answer = await page.locator(".message").last().boundingBox()
          const box = await page.locator("form").boundingBox()
          assert.isAtMost((answer?.y ?? 0) + (answer?.height ?? 0), box?.y ?? 0, "the box covers none of it")

          const link = page.getByRole("link", { name: /^Open the source Email instructions/ }).first()
          await link.click()
          await waitForHeading(page, "Email instructions")
          await clickLink(page, "Conversation")
          await waitForHeading(page, "Summarise this campaign")
          await page.goBack()
          await waitForHeading(page, "Email instructions")
        })
      }
    })
  )

  it.effect("says that a step can be skipped, and which remarks only a model follows", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const api = apiClient(url, key)
      const campaign = yield* buildCampaign(api)
      yield* visit({ key, at: `#/campaigns/${campaign}/build/social_proof` }, async (page) => {
        await page.getByText("Choose one or several, or skip this step: the emails then do without.").waitFor()
        await page
          .getByText(/^Optional\. Needs a model: the built-in writer fills in the campaign’s templates/)
          .waitFor()
        await page.getByLabel("Anything else the writer should know").fill("We met them at the fair.")
        await clickButton(page, "Save and continue")
        await waitForHeading(page, "Lead magnet")
        await page.goto(`${url}/#/campaigns/${campaign}/build/value_proposition`)
        await waitForHeading(page, "Value propositions")
        await page.getByText("Choose at least one.").waitFor()
        await page.getByRole("checkbox").first().waitFor()
        for (const box of await page.getByRole("checkbox").all()) await box.uncheck()
        await clickButton(page, "Save and build the campaign")
        await page.getByText("Choose at least one of them.").waitFor()
        await page.getByRole("checkbox").first().check()
        assert.strictEqual(await page.getByText("Choose at least one of them.").count(), 0)
        await clickButton(page, "Save and build the campaign")
        await waitForHeading(page, "Templates")
        await page.getByRole("article", { name: "Closing email" }).waitFor()
        await page.goto(`${url}/#/campaigns/${campaign}/preview`)
        await page.getByText("More to say").click()
        await page.getByLabel("Anything else the writer should know").fill("Mention the fair.")
        await clickButton(page, "Preview for 5 credits")
        const notices = page.getByRole("status").filter({ hasText: "Before you use these emails" })
        await notices.waitFor()
        const said = await notices.innerText()
        assert.include(said, "“Anything else the writer should know” is not followed")
        assert.include(said, "The remarks on “Social proof” are not followed")
        assert.notMatch(said, /_|playbook/)
      })
    })
  )

  it.effect("takes no wrong key, and lets go of one that is revoked or signed out", () =>
    Effect.gen(function* () {
      const { data, key, visit, workspace } = yield* BrowserTest
      const services = yield* Effect.context<never>()
      const other = yield* commandJson(data, "key", "create", "--workspace", workspace)
      yield* visit({}, async (page) => {
        const field = page.getByLabel("API key")
        for (const wrong of ["", "ovk_nobody", `${key}x`, "schlüssel"]) {
          await field.fill(wrong)
          await clickButton(page, "Sign in")
          await page.getByText(/^“API key” /).waitFor()
          assert.strictEqual(await field.getAttribute("aria-invalid"), "true")
          assert.strictEqual(await page.evaluate("document.activeElement.tagName"), "INPUT")
        }
        assert.strictEqual(await page.evaluate("sessionStorage.length + localStorage.length"), 0)
        await field.fill(` ${other.key} `)
        await clickButton(page, "Sign in")
        await waitForHeading(page, "Kestrel Pumps")
        // The browser has a session in place of the key, which no script can read.
        assert.strictEqual(await page.evaluate("sessionStorage.length + localStorage.length"), 0)
        assert.strictEqual(await page.evaluate("document.cookie"), "")
        await clickButton(page, "Sign out")
        await waitForHeading(page, "Sign in to Overture")
        assert.strictEqual(await page.evaluate("sessionStorage.length + localStorage.length"), 0)
        assert.strictEqual(await page.evaluate("document.cookie"), "")
        await field.fill(other.key)
        await clickButton(page, "Sign in")
        await waitForHeading(page, "Kestrel Pumps")
      })
      yield* visit({ key: other.key }, async (page) => {
        await waitForHeading(page, "Kestrel Pumps")
        await Effect.runPromiseWith(services)(commandJson(data, "key", "revoke", other.id))
        // Within five seconds it is no longer taken.
        for (let i = 0; i < 20; i++) {
          await clickLink(page, i % 2 === 0 ? "Lists" : "Campaigns").catch(() => {})
          await page.waitForTimeout(500)
          if (await page.getByLabel("API key").isVisible()) break
        }
        await page.getByText(/^You were signed out: .* its key was revoked/).waitFor()
        assert.strictEqual(await page.evaluate("sessionStorage.length"), 0)
      })
    })
  )

  it.effect("says what a key may not do, field by field what is wrong, and what to do where the server is away", () =>
    Effect.gen(function* () {
      const { data, key, visit, workspace } = yield* BrowserTest
      const scopes = "workspace:read,lists:read,campaigns:read"
      const reader = yield* commandJson(data, "key", "create", "--workspace", workspace, "--scopes", scopes)
      yield* visit({ key: reader.key }, async (page) => {
        await page.getByText("You may only read here.").waitFor()
        await clickLink(page, "Questions")
        // Trying again gives no scope.
        await page.getByRole("alert").getByText("This key lacks the scope agent:read").waitFor()
        assert.strictEqual(await page.getByRole("button", { name: "Try again" }).count(), 0)
        await clickLink(page, "Overview")
        await waitForHeading(page, "Kestrel Pumps")
        await page.waitForTimeout(300)
        assert.strictEqual(await page.getByRole("alert").count(), 0)
      })
      yield* visit({ key, at: "#/campaigns" }, async (page) => {
        await openNewCampaign(page)
        await page.getByLabel("Name of the new campaign").fill("   ")
        await clickButton(page, "Start the campaign")
        await page.getByText(/^“Name of the new campaign” /).waitFor()
        await page.route("**/api/v1/**", (route) => route.fulfill({ status: 500, body: "{}" }))
        await clickLink(page, "Lists")
        await page.getByRole("alert").getByText("That did not work").waitFor()
        await page.unroute("**/api/v1/**")
        await clickButton(page, "Try again")
        await page.getByRole("alert").waitFor({ state: "detached" })
      })
    })
  )

  it.effect("reads what is pasted, and asks for the column of addresses where none is called so", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const campaign = yield* buildCampaign(apiClient(url, key))
      yield* visit({ key, at: `#/campaigns/${campaign}/write` }, async (page) => {
        const paste = async (rows: string) => {
          await page.getByText("Paste rows instead").click()
          await page.getByLabel("Rows, the first with the column names").fill(rows)
          await clickButton(page, "Read the rows")
        }
        await paste("Firm\tPlace\nNorth\tLeeds\n")
        await page
          .locator(".trouble")
          .getByText(/^No column holds email addresses/)
          .waitFor()
        await clickButton(page, "Choose a different file")
        await paste("Name\tMail\nIda\tida@north.example\nBo\tbo@south.example\n")
        await page.getByText("2 credits", { exact: true }).waitFor()
        await page.getByText("More to say").click()
        await page.getByLabel("Read the company’s site first").check()
        await page.getByText(/^2 leads of the file have no company/).waitFor()
        assert.strictEqual(
          await page.getByRole("button", { name: "Start writing" }).getAttribute("aria-disabled"),
          "true"
        )
      })
    })
  )

  it.effect("is served with a strict policy, compressed, and kept by browsers for as long as it is the same", () =>
    Effect.gen(function* () {
      const { url } = yield* BrowserTest
      yield* Effect.promise(async () => {
        const page = await fetch(`${url}/`)
        assert.strictEqual(page.status, 200)
        assert.strictEqual(
          page.headers.get("content-security-policy"),
          "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
            "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
        )
        assert.strictEqual(page.headers.get("cache-control"), "no-cache")
        assert.strictEqual(page.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
        assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
        const html = await page.text()
        assert.notMatch(html, /<script>|style=|https?:\/\/(?!www\.w3\.org)/)
        const again = await fetch(`${url}/`, { headers: { "if-none-match": page.headers.get("etag") ?? "" } })
        assert.deepStrictEqual([again.status, await again.text()], [304, ""])

        const assets = [...html.matchAll(/"(\/console\/[^"]+)"/g)].map(([, path = ""]) => path)
        assert.lengthOf(assets, 2)
        for (const path of assets) {
          const texts = new Set<string>()
          const lengths = []
          for (const encoding of ["br", "gzip", "identity"]) {
            const answer = await fetch(url + path, { headers: { "accept-encoding": encoding } })
            assert.strictEqual(answer.headers.get("content-encoding"), encoding === "identity" ? null : encoding)
            assert.strictEqual(answer.headers.get("cache-control"), "public, max-age=31536000, immutable")
            assert.strictEqual(answer.headers.get("vary"), "accept-encoding")
            lengths.push(Number(answer.headers.get("content-length")))
            texts.add(await answer.text())
          }
          assert.strictEqual(texts.size, 1, path)
          assert.deepStrictEqual(
            lengths,
            lengths.toSorted((a, b) => a - b)
          )
        }
        // What is refused by name is refused, whatever stands for all others.
        for (const [accepted, sent] of [
          ["br;q=0, *", "gzip"],
          ["*, br;q=0, gzip; q=0.0", null],
          ["*;q=0, gzip", "gzip"],
          ["*", "br"]
        ] as const) {
          const answer = await fetch(`${url}/`, { headers: { "accept-encoding": accepted } })
          assert.strictEqual(answer.headers.get("content-encoding"), sent, accepted)
        }
        assert.strictEqual((await fetch(`${url}/?from=mail`)).status, 200)
        for (const path of ["//", "/console/", "/console/manifest.json", "/console/../package.json", "/index.html"]) {
          assert.strictEqual((await fetch(url + path)).status, 404, path)
        }
      })
    })
  )

  it.effect(
    "goes the whole way on both widths: from an import through every step to rewritten, edited and approved emails for a sending tool",
    () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        yield* apiClient(url, key).send("POST", "/signatures", { signature_text: "Piotr\nKestrel Pumps" })
        for (const width of [1280, 390]) {
          yield* visit({ acceptDownloads: true, viewport: { width, height: 800 } }, async (page) => {
            const fits = async (what: string) => {
              assert.deepStrictEqual(await accessibilityViolations(page), [], `${what} at ${width}`)
              assert.isAtMost(await horizontalOverflow(page), 0, `${what} at ${width}`)
            }
            const field = page.getByLabel("API key")
            await field.fill(key)
            await clickButton(page, "Show the key")
            assert.deepStrictEqual(
              [await field.getAttribute("type"), await field.getAttribute("spellcheck")],
              ["text", "false"]
            )
            await fits("sign in")
            await clickButton(page, "Show the key")
            assert.strictEqual(await field.getAttribute("type"), "password")
            await clickButton(page, "Sign in")
            await waitForHeading(page, "Kestrel Pumps")
            await clickLink(page, "Workspace")
            const note = Buffer.from(`Telephone: +48 32 555 0${width}\n`)
            await page
              .getByLabel("Document", { exact: true })
              .setInputFiles({ name: `note${width}.txt`, mimeType: "text/plain", buffer: note })
            await clickButton(page, "Read the document")
            await page.getByText(/^The document was read/).waitFor()
            await fits("import")
            await clickLink(page, "Campaigns")
            await openNewCampaign(page)
            await page.getByText("Emails are written in English.").waitFor()
            await page.getByLabel("Name of the new campaign").fill(`Whole way ${width}`)
            await clickButton(page, "Start the campaign")
            await waitForHeading(page, "Audience")
            await page.getByLabel("Add your own").check()
            await page.getByLabel("Name of the segment").fill("Quarries in Poland")
            await page.getByLabel("Who decides there").fill("Plant Director")
            await fits("audience")
            await clickButton(page, "Save and continue")
            await waitForHeading(page, "Social proof")
            await page.getByRole("checkbox").first().check()
            await clickButton(page, "Save and continue")
            await waitForHeading(page, "Lead magnet")
            await clickButton(page, "Skip this step")
            await waitForHeading(page, "Risk reversal")
            await clickButton(page, "Skip this step")
            await buildFromPropositions(page)
            await fits("templates")

            await clickLink(page, `Whole way ${width}`)
            await page.getByText("Ready to write").waitFor()
            await page.getByRole("link", { name: "Preview", exact: true }).click()
            await clickButton(page, "Preview for 5 credits")
            await page.getByRole("heading", { name: "Sample leads" }).waitFor()
            await fits("preview")
            await clickLink(page, `Whole way ${width}`)
            await page.getByText("Ready to write").waitFor()
            await page
              .getByRole("link", { name: /^Write/ })
              .first()
              .click()
            await waitForHeading(page, "Write to leads")
            // People who were written to before are left out.
            const leads = leadFile(3).replaceAll("@quarry", `@quarry${width}`)
            await page
              .locator("input[type=file]")
              .setInputFiles({ name: `way${width}.csv`, mimeType: "text/csv", buffer: Buffer.from(leads) })
            await page.getByLabel("Two").check()
            await fits("leads")
            await clickButton(page, "Start writing to 3 leads")
            await waitForHeading(page, new RegExp(`^Whole way ${width}, .*, way${width}$`))
            await done(page)
            await clickLink(page, "Ann Ortiz")
            const email = page.locator('.email[data-step="1"]')
            await email.getByRole("button", { name: "Edit", exact: true }).click()
            await email.getByRole("textbox", { name: "Subject" }).fill("Slurry pumps at the quarry")
            await email.getByRole("button", { name: "Save", exact: true }).click()
            await email.getByText("Edited", { exact: true }).waitFor()
            await fits("lead")
            await page.getByRole("button", { name: "Approve", exact: true }).click()
            await page.getByText("Ann Ortiz: approved.").waitFor()

            // Of the other two, one gets another text and is approved, and one asks for no emails.
            await clickLink(page, /^Next/)
            await page.getByText("2 of 3").waitFor()
            await email.getByRole("button", { name: "Rewrite", exact: true }).click()
            const rewriting = page.getByRole("dialog")
            await rewriting.getByRole("button", { name: "Rewrite", exact: true }).click()
            await rewriting.locator(".diff ins").first().waitFor()
            await fits("rewrite")
            await rewriting.getByRole("button", { name: "Keep the new text" }).click()
            await page.getByRole("button", { name: "Approve", exact: true }).click()
            await page.getByText("Ann Ortiz: approved.").waitFor()
            await clickLink(page, /^Next/)
            await page.getByText("3 of 3").waitFor()
            await page.getByRole("button", { name: "Approve", exact: true }).click()
            await page.getByText("Ann Ortiz: approved.").waitFor()
            await choose(page, "Do not contact")
            const suppressing = page.getByRole("dialog", { name: "Do not contact" })
            await suppressing.getByRole("button", { name: "Add to Do not contact" }).click()
            await suppressing.getByText("1 entry added.").waitFor()
            await fits("suppression")
            await suppressing.getByRole("button", { name: "Close", exact: true }).click()

            await clickLink(page, "All leads of the list")
            await page.getByRole("button", { name: "Export", exact: true }).click()
            const dialog = page.getByRole("dialog", { name: "Export" })
            await dialog.getByLabel("Approved only (2)").check()
            await dialog.getByText("1 lead on “Do not contact” is left out.").waitFor()
            await dialog.getByLabel("Sending tool").selectOption("lemlist")
            await fits("export")
            const downloading = page.waitForEvent("download")
            await dialog.getByRole("button", { name: "Download CSV" }).click()
            const csv = readFileSync(await (await downloading).path(), "utf8")
            assert.match(csv, /^email,firstName,lastName,/)
            assert.lengthOf(csv.match(/@quarry\d+\.example/g) ?? [], 2)
            assert.include(csv, "Slurry pumps at the quarry")
          })
        }
      }),
    browserTestTimeoutMillis
  )
})
