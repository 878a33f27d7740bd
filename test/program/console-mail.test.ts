// test/program/console-mail.test.ts: test mails from a lead's page in a real browser, with a mail server and without one.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { browser, consoleFiles, horizontalOverflow, accessibilityViolations, visit } from "../support/browser.ts"
import { commandJson } from "../support/command.ts"
import { onboardedWorkspaceIn, namedLeads, options } from "../support/program-workspace.ts"
import { dataDirectory, serve } from "../support/process.ts"
import { mailServer } from "../support/smtp.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"

/** Setting up may install a browser. */
const timeoutMillis = 600_000
const widths = [1280, 390] as const

/** A server with one written lead, and its page. */
const opened = Effect.fnUntraced(function* (env: Record<string, string>) {
  yield* consoleFiles
  const data = yield* dataDirectory
  const { key, workspace } = yield* onboardedWorkspaceIn(data)
  yield* commandJson(data, "workspace", "owner", workspace, "--email", "owner@kestrel.example")
  const { log, url } = yield* serve(data, env)
  const open = yield* browser
  const api = apiClient(url, key)
  const campaign = yield* buildCampaign(api)
  const sent = {
    leads: namedLeads(1),
    options: { ...options, list_name: "Test mails", notification_email: "done@x.example" }
  }
  const { list_id } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, sent)).body
  yield* until(api.send("GET", `/lists/${list_id}`), ({ body }) => body.processing_status === "completed")
  const show = (width: number, use: Parameters<typeof visit<void>>[3]) =>
    Effect.promise(() => visit(open, `${url}/#/lists/${list_id}/1`, { key, viewport: { width, height: 800 } }, use))
  return { log, show }
})

describe("a lead's page", () => {
  it.live(
    "sends one email, or all of them, to the owner of the workspace",
    () =>
      Effect.gen(function* () {
        const { port, received } = yield* mailServer()
        const { log, show } = yield* opened({ SMTP_URL: `smtp://127.0.0.1:${port}` })
        const tests = () => received.filter(({ raw }) => /^Subject: \[Test\] /m.test(raw))
        for (const width of widths) {
          const before = tests().length
          yield* show(width, async (page) => {
            await page.getByRole("button", { name: "Send to myself: email 2" }).click()
            await page.getByText("1 test mail sent to owner@kestrel.example.").waitFor()
            assert.lengthOf(tests(), before + 1)
            await page.getByRole("button", { name: "Send all emails to myself" }).click()
            await page.getByText("2 test mails sent to owner@kestrel.example.").waitFor()
            assert.lengthOf(tests(), before + 3)
            assert.deepStrictEqual(await accessibilityViolations(page), [])
            assert.isAtMost(await horizontalOverflow(page), 0)
          })
        }
        assert.deepStrictEqual(new Set(tests().flatMap(({ to }) => to)), new Set(["owner@kestrel.example"]))
        assert.notInclude(log(), "owner@kestrel.example")
      }),
    timeoutMillis
  )

  it.live(
    "offers no test mail where the server has no mail server, and says whom to ask",
    () =>
      Effect.gen(function* () {
        const { show } = yield* opened({})
        yield* show(1280, async (page) => {
          await page.getByText("ask the person who runs Overture to set up mail").waitFor()
          assert.strictEqual(await page.getByRole("button", { name: /to myself/ }).count(), 0)
          assert.deepStrictEqual(await accessibilityViolations(page), [])
        })
      }),
    timeoutMillis
  )
})
