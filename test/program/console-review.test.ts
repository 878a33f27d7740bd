// test/program/console-review.test.ts: the review of a list in a real browser: emails edited, compared and restored, leads
// decided about one by one and by rule, ten thousand of them scrolled through, and what was approved exported.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { Locator, Page } from "playwright-core"
import type { ReviewedLead } from "#schema/Review.ts"
import {
  waitForShortcut,
  waitUntilTrue,
  horizontalOverflow,
  pressKey,
  BrowserTest,
  accessibilityViolations
} from "../support/browser.ts"
import { commandJson } from "../support/command.ts"
import { namedLeads, options } from "../support/program-workspace.ts"
import { until } from "../support/until.ts"
import { sendRequest, buildCampaign, type ApiClient, apiClient } from "../support/api-client.ts"

/** Setting up may install a browser. */
const timeoutMillis = 600_000
const widths = [1280, 390] as const

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()
const press = (within: Page | Locator, name: string) => within.getByRole("button", { name, exact: true }).click()
const card = (page: Page, step: number) => page.locator(`.email[data-step="${step}"]`)
const row = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) })

/** What axe finds, and whether something is wider than the window. */
const sound = async (page: Page, what: string) => {
  assert.deepStrictEqual(await accessibilityViolations(page), [], what)
  assert.isAtMost(await horizontalOverflow(page), 0, what)
}

let campaign: string | undefined

/** A list of its own for a test, with the leads' ids in their order. */
const listOf = Effect.fnUntraced(function* (
  count: number,
  name: string,
  more: {
    /** Leads that come once more at the end. */
    readonly repeat?: number
    /** Leads at a client. */
    readonly client?: number
    /** The company of one more lead, Kim Osei. */
    readonly at?: string
    readonly skip_clients?: boolean
    readonly skip_duplicates?: boolean
    readonly email_count?: number
  } = {}
) {
  const { key, url, visit } = yield* BrowserTest
  const api = apiClient(url, key)
  campaign ??= yield* buildCampaign(api)
  const { at: company, client = 0, repeat = 0, ...asked } = more
  const some = namedLeads(count)
  const ours = { email: "ann@huta.example", name: "Ann", title: "Planner", company: "Huta Wolbrom" }
  const kim = company === undefined ? [] : [{ email: "kim@cocoa.example", name: "Kim Osei", company }]
  const sent = {
    leads: [...some, ...some.slice(0, repeat), ...Array.from({ length: client }, () => ours), ...kim],
    options: { ...options, list_name: name, ...asked }
  }
  const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
  yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
  const { data } = (yield* api.send("GET", `/lists/${list_id}/leads`)).body
  const ids: ReadonlyArray<string> = data.map(({ id }: { readonly id: string }) => id)
  const at = (lead: number) => `/lists/${list_id}/leads/${ids[lead]}`
  return {
    api,
    at,
    ids,
    key,
    list: list_id as string,
    url,
    lead: (lead: number) => Effect.map(api.send("GET", at(lead)), ({ body }): ReviewedLead => body),
    open: (width: number, path: string, use: (page: Page) => Promise<void>) =>
      visit({ key, at: `#/lists/${list_id}${path}`, viewport: { width, height: 800 }, acceptDownloads: true }, use)
  }
})

/** Changes an email as another person would. */
const change = (api: ApiClient, at: string, body: string) => api.send("PATCH", `${at}/emails/1`, { body, version: 1 })

const worse = "Hi there,\n\nWe are the best supplier in the world, recommended by all chefs.\n\nInterested?"

const append = async (page: Page, field: Locator, text: string) => {
  await field.click()
  await page.keyboard.press("Control+End")
  await page.keyboard.type(text)
}

const bodyOf = (email: Locator) => email.getByRole("textbox", { name: "Body" })

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })("the review of a list", (it) => {
  it.effect("marks whose company may be one to leave out, shows these leads alone, and approves them by no rule", () =>
    Effect.gen(function* () {
      const { api, open } = yield* listOf(3, "Possible", { at: "Osei Cocoa Trading" })
      yield* api.send("POST", "/suppressions", { entries: [{ value: "Osei Cocoa", kind: "company" }] })
      for (const width of widths) {
        yield* open(width, "", async (page) => {
          await page
            .getByText("1 open lead may work at a client, a competitor or a company on “Do not contact”.")
            .waitFor()
          const mark = row(page, "Kim Osei").getByText("Look at the company")
          await mark.waitFor()
          if (width === 1280) {
            for (const size of [1280, 1100]) {
              await page.setViewportSize({ width: size, height: 800 })
              const [left, right] = [
                await mark.boundingBox(),
                await row(page, "Kim Osei").locator(".decide").boundingBox()
              ]
              assert.isAtMost((left?.x ?? 0) + (left?.width ?? 0), right?.x ?? 0, `the mark at ${size}`)
            }
          }
          await press(page, "Approve several")
          const dialog = page.getByRole("dialog")
          await dialog.getByText("Not included: 1 lead whose company may be one to leave out.").waitFor()
          await dialog.getByText("Leads marked “Look at the company” are approved one by one").waitFor()
          await sound(page, `the dialog at ${width}`)
          await press(dialog, "Cancel")
          await press(page, "Look at it")
          await page.getByRole("row").nth(2).waitFor({ state: "detached" })
          await row(page, "Kim Osei").waitFor()
          await sound(page, `possible leads at ${width}`)
          await page.getByRole("link", { name: "Kim Osei" }).click()
          await page.getByText("Osei Cocoa Trading may be osei cocoa, which is on “Do not contact”.").waitFor()
        })
      }
      const [{ id }] = (yield* api.send("GET", "/suppressions?kind=company")).body.data
      yield* api.send("DELETE", `/suppressions/${id}`)
    })
  )

  it.effect("takes a search away with All, and lights All only where every lead is shown", () =>
    Effect.gen(function* () {
      const { open } = yield* listOf(3, "Searched")
      for (const width of widths) {
        yield* open(width, "", async (page) => {
          const rows = page.getByRole("row")
          await rows.nth(3).waitFor()
          if (width === 390) await page.getByText("Search and filters").click()
          const search = page.getByLabel("Search", { exact: true })
          const all = page.getByLabel("All 3", { exact: true })
          assert.isTrue(await all.isChecked())
          await search.fill("no such lead")
          await page.getByText("No lead is like that.").waitFor()
          assert.isFalse(await all.isChecked())
          await all.check()
          await rows.nth(3).waitFor()
          assert.strictEqual(await search.inputValue(), "")
          assert.isTrue(await all.isChecked())
        })
      }
    })
  )

  it.effect("has the actions of an email above its text, however many findings it has", () =>
    Effect.gen(function* () {
      const { api, at, open } = yield* listOf(1, "Actions in sight")
      yield* change(api, at(0), `${worse}\n\n${"It is the best, cheapest and most awarded of all. ".repeat(30)}`)
      for (const width of widths) {
        yield* open(width, "/1", async (page) => {
          const edit = card(page, 1).getByRole("button", { name: "Edit", exact: true })
          const subject = card(page, 1).locator(".subject")
          const [button, text] = [await edit.boundingBox(), await subject.boundingBox()]
          assert.isBelow((button?.y ?? 0) + (button?.height ?? 0), (text?.y ?? 0) + 1)
          assert.isBelow(button?.y ?? 10_000, 800)
          await sound(page, `the actions at ${width}`)
        })
      }
    })
  )

  it.effect("keeps a lead approved when Approve is clicked twice", () =>
    Effect.gen(function* () {
      const { lead, open } = yield* listOf(1, "Clicked twice")
      yield* open(1280, "/1", async (page) => {
        await heading(page, "Ann Ortiz")
        const { height, width, x, y } = (await page
          .getByRole("button", { name: "Approve", exact: true })
          .boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
        await page.mouse.click(x + width / 2, y + height / 2)
        await page.getByText("Ann Ortiz: approved.").waitFor()
        await page.mouse.click(x + width / 2, y + height / 2)
        await page.getByRole("button", { name: "Reopen" }).waitFor()
      })
      assert.strictEqual((yield* lead(0)).review.status, "approved")
    })
  )

  it.effect("rewrites an email from the next variant of its template, and says when there is none", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { api, lead, open } = yield* listOf(1, `Rewritten at ${width}`)
        const [first, second] = (yield* lead(0)).emails
        // The last email keeps the one variant that it was written from.
        const { personas } = (yield* api.send("GET", `/campaigns/${campaign}/playbook`)).body
        const templates: ReadonlyArray<{ readonly id: string; readonly step: number }> = personas.flatMap(
          (persona: { readonly templates: ReadonlyArray<unknown> }) => persona.templates
        )
        const kept = templates.find(({ id }) => id === second?.template_id)
        for (const { id, step } of templates)
          if (step === kept?.step && id !== kept.id)
            yield* api.send("DELETE", `/campaigns/${campaign}/playbook/templates/${id}`)
        yield* open(width, "/1", async (page) => {
          await heading(page, "Ann Ortiz")
          await press(card(page, 1), "Rewrite")
          const dialog = page.getByRole("dialog")
          await dialog.getByText("the lead has to be reviewed again, and it costs one credit").waitFor()
          assert.strictEqual(await dialog.getByLabel("Instruction").count(), 0)
          await press(dialog, "Rewrite")
          await dialog.locator(".diff ins").first().waitFor()
          await sound(page, `rewritten at ${width}`)
          await press(dialog, "Keep the new text")
          await press(card(page, 1), "History")
          await dialog.getByText("Version 2").waitFor()
          // In sight without scrolling, however long the text is.
          await page.setViewportSize({ width, height: 420 })
          const restore = await dialog.getByRole("button", { name: "Restore version 1" }).boundingBox()
          assert.isAtMost((restore?.y ?? 0) + (restore?.height ?? 0), 420)
          await page.setViewportSize({ width, height: 800 })
          await press(dialog, "Close")

          await press(card(page, 2), "Rewrite")
          await press(dialog, "Rewrite")
          await dialog.getByText("Nothing changed, and nothing was charged.").waitFor()
          await press(dialog, "Close")
        })
        const after = yield* lead(0)
        assert.deepStrictEqual(
          after.emails.map(({ version }) => version),
          [2, 1]
        )
        assert.notDeepEqual([after.emails[0]?.subject, after.emails[0]?.body], [first?.subject, first?.body])
      }
    })
  )

  it.effect("rewrites all emails of a lead at once, and asks before it replaces what a person edited", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { api, at, lead, open } = yield* listOf(1, `All rewritten at ${width}`)
        yield* change(api, at(0), "Hi Ann,\n\nIs planning yours?")
        yield* api.send("PUT", `${at(0)}/review`, { status: "approved" })
        const before = yield* lead(0)
        yield* open(width, "/1", async (page) => {
          await heading(page, "Ann Ortiz")
          await press(page, "Rewrite all emails")
          const dialog = page.getByRole("dialog", { name: "Rewrite all emails" })
          await dialog.getByText("it costs one credit for all of them. It is approved now.").waitFor()
          await dialog.getByText("Edited by a person: email 1.").waitFor()
          await sound(page, `asked at ${width}`)
          await press(dialog, "Cancel")
          await press(page, "Rewrite all emails")
          await press(dialog, "Replace edits")
          await dialog.locator(".diff ins").first().waitFor()
          await dialog.getByRole("heading", { name: "Email 1" }).waitFor()
          await sound(page, `all rewritten at ${width}`)
          // In sight without scrolling, however long the text is.
          await page.setViewportSize({ width, height: 420 })
          const back = await dialog.getByRole("button", { name: /^Back to the old text/ }).boundingBox()
          assert.isAtMost((back?.y ?? 420) + (back?.height ?? 0), 420, `Back at ${width}`)
          await page.setViewportSize({ width, height: 800 })
          await dialog.getByRole("button", { name: /^Back to the old text/ }).click()
          await dialog.getByText(/^The old texts? (is|are) back\. History has the new/).waitFor()
          await sound(page, `old texts restored at ${width}`)
          await press(dialog, "Close")
          await card(page, 1).getByText("Is planning yours?").waitFor()
          await page.getByRole("button", { name: "Approve", exact: true }).waitFor()
        })
        const after = yield* lead(0)
        assert.strictEqual(after.review.status, "open")
        assert.strictEqual(after.emails[0]?.version, 4)
        assert.deepStrictEqual(
          after.emails.map(({ body, subject }) => [subject, body]),
          before.emails.map(({ body, subject }) => [subject, body])
        )
        const changed = after.emails.filter(({ version }, i) => version !== before.emails[i]?.version)
        assert.isAtLeast(changed.length, 1)
      }
    })
  )

  it.effect("edits an email in place, with findings while it is typed, and keeps what is not saved", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { lead, open } = yield* listOf(1, `Edited at ${width}`)
        const [before] = (yield* lead(0)).emails
        yield* open(width, "/1", async (page) => {
          await heading(page, "Ann Ortiz")
          const email = card(page, 1)
          await press(email, "Edit")
          await waitUntilTrue(page, "document.activeElement?.getAttribute('role') === 'textbox'")
          await append(page, bodyOf(email), "\nWe are the best in the world.")
          await email.locator(".findings .fail").getByText("the best").first().waitFor()
          await waitUntilTrue(page, "(CSS.highlights.get('finding-fail')?.size ?? 0) > 0")
          await sound(page, `editing at ${width}`)

          // A reload and a declined question keep the text; Escape asks before it discards.
          page.once("dialog", (dialog) => void dialog.accept())
          await page.reload()
          await bodyOf(email).getByText("We are the best in the world.").waitFor()
          page.once("dialog", (dialog) => void dialog.dismiss())
          await bodyOf(email).press("Escape")
          await bodyOf(email).getByText("We are the best in the world.").waitFor()

          // What is not saved is not approved.
          await press(page, "Approve")
          await page.getByText("An email has changes that are not saved.").waitFor()
          await page.getByText("The review is unchanged").waitFor()

          await bodyOf(email).press("Control+Enter")
          await email.getByText("Edited", { exact: true }).waitFor()
          await email.getByRole("heading", { name: "Sources" }).waitFor()
          await email.locator("mark.fail").first().waitFor()
          await waitUntilTrue(page, "document.activeElement?.textContent === 'Edit'")
          // Nothing keeps the decision any more.
          assert.strictEqual(await page.getByText("The review is unchanged").count(), 0)
        })
        const [after] = (yield* lead(0)).emails
        assert.strictEqual(after?.body, `${before?.body}\nWe are the best in the world.`)
        assert.strictEqual(after?.version, 2)

        yield* open(width, "/1", async (page) => {
          const email = card(page, 1)
          await press(email, "Edit")
          await email.getByRole("textbox", { name: "Subject" }).fill("Another subject")
          page.once("dialog", (dialog) => void dialog.accept())
          await press(email, "Cancel")
          await email
            .locator(".subject")
            .getByText(after?.subject ?? "")
            .waitFor()
        })
        assert.strictEqual((yield* lead(0)).emails[0]?.version, 2)
      }
    })
  )

  it.effect("shows both texts where an email was changed meanwhile, and overwrites neither silently", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { at, key, lead, open, url } = yield* listOf(1, `Conflict at ${width}`)
        const [{ body = "" } = {}] = (yield* lead(0)).emails
        const meanwhile = (text: string, version: number) =>
          sendRequest(url, key, {
            method: "PATCH",
            path: `${at(0)}/emails/1`,
            body: { body: `${body}\n${text}`, version }
          })
        const stored = async () => (await sendRequest(url, key, { method: "GET", path: at(0) })).body.emails[0].body
        yield* open(width, "/1", async (page) => {
          const email = card(page, 1)
          await press(email, "Edit")
          await append(page, bodyOf(email), "\nMine.")
          await meanwhile("Theirs.", 1)
          await press(email, "Save")
          const conflict = email.getByRole("group", { name: "Conflict" })
          await conflict.waitFor()
          const mine = conflict.locator("section").filter({ hasText: "Your text" })
          const theirs = conflict.locator("section").filter({ hasText: "Saved meanwhile" })
          assert.strictEqual(await mine.locator("ins").innerText(), "Mine")
          assert.strictEqual(await theirs.locator("del").innerText(), "Theirs")
          await sound(page, `conflict at ${width}`)
          assert.strictEqual(await stored(), `${body}\nTheirs.`)

          await press(conflict, "Use theirs")
          await email.getByText("Theirs.").waitFor()
          await press(email, "Edit")
          await append(page, bodyOf(email), "\nMine again.")
          await meanwhile("Theirs too.", 2)
          await press(email, "Save")
          await press(conflict, "Keep mine")
          await email.getByText("Mine again.").waitFor()
          await bodyOf(email).waitFor({ state: "detached" })
        })
        const [after] = (yield* lead(0)).emails
        assert.strictEqual(after?.body, `${body}\nTheirs.\nMine again.`)
        assert.strictEqual(after?.version, 4)
      }
    })
  )

  it.effect("shows the versions of an email against the current one, and restores one", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { api, at, lead, open } = yield* listOf(1, `History at ${width}`)
        const [{ body = "" } = {}] = (yield* lead(0)).emails
        yield* change(api, at(0), `${body}\nSecond.`)
        yield* open(width, "/1", async (page) => {
          await press(card(page, 1), "History")
          const dialog = page.getByRole("dialog", { name: "History of email 1" })
          const versions = dialog.getByRole("listitem")
          await versions.first().getByText("Current").waitFor()
          assert.lengthOf(await versions.all(), 2)
          assert.include(await versions.first().innerText(), "Edited by a person")
          assert.include(await versions.nth(1).innerText(), "Written by Overture")
          assert.include((await versions.nth(1).locator("ins").allInnerTexts()).join(""), "Second.")
          await sound(page, `history at ${width}`)
          const alone = dialog.getByLabel("Show each version without the current text")
          await alone.check()
          assert.strictEqual(await versions.nth(1).locator("ins, del").count(), 0)
          assert.strictEqual(await versions.nth(1).locator(".body").innerText(), body)
          await sound(page, `history alone at ${width}`)
          await press(dialog, "Restore version 1")
          await dialog.waitFor({ state: "detached" })
          await card(page, 1).getByText("Second.").waitFor({ state: "detached" })
        })
        const [after] = (yield* lead(0)).emails
        assert.strictEqual(after?.body, body)
        assert.strictEqual(after?.version, 3)
      }
    })
  )

  it.effect("shows a paragraph that was rewritten as a whole, and the words that changed in one that is similar", () =>
    Effect.gen(function* () {
      const { api, at, open } = yield* listOf(1, "Compared")
      const greeting = "Hi Ann,\n\n"
      const mild = "Our vans bring fresh fruit to the kitchens of forty hotels each morning."
      const email = (first: string, last: string, version: number) => {
        const body = `${greeting}${first}\n\n${mild.replace("forty", version === 1 ? "forty" : "fifty")}\n\n${last}`
        return api.send("PATCH", `${at(0)}/emails/1`, { body, version })
      }
      const before = "Many kitchens lose a day when the fruit arrives late in the week."
      const after = "Who is in charge of buying at your restaurant? I would like to send them a short price list."
      yield* email(before, "Shall we talk?", 1)
      yield* email(after, "May I send it?", 2)
      yield* open(1280, "/1", async (page) => {
        await press(card(page, 1), "History")
        const version = page.getByRole("dialog", { name: "History of email 1" }).getByRole("listitem").nth(1)
        const texts = async (name: string) =>
          (await version.locator(`.body ${name}`).allTextContents()).map((text) => text.trim())
        await version.locator("ins").first().waitFor()
        assert.deepStrictEqual(await texts("del"), [before, "forty", "Shall we talk?"])
        assert.deepStrictEqual(await texts("ins"), [after, "fifty", "May I send it?"])
        assert.include(await version.locator(".body").innerText(), "Shall we talk?\nMay I send it?")
      })
    })
  )

  it.effect("walks through the open leads by keyboard, worst findings first, and takes a decision back", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { api, at, key, lead, list, open, url } = yield* listOf(4, `Queue at ${width}`)
        // Dmitri has a failing finding, so he comes first; then the others as in the file.
        yield* change(api, at(3), worse)
        const reviews = async () => {
          const { body } = await sendRequest(url, key, { method: "GET", path: `/lists/${list}/leads` })
          return body.data.map(({ review }: ReviewedLead) => review.status)
        }
        yield* open(width, "", async (page) => {
          const panel = page.locator(".queue")
          await panel.getByText("1 open lead with a finding marked Must change.").waitFor()
          assert.match(await panel.innerText(), /4\s*Open\s*0\s*Approved\s*0\s*Rejected/)
          await sound(page, `list at ${width}`)
          await press(page, "Review emails")
          await heading(page, "Dmitri Ortiz")
          await page.getByText("1 of 4").waitFor()
          await page.getByText(/^Must change: \d/).waitFor()
          await sound(page, `lead at ${width}`)
          await pressKey(page, "x")
          await heading(page, "Ann Ortiz")
          await pressKey(page, "j")
          await heading(page, "Bob Ortiz")
          await pressKey(page, "a")
          await heading(page, "Carla Ortiz")
          await page.getByText("Bob Ortiz: approved.").waitFor()
          assert.deepStrictEqual(await reviews(), ["open", "approved", "open", "rejected"])
          await pressKey(page, "u")
          await heading(page, "Bob Ortiz")
          await waitUntilTrue(page, "document.querySelector('.page-head .state').textContent === 'Open'")
          assert.deepStrictEqual(await reviews(), ["open", "open", "open", "rejected"])
          await pressKey(page, "k")
          await heading(page, "Ann Ortiz")

          // Typing is no shortcut, and the keys can be switched off, which is remembered.
          await pressKey(page, "e")
          await waitUntilTrue(page, "document.activeElement?.getAttribute('role') === 'textbox'")
          await page.keyboard.type("axu")
          await bodyOf(card(page, 1)).getByText("axu").waitFor()
          page.once("dialog", (dialog) => void dialog.accept())
          await page.keyboard.press("Escape")
          await bodyOf(card(page, 1)).waitFor({ state: "detached" })
          assert.deepStrictEqual(await reviews(), ["open", "open", "open", "rejected"])
          await pressKey(page, "?")
          const help = page.getByRole("dialog", { name: "Keyboard shortcuts" })
          await help.getByText("Undo the last decision").waitFor()
          await sound(page, `shortcuts at ${width}`)
          await help.getByLabel("Use single-key shortcuts").uncheck()
          await press(help, "Close")
          await pressKey(page, "a")
          await pressKey(page, "?")
          await page.waitForTimeout(300)
          assert.strictEqual(await page.getByRole("dialog").count(), 0)
          await page.reload()
          await heading(page, "Ann Ortiz")
          await pressKey(page, "a")
          await page.waitForTimeout(300)
          assert.deepStrictEqual(await reviews(), ["open", "open", "open", "rejected"])
          await page.evaluate("localStorage.removeItem('overture.shortcuts')")
          await page.reload()
          await heading(page, "Ann Ortiz")

          await pressKey(page, "g")
          await heading(page, `Queue at ${width}`)
          await press(page, "Review emails")
          await heading(page, "Ann Ortiz")
          for (const next of ["Bob Ortiz", "Carla Ortiz"]) {
            await pressKey(page, "a")
            await heading(page, next)
          }
          await pressKey(page, "a")
          await heading(page, `Queue at ${width}`)
          await page.getByText("No open leads left.").waitFor()
        })
        assert.strictEqual((yield* lead(3)).review.status, "rejected")
      }
    })
  )

  it.effect("decides in rows and with a note, reopens, and filters by review, finding and text", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { api, at, lead, open } = yield* listOf(4, `Rows at ${width}`)
        yield* change(api, at(2), worse)
        yield* open(width, "", async (page) => {
          await press(row(page, "Ann Ortiz"), "Approve Ann Ortiz")
          await row(page, "Ann Ortiz").getByText("Approved", { exact: true }).waitFor()
          await page
            .locator(".queue-count")
            .getByText(/^3\s*Open$/)
            .waitFor()
          await row(page, "Bob Ortiz").getByRole("link").focus()
          await pressKey(page, "x")
          await row(page, "Bob Ortiz").getByText("Rejected", { exact: true }).waitFor()
          await pressKey(page, "u")
          await row(page, "Bob Ortiz").getByText("Open", { exact: true }).waitFor()
          await pressKey(page, "j")
          await waitUntilTrue(page, "document.activeElement?.textContent === 'Carla Ortiz'")
          await press(row(page, "Ann Ortiz"), "Reopen Ann Ortiz")
          await row(page, "Ann Ortiz").getByText("Open", { exact: true }).waitFor()
          await press(row(page, "Ann Ortiz"), "Approve Ann Ortiz")
          await row(page, "Ann Ortiz").getByText("Approved", { exact: true }).waitFor()

          if (width < 640) await page.getByText("Search and filters").click()
          const shows = async (...names: ReadonlyArray<string>) =>
            waitUntilTrue(
              page,
              `JSON.stringify([...document.querySelectorAll('.lead-body a')].map((a) => a.textContent)) === ${JSON.stringify(JSON.stringify(names))}`
            )
          await page.getByLabel("Review", { exact: true }).selectOption({ label: "Approved (1)" })
          await shows("Ann Ortiz")
          await page.getByLabel("Review", { exact: true }).selectOption("Any")
          await page.getByLabel("Worst finding").selectOption("Must change")
          await shows("Carla Ortiz")
          await page.getByLabel("Worst finding").selectOption("Any")
          await page.getByLabel("Order").selectOption("Worst findings first")
          await shows("Carla Ortiz", "Ann Ortiz", "Bob Ortiz", "Dmitri Ortiz")
          await page.getByLabel("Search").fill("dmitri")
          await shows("Dmitri Ortiz")
          await sound(page, `rows at ${width}`)

          // The filter is kept on the way to a lead and back.
          await page.getByRole("link", { name: "Dmitri Ortiz" }).click()
          await heading(page, "Dmitri Ortiz")
          await page.getByText("1 of 1").waitFor()
          await press(page, "Reject with a note")
          const dialog = page.getByRole("dialog", { name: "Reject with a note" })
          await dialog.getByLabel("Note").fill("Wrong person")
          await sound(page, `note at ${width}`)
          await press(dialog, "Reject")
          await page.getByText("Note: Wrong person").waitFor()
          await page.getByRole("link", { name: "All leads of the list" }).click()
          await shows("Dmitri Ortiz")
          assert.strictEqual(await page.getByLabel("Search").inputValue(), "dmitri")
        })
        const { note, status } = (yield* lead(3)).review
        assert.deepStrictEqual([status, note], ["rejected", "Wrong person"])
      }
    })
  )

  it.effect("shows what must change before it approves a lead, in the reader, in its row and by key", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { api, at, key, list, open, url } = yield* listOf(3, `Anyway at ${width}`)
        yield* change(api, at(0), worse)
        yield* change(api, at(1), worse)
        const reviews = async () => {
          const { body } = await sendRequest(url, key, { method: "GET", path: `/lists/${list}/leads` })
          return body.data.map(({ review }: ReviewedLead) => review.status)
        }
        yield* open(width, "/1", async (page) => {
          await heading(page, "Ann Ortiz")
          const dialog = page.getByRole("dialog", { name: "Must change before you approve Ann Ortiz" })
          await press(page, "Approve")
          await dialog.getByText("the best").first().waitFor()
          await waitUntilTrue(page, "document.activeElement?.textContent === 'Cancel'")
          await sound(page, `asked at ${width}`)
          await page.keyboard.press("Enter")
          await dialog.waitFor({ state: "detached" })
          // A key that comes before the next paint does not reach the page behind the dialog.
          await waitForShortcut(page, "a")
          await page.evaluate(`(async () => {
            const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
            press("a")
            for (let turn = 0; turn < 50; turn++) await undefined
            press("x")
          })()`)
          await dialog.waitFor()
          await page.keyboard.press("a")
          await page.waitForTimeout(300)
          assert.deepStrictEqual(await reviews(), ["open", "open", "open"])
          await press(dialog, "Approve anyway")
          await page.getByText("Ann Ortiz: approved.").waitFor()
          await dialog.waitFor({ state: "detached" })
        })
        yield* open(width, "", async (page) => {
          const dialog = page.getByRole("dialog", { name: "Must change before you approve Bob Ortiz" })
          await press(row(page, "Bob Ortiz"), "Approve Bob Ortiz")
          await dialog.getByText("the best").first().waitFor()
          await press(dialog, "Cancel")
          await row(page, "Bob Ortiz").getByRole("link").focus()
          await pressKey(page, "a")
          await dialog.getByText("the best").first().waitFor()
          assert.deepStrictEqual(await reviews(), ["approved", "open", "open"])
          await press(dialog, "Approve anyway")
          await row(page, "Bob Ortiz").getByText("Approved", { exact: true }).waitFor()
          // Nothing must change here, so nothing is asked.
          await press(row(page, "Carla Ortiz"), "Approve Carla Ortiz")
          await row(page, "Carla Ortiz").getByText("Approved", { exact: true }).waitFor()
        })
        assert.deepStrictEqual(yield* Effect.promise(reviews), ["approved", "approved", "approved"])
      }
    })
  )

  it.effect("approves no text that was changed since it was shown, but shows the new one", () =>
    Effect.gen(function* () {
      const { at, key, lead, open, url } = yield* listOf(2, "Changed meanwhile")
      yield* open(1280, "/1", async (page) => {
        await heading(page, "Ann Ortiz")
        await sendRequest(url, key, {
          method: "PATCH",
          path: `${at(0)}/emails/1`,
          body: { subject: "Maintenance at your site", version: 1 }
        })
        await press(page, "Approve")
        await page.getByText("Email 1 was changed meanwhile").waitFor()
        await card(page, 1).getByText("Maintenance at your site").first().waitFor()
        const { body } = await sendRequest(url, key, { method: "GET", path: at(0) })
        assert.strictEqual(body.review.status, "open")
        await sound(page, "changed meanwhile")
        await pressKey(page, "a")
        await page.getByText("Ann Ortiz: approved.").waitFor()
        assert.strictEqual(await page.getByText("Email 1 was changed meanwhile").count(), 0)
      })
      assert.strictEqual((yield* lead(0)).review.status, "approved")
    })
  )

  it.effect("approves no row whose emails were changed since it was shown, but shows the new subject", () =>
    Effect.gen(function* () {
      const { at, key, lead, open, url } = yield* listOf(2, "Changed in the list")
      yield* open(1280, "", async (page) => {
        await row(page, "Ann Ortiz").waitFor()
        const send = (version: number, subject: string) =>
          sendRequest(url, key, { method: "PATCH", path: `${at(0)}/emails/1`, body: { subject, version } })
        await send(1, "Maintenance at your site")
        await press(row(page, "Ann Ortiz"), "Approve Ann Ortiz")
        await page.getByText("The emails to Ann Ortiz were changed meanwhile.").waitFor()
        await row(page, "Ann Ortiz").getByText("Maintenance at your site").waitFor()
        const { body } = await sendRequest(url, key, { method: "GET", path: at(0) })
        assert.strictEqual(body.review.status, "open")
        await sound(page, "changed in the list")
        await press(row(page, "Ann Ortiz"), "Approve Ann Ortiz")
        await row(page, "Ann Ortiz").getByText("Approved", { exact: true }).waitFor()
        assert.strictEqual(await page.getByText("were changed meanwhile").count(), 0)
        // Rejecting needs no reading.
        await press(row(page, "Ann Ortiz"), "Reopen Ann Ortiz")
        await send(2, "Another subject")
        await press(row(page, "Ann Ortiz"), "Reject Ann Ortiz")
        await row(page, "Ann Ortiz").getByText("Rejected", { exact: true }).waitFor()
      })
      assert.strictEqual((yield* lead(0)).review.status, "rejected")
    })
  )

  it.effect("offers to undo a decision where it was made or led to, and no longer once one has moved on", () =>
    Effect.gen(function* () {
      const { lead, open } = yield* listOf(3, "Moved on")
      yield* open(1280, "/1", async (page) => {
        await press(page, "Approve")
        await page.getByText("Ann Ortiz: approved.").waitFor()
        await pressKey(page, "j")
        await heading(page, "Bob Ortiz")
        assert.strictEqual(await page.getByText("Ann Ortiz: approved.").count(), 0)
        await pressKey(page, "k")
        await heading(page, "Ann Ortiz")
        assert.strictEqual(await page.getByText("Ann Ortiz: approved.").count(), 0)
        await pressKey(page, "g")
        await heading(page, "Moved on")
        await press(page, "Review emails")
        await heading(page, "Bob Ortiz")
        await pressKey(page, "a")
        await heading(page, "Carla Ortiz")
        await page.getByText("Bob Ortiz: approved.").waitFor()
        await pressKey(page, "g")
        await heading(page, "Moved on")
        assert.strictEqual(await page.getByText("Bob Ortiz: approved.").count(), 0)
        await press(row(page, "Carla Ortiz"), "Reject Carla Ortiz")
        await page.getByText("Carla Ortiz: rejected.").waitFor()
        await press(page, "Undo")
        await row(page, "Carla Ortiz").getByText("Open", { exact: true }).waitFor()
      })
      assert.strictEqual((yield* lead(1)).review.status, "approved")
    })
  )

  it.effect("says what each undo undid, and that nothing is left", () =>
    Effect.gen(function* () {
      const { open } = yield* listOf(2, "Undone")
      const nothing = "Nothing to undo: this tab has no earlier decision about a single lead."
      yield* open(1280, "", async (page) => {
        const says = (text: string) => page.getByRole("status").getByText(text).waitFor()
        await press(row(page, "Ann Ortiz"), "Approve Ann Ortiz")
        await says("Ann Ortiz: approved.")
        await press(row(page, "Ann Ortiz"), "Reopen Ann Ortiz")
        await says("Ann Ortiz: open.")
        await press(row(page, "Bob Ortiz"), "Reject Bob Ortiz")
        await says("Bob Ortiz: rejected.")
        await pressKey(page, "u")
        await says("Undone: Bob Ortiz is open again.")
        await says("Ann Ortiz: open.")
        await pressKey(page, "u")
        await says("Undone: Ann Ortiz is approved again.")
        await sound(page, "undone")
        await page.getByLabel("Pick Bob Ortiz").check()
        await page.keyboard.press("u")
        await says("Undone: Ann Ortiz is open again. 1 lead picked.")
        await page.getByLabel("Pick Bob Ortiz").uncheck()
        await page.keyboard.press("u")
        await says(nothing)
        await press(row(page, "Bob Ortiz"), "Approve Bob Ortiz")
        await says("Bob Ortiz: approved.")
        assert.strictEqual(await page.getByText(nothing).count(), 0)

        await page.getByRole("link", { name: "Ann Ortiz" }).click()
        await heading(page, "Ann Ortiz")
        await waitForShortcut(page, "a")
        await page.keyboard.press("u")
        await heading(page, "Bob Ortiz")
        await says("Undone: Bob Ortiz is open again.")
        await page.keyboard.press("u")
        await says(nothing)
        await pressKey(page, "k")
        await heading(page, "Ann Ortiz")
        assert.strictEqual(await page.getByText(nothing).count(), 0)
      })
    })
  )

  it.effect("combines a search with a filter that is chosen before the search begins", () =>
    Effect.gen(function* () {
      const { api, at, open } = yield* listOf(5, "Raced")
      yield* change(api, at(4), worse)
      yield* open(1280, "", async (page) => {
        await row(page, "Bob Ortiz").waitFor()
        const persona = page.getByLabel("Persona")
        await persona.waitFor()
        const other = await persona.locator("option").nth(1).getAttribute("value")
        await page.getByLabel("Search").fill("ann")
        await persona.selectOption(other)
        await page.getByLabel("Worst finding").selectOption("Must change")
        await page.waitForTimeout(600)
        assert.strictEqual(await persona.inputValue(), other)
        assert.strictEqual(await page.getByLabel("Worst finding").inputValue(), "fail")
        assert.strictEqual(await page.getByLabel("Search").inputValue(), "ann")
        await persona.selectOption("Any")
        await waitUntilTrue(page, "document.querySelectorAll('.lead-body a').length === 1")
        // Of two leads of this name, the one that must change.
        await row(page, "Ann Ortiz")
          .getByText(/^Must change/)
          .waitFor()
      })
    })
  )

  it.effect("approves by rule what has no failing finding, and says how many leads that changes", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { api, at, key, list, open, url } = yield* listOf(5, `Rule at ${width}`)
        yield* change(api, at(4), worse)
        yield* api.send("GET", at(0))
        yield* open(width, "", async (page) => {
          await press(page, "Approve several")
          const dialog = page.getByRole("dialog", { name: "Approve several" })
          await press(dialog, "Cancel")
          await press(row(page, "Ann Ortiz").first(), "Reject Ann Ortiz")
          await page.getByText("Ann Ortiz: rejected.").waitFor()
          await press(row(page, "Ann Ortiz").first(), "Reopen Ann Ortiz")
          await page.getByText("Ann Ortiz: open.").waitFor()
          await press(page, "Approve several")
          await dialog.getByText("4 leads will be approved").waitFor()
          await dialog.getByText("Not included: 1 lead with a finding marked Must change.").waitFor()
          assert.notInclude(await dialog.innerText(), "Look at the company")
          await sound(page, `rule at ${width}`)
          await dialog.getByLabel("Only leads that a person opened").check()
          await dialog.getByText("1 lead will be approved.").waitFor()
          await press(dialog, "Approve")
          // Editing marks as seen what is edited; of the two that were, one fails.
          await page.getByText("1 lead approved.").waitFor()
          // One way back at a time: the decision about a single lead before it has none any more.
          assert.strictEqual(await page.getByRole("button", { name: /^Undo/ }).count(), 1)
          await page
            .locator(".queue-count")
            .getByText(/^4\s*Open$/)
            .waitFor()
          await press(page, "Approve several")
          await dialog.getByLabel("No finding at all").check()
          await dialog.getByText("3 leads will be approved").waitFor()
          await press(dialog, "Approve")
          await page.getByText("3 leads approved.").waitFor()
          await waitUntilTrue(page, "document.querySelectorAll('[aria-label^=Reopen]').length === 4")

          // Undone, the three are open again and the one that was approved before stays so.
          // Also later: the server keeps what it was, so a reload does not take the way back.
          await page.reload()
          await page.getByText(/^3 leads approved, .+\. Undo the approval of 3 leads$/).waitFor()
          await press(page, "Undo the approval of 3 leads")
          await page.getByText("3 leads open again.").waitFor()
          await page.reload()
          await page.getByRole("table", { name: "Leads" }).getByRole("link").first().waitFor()
          await page.waitForTimeout(500)
          assert.strictEqual(await page.getByText(/^Undo the approval/).count(), 0)
          await waitUntilTrue(page, "document.querySelectorAll('[aria-label^=Reopen]').length === 1")
          await sound(page, `undone at ${width}`)
          await press(page, "Approve several")
          await press(dialog, "Approve")
          await page.getByText("3 leads approved.").waitFor()
        })
        const { data } = (yield* Effect.promise(() =>
          sendRequest(url, key, { method: "GET", path: `/lists/${list}/leads` })
        )).body
        const statuses = data.map(({ review }: ReviewedLead) => review.status)
        assert.deepStrictEqual(statuses, ["approved", "approved", "approved", "approved", "open"])
      }
    })
  )

  it.effect("approves by rule no email that changed since the leads were counted, and says so", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { api, at, lead, list, open } = yield* listOf(3, `Changed at ${width}`)
        const changeNow = async (index: number) => {
          const [email] = (await Effect.runPromise(lead(index))).emails
          const body = email?.body.replace(/\.$/m, "!")
          await Effect.runPromise(api.send("PATCH", `${at(index)}/emails/1`, { body, version: email?.version }))
        }
        yield* open(width, "", async (page) => {
          const dialog = page.getByRole("dialog", { name: "Approve several" })
          await press(page, "Approve several")
          await dialog.getByText("3 leads will be approved.").waitFor()
          for (const index of [0, 1, 2]) await changeNow(index)
          await press(dialog, "Approve")
          // The dialog stays, because nothing was approved.
          await dialog
            .getByText(
              "0 leads will be approved. 3 leads written or changed since you opened “Approve several”; read them first."
            )
            .waitFor()
          await sound(page, `changed at ${width}`)
          await press(dialog, "Cancel")

          await press(page, "Approve several")
          await dialog.getByText("3 leads will be approved.").waitFor()
          await changeNow(1)
          await dialog.getByLabel("No finding at all").check()
          await dialog
            .getByText("1 lead written or changed since you opened “Approve several”; read it first.")
            .waitFor()
          await dialog.getByLabel("Nothing marked Must change", { exact: true }).check()
          await press(dialog, "Approve")
          await page
            .getByText("2 leads approved. 1 lead written or changed since you opened “Approve several”; read it first.")
            .waitFor()
        })
        const { data } = (yield* api.send("GET", `/lists/${list}/leads`)).body
        assert.deepStrictEqual(
          data.map(({ review }: ReviewedLead) => review.status),
          ["approved", "open", "approved"]
        )
      }
    })
  )

  it.effect("approves the rows that are picked, or those that the filter shows, and never one that must change", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { api, at, list, open } = yield* listOf(5, `Picked at ${width}`)
        yield* change(api, at(3), worse)
        const reviews = Effect.map(api.send("GET", `/lists/${list}/leads`), ({ body }) =>
          body.data.map(({ review }: ReviewedLead) => review.status)
        )
        yield* open(width, "", async (page) => {
          for (const name of ["Ann Ortiz", "Carla Ortiz"]) await page.getByLabel(`Pick ${name}`).first().check()
          await page.getByText("2 leads picked.").waitFor()
          assert.strictEqual(await page.getByLabel("Pick Dmitri Ortiz").count(), 0)
          await sound(page, `picked at ${width}`)
          await press(page, "Approve 2 picked leads")
          await page.getByText("2 leads approved.").waitFor()
          await page.getByText("2 leads were approved with others and never opened.").waitFor()
          assert.strictEqual(await page.getByText(/picked\.$/).count(), 0)
          await waitUntilTrue(page, "document.querySelectorAll('[aria-label^=Reopen]').length === 2")
        })
        assert.deepStrictEqual(yield* reviews, ["approved", "open", "approved", "open", "open"])
        yield* open(width, "", async (page) => {
          await press(page, "Undo the approval of 2 leads")
          await page.getByText("2 leads open again.").waitFor()

          if (width < 640) await page.getByText("Search and filters").click()
          await page.getByLabel("Search").fill("company3")
          await waitUntilTrue(page, "document.querySelectorAll('.lead-body [role=row]').length === 1")
          await press(page, "Approve several")
          const dialog = page.getByRole("dialog", { name: "Approve several" })
          await dialog.getByText("0 leads will be approved. Not included: 1 lead with a finding").waitFor()
          await dialog.getByLabel("The whole list").check()
          await dialog.getByText("4 leads will be approved.").waitFor()
          await press(dialog, "Cancel")
          await page.getByLabel("Search").fill("company1")
          await row(page, "Bob Ortiz").waitFor()
          await press(page, "Approve several")
          await dialog.getByText("1 lead will be approved.").waitFor()
          await sound(page, `approving the filter at ${width}`)
          await press(dialog, "Approve")
          await page.getByText("1 lead approved.").waitFor()
        })
        assert.deepStrictEqual(yield* reviews, ["open", "approved", "open", "open", "open"])
      }
    })
  )

  it.effect("approves no lead on “Do not contact”, and counts those that exports leave out", () =>
    Effect.gen(function* () {
      const { api, at, lead, open } = yield* listOf(3, "Not to contact")
      yield* api.send("PUT", `${at(0)}/review`, { status: "approved" })
      const entries = ["lead0@company0.example", "company1.example"].map((value) => ({ value }))
      yield* api.send("POST", "/suppressions", { entries })
      for (const width of widths) {
        yield* open(width, "", async (page) => {
          await page.getByText("1 open lead on “Do not contact” cannot be approved.").waitFor()
          await page.getByText("1 approved lead on “Do not contact” is left out of exports.").waitFor()
          // True also where a file with the lead was exported before.
          const mark = row(page, "Ann Ortiz").getByText("Do not contact", { exact: true })
          await mark.waitFor()
          assert.strictEqual(
            await mark.getAttribute("title"),
            "Approved before. Exports from this page leave the lead out."
          )
          assert.strictEqual(await page.getByRole("button", { name: "Approve Bob Ortiz" }).count(), 0)
          await page.getByRole("button", { name: "Reject Bob Ortiz" }).waitFor()
          assert.strictEqual(await page.getByLabel("Pick Bob Ortiz").count(), 0)
          await press(page, "Approve several")
          const dialog = page.getByRole("dialog", { name: "Approve several" })
          await dialog.getByText("Not included: 1 lead on “Do not contact”.").waitFor()
          await press(dialog, "Cancel")
          await sound(page, `suppressed at ${width}`)
          // The way through the open leads passes it over.
          await press(page, "Review emails")
          await heading(page, "Carla Ortiz")
        })
        yield* open(width, "/1", async (page) => {
          await heading(page, "Ann Ortiz")
          await page.locator(".page-head .state").getByText("Do not contact", { exact: true }).waitFor()
          await page
            .locator(".page-head")
            .getByText(/^Approved \d/)
            .waitFor()
        })
        yield* open(width, "/2", async (page) => {
          await heading(page, "Bob Ortiz")
          await page.getByText("company1.example is on “Do not contact”.").waitFor()
          const approve = page.getByRole("button", { name: "Approve", exact: true })
          assert.strictEqual(await approve.getAttribute("aria-disabled"), "true")
          await waitForShortcut(page, "x")
          await page.keyboard.press("a")
          await page.getByRole("alert").getByText("cannot be approved").waitFor()
        })
      }
      assert.strictEqual((yield* lead(1)).review.status, "open")
      for (const { id } of (yield* api.send("GET", "/suppressions")).body.data) {
        yield* api.send("DELETE", `/suppressions/${id}`)
      }
    })
  )

  it.effect("puts a lead on “Do not contact” from its own page, and names the exported files that have it", () =>
    Effect.gen(function* () {
      const { api, at, list, open } = yield* listOf(3, "Handed over")
      const clear = Effect.gen(function* () {
        for (const { id } of (yield* api.send("GET", "/suppressions")).body.data) {
          yield* api.send("DELETE", `/suppressions/${id}`)
        }
      })
      yield* api.send("GET", `/lists/${list}/export`)
      const other = { entries: [{ value: "lead2@company2.example" }] }
      yield* until(api.send("POST", "/suppressions", other), ({ body }) => body.exported_lists !== undefined)
      for (const width of widths) {
        yield* open(width, "/1", async (page) => {
          await heading(page, "Ann Ortiz")
          await press(page, "More actions")
          await page.getByRole("menuitem", { name: "Do not contact" }).click()
          const dialog = page.getByRole("dialog", { name: "Do not contact" })
          await dialog.getByLabel("This person: lead0@company0.example").waitFor()
          await dialog.getByLabel("Reason").fill("Asked by phone")
          await sound(page, `the dialog at ${width}`)
          await press(dialog, "Add to Do not contact")
          await dialog.getByText("1 entry added.").waitFor()
          await dialog.getByText("remove them in your sending tool too").waitFor()
          assert.match(await dialog.getByRole("listitem").innerText(), /^Handed over, in the file of /)
          await sound(page, `the answer at ${width}`)
          await press(dialog, "Close")
          const note = page.locator(".note", {
            hasText: "lead0@company0.example is on “Do not contact” (Asked by phone)."
          })
          await note.getByText(/^In the file of .+:$/).waitFor()
          await page
            .locator(".page-head")
            .getByText(/^In the file of /)
            .waitFor()
          assert.strictEqual(await page.getByRole("button", { name: "More actions" }).count(), 0)
        })
        yield* clear
      }
      yield* open(1280, "/2", async (page) => {
        await press(page, "More actions")
        await page.getByRole("menuitem", { name: "Do not contact" }).click()
        const dialog = page.getByRole("dialog", { name: "Do not contact" })
        await dialog.getByLabel(/^Everyone at /).check()
        await press(dialog, "Add to Do not contact")
        await dialog.getByText("Files that were exported before may still have leads").waitFor()
      })
      assert.deepStrictEqual((yield* api.send("GET", "/suppressions")).body.data[0].kind, "company")
      yield* clear
      assert.strictEqual((yield* api.send("GET", at(0))).body.suppressed, null)
    })
  )

  it.effect("says once what the checker says of several places, and marks who was suppressed since", () =>
    Effect.gen(function* () {
      const { api, at, lead, open } = yield* listOf(2, "Marked")
      yield* change(api, at(0), "Hi Ann,\n\nAct now for this special offer. It is risk-free.\n\nWorth a look?\n\nPiotr")
      const spam = (yield* lead(0)).emails[0]?.findings.filter(({ rule }) => rule === "spam.terms") ?? []
      assert.lengthOf(spam, 3)
      yield* api.send("POST", "/suppressions", {
        entries: [{ value: "lead0@company0.example", reason: "Unsubscribed" }]
      })
      for (const width of widths) {
        yield* open(width, "", async (page) => {
          await row(page, "Ann Ortiz").getByText("Do not contact", { exact: true }).waitFor()
          assert.strictEqual(await row(page, "Bob Ortiz").getByText("Do not contact", { exact: true }).count(), 0)
          await row(page, "Ann Ortiz").getByRole("link").click()
          await heading(page, "Ann Ortiz")
          await page.getByText("Do not write to this lead:").waitFor()
          await page.getByText("(Unsubscribed)").waitFor()
          for (const [role, name] of [
            ["button", "Rewrite"],
            ["link", /^Open in mail program/]
          ] as const) {
            assert.strictEqual(await page.getByRole(role, { name }).count(), 0, String(name))
          }
          await page.getByRole("button", { name: "Copy body of email 1" }).waitFor()
          const found = card(page, 1).locator(".findings li").filter({ hasText: "spam terms" })
          assert.strictEqual(await found.count(), 1)
          assert.match(await found.innerText(), /^Must change \(3 places\)/)
          assert.deepStrictEqual(await found.locator("q").allInnerTexts(), ["Act now", "special offer", "risk-free"])
          await sound(page, `marked at ${width}`)
        })
      }
      const [{ id }] = (yield* api.send("GET", "/suppressions?q=lead0")).body.data
      yield* api.send("DELETE", `/suppressions/${id}`)
    })
  )

  it.effect("exports what was approved for a sending tool, with the send days, and hands over single emails", () =>
    Effect.gen(function* () {
      for (const width of widths) {
        const { api, at, lead, open } = yield* listOf(3, `Export at ${width}`)
        yield* api.send("PUT", `${at(1)}/review`, { status: "approved" })
        yield* open(width, "", async (page) => {
          await press(page, "Export")
          const dialog = page.getByRole("dialog", { name: "Export" })
          await dialog.getByText("Send days: email 1 on day 0, email 2 on day 3.").waitFor()
          // Where some are approved, they are what is exported unless one chooses otherwise.
          await dialog.getByLabel("Approved only (1)").waitFor()
          await waitUntilTrue(
            page,
            "document.querySelector('dialog input:checked + span')?.textContent === 'Approved only (1)'"
          )
          await dialog.getByLabel("Sending tool").selectOption("Smartlead")
          await dialog.getByLabel("All columns").check()
          await sound(page, `export at ${width}`)
          const downloading = page.waitForEvent("download")
          await press(dialog, "Download CSV")
          const file = await downloading
          assert.strictEqual(file.suggestedFilename(), `Export-at-${width}-smartlead.csv`)
          const csv = readFileSync(await file.path(), "utf8")
          const [header = ""] = csv.split("\r\n")
          assert.match(header, /^email,first_name,last_name,/)
          assert.include(header, "send_day_2")
          assert.include(csv, "lead1@company1.example")
          assert.notInclude(csv, "lead0@company0.example")
          await dialog.getByText(`1 lead exported to Export-at-${width}-smartlead.csv.`).waitFor()
          await dialog.getByText("Left out: 2 leads not approved.").waitFor()
          await dialog.getByText("Next, in Smartlead").waitFor()
          await dialog.getByText("{{step_N_subject}}").waitFor()
          await dialog.getByText("Set the days to send on: email 1 on day 0, email 2 on day 3.").waitFor()
          // The steps at the end of the dialog are in sight above its buttons, although the window is lower than it.
          const [step, button] = await Promise.all([
            dialog.getByText("Send a test to yourself before you start.").boundingBox(),
            dialog.getByRole("button", { name: "Download CSV" }).boundingBox()
          ])
          assert.isBelow((step?.y ?? 9999) + (step?.height ?? 0), button?.y ?? 0, `the last step at ${width}`)
          assert.isBelow((button?.y ?? 9999) + (button?.height ?? 0), 800)
          await sound(page, `exported at ${width}`)
          await dialog.getByLabel("Sending tool").selectOption("lemlist")
          // What was said of the earlier file is not said of this one.
          await dialog.getByText("Next, in").waitFor({ state: "detached" })
          await dialog.getByLabel("JSON").check()
          assert.strictEqual(await dialog.getByLabel("Sending tool").count(), 0)
          const again = page.waitForEvent("download")
          await press(dialog, "Download JSON")
          const json = JSON.parse(readFileSync(await (await again).path(), "utf8"))
          assert.lengthOf(json.leads, 1)
          await press(dialog, "Close")
          // The tool of the last file is proposed again, also after a reload; nothing else is stored.
          await page.reload()
          await press(page, "Export")
          assert.strictEqual(await dialog.getByLabel("Sending tool").inputValue(), "smartlead")
          assert.deepStrictEqual(await page.evaluate("Object.entries(localStorage)"), [
            ["overture.sending-tool", "smartlead"]
          ])
          await dialog.getByLabel("Sending tool").selectOption("Any tool (standard columns)")
          const plain = page.waitForEvent("download")
          await press(dialog, "Download CSV")
          await plain
          await press(dialog, "Close")
          await press(page, "Export")
          assert.strictEqual(await dialog.getByLabel("Sending tool").inputValue(), "")
          assert.strictEqual(await page.evaluate("localStorage.length"), 0)
          await press(dialog, "Close")
        })
        yield* change(api, at(0), worse)
        yield* change(api, at(1), worse)
        yield* open(width, "", async (page) => {
          // Only one of the two leads is in the exported file.
          const changed = page.getByText(/^1 email changed since the last export on .+ The exported file has/)
          await changed.waitFor()
          await sound(page, `changed emails at ${width}`)
          await press(page, "Export again")
          const dialog = page.getByRole("dialog", { name: "Export" })
          const downloading = page.waitForEvent("download")
          await press(dialog, "Download CSV")
          assert.include(readFileSync(await (await downloading).path(), "utf8"), "the best supplier in the world")
          await dialog.getByText(/^\d leads? exported/).waitFor()
          await press(dialog, "Close")
          await changed.waitFor({ state: "detached" })
        })
        const [first] = (yield* lead(0)).emails
        yield* open(width, "/1", async (page) => {
          await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
          await page.getByRole("button", { name: "Copy subject of email 1" }).click()
          await waitUntilTrue(
            page,
            `navigator.clipboard.readText().then((text) => text === ${JSON.stringify(first?.subject)})`
          )
          await page.getByRole("button", { name: "Copy body of email 1" }).click()
          await waitUntilTrue(
            page,
            `navigator.clipboard.readText().then((text) => text === ${JSON.stringify(first?.body)})`
          )
          await card(page, 1).getByText("Body copied.").first().waitFor()
          const href = await page.getByRole("link", { name: "Open in mail program: email 1" }).getAttribute("href")
          const mail = new URL(href ?? "")
          assert.strictEqual(decodeURIComponent(mail.pathname), "lead0@company0.example")
          assert.strictEqual(mail.searchParams.get("subject"), first?.subject)
          assert.strictEqual(mail.searchParams.get("body"), first?.body.replaceAll("\n", "\r\n"))
        })
      }
    })
  )

  it.effect("leaves suppressed leads out of every export, and counts what the file has", () =>
    Effect.gen(function* () {
      // Two of five are left out when the list starts, so emails and leads of the list do not go by each other.
      const { api, at, open } = yield* listOf(5, "Sendable", {
        skip_duplicates: true,
        repeat: 2
      })
      yield* api.send("PUT", `${at(0)}/review`, { status: "approved" })
      yield* api.send("PUT", `${at(1)}/review`, { status: "approved" })
      yield* api.send("POST", "/suppressions", { entries: [{ value: "lead1@company1.example" }] })
      yield* open(1280, "", async (page) => {
        await press(page, "Export")
        const dialog = page.getByRole("dialog", { name: "Export" })
        await dialog.getByLabel("Approved only (1)").waitFor()
        await dialog.getByText("1 lead on “Do not contact” is left out.").waitFor()
        await dialog.getByText("Send days: email 1 on day 0, email 2 on day 3.").waitFor()
        await dialog.getByLabel("All written leads, rejected ones included (4)").check()
        await dialog.getByText("1 lead on “Do not contact” is left out.").waitFor()
        await sound(page, "suppressed leads")
        const downloading = page.waitForEvent("download")
        await press(dialog, "Download CSV")
        const csv = readFileSync(await (await downloading).path(), "utf8")
        assert.strictEqual(csv.match(/@company\d\.example,/g)?.length, 4)
        await dialog.getByText("4 leads exported to Sendable.csv.").waitFor()
        await dialog
          .getByText("Left out: 1 lead on “Do not contact”, 2 leads left out when the list started.")
          .waitFor()
        await dialog.getByLabel("Approved only (1)").check()
        await press(dialog, "Download CSV")
        const left =
          "Left out: 1 lead on “Do not contact”, 3 leads not approved, 2 leads left out when the list started."
        await dialog.getByText(left).waitFor()
        assert.notInclude(csv, "lead1@company1.example")
        await press(dialog, "Close")
      })
      yield* open(1280, "/2", async (page) => {
        await heading(page, "Bob Ortiz")
        assert.strictEqual(await page.getByText("In the file of").count(), 0)
      })
      for (const { id } of (yield* api.send("GET", "/suppressions?q=lead1")).body.data) {
        yield* api.send("DELETE", `/suppressions/${id}`)
      }
      for (const width of widths) {
        yield* open(width, "", async (page) => {
          await press(page, "Export")
          const dialog = page.getByRole("dialog", { name: "Export" })
          await dialog.getByLabel("Approved only (2)").waitFor()
          await dialog.getByLabel("Only those not exported before").check()
          await dialog.getByLabel(`Approved only (${width === widths[0] ? 1 : 0})`).waitFor()
          await dialog.getByLabel(/^All written leads/).check()
          if (width !== widths[0]) {
            await dialog.getByText("No lead would be in the file: all were exported before.").waitFor()
            await sound(page, "no new leads")
            return
          }
          const downloading = page.waitForEvent("download")
          await press(dialog, "Download CSV")
          const file = await downloading
          // Another name than the first file, which may be in the same folder.
          const name = file.suggestedFilename()
          assert.match(name, /^Sendable-new-\d{4}-\d\d-\d\d-\d{4}\.csv$/)
          const csv = readFileSync(await file.path(), "utf8")
          assert.deepStrictEqual(csv.match(/lead\d@/g), ["lead1@"])
          await dialog.getByText(`1 lead exported to ${name}.`).waitFor()
          await dialog.getByText("Left out: 4 leads exported before, 2 leads left out when the list started.").waitFor()
        })
      }
    })
  )

  it.effect("proposes to export rejected leads only where no lead is decided about", () =>
    Effect.gen(function* () {
      const { api, at, open } = yield* listOf(2, "Proposed")
      const proposed = (name: string, note?: string) =>
        open(1280, "", async (page) => {
          await press(page, "Export")
          const dialog = page.getByRole("dialog", { name: "Export" })
          await dialog.getByLabel(name).waitFor()
          assert.isTrue(await dialog.getByLabel(name).isChecked())
          if (note !== undefined) await dialog.getByText(note).waitFor()
          // A file without leads is not offered.
          const isEmpty = name.endsWith("(0)")
          assert.strictEqual(await dialog.getByRole("button", { name: "Download CSV" }).isDisabled(), isEmpty)
          await sound(page, name)
        })
      yield* proposed(
        "All written leads, rejected ones included (2)",
        "No lead is approved, so “Approved only” has none."
      )
      yield* open(390, "", async (page) => {
        await press(page, "Export")
        const dialog = page.getByRole("dialog", { name: "Export" })
        const approvedOnly = dialog.getByLabel("Approved only (0)")
        await approvedOnly.waitFor()
        assert.isTrue(await approvedOnly.isDisabled())
        await sound(page, "none approved")
        await press(dialog, "Review emails")
        await heading(page, "Ann Ortiz")
      })
      yield* api.send("PUT", `${at(1)}/review`, { status: "rejected" })
      yield* proposed("Approved only (0)", "No lead would be in the file: none is approved, and 1 lead is rejected.")
      yield* api.send("PUT", `${at(0)}/review`, { status: "approved" })
      yield* proposed("Approved only (1)")
      yield* api.send("POST", "/suppressions", { entries: [{ value: "lead0@company0.example" }] })
      yield* proposed("Approved only (0)", "No lead would be in the file: 1 approved lead is on “Do not contact”.")
      const [{ id }] = (yield* api.send("GET", "/suppressions?q=lead0")).body.data
      yield* api.send("DELETE", `/suppressions/${id}`)
    })
  )

  it.effect("says on the page of a lead that was left out how it can be written to", () =>
    Effect.gen(function* () {
      const { open } = yield* listOf(2, "Left out", { skip_duplicates: true, repeat: 1, skip_clients: true, client: 1 })
      yield* open(1280, "/3", async (page) => {
        await page.getByText("The emails to this address are at the earlier lead.").waitFor()
        await page.goto(page.url().replace(/3$/, "4"))
        await page.getByText("clear “Leave out clients and competitors”").waitFor()
        await sound(page, "left out")
        // No email is reviewed here, but "u" undoes the last decision or says why not.
        const bar = page.getByRole("region", { name: "Review" })
        assert.strictEqual(await bar.count(), 0)
        await page.keyboard.press("u")
        await bar.getByText("Nothing to undo: this tab has no earlier decision about a single lead.").waitFor()
        assert.strictEqual(await bar.getByRole("button").count(), 0)
        await sound(page, "nothing to undo")
        await page.goto(page.url().replace(/4$/, "2"))
        await heading(page, "Bob Ortiz")
        await pressKey(page, "x")
        await page.getByText("Bob Ortiz: rejected.").waitFor()
        await page.goto(page.url().replace(/2$/, "4"))
        await page.getByText("clear “Leave out clients and competitors”").waitFor()
        await page.keyboard.press("u")
        await heading(page, "Bob Ortiz")
        await page.getByText("Undone: Bob Ortiz is open again.").waitFor()
        await page.goto(page.url().replace(/2$/, "4"))
        await page.getByRole("link", { name: "Start another list" }).click()
        await heading(page, "Write to leads")
      })
    })
  )

  it.effect("names the sentences without a source where the checker wants one", () =>
    Effect.gen(function* () {
      const { api, at, open } = yield* listOf(1, "Unsupported")
      yield* change(api, at(0), "Hi Ann,\n\nWe cut stops at Huta Zabrze by 12%.\n\nWorth a look?\n\nPiotr")
      yield* open(1280, "/1", async (page) => {
        const email = card(page, 1)
        await email.getByText("No source supports “We cut stops at Huta Zabrze by 12%.”").waitFor()
        assert.strictEqual(await email.getByText("No sentence states a fact").count(), 0)
      })
    })
  )

  it.effect("takes the second click of a double click for no decision about another lead", () =>
    Effect.gen(function* () {
      const { lead, open } = yield* listOf(2, "Double click")
      yield* open(1280, "", async (page) => {
        const button = row(page, "Ann Ortiz").getByRole("button", { name: "Approve Ann Ortiz" })
        const box = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
        // The first click was on the page before.
        await page.mouse.move(box.x + 5, box.y + 5)
        await page.mouse.down({ clickCount: 2 })
        await page.mouse.up({ clickCount: 2 })
        await page.waitForTimeout(500)
        await press(page, "Review emails")
        await heading(page, "Ann Ortiz")
        await page.getByRole("button", { name: "Approve", exact: true }).dblclick()
        await heading(page, "Bob Ortiz")
        await page.waitForTimeout(500)
      })
      assert.strictEqual((yield* lead(0)).review.status, "approved")
      assert.strictEqual((yield* lead(1)).review.status, "open")
    })
  )

  it.effect(
    "shows ten thousand leads as one list that stays small, by mouse, keyboard and telephone",
    () =>
      Effect.gen(function* () {
        const { data, workspace } = yield* BrowserTest
        yield* commandJson(data, "plan", "set", "--workspace", workspace, "--tier", "internal")
        const { list, open, url } = yield* listOf(10_000, "Ten thousand", { email_count: 1 })
        for (const width of widths) {
          yield* open(width, "", async (page) => {
            const asked: Array<string> = []
            page.on("request", (request) => {
              if (/\/leads\?.*limit=100/.test(request.url())) asked.push(request.url())
            })
            await page.reload()
            const table = page.getByRole("table", { name: "Leads" })
            await table.getByRole("link").first().waitFor()
            assert.strictEqual(await table.getAttribute("aria-rowcount"), "10001")
            const lastOf = () => page.evaluate<number>("document.querySelectorAll('.lead-body [role=row]').length")
            await page.evaluate("scrollTo(0, document.body.scrollHeight)")
            await page.locator('[aria-rowindex="10001"] a').waitFor()
            assert.isBelow(await lastOf(), 60, "only the rows in the window are on the page")
            assert.isBelow(asked.length, 6, "pages that were passed over are not loaded")
            const href = await page.locator('[aria-rowindex="10001"] a').getAttribute("href")
            assert.strictEqual(href, `#/lists/${list}/10000`)
            await sound(page, `10,000 leads at ${width}`)

            // The middle, then keys from there; the focus stays on a row that is scrolled away.
            await page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
            await page.waitForTimeout(300)
            const middle = await page.evaluate<string>(
              "[...document.querySelectorAll('.lead-body [role=row]')].find((row) => row.getBoundingClientRect().top > 200).dataset.index"
            )
            await page.locator(`[data-index="${middle}"] a`).focus()
            for (let i = 1; i <= 30; i++) await pressKey(page, "j")
            await waitUntilTrue(
              page,
              `document.activeElement?.closest('[role=row]')?.dataset.index === '${Number(middle) + 30}'`
            )
            await waitUntilTrue(
              page,
              "(() => { const { bottom, top } = document.activeElement.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight })()"
            )
            await page.evaluate("scrollTo(0, 0)")
            await page.waitForTimeout(200)
            assert.strictEqual(
              await page.evaluate("document.activeElement?.closest('[role=row]')?.dataset.index"),
              String(Number(middle) + 30)
            )

            // A lead in the middle opens in its place, and the way back leads to its row.
            await page.keyboard.press("Enter")
            await page.getByText(new RegExp(`^${(Number(middle) + 31).toLocaleString("en-GB")} of 10,000`)).waitFor()
            await pressKey(page, "g")
            await page.locator(`[data-index="${Number(middle) + 30}"] a`).waitFor()
            await page.goto(`${url}/#/`)
          })
        }
        yield* commandJson(data, "plan", "set", "--workspace", workspace, "--tier", "growth")
      }),
    timeoutMillis
  )
})
