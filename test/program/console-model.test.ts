// test/program/console-model.test.ts: what the console shows of the model: which one writes, that it cannot be reached, and what a list waits for.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { browser, consoleFiles, accessibilityViolations, visit } from "../support/browser.ts"
import { namedLeads, options, workspaceIn } from "../support/program-workspace.ts"
import { modelServer } from "../support/model-server.ts"
import { dataDirectory, serve } from "../support/process.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"

/** The business that the stub knows. */
const profile = new URL("../fixtures/hollowell.json", import.meta.url).pathname

/** An email without findings, which differs from the stub's usual one. */
const rewrittenEmail = {
  subject: "Your second compressor",
  body: "Hello,\n\nWe find and fix compressed air leaks in factories. Would a look at your plant help your maintenance team?",
  facts: []
}

/** Setting up may install a browser. */
const timeoutMillis = 600_000

describe("the console beside a model", () => {
  it.live(
    "shows which one writes, warns while it cannot be reached, and follows a list that resumes by itself",
    () =>
      Effect.gen(function* () {
        yield* consoleFiles
        const { state, url: model } = yield* modelServer
        const { data, key } = yield* Effect.flatMap(dataDirectory, (data) =>
          workspaceIn(data, "Hollowell", "--profile", profile)
        )
        const { url } = yield* serve(data, {
          OVERTURE_GENERATOR: "",
          OPENAI_API_KEY: "sk-test",
          OPENAI_BASE_URL: model,
          OVERTURE_MODEL: "tiny"
        })
        const api = apiClient(url, key)
        const campaign = yield* buildCampaign(api)
        const open = yield* browser
        const at = (path: string, use: Parameters<typeof visit<void>>[3]) =>
          Effect.promise(() => visit<void>(open, `${url}/${path}`, { key }, use))

        yield* at("", async (page) => {
          await page.getByText("Emails are written by the model tiny.").waitFor()
          assert.strictEqual(await page.getByText("The model cannot be reached").count(), 0)
          await page.getByText("Model settings").click()
          for (const value of ["a server with OpenAI's API", new URL(model).host, "no limit"]) {
            await page.locator(".model-settings").getByText(value, { exact: true }).waitFor()
          }
          assert.notInclude(await page.content(), "sk-test")
          assert.deepStrictEqual(await accessibilityViolations(page), [])
        })

        yield* at(`#/campaigns/${campaign}/build/value_proposition`, async (page) => {
          await page
            .getByText(/^From your profile: “We find and fix compressed air leaks/)
            .first()
            .waitFor()
          assert.deepStrictEqual(await accessibilityViolations(page), [])
        })

        for (const [path, sign] of [
          ["write", "Write to leads"],
          ["preview", "Preview"],
          ["build/emails", "Templates"]
        ] as const) {
          yield* at(`#/campaigns/${campaign}/${path}`, async (page) => {
            await page.getByRole("heading", { level: 1, name: sign }).waitFor()
            if (path === "write") {
              await page.getByText("Paste rows instead").click()
              await page.getByLabel("Rows, the first with the column names").fill("Name,Mail\nIda,ida@north.example")
              await page.getByRole("button", { name: "Read the rows" }).click()
            }
            await page.getByText("Writer: tiny. The model adapts the templates to each lead.").waitFor()
            if (path !== "build/emails") return
            await page.getByLabel("Fill in the templates").check()
            await page.getByText("Writer: templates. They are filled in without the model tiny").waitFor()
            await page.getByLabel("Adapt to each lead").check()
            await page.getByText("Writer: tiny.").waitFor()
            assert.deepStrictEqual(await accessibilityViolations(page), [])
          })
        }

        state.mode = "refuses the key"
        const { body } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
          leads: namedLeads(2),
          options
        })
        assert.property(body, "list_id", JSON.stringify(body))
        const list = api.send("GET", `/lists/${body.list_id}`)
        yield* until(list, ({ body }) => body.processing_status === "pending")
        yield* at("", async (page) => {
          await page.getByText("The model cannot be reached").waitFor()
          await page.getByText(/check OPENAI_API_KEY/).waitFor()
          assert.deepStrictEqual(await accessibilityViolations(page), [])
        })
        yield* at("#/workspace", async (page) => {
          const content = Buffer.from("# Hollowell\n\nPhone: +44 113 496 0500\n")
          await page
            .getByLabel("Document", { exact: true })
            .setInputFiles({ name: "note.md", mimeType: "text/markdown", buffer: content })
          await page.getByRole("button", { name: "Read the document" }).click()
          await page.getByText(/^The document was read.*The model gave no answer/).waitFor()
        })
        yield* at(`#/lists/${body.list_id}`, async (page) => {
          await page.getByText(/This list is paused: The model server answered 401.*It resumes by itself/).waitFor()
          state.mode = "well"
          await page.getByText("This list is paused").waitFor({ state: "detached", timeout: 60_000 })
        })
        yield* until(list, ({ body }) => body.processing_status === "completed")
        const prompts: Array<string> = []
        state.reply = ({ kind, user }) => {
          if (kind !== "adapted_emails") return undefined
          prompts.push(user)
          return { emails: [rewrittenEmail] }
        }
        yield* at(`#/lists/${body.list_id}/1`, async (page) => {
          const dialog = page.getByRole("dialog", { name: "Rewrite email 1" })
          await page.getByRole("button", { name: "Rewrite", exact: true }).first().click()
          await dialog.getByText("The model writes this email again.").waitFor()
          await dialog.getByLabel("Instruction").fill("  Ask about their night shift.")
          assert.deepStrictEqual(await accessibilityViolations(page), [])
          await dialog.getByRole("button", { name: "Rewrite" }).click()
          await dialog.locator(".diff ins").first().waitFor()
          assert.include((await dialog.locator(".diff ins").allInnerTexts()).join(" "), rewrittenEmail.subject)
          assert.deepStrictEqual(await accessibilityViolations(page), [])
        })
        assert.lengthOf(prompts, 1)
        assert.include(prompts[0] ?? "", "For this rewrite: Ask about their night shift.")
      }),
    timeoutMillis
  )
})
