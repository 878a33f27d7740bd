// test/local-models.test.ts: models of Ollama, LM Studio and llama.cpp: no prompt is cut, one request at a time, slow loading.
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

const stored = (...given: Parameters<typeof Support.modelAt>) =>
  Support.modelAt(...given).pipe(Layer.provideMerge(Layer.fresh(Stores.store)))

const at = (...given: Parameters<typeof Support.modelAt>) => Effect.provide(stored(...given))

const colour = prompt({
  name: "colour",
  version: 3,
  task: "Name a colour.",
  answer: Schema.Struct({ colour: Schema.String })
})

/** Material of about so many words, each of one or two tokens; the first has a mark. */
const words = (count: number) => `firstword ${"colour paints ".repeat(count / 2)}`

const order = (count: number): PromptRequest<{ readonly colour: string }> => ({
  prompt: colour,
  shared: { profile: "Acme paints" },
  own: { notes: words(count) },
  maxTextLength: 1_000_000,
  request: "Name one."
})

const taken = <A>(value: A): Judgement<A> => ({ value, worth: 0, passes: 0, faults: [], error: "" })

const ask = Effect.fnUntraced(function* (count = 10) {
  const model = yield* Model
  if (model === undefined) return yield* Effect.die("There is no model")
  return yield* model.write(order(count), ({ colour }) => taken(colour))
})

const red = () => '{"colour":"red"}'

describe("Ollama", () => {
  it.live("is recognised, and asked by its native API with the settings that it needs", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({ reply: red })
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* ask(), "red")
        const [chat] = seen.chats
        assert.deepInclude(chat, { model: "tiny", stream: false, think: false, truncate: false, shift: false })
        assert.match(chat?.keep_alive ?? "", /^\d+m$/)
        assert.deepEqual(chat?.format, colour.schema)
        assert.strictEqual(chat?.options?.num_ctx, 8192)
        assert.isAbove(chat?.options?.num_predict ?? 0, 1000)
        assert.notInclude(JSON.stringify(chat), Support.key)
        assert.deepStrictEqual((yield* Model)?.about(), {
          api: "ollama",
          host: new URL(url).host,
          context: undefined,
          atOnce: 1
        })
        assert.isNull(yield* (yield* Model)?.probe({ sendsPrompt: false }) ?? Effect.succeed("none"))
        assert.strictEqual((yield* Model)?.about().context, 32_768)
      }).pipe(at(url))
    })
  )

  it.live("reads every prompt whole: the context grows with the prompt, and never shrinks again", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({
        reply: (user) => (user.includes("firstword") ? '{"colour":"whole"}' : '{"colour":"cut"}')
      })
      yield* Effect.gen(function* () {
        for (const count of [10, 5000, 12_000, 10, 5000]) assert.strictEqual(yield* ask(count), "whole")
      }).pipe(at(url))
      assert.strictEqual(seen.cutPrompts, 0)
      assert.deepStrictEqual(
        seen.chats.map(({ options }) => options?.num_ctx),
        [8192, 16_384, 32_768, 32_768, 32_768]
      )
      assert.strictEqual(seen.loads, 3)
    })
  )

  it.live("is asked with the context that another process has loaded it with", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({ reply: red })
      yield* ask(5000).pipe(at(url))
      yield* ask(10).pipe(at(url))
      assert.strictEqual(seen.loads, 1)
    })
  )

  it.live("is not sent a prompt that its model has no room for", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({ reply: red, maxContext: 8192, refusesLongPrompts: false })
      const error = yield* Effect.flip(ask(12_000)).pipe(at(url))
      assert.match(error.message, /context of 8,192 tokens.*not sent.*num_ctx/)
      assert.deepInclude(error, { transient: false, failure: { reason: "model_refused" } })
      const capped = yield* Effect.flip(ask(5000)).pipe(at(url, {}, { context: 4096 }))
      assert.match(capped.message, /context of 4,096 tokens.*OVERTURE_MODEL_CONTEXT/)
      assert.strictEqual(seen.chats.length, 0)
    })
  )

  it.live("has no answer used that it gave to a part of the prompt", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({ reply: red, fixedContext: 4096, refusesLongPrompts: false })
      const error = yield* Effect.flip(ask(6000)).pipe(at(url))
      assert.match(error.message, /cut the prompt: it read 2,0\d\d tokens.*not used.*num_ctx/)
      assert.isFalse(error.transient)
      assert.strictEqual(seen.chats.length, 1)
      const newer = yield* ollama({ reply: red, fixedContext: 4096 })
      const refused = yield* Effect.flip(ask(6000)).pipe(at(newer.url))
      assert.match(refused.message, /too small a context for this prompt/)
    })
  )

  it.live("gets one request at a time, or as many as are set", () =>
    Effect.gen(function* () {
      for (const atOnce of [undefined, 3]) {
        const { seen, url } = yield* ollama({ reply: red, parallel: 8, answerMillis: 20 })
        yield* Effect.all(
          Array.from({ length: 9 }, () => ask()),
          { concurrency: "unbounded" }
        ).pipe(at(url, {}, { atOnce }))
        assert.strictEqual(seen.maxActiveRequests, atOnce ?? 1)
      }
    })
  )

  it.live("has longer for its first answer, while it loads the model", () =>
    Effect.gen(function* () {
      const times = { localMillis: 200, coldMillis: 5000 }
      const { seen, state, url } = yield* ollama({ reply: red, loadMillis: 600 })
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* ask(), "red")
        assert.strictEqual(seen.chats.length, 1)
        state.answerMillis = 1000
        const error = yield* Effect.flip(ask())
        assert.match(error.message, /did not answer within 200ms \(3 attempts\)/)
        assert.isTrue(error.transient)
      }).pipe(at(url, times))
    })
  )

  it.live("thinks only where its model cannot stop or a setting asks for it", () =>
    Effect.gen(function* () {
      const cases = [
        [{}, undefined, [false]],
        [{ family: "gptoss" }, undefined, ["low"]],
        [{ family: "gptoss" }, "xhigh", ["high"]],
        [{}, "none", [false]],
        // A model that has no levels refuses them, and is asked again without.
        [{}, "high", ["high", false]]
      ] as const
      for (const [given, reasoning_effort, sent] of cases) {
        const { seen, url } = yield* ollama({ reply: red, ...given })
        assert.strictEqual(yield* ask().pipe(at(url, {}, { sampling: { reasoning_effort } })), "red")
        assert.deepStrictEqual(
          seen.chats.map(({ think }) => think),
          [...sent]
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
  it.live.each(faults)("fails in words that say what to do: %o", ([given, message, transient, calls]) =>
    Effect.gen(function* () {
      const { seen, url } = yield* ollama({ reply: red, ...given })
      const error = yield* Effect.flip(ask()).pipe(at(url))
      assert.match(error.message, message)
      assert.strictEqual(error.transient, transient)
      assert.strictEqual(seen.chats.length, calls)
    })
  )

  it.live("counts at most a billion tokens of an answer, whatever it reports", () =>
    Effect.gen(function* () {
      for (const reportedTokens of [9e18, 1e300]) {
        const { url } = yield* ollama({ reply: red, reportedTokens })
        yield* Effect.gen(function* () {
          const { workspace } = yield* newWorkspace()
          const subject = { workspace: workspace.id, kind: "lead", subject: "l1" }
          assert.strictEqual(yield* ask().pipe(Effect.provideService(ModelCallSubject, subject)), "red")
          const sql = yield* SqlClient.SqlClient
          const calls = yield* sql`SELECT output_tokens FROM model_calls`
          assert.deepStrictEqual({ ...calls[0] }, { output_tokens: 1e9 })
        }).pipe(Effect.provide(Services.pipe(Layer.provideMerge(stored(url)))))
      }
    })
  )

  it.live("is a span by the conventions for generative AI, without a word of the prompt", () =>
    Effect.gen(function* () {
      const { url } = yield* ollama({ reply: red, answersToAbort: 1 })
      const seen: Array<Tracer.Span> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          seen.push(span)
          return span
        }
      })
      yield* ask().pipe(
        Effect.provideService(Tracer.Tracer, redactingTracer(tracer)),
        Effect.provideService(References.TracerEnabled, true),
        at(url, {}, { sampling: { temperature: 0.2, seed: 7 } })
      )
      const [failed, answered] = seen.filter(({ kind }) => kind === "client")
      assert.strictEqual(answered?.name, "chat tiny")
      const asked = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "ollama",
        "gen_ai.request.model": "tiny",
        "gen_ai.request.temperature": 0.2,
        "gen_ai.request.seed": 7,
        "gen_ai.output.type": "json"
      }
      assert.deepStrictEqual(Object.fromEntries(failed?.attributes ?? []), { ...asked, "error.type": "passing" })
      const attributes = Object.fromEntries(answered?.attributes ?? [])
      assert.deepInclude(attributes, { ...asked, "gen_ai.response.finish_reasons": ["stop"] })
      assert.isAbove(Number(attributes["gen_ai.usage.input_tokens"]), 100)
      assert.isAbove(Number(attributes["gen_ai.usage.output_tokens"]), 3)
      assert.notInclude(JSON.stringify(seen.map(({ attributes }) => [...attributes])), "paints")
    })
  )

  it.live("is asked again when it dies in the middle of answers, and its tokens are recorded", () =>
    Effect.gen(function* () {
      const { url } = yield* ollama({ reply: red, answersToAbort: 2 })
      yield* Effect.gen(function* () {
        const { workspace } = yield* newWorkspace()
        const occasion = { workspace: workspace.id, kind: "lead", subject: "one" }
        assert.strictEqual(yield* Effect.provideService(ask(), ModelCallSubject, occasion), "red")
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ readonly input_tokens: number; readonly output_tokens: number }>`
          SELECT input_tokens, output_tokens FROM model_calls`
        assert.lengthOf(rows, 1)
        assert.isAbove(rows[0]?.input_tokens ?? 0, 100)
        assert.isAbove(rows[0]?.output_tokens ?? 0, 3)
      }).pipe(Effect.provide(Services.pipe(Layer.provideMerge(stored(url)))))
    })
  )
})

describe("a list that Ollama writes", () => {
  it.live("is written to its end through crashes and slow loading, one request at a time, and paid once", () =>
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
        const done = yield* waitForList(caller, list)
        assert.strictEqual(done.emails_created, 20)
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
  it.live("continues by itself once the server is back and its queue has room, and is paid once", () =>
    Effect.gen(function* () {
      const first = yield* ollama({ answerMillis: 20 })
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller({ details: profile })
        const campaign = yield* Campaigns.builtCampaign(caller)
        const before = yield* balanceOf(caller)
        const asked = first.seen.chats.length
        const list = yield* startBatch(caller, campaign, makeLeads(12), { email_count: 1, email_signature: "Tom" })
        yield* until(
          Effect.sync(() => first.seen.chats.length),
          (count) => count >= asked + 4
        )
        // All connections end, one of them in the middle of an answer, and nothing listens.
        first.close()
        yield* waitForList(caller, list, "pending")
        // The new one has loaded no model, and is full.
        const second = yield* ollama({ loadMillis: 300, answerMillis: 2, queue: 0 }, first.port)
        yield* until(
          Effect.sync(() => second.seen.chats.length),
          (count) => count > 0
        )
        assert.notStrictEqual((yield* expectBody(200, caller.get(`/lists/${list}`))).processing_status, "completed")
        second.state.queue = 512
        const done = yield* waitForList(caller, list)
        assert.strictEqual(done.emails_created, 12)
        assert.strictEqual(yield* balanceOf(caller), before - 12)
        assert.strictEqual(second.seen.maxActiveRequests, 1)
        assert.isAtLeast(second.seen.loads, 1)
        yield* Server.assertConsistent
      }).pipe(
        Effect.provide(
          Server.layer({ model: Support.modelAt(first.url), concurrency: 4 }).pipe(
            Layer.provide(Layer.succeed(Backoff, { firstMillis: 5, longestMillis: 100 }))
          )
        )
      )
    })
  )
})

describe("the time for an answer", () => {
  it.effect("has room for a model that takes minutes to load", () =>
    Effect.gen(function* () {
      const { attemptMillis, coldMillis, localMillis } = yield* RetryPolicy
      assert.deepStrictEqual([attemptMillis, localMillis, coldMillis], [60_000, 300_000, 600_000])
    })
  )
})

describe("LM Studio and llama.cpp", () => {
  const both = [
    ["lmstudio", lmStudio, /larger context length/],
    ["llamacpp", llamaCpp, /--ctx-size/]
  ] as const

  it.live.each(both)("are not sent a prompt that the loaded context would cut: %s", ([api, server, hint]) =>
    Effect.gen(function* () {
      const { state, url } = yield* server({ context: 4096 })
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* ask(10), "red")
        const error = yield* Effect.flip(ask(6000))
        assert.match(error.message, /context of 4,096 tokens.*not sent/)
        assert.match(error.message, hint)
        assert.lengthOf(state.bodies, 1)
        assert.deepInclude((yield* Model)?.about(), { api, context: 4096, atOnce: 2 })
        // Loaded again with more, it takes the same prompt at once.
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
      }).pipe(at(url))
    })
  )

  it.live("say by their own error that the prompt is too long, where they did not say their context before", () =>
    Effect.gen(function* () {
      const { url } = yield* lmStudio({ context: 4096, loadMillis: 10 })
      const error = yield* Effect.flip(ask(6000)).pipe(at(url))
      assert.match(error.message, /too small a context for this prompt/)
      assert.isFalse(error.transient)
      const cpp = yield* llamaCpp({ context: 4096 })
      const refused = yield* Effect.flip(ask(6000)).pipe(at(cpp.url, {}, { api: "openai" }))
      assert.match(refused.message, /too small a context for this prompt/)
    })
  )

  it.live("have longer while the model is loaded, and are waited for", () =>
    Effect.gen(function* () {
      const { url } = yield* lmStudio({ context: 8192, loadMillis: 500 })
      assert.strictEqual(yield* ask().pipe(at(url, { localMillis: 100, coldMillis: 5000 })), "red")
      const cpp = yield* llamaCpp({ context: 8192, loadMillis: 0 })
      const error = yield* Effect.flip(ask()).pipe(at(cpp.url, {}, { api: "llamacpp" }))
      assert.match(error.message, /still loading its model \(3 attempts\)/)
      assert.isTrue(error.transient)
    })
  )

  it.live("are asked without thoughts, by llama.cpp's chat template", () =>
    Effect.gen(function* () {
      const { state, url } = yield* llamaCpp({ context: 8192 })
      yield* ask().pipe(at(url))
      assert.deepStrictEqual(state.bodies[0].chat_template_kwargs, { enable_thinking: false })
      yield* ask().pipe(at(url, {}, { sampling: { reasoning_effort: "high" } }))
      assert.notProperty(state.bodies[1], "chat_template_kwargs")
    })
  )
})

describe("the size of a prompt", () => {
  it("is estimated above and below what tokenizers make of it", () => {
    const of = (content: string) => {
      const messages = [{ role: "user" as const, content }]
      return [minTokens(messages), maxTokens(messages)]
    }
    // Tokens by the encodings o200k_base and cl100k_base, the larger count of both.
    const samples = [
      ["We find and fix compressed air leaks in factories.", 10],
      ["Donaudampfschifffahrtsgesellschaft", 13],
      ['{"title":"Head of Logistics","company":"Kleurhof Tuinmeubelen B.V."}', 21],
      ["1,234,567.89", 7],
      ["我们在工厂里寻找并修复压缩空气泄漏。", 24]
    ] as const
    for (const [text, tokens] of samples) {
      const [least = 0, most = 0] = of(text)
      assert.isAtMost(least, tokens, text)
      assert.isAtLeast(most, tokens, text)
    }
  })

  it("matters only for servers nearby, which are asked what they are", () => {
    const near = [
      "http://127.0.0.1:11434/v1",
      "http://localhost:1234/v1",
      "http://ollama:11434",
      "http://[::1]:8080/v1"
    ]
    const more = ["http://192.168.1.5:8080/v1", "http://host.docker.internal:11434/v1", "http://gpu.local/v1"]
    for (const url of [...near, ...more]) assert.isTrue(isLocal(url), url)
    for (const url of ["https://api.openai.com/v1", "https://172.15.0.1/v1", "https://10.example.com/v1", undefined]) {
      assert.isFalse(isLocal(url), url)
    }
  })
})
