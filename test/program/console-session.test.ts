// test/program/console-session.test.ts: what a person keeps in the console: the session in every tab, typed work, paid previews, and
// the page itself while the server does not answer.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import {
  waitForShortcut,
  waitUntilTrue,
  choose,
  horizontalOverflow,
  BrowserTest,
  unfold,
  accessibilityViolations
} from "../support/browser.ts"
import { commandJson } from "../support/command.ts"
import { options } from "../support/program-workspace.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"

/** Setting up may install a browser. */
const timeoutMillis = 600_000

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()
const storedIn = (page: Page): Promise<number> => page.evaluate("sessionStorage.length + localStorage.length")

const signIn = async (page: Page, key: string) => {
  await page.getByLabel("API key").fill(key)
  await press(page, "Sign in")
}

/** Leaves by a link, answers the question that comes, and returns its words. */
const leave = async (page: Page, link: string, answer: "accept" | "dismiss") => {
  const asked: Array<string> = []
  page.once("dialog", (dialog) => {
    asked.push(dialog.message())
    void dialog[answer]()
  })
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: link }).click()
  await page.waitForTimeout(300)
  page.removeAllListeners("dialog")
  return asked
}

/** Asserts that the page asks before it is left, and stays. */
const assertAsksBeforeLeaving = async (page: Page, about: string, held = "1 change not saved.") => {
  const at = page.url()
  assert.deepStrictEqual(await leave(page, "Overview", "dismiss"), [`${held} Leave the page?`], about)
  assert.strictEqual(page.url(), at, about)
}

/** Asserts that the page is left without a question, and has what was typed again on return. */
const assertKeepsDraft = async (page: Page, typed: () => Promise<void>, about: string) => {
  assert.deepStrictEqual(await leave(page, "Overview", "dismiss"), [], about)
  await heading(page, "Kestrel Pumps")
  await page.goBack()
  await typed()
}

const typedBefore = (page: Page) =>
  page.getByText("Not saved yet: what you entered on this page earlier is here again.")

/** Tries to close the tab and to sign out, dismisses both dialogs, and returns their texts. */
const questionsBeforeLoss = async (page: Page) => {
  const asked: Array<string> = []
  page.on("dialog", (dialog) => {
    asked.push(dialog.type() === "beforeunload" ? dialog.type() : dialog.message())
    void dialog.dismiss()
  })
  const isAsked = await page.evaluate(
    "(() => { const leaving = new Event('beforeunload', { cancelable: true }); dispatchEvent(leaving); return leaving.defaultPrevented })()"
  )
  // Without anything to ask about, the button would sign out.
  if (isAsked === true) {
    await press(page, "Sign out")
    await page.waitForTimeout(300)
    asked.push("beforeunload")
  }
  page.removeAllListeners("dialog")
  return asked
}

const batch = Effect.fnUntraced(function* (api: ReturnType<typeof apiClient>, campaign: string, name: string) {
  const leads = [{ email: "ida@dots.example", name: "Ida Moreau", title: "Head of Logistics", company: "Dots B.V." }]
  const sent = { leads, options: { ...options, list_name: name } }
  const list: string = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body.list_id
  yield* until(api.send("GET", `/lists/${list}`), ({ body }) => body.processing_status === "completed")
  return list
})

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })("a session", (it) => {
  it.effect("with a key that only reads shows what there is, one notice, and no way to change it", () =>
    Effect.gen(function* () {
      const { data, key, url, visit, workspace } = yield* BrowserTest
      const api = apiClient(url, key)
      const campaign = yield* buildCampaign(api)
      const list = yield* batch(api, campaign, "Read only")
      const reader: { readonly key: string } = yield* commandJson(
        data,
        "key",
        "create",
        "--workspace",
        workspace,
        "--scopes",
        "campaigns:read,lists:read,workspace:read,signatures:read,agent:read"
      )
      /** What there must be no button or link of. */
      const writeActionNames =
        /^(Approve|Reject|Reopen|Edit|Rewrite|Send|Review several|Approve several|New list|New campaign|Write to|Start the campaign|Rebuild|Regenerate|Add|Delete|Change|Ask a question|Create the key|Resume|Try again|More actions)/
      for (const width of [1280, 390]) {
        yield* visit({ key: reader.key, viewport: { width, height: 800 } }, async (page) => {
          for (const [at, expectedText] of [
            ["", "Lists"],
            ["lists", "Read only"],
            [`lists/${list}`, "Ida Moreau"],
            [`lists/${list}/1`, "Findings"],
            ["campaigns", "All campaigns"],
            [`campaigns/${campaign}`, "Choices"],
            ["suppressions", "No entries yet"],
            ["conversations", "No questions yet"],
            ["keys", "Sessions"]
          ] as const) {
            await page.goto(`${url}/#/${at}`)
            await page.getByRole("main").getByText(expectedText).first().waitFor()
            await page.getByText("You may only read here.").waitFor()
            assert.strictEqual(await page.getByText("You may only read here.").count(), 1, at)
            await page.waitForTimeout(300)
            for (const role of ["button", "link"] as const) {
              const found = await page.getByRole("main").getByRole(role, { name: writeActionNames }).allInnerTexts()
              // Tabs of a page and questions to try only lead somewhere.
              assert.deepStrictEqual(found, [], `${role} at ${at}`)
            }
            assert.deepStrictEqual(await accessibilityViolations(page), [], at)
            assert.isAtMost(await horizontalOverflow(page), 0, at)
          }
          // Forms are shown with what is in them, and cannot be changed.
          await page.goto(`${url}/#/workspace`)
          await unfold(page, "Company")
          assert.isTrue(await page.getByLabel("Name of the company", { exact: true }).isDisabled())
          assert.strictEqual(
            await page.getByLabel("Name of the company", { exact: true }).inputValue(),
            "Kestrel Pumps"
          )
          await page.goto(`${url}/#/campaigns/${campaign}/build/social_proof`)
          await page.getByRole("button", { name: "Save and continue" }).waitFor()
          assert.isTrue(await page.getByRole("button", { name: "Save and continue" }).isDisabled())
          await page.goto(`${url}/#/campaigns/${campaign}/build/emails`)
          assert.strictEqual(
            await page.getByRole("textbox", { name: "Body" }).first().getAttribute("contenteditable"),
            "false"
          )
          // Trying the templates changes nothing and is free.
          const preview = page.getByRole("complementary", { name: "Preview" })
          await preview.getByLabel("Company").fill("Quarry of the North")
          await preview.locator(".email").getByText("Quarry of the North").first().waitFor()
          // The keys decide about nothing either.
          await page.goto(`${url}/#/lists/${list}/1`)
          await heading(page, "Ida Moreau")
          await waitForShortcut(page, "?")
          await page.keyboard.press("a")
          await page.waitForTimeout(300)
        })
      }
      const { data: all } = (yield* api.send("GET", `/lists/${list}/leads`)).body
      assert.strictEqual(all[0].review.status, "open")
      yield* visit({ key, at: `#/lists/${list}` }, async (page) => {
        await page.getByRole("button", { name: "Approve Ida Moreau" }).waitFor()
        assert.strictEqual(await page.getByText("You may only read here.").count(), 0)
      })
    })
  )

  it.effect("is shared by the tabs of a browser, ends in all of them, and shows no script its cookie", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const campaign = yield* buildCampaign(apiClient(url, key))
      const list = yield* batch(apiClient(url, key), campaign, "Tabs")
      yield* visit({ at: `#/lists/${list}` }, async (page) => {
        // A deep link leads to its page once the person has signed in.
        await heading(page, "Sign in to Overture")
        await signIn(page, key)
        await heading(page, "Tabs")

        const opening = page.context().waitForEvent("page")
        await page.getByRole("link", { name: "Ida Moreau" }).click({ modifiers: ["Control"] })
        const lead = await opening
        await heading(lead, "Ida Moreau")
        const bookmark = await page.context().newPage()
        await bookmark.goto(`${url}/#/campaigns/${campaign}`)
        await bookmark.getByText("Ready to write").waitFor()
        assert.strictEqual(await page.evaluate("document.cookie + localStorage.length"), "0")

        await press(bookmark, "Sign out")
        await heading(bookmark, "Sign in to Overture")
        for (const other of [page, lead]) {
          await other.getByText("You signed out in another tab.").waitFor()
          assert.strictEqual(await storedIn(other), 0)
        }
        const later = await page.context().newPage()
        await later.goto(`${url}/#/lists`)
        await heading(later, "Sign in to Overture")
        assert.strictEqual(await storedIn(later), 0)
        // Who signs in again does so in every tab, each at the page that was asked for.
        await signIn(later, key)
        await heading(later, "Lists")
        await heading(page, "Kestrel Pumps")
      })
    })
  )

  it.effect("to another workspace is one for all tabs, and what was typed for the first is not kept", () =>
    Effect.gen(function* () {
      const { data, key, visit, url } = yield* BrowserTest
      const { id } = yield* commandJson(data, "workspace", "create", "--name", "Harbour Cranes")
      const other = yield* commandJson(data, "key", "create", "--workspace", id)
      yield* visit({ key, at: "#/workspace" }, async (page) => {
        await unfold(page, "Company")
        await page.getByLabel("Industry").fill("Slurry pumps, mostly")
        const link = await page.context().newPage()
        await link.goto(`${url}/#/sign-in/none`)
        // A second sign-in of the same browser, as by a link.
        const answer = await link.evaluate(
          (key) =>
            fetch("/api/v1/session", {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ key })
            }).then(async (response) => {
              const who: unknown = await response.json()
              new BroadcastChannel("overture").postMessage({ _tag: "SignedIn", who })
              return response.status
            }),
          other.key
        )
        assert.strictEqual(answer, 201)
        await unfold(page, "Company")
        await waitUntilTrue(page, "sessionStorage.length === 0")
        await page.reload()
        await unfold(page, "Company")
        assert.strictEqual(await page.getByLabel("Industry").inputValue(), "")
      })
    })
  )

  it.effect("is not ended by one tab without a question about what another has unsaved", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      yield* visit({ at: "#/workspace" }, async (page) => {
        await signIn(page, key)
        await unfold(page, "Company")
        await page.getByLabel("Industry").fill("Slurry pumps, mostly")
        const other = await page.context().newPage()
        await other.goto(`${url}/#/lists`)
        await heading(other, "Lists")
        const asked: Array<string> = []
        other.on("dialog", (dialog) => {
          asked.push(dialog.message())
          void dialog.dismiss()
        })
        await press(other, "Sign out")
        await other.waitForTimeout(800)
        assert.deepStrictEqual(asked, ["Another tab has changes that are not saved. Sign out?"])
        await heading(other, "Lists")
        assert.strictEqual(await page.getByLabel("Industry").inputValue(), "Slurry pumps, mostly")
      })
    })
  )
})

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })("unsaved work", (it) => {
  it.effect(
    "is there again on return, in every form, and is asked about before it is lost",
    () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        const api = apiClient(url, key)
        const campaign = yield* buildCampaign(api)
        const draft = (yield* api.send("POST", "/campaigns", { name: "Draft" })).body.id
        yield* api.send("POST", "/signatures", { signature_text: "Piotr" })
        yield* batch(api, campaign, "Forms")
        const forms: ReadonlyArray<readonly [at: string, label: string, open?: (page: Page) => Promise<unknown>]> = [
          ["workspace", "Industry", (page) => unfold(page, "Company")],
          ["workspace", "Address of your site"],
          ["workspace", "A new signature"],
          ["workspace", "Text of Piotr", (page) => press(page, "Edit Piotr")],
          [
            "campaigns",
            "Name of the new campaign",
            // A name that is typed already is shown without the button.
            (page) =>
              page
                .getByRole("button", { name: "New campaign" })
                .or(page.getByLabel("Name of the new campaign"))
                .first()
                .click()
          ],
          [
            `campaigns/${draft}/build/audience`,
            "Name of the segment",
            (page) => page.getByLabel("Add your own").check()
          ],
          [`campaigns/${campaign}/build/social_proof`, "Anything else the writer should know"],
          [
            `campaigns/${campaign}/preview`,
            "Columns of your lead file",
            async (page) => {
              const more = page.locator("details.more")
              await more.waitFor()
              if ((await more.getAttribute("open")) === null) await more.locator("summary").click()
            }
          ],
          [`campaigns/${campaign}/write`, "Rows, the first", (page) => page.getByText("Paste rows instead").click()],
          [`conversations/new/${campaign}`, "Your question"]
        ]
        yield* visit({ key }, async (page) => {
          for (const [at, label, open] of forms) {
            await page.goto(`${url}/#/${at}`)
            await open?.(page)
            const field = page.getByLabel(label, { exact: label !== "Rows, the first" })
            const saved = await field.inputValue()
            await field.fill(`Typed into ${label}`)
            const isTyped = async () => {
              await open?.(page)
              assert.strictEqual(await field.inputValue(), `Typed into ${label}`, at)
            }
            assert.strictEqual(await typedBefore(page).count(), 0, at)
            await assertKeepsDraft(page, isTyped, `${at}, ${label}`)
            await typedBefore(page).waitFor()
            await page.reload()
            await isTyped()
            await typedBefore(page).waitFor()
            // Closing the tab and signing out lose it, so both ask, on other pages too.
            await page.goto(`${url}/#/`)
            await heading(page, "Kestrel Pumps")
            assert.deepStrictEqual(
              await questionsBeforeLoss(page),
              ["1 change not saved. Sign out?", "beforeunload"],
              at
            )
            await page.goto(`${url}/#/${at}`)
            await isTyped()
            await field.fill(saved)
            assert.lengthOf(await leave(page, "Overview", "accept"), 0)
            await heading(page, "Kestrel Pumps")
            // That an own segment is chosen is a change too.
            assert.lengthOf(await questionsBeforeLoss(page), at.endsWith("/audience") ? 2 : 0, at)
            await page.evaluate(
              "Object.keys(sessionStorage).filter((name) => name.startsWith('overture.draft')).forEach((name) => sessionStorage.removeItem(name))"
            )
            await page.reload()
          }
        })
      }),
    timeoutMillis
  )

  it.effect(
    "such as a chosen document or a name in a dialog is asked about, and a lead file or an option is kept",
    () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        const campaign = yield* buildCampaign(apiClient(url, key))
        yield* visit({ key }, async (page) => {
          await page.goto(`${url}/#/workspace`)
          const buffer = Buffer.from("We mend pumps.")
          await page
            .getByLabel("Document", { exact: true })
            .setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer })
          await assertAsksBeforeLeaving(page, "a document")
          await leave(page, "Overview", "accept")

          await page.goto(`${url}/#/campaigns/${campaign}/write`)
          const leads = Buffer.from("Firm;Mail\nNorth;ida@north.example\n")
          await page
            .locator("input[type=file]")
            .setInputFiles({ name: "fair.csv", mimeType: "text/csv", buffer: leads })
          await page.getByLabel("Company", { exact: true }).selectOption("Firm")
          const isMapped = async () => {
            assert.strictEqual(await page.getByLabel("Company", { exact: true }).inputValue(), "Firm")
            const name = await page.getByLabel("Name of the list").inputValue()
            assert.match(name, /^First, \d+ \w+ \d{4}, fair$/)
          }
          await assertKeepsDraft(page, isMapped, "a lead file")
          await page.getByLabel("Name of the list").fill("Hall 3")
          await assertKeepsDraft(
            page,
            async () => assert.strictEqual(await page.getByLabel("Name of the list").inputValue(), "Hall 3"),
            "a lead file and a name"
          )
          const both = "1 change not saved. The leads of “fair.csv” are not written to yet. Sign out?"
          assert.deepStrictEqual(await questionsBeforeLoss(page), [both, "beforeunload"])
          await press(page, "Choose a different file")
          assert.deepStrictEqual(await leave(page, "Overview", "dismiss"), [])

          await page.goto(`${url}/#/campaigns/${campaign}/build/social_proof`)
          const box = page.getByRole("checkbox").first()
          const before = await box.isChecked()
          await box.setChecked(!before)
          await assertKeepsDraft(page, async () => assert.strictEqual(await box.isChecked(), !before), "an option")
          await box.setChecked(before)
          assert.deepStrictEqual(await questionsBeforeLoss(page), [])
          await page.goto(`${url}/#/campaigns/${campaign}`)
          await choose(page, "Rename")
          const name = page.getByLabel("Name of the campaign")
          const asked = new Promise<string>((resolve) =>
            page.once("dialog", (dialog) => {
              resolve(dialog.message())
              void dialog.dismiss()
            })
          )
          // The question also comes before the page was painted with what was typed.
          await name.evaluate(async (field: HTMLInputElement) => {
            field.value = "Renamed"
            field.dispatchEvent(new InputEvent("input", { bubbles: true }))
            for (let turn = 0; turn < 50; turn++) await undefined
            field.ownerDocument.location.hash = "#/lists"
          })
          assert.strictEqual(await asked, "1 change not saved. Leave the page?")
        })
      })
  )

  it.effect("stays when an import fills in other fields, and is no longer asked about once it is saved", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const industry = (yield* apiClient(url, key).send("GET", "/workspace")).body.details.industry_vertical
      yield* visit({ key, at: "#/workspace" }, async (page) => {
        await unfold(page, "Goal")
        await page.getByLabel("Goal of the emails").fill("Ten meetings")
        const buffer = Buffer.from("Telephone: +48 32 555 01 90\nCompetitors: Weir, Metso\n")
        await page
          .getByLabel("Document", { exact: true })
          .setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer })
        await press(page, "Read the document")
        await page.getByText(/^The document was read/).waitFor()
        assert.strictEqual(await page.getByLabel("Goal of the emails").inputValue(), "Ten meetings")
        await press(page, "Save 1 field")
        await page.getByRole("button", { name: "Nothing to save" }).waitFor()
        assert.strictEqual(await page.getByLabel("Industry").inputValue(), industry ?? "")
        assert.deepStrictEqual(await leave(page, "Lists", "dismiss"), [])
        await heading(page, "Lists")
      })
    })
  )
})

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })("a preview", (it) => {
  it.effect("that was paid for has an address of its own, and is listed among the earlier ones", () =>
    Effect.gen(function* () {
      const { key, url, visit } = yield* BrowserTest
      const campaign = yield* buildCampaign(apiClient(url, key))
      yield* visit({ key, at: `#/campaigns/${campaign}/preview` }, async (page) => {
        await page.getByText("None yet.").waitFor()
        await page.getByLabel("Two").check()
        await press(page, "Preview for 5 credits")
        await page.getByRole("heading", { name: "Sample leads" }).waitFor()
        const at = page.url()
        assert.match(at, /preview\/[0-9a-f-]{36}$/)
        const subject = await page.locator(".subject").first().innerText()
        await page.getByRole("link", { name: "Edit the templates" }).click()
        await heading(page, "Templates")
        await page.goBack()
        await page.getByText(subject, { exact: true }).first().waitFor()
        await page.reload()
        await page.getByText(subject, { exact: true }).first().waitFor()
        assert.strictEqual(page.url(), at)
        await page.getByRole("link", { name: "New preview" }).click()
        await page.getByText("2 emails to each lead, 5 credits").waitFor()
        assert.isTrue(await page.getByLabel("Two").isChecked(), "the same settings, to try once more")
        await page.getByRole("list").filter({ hasText: "2 emails to each lead" }).getByRole("link").click()
        await page.getByText(subject, { exact: true }).first().waitFor()
        await page.goto(`${url}/#/campaigns/${campaign}/preview/01890000-0000-7000-8000-000000000000`)
        await page.getByRole("alert").getByText("There is no such thing here").waitFor()
      })
      const { body } = yield* apiClient(url, key).send("GET", `/campaigns/${campaign}/previews`)
      assert.strictEqual(body.total, 1)
    })
  )
})

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })(
  "while the server does not answer",
  (it) => {
    it.effect("the page stays, says that it reconnects, and recovers by itself", () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        const campaign = yield* buildCampaign(apiClient(url, key))
        yield* visit({ key, at: "#/workspace", offline: true }, async (page) => {
          await unfold(page, "Goal")
          await page.getByLabel("Goal of the emails").fill("Ten meetings")
          await page.context().setOffline(true)
          await press(page, "Save 1 field")
          await page.getByText("Reconnecting…").waitFor()
          await page.getByRole("alert").getByText("What you typed is kept: try again.").waitFor()
          assert.strictEqual(await page.getByLabel("Goal of the emails").inputValue(), "Ten meetings")
          await page.context().setOffline(false)
          await page.getByText("Reconnecting…").waitFor({ state: "detached" })
          await press(page, "Save 1 field")
          await page.getByRole("button", { name: "Nothing to save" }).waitFor()

          // A page that is opened meanwhile comes once the server is back.
          await page.context().setOffline(true)
          await page.getByRole("link", { name: "Lists" }).click()
          await page.getByText("Reconnecting…").waitFor()
          for (const [colorScheme, width] of [
            ["light", 390],
            ["dark", 390],
            ["light", 1280],
            ["dark", 1280]
          ] as const) {
            await page.emulateMedia({ colorScheme })
            await page.setViewportSize({ width, height: 800 })
            assert.deepStrictEqual(await accessibilityViolations(page), [], `${colorScheme} ${width}`)
            assert.isAtMost(await horizontalOverflow(page), 0)
          }
          await page.context().setOffline(false)
          await page.getByText("No list yet").waitFor()
          assert.strictEqual(await page.getByRole("alert").count(), 0)
        })
        yield* visit({ key, at: `#/campaigns/${campaign}` }, async (page) => {
          // What is asked for again and again stays as it was.
          await page.getByText("Ready to write").waitFor()
          await page.route("**/api/v1/**", (route) =>
            route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" })
          )
          await choose(page, "Rename")
          await page.getByLabel("Name of the campaign").fill("Renamed")
          await press(page, "Save the name")
          await page.getByText("Reconnecting…").waitFor()
          await page.getByRole("alert").getByText("No answer").waitFor()
          await page.unroute("**/api/v1/**")
          await page.getByText("Reconnecting…").waitFor({ state: "detached" })
          await press(page, "Save the name")
          await heading(page, "Renamed")
        })
      })
    )

    it.effect("a list that is watched stays on the page and is followed again", () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        const api = apiClient(url, key)
        const list = yield* batch(api, yield* buildCampaign(api), "Watched")
        yield* visit({ key, at: `#/lists/${list}`, offline: true }, async (page) => {
          await page.getByRole("link", { name: "Ida Moreau" }).waitFor()
          await page.context().setOffline(true)
          await page.getByLabel("Failed").check()
          await page.getByText("Reconnecting…").waitFor()
          await heading(page, "Watched")
          await page.context().setOffline(false)
          await page.getByText("No lead is like that.").waitFor()
          await page.getByText("Reconnecting…").waitFor({ state: "detached" })
        })
      })
    )
  }
)

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })(
  "the words and forms of the console",
  (it) => {
    it.effect("name fields as the page does, and end sentences once", () =>
      Effect.gen(function* () {
        const { data, key, url, visit } = yield* BrowserTest
        const api = apiClient(url, key)
        const list = yield* batch(api, yield* buildCampaign(api), "Words")
        yield* api.send("PUT", "/workspace/details", { competitors: null, unique_differentiators: null })
        yield* visit({ key, at: "#/workspace" }, async (page) => {
          const give = async (name: string, text: string) => {
            const buffer = Buffer.from(text)
            const field = page.getByLabel("Document", { exact: true })
            await field.setInputFiles({ name, mimeType: "text/plain", buffer })
            await press(page, "Read the document")
          }
          await give("note.txt", "Competitors: Weir, Metso\n\nWhy us: Our pumps last twice as long.\n")
          await page.getByText("The document was read, and empty fields were filled from it.").waitFor()
          const filled = page.getByRole("region", { name: "Filled, and where it was read" })
          const names = await filled.getByRole("term").allInnerTexts()
          assert.sameMembers(names, ["Competitors", "What sets you apart"])
          assert.notMatch(await filled.innerText(), /differentiators|_/)
          await give("empty.txt", "")
          await page.getByText("“Document” is empty.").waitFor()
          await give("brochure.pdf", "not a PDF")
          await page.getByText("“Document” is named .pdf but is something else.").waitFor()
          assert.strictEqual(await page.getByText(/\bfile: /).count(), 0)
        })
        const bare = yield* commandJson(data, "workspace", "create", "--name", "Bare")
        const fresh = yield* commandJson(data, "key", "create", "--workspace", bare.id)
        yield* visit({ key: fresh.key, at: "#/campaigns" }, async (page) => {
          await page.getByLabel("Name of the new campaign").fill("Too early")
          await press(page, "Start the campaign")
          await page.getByText("Missing: Company summary, The documents of the workspace, Segments.").waitFor()
        })
        yield* visit({ key, at: `#/lists/${list}/1` }, async (page) => {
          await page.getByText("Head of Logistics, Dots B.V. ida@dots.example").waitFor()
          assert.strictEqual(await page.locator(".score").count(), 0)
          await page.route(/\/leads\/[^/]+$/, async (route) => {
            const response = await route.fetch()
            const lead = await response.json()
            const facts = [
              ["Dots runs three depots in Breda.", "https://dots.example/about-us", "2026-07-14T09:30:00.000Z"],
              // An earlier version kept such statements.
              ["Offers transport", "https://dots.example/", "2025-07-14T09:30:00.000Z"]
            ]
            lead.research = facts.map(([statement, source_url, found_at]) => ({ statement, source_url, found_at }))
            await route.fulfill({ response, json: lead })
          })
          await page.reload()
          const fact = page.getByRole("listitem").filter({ hasText: "Dots runs three depots in Breda." })
          const link = fact.getByRole("link", { name: "dots.example/about-us" })
          assert.strictEqual(await link.getAttribute("href"), "https://dots.example/about-us")
          assert.strictEqual(await fact.locator("time").getAttribute("datetime"), "2026-07-14T09:30:00.000Z")
          await page.getByText("Offers transport").waitFor()
        })
        yield* visit({ key, at: `#/lists/${list}` }, async (page) => {
          await page.getByRole("columnheader", { name: "Findings" }).waitFor()
          await page.getByText("nothing checks whether a lead fits your audience").waitFor()
        })
      })
    )

    it.effect("hide lists of one lead that were made over the API, unless they are asked for", () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        const api = apiClient(url, key)
        const campaign = yield* buildCampaign(api)
        const lead = { email: "solo@one.example", name: "Solo Single", title: "Plant Director", company: "One Ltd" }
        yield* api.send("POST", `/campaigns/${campaign}/generate`, { lead, options })
        yield* batch(api, campaign, "A file of leads")
        yield* visit({ key, at: "#/lists" }, async (page) => {
          await page.getByRole("link", { name: "A file of leads", exact: true }).waitFor()
          assert.strictEqual(await page.getByRole("link", { name: "Solo Single" }).count(), 0)
          await page.getByLabel("Show single leads").check()
          await page.getByRole("link", { name: "Solo Single" }).waitFor()
          await page.getByRole("link", { name: "Overview" }).click()
          // The page of lists has both links, and is there until the overview is.
          await page.getByRole("link", { name: "Solo Single" }).waitFor({ state: "detached" })
          await page.getByRole("link", { name: "A file of leads", exact: true }).waitFor()
        })
      })
    )

    it.effect("find a person by address in all lists, and say which lists have it or that none has", () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        const api = apiClient(url, key)
        const campaign = yield* buildCampaign(api)
        const leads = [{ email: "ida.found@north.example", name: "Ida Found", company: "North Quarry" }]
        const lists: Array<string> = []
        for (const list_name of ["First fair", "Second fair"]) {
          const sent = { leads, options: { ...options, list_name } }
          const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
          yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
          lists.push(list_id)
        }
        yield* api.send("GET", `/lists/${lists[0]}/export?format=json&columns=all`)
        for (const width of [1280, 390]) {
          yield* visit({ key, at: "#/lists", viewport: { width, height: 800 } }, async (page) => {
            const assertAccessible = async (what: string) => {
              assert.deepStrictEqual(await accessibilityViolations(page), [], `${what} ${width}`)
              assert.isAtMost(await horizontalOverflow(page), 0, `${what} ${width}`)
            }
            const field = page.getByLabel("Email address")
            const find = async (email: string) => {
              await field.fill(email)
              await field.press("Enter")
            }
            await find("ida.found")
            await page.getByText("Type the whole email address; names cannot be searched.").waitFor()
            assert.strictEqual(await field.getAttribute("aria-invalid"), "true")
            await assertAccessible("an invalid address")
            await find("ida@south.example")
            const status = page.getByRole("region", { name: "Find a person" }).getByRole("status")
            await status.getByText("No list has ida@south.example.").waitFor()
            assert.isNull(await field.getAttribute("aria-invalid"))
            await assertAccessible("an address that no list has")
            await find(" Ida.Found@North.example ")
            await status.getByText("2 leads have Ida.Found@North.example, newest list first.").waitFor()
            const links = page.getByRole("region", { name: "Find a person" }).getByRole("link")
            assert.deepStrictEqual(await links.allInnerTexts(), ["Ida Found: Second fair", "Ida Found: First fair"])
            assert.strictEqual(await page.getByText("In no file").count(), 1)
            assert.strictEqual(await page.getByText("In the file of").count(), 1)
            await assertAccessible("two leads")
            await links.last().click()
            await page.getByRole("heading", { level: 1, name: "Ida Found" }).waitFor()
            assert.strictEqual(new URL(page.url()).hash, `#/lists/${lists[0]}/1`)
          })
        }
      })
    )

    it.effect("find a person who is suppressed, or whose row was left out of a list, and say so", () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        const api = apiClient(url, key)
        const campaign = yield* buildCampaign(api)
        const omitted_rows = [{ line: 7, email: "darren@west.example", name: "Darren", reason: "Opt-out" }]
        const leads = [{ email: "eva.sought@west.example", name: "Eva Sought" }]
        const sent = { leads, options: { ...options, list_name: "Third fair", omitted_rows } }
        const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
        yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
        const approved = yield* api.send("POST", `/lists/${list_id}/review`, {
          status: "approved",
          where: { filter: {} }
        })
        assert.strictEqual(approved.body.changed, 1)
        const entries = [
          { value: "eva.sought@west.example", reason: "Asked by telephone" },
          { value: "darren@west.example", reason: "Opt-out in fair.csv" }
        ]
        yield* api.send("POST", "/suppressions", { entries })
        yield* visit({ key, at: "#/lists" }, async (page) => {
          const found = page.getByRole("region", { name: "Find a person" })
          const find = async (email: string) => {
            await page.getByLabel("Email address").fill(email)
            await page.getByLabel("Email address").press("Enter")
          }
          await find("eva.sought@west.example")
          await found.getByText(/^On “Do not contact” since .+: Asked by telephone\.$/).waitFor()
          const row = found.getByRole("listitem")
          assert.match(await row.innerText(), /Do not contact/)
          assert.notMatch(await row.innerText(), /Approved/)
          assert.include(await row.innerText(), "is on “Do not contact” (Asked by telephone).")
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await find("darren@west.example")
          await found.getByText(/^On “Do not contact” since .+: Opt-out in fair\.csv\.$/).waitFor()
          await found.getByText("Left out of the list Third fair, row 7: Opt-out.").waitFor()
          assert.strictEqual(await found.getByText("Check the spelling").count(), 0)
          await found.getByRole("link", { name: "Third fair" }).click()
          await page.getByRole("heading", { level: 1, name: "Third fair" }).waitFor()
        })
      })
    )

    it.effect("open one dialog at a time, which Escape closes and which gives the focus back", () =>
      Effect.gen(function* () {
        const { key, url, visit } = yield* BrowserTest
        const campaign = yield* buildCampaign(apiClient(url, key))
        yield* visit({ key, at: `#/campaigns/${campaign}` }, async (page) => {
          for (const name of ["Rename", "Copy", "Delete the campaign"]) {
            await choose(page, name)
            await page.getByRole("dialog").waitFor()
            for (const width of [1280, 390]) {
              await page.setViewportSize({ width, height: 800 })
              assert.deepStrictEqual(await accessibilityViolations(page), [], `${name} ${width}`)
              assert.isAtMost(await horizontalOverflow(page), 0)
            }
            await page.keyboard.press("Tab")
            await waitUntilTrue(
              page,
              "document.activeElement.closest('dialog') !== null || document.activeElement.tagName === 'BODY'"
            )
            assert.strictEqual(await page.locator("dialog[open]").count(), 1)
            await page.keyboard.press("Escape")
            await page.getByRole("dialog").waitFor({ state: "detached" })
            await waitUntilTrue(page, "document.activeElement.textContent === 'More actions'")
          }
        })
      })
    )

    it.effect("fit a telephone: one line of navigation, and space between a button and the next field", () =>
      Effect.gen(function* () {
        const { key, visit } = yield* BrowserTest
        for (const colorScheme of ["light", "dark"] as const) {
          yield* visit({ key, at: "#/workspace", colorScheme, viewport: { width: 390, height: 800 } }, async (page) => {
            const links = page.getByRole("navigation", { name: "Console" }).getByRole("link")
            await page.getByLabel("Document", { exact: true }).waitFor()
            const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top))
            assert.lengthOf(new Set(tops), 1)
            const button = await page.getByRole("button", { name: "Read the site" }).boundingBox()
            const label = await page.getByText("Document", { exact: true }).boundingBox()
            assert.isAtLeast((label?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0), 16)
            const hint = await page.getByText(/^Such as a brochure/).boundingBox()
            const field = await page.getByLabel("Document", { exact: true }).boundingBox()
            assert.isBelow(hint?.y ?? 0, field?.y ?? 0, "its hint is above, as all are")
            assert.deepStrictEqual(await accessibilityViolations(page), [])
            assert.isAtMost(await horizontalOverflow(page), 0)
          })
        }
      })
    )
  }
)
