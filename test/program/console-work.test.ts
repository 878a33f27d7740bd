// test/program/console-work.test.ts: the console in daily work, on a desktop and on a telephone: profile, steps, campaign, overview.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { commandJson } from "../support/command.ts"
import {
  waitUntilTrue,
  choose,
  horizontalOverflow,
  BrowserTest,
  unfold,
  accessibilityViolations
} from "../support/browser.ts"
import { namedLeads, onboardedWorkspaceIn, options } from "../support/program-workspace.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"

/** Setting up may install a browser. */
const browserTestTimeoutMillis = 600_000

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()

/** Visits a page at a width; axe finds nothing at the end, and nothing is wider than the window. */
const visitAtWidth = Effect.fnUntraced(function* (
  path: string,
  width: number,
  use: (page: Page) => Promise<void>,
  as?: string
) {
  const { key, visit } = yield* BrowserTest
  yield* visit({ key: as ?? key, at: path, viewport: { width, height: 800 } }, async (page) => {
    await use(page)
    assert.deepStrictEqual(await accessibilityViolations(page), [], `${path} ${width}`)
    assert.isAtMost(await horizontalOverflow(page), 0, `${path} ${width}`)
  })
})

/** The same on a desktop and on a telephone. */
const onBoth = Effect.fnUntraced(function* (path: string, use: (page: Page) => Promise<void>, as?: string) {
  for (const width of [1280, 390]) yield* visitAtWidth(path, width, use, as)
})

layer(BrowserTest.layer, { timeout: browserTestTimeoutMillis, excludeTestServices: true })(
  "daily work in the console",
  (it) => {
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

    it.effect("goes back a step, skips one, and adds an entry of one's own to the profile and the options", () =>
      Effect.gen(function* () {
        const { data, key, url, workspace } = yield* BrowserTest
        const api = apiClient(url, key)
        yield* commandJson(data, "workspace", "owner", workspace, "--email", "piotr@kestrel-pumps.example")
        for (const width of [1280, 390]) {
          const campaign: string = (yield* api.send("POST", "/campaigns", { name: `Steps ${width}` })).body.id
          const own = `Alder Mine cut its stops from ${width} to 4 a year.`
          yield* visitAtWidth(`#/campaigns/${campaign}/build`, width, async (page) => {
            await heading(page, "Audience")
            await page.getByLabel("Add your own").check()
            await page.getByLabel("Name of the segment").fill("Quarries in Poland")
            const steps = page.getByRole("navigation", { name: "Steps" }).getByRole("listitem")
            /** Each step with what stands under it. */
            const noted = async () =>
              (await steps.allInnerTexts()).flatMap((text) => {
                const [name = "", note] = text.replace(", chosen", "").split(/\s*\n\s*/)
                return note === undefined ? [] : [[name, note]]
              })
            assert.deepStrictEqual(await noted(), [["Social proof", "Next"]])
            await press(page, "Save and continue")

            await heading(page, "Social proof")
            assert.deepStrictEqual(await noted(), [
              ["Audience", "Quarries in Poland"],
              ["Lead magnet", "Next"]
            ])
            const first = page.getByRole("checkbox").first()
            await first.check()
            const picked = await page.locator(".card:has(:checked) .strong").innerText()
            await press(page, "Add your own")
            const dialog = page.getByRole("dialog")
            await dialog.getByRole("button", { name: "Add" }).click()
            await dialog.getByText("“Case studies” is empty.").waitFor()
            assert.deepStrictEqual(await accessibilityViolations(page), [])
            await dialog.getByLabel("Case studies").fill(own)
            await dialog.getByRole("button", { name: "Add" }).click()
            await dialog.waitFor({ state: "detached" })
            const chosen = page.locator(".card:has(:checked)")
            await chosen.getByText(own).first().waitFor()
            assert.strictEqual(await chosen.count(), 2, "what was picked before stays picked")
            assert.strictEqual(await chosen.first().locator(".strong").innerText(), picked)
            await press(page, "Save and continue")

            await heading(page, "Lead magnet")
            await page.getByRole("link", { name: "Back", exact: true }).click()
            await heading(page, "Social proof")
            await chosen.nth(1).waitFor()
            await page.goto(`${url}/#/campaigns/${campaign}/build/lead_magnet`)
            await heading(page, "Lead magnet")
            await page.getByRole("checkbox").first().check()
            await press(page, "Skip this step")
            await heading(page, "Risk reversal")
            await page.getByText("Step 4 of 7.").waitFor()
            assert.deepStrictEqual(await noted(), [
              ["Audience", "Quarries in Poland"],
              ["Social proof", `2: ${picked}; ${own.replace(/\.$/, "")}`],
              ["Lead magnet", "Skipped"],
              ["Value propositions", "Next"]
            ])
            assert.deepStrictEqual(await accessibilityViolations(page), [])
            // Saving without a choice does not mark the step as done.
            await press(page, "Save and continue")
            await page.getByRole("alert").getByText("choose “Skip this step”").waitFor()
            await heading(page, "Risk reversal")
            await press(page, "Skip this step")
            await heading(page, "Value propositions")
            assert.strictEqual(await page.getByRole("button", { name: "Skip this step" }).count(), 0)
            await press(page, "Make value propositions to choose from")
            await page.getByRole("checkbox").first().waitFor()
            assert.strictEqual(
              await page.getByRole("button", { name: "Skip this step" }).count(),
              0,
              "at least one is needed"
            )
            await press(page, "Add your own")
            await dialog.getByRole("button", { name: "Add" }).click()
            await dialog.getByText("“What it says” is empty.").waitFor()
            await dialog.getByLabel("Name").fill("Spares in a day")
            await dialog
              .getByLabel("What it says")
              .fill("Quarries get spares in a day, so that a stop costs one shift.")
            assert.deepStrictEqual(await accessibilityViolations(page), [])
            await dialog.getByRole("button", { name: "Add" }).click()
            await dialog.waitFor({ state: "detached" })
            await chosen.getByText("Spares in a day").first().waitFor()
            await press(page, "Save and build the campaign")
            await heading(page, "Templates")
            assert.deepStrictEqual((await noted()).slice(-2), [
              ["Value propositions", "Spares in a day"],
              ["Write", "Next"]
            ])
          })
          const { selections } = (yield* api.send("GET", `/campaigns/${campaign}/selections`)).body
          assert.deepStrictEqual(selections.lead_magnet.items, [])
          assert.lengthOf(selections.social_proof.items, 2)
          const [proposition] = selections.value_proposition.items
          assert.deepInclude(proposition, {
            name: "Spares in a day",
            description: "Quarries get spares in a day, so that a stop costs one shift."
          })
          const { details } = (yield* api.send("GET", "/workspace")).body
          assert.include(details.case_studies, own)
        }
      })
    )

    it.effect(
      "opens the form of a new campaign by a button, and says of each campaign whom it is for and its lists",
      () =>
        Effect.gen(function* () {
          const { data, key, url } = yield* BrowserTest
          const api = apiClient(url, key)
          const fresh = yield* onboardedWorkspaceIn(data)
          const name = "Name of the new campaign"
          yield* onBoth(
            "#/campaigns",
            async (page) => {
              await page.getByLabel(name).waitFor()
              assert.strictEqual(await page.getByRole("button", { name: "New campaign" }).count(), 0)
              assert.strictEqual(await page.getByRole("button", { name: "Cancel" }).count(), 0)
            },
            fresh.key
          )
          const campaign = yield* buildCampaign(api)
          yield* api.send("PATCH", `/campaigns/${campaign}`, { name: "Counted" })
          for (const list_name of ["Hall 1", "Hall 2"]) {
            const sent = { leads: namedLeads(1), options: { ...options, list_name } }
            const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
            yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
          }
          const { segment_name } = (yield* api.send("GET", "/target-audiences")).body.data[0]
          yield* onBoth("#/campaigns", async (page) => {
            const row = page
              .getByRole("listitem")
              .filter({ has: page.getByRole("link", { name: "Counted", exact: true }) })
            await row.getByText(`${segment_name}, 2 lists`).waitFor()
            await row.getByText("Ready to write").waitFor()
            assert.strictEqual(await page.getByLabel(name).count(), 0)
            assert.deepStrictEqual(await accessibilityViolations(page), [])
            await press(page, "New campaign")
            await waitUntilTrue(page, `document.activeElement?.labels?.[0]?.textContent === ${JSON.stringify(name)}`)
            await page.getByLabel(name).fill("Quarries, autumn")
            await press(page, "Cancel")
            await press(page, "New campaign")
            assert.strictEqual(await page.getByLabel(name).inputValue(), "")
            // What is typed and not saved is shown again.
            await page.getByLabel(name).fill("Quarries, winter")
            await page.reload()
            await row.waitFor()
            assert.strictEqual(await page.getByLabel(name).inputValue(), "Quarries, winter")
            await press(page, "Cancel")
          })
        })
    )

    it.effect("shows the lists of a campaign with their counts, and keeps what deletes behind a menu", () =>
      Effect.gen(function* () {
        const { key, url } = yield* BrowserTest
        const api = apiClient(url, key)
        const campaign = yield* buildCampaign(api)
        const sent = { leads: namedLeads(3), options: { ...options, list_name: "Spring fair" } }
        const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
        yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
        yield* onBoth(`#/campaigns/${campaign}`, async (page) => {
          const row = page
            .getByRole("listitem")
            .filter({ has: page.getByRole("link", { name: "Spring fair", exact: true }) })
          await row.getByText("3 leads, 6 emails").waitFor()
          assert.strictEqual(await page.getByText("Out of date").count(), 0)
          assert.strictEqual(await page.getByRole("button", { name: /Delete/ }).count(), 0)
          await press(page, "More actions")
          assert.deepStrictEqual(await page.getByRole("menuitem").allInnerTexts(), [
            "Rename",
            "Copy",
            "Delete the campaign"
          ])
          const { x = -1 } = (await page.getByRole("menu").boundingBox()) ?? {}
          assert.isAtLeast(x, 0, "the menu is in the window")
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await page.mouse.click(2, 780)
          await page.getByRole("menu").waitFor({ state: "detached" })
          await row.getByRole("link").click()
          await heading(page, "Spring fair")
          await choose(page, "Delete the list")
          await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
          await page.getByRole("link", { name: "Campaign", exact: true }).click()
          await page.getByRole("heading", { level: 2, name: "Lists" }).waitFor()
        })
      })
    )

    it.effect("marks a campaign and its documents as out of date after a profile change, and rebuilds both", () =>
      Effect.gen(function* () {
        const { data, key, url, workspace } = yield* BrowserTest
        const api = apiClient(url, key)
        yield* commandJson(data, "workspace", "owner", workspace, "--email", "piotr@kestrel-pumps.example")
        const campaign = yield* buildCampaign(api)
        const path = `/campaigns/${campaign}`
        const chosen = Effect.map(api.send("GET", `${path}/selections`), ({ body }) => body.selections)
        const before = yield* chosen
        for (const width of [1280, 390]) {
          yield* api.send("PUT", "/workspace/details", { primary_goal: `Meetings, ${width}` })
          yield* visitAtWidth(`#${path}`, width, async (page) => {
            await page.getByText("Out of date.").waitFor()
            assert.strictEqual(await page.getByText("Outdated", { exact: true }).count(), 3)
            assert.deepStrictEqual(await accessibilityViolations(page), [])
            await press(page, "Rebuild")
            await page.getByText("Out of date.").waitFor({ state: "detached" })
            await page.getByText("Ready to write").waitFor()
            assert.strictEqual(await page.getByText("Outdated", { exact: true }).count(), 0)
          })
          // Regenerating the documents of the workspace does not bring the campaign up to date.
          yield* api.send("PUT", "/workspace/details", { primary_goal: `Calls, ${width}` })
          const { id: job } = (yield* api.send("POST", "/workspace/regenerate")).body
          yield* until(api.send("GET", `/jobs/${job}`), ({ body }) => body.status === "completed")
          yield* visitAtWidth(`#${path}`, width, async (page) => {
            await page.getByText("Out of date.").waitFor()
            await press(page, "Rebuild")
            await page.getByText("Out of date.").waitFor({ state: "detached" })
            await page.getByText("Ready to write").waitFor()
          })
          // Regenerating what has not changed changes nothing.
          const { id: again } = (yield* api.send("POST", "/workspace/regenerate")).body
          yield* until(api.send("GET", `/jobs/${again}`), ({ body }) => body.status === "completed")
          const { documents } = (yield* api.send("GET", `${path}/documents`)).body
          assert.deepStrictEqual(
            documents.map(({ outdated }: { readonly outdated?: true }) => outdated),
            [undefined, undefined, undefined]
          )
          const after = yield* chosen
          const names = (selection: typeof before) =>
            selection.value_proposition.items.map(({ name }: { readonly name: string }) => name)
          assert.deepStrictEqual(names(after), names(before), "the same choices")
          assert.notStrictEqual(after.value_proposition.updated_at, before.value_proposition.updated_at)
        }

        // Where a chosen proposition is no longer offered, the person chooses again.
        yield* api.send("PUT", "/workspace/details", { primary_goal: "Other meetings" })
        yield* visitAtWidth(`#${path}`, 390, async (page) => {
          await page.route("**/value_proposition/options", async (route) => {
            const response = await route.fetch()
            const { options, ...rest } = await response.json()
            const others = options.map((option: object) => ({ ...option, description: String(Math.random()) }))
            await route.fulfill({ response, json: { ...rest, options: others } })
          })
          await press(page, "Rebuild")
          await heading(page, "Value propositions")
          await page.getByRole("checkbox").first().waitFor()
        })
      })
    )

    it.effect("empties the profile for another company, and says which campaigns are still about the old one", () =>
      Effect.gen(function* () {
        const { data, url } = yield* BrowserTest
        for (const width of [1280, 390]) {
          const { key } = yield* onboardedWorkspaceIn(data)
          const api = apiClient(url, key)
          const campaign = yield* buildCampaign(api)
          const visitAs = (path: string, use: (page: Page) => Promise<void>) => visitAtWidth(path, width, use, key)
          yield* visitAs("#/workspace", async (page) => {
            await press(page, "Use for another company")
            const dialog = page.getByRole("dialog")
            await dialog.getByText("These stay, and still are about Kestrel Pumps:").waitFor()
            assert.deepStrictEqual(await accessibilityViolations(page), [])
            await dialog.getByRole("button", { name: "Cancel" }).click()
            await page.getByText(/^\d+ of 28 fields are filled in/).waitFor()
            await press(page, "Use for another company")
            await press(page, "Empty the profile")
            await page.getByText("The profile is empty. Import").waitFor()
            await page.getByText(/^0 of 28 fields are filled in/).waitFor()
            assert.strictEqual(await page.getByRole("button", { name: "Use for another company" }).count(), 0)
          })
          const { details } = (yield* api.send("GET", "/workspace")).body
          assert.deepStrictEqual(
            Object.values(details).filter((value) => value !== null),
            []
          )
          const emptied = "Built for Kestrel Pumps; the profile names no company now."
          yield* visitAs(`#/campaigns/${campaign}`, (page) => page.getByText(emptied).waitFor())
          yield* api.send("PUT", "/workspace/details", { company_name: "Harbour Coatings" })
          const changed = "Built for Kestrel Pumps; the profile now says Harbour Coatings."
          for (const part of ["", "/preview", "/write"]) {
            yield* visitAs(`#/campaigns/${campaign}${part}`, async (page) => {
              await page.getByText(changed).waitFor()
              assert.strictEqual(await page.getByText("Out of date.").count(), 0)
            })
          }
          yield* visitAs("#/campaigns", async (page) => {
            await press(page, "New campaign")
            await page.getByText("The profile has changed since the segments and options").waitFor()
          })
        }
      })
    )

    it.effect("opens with the emails that are written and what waits, and mentions credits on limited plans only", () =>
      Effect.gen(function* () {
        const { data, key, url, workspace } = yield* BrowserTest
        const api = apiClient(url, key)
        const campaign = yield* buildCampaign(api)
        const sent = { leads: namedLeads(2), options: { ...options, list_name: "Autumn fair" } }
        const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
        yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
        const figure = (page: Page, name: string) =>
          page.locator(".figures > div").filter({ has: page.getByText(name, { exact: true }) })
        const paused = async (page: Page) => {
          await page.route(/\/api\/v1\/lists(\/|\?)/, async (route) => {
            const response = await route.fetch()
            const json = await response.json()
            const rest = { processing_status: "pending", custom_name: "Autumn fair" }
            const progress = { leads_total: 9, leads_done: 2, leads_failed: 0 }
            const isPage = json.lists !== undefined
            await route.fulfill({
              response,
              json: isPage
                ? { ...json, lists: json.lists.map((list: object) => ({ ...list, ...rest })) }
                : { ...json, ...rest, progress }
            })
          })
        }
        // More lists than the overview shows, of which one alone has emails.
        for (let n = 0; n < 10; n++) {
          const sent = { leads: namedLeads(1), options: { ...options, list_name: `Small ${n}` } }
          const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
          yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
        }
        const rejected = { leads: namedLeads(1), options: { ...options, list_name: "All rejected" } }
        const decided = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, rejected)).body.list_id
        yield* until(api.send("GET", `/lists/${decided}`), ({ body }) => body.processing_status === "completed")
        const [{ id: leadId }] = (yield* api.send("GET", `/lists/${decided}/leads`)).body.data
        yield* api.send("PUT", `/lists/${decided}/leads/${leadId}/review`, { status: "rejected" })
        const toReview = (yield* api.send("GET", "/lists?source=batch&status=completed&review=open")).body.total
        assert.isAtLeast(toReview, 11)
        const { totals } = (yield* api.send("GET", "/lists?source=batch&totals=true&limit=1")).body
        assert.isAtLeast(totals.emails_created, 24)
        assert.deepInclude(totals, { leads_waiting: 0, lists_pending: 0 })
        assert.isAtLeast(totals.leads_open, 10)
        yield* onBoth("", async (page) => {
          await figure(page, "Emails written").getByText(String(totals.emails_created), { exact: true }).waitFor()
          await figure(page, "Leads not written yet").getByText("no list is paused").waitFor()
          // Lists are written either way, so templates do not wait for a person.
          await figure(page, "Campaigns with draft templates").getByText("approving them is optional").waitFor()
          assert.strictEqual(await page.getByText("Approve the templates").count(), 0)
          await figure(page, "Leads to review").getByText(String(totals.leads_open), { exact: true }).waitFor()
          await page
            .getByRole("listitem")
            .filter({ hasText: "Review the emails of Small 9" })
            .getByText("1 lead open")
            .waitFor()
          // Of older lists too: the link leads to all that have emails to review, and to no other.
          await page.getByRole("link", { name: `Review the emails of ${toReview - 3} more lists` }).click()
          await heading(page, "Lists")
          assert.strictEqual(await page.getByLabel("Show", { exact: true }).inputValue(), "to-review")
          await page.getByRole("link", { name: "Autumn fair", exact: true }).first().waitFor()
          assert.strictEqual(await page.getByRole("link", { name: "All rejected", exact: true }).count(), 0)
          await page.getByLabel("Show", { exact: true }).selectOption("All lists")
          await page.getByRole("link", { name: "All rejected", exact: true }).waitFor()
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await page.getByRole("link", { name: "Overview", exact: true }).click()
          await page.getByRole("button", { name: "Write to your leads" }).click()
          const dialog = page.getByRole("dialog", { name: "New list" })
          await dialog.getByRole("list", { name: "Campaigns to write from" }).getByRole("link").first().waitFor()
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await dialog.getByRole("button", { name: "Cancel" }).click()
          const titles = await page.getByRole("heading", { level: 2 }).allInnerTexts()
          assert.deepStrictEqual(titles.slice(0, 2), ["Emails", "To do"])
          // A plot needs two days with use, and this period has one so far.
          await page.getByText("Spent in this period", { exact: true }).waitFor()
          assert.strictEqual(await page.locator("figure.plot").count(), 0)
          await page.route(/\/credits\/usage$/, async (route) => {
            const response = await route.fetch()
            const days = [
              { date: "2026-07-01", used: 40 },
              { date: "2026-07-02", used: 0 },
              { date: "2026-07-03", used: 180 }
            ]
            const period = { start: "2026-07-01T00:00:00.000Z", end: "2026-08-01T00:00:00.000Z" }
            await route.fulfill({ response, json: { period, days } })
          })
          await page.reload()
          await page.getByText("220 credits spent in this period; most on 3 July, 180.").waitFor()
          await page.getByText("The same as a table").click()
          assert.deepStrictEqual(await page.locator(".plot tbody th").allInnerTexts(), ["1 July", "3 July"])
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await paused(page)
          await page.reload()
          await page.getByRole("listitem").filter({ hasText: "7 leads left" }).first().waitFor()
          await page.getByRole("link", { name: "Resume Autumn fair" }).first().waitFor()
        })

        yield* commandJson(data, "plan", "set", "--workspace", workspace, "--tier", "internal")
        yield* onBoth("", async (page) => {
          await figure(page, "Emails written").waitFor()
          const shows = async (at: string, sign: string) => {
            await page.goto(`${url}/#${at}`)
            await page.getByText(sign).first().waitFor()
            assert.strictEqual(await page.getByText(/credit/i).count(), 0, at)
          }
          await shows("/", "To do")
          await shows(`/campaigns/${campaign}/preview`, "Preview five leads")
          await shows("/workspace", "Company profile")
          await shows("/campaigns", "All campaigns")
        })
        // The session says that the plan is unlimited, also to a key that may not read credits.
        const scopes = "campaigns:read,campaigns:write,lists:read,lists:write,workspace:read,signatures:read"
        const writer = yield* commandJson(data, "key", "create", "--workspace", workspace, "--scopes", scopes)
        yield* onBoth(
          `#/campaigns/${campaign}/preview`,
          async (page) => {
            await page.getByRole("button", { name: "Preview five leads" }).waitFor()
            assert.strictEqual(await page.getByText(/credit/i).count(), 0)
          },
          writer.key
        )
        yield* commandJson(data, "plan", "set", "--workspace", workspace, "--tier", "growth")
      })
    )

    it.effect("has its navigation at the bottom of a telephone, above which everything can be read and reached", () =>
      Effect.gen(function* () {
        const { key, url } = yield* BrowserTest
        const campaign = yield* buildCampaign(apiClient(url, key))
        for (const width of [390, 320]) {
          yield* visitAtWidth("", width, async (page) => {
            const bar = page.getByRole("navigation", { name: "Console" })
            const box = async (part: Locator) => (await part.boundingBox()) ?? assert.fail("It is not on the page")
            for (const name of ["Campaigns", "Lists", "Questions", "Workspace"]) {
              await bar.getByRole("link", { name }).click()
              await heading(page, name)
              const { height, width: across, y } = await box(bar.getByRole("link", { name }))
              assert.isAtLeast(height, 44, name)
              assert.isAtLeast(across, 44, name)
              assert.isAtMost(y + height, 800, name)
            }
            // The last of the page ends above the bar, and so does the bar that saves.
            const { y: top } = await box(bar)
            await page.getByRole("button", { name: "Save the signature" }).waitFor()
            await page.getByRole("button", { name: "Read Market research" }).waitFor()
            await page.evaluate("scrollTo(0, document.body.scrollHeight)")
            const last = await box(page.getByRole("button", { name: "Save the signature" }))
            assert.isAtMost(last.y + last.height, top)
            await unfold(page, "Goal")
            await page.getByLabel("Goal of the emails").fill("Ten meetings")
            const save = await box(page.getByRole("button", { name: "Save 1 field" }))
            assert.isAtMost(save.y + save.height, top)
            assert.deepStrictEqual(await accessibilityViolations(page), [])
            await press(page, "Discard changes")

            await page.goto(`${url}/#/campaigns/${campaign}/build/value_proposition`)
            const step = page.getByRole("navigation", { name: "Steps" }).locator("[aria-current=step]")
            const { width: long, x } = await box(step)
            assert.isAtLeast(x, 0, "the current step is in sight")
            assert.isAtMost(x + long, width)
          })
        }
        // On a desktop it is at the side.
        yield* visitAtWidth("", 1280, async (page) => {
          const { x = 1, y = 0 } = (await page.getByRole("navigation", { name: "Console" }).boundingBox()) ?? {}
          assert.isTrue(x < 100 && y < 200)
        })
      })
    )

    it.effect("counts the leads of a list by what came of them, colours their findings, and names the writer", () =>
      Effect.gen(function* () {
        const { key, url } = yield* BrowserTest
        const api = apiClient(url, key)
        const campaign = yield* buildCampaign(api)
        const sent = { leads: namedLeads(4), options: { ...options, list_name: "Counted" } }
        const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
        yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
        yield* onBoth(`#/lists/${list_id}`, async (page) => {
          const severities = ["fail", "warn", "hint", undefined]
          await page.route(/\/leads\?.*limit=100/, async (route) => {
            const response = await route.fetch()
            const json = await response.json()
            const finding = {
              rule: "x",
              place: "body",
              start: null,
              end: null,
              offset: null,
              message: "x",
              suggestion: null
            }
            const data = json.data.map((lead: { readonly emails: ReadonlyArray<object> }, i: number) => ({
              ...lead,
              emails: lead.emails.map((email, at) => ({
                ...email,
                findings: at === 0 && severities[i] !== undefined ? [{ ...finding, severity: severities[i] }] : []
              }))
            }))
            await route.fulfill({ response, json: { ...json, data } })
          })
          await page.reload()
          await page.getByLabel("All 4").waitFor()
          for (const name of ["Written 4", "Failed 0", "Not written yet 0"])
            assert.isTrue(await page.getByLabel(name).isVisible())
          for (const [text, tone] of [
            ["Must change: 1", "bad"],
            ["Check: 1", "busy"],
            ["Optional: 1", "calm"],
            ["No findings", "good"]
          ] as const) {
            assert.include((await page.getByText(text, { exact: true }).getAttribute("class")) ?? "", tone)
          }
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await page.getByLabel("Failed 0").check()
          await page.getByText("No lead is like that.").waitFor()
          for (const path of ["preview", "build/emails"]) {
            await page.goto(`${url}/#/campaigns/${campaign}/${path}`)
            await page.getByText("Writer: built-in. It fills in the templates of the campaign").waitFor()
            assert.deepStrictEqual(await accessibilityViolations(page), [], path)
          }
        })
      })
    )

    it.effect("is set in the font that the server sends with its licence", () =>
      Effect.gen(function* () {
        const { url } = yield* BrowserTest
        yield* onBoth("#/campaigns", async (page) => {
          await heading(page, "Campaigns")
          await waitUntilTrue(
            page,
            "[...document.fonts].some(({ family, status }) => /Inter/.test(family) && status === 'loaded')"
          )
          const sheet = await page.locator("link[rel=stylesheet]").getAttribute("href")
          const css = await (await page.request.get(`${url}${sheet}`)).text()
          const [, font = ""] = /url\("([^"]+\.woff2)"\)/.exec(css) ?? []
          const answer = await page.request.get(`${url}${font}`)
          assert.strictEqual(answer.headers()["content-type"], "font/woff2")
          assert.isBelow((await answer.body()).length, 60_000, "its Latin letters only")
          const [, licence = ""] = /(\/console\/[^ ]+\.licence\.txt)/.exec(css) ?? []
          assert.include(await (await page.request.get(`${url}${licence}`)).text(), "SIL OPEN FONT LICENSE Version 1.1")
        })
      })
    )
  }
)
