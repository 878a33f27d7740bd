// test/local-models.test.ts: Ollama, LM Studio and llama.cpp: context size, concurrency, loading times and errors.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, References, Schema, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { type Judgement, Model, type PromptRequest } from "#layers/Model.ts"
import { ModelCallSubject } from "#layers/model/ModelCalls.ts"
import { prompt } from "#layers/model/Prompt.ts"
import { Backoff } from "#layers/model/Health.ts"
import { isLocal } from "#layers/model/DetectServer.ts"
import { RetryPolicy } from "#layers/model/RetryPolicy.ts"
import { Prices } from "#layers/lists/Usage.ts"
import { redactingTracer } from "#src/telemetry/RedactingTracer.ts"
import { minTokens, maxTokens } from "#layers/model/ContextSize.ts"
import { Services } from "#src/services.ts"
import { expectBody } from "./support/answers.ts"
import { profile } from "./support/model-answers.ts"
import { onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { balanceOf, waitForList, startBatch, makeLeads } from "./support/lists.ts"
import { llamaCpp, lmStudio } from "./support/local-servers.ts"
import * as Support from "./support/model.ts"
import { ollama } from "./support/ollama.ts"
import * as Server from "./support/server.ts"
import * as Stores from "./support/store.ts"
import { until } from "./support/until.ts"
import { newWorkspace } from "./support/workspace.ts"

const modelWithStore = (...args: Parameters<typeof Support.modelAt>) =>
  Support.modelAt(...args).pipe(Layer.provideMerge(Layer.fresh(Stores.store)))

const withModelAt = (...args: Parameters<typeof Support.modelAt>) => Effect.provide(modelWithStore(...args))

const colour = prompt({
  name: "colour",
  version: 3,
  task: "Name a colour.",
  answer: Schema.Struct({ colour: Schema.String })
})

/** Text of about `count` words of one or two tokens. The first word shows whether the prompt was cut. */
const words = (count: number) => `firstword ${"colour paints ".repeat(count / 2)}`

const promptRequest = (count: number): PromptRequest<{ readonly colour: string }> => ({
  prompt: colour,
  sharedData: { profile: "Acme paints" },
  requestData: { notes: words(count) },
  maxTextLength: 1_000_000,
  request: "Name one."
})

const accept = <A>(value: A): Judgement<A> => ({ value, worth: 0, passes: 0, faults: [], error: "" })

const ask = Effect.fnUntraced(function* (count = 10) {
  const model = yield* Model
  if (model === undefined) return yield* Effect.die("There is no model")
  return yield* model.write(promptRequest(count), ({ colour }) => accept(colour))
})

const replyRed = () => '{"colour":"red"}'

describe("Ollama", () => {
  it.live("is detected, and called by its native API with the required settings", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({ reply: replyRed })
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* ask(), "red")
        const [chat] = seen.chats
        assert.deepInclude(chat, { model: "tiny", stream: false, think: false, truncate: false, shift: false })
        assert.match(chat?.keep_alive ?? "", /^\d+m$/)
        assert.deepEqual(chat?.format, colour.schema)
        assert.strictEqual(chat?.options?.num_ctx, 8192)
        assert.isAbove(chat?.options?.num_predict ?? 0, 1000)
        assert.notInclude(JSON.stringify(chat), Support.key)
        assert.deepStrictEqual((yield* Model)?.serverInfo(), {
          api: "ollama",
          host: new URL(url).host,
          context: undefined,
          atOnce: 1
        })
        assert.isNull(yield* (yield* Model)?.probe({ sendsPrompt: false }) ?? Effect.succeed("none"))
        assert.strictEqual((yield* Model)?.serverInfo().context, 32_768)
      }).pipe(withModelAt(url))
    })
  )

  it.live("reads every prompt completely: the context grows with the prompt, and never shrinks", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({
        reply: (user) => (user.includes("firstword") ? '{"colour":"whole"}' : '{"colour":"cut"}')
      })
      yield* Effect.gen(function* () {
        for (const count of [10, 5000, 12_000, 10, 5000]) assert.strictEqual(yield* ask(count), "whole")
      }).pipe(withModelAt(url))
      assert.strictEqual(seen.cutPrompts, 0)
      assert.deepStrictEqual(
        seen.chats.map(({ options }) => options?.num_ctx),
        [8192, 16_384, 32_768, 32_768, 32_768]
      )
      assert.strictEqual(seen.loads, 3)
    })
  )

  it.live("is called with the context that another process has loaded", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({ reply: replyRed })
      yield* ask(5000).pipe(withModelAt(url))
      yield* ask(10).pipe(withModelAt(url))
      assert.strictEqual(seen.loads, 1)
    })
  )

  it.live("is not sent a prompt that exceeds its context", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({ reply: replyRed, maxContext: 8192, refusesLongPrompts: false })
      const error = yield* Effect.flip(ask(12_000)).pipe(withModelAt(url))
      assert.match(error.message, /context of 8,192 tokens.*not sent.*num_ctx/)
      assert.deepInclude(error, { transient: false, failure: { reason: "model_refused" } })
      const cappedError = yield* Effect.flip(ask(5000)).pipe(withModelAt(url, {}, { context: 4096 }))
      assert.match(cappedError.message, /context of 4,096 tokens.*OVERTURE_MODEL_CONTEXT/)
      assert.strictEqual(seen.chats.length, 0)
    })
  )

  it.live("has an answer to a cut prompt rejected", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({ reply: replyRed, fixedContext: 4096, refusesLongPrompts: false })
      const error = yield* Effect.flip(ask(6000)).pipe(withModelAt(url))
      assert.match(error.message, /cut the prompt: it read 2,0\d\d tokens.*not used.*num_ctx/)
      assert.isFalse(error.transient)
      assert.strictEqual(seen.chats.length, 1)
      const newerServer = yield* ollama({ reply: replyRed, fixedContext: 4096 })
      const tooLongError = yield* Effect.flip(ask(6000)).pipe(withModelAt(newerServer.url))
      assert.match(tooLongError.message, /too small a context for this prompt/)
    })
  )

  it.live("gets one request at a time, or the configured number", () =>
    Effect.gen(function* () {
      for (const atOnce of [undefined, 3]) {
        const { seen, url } = yield* ollama({ reply: replyRed, parallel: 8, answerMillis: 20 })
        yield* Effect.all(
          Array.from({ length: 9 }, () => ask()),
          { concurrency: "unbounded" }
        ).pipe(withModelAt(url, {}, { atOnce }))
        assert.strictEqual(seen.maxActiveRequests, atOnce ?? 1)
      }
    })
  )

  it.live("gets more time for its first answer, while it loads the model", () =>
    Effect.gen(function* () {
      const times = { localMillis: 200, coldMillis: 5000 }
      const { seen, state, url } = yield* ollama({ reply: replyRed, loadMillis: 600 })
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* ask(), "red")
        assert.strictEqual(seen.chats.length, 1)
        state.answerMillis = 1000
        const error = yield* Effect.flip(ask())
        assert.match(error.message, /did not answer within 200ms \(3 attempts\)/)
        assert.isTrue(error.transient)
      }).pipe(withModelAt(url, times))
    })
  )

  it.live("thinks only if its model always does or a setting requests it", () =>
    Effect.gen(function* () {
      const cases = [
        [{}, undefined, [false]],
        [{ family: "gptoss" }, undefined, ["low"]],
        [{ family: "gptoss" }, "xhigh", ["high"]],
        [{}, "none", [false]],
        // A model without thinking levels refuses the setting, and the request is repeated without it.
        [{}, "high", ["high", false]]
      ] as const
      for (const [serverOptions, reasoning_effort, sentThink] of cases) {
        const { seen, url } = yield* ollama({ reply: replyRed, ...serverOptions })
        assert.strictEqual(yield* ask().pipe(withModelAt(url, {}, { sampling: { reasoning_effort } })), "red")
        assert.deepStrictEqual(
          seen.chats.map(({ think }) => think),
          [...sentThink]
        )
      }
    })
  )

  const faults = [
    [{ models: [] }, /does not have the model\. Download it with ollama pull/, true, 1],
    [{ fault: { status: 500, error: "model requires more system memory (9 GiB)" } }, /not enough memory/, true, 1],
    [{ queue: 0 }, /queue is full \(3 attempts\)\. .*OVERTURE_CONCURRENCY/, true, 3],
    [{ fault: { status: 500, error: "llama runner process has terminated" } }, /answered 500 \(3 attempts\)/, true, 3],
    [{ answersToAbort: 9 }, /broke off its answer \(3 attempts\)/, true, 3]
  ] as const
  it.live.each(faults)("fails with advice: %o", ([serverOptions, message, transient, calls]) =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({ reply: replyRed, ...serverOptions })
      const error = yield* Effect.flip(ask()).pipe(withModelAt(url))
      assert.match(error.message, message)
      assert.strictEqual(error.transient, transient)
      assert.strictEqual(seen.chats.length, calls)
    })
  )

  it.live("counts at most a billion tokens of an answer, whatever it reports", () =>
    Effect.gen(function* () {
      for (const reportedTokens of [9e18, 1e300]) {
        const { url } = yield* ollama({ reply: replyRed, reportedTokens })
        yield* Effect.gen(function* () {
          const { workspace } = yield* newWorkspace()
          const subject = { workspace: workspace.id, kind: "lead", subject: "l1" }
          assert.strictEqual(yield* ask().pipe(Effect.provideService(ModelCallSubject, subject)), "red")
          const sql = yield* SqlClient.SqlClient
          const calls = yield* sql`SELECT output_tokens FROM model_calls`
          assert.deepStrictEqual({ ...calls[0] }, { output_tokens: 1e9 })
        }).pipe(Effect.provide(Services.pipe(Layer.provideMerge(modelWithStore(url)))))
      }
    })
  )

  it.live("creates a span by the GenAI conventions, without text of the prompt", () =>
    Effect.gen(function* () {
      const { url } = yield* ollama({ reply: replyRed, answersToAbort: 1 })
      const spans: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      yield* ask().pipe(
        Effect.provideService(Tracer.Tracer, redactingTracer(tracer)),
        Effect.provideService(References.TracerEnabled, true),
        withModelAt(url, {}, { sampling: { temperature: 0.2, seed: 7 } })
      )
      const [failedSpan, answeredSpan] = spans.filter(({ kind }) => kind === "client")
      assert.strictEqual(answeredSpan?.name, "chat tiny")
      const requestAttributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "ollama",
        "gen_ai.request.model": "tiny",
        "gen_ai.request.temperature": 0.2,
        "gen_ai.request.seed": 7,
        "gen_ai.output.type": "json"
      }
      assert.deepStrictEqual(Object.fromEntries(failedSpan?.attributes ?? []), {
        ...requestAttributes,
        "error.type": "passing"
      })
      const attributes = Object.fromEntries(answeredSpan?.attributes ?? [])
      assert.deepInclude(attributes, { ...requestAttributes, "gen_ai.response.finish_reasons": ["stop"] })
      assert.isAbove(Number(attributes["gen_ai.usage.input_tokens"]), 100)
      assert.isAbove(Number(attributes["gen_ai.usage.output_tokens"]), 3)
      assert.notInclude(JSON.stringify(spans.map(({ attributes }) => [...attributes])), "paints")
    })
  )

  it.live("is called again after it aborts an answer, and its tokens are recorded", () =>
    Effect.gen(function* () {
      const { url } = yield* ollama({ reply: replyRed, answersToAbort: 2 })
      yield* Effect.gen(function* () {
        const { workspace } = yield* newWorkspace()
        const subject = { workspace: workspace.id, kind: "lead", subject: "one" }
        assert.strictEqual(yield* Effect.provideService(ask(), ModelCallSubject, subject), "red")
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ readonly input_tokens: number; readonly output_tokens: number }>`
          SELECT input_tokens, output_tokens FROM model_calls`
        assert.lengthOf(rows, 1)
        assert.isAbove(rows[0]?.input_tokens ?? 0, 100)
        assert.isAbove(rows[0]?.output_tokens ?? 0, 3)
      }).pipe(Effect.provide(Services.pipe(Layer.provideMerge(modelWithStore(url)))))
    })
  )
})

describe("a list that Ollama writes", () => {
  it.live("is completed despite crashes and slow loading, one request at a time, and charged once", () =>
    Effect.gen(function* () {
      const { restart, seen, state, url } = yield* ollama({ loadMillis: 50, answerMillis: 2, parallel: 4 })
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller({ details: profile })
        const campaign = yield* Campaigns.builtCampaign(caller)
        const before = yield* balanceOf(caller)
        const list = yield* startBatch(caller, campaign, makeLeads(20), { email_count: 1, email_signature: "Tom" })
        yield* Effect.sleep("50 millis")
        restart()
        state.answersToAbort = 4
        yield* Effect.sleep("100 millis")
        state.fault = { status: 500, error: "llama runner process has terminated" }
        yield* waitForList(caller, list, "pending")
        state.fault = undefined
        restart()
        const finished = yield* waitForList(caller, list)
        assert.strictEqual(finished.emails_created, 20)
        assert.strictEqual(yield* balanceOf(caller), before - 20)
        assert.strictEqual(seen.maxActiveRequests, 1)
        assert.strictEqual(seen.cutPrompts, 0)
        const { usage } = yield* expectBody(200, caller.get(`/lists/${list}`))
        assert.isAtLeast(usage.calls, 20)
        assert.isAbove(usage.input_tokens, 20_000)
        assert.isAbove(usage.output_tokens, 1000)
        const price = usage.input_tokens * 0.25 + usage.output_tokens * 2
        assert.approximately(usage.cost, price / 1e6, 1e-6)
        const { writer } = yield* expectBody(200, caller.get("/workspace"))
        assert.deepStrictEqual(writer.server, {
          api: "ollama",
          host: new URL(url).host,
          context: 32_768,
          concurrency: 1
        })
        yield* Server.assertConsistent
      }).pipe(
        Effect.provide(
          Server.layer({
            model: Support.modelAt(url),
            concurrency: 4,
            override: Context.make(Prices, { input: 0.25, output: 2 })
          }).pipe(Layer.provide(Layer.succeed(Backoff, { firstMillis: 5, longestMillis: 100 })))
        )
      )
    })
  )
})

describe("a list for an Ollama that is killed", () => {
  it.live("continues when the server is back, and is charged once", () =>
    Effect.gen(function* () {
      const firstServer = yield* ollama({ answerMillis: 20 })
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller({ details: profile })
        const campaign = yield* Campaigns.builtCampaign(caller)
        const before = yield* balanceOf(caller)
        const chatsBefore = firstServer.seen.chats.length
        const list = yield* startBatch(caller, campaign, makeLeads(12), { email_count: 1, email_signature: "Tom" })
        yield* until(
          Effect.sync(() => firstServer.seen.chats.length),
          (count) => count >= chatsBefore + 4
        )
        // All connections close, one of them during a response, and the port stops listening.
        firstServer.close()
        yield* waitForList(caller, list, "pending")
        // The new server has not loaded the model, and its queue is full.
        const secondServer = yield* ollama({ loadMillis: 300, answerMillis: 2, queue: 0 }, firstServer.port)
        yield* until(
          Effect.sync(() => secondServer.seen.chats.length),
          (count) => count > 0
        )
        assert.notStrictEqual((yield* expectBody(200, caller.get(`/lists/${list}`))).processing_status, "completed")
        secondServer.state.queue = 512
        const finished = yield* waitForList(caller, list)
        assert.strictEqual(finished.emails_created, 12)
        assert.strictEqual(yield* balanceOf(caller), before - 12)
        assert.strictEqual(secondServer.seen.maxActiveRequests, 1)
        assert.isAtLeast(secondServer.seen.loads, 1)
        yield* Server.assertConsistent
      }).pipe(
        Effect.provide(
          Server.layer({ model: Support.modelAt(firstServer.url), concurrency: 4 }).pipe(
            Layer.provide(Layer.succeed(Backoff, { firstMillis: 5, longestMillis: 100 }))
          )
        )
      )
    })
  )
})

describe("the time for an answer", () => {
  it.effect("allows for a model that takes minutes to load", () =>
    Effect.gen(function* () {
      const { attemptMillis, coldMillis, localMillis } = yield* RetryPolicy
      assert.deepStrictEqual([attemptMillis, localMillis, coldMillis], [60_000, 300_000, 600_000])
    })
  )
})

describe("LM Studio and llama.cpp", () => {
  const servers = [
    ["lmstudio", lmStudio, /larger context length/],
    ["llamacpp", llamaCpp, /--ctx-size/]
  ] as const

  it.live.each(servers)("are not sent a prompt that the loaded context would cut: %s", ([api, server, hint]) =>
    Effect.gen(function* () {
      const { state, url } = yield* server({ context: 4096 })
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* ask(10), "red")
        const error = yield* Effect.flip(ask(6000))
        assert.match(error.message, /context of 4,096 tokens.*not sent/)
        assert.match(error.message, hint)
        assert.lengthOf(state.bodies, 1)
        assert.deepInclude((yield* Model)?.serverInfo(), { api, context: 4096, atOnce: 2 })
        // After reloading with a larger context the same prompt is accepted.
        state.context = 32_768
        assert.strictEqual(yield* ask(6000), "red")
        state.claimedTokens = 2048
        assert.match((yield* Effect.flip(ask(6000))).message, /cut the prompt: it read 2,048 tokens/)
        state.claimedTokens = undefined
        yield* Effect.all(
          Array.from({ length: 8 }, () => ask()),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(state.maxActiveRequests, 2)
      }).pipe(withModelAt(url))
    })
  )

  it.live("report a too long prompt if their context was unknown", () =>
    Effect.gen(function* () {
      const { url } = yield* lmStudio({ context: 4096, loadMillis: 10 })
      const error = yield* Effect.flip(ask(6000)).pipe(withModelAt(url))
      assert.match(error.message, /too small a context for this prompt/)
      assert.isFalse(error.transient)
      const llama = yield* llamaCpp({ context: 4096 })
      const tooLongError = yield* Effect.flip(ask(6000)).pipe(withModelAt(llama.url, {}, { api: "openai" }))
      assert.match(tooLongError.message, /too small a context for this prompt/)
    })
  )

  it.live("get more time while the model is loading", () =>
    Effect.gen(function* () {
      const { url } = yield* lmStudio({ context: 8192, loadMillis: 500 })
      assert.strictEqual(yield* ask().pipe(withModelAt(url, { localMillis: 100, coldMillis: 5000 })), "red")
      const llama = yield* llamaCpp({ context: 8192, loadMillis: 0 })
      const error = yield* Effect.flip(ask()).pipe(withModelAt(llama.url, {}, { api: "llamacpp" }))
      assert.match(error.message, /still loading its model \(3 attempts\)/)
      assert.isTrue(error.transient)
    })
  )

  it.live("are called without thinking, by llama.cpp's chat template", () =>
    Effect.gen(function* () {
      const { state, url } = yield* llamaCpp({ context: 8192 })
      yield* ask().pipe(withModelAt(url))
      assert.deepStrictEqual(state.bodies[0].chat_template_kwargs, { enable_thinking: false })
      yield* ask().pipe(withModelAt(url, {}, { sampling: { reasoning_effort: "high" } }))
      assert.notProperty(state.bodies[1], "chat_template_kwargs")
    })
  )
})

describe("the size of a prompt", () => {
  it("is estimated with bounds that contain the token count", () => {
    const tokenBounds = (content: string) => {
      const messages = [{ role: "user" as const, content }]
      return [minTokens(messages), maxTokens(messages)]
    }
    // Token counts of the encodings o200k_base and cl100k_base, the larger of the two.
    const samples = [
      ["We find and fix compressed air leaks in factories.", 10],
      ["Donaudampfschifffahrtsgesellschaft", 13],
      ['{"title":"Head of Logistics","company":"Kleurhof Tuinmeubelen B.V."}', 21],
      ["1,234,567.89", 7],
      ["我们在工厂里寻找并修复压缩空气泄漏。", 24]
    ] as const
    for (const [text, tokens] of samples) {
      const [minimum = 0, maximum = 0] = tokenBounds(text)
      assert.isAtMost(minimum, tokens, text)
      assert.isAtLeast(maximum, tokens, text)
    }
  })

  it("matters only for local servers", () => {
    const localUrls = [
      "http://127.0.0.1:11434/v1",
      "http://localhost:1234/v1",
      "http://ollama:11434",
      "http://[::1]:8080/v1"
    ]
    const privateUrls = ["http://192.168.1.5:8080/v1", "http://host.docker.internal:11434/v1", "http://gpu.local/v1"]
    for (const url of [...localUrls, ...privateUrls]) assert.isTrue(isLocal(url), url)
    for (const url of ["https://api.openai.com/v1", "https://172.15.0.1/v1", "https://10.example.com/v1", undefined]) {
      assert.isFalse(isLocal(url), url)
    }
  })
})
