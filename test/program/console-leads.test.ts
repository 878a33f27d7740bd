// test/program/console-leads.test.ts: whom to write to, in the console: the suppression list, lead files, and who is left out.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { horizontalOverflow, BrowserTest, accessibilityViolations } from "../support/browser.ts"
import { commandJson } from "../support/command.ts"
import { options, workspaceIn } from "../support/program-workspace.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"
import { xlsx } from "../support/workbooks.ts"

/** Setting up may install a browser. */
const timeoutMillis = 600_000

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()

/** Visits a page on a desktop and on a telephone; axe finds nothing at the end, and nothing is wider than the window. */
const onBoth = Effect.fnUntraced(function* (path: string, use: (page: Page, width: number) => Promise<void>) {
  const { key, visit } = yield* BrowserTest
  for (const width of [1440, 390]) {
    yield* visit({ key, at: path, viewport: { width, height: 900 } }, async (page) => {
      await use(page, width)
      assert.deepStrictEqual(await accessibilityViolations(page), [], `${path} ${width}`)
      assert.isAtMost(await horizontalOverflow(page), 0, `${path} ${width}`)
    })
  }
})

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })("leads in the console", (it) => {
  it.effect("keeps the suppression list: adds many at once, searches, filters, exports and deletes", () =>
    Effect.gen(function* () {
      const { key, url } = yield* BrowserTest
      const api = apiClient(url, key)
      yield* onBoth("#/workspace", async (page, width) => {
        await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Do not contact" }).click()
        await page.getByText("No entries yet").waitFor()
        assert.deepStrictEqual(await accessibilityViolations(page), [])
        const values = page.getByLabel("Addresses and domains", { exact: true })
        await press(page, "Add to Do not contact")
        await page.getByText("“Addresses and domains” is empty.").waitFor()
        // Good lines are taken; the others stay, each with its line and reason.
        await values.fill("jo@osei.example\nnot an address\n\nsam@\n")
        await press(page, "Add to Do not contact")
        await page.getByText("1 entry added.").waitFor()
        await page.getByText(/remove them in your sending tool too/).waitFor()
        const wrong = page.getByRole("alert").getByRole("listitem")
        assert.deepStrictEqual(await wrong.allInnerTexts(), [
          "Line 2 of what you pasted, “not an address”: neither an address nor a domain such as osei.example.",
          "Line 4 of what you pasted, “sam@”: not an email address."
        ])
        assert.strictEqual(await values.inputValue(), "not an address\nsam@")
        assert.deepStrictEqual(await accessibilityViolations(page), [])
        await press(page, "Delete jo@osei.example")
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
        await page.getByText("No entries yet").waitFor()

        await page.getByRole("radio", { name: "Companies" }).check()
        await page.getByLabel("Names of companies").fill("Hollowell Foods GmbH\n---")
        await press(page, "Add to Do not contact")
        await page.getByText("hollowell foods", { exact: true }).first().waitFor()
        await page.getByText("Line 2 of what you pasted, “---”: no name of a company.").waitFor()
        await press(page, "Delete hollowell foods")
        await page.getByRole("dialog").getByText("New lists can then write to this company again.").waitFor()
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
        await page.getByText("No entries yet").waitFor()
        await page.getByRole("radio", { name: "Addresses or domains" }).check()
        await values.fill("kim@osei.example")

        // What is typed outlasts a move to another page.
        await page.getByRole("link", { name: "Profile" }).click()
        await page.getByRole("heading", { level: 1, name: "Workspace" }).waitFor()
        await page.goBack()
        assert.match(await values.inputValue(), /^kim@osei/)
        await values.fill(
          `kim@osei.example; Lee@Okafor.example\nhttps://www.hollowell.example/about?x=1\nkim@osei.example\n*.hollowell.example\nwww.hollowell.example`
        )
        await page.getByLabel("Reason").fill(`Asked not to, ${width}`)
        await press(page, "Add to Do not contact")
        await page.getByText("3 entries added. 3 entries were on the list already.").waitFor()
        assert.strictEqual(await values.inputValue(), "")
        await page.getByText("3 entries", { exact: true }).waitFor()

        const entries = page.getByRole("list", { name: "Suppressed" }).getByRole("listitem")
        await page.getByLabel("Show").selectOption("Domains")
        await entries.getByText("hollowell.example").first().waitFor()
        await page.getByText("1 entry", { exact: true }).waitFor()
        await entries.getByText(`Asked not to, ${width}`).waitFor()
        await page.getByLabel("Show").selectOption("All")
        await page.getByLabel("Search").fill("okafor")
        await entries.getByText("lee@okafor.example").first().waitFor()
        await page.getByText("1 entry", { exact: true }).waitFor()
        await page.getByLabel("Search").fill("nothing like it")
        await page.getByText("No entry matches").waitFor()
        await page.getByLabel("Search").fill("")
        await entries.nth(2).waitFor()

        const saved = page.waitForEvent("download")
        await press(page, "Export CSV")
        const file = await (await saved).path()
        assert.match(readFileSync(file, "utf8"), /^value,kind,reason,created_at\r\n.*lee@okafor\.example,address/s)

        await press(page, "Delete lee@okafor.example")
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("button", { name: "Cancel" }).click()
        assert.strictEqual(await entries.count(), 3)
        await press(page, "Delete lee@okafor.example")
        assert.deepStrictEqual(await accessibilityViolations(page), [])
        await dialog.getByRole("button", { name: "Delete" }).click()
        await page.getByText("2 entries", { exact: true }).waitFor()
        for (const value of ["kim@osei.example", "hollowell.example"]) {
          await press(page, `Delete ${value}`)
          await dialog.getByRole("button", { name: "Delete" }).click()
          await dialog.waitFor({ state: "detached" })
        }
        await page.getByText("No entries yet").waitFor()
      })
      assert.strictEqual((yield* api.send("GET", "/suppressions")).body.total, 0)
    })
  )

  it.effect("reads a workbook, says what is unusual about its addresses, and leaves out what is chosen", () =>
    Effect.gen(function* () {
      const { key, url } = yield* BrowserTest
      const api = apiClient(url, key)
      const campaign = yield* buildCampaign(api)
      yield* api.send("POST", "/suppressions", { entries: [{ value: "okafor.example" }] })
      const workbook = xlsx({
        Notes: [["What", "When"]],
        Fair: [
          ["E-Mail", "Name", "Firma"],
          ["jo@brandt.example", "Jo Brandt", "Brandt Tee"],
          ["info@osei.example", "Kim Osei", "Osei Cocoa"],
          ["ada@gmial.com", "Ada Lind", "Lind Quarries"],
          ["lee@eu.okafor.example", "Lee Okafor", "Okafor Mines"],
          ["bo@mailinator.com", "Bo Berg", "Berg Gravel"],
          ["ida@gmail.com", "Ida Holm", "Holm Sand"],
          ["ADA@gmail.com", "Ada Lind", "Lind Quarries"],
          ["not-an-address", "No Address", "Nowhere"]
        ]
      })
      const file = { name: "fair.xlsx", mimeType: "application/octet-stream", buffer: Buffer.from(workbook) }
      const before = (yield* api.send("GET", "/lists?limit=1")).body.total
      yield* onBoth(`#/campaigns/${campaign}/write`, async (page, width) => {
        await page.locator("input[type=file]").setInputFiles(file)
        await page.getByText("We couldn’t read any leads").waitFor()
        await page.getByLabel("Sheet").selectOption("Fair")
        await page.getByText("7 leads").first().waitFor()
        await page.getByText("1 row left out, and why").waitFor()
        assert.strictEqual(await page.getByLabel("Company", { exact: true }).inputValue(), "Firma")

        const groups = page.getByRole("list", { name: "Addresses to look at" }).locator(":scope > li")
        const group = (text: string) => groups.filter({ hasText: text })
        await group("1 mistyped address").getByText("ada@gmail.com").first().waitFor()
        await group("1 lead on “Do not contact”").getByText("lee@eu.okafor.example").waitFor()
        await group("2 private mailboxes").waitFor()
        const start = page.getByRole("button", { name: "Start writing to" })
        const counts = (leads: number) => page.getByRole("button", { name: `Start writing to ${leads} lead` }).waitFor()
        // The first width has written to all of them.
        if (width === 390) await page.getByLabel(/^Keep: write to them again/).check()
        // The suppressed lead, the throw-away and the mistyped address are left out beforehand.
        await counts(4)
        await page.getByText("4 credits", { exact: true }).waitFor()
        const keep = page.getByLabel(/^Keep as it is: /)
        await keep.check()
        await counts(5)
        await keep.uncheck()
        await page.getByLabel("Leave out 1 shared mailbox").check()
        await counts(3)
        await page.getByLabel("Leave out 1 throw-away address").uncheck()
        await counts(4)
        await page.getByRole("button", { name: "Use suggestion" }).click()
        await page.getByText("1 address was corrected.").waitFor()
        assert.strictEqual(await group("1 mistyped address").count(), 0)
        await page.getByText("1 lead has the address of a lead above it in the file.").waitFor()
        // The only number of a row on this page is its line in the file.
        const leftOut = page.getByRole("list", { name: "Leads left out" })
        await leftOut.getByText("A lead above it in the file has the same address.").waitFor()
        await page.getByText("1 row left out, and why").click()
        await page.getByText(/^Line 9 of the file /).waitFor()
        assert.strictEqual(await page.getByText(/\bLead \d/).count(), 0)
        await counts(4)
        assert.deepStrictEqual(await accessibilityViolations(page), [])

        // Nothing that was decided is lost on another page.
        await page.getByLabel("Leave out: written to in any campaign").check()
        await page.getByRole("link", { name: "Lists", exact: true }).click()
        await page.getByRole("heading", { level: 1, name: "Lists" }).waitFor()
        await page.goBack()
        await page.getByText("1 address was corrected.").waitFor()
        if (width !== 390) await counts(4)
        assert.isTrue(await page.getByLabel("Leave out 1 shared mailbox").isChecked())
        assert.isTrue(await page.getByLabel("Leave out: written to in any campaign").isChecked())
        if (width === 390) {
          await page.getByText("All leads are left out: sections 1 and 2 have the reasons.").waitFor()
          await page.getByText("bo@mailinator.com").first().waitFor()
          await page.getByLabel(/^Keep: write to them again/).check()
        }
        await start.click()
        // A second list of the same file has a name of its own.
        const name = width === 1440 ? /^First, \d+ \w+ \d{4}, fair$/ : /^First, \d+ \w+ \d{4}, fair \(2\)$/
        await page.getByRole("heading", { level: 1, name }).waitFor()
        const note = page.getByText(
          /^4 rows of the file left out, at no cost: 1 on “Do not contact”, 1 with the address of a lead above it in the file, 1 by the check of addresses, 1 without a usable address\.$/
        )
        await note.waitFor()
        await page.reload()
        await note.waitFor()
        assert.deepStrictEqual(await accessibilityViolations(page), [])
        await press(page, "Dismiss")
        await note.waitFor({ state: "detached" })
      })
      const { lists, total } = (yield* api.send("GET", "/lists?limit=2")).body
      assert.strictEqual(total, before + 2)
      const { data: leads } = (yield* until(api.send("GET", `/lists/${lists[0].id}/leads`), ({ body }) =>
        body.data.every(({ status }: { readonly status: string }) => status !== "pending")
      )).body
      assert.deepStrictEqual(
        leads.map(({ email, status }: { readonly email: string; readonly status: string }) => `${email} ${status}`),
        [
          "jo@brandt.example completed",
          "ada@gmail.com completed",
          "lee@eu.okafor.example skipped",
          "bo@mailinator.com completed",
          "ida@gmail.com completed",
          "ADA@gmail.com skipped"
        ]
      )
    })
  )

  it.effect("counts only leads that are written to, on the button and in the list", () =>
    Effect.gen(function* () {
      const { key, url } = yield* BrowserTest
      const campaign = yield* buildCampaign(apiClient(url, key))
      const rows =
        "Email,Company\nida@south.example,South\njan@hutawolbrom.example,Huta Wolbrom\nbo@west.example,West\n"
      yield* onBoth(`#/campaigns/${campaign}/write`, async (page, width) => {
        const file = { name: `count ${width}.csv`, mimeType: "text/csv", buffer: Buffer.from(rows) }
        await page.locator("input[type=file]").setInputFiles(file)
        const starting = (leads: number) =>
          page.getByRole("button", { name: `Start writing to ${leads} leads`, exact: true })
        // The first width has written to them.
        if (width === 390) await page.getByLabel(/^Keep: write to them again/).check()
        await starting(2).waitFor()
        await page.getByText("1 lead of this file").waitFor()
        await page.getByLabel("Leave out clients and competitors").uncheck()
        await starting(3).waitFor()
        await page.getByLabel("Leave out clients and competitors").check()
        await starting(2).click()
        await page.getByRole("heading", { level: 1, name: `count ${width}` }).waitFor()
        await page.getByText(/emails to 2 leads, 1 left out, done/).waitFor()
        await page.getByRole("link", { name: "Lists", exact: true }).first().click()
        await page
          .getByRole("listitem")
          .filter({ hasText: `count ${width}` })
          .getByText("2 leads, ")
          .waitFor()
        await press(page, "New list")
        await page.getByRole("dialog", { name: "New list" }).getByRole("link").first().waitFor()
      })
    })
  )

  it.effect("names the leads that will be left out, each with its reason, and includes those that are chosen", () =>
    Effect.gen(function* () {
      const { key, url } = yield* BrowserTest
      const api = apiClient(url, key)
      const campaign = yield* buildCampaign(api)
      yield* api.send("POST", "/suppressions", { entries: [{ value: "Osei Cocoa Ltd", kind: "company" }] })
      const rows = [
        "Email,Name,Company",
        "ida@south.example,Ida Moreau,South",
        "jan@hutawolbrom.example,Jan Nowak,Huta Wolbrom",
        "kim@cocoa.example,Kim Osei,Osei Cocoa"
      ].join("\n")
      yield* onBoth(`#/campaigns/${campaign}/write`, async (page, width) => {
        const file = { name: `named ${width}.csv`, mimeType: "text/csv", buffer: Buffer.from(rows) }
        await page.locator("input[type=file]").setInputFiles(file)
        const left = page.getByRole("list", { name: "Leads left out" }).getByRole("listitem")
        const starting = (leads: number) =>
          page.getByRole("button", { name: `Start writing to ${leads} lead` }).waitFor()
        // Another test has written to them.
        await page.getByLabel(/^Keep: write to them again/).check()
        await starting(1)
        await page.getByText("2 leads left out by these settings", { exact: true }).waitFor()
        await left.getByText("Jan Nowak, Huta Wolbrom: Huta Wolbrom is named as a client").waitFor()
        await left.getByText("Kim Osei, Osei Cocoa: osei cocoa is on “Do not contact”.").waitFor()
        assert.strictEqual(await left.getByRole("checkbox").count(), 1)
        await page.getByLabel("Write to this lead: jan@hutawolbrom.example").check()
        await starting(2)
        await page.getByText("1 lead left out by these settings", { exact: true }).waitFor()
        assert.deepStrictEqual(await accessibilityViolations(page), [])
        await press(page, /^Start writing to/)
        await page.getByText(/emails to 2 leads, 1 left out, done/).waitFor()
        await page.getByRole("link", { name: "Jan Nowak" }).waitFor()
      })
      const [{ id }] = (yield* api.send("GET", "/suppressions?kind=company")).body.data
      yield* api.send("DELETE", `/suppressions/${id}`)
    })
  )

  it.effect(
    "leaves out the leads that are chosen by hand or marked in the file, and says so before the cost",
    () =>
      Effect.gen(function* () {
        const { key, url } = yield* BrowserTest
        const campaign = yield* buildCampaign(apiClient(url, key))
        yield* onBoth(`#/campaigns/${campaign}/write`, async (page, width) => {
          const rows = [
            "Email,Name,Company,Notes,Do not contact",
            `ida@hand${width}.example,Ida Moreau,South,Buyer,`,
            `bo@hand${width}.example,Bo Berg,West,Buyer,yes`,
            `kim@hand${width}.example,Kim Osei,North,Buyer,no`,
            `tom${width}@mailinator.com,Tom Hill,East,Buyer,`,
            `sam${width}@mailinator.com,Sam Ortiz,East,Buyer,`,
            `ada${width}@gmial.com,Ada Lind,Lind,Buyer,`,
            "none,No Address,Nowhere,Buyer,"
          ].join("\n")
          const file = { name: `hand ${width}.csv`, mimeType: "text/csv", buffer: Buffer.from(rows) }
          await page.locator("input[type=file]").setInputFiles(file)
          const starting = (leads: number) =>
            page.getByRole("button", { name: new RegExp(`^Start writing to ${leads} leads?$`) }).waitFor()
          const table = page.getByRole("region", { name: "Leads of the file" })
          const box = (address: string) => table.getByLabel(`Write to ${address}`)
          const bo = `bo@hand${width}.example`
          const leftOut = (rows: number, byHand: string) =>
            `${rows} rows of the file left out: ${byHand}3 under “Addresses” in section 1, 1 under “Leave out” in section 2, 1 without a usable address.`
          await starting(2)
          const marked = 'The column "Do not contact" says "yes".'
          await table.getByText(`Left out: ${marked}`).waitFor()
          await page.getByText(leftOut(5, "")).waitFor()
          await box(`ida@hand${width}.example`).uncheck()
          await table.getByText("Left out: By hand.").waitFor()
          await page.getByText(leftOut(6, "1 by hand, ")).waitFor()
          await starting(1)
          // One lead of a kind is written to, also when the kind has few.
          await page.getByLabel(`Write anyway: tom${width}@mailinator.com`).check()
          await starting(2)
          assert.isTrue(await box(`tom${width}@mailinator.com`).isChecked())
          await page.getByLabel(`Write to this lead: ${bo}`).check()
          assert.isTrue(await box(bo).isChecked())
          await starting(3)
          // Who was left out by hand stays so at another address, and with other columns.
          await page.getByLabel("Leave out 1 mistyped address").uncheck()
          await starting(4)
          await box(`ada${width}@gmial.com`).uncheck()
          await starting(3)
          await page.getByRole("button", { name: "Use suggestion" }).click()
          await page.getByText("1 address was corrected.").waitFor()
          await page.getByLabel("Job title", { exact: true }).selectOption("Notes")
          await starting(3)
          assert.isFalse(await box(`ada${width}@gmail.com`).isChecked())
          assert.isFalse(await box(`ida@hand${width}.example`).isChecked())
          await page.getByLabel("Show leads").selectOption("left_out")
          assert.strictEqual(await table.getByRole("checkbox").count(), 3)
          await page.getByLabel("Search these leads").fill("ortiz")
          await box(`sam${width}@mailinator.com`).check()
          await starting(4)
          // The row stays until the leads are looked for again.
          await box(`sam${width}@mailinator.com`).uncheck()
          await starting(3)
          await page.getByLabel("Search these leads").fill("nothing like it")
          await page.getByText("No lead is like that.").waitFor()
          await page.getByLabel("Search these leads").fill("")
          await page.getByLabel("Show leads").selectOption("all")
          if (width === 390) await box(bo).uncheck()
          // The file has a row without a valid address.
          assert.strictEqual(await page.getByText("Nothing is unusual about the addresses").count(), 0)
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await press(page, /^Start writing to/)
          await page.getByRole("heading", { level: 1, name: `hand ${width}` }).waitFor()
          await page.getByText(/of the file left out, at no cost:/).waitFor()
          await page.getByText(/rows of the file are not in this list/).click()
          const omitted = page.getByRole("list", { name: "Rows that are not in this list" })
          const byHand = [
            `Ida Moreau, ida@hand${width}.example`,
            ...(width === 390 ? [`Bo Berg, ${bo}`] : []),
            `Sam Ortiz, sam${width}@mailinator.com`,
            `Ada Lind, ada${width}@gmail.com`
          ]
          assert.deepStrictEqual(
            (await omitted.getByRole("listitem").allInnerTexts()).toSorted(),
            [
              ...byHand.map((row) => `${row}: left out by hand`),
              'Line 8, No Address, none: "none" is not a valid email address'
            ].toSorted()
          )
        })
      }),
    timeoutMillis
  )

  it.effect("adds the people who opted out in the file to “Do not contact”, unless the box is cleared", () =>
    Effect.gen(function* () {
      const { key, url } = yield* BrowserTest
      const api = apiClient(url, key)
      const campaign = yield* buildCampaign(api)
      const values = Effect.map(api.send("GET", "/suppressions?q=opted"), ({ body }) =>
        body.data.map(({ reason, value }: any) => [value, reason])
      )
      yield* onBoth(`#/campaigns/${campaign}/write`, async (page, width) => {
        const rows = [
          "Email,Name,Unsubscribed",
          `ida@opted${width}.example,Ida Moreau,`,
          `bo@opted${width}.example,Bo Berg,2026-03-01`,
          `kim@opted${width}.example,Kim Osei,yes`
        ].join("\n")
        const file = { name: `opted ${width}.csv`, mimeType: "text/csv", buffer: Buffer.from(rows) }
        await page.locator("input[type=file]").setInputFiles(file)
        const box = page.getByLabel("Add these 2 people to “Do not contact”")
        await box.waitFor()
        assert.isTrue(await box.isChecked())
        if (width === 1440) await box.uncheck()
        else {
          // Who is written to all the same is not added.
          await page.getByLabel(`Write to this lead: bo@opted${width}.example`).check()
          await page.getByLabel("Add this person to “Do not contact”").waitFor()
        }
        assert.deepStrictEqual(await accessibilityViolations(page), [])
        await press(page, /^Start writing to/)
        await page.getByRole("heading", { level: 1, name: `opted ${width}` }).waitFor()
      })
      assert.deepStrictEqual(yield* values, [
        ["kim@opted390.example", 'Opt-out in opted 390.csv: the column "Unsubscribed" says "yes"']
      ])
      // Where an exported file has the person, the page says so after the start.
      const { visit } = yield* BrowserTest
      const lists = (yield* api.send("GET", "/lists?limit=1")).body.lists
      yield* until(api.send("GET", `/lists/${lists[0].id}`), ({ body }) => body.processing_status === "completed")
      yield* api.send("GET", `/lists/${lists[0].id}/export?format=json&suppressed=exclude`)
      yield* visit({ key, at: `#/campaigns/${campaign}/write` }, async (page) => {
        const buffer = Buffer.from("Email,Opt out\nbo@opted390.example,yes\nnew@opted.example,")
        await page.locator("input[type=file]").setInputFiles({ name: "later.csv", mimeType: "text/csv", buffer })
        await page.getByLabel("Add this person to “Do not contact”").waitFor()
        await press(page, /^Start writing to/)
        await page.getByText(/^Exported files of “.*opted 390.*” have people who opted out: remove them/).waitFor()
      })
      for (const { id } of (yield* api.send("GET", "/suppressions?q=opted")).body.data) {
        yield* api.send("DELETE", `/suppressions/${id}`)
      }
    })
  )

  it.effect("shows all leads that are left out after the addresses are checked again", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const campaign = yield* buildCampaign(apiClient(url, key))
      const rows = [
        "Email,Name,Company,Do not contact",
        "zoe.lind@gmial.com,Zoe Lind,Lind,",
        "tom@mailinator.com,Tom Hill,East,",
        "bo@west.example,Bo Berg,West,yes",
        "kim@north.example,Kim Osei,North,"
      ].join("\n")
      yield* visit({ key, at: `#/campaigns/${campaign}/write` }, async (page) => {
        const file = { name: "checked.csv", mimeType: "text/csv", buffer: Buffer.from(rows) }
        await page.locator("input[type=file]").setInputFiles(file)
        const shows = async (leads: number) => {
          await page.getByRole("option", { name: `Left out (${leads})` }).waitFor({ state: "attached" })
          await page.waitForFunction(
            (leads) => document.querySelectorAll('[aria-label="Leads of the file"] tbody tr').length === leads,
            leads,
            { timeout: 10_000 }
          )
        }
        await page.getByRole("button", { name: "Start writing to 1 lead" }).waitFor()
        await page.getByLabel("Show leads").selectOption("left_out")
        await shows(3)
        await page.getByRole("button", { name: "Use suggestion" }).click()
        await shows(2)
        await page.getByRole("button", { name: "Undo" }).click()
        await shows(3)
      })
    })
  )

  it.effect("says before the start who was written to by which list, and which companies may be known ones", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const api = apiClient(url, key)
      const campaign = yield* buildCampaign(api)
      const before = [{ email: "ida@again.example" }, { email: "jan@again.example" }]
      yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
        leads: before,
        options: { ...options, list_name: "Spring fair" }
      })
      yield* api.send("POST", "/suppressions", { entries: [{ value: "Osei Cocoa", kind: "company" }] })
      const rows = [
        "Email,Name,Company",
        "ida@again.example,Ida Moreau,South",
        "jan@again.example,Jan Nowak,West",
        "kim@cocoa.example,Kim Osei,Osei Cocoa Trading",
        "lee@new.example,Lee Okafor,North"
      ].join("\n")
      yield* visit(
        { key, at: `#/campaigns/${campaign}/write`, viewport: { width: 1280, height: 900 } },
        async (page) => {
          const file = { name: "again.csv", mimeType: "text/csv", buffer: Buffer.from(rows) }
          let answer = () => {}
          const isAnswered = new Promise<void>((resolve) => (answer = resolve))
          await page.route("**/api/v1/lead-files", async (route) => {
            await isAnswered
            await route.continue()
          })
          await page.locator("input[type=file]").setInputFiles(file)
          // Until it is known who is left out, no box says that a lead is written to, and nothing starts.
          await page.getByText("Looking for leads to leave out…").waitFor()
          assert.isTrue(await page.getByLabel("Write to ida@again.example").isDisabled())
          assert.isFalse(await page.getByLabel("Write to ida@again.example").isChecked())
          await page.getByRole("button", { name: /^Start writing/, disabled: true }).waitFor()
          answer()
          const starting = (leads: number) =>
            page.getByRole("button", { name: `Start writing to ${leads} lead` }).waitFor()
          await page.getByText("2 leads were written to before, 2 of them in this campaign:").waitFor()
          await page.getByText("2 leads in “Spring fair”").waitFor()
          // People who were written to before are left out unless it is chosen otherwise.
          assert.isTrue(await page.getByLabel("Leave out: written to in any campaign (2)").isChecked())
          await starting(2)
          // The table shows what will happen, and a lead can be written to all the same.
          const table = page.getByRole("region", { name: "Leads of the file" })
          const boxes = () =>
            table.getByRole("checkbox").evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked))
          assert.deepStrictEqual(await boxes(), [false, false, true, true])
          assert.strictEqual(await table.getByText(/^Left out: .*Spring fair/).count(), 2)
          await page.getByLabel("Write to this lead: ida@again.example").check()
          await starting(3)
          assert.deepStrictEqual(await boxes(), [true, false, true, true])
          await table.getByLabel("Write to ida@again.example").uncheck()
          await starting(2)
          await table.getByLabel("Write to ida@again.example").check()
          await starting(3)
          await page.getByLabel("Write to this lead: ida@again.example").uncheck()
          await starting(2)
          const notice = page.getByText("2 leads were written to before and will be written to again")
          assert.strictEqual(await notice.count(), 0)
          await page.getByLabel("Keep: write to them again (2)").check()
          await starting(4)
          await notice.waitFor()
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await page.getByLabel("Leave out: only of this campaign (2)").check()
          await notice.waitFor({ state: "detached" })
          await starting(2)

          await page.getByText("Osei Cocoa Trading may be osei cocoa, which is on “Do not contact”.").waitFor()
          const counted = page.getByText(
            "1 lead may work at a client, a competitor or a company on “Do not contact”: look at it"
          )
          await counted.waitFor()
          await page.getByLabel("Leave out this lead: kim@cocoa.example").check()
          await starting(1)
          await counted.waitFor({ state: "detached" })
          await page.getByLabel("Leave out this lead: kim@cocoa.example").uncheck()
          await starting(2)
          await press(page, /^Start writing to/)
          await page.getByText("1 lead is written to although the company may be").waitFor()
          await page.getByText("The list marks with “Look at the company”: Kim Osei (Osei Cocoa Trading).").waitFor()
          await page.getByRole("link", { name: "Open the list" }).click()
          await page.getByText(/emails to 2 leads, 2 left out, done/).waitFor()
        }
      )
      const [{ id }] = (yield* api.send("GET", "/suppressions?kind=company")).body.data
      yield* api.send("DELETE", `/suppressions/${id}`)
    })
  )

  it.effect("asks to look only at leads that are written to, and forgets the choices with their file", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const api = apiClient(url, key)
      const campaign = yield* buildCampaign(api)
      const sent = { leads: [{ email: "ida@again.example" }], options: { ...options, list_name: "Again" } }
      const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
      yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
      yield* api.send("POST", "/suppressions", { entries: [{ value: "Adeyemi Cocoa", kind: "company" }] })
      const rows = "Email,Name,Company\nida@again.example,Ida Moreau,Adeyemi Cocoa Exports\n"
      yield* visit({ key, at: `#/campaigns/${campaign}/write` }, async (page) => {
        const file = { name: "Again.csv", mimeType: "text/csv", buffer: Buffer.from(rows) }
        const keep = page.getByLabel("Keep: write to them again (1)")
        const leaveOut = page.getByLabel("Leave out this lead: ida@again.example")
        const isLeftOut = async () => {
          await page.getByText("They are left out unless you choose otherwise.").waitFor()
          assert.isFalse(await keep.isChecked())
          assert.strictEqual(await leaveOut.count(), 0)
        }
        await page.locator("input[type=file]").setInputFiles(file)
        await isLeftOut()
        await keep.check()
        await leaveOut.waitFor()
        await press(page, "Choose a different file")
        await page.locator("input[type=file]").setInputFiles(file)
        await isLeftOut()
        // A reload forgets the file, and so the next one starts without its choices.
        await keep.check()
        await page.reload()
        await page.locator("input[type=file]").setInputFiles(file)
        await isLeftOut()
      })
      const [{ id }] = (yield* api.send("GET", "/suppressions?kind=company")).body.data
      yield* api.send("DELETE", `/suppressions/${id}`)
    })
  )

  it.effect("counts people written to before without those who are left out anyway, and rows that are not sent", () =>
    Effect.gen(function* () {
      const { key, url } = yield* BrowserTest
      const api = apiClient(url, key)
      const campaign = yield* buildCampaign(api)
      const before = [{ email: "ida@twice.example" }, { email: "sam@twice.example" }, { email: "bo@twice.example" }]
      const sent = { leads: before, options: { ...options, list_name: "Twice" } }
      const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
      yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
      const entries = [{ value: "sam@twice.example" }, { value: "Osei Cocoa", kind: "company" }]
      yield* api.send("POST", "/suppressions", { entries })
      const rows = [
        "Email,Name,Company",
        "ida@twice.example,Ida Moreau,South",
        "sam@twice.example,Sam Ortiz,East",
        "bo@twice.example,Bo Berg,Huta Wolbrom",
        "kim@twice.example,Kim Osei,Osei Cocoa Trading",
        "lee@twice.example,Lee Okafor,North",
        "LEE@twice.example,Lee Okafor,North",
        "lee@twice.example,Lee Okafor,North",
        "none,No Address,Nowhere"
      ].join("\n")
      let firstName = ""
      yield* onBoth(`#/campaigns/${campaign}/write`, async (page, width) => {
        const file = { name: "Twice.csv", mimeType: "text/csv", buffer: Buffer.from(rows) }
        await page.locator("input[type=file]").setInputFiles(file)
        // Sam is suppressed and Bo is at a client: neither is written to, whatever is chosen here. Lee was by the first width.
        const again = width === 1440 ? 1 : 2
        const keep = page.getByLabel(`Keep: write to them again (${again})`)
        await page.getByText("They are left out unless you choose otherwise.").waitFor()
        await keep.check()
        await page.getByText("They are written to again.").waitFor()
        await page.getByLabel(`Leave out: written to in any campaign (${again})`).waitFor()
        const leavesOut = page.getByLabel("Leave out this lead: kim@twice.example")
        const decided = `Left out by hand from the list “${firstName}”.`
        if (width === 1440) await leavesOut.check()
        else {
          // The decision of the first upload is still known, and can be taken back.
          await page.getByText(`Kim Osei, Osei Cocoa Trading: ${decided}`).waitFor()
          assert.strictEqual(await leavesOut.count(), 0)
          await page.getByLabel("Write to this lead: kim@twice.example").check()
          await page.getByRole("button", { name: "Start writing to 3 leads" }).waitFor()
          await page.getByLabel("Write to this lead: kim@twice.example").uncheck()
        }
        const name = await page.getByLabel("Name of the list").inputValue()
        assert.match(name, width === 1440 ? /^First, \d+ \w+ \d{4}, Twice$/ : /^First, \d+ \w+ \d{4}, Twice \(2\)$/)
        if (width === 1440) firstName = name
        await page.getByRole("button", { name: "Start writing to 2 leads" }).click()
        await page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
        await page
          .getByText(
            "6 rows of the file left out, at no cost: 1 on “Do not contact”, 2 with the address of a lead above it in the file, 1 at your own company, clients or competitors, 1 by hand, 1 without a usable address."
          )
          .waitFor()
        // The rows stay on the list's page once the note is gone.
        await press(page, "Dismiss")
        await page.reload()
        await page.getByText("4 rows of the file are not in this list").click()
        const omitted = page.getByRole("list", { name: "Rows that are not in this list" }).getByRole("listitem")
        assert.deepStrictEqual(await omitted.allInnerTexts(), [
          `Kim Osei, kim@twice.example: ${width === 1440 ? "left out by hand" : decided}`,
          "Line 7, Lee Okafor, LEE@twice.example: same address as line 6",
          "Line 8, Lee Okafor, lee@twice.example: same address as line 6",
          'Line 9, No Address, none: "none" is not a valid email address'
        ])
        const saving = page.waitForEvent("download")
        await press(page, "Download these rows")
        const saved = await saving
        assert.match(saved.suggestedFilename(), /^rows-not-in-First-.*-Twice.*\.csv$/)
        assert.include(
          readFileSync(await saved.path(), "utf8"),
          "7,LEE@twice.example,Lee Okafor,same address as line 6,false"
        )
      })
      for (const { id } of (yield* api.send("GET", "/suppressions")).body.data) {
        yield* api.send("DELETE", `/suppressions/${id}`)
      }
    })
  )

  it.effect("names what stands for a name and is none, with its column, before the start", () =>
    Effect.gen(function* () {
      const { key, url } = yield* BrowserTest
      const campaign = yield* buildCampaign(apiClient(url, key))
      const rows =
        'Mail,Vorname,Firma\nida@no.example,"=HYPERLINK(""x"")",South\nbo@no.example,Bo,N/A\ncy@no.example,Cy,North\n'
      yield* onBoth(`#/campaigns/${campaign}/write`, async (page, width) => {
        const file = { name: `none ${width}.csv`, mimeType: "text/csv", buffer: Buffer.from(rows) }
        await page.locator("input[type=file]").setInputFiles(file)
        await page.getByText("2 names and companies that no email can use").waitFor()
        await page.getByText("ida@no.example, column Vorname: The name is a formula").waitFor()
        await page.getByText("bo@no.example, column Firma: The company is a placeholder").waitFor()
        assert.deepStrictEqual(await accessibilityViolations(page), [])
      })
    })
  )

  it.effect("does not preview without enough credits, and asks for the columns of the lead file under More", () =>
    Effect.gen(function* () {
      const { data, url, visit } = yield* BrowserTest
      for (const width of [1440, 390]) {
        const { key, workspace } = yield* workspaceIn(
          data,
          "Poor",
          "--profile",
          `${data}/profile.json`,
          "--plan",
          "none"
        )
        yield* commandJson(data, "plan", "set", "--workspace", workspace, "--tier", "growth", "--monthly-credits", "0")
        const grant = (amount: string) =>
          commandJson(data, "credits", "grant", "--workspace", workspace, "--amount", amount, "--note", "Test")
        yield* grant("3")
        const campaign = yield* buildCampaign(apiClient(url, key))
        const preview = { key, at: `#/campaigns/${campaign}/preview`, viewport: { width, height: 900 } }
        const isSound = async (page: Page) => {
          assert.deepStrictEqual(await accessibilityViolations(page), [], `${width}`)
          assert.isAtMost(await horizontalOverflow(page), 0, `${width}`)
        }
        yield* visit(preview, async (page) => {
          await page.getByText("You have 3. 2 credits missing: ask the operator of the server for more.").waitFor()
          const start = page.getByRole("button", { name: "Preview for 5 credits" })
          assert.strictEqual(await start.getAttribute("aria-disabled"), "true")
          await start.click({ force: true })
          await page.getByLabel("Text of the signature").press("Tab")
          assert.strictEqual(await page.getByRole("alert").count(), 0, "nothing was sent")
          await isSound(page)
        })
        yield* grant("2")
        yield* visit(preview, async (page) => {
          await page.getByText("You have 5.", { exact: true }).waitFor()
          const columns = page.getByLabel("Columns of your lead file")
          assert.isFalse(await columns.isVisible())
          await page.getByText("More to say").click()
          await columns.fill("")
          await page.getByText("More to say").click()
          await columns.waitFor({ state: "hidden" })
          // A refused field is in sight.
          await press(page, "Preview for 5 credits")
          await columns.waitFor()
          await page.getByText(/must hold at least one header/).waitFor()
          await isSound(page)
          await columns.fill("Email, Company")
          await press(page, "Preview for 5 credits")
          await page.getByRole("heading", { name: "Next step" }).waitFor()
        })
      }
    })
  )

  it.effect("does not start without enough credits, and says what is missing", () =>
    Effect.gen(function* () {
      const { data, key, url, workspace } = yield* BrowserTest
      const campaign = yield* buildCampaign(apiClient(url, key))
      yield* commandJson(data, "plan", "set", "--workspace", workspace, "--tier", "growth")
      const rows = Array.from({ length: 6000 }, (_, n) => `ann${n}@quarry${n}.example`).join("\n")
      const file = { name: "big.csv", mimeType: "text/csv", buffer: Buffer.from(`Email\n${rows}\n`) }
      yield* onBoth(`#/campaigns/${campaign}/write`, async (page) => {
        await page.locator("input[type=file]").setInputFiles(file)
        await page.getByText(/credits missing: leave out leads, or ask the operator/).waitFor()
        const start = page.getByRole("button", { name: "Start writing to 6,000 leads" })
        assert.strictEqual(await start.getAttribute("aria-disabled"), "true")
        const box = await start.boundingBox()
        assert.isAtMost((box?.y ?? 9999) + (box?.height ?? 0), 900, "the cost is in sight at the end of the window")
        await press(page, "Choose a different file")
      })
    })
  )
})
