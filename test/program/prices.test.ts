// test/program/prices.test.ts: the cost of a list at the operator's prices, in the API, on the command line and in the console.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { browser, consoleFiles, visit } from "../support/browser.ts"
import { namedLeads, options, workspaceIn } from "../support/program-workspace.ts"
import { modelServer } from "../support/model-server.ts"
import { addressOf, stopProcess, dataDirectory, overture, runProgram, startProgram } from "../support/process.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"

/** The company profile that the model server knows. */
const profile = new URL("../fixtures/hollowell.json", import.meta.url).pathname

/** The usage of each answer. The input tokens include the cached tokens. */
const usage = { prompt_tokens: 1200, completion_tokens: 80, prompt_tokens_details: { cached_tokens: 1000 } }

/** The test may install a browser. */
const timeout = 600_000

describe("overture serve with prices", () => {
  it.live(
    "counts a list's tokens and their cost by prices per million, cached ones at the full price",
    () =>
      Effect.gen(function* () {
        yield* consoleFiles
        const { state, url: model } = yield* modelServer
        state.usage = usage
        const { data, key } = yield* Effect.flatMap(dataDirectory, (data) =>
          workspaceIn(data, "Hollowell", "--profile", profile)
        )
        const startServer = Effect.fnUntraced(function* (env: Record<string, string>, ...args: ReadonlyArray<string>) {
          const settings = {
            OVERTURE_GENERATOR: "",
            OPENAI_API_KEY: "sk-test",
            OPENAI_BASE_URL: model,
            OVERTURE_MODEL: "tiny",
            ...env
          }
          const { child, stderr } = yield* startProgram(
            data,
            settings,
            "serve",
            "--data-dir",
            data,
            "--port",
            "0",
            ...args
          )
          return { child, url: yield* addressOf(child, stderr) }
        })
        const firstServer = yield* startServer({ OVERTURE_PRICE_OUT: "7" }, "--price-in", "2.5", "--price-out", "20")
        const campaign = yield* buildCampaign(apiClient(firstServer.url, key))
        const { body } = yield* apiClient(firstServer.url, key).send("POST", `/campaigns/${campaign}/generate-batch`, {
          leads: namedLeads(3),
          options
        })
        const list = String(body.list_id)
        const fetchList = (url: string) => apiClient(url, key).send("GET", `/lists/${list}`)
        const completedList = yield* until(
          fetchList(firstServer.url),
          ({ body }) => body.processing_status === "completed"
        )
        const { calls } = completedList.body.usage
        assert.isAtLeast(calls, 3)
        const tokens = {
          calls,
          input_tokens: 1200 * calls,
          cached_tokens: 1000 * calls,
          output_tokens: 80 * calls
        }
        // 1,200 tokens at 2.5 a million are 0.003, and 80 at 20 are 0.0016. The flags win over the settings.
        const cost = (calls * 46) / 10_000
        assert.deepStrictEqual(completedList.body.usage, { ...tokens, cost })

        const openBrowser = yield* browser
        yield* Effect.promise(() =>
          visit<void>(openBrowser, `${firstServer.url}/#/lists/${list}`, { key }, async (page) => {
            const formattedTokens = tokens.input_tokens.toLocaleString("en-GB")
            await page
              .getByText(`${formattedTokens} tokens read and ${80 * calls} written by the model, cost ${cost}.`)
              .waitFor()
          })
        )
        const { stdout } = yield* runProgram(
          data,
          { OVERTURE_URL: firstServer.url, OVERTURE_API_KEY: key },
          "lists",
          "show",
          list
        )
        assert.include(stdout, `cost ${cost}`)
        yield* stopProcess(firstServer.child, "SIGTERM")

        // The store has tokens only, so new prices apply to old lists too. A price that is not set is 0.
        const secondServer = yield* startServer({ OVERTURE_PRICE_OUT: "7" })
        assert.deepStrictEqual((yield* fetchList(secondServer.url)).body.usage, {
          ...tokens,
          cost: (calls * 56) / 100_000
        })
        yield* stopProcess(secondServer.child, "SIGTERM")
        const thirdServer = yield* startServer({})
        assert.deepStrictEqual((yield* fetchList(thirdServer.url)).body.usage, { ...tokens, cost: null })
        yield* Effect.promise(() =>
          visit<void>(openBrowser, `${thirdServer.url}/#/lists/${list}`, { key }, async (page) => {
            await page.getByText(`${80 * calls} written by the model.`).waitFor()
          })
        )
        yield* stopProcess(thirdServer.child, "SIGTERM")
        const { code, stderr } = yield* overture(data, "serve", "--price-in", "-1")
        assert.notStrictEqual(code, 0)
        assert.include(stderr, "price-in")
      }),
    timeout
  )
})
