// test/program/console-webhooks.test.ts: webhooks in the page: created, tested, resent, with a new secret, changed and deleted.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Webhook } from "standardwebhooks"
import { browser, consoleFiles, horizontalOverflow, accessibilityViolations, visit } from "../support/browser.ts"
import { onboardedWorkspaceIn } from "../support/program-workspace.ts"
import { dataDirectory, serve } from "../support/process.ts"
import { webhookReceiver } from "../support/webhook-receiver.ts"

const timeoutMillis = 600_000

layer(Layer.empty, { excludeTestServices: true })("webhooks in the page", (it) => {
  it.effect(
    "are created with a secret, tested, resent, turned off, changed and deleted, with a log of deliveries",
    () =>
      Effect.gen(function* () {
        yield* consoleFiles
        const data = yield* dataDirectory
        const { key } = yield* onboardedWorkspaceIn(data)
        const { url } = yield* serve(data, { OVERTURE_FETCH_ALLOW_PRIVATE: "true" })
        const { deliveries: received, url: hook } = yield* webhookReceiver(410)
        const chromium = yield* browser
        yield* Effect.promise(() =>
          visit(chromium, `${url}/#/webhooks`, { key }, async (page) => {
            page.setDefaultTimeout(60_000)
            const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
            const isSound = async () => {
              for (const width of [1280, 390]) {
                await page.setViewportSize({ width, height: 800 })
                assert.deepStrictEqual(await accessibilityViolations(page), [], String(width))
                assert.isAtMost(await horizontalOverflow(page), 0, String(width))
              }
              await page.setViewportSize({ width: 1280, height: 800 })
            }
            /** The secret that is shown, which is then put away. */
            const secretShown = async () => {
              const box = page.getByRole("region", { name: "New secret" })
              const text = await box.locator("code").innerText()
              await box.getByRole("button", { name: "Done" }).click()
              return text
            }

            await page.getByText("No webhooks yet").waitFor()
            await page.getByLabel("Address").fill("ftp://127.0.0.1")
            await press("Create the webhook")
            await page
              .getByText(/must be an? .*http/)
              .first()
              .waitFor()
            await page.getByLabel("Address").fill(hook)
            await page.getByLabel("Description").fill("CRM")
            await page.getByLabel("Events", { exact: true }).selectOption("Selected events")
            await page.getByRole("checkbox", { name: "list.completed" }).check()
            await page.getByLabel("Send leads and emails with events of leads").check()
            await press("Create the webhook")
            const secret = await secretShown()
            assert.match(secret, /^whsec_/)
            // The form for the next webhook is as for the first: leads and emails are sent only where that is chosen.
            assert.isFalse(await page.getByLabel("Send leads and emails with events of leads").isChecked())
            assert.strictEqual(await page.getByLabel("Events", { exact: true }).inputValue(), "all")
            await isSound()

            // The receiver answers 410, which disables the webhook.
            await page.getByRole("link", { name: hook }).click()
            await page.getByText("Nothing was sent yet").waitFor()
            await press("Send a test event")
            const deliveries = page.getByRole("list", { name: "Deliveries" })
            await deliveries.getByText("Failed", { exact: true }).waitFor()
            await deliveries.getByText("1 attempt; status 410").waitFor()
            await deliveries.locator("summary").click()
            await deliveries.getByText("answered 410", { exact: true }).waitFor()
            await page.reload()
            await page.getByText("The receiver answered 410").first().waitFor()
            await isSound()
            await press("Turn on")
            await page.getByText("On", { exact: true }).waitFor()

            // The event is sent again with its id, and accepted.
            await deliveries.getByRole("button", { name: /^Resend/ }).click()
            await deliveries.getByText("Delivered", { exact: true }).waitFor()
            assert.strictEqual(received[0]?.headers["webhook-id"], received[1]?.headers["webhook-id"])
            new Webhook(secret).verify(received[1]?.body ?? "", received[1]?.headers ?? {})
            await page.getByLabel("Show").selectOption("Failed")
            await deliveries.getByText("status 410").waitFor()
            assert.strictEqual(await deliveries.getByRole("listitem").count(), 1)
            await page.getByLabel("Show").selectOption("All deliveries")

            await press("Replace the secret")
            await page.getByRole("dialog").getByRole("button", { name: "Replace", exact: true }).click()
            const next = await secretShown()
            await press("Send a test event")
            await deliveries.getByText("Delivered", { exact: true }).nth(1).waitFor()
            for (const each of [secret, next])
              new Webhook(each).verify(received[2]?.body ?? "", received[2]?.headers ?? {})

            await page.getByLabel("Events", { exact: true }).selectOption("All events, later ones included")
            await press("Save")
            await page.locator(".within a").click()
            await page.getByText("All events", { exact: true }).waitFor()
            await page.getByRole("link", { name: hook }).click()
            await press("Turn off")
            await page.getByText("Off", { exact: true }).waitFor()
            await press("Delete")
            await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
            await page.getByText("No webhooks yet").waitFor()
            assert.notInclude(await page.content(), "whsec_")
          })
        )
      }),
    timeoutMillis
  )
})
