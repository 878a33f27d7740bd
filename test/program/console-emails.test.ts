// test/program/console-emails.test.ts: the emails of a campaign in a real browser: read, corrected, tried and approved by a person.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import type { Persona, Playbook, Template } from "#schema/Playbook.ts"
import { waitUntilTrue, horizontalOverflow, BrowserTest, accessibilityViolations } from "../support/browser.ts"
import { sendRequest, buildCampaign, apiClient } from "../support/api-client.ts"

/** Setting up may install a browser. */
const timeoutMillis = 600_000

const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true })
const body = (email: Locator) => email.getByRole("textbox", { name: "Body" })
const press = (within: Page | Locator, name: string | RegExp) => within.getByRole("button", { name }).click()

/** Types at the end of a template. */
const append = async (page: Page, field: Locator, text: string) => {
  // A click in the middle may open a variable.
  await field.focus()
  await page.keyboard.press("Control+End")
  await page.keyboard.type(text)
}

/** What the page holds of a template, with its variables as they are written. */
const sourceOf = (field: Locator): Promise<string> =>
  field.evaluate((element) =>
    Array.from(element.childNodes, (node) =>
      node instanceof HTMLElement ? (node.dataset["source"] ?? "") : (node.textContent ?? "")
    ).join("")
  )

const fresh = Effect.gen(function* () {
  const { key, url, visit } = yield* BrowserTest
  const api = apiClient(url, key)
  const campaign = yield* buildCampaign(api)
  const path = `/campaigns/${campaign}/playbook`
  const playbook = Effect.map(api.send("GET", path), ({ body }): Playbook => body)
  const at = `#/campaigns/${campaign}/build/emails`
  return { api, campaign, path, playbook, at, key, url, visit }
})

const firstOf = ({ personas }: Playbook): Persona => personas[0] ?? assert.fail("The playbook has no persona")
const templateOf = ({ templates }: Persona, step: number): Template =>
  templates.find((template) => template.step === step) ?? assert.fail(`No template for step ${step}`)

layer(BrowserTest.layer, { timeout: timeoutMillis, excludeTestServices: true })("the emails of a campaign", (it) => {
  it.effect("change with a sentence of the message, except where a person has edited them", () =>
    Effect.gen(function* () {
      const { at, key, path, api, playbook, visit } = yield* fresh
      const before = firstOf(yield* playbook)
      const edited = templateOf(before, 2)
      yield* api.send("PUT", `${path}/templates/${edited.id}`, { subject: "Mine", body: "I wrote this. Is it yours?" })
      const sentence = "We rebuild slurry pumps in four days."
      yield* visit({ key, at }, async (page) => {
        const field = page.getByLabel("What we do")
        assert.strictEqual(await field.inputValue(), before.message.what_we_do)
        await field.fill(sentence)
        await press(page, "Save the message")
        await card(page, "Email 1").getByText("Updated").waitFor()
        await body(card(page, "Email 1")).getByText(sentence).waitFor()
        await page.getByRole("complementary", { name: "Preview" }).getByText(sentence).waitFor()
        assert.strictEqual(await sourceOf(body(card(page, "Email 2"))), "I wrote this. Is it yours?")
        await card(page, "Email 2").getByText("Out of date", { exact: true }).waitFor()
        await press(card(page, "Email 2"), /^Keep as it is/)
        await card(page, "Email 2").getByText("Out of date", { exact: true }).waitFor({ state: "detached" })
      })
      const after = firstOf(yield* playbook)
      assert.strictEqual(after.message.what_we_do, sentence)
      assert.strictEqual(after.message.problem, before.message.problem)
      assert.include(templateOf(after, 1).body, sentence)
    })
  )

  it.effect("say what is missing beside the sentence that would supply it", () =>
    Effect.gen(function* () {
      const { api, at, key, path, playbook, visit } = yield* fresh
      const { id } = firstOf(yield* playbook)
      yield* api.send("PUT", `${path}/personas/${id}`, { message: { what_we_do: null } })
      const wanted = (yield* playbook).missing.find(
        ({ part, persona_id }) => part === "what_we_do" && persona_id === id
      )
      yield* visit({ key, at }, async (page) => {
        const hint = await page.getByLabel("What we do").getAttribute("aria-describedby")
        assert.include(await page.locator(`[id="${hint}"]`).innerText(), wanted?.message ?? "no such sentence")
      })
    })
  )

  it.effect("show variables as chips, insert and change them, and keep the template as it is written", () =>
    Effect.gen(function* () {
      const { at, key, playbook, visit } = yield* fresh
      const template = templateOf(firstOf(yield* playbook), 1)
      yield* visit({ key, at }, async (page) => {
        const email = card(page, "Email 1")
        const field = body(email)
        await field.waitFor()
        assert.strictEqual(await sourceOf(field), template.body)
        await append(page, field, "\nFor ")
        await press(email, "Insert a variable")
        await email.getByLabel("Variable", { exact: true }).selectOption("Company")
        await email.getByLabel("Text when it is missing").fill("your team")
        await press(email, "Insert")
        await field.getByText("Company or “your team”").waitFor()
        await page.keyboard.type(" only")
        const whole = `${template.body}\nFor {{ company | default: "your team" }} only`
        assert.strictEqual(await sourceOf(field), whole)
        await field.getByText("Company or “your team”").click()
        await email.getByLabel("Text when it is missing").fill("you")
        await press(email, /^Change$/)
        await field.getByText("Company or “you”").waitFor()
        await page.keyboard.press("Backspace")
        assert.strictEqual(await sourceOf(field), `${template.body}\nFor  only`)
        for (let i = 0; i < 8; i++) await page.keyboard.press("Control+z")
        assert.strictEqual(await sourceOf(field), template.body)
        await page.getByLabel("Show variables as Liquid").check()
        assert.strictEqual(await field.innerText(), template.body)
      })
    })
  )

  it.effect("show an unknown variable at its place, keep what was typed, and reset to the draft", () =>
    Effect.gen(function* () {
      const { at, key, playbook, visit } = yield* fresh
      const template = templateOf(firstOf(yield* playbook), 1)
      yield* visit({ key, at }, async (page) => {
        const email = card(page, "Email 1")
        await append(page, body(email), " Hello {{ shoe_size }}")
        await email.locator(".findings .about", { hasText: "{{ shoe_size }}" }).first().waitFor()
        await email.getByText('Unknown variable "shoe_size"').first().waitFor()
        await waitUntilTrue(page, "(CSS.highlights.get('finding-fail')?.size ?? 0) > 0")
        const marked: ReadonlyArray<string> = await page.evaluate("[...CSS.highlights.get('finding-fail')].map(String)")
        assert.include(marked, "shoe_size")
        await press(email, /^Save/)
        await email.getByText(/^Body: Unknown variable "shoe_size"/).waitFor()
        assert.include(await sourceOf(body(email)), "Hello {{ shoe_size }}")
        await body(email).focus()
        await page.keyboard.press("Control+End")
        await page.keyboard.press("Backspace")
        await page.keyboard.type("you")
        await press(email, /^Save/)
        await email.getByText("Edited", { exact: true }).waitFor()
        await email.getByRole("status").filter({ hasText: "Saved" }).waitFor()
        await append(page, body(email), "!")
        await email.getByRole("status").filter({ hasText: "Saved" }).waitFor({ state: "detached" })
        await press(email, "Discard")
        assert.strictEqual(await sourceOf(body(email)), `${template.body} Hello you`)
        await press(email, /^Reset$/)
        await email.getByText("Your edits are lost").waitFor()
        await press(email, "Reset to the draft")
        await email.getByText("Edited", { exact: true }).waitFor({ state: "detached" })
        assert.strictEqual(await sourceOf(body(email)), template.body)
      })
      assert.strictEqual(templateOf(firstOf(yield* playbook), 1).body, template.body)
    })
  )

  it.effect("are filled in for a lead that is typed in, before they are saved", () =>
    Effect.gen(function* () {
      const { at, key, playbook, visit } = yield* fresh
      const { personas } = yield* playbook
      yield* visit({ key, at }, async (page) => {
        const preview = page.getByRole("complementary", { name: "Preview" })
        await preview.getByLabel("Name").fill("Sam Ortiz")
        await preview.getByText("Hi Sam,").first().waitFor()
        await append(page, body(card(page, "Email 1")), " Not saved yet, Sam.")
        await preview.getByText("Not saved yet, Sam.").waitFor()
        await preview.getByText("Not saved", { exact: true }).waitFor()
        await append(page, body(card(page, "Email 1")), " {{ nothing }}")
        await preview.getByText("Saved text: see findings").waitFor()
        await preview.getByLabel("Job title").fill("Astronaut")
        await preview.getByText("Everyone else", { exact: true }).first().waitFor()
        await preview.getByText("Reasons").click()
        assert.isAbove(await preview.locator(".reader li").count(), 0)
        await press(preview, "Open Everyone else")
        await page.getByRole("tab", { name: /^Everyone else/, selected: true }).waitFor()
      })
      assert.strictEqual(personas.at(-1)?.kind, "everyone_else")
    })
  )

  it.effect("begin where other pages begin, and show a long variable and the typed lead whole", () =>
    Effect.gen(function* () {
      const { at, campaign, key, url, visit } = yield* fresh
      for (const width of [1280, 390]) {
        yield* visit({ key, at: `#/campaigns/${campaign}`, viewport: { width, height: 800 } }, async (page) => {
          const left = async () => (await page.getByRole("heading", { level: 1 }).boundingBox())?.x
          await page.getByText("Ready to write").waitFor()
          const usual = await left()
          await page.goto(`${url}/${at}`)
          const email = card(page, "Email 1")
          await append(page, body(email), " For ")
          assert.strictEqual(await left(), usual)
          await press(email, "Insert a variable")
          await email.getByLabel("Variable", { exact: true }).selectOption("Company")
          const missing = "your team, wherever in the country it may be working at the time of this email"
          await email.getByLabel("Text when it is missing").fill(missing)
          await press(email, "Insert")
          await body(email).getByText(missing).waitFor()
          const cut = await page
            .locator(".chip, .typed-lead input")
            .evaluateAll((all) =>
              all
                .filter((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0)
                .map((each) => each.outerHTML)
            )
          assert.deepStrictEqual(cut, [], `${width}`)
          assert.isAtMost(await horizontalOverflow(page), 0)
          await press(email, "Discard")
        })
      }
    })
  )

  it.effect("keep unsaved changes through tabs, a reload and another page", () =>
    Effect.gen(function* () {
      const { at, key, playbook, visit } = yield* fresh
      const personas = (yield* playbook).personas
      yield* visit({ key, at }, async (page) => {
        await append(page, body(card(page, "Email 1")), " My words.")
        await page.getByLabel("Offer").fill("My offer")
        await page.getByRole("tab").last().click()
        await page.getByRole("tab").first().click()
        assert.include(await sourceOf(body(card(page, "Email 1"))), " My words.")
        assert.strictEqual(await page.getByLabel("Offer").inputValue(), "My offer")
        await page.getByText("2 changes not saved").waitFor()

        await page.getByRole("link", { name: "Lists" }).click()
        await page.getByRole("heading", { level: 1, name: "Lists" }).waitFor()
        await page.goBack()
        await page.getByText("2 changes not saved").waitFor()
        assert.strictEqual(await page.getByLabel("Offer").inputValue(), "My offer")

        await press(page, "Save all changes")
        await page.getByText("not saved").first().waitFor({ state: "detached" })
      })
      const after = firstOf(yield* playbook)
      assert.strictEqual(after.message.offer, "My offer")
      assert.include(templateOf(after, 1).body, " My words.")
      assert.lengthOf((yield* playbook).personas, personas.length)
    })
  )

  it.effect("that cannot be saved together are named, and lead to where they are", () =>
    Effect.gen(function* () {
      const { at, key, playbook, visit } = yield* fresh
      const [first, second] = (yield* playbook).personas
      assert.isDefined(first)
      assert.isDefined(second)
      yield* visit({ key, at }, async (page) => {
        await append(page, body(card(page, "Email 2")), " {{ turnover }}")
        await page.getByRole("tab", { name: second.name }).click()
        await press(page, "Save all changes")
        await page.getByText("1 change could not be saved").waitFor()
        await page.getByRole("button", { name: `${first.name}, email 2` }).click()
        await waitUntilTrue(
          page,
          `document.querySelector("[role=tab][aria-selected=true]").textContent.includes(${JSON.stringify(first.name)})`
        )
        assert.include(await sourceOf(body(card(page, "Email 2"))), "{{ turnover }}")
      })
    })
  )

  it.effect("are not overwritten by another person's edits", () =>
    Effect.gen(function* () {
      const { at, key, path, playbook, url, visit } = yield* fresh
      const persona = firstOf(yield* playbook)
      const [one, two] = [templateOf(persona, 1), templateOf(persona, 2)]
      const theirs = { subject: "Theirs", body: "They wrote this. Is it yours?" }
      yield* visit({ key, at }, async (page) => {
        await append(page, body(card(page, "Email 1")), " Mine one.")
        await append(page, body(card(page, "Email 2")), " Mine two.")
        await sendRequest(url, key, { method: "PUT", path: `${path}/templates/${two.id}`, body: theirs })
        const second = card(page, "Email 2")
        await press(second, /^Save/)
        await second.getByText("The saved text has changed since you started to edit.").waitFor()
        await second.getByText("Saved: body").click()
        await second.getByText("They wrote this.").waitFor()
        assert.include(await sourceOf(body(second)), " Mine two.")
        await press(second, "Use the saved text")
        assert.strictEqual(await sourceOf(body(second)), theirs.body)
        await press(card(page, "Email 1"), /^Save/)
        await card(page, "Email 1").getByText("Edited", { exact: true }).waitFor()
      })
      const after = firstOf(yield* playbook)
      assert.include(templateOf(after, 1).body, `${one.body} Mine one.`)
      assert.strictEqual(templateOf(after, 2).body, theirs.body)
    })
  )

  it.effect("get variants and personas, and lose them", () =>
    Effect.gen(function* () {
      const { at, key, playbook, visit } = yield* fresh
      const before = yield* playbook
      const count = firstOf(before).templates.filter(({ step }) => step === 2).length
      yield* visit({ key, at }, async (page) => {
        const email = card(page, "Email 2")
        await press(email, /^Add a variant/)
        await email.getByRole("button", { name: `Variant ${count + 1}`, pressed: true }).waitFor()
        await press(email, "Delete the variant")
        await email.getByText("Leads get one of the others.").waitFor()
        await press(email, /^Delete$/)
        await email.getByRole("button", { name: `Variant ${count + 1}` }).waitFor({ state: "detached" })

        await press(page, "Add a persona")
        await press(page, "Add the persona")
        await page.getByText(/^“Name of the persona” /).waitFor()
        await page.getByLabel("Name of the persona").fill("Geology")
        await page.getByLabel("Job titles of the persona").fill("Chief Geologist\n\nMine Surveyor")
        await press(page, "Add the persona")
        await page.getByRole("tab", { name: /^Geology/, selected: true }).waitFor()
        await page.getByText("Edit name, job titles and draft").click()
        await page.getByLabel("Name", { exact: true }).first().fill("Surveying")
        await press(page, "Save the persona")
        await page.getByRole("tab", { name: /^Surveying/, selected: true }).waitFor()
      })
      const added = (yield* playbook).personas.find(({ name }) => name === "Surveying")
      assert.deepStrictEqual(added?.titles, ["Chief Geologist", "Mine Surveyor"])
      yield* visit({ key, at }, async (page) => {
        await page.getByRole("tab", { name: /^Surveying/ }).click()
        await page.getByText("Edit name, job titles and draft").click()
        await press(page, "Delete the persona")
        await press(page, /^Delete$/)
        await page.getByRole("tab", { name: /^Surveying/ }).waitFor({ state: "detached" })
      })
      assert.deepStrictEqual(
        (yield* playbook).personas.map(({ name }) => name),
        before.personas.map(({ name }) => name)
      )
    })
  )

  it.effect("are approved once nothing is unsaved, and hold to the phrases that are never said", () =>
    Effect.gen(function* () {
      const { at, key, playbook, visit } = yield* fresh
      yield* visit({ key, at }, async (page) => {
        await page.getByLabel("Never say").fill("cheap\nact now\n")
        await page.getByText("Save or discard your changes first.").waitFor()
        assert.isTrue(await page.getByRole("button", { name: "Approve the templates" }).isDisabled())
        await press(page, "Save the phrases")
        await page.getByRole("status").filter({ hasText: "Saved: the phrases" }).waitFor()
        await page.getByText("Save or discard your changes first.").waitFor({ state: "detached" })
        await page.getByLabel("Adapt to each lead").check()
        await press(page, "Approve the templates")
        await page.getByText("Approved", { exact: true }).waitFor()
      })
      const after = yield* playbook
      assert.strictEqual(after.status, "approved")
      assert.deepStrictEqual(after.never_say, ["cheap", "act now"])
      assert.strictEqual(after.personalization, "adapted")
    })
  )

  it.effect(
    "are a page without violations, which fits a telephone and needs no mouse",
    () =>
      Effect.gen(function* () {
        const { at, key, visit } = yield* fresh
        for (const [colorScheme, width] of [
          ["light", 1280],
          ["dark", 1024],
          ["dark", 360]
        ] as const) {
          yield* visit({ key, at, colorScheme, viewport: { width, height: 800 } }, async (page) => {
            await page.getByRole("complementary", { name: "Preview" }).getByText("Persona:").waitFor()
            for (const summary of await page.locator("summary").all()) await summary.click()
            await press(card(page, "Email 1"), "Insert a variable")
            await append(page, body(card(page, "Email 2")), " {{ unknown }}")
            await card(page, "Email 2").locator(".findings .about").first().waitFor()
            assert.deepStrictEqual(await accessibilityViolations(page), [], `${colorScheme} ${width}`)
            assert.isAtMost(await horizontalOverflow(page), 0, `${width}`)
          })
        }
        yield* visit({ key, at }, async (page) => {
          await page.getByRole("tab").first().focus()
          await page.keyboard.press("ArrowRight")
          await page.getByRole("tab", { selected: true }).nth(0).waitFor()
          await waitUntilTrue(page, "document.activeElement.getAttribute('aria-selected') === 'true'")
          await page.keyboard.press("Home")
          const field = body(card(page, "Email 1"))
          await field.focus()
          await page.keyboard.press("Tab")
          await waitUntilTrue(page, "document.activeElement.textContent === 'Insert a variable'")
          await page.keyboard.press("Enter")
          await waitUntilTrue(page, "document.activeElement.tagName === 'SELECT'")
          await page.keyboard.press("Escape")
          await waitUntilTrue(page, "document.activeElement.textContent === 'Insert a variable'")
        })
      }),
    timeoutMillis
  )
})
